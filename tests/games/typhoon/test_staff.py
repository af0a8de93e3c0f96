"""What planners are taught of Typhoon!: facts that are those of the rules, sums that hold, attacks that leave
nobody unattacked who must be."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from grognard.games.typhoon.rules.declaring import Attack, declare, unmet
from grognard.games.typhoon.rules.odds import Clash, reckon
from grognard.games.typhoon.staff.doctrine import TyphoonDoctrine
from grognard.games.typhoon.staff.outlook import code_of
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.kernel.doctrine import NEVER
from grognard.players import seat
from tests.games.typhoon.table import Table, real_game
from tests.rules import rule

INF, INF2, PANZER, SR, TRUCK = "g-251-inf", "g-102-inf", "g-6-pz-pzr-11", "g-6-pz-sr-4", "g-supply-truck-1"
RIFLE, RIFLE2 = "s-126-rd", "s-133-rd"


@cache
def movements() -> tuple[tuple[int, TyphoonState], ...]:
    """The positions at which units begin to move in the first turn of the learning scenario."""
    game, seed = real_game(), "staff"
    state = game.start("learning")
    game.settle(state, seed)
    seats, random = [seat("greedy", f"{seed}/{side}") for side in game.sides], Random(seed)
    found: list[tuple[int, TyphoonState]] = []
    while (side := game.actor(state)) is not None and state.turn < 4:
        decision = game.decision(state)
        if decision is not None and decision.name == "pick-unit" and not state.moved and not state.attacks:
            found.append((side, state.clone()))
        game.apply(state, seats[side].choose(game, game.imagine(state, side, random), side))
        game.settle(state, seed)
    return tuple(found)


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
    table = Table("axis-movement", {INF: "1509", INF2: "1410", RIFLE: "1510", TRUCK: "1505"})
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


def test_nobody_attacks_against_the_odds() -> None:
    table = Table("axis-movement", {INF: "1509", RIFLE: "1510", RIFLE2: "1510"}, steps={INF: 1})
    assert taught(table).plan_attack(table.state, AXIS) is None


def test_what_an_attack_promises_grows_with_those_who_make_it() -> None:
    units = {INF: "1509", INF2: "1509", RIFLE: "1510", TRUCK: "1505"}
    table = Table("axis-movement", units)
    teacher, cell = taught(table), table.cell("1510")
    one = teacher.promise(table.state, Attack((cell,), (table.unit(INF),)))
    two = teacher.promise(table.state, Attack((cell,), (table.unit(INF), table.unit(INF2))))
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
