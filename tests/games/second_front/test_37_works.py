"""37 Special rules of the land war: floods, the Westwall, neutrals, garrisons, governments."""

from __future__ import annotations

from fractions import Fraction

from grognard.games.second_front.books import board as whole_board
from grognard.games.second_front.rules.strength import Fortification, fortification_die
from grognard.games.second_front.rules.works import (
    at_once,
    floods,
    government_escapes,
    may_activate,
    may_flood,
    may_flood_massively,
    morale,
    neutral,
    penalty,
    relief,
    westwall_ignores,
)
from tests.games.second_front.field import field, piece
from tests.rules import rule

DUTCH = "intensive_canal country_netherlands"


@rule("second_front", "37A", "37A3")
def test_hexes_of_canals_can_be_flooded() -> None:
    board = field({"0505": "intensive_canal", "0506": f"{DUTCH} dot_city", "0508": DUTCH, "0509": DUTCH})
    assert may_flood(board, board.cell("0505")) and not may_flood(board, board.cell("0504"))
    assert [die for die in range(1, 7) if floods(die, False, False)] == [4, 5, 6]
    assert [die for die in range(1, 7) if floods(die, True, False)] == [3, 4, 5, 6], "Dutch locks"
    assert relief(board, board.cell("0506"), False) == 3 and relief(board, board.cell("0505"), False) == 0
    near = field({"0506": "dot_city", "0505": DUTCH, "0507": "intensive_canal"})
    assert relief(near, near.cell("0505"), False) == 3, "beside a large city, in the Netherlands"
    assert relief(near, near.cell("0507"), False) == 0


@rule("second_front", "37A4")
def test_the_axis_floods_dutch_hexes_for_good() -> None:
    """The examples: 0623 and 0922 of sheet 16A can be flooded so, 1122 and 0417 cannot."""
    board = field(
        {"0505": DUTCH, "0507": f"{DUTCH} coastal", "0303": "intensive_canal"}, {"0505/0506": "canal"}
    )
    assert may_flood_massively(board, board.cell("0505"), True) and may_flood_massively(
        board, board.cell("0507"), True
    )
    assert not may_flood_massively(board, board.cell("0505"), False), "against the Allies alone"
    assert not may_flood_massively(board, board.cell("0303"), True)
    dry = field({"0505": DUTCH})
    assert not may_flood_massively(dry, dry.cell("0505"), True)
    assert (
        relief(board, board.cell("0505"), True) == 7 and floods(4, True, True) and not floods(3, True, True)
    )


@rule("second_front", "37B5")
def test_nobody_is_driven_out_of_the_improved_westwall() -> None:
    assert [result for result in ("DR", "DH", "DE") if westwall_ignores(result)] == ["DR", "DH"]
    assert fortification_die(Fortification("westwall", "improved")) == -2
    assert fortification_die(Fortification("westwall", "unimproved")) == -1


@rule("second_front", "37B6")
def test_maginot_works_are_not_improved() -> None:
    assert fortification_die(Fortification("maginot", "unimproved")) == -2


@rule("second_front", "3B3", "37C")
def test_neutrals_are_closed() -> None:
    ground = whole_board()
    countries = {
        f for c in ground.cells if neutral(ground, c) for f in ground.info[c].features if "country_" in f
    }
    assert countries == {"country_spain", "country_switzerland", "country_andorra"}


@rule("second_front", "37E")
def test_half_of_a_garrison_comes_at_once() -> None:
    assert at_once([piece(), piece(size="X"), piece(size="X")]) == 2, "of five RE, rounded down"
    assert at_once([piece("1-6", size="II")]) == 0


@rule("second_front", "37E")
def test_garrisons_wake_when_the_enemy_is_in_the_district_or_beside_it() -> None:
    """The example: Allied units in the Netherlands let the Axis wake Belgium, in an initial phase."""
    ground = whole_board()

    def in_district(name: str) -> int:
        return 1 << next(c for c in ground.cells if f"district_{name}" in ground.info[c].features)

    enemies = in_district("netherlands")
    assert may_activate(ground, ["netherlands"], enemies, False)
    assert not may_activate(ground, ["belgium"], enemies, False)
    for name in ("belgium", "wk_vi", "wk_x"):
        assert may_activate(ground, [name], enemies, True), name
    assert not may_activate(ground, ["wk_xviii"], enemies, True)


@rule("second_front", "37E1")
def test_a_garrison_that_is_too_small_costs_replacements() -> None:
    assert penalty(Fraction(9), Fraction(9), Fraction(0)) == 0
    assert penalty(Fraction(9), Fraction(5), Fraction(0)) == 2, "four RE are missing"
    assert penalty(Fraction(9), Fraction(6), Fraction(6)) == 0, "others count half"


@rule("second_front", "37G", "37G2", "37G3")
def test_governments_escape_or_are_captured_and_their_troops_lose_heart() -> None:
    assert [die for die in range(1, 7) if government_escapes(die)] == [1, 2]
    assert [morale(5, 7, turn) for turn in (4, 5, 6, 7, 8)] == [1, Fraction(1, 2), 1, Fraction(1, 2), 1]
    assert morale(0, 0, 5) == 1
