"""What planners of Second Front hold to be so is so by the rules: supply, reach, zones and retreat."""

from __future__ import annotations

from random import Random

from grognard.board.board import bits, each
from grognard.games.second_front.game import load
from grognard.games.second_front.rules.position import piece, situation, surroundings, zones_of
from grognard.games.second_front.rules.retreat import Grade, ways
from grognard.games.second_front.rules.supply import traced
from grognard.games.second_front.rules.upkeep import regular_sources
from tests.games.second_front.test_staff import doctrine, movements
from tests.rules import rule
from tests.staff.planned import as_planned, marches

GAME = "second_front"


@rule(GAME, "12B")
def test_who_is_thought_to_be_in_supply_is_when_he_stands_there() -> None:
    """Hexes near units, judged before they go as the rules judge them when they have gone. A hex in an enemy
    zone may be better than it looks: whoever goes there opens it for his line."""
    game, random, asked, better = load(), Random("supply"), 0, 0
    for side, state in movements():
        view = doctrine().view(state, side)
        for unit in random.sample(view.ours(), 5):
            near = game.board.within((state.where[unit],), 2) & view.lore.land & ~view.foes
            for cell in each(near):
                trial = state.clone()
                trial.place(unit, cell)
                lines = traced(situation(game, trial, side), regular_sources(game, trial, side))
                if view.depth[cell] == 0.0:
                    assert lines >> cell & 1
                elif lines >> cell & 1:
                    assert view.zones >> cell & 1
                    better += 1
                asked += 1
    assert asked > 200
    assert better < asked / 4


@rule(GAME, "6")
def test_a_unit_gets_where_a_plan_sends_it() -> None:
    game, random, asked = load(), Random("reach"), 0
    for side, state in movements():
        plan = doctrine().plan_movement(state, side)
        stacks = random.sample(range(len(plan.stacks)), min(12, len(plan.stacks))) if plan is not None else []
        for stack in stacks:
            asked += marches(game, doctrine(), state, side, plan, stack, random)
    assert asked > 60


@rule(GAME, "5", "9F1")
def test_zones_and_ways_back_are_those_of_the_rules() -> None:
    """When a plan is carried out: a target has as many ways back as the rules leave it out of our zones,
    hexes of its own side apart, on which a plan does not count, and those next to units of ours that have
    no zone."""
    game, targets, differing = load(), 0, 0
    for side, state in movements():
        plan = doctrine().plan_movement(state, side)
        if plan is None:
            continue
        plan.climb(1)
        then = as_planned(state, plan)
        covered = zones_of(game, then, side).all | then.occupied[side]
        thought = bits(cell for cell in each(plan.view.lore.land) if plan.cover[cell])
        around = surroundings(game, then, 1 - side)
        for target in plan.targets:
            beaten = piece(game, then, each(target.face)[0])
            found = [way for way in ways(around, beaten, target.cell) if way.grade != Grade.ENEMY_ZONE]
            found = [way for way in found if not then.occupied[1 - side] >> way.cell & 1]
            if bits(target.ways) & thought & ~covered:
                differing += 1
            else:
                assert target.exits == min(2, len(found))
            targets += 1
    assert targets - differing >= 4
