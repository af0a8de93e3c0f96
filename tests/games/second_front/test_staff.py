"""What planners are taught of Second Front: sums that hold, odds that are those of the rules, answers that
the rules allow."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from grognard.games.second_front.game import load
from grognard.games.second_front.staff.doctrine import FrontDoctrine
from grognard.games.second_front.staff.outlook import code_of
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel.doctrine import NEVER
from grognard.players import seat
from tests.games.second_front.table import Table
from tests.rules import rule

HG, LIVORNO, WEAK = "SF-G-FJ-HG", "SF-I-IT-004", "SF-I-IM-10S"
US1, US3, US2ARM, US45 = "US-inf-XX-1", "US-inf-XX-3", "US-arm-XX-2", "US-inf-XX-45"
GELA, CALTAGIRONE, INLAND = "26:4130", "26:4128", "26:4129"


def doctrine() -> FrontDoctrine:
    found = load().doctrine
    assert isinstance(found, FrontDoctrine)
    return found


@cache
def movements() -> tuple[tuple[int, FrontState], ...]:
    """The positions at which units begin to move in the first turn of Sicily."""
    game, seed = load(), "staff"
    state = game.start("sicily")
    game.settle(state, seed)
    seats = [seat("greedy", f"{seed}/{side}") for side in game.sides]
    found: list[tuple[int, FrontState]] = []
    while (side := game.actor(state)) is not None and state.turn < 3:
        decision = game.decision(state)
        if decision is not None and decision.name == "pick-unit" and not state.moved:
            found.append((side, state.clone()))
        game.apply(state, seats[side].choose(game, state, side))
        game.settle(state, seed)
    return tuple(found)


def test_there_are_plans_for_all_phases_and_both_sides() -> None:
    sides = [side for side, _ in movements()]
    assert sides.count(AXIS) >= 2 and sides.count(ALLIED) >= 2, "movement and exploitation"


def test_a_gain_is_the_difference_of_two_worths() -> None:
    random = Random("afresh")
    for side, state in movements():
        plan = doctrine().plan_movement(state, side)
        if plan is None:
            continue
        assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)
        for _ in range(20):
            stack = random.randrange(len(plan.stacks))
            cell = random.choice(plan.places(stack))
            gain, before = plan.gain(stack, cell), plan.worth()
            if gain == NEVER:
                continue
            plan.put(stack, cell)
            assert plan.worth() - before == pytest.approx(gain, abs=1e-6)
            assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)


@rule("second_front", "9A", "10D")
def test_the_odds_of_an_attack_made_now_are_those_of_the_rules() -> None:
    table = Table("combat", ALLIED, {US1: INLAND, US2ARM: INLAND, LIVORNO: CALTAGIRONE})
    cell, units = table.cell(CALTAGIRONE), [table.unit(US1), table.unit(US2ARM)]
    view = doctrine().view(table.state, ALLIED)
    forecast = doctrine().adviser.forecast(table.state, [cell], units, {})
    assert not hasattr(forecast, "code")
    code, attack, defence = view.exactly(cell, units)
    columns = [name for name, _ in forecast.columns]
    modifier = sum(shift.columns for shift in forecast.shifts)
    from grognard.games.second_front.rules.battle import COLUMNS

    assert code == code_of(COLUMNS.index(columns[0]), modifier)
    printed = [load().units[unit].face.attack for unit in units]
    assert (attack, defence) == (sum(printed), load().units[table.unit(LIVORNO)].face.defence)


@rule("second_front", "9A")
def test_a_good_attack_is_made_and_a_bad_one_is_not() -> None:
    strong = {US1: INLAND, US3: INLAND, US2ARM: INLAND, LIVORNO: CALTAGIRONE}
    table = Table("combat", ALLIED, strong)
    plan = doctrine().plan_attack(table.state, ALLIED)
    assert plan is not None and plan.actions[0] == ("assault", table.cell(CALTAGIRONE))
    table.do(*(" ".join(table.game.encode(action)) for action in plan.actions))
    assert table.events("attack")
    weak = Table("combat", ALLIED, {"US-art-III-17": INLAND, HG: CALTAGIRONE, US45: GELA})
    assert doctrine().plan_attack(weak.state, ALLIED) is None


@rule("second_front", "13")
def test_who_can_be_overrun_is_overrun() -> None:
    table = Table("movement", ALLIED, {US1: INLAND, US2ARM: INLAND, WEAK: CALTAGIRONE})
    plan = doctrine().strike(table.state, ALLIED)
    assert plan is not None
    table.do(*(" ".join(table.game.encode(action)) for action in plan.actions))
    assert table.events("overrun") and table.where(WEAK) is None
    calm = Table("movement", ALLIED, {US1: INLAND, HG: CALTAGIRONE})
    assert doctrine().strike(calm.state, ALLIED) is None


@rule("second_front", "8A")
def test_a_plan_keeps_to_the_stacking_limit() -> None:
    units = dict.fromkeys((US1, US3, US2ARM, US45, "US-inf-XX-9"), GELA)
    table = Table("movement", ALLIED, {**units, LIVORNO: CALTAGIRONE})
    plan = doctrine().plan_movement(table.state, ALLIED)
    assert plan is not None
    cell = table.cell("26:4030")
    put = 0
    for stack in range(len(plan.stacks)):
        if plan.gain(stack, cell) > NEVER:
            plan.put(stack, cell)
            put += 1
    assert 0 < put < len(plan.stacks), "not all of five divisions"


@rule("second_front", "9D", "9E")
def test_the_unit_that_is_missed_least_is_lost() -> None:
    table = Table("combat", ALLIED, {US1: INLAND, WEAK: CALTAGIRONE})
    view = doctrine().view(table.state, ALLIED)
    big, small = table.unit(US1), table.unit(WEAK)
    answer = doctrine().answers["defender-losses"]
    assert answer(view, [("lose", big), ("lose", small)], None) == ("lose", small)
    assert view.steps_of(big) == 2 and view.step(big) < view.weight(big, 2), "its cadre is left"


def test_a_position_is_worth_more_with_more_of_ones_own() -> None:
    rich = Table("movement", ALLIED, {US1: GELA, US3: GELA, LIVORNO: CALTAGIRONE})
    poor = Table("movement", ALLIED, {US1: GELA, LIVORNO: CALTAGIRONE})
    assert doctrine().material(rich.state, ALLIED) > doctrine().material(poor.state, ALLIED)


@rule("second_front", "8B")
def test_players_make_room_where_a_hex_is_too_full() -> None:
    """Four divisions stand in Catania, all of them well: one has to leave before the phase can end. (A player
    once took up and put down resource points for ever.)"""
    full = dict.fromkeys((HG, "SF-G-PZG-015", "SF-I-IT-004", "SF-I-IT-026"), "26:4025")
    table = Table("movement", AXIS, {**full, US1: "26:4126"})
    game, state = table.game, table.state
    assert ("end",) not in game.options(state, AXIS)
    view = doctrine().view(state, AXIS)
    answer = doctrine().answers["pick-unit"](view, game.options(state, AXIS), None)
    assert answer[0] == "move" and state.where[answer[1]] == table.cell("26:4025")
    game.apply(state, answer, AXIS)
    options = game.options(state, AXIS)
    assert ("halt",) not in options
    answer = doctrine().answers["move-unit"](doctrine().view(state, AXIS), options, None)
    assert answer[0] == "step" and answer in options
    game.apply(state, answer, AXIS)
    assert doctrine().answers["move-unit"](doctrine().view(state, AXIS), game.options(state, AXIS), None) == (
        "halt",
    )


def test_attacks_are_planned_when_a_target_is_asked_for_and_not_before() -> None:
    table = Table("movement", ALLIED, {US1: "26:4130", HG: "26:4129"})
    assert doctrine().plan_attack(table.state, ALLIED) is None


def test_not_everybody_goes_for_the_same_place() -> None:
    """Palermo in front of three divisions with nobody in it: one is enough, others go elsewhere."""
    near = {US1: "26:3730", US3: "26:3730", US2ARM: "26:3730", HG: "26:3823"}
    view = doctrine().view(Table("movement", ALLIED, near).state, ALLIED)
    number = load().board.number
    sent = [number(place) for place in view.errands.values()]
    assert len(sent) == 3 and "26:3530" in sent and len(set(sent)) > 1


def test_who_defends_stays_near_what_the_enemy_is_near() -> None:
    """The Allies in front of Catania: the division beside it stays, one far off stays away."""
    table = Table("movement", AXIS, {HG: "26:3924", LIVORNO: "26:3433", US1: "26:4126", US3: "26:4126"})
    view = doctrine().view(table.state, AXIS)
    east = {table.cell("26:4025"), table.cell("26:3823")}
    assert view.errands[table.unit(HG)] in east
    assert view.errands[table.unit(LIVORNO)] not in east


def test_a_beginner_sees_who_is_near_and_not_who_could_come() -> None:
    table = Table("movement", AXIS, {HG: "26:3929", LIVORNO: "26:4025", US2ARM: "26:4228", US1: "26:4130"})
    plan = doctrine().plan_movement(table.state, AXIS)
    assert plan is not None and plan.terms
    far, view = table.cell("26:4026"), plan.view
    seen = view.threats.total[far]
    plan.simplify()
    assert view.threats.total[far] < seen and not plan.terms
    assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)


def test_after_the_last_player_turn_nobody_comes() -> None:
    places = {US1: GELA, HG: INLAND}
    last = doctrine().view(Table("movement", ALLIED, places, turn=4).state, ALLIED)
    before = doctrine().view(Table("movement", ALLIED, places, turn=3).state, ALLIED)
    axis = doctrine().view(Table("movement", AXIS, places, turn=4).state, AXIS)
    assert not last.landing and before.landing and axis.landing


def test_a_line_without_gaps_is_worth_more_than_a_heap() -> None:
    """Two divisions with the enemy before them cover more ground side by side than on one hex."""
    table = Table("movement", AXIS, {HG: "26:3928", "SF-G-PZG-015": "26:3928", US1: GELA, US3: GELA})
    plan = doctrine().plan_movement(table.state, AXIS)
    assert plan is not None
    (cordon,) = [term for term in plan.terms if term.name == "cordon"]
    together = sum(cordon.values)
    stack = next(n for n, units in enumerate(plan.stacks) if units == (table.unit(HG),))
    apart = max(plan.places(stack), key=lambda c: table.game.board.distance(c, table.cell("26:3928")))
    plan.put(stack, apart)
    plan.worth()
    assert sum(cordon.values) > together


@rule("second_front", "42")
def test_allied_losses_count_as_points_and_on_the_last_turn_hardly_anything_else() -> None:
    """Ten points of attack strength are a point of victory, which is what a place of one point is worth."""
    places = {US1: GELA, LIVORNO: CALTAGIRONE}
    now, last = (
        doctrine().view(Table("movement", AXIS, places, turn=t, arrivals=()).state, AXIS) for t in (3, 4)
    )
    game, place = load(), now.common["place"]
    ours, theirs = game.unit_index(LIVORNO), game.unit_index(US1)
    strong, weak = game.units[theirs].face.attack, game.units[theirs].cadre
    assert weak is not None
    for view in (now, last):
        useful = [view.weight(theirs, n) - place / 10 * a for n, a in ((2, strong), (1, weak.attack))]
        assert useful[0] > useful[1] > 0
    assert last.weight(ours, 2) == now.weight(ours, 2) * now.common["spent"] < now.weight(ours, 2)
    assert last.weight(theirs, 2) > place / 10 * strong
    now.simplify()
    assert now.weight(theirs, 2) == (sum(game.units[theirs].face[:2]) / 2 + now.common["unit"])


def test_who_leaves_a_place_does_not_count_on_others_to_stand_before_it() -> None:
    """Messina behind a division on the road: nobody could come past it, and if it left, everybody could."""
    screen = {HG: "26:3724", "SF-G-PZG-015": "26:3824", "SF-I-IB-18": "26:3823"}
    enemies = {US1: "26:3725", US3: "26:3725", US2ARM: "26:3725"}
    table = Table("movement", AXIS, {**screen, **enemies}, turn=4, arrivals=())
    messina, view = table.cell("26:3823"), doctrine().view(table.state, AXIS)
    assert not view.threats.total[messina] and view.unscreened.total[messina]
    plan = doctrine().plan_movement(table.state, AXIS)
    assert plan is not None
    thin, both = 1 << table.unit("SF-I-IB-18"), 1 << table.unit("SF-I-IB-18") | 1 << table.unit(HG)
    careful = plan.hold(messina, thin)
    assert careful < plan.hold(messina, both) <= 0
    plan.simplify()
    assert careful < plan.hold(messina, thin), "a beginner does not think of it"
