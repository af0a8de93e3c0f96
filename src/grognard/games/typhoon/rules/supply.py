"""6.1 to 6.3 General supply: lines of communication, road nets, rail nets, and what lacking them does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from grognard.board import Board
from grognard.board.board import union
from grognard.games.typhoon.data import Unit, numbers
from grognard.games.typhoon.rules.costs import HIGHWAYS, ROADS, costs, hexes_with, side_masks
from grognard.games.typhoon.rules.weather import Sky
from grognard.mechanics.movement import connected, rings
from grognard.mechanics.zones import zone

SHORT = ("rain", "snow", "arctic")
"""6.1.3, and 6.1.6 by ruling: weather that shortens lines and road nets."""
FROZEN = ("frost", "snow", "arctic")
"""6.1.3: weather in which marshes bear."""

GENERAL, EMERGENCY, UNSUPPLIED = "general", "emergency", "unsupplied"


class Routes:
    """What routes one side has in some weather, the enemy being where he is (6.1).

    `sources` are hexes, `allowed` those free of enemy combat units and of zones that stop a route (6.1.5),
    `gauge` those whose railway is one's own (12.4.1), `forts` intact fortifications of the enemy (6.1.2c).
    """

    def __init__(
        self, board: Board, sky: Sky, sources: int, allowed: int, gauge: int, forts: int = 0
    ) -> None:
        self.board = board
        self.sky = sky
        self.sources = sources
        self.allowed = allowed
        self.gauge = gauge
        self.forts = forts

    @cached_property
    def rail_net(self) -> int:
        """6.1.7, of any length. Sources without a railway are in it as well."""
        rails = side_masks(self.board, "rail")
        return connected(self.board, rails, self.sources, self.allowed & self.gauge)

    @cached_property
    def road_net(self) -> int:
        """6.1.6: so many hexes of road from a source or a railway that is supplied."""
        limit = numbers()["road_net_short" if self.sky.weather in SHORT else "road_net"]
        roads = side_masks(self.board, *HIGHWAYS)
        starts = (self.sources | self.rail_net) & self.allowed
        return union(islice(rings(self.board, roads, starts, self.allowed), limit + 1))

    @cached_property
    def supplied(self) -> int:
        """6.3.2: the hexes in which a unit can trace a route."""
        goals = self.sources & self.allowed | self.rail_net | self.road_net
        return self.lines(goals, self.allowed & ~self.forts)

    def lines(self, goals: int, allowed: int) -> int:
        """6.1.1: hexes from which a line of communication leads to a goal. A line of five hexes goes wherever
        lines go; one of seven not through marsh nor, in lingering rain, through woods."""
        short, full = numbers()["loc_short"], numbers()["loc"]
        slow = hexes_with(self.board, "marsh")
        if self.sky.lingering:
            slow |= hexes_with(self.board, "woods")
        found = self._line(goals, allowed, short)
        if self.sky.weather not in SHORT:
            found |= self._line(goals, allowed & ~slow, full)
        return found

    def _line(self, goals: int, allowed: int, length: int) -> int:
        """A unit's own hex is not counted and may be any that a line can leave."""
        sides = self.sides()
        before = union(islice(rings(self.board, self.bound(sides), goals, allowed | goals), length))
        return before | zone(self.board, sides, before)

    def linked(self, goals: int, allowed: int) -> int:
        """6.4.1c: hexes from which a line of any length leads to a goal over hexes that are allowed."""
        sides = self.sides()
        before = connected(self.board, self.bound(sides), goals, allowed)
        return before | zone(self.board, sides, before)

    def sides(self) -> tuple[int, ...]:
        """6.1.2a: sides that a line crosses: no lake or major river that cannot be crossed now."""
        prices = costs(self.board, "foot", self.sky)
        ways = [0] * 6
        for _, sets in prices.masks:
            ways = [known | cells for known, cells in zip(ways, sets, strict=True)]
        return tuple(ways)

    def bound(self, sides: Sequence[int]) -> tuple[int, ...]:
        """6.1.2b: between a marsh that does not bear and its neighbours a line goes by road only."""
        if self.sky.weather in FROZEN:
            return tuple(sides)
        marsh = hexes_with(self.board, "marsh")
        roads = side_masks(self.board, *ROADS)
        bound = []
        for step, ways, by_road in zip(self.board.steps, sides, roads, strict=True):
            beyond = marsh >> step if step > 0 else marsh << -step
            bound.append(ways & ~(marsh | beyond) | ways & by_road)
        return tuple(bound)


def status_after(before: str, has_route: bool) -> str:
    """6.3.2, 6.3.3: the state of a unit for the turn, judged once: stocks last a turn."""
    if has_route:
        return GENERAL
    return EMERGENCY if before == GENERAL else UNSUPPLIED


def movement(unit: Unit, status: str) -> int:
    """6.3.5a: what a unit may spend; cavalry lives off the land."""
    if status != UNSUPPLIED or unit.kind == "cavalry":
        return unit.movement
    return max(0, unit.movement + numbers()["unsupplied_movement"])
