"""What a game teaches computer players: where units are well placed, which attacks are worth it, how a
position looks. The knowledge is the game's (numbers in its doctrine.toml); the playing is the players'."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple, Protocol

from grognard.kernel.actions import Action


class Plan(NamedTuple):
    """A few answers that belong together, and what they are thought to gain."""

    gain: float
    actions: tuple[Action, ...]
    units: tuple[int, ...] = ()


class Doctrine(Protocol):
    """A game's teaching. It looks at positions as a player may know them and changes none."""

    def next_move(self, state: Any, side: int, settled: Collection[int]) -> Plan | None:
        """The best move of the next unit or stack worth thinking about, those already settled left out; a
        gain of 0 says that it stays where it is. None when nobody is left."""
        ...

    def best_attack(self, state: Any, side: int) -> Plan | None:
        """The most promising attack; None if none is worth it."""
        ...

    def worth(self, state: Any, side: int) -> float:
        """How the position looks to a side; the higher the better."""
        ...
