"""8.0 Starting combat."""

from __future__ import annotations

import pytest

from tests.games.leningrad.table import Table
from tests.rules import rule


def names(table: Table, units: tuple[int, ...]) -> set[str]:
    return {table.game.unit_id(u) for u in units}


# 8.0


@rule("leningrad", "8.0")
def test_a_player_attacks_adjacent_enemies_in_his_own_combat_phase() -> None:
    where = {"1-inf": "1510", "10-rd": "1509", "90-rd": "1507"}
    german, soviet = Table("german-combat", where), Table("soviet-combat", where)
    assert (german.actor, german.offered("target")) == ("german", {"1509"})
    assert (soviet.actor, soviet.offered("target")) == ("soviet", {"1510"})
    assert german.refused("target 1508") == ("nobody-to-attack", "8.0")
    assert german.refused("target 1510") == ("nobody-to-attack", "8.0")
    german.do("target 1509")
    assert german.refused("join 10-rd") == ("not-yours", "8.0")
    assert german.refused("join 11-inf") == ("not-yours", "8.0")


@rule("leningrad", "8.0")
def test_combat_is_voluntary() -> None:
    where = {"1-inf": "1510", "10-rd": "1509"}
    for phase in ("german-combat", "soviet-combat"):
        table = Table(phase, where)
        assert table.refusal("end") is None
        table.do("end")
        assert table.turn_phase != phase


@rule("leningrad", "8.0", "17.3")
def test_combat_is_forced_on_the_soviets_on_turn_one_only() -> None:
    where = {"1-inf": "1510", "10-rd": "1509"}
    assert Table("soviet-combat", where, turn=1).refused("end") == ("must-attack", "17.3")
    assert Table("german-combat", where, turn=1).refusal("end") is None
    assert Table("soviet-combat", where, turn=2).refusal("end") is None


@rule("leningrad", "8.0")
def test_an_attack_needs_an_attacker() -> None:
    table = Table("german-combat", {"1-inf": "1510", "10-rd": "1509"}).do("target 1509")
    assert table.refused("fight") == ("no-attackers", "9.1")
    assert table.do("join 1-inf").refusal("fight") is None


POSITIONS: dict[str, list[str]] = {
    "no target yet": [],
    "one target": ["target 1509"],
    "one attacker": ["target 1509", "join 1-inf"],
    "two targets": ["target 1509", "also 1609"],
    "two targets and an attacker": ["target 1509", "join 11-inf", "also 1609"],
    "after an attack": ["target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf"],
    "next target": ["target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf", "target 1609"],
}


@rule("leningrad", "8.0")
@pytest.mark.parametrize("position", POSITIONS)
def test_what_is_on_offer_is_exactly_what_is_not_refused(position: str) -> None:
    where = {"1-inf": "1510", "11-inf": "1510", "21-inf": "1409", "61-inf": "1709", "1-pz": "1512"}
    where |= {"10-rd": "1509", "90-rd": "1609", "125-rd": "1809", "48-rd": "1401"}
    strengths = {"10-rd": "inf-2-2", "90-rd": "inf-2-2"}
    table = Table("german-combat", where, strengths=strengths, sides={"1609/1709": "lake"})
    table.do(*POSITIONS[position])
    decision = table.game.decision(table.state)
    assert decision is not None
    asked: list[str] = []
    for verb, (kinds, _) in decision.verbs.items():
        if kinds == ():
            asked.append(verb)
        elif kinds == ("hex",):
            asked += [f"{verb} {table.game.board.number(cell)}" for cell in table.game.board.cells]
        else:
            asked += [f"{verb} {unit.id}" for unit in table.game.units]
    assert {text for text in asked if table.refusal(text) is None} == table.options


# 8.1


@rule("leningrad", "8.1")
def test_a_unit_attacks_only_an_enemy_whose_zone_it_is_in() -> None:
    where = {"1-inf": "1510", "11-inf": "1511", "10-rd": "1509"}
    table = Table("german-combat", where).do("target 1509")
    assert table.offered("join") == {"1-inf"}
    assert table.refused("join 11-inf") == ("not-next-to-target", "8.1")
    far = Table("german-combat", {"11-inf": "1511", "10-rd": "1509"})
    assert far.refused("target 1509") == ("nobody-can-attack", "8.1")
    assert far.offered("target") == set()


@rule("leningrad", "8.1", "4.9")
@pytest.mark.parametrize("water", ["sea", "lake"])
def test_nobody_attacks_across_a_side_that_is_all_water(water: str) -> None:
    where = {"1-inf": "1510", "11-inf": "1609", "10-rd": "1509"}
    sides = {"1509/1510": water}
    table = Table("german-combat", where, sides=sides).do("target 1509")
    assert table.refused("join 1-inf") == ("not-next-to-target", "8.1")
    assert table.offered("join") == {"11-inf"}
    alone = Table("german-combat", {"1-inf": "1510", "10-rd": "1509"}, sides=sides)
    assert alone.refused("target 1509") == ("nobody-can-attack", "8.1")


@rule("leningrad", "8.1")
def test_a_river_does_not_prevent_an_attack() -> None:
    table = Table("german-combat", {"1-inf": "1510", "10-rd": "1509"}, sides={"1509/1510": "river"})
    assert table.offered("target") == {"1509"}


# 8.2


@rule("leningrad", "8.2")
def test_no_unit_attacks_twice_in_a_phase() -> None:
    where = {"1-inf": "1510", "10-rd": "1509", "90-rd": "1609", "11-inf": "1709"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2", "90-rd": "inf-2-2"})
    table.do("target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf")  # 2-1: -/1
    table.do("target 1609")
    assert table.refused("join 1-inf") == ("fought-already", "8.2")
    assert table.offered("join") == {"11-inf"}


@rule("leningrad", "8.2")
def test_a_hex_next_to_units_that_have_all_fought_is_no_target() -> None:
    where = {"1-inf": "1510", "10-rd": "1509", "90-rd": "1609"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2", "90-rd": "inf-2-2"})
    table.do("target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf")
    assert table.refused("target 1609") == ("nobody-can-attack", "8.1")
    assert table.options == {"end"}


@rule("leningrad", "8.2")
def test_no_unit_is_attacked_twice_in_a_phase() -> None:
    where = {"1-inf": "1510", "11-inf": "1610", "10-rd": "1509", "21-inf": "1609"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2"})
    table.do("target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf")
    assert table.refused("target 1509") == ("attacked-already", "8.2")
    assert table.offered("target") == set()
    strengths = {"10-rd": "inf-2-2", "90-rd": "inf-2-2"}
    two = Table("german-combat", {**where, "90-rd": "1608"}, strengths=strengths)
    two.do("target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf", "target 1608")
    assert two.refused("also 1509") == ("attacked-already", "8.2")


@rule("leningrad", "8.2", "8.5")
def test_this_holds_for_every_attacker_and_for_every_hex_attacked() -> None:
    where = {"1-inf": "1510", "11-inf": "1510", "21-inf": "1510"}
    where |= {"10-rd": "1509", "90-rd": "1609", "125-rd": "1409"}
    strengths = {"10-rd": "inf-2-2", "90-rd": "inf-2-2", "125-rd": "inf-2-2"}
    table = Table("german-combat", where, strengths=strengths)
    table.do("target 1509", "also 1609", "join 1-inf", "join 11-inf", "fight")
    table.do("roll 1", "lose 1-inf")  # 2-1: -/1
    assert table.offered("target") == {"1409"}
    for hex_ in ("1509", "1609"):
        assert table.refused(f"target {hex_}") == ("attacked-already", "8.2")
    assert table.do("target 1409").offered("join") == {"21-inf"}


@rule("leningrad", "8.2")
def test_the_count_begins_anew_in_every_combat_phase() -> None:
    table = Table("german-combat", {"1-inf": "1510", "10-rd": "1509"}, strengths={"10-rd": "inf-2-2"})
    table.do("target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf", "end")
    while table.turn_phase != "soviet-combat":
        table.do("end")
    assert table.offered("target") == {"1510"}
    table.do("end")
    while table.turn_phase != "german-combat":
        table.do("end")
    assert table.offered("target") == {"1509"}
    assert table.do("target 1509").offered("join") == {"1-inf"}


def after_a_retreat(fresh: str) -> Table:
    """10-rd has been attacked from 1610 and has fallen back from 1510; with 1409 held by 8-pz its only
    safe hex was 1410, where 90-rd stands."""
    where = {"1-pz": "1610", "8-pz": "1409", "10-rd": "1510", "90-rd": "1410"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-1-1", "90-rd": fresh})
    table.do("target 1510", "join 1-pz", "fight", "roll 1", "retreat")  # 7-1: 1/-
    return table.do("fall-back 10-rd 1410", "hold")


@rule("leningrad", "8.2")
def test_a_unit_that_was_attacked_and_retreated_is_no_target_in_its_new_hex() -> None:
    """Ruling: a hex with nobody but units attacked before cannot be attacked."""
    where = {"1-pz": "1610", "8-pz": "1409", "3-mot": "1409", "10-rd": "1510", "90-rd": "1410"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-1-1", "90-rd": "inf-4-5"})
    table.do("target 1410", "join 8-pz", "fight", "roll 1", "lose 8-pz")  # 2-1: -/1
    table.do("target 1510", "join 1-pz", "fight", "roll 1", "retreat", "fall-back 10-rd 1410", "hold")
    assert table.refused("target 1410") == ("attacked-already", "8.2")
    assert table.offered("target") == set()


@rule("leningrad", "8.2", "8.4")
def test_a_hex_with_one_fresh_defender_may_be_attacked() -> None:
    table = after_a_retreat("inf-1-1")
    assert table.offered("target") == {"1410"}
    table.do("target 1410", "join 8-pz", "fight")
    assert names(table, table.battle().defenders) == {"90-rd"}


# 8.3


@rule("leningrad", "8.3")
def test_all_units_in_the_zone_of_the_target_may_join_from_one_hex_or_several() -> None:
    where = {"1-inf": "1510", "11-inf": "1510", "21-inf": "1609", "61-inf": "1408"}
    table = Table("german-combat", {**where, "10-rd": "1509"}, strengths={"10-rd": "inf-2-2"})
    table.do("target 1509")
    left = set(where)
    for unit in where:
        assert table.offered("join") == left
        table.do(f"join {unit}")
        left.remove(unit)
    table.do("fight")
    assert table.odds().attack == 16


@rule("leningrad", "8.3")
def test_units_of_a_stack_may_attack_different_targets_or_stay_out() -> None:
    where = {"1-inf": "1510", "11-inf": "1510", "21-inf": "1510", "10-rd": "1509", "90-rd": "1609"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2", "90-rd": "inf-2-2"})
    table.do("target 1509", "join 1-inf", "fight", "roll 1", "lose 1-inf")
    table.do("target 1609", "join 11-inf", "fight")
    assert table.odds().attack == 4
    assert table.do("roll 1", "lose 11-inf", "end").turn_phase != "german-combat"


@rule("leningrad", "8.3", "9.1")
def test_losses_fall_on_the_units_that_joined() -> None:
    where = {"1-inf": "1510", "11-inf": "1510", "10-rd": "1509"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2"})
    table.do("target 1509", "join 1-inf", "fight", "roll 1")
    assert table.refused("lose 11-inf") == ("not-affected", "10.1")


# 8.4


@rule("leningrad", "8.4")
def test_the_units_of_a_hex_defend_together() -> None:
    three = {"10-rd": "1509", "90-rd": "1509", "125-rd": "1509"}
    strengths = {"10-rd": "inf-2-3", "90-rd": "inf-1-2", "125-rd": "inf-4-5"}
    table = Table("german-combat", {"1-inf": "1510", **three}, strengths=strengths)
    table.do("target 1509", "join 1-inf", "fight")
    assert table.odds().defence == 3 + 2 + 5
    assert names(table, table.battle().defenders) == set(three)


@rule("leningrad", "8.4")
def test_germans_of_a_hex_defend_together() -> None:
    table = Table(
        "soviet-combat",
        {"1-inf": "1510", "11-inf": "1510", "1-pz": "1510", "10-rd": "1509"},
        strengths={"10-rd": "inf-2-3"},
        reduced=["11-inf"],
    )
    table.do("target 1510", "join 10-rd", "fight")
    assert table.odds().defence == 4 + 2 + 6


@rule("leningrad", "8.4")
def test_units_that_retreated_into_an_attacked_hex_add_nothing() -> None:
    table = after_a_retreat("inf-4-5").do("target 1410", "join 8-pz", "fight")
    assert table.odds().defence == 5
    assert names(table, table.battle().bystanders) == {"10-rd"}


@rule("leningrad", "8.4", "12.2")
def test_units_that_retreated_there_bring_no_shift_either() -> None:
    where = {"1-pz": "1610", "8-pz": "1409", "28-td": "1510", "90-rd": "1410"}
    table = Table("german-combat", where, strengths={"28-td": "arm-2-1", "90-rd": "inf-1-1"})
    table.do("target 1510", "join 1-pz", "fight")
    assert table.shifts()["defender-armour"] == -1
    table.do("roll 2", "retreat", "fall-back 28-td 1410", "hold")  # 6-1: 1/-
    table.do("target 1410", "join 8-pz", "fight")
    assert "defender-armour" not in table.shifts()


@rule("leningrad", "8.4")
@pytest.mark.parametrize(
    ("die", "suffering"),
    [
        (6, []),  # E/-
        (1, ["lose 90-rd"]),  # 1/-
        (1, ["retreat", "fall-back 90-rd 1411"]),
    ],
)
def test_they_are_destroyed_when_the_defenders_lose_or_retreat(die: int, suffering: list[str]) -> None:
    table = after_a_retreat("inf-1-1").do("target 1410", "join 8-pz", "fight", f"roll {die}")
    table.do(*suffering)
    assert table.where("10-rd") == "dead"
    assert [e["unit"] for e in table.events("swept-away")] == [table.game.unit_index("10-rd")]
    assert table.refusal("advance 8-pz 1410") is None


@rule("leningrad", "8.4")
def test_they_are_untouched_when_only_the_attacker_suffers() -> None:
    table = after_a_retreat("inf-4-5").do("target 1410", "join 8-pz", "fight")
    table.do("roll 1", "lose 8-pz")  # 1-1, right 1: 2-1, -/1
    assert (table.where("10-rd"), table.where("90-rd")) == ("1410", "1410")


@rule("leningrad", "8.4")
def test_a_hex_is_not_attacked_in_part() -> None:
    two = {"10-rd": "1509", "90-rd": "1509"}
    table = Table(
        "german-combat", {"1-inf": "1510", "11-inf": "1510", **two}, strengths=dict.fromkeys(two, "inf-2-2")
    )
    table.do("target 1509", "join 1-inf", "fight", "roll 2", "lose 1-inf")  # 1-1: -/1
    assert table.refused("target 1509") == ("attacked-already", "8.2")


# 8.5


@rule("leningrad", "8.5")
def test_one_attack_may_strike_several_hexes() -> None:
    where = {"1-inf": "1510", "10-rd": "1509", "90-rd": "1609"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2", "90-rd": "inf-2-3"})
    table.do("target 1509", "join 1-inf", "also 1609", "fight")
    assert table.odds().defence == 2 + 3
    assert names(table, table.battle().defenders) == {"10-rd", "90-rd"}
    table.do("roll 2", "lose 1-inf")  # 1-2: -/2
    table.do("retreat", "fall-back 1-inf 1511")
    assert table.do("hold").offered("target") == set()


@rule("leningrad", "8.5")
def test_an_attack_may_strike_three_hexes() -> None:
    where = {"1-pz": "1510", "10-rd": "1509", "90-rd": "1609", "125-rd": "1409"}
    table = Table("german-combat", where).do("target 1509", "also 1609", "also 1409", "join 1-pz")
    assert table.refusal("fight") is None


@rule("leningrad", "8.5")
def test_every_attacker_must_be_adjacent_to_every_attacked_hex() -> None:
    # 1-inf is next to both; 11-inf to 1509 alone.
    where = {"1-inf": "1510", "11-inf": "1408", "10-rd": "1509", "90-rd": "1609"}
    joined = Table("german-combat", where).do("target 1509", "join 11-inf")
    assert joined.refused("also 1609") == ("not-next-to-target", "8.5")
    assert joined.offered("also") == set()
    widened = Table("german-combat", where).do("target 1509", "also 1609")
    assert widened.refused("join 11-inf") == ("not-next-to-target", "8.5")
    assert widened.offered("join") == {"1-inf"}


@rule("leningrad", "8.5")
def test_hexes_that_no_single_unit_reaches_are_not_attacked_together() -> None:
    where = {"11-inf": "1408", "21-inf": "1709", "10-rd": "1509", "90-rd": "1609"}
    table = Table("german-combat", where).do("target 1509")
    assert table.refused("also 1609") == ("nobody-can-attack", "8.5")


@rule("leningrad", "8.5")
def test_the_further_hex_must_hold_an_enemy_and_be_named_once() -> None:
    table = Table("german-combat", {"1-inf": "1510", "10-rd": "1509"}).do("target 1509", "join 1-inf")
    assert table.refused("also 1609") == ("nobody-to-attack", "8.5")
    assert table.refused("also 1509") == ("target-already", "8.5")


@rule("leningrad", "8.5", "4.9")
def test_water_bars_one_of_the_hexes() -> None:
    where = {"1-inf": "1510", "10-rd": "1509", "90-rd": "1609"}
    table = Table("german-combat", where, sides={"1510/1609": "lake"}).do("target 1509", "join 1-inf")
    assert table.refused("also 1609") == ("not-next-to-target", "8.5")


# 8.6


@rule("leningrad", "8.6")
def test_a_unit_joins_an_attack_once_with_its_whole_strength() -> None:
    where = {"1-pz": "1510", "10-rd": "1509", "90-rd": "1609"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2", "90-rd": "inf-2-3"})
    table.do("target 1509", "join 1-pz")
    assert table.refused("join 1-pz") == ("joined-already", "8.6")
    table.do("also 1609", "fight")
    assert table.odds().attack == 6
    assert table.battle().attackers == (table.game.unit_index("1-pz"),)


@rule("leningrad", "8.6", "8.2")
def test_a_unit_is_not_split_between_two_attacks() -> None:
    where = {"1-pz": "1510", "10-rd": "1509", "90-rd": "1609"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-0-1", "90-rd": "inf-0-1"})
    table.do("target 1509", "join 1-pz", "fight")
    assert table.odds().attack == 6
    table.do("roll 6", "hold")
    assert table.refused("target 1609") == ("nobody-can-attack", "8.1")


@rule("leningrad", "8.6")
def test_a_reduced_unit_fights_with_all_that_is_left_of_it() -> None:
    where = {"1-pz": "1510", "10-rd": "1509"}
    table = Table("german-combat", where, strengths={"10-rd": "inf-2-2"}, reduced=["1-pz"])
    table.do("target 1509", "join 1-pz", "fight")
    assert table.odds().attack == 3


@rule("leningrad", "8.0")
def test_a_unit_that_is_not_on_the_map_does_not_join() -> None:
    units = {"1-inf": "1512", "10-rd": "1511"}
    table = Table("german-combat", units, turn=9, to_come=["12-pz"]).do("target 1511")
    assert table.refused("join 12-pz") == ("not-yours", "8.0")  # to come
    assert table.refused("join 6-pz") == ("not-yours", "8.0")  # eliminated
