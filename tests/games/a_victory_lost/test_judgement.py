"""What the players hold to be so is so by the rules: supply, zones, reach and retreat."""

from __future__ import annotations

from random import Random

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.odds import total_attack, total_defence
from grognard.games.a_victory_lost.rules.reinforcements import railheads
from grognard.games.a_victory_lost.rules.retreat import passable
from grognard.games.a_victory_lost.rules.supply import fed_hexes, supplied_hexes
from grognard.games.a_victory_lost.staff.outlook import Lore, Outlook
from grognard.games.a_victory_lost.staff.plan import VictoryPlan
from grognard.games.a_victory_lost.state import AXIS, SOVIET, TO_COME, VictoryState
from grognard.kernel.doctrine import NEVER
from grognard.mechanics.control import zone
from grognard.staff.terms import Once
from tests.games.a_victory_lost.table import Table, real_game
from tests.games.a_victory_lost.test_planning import best_places, movements, plan_of, taught
from tests.rules import rule

GAME = "a_victory_lost"


@rule(GAME, "10.1.2")
def test_who_would_be_in_supply_is_in_supply_when_he_stands_there() -> None:
    """Every hex that a unit might go to, in positions of a game: judged before he goes as the rules judge it
    when he has gone, his old hex given up."""
    game = real_game()
    random = Random("supply")
    asked = beside_the_enemy = wrong = 0
    for state in movements()[::2]:
        for side in (AXIS, SOVIET):
            thought = fed_hexes(game, state, side)
            lines = supplied_hexes(game, state, side)
            units = [u for u in each(game.units_of[side] & ~state.hqs) if state.where[u] >= 0]
            for unit in random.sample(units, 6):
                near = game.board.within((state.where[unit],), 3)
                for cell in each(near & game.data.land & ~state.occupied[1 - side]):
                    trial = state.clone()
                    trial.place(unit, cell)
                    true = bool(supplied_hexes(game, trial, side) >> cell & 1)
                    held = bool(thought >> cell & 1)
                    asked += 1
                    beside_the_enemy += held and not lines >> cell & 1
                    wrong += held != true
    assert asked > 2000
    assert beside_the_enemy > 100
    # Whoever goes may take the line with him that passed through his old hex.
    assert wrong / asked < 0.01


@rule(GAME, "10.1.2")
def test_a_hex_next_to_the_enemy_and_beside_a_line_is_fed() -> None:
    table = Table("soviet-movement", {"su-1": "1208", "ge-385": "1008"})
    cell = table.cell("1108")
    assert not supplied_hexes(table.game, table.state, SOVIET) >> cell & 1
    assert fed_hexes(table.game, table.state, SOVIET) >> cell & 1


def carried_out(plan: VictoryPlan) -> VictoryState:
    """The position with everybody where the plan has him."""
    plan.worth()  # whoever was lifted for a look is put back
    then = plan.state.clone()
    for stack, (unit,) in enumerate(plan.stacks):
        if plan.place(stack) >= 0:
            then.place(unit, plan.place(stack))
    return then


@rule(GAME, "6.0.1", "9.5.3")
def test_zones_and_ways_back_are_those_of_the_rules() -> None:
    """When a plan is carried out: what it covers is what our units hold or have in their zones, and a target
    has as many ways back as the rules leave it."""
    game, targets, shut = real_game(), 0, 0
    for state in movements()[::2]:
        plan, side = plan_of(state), state.active
        list(best_places(plan))
        then = carried_out(plan)
        covered = zone(game, then, side) | then.fighters[side]
        for cell in each(game.data.land):
            assert bool(plan.cover[cell]) == bool(covered >> cell & 1)
        for target in plan.targets:
            unit = each(target.face)[0]
            open_ = [
                there
                for there in game.board.adjacent[target.cell]
                if passable(game, then, unit, target.cell, there, target.cell) and not covered >> there & 1
            ]
            assert target.exits == min(2, len(open_))
            targets += 1
            shut += not open_
    assert targets > 60
    assert shut


@rule(GAME, "11.1.1")
def test_a_city_is_kept_from_enemy_trains_by_whoever_the_plan_counts_on() -> None:
    """One of those who move, put where the plan thinks he closes a line or does not, the others away: the
    city is a railhead of the enemy or is none."""
    game, random = real_game(), Random("trains")
    kept = open_ = 0
    for state in movements():
        plan, side = plan_of(state), state.active
        term = next((t for t in plan.terms if t.name == "rails"), None)
        if not isinstance(term, Once):
            continue
        away = state.clone()
        for unit in plan.units:
            away.place(unit, TO_COME)
        heads = railheads(game, away, 1 - side)
        ours = each(game.cities(state) & plan.view.mine)
        cities = [city for city in ours if heads >> city & 1]
        stacks = [n for n in range(len(plan.stacks)) if not plan.hq[n] and plan.place(n) >= 0]
        places = sorted({c for n in stacks for c in plan.places(n)})
        unit = plan.units[stacks[0]]
        for cell in random.sample(places, min(60, len(places))):
            then = away.clone()
            then.place(unit, cell)
            after = railheads(game, then, 1 - side)
            saved = [city for city in cities if not after >> city & 1]
            assert saved == [ours[n] for n in term.brings.get(cell, ())]
            kept += len(saved)
            open_ += not saved
    assert kept > 5
    assert open_ > 50


def test_a_beginner_s_plan_is_still_the_sum_of_its_parts() -> None:
    """He does not think of command, lines and trains, nor of ways back."""
    for state in movements()[::6]:
        plan = plan_of(state)
        plan.simplify()
        assert set(plan.parts()) == {"places", "ground", "battles"}
        for stack in range(len(plan.stacks)):
            cell = plan.places(stack)[-1]
            before, gain = plan.worth(), plan.gain(stack, cell)
            if gain == NEVER:
                continue
            plan.put(stack, cell)
            assert abs(plan.worth() - before - gain) < 1e-6
        assert abs(plan.worth() - plan.afresh()) < 1e-6


@rule(GAME, "9.3.1")
def test_strengths_are_those_of_the_rules() -> None:
    game, seen = real_game(), 0
    for state in movements()[::2]:
        plan = plan_of(state)
        list(best_places(plan))
        then = carried_out(plan)
        for _, target in plan.attacks():
            units = [plan.units[stack] for stack in target.attackers]
            assert plan.mass(target, target.attackers) == total_attack(game, then, units, target.cell)
            assert plan.view.force(target.face).strength == total_defence(game, then, target.cell)
            seen += 1
    assert seen > 10


def test_the_enemy_s_reach_is_remembered_as_it_would_be_found_anew() -> None:
    """Floods of one position serve the next as long as nothing has changed where they went: position after
    position of a game, both sides in turn, with a memory that is kept and with a new one."""
    game = real_game()
    doctrine = taught(game)
    kept, numbers = doctrine.lore, doctrine.numbers
    for state in movements()[::6]:
        for side in (AXIS, SOVIET):
            known, anew = Outlook(kept, state, side), Outlook(Lore(game, numbers), state, side)
            assert known.landing == anew.landing
            assert known.threats.total == anew.threats.total
