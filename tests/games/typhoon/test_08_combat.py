"""8.4 to 8.9, 9.3 What results do: steps, retreats, options, advance."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.typhoon.rules.odds import column_name, columns, result_of
from grognard.games.typhoon.rules.retreat import Retreat, Ways
from grognard.games.typhoon.state import SOVIET
from tests.games.typhoon.table import Table
from tests.rules import rule

INF, INF2, INF3, PANZER, SR4, STUG = (
    *("g-251-inf", "g-102-inf", "g-256-inf"),
    *("g-6-pz-pzr-11", "g-6-pz-sr-4", "g-stug-189"),
)
GUNS, TRUCK, PIONEER = "g-harko-2", "g-supply-truck-1", "g-pi-r-413"
TRUCK2 = "g-supply-truck-2"
RIFLE, RIFLE2, RIFLE3, TANKS, AT, HQ, NKVD = (
    *("s-126-rd", "s-133-rd", "s-174-rd", "s-127-tbde"),
    *("s-509-at-regt", "s-22a", "s-34-nkvd-regt"),
)
GUN, NAVAL, SOVIET_TRUCK = "s-392-gun-regt", "s-199-naval-bn", "s-supply-truck-1"


def battle(
    units: dict[str, str],
    target: str,
    attackers: str,
    result: str,
    *extras: str,
    phase: str = "axis",
    **more: Any,
) -> Table:
    """A combat that ends with a result: the die that gives it is found in the table."""
    first = "axis-movement" if phase == "axis" else "soviet-motorised"
    table = Table(first, units, **more)
    table.attack(target, *attackers.split()).fight(target, *extras)
    return rolled(table, result)


def rolled(table: Table, result: str) -> Table:
    local = table.state.local
    modifier = table.events("odds")[-1]["n"]
    for die in range(1, 11):
        if result_of(local.column, die + modifier) == result:
            return table.do(f"roll {die}")
    names = {d: result_of(local.column, d + modifier) for d in range(1, 11)}
    raise AssertionError(f"no {result} in column {columns()[local.column][0]}: {names}")


ONE = {INF: "1509", RIFLE: "1510", TRUCK: "1508"}
SUPPLY = f"supply {TRUCK}"


@rule("typhoon", "8.4.2", "8.5", "8.5.1")
def test_steps_are_taken_from_the_force_by_its_owner() -> None:
    table = battle({INF: "1509", TRUCK: "1508", RIFLE: "1510", RIFLE2: "1510"}, "1510", INF, "1*/1", SUPPLY)
    assert table.asked == "lose-step" and table.actor == "soviet"
    assert table.offered("lose") == {RIFLE, RIFLE2}
    table.do(f"lose {RIFLE2}")
    assert (table.steps(RIFLE), table.steps(RIFLE2), table.steps(INF)) == (3, 2, 3), (
        "the lone attacker is not asked"
    )


@rule("typhoon", "8.4.2", "8.5.4")
def test_result_e_eliminates_and_lost_steps_make_cadres() -> None:
    wiped = battle(
        {RIFLE: "1510", "s-1-ski-bn": "1510", INF: "1509", HQ: "1511"},
        "1509",
        f"{RIFLE} s-1-ski-bn",
        "e/-",
        phase="soviet",
        steps={RIFLE: 1},
    )
    assert wiped.where(RIFLE) == wiped.where("s-1-ski-bn") == "eliminated"
    table = battle(
        {INF: "1509", INF2: "1410", TRUCK: "1508", "s-201-abn-bde": "1510"},
        "1510",
        f"{INF} {INF2}",
        "-/3R",
        SUPPLY,
    )
    assert table.where("s-201-abn-bde") == "cadre"


@rule("typhoon", "8.4.3")
def test_below_one_to_four_in_the_end_the_attackers_are_lost() -> None:
    units = {STUG: "1509", RIFLE: "1510", TRUCK: "1508", GUN: "1512", HQ: "1513"}
    table = Table("axis-movement", units).attack("1510", STUG).do("end", f"back {GUN} 1510", "end")
    table.do("fight 1510", "resolve")
    assert table.where(STUG) == "eliminated" and table.steps(RIFLE) == 3
    assert table.asked != "roll-combat"


@rule("typhoon", "8.4.5", "6.5.7", "12.1.8")
def test_an_asterisk_costs_a_step_without_supply_and_one_for_a_fortification() -> None:
    both = {INF: "1509", INF2: "1410", TRUCK: "1508", RIFLE: "1510"}
    for extras, forts, lost in (
        ((SUPPLY,), {}, 1),
        ((), {}, 2),
        ((SUPPLY,), {"1510": "soviet"}, 2),
        ((), {"1510": "soviet"}, 3),
    ):
        table = battle(both, "1510", f"{INF} {INF2}", "1*/1", *extras, forts=forts)
        while table.asked == "lose-step":
            table.do(f"lose {INF}")
        assert 8 - table.steps(INF) - table.steps(INF2) == lost, (extras, forts)


@rule("typhoon", "8.4.5", "16.1", "16.1.1", "16.1.2")
def test_an_obligatory_attack_costs_a_step_more() -> None:
    units = {RIFLE: "1510", RIFLE2: "1409", RIFLE3: "1510", "g-koch": "1509", SOVIET_TRUCK: "1512"}
    attackers = f"{RIFLE} {RIFLE2} {RIFLE3}"
    table = battle(
        units, "1509", attackers, "1*/1", f"supply {SOVIET_TRUCK}", "obey", phase="soviet", obligatory=2
    )
    assert table.state.obligatory == 1
    while table.asked == "lose-step":
        table.do(f"lose {RIFLE}")
    assert 9 - sum(map(table.steps, (RIFLE, RIFLE2, RIFLE3))) == 2
    weak = Table("soviet-motorised", {RIFLE: "1510", INF: "1509"}, obligatory=1)
    weak.attack("1509", RIFLE).to_combat().do("fight 1509")
    assert weak.refused("obey") == ("order-odds", "16.1.1")
    none = Table("soviet-motorised", units).attack("1509", *attackers.split()).to_combat().do("fight 1509")
    assert none.refused("obey") == ("nothing-ordered", "16.1.3")


@rule("typhoon", "16.1.1")
@pytest.mark.parametrize(("rifles", "odds", "counts"), [(3, "1-1", False), (4, "3-2", True)])
def test_an_obligatory_attack_is_made_at_three_to_two(rifles: int, odds: str, counts: bool) -> None:
    attackers = dict.fromkeys((RIFLE, RIFLE2, RIFLE3, "s-179-rd")[:rifles], "1510")
    attackers["s-179-rd"] = "1409"
    table = Table("soviet-motorised", {**attackers, INF: "1509"}, obligatory=1)
    table.attack("1509", *list(attackers)[:rifles]).to_combat()
    assert column_name(table.state.attacks[0].odds) == odds
    table.do("fight 1509")
    if counts:
        assert table.do("obey").state.local.obligatory
    else:
        assert table.refused("obey") == ("order-odds", "16.1.1")


@rule("typhoon", "9.3", "9.3.1")
def test_on_an_asterisk_armour_takes_the_first_step_where_both_have_some() -> None:
    units = {PANZER: "1509", SR4: "1509", INF: "1410", TRUCK: "1508", RIFLE: "1510", TANKS: "1510"}
    table = battle(units, "1510", f"{PANZER} {SR4} {INF}", "1*/1", SUPPLY, weather="snow")
    assert (table.steps(TANKS), table.steps(PANZER)) == (1, 2), "nobody is asked: armour it is"
    guns = {PANZER: "1509", SR4: "1509", TRUCK: "1508", RIFLE: "1510", AT: "1510"}
    table = battle(guns, "1510", f"{PANZER} {SR4}", "1*/1R", SUPPLY)
    assert table.offered("lose") == {RIFLE, AT}
    table.do(f"lose {RIFLE}")
    assert table.steps(PANZER) == 2, "anti-tank guns cost the attacker armour"
    plain = {PANZER: "1509", SR4: "1509", TRUCK: "1508", RIFLE: "1510"}
    table = battle(plain, "1510", f"{PANZER} {SR4}", "1*/1R", SUPPLY)
    assert table.offered("lose") == {PANZER, SR4}


@rule("typhoon", "9.3.2", "12.3.1")
def test_engineers_who_lead_lose_before_armour() -> None:
    units = {
        PANZER: "1509",
        SR4: "1509",
        INF: "1410",
        PIONEER: "1410",
        TRUCK: "1508",
        RIFLE: "1510",
        TANKS: "1510",
    }
    table = battle(
        units,
        "1510",
        f"{PANZER} {SR4} {INF} {PIONEER}",
        "1*/1R",
        SUPPLY,
        f"lead {PIONEER}",
        hexes={"1510": "city"},
    )
    assert table.where(PIONEER) == "cadre" and table.steps(PANZER) == 3
    field = Table("axis-movement", {INF: "1509", PIONEER: "1509", RIFLE: "1510"})
    field.attack("1510", INF, PIONEER).to_combat().do("fight 1510")
    assert field.refused(f"lead {PIONEER}") == ("nothing-to-storm", "12.3.1")


# Retreats


@rule("typhoon", "8.6", "8.6.1", "8.6.2")
def test_a_retreat_is_two_hexes_away_and_not_through_enemies() -> None:
    table = battle(
        {INF: "1509", INF2: "1410", RIFLE: "1510", TRUCK: "1508", STUG: "1511"},
        "1510",
        f"{INF} {INF2}",
        "-/2R",
        SUPPLY,
    )
    assert table.asked == "fall-back" and table.actor == "soviet"
    assert "1509" not in table.offered("fall-back") and "1511" not in table.offered("fall-back")
    assert table.refused("fall-back 1511") == ("no-retreat-there", "8.6.1")
    table.do("fall-back 1611")
    assert all(
        table.game.board.distance(table.cell("1510"), table.cell(h)) == 2 for h in table.offered("fall-back")
    )
    table.do("fall-back 1612")
    assert table.where(RIFLE) == "1612"


@rule("typhoon", "8.6.2")
def test_a_friend_makes_a_zone_safe_for_a_retreat() -> None:
    units = {INF: "1509", INF2: "1410", TRUCK: "1508", RIFLE: "1510", INF3: "1612", RIFLE2: "1511"}
    table = battle(units, "1510", f"{INF} {INF2}", "-/2R", SUPPLY)
    table.do("fall-back 1511", "fall-back 1512")
    assert table.asked != "roll-retreat" or table.where(RIFLE) == "1512"


def through_a_zone(woods: str) -> Table:
    """A Soviet division that goes through a zone in 1512."""
    units = {INF: "1509", INF2: "1410", INF3: "1610", TRUCK: "1508", RIFLE: "1510", PANZER: "1513"}
    table = Table("axis-movement", units, hexes={"1511": woods} if woods else {})
    table.attack("1510", INF, INF2, INF3).fight("1510", SUPPLY)
    return rolled(table, "-/1R").do("fall-back 1511", "fall-back 1512")


@rule("typhoon", "8.6.3")
@pytest.mark.parametrize(
    ("die", "woods", "fine"), [(3, "", True), (4, "", False), (5, "woods", True), (6, "woods", False)]
)
def test_a_retreat_through_a_zone_is_by_the_die(die: int, woods: str, fine: bool) -> None:
    table = through_a_zone(woods).do(f"break-out {die}")
    if fine:
        assert table.where(RIFLE) == "1512" and table.steps(RIFLE) == 1, "a step is lost at the end"
    else:
        assert table.where(RIFLE) == "cadre"


@rule("typhoon", "8.6.3")
@pytest.mark.parametrize(("die", "fine"), [(5, True), (6, False)])
def test_the_axis_gets_through_with_five(die: int, fine: bool) -> None:
    units = {
        RIFLE: "1509",
        RIFLE2: "1410",
        RIFLE3: "1610",
        SOVIET_TRUCK: "1508",
        "g-koch": "1510",
        "s-178-rd": "1513",
    }
    table = (
        Table("soviet-motorised", units)
        .attack("1510", RIFLE, RIFLE2, RIFLE3)
        .fight("1510", f"supply {SOVIET_TRUCK}")
    )
    rolled(table, "-/1R").do("fall-back 1511", "fall-back 1512", f"break-out {die}")
    assert table.where("g-koch") == "cadre", "its last step is the price, or it fails"
    assert table.events("broke-out" if fine else "broken")


@rule("typhoon", "8.6.1", "8.6.3", "8.5.4")
def test_two_zones_on_end_bar_the_way_and_who_cannot_go_is_eliminated() -> None:
    ring = {INF: "1509", INF2: "1411", INF3: "1611", PANZER: "1513", SR4: "1309", "g-koch": "1709"}
    table = battle({**ring, TRUCK: "1508", RIFLE: "1510"}, "1510", f"{INF} {INF2} {INF3}", "-/1R", SUPPLY)
    assert table.where(RIFLE) == "eliminated"


@rule("typhoon", "7.1.6")
def test_who_is_driven_off_the_map_becomes_a_cadre() -> None:
    units = {INF: "1002", INF2: "1101", TRUCK: "1102", RIFLE: "1001"}
    table = battle(units, "1001", f"{INF} {INF2}", "-/1R", SUPPLY)
    assert table.where(RIFLE) == "cadre"


@rule("typhoon", "8.6.4")
def test_a_retreat_ends_where_there_is_room_or_one_hex_farther() -> None:
    crowd = {
        f"s-{n}-rd": hex_
        for n, hex_ in zip(
            (133, 174, 178, 186, 250, 252, 243, 246, 119),
            ["1512"] * 3 + ["1511"] * 3 + ["1612"] * 3,
            strict=True,
        )
    }
    units = {INF: "1509", INF2: "1410", INF3: "1610", TRUCK: "1508", RIFLE: "1510", **crowd}
    table = battle(units, "1510", f"{INF} {INF2} {INF3}", "-/1R", SUPPLY)
    assert "1511" in table.offered("fall-back"), "through friends, though they are too many"
    table.do("fall-back 1511")
    assert "1512" not in table.offered("fall-back")


@rule("typhoon", "8.6.5", "6.5.3")
def test_depots_cannot_retreat_and_mobile_supply_does() -> None:
    units = {
        INF: "1509",
        INF2: "1410",
        TRUCK: "1508",
        RIFLE: "1510",
        SOVIET_TRUCK: "1510",
        "s-supply-wagon-1": "1510",
    }
    table = battle(units, "1510", f"{INF} {INF2}", "-/2R", SUPPLY, steps={SOVIET_TRUCK: 2})
    assert table.where(SOVIET_TRUCK) == "supply pool"
    table.do("fall-back 1511", "fall-back 1512")
    assert table.where("s-supply-wagon-1") == "1512"


@rule("typhoon", "13.3.3")
def test_an_armoured_train_retreats_along_its_rails_or_is_lost() -> None:
    train = "s-16-army-train"
    units = {INF: "1509", TRUCK: "1508", train: "1510", "s-201-abn-bde": "1510"}
    rails = {"1510/1511": "rail", "1511/1512": "rail"}
    table = battle(units, "1510", INF, "1/1R", SUPPLY, sides=rails)
    table.do("lose s-201-abn-bde", f"part {train}")
    assert table.offered("fall-back") == {"1511"}
    lost = battle(units, "1510", INF, "1/1R", SUPPLY).do("lose s-201-abn-bde")
    lost.do("fall-back 1511", "fall-back 1512")
    assert lost.where(train) == "eliminated"


# Options of retreat


def with_option(option: str, result: str, units: dict[str, str], attackers: str, **more: Any) -> Table:
    table = Table("axis-movement", units, **more).attack("1510", *attackers.split()).do("end", option, "end")
    table.do("fight 1510", SUPPLY, "resolve")
    return rolled(table, result)


@rule("typhoon", "8.7", "8.7.1", "8.7.2")
def test_an_extra_retreat_saves_a_step_and_is_moved_by_the_enemy() -> None:
    units = {INF: "1509", INF2: "1410", TRUCK: "1508", RIFLE: "1510", HQ: "1515"}
    assert Table("axis-movement", units).attack("1510", INF).do("end").refused("yield 1510") == (
        "no-hq-order",
        "13.1.2",
    )
    units[HQ] = "1513"
    table = with_option("yield 1510", "-/2R", units, f"{INF} {INF2}")
    assert table.steps(RIFLE) == 2 and table.actor == "axis"
    table.do("fall-back 1511", "fall-back 1512")
    assert table.asked == "fall-back"
    table.do("fall-back 1613")
    assert table.where(RIFLE) == "1613"


@rule("typhoon", "8.7.2")
def test_an_extra_retreat_through_a_zone_eliminates() -> None:
    units = {
        INF: "1509",
        INF2: "1410",
        TRUCK: "1508",
        RIFLE: "1510",
        HQ: "1514",
        INF3: "1611",
        PANZER: "1412",
        SR4: "1513",
    }
    table = with_option("yield 1510", "-/1R", units, f"{INF} {INF2} {INF3}")
    assert table.where(RIFLE) == "eliminated"


@rule("typhoon", "8.8", "8.8.1", "8.8.2", "8.8.3")
def test_no_retreat_costs_two_steps_and_one_in_good_ground() -> None:
    units = {INF: "1509", INF2: "1410", TRUCK: "1508", "s-5-gds-rd": "1510", HQ: "1513"}
    table = with_option("hold 1510", "1/1R", units, f"{INF} {INF2}")
    assert table.where("s-5-gds-rd") == "1510" and table.steps("s-5-gds-rd") == 1
    woods = with_option("hold 1510", "1*/1R", units, f"{INF} {INF2}", hexes={"1510": "woods"})
    assert woods.steps("s-5-gds-rd") == 2
    town = with_option("hold 1510", "1*/1R", units, f"{INF} {INF2}", hexes={"1510": "city"}, weather="snow")
    assert town.steps("s-5-gds-rd") == 2, "a city in foul weather"


@rule("typhoon", "8.8.3", "8.8.1")
def test_the_axis_loses_one_step_more_if_it_holds() -> None:
    units = {RIFLE: "1510", RIFLE2: "1409", RIFLE3: "1609", "g-221-sich": "1509", SOVIET_TRUCK: "1512"}
    table = Table("soviet-motorised", units).attack("1509", RIFLE, RIFLE2, RIFLE3)
    table.do("end", "hold 1509", "end", "fight 1509", f"supply {SOVIET_TRUCK}", "resolve")
    rolled(table, "1*/R")
    assert table.where("g-221-sich") == "1509" and table.steps("g-221-sich") == 1


@rule("typhoon", "8.8.1", "8.7.1")
def test_the_attacker_chooses_just_before_the_die() -> None:
    table = Table("axis-movement", ONE).attack("1510", INF).to_combat().do("fight 1510", SUPPLY, "stand")
    assert table.refused("flee") == ("option-chosen", "8.8.1")
    table.do("resolve")
    rolled(table, "1R*/-")
    assert table.where(INF) == "1509" and table.steps(INF) == 2, "one step, and one for staying"


@rule("typhoon", "13.5.2", "13.5")
def test_the_nkvd_holds_a_place_and_loses_last() -> None:
    units = {INF: "1509", INF2: "1410", TRUCK: "1508", RIFLE: "1510", NKVD: "1510"}
    table = Table("axis-movement", units, hexes={"1510": "village"}).attack("1510", INF, INF2).do("end")
    assert table.state.attacks[0].option == 1
    assert table.refused("yield 1510") == ("option-chosen", "8.8.1")
    table.do("end", "fight 1510", SUPPLY, "resolve")
    rolled(table, "1/1R")
    assert table.where(NKVD) == "1510" and table.where(RIFLE) == "cadre"


# Advance


@rule("typhoon", "8.9", "8.9.1", "8.9.2", "8.9.3", "8.9.4")
def test_attackers_may_enter_the_hex_and_no_others() -> None:
    units = {
        INF: "1509",
        INF2: "1410",
        INF3: "1509",
        GUNS: "1509",
        TRUCK: "1508",
        RIFLE: "1510",
        RIFLE2: "1511",
    }
    table = battle(units, "1510", f"{INF} {INF2}", "-/2R", SUPPLY, f"support {GUNS}")
    table.do("fall-back 1511", "fall-back 1512")
    assert table.asked == "advance-units"
    assert table.refused(f"advance {INF3} 1510") == ("no-advance", "8.9.2")
    assert table.refused(f"advance {GUNS} 1510") == ("no-advance", "8.9.2")
    assert table.refused(f"advance {INF} 1511") == ("advance-elsewhere", "8.9.3")
    table.do(f"advance {INF} 1510")
    assert table.where(INF) == "1510", "an enemy zone does not stop it"
    table.do("stay")
    assert table.asked != "advance-units"


@rule("typhoon", "8.9.4")
def test_an_advance_respects_stacking() -> None:
    units = {INF: "1509", INF2: "1410", INF3: "1610", TRUCK: "1508", RIFLE: "1510"}
    table = battle(units, "1510", f"{INF} {INF2} {INF3}", "-/2R", SUPPLY)
    table.do("fall-back 1511", "fall-back 1512", f"advance {INF} 1510", f"advance {INF2} 1510")
    assert table.asked != "advance-units", "a third division has no room"


@rule("typhoon", "8.9.5", "8.2.2")
def test_after_a_combat_for_two_hexes_either_may_be_entered() -> None:
    units = {INF: "1509", INF2: "1509", TRUCK: "1508", "s-1-ski-bn": "1510", "s-2-ski-bn": "1410"}
    table = Table("axis-movement", units).do(
        "target 1510", f"join {INF}", f"join {INF2}", "widen 1410", "declare"
    )
    table.fight("1410", SUPPLY)
    rolled(table, "-/3R")
    assert table.offered("advance") >= {f"{INF} 1510", f"{INF} 1410", f"{INF2} 1510", f"{INF2} 1410"}


# Supply and guns in a combat


@rule("typhoon", "6.5", "6.5.5", "6.5.6", "6.5.8")
def test_each_attack_spends_its_own_point() -> None:
    units = {INF: "1509", INF2: "1909", TRUCK: "1507", RIFLE: "1510", RIFLE2: "1910"}
    table = Table("axis-movement", units, steps={TRUCK: 2}).attack("1510", INF).attack("1910", INF2)
    table.fight("1510", SUPPLY)
    assert table.steps(TRUCK) == 1, "a depot becomes a mobile unit"
    rolled(table, "1*/-")
    table.do("fight 1910", SUPPLY, "resolve")
    assert table.where(TRUCK) == "supply pool"
    assert "no-attack-supply" not in str(table.events("odds"))


@rule("typhoon", "6.5.5")
def test_every_attacker_needs_a_line_to_the_counter() -> None:
    far = {INF: "1509", INF2: "1410", TRUCK: "1501", RIFLE: "1510"}
    table = Table("axis-movement", far).attack("1510", INF, INF2).to_combat().do("fight 1510")
    assert table.refused(SUPPLY) == ("supply-too-far", "6.5.5")
    near = {**far, TRUCK: "1502"}
    table = (
        Table("axis-movement", near, weather="rain").attack("1510", INF, INF2).to_combat().do("fight 1510")
    )
    assert table.refused(SUPPLY)[0] == "supply-too-far", "five hexes in rain"
    wagon = {INF: "1509", INF2: "1611", TRUCK: "1503", "g-supply-truck-2": "1817", RIFLE: "1510"}
    table = (
        Table("axis-movement", wagon, weather="rain").attack("1510", INF, INF2).to_combat().do("fight 1510")
    )
    assert table.refused(SUPPLY)[0] == "supply-too-far"


@rule("typhoon", "10.1", "10.1.3", "10.1.5", "6.5.7")
def test_the_attacker_s_guns_need_range_and_the_attack_s_supply() -> None:
    units = {INF: "1509", GUNS: "1508", "g-harko-3": "1507", TRUCK: "1508", RIFLE: "1510"}
    table = Table("axis-movement", units).attack("1510", INF).to_combat().do("fight 1510")
    assert table.refused(f"support {GUNS}") == ("guns-need-supply", "6.5.7")
    table.do(SUPPLY)
    assert table.refused("support g-harko-3") == ("out-of-range", "10.1.3")
    table.do(f"support {GUNS}", "resolve")
    assert table.events("odds")[0]["attack"] == "14"


@rule("typhoon", "10.1.4", "13.4.1")
def test_four_guns_at_most_and_soviet_ones_only_beside_headquarters() -> None:
    german = {
        INF: "1509",
        INF2: "1509",
        **{f"g-harko-{n}": "1508" for n in (2, 3, 4, 5, 6)},
        TRUCK: "1508",
        RIFLE: "1510",
    }
    siege = "g-siege-battery-24-30-5-cm"
    table = Table("axis-movement", {**german, siege: "1508"}).attack("1510", INF, INF2).to_combat()
    table.do("fight 1510", SUPPLY, *(f"support g-harko-{n}" for n in (2, 3, 4, 5)))
    assert table.refused("support g-harko-6") == ("guns-in-excess", "10.1.4")
    table.do(f"support {siege}")
    soviet = {
        RIFLE: "1510",
        RIFLE2: "1510",
        GUN: "1511",
        "s-471-gun-regt": "1511",
        INF: "1509",
        SOVIET_TRUCK: "1512",
    }
    table = Table("soviet-motorised", soviet).attack("1509", RIFLE, RIFLE2).to_combat()
    table.do("fight 1509", f"supply {SOVIET_TRUCK}", f"support {GUN}")
    assert table.refused("support s-471-gun-regt") == ("guns-in-excess", "10.1.4")
    table = Table("soviet-motorised", {**soviet, HQ: "1511"}).attack("1509", RIFLE, RIFLE2).to_combat()
    table.do("fight 1509", f"supply {SOVIET_TRUCK}", f"support {GUN}", "support s-471-gun-regt")


@rule("typhoon", "10.1.6")
def test_guns_at_a_distance_suffer_nothing_and_those_beside_do() -> None:
    units = {INF: "1509", GUNS: "1508", "g-harko-3": "1409", TRUCK: "1508", RIFLE: "1510", RIFLE2: "1510"}
    table = Table("axis-movement", {**units, "g-harko-3": "1509"}).attack("1510", INF).to_combat()
    table.do("fight 1510", SUPPLY, f"support {GUNS}", "support g-harko-3", "resolve")
    rolled(table, "1R*/-")
    assert table.offered("lose") == {INF, "g-harko-3"}


@rule("typhoon", "10.1.2", "10.1.5", "10.2.3")
def test_the_defender_s_guns_are_laid_in_the_reaction_phase_outside_enemy_zones() -> None:
    units = {INF: "1509", RIFLE: "1510", GUN: "1512", "s-471-gun-regt": "1410", TRUCK: "1508"}
    table = Table("axis-movement", units).attack("1510", INF).do("end")
    assert table.refused("back s-471-gun-regt 1510") == ("gun-in-zone", "10.2.3")
    table.do(f"back {GUN} 1510", "end", "fight 1510", SUPPLY, "resolve")
    assert table.events("odds")[0]["defence"] == "9"
    hungry = Table("axis-movement", units, unsupplied=[GUN]).attack("1510", INF).do("end")
    assert hungry.refused(f"back {GUN} 1510") == ("gun-silent", "10.2.4")


@rule("typhoon", "10.2.3")
def test_a_gun_in_a_major_city_is_engaged_by_who_stands_beside_it() -> None:
    """No zone goes into a major city (3.3.4); an enemy who has none engages nobody there."""
    units = {INF: "1509", RIFLE: "1510", GUN: "1512", INF2: "1613", TRUCK: "1508"}
    city = {"1512": "major_city"}
    table = Table("axis-movement", units, hexes=city).attack("1510", INF).do("end")
    assert table.refused(f"back {GUN} 1510") == ("gun-in-zone", "10.2.3")
    away = Table("axis-movement", {**units, INF2: "1810"}, hexes=city).attack("1510", INF).do("end")
    away.do(f"back {GUN} 1510", "end", "fight 1510", SUPPLY, "resolve")
    assert away.events("odds")[0]["defence"] == "9"
    weak = {**units, "g-6-pz-aa-57": "1613"}
    del weak[INF2]
    other = Table("axis-movement", weak, hexes=city).attack("1510", INF).do("end")
    assert f"back {GUN} 1510" in other.options


@rule("typhoon", "13.4.4")
def test_naval_guns_that_fire_twice_as_much_are_gone() -> None:
    units = {RIFLE: "1510", RIFLE2: "1510", NAVAL: "1511", INF: "1509", SOVIET_TRUCK: "1512"}
    table = Table("soviet-motorised", units).attack("1509", RIFLE, RIFLE2).to_combat()
    table.do(
        "fight 1509", f"supply {SOVIET_TRUCK}", f"support {NAVAL}", f"double {NAVAL}", "resolve", "roll 5"
    )
    while table.asked in ("lose-step", "fall-back", "advance-units"):
        table.do(sorted(table.options)[0])
    assert table.where(NAVAL) == "eliminated"


@rule("typhoon", "8.6.4")
def test_whoever_has_gone_a_hex_too_far_is_not_led_on_to_the_edge_of_the_map(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No way of two hexes goes on from three: it was looked for all over the map, for minutes."""
    table = Table("axis-movement", {RIFLE: "1510"})
    unit = table.unit(RIFLE)
    ways = Ways(table.game, table.state, Retreat((unit,), 2, SOVIET, group=(unit,)), (unit,))
    monkeypatch.delattr(Ways, "step_open")
    walked = tuple(map(table.cell, ("1511", "1512", "1513")))
    assert list(ways.paths(2, walked)) == [] and list(ways.paths(3, walked)) == [walked]


@rule("typhoon", "8.6")
def test_who_falls_back_alone_is_not_parted() -> None:
    units = {INF: "1509", INF2: "1509", RIFLE: "1510", TRUCK: "1508"}
    table = battle(units, "1510", f"{INF} {INF2}", "-/1R", f"supply {TRUCK}")
    while table.asked == "lose-step":
        table.do(sorted(table.options)[0])
    assert table.asked == "fall-back"
    assert table.refused(f"part {RIFLE}") == ("not-in-hand", "8.6")


@rule("typhoon", "10.1.2")
def test_a_gun_that_has_not_come_yet_supports_nobody() -> None:
    units = {INF: "1509", RIFLE: "1510", "s-471-gun-regt": "1511"}
    table = Table("axis-movement", units, to_come={GUN: 9}).attack("1510", INF).do("end")
    assert table.refused(f"back {GUN} 1510") == ("no-gun", "10.1.2")


@rule("typhoon", "8.1.5")
def test_whoever_has_taken_part_in_a_combat_takes_part_in_no_other() -> None:
    units = {INF: "1509", INF2: "1709", GUNS: "1609", TRUCK: "1508", TRUCK2: "1708"}
    units |= {RIFLE: "1510", RIFLE2: "1710", GUN: "1512"}
    table = Table("axis-movement", units).attack("1510", INF).attack("1710", INF2)
    table.do("end", f"back {GUN} 1510").fight("1510", f"supply {TRUCK}", f"support {GUNS}").do("roll 5")
    while table.asked != "choose-combat":
        table.do(sorted(table.options)[0])
    assert table.in_set(table.state.fought) == {INF, GUNS, RIFLE, GUN}
    table.do("fight 1710", f"supply {TRUCK2}")
    assert table.refused(f"support {GUNS}") == ("gun-busy", "8.1.5")


@rule("typhoon", "13.5.2")
def test_in_the_open_the_nkvd_loses_with_the_others() -> None:
    units = {INF: "1509", INF2: "1410", TRUCK: "1508", RIFLE: "1510", NKVD: "1510"}
    table = battle(units, "1510", f"{INF} {INF2}", "1/1R", SUPPLY)
    while table.actor == "axis":
        table.do(sorted(table.options)[0])
    assert table.offered("lose") == {RIFLE, NKVD}


@rule("typhoon", "12.3.1")
def test_an_engineer_who_leads_loses_first_on_an_asterisk_only() -> None:
    units = {INF: "1509", INF2: "1410", PIONEER: "1410", TRUCK: "1508", RIFLE: "1510"}
    attackers = f"{INF} {INF2} {PIONEER}"
    lead = f"lead {PIONEER}"
    plain = battle(units, "1510", attackers, "1/1R", SUPPLY, lead, forts={"1510": "soviet"})
    assert plain.asked == "lose-step" and plain.offered("lose") == {INF, INF2, PIONEER}
    starred = battle(units, "1510", attackers, "1*/1R", SUPPLY, lead, forts={"1510": "soviet"})
    assert starred.where(PIONEER) == "cadre"
