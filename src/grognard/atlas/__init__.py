"""The maker's tool that drafts hex maps from open geodata and hand overlays; not needed to play."""

from grognard.atlas.build import build
from grognard.atlas.errors import AtlasError

__all__ = ["AtlasError", "build"]
