"""9 Combat: strengths and odds; 11 support; 14B artillery; 14A engineers; 37B fortifications."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.battle import COLUMNS, TOO_LOW, Battle, column, fight, result
from grognard.games.second_front.rules.strength import (
    FORT,
    Attacker,
    Fortification,
    Target,
    attack_shares,
    defence_shares,
    engineer_share,
    helpless,
    may_attack,
    may_attack_across,
    total,
)
from grognard.games.second_front.rules.weather import Sky
from grognard.games.second_front.units import Piece
from tests.games.second_front.field import CLEAR_SKY, FROSTY, MUDDY, WINTRY, allied, field, piece
from tests.rules import rule

FORTRESS = Fortification("fortress", "improved")
TURN = "Jul II 43"
INFANTRY = allied()


def target(
    terrain: str = "clear", side: str = "", sky: Sky = CLEAR_SKY, works: Fortification | None = None
) -> Target:
    """The hex 0505, attacked from 0504 across a side, or from 0506."""
    board = field({"0505": terrain}, {"0504/0505": side} if side else {})
    return Target(board, board.cell("0505"), sky, works)


def attack(at: Target, *pieces: Piece, door: str = "0504") -> Fraction:
    return total(attack_shares(at, [Attacker(each, at.board.cell(door)) for each in pieces]))


def defence(*pieces: Piece, at: Target | None = None) -> Fraction:
    return total(defence_shares(at or target(), pieces))


def battle(at: Target, attackers: list[Piece], defenders: list[Piece]) -> Battle:
    return fight(at, [Attacker(each, at.board.cell("0504")) for each in attackers], defenders, TURN)


# Odds


@rule("second_front", "9", "9A")
def test_odds_are_rounded_for_the_defender() -> None:
    assert COLUMNS[column(Fraction(34), Fraction(9))] == "3:1", "the example of the rule"
    assert COLUMNS[column(Fraction(18), Fraction(9))] == "2:1"
    assert COLUMNS[column(Fraction(35, 2), Fraction(9))] == "3:2", "a half point short"
    assert (
        COLUMNS[column(Fraction(9), Fraction(18))] == "1:2"
        and COLUMNS[column(Fraction(9), Fraction(19))] == "1:3"
    )


@rule("second_front", "9B")
def test_beyond_the_table() -> None:
    assert COLUMNS[column(Fraction(200), Fraction(2))] == "9:1"
    assert column(Fraction(1), Fraction(4)) == 0 and column(Fraction(99, 100), Fraction(4)) == TOO_LOW
    assert {result(TOO_LOW, die) for die in range(-6, 11)} == {"AE"}


@rule("second_front", "9A", "3C3")
def test_one_die_is_changed_by_the_modifiers_and_read_in_its_column() -> None:
    chart = charts()["ground_crt"]
    for name in COLUMNS:
        for die in range(-6, 11):
            assert result(COLUMNS.index(name), die) == chart.find(name, die)["result"]
    assert result(12, 99) == result(12, 10) and result(0, -99) == result(0, -6)


@rule("second_front", "9A")
def test_aircraft_and_ships_add_to_the_strengths() -> None:
    at = target()
    attackers = [Attacker(INFANTRY, at.board.cell("0504"))]
    found = fight(at, attackers, [piece("4-6")], TURN, (Fraction(5), Fraction(2)))
    assert [found.attack_total, found.defence_total] == [13, 6]


@rule("second_front", "3C", "3C1", "3C2")
def test_fractions_are_kept_and_halves_add_up() -> None:
    """A brigade of 7 alone is 3½, and across a major river 1¾."""
    assert attack(target(), allied("7-8", size="X")) == Fraction(7, 2)
    assert attack(target(side="major_river"), allied("7-8", size="X")) == Fraction(7, 4)


# 9G


@rule("second_front", "9G")
def test_units_without_strength() -> None:
    assert not may_attack([piece("0-1-2", size="X")]) and may_attack([piece("0-1-2", size="X"), piece()])
    assert helpless([piece("0-0-8", "hq_division", "HQ")]) and not helpless([piece("0-1-2", size="X")])
    assert not helpless([piece("0-0-8", "hq_division", "HQ"), piece("0-1-2", size="X")])


# 9H


@rule("second_front", "9H")
def test_terrain_changes_some_attackers_and_not_others() -> None:
    tanks, guns = allied(type_="panzer_division"), allied("8-8", "artillery", "XX")
    swamp = target("swamp")
    assert [attack(swamp, INFANTRY), attack(swamp, tanks)] == [8, 4]
    assert attack(swamp, INFANTRY, guns) == 12, "artillery is halved too"
    assert attack(target(side="river"), tanks) == 4 and attack(target(side="river"), INFANTRY) == 8
    assert attack(target("mountain", "river"), tanks) == 1, "a quarter and a half"


@rule("second_front", "9H")
def test_only_those_who_cross_a_side_are_hindered_by_it() -> None:
    at = target(side="major_river")
    across, dry = at.board.cell("0504"), at.board.cell("0506")
    shares = attack_shares(at, [Attacker(INFANTRY, across), Attacker(INFANTRY, dry)])
    assert [share.strength for share in shares] == [4, 8]
    assert shares[0].reasons == (("9H", Fraction(1, 2)),) and shares[1].reasons == ()


@rule("second_front", "9H")
def test_terrain_changes_the_die() -> None:
    assert battle(target("mountain"), [INFANTRY], [piece()]).modifier == -1
    climbers = allied(type_="mountain")
    assert battle(target("mountain"), [INFANTRY, climbers], [piece()]).modifier == 0, (
        "half are mountain troops"
    )
    assert battle(target("major_city_full"), [INFANTRY], [piece()]).modifier == -1
    assert battle(target("major_city_partial"), [INFANTRY], [piece()]).modifier == 0


@rule("second_front", "9H", "36B")
def test_frost_opens_rivers_and_swamps() -> None:
    tanks = allied(type_="panzer_division")
    assert (
        attack(target(side="river", sky=FROSTY), tanks) == 8
        and attack(target("swamp", sky=FROSTY), tanks) == 8
    )
    assert battle(target(sky=MUDDY), [INFANTRY], [piece()]).modifier == -2
    assert battle(target(sky=WINTRY), [INFANTRY], [piece()]).modifier == -1


@rule("second_front", "9B", "37A1")
def test_no_attack_across_what_is_prohibited() -> None:
    def possible(side: str, who: Piece) -> bool:
        at = target(side=side)
        return may_attack_across(at, Attacker(who, at.board.cell("0504")))

    assert not possible("sea", INFANTRY) and possible("sea causeway road", INFANTRY)
    assert not possible("high_mountain", INFANTRY) and possible("high_mountain", allied(type_="mountain"))
    at = target(side="sea causeway road")
    assert attack(at, INFANTRY) == 4, "a causeway is a major river"


# 11


@rule("second_front", "11")
def test_small_units_are_halved_without_support() -> None:
    brigade, dotted = allied("4-8", size="X"), allied("4-8*", size="X")
    assert attack(target(), brigade) == 2 and attack(target(), dotted) == 4
    assert attack(target(), brigade, INFANTRY) == 12, "a division supports its hex"
    assert attack(target(), brigade, dotted) == 6, "the dot supports itself alone"
    assert attack(target(), brigade, allied("8-6*")) == 10, "and so does a division with a dot"
    assert attack(target(), brigade, allied("0-0-8", "hq_division", "HQ")) == 4
    assert attack(target(), brigade, allied("3-3-8", "artillery", "III")) == 7
    assert attack(target(), allied(cadre="4-6", reduced=True)) == 2, "a cadre is small"


@rule("second_front", "11")
def test_support_is_given_in_the_same_hex_and_in_the_same_attack() -> None:
    at = target()
    brigade, here, there = allied("4-8", size="X"), at.board.cell("0504"), at.board.cell("0506")
    apart = attack_shares(at, [Attacker(brigade, here), Attacker(INFANTRY, there)])
    assert total(apart) == 10
    assert total(attack_shares(at, [Attacker(brigade, here)], naval=True)) == 4, (
        "ships support everybody (33A)"
    )


@rule("second_front", "11")
def test_support_in_defence() -> None:
    brigade = piece("4-6", size="X")
    assert defence(brigade) == 2 and defence(brigade, piece("6-6")) == 10
    assert defence(brigade, piece("4-6*", size="X")) == 6
    assert defence(piece("0-4-0", "port_fortification", "X")) == 4, "supports itself (37B2)"


# 12D


@rule("second_front", "12D")
def test_hunger_halves_strengths() -> None:
    assert attack(target(), allied(hungry=1)) == 8 and attack(target(), allied(hungry=1, isolated=True)) == 4
    assert attack(target(), allied(hungry=2)) == 4 and attack(target(), allied(hungry=0, isolated=True)) == 8
    assert defence(piece(hungry=1, isolated=True)) == 8 and defence(piece(hungry=2)) == 4


# 14B


@rule("second_front", "14B")
def test_artillery_counts_up_to_the_number_of_others() -> None:
    """The example of the rule: three regiments of 2-3-8 and a regiment of engineers of 2-6 defend with 6."""
    guns = [piece("2-3-8", "artillery_german", "III") for _ in range(3)]
    assert defence(*guns, piece("2-6", "combat_engineer", "III")) == 6
    assert defence(*guns) == 1 and defence(*guns, piece("6-6")) == 15
    assert (
        attack(target(), *(allied("2-3-8", "artillery", "III") for _ in range(3)), allied("2-6", size="X"))
        == 5
    )


@rule("second_front", "14B")
def test_the_strongest_guns_that_fit_are_kept() -> None:
    small, large = piece("1-1-8", "artillery_german", "II"), piece("5-5-8", "artillery_german", "III")
    engineers = piece("2-6", "combat_engineer", "III")
    assert defence(small, small, large, engineers) == 5 + 1 + 2


@rule("second_front", "14B1")
def test_siege_guns_are_doubled_against_cities_and_works() -> None:
    siege, other = allied("4-1-6", "siege_artillery", "II"), allied("0-0-8", "hq_division", "HQ")
    assert attack(target(), siege, other) == 4 and attack(target("major_city_full"), siege, other) == 8
    assert attack(target(works=FORTRESS), siege, other) == 8 and attack(target(works=FORT), siege, other) == 4


@rule("second_front", "14B1", "14B2", "37B3")
def test_long_guns_fire_across_the_angle_of_two_sides() -> None:
    """The published answer: one fortified side of the angle is enough, and a gun is doubled."""
    gun, other = allied("4-1-6", "long_range_siege", "II"), allied("0-0-8", "hq_division", "HQ")
    at = target(side="fortified")
    board, near = at.board, at.board.cell("0504")
    far = [c for c in board.cells if board.distance(c, at.cell) == 2]
    across = {c for c in far if near in board.adjacent[c]}
    assert len(across) == 3, "one straight behind the side, two whose line goes through its corners"
    for cell in far:
        shares = attack_shares(at, [Attacker(gun, cell), Attacker(other, near)])
        assert total(shares) == (8 if cell in across else 4), board.number(cell)
    beside = allied("6-6")
    halved = attack_shares(at, [Attacker(gun, near), Attacker(beside, board.cell("0506"))])
    assert total(halved) == 2 + 6, "if not all attack across works, those who do are halved"
    assert attack(at, gun, other) == 8


# 14A2, 14A3, 14C


@rule("second_front", "14A2")
def test_a_seventh_of_engineers_helps_against_cities_and_works() -> None:
    engineers = allied("2-8", "combat_engineer", "III")
    city = target("major_city_partial")
    assert battle(city, [INFANTRY, INFANTRY, engineers], [piece()]).engineers, "one of seven"
    assert not battle(city, [INFANTRY, INFANTRY, allied(size="X"), engineers], [piece()]).engineers
    guns = allied("3-4-8", "artillery", "III")
    assert battle(city, [INFANTRY, INFANTRY, guns, engineers], [piece()]).modifier == 1, (
        "guns are not counted"
    )
    assert not battle(target(), [engineers], [piece()]).engineers
    assert battle(target(works=FORT), [engineers], [piece()]).modifier == 0, "+1 against the -1 of a fort"


@rule("second_front", "14A3")
def test_assault_engineers_are_doubled_in_and_against_cities_and_improved_fortresses() -> None:
    """The example of the rule: a battalion of 1-10 against an improved fortress."""
    battalion = allied("1-10*", "assault_engineer", "II")
    assert attack(target(works=FORTRESS), battalion) == 2
    assert engineer_share(target(works=FORTRESS), [battalion, allied(size="X")]) == Fraction(1, 2), (
        "it counts as 1 RE"
    )
    assert engineer_share(target(works=FORT), [battalion, allied(size="X")]) == Fraction(1, 3)
    assert attack(target(), battalion) == 1 and attack(target("major_city_full"), battalion) == 2
    defender = piece("1-10*", "assault_engineer", "II")
    assert defence(defender, at=target("major_city_full")) == 2 and defence(defender) == 1


@rule("second_front", "14C")
def test_specialised_armour_counts_as_engineers() -> None:
    for type_ in ("flame_tank", "engineer_tank", "sturmpanzer", "assault_engineer_tank"):
        tanks = allied("3-8*", type_, "X")
        assert battle(target(works=FORTRESS), [INFANTRY, tanks], [piece()]).engineers
        assert not battle(target(), [INFANTRY, tanks], [piece()]).engineers
    assert attack(target(works=FORTRESS), allied("5-3-6*", "assault_engineer_tank", "X")) == 10
    assert attack(target(works=FORTRESS), allied("4-6*", "flame_tank", "X")) == 4
    assert attack(target(works=FORTRESS), allied("4-6*", "tank", "X")) == 2


# 37B


@rule("second_front", "37B", "37B1", "37B4", "37B2")
@pytest.mark.parametrize(
    ("kind", "state", "die", "infantry"),
    [
        ("fort", "-", -1, 8),
        ("fortress", "unimproved", -1, 8),
        ("fortress", "improved", -2, 4),
        ("port_fortification", "improved", -2, 4),
    ],
)
def test_fortifications_hinder_attacks(kind: str, state: str, die: int, infantry: int) -> None:
    at = target(works=Fortification(kind, state))
    assert battle(at, [INFANTRY], [piece()]).modifier == die and attack(at, INFANTRY) == infantry


@rule("second_front", "37B3")
def test_fortified_sides_change_the_die_if_all_attack_across_them() -> None:
    at = target(side="fortified")
    across, free = at.board.cell("0504"), at.board.cell("0506")
    both = fight(at, [Attacker(INFANTRY, across), Attacker(INFANTRY, free)], [piece()], TURN)
    assert both.modifier == 0 and both.attack_total == 12, "otherwise those across are halved"
    assert fight(at, [Attacker(INFANTRY, across)], [piece()], TURN).modifier == -1


@rule("second_front", "37B3")
def test_nobody_uses_armour_across_a_fortified_side() -> None:
    at = target(side="fortified")
    tanks = allied(type_="panzer_division")
    assert battle(at, [tanks], [piece()]).armour.attack == 0
    free = fight(
        at, [Attacker(tanks, at.board.cell("0506")), Attacker(tanks, at.board.cell("0504"))], [piece()], TURN
    )
    assert free.armour.attack_share == Fraction(1, 2) and free.armour.attack == 2
