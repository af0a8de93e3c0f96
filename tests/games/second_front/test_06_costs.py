"""6 What a step costs, 6B administrative movement, 7B roads, 37A1 causeways."""

from __future__ import annotations

import pytest

from grognard.games.second_front.rules.ground import POINT, Prices, legs, may_cross
from grognard.games.second_front.rules.weather import Sky
from grognard.games.second_front.units import Piece
from tests.games.second_front.field import CLEAR_SKY, FROSTY, MUDDY, SNOWY, allied, field, piece
from tests.rules import rule

INFANTRY, TANKS, GUNS = allied(), allied(type_="panzer_division"), allied("3-4-8", "artillery", "III")
ALPINI, CLIMBERS = piece(type_="mountain"), piece(type_="high_mountain", size="II")


def price(
    what: Piece,
    terrain: str = "clear",
    side: str = "",
    sky: Sky = CLEAR_SKY,
    admin: bool = False,
    zone: str = "d",
) -> float | None:
    """What entering a hex across a side takes, in points."""
    board = field({"0505": terrain}, {"0504/0505": side} if side else {}, zone)
    prices = Prices(board, legs(what), sky)
    a, b = board.cell("0504"), board.cell("0505")
    found = prices.administrative(a, b) if admin else prices.step(a, b)
    return None if found is None else found / POINT


@rule("second_front", "6")
def test_mountains_cost_six_three_or_two() -> None:
    """The example of the rule."""
    assert [price(p, "mountain") for p in (GUNS, INFANTRY, ALPINI)] == [6, 3, 2]


@rule("second_front", "6")
def test_a_side_is_added_to_the_hex() -> None:
    assert price(INFANTRY, "woods") == 2 and price(INFANTRY, "woods", "river") == 3
    assert price(INFANTRY, side="strait") == 3, "two points more, the example of the rule"
    assert price(INFANTRY, side="sea") is None and price(INFANTRY, "sea") is None


@rule("second_front", "6", "36B")
def test_weather_makes_steps_dearer_and_frost_bridges_rivers_where_they_freeze() -> None:
    assert [price(TANKS, sky=sky) for sky in (CLEAR_SKY, MUDDY, SNOWY)] == [1, 3, 3]
    assert price(INFANTRY, side="river", sky=FROSTY) == 1
    assert price(INFANTRY, side="river", sky=FROSTY, zone="e") == 2, "nothing freezes in the south"
    assert price(INFANTRY, "swamp", sky=FROSTY) == 2 and price(INFANTRY, "swamp", sky=FROSTY, zone="f") == 3
    assert price(INFANTRY, side="lake", sky=SNOWY, zone="c") == 3
    assert price(INFANTRY, side="lake", sky=SNOWY, zone="d") is None


@rule("second_front", "36D")
def test_the_weather_is_that_of_the_hex_entered() -> None:
    board = field({"0504": "weather_d", "0505": "weather_e"})
    sky = Sky(d="mud", e="clear")
    prices = Prices(board, legs(TANKS), sky)
    here, there = board.cell("0504"), board.cell("0505")
    assert prices.step(here, there) == 1 * POINT and prices.step(there, here) == 3 * POINT


@rule("second_front", "7B", "7")
def test_a_road_costs_what_open_ground_does_along_its_sides_only() -> None:
    for way in ("road", "rail_high", "rail_low"):
        assert price(GUNS, "mountain", f"river {way}") == 1
    assert price(GUNS, "mountain", "river") == 7
    assert price(GUNS, "mountain", "road", MUDDY) == 3, "open ground in mud"
    assert price(INFANTRY, side="sea rail_ferry") is None, "a rail ferry is no road (37A2)"


@rule("second_front", "37A1")
def test_a_causeway_leads_over_water() -> None:
    assert price(INFANTRY, side="causeway rail_low") == 1
    assert price(INFANTRY, side="sea causeway road") == 1
    board = field({}, {"0504/0505": "causeway rail_low"})
    assert may_cross(board, legs(INFANTRY), CLEAR_SKY, board.cell("0504"), board.cell("0505"))


@rule("second_front", "6B")
def test_administrative_movement_pays_half() -> None:
    assert price(INFANTRY, admin=True) == 0.5, "the example of the rule"
    assert price(INFANTRY, "woods", "river", admin=True) == 1.5
    assert price(INFANTRY, "woods", "road", MUDDY, admin=True) == 1


@rule("second_front", "6B")
@pytest.mark.parametrize(
    ("terrain", "side"), [("mountain", ""), ("clear", "mountain_side"), ("clear", "major_river")]
)
def test_administrative_movement_needs_a_road_in_mountains_and_over_great_rivers(
    terrain: str, side: str
) -> None:
    assert price(ALPINI, terrain, side) is not None and price(ALPINI, terrain, side, admin=True) is None
    assert price(ALPINI, terrain, f"{side} road", admin=True) == 0.5
    assert price(ALPINI, "clear", "sea", admin=True) is None


@rule("second_front", "14E1")
def test_mountain_troops_skis_and_light_infantry_have_columns_of_their_own() -> None:
    german_skis, italian_skis = piece(type_="ski"), piece(type_="ski", nation="Italian")
    assert price(italian_skis, "mountain") == 2 and price(german_skis, "mountain") == 3
    assert price(german_skis, sky=SNOWY) == 1 and price(INFANTRY, sky=SNOWY) == 2
    light = piece(type_="light_infantry")
    assert price(light, "forest", sky=MUDDY) == 3 and price(INFANTRY, "forest", sky=MUDDY) == 4
    assert price(light, "mountain") == 3
    assert price(ALPINI, side="high_mountain") == 4 and price(INFANTRY, side="high_mountain") is None
    assert price(CLIMBERS, side="high_mountain", sky=SNOWY) == 4, "two points and the hex, in any weather"


@rule("second_front", "14I")
def test_mixed_units_pay_like_vehicles() -> None:
    assert price(allied(type_="mixed"), "forest") == price(TANKS, "forest") == 4


@rule("second_front", "14J2", "14K")
def test_what_swims_takes_lakes_and_great_rivers_for_rivers() -> None:
    swimmer = allied("2-8", "amphibious_tank", "II")
    assert price(swimmer, side="lake") == price(swimmer, side="major_river") == 2
    assert price(TANKS, side="lake") is None and price(TANKS, side="major_river") == 3
