"""7 Movement: units and stacks, one after the other, hex by hex."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.approval import approve, withdrawal_price
from grognard.games.stalingrad_roads.rules.command import (
    hqs_on_map,
    led_areas,
    lines,
    road_net,
    usable_sources,
)
from grognard.games.stalingrad_roads.rules.ground import enter_hex, near, open_ground, pontoon_sides, water
from grognard.games.stalingrad_roads.rules.pocket import enclose, is_pinned, secure_pocket
from grognard.games.stalingrad_roads.rules.shortage import note_hq_move
from grognard.games.stalingrad_roads.state import AXIS, GOING_ON, SOVIET, RoadsState
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.movement import connected

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

ORDINARY, STRATEGIC, EXPLOITATION, REACTION, RAIL = range(5)
END: Action = ("end",)
KNOWN = 64
"""For how many positions of the enemy the ways of trains are remembered."""


class Move(NamedTuple):
    """What is in hand and what it may still do."""

    units: tuple[int, ...]
    left: int
    """Movement points left, in halves."""
    mode: int = ORDINARY
    fresh: bool = True
    """It stands where it began."""
    stopped: bool = False
    """It goes no farther: it has crossed a great river, or has only one hex."""
    bounds: int = -1
    """The hexes that the move may not leave, as a set; -1: the whole map."""
    start: int = -1
    """Where it began."""
    barred: int = -1
    """A hex that it may not end in (result R); -1: none."""


def half(points: int) -> int:
    """1.9.1 Halves are rounded up."""
    return (points + 1) // 2


def allowance(game: StalingradRoads, state: RoadsState, unit: int, mode: int) -> int:
    """Movement points of a unit, in whole points, in the phase in progress."""
    printed = game.units[unit].movement
    if state.pontoon(unit) >= 0:
        return 0
    bit = 1 << unit
    if mode in (EXPLOITATION, REACTION):
        short = (state.unsupplied | state.enclosed) & bit and not state.full_power & bit
        points = game.data.numbers["unsupplied_exploitation"] if short else half(printed)
    elif state.enclosed & bit:
        if state.full_power & bit:
            points = printed
        else:
            points = half(printed) if game.data.fortress[state.level].movement == "half" else 1
    else:
        points = half(printed) if state.unsupplied & bit else printed
    if mode == STRATEGIC:
        points *= 2
    if state.mud:
        points = min(points, game.data.numbers["mud_movement"])
    return points


def single_hex(game: StalingradRoads, state: RoadsState, unit: int) -> bool:
    """10.3.2 Whether an enclosed unit moves by hexes, not points."""
    if not state.enclosed >> unit & 1 or state.full_power >> unit & 1:
        return False
    return game.data.fortress[state.level].movement in ("hex", "three")


def begin_movement(game: StalingradRoads, state: RoadsState) -> Flow:
    state.moved = 0
    state.off_road = False
    if state.active == SOVIET:
        secure_pocket(game, state)
    else:
        state.pinned, state.trios = 0, ()
    return None


def strategic_areas(game: StalingradRoads, state: RoadsState, side: int) -> dict[str, int]:
    """7.2.2 By nationality: the hexes of the command radii of its supplied HQs."""
    known = lines(game, state, side)
    places = tuple(state.where[hq] for hq in game.hqs_of[side])
    found = known.marching.get(places)
    if found is None:
        found = {}
        for hq, reach in led_areas(game, state, side):
            nation = game.units[hq].nation
            found[nation] = found.get(nation, 0) | reach
        known.marching[places] = found
    return found


def strategic_area(game: StalingradRoads, state: RoadsState, unit: int) -> int:
    """7.2.2 Where a unit may use strategic movement: away from enemies."""
    side = state.side(unit)
    area = strategic_areas(game, state, side).get(game.units[unit].nation, 0)
    return area & ~near(game, state, 1 - side)


def why_cannot_move(game: StalingradRoads, state: RoadsState, unit: int) -> Refusal | None:
    """Whether a unit of the phasing side may be taken up at all."""
    cell, side = state.where[unit], state.active
    if state.side(unit) != side or cell < 0:
        return refusal("not-yours", "7.1.1", unit=unit)
    if state.moved >> unit & 1:
        return refusal("moved-already", "7.1.3", unit=unit)
    if state.pontoon(unit) >= 0:
        return refusal("pontoon-stays", "7.1.8", unit=unit)
    plan = game.plan(state)
    if plan.frozen_hqs >> unit & 1:
        return refusal("hq-frozen", "S2.8" if side == SOVIET else "S2.11", unit=unit)
    if plan.pocket >> cell & 1:
        return refusal("pocket-stays", "S1.4", unit=unit)
    if plan.zone_28 and game.data.zone_28 >> cell & 1:
        return refusal("zone-28", "S2.13", unit=unit)
    if plan.frozen_west(state.turn) >> cell & 1:
        return refusal("west-frozen", "S3.7", unit=unit)
    if side == SOVIET:
        if is_pinned(state, unit):
            return refusal("secures-pocket", "10.2.4", unit=unit)
        if game.data.bank >> cell & 1 and state.occupied[AXIS] & game.data.stalingrad:
            return refusal("holds-the-bank", "S2.14", unit=unit)
    elif (
        state.crisis_effect == "city_units_frozen"
        and state.turn == state.crisis_turn
        and game.data.city >> cell & 1
    ):
        return refusal("city-frozen", "15.3", unit=unit)
    if state.enclosed >> unit & 1:
        if state.sorties and not state.sorties >> unit & 1:
            return refusal("only-the-sortie", "10.4.3", unit=unit)
        if game.option(state, "fortress_stands") and not state.full_power >> unit & 1:
            return refusal("fortress-stands", "10.2.3", unit=unit)
        three = game.data.fortress[state.level].movement == "three"
        if three and not state.full_power >> unit & 1 and (state.moved & state.enclosed).bit_count() >= 3:
            return refusal("three-only", "10.3.2", unit=unit)
    return None


def movable(game: StalingradRoads, state: RoadsState) -> int:
    """The units of the phasing side that may be taken up, as a set: those whom `why_cannot_move` lets go."""
    side, plan, data = state.active, game.plan(state), game.data
    units = state.afoot & game.units_of[side] & ~state.moved & ~plan.frozen_hqs
    for hq, _ in state.pontoons:
        units &= ~(1 << hq)
    closed = plan.pocket | plan.frozen_west(state.turn)
    if plan.zone_28:
        closed |= data.zone_28
    if side == SOVIET:
        units &= ~state.pinned
        for trio in state.trios:
            if trio & state.moved:
                units &= ~trio
        if state.occupied[AXIS] & data.stalingrad:
            closed |= data.bank
    elif state.crisis_effect == "city_units_frozen" and state.turn == state.crisis_turn:
        closed |= data.city
    for cell in each(closed & state.occupied[side]):
        units &= ~state.at[cell]
    if state.enclosed:
        if state.sorties:
            units &= ~(state.enclosed & ~state.sorties)
        three = data.fortress[state.level].movement == "three"
        if game.option(state, "fortress_stands") or (
            three and (state.moved & state.enclosed).bit_count() >= 3
        ):
            units &= ~(state.enclosed & ~state.full_power)
    return units


def able_to_march(game: StalingradRoads, state: RoadsState, units: int) -> int:
    """7.2.2 Those of some units of the phasing side who may use strategic movement."""
    if state.mud or "7.2" in game.plan(state).left_out:
        return 0
    side = state.active
    ground = game.data.land if state.off_road else game.data.on_way
    ground &= state.occupied[side] & ~near(game, state, 1 - side)
    units &= ~game.hqs & ~state.enclosed
    found = 0
    for nation, area in strategic_areas(game, state, side).items():
        there = 0
        for cell in each(ground & area):
            there |= state.at[cell]
        found |= there & game.of_nation[nation]
    return found & units


def able_to_entrain(game: StalingradRoads, state: RoadsState, units: int) -> int:
    """7.3 Those of some units of the Axis who may move by rail."""
    found = 0
    for cell in each(state.occupied[AXIS] & game.data.on_rail & ~near(game, state, SOVIET)):
        if rail_reach(game, state, cell) & ~(1 << cell):
            found |= state.at[cell]
    return found & units


# One step


def farther_from_hqs(game: StalingradRoads, state: RoadsState, unit: int, here: int, there: int) -> bool:
    """4.4.4 Whether a hex is farther from the nearest HQ than the one left."""
    cells = [state.where[hq] for hq in hqs_on_map(game, state, state.side(unit))]
    if not cells:
        return False
    distance = game.board.distance
    return min(distance(there, c) for c in cells) > min(distance(here, c) for c in cells)


def dry_side(game: StalingradRoads, bridges: frozenset[tuple[int, int]], here: int, there: int) -> bool:
    """Whether a side is no water, or has a bridge, a ferry or a pontoon (7.4)."""
    side = (here, there)
    return (
        side not in game.data.water_side
        or side in game.data.bridged
        or side in game.data.ferries
        or side in bridges
    )


def price_of_step(
    game: StalingradRoads, state: RoadsState, move: Move, here: int, there: int
) -> tuple[int, bool] | Refusal:
    """7.1 What those in hand pay for a step and whether it ends their move, or why they may not make it."""
    data = game.data
    side = state.side(move.units[0])
    direction = data.direction.get(there - here)
    if direction is None or there not in game.board.adjacent[here]:
        return refusal("not-adjacent", "7.1.2", hex=there)
    if not data.passable[direction] >> here & 1:
        return refusal("impassable", "1.8.4", hex=there)
    plan = game.plan(state)
    if not plan.area >> there & 1:
        return refusal("outside-area", plan.area_case, hex=there)
    if plan.zone_28 and data.zone_28 >> there & 1:
        return refusal("zone-28-hex", "S2.13", hex=there)
    if state.occupied[1 - side] >> there & 1:
        return refusal("enemy-there", "7.1.7", hex=there)
    if move.stopped:
        return refusal("goes-no-farther", "7.1.4", units=move.units)
    for unit in move.units:
        if (
            state.unsupplied >> unit & 1
            and not game.elite(state, unit)
            and farther_from_hqs(game, state, unit, here, there)
        ):
            return refusal("away-from-hqs", "4.4.4", unit=unit, hex=there)
    bridges = pontoon_sides(game, state, side)
    if state.mud and not dry_side(game, bridges, here, there) and near(game, state, 1 - side) >> there & 1:
        return refusal("mud-crossing", "3.2.2", hex=there)
    if move.mode == STRATEGIC:
        if not move.bounds >> there & 1:
            return refusal("march-bounds", "7.2.2", hex=there)
        if not state.off_road and not data.ways[direction] >> here & 1:
            return refusal("march-off-road", "7.2.2", hex=there)
    return _toll(game, state, move, here, there, bridges)


def _toll(
    game: StalingradRoads,
    state: RoadsState,
    move: Move,
    here: int,
    there: int,
    bridges: frozenset[tuple[int, int]],
) -> tuple[int, bool] | Refusal:
    """7.1.4, 7.1.8, 7.4 The price of a step that nothing else forbids."""
    data, wet = game.data, water(state)
    price = data.costs[wet].step(here, there)
    if (here, there) in bridges and not data.ways[data.direction[there - here]] >> here & 1:
        price = data.plain_cost(there, wet)
    if not price:
        if move.mode in (EXPLOITATION, REACTION):
            return refusal("river-closed", "9.2.4", hex=there)
        if move.mode == STRATEGIC or not move.fresh:
            return refusal("river-not-first", "7.1.4", hex=there)
        return move.left, True
    ends = any(single_hex(game, state, unit) for unit in move.units)
    if price <= move.left:
        return price, ends
    # 7.1.8 One hex is always possible.
    if move.fresh and move.mode != STRATEGIC:
        return move.left, True
    return refusal("too-dear", "7.1.4", units=move.units, points_needed=price, points_left=move.left)


def after_step(move: Move, price: int, ends: bool) -> Move:
    return move._replace(left=move.left - price, fresh=False, stopped=ends)


def why_not_halt(game: StalingradRoads, state: RoadsState, move: Move, cell: int) -> Refusal | None:
    """Whether those in hand may end their move on a hex."""
    if move.fresh:
        return None
    data, side = game.data, state.side(move.units[0])
    if cell == move.barred:
        return refusal("not-attacked-hex", "8.10", hex=cell)
    if side == AXIS and data.edge_row >> cell & 1:
        return refusal("edge-row", "7.1.11", hex=cell)
    guarded = data.bank >> cell & 1 and state.occupied[AXIS] & data.stalingrad
    price = sum(hq_withdrawals(game, state, move, cell))
    if price and price >= state.approval:
        return refusal("hq-approval", "15.2.1", hex=cell)
    if price and state.crisis_effect == "hq_no_withdrawal" and state.turn == state.crisis_turn:
        return refusal("hq-must-stay", "15.3", hex=cell)
    for unit in move.units:
        if game.units[unit].hq and not hq_supplied_at(game, state, unit, cell, move.units):
            return refusal("hq-unsupplied", "7.1.10", unit=unit, hex=cell)
        if side == SOVIET and guarded and game.units[unit].armoured:
            return refusal("no-armour-on-bank", "S2.14", unit=unit, hex=cell)
    return None


def hq_withdrawals(game: StalingradRoads, state: RoadsState, move: Move, cell: int) -> list[int]:
    """15.2.1 What HQs in hand cost in approval if they end their move on a hex, in the movement phase."""
    if move.mode not in (ORDINARY, STRATEGIC) or move.start < 0:
        return []
    return [
        withdrawal_price(game, state, unit, move.start, cell) for unit in move.units if game.hqs >> unit & 1
    ]


def hq_supplied_at(
    game: StalingradRoads, state: RoadsState, hq: int, cell: int, going: tuple[int, ...] = ()
) -> bool:
    """7.1.10 Whether an HQ would have a line of supply on a hex, where those who go with it stand too."""
    side = state.side(hq)
    start = usable_sources(game, state, side)
    friends, here = state.occupied[side] | 1 << cell, state.where[hq]
    if here >= 0 and here != cell and not state.at[here] & ~bits((*going, hq)):
        friends &= ~(1 << here)
    ground = open_ground(game, state, side, friends)
    return bool(road_net(game, start, ground) >> cell & 1)


def can_rest(
    game: StalingradRoads, state: RoadsState, move: Move, cell: int, seen: dict[int, int] | None = None
) -> bool:
    """Whether a move that has come to a hex can end there, or go on to where it can."""
    if why_not_halt(game, state, move, cell) is None:
        return True
    seen = {} if seen is None else seen
    if seen.get(cell, -1) >= move.left:
        return False
    seen[cell] = move.left
    for there in game.board.adjacent[cell]:
        price = price_of_step(game, state, move, cell, there)
        if not isinstance(price, Refusal) and can_rest(game, state, after_step(move, *price), there, seen):
            return True
    return False


def why_not_step(
    game: StalingradRoads, state: RoadsState, move: Move, there: int
) -> tuple[int, bool] | Refusal:
    here = state.where[move.units[0]]
    price = price_of_step(game, state, move, here, there)
    if isinstance(price, Refusal):
        return price
    onward = after_step(move, *price)
    if not can_rest(game, state, onward, there):
        reason = why_not_halt(game, state, onward, there)
        assert reason is not None
        return reason
    return price


def open_steps(game: StalingradRoads, state: RoadsState, move: Move) -> list[int]:
    """7.1 The hexes that those in hand may enter next: those for which `why_not_step` knows a price."""
    if move.stopped:
        return []
    units, data, plan = move.units, game.data, game.plan(state)
    side, here = state.side(units[0]), state.where[units[0]]
    hungry = next((u for u in units if state.unsupplied >> u & 1 and not game.elite(state, u)), -1)
    allowed = plan.area & ~state.occupied[1 - side]
    if plan.zone_28:
        allowed &= ~data.zone_28
    if move.mode == STRATEGIC:
        allowed &= move.bounds
    wet, bridges = water(state), pontoon_sides(game, state, side)
    prices, watched = data.costs[wet].by_direction, near(game, state, 1 - side) if state.mud else 0
    by_road = move.mode == STRATEGIC and not state.off_road
    may_dare = move.fresh and move.mode != STRATEGIC
    may_ford = may_dare and move.mode not in (EXPLOITATION, REACTION)
    troubled = hexes_of_trouble(game, state, move)
    found = []
    for there, direction in game.ways_out[here]:
        if not allowed >> there & 1 or (by_road and not data.ways[direction] >> here & 1):
            continue
        if hungry >= 0 and farther_from_hqs(game, state, hungry, here, there):
            continue
        if watched >> there & 1 and not dry_side(game, bridges, here, there):
            continue
        price = prices[direction][here]
        if (here, there) in bridges and not data.ways[direction] >> here & 1:
            price = data.plain_cost(there, wet)
        if not (may_ford if not price else price <= move.left or may_dare):
            continue
        if troubled >> there & 1 and isinstance(why_not_step(game, state, move, there), Refusal):
            continue
        found.append(there)
    return found


def hexes_of_trouble(game: StalingradRoads, state: RoadsState, move: Move) -> int:
    """The hexes where it is not plain that those in hand may end their move (see `why_not_halt`)."""
    if any(game.hqs >> unit & 1 for unit in move.units):
        return game.data.land
    found = 1 << move.barred if move.barred >= 0 else 0
    return found | (game.data.edge_row if state.side(move.units[0]) == AXIS else game.data.bank)


def take_up(game: StalingradRoads, state: RoadsState, unit: int, mode: int) -> Move:
    bounds = strategic_area(game, state, unit) if mode == STRATEGIC else -1
    points = 2 * allowance(game, state, unit, mode)
    return Move((unit,), points, mode, bounds=bounds, start=state.where[unit])


def why_not_march(game: StalingradRoads, state: RoadsState, unit: int) -> Refusal | None:
    """7.2.2 Whether a unit may use strategic movement."""
    if "7.2" in game.plan(state).left_out:
        return refusal("march-left-out", "S1.3", unit=unit)
    if game.hqs >> unit & 1:
        return refusal("hq-no-march", "7.2.2", unit=unit)
    if state.mud:
        return refusal("mud-no-march", "3.2.2", unit=unit)
    if state.enclosed >> unit & 1:
        return refusal("enclosed-no-march", "10.3.2", unit=unit)
    cell = state.where[unit]
    if near(game, state, 1 - state.side(unit)) >> cell & 1:
        return refusal("march-next-to-enemy", "7.2.2", unit=unit)
    if not state.off_road and not game.data.on_way >> cell & 1:
        return refusal("march-no-road", "7.2.2", unit=unit)
    if not strategic_area(game, state, unit) >> cell & 1:
        return refusal("march-uncommanded", "7.2.2", unit=unit)
    return None


# Decisions


class BuyStrategicMovement(Decision["StalingradRoads", RoadsState]):
    """7.2.2, 4.5.3 A support spent at the beginning of the phase frees strategic movement from roads."""

    name = "buy-strategic-movement"
    case = "7.2.2"
    verbs = {"spend": Verb(("support", "box")), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _payable(self, game: StalingradRoads, state: RoadsState) -> list[Action]:
        box = game.purse(state.active)
        return [("spend", kind, box) for kind in game.spendable(state, box)]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        if state.ending != GOING_ON or state.mud or "7.2" in game.plan(state).left_out:
            return False
        # On what everybody sees: how many markers lie there, not which (5.1.3).
        return game.in_box(state, game.purse(state.active)) > 0

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*self._payable(game, state), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action in self._payable(game, state):
            return None
        return refusal("not-spendable", "7.2.2", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "spend":
            game.spend(state, action[1], action[2])
            state.off_road = True
            state.emit("march-bought", "7.2.2", support=action[1], word_side=game.sides[side])
        return None


class PickUnit(Decision["StalingradRoads", RoadsState]):
    """7.1.1 The phasing player takes up a unit, or ends the phase."""

    name = "pick-unit"
    case = "7.1.1"
    verbs = {
        "pick": Verb(("unit",), Role.TAKE),
        "march": Verb(("unit",), Role.TAKE),
        "entrain": Verb(("unit",), Role.TAKE),
        "end": Verb((), Role.END),
    }

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return state.ending == GOING_ON

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        able = movable(game, state)
        found: list[Action] = [game.picks[unit] for unit in each(able)]
        found += [game.marches[unit] for unit in each(able_to_march(game, state, able))]
        if state.rail and side == AXIS:
            found += [game.entrains[unit] for unit in each(able_to_entrain(game, state, able))]
        found.append(END)
        return found

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            return None
        reason = why_cannot_move(game, state, action[1])
        if reason is None and action[0] == "march":
            reason = why_not_march(game, state, action[1])
        if reason is None and action[0] == "entrain":
            reason = why_not_entrain(game, state, action[1])
        return reason

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        unit = action[1]
        if action[0] == "entrain":
            state.rail -= 1
            state.moved |= 1 << unit
            state.push("train", Move((unit,), 0, RAIL))
        else:
            mode = STRATEGIC if action[0] == "march" else ORDINARY
            state.push("move", take_up(game, state, unit, mode))
        return AGAIN


class MoveUnits(Decision["StalingradRoads", RoadsState]):
    """7.1.2 Those in hand: one hex more, or the end of their move. Others of the hex may come along."""

    name = "move-units"
    case = "7.1.2"
    verbs = {
        "gather": Verb(("unit",), Role.GATHER),
        "step": Verb(("hex",), Role.STEP),
        "halt": Verb((), Role.HALT),
    }

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        move: Move = state.local
        return state.side(move.units[0])

    def _companions(self, game: StalingradRoads, state: RoadsState, move: Move) -> list[int]:
        if not move.fresh:
            return []
        here = state.at[state.where[move.units[0]]] & game.units_of[state.active]
        return [
            unit
            for unit in each(here & ~bits(move.units))
            if self._why_not_gather(game, state, move, unit) is None
        ]

    def _why_not_gather(
        self, game: StalingradRoads, state: RoadsState, move: Move, unit: int
    ) -> Refusal | None:
        if not move.fresh or move.mode == REACTION or state.where[unit] != state.where[move.units[0]]:
            return refusal("not-same-start", "7.1.1", unit=unit)
        if unit in move.units:
            return refusal("in-hand-already", "7.1.1", unit=unit)
        reason = why_cannot_move(game, state, unit)
        if reason is None and move.mode == EXPLOITATION and not state.exploiting >> unit & 1:
            reason = refusal("not-exploiting", "9.2.1", unit=unit)
        if reason is None and move.mode == STRATEGIC:
            reason = why_not_march(game, state, unit)
        if reason is None:
            # 10.2.4 of three who secure the pocket one may go, not two together
            trio = next((t for t in state.trios if t >> unit & 1), 0)
            if trio & bits(move.units):
                reason = refusal("secures-pocket", "10.2.4", unit=unit)
        return reason

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        move: Move = state.local
        here = state.where[move.units[0]]
        found: list[Action] = [("gather", unit) for unit in self._companions(game, state, move)]
        found += [game.walks[there] for there in open_steps(game, state, move)]
        if why_not_halt(game, state, move, here) is None:
            found.append(("halt",))
        return found

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        move: Move = state.local
        if action[0] == "halt":
            return why_not_halt(game, state, move, state.where[move.units[0]])
        if action[0] == "gather":
            return self._why_not_gather(game, state, move, action[1])
        price = why_not_step(game, state, move, action[1])
        return price if isinstance(price, Refusal) else None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        move: Move = state.local
        if action[0] == "gather":
            unit = action[1]
            more = take_up(game, state, unit, move.mode)
            state.local = move._replace(
                units=(*move.units, unit), left=min(move.left, more.left), bounds=move.bounds & more.bounds
            )
            return AGAIN
        if action[0] == "halt":
            finish_move(game, state, move)
            return None
        here, there = state.where[move.units[0]], action[1]
        price = price_of_step(game, state, move, here, there)
        assert not isinstance(price, Refusal)
        move = after_step(move, *price)
        state.local = move
        for unit in move.units:
            enter_hex(game, state, unit, there)
        state.emit("moved", "7.1", units=move.units, hex_from=here, hex=there)
        enclose(game, state, bits(move.units))
        if (move.stopped or not move.left) and why_not_halt(game, state, move, there) is None:
            finish_move(game, state, move)
            return None
        return AGAIN


def finish_move(game: StalingradRoads, state: RoadsState, move: Move) -> None:
    state.moved |= bits(move.units)
    cell = state.where[move.units[0]]
    if state.active == SOVIET and not move.fresh and bits(move.units) & game.hqs:
        note_hq_move(game, state)
    approve(game, state, -sum(hq_withdrawals(game, state, move, cell)), "15.2.1")
    if move.mode == EXPLOITATION and not move.fresh:
        # 9.2.3 only armour still fights after it has moved
        for unit in move.units:
            if not (game.units[unit].black or game.units[unit].mixed):
                state.exploiting &= ~(1 << unit)


# Railways (7.3)


def rail_reach(game: StalingradRoads, state: RoadsState, cell: int) -> int:
    """7.3.3 Where a train gets from a hex: along railways joined to a source, away from enemies, not through
    cities that the Soviets have ever captured."""
    source = usable_sources(game, state, AXIS)
    key = (state.occupied[SOVIET], state.taken_cities, source, state.scenario)
    known = game.known_rails.get(key)
    if known is None:
        if len(game.known_rails) >= KNOWN:
            game.known_rails.clear()
        known = game.known_rails[key] = {}
    found = known.get(cell)
    if found is None:
        ground = game.data.land & ~state.occupied[SOVIET] & ~near(game, state, SOVIET) & ~state.taken_cities
        ground &= game.plan(state).area & ~game.data.edge_row
        reach = connected(game.board, game.data.rails, 1 << cell, ground | 1 << cell)
        found = known[cell] = reach & ground if reach & source else 0
    return found


def why_not_entrain(game: StalingradRoads, state: RoadsState, unit: int) -> Refusal | None:
    """7.3 Whether a unit may move by rail."""
    if state.side(unit) != AXIS:
        return refusal("axis-rail-only", "7.3", unit=unit)
    if not state.rail:
        return refusal("no-rail-points", "7.3.1", unit=unit)
    cell = state.where[unit]
    if near(game, state, SOVIET) >> cell & 1:
        return refusal("rail-next-to-enemy", "7.3.3", unit=unit)
    if not rail_reach(game, state, cell) & ~(1 << cell):
        return refusal("no-railway", "7.3.3", unit=unit)
    return None


class Detrain(Decision["StalingradRoads", RoadsState]):
    """7.3.4 The unit on the train gets off anywhere along the line."""

    name = "detrain"
    case = "7.3.4"
    verbs = {"detrain": Verb(("hex",), Role.PLACE)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def _hexes(self, game: StalingradRoads, state: RoadsState) -> int:
        move: Move = state.local
        cell, unit = state.where[move.units[0]], move.units[0]
        found = rail_reach(game, state, cell) | 1 << cell
        if game.units[unit].hq:
            found = bits(c for c in each(found) if hq_supplied_at(game, state, unit, c))
        return found

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("detrain", cell) for cell in each(self._hexes(game, state))]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if self._hexes(game, state) >> action[1] & 1:
            return None
        return refusal("not-on-line", "7.3.3", hex=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        move: Move = state.local
        here = state.where[move.units[0]]
        enter_hex(game, state, move.units[0], action[1])
        state.emit("railed", "7.3", unit=move.units[0], hex_from=here, hex=action[1])
        return RETURN
