"""Who could come where on the enemy's next turn, and how strong. Floods are shared by all who stand on one
hex with the same points and the same way of moving."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from grognard.board import Board
from grognard.board.board import each

Key = TypeVar("Key", bound=Hashable)


def reaches(
    units: Iterable[int], key: Callable[[int], Key], flood: Callable[[int, Key], int]
) -> dict[int, int]:
    """The hexes in reach of each unit: one flood for all units of one key."""
    known: dict[Key, int] = {}
    found = {}
    for unit in units:
        mine = key(unit)
        if mine not in known:
            known[mine] = flood(unit, mine)
        found[unit] = known[mine]
    return found


class Threats:
    """The strength that could strike each hex."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._strikes: dict[int, list[float]] = {}
        self._strongest: dict[tuple[int, int], float] = {}
        self.total = [0.0] * board.size
        """All that could strike a hex, if there were room for all."""

    def add(self, cells: int, strength: float, touching: bool = True) -> None:
        """Units that could stand on some hexes, and strike whatever is next to one."""
        area = self._board.spread(cells) if touching else cells
        self._strikes.setdefault(area, []).append(strength)
        for cell in each(area):
            self.total[cell] += strength

    def strongest(self, cell: int, most: int) -> float:
        """What the strongest few could do to a hex."""
        found = self._strongest.get((cell, most))
        if found is None:
            strengths = [s for area, some in self._strikes.items() if area >> cell & 1 for s in some]
            found = self._strongest[cell, most] = sum(sorted(strengths, reverse=True)[:most])
        return found
