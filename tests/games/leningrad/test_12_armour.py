"""12.0 Armour: panzer corps that fight whole, and armoured units."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.leningrad.battles import announce
from tests.games.leningrad.table import Table
from tests.rules import rule

CORPS_41 = {"1-pz": "1512", "6-pz": "1512", "36-mot": "1512"}
CORPS_56 = {"8-pz": "1411", "3-mot": "1411", "ss-totenkopf": "1411"}
CORPS_39 = {"12-pz": "1512", "20-mot": "1512"}
TARGET = {"10-rd": "1511"}
STRENGTHS = {"10-rd": "inf-2-3", "90-rd": "inf-2-3"}


def assault(units: dict[str, str], by: str | None = None, **more: Any) -> Table:
    """Germans attack 1511; all of them unless told who."""
    table = Table("german-combat", {**units, **TARGET}, strengths=STRENGTHS, **more)
    return announce(table, "1511", by or " ".join(units))


def defend(units: dict[str, str], targets: str = "1512", **more: Any) -> Table:
    """Germans are attacked from 1511."""
    table = Table("soviet-combat", {**units, **TARGET}, strengths=STRENGTHS, **more)
    return announce(table, targets, "10-rd")


# 12.0


@rule("leningrad", "12.0", "12.4")
def test_corps_and_armour_shift_the_odds_of_an_attack_and_of_an_overrun() -> None:
    assert assault(CORPS_41).shifts() == {"attacker-armour": 1, "attacker-corps": 1}
    table = Table("german-movement", {**CORPS_41, **TARGET}, strengths=STRENGTHS)
    table.do("pick 1-pz", "add 6-pz", "add 36-mot", "overrun 1511")
    assert table.shifts() == {"overrun": -2, "attacker-armour": 1, "attacker-corps": 1}


@rule("leningrad", "12.0")
def test_infantry_alone_brings_neither() -> None:
    assert assault({"1-inf": "1512", "11-inf": "1512"}).shifts() == {}


# 12.1


@rule("leningrad", "12.1")
def test_a_whole_corps_attacking_from_one_hex_shifts_one_right() -> None:
    assert assault(CORPS_41).shifts()["attacker-corps"] == 1


@rule("leningrad", "12.1")
def test_a_corps_of_which_a_unit_does_not_attack_has_no_shift() -> None:
    assert "attacker-corps" not in assault(CORPS_41, by="1-pz 6-pz").shifts()


@rule("leningrad", "12.1")
def test_a_corps_spread_over_two_hexes_has_no_shift() -> None:
    assert "attacker-corps" not in assault({**CORPS_41, "36-mot": "1411"}).shifts()


@rule("leningrad", "12.1")
def test_a_corps_that_has_lost_a_unit_has_no_shift() -> None:
    assert "attacker-corps" not in assault({"1-pz": "1512", "6-pz": "1512"}).shifts()


@rule("leningrad", "12.1")
def test_a_corps_of_reduced_units_keeps_its_shift() -> None:
    assert assault(CORPS_41, reduced=list(CORPS_41)).shifts()["attacker-corps"] == 1


@rule("leningrad", "12.1")
def test_each_corps_has_its_own_shift() -> None:
    assert assault({**CORPS_41, **CORPS_56}).shifts()["attacker-corps"] == 2


@rule("leningrad", "12.1")
def test_units_of_different_corps_do_not_make_one() -> None:
    mixed = {"1-pz": "1512", "6-pz": "1512", "3-mot": "1512"}
    assert "attacker-corps" not in assault(mixed).shifts()


@rule("leningrad", "12.1")
def test_the_39th_corps_is_whole_with_its_two_units() -> None:
    assert assault(CORPS_39).shifts()["attacker-corps"] == 1
    assert "attacker-corps" not in assault({"12-pz": "1512"}).shifts()


@rule("leningrad", "12.1")
def test_the_corps_shift_counts_on_any_ground() -> None:
    table = assault(CORPS_41, terrain={"1511": "marsh"}, forts=["1511"])
    assert table.shifts() == {"defender-terrain": -1, "fort": -1, "attacker-corps": 1}


@rule("leningrad", "12.1")
def test_a_whole_corps_in_defence_shifts_one_left() -> None:
    assert defend(CORPS_41).shifts() == {"defender-armour": -1, "defender-corps": -1}
    assert defend({**CORPS_41, "36-mot": "1411"}).shifts() == {"defender-armour": -1}


@rule("leningrad", "12.1")
def test_a_corps_spread_over_two_attacked_hexes_has_no_shift_either() -> None:
    assert "defender-corps" not in defend({**CORPS_41, "36-mot": "1411"}, "1512 1411").shifts()


@rule("leningrad", "12.1")
def test_two_whole_corps_in_defence_shift_two_left() -> None:
    assert defend({**CORPS_41, **CORPS_56}, "1512 1411").shifts()["defender-corps"] == -2
    assert defend({**CORPS_41, **CORPS_56}, "1512").shifts()["defender-corps"] == -1


@rule("leningrad", "12.1")
def test_other_units_in_the_battle_do_not_take_the_shift_away() -> None:
    table = assault({**CORPS_41, "1-inf": "1411"})
    assert table.shifts()["attacker-corps"] == 1


# 12.2


@rule("leningrad", "12.2")
def test_attacking_armour_shifts_one_right_however_many_units() -> None:
    assert assault({"1-pz": "1512"}).shifts() == {"attacker-armour": 1}
    assert assault({"1-pz": "1512", "8-pz": "1512"}).shifts() == {"attacker-armour": 1}
    assert assault({"1-pz": "1512", "1-inf": "1411"}).shifts() == {"attacker-armour": 1}


@rule("leningrad", "12.2")
def test_mechanised_units_are_not_armoured() -> None:
    assert assault({"36-mot": "1512", "3-mot": "1512"}).shifts() == {}
    assert defend({"36-mot": "1512"}).shifts() == {}


@rule("leningrad", "12.2")
@pytest.mark.parametrize("ground", ["marsh", "hill", "+town", "+soviet_city"])
def test_attacking_armour_counts_only_against_clear_ground(ground: str) -> None:
    assert "attacker-armour" not in assault({"1-pz": "1512"}, terrain={"1511": ground}).shifts()


@rule("leningrad", "12.2")
def test_attacking_armour_does_not_count_against_a_fort() -> None:
    assert assault({"1-pz": "1512"}, forts=["1511"]).shifts() == {"fort": -1}


@rule("leningrad", "12.2")
def test_woods_villages_and_rivers_leave_clear_ground_clear() -> None:
    table = assault({"1-pz": "1512"}, terrain={"1511": "+village+woods"}, sides={"1511/1512": "river"})
    assert table.shifts() == {"river": -1, "attacker-armour": 1}


@rule("leningrad", "12.2", "9.6")
def test_ruling_attacking_armour_needs_all_attacked_hexes_clear_and_unfortified() -> None:
    def both(**more: Any) -> dict[str, int]:
        units = {"1-pz": "1512", "10-rd": "1511", "90-rd": "1611"}
        table = Table("german-combat", units, strengths=STRENGTHS, **more)
        return announce(table, "1511 1611", "1-pz").shifts()

    assert both()["attacker-armour"] == 1
    assert "attacker-armour" not in both(terrain={"1611": "hill"})
    assert "attacker-armour" not in both(forts=["1611"])


@rule("leningrad", "12.2")
@pytest.mark.parametrize("ground", ["clear", "marsh", "hill", "+town"])
def test_defending_armour_shifts_one_left_on_any_ground(ground: str) -> None:
    assert defend({"1-pz": "1512"}, terrain={"1512": ground}).shifts()["defender-armour"] == -1


@rule("leningrad", "12.2")
def test_defending_armour_shifts_once_however_many_units() -> None:
    assert defend({"1-pz": "1512", "8-pz": "1512"}).shifts() == {"defender-armour": -1}


@rule("leningrad", "12.2", "14.2")
@pytest.mark.parametrize(
    ("line", "attacking", "defending"),
    [("arm-3-2", {"attacker-armour": 1}, {"defender-armour": -1}), ("mech-4-3", {}, {})],
)
def test_soviet_armour_counts_like_german_and_soviet_mechanised_units_do_not(
    line: str, attacking: dict[str, int], defending: dict[str, int]
) -> None:
    units = {"1-inf": "1512", "28-td": "1511"}
    table = Table("soviet-combat", units, strengths={"28-td": line})
    assert announce(table, "1512", "28-td").shifts() == attacking
    table = Table("german-combat", units, strengths={"28-td": line}, terrain={"1511": "+soviet_city"})
    assert announce(table, "1511", "1-inf").shifts() == {**defending, "soviet-city": -1}


@rule("leningrad", "12.2")
def test_armour_on_both_sides_cancels_out() -> None:
    table = Table("german-combat", {"1-pz": "1512", "28-td": "1511"}, strengths={"28-td": "arm-3-2"})
    shifts = announce(table, "1511", "1-pz").shifts()
    assert shifts == {"defender-armour": -1, "attacker-armour": 1}


@rule("leningrad", "12.2")
def test_armour_counts_in_overruns() -> None:
    table = Table("soviet-movement", {"28-td": "1511", "1-pz": "1512"}, strengths={"28-td": "arm-6-4"})
    table.do("pick 28-td", "overrun 1512")
    assert table.shifts() == {"overrun": -2, "defender-armour": -1, "attacker-armour": 1}


# 12.3


@rule("leningrad", "12.3", "12.2")
def test_germans_who_defend_in_a_soviet_city_have_neither_shift() -> None:
    assert defend(CORPS_41, terrain={"1512": "+soviet_city"}).shifts() == {}


@rule("leningrad", "12.3")
def test_germans_who_attack_from_a_soviet_city_have_both() -> None:
    table = assault(CORPS_41, terrain={"1512": "+soviet_city"})
    assert table.shifts() == {"attacker-armour": 1, "attacker-corps": 1}


@rule("leningrad", "12.3")
def test_germans_who_defend_in_a_town_have_both() -> None:
    assert defend(CORPS_41, terrain={"1512": "+town"}).shifts() == {
        "defender-terrain": -1,
        "defender-armour": -1,
        "defender-corps": -1,
    }


@rule("leningrad", "12.3")
def test_ruling_one_soviet_city_among_the_attacked_hexes_takes_both_shifts_away() -> None:
    table = defend({**CORPS_41, "1-inf": "1411"}, "1512 1411", terrain={"1411": "+soviet_city"})
    assert table.shifts() == {}


# 12.4


@rule("leningrad", "12.4")
def test_corps_and_armour_shifts_add_up() -> None:
    table = assault({**CORPS_41, **CORPS_56})
    assert table.odds().final == table.odds().initial + 3
    table = defend({**CORPS_41, **CORPS_56}, "1512 1411")
    assert table.odds().final == table.odds().initial - 3
