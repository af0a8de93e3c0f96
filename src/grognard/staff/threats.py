"""Who could come where on the enemy's next turn, and how strong. Floods are shared by all who stand on one
hex with the same points and the same way of moving."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from grognard.board import Board
from grognard.board.board import each, union

Key = TypeVar("Key", bound=Hashable)

MANY = 4_000
"""How many floods' surroundings are kept."""


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


class Floods:
    """Floods made before: they are what they were as long as nothing has changed where they went and next to
    it."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._known: dict[Hashable, tuple[int, tuple[int, ...], int]] = {}
        self._around: dict[int, tuple[int, list[int]]] = {}

    def recall(self, key: Hashable, about: Sequence[int], flood: Callable[[], int]) -> int:
        """The hexes of a flood; `about` are the sets of hexes on which it depends, `key` whatever else."""
        known = self._known.get(key)
        if known is not None and all(a & known[0] == was for a, was in zip(about, known[1], strict=True)):
            return known[2]
        cells = flood()
        near = cells | self.board.spread(cells)
        self._known[key] = near, tuple(a & near for a in about), cells
        return cells

    def reaches(
        self,
        units: Iterable[int],
        key: Callable[[int], Key],
        about: Sequence[int],
        flood: Callable[[int, Key], int],
    ) -> dict[int, int]:
        """The hexes in reach of each unit: one flood for all units of one key, known as long as nothing
        changes near it in the sets `about` which it depends."""
        return reaches(units, key, lambda unit, mine: self.recall(mine, about, lambda: flood(unit, mine)))

    def around(self, cells: int) -> tuple[int, list[int]]:
        """What is next to some hexes, as a set and one by one."""
        found = self._around.get(cells)
        if found is None:
            if len(self._around) >= MANY:
                self._around.clear()
            area = self.board.spread(cells)
            found = self._around[cells] = area, each(area)
        return found


class Threats:
    """The strength that could strike each hex."""

    def __init__(self, board: Board, floods: Floods | None = None) -> None:
        self._around = (floods or Floods(board)).around
        self._strikes: dict[int, list[float]] = {}
        self._strongest: dict[tuple[int, int], float] = {}
        self.total = [0.0] * board.size
        """All that could strike a hex, if there were room for all."""

    def add(self, cells: int, strength: float, touching: bool = True) -> None:
        """Units that could stand on some hexes, and strike whatever is next to one."""
        area, members = self._around(cells) if touching else (cells, each(cells))
        self._strikes.setdefault(area, []).append(strength)
        total = self.total
        for cell in members:
            total[cell] += strength

    def strongest(self, cell: int, most: int) -> float:
        """What the strongest few could do to a hex."""
        found = self._strongest.get((cell, most))
        if found is None:
            strengths = [s for area, some in self._strikes.items() if area >> cell & 1 for s in some]
            found = self._strongest[cell, most] = sum(sorted(strengths, reverse=True)[:most])
        return found


def apart(
    board: Board, coming: Mapping[int, int], strength: Callable[[int], float], floods: Floods | None = None
) -> tuple[Threats, int]:
    """What enemies could strike, one by one, so that the strongest of them are known (`Threats.strongest`),
    and the hexes that they could enter."""
    threats = Threats(board, floods)
    for unit, cells in coming.items():
        threats.add(cells, strength(unit))
    return threats, union(coming.values())


def massed(
    board: Board,
    coming: Mapping[int, int],
    strength: Callable[[int], float],
    likely: Callable[[int], float] = lambda unit: 1.0,
    floods: Floods | None = None,
) -> Threats:
    """What enemies could strike, by the hexes that each could enter (`coming`) and how likely he does. Those
    who could enter the same hexes strike as one."""
    gathered: dict[tuple[int, float], float] = {}
    for unit, cells in coming.items():
        key = cells, likely(unit)
        gathered[key] = gathered.get(key, 0.0) + strength(unit)
    threats = Threats(board, floods)
    for (cells, share), attack in gathered.items():
        threats.add(cells, attack * share)
    return threats
