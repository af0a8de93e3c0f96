"""8 Stacking: the examples of the rule, on counters made to measure."""

from __future__ import annotations

from grognard.games.second_front.rules.stacking import fits
from tests.games.second_front.field import allied, piece
from tests.rules import rule

DIVISION, BRIGADE, BATTALION = allied(), allied(size="X"), allied("1-8", size="II")
CADRE, REGIMENT = allied(cadre="3-6", reduced=True), allied("3-4-8", "artillery", "III")
GROUP = allied("6-4-8", "artillery", "XX")


@rule("second_front", "8", "8A", "8A1")
def test_the_three_examples_of_the_regular_limit() -> None:
    assert fits("clear", [DIVISION] * 3 + [BRIGADE] * 3 + [REGIMENT] * 2)
    assert fits("clear", [DIVISION] * 2 + [BRIGADE] * 3 + [REGIMENT] * 3)
    assert fits("clear", [DIVISION, CADRE] + [BRIGADE] * 3 + [BATTALION] * 2 + [REGIMENT] * 2)


@rule("second_front", "8A1")
def test_one_more_is_too_many() -> None:
    full = [DIVISION] * 3 + [BRIGADE] * 3 + [REGIMENT] * 2
    assert not any(fits("clear", [*full, more]) for more in (DIVISION, BRIGADE, BATTALION, REGIMENT))
    assert not fits("clear", [DIVISION] * 4)
    assert fits("clear", [BRIGADE] * 6) and not fits("clear", [BRIGADE] * 7)


@rule("second_front", "8A1")
def test_a_division_of_artillery_takes_the_room_of_artillery_or_of_any_unit() -> None:
    assert fits("clear", [DIVISION] * 3 + [BRIGADE] * 3 + [GROUP])
    assert not fits("clear", [DIVISION] * 3 + [BRIGADE] * 3 + [GROUP, REGIMENT])
    assert fits("clear", [DIVISION] * 2 + [GROUP] + [BRIGADE] * 3 + [REGIMENT] * 2)


@rule("second_front", "8A2")
def test_mountains_hold_less() -> None:
    assert fits("mountain", [DIVISION] * 2 + [BRIGADE] * 2 + [REGIMENT])
    assert not fits("mountain", [DIVISION] * 3) and not fits("mountain", [DIVISION] * 2 + [BRIGADE] * 3)
    assert not fits("mountain", [DIVISION] * 2 + [BRIGADE] * 2 + [REGIMENT] * 2)
    assert not fits("mountain", [DIVISION] * 2 + [BRIGADE] * 2 + [GROUP]), (
        "no division in place of the regiment"
    )


@rule("second_front", "8A", "37B2", "14J")
def test_what_does_not_count() -> None:
    full = [DIVISION] * 3 + [BRIGADE] * 3 + [REGIMENT] * 2
    free = [piece("0-4-0", "port_fortification", "X"), piece("0-0-0", "positional_aa", "II")]
    assert fits("clear", [*full, *free, allied("0-0-10", "truck", "X")])
