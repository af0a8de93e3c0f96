"""7.3, 7.4 What terrain costs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.typhoon import data
from grognard.games.typhoon.rules.costs import POINT, Prices, costs, river_crossings
from grognard.games.typhoon.rules.weather import Sky
from grognard.mechanics.movement import FORBIDDEN, Ground, reach
from tests.games.typhoon.ground import ground
from tests.rules import rule

DRY, RAIN, FROST, SNOW, ARCTIC = (Sky(weather) for weather in data.WEATHERS)
LINGERING = Sky("dry", lingering=True)


def cost(hexes: str, side: str, mover: str, sky: Sky, artillery: bool = False) -> Fraction | None:
    """From 1203 to 1202 next to it, in movement points."""
    board = ground({"1202": hexes}, {"1202/1203": side} if side else {})
    paid = Prices(board, mover, sky, artillery).step(board.cell("1203"), board.cell("1202"))
    return None if paid is None else Fraction(paid, POINT)


@rule("typhoon", "7.3.1", "7.4.1")
@pytest.mark.parametrize(
    ("hexes", "mover", "sky", "points"),
    [
        ("", "foot", DRY, 1),
        ("hills", "foot", DRY, 2),
        ("", "foot", RAIN, 2),
        ("", "motor", RAIN, 3),
        ("", "foot", FROST, 1),
        ("marsh", "foot", DRY, 3),
        ("marsh", "foot", SNOW, 2),
        ("hills village", "foot", DRY, 2),
        ("city", "motor", RAIN, 1),
    ],
)
def test_terrain_is_paid_by_the_column_of_the_weather(hexes: str, mover: str, sky: Sky, points: int) -> None:
    assert cost(hexes, "", mover, sky) == points


@rule("typhoon", "7.3.6")
@pytest.mark.parametrize(
    ("hexes", "mover", "points"),
    [("woods", "foot", 2), ("woods", "motor", 3), ("hills woods", "foot", 3), ("hills woods", "motor", 4)],
)
def test_woods_are_added_to_the_other_terrain(hexes: str, mover: str, points: int) -> None:
    """The numbers of the book."""
    assert cost(hexes, "", mover, DRY) == points


@rule("typhoon", "7.3.5", "7.3.6")
@pytest.mark.parametrize("hexes", ["", "woods", "hills woods", "marsh"])
def test_a_main_road_goes_through_anything_at_its_own_rate(hexes: str) -> None:
    assert cost(hexes, "main_road", "motor", DRY) == Fraction(1, 2)
    assert cost(hexes, "motorway", "motor", DRY) == Fraction(1, 3)


@rule("typhoon", "7.3.6", "7.4.2")
def test_a_minor_road() -> None:
    assert cost("", "road", "motor", DRY) == Fraction(1, 2)
    for sky in (DRY, FROST, SNOW):
        assert cost("woods", "road", "foot", sky) == cost("hills", "road", "motor", sky) == 1
    assert cost("woods", "road", "foot", RAIN) == 2, "woods are ignored in rain: a clear hex"
    assert cost("hills woods", "road", "motor", RAIN) == cost("hills", "", "motor", RAIN)
    assert cost("marsh", "road", "motor", RAIN) == cost("marsh", "", "foot", RAIN)


@rule("typhoon", "7.3.7")
def test_a_railway_takes_a_point_off_the_woods() -> None:
    assert cost("woods", "rail", "foot", DRY) == 1
    assert cost("woods", "rail", "motor", DRY) == 2
    assert cost("woods", "rail", "motor", SNOW) == cost("woods", "", "motor", SNOW) - 1  # type: ignore[operator]
    assert cost("", "rail", "motor", DRY) == 1, "it is no road"


@rule("typhoon", "5.1.4")
def test_lingering_rain_makes_woods_cost_what_they_cost_in_rain() -> None:
    assert cost("woods", "", "motor", LINGERING) == cost("woods", "", "motor", RAIN)
    assert cost("", "", "motor", LINGERING) == 1
    assert cost("woods", "main_road", "motor", LINGERING) == 1


@rule("typhoon", "7.3.8")
def test_a_river_is_paid_besides_and_a_bridge_is_free() -> None:
    assert cost("", "river", "foot", DRY) == 2
    assert cost("", "river", "motor", DRY) == 3
    assert cost("", "river main_road bridge", "motor", DRY) == Fraction(1, 2)
    assert cost("", "river rail bridge", "motor", DRY) == 1


@rule("typhoon", "7.3.4", "7.8.2")
def test_vehicles_leave_the_road_for_no_marsh_and_no_pond_that_is_open() -> None:
    for terrain in ("marsh", "pond"):
        assert cost(terrain, "", "motor", DRY) is None and cost(terrain, "", "motor", RAIN) is None
        assert cost(terrain, "road", "motor", DRY) == 1
        assert cost(terrain, "", "motor", FROST) == 3


@rule("typhoon", "7.3.9")
def test_a_major_river_without_a_bridge_takes_all_movement_until_it_is_frozen() -> None:
    board = ground({}, {"1202/1203": "major_river", "1303/1302": "major_river road bridge"})
    start, far = board.cell("1203"), board.cell("1202")
    for sky in (DRY, RAIN, FROST):
        assert costs(board, "foot", sky).step(start, far) == FORBIDDEN
        assert river_crossings(board, "foot", sky).step(start, far) != FORBIDDEN
    for sky in (SNOW, ARCTIC):
        assert costs(board, "foot", sky).step(start, far) == 3 * POINT
        assert river_crossings(board, "foot", sky).step(start, far) == FORBIDDEN
    assert costs(board, "foot", DRY).step(board.cell("1303"), board.cell("1302")) == POINT // 2


@rule("typhoon", "7.3.9")
def test_who_begins_beside_the_river_gets_over_it_and_no_farther() -> None:
    board = ground({}, {"1203/1204": "major_river"})
    sky = DRY
    beside = Ground(
        costs(board, "foot", sky), board.everywhere, first_only=river_crossings(board, "foot", sky)
    )
    found = reach(beside, {board.cell("1204"): 0}, 1 * POINT)
    assert found.spent(board.cell("1203")) is not None
    assert found.spent(board.cell("1202")) is None
    from_afar = reach(beside, {board.cell("1205"): 0}, 2 * POINT)
    assert from_afar.spent(board.cell("1204")) == POINT
    assert from_afar.spent(board.cell("1203")) is None


@rule("typhoon", "7.3.9")
def test_artillery_crosses_a_major_river_by_a_bridge_alone() -> None:
    for sky in (DRY, SNOW, ARCTIC):
        assert cost("", "major_river", "motor", sky, artillery=True) is None
        assert cost("", "major_river main_road bridge", "motor", sky, artillery=True) is not None
    board = ground({}, {"1202/1203": "major_river"})
    step = board.cell("1203"), board.cell("1202")
    assert river_crossings(board, "motor", DRY, artillery=True).step(*step) == FORBIDDEN


def test_lakes_are_crossed_only_on_ice() -> None:
    """3.3.4's example: nobody in dry weather."""
    assert cost("", "lake", "foot", DRY) is None and cost("", "lake", "foot", FROST) is None
    assert cost("", "lake", "foot", SNOW) == 3
    assert cost("lake", "", "foot", ARCTIC) is None


def test_the_whole_map_can_be_priced() -> None:
    """Nobody is shut in: every hex of land has a way in on foot in any weather, lakes apart."""
    board = data.board()
    prices = Prices(board, "foot", RAIN)
    for cell, info in board.info.items():
        if info.terrain != "lake":
            assert any(prices.step(other, cell) for other in board.adjacent[cell]), info.number
