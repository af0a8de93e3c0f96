"""5 Zones of control, 6A what it costs to leave them, 3D who owns the ground."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.board.board import bits, union
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.ground import POINT, Legs, crossings, legs
from grognard.games.second_front.rules.weather import CLEAR, FROST, Sky, skies
from grognard.games.second_front.units import ALLIED, ARTILLERY, AXIS, CM, Piece
from grognard.mechanics.zones import zone

REDUCED_FROM = 2
"""The turn without supply from which a zone is a reduced one (12D)."""
ITALIAN_GROUND = ("country_italy", "district_corsica")
GERMAN, ITALIAN, ALLIED_OWNER = "German", "Italian", "Allied"


class Zones(NamedTuple):
    """The hexes in the zones of a side, as sets. A hex in a full zone is in no reduced one."""

    full: int = 0
    reduced: int = 0

    @property
    def all(self) -> int:
        return self.full | self.reduced


def has_zone(piece: Piece) -> bool:
    """5: divisional units alone."""
    return piece.divisional


def zones(
    board: Board, stacks: Mapping[int, Iterable[Piece]], sky: Sky, suspended: frozenset[str] = frozenset()
) -> Zones:
    """The zones of units of one side: into the six hexes around, unless the unit could not go there. Those
    `suspended` (by id) have lost theirs for now: in administrative movement (6B), in a train (7A), overrun
    (13)."""
    full: dict[Legs, list[int]] = {}
    reduced: dict[Legs, list[int]] = {}
    for cell, stack in stacks.items():
        for piece in stack:
            if has_zone(piece) and piece.unit.id not in suspended:
                kind = reduced if piece.hungry >= REDUCED_FROM else full
                kind.setdefault(legs(piece), []).append(cell)
    spread = [
        [zone(board, crossings(board, walker, sky), bits(cells)) for walker, cells in kind.items()]
        for kind in (full, reduced)
    ]
    whole, part = (union(sets) for sets in spread)
    return Zones(whole, part & ~whole)


# 6A


def moving_class(piece: Piece) -> str:
    """The line of the chart of zone costs."""
    if piece.unit.klass == CM:
        return "c/m"
    return "artillery" if piece.unit.klass == ARTILLERY else "other"


def toll(piece: Piece, reduced: bool, weather: str) -> int:
    """What leaving a hex in enemy zones takes, once, in halves of a point."""
    row = charts()["zoc_costs"].find("reduced" if reduced else "full", moving_class(piece))
    points = row["clear_frost" if weather in (CLEAR, FROST) else "mud_winter_snow"]
    assert isinstance(points, int)
    return points * POINT


def tolls(board: Board, piece: Piece, enemy: Zones, sky: Sky) -> list[tuple[int, int]]:
    """(hexes, halves of a point) for the map as a unit finds it, by the weather of the hex that is left."""
    found: dict[int, int] = {}
    for reduced, cells in ((False, enemy.full), (True, enemy.reduced)):
        for weather, here in _by_weather(board, sky):
            if cells & here:
                price = toll(piece, reduced, weather)
                found[price] = found.get(price, 0) | cells & here
    return [(cells, price) for price, cells in sorted(found.items())]


@cache
def _by_weather(board: Board, sky: Sky) -> tuple[tuple[str, int], ...]:
    """The conditions on the map, each with its hexes as a set."""
    found: dict[str, int] = {}
    for cell, (weather, _) in skies(board, sky).items():
        found[weather] = found.get(weather, 0) | 1 << cell
    return tuple(found.items())


# 3D


def owned(
    before: tuple[int, int], occupied: tuple[int, int], controlled: tuple[int, int], land: int
) -> tuple[int, int]:
    """The hexes that each side owns now: those it occupies, those where its zone is uncontested, and those
    where it was the last to do either."""
    found = list(before)
    for side in (AXIS, ALLIED):
        enemy = 1 - side
        gained = occupied[side] | controlled[side] & ~occupied[enemy] & ~controlled[enemy]
        found[side] |= gained & land
        found[enemy] &= ~gained
    return found[AXIS], found[ALLIED]


def owner_nation(board: Board, cell: int, side: int, italy_surrendered: bool) -> str:
    """Whose a hex is where the rules tell Germans from Italians: until Italy surrenders, Axis ground in Italy
    and Corsica is Italian."""
    if side == ALLIED:
        return ALLIED_OWNER
    italian = bool(board.info[cell].features & set(ITALIAN_GROUND))
    return ITALIAN if italian and not italy_surrendered else GERMAN
