"""7.1.3 The units that a player has in hand."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.typhoon.rules.reach import MOTORISED, ORDINARY
from grognard.games.typhoon.state import TyphoonState


class Move(NamedTuple):
    """Units in hand."""

    units: tuple[int, ...]
    lefts: tuple[int, ...]
    """What each has left, in sixths of a point."""
    mode: int
    fresh: bool = True
    """Nothing has been spent yet."""
    stopped: bool = False
    target: int = -1
    """The hex that is being overrun (7.8)."""

    @property
    def left(self) -> int:
        return min(self.lefts)


def mode_of(state: TyphoonState) -> int:
    return MOTORISED if state.within("motorised-phase") else ORDINARY
