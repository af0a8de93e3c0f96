"""What planners are taught of Typhoon!: facts that are those of the rules, sums that hold, attacks that leave
nobody unattacked who must be."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from grognard.games.typhoon.rules.declaring import Attack, declare, unmet
from grognard.games.typhoon.rules.odds import Clash, reckon
from grognard.games.typhoon.staff.declarations import Choice, Declarations, announced, promise, supplied
from grognard.games.typhoon.staff.doctrine import TyphoonDoctrine
from grognard.games.typhoon.staff.outlook import Outlook, Stance, code_of
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.kernel.doctrine import NEVER
from grognard.players import seat
from tests.games.typhoon.table import Table, real_game
from tests.rules import rule

INF, INF2, PANZER, SR, TRUCK = "g-251-inf", "g-102-inf", "g-6-pz-pzr-11", "g-6-pz-sr-4", "g-supply-truck-1"
RIFLE, RIFLE2 = "s-126-rd", "s-133-rd"


def movements() -> tuple[tuple[int, TyphoonState], ...]:
    """The positions at which units begin to move in the first turn of the learning scenario."""
    return played()[0]


def assaults() -> tuple[tuple[int, TyphoonState], ...]:
    """The positions of that turn in which attacks are about to be declared."""
    return played()[1]


@cache
def played() -> tuple[tuple[tuple[int, TyphoonState], ...], tuple[tuple[int, TyphoonState], ...]]:
    game, seed = real_game(), "staff"
    state = game.start("learning")
    game.settle(state, seed)
    seats, random = [seat("greedy", f"{seed}/{side}") for side in game.sides], Random(seed)
    found: list[tuple[int, TyphoonState]] = []
    ready: list[tuple[int, TyphoonState]] = []
    while (side := game.actor(state)) is not None and state.turn < 4:
        decision = game.decision(state)
        if decision is not None and decision.name == "pick-unit" and not state.moved and not state.attacks:
            found.append((side, state.clone()))
        action = seats[side].choose(game, game.imagine(state, side, random), side)
        if action[0] == "target" and not state.attacks:
            ready.append((side, state.clone()))
        game.apply(state, action, side)
        game.settle(state, seed)
    return tuple(found), tuple(ready)


def doctrine() -> TyphoonDoctrine:
    found = real_game().doctrine
    assert isinstance(found, TyphoonDoctrine)
    return found


def taught(table: Table) -> TyphoonDoctrine:
    return TyphoonDoctrine(table.game, doctrine().numbers)


def test_there_are_plans_for_all_phases_and_both_sides() -> None:
    sides = [side for side, _ in movements()]
    assert sides.count(AXIS) >= 2 and sides.count(SOVIET) >= 2, "movement and motorised movement"


def test_a_gain_is_the_difference_of_two_worths() -> None:
    random = Random("afresh")
    for side, state in movements():
        plan = doctrine().plan_movement(state, side)
        if plan is None:
            continue
        assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)
        for _ in range(25):
            stack = random.randrange(len(plan.stacks))
            cell = random.choice(plan.places(stack))
            gain, before = plan.gain(stack, cell), plan.worth()
            if gain == NEVER:
                continue
            plan.put(stack, cell)
            assert plan.worth() - before == pytest.approx(gain, abs=1e-6)
            assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)


@rule("typhoon", "8.4.1", "8.4.4")
def test_the_odds_of_a_plan_are_those_of_the_rules() -> None:
    units = {INF: "1509", INF2: "1410", PANZER: "1411", SR: "1411", RIFLE: "1510", TRUCK: "1505"}
    for hexes in ({}, {"1510": "woods"}, {"1510": "city"}, {"1510": "hills woods"}):
        table = Table("axis-movement", units, hexes=hexes)
        game, state = table.game, table.state
        plan = taught(table).plan_combat(state, AXIS)
        (target,) = plan.targets
        for some in ((INF,), (INF, INF2), (PANZER, SR), (INF, INF2, PANZER, SR)):
            attackers = [n for n, u in enumerate(plan.units) if game.units[u].id in some]
            clash = Clash((target.cell,), tuple(plan.units[n] for n in attackers))
            found = reckon(game, state, clash)
            assert plan.column(target, attackers) == code_of(found.column, found.total), (hexes, some)


@rule("typhoon", "8.1.1")
def test_a_good_attack_is_declared() -> None:
    tanks = dict.fromkeys((PANZER, SR), "1411")
    table = Table("axis-movement", {INF: "1509", INF2: "1410", **tanks, RIFLE: "1510", TRUCK: "1505"})
    plan = taught(table).plan_attack(table.state, AXIS)
    assert plan is not None
    table.do(*(" ".join(table.game.encode(action)) for action in plan.actions))
    assert len(table.state.attacks) == 1 and not unmet(table.game, table.state)
    assert taught(table).plan_attack(table.state, AXIS) is None, "all attacks are declared at once"


@rule("typhoon", "8.1.2")
def test_whoever_must_be_attacked_is_attacked_or_nobody_is() -> None:
    """Two divisions touch the attackers: both are attacked, by enough, or the attack is not made."""
    units = {INF: "1509", INF2: "1509", RIFLE: "1510", RIFLE2: "1409", TRUCK: "1505"}
    table = Table("axis-movement", units)
    plan = taught(table).plan_attack(table.state, AXIS)
    if plan is not None:
        table.do(*(" ".join(table.game.encode(action)) for action in plan.actions))
    assert not unmet(table.game, table.state)
    weak = Table("axis-movement", {INF: "1509", RIFLE: "1510", RIFLE2: "1409"}, steps={INF: 1})
    assert taught(weak).plan_attack(weak.state, AXIS) is None


@rule("typhoon", "8.1.2", "8.2.2")
def test_two_who_must_be_attacked_are_attacked_in_one_combat_where_that_is_better() -> None:
    """One stack touches two worn divisions: apart each would be attacked by half of it."""
    units = dict.fromkeys((INF, INF2), "1509") | {RIFLE: "1510", RIFLE2: "1409", TRUCK: "1505"}
    table = Table("axis-movement", units, steps={RIFLE: 1, RIFLE2: 1})
    _, attacks = Declarations(taught(table).view(table.state, AXIS)).choose(-1.0)
    script = [action for attack in attacks for action in announced(attack)]
    table.do(*(" ".join(table.game.encode(action)) for action in script))
    (attack,) = table.state.attacks
    assert set(attack.targets) == {table.cell("1510"), table.cell("1409")}
    assert not unmet(table.game, table.state)


@rule("typhoon", "8.1.2")
def test_attacks_chosen_together_keep_to_the_rules() -> None:
    """The whole set is accepted, word by word, nobody is owed an attack, and no unit attacks twice."""
    game = real_game()
    assert assaults()
    for side, state in assaults():
        plan, trial = doctrine().plan_attack(state, side), state.clone()
        assert plan is not None
        for action in plan.actions:
            assert game.refuse(trial, action, side) is None, action
            game.apply(trial, action, side)
        assert trial.attacks and not unmet(game, trial)
        attackers = [u for attack in trial.attacks for u in attack.attackers]
        assert len(attackers) == len(set(attackers))


@rule("typhoon", "6.5.5")
def test_a_point_of_supply_goes_where_it_helps_most() -> None:
    """Two attacks, one point: what the set is worth counts it once, for the better use."""
    units = {INF: "1509", INF2: "1909", RIFLE: "1510", RIFLE2: "1910", TRUCK: "1705"}
    table = Table("axis-movement", units, steps={TRUCK: 1})
    found = Declarations(taught(table).view(table.state, AXIS))
    choice: Choice = {
        (table.cell("1510"),): frozenset((table.unit(INF),)),
        (table.cell("1910"),): frozenset((table.unit(INF2),)),
    }
    worths = [found.worth(*attack) for attack in choice.items()]
    gains = [w.fed - w.unfed for w in worths]
    assert min(gains) > 0
    truck = table.unit(TRUCK)
    assert found.total(choice, {truck: 1}) == pytest.approx(sum(w.unfed for w in worths) + max(gains))
    assert found.total(choice, {truck: 2}) == pytest.approx(sum(w.fed for w in worths))


@rule("typhoon", "6.5.5")
def test_each_attack_draws_from_a_counter_that_reaches_it() -> None:
    """Whoever has two counters leaves the one that others need to them."""
    assert supplied([(2.0, (7, 8)), (1.0, (7,))], {7: 1, 8: 1}) == {0: 8, 1: 7}
    assert supplied([(2.0, (7,)), (1.0, (7,))], {7: 1, 8: 1}) == {0: 7}
    assert supplied([(2.0, (7,)), (1.0, (7,))], {7: 2}) == {0: 7, 1: 7}
    assert supplied([(0.0, (7,))], {7: 1}) == {}


def test_nobody_attacks_against_the_odds() -> None:
    table = Table("axis-movement", {INF: "1509", RIFLE: "1510", RIFLE2: "1510"}, steps={INF: 1})
    assert taught(table).plan_attack(table.state, AXIS) is None


def test_what_an_attack_promises_grows_with_those_who_make_it() -> None:
    units = {INF: "1509", INF2: "1509", RIFLE: "1510", TRUCK: "1505"}
    table = Table("axis-movement", units)
    view, cell = taught(table).view(table.state, AXIS), table.cell("1510")
    one = promise(view, Attack((cell,), (table.unit(INF),)), (), True)
    two = promise(view, Attack((cell,), (table.unit(INF), table.unit(INF2))), (), True)
    assert two > one
    then = table.state.clone()
    declare(table.game, then, Attack((cell,), (table.unit(INF),)))
    assert then.attacks and not table.state.attacks


@rule("typhoon", "3.2.1")
def test_a_plan_puts_no_more_than_ten_points_on_a_hex() -> None:
    table = Table("axis-movement", dict.fromkeys((INF, INF2, "g-256-inf"), "1506") | {RIFLE: "1510"})
    plan = taught(table).plan_movement(table.state, AXIS)
    assert plan is not None
    first, second, third = range(3)
    cell = next(c for c in plan.places(first) if c in plan.places(second) and c in plan.places(third)[1:])
    plan.put(first, cell)
    assert plan.gain(second, cell) > NEVER
    plan.put(second, cell)
    assert plan.gain(third, cell) == NEVER, "three divisions of four points"


GUN = "s-392-gun-regt"


@rule("typhoon", "7.8")
def test_a_stack_that_is_strong_enough_overruns() -> None:
    """A panzer regiment with its infantry against guns alone; not in rain, nor where the stack can attack
    them as well."""
    mobile = dict.fromkeys((PANZER, SR, "g-6-pz-sr-114"), "1508")
    table = Table("axis-motorised", {**mobile, GUN: "1510"})
    plan = taught(table).strike(table.state, AXIS)
    assert plan is not None and plan.actions[-1] == ("overrun", table.cell("1510"))
    table.do(*(" ".join(table.game.encode(action)) for action in plan.actions))
    rain = Table("axis-motorised", {**mobile, GUN: "1510"}, weather="rain")
    assert taught(rain).strike(rain.state, AXIS) is None
    before = Table("axis-movement", {**mobile, GUN: "1510"})
    assert taught(before).strike(before.state, AXIS) is None


@rule("typhoon", "7.8")
def test_nobody_overruns_who_is_too_strong() -> None:
    table = Table("axis-movement", {PANZER: "1509", RIFLE: "1510", RIFLE2: "1510"})
    assert taught(table).strike(table.state, AXIS) is None


def test_a_hex_that_would_be_empty_could_be_walked_into() -> None:
    """Who holds the only way in counts for it, though the enemy cannot enter as long as he stands there."""
    table = Table("axis-movement", {INF: "1508", RIFLE: "1510"})
    view = taught(table).view(table.state, SOVIET)
    assert view.landing >> table.cell("1510") & 1
    far = Table("axis-movement", {INF: "1102", RIFLE: "2818"})
    assert not taught(far).view(far.state, SOVIET).landing >> far.cell("2818") & 1


@rule("typhoon", "10.1.5", "8.8.1")
def test_guns_support_who_is_attacked_and_a_place_is_held() -> None:
    units = {INF: "1509", INF2: "1411", RIFLE: "1510", RIFLE2: "1510", GUN: "1512", "s-16a": "1512"}
    table = Table("axis-movement", units)
    table.attack("1510", INF, INF2)
    table.do("end")
    while table.asked in ("lay-interdiction", "lay-opposition"):
        table.do("done")
    assert table.asked == "react"
    answer = taught(table).weigh(table.state, SOVIET)
    assert answer == ("back", table.unit(GUN), table.cell("1510"))
    table.do(" ".join(table.game.encode(answer)))
    assert table.state.attacks[0].guns == (table.unit(GUN),)
    again = taught(table).weigh(table.state, SOVIET)
    assert again in (("hold", table.cell("1510")), ("end",))


@rule("typhoon", "17.2.2")
def test_a_step_of_armour_is_worth_what_the_scenario_counts() -> None:
    game, found, points = real_game(), {}, {}
    for scenario in ("learning", "campaign", "yelets"):
        state = game.start(scenario)
        view = doctrine().view(state, AXIS)
        points[scenario] = view.point
        tank, foot = game.unit_index(PANZER), game.unit_index(SR)
        found[scenario] = view.worth_of(tank, 1) - 13 / 6
        assert view.worth_of(foot, 1) == pytest.approx(10 / 6)
    assert found["learning"] == pytest.approx(points["learning"])
    assert found["campaign"] == pytest.approx(points["campaign"] / 5)
    assert found["yelets"] == pytest.approx(0)


@rule("typhoon", "17.2")
def test_a_point_of_victory_is_worth_more_the_nearer_the_end() -> None:
    game, common = real_game(), doctrine().numbers["plan"]["common"]
    state = game.start("yelets")
    found = {}
    for turn in (26, 30, 35):
        state.turn = turn
        found[turn] = doctrine().view(state, AXIS).point
    assert found[26] < found[30] < found[35] == pytest.approx(common["place"] * common["late"])
    assert doctrine().view(game.start("campaign"), AXIS).point == pytest.approx(common["place"])


@rule("typhoon", "17.2.1")
def test_on_the_last_turn_the_axis_holds_what_counts() -> None:
    """Places count with a unit in them: on the last turn one that is left is not ours any more."""
    game = real_game()
    state = game.start("learning")
    cell = game.board.cell("P4811")
    state.soviet_hexes &= ~(1 << cell)
    assert doctrine().view(state, AXIS).mine >> cell & 1
    state.turn = game.outline(state).last
    assert not doctrine().view(state, AXIS).mine >> cell & 1


@rule("typhoon", "8.8.1", "8.8.3", "13.1.2", "13.5.2")
def test_planners_know_who_may_stand_fast() -> None:
    units = {RIFLE: "1510", INF: "1509", "s-16a": "1512", RIFLE2: "2010", "s-34-nkvd-regt": "2515"}
    table = Table("axis-movement", units, hexes={"1510": "woods", "2515": "village"})
    view: Outlook = taught(table).view(table.state, AXIS)

    def stance(unit: str) -> Stance:
        return view.stance(1 << table.unit(unit), 1 << table.cell(units[unit]))

    assert stance(RIFLE) == (True, False, 1), "told by a headquarters, and a step in woods"
    assert stance(RIFLE2)[:2] == (False, False), "nobody tells it"
    assert stance("s-34-nkvd-regt") == (True, True, 2), "it does not leave a village"
    assert stance(INF) == (True, False, 1), "the Axis may always, for a step"


def test_whoever_may_stand_fast_loses_no_place_by_a_retreat_but_beginners_think_so() -> None:
    units = {RIFLE: "1510", RIFLE2: "1510", INF: "1509", "s-16a": "1512"}
    table = Table("axis-movement", units)
    view = taught(table).view(table.state, AXIS)
    face, cells = table.state.fighters(SOVIET, table.cell("1510")), 1 << table.cell("1510")
    expert = view.suffered(face, cells, 3, False, 50.0, 1.0)
    view.plain = True
    assert expert < view.suffered(face, cells, 3, False, 50.0, 1.0) / 2


@rule("typhoon", "10.1")
def test_a_plan_counts_the_guns_that_can_come_and_beginners_do_not() -> None:
    table = Table("axis-movement", {INF: "1509", RIFLE: "1510", "g-harko-2": "1505"})
    plan = taught(table).plan_movement(table.state, AXIS)
    assert plan is not None
    target = next(t for t in plan.targets if t.cell == table.cell("1510"))
    stack = plan.units.index(table.unit(INF))
    assert plan.view.gunfire(target.cell) > 0
    plan.view.points, plan.view.fed = 1, table.game.board.everywhere
    with_guns = plan.column(target, [stack])
    plan.view.plain = True
    assert plan.column(target, [stack]) < with_guns


@rule("typhoon", "7.6", "6.5.5")
def test_a_train_brings_supply_to_those_who_attack() -> None:
    rails = {f"15{row:02d}/15{row + 1:02d}": "rail" for row in range(1, 20)}
    axis = [f"15{row:02d}" for row in range(1, 16)]
    units = {TRUCK: "1501", INF: "1617", INF2: "1517", RIFLE: "1619"}
    table = Table("axis-movement", units, sides=rails, axis_rail=axis, rail=1)
    plan = taught(table).strike(table.state, AXIS)
    assert plan is not None and plan.actions[0] == ("entrain", table.unit(TRUCK))
    table.do(*(" ".join(table.game.encode(action)) for action in plan.actions))
    assert int(table.where(TRUCK)[2:]) >= 12
    assert taught(table).strike(table.state, AXIS) is None, "no room is left on trains"


@rule("typhoon", "6.5.1", "6.5.4")
def test_supply_comes_in_lorries_as_long_as_there_are_any() -> None:
    game, seed = real_game(), "lorries"
    state = game.start("learning")
    game.settle(state, seed)
    assert game.decision(state).name == "place-supply-axis"  # type: ignore[union-attr]
    answer = doctrine().weigh(state, AXIS)
    assert answer is not None and game.units[answer[1]].kind == "supply_truck"


def test_beginners_neither_react_nor_fly_and_see_no_pockets() -> None:
    table = Table("axis-movement", {INF: "1509", RIFLE: "1510", TRUCK: "1505"})
    novice = taught(table).simple
    view = novice.view(table.state, AXIS)
    answers = novice.answers
    assert answers["react"](view, [("react", 1), ("hold", 2), ("end",)], None) == ("end",)
    assert answers["lay-support"](view, [("aim", 5), ("fly", 1), ("done",)], None) == ("done",)
    plan, taught_plan = (
        novice.plan_movement(table.state, AXIS),
        taught(table).plan_movement(table.state, AXIS),
    )
    assert plan is not None and taught_plan is not None
    assert not plan.terms and {"ring", "yielding", "front"} <= {term.name for term in taught_plan.terms}
