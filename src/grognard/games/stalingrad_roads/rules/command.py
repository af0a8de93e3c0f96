"""1.2 Command radius, and lines of supply of HQs (4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.ground import (
    crossing,
    open_ground,
    pontoon_sides,
    water,
)
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.mechanics.movement import connected

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


KNOWN = 512
"""How many sets of lines, and nets of roads, are remembered."""
KNOWN_AREAS = 32768


def sources(game: StalingradRoads, state: RoadsState, side: int) -> int:
    """4.2.1, 4.2.2 The sources of a side that are active now."""
    own = game.plan(state).sources
    if own is not None:
        return own[side]
    return game.data.soviet_sources[state.turn] if side == SOVIET else game.data.axis_sources


def usable_sources(game: StalingradRoads, state: RoadsState, side: int) -> int:
    """Those that no enemy stands on."""
    return sources(game, state, side) & ~state.occupied[1 - side]


class Lines:
    """How the lines of a side run in a position, worked out when first asked for."""

    __slots__ = ("game", "ground", "led", "links", "marching", "net", "rail", "sources", "start", "tag")

    def __init__(
        self, game: StalingradRoads, ground: int, start: int, links: Sequence[int], tag: Any
    ) -> None:
        self.game = game
        self.ground = ground
        """Hexes that they may enter."""
        self.start = start
        """Sources that no enemy stands on."""
        self.links = links
        self.tag = tag
        """What the sides depend on that they cross."""
        self.net: int | None = None
        self.rail: int | None = None
        self.sources: int | None = None
        self.led: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        """By the hexes of the HQs: those in supply with their areas (see `led_areas`)."""
        self.marching: dict[tuple[int, ...], dict[str, int]] = {}
        """By the hexes of the HQs: their radii by nationality (see `rules.movement.strategic_areas`)."""

    def line_net(self) -> int:
        if self.net is None:
            self.net = self.start | road_net(self.game, self.start, self.ground)
        return self.net

    def rail_net(self) -> int:
        if self.rail is None:
            rails = self.game.data.rails
            self.rail = self.start | connected(self.game.board, rails, self.start, self.ground)
        return self.rail

    def source_area(self) -> int:
        if self.sources is None:
            radius = self.game.data.numbers["source_radius"]
            self.sources = 0
            for cell in each(self.start):
                self.sources |= self._within(cell, radius, False)
        return self.sources

    def area(self, hq: int, cell: int) -> int:
        by_road = halves_on_roads(self.game, cell, self.rail_net())
        return self._within(cell, self.game.units[hq].radius, by_road)

    def _within(self, cell: int, radius: int, by_road: bool) -> int:
        return area_within(self.game, self.links, self.tag, self.ground, cell, radius, by_road)


def area_within(
    game: StalingradRoads,
    links: Sequence[int],
    tag: Any,
    ground: int,
    cell: int,
    radius: int,
    by_road: bool,
    ends: int = 0,
) -> int:
    """The hexes in a radius (see `radiate`): it depends on nothing farther away than itself, so that most
    moves leave it as it is. `tag` is what the sides depend on that lines cross."""
    disc = game.disc(cell, 2 * radius if by_road else radius)
    key = (cell, radius, by_road, tag, ground & disc, ends & disc)
    found = game.known_areas.get(key)
    if found is None:
        if len(game.known_areas) >= KNOWN_AREAS:
            game.known_areas.clear()
        found = game.known_areas[key] = radiate(
            game, links, ground & disc, cell, radius, by_road, ends & disc
        )
    return found


def road_net(game: StalingradRoads, start: int, ground: int) -> int:
    """The hexes joined to some others by road or railway over open ground. Who stands beside the roads makes
    no difference."""
    key = (start, ground & (game.data.on_way | start))
    found = game.known_nets.get(key)
    if found is None:
        if len(game.known_nets) >= KNOWN:
            game.known_nets.clear()
        found = game.known_nets[key] = connected(game.board, game.data.ways, start, ground)
    return found


def lines(game: StalingradRoads, state: RoadsState, side: int) -> Lines:
    """The lines of a side now. Positions that are alike in what matters share them."""
    ground, start = open_ground(game, state, side), usable_sources(game, state, side)
    bridges = pontoon_sides(game, state, side)
    tag = (water(state), bridges) if bridges else water(state)
    key = (ground, start, tag)
    found = game.known_lines.get(key)
    if found is None:
        if len(game.known_lines) >= KNOWN:
            game.known_lines.clear()
        links = crossing(game, state, side)
        found = game.known_lines[key] = Lines(game, ground, start, links, tag)
    return found


def line_net(game: StalingradRoads, state: RoadsState, side: int) -> int:
    """4.1.1 The hexes joined to a source by road or railway, free of enemies: an HQ there is supplied."""
    return lines(game, state, side).line_net()


def halves_on_roads(game: StalingradRoads, cell: int, net: int) -> bool:
    """1.2.2, 4.5.1 Whether road and rail hexes count half for an HQ: it is in a city, on a railway that leads
    to a source."""
    return bool(game.data.city & game.data.on_rail & net & 1 << cell)


def radiate(
    game: StalingradRoads,
    links: Sequence[int],
    ground: int,
    start: int,
    radius: int,
    by_road: bool,
    ends: int = 0,
) -> int:
    """1.2.2 The hexes within a radius: in halves, one by linked road or rail, two otherwise. Hexes that are
    `ends` are reached, but lead nowhere."""
    steps, ways = game.board.steps, game.data.ways
    layers = [0] * (2 * radius + 3)
    layers[0] = 1 << start
    reached = 0
    enterable = ground | ends
    for spent in range(2 * radius + 1):
        edge = layers[spent] & ~reached
        if not edge:
            continue
        reached |= edge
        edge &= ~ends
        for step, link, way in zip(steps, links, ways, strict=True):
            going = edge & link
            if going:
                found = (going << step if step > 0 else going >> -step) & enterable
                layers[spent + 2] |= found
                if by_road:
                    going &= way
                    layers[spent + 1] |= (going << step if step > 0 else going >> -step) & enterable
    return reached


def command_area(game: StalingradRoads, state: RoadsState, hq: int) -> int:
    """1.2 The hexes in the command radius of an HQ on the map."""
    return lines(game, state, state.side(hq)).area(hq, state.where[hq])


def source_area(game: StalingradRoads, state: RoadsState, side: int) -> int:
    """4.2.3 The hexes within four of a source, which supplies like an HQ."""
    return lines(game, state, side).source_area()


def hqs_on_map(game: StalingradRoads, state: RoadsState, side: int) -> list[int]:
    return [hq for hq in game.hqs_of[side] if state.where[hq] >= 0]


def command_areas(
    game: StalingradRoads, state: RoadsState, side: int, hqs: Sequence[int]
) -> list[tuple[int, int]]:
    """Each of some HQs of a side with its area."""
    known = lines(game, state, side)
    return [(hq, known.area(hq, state.where[hq])) for hq in hqs]


def led_areas(game: StalingradRoads, state: RoadsState, side: int) -> list[tuple[int, int]]:
    """4.1.1 The HQs of a side on the map that have a line of supply, each with its area."""
    known = lines(game, state, side)
    places = tuple(map(state.where.__getitem__, game.hqs_of[side]))
    found = known.led.get(places)
    if found is None:
        net = known.line_net()
        supplied = [(hq, cell) for hq, cell in zip(game.hqs_of[side], places, strict=True) if cell >= 0]
        found = known.led[places] = [(hq, known.area(hq, cell)) for hq, cell in supplied if net >> cell & 1]
    return found


def commanded_by_own(
    game: StalingradRoads, areas: Sequence[tuple[int, int]], unit: int, cell: int, germans: bool = True
) -> bool:
    """4.3.1 Whether a hex is in the radius of an HQ of a unit's nationality; a German HQ serves every ally
    too."""
    nation = game.units[unit].nation
    return any(
        area >> cell & 1
        and (game.units[hq].nation == nation or (germans and game.units[hq].nation == "german"))
        for hq, area in areas
    )


def may_host(game: StalingradRoads, hq: int, unit: int) -> bool:
    """4.3.1 Whether the HQ of an ally may supply a unit of another nation: all but Hungarians and Romanians
    of each other."""
    host, guest = game.units[hq].nation, game.units[unit].nation
    return (
        host in ("italian", "hungarian", "romanian")
        and host != guest
        and {host, guest} != {"hungarian", "romanian"}
    )


def guests(
    game: StalingradRoads, state: RoadsState, areas: Sequence[tuple[int, int]], units: Sequence[int]
) -> int:
    """4.3.1 Those of some units whom allied HQs take as their three guests each: the nearest, and of equally
    near ones the first in the order of battle."""
    room = game.data.numbers["foreign_units"]
    waiting, found = list(units), 0
    for hq, area in areas:
        here = state.where[hq]
        near_ones = [u for u in waiting if area >> state.where[u] & 1 and may_host(game, hq, u)]
        near_ones.sort(key=lambda u: (game.board.distance(here, state.where[u]), u))
        for unit in near_ones[:room]:
            waiting.remove(unit)
            found |= 1 << unit
    return found


def supplied_units(
    game: StalingradRoads, state: RoadsState, side: int, units: int, hqs: Sequence[int] | None = None
) -> int:
    """4.3.1 Those of some units that are supplied, by these HQs (those that have a line themselves, if none
    are named) or by a source."""
    areas = led_areas(game, state, side) if hqs is None else command_areas(game, state, side, hqs)
    from_source = source_area(game, state, side)
    found = 0
    strangers = []
    for unit in each(units):
        cell = state.where[unit]
        if cell < 0:
            continue
        if from_source >> cell & 1 or commanded_by_own(game, areas, unit, cell):
            found |= 1 << unit
        elif side == AXIS:
            strangers.append(unit)
    return found | guests(game, state, areas, strangers)
