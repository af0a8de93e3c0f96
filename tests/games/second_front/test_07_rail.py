"""7A Railways, 37A2 rail ferries."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from grognard.board import Board
from grognard.games.second_front.books import board as whole_board
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.rail import (
    Ride,
    Track,
    after_losses,
    can_improve,
    charge,
    is_yard,
    network_of,
    permanent_gain,
    points_for,
    rate,
    rides,
    size_on_rail,
    taken,
    temporary_cost,
    temporary_limit,
    within,
)
from tests.games.second_front.field import allied, cells, field, numbers, piece
from tests.rules import rule

ROW = [f"05{column:02}" for column in range(1, 10)]
HIGH, LOW = Ride(5, False, frozenset({"Sicily"})), Ride(5, True, frozenset({"Sicily"}))


def railway(kind: str = "rail_high", features: dict[str, str] | None = None) -> Board:
    return field(features or {}, {f"{a}/{b}": kind for a, b in pairwise(ROW)})


def reached(track: Track, start: str = "0501", most: int = 99) -> set[str]:
    return numbers(track.board, rides(track, track.board.cell(start), most))


@rule("second_front", "7A")
def test_trains_run_on_ones_own_lines_out_of_enemy_zones() -> None:
    board = railway()
    track = Track(board, board.everywhere, 0)
    assert reached(track) == set(ROW) and reached(track, "0601") == set()
    assert reached(track._replace(owned=board.everywhere & ~cells(board, "0504"))) == set(ROW[:3])
    watched = track._replace(enemy_zone=cells(board, "0504"))
    assert reached(watched) == set(ROW[:3]), "not into a zone"
    assert reached(watched, "0504") == set(), "nor out of one"
    assert reached(watched._replace(held=cells(board, "0504"))) == set(ROW), (
        "unless it is held all through the phase"
    )


@rule("second_front", "7A5")
def test_a_broken_line_lets_no_train_in_or_out() -> None:
    board = railway()
    track = Track(board, board.everywhere, 0, broken=cells(board, "0505"))
    assert reached(track) == set(ROW[:4]) and reached(track, "0505") == set()


@rule("second_front", "7A")
def test_the_hexes_of_a_city_are_joined_by_rail() -> None:
    board = field({"0505": "major_city_full", "0506": "major_city_partial", "0507": "major_city_partial"})
    found = rides(Track(board, board.everywhere, 0), board.cell("0505"), 9)
    assert found[board.cell("0507")][0].hexes == 2 and not found[board.cell("0507")][0].low


@rule("second_front", "7A")
def test_yards() -> None:
    """Palermo and Messina; a minor port in Sardinia, and none in Sicily; no yard off the railway."""
    ground = whole_board()
    yards = {ground.number(cell) for cell in ground.cells if is_yard(ground, cell)}
    assert {"26:3530", "26:3823", "26:4025", "26:4326"} <= yards
    assert "26:3929" not in yards, "Caltanissetta is a reference city"
    assert "26:4030" not in yards, "Licata is a minor port"
    board = railway(features={"0501": "port_minor district_sardegna", "0502": "port_minor district_sicilia"})
    assert is_yard(board, board.cell("0501")) and not is_yard(board, board.cell("0502"))
    assert not is_yard(field({"0501": "dot_city"}), field().cell("0501"))


@rule("second_front", "7A1")
def test_operational_rail_takes_whole_points() -> None:
    assert rate("operational") == 7
    assert [points_for(hexes) for hexes in (1, 7, 8, 14, 15)] == [1, 1, 2, 2, 3]


@rule("second_front", "7A2")
def test_strategic_rail_is_two_hundred_hexes() -> None:
    assert rate("strategic") == 200
    board = railway()
    assert reached(Track(board, board.everywhere, 0), most=3) == set(ROW[:4])


@rule("second_front", "7A3", "3A3")
def test_sizes_on_the_railway() -> None:
    assert size_on_rail(piece(size="III"), False) == 1
    assert size_on_rail(piece("4-10", "tank", "III"), False) == 2, "a panzer regiment"
    assert size_on_rail(piece("4-10", "tank", "III"), True) == 4, "doubled twice on a line of low volume"
    assert size_on_rail(piece(size="III"), True) == 2


@rule("second_front", "7A3")
def test_a_unit_counts_once_for_a_network() -> None:
    """The example: two rides of a division of infantry on lines of high volume are 3 RE."""
    used = charge((), 1, allied(), HIGH)
    assert taken(charge(used, 1, allied(), HIGH))["Sicily"] == 3
    assert taken(charge(used, 1, allied(), LOW))["Sicily"] == 6, "the larger of its sizes"
    assert taken(charge(charge((), 1, allied(), LOW), 1, allied(), HIGH))["Sicily"] == 6
    assert taken(charge(used, 2, allied(size="X"), HIGH))["Sicily"] == 4


@rule("second_front", "7A3")
def test_a_way_without_low_volume_is_known_even_if_it_is_longer() -> None:
    sides = {f"{a}/{b}": "rail_high" for a, b in (("0501", "0502"), ("0502", "0503"), ("0503", "0504"))}
    board = field({}, sides | {"0501/0601": "rail_low", "0601/0502": "rail_low"})
    found = rides(Track(board, board.everywhere, 0), board.cell("0501"), 9)
    assert [ride.low for ride in found[board.cell("0502")]] == [False]
    assert [ride.low for ride in found[board.cell("0601")]] == [True]


@rule("second_front", "7A4")
def test_a_ride_over_two_networks_counts_in_both() -> None:
    """The example: a division from Germany to France takes 3 RE of each."""
    board = railway(
        features={number: "district_wk_v" if int(number[2:]) < 5 else "district_mr_20" for number in ROW}
    )
    ride = rides(Track(board, board.everywhere, 0), board.cell("0501"), 99)[board.cell("0509")][0]
    used = charge((), 1, piece(), ride)
    assert {each.network: each.re for each in used} == {
        "Greater Germany": 3,
        "Metropolitan France/Benelux": 3,
    }


@rule("second_front", "7A4")
def test_every_network_of_the_chart_is_on_the_map() -> None:
    ground = whole_board()
    on_map = {network_of(ground, cell) for cell in ground.cells}
    assert {str(row["network"]) for row in charts()["rail_capacity"].records} == on_map - {None}
    assert network_of(ground, ground.cell("26:3530")) == "Sicily"
    assert network_of(ground, ground.cell("17A:1604")) == "Metropolitan France/Benelux"


@rule("second_front", "3C4", "7A3")
def test_capacity_is_of_a_turn_and_not_saved() -> None:
    """The example: 10 RE in Sicily, whatever moved the turn before."""
    used = charge(charge((), 1, allied(), LOW), 2, allied(size="X"), HIGH)
    assert within(used, {"Sicily": 10}) and not within(used, {"Sicily": 6})
    more = charge(used, 3, allied("4-10", "tank", "X"), LOW)
    assert taken(more)["Sicily"] == 11 and not within(more, {"Sicily": 10})


@rule("second_front", "7A4a")
def test_a_temporary_increase_is_half_at_most_and_a_point_for_ten_re() -> None:
    """The example: from 50 by 25 for three points."""
    assert temporary_limit(50) == 25 and temporary_cost(Fraction(25)) == 3
    assert temporary_cost(Fraction(10)) == 1 and temporary_limit(5) == Fraction(5, 2)


@rule("second_front", "7A4b")
def test_a_permanent_increase_costs_three_points_an_re_and_twelve_a_phase() -> None:
    assert [permanent_gain(points) for points in (2, 3, 11, 12)] == [0, 1, 3, 4]
    with pytest.raises(ValueError):
        permanent_gain(13)


@rule("second_front", "7A4a", "7A4b")
def test_increases_need_two_joined_yards_that_are_not_isolated() -> None:
    features = dict.fromkeys(ROW, "district_sicilia")
    features |= {"0501": "district_sicilia dot_city", "0509": "district_sicilia port_standard"}
    board = railway(features=features)
    track = Track(board, board.everywhere, 0)
    assert can_improve(track, "Sicily", 0) and not can_improve(track, "Corsica", 0)
    assert not can_improve(track, "Sicily", cells(board, "0501"))
    assert not can_improve(track._replace(owned=board.everywhere & ~cells(board, "0505")), "Sicily", 0)
    assert can_improve(track._replace(broken=cells(board, "0505")), "Sicily", 0), "as a line of supply (12B3)"


@rule("second_front", "7A4c")
def test_the_last_yard_lost_takes_the_capacity_with_it() -> None:
    features = {"0501": "district_sicilia dot_city", "0509": "district_sicilia port_standard"}
    board = railway(features=features)
    assert after_losses(board, cells(board, "0509"), {"Sicily": 10}) == {"Sicily": 10}
    assert after_losses(board, cells(board, "0505"), {"Sicily": 10}) == {"Sicily": 0}


@rule("second_front", "37A2")
def test_a_rail_ferry_is_a_line_of_low_volume_between_ports_that_operate() -> None:
    board = field({}, {"0501/0502": "sea rail_ferry"})
    track = Track(board, board.everywhere, 0)
    assert rides(track, board.cell("0501"), 9)[board.cell("0502")][0].low
    assert reached(track._replace(shut_ports=cells(board, "0502"))) == {"0501"}
    assert reached(track._replace(owned=cells(board, "0501"))) == {"0501"}
