"""15.0 Soviet forts.

Leningrad is 2505, 2604, 2605 and 2705; 2509 is four hexes south of 2505 and 2510 is five.
"""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.leningrad import load
from tests.games.leningrad.battles import announce, attack, pass_until
from tests.games.leningrad.table import Table
from tests.games.table_base import shown_part
from tests.rules import rule

STRENGTHS = {"10-rd": "inf-2-3", "90-rd": "inf-2-3"}


def fortifying(units: dict[str, str] | None = None, forts_ready: int = 2, **more: Any) -> Table:
    more.setdefault("supply_range", 5)
    return Table("soviet-fortification", units or {}, forts_ready=forts_ready, **more)


def forts(table: Table) -> set[str]:
    return set(shown_part(table.game, table.state, "forts", 1).hexes)


# 15.0


@rule("leningrad", "15.0", "16.0")
@pytest.mark.parametrize(
    ("turn", "received"),
    [(1, 0), (2, 0), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2), (8, 2), (9, 0), (12, 0)],
)
def test_the_soviets_receive_two_forts_on_each_of_turns_3_to_8(turn: int, received: int) -> None:
    assert Table("begin", {}, turn=turn - 1).state.forts_ready == received


@rule("leningrad", "15.0")
def test_the_soviet_player_places_forts_in_the_fortification_phase() -> None:
    table = fortifying()
    assert (table.asked, table.actor) == ("fortify", "soviet")
    table.do("fortify 2506")
    assert forts(table) == {"2506"}
    table.do("end")
    assert table.turn_phase == "soviet-movement"
    assert table.refused("fortify 2507")[0] == "not-now"


@rule("leningrad", "15.0")
def test_a_fort_stands_no_farther_than_four_hexes_from_a_hex_of_leningrad() -> None:
    table = fortifying()
    assert table.refused("fortify 2510") == ("fort-too-far", "15.0")
    board = table.game.board
    city = [board.cell(n) for n in ("2505", "2604", "2605", "2705")]
    near = {board.number(c) for c in board.cells if min(board.distance(c, hex_) for hex_ in city) <= 4}
    assert table.offered("fortify") == near
    assert {"2509", "2604", "2105"} <= near


@rule("leningrad", "15.0")
def test_leningrad_itself_may_be_fortified() -> None:
    table = fortifying().do("fortify 2604", "fortify 2705")
    assert forts(table) == {"2604", "2705"}


@rule("leningrad", "15.0")
def test_a_fort_needs_a_line_to_leningrad() -> None:
    swamp = {f"{column}{row:02d}": "marsh" for column in (24, 25, 26) for row in range(6, 9)}
    table = fortifying(terrain=swamp)
    assert table.refused("fortify 2509") == ("fort-unsupplied", "15.0")
    assert "2509" not in table.offered("fortify")


@rule("leningrad", "15.0")
def test_a_line_to_another_source_is_not_enough() -> None:
    # 2908 is a source itself, four hexes from Leningrad, but a lake lies between.
    lake = {f"28{row:02d}": "lake" for row in range(1, 14)}
    table = fortifying(terrain=lake)
    assert table.refused("fortify 2908") == ("fort-unsupplied", "15.0")


@rule("leningrad", "15.0")
def test_ruling_the_distance_is_counted_through_water() -> None:
    lake = {"2506": "lake", "2507": "lake"}
    assert "2509" in fortifying(terrain=lake, supply_range=8).offered("fortify")


@rule("leningrad", "15.0")
def test_ruling_no_fort_is_placed_among_germans_or_in_their_zones() -> None:
    table = fortifying({"1-inf": "2508"})
    assert table.refused("fortify 2508") == ("fort-unsupplied", "15.0")
    assert table.refused("fortify 2507") == ("fort-unsupplied", "15.0")
    assert table.refusal("fortify 2506") is None


@rule("leningrad", "15.0")
def test_ruling_a_soviet_unit_in_the_hex_lets_a_fort_be_placed_in_a_german_zone() -> None:
    table = fortifying({"1-inf": "2508", "10-rd": "2507"}).do("fortify 2507")
    assert forts(table) == {"2507"}


@rule("leningrad", "15.0")
def test_no_fort_is_placed_on_water() -> None:
    table = fortifying(terrain={"2504": "lake"})
    assert table.refusal("fortify 2504") is not None
    assert "2504" not in table.offered("fortify")


@rule("leningrad", "15.0")
def test_interdiction_counts_for_the_line_of_a_fort() -> None:
    corridor = {f"{column}{row:02d}": "lake" for column in (24, 26) for row in range(6, 10)}
    assert "2509" in fortifying(terrain=corridor).offered("fortify")
    table = fortifying(terrain=corridor, interdicted=["2507", "2507"])
    assert table.refused("fortify 2509") == ("fort-unsupplied", "15.0")


# 15.1


@rule("leningrad", "15.1")
def test_soviets_who_defend_in_a_fort_shift_one_left() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = Table("german-combat", units, strengths=STRENGTHS, forts=["1511"])
    assert announce(table, "1511", "1-inf").shifts() == {"fort": -1}
    table = Table("german-movement", units, strengths=STRENGTHS, forts=["1511"])
    assert table.do("pick 1-inf", "overrun 1511").shifts() == {"overrun": -2, "fort": -1}


@rule("leningrad", "15.1")
def test_soviets_who_attack_from_a_fort_have_nothing_of_it() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = Table("soviet-combat", units, strengths=STRENGTHS, forts=["1511"])
    assert announce(table, "1512", "10-rd").shifts() == {}


@rule("leningrad", "15.1")
def test_a_fort_adds_to_the_ground_it_stands_on() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = Table(
        "german-combat", units, strengths=STRENGTHS, forts=["1511"], terrain={"1511": "+soviet_city"}
    )
    assert announce(table, "1511", "1-inf").shifts() == {"fort": -1, "soviet-city": -1}


# 15.2


@rule("leningrad", "15.2")
@pytest.mark.parametrize(("ground", "price"), [("clear", 2), ("marsh", 4), ("+town", 2)])
def test_an_empty_fort_doubles_the_price_of_its_hex_for_germans(ground: str, price: int) -> None:
    table = Table("german-movement", {"1-inf": "1512"}, forts=["1511"], terrain={"1511": ground})
    assert table.do("pick 1-inf", "step 1511").left("1-inf") == 6 - price


@rule("leningrad", "15.2")
def test_ruling_a_fort_doubles_the_road_rate_and_not_the_price_of_disengaging() -> None:
    units = {"1-pz": "1512", "1-inf": "1512"}
    road = {"1511/1512": "road"}
    table = Table("german-movement", units, forts=["1511"], sides=road)
    assert table.do("pick 1-pz", "step 1511").left("1-pz") == 8 - 1
    table = Table("german-movement", {**units, "10-rd": "1513"}, forts=["1511"], sides=road)
    assert table.do("pick 1-pz", "step 1511").left("1-pz") == 8 - 1 - 2


@rule("leningrad", "15.2", "16.1")
def test_an_empty_fort_doubles_the_price_of_an_entry_hex() -> None:
    open_ = Table("german-movement", {}, turn=10, to_come=["12-pz"]).do("enter 12-pz 2213")
    table = Table("german-movement", {}, turn=10, to_come=["12-pz"], forts=["2213"]).do("enter 12-pz 2213")
    assert (open_.left("12-pz"), table.left("12-pz")) == (8 - 1, 8 - 2)
    assert forts(table) == set()
    soviet = Table("soviet-movement", {}, turn=9, to_come=["286-rd"], forts=["2908"]).do("enter 286-rd 2908")
    assert (soviet.left("286-rd"), forts(soviet)) == (5 - 1, {"2908"})


@rule("leningrad", "15.2")
def test_a_fort_does_not_hinder_soviets() -> None:
    table = Table("soviet-movement", {"10-rd": "1512"}, forts=["1511"])
    assert table.do("pick 10-rd", "step 1511").left("10-rd") == 5 - 1
    assert forts(table) == {"1511"}


@rule("leningrad", "15.2")
def test_a_fort_is_gone_once_a_german_unit_enters_it() -> None:
    table = Table("german-movement", {"1-inf": "1512", "11-inf": "1512"}, forts=["1511"])
    table.do("pick 1-inf", "step 1511", "halt")
    assert forts(table) == set()
    assert table.do("pick 11-inf", "step 1511").left("11-inf") == 6 - 1


@rule("leningrad", "15.2")
def test_a_fort_is_gone_once_a_german_unit_advances_into_it() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = Table("german-combat", units, strengths=STRENGTHS, forts=["1511"])
    attack(table, "1511", "1-inf", "E/-")
    assert forts(table) == {"1511"}
    assert forts(table.do("advance 1-inf 1511")) == set()


@rule("leningrad", "15.2")
def test_an_empty_fort_has_no_zone_and_does_not_stop_germans() -> None:
    table = Table("german-movement", {"1-inf": "1512"}, forts=["1511"])
    table.do("pick 1-inf", "step 1511", "step 1510")
    assert table.where("1-inf") == "1510"


@rule("leningrad", "15.2")
def test_the_factor_is_two() -> None:
    assert load().data.numbers["fort_factor"] == 2


@rule("leningrad", "15.4")
def test_every_turn_has_its_own_two_forts() -> None:
    table = pass_until(Table("soviet-combat", {"10-rd": "2506"}, turn=8, forts_ready=6), 9)
    pass_until(table, 9, "soviet-fortification").do("fortify 2506")
    assert table.asked == "fortify"
    table.do(f"fortify {min(table.offered('fortify'))}")
    assert table.turn_phase == "soviet-movement"
    assert len(forts(table)) == 2


# 15.3


@rule("leningrad", "15.3")
def test_a_fort_stays_where_it_was_placed() -> None:
    table = fortifying({"10-rd": "2506"}, forts_ready=1, turn=9).do("fortify 2506")
    table.do("pick 10-rd", "step 2507", "halt", "end", "end")  # the garrison leaves, the turn ends
    assert (table.state.turn, forts(table)) == (10, {"2506"})
    pass_until(table, 10, "soviet-movement")
    assert forts(table) == {"2506"}


@rule("leningrad", "15.3")
def test_no_action_of_the_game_moves_a_fort() -> None:
    verbs = {
        verb
        for procedure in load().procedures.values()
        for step in procedure.steps.values()
        for verb in (step.decision.verbs if step.decision else ())
        if "fort" in verb
    }
    assert verbs == {"fortify"}


# 15.4


@rule("leningrad", "15.4")
def test_no_more_than_two_forts_are_placed_in_a_turn() -> None:
    table = fortifying(forts_ready=6).do("fortify 2506", "fortify 2507")
    assert table.turn_phase == "soviet-movement"
    assert (len(forts(table)), table.state.forts_ready) == (2, 4)


@rule("leningrad", "15.4")
def test_forts_may_be_kept_for_a_later_turn() -> None:
    table = fortifying(forts_ready=2, turn=3).do("fortify 2506", "end")
    assert table.state.forts_ready == 1
    table.do("end", "end")  # Soviet movement and combat
    assert (table.state.turn, table.state.forts_ready) == (4, 3)


@rule("leningrad", "15.4")
def test_forts_kept_beyond_turn_8_are_placed_two_a_turn() -> None:
    table = fortifying(forts_ready=3, turn=9).do("fortify 2506", "fortify 2507")
    pass_until(table, 10, "soviet-fortification")
    table.do("fortify 2508")
    assert table.turn_phase == "soviet-movement"
    assert forts(table) == {"2506", "2507", "2508"}


# 15.5


@rule("leningrad", "15.5")
def test_a_hex_holds_one_fort() -> None:
    table = fortifying(forts=["2506"])
    assert table.refused("fortify 2506") == ("fort-already", "15.5")
    assert "2506" not in table.offered("fortify")


@rule("leningrad", "15.5")
def test_a_fort_does_not_count_for_stacking() -> None:
    units = {"10-rd": "2506", "90-rd": "2506", "125-rd": "2507"}
    table = fortifying({**units}, forts_ready=1).do("fortify 2506", "pick 125-rd", "step 2506")
    assert table.where("125-rd") == "2506"
    full = {"10-rd": "2506", "90-rd": "2506", "125-rd": "2506"}
    assert forts(fortifying(full).do("fortify 2506")) == {"2506"}
