"""17.0 Surprise: the Soviets on turn 1, perhaps the Germans on turn 7."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.leningrad.battles import announce, attack, give, pass_until, road, water_round
from tests.games.leningrad.table import Table
from tests.rules import rule

SIX = ("245-rd", "254-rd", "257-rd", "259-rd", "262-rd", "202-rd")
STRENGTHS = dict.fromkeys(("10-rd", "90-rd"), "inf-1-2")


def marching(units: dict[str, str], turn: int = 1, **more: Any) -> Table:
    return Table("soviet-movement", units, turn=turn, **more)


def fighting(units: dict[str, str], turn: int = 1, **more: Any) -> Table:
    return Table("soviet-combat", units, turn=turn, strengths=STRENGTHS, **more)


def set_down(table: Table) -> Table:
    """A unit that can go no farther is set down by itself; another is told to halt."""
    return table.do("halt") if table.asked == "move-stack" else table


# 17.0 and 17.1


@rule("leningrad", "17.0", "17.1")
def test_soviets_do_not_disengage_on_turn_1() -> None:
    units = {"10-rd": "1511", "90-rd": "1511", "1-inf": "1512"}
    assert marching(units).do("pick 10-rd").refused("step 1510") == ("surprised-disengagement", "17.1")
    assert marching(units, turn=2).do("pick 10-rd").refusal("step 1510") is None


@rule("leningrad", "17.0", "17.1")
def test_soviets_do_not_overrun_on_turn_1() -> None:
    units = {"10-rd": "1511", "1-inf": "1512"}
    table = marching(units).do("pick 10-rd")
    assert table.refused("overrun 1512") == ("surprised-overrun", "17.1")
    assert table.offered("overrun") == set()
    assert marching(units, turn=2).do("pick 10-rd").refusal("overrun 1512") is None


@rule("leningrad", "17.1")
def test_germans_disengage_and_overrun_on_turn_1() -> None:
    units = {"1-pz": "1512", "6-pz": "1512", "10-rd": "1511"}
    table = Table("german-movement", units, turn=1).do("pick 1-pz")
    assert table.refusal("overrun 1511") is None
    assert table.refusal("step 1513") is None


@rule("leningrad", "17.0", "17.1", "16.5")
def test_soviets_do_not_hold_reinforcements_back_on_turn_1() -> None:
    table = Table("soviet-movement", {}, turn=1, to_come=["112-rd"])
    assert table.refused("end") == ("cannot-delay", "16.5")


@rule("leningrad", "17.0")
def test_after_turn_1_soviets_march_and_attack_as_they_like() -> None:
    assert marching({"10-rd": "1512", "1-inf": "1508"}, turn=2).refusal("end") is None
    assert fighting({"10-rd": "1511", "1-inf": "1512"}, turn=2).refusal("end") is None


# 17.2


@rule("leningrad", "17.2")
def test_a_soviet_unit_ends_turn_1_next_to_a_german() -> None:
    table = marching({"10-rd": "1512", "1-inf": "1508"})
    assert table.refused("end") == ("owes-movement", "17.2")
    table.do("pick 10-rd")
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("step 1511", "step 1510")
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("step 1509")
    assert set_down(table).refusal("end") is None


@rule("leningrad", "17.2")
def test_it_may_take_any_path_that_still_brings_it_there() -> None:
    # Three points away with five to spend: one hex aside is affordable, a hex back is not.
    table = marching({"10-rd": "1512", "1-inf": "1508"}).do("pick 10-rd")
    assert table.refusal("step 1611") is None
    assert table.refusal("step 1411") is None
    table.do("step 1513")
    assert table.refused("step 1613") == ("must-reach-contact", "17.2")
    table.do("step 1512", "step 1511", "step 1510")
    assert table.where("10-rd") == "1510"


@rule("leningrad", "17.2")
def test_a_step_that_would_put_contact_out_of_reach_is_refused() -> None:
    table = marching({"10-rd": "1513", "1-inf": "1507"}).do("pick 10-rd")  # five points exactly
    assert table.refused("step 1413") == ("must-reach-contact", "17.2")
    assert table.offered("step") == {"1512"}


@rule("leningrad", "17.2")
def test_any_german_will_do() -> None:
    table = marching({"10-rd": "1508", "1-inf": "1505", "11-inf": "1512"}).do("pick 10-rd")
    table.do("step 1509", "step 1510", "step 1511")  # away from the nearer German, to the other
    assert set_down(table).refusal("end") is None


@rule("leningrad", "17.2")
def test_a_unit_that_cannot_reach_a_german_marches_towards_the_nearest_as_far_as_it_can() -> None:
    table = marching({"10-rd": "1512", "1-inf": "1502"})
    assert table.refused("end") == ("owes-movement", "17.2")
    table.do("pick 10-rd")
    assert table.refused("step 1513") == ("must-approach", "17.2")
    assert table.refused("step 1612") == ("must-approach", "17.2")
    table.do("step 1511", "step 1510", "step 1509", "step 1508")
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("step 1507")
    assert table.left("10-rd") == 0
    assert table.refusal("end") is None


@rule("leningrad", "17.2")
def test_ruling_the_nearest_german_is_the_nearest_in_points_and_not_in_hexes() -> None:
    # Contact is four hexes away in the north, three of them marsh, and six clear ones in the south.
    swamp = {f"{column:02d}{row:02d}": "marsh" for column in range(1, 30) for row in (2, 3, 4)}
    units = {"10-rd": "1506", "1-inf": "1501", "11-inf": "1513"}
    table = marching(units, terrain=swamp).do("pick 10-rd")
    assert table.refused("step 1505") == ("must-approach", "17.2")
    assert table.refusal("step 1507") is None


@rule("leningrad", "17.2")
def test_points_that_buy_no_further_hex_are_not_owed() -> None:
    swamp = {f"{column:02d}08": "marsh" for column in range(1, 30)}
    table = marching({"10-rd": "1512", "1-inf": "1502"}, terrain=swamp).do("pick 10-rd")
    table.do("step 1511", "step 1510", "step 1509", "step 1508")
    assert table.left("10-rd") == 0
    stop = {f"{column:02d}07": "marsh" for column in range(1, 30)}
    table = marching({"10-rd": "1512", "1-inf": "1502"}, terrain=stop).do("pick 10-rd")
    table.do("step 1511", "step 1510", "step 1509", "step 1508")
    assert table.left("10-rd") == 1  # 1507 costs 2
    table.do("halt")
    assert table.refusal("end") is None


LANES = ("1512", "1511", "1510", "1509", "1408"), ("1512", "1411", "1410", "1409", "1408", "1407", "1406")
"""Two ways from a Soviet unit in 1512 to a German one in 1406, with water on both sides."""


def at_the_fork(
    ground: dict[str, str],
    interdicted: tuple[str, ...] = (),
    sides: dict[str, str] | None = None,
    unit: str = "10-rd",
    others: dict[str, str] | None = None,
    before: tuple[str, ...] = (),
) -> Table:
    """A unit out of supply, with half its points, out of reach of the German's zone by both lanes."""
    shores = {side: "lake" for lane in LANES for hex_ in lane for side in water_round(hex_)}
    shores |= {**dict.fromkeys((*road(*LANES[0]), *road(*LANES[1])), ""), **(sides or {})}
    shores = {side: features for side, features in shores.items() if features}
    units = {unit: "1512", "1-inf": "1406", **(others or {})}
    table = marching(units, terrain=ground, sides=shores, supply_range=0, interdicted=interdicted)
    table.do(*before, f"pick {unit}")
    assert table.left(unit) == {"10-rd": 2, "2-td": 4}[unit]
    return table


@rule("leningrad", "17.2")
def test_ruling_of_two_ways_that_lead_nearer_the_one_that_wastes_points_is_refused() -> None:
    """One has its marsh second, so that a point is left over, the other third."""
    table = at_the_fork({"1510": "marsh", "1409": "marsh"})
    assert table.offered("step") == {"1411"}
    assert table.refused("step 1511") == ("must-spend-all", "17.2")
    table.do("step 1411", "step 1410")
    assert table.left("10-rd") == 0


@rule("leningrad", "17.2", "13.3")
def test_a_way_with_an_interdicted_hex_ahead_wastes_points() -> None:
    """1510 costs four points, and so does the marsh behind a river on the other lane, one hex later."""
    table = at_the_fork({"1409": "marsh"}, ("1510", "1510"), {"1409/1410": "river"})
    assert table.offered("step") == {"1411"}
    assert table.refused("step 1511") == ("must-spend-all", "17.2")


@rule("leningrad", "17.2", "4.3")
def test_a_first_hex_that_takes_whatever_there_is_wastes_nothing() -> None:
    """An interdicted marsh costs more than the unit has; on the other lane half a point is left."""
    table = at_the_fork({"1511": "marsh"}, ("1511", "1511"), {"1411/1512": "road"}, unit="2-td")
    assert table.offered("step") == {"1511"}
    assert table.refused("step 1411") == ("must-spend-all", "17.2")
    assert table.do("step 1511").left("2-td") == 0


@rule("leningrad", "17.2", "4.3")
def test_it_is_its_own_first_hex_that_counts() -> None:
    """Another unit has left its hex before."""
    table = at_the_fork(
        {"1511": "marsh"},
        ("1511", "1511"),
        {"1411/1512": "road"},
        unit="2-td",
        others={"5-td": "2512", "11-inf": "2510"},
        before=("pick 5-td", "step 2511", "halt"),
    )
    assert table.offered("step") == {"1511"}


@rule("leningrad", "17.2", "13.4")
def test_the_first_hex_out_of_an_interdicted_one_spends_twice_as_much() -> None:
    """The marsh of one lane takes all four points; by the road of the other three are left over."""
    table = at_the_fork(
        dict.fromkeys(("1411", "1410", "1510"), "marsh"),
        ("1512",),
        {"1511/1512": "road", "1410/1411": "river", "1510/1511": "river"},
        unit="2-td",
    )
    assert table.offered("step") == {"1411"}
    assert table.refused("step 1511") == ("must-spend-all", "17.2")


@rule("leningrad", "17.2", "4.3")
def test_on_its_way_a_hex_that_is_too_dear_spends_nothing() -> None:
    """The same fork, reached by a step from the south: only the other lane is open, though half a point is
    left over there."""
    table = at_the_fork(
        {"1511": "marsh"},
        ("1511", "1511"),
        {"1411/1512": "road", "1512/1513": ""},
        unit="2-td",
        others={"2-td": "1513"},
    )
    table.do("step 1512")
    assert table.refused("step 1511") == ("too-dear", "4.1")
    assert table.offered("step") == {"1411"}


@rule("leningrad", "17.2", "4.6")
def test_a_full_hex_ahead_spends_no_points() -> None:
    """Both lanes lead into the same marsh, and the hex beside it on the first lane has no room."""
    full = dict.fromkeys(("90-rd", "125-rd", "48-rd"), "1510")
    table = at_the_fork({"1410": "marsh"}, sides={"1410/1511": ""}, others=full)
    assert table.offered("step") == {"1411", "1511"}


@rule("leningrad", "17.2", "4.3")
def test_contact_next_door_is_within_reach_of_a_first_hex_only() -> None:
    """With one point left a marsh next to the German is out of reach; the hex beside it leads nearer."""
    ground = {"1607": "marsh", "1508": "marsh"}
    table = marching({"10-rd": "1712", "1-inf": "1507"}, terrain=ground).do("pick 10-rd")
    table.do("step 1711", "step 1710", "step 1709", "step 1708")
    assert table.left("10-rd") == 1
    assert table.refused("step 1607") == ("too-dear", "4.1")
    assert table.offered("step") == {"1707"}


@rule("leningrad", "17.2")
def test_a_unit_next_to_a_german_from_the_start_owes_nothing() -> None:
    assert marching({"10-rd": "1511", "1-inf": "1512"}).refusal("end") is None


@rule("leningrad", "17.2")
def test_without_a_german_to_go_to_nobody_owes_a_march() -> None:
    assert marching({"10-rd": "1511"}).refusal("end") is None
    island = water_round("1511")
    assert marching({"10-rd": "1511", "1-inf": "0512"}, sides=island).refusal("end") is None


@rule("leningrad", "17.2")
@pytest.mark.parametrize("garrison", ["0205", "2204"])
def test_the_garrisons_of_0205_and_2204_do_not_move_on_turn_1(garrison: str) -> None:
    units = {"67-rd": garrison, "1-inf": "1512"}
    table = marching(units)
    assert table.refused("pick 67-rd") == ("frozen", "17.2")
    assert table.offered("pick") == set()
    assert table.refusal("end") is None
    assert marching(units, turn=2).refusal("pick 67-rd") is None


@rule("leningrad", "17.2")
def test_reinforcements_march_to_the_germans_too() -> None:
    table = Table("soviet-movement", {"1-inf": "1110"}, turn=1, to_come=["112-rd"])
    table.do("enter 112-rd 1113")
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("step 1112", "step 1111")
    assert set_down(table).refusal("end") is None


@rule("leningrad", "17.2")
def test_a_unit_set_down_on_the_way_still_owes_its_march() -> None:
    table = marching({"10-rd": "1512", "90-rd": "1512", "1-inf": "1508"})
    table.do("pick 10-rd", "add 90-rd", "step 1511", "drop 90-rd", "step 1510", "step 1509", "halt")
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("take 90-rd", "step 1510", "step 1509")
    assert set_down(table).refusal("end") is None


@rule("leningrad", "17.2", "4.3")
def test_contact_that_the_minimum_move_gives_is_not_declined() -> None:
    # Out of supply 10-rd has two points. 1511, next to the German, costs four over river and marsh, but
    # one hex is always possible; going round by 1412 would leave it short of contact.
    table = marching(
        {"10-rd": "1512", "1-inf": "1510"},
        terrain={"1511": "marsh", "1411": "hill", "1611": "hill"},
        sides={"1511/1512": "river", "1411/1512": "river", "1512/1611": "river"},
        supply_range=1,
    )
    table.do("pick 10-rd")
    assert "1412" not in table.offered("step")
    assert "1612" not in table.offered("step")
    assert table.refused("halt") == ("must-go-on", "17.2")
    table.do("step 1511")
    assert table.refusal("end") is None


@rule("leningrad", "17.2")
def test_a_full_hex_is_no_way_to_contact() -> None:
    # The only way out of 1512 leads to 1511, where two or three units stand next to a German.
    gate = water_round("1512", but="1511")
    units = {"10-rd": "1512", "1-inf": "1510", "90-rd": "1511", "125-rd": "1511"}
    assert marching(units, sides=gate).refused("end") == ("owes-movement", "17.2")
    assert marching({**units, "48-rd": "1511"}, sides=gate).refusal("end") is None


@rule("leningrad", "17.2")
def test_a_unit_goes_round_a_full_hex() -> None:
    # Two points, out of supply. 1511 is full, so contact is three points away by 1411 or 1611.
    full = {"90-rd": "1511", "125-rd": "1511", "48-rd": "1511"}
    table = marching({"10-rd": "1513", "1-inf": "1510", **full}, supply_range=1).do("pick 10-rd", "step 1512")
    assert table.offered("step") == {"1411", "1611"}


@rule("leningrad", "17.2")
def test_ruling_the_way_is_counted_in_the_points_of_the_unit_itself() -> None:
    # By road the German in the west is four points away for armour, but eight for infantry.
    way = road(*(f"{column:02d}10" for column in range(6, 15)))
    table = marching({"10-rd": "1410", "1-inf": "0510", "11-inf": "2110"}, sides=way).do("pick 10-rd")
    assert table.refused("step 1310") == ("must-approach", "17.2")
    assert table.refusal("step 1510") is None


@rule("leningrad", "17.2", "13.4")
def test_a_unit_that_interdiction_keeps_from_contact_still_marches_towards_it() -> None:
    # 1508 is next to the German: five points from 1513, six if the first hex is doubled.
    units = {"10-rd": "1513", "1-inf": "1507"}
    table = marching(units, interdicted=["1513"])
    assert table.refused("end") == ("owes-movement", "17.2")
    table.do("pick 10-rd", "step 1512", "step 1511", "step 1510", "step 1509")
    assert (table.where("10-rd"), table.left("10-rd")) == ("1509", 0)
    assert table.refusal("end") is None


@rule("leningrad", "17.2", "13.4")
def test_a_unit_that_reaches_contact_out_of_an_interdicted_hex_has_to() -> None:
    # 1509 is next to the German: four points from 1513, five because the first hex is doubled.
    units = {"10-rd": "1513", "1-inf": "1508"}
    table = marching(units, interdicted=["1513"]).do("pick 10-rd")
    assert table.offered("step") == {"1512"}
    assert table.refused("step 1412") == ("must-reach-contact", "17.2")
    full = {**units, **dict.fromkeys(("90-rd", "125-rd", "48-rd"), "1512")}
    table = marching(full, interdicted=["1513"]).do("pick 10-rd")  # round the full hex it takes six
    assert {"1412", "1612"} <= table.offered("step")
    # from 1413 no way leads on, since nobody else gets into 1513
    crowd = {**units, "90-rd": "1513", "125-rd": "1513"}
    table = marching(crowd, interdicted=["1513"], sides=water_round("1413", but="1513")).do("pick 10-rd")
    assert table.offered("step") == {"1512"}


@rule("leningrad", "17.2", "13.4")
def test_aircraft_over_the_first_two_hexes_double_the_first_step_twice() -> None:
    # 1512 costs four points; round it contact is six away, one more than there are.
    table = marching({"10-rd": "1513", "1-inf": "1508"}, interdicted=["1513", "1512"]).do("pick 10-rd")
    assert table.offered("step") == {"1412", "1413", "1512", "1612", "1613"}
    # Two aircraft over one hex: the step doubled three times takes all eight points, one short of contact.
    sides = water_round("1513", but="1512")
    table = marching({"2-td": "1513", "1-inf": "1510"}, interdicted=["1513", "1513", "1512"], sides=sides)
    assert table.do("pick 2-td").offered("step") == {"1512"}


@rule("leningrad", "17.2")
def test_only_the_surprised_are_told_of_surprise() -> None:
    units = {"10-rd": "1513", "1-inf": "1507"}
    surprised = marching(units)
    assert "(17.2)" in surprised.game.prompt(surprised.state, "en")
    for calm in (marching(units, turn=2), Table("german-movement", units, turn=1)):
        assert "urprise" not in calm.game.prompt(calm.state, "en")
    done = marching({"10-rd": "1508", "1-inf": "1507"})  # next to the German already
    assert "(17.2)" not in done.game.prompt(done.state, "en")
    assert "urprise" in done.game.prompt(done.state, "en")


# 17.3


@rule("leningrad", "17.3")
def test_every_soviet_unit_next_to_a_german_attacks_on_turn_1() -> None:
    table = fighting({"10-rd": "1511", "1-inf": "1512"})
    assert table.refused("end") == ("must-attack", "17.3")
    assert "end" not in table.options
    attack(table, "1512", "10-rd", "-/E").do("hold")
    assert table.refusal("end") is None


@rule("leningrad", "17.3")
def test_only_the_surprised_are_told_to_attack() -> None:
    near, far = {"10-rd": "1511", "1-inf": "1512"}, {"10-rd": "1505", "1-inf": "1512"}
    bound, free = fighting(near), fighting(far)
    assert "(17.3)" in bound.game.prompt(bound.state, "en")
    assert "urprise" in free.game.prompt(free.state, "en")
    for calm in (Table("german-combat", near, turn=1), Table("soviet-combat", near, turn=2)):
        assert "urprise" not in calm.game.prompt(calm.state, "en")


@rule("leningrad", "17.3")
def test_not_every_german_need_be_attacked() -> None:
    table = fighting({"10-rd": "1511", "1-inf": "1512", "11-inf": "1411"})
    attack(table, "1512", "10-rd", "1/2").do("lose 1-inf", "lose 10-rd")
    assert table.refusal("end") is None


@rule("leningrad", "17.3")
def test_all_units_of_an_attacked_hex_are_attacked() -> None:
    table = fighting({"10-rd": "1511", "1-inf": "1512", "11-inf": "1512", "21-inf": "1512"})
    announce(table, "1512", "10-rd")
    assert table.odds().defence == 12


@rule("leningrad", "17.3")
def test_germans_attack_as_they_like_on_turn_1() -> None:
    assert Table("german-combat", {"10-rd": "1511", "1-inf": "1512"}, turn=1).refusal("end") is None


@rule("leningrad", "17.3")
def test_soviets_far_from_germans_need_not_attack() -> None:
    assert fighting({"10-rd": "1511", "1-inf": "1502"}).refusal("end") is None


@rule("leningrad", "17.3")
def test_soviets_across_a_lake_from_germans_need_not_attack() -> None:
    units = {"10-rd": "1511", "1-inf": "1512"}
    assert fighting(units, sides={"1511/1512": "lake"}).refusal("end") is None


@rule("leningrad", "17.3")
@pytest.mark.parametrize(("garrison", "german"), [("0205", "0206"), ("2204", "2205")])
def test_ruling_the_garrisons_that_do_not_move_attack_all_the_same(garrison: str, german: str) -> None:
    table = Table("soviet-combat", {"67-rd": garrison, "1-inf": german}, turn=1)
    assert table.refused("end") == ("must-attack", "17.3")


@rule("leningrad", "17.3")
def test_ruling_an_attack_that_leaves_another_unit_without_a_target_is_refused() -> None:
    table = fighting({"10-rd": "1511", "90-rd": "1511", "1-inf": "1512"})
    table.do("target 1512", "join 10-rd")
    assert table.refused("fight") == ("must-attack", "17.3")
    assert "fight" not in table.options
    table.do("join 90-rd")
    assert table.refusal("fight") is None


@rule("leningrad", "17.3")
def test_ruling_a_unit_with_another_target_may_be_left_out() -> None:
    units = {"10-rd": "1511", "90-rd": "1411", "1-inf": "1512", "11-inf": "1311"}
    table = fighting(units).do("target 1512", "join 10-rd")
    assert table.refusal("fight") is None
    give(table.do("fight"), "-/E").do("hold")
    assert table.refused("end") == ("must-attack", "17.3")


@rule("leningrad", "17.3")
def test_ruling_a_hex_is_not_added_to_an_attack_if_that_takes_the_only_target_of_another_unit() -> None:
    # 1411 and 1512 could be attacked together from 1511, but 1312 can attack 1411 alone.
    units = {"10-rd": "1511", "90-rd": "1312", "1-inf": "1512", "11-inf": "1411"}
    table = fighting(units).do("target 1512", "join 10-rd")
    assert table.refused("also 1411") == ("must-attack", "17.3")
    assert "1411" not in table.offered("also")
    assert fighting(units, turn=2).do("target 1512", "join 10-rd").refusal("also 1411") is None


@rule("leningrad", "17.3")
def test_a_unit_whose_only_target_has_been_attacked_in_spite_of_all_is_free() -> None:
    # 1-inf beats 10-rd and advances next to 90-rd: attacked already, it is no target again (8.2).
    table = fighting({"10-rd": "1511", "1-inf": "1512", "90-rd": "1510"})
    attack(table, "1512", "10-rd", "-/E").do("advance 1-inf 1511")
    assert table.refusal("end") is None


# 17.4


def turn_7(units: dict[str, str] | None = None, turn: int = 7, **more: Any) -> Table:
    return Table("soviet-movement", units or {}, turn=turn, to_come=SIX, **more)


def bring_in(table: Table, *units: str, hex_: str = "2713") -> Table:
    """Each unit enters and clears the entry hex for the next."""
    for unit in units:
        table.do(f"enter {unit} {hex_}")
        if table.state.height(table.game.board.cell(hex_)) == 3:
            spot = next(c for c in sorted(table.offered("step")))
            table.do(f"step {spot}")
        set_down(table)
    return table


@rule("leningrad", "17.4", "17.0")
def test_if_all_six_enter_on_turn_7_every_soviet_attack_shifts_four_right() -> None:
    field = {"10-rd": "1511", "1-inf": "1512"}
    table = bring_in(turn_7(field, strengths={"10-rd": "inf-1-2"}), *SIX)
    assert table.events("surprise") == [{}]  # both players are told, once
    pass_until(table, 7, "soviet-combat")
    assert announce(table, "1512", "10-rd").shifts() == {"surprise": 4}
    assert table.odds().final == table.odds().initial + 4


@rule("leningrad", "17.4")
def test_who_enters_after_the_six_brings_no_second_surprise() -> None:
    table = bring_in(Table("soviet-movement", {}, turn=7, to_come=(*SIX, "115-rd")), *SIX)
    assert table.events("surprise") == [{}]
    table.do(f"enter {sorted(table.offered('enter'))[0]}")
    assert table.where("115-rd") != "to come"
    assert table.events("surprise") == [{}]


@rule("leningrad", "17.4")
@pytest.mark.parametrize("missing", SIX)
def test_if_one_of_the_six_is_held_back_the_shift_is_lost(missing: str) -> None:
    field = {"10-rd": "1511", "1-inf": "1512"}
    table = turn_7(field, strengths={"10-rd": "inf-1-2"})
    pass_until(bring_in(table, *(u for u in SIX if u != missing)), 7, "soviet-combat")
    assert announce(table, "1512", "10-rd").shifts() == {}


@rule("leningrad", "17.4")
def test_the_shift_holds_on_turn_7_alone() -> None:
    field = {"10-rd": "1511", "1-inf": "1512"}
    table = bring_in(turn_7(field, strengths={"10-rd": "inf-1-2"}), *SIX)
    pass_until(table, 8, "soviet-combat")
    assert announce(table, "1512", "10-rd").shifts() == {}


@rule("leningrad", "17.4")
def test_six_that_enter_on_turn_8_bring_no_shift() -> None:
    field = {"10-rd": "1511", "1-inf": "1512"}
    table = bring_in(turn_7(field, turn=8, strengths={"10-rd": "inf-1-2"}), *SIX, hex_="2908")
    pass_until(table, 8, "soviet-combat")
    assert announce(table, "1512", "10-rd").shifts() == {}


@rule("leningrad", "17.4")
def test_german_attacks_of_turn_7_are_not_shifted() -> None:
    table = Table("german-combat", {"10-rd": "1511", "1-inf": "1512"}, turn=7, strengths={"10-rd": "inf-1-2"})
    table.state.surprise = True
    assert announce(table, "1511", "1-inf").shifts() == {}


@rule("leningrad", "17.4")
def test_ruling_overruns_count_once_all_six_are_in_and_not_before() -> None:
    field = {"28-td": "1511", "1-inf": "1512"}
    table = turn_7(field, strengths={"28-td": "mech-4-3"})
    bring_in(table, *SIX[:5])
    table.do("pick 28-td", "overrun 1512")
    assert table.shifts() == {"overrun": -2}
    table = bring_in(turn_7(field, strengths={"28-td": "mech-4-3"}), *SIX)
    table.do("pick 28-td", "overrun 1512")
    assert table.shifts() == {"overrun": -2, "surprise": 4}


@rule("leningrad", "17.4")
def test_the_shift_holds_if_germans_force_the_six_to_enter_elsewhere() -> None:
    field = {"10-rd": "1511", "1-inf": "1512", "11-inf": "2713"}
    table = turn_7(field, strengths={"10-rd": "inf-1-2"})
    for unit in SIX:
        spots = sorted(o for o in table.offered("enter") if o.startswith(unit))
        assert f"{unit} 2713" not in spots
        table.do(f"enter {spots[0]}")
        set_down(table)
    pass_until(table, 7, "soviet-combat")
    announce(table, "1512", "10-rd")
    assert table.shifts()["surprise"] == 4


@rule("leningrad", "17.4", "16.3")
@pytest.mark.parametrize(
    ("turn", "entry"), [(7, "2713"), (8, "2908"), (9, "2906"), (10, "2906"), (12, "2906")]
)
def test_held_back_the_six_enter_by_2908_on_turn_8_and_by_2906_later(turn: int, entry: str) -> None:
    table = turn_7(turn=turn)
    assert {o for o in table.offered("enter") if o.startswith("245-rd")} == {f"245-rd {entry}"}


@rule("leningrad", "17.4")
def test_the_six_are_the_infantry_due_by_2713_on_turn_7() -> None:
    game = turn_7().game
    due = {u.id for u in game.units if u.turn == 7 and [game.board.number(c) for c in u.entries] == ["2713"]}
    assert due == set(SIX) == {game.unit_id(u) for u in game.surprise_force}
