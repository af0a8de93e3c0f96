"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

INSTALLED = Path(__file__).parent / "installed"
"""A game in a package of its own: programs that tests start find it, too."""
_paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
os.environ["PYTHONPATH"] = os.pathsep.join([*_paths, str(INSTALLED)])

# A busy machine is slow, not wrong.
settings.register_profile("grognard", deadline=None)
settings.load_profile("grognard")


@pytest.fixture(scope="session")
def page_built() -> None:
    """The page, as new as its sources."""
    subprocess.run([sys.executable, Path(__file__).parents[1] / "tools" / "page.py"], check=True)
