"""What planners of Second Front hold to be so is so by the rules: supply, reach, zones and retreat."""

from __future__ import annotations

from random import Random

from grognard.board.board import bits, each
from grognard.games.second_front.game import load
from grognard.games.second_front.rules.position import (
    piece,
    settle_ownership,
    situation,
    surroundings,
    zones_of,
)
from grognard.games.second_front.rules.retreat import Grade, exits, grade
from grognard.games.second_front.rules.supply import traced
from grognard.games.second_front.rules.upkeep import regular_sources
from tests.games.second_front.test_staff import doctrine, movements
from tests.rules import rule
from tests.staff.planned import as_planned, marches

GAME = "second_front"


@rule(GAME, "12A", "12B")
def test_who_is_thought_to_be_in_supply_is_when_he_stands_there() -> None:
    """Hexes near units, judged before they go as the rules judge them when they have gone, those in enemy
    zones, too, which whoever goes there opens for his line."""
    game, random, asked, opened = load(), Random("supply"), 0, 0
    for side, state in movements():
        view = doctrine().view(state, side)
        for unit in random.sample(view.ours(), 5):
            near = game.board.within((state.where[unit],), 2) & view.lore.land & ~view.foes
            for cell in each(near):
                trial = state.clone()
                trial.place(unit, cell)
                settle_ownership(game, trial)
                lines = traced(situation(game, trial, side), regular_sources(game, trial, side))
                fed = bool(lines >> cell & 1)
                assert (view.depth[cell] == 0.0) is fed
                as_it_is = traced(situation(game, state, side), regular_sources(game, state, side))
                opened += fed and not as_it_is >> cell & 1
                asked += 1
    assert asked > 200 and opened > 20


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
    """When a plan is carried out: a target has as many ways back as the rules leave the unit that is worth
    most out of our zones, those next to units of ours that have no zone apart. Hexes of its own side are
    among them."""
    game, targets, differing, behind = load(), 0, 0, 0
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
            view = plan.view
            dearest = max(each(target.face), key=lambda u: (view.weight(u, view.steps_of(u)), u))
            beaten = piece(game, then, dearest)
            found = exits(around, beaten, target.cell)
            found = [cell for cell in found if grade(around, beaten, cell) != Grade.ENEMY_ZONE]
            behind += any(then.occupied[1 - side] >> cell & 1 for cell in found)
            if bits(target.ways) & thought & ~covered:
                differing += 1
            else:
                assert target.exits == min(2, len(found))
            targets += 1
    assert targets - differing >= 4 and behind
