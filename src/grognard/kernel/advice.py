"""What a door may tell a person who thinks: how far units get, what an attack promises, how supply runs.

A game that can say so has an adviser. It answers with facts, never sentences, and from what everybody may
know: a strength that nobody has seen is a spread of chances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from grognard.kernel.actions import Refusal


class Way(NamedTuple):
    """How to get somewhere."""

    cells: tuple[int, ...]
    """The hexes entered, the goal last."""
    points_left: int
    """What the unit with the least has left on arrival, in parts of the game's scale."""


class ShiftChance(NamedTuple):
    """A shift of the odds, and how likely it is to apply."""

    code: str
    columns: int
    case: str
    chance: float


class Share(NamedTuple):
    """What units counted together bring to a strength; None is one that nobody has seen."""

    units: tuple[int, ...]
    printed: int | None
    counted: int | float | None
    reasons: tuple[tuple[str, str], ...] = ()
    """Why less is counted than printed: codes with their cases."""


class Forecast(NamedTuple):
    """What an attack promises. Spreads are sorted by value and their chances add up to 1."""

    case: str
    attack: tuple[tuple[int | float, float], ...]
    defence: tuple[tuple[int | float, float], ...]
    shifts: tuple[ShiftChance, ...]
    columns: tuple[tuple[str, float], ...]
    results: tuple[tuple[str, float], ...]
    attackers: tuple[Share, ...] = ()
    defenders: tuple[Share, ...] = ()


class Toll(NamedTuple):
    """What a result costs one side: steps, hexes of retreat, or everybody."""

    steps: int = 0
    hexes: int = 0
    wiped: bool = False


class Effects(NamedTuple):
    """What a result of a combat table does, and for whom it is good."""

    tone: Literal["good", "bad", "mixed"]
    """As the attacker sees it."""
    defender: Toll
    attacker: Toll


class Supply(NamedTuple):
    """How a unit is supplied, or that it is not."""

    case: str
    supplied: bool
    line: tuple[int, ...] = ()
    """The hexes from next to the unit to the road or the source."""
    points: int = 0
    """The cost of the line, in parts of the game's scale."""
    road: tuple[int, ...] = ()
    """The hexes along the road, the source last."""


class Adviser(Protocol):
    """A game's advice on a position. Nothing it is asked changes the position."""

    def reach(self, state: Any, units: Sequence[int]) -> dict[int, Way] | Refusal:
        """Where these units can move together now, by the cheapest ways; empty if nowhere."""

    def forecast(
        self, state: Any, targets: Sequence[int], units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """The chances of an attack by these units on these hexes (as an overrun, while units move)."""

    def supply(self, state: Any, unit: int) -> Supply:
        """How a unit on the map is supplied now."""
