"""17.3 The plans of the Axis."""

from __future__ import annotations

from collections import Counter

import pytest

from grognard.board.board import each
from grognard.games.typhoon import data
from grognard.games.typhoon.rules import plans
from grognard.games.typhoon.rules.eligible import why_not_move
from grognard.games.typhoon.rules.movement import rail_hexes, steps_for, take_up
from grognard.games.typhoon.rules.odds import columns
from grognard.games.typhoon.rules.reach import ORDINARY
from grognard.games.typhoon.rules.reaction import must_stand
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import (
    AXIS,
    COMPROMISE,
    HITLER,
    HOEPNER,
    PLAN_MARKERS,
    PLAN_NAMES,
    SOVIET,
    VON_BOCK,
    Declared,
)
from grognard.kernel import Refusal
from tests.games.typhoon.sky import AirTable
from tests.rules import rule


@rule("typhoon", "17.3.1", "17.3.2", "17.3.5")
def test_five_markers_for_four_plans_two_of_them_hitler_s() -> None:
    assert Counter(PLAN_NAMES[marker] for marker in PLAN_MARKERS) == {
        "compromise": 1,
        "hitler": 2,
        "von_bock": 1,
        "hoepner": 1,
    }


@rule("typhoon", "17.3.2", "17.3.3")
def test_when_a_marker_is_drawn() -> None:
    assert plans.may_draw(6, "M") and not plans.may_draw(5, "M"), "M is ignored on the first turns"
    assert plans.may_draw(12, "M") and not plans.may_draw(12, "R")
    assert plans.may_draw(20, "R") and plans.must_draw(20)
    assert not plans.must_draw(19) and not plans.must_draw(21)
    assert plans.may_draw(34, "M") and not plans.may_draw(35, "M"), "the last one is shown"


@rule("typhoon", "17.3.1")
def test_the_plan_is_shown_on_turn_35() -> None:
    assert not plans.is_shown(34) and plans.is_shown(35)


@rule("typhoon", "17.3.6", "17.3.7")
def test_two_plans_bring_a_supply_point_in_fair_weather() -> None:
    for plan in (VON_BOCK, HOEPNER):
        bonus = [plans.supply_bonus(plan, Sky(weather)) for weather in data.WEATHERS]
        assert bonus == [1, 0, 1, 0, 0]
    assert plans.supply_bonus(COMPROMISE, Sky("dry")) == plans.supply_bonus(HITLER, Sky("frost")) == 0


@rule("typhoon", "17.3.5")
@pytest.mark.parametrize(("column", "holds"), [("1-1", True), ("5-1", True), ("6-1", False), ("10-1", False)])
def test_under_hitler_s_plan_units_hold_at_five_to_one_or_less(column: str, holds: bool) -> None:
    table = AirTable("", units={"g-251-inf": "N3029"}, active=SOVIET)
    index = [name for name, _ in columns()].index(column)
    declared = Declared((table.game.board.cell("N3029"),), (), odds=index)
    table.state.plan = HITLER
    assert must_stand(table.game, table.state, declared) is holds
    table.state.plan = COMPROMISE
    assert not must_stand(table.game, table.state, declared)


@rule("typhoon", "17.3.5")
def test_under_hitler_s_plan_units_stay_in_their_strongpoints() -> None:
    table = AirTable("", units={"g-251-inf": "N3029", "g-102-inf": "N3040"})
    game, state = table.game, table.state
    inside, outside = game.unit_index("g-251-inf"), game.unit_index("g-102-inf")
    state.forts = [table.cells("N3029"), 0]
    assert why_not_move(game, state, inside) is None, "under other plans they go"
    state.plan = HITLER
    reason = why_not_move(game, state, inside)
    assert reason is not None and (reason.code, reason.case) == ("strongpoint-held", "17.3.5")
    assert why_not_move(game, state, outside) is None
    beside = game.board.cell("N3030")
    state.forts = [table.cells("N3029", "N3030"), 0]
    assert why_not_move(game, state, inside) is None, "another strongpoint is next to it"
    move = take_up(game, state, inside, ORDINARY)
    assert not isinstance(steps_for(game, state, move, beside), Refusal)
    for cell in game.board.adjacent[state.where[inside]]:
        if cell != beside:
            found = steps_for(game, state, move, cell)
            assert isinstance(found, Refusal) and found.case == "17.3.5"
    state.forts = [table.cells("N3029"), 0]
    crowd = [n for n, u in enumerate(game.units) if u.side == "axis" and u.division][2:4]
    for unit in crowd:
        state.place(unit, state.where[inside])
    assert why_not_move(game, state, inside) is None, "there are too many in the hex"
    assert state.side(inside) == AXIS


@rule("typhoon", "17.3.5")
def test_under_hitler_s_plan_trains_take_them_to_the_next_strongpoint_only() -> None:
    table = AirTable("", units={"g-251-inf": "N3029"})
    game, state, board = table.game, table.state, table.game.board
    line = [c for c in each(game.on_rail) if c != state.where[game.unit_index("g-251-inf")]]
    start = next(c for c in line if sum(game.on_rail >> n & 1 for n in board.adjacent[c]) == 2)
    unit = game.unit_index("g-251-inf")
    state.place(unit, start)
    state.axis_rail = board.everywhere
    state.soviet_hexes = 0
    anywhere = rail_hexes(game, state, unit)
    beside = next(n for n in board.adjacent[start] if anywhere >> n & 1)
    state.forts = [1 << start | 1 << beside, 0]
    assert rail_hexes(game, state, unit) == anywhere, "under other plans they go"
    state.plan = HITLER
    assert rail_hexes(game, state, unit) == 1 << beside


@rule("typhoon", "17.3.7")
def test_under_hoepner_s_plan_divisions_leave_on_turn_36() -> None:
    assert plans.withdraws(HOEPNER, 36)
    assert not plans.withdraws(HOEPNER, 35) and not plans.withdraws(HITLER, 36)


@rule("typhoon", "17.3.1")
def test_whether_the_axis_is_asked_about_strongpoints_does_not_tell_its_plan() -> None:
    for plan in (COMPROMISE, HITLER, VON_BOCK, HOEPNER):
        engineer = next(u.id for u in AirTable().game.units if u.side == "axis" and u.kind == "engineer")
        table = AirTable("", units={engineer: "N3029"})
        table.state.plan, table.state.plan_known = plan, False
        table.state.heads = ()
        assert table.begin("engineer-phase").asked == "engineer"
