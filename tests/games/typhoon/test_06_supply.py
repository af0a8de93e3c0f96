"""6.1 to 6.3 General supply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from grognard.board.board import bits, each
from grognard.games.typhoon import data
from grognard.games.typhoon.rules.supply import (
    EMERGENCY,
    GENERAL,
    UNSUPPLIED,
    Routes,
    movement,
    status_after,
)
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.rules.zones import UnitState, shut_for_supply
from tests.games.typhoon.ground import ground
from tests.games.typhoon.zones import zone_of
from tests.rules import rule

DRY, RAIN, FROST, SNOW, ARCTIC = (Sky(weather) for weather in data.WEATHERS)
LINGERING = Sky("dry", lingering=True)
ROW = [f"{column}01" for column in range(10, 60)]
"""A long row of hexes, the columns of which stand higher and lower by turns."""


def chain(feature: str, first: int, last: int) -> dict[str, str]:
    """A way along the row from one of its hexes to another."""
    return {f"{ROW[n]}/{ROW[n + 1]}": feature for n in range(first, last)}


def supplied(
    sky: Sky,
    hexes: Mapping[str, str] = {},
    sides: Mapping[str, str] = {},
    *,
    source: str = ROW[0],
    shut: Iterable[str] = (),
    gauge: Iterable[str] | None = None,
    forts: Iterable[str] = (),
    rows: int = 1,
) -> list[int]:
    """How far along the row units are supplied, the source being at its beginning."""
    board = ground(hexes, sides, columns=(10, 59), rows=(1, rows))

    def cells(numbers: Iterable[str]) -> int:
        return bits(board.cell(number) for number in numbers)

    routes = Routes(
        board,
        sky,
        cells([source]),
        board.everywhere & ~cells(shut),
        board.everywhere if gauge is None else cells(gauge),
        cells(forts),
    )
    return [n for n, number in enumerate(ROW) if routes.supplied >> board.cell(number) & 1]


def farthest(*args: object, **more: object) -> int:
    found = supplied(*args, **more)  # type: ignore[arg-type]
    assert found == list(range(len(found)))
    return found[-1]


@rule("typhoon", "6.1.1", "6.1.3")
@pytest.mark.parametrize(
    ("sky", "hexes"), [(DRY, 7), (FROST, 7), (RAIN, 5), (SNOW, 5), (ARCTIC, 5), (LINGERING, 7)]
)
def test_a_line_is_seven_hexes_long_or_five(sky: Sky, hexes: int) -> None:
    assert farthest(sky) == hexes


@rule("typhoon", "6.1", "6.1.1")
def test_a_line_is_stopped_where_the_enemy_stands() -> None:
    assert farthest(DRY, shut=[ROW[4]]) == 4, "a unit that stands there itself can still trace out"


@rule("typhoon", "6.1.1", "6.1.2")
def test_a_line_through_marsh_goes_by_road_and_is_five_hexes_long() -> None:
    marsh = {ROW[3]: "marsh"}
    assert farthest(DRY, marsh) == 3, "it ends in the marsh"
    assert farthest(DRY, marsh, chain("road", 2, 4)) == 5
    assert farthest(FROST, marsh) == 5, "frozen, it needs no road"
    assert farthest(SNOW, marsh) == 5


@rule("typhoon", "6.1.3")
def test_lingering_rain_shortens_lines_through_woods_alone() -> None:
    assert farthest(LINGERING, {ROW[2]: "woods"}) == 5
    assert farthest(DRY, {ROW[2]: "woods"}) == 7
    assert farthest(LINGERING, {ROW[7]: "woods"}) == 7, "the unit's own hex is not on the line"


@rule("typhoon", "6.1.2")
@pytest.mark.parametrize("water", ["lake", "major_river"])
def test_no_line_crosses_water_that_cannot_be_crossed(water: str) -> None:
    barrier = {f"{ROW[3]}/{ROW[4]}": water}
    assert farthest(DRY, {}, barrier) == 3
    assert farthest(ARCTIC, {}, barrier) == 5
    if water == "major_river":
        assert farthest(DRY, {}, {f"{ROW[3]}/{ROW[4]}": f"{water} road bridge"}) == 7
        assert farthest(DRY, {}, {f"{ROW[3]}/{ROW[4]}": "river"}) == 7, "a river is no barrier"


@rule("typhoon", "6.1.2")
def test_no_line_goes_through_an_intact_fortification_of_the_enemy() -> None:
    assert farthest(DRY, forts=[ROW[3]]) == 3


@rule("typhoon", "6.1.6")
@pytest.mark.parametrize(("sky", "net"), [(DRY, 21), (FROST, 21), (RAIN, 15), (SNOW, 15), (ARCTIC, 15)])
def test_a_road_net_is_21_hexes_long_or_15(sky: Sky, net: int) -> None:
    """By the ruling on 6.1.6, frost is good going."""
    line = 7 if sky in (DRY, FROST) else 5
    assert farthest(sky, {}, chain("main_road", 0, 49)) == net + line
    assert farthest(sky, {}, chain("motorway", 0, 49)) == net + line
    assert farthest(sky, {}, chain("road", 0, 49)) == line, "minor roads make no net"


@rule("typhoon", "6.1.7")
def test_a_rail_net_has_any_length_and_feeds_a_road_net() -> None:
    assert farthest(RAIN, {}, chain("rail", 0, 44)) == 49
    rail, road = chain("rail", 0, 12), chain("main_road", 12, 49)
    assert farthest(RAIN, {}, {**rail, **road}) == 12 + 15 + 5


@rule("typhoon", "6.1.7", "12.4.1")
def test_a_railway_of_the_enemy_s_gauge_is_no_net() -> None:
    assert farthest(DRY, {}, chain("rail", 0, 44), gauge=ROW[:11]) == 10 + 7


@rule("typhoon", "6.1.5", "6.1.6", "6.1.7")
@pytest.mark.parametrize("way", ["rail", "main_road"])
def test_nets_are_cut_where_the_enemy_is(way: str) -> None:
    assert farthest(DRY, {}, chain(way, 0, 20), shut=[ROW[10]]) == 10


@rule("typhoon", "6.2.2", "6.1.4")
def test_a_source_that_the_enemy_holds_feeds_nobody() -> None:
    assert supplied(DRY, {}, chain("rail", 0, 20), shut=[ROW[0]]) == []


@rule("typhoon", "6.3.2", "6.3.3", "6.3.4")
def test_stocks_last_a_turn() -> None:
    assert status_after(GENERAL, True) == GENERAL
    assert status_after(GENERAL, False) == EMERGENCY
    assert status_after(EMERGENCY, False) == UNSUPPLIED
    assert status_after(UNSUPPLIED, False) == UNSUPPLIED
    assert status_after(UNSUPPLIED, True) == status_after(EMERGENCY, True) == GENERAL


@rule("typhoon", "6.3.5", "6.3.4")
def test_unsupplied_units_lose_two_points_and_cavalry_none() -> None:
    foot, horse = data.units()["g-251-inf"], data.units()["s-45-cd"]
    assert movement(foot, EMERGENCY) == movement(foot, GENERAL) == 7
    assert movement(foot, UNSUPPLIED) == 5
    assert movement(horse, UNSUPPLIED) == horse.movement


@pytest.mark.parametrize("id_", data.SCENARIOS[1:])
def test_both_sides_begin_supplied(id_: str) -> None:
    """6.2 with its ruling: every unit of the set-up can trace a route past the enemy and his zones."""
    board, found = data.board(), data.scenario(id_)
    late = {"campaign": "N1016", "yelets": "P4034"}
    stacks: dict[str, dict[int, list[UnitState]]] = {side: {} for side in data.SIDES}
    for placed in found.setup:
        unit = data.units()[placed.unit]
        stacks[unit.side].setdefault(placed.cell, []).append(UnitState(unit))
    zones = {side: zone_of(board, stacks[side], DRY) for side in data.SIDES}
    for side, enemy in (("axis", "soviet"), ("soviet", "axis")):
        named = found.settings.data["supply"][f"{side}_sources"]
        sources = (
            board.with_feature(f"supply_{side}")
            if named == "map"
            else bits(board.cell(number) for number in named)
        )
        if side == "axis" and id_ in late:
            sources |= bits([board.cell(late[id_])])
        own, enemies = bits(stacks[side]), bits(stacks[enemy])
        shut = enemies | shut_for_supply(zones[enemy], own, zones[side])
        routes = Routes(board, DRY, sources, board.everywhere & ~shut, board.everywhere)
        lost = own & ~routes.supplied
        assert [board.number(cell) for cell in each(lost)] == []
