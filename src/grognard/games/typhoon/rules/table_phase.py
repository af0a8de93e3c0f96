"""14.3 The Soviet replacement phase: a die and its event; then plans (17.3) and Axis reserves (14.1.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.outlines import Reserve
from grognard.games.typhoon.rules import plans
from grognard.games.typhoon.rules.stavka import (
    AIR_FORCE,
    ARMOUR,
    MOSCOW,
    NKVD,
    RESERVE,
    SUPPLY,
    TABLES,
    available,
    meaning_of_m,
    panic,
    panic_is_held,
    report,
    reserve_names,
)
from grognard.games.typhoon.state import (
    AXIS,
    PLAN_MARKERS,
    PLAN_NAMES,
    SOVIET,
    TO_COME,
    TyphoonState,
)
from grognard.kernel import (
    AGAIN,
    RETURN,
    Action,
    ChanceDecision,
    Decision,
    Flow,
    Refusal,
    Role,
    Verb,
    ask,
    do,
    procedure,
    refusal,
    step,
)
from grognard.mechanics.dice import D10, Throw
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

PANIC_ALARM = 12
"""The Axis within so many hexes of Moscow makes a panic worse (special rule MOSCOW_PANIC)."""


def begin_table(game: Typhoon, state: TyphoonState) -> Flow:
    """14.3 Only two scenarios have the table. 17.3.1 On turn 35 the plan is known."""
    state.event, state.plan_owed, state.panic = "", False, 0
    if state.scenario not in TABLES:
        return RETURN
    if plans.is_shown(state.turn) and not state.plan_known:
        state.plan_known = True
        state.emit("plan-shown", "17.3.1", plan=state.plan)
    return None


class RollTable(Throw["Typhoon", TyphoonState]):
    """14.3 Strongpoints, infantry points and an event; 16.2.1 less one for each attack still owed."""

    name = "roll-table"
    case = "14.3"
    verbs = {"report": Verb(("number",))}
    dice = D10

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        found = report(state.scenario, action[1], state.obligatory)
        state.strongpoints = found.strongpoints
        state.replacements[SOVIET] += found.infantry
        state.event = found.event
        state.emit(
            *("reported", "14.3"),
            die=action[1],
            n_forts=found.strongpoints,
            n_points=found.infantry,
            word_event=f"event-{found.event}",
        )
        state.plan_owed = state.scenario == "campaign" and plans.may_draw(state.turn, found.event)
        if found.event == NKVD:
            state.guard_steps = 1
        elif found.event == MOSCOW:
            _result_m(game, state)
        return None


def _result_m(game: Typhoon, state: TyphoonState) -> None:
    """14.3.2 Nothing, a panic in Moscow, or an attack that Stalin orders."""
    if panic(state.turn, state.event, state.panics):
        state.panics += 1
        held = panic_is_held(state.panics)
        state.panic = 2 if held else 1
        state.emit("panic", "14.3.2", n=state.panics)
        if not held:
            state.rail_left[SOVIET] //= 2
            if _axis_near(game, state):
                state.points += 1
    elif meaning_of_m(state.turn) == "obligatory" and state.scenario == "campaign":
        state.obligatory += 1
        state.emit("attack-ordered", "16.0", n=state.obligatory)


def _axis_near(game: Typhoon, state: TyphoonState) -> bool:
    near = game.board.within(each(game.moscow), PANIC_ALARM)
    return any(state.fighters(AXIS, cell) for cell in each(state.occupied[AXIS] & near))


class LoseToPanic(Decision["Typhoon", TyphoonState]):
    """14.3.2 With the Axis near, a unit of the Moscow garrison loses a step in the first panic."""

    name = "lose-to-panic"
    case = "14.3.2"
    verbs = {"desert": Verb(("unit",))}

    def _able(self, game: Typhoon, state: TyphoonState) -> list[int]:
        return [u for u in members(moscow_garrison(game, state)) if state.steps[u] > 1]

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.panic == 1 and _axis_near(game, state) and bool(self._able(game, state))

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return SOVIET

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [("desert", unit) for unit in self._able(game, state)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action[1] in self._able(game, state):
            return None
        return refusal("not-moscow-garrison", "14.3.2", unit=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        state.set_steps(action[1], state.steps[action[1]] - 1)
        state.emit("deserted", "14.3.2", unit=action[1])
        return None


# 13.6 Garrisons that result R releases


def moscow_garrison(game: Typhoon, state: TyphoonState) -> int:
    """13.6.4 Units of garrisons in Moscow or beside it, as a set."""
    near = game.near_moscow
    return bits(u for u in members(state.garrison) if state.where[u] >= 0 and near >> state.where[u] & 1)


def released_by_result(game: Typhoon, state: TyphoonState, cell: int) -> int:
    """13.6.1, 13.6.4, 14.3.3 Whom a result R releases at a place: all of a hex together; Moscow is one place,
    and its NKVD stays."""
    of_moscow = moscow_garrison(game, state)
    here = state.at.get(cell, 0) & state.garrison
    return of_moscow & ~game.nkvd if here & of_moscow else here


# 14.4 Reserves


def open_groups(game: Typhoon, state: TyphoonState, kind: str) -> list[int]:
    """The groups that may be taken now, by the numbers that answers use."""
    found = available(game.outline(state).reserves, kind, state.reserves, state.turn)
    return [reserve_names().index(reserve.group) for reserve in found]


def take_group(game: Typhoon, state: TyphoonState, name: int) -> None:
    """14.4.1, 14.4.2 The units of a group come as reinforcements: at once, or when their turn has come."""
    outline = game.outline(state)
    number, reserve = next((n, r) for n, r in enumerate(outline.reserves) if r.group == reserve_names()[name])
    state.reserves |= 1 << number
    for unit, due in outline.due.items():
        if due.group == reserve.group and state.where[unit] == TO_COME:
            state.due[unit] = max(due.turn, state.turn)
    state.points += _price(reserve)
    state.emit("group-called", "14.4.1", reserve=name, n=_price(reserve))


def _price(reserve: Reserve) -> int:
    """14.4, 14.1.6 The Axis gains by Soviet reserves and loses by its own."""
    return -reserve.points if reserve.kind == "axis" else reserve.points


class ChooseEvent(Decision["Typhoon", TyphoonState]):
    """14.3.1, 14.3.3 to 14.3.5 What the Soviets make of their event, this turn or never (14.4.2)."""

    name = "choose-event"
    case = "14.3"
    verbs = {
        "accept": Verb(()),
        "call-up": Verb(("reserve",)),
        "relieve": Verb(("hex",), Role.PLACE),
        "feed": Verb(("hex",), Role.PLACE),
        "release-air": Verb(()),
        "end": Verb((), Role.END),
    }

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return SOVIET

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return len(self.options(game, state, SOVIET)) > 1

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        found: list[Action] = []
        if state.event in (ARMOUR, AIR_FORCE):
            found.append(("accept",))
        if state.event == AIR_FORCE:
            found.append(("release-air",))
        if state.event in (ARMOUR, RESERVE):
            kind = "armour" if state.event == ARMOUR else "special"
            found += [("call-up", name) for name in open_groups(game, state, kind)]
        if state.event == RESERVE:
            cells = sorted({state.where[u] for u in members(state.garrison) if state.where[u] >= 0})
            found += [("relieve", cell) for cell in cells if released_by_result(game, state, cell)]
        if state.event == SUPPLY:
            hungry = (state.emergency | state.unsupplied) & game.units_of[SOVIET]
            cells = sorted({state.where[u] for u in members(hungry) if state.where[u] >= 0})
            found += [("feed", cell) for cell in cells]
        return [*found, ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        reasons = {
            "accept": ("not-this-event", "14.3"),
            "release-air": ("not-this-event", "14.3.5"),
            "call-up": ("group-not-open", "14.4.1"),
            "relieve": ("no-garrison-there", "14.3.3"),
            "feed": ("nobody-hungry", "14.3.4"),
        }
        code, case = reasons[action[0]]
        return refusal(code, case)

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        verb = action[0]
        if verb == "accept":
            if state.event == ARMOUR:
                state.armour_steps = 1
            else:
                state.air_steps = 1
        elif verb == "release-air":
            state.moscow_flies = True
            state.emit("air-released", "13.7.2")
        elif verb == "call-up":
            take_group(game, state, action[1])
        elif verb == "relieve":
            freed = released_by_result(game, state, action[1])
            state.garrison &= ~freed
            state.emit("garrison-released", "14.3.3", units=tuple(members(freed)))
        elif verb == "feed":
            here = state.own(SOVIET, action[1])
            state.emergency &= ~here
            state.unsupplied &= ~here
            state.emit("fed", "14.3.4", hex=action[1])
        return None


# 17.3 Plans


class ChangePlan(Decision["Typhoon", TyphoonState]):
    """17.3.2 The Axis may give its marker back and draw another; on turn 20 it must (17.3.3)."""

    name = "change-plan"
    case = "17.3.2"
    verbs = {"draw-plan": Verb(()), "keep-plan": Verb((), Role.END)}

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return AXIS

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.plan_owed and not plans.must_draw(state.turn)

    def skip(self, game: Typhoon, state: TyphoonState) -> Flow:
        return None

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [("draw-plan",), ("keep-plan",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "keep-plan":
            state.plan_owed = False
        return None


class DrawPlan(ChanceDecision["Typhoon", TyphoonState]):
    """17.3.2 One of the five markers, the old one among them; only the Axis reads it."""

    name = "draw-plan"
    case = "17.3.2"
    verbs = {"plan": Verb(("plan",))}

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.plan_owed

    def weights(self, game: Typhoon, state: TyphoonState) -> list[tuple[Action, int]]:
        return [(("plan", plan), PLAN_MARKERS.count(plan)) for plan in range(len(PLAN_NAMES))]

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        state.emit("plan-returned", "17.3.2", plan=state.plan)
        state.plan, state.plan_known, state.plan_owed = action[1], False, False
        state.emit("plan-drawn", "17.3.2", audience=AXIS, plan=action[1])
        return None


# 14.1.6 Axis reserves


class CallReserves(Decision["Typhoon", TyphoonState]):
    """14.1.6 The Axis takes groups of its reserve when it likes, once they are available."""

    name = "call-reserves"
    case = "14.1.6"
    verbs = {"call-up": Verb(("reserve",)), "end": Verb((), Role.END)}

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return AXIS

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return bool(open_groups(game, state, "axis"))

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [*(("call-up", name) for name in open_groups(game, state, "axis")), ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("group-not-open", "14.1.6")

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        take_group(game, state, action[1])
        return AGAIN


TABLE_PHASE = procedure(
    "table-phase",
    "14.3",
    step("begin", do(begin_table), "14.3"),
    step("roll", ask(RollTable()), "14.3"),
    step("panic", ask(LoseToPanic()), "14.3.2"),
    step("event", ask(ChooseEvent()), "14.3"),
    step("plan", ask(ChangePlan()), "17.3.2"),
    step("draw", ask(DrawPlan()), "17.3.2"),
    step("reserves", ask(CallReserves()), "14.1.6"),
)
