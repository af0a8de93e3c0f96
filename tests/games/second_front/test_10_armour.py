"""10 Armour and antitank effects, with every example of the rule."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.second_front.rules.armour import (
    AECA,
    AECD,
    ATEC,
    Counted,
    Effects,
    at_least_half,
    best_share,
    counted,
    effects,
    modifier,
    share,
)
from grognard.games.second_front.rules.strength import Attacker, Target
from grognard.games.second_front.rules.weather import NO_AEC, REDUCED_AEC, Sky
from grognard.games.second_front.units import HALF_CAPABLE, NEUTRAL, Piece
from tests.games.second_front.field import CLEAR_SKY, MUDDY, SNOWY, allied, field, piece
from tests.rules import rule

TURN = "Jul II 43"
PANZER, INFANTRY, MOTORISED = (
    piece(type_="panzer_division"),
    piece(),
    piece("3-10", "motorised_infantry", "III"),
)
GRENADIERS, GUNS = piece(type_="mechanised_infantry"), piece("3-4-8", "artillery_german", "III")
FLAK = piece("1-2-10", "heavy_aa", "III", klass="c/m")


def share_of(category: int, *pieces: Piece, turn: str = TURN) -> Fraction:
    return best_share(counted(pieces, category, turn))


def battle(
    attackers: list[Piece],
    defenders: list[Piece],
    terrain: str = "clear",
    sky: Sky = CLEAR_SKY,
    turn: str = TURN,
) -> Effects:
    board = field({"0505": terrain})
    at = Target(board, board.cell("0505"), sky)
    return effects(at, [Attacker(each, board.cell("0504")) for each in attackers], defenders, turn)


@rule("second_front", "10", "10C", "10C1")
def test_a_panzer_division_among_infantry() -> None:
    """The example of 10C: six RE without, three with, a motorised regiment not counted. Example 1 has three
    regiments of artillery in its place."""
    assert share_of(AECA, PANZER, INFANTRY, INFANTRY, MOTORISED) == Fraction(1, 3)
    assert share_of(AECA, PANZER, INFANTRY, INFANTRY, GUNS, GUNS, GUNS) == Fraction(1, 3)
    assert battle([PANZER, INFANTRY, INFANTRY, GUNS, GUNS, GUNS], [allied()]).attack == 1


@rule("second_front", "10C2", "10B2")
def test_a_mechanised_cadre_in_defence() -> None:
    """Example 2: a mechanised and an infantry cadre have a quarter."""
    mechanised = piece(type_="mechanised_infantry", cadre="3-6", reduced=True)
    infantry = piece(cadre="3-6", reduced=True)
    assert share_of(AECD, mechanised, infantry) == Fraction(1, 4)
    assert battle([allied()], [mechanised, infantry]).defence == -1


@rule("second_front", "10A", "10A1", "10A2", "10A3", "10B", "10B1", "10B2", "10B3", "10B4")
def test_four_values_in_three_categories() -> None:
    assert share_of(AECA, PANZER) == 1 and share_of(AECA, GRENADIERS, INFANTRY) == Fraction(1, 4)
    guns = allied("3-4-8", "artillery", "III")
    assert counted([guns], ATEC, TURN) == [Counted(NEUTRAL, Fraction(1))], "the example of 10B3"
    assert share_of(AECA, INFANTRY) == 0 and share_of(ATEC, FLAK) == 1
    assault_guns = piece("2-10", "assault_gun", "II")
    assert [share_of(category, assault_guns) for category in (AECA, AECD, ATEC)] == [Fraction(1, 2), 1, 1]


@rule("second_front", "10C", "10C1", "10C2", "10C3")
@pytest.mark.parametrize(
    ("found", "attack", "reduced", "defence", "reduced_defence", "antitank"),
    [
        (Fraction(1, 8), 0, 0, 0, 0, 0),
        (Fraction(1, 7), 1, 0, -1, 0, -1),
        (Fraction(499, 1000), 1, 0, -1, 0, -1),
        (Fraction(1, 2), 2, 1, -2, -1, -2),
        (Fraction(999, 1000), 2, 1, -2, -1, -2),
        (Fraction(1), 3, 1, -2, -1, -4),
    ],
)
def test_the_steps_of_the_table(
    found: Fraction, attack: int, reduced: int, defence: int, reduced_defence: int, antitank: int
) -> None:
    assert (modifier(AECA, found), modifier(AECA, found, REDUCED_AEC)) == (attack, reduced)
    assert (modifier(AECD, found), modifier(AECD, found, REDUCED_AEC)) == (defence, reduced_defence)
    assert modifier(ATEC, found) == modifier(ATEC, found, NO_AEC) == antitank
    assert modifier(AECA, found, NO_AEC) == modifier(AECD, found, NO_AEC) == 0


@rule("second_front", "10C2", "10C3")
def test_enough_armour_in_attack_calls_for_antitank_weapons() -> None:
    tanks = allied("4-10", "tank", "X")
    assert battle([tanks], [FLAK]).defence_category == ATEC and battle([tanks], [FLAK]).defence == -4
    few = battle([tanks, allied()], [PANZER])
    assert (few.attack, few.defence_category, few.defence) == (1, AECD, -2)
    assert battle([tanks], [FLAK], sky=MUDDY).defence == -4, "even if the tanks cannot be used"


@rule("second_front", "10D")
def test_modifiers_add_up() -> None:
    """The example: full armour against full antitank weapons is -1."""
    assert battle([allied(type_="panzer_division")], [FLAK]).net == -1


@rule("second_front", "10E")
def test_half_capable_units_count_as_neutral_where_that_is_better() -> None:
    """The example: an armoured and a mechanised division attack with +3, not +2."""
    assert share(
        [Counted(rating, Fraction(3)) for rating in (PANZER.unit.ratings[AECA], HALF_CAPABLE)]
    ) == Fraction(3, 4)
    assert share_of(AECA, PANZER, GRENADIERS) == 1 and battle([PANZER, GRENADIERS], [allied()]).attack == 3
    assert share_of(AECA, GRENADIERS, INFANTRY) == Fraction(1, 4), "alone it would be nothing"


@rule("second_front", "10F")
def test_neutrals_are_limited() -> None:
    """The example: of nine neutral RE beside a panzer division three count as not capable."""
    motorised = piece("6-10", "motorised_infantry")
    guns = [piece("3-4-8", "artillery_german", "X") for _ in range(3)]
    flak = [piece("1-2-10", "heavy_aa", "III", klass="c/m") for _ in range(3)]
    assert share_of(AECA, PANZER, motorised, *flak, *guns) == Fraction(1, 2)
    assert share_of(AECA, PANZER, motorised, *flak) == 1
    half = piece("2-10", "mechanised_infantry", "III")
    assert share_of(AECA, half, MOTORISED, MOTORISED) == Fraction(1, 2), "all RE of half capable units count"
    assert share_of(AECA, half, MOTORISED, MOTORISED, MOTORISED) == Fraction(1, 4)


@rule("second_front", "10G")
def test_terrain_bars_armour_and_not_antitank_weapons() -> None:
    """The example: a tank brigade against heavy antiaircraft guns in a large city is -4."""
    tanks = allied("4-10", "tank", "X")
    assert battle([tanks], [FLAK], "dot_city").net == -4
    assert battle([allied()], [PANZER], "dot_city").defence == 0
    assert battle([PANZER], [allied()], "rough").attack == 1, "reduced in rough terrain"
    assert battle([PANZER], [allied()], "mountain").attack == 0


@rule("second_front", "10G")
def test_across_a_side_that_bars_armour_its_share_is_lost() -> None:
    board = field({}, {"0504/0505": "major_river"})
    at = Target(board, board.cell("0505"), CLEAR_SKY)
    across, dry = (Attacker(PANZER, board.cell(number)) for number in ("0504", "0506"))
    assert effects(at, [across], [allied()], TURN).attack == 0
    assert effects(at, [across, dry], [allied()], TURN).attack == 2


@rule("second_front", "10C", "36B")
def test_weather_reduces_or_bars_armour() -> None:
    assert (
        battle([PANZER], [allied()], sky=SNOWY).attack == 1
        and battle([PANZER], [allied()], sky=MUDDY).attack == 0
    )
    assert battle([allied()], [PANZER], sky=SNOWY).defence == -1
    assert battle([PANZER], [allied("1-8", "antitank", "II")], sky=SNOWY).defence == -4


@rule("second_front", "10H")
def test_half_a_share_makes_losses_mandatory() -> None:
    tanks = allied(type_="panzer_division")
    used = battle([tanks, allied()], [FLAK])
    assert used.attacker_pays and used.defender_pays
    assert not battle([tanks, allied(), allied()], [INFANTRY]).attacker_pays
    assert not battle([tanks], [FLAK], "dot_city").attacker_pays, "it was not used"
    assert battle([tanks], [FLAK], "dot_city").defender_pays
    half = battle([tanks], [FLAK, piece("1-6", size="III")])
    assert half.defence_share == Fraction(1, 2) and half.defender_pays, "a half is enough"
    third = battle([tanks], [FLAK, piece("1-6", size="III"), piece("1-6", size="III")])
    assert third.defence == -1 and not third.defender_pays
    assert at_least_half(GRENADIERS, AECA, TURN) and not at_least_half(MOTORISED, AECA, TURN)


@rule("second_front", "10I")
def test_infantry_antitank_weapons_come_by_date() -> None:
    american, italian = allied(), piece(nation="Italian")
    turns = ("Jun II 44", "Jul I 44", "Aug II 44", "Sep I 44")
    assert [counted([INFANTRY], ATEC, turn)[0].rating.neutral for turn in turns] == [False, True, True, True]
    assert [counted([american], ATEC, turn)[0].rating.neutral for turn in turns] == [
        False,
        False,
        False,
        True,
    ]
    assert not counted([italian], ATEC, "Apr I 45")[0].rating.neutral
    assert not counted([INFANTRY], AECD, "Apr I 45")[0].rating.neutral, "antitank weapons only"


@rule("second_front", "12D")
def test_hungry_units_have_no_capability() -> None:
    assert share_of(AECA, piece(type_="panzer_division", hungry=1)) == 1
    assert share_of(AECA, piece(type_="panzer_division", hungry=2)) == 0
    assert share_of(AECA, piece("3-10", "motorised_infantry", "III", hungry=2), PANZER) == Fraction(3, 4)


@rule("second_front", "14I")
def test_a_third_of_a_mixed_division_is_armour() -> None:
    mixed = allied(type_="mixed")
    assert share_of(AECA, mixed) == Fraction(1, 3) and share_of(ATEC, mixed) == Fraction(1, 6)
