"""6, 6B, 7B What terrain and roads cost, in halves of a movement point: administrative movement pays half."""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.files.scale import HALVES
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.weather import CLEAR, COLD, SNOW, WINTER, Sky, skies
from grognard.games.second_front.units import ARTILLERY, CM, Piece
from grognard.mechanics.movement import Costs

POINT = HALVES.parts
WATER = ("sea", "lake")
BARRED = frozenset({*WATER, "prohibited"})
ROADS = frozenset({"road", "rail_high", "rail_low"})
"""7B: every railway is a road, broken or not; a rail ferry is none (37A2)."""
CROSSED = {
    "river": "river",
    "major_river": "major_river",
    "canal": "canal",
    "lake": "lake",
    "sea": "sea",
    "strait": "strait",
    "mountain_side": "mountain_hexside",
    "high_mountain": "high_mountain",
}
"""Features of sides, and their lines in the terrain chart."""
FREEZE_IN_COLD = frozenset({"river", "canal", "swamp", "wooded_swamp"})
FREEZE_IN_SNOW = frozenset({"major_river", "lake"})
"""Which waters freeze, by the chart of weather zones: the first in zones C and D, the others in C alone."""
COLD_ZONES, COLDEST_ZONE = "cd", "c"
PROHIBITED = "P"
HIGH_MOUNTAIN_TROOPS = 2


class Legs(NamedTuple):
    """How a unit moves: its column of the chart, and its exceptions."""

    column: str
    mountain: bool = False
    light: bool = False
    ski: bool = False
    high: bool = False
    swims: bool = False


def legs(piece: Piece) -> Legs:
    """6: one column for c/m units and artillery, one for others, with exceptions for mountain troops, light
    infantry, skis (14E1), mixed units (14I) and what swims (14J2, 14K)."""
    unit = piece.unit
    motors = unit.klass in (CM, ARTILLERY) or unit.type == "mixed"
    italian_ski = unit.type == "ski" and unit.nation == "Italian"
    return Legs(
        "cm_and_artillery" if motors else "other",
        mountain=unit.type in ("mountain", "high_mountain", "mountain_commando") or italian_ski,
        light=unit.type in ("light_infantry", "ski"),
        ski=unit.type == "ski",
        high=unit.type == "high_mountain",
        swims=unit.type in ("lvt", "amphibious_tank") or piece.mount == "lvt",
    )


@cache
def _cell(feature: str, weather: str, column: str) -> int | None:
    """A cell of the chart in halves of a point; None if it is prohibited."""
    said = str(charts()["terrain_movement"].find(feature, weather)[column])
    return None if said == PROHIBITED else int(said.lstrip("+")) * POINT


def weather_of(feature: str, zone: str, weather: str) -> str:
    """The column under which a feature is read: water counts as frozen only where it freezes."""
    if feature in FREEZE_IN_COLD and weather in COLD and zone not in COLD_ZONES:
        return CLEAR
    if feature in FREEZE_IN_SNOW and weather == SNOW and zone != COLDEST_ZONE:
        return WINTER
    return weather


class Prices:
    """What one kind of legs pays under a sky."""

    def __init__(self, board: Board, walker: Legs, sky: Sky) -> None:
        self.board, self.legs = board, walker
        self.skies = skies(board, sky)

    def step(self, a: int, b: int) -> int | None:
        """What entering b from its neighbour a takes; None if it is prohibited. A road ignores both the hex
        and the side (7B); over water it is a causeway, like a road over a major river (37A1)."""
        ways = self.ways(a, b)
        if self.board.info[b].terrain in BARRED:
            return None
        weather, zone = self.skies[b]
        if ways & ROADS:
            return _cell("clear", weather, self.legs.column)
        entering = self._entering(b, zone, weather)
        if entering is None:
            return None
        for side in self._sides(ways):
            crossing = self._crossing(side, zone, weather)
            if crossing is None:
                return None
            entering += crossing
        return entering

    def administrative(self, a: int, b: int) -> int | None:
        """6B: half the cost. Off roads no mountain, no mountain side and no major river."""
        ways = self.ways(a, b)
        if not ways & ROADS:
            if self.board.info[b].terrain == "mountain" or ways & {"mountain_side", "high_mountain"}:
                return None
            if "major_river" in ways or "causeway" in ways:
                return None
        price = self.step(a, b)
        return None if price is None else price // 2

    def ways(self, a: int, b: int) -> Set[str]:
        return self.board.sides.get((min(a, b), max(a, b)), {}).keys()

    def _entering(self, b: int, zone: str, weather: str) -> int | None:
        info = self.board.info[b]
        feature = "major_city_full" if "major_city_full" in info.features else info.terrain
        column = self.legs.column
        if self.legs.mountain or (self.legs.light and feature in ("woods", "forest")):
            column = "mountain_troops"
        if self.legs.ski and weather == SNOW:
            weather = CLEAR
        return _cell(feature, weather_of(feature, zone, weather), column)

    def _sides(self, ways: Set[str]) -> list[str]:
        if "causeway" in ways:
            return ["major_river"]
        return [line for feature, line in CROSSED.items() if feature in ways]

    def _crossing(self, side: str, zone: str, weather: str) -> int | None:
        if self.legs.high and side == "high_mountain":
            return HIGH_MOUNTAIN_TROOPS * POINT
        if self.legs.swims and side in ("lake", "major_river"):
            side = "river"
        column = "mountain_troops" if self.legs.mountain else self.legs.column
        return _cell(side, weather_of(side, zone, weather), column)


def flood_price(board: Board, walker: Legs, sky: Sky, flooded: int) -> int | None:
    """37A3: what a swamp takes more than the hex of canals that it was; None if it is prohibited."""
    cell = (flooded & -flooded).bit_length() - 1
    weather, zone = skies(board, sky)[cell]
    swamp = _cell("swamp", weather_of("swamp", zone, weather), walker.column)
    canals = _cell("intensive_canal", weather, walker.column)
    return None if swamp is None or canals is None else max(swamp - canals, 0)


@cache
def dry_land(board: Board) -> int:
    """The hexes that are not prohibited to everybody."""
    return board.everywhere & ~board.with_terrain(*BARRED)


@cache
def marked(board: Board, *features: str) -> int:
    """The hexes with one of some features, worked out once."""
    return board.with_feature(*features)


@cache
def costs(board: Board, walker: Legs, sky: Sky) -> Costs:
    return Costs(board, Prices(board, walker, sky).step)


@cache
def administrative_costs(board: Board, walker: Legs, sky: Sky) -> Costs:
    return Costs(board, Prices(board, walker, sky).administrative)


@cache
def crossings(board: Board, walker: Legs, sky: Sky) -> tuple[int, ...]:
    """For each direction, the hexes from which such legs may go that way: where zones reach (5), attacks are
    made (9B) and retreats go (9F1)."""
    ways = [0] * 6
    for _, sets in costs(board, walker, sky).masks:
        ways = [known | cells for known, cells in zip(ways, sets, strict=True)]
    return tuple(ways)


def may_cross(board: Board, walker: Legs, sky: Sky, a: int, b: int) -> bool:
    """Whether neither the hex nor the side is prohibited."""
    return costs(board, walker, sky).step(a, b) > 0
