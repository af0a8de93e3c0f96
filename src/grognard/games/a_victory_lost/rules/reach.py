"""8.0 How far units get: the one reach that rules, advice and players share.

A step by the rules is priced in `movement`; here the same prices are flooded over the map at once. Tests hold
the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each, union
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.setup import option
from grognard.games.a_victory_lost.rules.supply import allowance
from grognard.games.a_victory_lost.state import IN_BOX, SOVIET, VictoryState
from grognard.kernel import Action
from grognard.mechanics.control import in_enemy_zone, zone
from grognard.mechanics.movement import Ground, Reach, once_for_alike, reach, sides_between, way

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Move(NamedTuple):
    """The unit in hand and what it may still do."""

    unit: int
    left: int
    """Movement points left, in halves."""
    march: bool
    """Strategic movement: by road only, at half a point a hex (8.3)."""
    fresh: bool
    """It stands where it began: only from there may it cross a major river without a bridge (8.1.3)."""
    halted: bool
    """It has crossed one and goes no further (8.1.3)."""
    bonus: int
    """Points of administrative movement among those left, lost in an enemy zone (15.0.1)."""


def take_up(game: AVictoryLost, state: VictoryState, unit: int, march: bool) -> Move:
    """8.1.2 A unit begins its move with all its points, and one more away from enemy zones (15.0.1)."""
    left, bonus = allowance(game, state, unit), 0
    entitled = game.side(unit) == SOVIET and option(state, "administrative_movement")
    if entitled and not (state.on_map(unit) and in_enemy_zone(game, state, SOVIET, state.where[unit])):
        bonus = 2 * game.data.numbers["administrative_bonus"]
    return Move(unit, left + bonus, march, fresh=True, halted=False, bonus=bonus)


class Grounds(NamedTuple):
    """The map for the combat units or the HQs of one side, as the other side stands."""

    allowed: int
    """Hexes that they may enter at all."""
    zones: int
    """The zones that they feel."""
    fields: Ground
    """Ordinary movement (8.1, 8.2)."""
    clear_fields: Ground
    """Ordinary movement out of all zones (15.0.1)."""
    roads: Ground
    """Strategic movement (8.3)."""


def grounds(game: AVictoryLost, state: VictoryState, unit: int) -> Grounds:
    """The map as a unit finds it: enemies bar the way, lone HQs apart, which only combat units overrun
    (12.1)."""
    side, hq = game.side(unit), game.units[unit].hq
    foes = state.occupied[1 - side] if hq else state.fighters[1 - side]
    allowed = usable_ground(game, state) & ~foes
    zones = zone(game, state, 1 - side)
    known = game.ground_cache.get((side, hq))
    if known is not None and known.allowed == allowed and known.zones == zones:
        return known
    data = game.data
    found = Grounds(
        allowed,
        zones,
        Ground(
            data.dry_costs,
            allowed,
            plus_in=((zones, game.zone_in),),
            plus_out=((zones, game.zone_out),),
            first_only=data.ford_costs,
            shut=sides_between(game.board, data.major_sides, zones),  # 8.2.2
        ),
        Ground(data.dry_costs, allowed & ~zones, first_only=data.ford_costs),
        Ground(data.road_costs, allowed & ~zones),
    )
    game.ground_cache[side, hq] = found
    return found


class Branch(NamedTuple):
    """One kind of movement of a unit, and where that takes it."""

    march: bool
    ground: Ground
    reach: Reach
    points: int
    """What the unit had at its starts."""


def branches(game: AVictoryLost, state: VictoryState, move: Move, starts: Mapping[int, int]) -> list[Branch]:
    """Where a unit in hand can go from some hexes that have cost it something already."""
    if move.halted:
        return []
    ground = grounds(game, state, move.unit)
    if move.march:
        return [Branch(True, ground.roads, reach(ground.roads, starts, move.left, move.fresh), move.left)]
    points = move.left - move.bonus
    found = []
    if points >= 0:
        found.append(Branch(False, ground.fields, reach(ground.fields, starts, points, move.fresh), points))
    if move.bonus:
        starts = {cell: spent for cell, spent in starts.items() if not ground.zones >> cell & 1}
        clear = ground.clear_fields
        found.append(Branch(False, clear, reach(clear, starts, move.left, move.fresh), move.left))
    return found


def ways_of(game: AVictoryLost, state: VictoryState, unit: int) -> Iterator[Branch]:
    """Everything that a unit can do which nobody has taken up yet, from where it stands or from its entry box
    (11.2.2): ordinary movement first, then strategic (8.3.1)."""
    cell = state.where[unit]
    ground = grounds(game, state, unit)
    for march in (False, True):
        move = take_up(game, state, unit, march)
        if state.on_map(unit):
            if not march or game.data.on_road & ~ground.zones & 1 << cell:
                yield from branches(game, state, move, {cell: 0})
            continue
        gates = game.data.boxes[game.side(unit)] & ground.allowed
        if march:
            starts = dict.fromkeys(each(gates & game.data.on_road & ~ground.zones), game.data.road_cost)
        else:
            starts = {
                gate: game.data.plain_cost[gate] + (game.zone_in if ground.zones >> gate & 1 else 0)
                for gate in each(gates)
            }
        yield from branches(game, state, move._replace(fresh=False), starts)


def within_reach(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """Every hex that a unit can reach, by whatever movement, full ones included."""
    return union(branch.reach.cells for branch in ways_of(game, state, unit))


def whole_moves(game: AVictoryLost, state: VictoryState, side: int) -> dict[int, int]:
    """Where each unit of a side on the map could get in a movement sequence of its own, were it activated, as
    everybody stands now."""

    def alike(unit: int) -> tuple[int, int, bool]:
        return state.where[unit], allowance(game, state, unit), game.units[unit].hq

    present = [unit for unit in each(game.units_of[side]) if state.on_map(unit)]
    return once_for_alike(present, alike, lambda unit: within_reach(game, state, unit))


def way_to(game: AVictoryLost, state: VictoryState, unit: int, cell: int) -> tuple[Action, ...] | None:
    """The answers that bring a unit to a hex; None if it cannot get there."""
    for branch in ways_of(game, state, unit):
        if branch.reach.spent(cell) is None:
            continue
        first, *steps = way(branch.ground, branch.reach, cell)
        if state.where[unit] == IN_BOX:
            begin: Action = ("march-in" if branch.march else "enter", unit, first)
        else:
            begin = ("march" if branch.march else "pick", unit)
        return begin, *(("step", there) for there in steps), ("halt",)
    return None
