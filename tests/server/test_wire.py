"""The page's types are those of the doors."""

from __future__ import annotations

import pytest
from tools import wire


def test_the_types_were_made_from_this_description() -> None:
    """If this fails: python tools/wire.py"""
    first = wire.TYPES.read_text(encoding="utf-8").partition("\n")[0]
    assert wire.digest(wire.description()) in first


@pytest.mark.skipif(not wire.GENERATOR.exists(), reason="the page's development packages are not installed")
def test_the_types_are_what_the_generator_makes() -> None:
    assert wire.types(wire.description()) == wire.TYPES.read_text(encoding="utf-8")
