"""14.2 to 14.4, 16, 17.3 on the table: the replacement table, its events, plans, reserves, withdrawals."""

from __future__ import annotations

import json
from random import Random

import pytest

from grognard.games.typhoon.rules.withdrawals import cost_to_restore
from grognard.games.typhoon.state import (
    AXIS,
    CADRE,
    COMPROMISE,
    ELIMINATED,
    GONE,
    HITLER,
    HOEPNER,
    SOVIET,
    TO_COME,
    VON_BOCK,
)
from grognard.kernel.actions import EVERYONE
from tests.games.typhoon.sky import AirTable
from tests.rules import rule


def table(die: int, turn: int = 10, scenario: str = "campaign", **more: object) -> AirTable:
    """The replacement phase after its die."""
    made = AirTable("", turn=turn, scenario=scenario, active=SOVIET)
    for name, value in more.items():
        setattr(made.state, name, value)
    return made.begin("table-phase").do(f"report {die}")


A, M, N, R, S, V = 4, 1, 5, 8, 6, 3
"""Dice that give each event in the campaign."""


@rule("typhoon", "14.3", "15.1.1", "12.1.2")
def test_the_die_brings_strongpoints_and_points_that_are_saved() -> None:
    found = table(9, replacements=[0, 5])
    assert found.state.strongpoints == 4
    assert found.state.replacements == [0, 13], "infantry points are kept from turn to turn"


@rule("typhoon", "14.3", "4.0")
def test_only_two_scenarios_have_the_table() -> None:
    assert AirTable("table-phase", scenario="yelets", turn=28).asked is None
    assert AirTable("table-phase", scenario="vyazma_bryansk", turn=3).asked == "roll-table"


@rule("typhoon", "16.2.1")
def test_attacks_owed_make_the_roll_worse() -> None:
    found = table(9, turn=25, obligatory=2)
    assert found.state.event == "A" and found.state.strongpoints == 3


@rule("typhoon", "14.3.1", "15.1.4")
def test_event_a_is_a_step_or_a_group_of_armour() -> None:
    found = table(A, turn=10)
    assert (found.asked, found.actor) == ("choose-event", "soviet")
    assert found.offered("call-up") == {"armour-1", "armour-2"}
    assert found.refused("call-up special-10A") == ("group-not-open", "14.4.1")
    assert found.refused("release-air") == ("not-this-event", "14.3.5")
    assert table(A).do("accept").state.armour_steps == 1


@rule("typhoon", "14.4.1", "14.4.2", "14.3.3")
def test_event_r_brings_one_group_and_its_late_units_by_themselves() -> None:
    found = table(R, turn=30)
    game, state = found.game, found.state
    group = [u for u, due in game.outlines["campaign"].due.items() if due.group == "special-60A"]
    for unit in group:
        state.place(unit, TO_COME)
        state.due[unit] = 0
    before = state.points
    found.do("call-up special-60A")
    turns = {state.due[u] for u in group}
    assert min(turns) >= 30 and turns == {max(30, game.outlines["campaign"].due[u].turn) for u in group}
    assert state.points == before + 2, "14.4: the Axis gains by it"
    assert found.asked != "choose-event", "one result, one group"
    again = table(R, turn=30, reserves=state.reserves)
    assert "special-60A" not in again.offered("call-up")


@rule("typhoon", "14.3.3", "13.6.1", "13.6.2", "13.6.4")
def test_event_r_may_release_a_garrison_but_not_the_nkvd_of_moscow() -> None:
    made = AirTable("", turn=10)
    game, state = made.game, made.state
    soviets = [n for n, u in enumerate(game.units) if u.side == "soviet" and u.division and not u.nkvd][:4]
    police = next(n for n, u in enumerate(game.units) if u.nkvd and u.steps)
    for unit, number in zip((*soviets, police), ("N3029", "N3029", "M2928", "M2728", "M2928"), strict=True):
        state.place(unit, game.board.cell(number))
        state.steps[unit] = 2
        state.garrison |= 1 << unit
    made.begin("table-phase").do(f"report {R}")
    assert made.offered("relieve") == {"N3029", "M2928", "M2728"}
    assert made.refused("relieve N3030") == ("no-garrison-there", "14.3.3")
    here = state.clone()
    made.do("relieve N3029")
    assert [state.garrison >> u & 1 for u in (*soviets, police)] == [0, 0, 1, 1, 1], "all of a hex together"
    made.state = here
    made.do("relieve M2928")
    freed = [here.garrison >> u & 1 for u in (*soviets, police)]
    assert freed == [1, 1, 0, 0, 1], "Moscow is one place, and its NKVD stays"


@rule("typhoon", "14.3.4")
def test_event_s_puts_a_stack_in_supply() -> None:
    made = AirTable("", units={"s-22a": "N3029", "s-29a": "N3031"})
    game, state = made.game, made.state
    first, second = game.unit_index("s-22a"), game.unit_index("s-29a")
    state.unsupplied, state.emergency = 1 << first, 1 << second
    made.begin("table-phase").do(f"report {S}")
    assert made.offered("feed") == {"N3029", "N3031"}
    assert made.refused("feed N3030") == ("nobody-hungry", "14.3.4")
    made.do("feed N3029")
    assert not state.unsupplied and state.emergency == 1 << second


@rule("typhoon", "14.3.5", "13.7.2")
def test_event_v_is_an_air_unit_or_moscow_s_corps_everywhere() -> None:
    assert table(V).do("accept").state.air_steps == 1
    found = table(V).do("release-air")
    assert found.state.moscow_flies and found.state.air_steps == 0
    found.begin("end-phase")
    assert not found.state.moscow_flies, "for this turn alone"


@rule("typhoon", "14.3.6")
def test_event_n_is_a_step_for_the_nkvd() -> None:
    assert table(N).state.guard_steps == 1


@rule("typhoon", "14.3.2")
@pytest.mark.parametrize(
    ("turn", "panics", "owed"), [(5, 0, 0), (6, 1, 0), (19, 1, 0), (20, 0, 1), (40, 0, 1)]
)
def test_event_m_by_turn(turn: int, panics: int, owed: int) -> None:
    found = table(M, turn=turn)
    assert (found.state.panics, found.state.obligatory) == (panics, owed)


@rule("typhoon", "14.3.2")
def test_the_first_panic_halves_the_trains_and_later_ones_do_not() -> None:
    first = table(M, turn=8, rail_left=[4, 24])
    assert first.state.rail_left == [4, 12] and first.state.panic == 1
    second = table(M, turn=9, rail_left=[4, 24], panics=1)
    assert second.state.rail_left == [4, 24] and second.state.panic == 2
    fourth = table(M, turn=10, rail_left=[4, 24], panics=3)
    assert fourth.state.panics == 3 and fourth.state.panic == 0
    assert table(R, turn=8, panic=1).state.panic == 0, "it ends with the next roll"


@rule("typhoon", "14.3.2")
def test_with_the_axis_near_moscow_a_panic_costs_a_step_and_a_point() -> None:
    made = AirTable("", units={"g-251-inf": "M1828", "s-22a": "M2528"}, turn=8)
    state, game = made.state, made.game
    guard = next(n for n, u in enumerate(game.units) if u.side == "soviet" and u.steps == 3)
    state.place(guard, game.board.cell("M2928"))
    state.steps[guard], state.garrison = 3, 1 << guard
    points = state.points
    made.begin("table-phase").do(f"report {M}")
    assert state.points == points + 1 and made.asked == "lose-to-panic"
    assert made.refused("desert g-251-inf") == ("not-moscow-garrison", "14.3.2")
    made.do(f"desert {game.units[guard].id}")
    assert state.steps[guard] == 2
    last = AirTable("", units={"g-251-inf": "M1828", "s-22a": "M2528"}, turn=8)
    last.state.place(guard, game.board.cell("M2928"))
    last.state.steps[guard], last.state.garrison = 1, 1 << guard
    assert last.begin("table-phase").do(f"report {M}").asked != "lose-to-panic", "a last step is kept"
    far = AirTable("", units={"g-251-inf": "M1528"}, turn=8).begin("table-phase").do(f"report {M}")
    assert far.state.points == points, "thirteen hexes away"


@rule("typhoon", "16.1.3", "16.0")
def test_orders_add_up() -> None:
    assert table(2, turn=30, obligatory=2).state.obligatory == 3, "2 less 2 is 0: M"


# 17.3 Plans


@rule("typhoon", "17.3.1", "17.3.4")
def test_the_campaign_begins_with_the_compromise() -> None:
    state = AirTable().state
    assert state.plan == COMPROMISE and state.plan_known


@rule("typhoon", "17.3.2")
def test_after_result_m_the_axis_may_draw_another_plan() -> None:
    found = table(M, turn=10)
    assert (found.asked, found.actor) == ("change-plan", "axis")
    kept = table(M, turn=10).do("keep-plan")
    assert kept.state.plan == COMPROMISE and kept.state.plan_known and kept.asked != "draw-plan"
    found.do("draw-plan")
    assert found.actor == "chance"
    weights = dict(found.game.decision(found.state).weights(found.game, found.state))  # type: ignore[union-attr]
    assert weights == {("plan", 0): 1, ("plan", 1): 2, ("plan", 2): 1, ("plan", 3): 1}, "of all five"
    found.do("plan hoepner")
    assert found.state.plan == HOEPNER and not found.state.plan_known
    assert found.events("plan-returned") == [{"plan": COMPROMISE}]
    assert table(R, turn=10).asked != "change-plan"


@rule("typhoon", "17.3.3")
def test_on_turn_20_a_plan_is_drawn_whatever_the_die() -> None:
    found = table(N, turn=20)
    assert found.asked == "draw-plan"
    assert table(N, turn=21).asked != "draw-plan"


@rule("typhoon", "17.3.1")
def test_on_turn_35_the_soviets_learn_the_plan() -> None:
    early = table(N, turn=34, plan=HITLER, plan_known=False)
    assert not early.state.plan_known
    late = table(N, turn=35, plan=HITLER, plan_known=False)
    assert late.state.plan_known and late.events("plan-shown") == [{"plan": HITLER}]


def heard(made: AirTable, viewer: int | None) -> str:
    game, state = made.game, made.state
    who = EVERYONE if viewer is None else viewer
    events = [str(event) for event in state.log or () if event.audience in (EVERYONE, who)]
    asked = [] if viewer is None else game.shown_actors(state, viewer)
    return json.dumps([game.view(state, viewer), events, asked], default=str)


@rule("typhoon", "17.3.1", "17.3.2")
def test_which_plan_was_drawn_reaches_nobody_but_the_axis() -> None:
    """Another marker: nothing that the Soviets or a spectator receive changes, until it is shown."""
    told, own = set(), set()
    for plan in ("compromise", "hitler", "von_bock", "hoepner"):
        found = table(M, turn=10).do("draw-plan", f"plan {plan}")
        told.add((heard(found, SOVIET), heard(found, None)))
        own.add(heard(found, AXIS))
    assert len(told) == 1 and len(own) == 4


@rule("typhoon", "17.3.1")
def test_the_soviets_can_only_guess_the_plan() -> None:
    found = table(N, turn=30, plan=VON_BOCK, plan_known=False)
    game, state = found.game, found.state
    assert {game.imagine(state, SOVIET, Random(n)).plan for n in range(40)} == {0, 1, 2, 3}
    assert {game.imagine(state, AXIS, Random(n)).plan for n in range(5)} == {VON_BOCK}


# 14.1.6 Axis reserves


@rule("typhoon", "14.1.6", "17.2.3")
def test_the_axis_calls_up_its_reserves_at_a_cost() -> None:
    found = table(N, turn=7)
    assert (found.asked, found.actor) == ("call-reserves", "axis")
    assert found.offered("call-up") == {"axis-rear_security_A"}
    assert found.refused("call-up axis-paratroops") == ("group-not-open", "14.1.6")
    points = found.state.points
    found.do("call-up axis-rear_security_A")
    assert found.state.points == points - 1 and found.asked is None
    assert table(N, turn=5).asked is None


# 14.2 Withdrawals


def leaving(turn: int, side: int = AXIS, **more: object) -> AirTable:
    made = AirTable("", ["g-i-kg-28", "g-ii-zg-26"], turn=turn, active=side, units={"g-28-inf": "N3029"})
    for name, value in more.items():
        setattr(made.state, name, value)
    return made.begin("withdrawals")


@rule("typhoon", "14.2", "14.2.1")
def test_a_unit_leaves_on_its_turn_wherever_it_is() -> None:
    found = leaving(22)
    assert (found.asked, found.actor) == ("withdraw", "axis")
    unit = found.game.unit_index("g-28-inf")
    found.state.steps[unit] = 1
    points = found.state.points
    found.do("withdraw")
    assert found.state.where[unit] == GONE and found.state.points == points
    assert leaving(21).asked is None
    assert leaving(22, SOVIET).asked is None, "in its own movement phase"


@rule("typhoon", "14.2.1")
def test_air_units_leave_from_any_box() -> None:
    found = AirTable("", boxes={"g-i-kg-28": "destroyed"}, turn=31).begin("withdrawals")
    found.do("withdraw")
    assert found.where("g-i-kg-28") == "gone"


@rule("typhoon", "14.2.3", "17.2.3")
def test_a_withdrawal_refused_costs_points() -> None:
    found = leaving(22)
    unit, points = found.game.unit_index("g-28-inf"), found.state.points
    found.do("retain")
    assert found.state.where[unit] >= 0 and found.state.points == points - 2


@rule("typhoon", "14.2.2")
def test_a_lost_unit_is_made_good_with_replacements_even_future_ones() -> None:
    made = AirTable("", turn=22)
    unit = made.game.unit_index("g-28-inf")
    made.state.place(unit, ELIMINATED)
    made.state.replacements[AXIS] = 1
    made.begin("withdrawals").do("withdraw")
    assert made.state.replacements[AXIS] == -1, "one to be a cadre, one for a step"
    assert [cost_to_restore("infantry", place) for place in (5, CADRE, ELIMINATED)] == [0, 1, 2]
    assert cost_to_restore("motorised", CADRE) == 2, "15.1.3"


@rule("typhoon", "17.3.7")
def test_under_hoepner_s_plan_three_panzer_and_two_motorised_divisions_leave() -> None:
    made = AirTable("", turn=36)
    game, state = made.game, made.state
    board = game.board
    for elements in game.elements.values():
        for unit in elements:
            state.place(unit, board.cell("N3029"))
            state.steps[unit] = game.units[unit].steps
    broken = game.elements["3 Pz Div"]
    state.unsupplied = 1 << broken[0]
    state.plan = HOEPNER
    made.begin("withdrawals")
    assert (made.asked, made.actor) == ("give-up-division", "axis")
    ids = {game.units[u].id for u in broken}
    assert made.refused(f"give-up {game.units[broken[0]].id}") == ("division-not-whole", "17.3.7")
    assert not ids & made.offered("give-up")
    chosen = 0
    while made.asked == "give-up-division":
        made.do(sorted(o for o in made.options)[0])
        chosen += 1
    assert chosen == 5
    gone = [name for name, elements in game.elements.items() if all(state.where[u] == GONE for u in elements)]
    assert len([name for name in gone if "Pz" in name]) == 3 and len(gone) == 5
    other = AirTable("", turn=36)
    other.state.plan = HITLER
    assert other.begin("withdrawals").asked != "give-up-division"
