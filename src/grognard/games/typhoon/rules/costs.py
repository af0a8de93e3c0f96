"""7.3, 7.4 What terrain costs, in sixths of a movement point: the motorway takes a third of one."""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction
from functools import cache

from grognard.board import Board
from grognard.games.typhoon.data import charts
from grognard.games.typhoon.rules.weather import Sky
from grognard.mechanics.movement import Costs

POINT = 6
"""Sixths in a movement point."""
HIGHWAYS = ("motorway", "main_road")
ROADS = (*HIGHWAYS, "road")
TOWNS = ("major_city", "city")
ALL = "all"
BY_ROAD = "road"
OTHER = "other"
NO_WAYS: frozenset[str] = frozenset()
NO = "no"


@cache
def cost_of(terrain: str, mover: str, weather: str) -> tuple[str, int]:
    """A cell of the chart: its word, or what it is in sixths."""
    said = charts()["terrain"].find(terrain, mover, weather)["cost"]
    return ("", int(Fraction(said) * POINT)) if isinstance(said, int | Fraction) else (str(said), 0)


class Prices:
    """What a class of units pays in some weather (7.4.1): foot or motor (7.3.4), artillery or not (7.3.9)."""

    def __init__(self, board: Board, mover: str, sky: Sky, artillery: bool = False) -> None:
        self.board = board
        self.mover = mover
        self.sky = sky
        self.artillery = artillery
        self._known: dict[tuple[object, ...], int | None] = {}

    def step(self, a: int, b: int) -> int | None:
        """What entering b from its neighbour a takes; None if it cannot be done. It depends on the side and
        on what lies in b: on most of the map the answer is known already."""
        side = self.board.sides.get((a, b) if a < b else (b, a))
        ways = frozenset(side) if side else NO_WAYS
        info = self.board.info[b]
        key = (ways, info.terrain, info.features)
        if key not in self._known:
            self._known[key] = self._step(b, ways)
        return self._known[key]

    def _step(self, b: int, ways: Set[str]) -> int | None:
        if self.board.info[b].terrain == "lake":
            return None
        entering = self.entering(b, ways)
        crossing = 0 if ways & set(ROADS) else self._crossing(ways)
        return None if entering is None or crossing is None else max(entering + crossing, 1)

    def over_major_river(self, a: int, b: int) -> int | None:
        """7.3.9: a major river without a bridge takes the whole movement of a unit that begins beside it. The
        price is the least: such a step is made as the first of a move and ends it."""
        ways = self.board.sides.get((a, b) if a < b else (b, a), {}).keys()
        if "major_river" not in ways or "bridge" in ways or self.artillery:
            return None
        if self.board.info[b].terrain == "lake" or self._said("major_river", self.sky.weather) != ALL:
            return None
        return 1 if self.entering(b, ways) is not None else None

    def entering(self, b: int, ways: Set[str]) -> int | None:
        info = self.board.info[b]
        woods = "woods" in info.features
        weather = self.sky.in_hex(woods)
        for road in HIGHWAYS:
            if road in ways:
                return self._points(road, weather)
        town = next((feature for feature in TOWNS if feature in info.features), None)
        if "road" in ways:
            rate = "road_clear" if info.terrain == "clear" and not woods else "road_other"
            if self._said(rate, weather) != OTHER:
                return self._points(rate, weather)
            # 7.4.2: in rain a minor road leads through woods as through the open, and a marsh costs vehicles
            # what it costs on foot.
            mover = "foot" if self._said(town or info.terrain, weather) == BY_ROAD else self.mover
            return self._points(town or info.terrain, weather, mover)
        if self._said(town or info.terrain, weather) in (BY_ROAD, NO):
            return None
        total = self._points(town or info.terrain, weather)
        if woods and town is None:
            total += self._points("woods", weather)
            if "rail" in ways:
                total += self._points("rail_in_woods", weather)
        return total

    def _crossing(self, ways: Set[str]) -> int | None:
        """7.3.8, 7.3.9: what the side takes besides; a bridge of any kind makes it free."""
        weather = self.sky.weather
        if "bridge" in ways:
            return 0
        if "major_river" in ways and (self.artillery or self._said("major_river", weather) == ALL):
            return None
        if "lake" in ways and self._said("lake", weather) == NO:
            return None
        sides = (side for side in ("river", "major_river", "lake") if side in ways)
        return sum(self._points(side, weather) for side in sides)

    def _said(self, terrain: str, weather: str, mover: str = "") -> str:
        """The word that stands in place of a price, if one does."""
        return cost_of(terrain, mover or self.mover, weather)[0]

    def _points(self, terrain: str, weather: str, mover: str = "") -> int:
        return cost_of(terrain, mover or self.mover, weather)[1]


def costs(board: Board, mover: str, sky: Sky, artillery: bool = False) -> Costs:
    """Of the sky only the weather and lingering rain matter to what steps cost."""
    return _costs(board, mover, sky.ground, artillery)


@cache
def _costs(board: Board, mover: str, sky: Sky, artillery: bool) -> Costs:
    return Costs(board, Prices(board, mover, sky, artillery).step)


def river_crossings(board: Board, mover: str, sky: Sky, artillery: bool = False) -> Costs:
    """Steps over major rivers that are made as the first of a move or not at all (7.3.9)."""
    return _river_crossings(board, mover, sky.ground, artillery)


@cache
def _river_crossings(board: Board, mover: str, sky: Sky, artillery: bool) -> Costs:
    return Costs(board, Prices(board, mover, sky, artillery).over_major_river)


@cache
def side_masks(board: Board, *features: str) -> tuple[int, ...]:
    """As the board's own, worked out once."""
    return board.side_masks(*features)


@cache
def hexes_with(board: Board, word: str) -> int:
    """The hexes of a terrain or with a feature."""
    return board.with_terrain(word) | board.with_feature(word)
