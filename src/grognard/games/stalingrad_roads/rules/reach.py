"""7 How far units get: the prices of `movement` flooded over the map at once, for advice and players. Tests
hold the two against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import hqs_on_map
from grognard.games.stalingrad_roads.rules.ground import near, pontoon_sides, water
from grognard.games.stalingrad_roads.rules.movement import (
    EXPLOITATION,
    ORDINARY,
    REACTION,
    STRATEGIC,
    Move,
    begin_movement,
    dry_side,
    rail_reach,
    single_hex,
    take_up,
    why_cannot_move,
    why_not_entrain,
    why_not_halt,
    why_not_march,
)
from grognard.games.stalingrad_roads.state import AXIS, RoadsState
from grognard.kernel import Action
from grognard.mechanics.movement import Costs, Ground, Reach, reach, ways

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

KNOWN = 64
"""How many tables of costs are remembered."""


class Flood(NamedTuple):
    """Where those in hand can get."""

    start: int
    ground: Ground
    reach: Reach
    left: int
    single: int
    """Hexes entered by the one step that is always possible, which takes the whole move (7.1.8)."""

    @property
    def cells(self) -> int:
        return (self.reach.cells | self.single) & ~(1 << self.start)

    def ways(self) -> dict[int, tuple[int, tuple[int, ...]]]:
        """For every hex what is left on arrival and the hexes entered."""
        found = {
            c: (self.left - spent, cells[1:]) for c, (spent, cells) in ways(self.ground, self.reach).items()
        }
        for cell in each(self.single):
            found.setdefault(cell, (0, (cell,)))
        found.pop(self.start, None)
        return found


def step_costs(game: StalingradRoads, state: RoadsState, side: int, by_road: bool = False) -> Costs:
    """What steps cost a side now, over its pontoons too (7.4); by road and rail only, if that is asked."""
    wet, bridges = water(state), frozenset(pontoon_sides(game, state, side))
    found = game.known_costs.get((wet, bridges, by_road))
    if found is not None:
        return found
    data = game.data
    found = plain = data.costs[wet]
    if bridges:

        def price(a: int, b: int) -> int:
            if (a, b) in bridges and not data.ways[data.direction[b - a]] >> a & 1:
                return data.plain_cost(b, wet)
            return plain.step(a, b)

        found = Costs(game.board, price)
    if by_road:
        found = found.only(data.ways)
    if len(game.known_costs) >= KNOWN:
        game.known_costs.clear()
    game.known_costs[wet, bridges, by_road] = found
    return found


def away_from_hqs(game: StalingradRoads, state: RoadsState, side: int) -> tuple[int, ...]:
    """4.4.4 For each direction the hexes from which a step leads farther from the nearest HQ."""
    board = game.board
    edge = bits(state.where[hq] for hq in hqs_on_map(game, state, side))
    shut = [0] * 6
    reached = edge
    while edge:
        farther = board.spread(edge) & ~reached
        for direction, step in enumerate(board.steps):
            shut[direction] |= edge & (farther >> step if step > 0 else farther << -step)
        reached |= farther
        edge = farther
    return tuple(shut)


def flood(game: StalingradRoads, state: RoadsState, move: Move) -> Flood:
    """7.1 Where those in hand can get from where they stand, whether they may rest there or not."""
    data, plan = game.data, game.plan(state)
    start, side = state.where[move.units[0]], state.side(move.units[0])
    allowed = plan.area & ~state.occupied[1 - side]
    if plan.zone_28:
        allowed &= ~data.zone_28
    hungry = any(state.unsupplied >> u & 1 and not game.elite(state, u) for u in move.units)
    shut: Sequence[int] = away_from_hqs(game, state, side) if hungry else ()
    costs = step_costs(game, state, side, move.mode == STRATEGIC and not state.off_road)
    if move.mode == STRATEGIC:
        allowed &= move.bounds
    ground = Ground(costs, allowed, shut=shut)
    alone = any(single_hex(game, state, unit) for unit in move.units)
    budget = 0 if move.stopped or alone else move.left
    single = 0
    if move.fresh and move.mode != STRATEGIC and not move.stopped:
        single = _first_hexes(game, state, move, start, allowed, costs, shut)
    return Flood(start, ground, reach(ground, {start: 0}, budget, False), move.left, single)


def _first_hexes(
    game: StalingradRoads,
    state: RoadsState,
    move: Move,
    start: int,
    allowed: int,
    costs: Costs,
    shut: Sequence[int],
) -> int:
    """7.1.4, 7.1.8 The hexes next to those in hand that the first step may enter, whatever it costs."""
    data, side = game.data, state.side(move.units[0])
    watched = near(game, state, 1 - side) if state.mud else 0
    bridges = pontoon_sides(game, state, side)
    found = 0
    for there in game.board.adjacent[start]:
        direction = data.direction[there - start]
        if not data.passable[direction] >> start & 1 or not allowed >> there & 1:
            continue
        if shut and shut[direction] >> start & 1:
            continue
        if watched >> there & 1 and not dry_side(game, bridges, start, there):
            continue
        if move.mode in (EXPLOITATION, REACTION) and not costs.step(start, there):
            continue
        found |= 1 << there
    return found


def resting(game: StalingradRoads, state: RoadsState, move: Move, cells: int) -> int:
    """Those of some hexes where a move may end."""
    side = state.side(move.units[0])
    gone = move._replace(fresh=False)
    if any(game.hqs >> u & 1 for u in move.units):
        return bits(c for c in each(cells) if why_not_halt(game, state, gone, c) is None)
    if side == AXIS:
        cells &= ~game.data.edge_row
    elif state.occupied[AXIS] & game.data.stalingrad and any(game.units[u].armoured for u in move.units):
        cells &= ~game.data.bank
    return cells & ~(1 << move.barred) if move.barred >= 0 else cells


def moves_of(game: StalingradRoads, state: RoadsState, unit: int) -> list[Move]:
    """What a unit that nobody has taken up may do now by itself: ordinary or exploitation movement, and
    strategic movement where that is open to it (7.2.2)."""
    if why_cannot_move(game, state, unit) is not None:
        return []
    if state.within("exploitation"):
        return [take_up(game, state, unit, EXPLOITATION)] if state.exploiting >> unit & 1 else []
    found = [take_up(game, state, unit, ORDINARY)]
    if why_not_march(game, state, unit) is None:
        found.append(take_up(game, state, unit, STRATEGIC))
    return found


def within_reach(game: StalingradRoads, state: RoadsState, unit: int) -> int:
    """Every hex where a unit could end a move, by whatever movement but rail."""
    found = 0
    for move in moves_of(game, state, unit):
        found |= resting(game, state, move, flood(game, state, move).cells)
    return found


def whole_moves(game: StalingradRoads, state: RoadsState, side: int) -> dict[int, int]:
    """Where each unit of a side but for its HQs could end a movement phase of its own, by ordinary movement,
    as everybody stands now: those who may not move stay. Units that move alike are asked about once."""
    then = state.clone()
    then.active = side
    begin_movement(game, then)
    known: dict[Move, int] = {}
    found = {}
    for unit in each(then.afoot & game.units_of[side] & ~game.hqs):
        here = 1 << then.where[unit]
        if why_cannot_move(game, then, unit) is not None:
            found[unit] = here
            continue
        move = take_up(game, then, unit, ORDINARY)
        hungry = bool(then.unsupplied >> unit & 1 and not game.elite(then, unit))
        # Two units differ by their points, and by what may bind one of them alone.
        alike = move._replace(
            units=(int(hungry), int(game.units[unit].armoured), int(single_hex(game, then, unit)))
        )
        if alike not in known:
            known[alike] = resting(game, then, move, flood(game, then, move).cells) | here
        found[unit] = known[alike]
    return found


def way_to(game: StalingradRoads, state: RoadsState, unit: int, cell: int) -> tuple[Action, ...] | None:
    """The answers that bring a unit to a hex; None if it cannot get there now."""
    for move in moves_of(game, state, unit):
        found = flood(game, state, move)
        if found.cells >> cell & 1 and resting(game, state, move, 1 << cell):
            verb = "march" if move.mode == STRATEGIC else "pick"
            return (verb, unit), *(("step", there) for there in found.ways()[cell][1]), ("halt",)
    if state.active == AXIS and state.rail and not state.within("exploitation"):
        able = why_cannot_move(game, state, unit) is None and why_not_entrain(game, state, unit) is None
        if able and rail_reach(game, state, state.where[unit]) >> cell & 1:
            return ("entrain", unit), ("detrain", cell)
    return None


def threat_reach(game: StalingradRoads, state: RoadsState, unit: int, points: int) -> int:
    """Where an enemy could stand at the end of his next move: by ordinary movement, our units in his way."""
    move = Move((unit,), points, ORDINARY, start=state.where[unit])
    return flood(game, state, move).cells | 1 << state.where[unit]
