"""16.0 Reinforcements and regeneration."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from grognard.games.leningrad import load
from grognard.games.leningrad.rules.results import lose_step
from tests.games.leningrad.battles import attack, pass_until
from tests.games.leningrad.table import Table
from tests.rules import rule

EAST_PRUSSIA = {"0111", "0112", "0113"}
LENINGRAD = {"2505", "2604", "2605", "2705"}


def entries(table: Table, unit: str) -> set[str]:
    """The hexes where a unit may enter now."""
    return {o.split()[1] for o in table.offered("enter") if o.split()[0] == unit}


def german(turn: int, *to_come: str, units: dict[str, str] | None = None, **more: Any) -> Table:
    return Table("german-movement", units or {}, turn=turn, to_come=to_come, **more)


def soviet(turn: int, *to_come: str, units: dict[str, str] | None = None, **more: Any) -> Table:
    return Table("soviet-movement", units or {}, turn=turn, to_come=to_come, **more)


# 16.0

SCHEDULE = {
    (2, "german", "infantry", "0111 0112 0113"): 5,
    (6, "german", "infantry", "0111 0112 0113"): 1,
    (10, "german", "armour", "2213"): 1,
    (10, "german", "mechanised", "2213"): 1,
    (1, "soviet", "infantry", "1113"): 1,
    (1, "soviet", "armour", "1113"): 3,
    (2, "soviet", "infantry", "2906 2908"): 4,
    (2, "soviet", "armour", "2906 2908"): 1,
    (4, "soviet", "infantry", "2713 2906 2908"): 3,
    (4, "soviet", "armour", "2713 2906 2908"): 1,
    (5, "soviet", "infantry", "2601"): 2,
    (5, "soviet", "armour", "2713 2906 2908"): 1,
    (6, "soviet", "infantry", "2713 2906 2908"): 3,
    (7, "soviet", "infantry", "2713"): 6,
    (7, "soviet", "infantry", "2601"): 2,
    (7, "soviet", "armour", "2501"): 1,
    (8, "soviet", "infantry", "2906 2908"): 3,
    (8, "soviet", "armour", "2501"): 1,
    (9, "soviet", "infantry", "2908"): 3,
    (10, "soviet", "infantry", "2505 2604 2605 2705"): 1,
    (11, "soviet", "infantry", "2505 2604 2605 2705"): 2,
    (12, "soviet", "infantry", "2505 2604 2605 2705"): 2,
}


@rule("leningrad", "16.0")
def test_the_schedule_is_that_of_the_reinforcement_tables() -> None:
    game = load()
    found = Counter(
        (
            unit.turn,
            "german" if unit.german else "soviet",
            unit.kind,
            " ".join(sorted(game.board.number(c) for c in unit.entries)),
        )
        for unit in game.units
        if unit.turn
    )
    assert found == SCHEDULE


@rule("leningrad", "16.0")
def test_the_two_german_units_of_turn_10_are_the_39th_corps() -> None:
    assert {u.corps for u in load().units if u.german and u.turn == 10} == {"39"}


@rule("leningrad", "16.0")
def test_reinforcements_enter_in_their_owners_movement_phase_of_their_turn() -> None:
    assert entries(german(2, "58-inf"), "58-inf") == EAST_PRUSSIA
    assert german(1, "58-inf").refused("enter 58-inf 0112") == ("not-due", "16.0")
    assert soviet(2, "58-inf").refused("enter 58-inf 0112") == ("not-yours", "4.0")
    assert Table("german-combat", {}, turn=2, to_come=["58-inf"]).refused("enter 58-inf 0112")[0] == "not-now"


@rule("leningrad", "16.0")
def test_a_unit_enters_once() -> None:
    table = german(2, "58-inf").do("enter 58-inf 0112", "halt")
    assert table.refused("enter 58-inf 0112") == ("not-to-come", "16.0")
    table = german(2, "58-inf", units={"1-inf": "0512"})
    table.state.kill(table.game.unit_index("58-inf"))
    assert table.refused("enter 58-inf 0112") == ("not-to-come", "16.0")


@rule("leningrad", "16.0")
def test_units_with_several_entry_hexes_may_share_them_out() -> None:
    table = soviet(2, "111-rd", "118-rd")
    table.do("enter 111-rd 2906", "halt", "enter 118-rd 2908", "halt")
    assert (table.where("111-rd"), table.where("118-rd")) == ("2906", "2908")


@rule("leningrad", "16.0")
def test_a_unit_enters_by_its_listed_hexes_only() -> None:
    assert soviet(9, "286-rd").refused("enter 286-rd 2906") == ("not-an-entry", "16.2")


@rule("leningrad", "16.0")
def test_ruling_the_six_of_2713_arrive_on_turn_7_and_not_on_turn_6() -> None:
    assert entries(soviet(6, "245-rd"), "245-rd") == set()
    assert entries(soviet(7, "245-rd"), "245-rd") == {"2713"}


# 16.1


@rule("leningrad", "16.1")
@pytest.mark.parametrize(("ground", "price"), [("clear", 1), ("marsh", 2), ("hill", 2), ("+town", 1)])
def test_an_arriving_unit_pays_for_its_entry_hex(ground: str, price: int) -> None:
    table = soviet(9, "286-rd", terrain={"2908": ground}).do("enter 286-rd 2908")
    assert table.left("286-rd") == 5 - price


@rule("leningrad", "16.1")
def test_arriving_armour_pays_half_a_point_in_a_town() -> None:
    table = german(10, "12-pz", terrain={"2213": "+town"}).do("enter 12-pz 2213")
    assert table.left("12-pz") == 7.5


@rule("leningrad", "16.1")
def test_an_arriving_unit_goes_on_with_the_points_it_has_left() -> None:
    table = soviet(9, "286-rd").do("enter 286-rd 2908", *(f"step 290{row}" for row in (7, 6, 5, 4)))
    assert table.where("286-rd") == "2904"
    assert table.left("286-rd") == 0


@rule("leningrad", "16.1")
def test_those_who_follow_pay_no_more_than_the_first() -> None:
    table = soviet(9, "286-rd", "294-rd", "310-rd")
    for unit in ("286-rd", "294-rd", "310-rd"):
        table.do(f"enter {unit} 2908")
        assert table.left(unit) == 4
        table.do("halt")


@rule("leningrad", "16.1")
def test_ruling_no_road_and_no_river_at_the_entry_hex() -> None:
    sides = {"2908/2909": "river", "2907/2908": "road"}
    table = german(10, "12-pz", sides={"2212/2213": "road", "2113/2213": "river"}).do("enter 12-pz 2213")
    assert table.left("12-pz") == 7
    assert soviet(9, "286-rd", sides=sides).do("enter 286-rd 2908").left("286-rd") == 4


@rule("leningrad", "16.1")
def test_ruling_units_due_by_the_same_hex_may_enter_and_move_as_a_stack() -> None:
    table = soviet(9, "286-rd", "294-rd", "310-rd")
    table.do("enter 286-rd 2908", "add 294-rd", "add 310-rd", "step 2907")
    assert [table.where(u) for u in ("286-rd", "294-rd", "310-rd")] == ["2907"] * 3
    assert [table.left(u) for u in ("286-rd", "294-rd", "310-rd")] == [3, 3, 3]


@rule("leningrad", "16.1")
def test_a_unit_due_elsewhere_does_not_join_an_entering_stack() -> None:
    table = soviet(9, "286-rd", "177-rd", "70-rd").do("enter 286-rd 2908")
    assert table.refusal("add 177-rd") is None  # 2908 is one of its own hexes
    assert table.offered("add") == {"177-rd"}
    assert table.refused("add 70-rd") == ("not-an-entry", "16.2")


@rule("leningrad", "16.1")
def test_an_entry_hex_too_dear_for_a_unit_takes_all_its_points() -> None:
    table = soviet(9, "286-rd", terrain={"2908": "marsh"}, interdicted=["2908", "2908"])
    table.do("enter 286-rd 2908")
    assert (table.where("286-rd"), table.left("286-rd")) == ("2908", 0)


# 16.2


@rule("leningrad", "16.2")
def test_a_unit_whose_entry_hex_is_held_by_the_enemy_enters_by_the_nearest_other() -> None:
    table = soviet(9, "286-rd", units={"1-inf": "2908"})
    assert entries(table, "286-rd") == {"2907", "2909", "2807", "2808"}
    assert table.refused("enter 286-rd 2908") == ("entry-enemy", "16.2")
    assert table.refused("enter 286-rd 2906") == ("not-an-entry", "16.2")


@rule("leningrad", "16.2")
def test_a_unit_whose_entry_hex_is_full_enters_by_the_nearest_other() -> None:
    full = {"10-rd": "2908", "90-rd": "2908", "125-rd": "2908"}
    assert entries(soviet(9, "286-rd", units=full), "286-rd") == {"2907", "2909", "2807", "2808"}
    del full["125-rd"]
    assert entries(soviet(9, "286-rd", units=full), "286-rd") == {"2908"}


@rule("leningrad", "16.2")
def test_ruling_the_other_hex_holds_no_enemy_and_is_not_full() -> None:
    ring = {"1-inf": "2908", "11-inf": "2907", "21-inf": "2909", "61-inf": "2807"}
    table = soviet(9, "286-rd", units={**ring, "10-rd": "2808"})
    assert entries(table, "286-rd") == {"2808"}
    full = {"10-rd": "2808", "90-rd": "2808", "125-rd": "2808"}
    table = soviet(9, "286-rd", units={**ring, **full})
    assert entries(table, "286-rd") == {"2906", "2910", "2806", "2809", "2707", "2708", "2709"}


@rule("leningrad", "16.2")
def test_the_other_hex_is_on_land() -> None:
    table = soviet(9, "286-rd", units={"1-inf": "2908"}, terrain={"2907": "lake", "2808": "sea"})
    assert entries(table, "286-rd") == {"2909", "2807"}


@rule("leningrad", "16.2")
def test_a_unit_with_several_entry_hexes_leaves_them_only_when_all_are_shut() -> None:
    assert entries(soviet(2, "111-rd", units={"1-inf": "2906"}), "111-rd") == {"2908"}
    both = {"1-inf": "2906", "11-inf": "2908"}
    assert entries(soviet(2, "111-rd", units=both), "111-rd") == {
        *("2905", "2907", "2805", "2806"),
        *("2909", "2807", "2808"),
    }


@rule("leningrad", "16.2")
def test_a_unit_may_enter_in_an_enemy_zone() -> None:
    table = soviet(9, "286-rd", units={"1-inf": "2907"}).do("enter 286-rd 2908")
    assert table.where("286-rd") == "2908"


@rule("leningrad", "16.2")
def test_germans_are_turned_away_from_their_entry_likewise() -> None:
    table = german(10, "12-pz", units={"10-rd": "2213"})
    assert entries(table, "12-pz") == {"2113", "2212", "2313"}


# 16.3


@rule("leningrad", "16.3")
def test_reinforcements_may_be_held_back_and_enter_later_by_the_same_hex() -> None:
    table = soviet(9, "286-rd", "294-rd").do("enter 286-rd 2908", "halt", "end")
    assert table.where("294-rd") == "to come"
    assert entries(soviet(11, "294-rd"), "294-rd") == {"2908"}
    assert entries(german(5, "58-inf"), "58-inf") == EAST_PRUSSIA


@rule("leningrad", "16.3")
def test_a_unit_held_back_really_comes_on_the_next_turn() -> None:
    table = pass_until(soviet(9, "286-rd"), 10, "soviet-movement")
    assert entries(table, "286-rd") == {"2908"}


# 16.4


@rule("leningrad", "16.4")
def test_the_reinforcements_of_leningrad_enter_in_the_city() -> None:
    assert entries(soviet(10, "1-gds-dno"), "1-gds-dno") == LENINGRAD


@rule("leningrad", "16.4")
def test_ruling_as_long_as_a_hex_of_leningrad_is_not_german_they_enter_there() -> None:
    three = {"1-inf": "2505", "11-inf": "2604", "21-inf": "2605"}
    assert entries(soviet(10, "1-gds-dno", units=three), "1-gds-dno") == {"2705"}


@rule("leningrad", "16.4")
def test_when_all_leningrad_is_german_they_enter_by_the_northern_edge() -> None:
    four = {"1-inf": "2505", "11-inf": "2604", "21-inf": "2605", "61-inf": "2705"}
    table = soviet(10, "1-gds-dno", units=four)
    assert entries(table, "1-gds-dno") == {"2301", "2401", "2501", "2601", "2701", "2801"}
    table = soviet(10, "1-gds-dno", units={**four, "291-inf": "2501"}, terrain={"2401": "sea"})
    assert entries(table, "1-gds-dno") == {"2301", "2601", "2701", "2801"}


@rule("leningrad", "16.4")
def test_other_reinforcements_do_not_change_their_entry_when_leningrad_falls() -> None:
    four = {"1-inf": "2505", "11-inf": "2604", "21-inf": "2605", "61-inf": "2705"}
    assert entries(soviet(10, "286-rd", units=four), "286-rd") == {"2908"}


# 16.5


@rule("leningrad", "16.5", "17.1")
def test_the_soviet_reinforcements_of_turn_1_are_not_held_back() -> None:
    table = soviet(1, "112-rd", "42-td")
    assert table.refused("end") == ("cannot-delay", "16.5")
    assert "end" not in table.options
    assert entries(table, "42-td") == {"1113"}


@rule("leningrad", "16.5")
def test_once_they_have_entered_the_phase_may_end() -> None:
    # A German next to the entry hex, so that nobody owes a march (17.2).
    table = soviet(1, "112-rd", "42-td", units={"1-inf": "1213"})
    for unit in ("112-rd", "42-td"):
        table.do(f"enter {unit} 1113", "halt")
    assert table.refusal("end") is None


@rule("leningrad", "16.5")
def test_german_reinforcements_and_those_of_later_turns_may_be_held_back() -> None:
    assert german(2, "58-inf").refusal("end") is None
    assert soviet(2, "111-rd").refusal("end") is None


@rule("leningrad", "16.1", "4.3")
def test_who_has_entered_has_moved() -> None:
    """One hex is always possible, and that was the entry hex."""
    table = soviet(9, "286-rd", interdicted=["2908", "2908"], terrain={"2907": "marsh"})
    assert table.do("enter 286-rd 2908").left("286-rd") == 1
    assert table.refused("step 2907") == ("too-dear", "4.1")


# 16.6


def resting(turn: int = 3, **more: Any) -> Table:
    """1-inf rests in 0111; 61-inf in 0113 is always fit for regeneration and keeps the phase open."""
    more.setdefault("units", {"1-inf": "0111"})
    units = {**more.pop("units"), "61-inf": "0113"}
    more.setdefault("reduced", ["1-inf", "61-inf"])
    return Table("german-regeneration", units, turn=turn, **more)


@rule("leningrad", "16.6")
@pytest.mark.parametrize("place", sorted(EAST_PRUSSIA))
def test_a_reduced_german_unit_regenerates_in_east_prussia(place: str) -> None:
    table = resting(units={"1-inf": place}).do("regenerate 1-inf")
    assert table.steps("1-inf") == 2


@rule("leningrad", "16.6")
@pytest.mark.parametrize("ground", ["+town", "+soviet_city", "marsh+town"])
def test_a_reduced_german_unit_regenerates_in_a_town_or_soviet_city(ground: str) -> None:
    table = resting(units={"1-inf": "0512"}, terrain={"0512": ground}).do("regenerate 1-inf")
    assert table.steps("1-inf") == 2


@rule("leningrad", "16.6")
@pytest.mark.parametrize("ground", ["clear", "+village", "hill"])
def test_elsewhere_it_does_not(ground: str) -> None:
    table = resting(units={"1-inf": "0512"}, terrain={"0512": ground})
    assert table.refused("regenerate 1-inf") == ("no-depot", "16.6")
    assert table.offered("regenerate") == {"61-inf"}


@rule("leningrad", "16.6")
def test_a_unit_at_full_strength_has_nothing_to_regain() -> None:
    assert resting(reduced=["61-inf"]).refused("regenerate 1-inf") == ("not-reduced", "16.6")


@rule("leningrad", "16.6")
def test_dead_and_soviet_units_do_not_regenerate() -> None:
    table = resting(units={"10-rd": "0512"}, terrain={"0512": "+town"})
    assert table.refused("regenerate 10-rd") == ("not-german", "16.6")
    assert table.refused("regenerate 291-inf") == ("not-reduced", "16.6")


@rule("leningrad", "16.6")
def test_a_unit_that_arrived_on_turn_1_is_restored_on_turn_3() -> None:
    assert resting(turn=3, stayed_since={"1-inf": 1}).do("regenerate 1-inf").steps("1-inf") == 2
    assert resting(turn=2, stayed_since={"1-inf": 1}).refused("regenerate 1-inf") == (
        "not-a-whole-turn",
        "16.6",
    )
    assert resting(turn=3, stayed_since={"1-inf": 2}).refused("regenerate 1-inf") == (
        "not-a-whole-turn",
        "16.6",
    )


@rule("leningrad", "16.6")
def test_the_example_played_out() -> None:
    table = Table("german-movement", {"1-inf": "0412"}, turn=1, reduced=["1-inf"], terrain={"0512": "+town"})
    pass_until(table.do("pick 1-inf", "step 0512", "halt"), 2)
    assert table.turn_phase == "german-movement"  # nothing to regenerate yet
    assert table.steps("1-inf") == 1
    pass_until(table, 3).do("regenerate 1-inf")
    assert table.steps("1-inf") == 2


@rule("leningrad", "16.6")
def test_a_unit_out_of_supply_is_not_restored() -> None:
    table = resting(units={"1-inf": "2001"}, terrain={"2001": "+town"}, supply_range=5)
    assert table.refused("regenerate 1-inf") == ("depot-unsupplied", "16.6")


@rule("leningrad", "16.6")
def test_ruling_a_step_lost_in_the_hex_begins_the_wait_anew() -> None:
    units = {"1-inf": "0111", "10-rd": "0211", "61-inf": "0113"}
    table = Table("soviet-combat", units, turn=2, strengths={"10-rd": "inf-2-3"}, reduced=["61-inf"])
    attack(table, "0111", "10-rd", "1/2").do("lose 1-inf", "lose 10-rd", "end")
    assert (table.state.turn, table.asked) == (3, "regenerate")
    assert table.refused("regenerate 1-inf") == ("not-a-whole-turn", "16.6")


@rule("leningrad", "16.6")
def test_ruling_zones_and_supply_are_judged_in_the_regeneration_phase_alone() -> None:
    # A Soviet unit is next door until the end of turn 2; on turn 3 it is gone.
    units = {"1-inf": "0111", "10-rd": "0211", "61-inf": "0113"}
    table = Table("soviet-movement", units, turn=2, reduced=["1-inf", "61-inf"])
    table.state.kill(table.game.unit_index("10-rd"))
    assert pass_until(table, 3).refusal("regenerate 1-inf") is None


@rule("leningrad", "16.6")
def test_regeneration_is_a_choice() -> None:
    table = resting().do("end")
    assert table.turn_phase == "german-movement"
    assert table.steps("1-inf") == 1


# 16.7


@rule("leningrad", "16.7")
def test_no_unit_is_restored_in_an_enemy_zone_although_germans_stand_there() -> None:
    table = resting(units={"1-inf": "0111", "11-inf": "0111", "10-rd": "0110"})
    assert table.refused("regenerate 1-inf") == ("zone-at-depot", "16.7")
    assert table.offered("regenerate") == {"61-inf"}


# 16.8


@rule("leningrad", "16.8")
def test_three_units_are_restored_in_a_turn_and_no_more() -> None:
    units = {"1-inf": "0111", "11-inf": "0111", "21-inf": "0112"}
    table = resting(units=units, reduced=[*units, "61-inf"])
    table.do("regenerate 1-inf", "regenerate 61-inf")
    assert table.offered("regenerate") == {"11-inf", "21-inf"}
    table.do("regenerate 21-inf")
    assert table.turn_phase == "german-movement"
    assert table.steps("11-inf") == 1
    assert load().data.numbers["regenerations"] == 3


@rule("leningrad", "16.8")
def test_the_fourth_unit_is_restored_on_the_next_turn() -> None:
    units = {"1-inf": "0111", "11-inf": "0111", "21-inf": "0112"}
    table = resting(units=units, reduced=[*units, "61-inf"])
    table.do("regenerate 1-inf", "regenerate 61-inf", "regenerate 21-inf")
    pass_until(table, 4).do("regenerate 11-inf")
    assert table.steps("11-inf") == 2


@rule("leningrad", "16.8")
def test_a_unit_may_be_restored_again_and_again() -> None:
    table = resting(turn=3)
    unit = table.game.unit_index("1-inf")
    for turn in (3, 5, 7):
        pass_until(table, turn).do("regenerate 1-inf")
        assert table.steps("1-inf") == 2
        lose_step(table.game, table.state, unit)


# 16.9


@rule("leningrad", "16.9")
def test_a_unit_may_leave_before_it_is_restored_and_begin_again_later() -> None:
    units = {"1-inf": "0111", "61-inf": "0113"}
    table = Table("german-movement", units, turn=2, reduced=["1-inf", "61-inf"], stayed_since={"1-inf": 1})
    pass_until(table.do("pick 1-inf", "step 0110", "step 0111", "halt"), 3)
    assert table.refused("regenerate 1-inf") == ("not-a-whole-turn", "16.6")
    assert pass_until(table, 4).refusal("regenerate 1-inf") is None
