"""A table for tests: any position on the real map, and actions written as players write them."""

from __future__ import annotations

from functools import cache

from grognard.games.typhoon.game import Typhoon, load


@cache
def real_game() -> Typhoon:
    """The game as it is played."""
    return load()
