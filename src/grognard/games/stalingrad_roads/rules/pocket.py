"""10.2 The pocket of Stalingrad: its zone, whether it is closed, and who is enclosed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import usable_sources
from grognard.games.stalingrad_roads.rules.ground import stalingrad_units
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.mechanics.movement import connected

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


def zone_of_fortress(game: StalingradRoads, state: RoadsState) -> int:
    """10.2.2 Two hexes round the marker, three on an airfield; not through enemies."""
    return zone_about(game, state, state.fortress) if state.fortress >= 0 else 0


def zone_about(game: StalingradRoads, state: RoadsState, cell: int, shut: int = 0) -> int:
    """10.2.2 The zone that the marker has, or would have, on a hex; `shut` are hexes where enemies could be
    as well."""
    airfield = game.data.airfields >> cell & 1
    radius = game.data.numbers["fortress_zone_airfield" if airfield else "fortress_zone"]
    reached = edge = 1 << cell
    for _ in range(radius):
        edge = game.board.spread(edge) & ~(state.occupied[SOVIET] | shut) & ~reached
        reached |= edge
    return reached


def pocket_closed(game: StalingradRoads, state: RoadsState) -> bool:
    """10.2.5 No Axis unit in Stalingrad has a way, however long, to a source: over water and past enemies,
    but not through them."""
    starts = bits(state.where[unit] for unit in stalingrad_units(game, state, AXIS))
    ground = game.data.land & ~state.occupied[SOVIET]
    reached = connected(game.board, game.data.passable, starts, ground)
    return not reached & usable_sources(game, state, AXIS)


def enclose(game: StalingradRoads, state: RoadsState, units: int) -> None:
    """10.2.3 Units out of supply in the zone carry the fortress' marker instead."""
    zone = zone_of_fortress(game, state)
    if not zone:
        return
    for unit in each(units & state.unsupplied & game.units_of[AXIS] & ~game.hqs):
        cell = state.where[unit]
        if cell >= 0 and zone >> cell & 1:
            state.unsupplied &= ~(1 << unit)
            state.enclosed |= 1 << unit
            state.emit("enclosed", "10.2.3", unit=unit, hex=cell)


def mark_unsupplied(game: StalingradRoads, state: RoadsState, unit: int, case: str) -> None:
    """4.4.1 A unit gets the marker, or the fortress' if it is in its zone (10.2.3)."""
    if (state.unsupplied | state.enclosed) >> unit & 1:
        return
    state.unsupplied |= 1 << unit
    state.emit("unsupplied", case, unit=unit, hex=state.where[unit])
    enclose(game, state, 1 << unit)


def ring(game: StalingradRoads, state: RoadsState) -> int:
    """10.2.4 The hexes with Soviet units next to enclosed ones."""
    held = bits(state.where[unit] for unit in each(state.enclosed) if state.where[unit] >= 0)
    held |= game.plan(state).pocket & state.occupied[AXIS]  # S1.5
    return game.board.spread(held) & state.occupied[SOVIET]


def secure_pocket(game: StalingradRoads, state: RoadsState) -> None:
    """10.2.4 At the beginning of Soviet movement: of the units round the pocket, none moves from a hex with
    one or two, and one from a hex with three."""
    state.pinned, state.trios = 0, ()
    if not state.enclosed and not game.plan(state).pocket:
        return
    if state.ring_broken and not pocket_closed(game, state):
        return
    trios = []
    for cell in each(ring(game, state)):
        units = state.fighters_at(cell)
        if units.bit_count() < 3:
            state.pinned |= units
        else:
            trios.append(units)
    state.trios = tuple(trios)


def is_pinned(state: RoadsState, unit: int) -> bool:
    """10.2.4 Whether a unit has to stay and secure the pocket."""
    if state.pinned >> unit & 1:
        return True
    return any(trio >> unit & 1 and trio & state.moved & ~(1 << unit) for trio in state.trios)


# Ju 52 (10.4.3)


def use_plane(game: StalingradRoads, state: RoadsState, plane: int, cell: int) -> None:
    """10.4.3 A Ju 52 marker is turned up and goes back to its pool, or from the game."""
    flights = list(state.flights)
    found = (plane, cell) if (plane, cell) in flights else next(f for f in flights if f[0] == plane)
    flights.remove(found)
    state.flights = tuple(flights)
    if not game.planes[plane].once:
        state.planes[plane] += 1
    state.emit("plane-played", "10.4.3", plane=plane, hex=found[1])


def flown_in(game: StalingradRoads, state: RoadsState, kind: int) -> bool:
    """10.4.3 Whether a Support event lies on the map with which a marker can be played in the fortress: a
    PaK 88 or an alarm unit."""
    event = game.plane_index["support"]
    return game.supports[kind].sort in ("pak", "alarm") and any(plane == event for plane, _ in state.flights)


def enclosed_hexes(game: StalingradRoads, state: RoadsState) -> int:
    """The hexes of the zone of the fortress where enclosed units stand."""
    cells = bits(state.where[unit] for unit in each(state.enclosed) if state.where[unit] >= 0)
    return cells & zone_of_fortress(game, state)
