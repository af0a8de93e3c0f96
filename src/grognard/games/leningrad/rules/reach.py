"""How far stacks get, for those who plan: the same prices as in `movement`, flooded over the map at once.

The units of a stack have all begun their move or none of them has. Of units that do not move alike the
slowest decides. Tests hold what is found here against what the rules allow step by step.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from grognard.board.board import bits, each, union
from grognard.games.leningrad.rules.disengagement import disengagement_cost, held, why_not_leave
from grognard.games.leningrad.rules.supply import allowance, dearer_hexes
from grognard.games.leningrad.state import LeningradState
from grognard.mechanics.control import zone
from grognard.mechanics.movement import Ground, Reach, once_for_alike, reach, way

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def budget(game: Leningrad, state: LeningradState, units: tuple[int, ...]) -> int:
    return min(state.left[u] if state.moved >> u & 1 else allowance(game, state, u) for u in units)


def flood(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], blocked: int
) -> Iterator[tuple[int, int, list[int]]]:
    """Floods that together hold every hex in reach of a stack on the map: (first hex, its price, layers).
    The first hex is the stack's own or, where the first step has a price of its own, each one that it can
    take: out of an enemy zone (6.0) or out of a hex under interdiction (13.4)."""
    side = game.side(units[0])
    here = state.where[units[0]]
    costs = game.costs[units[0]]
    enemy_zone = zone(game, state, 1 - side)
    allowed = game.data.land & ~state.occupied[1 - side] & ~blocked
    points = budget(game, state, units)
    dearer = dearer_hexes(game, state, side)
    ground = Ground(costs, allowed, enemy_zone, dearer)
    engaged = bool(held(game, state, units, here))
    leaving = _leaving_factor(game, state, units[0])
    if not engaged and leaving == 1:
        yield here, 0, reach(ground, {here: 0}, points).layers
        return
    first, extra = game.contact[here] & allowed, 0
    if engaged:
        if len(units) > game.data.numbers["disengage_stack"]:
            return
        if any(not game.disengages_freely[u] and state.departed >> u & 1 for u in units):
            return
        first &= ~enemy_zone
        extra = max(disengagement_cost(game, u) for u in units)
    for there in each(first):
        factor = leaving * next((f for cells, f in dearer if cells >> there & 1), 1)
        price = costs.step(here, there) * factor + extra
        if price > points:
            if not state.moved >> units[0] & 1:
                yield there, points, [1 << there]  # 4.3
        elif enemy_zone >> there & 1:
            yield there, price, [1 << there]
        else:
            yield there, price, reach(ground, {there: 0}, points - price).layers


def _leaving_factor(game: Leningrad, state: LeningradState, unit: int) -> int:
    """13.4 How much dearer the first step is for a unit that starts under interdiction."""
    if unit < state.germans or state.departed >> unit & 1:
        return 1
    times = state.interdicted.count(state.where[unit])
    return int(game.data.numbers["interdiction_factor"] ** times)


def full_hexes(game: Leningrad, state: LeningradState, units: tuple[int, ...]) -> int:
    """4.6 Hexes without room for a stack."""
    here = state.where[units[0]]
    room = game.stacking - len(units)
    return bits(c for c, there in state.at.items() if there.bit_count() > room and c != here)


def within_reach(game: Leningrad, state: LeningradState, units: tuple[int, ...], full: int) -> int:
    """Every hex where a stack could end its move, full ones left out. Whether somebody stays behind in an
    enemy zone (6.3) is not asked: that depends on the others."""
    reached = union(layer for _, _, layers in flood(game, state, units, full) for layer in layers)
    return (reached | _next_door(game, state, units, full)) & ~(1 << state.where[units[0]])


def with_points_left(game: Leningrad, state: LeningradState, units: tuple[int, ...], price: int) -> int:
    """The hexes that a stack reaches with so many points to spare (7.3), its own included."""
    points, here = budget(game, state, units), state.where[units[0]]
    found = 1 << here if points >= price else 0
    if found and not zone(game, state, 1 - game.side(units[0])) >> here & 1:
        for _, paid, layers in flood(game, state, units, full_hexes(game, state, units)):
            for layer in layers[: max(0, points - paid - price + 1)]:
                found |= layer
    return found


def whole_moves(game: Leningrad, state: LeningradState, side: int) -> dict[int, int]:
    """Where each unit of a side on the map could get by itself in a movement phase of its own, as everybody
    stands now."""
    rested = state.clone()
    rested.moved = rested.departed = rested.stopped = rested.done = 0

    def alike(unit: int) -> tuple[int, int, int, bool]:
        costs = id(game.costs[unit])
        return rested.where[unit], game.movement[unit], costs, bool(game.disengages_freely[unit])

    present = [unit for unit in each(game.units_of[side]) if rested.on_map(unit)]
    return once_for_alike(present, alike, lambda unit: within_reach(game, rested, (unit,), 0))


def _next_door(game: Leningrad, state: LeningradState, units: tuple[int, ...], full: int) -> int:
    """4.3 The hexes that a stack may enter whatever they cost."""
    here = state.where[units[0]]
    side = game.side(units[0])
    if state.moved >> units[0] & 1 or held(game, state, units, here):
        return 0
    return game.contact[here] & ~state.occupied[1 - side] & ~full


def way_to(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], goal: int
) -> tuple[int, ...] | None:
    """How a stack gets to a hex now, by the cheapest way; None if it does not."""
    side = game.side(units[0])
    here = state.where[units[0]]
    full = full_hexes(game, state, units)
    dearer = dearer_hexes(game, state, side)
    enemy_zone = zone(game, state, 1 - side)
    ground = Ground(game.costs[units[0]], game.data.land, enemy_zone, dearer)
    if held(game, state, units, here) and why_not_leave(game, state, units, here) is not None:
        return None
    found = [
        (spent, first, layers)
        for first, price, layers in flood(game, state, units, full)
        for spent, layer in enumerate(layers, price)
        if layer >> goal & 1
    ]
    if not found:
        return (goal,) if _next_door(game, state, units, full) >> goal & 1 else None
    _, first, layers = min(found, key=itemgetter(0))
    cells = way(ground, Reach({first: 0}, True, layers, {}), goal)
    return cells[1:] if first == here else cells
