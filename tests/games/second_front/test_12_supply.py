"""12 Supply and 3G isolation."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from grognard.board import Board
from grognard.games.second_front.books import board as whole_board
from grognard.games.second_front.rules.ground import POINT
from grognard.games.second_front.rules.movement import allowance, load_penalty
from grognard.games.second_front.rules.supply import (
    Delivered,
    Situation,
    after_initial_phase,
    by_land,
    by_rail,
    by_road,
    by_sea,
    counted,
    fed_by_stores,
    full_sources,
    kept,
    length,
    limited_sources,
    overland,
    perishing,
    share_ports,
    survives,
    traced,
    turn_of,
)
from grognard.games.second_front.units import ALLIED, AXIS
from tests.games.second_front.field import CLEAR_SKY, FROSTY, MUDDY, allied, cells, field, numbers, piece
from tests.rules import rule

FRANCE = "Metropolitan France/Benelux"


def situation(
    board: Board,
    side: int = ALLIED,
    *,
    owned: int | None = None,
    enemies: int = 0,
    zone: int = 0,
    **more: object,
) -> Situation:
    ground = board.everywhere if owned is None else owned
    return Situation(board, CLEAR_SKY, side, ground, 0, enemies, zone)._replace(**more)  # type: ignore[arg-type]


def line(kind: str, *hexes: str) -> dict[str, str]:
    """Sides of a road or railway through some hexes."""
    return {f"{a}/{b}": kind for a, b in pairwise(hexes)}


ROW = [f"05{column:02}" for column in range(1, 10)]


@rule("second_front", "12", "12A")
def test_a_line_passes_no_enemies_and_no_enemy_zone_without_friends() -> None:
    board = field(dict.fromkeys(("0401", "0402", "0403", "0404", "0601", "0602", "0603", "0604"), "sea"))
    source = cells(board, "0501")
    assert by_land(situation(board), source) >> board.cell("0503") & 1
    assert not by_land(situation(board, enemies=cells(board, "0502")), source) >> board.cell("0503") & 1
    shut = situation(board, zone=cells(board, "0502"))
    assert not by_land(shut, source) >> board.cell("0503") & 1
    assert by_land(shut._replace(friends=cells(board, "0502")), source) >> board.cell("0503") & 1


@rule("second_front", "12B", "12B1")
def test_the_land_element_crosses_anybodys_ground_as_far_as_the_chart_says() -> None:
    board = field()
    source = cells(board, "0101")
    found = by_land(situation(board, owned=0), source)
    assert length(ALLIED, "land", "clear") == 7
    assert found == board.within([board.cell("0101")], 7)
    assert by_land(situation(board, sky=MUDDY), source) == board.within([board.cell("0101")], 4)


@rule("second_front", "12B1", "36D")
def test_an_element_is_as_long_as_its_worst_weather_allows() -> None:
    mild = {f"{row:02}{column:02}": "weather_e" for row in range(1, 10) for column in range(1, 6)}
    board = field(mild)
    found = numbers(board, by_land(situation(board, sky=MUDDY._replace(e="clear")), cells(board, "0501")))
    assert "0505" in found and "0506" not in found, "five hexes, the last of them in mud"


@rule("second_front", "12B2")
def test_the_road_element_follows_roads_through_ones_own_hexes() -> None:
    board = field({}, line("road", *ROW))
    source = cells(board, "0501")
    assert numbers(board, by_road(situation(board), source)) == set(ROW), "eight hexes, of ten"
    assert numbers(board, by_road(situation(board, AXIS), source)) == set(ROW[:8]), "seven for the Axis"
    held = board.everywhere & ~cells(board, "0504")
    assert numbers(board, by_road(situation(board, owned=held), source)) == set(ROW[:3])


@rule("second_front", "12B3")
def test_the_rail_element_has_seven_hexes_of_low_volume() -> None:
    network = dict.fromkeys(ROW, "district_mr_1")
    high, low = (field(network, line(kind, *ROW)) for kind in ("rail_high", "rail_low"))
    capacity = {FRANCE: 10}
    source = cells(high, "0501")
    assert numbers(high, by_rail(situation(high, capacity=capacity), source)) == set(ROW)
    assert numbers(low, by_rail(situation(low, capacity=capacity), source)) == set(ROW[:8])
    held = high.everywhere & ~cells(high, "0504")
    assert numbers(high, by_rail(situation(high, owned=held, capacity=capacity), source)) == set(ROW[:3])


@rule("second_front", "12B3")
def test_a_weak_network_carries_supply_only_together_with_a_strong_one() -> None:
    network = {number: "district_mr_1" if int(number[2:]) > 4 else "district_wk_x" for number in ROW}
    board = field(network, line("rail_high", *ROW))
    source = cells(board, "0501")
    both = {FRANCE: 9, "Greater Germany": 10}
    assert numbers(board, by_rail(situation(board, capacity=both), source)) == set(ROW)
    weak = {FRANCE: 9, "Greater Germany": 9}
    assert by_rail(situation(board, capacity=weak), source) == 0
    other = {FRANCE: 10, "Greater Germany": 9}
    assert numbers(board, by_rail(situation(board, capacity=other), source)) == set(ROW[4:])


@rule("second_front", "12B4")
def test_the_sea_element_joins_large_ports_that_operate() -> None:
    board = field({"0901": "port_major", "0902": "port_great", "0903": "port_standard", "0904": "port_major"})
    sea = situation(board, at_sea=True, wrecked=cells(board, "0904"))
    assert numbers(board, by_sea(sea, cells(board, "0902"))) == {"0901", "0902"}
    assert by_sea(sea._replace(at_sea=False), cells(board, "0902")) == 0


@rule("second_front", "12B")
def test_elements_follow_each_other_land_road_rail() -> None:
    network = {f"01{column:02}": "district_mr_1" for column in range(1, 10)}
    ways = line("rail_high", *(f"01{column:02}" for column in range(1, 6))) | line(
        "road", "0105", "0106", "0107"
    )
    board = field(network, ways)
    at = situation(board, AXIS, capacity={FRANCE: 10}, sky=MUDDY)
    found = traced(at, cells(board, "0101"))
    assert found >> board.cell("0509") & 1, "four hexes from the road"
    # without the railway the road ends a hex earlier
    assert not traced(at._replace(capacity={}), cells(board, "0101")) >> board.cell("0509") & 1


# Sources


@rule("second_front", "12C", "12C1", "12C1a", "12C1b")
def test_two_connected_major_cities_are_a_source() -> None:
    cities = {
        "0501": "major_city_full country_germany district_wk_x",
        "0509": "major_city_full country_germany",
    }
    middle = dict.fromkeys(ROW[1:8], "district_wk_x")
    board = field(
        cities | middle | {"0509": "major_city_full country_germany district_wk_x"}, line("rail_high", *ROW)
    )
    at = situation(board, AXIS, capacity={"Greater Germany": 100})
    assert numbers(board, full_sources(at)) == {"0501", "0509"}
    assert full_sources(at._replace(spoiled=cells(board, "0509"))) == 0, "once Allied, never again"
    assert full_sources(at._replace(owned=board.everywhere & ~cells(board, "0505"))) == 0, "not connected"
    edge = cells(board, "0101")
    assert full_sources(at._replace(spoiled=cells(board, "0509")), east_edge=edge) == edge


@rule("second_front", "12C1b")
def test_italian_cities_feed_italians() -> None:
    features = dict.fromkeys(ROW, "country_italy")
    cities = {"0501": "country_italy major_city_full", "0505": "country_italy major_city_partial"}
    board = field(features | cities, line("rail_high", *ROW))
    at = situation(board, AXIS, capacity={"Metropolitan Italy": 30})
    assert full_sources(at) == 0 and numbers(board, full_sources(at, italian=True)) == {"0501", "0505"}


@rule("second_front", "12C1c")
def test_allied_sources_are_ports_of_africa_and_england_and_english_cities() -> None:
    board = field(
        {
            "0101": "port_major country_tunisia",
            "0102": "port_standard country_tunisia",
            "0103": "port_great country_great_britain",
            "0104": "reference_city country_great_britain",
            "0105": "port_major country_italy",
        }
    )
    assert numbers(board, full_sources(situation(board))) == {"0101", "0103", "0104"}
    assert numbers(board, full_sources(situation(board, owned=cells(board, "0101")))) == {"0101"}


@rule("second_front", "12C2")
def test_small_ports_are_limited_sources() -> None:
    board = field({"0101": "port_standard", "0102": "port_minor", "0103": "port_major", "0104": "port_minor"})
    at = situation(board, at_sea=True, wrecked=cells(board, "0104"))
    assert {board.number(cell): re for cell, re in limited_sources(at).items()} == {"0101": 30, "0102": 15}
    assert limited_sources(at._replace(at_sea=False)) == {}
    assert limited_sources(at._replace(owned=0)) == {}


@rule("second_front", "12C2")
def test_ports_supply_as_many_re_as_they_can() -> None:
    ports = {1: Fraction(6), 2: Fraction(3)}
    needs = {
        10: (Fraction(3), [1, 2]),
        11: (Fraction(3), [1]),
        12: (Fraction(3), [1]),
        13: (Fraction(1), [1]),
    }
    assert share_ports(needs, ports) == {10, 11, 12}
    assert share_ports({10: (Fraction(4), [2])}, ports) == set()


@rule("second_front", "12C3a")
def test_delivered_supply_feeds_an_re_a_point_for_two_initial_phases() -> None:
    """The example: what a ship brings in Aug II 44 lasts through the Axis and the Allied phase of Sep I."""
    board = field()
    stores = [Delivered(board.cell("0505"), 4)]
    near = {
        1: (Fraction(3), board.cell("0506")),
        2: (Fraction(1), board.cell("0507")),
        3: (Fraction(1), board.cell("0504")),
    }
    fed = fed_by_stores(situation(board), stores, near)
    assert len(fed) == 2 and 1 in fed, "four RE"
    assert fed_by_stores(situation(board, zone=cells(board, "0505")), stores, near) == set()
    once = after_initial_phase(stores)
    assert [store.phases for store in once] == [1] and after_initial_phase(once) == []
    assert kept(stores, cells(board, "0505")) == stores and kept(stores, 0) == []


@rule("second_front", "3G")
def test_isolation_is_by_land_of_any_length() -> None:
    board = field(dict.fromkeys(ROW[:8], "sea"))
    at = situation(board, owned=0)
    assert overland(at, cells(board, "0101")) >> board.cell("0901") & 1, "round the bay"
    sealed = situation(board, enemies=cells(board, "0509"))
    assert not overland(sealed, cells(board, "0101")) >> board.cell("0901") & 1


def test_sicily_is_cut_off_from_the_mainland_but_for_its_ferry() -> None:
    ground = whole_board()
    at = situation(ground, AXIS, capacity={"Sicily": 10, "Metropolitan Italy": 30})
    reggio, messina = ground.cell("26:3923"), ground.cell("26:3823")
    assert not overland(at, 1 << reggio) >> messina & 1
    assert by_rail(at, 1 << reggio) >> messina & 1


# 12D


@rule("second_front", "12D")
def test_a_turn_without_supply_is_two_player_turns() -> None:
    turns, found = 0, []
    for regular in (True, False, False, False, False, True, False):
        turns = counted(turns, regular)
        found.append(turn_of(turns))
    assert found == [0, 1, 1, 2, 2, 0, 1]


@rule("second_front", "12D")
def test_hunger_halves_movement() -> None:
    tanks = allied("8-10", "panzer_division")
    assert allowance(tanks) == 10 * POINT
    assert allowance(tanks._replace(hungry=1)) == 5 * POINT, "c/m units at once"
    assert allowance(allied(hungry=1)) == 8 * POINT and allowance(allied(hungry=2)) == 4 * POINT
    assert allowance(allied("8-5", hungry=2)) == 5 * POINT // 2, "two and a half"


@rule("second_front", "12D")
def test_the_isolated_perish_from_the_fourth_turn() -> None:
    states = [(3, True), (4, True), (4, False), (0, True), (5, True)]
    pieces = [(n, piece(hungry=turn, isolated=cut)) for n, (turn, cut) in enumerate(states)]
    assert list(perishing(pieces)) == [1, 4]


@rule("second_front", "12D")
@pytest.mark.parametrize(
    ("terrain", "sky", "fortress", "lowest"),
    [
        ("clear", CLEAR_SKY, False, 5),
        ("clear", FROSTY, False, 6),
        ("clear", MUDDY, False, 5),
        ("major_city_partial", FROSTY, False, 2),
        ("clear", FROSTY, True, 2),
    ],
)
def test_cities_feed_and_cold_kills(terrain: str, sky: object, fortress: bool, lowest: int) -> None:
    board = field({"0505": terrain})
    living = [die for die in range(1, 7) if survives(board, board.cell("0505"), sky, die, fortress)]  # type: ignore[arg-type]
    assert living == list(range(lowest, 7))


# 12E


@rule("second_front", "12E")
def test_carrying_resource_points_slows_a_unit_before_its_movement_is_halved() -> None:
    division = allied()
    assert [load_penalty(division, points) for points in (0, 1, 3, 4, 6)] == [0, 1, 1, 2, 2]
    assert load_penalty(division, 7) is None, "six for a division"
    assert allowance(division, 6) == 6 * POINT and allowance(allied(hungry=2), 3) == 7 * POINT // 2
    with pytest.raises(ValueError):
        allowance(division, 7)
