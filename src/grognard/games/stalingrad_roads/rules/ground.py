"""1.8, 1.10, 3.4 The map as it is now: water, bridges, who stands next to whom, who holds what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.data import MUD
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, SUDDEN, RoadsState
from grognard.mechanics.zones import zone

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


NO_SIDES: frozenset[tuple[int, int]] = frozenset()
KNOWN = 4096
"""How many zones are remembered."""


def water(state: RoadsState) -> int:
    """3.2.2, 3.4 How the water is: open, frozen, or mud."""
    return MUD if state.mud else state.rivers


def near(game: StalingradRoads, state: RoadsState, side: int) -> int:
    """The hexes next to a unit of a side; seas and lakes lie between nobody (1.8.4)."""
    occupied = state.occupied[side]
    found = game.known_zones.get(occupied)
    if found is None:
        if len(game.known_zones) >= KNOWN:
            game.known_zones.clear()
        found = game.known_zones[occupied] = zone(game.board, game.data.passable, occupied)
    return found


def pontoon_sides(game: StalingradRoads, state: RoadsState, side: int) -> frozenset[tuple[int, int]]:
    """4.1.3, 7.4 The sides that a side's pontoons bridge, in both orders: those of HQs, and those round its
    pontoon units."""
    if not state.pontoons and not state.markers:
        return NO_SIDES
    markers, bridging = game.bridging_units
    if markers is not state.markers:
        bridging = tuple(m.unit for m in state.markers if m.kind in game.bridging and m.unit >= 0)
        game.bridging_units = (state.markers, bridging)
    if not bridging and not state.pontoons:
        return NO_SIDES
    where, own = state.where, game.units_of[side]
    spans = [(where[hq], there) for hq, there in state.pontoons if own >> hq & 1 and where[hq] >= 0]
    places = [where[unit] for unit in bridging if own >> unit & 1 and where[unit] >= 0]
    if not spans and not places:
        return NO_SIDES
    key = (*spans, *places)
    found = game.known_pontoons.get(key)
    if found is None:
        spans += [(here, there) for here in places for there in game.board.adjacent[here]]
        both = [pair for here, there in spans for pair in ((here, there), (there, here))]
        found = frozenset(pair for pair in both if pair in game.data.water_side)
        game.known_pontoons[key] = found
    return found


def crossing(game: StalingradRoads, state: RoadsState, side: int) -> tuple[int, ...]:
    """1.2.4 The sides that a side's lines may cross, as masks by direction."""
    masks = game.data.lines[water(state)]
    extra = pontoon_sides(game, state, side)
    if not extra:
        return masks
    open_ = list(masks)
    for a, b in extra:
        open_[game.data.direction[b - a]] |= 1 << a
    return tuple(open_)


def open_ground(game: StalingradRoads, state: RoadsState, side: int, friends: int | None = None) -> int:
    """1.2.3, 4.1.1 The hexes that a side's lines may enter: not those of enemies, nor those next to them
    unless a friend stands there. `friends` are the hexes of friends, where they are not as they stand now."""
    enemies = state.occupied[1 - side]
    shut = near(game, state, 1 - side) & ~(state.occupied[side] if friends is None else friends)
    return game.data.land & ~enemies & ~shut


def holder(state: RoadsState, cell: int) -> int:
    """1.10.1 Who controls a hex."""
    return SOVIET if state.soviet_hexes >> cell & 1 else AXIS


def held_by(game: StalingradRoads, state: RoadsState, side: int, cells: int) -> int:
    """Those of some hexes that a side controls."""
    return cells & state.soviet_hexes if side == SOVIET else cells & ~state.soviet_hexes


def enter_hex(game: StalingradRoads, state: RoadsState, unit: int, cell: int) -> None:
    """1.10.1 Put a unit on a hex, which is then its side's."""
    state.place(unit, cell)
    take(game, state, state.side(unit), cell)


def take(game: StalingradRoads, state: RoadsState, side: int, cell: int) -> None:
    """1.10.1 A hex comes under a side's control, with what follows from it."""
    if holder(state, cell) == side:
        return
    state.soviet_hexes ^= 1 << cell
    data = game.data
    if (data.city | data.stars) >> cell & 1:
        state.emit("captured", "1.10.1", hex=cell, word_side=game.sides[side])
    from grognard.games.stalingrad_roads.rules.approval import approve, worth
    from grognard.games.stalingrad_roads.rules.manstein import note_major_city

    approve(game, state, worth(game, cell, side) * (1 if side == AXIS else -1), "15.2.1")
    if side == SOVIET:
        state.taken_cities |= data.city & 1 << cell
    if data.major_cities >> cell & 1:
        note_major_city(state, side)
        _major_city(game, state, side, cell)
    if cell == state.fortress:
        _shift_fortress(game, state)
    plan = game.plan(state)
    if side == SOVIET and plan.victory == "uranus" and data.stalingrad >> cell & 1:
        state.ending, state.winner = SUDDEN, SOVIET
        state.emit("sudden-death", "S2.16", hex=cell)
    if side == SOVIET and plan.victory == "backhand" and data.major_cities >> cell & 1:
        # S4.8 a new major city taken, and none lost
        begun = plan.soviet_hexes & data.major_cities
        if not begun >> cell & 1 and state.soviet_hexes & begun == begun:
            state.ending, state.winner = SUDDEN, SOVIET
            state.emit("sudden-death", "S4.8", hex=cell)


def _major_city(game: StalingradRoads, state: RoadsState, side: int, cell: int) -> None:
    """14.2.1, 14.2.3 A major city taken for the first time, or retaken for the first time; Stalingrad has two
    hexes."""
    from grognard.games.stalingrad_roads.rules.approval import prestige

    city = game.data.stalingrad if game.data.stalingrad >> cell & 1 else 1 << cell
    if held_by(game, state, side, city) != city:
        return
    if side == SOVIET and not state.lost_major & city:
        state.lost_major |= city
        state.successes += 1
        state.emit("major-success", "14.2.1", hex=cell)
        prestige(game, state, -1, "14.2.4")
    elif side == AXIS and state.lost_major & city and not state.regained_major & city:
        state.regained_major |= city
        state.recoveries += 1
        state.emit("major-recovery", "14.2.3", hex=cell)
        prestige(game, state, 1, "16.2.3")


def _shift_fortress(game: StalingradRoads, state: RoadsState) -> None:
    """10.1.5 A fortress marker whose hex is lost goes to the nearest hex with Axis units, towards
    Stalingrad; without any it goes from the map."""
    distance, here = game.board.distance, state.fortress
    city = each(game.data.stalingrad)
    near_city = min(distance(here, goal) for goal in city)
    cells = [
        (distance(here, cell), min(distance(cell, goal) for goal in city), cell)
        for cell in each(state.occupied[AXIS])
        if state.at[cell] & state.enclosed and min(distance(cell, goal) for goal in city) <= near_city
    ]
    state.fortress = min(cells)[2] if cells else -1
    state.emit("fortress-moved" if cells else "fortress-gone", "10.1.5", hex=max(state.fortress, here))


def stalingrad_units(game: StalingradRoads, state: RoadsState, side: int) -> list[int]:
    """A side's units in the two hexes of Stalingrad (1.8.3)."""
    return [
        unit
        for cell in each(game.data.stalingrad & state.occupied[side])
        for unit in each(state.at[cell])
        if state.side(unit) == side
    ]
