"""17 Victory and the plans of the Axis."""

from __future__ import annotations

from collections import Counter

import pytest

from grognard.games.typhoon import data
from grognard.games.typhoon.rules import plans, victory
from grognard.games.typhoon.rules.plans import COMPROMISE, HITLER, HOEPNER, VON_BOCK
from grognard.games.typhoon.rules.victory import Losses
from grognard.games.typhoon.rules.weather import Sky
from tests.rules import rule


@rule("typhoon", "17.3.1", "17.3.2", "17.3.5")
def test_five_markers_for_four_plans_two_of_them_hitler_s() -> None:
    assert Counter(plans.NAMES[marker] for marker in plans.MARKERS) == {
        "compromise": 1,
        "hitler": 2,
        "von_bock": 1,
        "hoepner": 1,
    }


@rule("typhoon", "17.3.2", "17.3.3")
def test_when_a_marker_is_drawn() -> None:
    assert plans.may_draw(12, "M") and not plans.may_draw(12, "R")
    assert plans.may_draw(20, "R") and plans.must_draw(20)
    assert not plans.must_draw(19) and not plans.must_draw(21)
    assert plans.may_draw(34, "M") and not plans.may_draw(35, "M"), "the last one is shown"


@rule("typhoon", "17.3.1")
def test_the_plan_is_shown_on_turn_35() -> None:
    assert not plans.is_shown(34) and plans.is_shown(35)


@rule("typhoon", "17.3.4", "17.3.6", "12.1.3")
def test_two_plans_let_the_axis_dig() -> None:
    assert [plans.digs(plan) for plan in (COMPROMISE, HITLER, VON_BOCK, HOEPNER)] == [
        False,
        True,
        False,
        True,
    ]


@rule("typhoon", "17.3.6", "17.3.7")
def test_two_plans_bring_a_supply_point_in_fair_weather() -> None:
    for plan in (VON_BOCK, HOEPNER):
        bonus = [plans.supply_bonus(plan, Sky(weather)) for weather in data.WEATHERS]
        assert bonus == [1, 0, 1, 0, 0]
    assert plans.supply_bonus(COMPROMISE, Sky("dry")) == plans.supply_bonus(HITLER, Sky("frost")) == 0


@rule("typhoon", "17.3.5")
@pytest.mark.parametrize(
    ("odds", "holds"), [((1, 1), True), ((50, 10), True), ((59, 10), True), ((60, 10), False)]
)
def test_under_hitler_s_plan_units_hold_at_five_to_one_or_less(odds: tuple[int, int], holds: bool) -> None:
    assert plans.stands_fast(HITLER, odds) is holds
    assert not plans.stands_fast(COMPROMISE, odds)


@rule("typhoon", "17.3.5")
def test_under_hitler_s_plan_units_leave_a_strongpoint_only_for_another_or_for_room() -> None:
    assert not plans.may_leave(HITLER, from_fort=True, to_fort=False, crowded=False)
    assert plans.may_leave(HITLER, from_fort=True, to_fort=True, crowded=False)
    assert plans.may_leave(HITLER, from_fort=True, to_fort=False, crowded=True)
    assert plans.may_leave(HITLER, from_fort=False, to_fort=False, crowded=False)
    assert plans.may_leave(HOEPNER, from_fort=True, to_fort=False, crowded=False)


@rule("typhoon", "17.3.7")
def test_under_hoepner_s_plan_divisions_leave_on_turn_36() -> None:
    assert plans.withdraws(HOEPNER, 36)
    assert not plans.withdraws(HOEPNER, 35) and not plans.withdraws(HITLER, 36)


@rule("typhoon", "17.2.1", "17.3.1")
def test_places_count_by_the_column_of_the_plan() -> None:
    moscow = data.board().cell("M2928")
    held = {"axis": 1 << moscow, "soviet": 0}
    found = [victory.place_points("campaign", plan, held) for plan in (COMPROMISE, HITLER, VON_BOCK, HOEPNER)]
    assert found[VON_BOCK] > found[COMPROMISE] > found[HITLER] > found[HOEPNER] > 0
    assert victory.place_points("campaign", COMPROMISE, {"axis": 0, "soviet": 1 << moscow}) == 0


@rule("typhoon", "17.2.1")
def test_some_places_count_when_the_soviets_stand_there() -> None:
    worth = next(place for place in victory.places("yelets", "compromise") if place.side == "soviet")
    assert worth.points < 0
    assert victory.place_points("yelets", COMPROMISE, {"axis": 0, "soviet": 1 << worth.cell}) == worth.points
    assert victory.place_points("yelets", COMPROMISE, {"axis": 1 << worth.cell, "soviet": 0}) >= 0


@rule("typhoon", "17.2.2", "17.3.7")
@pytest.mark.parametrize(
    ("losses", "plan", "points"),
    [
        (Losses(0, 0, 0, 0), COMPROMISE, 0),
        (Losses(3, 0, 0, 0), COMPROMISE, 6),
        (Losses(0, 8, 0, 0), COMPROMISE, 1),
        (Losses(0, 9, 0, 0), COMPROMISE, 2),
        (Losses(0, 0, 5, 0), COMPROMISE, -1),
        (Losses(0, 0, 6, 0), COMPROMISE, -2),
        (Losses(0, 0, 10, 0), HOEPNER, -1),
        (Losses(0, 0, 11, 0), HOEPNER, -2),
        (Losses(0, 0, 0, 2), COMPROMISE, -2),
    ],
)
def test_losses_and_their_fractions(losses: Losses, plan: int, points: int) -> None:
    assert victory.loss_points(losses, plan) == points


@rule("typhoon", "17.2.2")
def test_steps_of_armour_and_artillery_count() -> None:
    tanks = data.units()["g-3-pz-pzr-6"]
    rifles, guns = data.units()["g-251-inf"], _artillery()
    lost = [(tanks, 1, True), (rifles, 1, True), (guns, 0, True), (tanks, 0, False)]
    assert victory.steps_lost(lost) == tanks.steps - 1 + guns.steps, "withdrawn units are not counted"


def _artillery() -> data.Unit:
    return next(unit for unit in data.units().values() if unit.kind == "artillery")


@rule("typhoon", "17.2.2", "9.2.3")
def test_the_panzer_and_motorised_divisions() -> None:
    found = victory.divisions()
    assert len([name for name in found if name.endswith("Pz Div")]) == 14
    assert len(found["SS Reich"]) == 4 and len(found["10 Mot Div"]) == 3 and len(found["3 Pz Div"]) == 4
    assert victory.division_of(data.units()["g-251-inf"]) == ""


@rule("typhoon", "17.1")
@pytest.mark.parametrize(
    ("points", "level"),
    [
        (60, ("axis", "decisive")),
        (59, ("axis", "substantial")),
        (30, ("axis", "marginal")),
        (29, ("soviet", "marginal")),
        (15, ("soviet", "marginal")),
        (14, ("soviet", "substantial")),
    ],
)
def test_the_example_of_thirty_points(points: int, level: tuple[str, str]) -> None:
    assert victory.level("campaign", points) == level


@rule("typhoon", "17.2.4")
def test_points_may_fall_below_nothing() -> None:
    assert victory.loss_points(Losses(0, 0, 5, 1), COMPROMISE) == -2
    assert victory.level("campaign", -2) == ("soviet", "decisive")


@rule("typhoon", "17.2.3", "14.2.3")
def test_choices_have_their_cost_in_points() -> None:
    assert victory.event_points("campaign", "withdrawal_refused") == -2
    assert victory.event_points("campaign", "axis_reserve") == -1
    assert victory.event_points("learning", "withdrawal_refused") == 0
