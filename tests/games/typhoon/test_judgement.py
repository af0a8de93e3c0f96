"""What planners of Typhoon! hold to be so is so by the rules: supply, zones, reach and retreat."""

from __future__ import annotations

from random import Random

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.ground import armed, supplied_hexes, zone
from grognard.games.typhoon.rules.retreat import Retreat, Ways
from tests.games.typhoon.table import real_game
from tests.games.typhoon.test_staff import doctrine, movements
from tests.rules import rule
from tests.staff.planned import as_planned, marches

GAME = "typhoon"


@rule(GAME, "6.3")
def test_who_would_be_in_supply_is_in_supply_when_he_stands_there() -> None:
    """Hexes near units, judged before they go as the rules judge them when they have gone."""
    game, random = real_game(), Random("supply")
    asked = beside_the_enemy = 0
    for side, state in movements():
        view = doctrine().view(state, side)
        units = [u for u in view.ours() if not (game.hqs | game.supplies) >> u & 1]
        for unit in random.sample(units, min(6, len(units))):
            near = game.board.within((state.where[unit],), 3) & game.outline(state).area
            for cell in each(near & ~view.foes):
                trial = state.clone()
                trial.place(unit, cell)
                held = view.depth[cell] == 0.0
                assert held == bool(supplied_hexes(game, trial, side) >> cell & 1)
                asked += 1
                beside_the_enemy += held and view.zones >> cell & 1
    assert asked > 500
    assert beside_the_enemy > 50


@rule(GAME, "7.3")
def test_a_unit_gets_where_a_plan_sends_it() -> None:
    game, random, asked = real_game(), Random("reach"), 0
    for side, state in movements():
        plan = doctrine().plan_movement(state, side)
        for stack in range(len(plan.stacks)) if plan is not None else ():
            asked += marches(game, doctrine(), state, side, plan, stack, random)
    assert asked > 80


@rule(GAME, "3.3", "8.6.2")
def test_zones_and_ways_back_are_those_of_the_rules() -> None:
    """When a plan is carried out: what it does not cover is out of our zones, hexes of headquarters apart,
    and a target has as many ways back as the rules leave it, but where units of ours stand that have no
    zone: there it may have more."""
    game, targets, differing = real_game(), 0, 0
    for side, state in movements():
        plan = doctrine().plan_movement(state, side)
        if plan is None:
            continue
        plan.climb(1)
        plan.worth()  # whoever was lifted last to be looked at is put back
        then = as_planned(state, plan)
        covered = zone(game, then, side) | armed(then, side)
        thought = bits(cell for cell in each(game.outline(state).area) if plan.cover[cell])
        for cell in each(covered & game.outline(state).area & ~thought):
            assert then.own(side, cell) & game.hqs
        for target in plan.targets:
            unit = each(target.face)[0]
            ways = Ways(game, then, Retreat((unit,), 1, 1 - side, zones=False), (unit,))
            open_ = [c for c in game.board.adjacent[target.cell] if ways.step_open(target.cell, c, ())]
            assert target.exits <= min(2, len(open_))
            if not bits(target.ways) & thought & ~covered:
                assert target.exits == min(2, len(open_))
            else:
                differing += 1
            targets += 1
    assert targets - differing >= 4
