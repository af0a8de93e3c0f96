"""5 Weather."""

from __future__ import annotations

import pytest

from grognard.games.typhoon.rules.weather import Sky, is_automatic, sky_of
from tests.rules import rule


@rule("typhoon", "5.1.1", "5.1.2", "5.1.3")
@pytest.mark.parametrize(
    ("turn", "die", "weather"),
    [
        (3, 8, "dry"),
        (3, 9, "rain"),
        (4, 8, "rain"),
        (6, 5, "rain"),
        (28, 7, "frost"),
        (28, 8, "snow"),
        (33, 9, "arctic"),
        (43, 5, "arctic"),
    ],
)
def test_the_die_is_read_in_the_column_of_the_turn_s_climate(turn: int, die: int, weather: str) -> None:
    """Turn 4 adds one to the die, which makes a dry 8 a rainy 9."""
    assert sky_of(turn, die, None).weather == weather


@rule("typhoon", "5.1.2")
def test_the_first_two_turns_are_dry_without_a_roll() -> None:
    assert [is_automatic(turn) for turn in (1, 2, 3)] == [True, True, False]
    assert sky_of(1, 10, None) == Sky("dry")


@rule("typhoon", "5.1.4")
def test_a_dry_turn_after_rain_leaves_the_woods_wet() -> None:
    after_rain = sky_of(6, 1, Sky("rain"))
    assert after_rain == Sky("dry", lingering=True)
    assert after_rain.in_hex(woods=True) == "rain" and after_rain.in_hex(woods=False) == "dry"
    assert not sky_of(7, 1, after_rain).lingering, "only the turn right after"
    assert not sky_of(6, 1, Sky("frost")).lingering


@rule("typhoon", "5.1.5", "5.1.6")
def test_the_example_of_turns_28_to_31() -> None:
    first = sky_of(28, 8, Sky("frost"))
    assert first == Sky("snow")
    second = sky_of(29, 8, first)
    assert second == Sky("snow", storm=True), "8 and 1 make 9: snow with storms"
    third = sky_of(30, 6, second)
    assert third == Sky("snow", refused=True), "a first frost after snow is ignored, and the storm is over"
    assert sky_of(31, 6, third) == Sky("frost"), "a second frost in a row counts"
    assert sky_of(31, 7, third) == Sky("snow"), "7 and 1 make 8: snow"


@rule("typhoon", "5.1.5")
def test_frost_must_come_twice_in_a_row() -> None:
    held = sky_of(30, 6, Sky("snow"))
    snow_again = sky_of(32, 4, held)
    assert snow_again == Sky("snow")
    assert sky_of(30, 6, snow_again) == Sky("snow", refused=True)
    assert sky_of(28, 5, Sky("arctic")) == Sky("frost"), "only snow holds frost back"
