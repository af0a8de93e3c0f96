"""What those who hold hexes have to fear from the enemy's next move, each hex by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from grognard.board.board import each
from grognard.staff.memory import Remembered
from grognard.staff.outlook import Outlook


class Crew(NamedTuple):
    """Units of ours on one hex, and what the enemy's attack would find there."""

    units: int
    defence: int
    steps: int
    fear: float
    """How much of what they are worth is feared for."""
    whole: float
    """What it is worth to have them together."""


class GarrisonsOutlook(Outlook):
    """A game's outlook is a subclass that answers the questions below. Its doctrine has `alert` for each kind
    of unit: how much of what the enemy could do is feared."""

    keeps_empty = False
    """Whether a hex that matters is ours while nobody stands on it and no enemy can reach it."""

    def __init__(self, lore: Any, state: Any, side: int) -> None:
        super().__init__(lore, state, side)
        self.fears: Mapping[str, float] = self.numbers["alert"]
        self.exposure: Remembered[int, tuple[float, float, int]] = Remembered(self._exposure)
        self.crew: Remembered[int, Crew] = Remembered(self._crew)

    # What a game supplies

    @cached_property
    def important(self) -> dict[int, float]:
        """Hexes worth holding for themselves, and how much."""
        raise NotImplementedError

    def strength(self, unit: int, attacking: bool) -> float:
        raise NotImplementedError

    def ground(self, cell: int) -> int:
        """The columns that a hex gives us where we are attacked."""
        raise NotImplementedError

    def strikers(self, cell: int) -> int:
        """How many enemies find room to strike at a hex."""
        raise NotImplementedError

    def company(self, units: Sequence[int]) -> float:
        """What it is worth to have units of ours together on a hex."""
        return 0.0

    # What follows

    def danger(self, cell: int) -> float:
        """The strength that the enemy could bring against a hex on his next turn."""
        return self.threats.strongest(cell, self.strikers(cell))

    def _exposure(self, cell: int) -> tuple[float, float, int]:
        """What a hex is worth, the strength that the enemy could bring against it, and the columns that the
        ground gives us there."""
        return self.important.get(cell, 0.0), self.danger(cell), self.ground(cell)

    def _crew(self, members: int) -> Crew:
        """Units of ours as they stand together."""
        units, kinds, weight = each(members), self.game.units, self.weight
        defence = max(1, int(sum(self.strength(u, False) for u in units)))
        steps = {u: self.steps_of(u) for u in units}
        fear = sum(self.fears[kinds[u].kind] * weight(u, left) for u, left in steps.items())
        whole = self.company(units) if len(units) > 1 else 0.0
        return Crew(len(units), defence, sum(steps.values()), fear, whole)
