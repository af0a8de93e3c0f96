"""3.3 Zones of control: the hex of a unit and the six around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.board.board import bits
from grognard.games.typhoon.data import NO_STEPS, Unit
from grognard.games.typhoon.rules.costs import costs, hexes_with, river_crossings
from grognard.games.typhoon.rules.weather import Sky
from grognard.mechanics.zones import zone


class UnitState(NamedTuple):
    """A unit on the map, as far as zones go."""

    unit: Unit
    reduced: bool = False
    """It lies on its reduced side, where some have lost their zone (3.3.1)."""
    overrun: bool = False
    """It was overrun this turn and has no zone (3.3.7)."""

    @property
    def combat(self) -> bool:
        """6.5.3: supply units are no combat units."""
        return self.unit.kind not in NO_STEPS

    @property
    def has_zone(self) -> bool:
        return not self.overrun and (self.unit.zone_reduced if self.reduced else self.unit.zone)


@cache
def _crossing(board: Board, mover: str, sky: Sky, artillery: bool) -> tuple[int, ...]:
    """3.3.4: for each direction, the hexes from which a unit may go that way, were it its move."""
    ways = [0] * 6
    for prices in (costs(board, mover, sky, artillery), river_crossings(board, mover, sky, artillery)):
        for _, sets in prices.masks:
            ways = [known | cells for known, cells in zip(ways, sets, strict=True)]
    return tuple(ways)


def zone_of(board: Board, stacks: Mapping[int, Iterable[UnitState]], sky: Sky) -> int:
    """The hexes in the zones of one side's units.

    If one unit of a hex has a zone, every combat unit there has (3.3.1). A zone does not go where its unit
    may not (3.3.4), and never into a major city; but a combat unit always controls its own hex (3.3.2). Units
    of either side change nothing (3.3.5, 3.3.6).
    """
    own: list[int] = []
    sources: dict[tuple[str, bool], list[int]] = {}
    for cell, stack in stacks.items():
        here = [each for each in stack if each.combat]
        if here:
            own.append(cell)
        if any(each.has_zone for each in here):
            for each in here:
                if not each.overrun:
                    key = each.unit.mover, each.unit.kind == "artillery"
                    sources.setdefault(key, []).append(cell)
    spread = 0
    for (mover, artillery), cells in sources.items():
        # An armoured train has no zone of its own (13.0); with others it has one where its crew may walk.
        legs = "foot" if mover == "rail" else mover
        plain = Sky(sky.weather, lingering=sky.lingering)
        spread |= zone(board, _crossing(board, legs, plain, artillery), bits(cells))
    return (spread & ~hexes_with(board, "major_city")) | bits(own)


def shut_for_supply(enemy_zone: int, own_units: int, own_zone: int) -> int:
    """6.1.5: enemy zones that stop a route: not where one's own units or zones are."""
    return enemy_zone & ~(own_units | own_zone)


def shut_for_retreat(enemy_zone: int, own_units: int) -> int:
    """8.6.2: enemy zones that a retreat must shun: not where one's own combat units stand."""
    return enemy_zone & ~own_units
