"""What goes wrong while drafting a map, said so that the overlay can be corrected."""

from __future__ import annotations


class AtlasError(ValueError):
    """An overlay or a geodata file that cannot be used as it stands."""
