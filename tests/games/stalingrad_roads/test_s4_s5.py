"""Scenarios IV and V: how they begin, and how they are won."""

from __future__ import annotations

from random import Random

import pytest

from grognard.board.board import each
from grognard.games.stalingrad_roads.game import StalingradRoads
from grognard.games.stalingrad_roads.rules.command import sources
from grognard.games.stalingrad_roads.rules.ground import take
from grognard.games.stalingrad_roads.rules.victory import backhand_verdict, cities_lost, verdict
from grognard.games.stalingrad_roads.state import (
    AXIS,
    IN_ITS_BOX,
    MAJOR,
    MINOR_B,
    ON_POINTS,
    SOVIET,
    STAVKA,
    RoadsState,
)
from tests.games.stalingrad_roads.table import Table, real_game
from tests.rules import rule


def begin(scenario: str, stop: str) -> tuple[StalingradRoads, RoadsState]:
    """Random answers until a question comes up."""
    game = real_game()
    state = game.start(scenario)
    random = Random(3)
    game.settle(state, "3")
    while (decision := game.decision(state)) is not None and decision.name != stop:
        side = sorted(game.must_act(state))[0]
        options = game.options(state, side)
        game.apply(state, ("pass",) if ("pass",) in options else random.choice(options), side)
        game.settle(state, "3")
    return game, state


@rule("stalingrad_roads", "S5.1", "S5.2", "S5.3", "S5.4", "S5.5")
def test_gallop_begins() -> None:
    game, state = begin("gallop", "place-offensives")
    assert state.turn == 11
    assert (state.mud, state.rivers) == (False, 2)
    assert state.superiority.bit_count() == 2
    assert (state.approval, state.manstein) == (5, 3)
    assert [game.in_box(state, box) for box in (STAVKA, MINOR_B)] == [10, 3]
    held = {
        game.supports[k].sort
        for k in range(len(game.supports))
        for box in range(4)
        if game.held(state, k, box)
    }
    assert not held & {"politics", "surrender", "shortage"}
    assert sum(game.held(state, k, 4) for k in range(len(game.supports))) == 2
    assert game.rail_points(state) == 4


@rule("stalingrad_roads", "17.2.3", "S5.2")
def test_in_gallop_a_division_comes_back_every_turn() -> None:
    game, state = begin("gallop", "place-free-division")
    # Stalingrad has fallen before play begins.
    assert (state.turn, state.active) == (11, AXIS)
    options = game.options(state, AXIS)
    units = {option[1] for option in options}
    assert units
    assert all(game.units[u].kind == "infantry" and not game.units[u].elite for u in units)
    game.apply(state, options[0], AXIS)
    assert state.steps[options[0][1]] == 1


@rule("stalingrad_roads", "S5.6", "S5.7")
def test_the_major_offensive_of_gallop_goes_west() -> None:
    game, state = begin("gallop", "place-offensives")
    launches = [action[1] for action in game.options(state) if action[0] == "launch"]
    assert launches
    assert all(game.data.west_of_donets >> cell & 1 for cell in launches)
    assert state.offensives[2] == IN_ITS_BOX
    # Lines reach sources beyond the area.
    assert any(not game.plan(state).area >> cell & 1 for cell in each(sources(game, state, SOVIET)))


@rule("stalingrad_roads", "S5.8")
def test_victory_in_gallop() -> None:
    game, state = begin("gallop", "place-offensives")
    cities = each(game.data.major_cities & ~game.data.stalingrad)
    before = cities_lost(game, state)
    fallen = [c for c in cities if not state.soviet_hexes >> c & 1]
    state.soviet_hexes |= 1 << fallen[0]
    assert cities_lost(game, state) >= before
    # A city that nobody holds is the Axis' still; one held by the starving is lost.
    empty = Table("axis-combat", {"hq-lanz": "0901", "s-45": "1335"}, scenario="gallop")
    assert cities_lost(empty.game, empty.state) == 0
    starving = Table("axis-combat", {"g-44": "0518", "s-45": "1335"}, scenario="gallop")
    assert cities_lost(starving.game, starving.state) == 1
    taken = Table("axis-combat", {"s-45": "0518"}, scenario="gallop")
    assert cities_lost(taken.game, taken.state) == 1
    state.ending = ON_POINTS
    for points, level in ((0, "axis-major"), (1, "axis-minor"), (2, "soviet-minor"), (3, "soviet-major")):
        state.points = points
        assert verdict(game, state).level == level


@rule("stalingrad_roads", "S4.1", "S4.2", "S4.4", "S4.5", "S4.6")
def test_backhand_blow_begins_with_the_axis() -> None:
    game, state = begin("backhand", "launch-backhand")
    assert state.turn == 13
    assert (state.mud, state.rivers) == (False, 2)
    assert state.superiority.bit_count() == 1
    assert [game.in_box(state, box) for box in (STAVKA, MAJOR)] == [1, 1]
    assert game.options(state) == [("backhand",)]
    reason = game.refuse(state, ("pass",))
    assert reason is not None and (reason.code, reason.case) == ("backhand-first", "S4.5")
    game.apply(state, ("backhand",))
    assert state.approval == 7


@rule("stalingrad_roads", "S4.3")
def test_soviet_replacements_in_backhand_blow() -> None:
    game, state = begin("backhand", "launch-backhand")
    assert game.replacement_points(state, SOVIET) == 0
    state.turn = 14
    assert game.replacement_points(state, SOVIET) == 2


@rule("stalingrad_roads", "S4.8", "S4.9")
@pytest.mark.parametrize(
    ("cities", "lost", "level"),
    [
        ((), (), "soviet-decisive"),
        (("2108",), (), "soviet-marginal"),
        (("2108", "1408", "1410"), (), "draw"),
        (("2108", "a", "b", "c"), (), "axis-marginal"),
        (("2108", "a", "b", "c", "d"), (), "axis-decisive"),
        (("2108", "a", "b", "c", "d"), ("x",), "axis-marginal"),
    ],
)
def test_victory_in_backhand_blow(cities: tuple[str, ...], lost: tuple[str, ...], level: str) -> None:
    game, state = begin("backhand", "launch-backhand")
    start = game.plan(state).soviet_hexes
    plain = game.data.city & ~game.data.major_cities & game.plan(state).area
    soviet = each(plain & start)
    state.soviet_hexes = start
    if cities:
        state.soviet_hexes &= ~(1 << game.board.cell("2108"))
    for number in range(len(cities) - 1):
        state.soviet_hexes &= ~(1 << soviet[number])
    for number in range(len(lost)):
        state.soviet_hexes |= 1 << each(plain & ~start)[number]
    assert backhand_verdict(game, state)[1] == level


@rule("stalingrad_roads", "S4.8")
def test_a_new_major_city_ends_backhand_blow() -> None:
    game, state = begin("backhand", "launch-backhand")
    new = next(c for c in each(game.data.major_cities) if not state.soviet_hexes >> c & 1)
    take(game, state, SOVIET, new)
    assert state.winner == SOVIET
    other, again = begin("backhand", "launch-backhand")
    take(other, again, AXIS, other.board.cell("2108"))
    take(other, again, SOVIET, new)
    assert again.winner == -1
