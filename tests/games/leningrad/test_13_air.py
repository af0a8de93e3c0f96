"""13.0 German air power."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.leningrad import load
from tests.games.leningrad.battles import announce, give, pass_until
from tests.games.leningrad.table import Table, plain_game
from tests.games.table_base import shown_part
from tests.rules import rule

FIELD = {"1-inf": "1512", "10-rd": "1511"}
STRENGTHS = {"10-rd": "inf-2-3", "90-rd": "inf-2-3"}


def march(unit: str, start: str, *way: str, **more: Any) -> float:
    """The points a Soviet unit has left after this march."""
    table = Table("soviet-movement", {unit: start}, **more).do(f"pick {unit}")
    table.do(*(f"step {cell}" for cell in way))
    return table.left(unit)


# 13.0


@rule("leningrad", "13.0", "16.0")
@pytest.mark.parametrize(("turn", "ready"), [(1, 1), (2, 1), (6, 1), (7, 2), (8, 2), (12, 2)])
def test_there_is_one_air_unit_from_turn_1_and_a_second_from_turn_7(turn: int, ready: int) -> None:
    assert Table("begin", FIELD, turn=turn - 1).state.air_ready == ready


@rule("leningrad", "13.0")
def test_air_units_support_germans_in_attack_defence_and_overrun() -> None:
    table = Table("german-combat", FIELD, strengths=STRENGTHS, air=1)
    assert announce(table, "1511", "1-inf").do("commit 1").shifts() == {"attacker-air": 1}
    table = Table("soviet-combat", FIELD, strengths=STRENGTHS, air=1)
    assert announce(table, "1512", "10-rd").do("commit 1").shifts() == {"defender-air": -1}
    table = Table("german-movement", FIELD, strengths=STRENGTHS, air=1)
    table.do("pick 1-inf", "overrun 1511", "commit 1")
    assert table.shifts() == {"overrun": -2, "attacker-air": 1}
    table = Table("soviet-movement", FIELD, strengths=STRENGTHS, air=1)
    table.do("pick 10-rd", "overrun 1512", "commit 1")
    assert table.shifts() == {"overrun": -2, "defender-air": -1}


@rule("leningrad", "13.0")
def test_ruling_the_german_player_is_asked_once_the_attack_is_announced_whoever_attacks() -> None:
    for phase, target, by in (("german-combat", "1511", "1-inf"), ("soviet-combat", "1512", "10-rd")):
        table = Table(phase, FIELD, air=1)
        table.do(f"target {target}", f"join {by}")
        assert table.asked == "build-attack"
        table.do("fight")
        assert (table.asked, table.actor) == ("commit-air", "german")
        assert table.offered("commit") == {"0", "1"}


@rule("leningrad", "13.0")
def test_interdiction_is_placed_in_its_own_phase() -> None:
    table = Table("german-air-interdiction", FIELD, air=1)
    assert (table.asked, table.actor) == ("interdict", "german")
    table.do("interdict 1510")
    assert table.turn_phase != "german-air-interdiction"
    for phase in ("german-movement", "german-combat"):
        assert Table(phase, FIELD, air=1).refused("interdict 1510")[0] == "not-now"


@rule("leningrad", "13.0")
def test_without_air_units_left_the_interdiction_phase_is_skipped() -> None:
    assert Table("german-air-interdiction", FIELD, air=0).turn_phase == "soviet-movement"


@rule("leningrad", "13.0")
def test_interdiction_is_optional_and_one_unit_may_be_kept() -> None:
    table = Table("german-air-interdiction", FIELD, air=2).do("interdict 1510", "end")
    assert table.turn_phase == "soviet-movement"
    assert table.state.air_ready == 1


# 13.1


@rule("leningrad", "13.1")
def test_each_air_unit_in_a_battle_shifts_one_column_for_the_germans() -> None:
    table = Table("german-combat", FIELD, strengths=STRENGTHS, air=2)
    assert announce(table, "1511", "1-inf").do("commit 2").shifts() == {"attacker-air": 2}
    table = Table("soviet-combat", FIELD, strengths=STRENGTHS, air=2)
    assert announce(table, "1512", "10-rd").do("commit 2").shifts() == {"defender-air": -2}


@rule("leningrad", "13.1")
def test_the_german_player_may_keep_his_air_units() -> None:
    table = Table("german-combat", FIELD, strengths=STRENGTHS, air=2)
    assert announce(table, "1511", "1-inf").do("commit 0").shifts() == {}
    assert table.state.air_ready == 2


@rule("leningrad", "13.1")
def test_air_units_do_not_attack_by_themselves() -> None:
    table = Table("german-combat", FIELD, air=2).do("target 1511")
    assert table.refused("fight") == ("no-attackers", "9.1")


@rule("leningrad", "13.1")
def test_results_do_not_touch_air_units() -> None:
    table = Table("german-combat", FIELD, strengths=STRENGTHS, air=1)
    give(announce(table, "1511", "1-inf").do("commit 1"), "-/E")
    assert pass_until(table.do("hold"), 4).state.air_ready == 1


@rule("leningrad", "13.1")
def test_an_air_unit_does_not_count_for_stacking() -> None:
    units = {**FIELD, "11-inf": "1512", "21-inf": "1512"}
    table = Table("german-combat", units, strengths=STRENGTHS, air=2)
    announce(table, "1511", "1-inf 11-inf 21-inf").do("commit 2")
    give(table, "E/-").do("advance 1-inf 1511", "advance 11-inf 1511", "advance 21-inf 1511")
    assert table.where("21-inf") == "1511"


# 13.2


@rule("leningrad", "13.2")
@pytest.mark.parametrize(
    ("phase", "target", "by"), [("german-combat", "1511", "1-inf"), ("soviet-combat", "1512", "10-rd")]
)
def test_air_units_are_committed_before_untried_units_are_revealed(phase: str, target: str, by: str) -> None:
    table = announce(Table(phase, FIELD, air=1), target, by)
    assert table.asked == "commit-air"
    assert table.events("revealed") == []
    table.do("commit 1")
    assert table.asked == "reveal"


# 13.3


@rule("leningrad", "13.3")
def test_an_interdicted_hex_costs_soviets_double() -> None:
    assert march("10-rd", "1512", "1511") == 5 - 1
    assert march("10-rd", "1512", "1511", interdicted=["1511"]) == 5 - 2
    assert march("10-rd", "1512", "1511", interdicted=["1511"], terrain={"1511": "marsh"}) == 5 - 4


@rule("leningrad", "13.3")
def test_both_air_units_on_a_hex_make_it_four_times_as_dear() -> None:
    assert march("10-rd", "1512", "1511", interdicted=["1511", "1511"]) == 5 - 4


@rule("leningrad", "13.3")
def test_two_interdicted_hexes_are_each_doubled() -> None:
    assert march("28-td", "1513", "1512", "1511", interdicted=["1512", "1511"]) == 8 - 2 - 2


@rule("leningrad", "13.3")
def test_ruling_interdiction_doubles_the_road_rate_too() -> None:
    sides = {"1511/1512": "road"}
    assert march("28-td", "1512", "1511", sides=sides) == 7.5
    assert march("28-td", "1512", "1511", sides=sides, interdicted=["1511"]) == 7


@rule("leningrad", "13.3")
def test_ruling_interdiction_does_not_double_the_price_of_disengaging() -> None:
    units = {"28-td": "1512", "10-rd": "1512", "1-inf": "1513"}
    table = Table("soviet-movement", units, interdicted=["1511"]).do("pick 28-td", "step 1511")
    assert table.left("28-td") == 8 - 2 * 1 - 3


@rule("leningrad", "13.3")
def test_a_soviet_reinforcement_pays_for_an_interdicted_entry_hex() -> None:
    table = Table("soviet-movement", {}, to_come=["177-rd"], turn=6, interdicted=["2713"])
    assert table.do("enter 177-rd 2713").left("177-rd") == 5 - 2


@rule("leningrad", "13.3")
def test_interdiction_does_not_hinder_germans() -> None:
    table = Table("german-movement", {"1-inf": "1512"}, interdicted=["1511", "1512"])
    assert table.do("pick 1-inf", "step 1511").left("1-inf") == 6 - 1


@rule("leningrad", "13.3")
def test_interdiction_lasts_to_the_end_of_the_turn() -> None:
    def interdicted(table: Table) -> list[str]:
        return list(shown_part(table.game, table.state, "interdicted").hexes)

    table = Table("german-air-interdiction", {"1-inf": "0512", "10-rd": "1513"}, air=1)
    assert interdicted(table.do("interdict 1511")) == ["1511"]
    assert interdicted(pass_until(table, 3, "soviet-combat")) == ["1511"]
    assert interdicted(pass_until(table, 4)) == []


@rule("leningrad", "13.3")
def test_both_air_units_may_interdict_the_same_hex() -> None:
    table = Table("german-air-interdiction", FIELD, air=2).do("interdict 1510", "interdict 1510")
    assert table.state.interdicted == (table.game.board.cell("1510"),) * 2


@rule("leningrad", "13.3")
def test_water_is_not_interdicted() -> None:
    game = plain_game(terrain={"1510": "lake"})
    table = Table("german-air-interdiction", FIELD, air=1, game=game)
    assert table.refused("interdict 1510") == ("interdict-water", "13.3")
    assert "1510" not in table.offered("interdict")
    assert load().data.numbers["interdiction_factor"] == 2


# 13.4


@rule("leningrad", "13.4")
def test_a_soviet_unit_that_starts_in_an_interdicted_hex_pays_double_for_its_first_hex_only() -> None:
    assert march("10-rd", "1512", "1511", interdicted=["1512"]) == 5 - 2
    assert march("10-rd", "1512", "1511", "1510", interdicted=["1512"]) == 5 - 2 - 1


@rule("leningrad", "13.4")
def test_both_air_units_on_the_starting_hex_make_the_first_hex_four_times_as_dear() -> None:
    assert march("10-rd", "1512", "1511", interdicted=["1512", "1512"]) == 5 - 4


@rule("leningrad", "13.4")
def test_a_unit_passing_through_an_interdicted_hex_leaves_it_at_the_plain_price() -> None:
    assert march("28-td", "1513", "1512", "1511", interdicted=["1512"]) == 8 - 2 - 1


@rule("leningrad", "13.4")
def test_ruling_from_one_interdicted_hex_to_another_the_factors_are_multiplied() -> None:
    assert march("10-rd", "1512", "1511", interdicted=["1512", "1511"]) == 5 - 4


@rule("leningrad", "13.4")
def test_an_arriving_unit_does_not_pay_again_for_leaving_its_interdicted_entry_hex() -> None:
    table = Table("soviet-movement", {}, to_come=["177-rd"], turn=6, interdicted=["2713"])
    table.do("enter 177-rd 2713", "step 2712")
    assert table.left("177-rd") == 5 - 2 - 1


@rule("leningrad", "13.4")
def test_a_unit_that_overran_first_still_pays_double_for_its_first_hex() -> None:
    units = {"28-td": "1512", "5-td": "1512", "10-rd": "1513", "1-inf": "1511"}
    strengths = {"28-td": "arm-4-3", "5-td": "arm-4-3"}
    table = Table("soviet-movement", units, strengths=strengths, interdicted=["1512"])
    table.do("pick 28-td", "add 5-td", "overrun 1511")
    give(table, "E/-").do("advance 5-td 1511", "hold", "take 28-td")
    assert table.left("28-td") == 8 - 3
    assert table.do("step 1612").left("28-td") == 8 - 3 - 2


# 13.5


@rule("leningrad", "13.5")
def test_an_air_unit_is_used_once_a_turn() -> None:
    units = {**FIELD, "61-inf": "0809", "90-rd": "0808"}
    table = Table("german-combat", units, strengths=STRENGTHS, air=1)
    give(announce(table, "1511", "1-inf").do("commit 1"), "-/1").do("lose 1-inf")
    announce(table, "0808", "61-inf")
    assert table.asked == "roll-die"
    assert table.shifts() == {}


@rule("leningrad", "13.5")
def test_more_air_units_than_are_left_cannot_be_committed() -> None:
    table = announce(Table("german-combat", FIELD, strengths=STRENGTHS, air=1), "1511", "1-inf")
    assert table.refused("commit 2") == ("air-used", "13.5")


@rule("leningrad", "13.5")
def test_an_air_unit_that_interdicts_does_not_support_a_defence() -> None:
    table = Table("german-air-interdiction", FIELD, strengths=STRENGTHS, air=1)
    table.do("interdict 1510", "end")
    announce(table, "1512", "10-rd")
    assert table.asked == "roll-die"


@rule("leningrad", "13.5")
def test_an_air_unit_kept_from_interdiction_may_support_a_defence() -> None:
    table = Table("german-air-interdiction", FIELD, strengths=STRENGTHS, air=1)
    table.do("end", "end")
    assert announce(table, "1512", "10-rd").do("commit 1").shifts() == {"defender-air": -1}


@rule("leningrad", "13.5")
def test_air_units_are_ready_again_the_next_turn() -> None:
    table = Table("soviet-combat", FIELD, air=0, turn=7).do("end")
    assert (table.state.turn, table.state.air_ready) == (8, 2)


@rule("leningrad", "13.5")
@pytest.mark.parametrize(("turn", "ready"), [(2, 1), (5, 1), (6, 2), (9, 2), (11, 2)])
def test_air_units_that_were_not_used_do_not_pile_up(turn: int, ready: int) -> None:
    """One air unit from turn 1, a second from turn 7; whatever was kept back is not one more."""
    table = Table("soviet-combat", FIELD, air=2, turn=turn).do("end")
    assert (table.state.turn, table.state.air_ready) == (turn + 1, ready)


@rule("leningrad", "13.1")
def test_the_log_says_how_many_air_units_support_and_nothing_if_none_does() -> None:
    for committed, told in ((0, []), (1, [{"count": 1}]), (2, [{"count": 2}])):
        table = announce(Table("german-combat", FIELD, strengths=STRENGTHS, air=2), "1511", "1-inf")
        assert table.do(f"commit {committed}").events("air-support") == told
