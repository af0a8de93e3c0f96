"""12.1 to 12.3 Strongpoints, fortified lines and engineers: what may be done."""

from __future__ import annotations

from grognard.games.typhoon import data
from grognard.games.typhoon.rules import works
from grognard.games.typhoon.rules.works import BUILDING, FINISHED, Site
from tests.games.typhoon.ground import ground
from tests.rules import rule

DIVISION, PIONEERS = data.units()["g-251-inf"], next(u for u in data.units().values() if u.kind == "engineer")
BRIGADE = next(u for u in data.units().values() if u.size == "bde" and u.kind == "infantry")


@rule("typhoon", "12.1.1", "12.1.2")
def test_the_soviets_begin_as_many_as_the_table_allows_in_supplied_hexes() -> None:
    assert works.why_not_begin("soviet", Site(supplied=True), 1) is None
    assert works.why_not_begin("soviet", Site(supplied=True), 0) == "no-strongpoints-left"
    assert works.why_not_begin("soviet", Site(supplied=False), 1) == "site-unsupplied"
    assert works.why_not_begin("soviet", Site(True, taken=True), 1) == "strongpoint-there"


@rule("typhoon", "12.1.3")
def test_the_axis_needs_an_engineer_and_the_plan() -> None:
    assert works.why_not_begin("axis", Site(True, engineer=True), 0) is None
    assert works.why_not_begin("axis", Site(True), 5) == "no-engineer-there"
    assert works.why_not_begin("axis", Site(True, engineer=True), 0, False) == "plan-forbids-strongpoints"


@rule("typhoon", "12.1.4")
def test_after_an_arctic_turn_only_engineers_dig() -> None:
    assert works.why_not_begin("soviet", Site(True, frozen=True), 1) == "frozen-ground"
    assert works.why_not_begin("soviet", Site(True, engineer=True, frozen=True), 1) is None


@rule("typhoon", "12.1.6", "12.3.2", "12.3.3")
def test_soviet_engineers_place_it_finished_and_others_build_for_a_turn() -> None:
    assert works.begun_as("soviet", engineer=True) == FINISHED
    assert works.begun_as("soviet", engineer=False) == BUILDING
    assert works.begun_as("axis", engineer=True) == BUILDING
    assert works.is_finished("soviet", supplied=True, engineer=False)
    assert not works.is_finished("soviet", supplied=False, engineer=True)
    assert works.is_finished("axis", supplied=True, engineer=True)
    assert not works.is_finished("axis", supplied=True, engineer=False)


@rule("typhoon", "12.3.2", "12.3.3", "12.4.7")
def test_an_engineer_that_fought_or_travelled_does_not_work() -> None:
    assert works.may_work(False, False, False)
    assert not works.may_work(True, False, False)
    assert not works.may_work(False, True, False)
    assert not works.may_work(False, False, True)
    assert not works.may_work(False, False, False, converted=True)


@rule("typhoon", "12.1.9", "12.2.3")
def test_divisions_and_engineers_destroy_fortifications() -> None:
    assert works.destroys([DIVISION], integrity=False) and works.destroys([PIONEERS], integrity=False)
    assert not works.destroys([BRIGADE], integrity=False)
    assert works.destroys([BRIGADE], integrity=True), "three elements of a Panzer division"
    assert not works.destroys([], integrity=False)


@rule("typhoon", "12.2.1", "12.2.5", "12.1.8")
def test_a_line_counts_when_every_attack_crosses_it() -> None:
    board = ground({"1304": "fortified_line"}, {"1304/1204": "fortified", "1304/1205": "fortified"})
    here, west, south_west, north = (board.cell(number) for number in ("1304", "1204", "1205", "1303"))
    assert works.line_holds(board, here, [west, south_west])
    assert not works.line_holds(board, here, [west, north]), "one attack from elsewhere"
    assert works.fortification("axis", line=True, strongpoint=False) == 1
    assert works.fortification("soviet", line=True, strongpoint=False) == 0, "it serves the Soviets alone"
    assert works.fortification("axis", line=True, strongpoint=True) == 1, "no second modifier"
    assert works.fortification("soviet", line=False, strongpoint=True) == 1
    assert works.fortification("axis", line=False, strongpoint=False) == 0


@rule("typhoon", "12.2.2")
def test_no_combined_arms_when_all_armour_attacks_across_the_line() -> None:
    board = ground({"1304": "fortified_line"}, {"1304/1204": "fortified"})
    here, west, north = (board.cell(number) for number in ("1304", "1204", "1303"))
    assert works.armour_is_stopped(board, here, [west], line=True)
    assert not works.armour_is_stopped(board, here, [west, north], line=True)
    assert not works.armour_is_stopped(board, here, [west], line=False), "the line is destroyed"
    assert not works.armour_is_stopped(board, here, [], line=True)


@rule("typhoon", "12.3.1")
def test_engineers_help_against_cities_and_fortifications_once() -> None:
    assert works.engineer_bonus(place=True, fortification_counts=False, engineers=1) == -1
    assert works.engineer_bonus(place=False, fortification_counts=True, engineers=3) == -1
    assert works.engineer_bonus(place=False, fortification_counts=False, engineers=1) == 0
    assert works.engineer_bonus(place=True, fortification_counts=True, engineers=0) == 0
