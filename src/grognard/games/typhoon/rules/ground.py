"""Where units stand, what they cover and hold: zones, routes of supply, control, and what entering does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each, union
from grognard.games.typhoon.rules import zones
from grognard.games.typhoon.rules.supply import Routes
from grognard.games.typhoon.rules.zones import UnitState, shut_for_supply
from grognard.games.typhoon.state import AXIS, SOVIET, SUPPLY_POOL, TyphoonState
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def reduced(game: Typhoon, state: TyphoonState, unit: int) -> bool:
    """8.5.3 Whether a unit lies on its reduced side: of four steps with two or one, of three or two with
    one."""
    full, left = game.units[unit].steps, state.steps[unit]
    return full > 1 and left <= (2 if full == 4 else 1)


def marked(game: Typhoon, state: TyphoonState, unit: int) -> bool:
    """8.5.3 Whether a step-loss marker lies on a unit: of four steps with three or one, of three with two."""
    full, left = game.units[unit].steps, state.steps[unit]
    return (full == 4 and left in (3, 1)) or (full == 3 and left == 2)


def unit_state(game: Typhoon, state: TyphoonState, unit: int) -> UnitState:
    return UnitState(game.units[unit], reduced(game, state, unit), bool(state.overrun >> unit & 1))


def stack_zone(game: Typhoon, state: TyphoonState, side: int, cell: int) -> int:
    """The zone of the units of a side in one hex."""
    found = state.around.get((side, cell))
    if found is None:
        found = state.around[side, cell] = _zone_of(game, state, cell, state.fighters(side, cell))
    return found


def _zone_of(game: Typhoon, state: TyphoonState, cell: int, units: int) -> int:
    stack = [unit_state(game, state, unit) for unit in members(units)]
    return zones.stack_zone(game.board, cell, stack, state.sky)


def zone(game: Typhoon, state: TyphoonState, side: int) -> int:
    """3.3 The hexes in the zones of a side's units. Where stacks have changed since it was last asked, it is
    worked out anew for the hexes around them alone."""
    found, stale = state.zones[side], state.stale[side]
    if found is None or stale:
        spread, occupied = game.board.spread, state.occupied[side]
        near = game.board.everywhere if found is None else stale | spread(stale)
        around = each((near | spread(near)) & occupied)
        anew = union(stack_zone(game, state, side, cell) for cell in around)
        found = (found or 0) & ~near | anew & near
        state.zones[side], state.stale[side] = found, 0
    return found


def zone_without(game: Typhoon, state: TyphoonState, side: int, but: int) -> int:
    """The hexes that would be in the zones of a side's units if some were not there."""
    found = 0
    for cell in each(state.occupied[side]):
        units = state.fighters(side, cell)
        if units & but:
            found |= _zone_of(game, state, cell, units & ~but) if units & ~but else 0
        else:
            found |= stack_zone(game, state, side, cell)
    return found


def armed(state: TyphoonState, side: int) -> int:
    """The hexes where combat units of a side stand (6.5.3)."""
    known = state.traced.get(("armed", side))
    if isinstance(known, int):
        return known
    found = state.occupied[side]
    for cell in each(found & _with_others(state, side)):
        if not state.fighters(side, cell):
            found &= ~(1 << cell)
    state.traced["armed", side] = found
    return found


def _with_others(state: TyphoonState, side: int) -> int:
    return bits(state.where[u] for u in members(state.others & state.side_units[side]) if state.where[u] >= 0)


def intact_forts(game: Typhoon, state: TyphoonState, side: int) -> int:
    """6.1.2c The fortifications of a side that are not destroyed: strongpoints; the Soviets' lines too."""
    lines = game.lines & ~state.broken_lines if side == SOVIET else 0
    return state.forts[side] | lines


def gauge(game: Typhoon, state: TyphoonState, side: int) -> int:
    """12.4.1 The hexes whose railway a side can use: converted and not cut for the Axis, the rest for the
    Soviets; a cut serves neither, but those cut by the set-up are Soviet (12.4.6)."""
    if side == AXIS:
        return state.axis_rail & ~state.cuts
    return game.board.everywhere & ~state.axis_rail


def sources(game: Typhoon, state: TyphoonState, side: int) -> int:
    """6.2 The sources of a side now, those spent supply points give apart (6.2.3)."""
    outline = game.outline(state)
    found = outline.sources[side]
    if side == AXIS:
        open_now = outline.lgov >= 0 and state.turn >= game.numbers["lgov_turn"]
        if open_now and not state.soviet_hexes >> outline.lgov & 1:
            found |= 1 << outline.lgov
        return found & ~state.occupied[SOVIET]
    # 6.2.1 A major city that the Axis holds feeds no Soviets.
    return found & ~state.occupied[AXIS] & (state.soviet_hexes | ~game.major_cities)


def allowed(game: Typhoon, state: TyphoonState, side: int) -> int:
    """6.1.5 The hexes that routes of a side may pass."""
    enemy, own = zone(game, state, 1 - side), zone(game, state, side)
    known = state.traced.get(("allowed", side))
    if isinstance(known, tuple) and known[0] is enemy and known[1] is own:
        found: int = known[2]
        return found
    shut = shut_for_supply(enemy, armed(state, side), own)
    found = game.outline(state).area & ~shut & ~armed(state, 1 - side)
    state.traced["allowed", side] = (enemy, own, found)
    return found


def routes(game: Typhoon, state: TyphoonState, side: int) -> Routes:
    """The routes of a side as things stand, worked out anew only if something has changed."""
    return _routes_from(game, state, side, sources(game, state, side), "routes")


def _routes_from(game: Typhoon, state: TyphoonState, side: int, starts: int, name: str) -> Routes:
    open_, forts = allowed(game, state, side), intact_forts(game, state, 1 - side)
    key = (open_, state.sky, starts, gauge(game, state, side), forts)
    known = state.traced.get((name, side))
    if isinstance(known, tuple) and known[0] == key:
        found: Routes = known[1]
        return found
    made = Routes(game.board, state.sky, starts, open_, key[3], forts)
    state.traced[name, side] = (key, made)
    return made


def supplied_beyond(game: Typhoon, state: TyphoonState, side: int) -> int:
    """The hexes that would be in general supply if no enemy zone stopped a route: what one's own zones can
    open (6.1.5)."""
    open_ = game.outline(state).area & ~armed(state, 1 - side)
    return Routes(
        game.board,
        state.sky,
        sources(game, state, side),
        open_,
        gauge(game, state, side),
        intact_forts(game, state, 1 - side),
    ).supplied


def open_cities(game: Typhoon, state: TyphoonState) -> int:
    """14.1.4c The Soviet major cities that are not encircled: a route leads from them to another source than
    a major city. Each is a source itself, of those who are in it."""
    beyond = sources(game, state, SOVIET) & ~game.major_cities
    return (
        _routes_from(game, state, SOVIET, beyond, "beyond").supplied & game.major_cities & state.soviet_hexes
    )


def supplied_hexes(game: Typhoon, state: TyphoonState, side: int) -> int:
    """The hexes in general supply of a side as things stand (6.3.2)."""
    return routes(game, state, side).supplied


# Control, and what entering a hex does


def hold(game: Typhoon, state: TyphoonState, side: int, cells: int) -> None:
    """2.5.2 A side controls some hexes from now on."""
    if side == SOVIET:
        state.soviet_hexes |= cells & game.outline(state).area
    else:
        state.soviet_hexes &= ~cells


def enter(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> None:
    """Put a unit on a hex, with all that follows from it: control (2.5.2), works destroyed (12.1.9), pontoons
    and supply counters that stand alone removed (13.2.4, 6.5.3), garrisons released (13.6.2c)."""
    side = state.side(unit)
    state.place(unit, cell)
    if game.supplies >> unit & 1:
        return
    for other in members(state.own(1 - side, cell) & state.others):
        lose_supply(state, other, "6.5.3")
    state.works[1 - side] &= ~(1 << cell)
    if any(p.cell == cell and p.side != side for p in state.pontoons):
        state.pontoons = tuple(p for p in state.pontoons if p.cell != cell or p.side == side)
    covered = stack_zone(game, state, side, cell)
    contested = zone(game, state, 1 - side) | armed(state, 1 - side)
    hold(game, state, side, 1 << cell | covered & ~contested)
    if side == AXIS and state.garrison:
        release(game, state, game.contacts[cell] | 1 << cell)


def release(game: Typhoon, state: TyphoonState, cells: int) -> None:
    """13.6.1, 13.6.2 The garrisons in some hexes are free to go, all units of a hex together."""
    freed = bits(u for u in members(state.garrison) if state.where[u] >= 0 and cells >> state.where[u] & 1)
    if freed:
        state.garrison &= ~freed
        state.emit("garrison-released", "13.6.2", units=tuple(members(freed)))


def lose_supply(state: TyphoonState, unit: int, case: str) -> None:
    """6.5.3, 6.5.6 A supply counter leaves the map, to be used again from the next turn on."""
    cell = state.where[unit]
    state.steps[unit] = 0
    state.place(unit, SUPPLY_POOL)
    state.emit("supply-lost" if case == "6.5.3" else "supply-spent", case, unit=unit, hex=cell)


def spend_point(state: TyphoonState, unit: int) -> None:
    """6.5.6 A point of a depot leaves a mobile unit; the last point takes the counter off the map."""
    if state.steps[unit] > 1:
        state.steps[unit] -= 1
    else:
        lose_supply(state, unit, "6.5.6")
