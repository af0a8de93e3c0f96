"""7.8 Overruns."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.typhoon.rules.overrun import Overrun, modifier
from tests.games.typhoon.table import Table
from tests.rules import rule

PANZER, PANZER2, SR4, INF, GUNS = "g-6-pz-pzr-11", "g-7-pz-pzr-25", "g-6-pz-sr-4", "g-251-inf", "g-harko-2"
SKI, SKI2, RIFLE, RIFLE2, TANKS = "s-1-ski-bn", "s-2-ski-bn", "s-126-rd", "s-133-rd", "s-131-tk-bn"
ABN, GUN, TRUCK = "s-201-abn-bde", "s-392-gun-regt", "s-supply-truck-1"
FORCE = {PANZER: "1508", SR4: "1508", SKI: "1510"}


def charge(
    units: dict[str, str], *stack: str, die: int = 7, phase: str = "axis-movement", **more: Any
) -> Table:
    """The stack goes to 1509 and overruns 1510."""
    table = Table("axis-movement", units, **more)
    table.do(f"pick {stack[0]}", *(f"gather {unit}" for unit in stack[1:]), "step 1509", "overrun 1510")
    return table.do(f"charge {die}")


@rule("typhoon", "7.8", "7.8.3", "7.8.4")
def test_an_overrun_drives_the_enemy_off_and_the_stack_goes_on() -> None:
    table = Table("axis-movement", FORCE).do(f"pick {PANZER}", f"gather {SR4}", "step 1509")
    assert table.left == 8
    table.do("overrun 1510", "charge 7")
    assert table.asked == "fall-back" and table.actor == "axis", "the phasing player moves them"
    table.do("fall-back 1511", "fall-back 1512")
    assert table.where(SKI) == "1512" and table.where(PANZER) == table.where(SR4) == "1510"
    assert table.in_set(table.state.overrun) == {SKI}
    assert table.left == 6, "a point for the overrun and one for the hex"
    table.do("step 1511", "halt")


@rule("typhoon", "7.8.3")
def test_a_step_is_lost_or_the_overrun_fails() -> None:
    gone = charge(FORCE, PANZER, SR4, die=1)
    assert gone.where(SKI) == "eliminated", "a unit of one step (8.5.4)"
    failed = charge(FORCE, PANZER, SR4, die=10)
    assert failed.where(PANZER) == "1509" and failed.where(SKI) == "1510"
    failed.do("halt")
    assert failed.refused(f"pick {PANZER}")[0] == "moved-already"
    assert "1510" in failed.offered("target"), "it may still attack"


@rule("typhoon", "7.8.1", "7.8.2")
def test_who_may_overrun_and_at_which_odds() -> None:
    foot = Table("axis-movement", {INF: "1509", SKI: "1510"}).do(f"pick {INF}")
    assert foot.refused("overrun 1510") == ("overrun-motorised", "7.8.1")
    weak = Table("axis-movement", {PANZER: "1509", ABN: "1510"}).do(f"pick {PANZER}")
    assert weak.refused("overrun 1510") == ("overrun-odds", "7.8.2")
    hungry = Table("axis-movement", {PANZER: "1509", SKI: "1510"}, unsupplied=[PANZER]).do(f"pick {PANZER}")
    assert hungry.refused("overrun 1510") == ("overrun-unsupplied", "7.8.2")
    many = {PANZER: "1509", PANZER2: "1509", SR4: "1509", "g-7-pz-sr-6": "1509", "g-7-pz-sr-7": "1509"}
    crowd = Table("axis-movement", {**many, "g-6-pz-sr-114": "1509", SKI: "1510"})
    crowd.do(f"pick {PANZER}", *(f"gather {u}" for u in [*many, "g-6-pz-sr-114"] if u != PANZER))
    assert crowd.refused("overrun 1510") == ("overrun-stack", "7.8.1")
    apart = Table("axis-movement", {PANZER: "1509", SKI: "1510"})
    assert apart.do(f"pick {PANZER}").refusal("overrun 1510") is None


@rule("typhoon", "7.8.2")
@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"hexes": {"1510": "city"}}, "overrun-terrain"),
        ({"hexes": {"1510": "pond"}}, "overrun-terrain"),
        ({"forts": {"1510": "soviet"}}, "overrun-terrain"),
        ({"sides": {"1509/1510": "major_river bridge"}}, "overrun-terrain"),
        ({"weather": "rain"}, "overrun-weather"),
    ],
)
def test_where_and_when_nobody_overruns(more: dict[str, Any], code: str) -> None:
    table = Table("axis-movement", {PANZER: "1509", SKI: "1510"}, **more).do(f"pick {PANZER}")
    assert table.refused("overrun 1510") == (code, "7.8.2")


@rule("typhoon", "7.8.2")
def test_no_overrun_from_the_zones_of_enemies_elsewhere() -> None:
    one = Table("axis-movement", {PANZER: "1509", SKI: "1510", ABN: "1610"}).do(f"pick {PANZER}")
    assert one.refusal("overrun 1510") is None, "from one hex alone, and the battalion has no zone"
    far = Table("axis-movement", {PANZER: "1508", SKI: "1510", ABN: "1610"})
    far.do(f"pick {PANZER}", "step 1509")
    assert far.asked == "pick-unit", "whoever was stopped overruns only those whose zone stopped him (7.8.3g)"
    two = Table("axis-movement", {PANZER: "1509", PANZER2: "1509", SR4: "1509", ABN: "1510", RIFLE: "1610"})
    two.do(f"pick {PANZER}", f"gather {PANZER2}", f"gather {SR4}")
    assert two.refused("overrun 1510") == ("overrun-zones", "7.8.2")
    own = Table("axis-movement", {PANZER: "1509", PANZER2: "1509", SR4: "1509", ABN: "1510"})
    own.do(f"pick {PANZER}", f"gather {PANZER2}", f"gather {SR4}", "overrun 1510")


@rule("typhoon", "7.8.2", "10.2.2")
def test_guns_neither_overrun_nor_help_from_afar() -> None:
    table = Table("axis-movement", {PANZER: "1509", GUNS: "1509", SKI: "1510"})
    table.do(f"pick {PANZER}", f"gather {GUNS}")
    assert table.refused("overrun 1510")[1] in ("7.8.1", "7.8.2")
    alone = Table("axis-movement", {PANZER: "1509", GUN: "1510"}).do(f"pick {PANZER}")
    assert alone.refusal("overrun 1510") is None, "guns alone have a point of defence"


@rule("typhoon", "7.8.3")
def test_those_driven_off_go_through_no_zone() -> None:
    units = {**FORCE, INF: "1412", "g-102-inf": "1612", "g-256-inf": "1513"}
    table = charge(units, PANZER, SR4)
    assert table.where(SKI) == "eliminated"


@rule("typhoon", "7.8.3")
def test_a_depot_is_lost_and_mobile_supply_goes_along() -> None:
    units = {**FORCE, TRUCK: "1510", "s-supply-wagon-1": "1510"}
    table = charge(units, PANZER, SR4, steps={TRUCK: 2})
    assert table.where(TRUCK) == "supply pool"
    table.do("fall-back 1511", "fall-back 1512")
    assert table.where("s-supply-wagon-1") == "1512"


@rule("typhoon", "7.8.4")
def test_the_overrun_have_no_zone_and_are_easier_to_overrun() -> None:
    units = {PANZER: "1506", PANZER2: "1506", ABN: "1510"}
    before = Table("axis-movement", units)
    after = Table("axis-movement", units)
    after.state.mark_overrun(1 << after.unit(ABN))
    before.do(f"pick {PANZER}", "step 1507", "step 1508", "step 1509")
    assert before.asked == "pick-unit"
    after.do(f"pick {PANZER}", "step 1507", "step 1508", "step 1509")
    assert after.left == 7, "no zone stops it"
    for table, value in ((before, 0), (after, -1)):
        attack = Overrun((table.unit(PANZER2),), table.cell("1510"), (table.unit(ABN),))
        assert modifier(table.game, table.state, attack) == value


@rule("typhoon", "7.8.3")
def test_odds_and_ground_modify_the_die() -> None:
    def value(units: dict[str, str], stack: str, **more: Any) -> int:
        table = Table("axis-movement", units, **more)
        found = tuple(table.unit(u) for u in units if u.startswith("s-"))
        return modifier(
            table.game, table.state, Overrun(tuple(map(table.unit, stack.split())), table.cell("1510"), found)
        )

    one = {PANZER: "1509", PANZER2: "1509", SR4: "1509", SKI: "1510"}
    assert value(one, SR4, steps={SR4: 3}) == 0
    assert value(one, PANZER) == -1
    assert value(one, f"{PANZER} {SR4}") == -2
    assert value(one, PANZER, hexes={"1510": "woods"}) == 1
    assert value(one, PANZER, sides={"1509/1510": "river"}) == 1
    assert value({**one, SKI: "1210", TANKS: "1510"}, PANZER) == 0


@rule("typhoon", "7.8.5", "7.8.6")
def test_one_hex_at_a_time_and_again_if_points_are_left() -> None:
    table = charge(FORCE, PANZER, SR4)
    assert table.refused("fall-back 1509")[0] in ("no-retreat-there", "retreat-zone")
    table.do("fall-back 1511", "fall-back 1512", "step 1511", "overrun 1512", "charge 1")
    assert table.where(SKI) == "eliminated" and table.where(PANZER) == "1512"


@rule("typhoon", "7.8", "7.2.1")
def test_a_zone_in_the_hex_taken_ends_the_move_but_not_another_overrun() -> None:
    units = {PANZER: "1508", PANZER2: "1508", SKI: "1510", ABN: "1512"}
    table = charge(units, PANZER, PANZER2)
    table.do("fall-back 1411", "fall-back 1311")
    assert table.where(PANZER) == "1510"
    assert table.asked == "move-units" and table.left == 7
    table.do("step 1511")
    assert table.asked == "pick-unit", "the zone of the brigade in 1512 stops it, and 7-1 is not to be had"


@rule("typhoon", "7.8.1", "7.8.3")
def test_who_has_too_few_points_left_does_not_overrun() -> None:
    far = {PANZER: "1502", SR4: "1502", SKI: "1510"}
    way = [f"step 15{row:02d}" for row in range(3, 10)]
    plain = Table("axis-movement", far).do(f"pick {PANZER}", f"gather {SR4}", *way)
    assert plain.left == 2 and plain.refusal("overrun 1510") is None
    hill = Table("axis-movement", far, hexes={"1510": "hills"}).do(f"pick {PANZER}", f"gather {SR4}", *way)
    assert hill.refused("overrun 1510") == ("too-far", "7.8.3"), "a point for the overrun, two for the hill"


@rule("typhoon", "7.8.3", "7.8.5")
def test_only_a_hex_next_door_is_overrun() -> None:
    table = Table("axis-movement", FORCE).do(f"pick {PANZER}", f"gather {SR4}")
    assert table.refused("overrun 1510") == ("nobody-to-overrun", "7.8.5"), "two hexes away"
    assert table.refused("overrun 1509") == ("nobody-to-overrun", "7.8.5"), "empty"
    assert table.do("step 1509").refusal("overrun 1510") is None
