"""36 Weather."""

from __future__ import annotations

import pytest

from grognard.games.second_front.books import board, charts
from grognard.games.second_front.rules.weather import (
    CLEAR,
    CONDITIONS,
    FULL_AEC,
    MUD,
    NO_AEC,
    REDUCED_AEC,
    SNOW,
    Sky,
    armour_effects,
    condition,
    die_modifier,
    throw,
    worst,
    zones_of,
)
from tests.games.second_front.field import field
from tests.rules import rule


@rule("second_front", "36B")
def test_one_die_gives_the_weather_of_every_zone() -> None:
    """The example of the rule: a 4 in Nov I."""
    assert throw("Nov I", 4, Sky()) == Sky(MUD, MUD, CLEAR, CLEAR)


@rule("second_front", "36B", "36A3")
def test_no_change_keeps_the_weather_of_the_turn_before() -> None:
    rows = [r for r in charts()["weather_land"].records if r["condition"] == "N"]
    assert rows, "the chart has such results"
    for row in rows:
        zone, die = "CDEF".index(str(row["zone"])), row["die"]
        assert isinstance(die, int)
        for before in (Sky(), Sky(*(SNOW,) * 4)):
            assert throw(str(row["turn"]), die, before)[zone] == before[zone]


@rule("second_front", "36A", "36A2")
def test_five_conditions_from_good_to_bad() -> None:
    assert CONDITIONS == ("clear", "mud", "frost", "winter", "snow")
    assert worst(["winter", "clear", "mud"]) == "winter" and worst(["mud", "frost"]) == "frost"


@rule("second_front", "36A1")
def test_every_hex_lies_in_a_zone_of_weather() -> None:
    ground = board()
    assert all(zones_of(ground, cell) for cell in ground.cells)
    assert zones_of(ground, ground.cell("26:3530")) == ("e",)


@rule("second_front", "36D")
def test_a_hex_between_two_zones_has_the_worse_weather() -> None:
    ground = field({"0303": "weather_d weather_e", "0304": "weather_e"})
    sky = Sky(d=MUD, e=CLEAR)
    assert condition(ground, ground.cell("0303"), sky) == MUD
    assert condition(ground, ground.cell("0304"), sky) == CLEAR
    assert condition(ground, ground.cell("0303"), Sky(d=CLEAR, e=SNOW)) == SNOW


@rule("second_front", "36B")
@pytest.mark.parametrize(
    ("weather", "modifier", "armour"),
    [
        ("clear", 0, FULL_AEC),
        ("mud", -2, NO_AEC),
        ("frost", 0, FULL_AEC),
        ("winter", -1, REDUCED_AEC),
        ("snow", -1, REDUCED_AEC),
    ],
)
def test_bad_weather_hinders_attacks_and_armour(weather: str, modifier: int, armour: int) -> None:
    assert die_modifier(weather) == modifier and armour_effects(weather) == armour
