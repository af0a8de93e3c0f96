"""Supply as it would be: if units stood elsewhere, if an HQ or a unit went to another hex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.command import (
    area_within,
    commanded_by_own,
    halves_on_roads,
    hqs_on_map,
    led_areas,
    lines,
    may_host,
    source_area,
    sources,
)
from grognard.games.stalingrad_roads.rules.ground import crossing, near
from grognard.games.stalingrad_roads.state import TO_COME, RoadsState
from grognard.mechanics.movement import connected
from grognard.mechanics.zones import zone

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


def supplied_if(
    game: StalingradRoads,
    state: RoadsState,
    side: int,
    own: int,
    enemies: int,
    hqs: Sequence[tuple[int, int]],
) -> int:
    """4.1, 4.3 The hexes that these HQs (with their hexes) and the sources of a side supply, if the two sides
    stood on these hexes."""
    shut = zone(game.board, game.data.passable, enemies) & ~own
    ground = game.data.land & ~enemies & ~shut
    start, links = sources(game, state, side) & ~enemies, crossing(game, state, side)
    tag = lines(game, state, side).tag
    net = start | connected(game.board, game.data.ways, start, ground)
    rail = start | connected(game.board, game.data.rails, start, ground)
    found = 0
    for cell in each(start):
        found |= area_within(game, links, tag, ground, cell, game.data.numbers["source_radius"], False)
    for hq, cell in hqs:
        if net >> cell & 1:
            by_road = halves_on_roads(game, cell, rail)
            found |= area_within(game, links, tag, ground, cell, game.units[hq].radius, by_road)
    return found


def led_from(game: StalingradRoads, state: RoadsState, hq: int, cell: int) -> int:
    """1.2 The hexes that an HQ would lead from a hex, those next to enemies too, where whoever goes there
    opens the way himself."""
    side = state.side(hq)
    known = lines(game, state, side)
    by_road = halves_on_roads(game, cell, known.rail_net())
    open_ = known.ground | 1 << cell
    ends = game.data.land & ~state.occupied[1 - side] & ~open_
    return area_within(game, known.links, known.tag, open_, cell, game.units[hq].radius, by_road, ends)


def fed_hexes(game: StalingradRoads, state: RoadsState, unit: int, others: Sequence[int]) -> int:
    """4.3.1 Where a unit would be in supply that leaves its hex: by its own HQs, by German ones, by those of
    allies that have room for one guest more beside these `others`, by sources."""
    side, here = state.side(unit), state.where[unit]
    if here >= 0 and state.at[here] == 1 << unit and near(game, state, 1 - side) >> here & 1:
        # Nobody keeps the hex open any more.
        state = state.clone()
        state.place(unit, TO_COME)
    known = lines(game, state, side)
    ends = game.data.land & ~state.occupied[1 - side] & ~known.ground
    found, net = 0, known.line_net()
    radius = game.data.numbers["source_radius"]
    for cell in each(known.start):
        found |= area_within(game, known.links, known.tag, known.ground, cell, radius, False, ends)
    for hq in hqs_on_map(game, state, side):
        if net >> state.where[hq] & 1:
            area = led_from(game, state, hq, state.where[hq])
            if game.units[hq].nation in (game.units[unit].nation, "german"):
                found |= area
            elif may_host(game, hq, unit):
                found |= area & _room_for_guests(game, state, hq, unit, area, others)
    return found


def _room_for_guests(
    game: StalingradRoads, state: RoadsState, hq: int, unit: int, area: int, others: Sequence[int]
) -> int:
    """4.3.1 The hexes from which a unit is among the three nearest to an allied HQ."""
    where = state.where
    guests = [u for u in others if u != unit and area >> where[u] & 1 and may_host(game, hq, u)]
    away = sorted((game.board.distance(where[hq], where[u]), u) for u in guests)
    room = game.data.numbers["foreign_units"]
    if len(away) < room:
        return -1
    farthest, last = away[room - 1]
    return game.disc(where[hq], farthest if unit < last else farthest - 1)


def strangers(game: StalingradRoads, state: RoadsState, side: int) -> list[int]:
    """4.3.1 Units of a side whom no HQ of their own, no German one and no source supplies."""
    areas, fed = led_areas(game, state, side), source_area(game, state, side)
    units = [u for u in each(game.units_of[side] & ~game.hqs) if state.where[u] >= 0]
    units = [u for u in units if not fed >> state.where[u] & 1]
    return [u for u in units if not commanded_by_own(game, areas, u, state.where[u])]
