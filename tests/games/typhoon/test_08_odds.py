"""8.3, 8.4, 9, 10 Odds and modifiers: terrain, arms, guns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest

from grognard.games.typhoon.rules.odds import Clash, Reckoning, column_name, column_of, reckon
from grognard.games.typhoon.state import STAND
from tests.games.typhoon.table import Table
from tests.rules import rule

INF, INF2, PANZER, SR4, SR114, AA57 = (
    *("g-251-inf", "g-102-inf", "g-6-pz-pzr-11"),
    *("g-6-pz-sr-4", "g-6-pz-sr-114", "g-6-pz-aa-57"),
)
MOT1, MOT2, MOT3 = "g-14-mot-ir-11", "g-14-mot-ir-53", "g-14-mot-aa-54"
GUNS, GUNS2, GUNS3, GUNS4, GUNS5 = "g-harko-2", "g-harko-3", "g-harko-4", "g-harko-5", "g-harko-6"
SIEGE, PIONEER, STUG = "g-siege-battery-24-30-5-cm", "g-pi-r-413", "g-stug-189"
RIFLE, RIFLE2, AT, TANKS, HQ = "s-126-rd", "s-133-rd", "s-509-at-regt", "s-127-tbde", "s-22a"
GUN, GUN2, NAVAL = "s-392-gun-regt", "s-471-gun-regt", "s-199-naval-bn"


def reckoned(
    units: dict[str, str],
    attackers: str,
    targets: str = "1510",
    table_: Mapping[str, Any] = MappingProxyType({}),
    **clash: Any,
) -> Reckoning:
    """What an attack by some units, separated by spaces, on some hexes is worth."""
    table = Table("axis-movement", units, **table_)
    found = Clash(
        tuple(table.cell(cell) for cell in targets.split()),
        tuple(table.unit(unit) for unit in attackers.split()),
        guns=tuple(table.unit(gun) for gun in clash.pop("guns", "").split()),
        defending_guns=tuple(table.unit(gun) for gun in clash.pop("defending", "").split()),
        engineer=table.unit(clash.pop("engineer")) if "engineer" in clash else -1,
        doubled=tuple(table.unit(gun) for gun in clash.pop("doubled", "").split()),
        **clash,
    )
    return reckon(table.game, table.state, found)


def codes(found: Reckoning) -> dict[str, int]:
    return {m.code: m.value for m in found.modifiers}


@rule("typhoon", "8.4.1", "8.4", "8.4.3")
@pytest.mark.parametrize(
    ("attack", "defence", "name"),
    [
        *[(29, 10, "2-1"), (10, 29, "1-3"), (3, 2, "3-2"), (14, 10, "1-1"), (9, 10, "2-3")],
        *[(1, 4, "1-4"), (99, 4, "10-1"), (1, 5, "<1-4")],
    ],
)
def test_odds_are_rounded_in_the_defender_s_favour(attack: int, defence: int, name: str) -> None:
    assert column_name(column_of(Fraction(attack), Fraction(defence))) == name


@rule("typhoon", "8.3", "8.3.1", "8.3.3", "8.3.6")
@pytest.mark.parametrize(
    ("terrain", "expected"),
    [
        ("", {}),
        ("hills", {"hills": 1}),
        ("woods", {"woods": 1}),
        ("hills woods", {"hills": 1, "woods": 1}),
        ("city", {"city": 1}),
        ("major_city", {"major-city-axis": 2}),
        ("pond", {}),
    ],
)
def test_the_terrain_of_the_defender_counts_and_adds_up(terrain: str, expected: dict[str, int]) -> None:
    units = {INF: "1509", RIFLE: "1510"}
    assert codes(reckoned(units, INF, table_={"hexes": {"1510": terrain}})) == expected
    assert codes(reckoned(units, INF, table_={"hexes": {"1509": "hills woods"}})) == {}, "not the attacker's"


@rule("typhoon", "8.3.6")
def test_a_major_city_is_worth_one_against_the_soviets() -> None:
    found = reckoned({RIFLE: "1509", INF: "1510"}, RIFLE, table_={"hexes": {"1510": "major_city"}})
    assert codes(found) == {"major-city-soviet": 1}


@rule("typhoon", "8.3.2", "8.3.6")
def test_ponds_and_major_rivers_halve_and_a_force_keeps_a_point() -> None:
    units = {INF: "1509", INF2: "1410", RIFLE: "1510"}
    assert reckoned(units, f"{INF} {INF2}").attack == 18
    pond = {"hexes": {"1509": "pond"}}
    assert reckoned(units, f"{INF} {INF2}", table_=pond).attack == Fraction(27, 2), "fractions are kept"
    river = {"sides": {"1509/1510": "major_river"}}
    assert reckoned(units, f"{INF} {INF2}", table_=river).attack == Fraction(27, 2)
    both = pond | river
    assert reckoned(units, INF, table_=both).attack == Fraction(9, 4), "halves add up"
    weak = {"g-stug-189": "1509", RIFLE: "1510"}
    assert reckoned(weak, STUG, table_={"hexes": {"1510": "city"}}).attack == 1
    tiny = {AA57: "1509", RIFLE: "1510"}
    assert reckoned(tiny, AA57, table_=river).attack == 1, "never less than one"


@rule("typhoon", "8.3.3")
def test_a_river_helps_only_if_everybody_attacks_across_it() -> None:
    units = {INF: "1509", INF2: "1410", RIFLE: "1510"}
    one = {"sides": {"1509/1510": "river"}}
    assert "river" not in codes(reckoned(units, f"{INF} {INF2}", table_=one))
    all_ = {"sides": {"1509/1510": "river", "1410/1510": "river"}}
    assert codes(reckoned(units, f"{INF} {INF2}", table_=all_)) == {"river": 1}
    mixed = {"sides": {"1509/1510": "river", "1410/1510": "fortified"}, "hexes": {"1510": "fortified_line"}}
    assert codes(reckoned(units, f"{INF} {INF2}", table_=mixed)) == {"river": 1}, "or one of the two"


@rule("typhoon", "8.3.4")
def test_terrain_of_one_of_several_hexes_counts() -> None:
    units = {INF: "1509", RIFLE: "1510", RIFLE2: "1410"}
    found = reckoned(units, INF, "1510 1410", table_={"hexes": {"1410": "woods"}})
    assert codes(found) == {"woods": 1}


@rule("typhoon", "8.4.4")
def test_modifiers_together_are_three_at_most() -> None:
    units = {INF: "1509", RIFLE: "1510"}
    rough = {"hexes": {"1510": "hills woods"}}
    found = reckoned(units, INF, table_=rough, supplied=False, option=STAND)
    assert sum(codes(found).values()) == 5 and found.total == 3
    assert reckoned(units, INF, air=-5).total == -3
    assert reckoned(units, INF, table_={"hexes": {"1510": "woods"}}, air=-1).total == 0, "they cancel out"


@rule("typhoon", "6.5.7", "6.3.5", "8.8.2", "12.3.1")
def test_supply_and_options_modify_the_die() -> None:
    units = {INF: "1509", PIONEER: "1509", RIFLE: "1510"}
    assert codes(reckoned(units, INF, supplied=False)) == {"no-attack-supply": 2}
    assert codes(reckoned(units, INF, option=STAND)) == {"no-retreat": 1}
    hungry = {"unsupplied": [RIFLE]}
    assert codes(reckoned(units, INF, table_=hungry)) == {"unsupplied-defender": -1}
    city = {"hexes": {"1510": "city"}}
    assert reckoned(units, f"{INF} {PIONEER}", table_=city, engineer=PIONEER).total == 0


# 9 Armour


@rule("typhoon", "9.0", "9.1", "9.1.1")
def test_combined_arms_need_armour_and_companions_and_no_guns_against_tanks() -> None:
    units = {PANZER: "1509", SR4: "1509", PIONEER: "1509", INF: "1410", RIFLE: "1510"}
    assert codes(reckoned(units, f"{PANZER} {SR4}")) == {"combined-arms": -1}
    assert codes(reckoned(units, f"{PANZER} {PIONEER}")) == {"combined-arms": -1}
    assert codes(reckoned(units, f"{PANZER} {INF}")) == {}
    assert codes(reckoned(units, f"{SR4} {PIONEER}")) == {}
    assert codes(reckoned({**units, AT: "1510"}, f"{PANZER} {SR4}")) == {}


@rule("typhoon", "9.1.2", "9.1.3", "9.1.4", "12.2.2")
def test_where_combined_arms_fail() -> None:
    units = {PANZER: "1509", SR4: "1509", RIFLE: "1510"}

    def arms(**table: Any) -> bool:
        return "combined-arms" in codes(reckoned(units, f"{PANZER} {SR4}", table_=table))

    assert arms()
    for terrain in ("hills", "woods", "city", "major_city"):
        assert not arms(hexes={"1510": terrain}), terrain
    assert not arms(forts={"1510": "soviet"})
    assert not arms(sides={"1509/1510": "major_river"})
    assert not arms(hexes={"1510": "fortified_line"}, sides={"1509/1510": "fortified"})
    assert [arms(weather=w) for w in ("dry", "rain", "frost", "snow", "arctic")] == [
        True,
        False,
        True,
        False,
        False,
    ]


@rule("typhoon", "9.1.3")
def test_armour_is_halved_once_in_a_city_or_across_a_major_river() -> None:
    units = {PANZER: "1509", SR4: "1509", RIFLE: "1510"}
    assert reckoned(units, PANZER).attack == 8
    assert reckoned(units, PANZER, table_={"hexes": {"1510": "city"}}).attack == 4
    both = {"hexes": {"1510": "city"}, "sides": {"1509/1510": "major_river"}}
    assert reckoned(units, PANZER, table_=both).attack == 4, "once only"
    assert reckoned(units, SR4, table_={"hexes": {"1510": "city"}}).attack == 5
    assert codes(reckoned(units, PANZER, table_=both))["city"] == 1, "and the city counts besides"


@rule("typhoon", "9.2", "9.2.1", "9.2.3")
def test_a_panzer_division_is_whole_with_its_tanks_a_regiment_and_a_third_element() -> None:
    units = {PANZER: "1509", SR4: "1509", SR114: "1410", AA57: "1410", RIFLE: "1510"}

    def whole(attackers: str, **table: Any) -> int:
        return codes(reckoned(units, attackers, table_=table)).get("integrity", 0)

    assert whole(f"{PANZER} {SR4} {SR114}") == -1
    assert whole(f"{PANZER} {SR4} {AA57}", steps={PANZER: 1}) == -1, "even reduced, from two hexes"
    assert whole(f"{PANZER} {SR4}") == 0
    assert whole(f"{SR4} {SR114} {AA57}") == 0, "not without its tanks"


@rule("typhoon", "9.2.3", "6.3.5")
def test_unsupplied_elements_do_not_count_unless_the_attack_is_supplied() -> None:
    units = {PANZER: "1509", SR4: "1509", SR114: "1509", RIFLE: "1510"}
    hungry = {"unsupplied": [SR4]}
    lacking = reckoned(units, f"{PANZER} {SR4} {SR114}", table_=hungry, supplied=False)
    assert "integrity" not in codes(lacking)
    fed = reckoned(units, f"{PANZER} {SR4} {SR114}", table_=hungry)
    assert "integrity" in codes(fed), "attack supply lifts the penalties for this attack (6.5.5)"


@rule("typhoon", "9.2.2", "9.2.3")
def test_a_motorised_division_counts_beside_a_panzer_division() -> None:
    mot = {MOT1: "1410", MOT2: "1410", MOT3: "1410"}
    units = {**mot, PANZER: "1509", SR4: "1509", SR114: "1509", RIFLE: "1510"}
    alone = reckoned(units, f"{MOT1} {MOT2} {MOT3}")
    assert "integrity" not in codes(alone)
    both = reckoned(units, f"{MOT1} {MOT2} {MOT3} {PANZER} {SR4} {SR114}")
    assert sum(m.value for m in both.modifiers if m.code == "integrity") == -2
    part = reckoned(units, f"{MOT1} {MOT2} {PANZER} {SR4} {SR114}")
    assert sum(m.value for m in part.modifiers if m.code == "integrity") == -1, "it needs all three"
    reich = {"g-ss-reich-deutschland": "1611", "g-ss-reich-der-fuehrer": "1611", "g-ss-reich-ss-aa": "1611"}
    ss = reckoned({**units, **reich}, f"{PANZER} {SR4} {SR114} {' '.join(reich)}")
    assert sum(m.value for m in ss.modifiers if m.code == "integrity") == -2, "SS Reich: three of four"


# 10 Guns


@rule("typhoon", "10.0", "10.1", "10.1.8")
def test_support_is_capped_by_what_it_supports() -> None:
    units = {AA57: "1509", INF: "1509", GUNS: "1508", RIFLE: "1510"}
    assert reckoned(units, INF, guns=GUNS).attack == 14
    assert reckoned(units, AA57, guns=GUNS).attack == 2
    ski = {INF: "1509", "s-131-tk-bn": "1510", GUN: "1511"}
    assert reckoned(ski, INF, defending=GUN).defence == 2, "one point of defence takes one of support"


@rule("typhoon", "10.1.7", "10.1.2")
def test_guns_fire_across_rivers_and_out_of_ponds_at_full_strength() -> None:
    units = {INF: "1509", GUNS: "1509", RIFLE: "1510"}
    river = {"sides": {"1509/1510": "major_river"}, "hexes": {"1509": "pond"}}
    assert reckoned(units, INF, guns=GUNS, table_=river).attack == Fraction(9, 4) * 2
    plain = {INF: "1509", INF2: "1410", GUNS: "1509", RIFLE: "1510"}
    assert reckoned(plain, f"{INF} {INF2}", guns=GUNS, table_=river).attack == Fraction(9, 4) + 9 + 5
    assert reckoned({INF: "1509", RIFLE: "1510", GUN: "1512"}, INF, defending=GUN).defence == 9


@rule("typhoon", "10.2", "10.2.1", "10.2.2", "10.2.4")
def test_a_gun_defends_with_its_support_among_others_and_alone_with_its_defence() -> None:
    assert reckoned({INF: "1509", GUN: "1510"}, INF).defence == 1
    assert reckoned({INF: "1509", GUN: "1510", GUN2: "1510"}, INF).defence == 2
    assert reckoned({INF: "1509", GUN: "1510", RIFLE: "1510"}, INF).defence == 9
    hungry = {"unsupplied": [GUN]}
    assert reckoned({INF: "1509", GUN: "1510", RIFLE: "1510"}, INF, table_=hungry).defence == 6


@rule("typhoon", "13.4.1", "13.4.2")
def test_siege_guns_double_against_cities_and_fortifications_and_do_not_defend() -> None:
    units = {INF: "1509", SIEGE: "1508", RIFLE: "1510"}
    assert reckoned(units, INF, guns=SIEGE).attack == 12
    assert reckoned(units, INF, guns=SIEGE, table_={"hexes": {"1510": "city"}}).attack == 15
    assert reckoned(units, INF, guns=SIEGE, table_={"forts": {"1510": "soviet"}}).attack == 15
    defended = {RIFLE: "1509", INF: "1510", SIEGE: "1510"}
    assert reckoned(defended, RIFLE).defence == 9


@rule("typhoon", "13.4.4")
def test_naval_guns_may_fire_twice_as_much() -> None:
    units = {RIFLE: "1509", RIFLE2: "1509", NAVAL: "1508", INF: "1510"}
    assert reckoned(units, f"{RIFLE} {RIFLE2}", guns=NAVAL).attack == 11
    assert reckoned(units, f"{RIFLE} {RIFLE2}", guns=NAVAL, doubled=NAVAL).attack == 14


@rule("typhoon", "8.5.3")
def test_strengths_fall_with_the_steps() -> None:
    units = {INF: "1509", RIFLE: "1510"}

    def attack(steps: int) -> Fraction:
        return reckoned(units, INF, table_={"steps": {INF: steps}}).attack

    def defence(steps: int) -> Fraction:
        return reckoned(units, INF, table_={"steps": {RIFLE: steps}}).defence

    assert [attack(n) for n in (4, 3, 2, 1)] == [9, 7, 5, 3], "a marker, the back, the back with a marker"
    assert [defence(n) for n in (3, 2, 1)] == [6, 4, 3]


@rule("typhoon", "8.3.3", "12.2.1")
def test_a_line_that_is_broken_is_no_river() -> None:
    """Beside a river, the line helps against those who do not cross one: not if it is destroyed."""
    units = {INF: "1509", INF2: "1410", RIFLE: "1510"}
    sides = {"1509/1510": "river", "1410/1510": "fortified"}
    table = Table("axis-movement", units, hexes={"1510": "fortified_line"}, sides=sides)
    clash = Clash((table.cell("1510"),), (table.unit(INF), table.unit(INF2)))
    whole = reckon(table.game, table.state, clash)
    table.state.broken_lines = 1 << table.cell("1510")
    broken = reckon(table.game, table.state, clash)
    assert "river" not in {m.code for m in broken.modifiers}
    assert broken.total < whole.total
