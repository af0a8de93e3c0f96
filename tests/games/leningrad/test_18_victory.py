"""18.0 Victory."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.kernel import Outcome
from tests.games.leningrad.table import Table
from tests.rules import rule

# Every German armoured and mechanised unit, somewhere safe: no points for anybody.
MOBILE = {
    "1-pz": "0111",
    "6-pz": "0111",
    "8-pz": "0111",
    "12-pz": "0112",
    "36-mot": "0112",
    "3-mot": "0112",
    "ss-totenkopf": "0113",
    "20-mot": "0113",
}
HEART = {"1-inf": "2604", "11-inf": "2705"}


def last_turn(units: dict[str, str], lost: tuple[str, ...] = (), **more: Any) -> Outcome:
    """How a game ends that stands like this at the end of turn 12. Units not named are eliminated."""
    table = Table("soviet-combat", {u: h for u, h in units.items() if u not in lost}, turn=12, **more)
    table.do("end")
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    return outcome


def verdict(outcome: Outcome) -> tuple[str, int]:
    return outcome.level, outcome.points["balance"]


# 18.0


@rule("leningrad", "18.0")
def test_the_game_ends_with_turn_12_and_not_before() -> None:
    table = Table("soviet-combat", MOBILE, turn=11).do("end")
    assert table.game.outcome(table.state) is None
    assert table.state.turn == 12
    table = Table("soviet-combat", MOBILE, turn=12).do("end")
    assert table.asked is None
    assert table.game.outcome(table.state) is not None


@rule("leningrad", "18.0")
def test_soviet_points_are_taken_from_german_points() -> None:
    outcome = last_turn({**MOBILE, **HEART}, reduced=["1-pz", "36-mot"])
    assert outcome.points == {"german": 60, "soviet": 9, "balance": 51}


# 18.1


@rule("leningrad", "18.1")
@pytest.mark.parametrize("unit", ["36-mot", "3-mot", "ss-totenkopf", "20-mot"])
def test_a_mechanised_unit_is_worth_4_reduced_and_12_eliminated(unit: str) -> None:
    assert last_turn(MOBILE, reduced=[unit]).points["soviet"] == 4
    assert last_turn(MOBILE, lost=(unit,)).points["soviet"] == 12


@rule("leningrad", "18.1")
@pytest.mark.parametrize("unit", ["1-pz", "6-pz", "8-pz", "12-pz"])
def test_an_armoured_unit_is_worth_5_reduced_and_15_eliminated(unit: str) -> None:
    assert last_turn(MOBILE, reduced=[unit]).points["soviet"] == 5
    assert last_turn(MOBILE, lost=(unit,)).points["soviet"] == 15


@rule("leningrad", "18.1", "16.3")
def test_units_held_back_to_the_end_are_neither_reduced_nor_eliminated() -> None:
    """The 39th Panzer Corps need not enter; it costs nothing while it is not lost."""
    corps = ("12-pz", "20-mot")
    assert last_turn(MOBILE, lost=corps, to_come=corps).points["soviet"] == 0
    assert last_turn(MOBILE, lost=corps).points["soviet"] == 15 + 12


@rule("leningrad", "18.1")
def test_points_for_several_units_add_up() -> None:
    outcome = last_turn(MOBILE, lost=("1-pz", "36-mot"), reduced=["6-pz", "3-mot"])
    assert outcome.points["soviet"] == 15 + 12 + 5 + 4


@rule("leningrad", "18.1")
def test_infantry_is_worth_nothing() -> None:
    # All the infantry but one division is gone in these tests, and that one is reduced.
    assert last_turn({**MOBILE, "1-inf": "0512"}, reduced=["1-inf"]).points["soviet"] == 0


@rule("leningrad", "18.1")
def test_only_the_state_at_the_end_counts() -> None:
    table = Table("german-regeneration", MOBILE, turn=12, reduced=["1-pz"])
    assert table.game.table(table.state, 0).scores["soviet"] == 5
    table.do("regenerate 1-pz")
    assert table.game.table(table.state, 0).scores["soviet"] == 0


# 18.2


@rule("leningrad", "18.2")
def test_ruling_each_of_2604_and_2705_is_worth_30() -> None:
    assert last_turn({**MOBILE, "1-inf": "2604"}).points["german"] == 30
    assert last_turn({**MOBILE, "1-inf": "2705"}).points["german"] == 30
    assert last_turn({**MOBILE, **HEART}).points["german"] == 60


@rule("leningrad", "18.2")
def test_the_other_hexes_of_leningrad_are_worth_nothing() -> None:
    assert last_turn({**MOBILE, "1-inf": "2505", "11-inf": "2605"}).points["german"] == 0


@rule("leningrad", "18.2")
def test_several_units_in_a_hex_count_once() -> None:
    assert last_turn({**MOBILE, "1-inf": "2604", "11-inf": "2604"}).points["german"] == 30


@rule("leningrad", "18.2")
def test_the_units_that_hold_them_must_be_in_supply() -> None:
    assert last_turn({**MOBILE, **HEART}, supply_range=5).points["german"] == 0
    # A Soviet unit beside 2604 does not cut its own hex off, a ring of them does.
    ring = {"10-rd": "2603", "90-rd": "2504", "125-rd": "2704", "48-rd": "2505", "5-rd": "2605"}
    around = {**ring, "33-rd": "2705"}
    assert last_turn({**MOBILE, "1-inf": "2604", "10-rd": "2603"}).points["german"] == 30
    assert last_turn({**MOBILE, "1-inf": "2604", **around}).points["german"] == 0


@rule("leningrad", "18.2")
def test_soviets_in_the_city_give_the_germans_nothing() -> None:
    assert last_turn({**MOBILE, "10-rd": "2604", "90-rd": "2705"}).points["german"] == 0


# 18.3


@rule("leningrad", "18.3")
@pytest.mark.parametrize(
    ("held", "lost", "reduced", "expected"),
    [
        (2, (), (), ("german-strategic", 60)),
        (2, ("36-mot", "3-mot"), ("1-pz",), ("german-strategic", 31)),  # 60 - 29
        (2, ("1-pz", "6-pz"), (), ("german-tactical", 30)),
        (1, (), (), ("german-tactical", 30)),
        (1, ("36-mot", "3-mot"), ("1-pz",), ("german-tactical", 1)),  # 30 - 29
        (1, ("1-pz", "6-pz"), (), ("soviet-tactical", 0)),
        (0, (), (), ("soviet-tactical", 0)),
        (0, ("1-pz",), ("6-pz",), ("soviet-tactical", -20)),
        (0, ("36-mot",), ("6-pz", "3-mot"), ("soviet-strategic", -21)),
        (0, ("1-pz", "6-pz", "36-mot"), (), ("soviet-strategic", -42)),
    ],
)
def test_the_difference_gives_the_winner_and_the_level(
    held: int, lost: tuple[str, ...], reduced: tuple[str, ...], expected: tuple[str, int]
) -> None:
    heart = dict(list(HEART.items())[:held])
    outcome = last_turn({**MOBILE, **heart}, lost=lost, reduced=reduced)
    assert verdict(outcome) == expected
    assert outcome.winner == (0 if expected[0].startswith("german") else 1)
