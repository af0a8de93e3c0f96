"""3.3 Zones of control: the hex of a unit and the six around it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.board.board import each
from grognard.games.typhoon.data import NO_STEPS, Unit
from grognard.games.typhoon.rules.costs import costs, hexes_with, river_crossings
from grognard.games.typhoon.rules.weather import Sky


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
def _exits(board: Board, legs: str, artillery: bool, sky: Sky) -> bytes:
    """3.3.2, 3.3.4: for each hex the directions, as bits, in which a unit could go from it, were it its move;
    none into a major city, where no zone goes."""
    found = bytearray(board.size)
    cities = frozenset(each(hexes_with(board, "major_city")))
    for prices in (costs(board, legs, sky, artillery), river_crossings(board, legs, sky, artillery)):
        for _, sets in prices.masks:
            for direction, cells in enumerate(sets):
                for cell in each(cells):
                    if board.neighbours[cell][direction] not in cities:
                        found[cell] |= 1 << direction
    return bytes(found)


def stack_zone(board: Board, cell: int, stack: Iterable[UnitState], sky: Sky) -> int:
    """The zone of the units of one side in a hex.

    If one unit of a hex has a zone, every combat unit there has (3.3.1). A zone does not go where its unit
    may not (3.3.4), and never into a major city; but a combat unit always controls its own hex (3.3.2). Units
    of either side change nothing (3.3.5, 3.3.6).
    """
    here = [one for one in stack if one.combat]
    if not here:
        return 0
    found, ways = 1 << cell, 0
    if any(one.has_zone for one in here):
        plain = sky.ground
        for one in here:
            if not one.overrun:
                # 13.0 An armoured train has no zone of its own; with others it has one where a crew may walk.
                legs = "foot" if one.unit.mover == "rail" else one.unit.mover
                ways |= _exits(board, legs, one.unit.kind == "artillery", plain)[cell]
    for direction, step in enumerate(board.steps):
        if ways >> direction & 1:
            found |= 1 << (cell + step)
    return found


def shut_for_supply(enemy_zone: int, own_units: int, own_zone: int) -> int:
    """6.1.5: enemy zones that stop a route: not where one's own units or zones are."""
    return enemy_zone & ~(own_units | own_zone)


def shut_for_retreat(enemy_zone: int, own_units: int) -> int:
    """8.6.2: enemy zones that a retreat must shun: not where one's own combat units stand."""
    return enemy_zone & ~own_units
