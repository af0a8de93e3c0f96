"""What planners are taught of A Victory Lost: sums that hold, ways that can be gone, good sense in plain
positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from grognard.board.board import bits, each
from grognard.games.a_victory_lost import AVictoryLost
from grognard.games.a_victory_lost.rules.reach import within_reach
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.staff.doctrine import VictoryDoctrine
from grognard.games.a_victory_lost.staff.plan import VictoryPlan
from grognard.games.a_victory_lost.state import AXIS, SOVIET, VictoryState
from grognard.kernel import Refusal
from grognard.kernel.doctrine import NEVER, Intent, Plan
from grognard.players import seat
from grognard.staff import intents
from tests.games.a_victory_lost.table import Table, real_game

TURNS = 3


@cache
def movements() -> tuple[VictoryState, ...]:
    """The first positions of some movement phases, of a game in which every answer is a legal one."""
    game = real_game()
    state = game.start("campaign")
    game.settle(state, "planning")
    seats = [seat("commander", f"planning/{side}") for side in game.sides]
    random = Random("planning/imagine")
    found: list[VictoryState] = []
    while (side := game.actor(state)) is not None and state.turn <= TURNS:
        if state.frames[-1][:2] == ("movement", "pick") and not state.moved:
            found.append(state.clone())
        action = seats[side].choose(game, game.imagine(state, side, random), side)
        assert game.refuse(state, action) is None
        game.apply(state, action)
        game.settle(state, "planning")
    return tuple(found)


def taught(game: AVictoryLost) -> VictoryDoctrine:
    assert isinstance(game.doctrine, VictoryDoctrine)
    return game.doctrine


def plan_of(state: VictoryState) -> VictoryPlan:
    plan = taught(real_game()).plan_movement(state, state.active)
    assert isinstance(plan, VictoryPlan)
    return plan


def of(table: Table) -> VictoryPlan:
    plan = taught(table.game).plan_movement(table.state, table.state.active)
    assert isinstance(plan, VictoryPlan)
    return plan


def best_places(plan: VictoryPlan) -> Iterator[tuple[int, int]]:
    """Climb until nobody finds a better place, as the simplest planner does."""
    for _ in range(4):
        for stack in range(len(plan.stacks)):
            best = max(plan.places(stack), key=lambda cell, s=stack: plan.gain(s, cell))  # type: ignore[misc]
            if plan.gain(stack, best) > 1e-6:
                plan.put(stack, best)
    for stack, units in enumerate(plan.stacks):
        yield units[0], plan.place(stack)


# The planning table


def test_both_sides_planned_and_moved() -> None:
    assert {state.active for state in movements()} == {AXIS, SOVIET}


def test_a_gain_is_the_difference_of_two_worths_and_a_look_changes_nothing() -> None:
    """Without exception, and the sum that is kept is the sum worked out from nothing."""
    random = Random("gains")
    looks = 0
    for state in movements()[::3]:
        plan = plan_of(state)
        assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)
        for _ in range(60):
            stack = int(random.random() * len(plan.stacks))
            places = plan.places(stack)
            cell = places[int(random.random() * len(places))]
            if random.random() < 0.5:
                cell = max(places, key=lambda c: plan.gain(stack, c))
            before = plan.worth()
            gain = plan.gain(stack, cell)
            assert plan.worth() == pytest.approx(before, abs=1e-9)
            if gain == NEVER:
                continue
            plan.put(stack, cell)
            assert plan.place(stack) == cell
            assert plan.worth() - before == pytest.approx(gain, abs=1e-9)
            assert plan.worth() == pytest.approx(plan.afresh(), abs=1e-6)
            looks += 1
    assert looks > 100


def test_what_is_remembered_of_places_is_what_a_fresh_look_says() -> None:
    random, better = Random("memory"), 0
    state = max(movements(), key=lambda state: len(plan_of(state).stacks))
    plan = plan_of(state)
    for number in range(40):
        stack = int(random.random() * len(plan.stacks))
        cell = plan.places(stack)[int(random.random() * len(plan.places(stack)))]
        if plan.gain(stack, cell) > NEVER:
            plan.put(stack, cell)
        if number % 8:
            continue
        said = [plan.best(s) for s in range(len(plan.stacks))]
        plan.put(stack, plan.places(stack)[0])
        fresh = plan_of(state)
        fresh.restore(plan.save())
        for other, (gain, _) in enumerate(said):
            gains = [fresh.gain(other, c) for c in fresh.places(other)]
            assert [plan.gain(other, c) for c in plan.places(other)] == pytest.approx(gains, abs=1e-9)
            assert plan.best(other)[0] == pytest.approx(max(gains) if max(gains) > 1e-6 else 0.0, abs=1e-9)
            better += gain > 0
    assert better > 10


def test_a_plan_is_worth_the_same_however_it_came_about() -> None:
    """What is kept in step with every move equals what is worked out afresh."""
    random = Random("afresh")
    state = movements()[-1]
    plan = plan_of(state)
    for _ in range(60):
        stack = int(random.random() * len(plan.stacks))
        cell = plan.places(stack)[int(random.random() * len(plan.places(stack)))]
        if plan.gain(stack, cell) > NEVER:
            plan.put(stack, cell)
    aims = [aim for _, aim in plan.save()]
    other = plan_of(state)
    other.restore(tuple(zip([plan.place(s) for s in range(len(plan.stacks))], aims, strict=True)))
    assert other.worth() == pytest.approx(plan.worth(), abs=1e-9)


def test_a_plan_can_be_put_back_as_it_was() -> None:
    plan = plan_of(movements()[-1])
    before, saved = plan.worth(), plan.save()
    list(best_places(plan))
    assert plan.worth() > before
    plan.restore(saved)
    assert plan.worth() == pytest.approx(before, abs=1e-9)
    assert plan.save() == saved


def test_the_first_place_is_where_a_unit_stands_and_no_hex_is_overfull() -> None:
    game = real_game()
    for state in movements()[::4]:
        plan = plan_of(state)
        for stack, units in enumerate(plan.stacks):
            assert plan.places(stack)[0] == max(-1, state.where[units[0]])
        heads: dict[int, int] = {}
        for unit, cell in best_places(plan):
            if not game.units[unit].hq:
                heads[cell] = heads.get(cell, 0) + 1
        for cell, count in heads.items():
            still = state.fighters_at(cell) & ~state.activated
            assert cell < 0 or count + still.bit_count() <= game.stacking


# Ways


def test_floods_find_what_the_adviser_finds() -> None:
    game = real_game()
    random = Random("reach")
    for state in movements()[::2]:
        ready = [u for u in each(state.activated) if state.where[u] >= 0]
        for unit in {ready[int(random.random() * len(ready))] for _ in range(4)}:
            ways = taught(game).adviser.reach(state, (unit,))
            assert not isinstance(ways, Refusal)
            assert not bits(ways) & ~within_reach(game, state, unit)


def test_a_march_brings_a_unit_where_it_was_sent() -> None:
    game = real_game()
    random = Random("march")
    marches = set()
    for state in movements()[::2]:
        plan = plan_of(state)
        for _ in range(6):
            stack = int(random.random() * len(plan.stacks))
            cell = plan.places(stack)[int(random.random() * len(plan.places(stack)))]
            (unit,) = plan.stacks[stack]
            if cell == plan.places(stack)[0]:
                continue
            script = taught(game).march(state, (unit,), cell)
            if script is None:
                assert not has_room(game, state, unit, cell)
                continue
            trial = state.clone()
            for action in script:
                if action == ("halt",) and trial.frames[-1][0] != "move":
                    break  # it has been set down already
                if trial.displaced:
                    break  # an HQ has been overrun: its owner is asked first
                assert game.refuse(trial, action) is None
                game.apply(trial, action)
            assert trial.displaced or trial.where[unit] == cell
            marches.add(script[0][0])
    assert {"pick", "march"} <= marches


def test_a_road_takes_a_column_farther_than_the_fields() -> None:
    road = {f"{a:02}08/{a + 1:02}08": "road" for a in range(4, 20)}
    table = Table("axis-movement", {"ge-385": "0408"}, sides=road)
    unit = table.unit("ge-385")
    script = taught(table.game).march(table.state, (unit,), table.cell("1408"))
    assert script is not None
    assert script[0] == ("march", unit)


def test_an_army_leaves_its_box() -> None:
    table = Table("axis-movement", {"su-1": "2008"}, in_box=["ge-3pz", "hq-1pza"])
    plan = of(table)
    assert plan.places(0)[0] == -1
    for unit, cell in best_places(plan):
        assert cell >= 0
        script = taught(table.game).march(table.state, (unit,), cell)
        assert script is not None
        assert script[0][0] == "enter"


# Good sense


def test_an_open_city_is_taken() -> None:
    table = Table("soviet-movement", {"su-1gm": "0308", "su-1": "1808", "ge-385": "2012"})
    places = dict(best_places(of(table)))
    assert table.game.data.cities >> places[table.unit("su-1gm")] & 1


def test_a_menaced_city_is_not_left() -> None:
    table = Table("axis-movement", {"ge-385": "0106", "su-1gm": "0506", "hq-1gda": "0606"})
    assert dict(best_places(of(table)))[table.unit("ge-385")] == table.cell("0106")


def test_many_go_together_against_one() -> None:
    table = Table(
        "soviet-movement",
        {"su-1": "1208", "su-153": "1209", "su-195": "1207", "su-203": "1206", "ge-385": "1008"},
    )
    joints = of(table).concentrations()
    assert joints[0].target == table.cell("1008")
    assert len(joints[0].moves) == 4


def test_a_strong_attack_is_made_and_a_hopeless_one_is_not() -> None:
    table = Table("soviet-combat", {"su-1gm": "1008", "su-2gm": "1007", "ge-385": "0908"})
    plan = taught(table.game).plan_attack(table.state, SOVIET)
    assert isinstance(plan, Plan)
    assert plan.actions[0] == ("target", table.cell("0908"))
    assert set(plan.units) == {table.unit("su-1gm"), table.unit("su-2gm")}
    table = Table("axis-combat", {"su-1gm": "1008", "su-2gm": "1008", "ge-385": "0908"})
    assert taught(table.game).plan_attack(table.state, AXIS) is None


def test_who_can_attack_two_hexes_attacks_one() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "su-2gm": "1008", "su-3gm": "1007", "hu-6": "0907", "hu-7": "0909"},
    )
    taught_ = taught(table.game)
    plan = taught_.plan_combat(table.state, SOVIET)
    attacks = taught_.attacks(plan, SOVIET)
    stacks = [stack for attack in attacks for stack in attack.stacks]
    assert len(attacks) == 2
    assert len(stacks) == len(set(stacks))


def test_the_cheapest_step_is_lost() -> None:
    table = Table("soviet-combat", {"su-1gm": "1008", "su-1": "1008", "ge-385": "0908", "ge-387": "0908"})
    table.do("target 0908", "join su-1gm", "join su-1", "fight", "roll 1")
    assert table.asked == "lose-step"
    assert taught(table.game).weigh(table.state, SOVIET) == ("lose", table.unit("su-1"))


def test_victors_walk_into_a_city() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "0206", "ge-22pz": "0106"},
        strengths={"su-1gm": "50-9", "ge-22pz": "1-1/-"},
    )
    table.do("target 0106", "join su-1gm", "fight", "roll 6")
    assert table.asked == "advance-unit"
    assert taught(table.game).weigh(table.state, SOVIET) == ("advance", table.unit("su-1gm"))


# What it says


def five_of(level: str, seed: str) -> frozenset[int]:
    """The HQs whose chits a Soviet player takes for the whole game."""
    game = real_game()
    state = game.start("campaign")
    game.settle(state, seed)
    player = seat(level, seed)
    while (decision := game.decision(state)) is not None and decision.name == "choose-five":
        game.apply(state, player.choose(game, state, SOVIET), SOVIET)
    return frozenset(game.chits[chit].hq for chit in each(state.pool[SOVIET] & ~game.stavka))


def test_a_veteran_takes_armies_that_are_there_but_not_always_the_same() -> None:
    state = real_game().start("campaign")
    taken = {level: [five_of(level, f"five-{n}") for n in range(12)] for level in ("regular", "veteran")}
    there = {
        level: [sum(state.on_map(hq) for hq in five) for five in fives] for level, fives in taken.items()
    }
    assert set(there["veteran"]) == {5}
    assert len(set(taken["veteran"])) > 2
    assert min(there["regular"]) < 5


def test_every_intent_speaks_both_languages() -> None:
    game = real_game()
    source = Path(intents.__file__).read_text(encoding="utf-8")
    codes = set(re.findall(r'"((?:take|assault)-place|attack|cut-off|hold-line)"', source))
    codes |= {code for code in (*VictoryPlan.ahead, *VictoryPlan.back) if code is not None}
    assert codes == set(game.catalogue.codes("intents"))
    city = each(game.data.cities)[0]
    for code in sorted(codes):
        intent = Intent(code, {"hex": city, "number": 3, "units": (10, 11)})
        sentences = {game.declare(intent, language) for language in ("en", "fr")}
        assert len(sentences) == 2
        assert not any("{" in sentence for sentence in sentences)


def test_a_plan_says_what_it_is_about() -> None:
    codes = {plan_of(state).intent().code for state in movements()}
    assert codes <= set(real_game().catalogue.codes("intents"))
    assert len(codes) > 1
