"""7 Movement: units taken up one by one or as stacks, hex by hex; by road and by rail; reinforcements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.air import rail_price
from grognard.games.typhoon.rules.command import GUARDS, able, spend
from grognard.games.typhoon.rules.declaring import (
    Attack,
    targets_open,
    unmet,
    why_not_target,
    why_not_withdraw,
    withdraw,
    withdrawable,
)
from grognard.games.typhoon.rules.eligible import (
    Bar,
    Bars,
    allowance,
    bound_to_fort,
    far_from_enemy,
    home,
    interdicted,
    is_depot,
    motor_bars,
    move_bars,
    standing,
    unbarred,
    why_barred,
    why_not_at,
)
from grognard.games.typhoon.rules.entry import entry_price, ways_in, why_not_enter
from grognard.games.typhoon.rules.ground import enter, gauge, routes, supplied_hexes, zone
from grognard.games.typhoon.rules.hand import Move, mode_of
from grognard.games.typhoon.rules.overrun import why_not_overrun
from grognard.games.typhoon.rules.reach import MOTORISED, ORDINARY, STRATEGIC, Step, price_of_step
from grognard.games.typhoon.rules.setup import units_to_come
from grognard.games.typhoon.state import AXIS, SUPPLY_POOL, TyphoonState
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import members
from grognard.mechanics.zones import zone as across

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

ROADS = ("motorway", "main_road", "road")


def take_up(game: Typhoon, state: TyphoonState, unit: int, mode: int) -> Move:
    return Move((unit,), (allowance(game, state, unit, mode),), mode)


def steps_for(game: Typhoon, state: TyphoonState, move: Move, there: int) -> list[Step] | Refusal:
    """7.1.3 What a step takes each of those in hand; why one of them cannot make it."""
    return steps_at(game, state, move, state.where[move.units[0]], there)


def steps_at(game: Typhoon, state: TyphoonState, move: Move, here: int, there: int) -> list[Step] | Refusal:
    """The same if they were in some hex."""
    if move.stopped:
        return refusal("stopped", "7.2.1", unit=move.units[0])
    found: list[Step] = []
    for unit, left in zip(move.units, move.lefts, strict=True):
        price = price_of_step(game, state, unit, here, there, left, move.mode, move.fresh)
        if isinstance(price, Refusal):
            return price
        reason = why_not_at(game, state, unit, there)
        if reason is not None:
            return reason
        if state.side(unit) == AXIS and bound_to_fort(game, state, here, there):
            return refusal("strongpoint-held", "17.3.5", unit=unit)
        found.append(price)
    if move.mode == STRATEGIC:
        reason = why_not_by_road(game, state, move.units[0], here, there)
        if reason is not None:
            return reason
    return found


# Strategic movement (7.7)


def why_not_by_road(game: Typhoon, state: TyphoonState, unit: int, here: int, there: int) -> Refusal | None:
    """7.7.3, 7.7.4, 11.4.3b"""
    side, board = state.side(unit), game.board
    if not any(board.side_has(here, there, road) for road in ROADS):
        return refusal("march-off-road", "7.7.3", unit=unit, hex=there)
    if not far_from_enemy(game, state, side, game.numbers["strategic_distance"]) >> there & 1:
        return refusal("march-near-enemy", "7.7.3", unit=unit, hex=there)
    if interdicted(game, state) >> there & 1:
        return refusal("march-interdicted", "11.4.3", unit=unit, hex=there)
    if not supplied_hexes(game, state, side) >> there & 1:
        return refusal("march-unsupplied", "7.7.4", unit=unit, hex=there)
    return None


def march_bars(game: Typhoon, state: TyphoonState, units: int) -> Iterator[Bar]:
    """7.7.1 What keeps units from strategic movement."""
    yield Bar(0 if mode_of(state) == ORDINARY else units, "march-when", "7.7.2")
    yield Bar(state.marched, "marched-already", "7.7.3")
    yield Bar(state.unsupplied, "march-needs-supply", "7.7.1")
    far = far_from_enemy(game, state, state.active, game.numbers["strategic_distance"])
    for cells, code in (
        (game.on_road, "march-no-road"),
        (far, "march-near-enemy"),
        (~interdicted(game, state) & game.board.everywhere, "march-interdicted"),
    ):
        there = standing(state, units, cells)
        yield Bar(units & ~there, code, "7.7.1", of_hex=True)
        units = there


def why_not_march(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """Whether a unit may use strategic movement."""
    return why_barred(game, state, march_bars, unit)


# Rail movement (7.6)


def rail_weight(game: Typhoon, state: TyphoonState, unit: int) -> int:
    """7.6.3, 7.6.4 What a unit takes of the rail capacity."""
    if game.supplies >> unit & 1:
        return state.steps[unit]
    return max(1, game.units[unit].stacking)


def open_rails(game: Typhoon, state: TyphoonState, side: int, train: bool) -> int:
    """7.6.1, 7.6.2, 13.3.1 The railway hexes on which trains of a side may go now."""
    gauged, shut = gauge(game, state, side), zone(game, state, 1 - side)
    key = ("rails", side, train, gauged, shut)
    known = state.traced.get(key)
    if isinstance(known, int):
        return known
    found = gauged & game.outline(state).area & ~state.occupied[1 - side]
    if not train:
        helpless = {state.where[u] for u in members(state.unsupplied & game.units_of[1 - side])}
        quiet = bits(cell for cell in helpless if not state.fighters(1 - side, cell) & ~state.unsupplied)
        found &= far_from_enemy(game, state, side, game.numbers["rail_distance"], quiet) & ~shut
        found &= routes(game, state, side).rail_net
    state.traced[key] = found
    return found


def leading(game: Typhoon, state: TyphoonState, side: int, train: bool) -> int:
    """The hexes from which a train could go on to another."""
    ours = open_rails(game, state, side, train)
    known = state.traced.get(("leading", ours))
    if isinstance(known, int):
        return known
    # A railway leads both ways.
    found = state.traced["leading", ours] = across(game.board, game.rails, ours)
    return found


def rail_hexes(game: Typhoon, state: TyphoonState, unit: int, entry: int = -1) -> int:
    """7.6.1, 7.6.2, 11.4.3a, 13.3.1 Where trains take a unit. An armoured train may enter an enemy zone and
    hexes near the enemy, and goes no farther. 13.6.4, 17.3.5 Who must stay somewhere stays there."""
    side, start = state.side(unit), state.where[unit] if entry < 0 else entry
    train = bool(game.trains >> unit & 1)
    budget = game.numbers["armoured_train_movement" if train else "rail_movement"]
    slow = interdicted(game, state)
    ours, shut = open_rails(game, state, side, train), zone(game, state, 1 - side)
    ours &= home(game, state, unit)
    best = {start: 0}
    layers: list[set[int]] = [set() for _ in range(budget + 1)]
    layers[0].add(start)
    direction = {step: d for d, step in enumerate(game.board.steps)}
    for spent, cells in enumerate(layers):
        for here in sorted(cells):
            if best[here] != spent or (train and spent and shut >> here & 1):
                continue
            for there in game.board.adjacent[here]:
                if not ours >> there & 1 or not game.rails[direction[there - here]] >> here & 1:
                    continue
                total = spent + rail_price(slow >> there & 1)
                if total <= budget and total < best.get(there, budget + 1):
                    best[there] = total
                    layers[total].add(there)
    if side == AXIS:
        best = {there: spent for there, spent in best.items() if not bound_to_fort(game, state, start, there)}
    return bits(best) & ~(1 << start)


def entrain_bars(game: Typhoon, state: TyphoonState, units: int) -> Iterator[Bar]:
    """7.6.1, 13.3.1 What keeps units from going by rail."""
    trains, others = units & game.trains, units & ~game.trains
    yield Bar(state.marched, "marched-already", "7.6.2")
    yield Bar(
        trains & ~standing(state, trains, leading(game, state, state.active, True)), "no-railway", "13.3.1"
    )
    yield Bar(0 if mode_of(state) == ORDINARY else others, "rail-when", "7.6.2")
    yield Bar(state.unsupplied & others, "rail-needs-supply", "7.6.1")
    room = state.rail_left[state.active]
    heavy = bits(u for u in members(others) if rail_weight(game, state, u) > room)
    yield Bar(heavy, "no-rail-capacity", "7.6.3")
    for cells, code in (
        (game.on_rail, "no-railway"),
        (far_from_enemy(game, state, state.active, game.numbers["rail_distance"]), "rail-near-enemy"),
        (~interdicted(game, state) & game.board.everywhere, "rail-interdicted"),
        (routes(game, state, state.active).rail_net, "no-railway"),
        (leading(game, state, state.active, False), "no-railway"),
    ):
        there = standing(state, others, cells)
        yield Bar(others & ~there, code, "7.6.1")
        others = there


def why_not_entrain(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """Whether a unit may go by rail."""
    return why_barred(game, state, entrain_bars, unit)


def train_bars(game: Typhoon, state: TyphoonState, units: int) -> Iterator[Bar]:
    """As `move_bars`, for those who go by rail: depots and armoured trains do."""
    for bar in move_bars(game, state, units):
        if bar.code in ("train-on-rails", "no-movement"):
            bar = bar._replace(units=bar.units & ~game.trains)
        if bar.code != "depot-stays":
            yield bar


def why_not_train(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    return why_barred(game, state, train_bars, unit)


def why_not_rail_in(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> Refusal | None:
    """7.6.5 Whether a reinforcement may enter by rail: it takes of the capacity of the turn."""
    reason = why_not_enter(game, state, unit, cell)
    return reason if reason is not None else _why_not_by_train(game, state, unit, cell)


def _why_not_by_train(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> Refusal | None:
    """Of who may enter there."""
    side = state.side(unit)
    if mode_of(state) != ORDINARY:
        return refusal("rail-when", "7.6.2", unit=unit)
    if rail_weight(game, state, unit) > state.rail_left[side]:
        return refusal("no-rail-capacity", "7.6.3", unit=unit)
    net = routes(game, state, side).rail_net & game.on_rail & gauge(game, state, side)
    if not (net & leading(game, state, side, bool(game.trains >> unit & 1))) >> cell & 1:
        return refusal("no-railway", "7.6.5", unit=unit)
    return None


class Detrain(Decision["Typhoon", TyphoonState]):
    """7.6.2 The unit on the train gets off anywhere along the line."""

    name = "detrain"
    case = "7.6.2"
    verbs = {"detrain": Verb(("hex",), Role.PLACE)}

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        move: Move = state.local
        return [("detrain", cell) for cell in each(rail_hexes(game, state, move.units[0]))]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        move: Move = state.local
        if rail_hexes(game, state, move.units[0]) >> action[1] & 1:
            return None
        return refusal("not-on-line", "7.6.2", hex=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        move: Move = state.local
        unit = move.units[0]
        here = state.where[unit]
        if not game.trains >> unit & 1:
            state.rail_left[side] -= rail_weight(game, state, unit)
        state.moved |= 1 << unit
        state.marched |= 1 << unit
        enter(game, state, unit, action[1])
        state.emit("railed", "7.6", unit=unit, hex_from=here, hex=action[1])
        return RETURN


# Taking units up


class PickUnit(Decision["Typhoon", TyphoonState]):
    """7.0 The phasing player takes up a unit, brings one on, works with supply counters, declares an attack
    where it is time (8.1.1), or ends the phase."""

    name = "pick-unit"
    case = "7.0"
    verbs = {
        "pick": Verb(("unit",), Role.TAKE),
        "march": Verb(("unit",), Role.TAKE),
        "entrain": Verb(("unit",), Role.TAKE),
        "enter": Verb(("unit", "hex"), Role.ENTER),
        "rail-in": Verb(("unit", "hex"), Role.ENTER),
        "lighten": Verb(("unit",)),
        "combine": Verb(("unit", "unit")),
        "target": Verb(("hex",), Role.AIM),
        "take-back": Verb(("hex",)),
        "end": Verb((), Role.END),
    }
    prompts = ("pick-unit", "pick-unit-owing")

    def prompt(self, game: Typhoon, state: TyphoonState, side: int) -> str:
        """8.1.2 The phase is not ended while somebody must be attacked."""
        return "pick-unit-owing" if unmet(game, state) else self.name

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def _bars(self, state: TyphoonState) -> Bars:
        return motor_bars if mode_of(state) == MOTORISED else move_bars

    def _why_not(self, game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
        return why_barred(game, state, self._bars(state), unit)

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        found: list[Action] = []
        ours = game.units_of[side]
        free = unbarred(game, state, self._bars(state), ours)
        found += [("pick", unit) for unit in members(free)]
        # Whoever is near the enemy neither marches nor goes by rail: most are asked no further.
        quiet = game.on_road & far_from_enemy(game, state, side, game.numbers["strategic_distance"])
        marchers = unbarred(game, state, march_bars, standing(state, free, quiet))
        found += [("march", unit) for unit in members(marchers)]
        quiet = game.on_rail & far_from_enemy(game, state, side, game.numbers["rail_distance"])
        near_rails = ours & game.trains | standing(state, ours & state.present & ~state.moved, quiet)
        riders = unbarred(game, state, train_bars, near_rails)
        found += [("entrain", unit) for unit in members(unbarred(game, state, entrain_bars, riders))]
        for unit in units_to_come(game, state, side):
            cells = ways_in(game, state, unit)
            found += [("enter", unit, cell) for cell in cells]
            found += [
                ("rail-in", unit, cell)
                for cell in cells
                if game.on_rail >> cell & 1 and _why_not_by_train(game, state, unit, cell) is None
            ]
        supplies = members(game.supplies & ours & state.present)
        found += [("lighten", unit) for unit in supplies if self._why_not_lighten(game, state, unit) is None]
        found += [
            ("combine", a, b)
            for a in supplies
            for b in members(state.own(side, state.where[a]) & game.supplies & ~(1 << a))
            if self._why_not_combine(game, state, a, b) is None
        ]
        found += [("target", cell) for cell in targets_open(game, state)]
        if owed := unmet(game, state):
            found += [("take-back", cell) for cell in withdrawable(game, state, owed)]
        else:
            found.append(("end",))
        return found

    def _why_not_lighten(self, game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
        """6.5.2a"""
        if not game.supplies >> unit & 1 or state.side(unit) != state.active or state.where[unit] < 0:
            return refusal("no-supply-counter", "6.5.2", unit=unit)
        if mode_of(state) != ORDINARY:
            return refusal("supply-when", "6.5.2", unit=unit)
        if not is_depot(game, state, unit):
            return refusal("no-depot", "6.5.2", unit=unit)
        if state.moved >> unit & 1:
            return refusal("moved-already", "7.1.4", unit=unit)
        return None

    def _why_not_combine(self, game: Typhoon, state: TyphoonState, a: int, b: int) -> Refusal | None:
        """6.5.2b"""
        for unit in (a, b):
            if not game.supplies >> unit & 1 or state.side(unit) != state.active or state.where[unit] < 0:
                return refusal("no-supply-counter", "6.5.2", unit=unit)
            if is_depot(game, state, unit):
                return refusal("depot-already", "6.5.2", unit=unit)
        if mode_of(state) != ORDINARY:
            return refusal("supply-when", "6.5.2", unit=a)
        if a == b or state.where[a] != state.where[b]:
            return refusal("supply-apart", "6.5.2", unit=a)
        return None

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        verb, *rest = action
        if verb == "end":
            owed = unmet(game, state)
            return refusal("must-attack", "8.1.2", hex=owed[0]) if owed else None
        if verb == "target":
            return why_not_target(game, state, rest[0])
        if verb == "take-back":
            return why_not_withdraw(game, state, rest[0])
        if verb == "enter":
            return why_not_enter(game, state, rest[0], rest[1])
        if verb == "rail-in":
            return why_not_rail_in(game, state, rest[0], rest[1])
        if verb == "lighten":
            return self._why_not_lighten(game, state, rest[0])
        if verb == "combine":
            return self._why_not_combine(game, state, rest[0], rest[1])
        if verb == "entrain":
            return why_not_train(game, state, rest[0]) or why_not_entrain(game, state, rest[0])
        reason = self._why_not(game, state, rest[0])
        if reason is None and verb == "march":
            reason = why_not_march(game, state, rest[0])
        return reason

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        verb, *rest = action
        if verb == "end":
            return None
        if verb == "target":
            state.push("declaring", Attack((rest[0],)))
        elif verb == "take-back":
            withdraw(game, state, rest[0])
        elif verb == "lighten":
            state.steps[rest[0]] -= 1
            state.emit("lightened", "6.5.2", unit=rest[0])
        elif verb == "combine":
            state.steps[rest[0]] = 2
            state.steps[rest[1]] = 0
            state.place(rest[1], SUPPLY_POOL)
            state.emit("combined", "6.5.2", unit=rest[0], hex=state.where[rest[0]])
        elif verb == "enter":
            bring_on(game, state, rest[0], rest[1])
        elif verb == "rail-in":
            arrive(game, state, rest[0], rest[1])
            state.push("train", Move((rest[0],), (0,), ORDINARY))
        elif verb == "entrain":
            state.push("train", Move((rest[0],), (0,), ORDINARY))
        else:
            activate(game, state, rest[0])
            mode = STRATEGIC if verb == "march" else mode_of(state)
            state.push("move", take_up(game, state, rest[0], mode))
        return AGAIN


def bring_on(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> None:
    """14.1.1, 14.1.7, 14.1.8 A reinforcement enters, pays for its first hex and goes on."""
    mode = mode_of(state)
    left = allowance(game, state, unit, mode)
    price = entry_price(game, state, unit, cell)
    arrive(game, state, unit, cell)
    stopped = price > left or bool(zone(game, state, 1 - state.side(unit)) >> cell & 1)
    rest = max(0, left - price)
    state.push("move", Move((unit,), (rest,), mode, fresh=price == 0, stopped=stopped or not rest))


def arrive(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> None:
    """14.1.8 A reinforcement is on the map; 14.1.4e one of code MG belongs to the garrison of Moscow."""
    if not state.steps[unit]:
        state.steps[unit] = game.units[unit].steps
    enter(game, state, unit, cell)
    state.arrived |= 1 << unit
    due = game.outline(state).due.get(unit)
    if due is not None and due.code == "MG":
        state.garrison |= 1 << unit
    state.emit("arrived", "14.1", unit=unit, hex=cell)


def activate(game: Typhoon, state: TyphoonState, unit: int) -> None:
    """13.1.2a, 13.5.1 In the motorised phase a Soviet unit on foot is activated by a headquarters: of the
    Guards first by the order that is theirs alone."""
    if mode_of(state) != MOTORISED or not game.by_hq >> unit & 1:
        return
    cell = state.where[unit]
    extra = able(game, state, cell, GUARDS) if game.guards >> unit & 1 else []
    if extra:
        spend(game, state, extra[0], GUARDS)
    else:
        spend(game, state, able(game, state, cell)[0])
    state.activated |= 1 << unit


# On the way


class MoveUnits(Decision["Typhoon", TyphoonState]):
    """7.1 Those in hand: one hex more, an overrun, or the end of their move. Others of the hex may come
    along; the slow may be set down (7.1.3)."""

    name = "move-units"
    case = "7.1"
    verbs = {
        "gather": Verb(("unit",), Role.GATHER),
        "drop": Verb(("unit",), Role.RELEASE),
        "step": Verb(("hex",), Role.STEP),
        "overrun": Verb(("hex",), Role.STRIKE),
        "halt": Verb((), Role.HALT),
    }

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        move: Move = state.local
        return state.side(move.units[0])

    def _why_not_gather(self, game: Typhoon, state: TyphoonState, move: Move, unit: int) -> Refusal | None:
        if not move.fresh or state.where[unit] != state.where[move.units[0]]:
            return refusal("not-same-start", "7.1.3", unit=unit)
        if unit in move.units:
            return refusal("in-hand-already", "7.1.3", unit=unit)
        if state.within("reaction-phase"):
            return refusal("singly", "7.5.2", unit=unit)
        reason = PickUnit()._why_not(game, state, unit)
        if reason is None and move.mode == STRATEGIC:
            reason = why_not_march(game, state, unit)
        return reason

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        move: Move = state.local
        here = state.where[move.units[0]]
        found: list[Action] = []
        if move.fresh:
            found += [
                ("gather", unit)
                for unit in members(state.own(side, here) & ~bits(move.units))
                if self._why_not_gather(game, state, move, unit) is None
            ]
        if len(move.units) > 1 and not move.fresh:
            found += [("drop", unit) for unit in move.units]
        for there in game.board.adjacent[here]:
            if state.fighters(1 - side, there):
                if why_not_overrun(game, state, move, there) is None:
                    found.append(("overrun", there))
            elif not isinstance(steps_for(game, state, move, there), Refusal):
                found.append(("step", there))
        found.append(("halt",))
        return found

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        move: Move = state.local
        verb = action[0]
        if verb == "halt":
            return None
        if verb == "gather":
            return self._why_not_gather(game, state, move, action[1])
        if verb == "drop":
            if action[1] in move.units and len(move.units) > 1 and not move.fresh:
                return None
            return refusal("not-in-hand", "7.1.3", unit=action[1])
        if verb == "overrun":
            return why_not_overrun(game, state, move, action[1])
        steps = steps_for(game, state, move, action[1])
        return steps if isinstance(steps, Refusal) else None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        move: Move = state.local
        verb = action[0]
        if verb == "halt":
            finish(game, state, move)
            return RETURN
        if verb == "gather":
            activate(game, state, action[1])
            left = allowance(game, state, action[1], move.mode)
            state.local = move._replace(units=(*move.units, action[1]), lefts=(*move.lefts, left))
            return AGAIN
        if verb == "drop":
            place = move.units.index(action[1])
            state.moved |= 1 << action[1]
            state.local = move._replace(
                units=move.units[:place] + move.units[place + 1 :],
                lefts=move.lefts[:place] + move.lefts[place + 1 :],
            )
            return AGAIN
        if verb == "overrun":
            state.local = move._replace(target=action[1])
            return "overrun"
        walk(game, state, move, action[1])
        moved: Move = state.local
        if moved.stopped and not could_overrun(game, state, moved):
            finish(game, state, moved)
            return RETURN
        return AGAIN


def could_overrun(game: Typhoon, state: TyphoonState, move: Move) -> bool:
    """7.2.1, 7.8.3a Who has stopped in an enemy zone may still overrun."""
    here, side = state.where[move.units[0]], state.side(move.units[0])
    return any(
        state.fighters(1 - side, there) and why_not_overrun(game, state, move, there) is None
        for there in game.board.adjacent[here]
    )


def stepped(move: Move, steps: Sequence[Step]) -> Move:
    """7.1.3, 7.3.3 Those in hand after a step. An enemy zone stops all of them; whoever spent all that he had
    on a hex too dear for him has nothing left, and the others may go on without him."""
    lefts = tuple(left - step.price for left, step in zip(move.lefts, steps, strict=True))
    return move._replace(lefts=lefts, fresh=False, stopped=all(step.ends for step in steps))


def walk(game: Typhoon, state: TyphoonState, move: Move, there: int) -> None:
    here = state.where[move.units[0]]
    steps = steps_for(game, state, move, there)
    assert not isinstance(steps, Refusal)
    state.local = stepped(move, steps)
    for unit in move.units:
        enter(game, state, unit, there)
    state.emit("moved", "7.1", units=move.units, hex_from=here, hex=there)


def finish(game: Typhoon, state: TyphoonState, move: Move) -> None:
    state.moved |= bits(move.units)
    if move.mode == STRATEGIC:
        state.marched |= bits(move.units)
