"""15 Breakdown and assembly."""

from __future__ import annotations

from grognard.games.second_front.rules.breakdown import (
    PANTHER_FACE,
    PANZER_IV_FACE,
    assembled_hunger,
    assembles,
    free_set,
    may_attach,
    may_detach,
    ways,
    with_battalion,
    without_panther,
)
from grognard.games.second_front.units import Face
from tests.games.second_front.field import allied, piece, unit
from tests.rules import rule


@rule("second_front", "15", "15B")
def test_a_division_becomes_supported_parts_or_a_headquarters_with_others() -> None:
    """The example: a Canadian division of 10-8 becomes three brigades of 3-8, supported or with an HQ."""
    brigades = (Face(3, 3, 8),) * 3
    whole, led = ways(brigades, [False] * 3)
    assert whole == (brigades, True, False) and led == (brigades, False, True)
    assert not ways(brigades, [False, False, True])[0].supported, "battalions are never supported"


@rule("second_front", "15A")
def test_the_assembled_unit_is_as_hungry_as_its_hungriest_part() -> None:
    assert assembled_hunger([0, 3, 1]) == 3


@rule("second_front", "15C", "15C1", "15C2")
def test_counters_limit_how_many_break_down() -> None:
    assert free_set("ABC", ["A"]) == "B" and free_set("AB", ["A", "B"]) is None
    assert free_set("ABC", [], "82 Abn") == "82 Abn" and free_set("ABC", ["82 Abn"], "82 Abn") is None


@rule("second_front", "15D")
def test_three_battalions_make_an_armoured_brigade() -> None:
    """The example: three American battalions of 2-1-10 become a brigade of 5-3-10."""
    battalion = Face(2, 1, 10)
    assert assembles([battalion] * 3) == Face(5, 3, 10) and assembles([battalion] * 2) is None


@rule("second_front", "15E")
def test_panther_battalions_leave_and_join_panzer_divisions() -> None:
    """The published answers: 15-10 with a Panther battalion is a loss of 19 and leaves a cadre of 11-8."""
    division, cadre = Face(15, 15, 10), Face(7, 7, 8)
    assert with_battalion(division, PANTHER_FACE) == (19, 19, 10)
    assert with_battalion(cadre, PANTHER_FACE) == (11, 11, 8)
    assert with_battalion(division, PANZER_IV_FACE) == (17, 17, 10), "a Panzer IV battalion adds 2"
    assert without_panther(division) == (11, 11, 10) and without_panther(Face(3, 3, 8)) == (0, 0, 8)


@rule("second_front", "15E")
def test_who_detaches_and_who_attaches() -> None:
    assert may_detach(unit("15-10", "panzer_division"), False) and not may_detach(
        unit("15-10", "panzer_division"), True
    )
    assert not may_detach(unit("14-10", "panzer_division"), False)
    assert not may_detach(allied("15-10", "panzer_division").unit, False)
    assert may_attach(piece("11-10", "panzer_division"), 0) and not may_attach(
        piece("11-10", "panzer_division"), 1
    )
    assert not may_attach(piece("10-10", "mechanised_infantry"), 0)
