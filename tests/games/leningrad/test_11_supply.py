"""11.0 Supply.

A line is paid hex by hex up to five points, so these tests use lines along a column, where the shortest way
is the only one: 0913 is five hexes south of the Soviet source 0908, and 0106 five hexes north of the German
source 0111.
"""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.leningrad import load
from grognard.games.leningrad.rules.supply import in_supply
from grognard.games.leningrad.state import GERMAN, SOVIET
from tests.games.leningrad.battles import announce, attack, road
from tests.games.leningrad.table import Table
from tests.rules import rule

RANGE = 5


def supplied(table: Table, unit: str) -> bool:
    index = table.game.unit_index(unit)
    return in_supply(table.game, table.state, table.game.side(index), table.state.where[index])


def soviet(units: dict[str, str], **more: Any) -> Table:
    return Table("soviet-movement", units, supply_range=RANGE, **more)


def german(units: dict[str, str], **more: Any) -> Table:
    return Table("german-movement", units, supply_range=RANGE, **more)


# 11.0


@rule("leningrad", "11.0")
def test_a_line_to_a_source_may_be_five_points_long() -> None:
    assert supplied(soviet({"10-rd": "0913"}), "10-rd")
    assert not supplied(soviet({"10-rd": "1013"}), "10-rd")
    assert supplied(german({"1-inf": "0106"}), "1-inf")
    assert not supplied(german({"1-inf": "0105"}), "1-inf")


@rule("leningrad", "11.0")
def test_the_rulebook_range_is_five() -> None:
    assert load().data.numbers["supply_range"] == 5


@rule("leningrad", "11.0")
def test_a_unit_on_a_source_is_in_supply() -> None:
    table = soviet({"10-rd": "0908", "1-inf": "0907", "11-inf": "0909"})
    assert supplied(table, "10-rd")


@rule("leningrad", "11.0")
def test_a_line_may_end_on_a_road_that_leads_to_a_source_however_long() -> None:
    way = [f"{column:02d}12" for column in range(1, 20)]
    assert supplied(german({"1-inf": "1907"}, sides=road(*way)), "1-inf")
    assert not supplied(german({"1-inf": "1906"}, sides=road(*way)), "1-inf")


@rule("leningrad", "11.0")
def test_a_road_with_a_gap_leads_nowhere() -> None:
    west, east = [f"{c:02d}12" for c in range(1, 10)], [f"{c:02d}12" for c in range(10, 20)]
    assert not supplied(german({"1-inf": "1912"}, sides={**road(*west), **road(*east)}), "1-inf")


@rule("leningrad", "11.0")
def test_a_road_hex_entered_off_the_road_is_paid_like_the_land() -> None:
    way = [f"{column:02d}12" for column in range(1, 20)]
    marsh = {"1911": "marsh"}
    assert supplied(german({"1-inf": "1908"}, sides=road(*way), terrain=marsh), "1-inf")
    wet_road = {"1912": "marsh"}
    assert not supplied(german({"1-inf": "1907"}, sides=road(*way), terrain=wet_road), "1-inf")


@rule("leningrad", "11.0")
def test_a_line_pays_armoured_rates_on_roads_even_for_infantry() -> None:
    # Two hexes of open land, then a road that stops short of the source: ½ a hexside.
    way = road(*[f"{c:02d}12" for c in range(3, 10)])
    assert supplied(german({"1-inf": "0912"}, sides=way), "1-inf")  # 6 x ½ + 2
    assert not supplied(german({"1-inf": "1012"}, sides=way), "1-inf")


@rule("leningrad", "11.0")
def test_a_line_pays_armoured_rates_in_towns() -> None:
    assert not supplied(soviet({"10-rd": "1013"}), "10-rd")
    for ground in ("+town", "+soviet_city"):
        table = soviet({"10-rd": "1013"}, terrain={"0911": ground, "0912": ground})
        assert supplied(table, "10-rd")


@rule("leningrad", "11.0")
def test_a_line_pays_for_marsh_hill_and_river() -> None:
    for ground in ("marsh", "hill"):
        assert not supplied(soviet({"10-rd": "0913"}, terrain={"0911": ground}), "10-rd")
    assert not supplied(soviet({"10-rd": "0913"}, sides={"0910/0911": "river"}), "10-rd")


@rule("leningrad", "11.0")
def test_a_line_does_not_cross_water() -> None:
    assert not supplied(soviet({"10-rd": "0913"}, terrain={"0911": "lake"}), "10-rd")
    assert not supplied(soviet({"10-rd": "0913"}, sides={"0910/0911": "lake"}), "10-rd")


@rule("leningrad", "11.0")
def test_ruling_the_line_pays_the_source_it_enters_and_not_the_hex_of_the_unit() -> None:
    assert supplied(soviet({"10-rd": "0913"}, terrain={"0913": "marsh"}), "10-rd")
    assert not supplied(soviet({"10-rd": "0913"}, terrain={"0908": "marsh"}), "10-rd")


@rule("leningrad", "11.0")
def test_supply_for_movement_is_judged_when_a_unit_starts_to_move() -> None:
    # The zone of 1-inf cuts the line at 0911 and 0912. 90-rd holds 0912; 10-rd comes to hold 0911.
    table = soviet({"28-td": "0913", "90-rd": "0912", "10-rd": "0910", "1-inf": "1011"})
    assert not supplied(table, "28-td")
    table.do("pick 10-rd", "step 0911", "halt")
    assert supplied(table, "28-td")
    table.do("pick 28-td")
    assert table.left("28-td") == 8


@rule("leningrad", "11.0")
def test_supply_for_battle_is_judged_when_the_odds_are_worked_out() -> None:
    # The German in 1011 cuts the line of 10-rd. An attack that removes him first mends it.
    units = {"10-rd": "0913", "11-inf": "0813", "90-rd": "1010", "1-inf": "1011"}
    strengths = {"10-rd": "inf-2-3", "90-rd": "inf-2-3"}
    table = Table("soviet-combat", units, supply_range=RANGE, strengths=strengths)
    assert announce(table, "0813", "10-rd").shifts()["attacker-unsupplied"] == -2
    table = Table("soviet-combat", units, supply_range=RANGE, strengths=strengths)
    attack(table, "1011", "90-rd", "E/-").do("hold")
    assert "attacker-unsupplied" not in announce(table, "0813", "10-rd").shifts()


@rule("leningrad", "11.0")
def test_ruling_reinforcements_have_their_full_allowance_on_arrival() -> None:
    table = soviet({"1-inf": "2712", "11-inf": "2613"}, to_come=["177-rd"], turn=6)
    table.do("enter 177-rd 2713")
    assert table.left("177-rd") == 5 - 1


@rule("leningrad", "11.0")
def test_reinforcements_are_judged_like_any_other_unit_when_they_fight() -> None:
    # 20-mot fights in 2213, far from East Prussia.
    table = Table(
        "german-combat",
        {"20-mot": "2213", "10-rd": "2212"},
        strengths={"10-rd": "inf-2-3"},
        supply_range=RANGE,
        turn=10,
    )
    assert announce(table, "2212", "20-mot").shifts()["attacker-unsupplied"] == -2


# 11.1


@rule("leningrad", "11.1")
@pytest.mark.parametrize(
    ("unit", "full", "half"), [("1-pz", 8, 4), ("1-inf", 6, 3), ("10-rd", 5, 2), ("28-td", 8, 4)]
)
def test_out_of_supply_a_unit_has_half_its_points_fractions_dropped(unit: str, full: int, half: int) -> None:
    is_german = unit in ("1-pz", "1-inf")
    make, near, far = (german, "0106", "0701") if is_german else (soviet, "0913", "0701")
    assert make({unit: near}).do(f"pick {unit}").left(unit) == full
    assert make({unit: far}).do(f"pick {unit}").left(unit) == half


@rule("leningrad", "11.1")
def test_a_unit_keeps_its_full_allowance_when_it_moves_out_of_supply() -> None:
    table = german({"1-inf": "0106"}).do("pick 1-inf", "step 0105", "step 0104", "step 0103", "step 0102")
    assert not supplied(table, "1-inf")
    assert table.left("1-inf") == 2


@rule("leningrad", "11.1")
def test_a_unit_keeps_its_half_allowance_when_it_moves_into_supply() -> None:
    table = german({"1-inf": "0105"}).do("pick 1-inf", "step 0106", "step 0107")
    assert supplied(table, "1-inf")
    assert table.left("1-inf") == 1
    table.do("step 0108")
    assert table.asked == "pick-unit"


@rule("leningrad", "11.1")
def test_each_unit_of_a_stack_has_its_own_supply_allowance() -> None:
    table = german({"1-pz": "0105", "1-inf": "0105"}).do("pick 1-pz", "add 1-inf")
    assert (table.left("1-pz"), table.left("1-inf")) == (4, 3)


# 11.2


@rule("leningrad", "11.2")
def test_an_unsupplied_attacker_shifts_two_left() -> None:
    table = Table(
        "german-combat",
        {"1-inf": "1013", "10-rd": "0913"},
        strengths={"10-rd": "inf-2-3"},
        supply_range=RANGE,
    )
    assert announce(table, "0913", "1-inf").shifts() == {"attacker-unsupplied": -2}


@rule("leningrad", "11.2")
def test_an_unsupplied_defender_shifts_two_right() -> None:
    table = Table(
        "german-combat",
        {"1-inf": "0110", "10-rd": "0109"},
        strengths={"10-rd": "inf-2-3"},
        supply_range=RANGE,
    )
    assert announce(table, "0109", "1-inf").shifts() == {"defender-unsupplied": 2}


@rule("leningrad", "11.2")
def test_both_sides_may_be_out_of_supply() -> None:
    table = Table(
        "german-combat",
        {"1-inf": "2001", "10-rd": "2002"},
        strengths={"10-rd": "inf-2-3"},
        supply_range=1,
    )
    assert announce(table, "2002", "1-inf").shifts() == {"attacker-unsupplied": -2, "defender-unsupplied": 2}


@rule("leningrad", "9.6", "11.2")
def test_ruling_one_unsupplied_attacker_among_several_is_enough_and_more_add_nothing() -> None:
    # 0106 is in supply, 0204 is not.
    units = {"1-inf": "0106", "11-inf": "0204", "21-inf": "0204", "10-rd": "0105"}
    table = Table("german-combat", units, strengths={"10-rd": "inf-2-3"}, supply_range=RANGE)
    assert announce(table, "0105", "1-inf 11-inf").shifts()["attacker-unsupplied"] == -2
    table = Table("german-combat", units, strengths={"10-rd": "inf-2-3"}, supply_range=RANGE)
    assert announce(table, "0105", "1-inf 11-inf 21-inf").shifts()["attacker-unsupplied"] == -2
    table = Table("german-combat", units, strengths={"10-rd": "inf-2-3"}, supply_range=RANGE)
    assert "attacker-unsupplied" not in announce(table, "0105", "1-inf").shifts()


@rule("leningrad", "9.6", "11.2")
def test_ruling_one_unsupplied_defender_among_several_is_enough_and_more_add_nothing() -> None:
    units = {"1-inf": "1012", "10-rd": "0912", "90-rd": "1013"}
    strengths = {"10-rd": "inf-2-3", "90-rd": "inf-2-3"}
    table = Table("german-combat", units, strengths=strengths, supply_range=4)
    assert supplied(table, "10-rd")
    assert not supplied(table, "90-rd")
    assert announce(table, "0912 1013", "1-inf").shifts()["defender-unsupplied"] == 2
    table = Table("german-combat", units, strengths=strengths, supply_range=3)
    assert announce(table, "0912 1013", "1-inf").shifts()["defender-unsupplied"] == 2


@rule("leningrad", "11.2")
def test_the_shift_holds_in_an_overrun() -> None:
    table = Table(
        "german-movement",
        {"1-pz": "2001", "10-rd": "2002"},
        strengths={"10-rd": "inf-2-3"},
        supply_range=1,
    ).do("pick 1-pz", "overrun 2002")
    shifts = table.shifts()
    assert (shifts["attacker-unsupplied"], shifts["defender-unsupplied"]) == (-2, 2)


# 11.3


@rule("leningrad", "11.3")
def test_an_enemy_unit_blocks_a_line() -> None:
    units = {"10-rd": "0913", "1-inf": "0911"}
    assert not supplied(soviet(units), "10-rd")
    # Friends before and behind it cancel its zone there, but the line does not pass its own hex.
    assert not supplied(soviet({**units, "90-rd": "0912", "125-rd": "0910"}), "10-rd")


@rule("leningrad", "11.3")
def test_an_enemy_zone_blocks_a_line() -> None:
    table = soviet({"10-rd": "0913", "1-inf": "1110"})
    assert supplied(table, "10-rd")
    table = soviet({"10-rd": "0913", "1-inf": "1010"})  # next to 0910 and 0911
    assert not supplied(table, "10-rd")


@rule("leningrad", "11.3")
def test_a_friend_in_the_hex_lets_the_line_through_an_enemy_zone() -> None:
    units = {"10-rd": "0913", "1-inf": "1010"}
    assert not supplied(soviet({**units, "90-rd": "0910"}), "10-rd")
    assert supplied(soviet({**units, "90-rd": "0910", "125-rd": "0911"}), "10-rd")


@rule("leningrad", "11.3")
def test_a_zone_does_not_cut_a_line_across_a_lake() -> None:
    shores = {"0910/1010": "lake", "0911/1010": "lake"}
    assert supplied(soviet({"10-rd": "0913", "1-inf": "1010"}, sides=shores), "10-rd")


@rule("leningrad", "11.3")
def test_a_unit_in_an_enemy_zone_may_still_trace_a_line() -> None:
    assert supplied(soviet({"10-rd": "0913", "1-inf": "1013"}), "10-rd")


@rule("leningrad", "11.3")
def test_a_source_held_by_the_enemy_or_in_his_zone_is_shut() -> None:
    assert not supplied(soviet({"10-rd": "0911", "1-inf": "0908"}), "10-rd")
    assert not supplied(soviet({"10-rd": "0911", "1-inf": "0907"}), "10-rd")
    assert supplied(soviet({"10-rd": "0911", "1-inf": "0907", "90-rd": "0908"}), "10-rd")


@rule("leningrad", "11.3")
def test_ruling_the_enemy_cuts_the_road_chain_too() -> None:
    way = road(*[f"{column:02d}12" for column in range(1, 20)])
    unit = {"1-inf": "1912"}
    assert supplied(german(unit, sides=way), "1-inf")
    assert not supplied(german({**unit, "10-rd": "0912"}, sides=way), "1-inf")
    assert not supplied(german({**unit, "10-rd": "0911"}, sides=way), "1-inf")  # its zone is enough
    assert supplied(german({**unit, "10-rd": "0911", "11-inf": "0912"}, sides=way), "1-inf")


# 11.4


@rule("leningrad", "11.4")
def test_one_source_feeds_any_number_of_units() -> None:
    column = {
        unit: f"{9:02d}{9 + number // 3:02d}"
        for number, unit in enumerate(
            ("10-rd", "90-rd", "125-rd", "48-rd", "5-rd", "33-rd", "188-rd", "126-rd", "128-rd", "23-rd")
        )
    }
    table = soviet(column)
    assert all(supplied(table, unit) for unit in column)


# 11.5


@rule("leningrad", "11.5")
def test_the_sources_are_those_of_the_rulebook() -> None:
    game = load()
    numbers = [{game.board.number(c) for c in game.board.cells if s >> c & 1} for s in game.sources]
    assert numbers[GERMAN] == {"0111", "0112", "0113"}
    assert numbers[SOVIET] == {"2505", "2604", "2605", "2705", "1601", "0908", "2713", "2906", "2908"}


@rule("leningrad", "11.5")
@pytest.mark.parametrize("source", ["2505", "2604", "2605", "2705", "1601", "0908", "2713", "2906", "2908"])
def test_each_soviet_source_feeds_soviets_and_no_germans(source: str) -> None:
    assert supplied(Table("soviet-movement", {"10-rd": source}, supply_range=1), "10-rd")
    assert not supplied(Table("german-movement", {"1-inf": source}, supply_range=1), "1-inf")


@rule("leningrad", "11.5")
@pytest.mark.parametrize("source", ["0111", "0112", "0113"])
def test_each_german_source_feeds_germans_and_no_soviets(source: str) -> None:
    assert supplied(Table("german-movement", {"1-inf": source}, supply_range=1), "1-inf")
    assert not supplied(Table("soviet-movement", {"10-rd": source}, supply_range=1), "10-rd")


# 11.6


@rule("leningrad", "11.6", "15.2")
def test_an_empty_fort_makes_a_german_line_dearer() -> None:
    assert supplied(german({"1-inf": "0106"}), "1-inf")
    assert not supplied(german({"1-inf": "0106"}, forts=["0109"]), "1-inf")
    assert supplied(german({"1-inf": "0107"}, forts=["0109"]), "1-inf")


@rule("leningrad", "11.6", "15.2")
def test_a_fort_does_not_hinder_soviet_lines() -> None:
    assert supplied(soviet({"10-rd": "0913"}, forts=["0911"]), "10-rd")


@rule("leningrad", "11.6", "13.3")
def test_interdiction_makes_a_soviet_line_dearer() -> None:
    assert not supplied(soviet({"10-rd": "0913"}, interdicted=["0911"]), "10-rd")
    assert supplied(soviet({"10-rd": "0912"}, interdicted=["0911"]), "10-rd")


@rule("leningrad", "11.6", "13.3")
def test_two_air_units_make_a_hex_of_a_line_four_times_as_dear() -> None:
    lakes = {f"{column}{row:02d}": "lake" for column in ("08", "10") for row in range(8, 13)}
    twice = ["0909", "0909"]
    assert supplied(soviet({"10-rd": "0910"}, interdicted=twice, terrain=lakes), "10-rd")  # 4 + 1
    assert not supplied(soviet({"10-rd": "0911"}, interdicted=twice, terrain=lakes), "10-rd")  # 1 + 4 + 1
    assert supplied(soviet({"10-rd": "0911"}, interdicted=["0909", "0910"], terrain=lakes), "10-rd")


@rule("leningrad", "11.6", "13.3")
def test_interdiction_does_not_hinder_german_lines() -> None:
    assert supplied(german({"1-inf": "0106"}, interdicted=["0109"]), "1-inf")


@rule("leningrad", "11.6")
def test_ruling_forts_and_interdiction_leave_the_road_chain_alone() -> None:
    way = road(*[f"{column:02d}12" for column in range(1, 20)])
    assert supplied(german({"1-inf": "1907"}, sides=way, forts=["0912", "1012", "1112"]), "1-inf")
    south = road("0908", "0909", "0910", "0911", "0912", "0913")
    table = soviet({"10-rd": "1413"}, sides=south, interdicted=["0910", "0910"])
    assert supplied(table, "10-rd")
