"""17.1, 17.2 Victory: places, losses, and the level that the points reach."""

from __future__ import annotations

import pytest

from grognard.games.typhoon.rules.victory import final_count, loss_points, lost_steps, place_points, verdict
from grognard.games.typhoon.state import (
    AXIS,
    CADRE,
    COMPROMISE,
    ELIMINATED,
    GONE,
    HITLER,
    HOEPNER,
    SOVIET,
    VON_BOCK,
)
from tests.games.typhoon.sky import AirTable
from tests.rules import rule


@rule("typhoon", "17.2.1", "17.3.1", "17.3")
def test_places_count_by_the_column_of_the_plan() -> None:
    table = AirTable("", units={"g-251-inf": "M2928"})
    found = {}
    for plan in (COMPROMISE, HITLER, VON_BOCK, HOEPNER):
        table.state.plan = plan
        found[plan] = place_points(table.game, table.state)
    assert found[VON_BOCK] > found[COMPROMISE] > found[HITLER] > found[HOEPNER] > 0
    assert place_points(table.game, AirTable("", units={"s-22a": "M2928"}).state) == 0
    assert place_points(table.game, AirTable().state) == 0, "a unit must be there"


@rule("typhoon", "17.2.1", "17.2")
def test_some_places_count_when_the_soviets_stand_there() -> None:
    table = AirTable("", scenario="yelets", turn=35)
    game, state = table.game, table.state
    cell, points = next((c, p) for c, _, side, p in game.outlines["yelets"].places if side == SOVIET)
    unit = game.unit_index("s-22a")
    state.place(unit, cell)
    assert place_points(game, state) == points < 0, "what the Soviets gain is taken off"


@rule("typhoon", "17.2.2")
def test_steps_of_armour_and_artillery_are_counted_on_the_map_and_in_the_boxes() -> None:
    table = AirTable("", units={"g-3-pz-pzr-6": "N3029"})
    game, state = table.game, table.state
    tanks, other, third = (game.unit_index(id_) for id_ in ("g-3-pz-pzr-6", "g-4-pz-pzr-35", "g-251-inf"))
    state.steps[tanks] = 1
    state.place(other, ELIMINATED)
    state.place(third, CADRE)
    heavy = (game.armour | game.guns) & game.units_of[AXIS]
    assert lost_steps(game, state, heavy) == game.units[tanks].steps - 1 + game.units[other].steps
    state.place(other, GONE)
    assert lost_steps(game, state, heavy) == game.units[tanks].steps - 1, "withdrawn units do not count"


def losses(soviet: int = 0, axis: int = 0, hqs: int = 0, plan: int = COMPROMISE) -> int:
    """The points of so many steps lost."""
    table = AirTable()
    game, state = table.game, table.state
    state.plan, state.hqs_lost = plan, hqs
    for side, count in ((SOVIET, soviet), (AXIS, axis)):
        heavy = [u for u in range(len(game.units)) if game.units_of[side] >> u & 1]
        alone = {u for elements in game.elements.values() for u in elements}
        guns = [u for u in heavy if (game.armour | game.guns) >> u & 1 and u not in alone]
        for unit in guns:
            steps = game.units[unit].steps
            if steps <= count:
                state.place(unit, CADRE)
                count -= steps
        assert count == 0
    return loss_points(game, state)


@rule("typhoon", "17.2.2", "17.3.7")
@pytest.mark.parametrize(
    ("what", "points"),
    [
        ({}, 0),
        ({"hqs": 3}, 6),
        ({"soviet": 8}, 1),
        ({"soviet": 9}, 2),
        ({"axis": 5}, -1),
        ({"axis": 6}, -2),
        ({"axis": 10, "plan": HOEPNER}, -1),
        ({"axis": 11, "plan": HOEPNER}, -2),
    ],
)
def test_what_losses_are_worth_fractions_included(what: dict[str, int], points: int) -> None:
    assert losses(**what) == points


@rule("typhoon", "17.2.2")
def test_a_panzer_division_of_which_nothing_is_left_costs_a_point() -> None:
    table = AirTable()
    game, state = table.game, table.state
    elements = game.elements["10 Mot Div"]
    for unit in elements[1:]:
        state.place(unit, CADRE)
    assert loss_points(game, state) == 0, "an element is not lost"
    state.place(elements[0], ELIMINATED)
    assert loss_points(game, state) == -1


@rule("typhoon", "17.0", "17.1")
@pytest.mark.parametrize(
    ("points", "side", "level"),
    [
        (60, AXIS, "decisive"),
        (59, AXIS, "substantial"),
        (30, AXIS, "marginal"),
        (29, SOVIET, "marginal"),
        (14, SOVIET, "substantial"),
        (-1, SOVIET, "decisive"),
    ],
)
def test_the_example_of_thirty_points(points: int, side: int, level: str) -> None:
    table = AirTable()
    table.state.points = points
    found = verdict(table.game, table.state)
    assert (found.winner, found.level) == (side, level)


@rule("typhoon", "17.2.4", "17.2")
def test_points_may_fall_below_nothing() -> None:
    table = AirTable()
    game, state = table.game, table.state
    for unit in game.elements["10 Mot Div"]:
        state.place(unit, ELIMINATED)
    state.points = 0
    final_count(game, state)
    assert state.points == -1
