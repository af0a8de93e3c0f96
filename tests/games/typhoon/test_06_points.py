"""6.2.3, 6.3, 6.5 Supply points, temporary sources, the state of units; 6.4 surrender."""

from __future__ import annotations

import pytest

from tests.games.typhoon.table import Table
from tests.rules import rule

INF, INF2, INF3, TRUCK, TRUCK2, WAGON = (
    *("g-251-inf", "g-102-inf", "g-256-inf"),
    *("g-supply-truck-1", "g-supply-truck-2", "g-supply-wagon-1"),
)
RIFLE, RIFLE2, GUARDS, NKVD, HQ, TRAIN = (
    *("s-126-rd", "s-133-rd", "s-5-gds-rd"),
    *("s-34-nkvd-regt", "s-22a", "s-16-army-train"),
)
SOVIET_TRUCK = "s-supply-truck-1"


def pass_supply(table: Table) -> Table:
    """Nobody takes points or spends any."""
    while table.asked is not None and table.asked.startswith(("place-supply", "spend-source")):
        table.do("forgo" if table.asked.startswith("place") else "pass")
    return table


@rule("typhoon", "6.0", "6.3", "6.3.1", "6.3.3")
def test_supply_is_judged_once_a_turn_in_three_states() -> None:
    far = {INF: "1510", RIFLE: "2501"}
    table = pass_supply(Table("supply", far, sources=(["1001"], ["2501"])))
    assert table.in_set(table.state.emergency) == {INF} and not table.state.unsupplied
    table = pass_supply(Table("supply", far, sources=(["1001"], ["2501"]), emergency=[INF]))
    assert table.in_set(table.state.unsupplied) == {INF} and not table.state.emergency
    table = pass_supply(Table("supply", far, sources=(["1001"], ["2501"]), unsupplied=[INF]))
    assert table.in_set(table.state.unsupplied) == {INF}
    table = pass_supply(Table("supply", far, sources=(["1509"], ["2501"]), unsupplied=[INF]))
    assert not table.state.unsupplied | table.state.emergency


@rule("typhoon", "6.3.1")
def test_a_unit_stays_unsupplied_all_turn() -> None:
    table = Table("axis-movement", {INF: "1510"}, unsupplied=[INF])
    table.do(f"pick {INF}", "step 1511", "halt", "end")
    assert table.state.unsupplied


@rule("typhoon", "6.2.3", "6.3.2")
def test_a_point_may_be_spent_as_a_source_for_the_turn() -> None:
    units = {INF: "1510", INF2: "1516", TRUCK: "1509", RIFLE: "2501"}
    table = Table("supply", units, sources=(["1001"], ["2501"]))
    while table.asked == "place-supply-axis" or table.asked == "place-supply-soviet":
        table.do("forgo")
    assert table.asked == "spend-source-axis"
    table.do(f"sustain {TRUCK}")
    pass_supply(table)
    assert table.where(TRUCK) == "supply pool"
    assert table.in_set(table.state.emergency) == {INF2}, "seven hexes away is too far"


@rule("typhoon", "6.3.6")
def test_strongpoints_that_nobody_holds_decay_in_two_turns() -> None:
    place = {"sources": (["1001"], ["2501"]), "forts": {"1510": "axis", "1502": "axis", "1616": "axis"}}
    table = pass_supply(Table("supply", {INF: "1617", RIFLE: "2501"}, **place))  # type: ignore[arg-type]
    assert table.hexes(table.state.weak[0]) == {"1510"}, "not beside a unit, nor in supply"
    again = Table("supply", {INF: "1617", RIFLE: "2501"}, **place)  # type: ignore[arg-type]
    again.state.weak[0] = 1 << again.cell("1510")
    pass_supply(again)
    assert table.hexes(again.state.forts[0]) == {"1502", "1616"}


@rule("typhoon", "6.5", "6.5.1")
def test_points_arrive_as_counters_and_excess_is_lost() -> None:
    table = Table("supply", {INF: "1503", RIFLE: "2501"}, sources=(["1501"], ["2501"]), weather="arctic")
    assert table.asked == "place-supply-axis"
    assert table.state.supply_due[0] == 2
    assert table.offered("bring") == {f"{TRUCK} 1501", f"{WAGON} 1501"}
    assert table.refused(f"bring-two {TRUCK} 1501") == ("depot-by-rail", "6.5.1")
    table.do(f"bring {TRUCK} 1501", f"bring {TRUCK2} 1501")
    assert table.steps(TRUCK) == 1 and table.asked == "place-supply-soviet"
    rails = Table("supply", {RIFLE: "2501"}, sources=(["1501"], ["2501"]), sides={"1501/1502": "rail"})
    rails.do(f"bring-two {TRUCK} 1501")
    assert rails.steps(TRUCK) == 2


@rule("typhoon", "6.5.1", "14.1.4")
def test_moscow_sends_a_point_as_long_as_a_unit_holds_a_hex_of_it() -> None:
    held = {"scenario": "whole", "soviet_hexes": ["M2928", "M2927"]}
    table = Table("supply", {RIFLE: "M2928", SOVIET_TRUCK: "M2927"}, **held)  # type: ignore[arg-type]
    while table.asked in ("place-supply-axis", "place-supply-soviet"):
        assert "stock" not in {o.split()[0] for o in table.options}
        table.do("forgo")
    assert table.asked == "place-supply-moscow"
    assert {o.split()[1] for o in table.offered("bring")} == {"M2927", "M2928"}
    table.do(f"stock {SOVIET_TRUCK}")
    assert table.steps(SOVIET_TRUCK) == 2 and table.asked != "place-supply-moscow"
    empty = Table("supply", {RIFLE: "M2520"}, **held)  # type: ignore[arg-type]
    assert empty.state.supply_due[2] == 0


@rule("typhoon", "6.5.2")
def test_counters_are_turned_and_combined() -> None:
    table = Table("axis-movement", {TRUCK: "1510", TRUCK2: "1510", WAGON: "1511"}, steps={TRUCK: 2})
    assert table.refused(f"pick {TRUCK}") == ("depot-stays", "6.5.2")
    assert table.refused(f"combine {TRUCK} {TRUCK2}") == ("depot-already", "6.5.2")
    table.do(f"lighten {TRUCK}")
    assert table.steps(TRUCK) == 1
    assert table.refused(f"combine {TRUCK} {WAGON}") == ("supply-apart", "6.5.2")
    table.do(f"combine {TRUCK} {TRUCK2}")
    assert table.steps(TRUCK) == 2 and table.where(TRUCK2) == "supply pool"


@rule("typhoon", "14.1.8", "13.3.2")
def test_those_who_have_just_come_and_trains_are_supplied() -> None:
    table = Table("supply", {TRAIN: "1510", INF: "2501"}, sources=(["2501"], ["3020"]))
    pass_supply(table)
    assert not table.state.emergency


# 6.4 Surrender

RING = ("g-26-inf", "g-6-inf", "g-255-inf")
POCKET = {RIFLE: "1510", INF: "1509", INF2: "1411", INF3: "1611"} | dict(
    zip(RING, ("1511", "1410", "1610"), strict=True)
)
"""Six divisions all round: between fewer a line would lead out, for zones of friends undo theirs (6.1.5)."""


def surrender(units: dict[str, str], **more: object) -> Table:
    unsupplied = more.pop("unsupplied", [RIFLE])
    return Table("surrender", units, sources=(["1001"], ["3020"]), unsupplied=unsupplied, **more)  # type: ignore[arg-type]


@rule("typhoon", "6.4", "6.4.1", "6.4.3", "6.4.5")
def test_a_stack_that_is_cut_off_in_a_zone_may_surrender() -> None:
    table = surrender({**POCKET, RIFLE2: "1510"})
    assert table.asked == "roll-surrender"
    table.do("capitulate 4")
    assert table.where(RIFLE) == "eliminated" and table.where(RIFLE2) == "1510", "who is supplied stays"
    assert table.asked != "advance-units"
    assert surrender(POCKET).do("capitulate 5").where(RIFLE) == "1510"
    assert surrender(POCKET, unsupplied=[]).asked != "roll-surrender", "not with supply"
    free = {RIFLE: "1510", INF: "1709"}
    assert surrender(free).asked != "roll-surrender", "not outside zones"
    assert surrender({RIFLE: "1510", INF: "1509"}).asked != "roll-surrender", "not if a way is open"


@rule("typhoon", "6.4.2", "13.5.3")
@pytest.mark.parametrize("friend", [GUARDS, NKVD])
def test_guards_nkvd_and_towns_do_not_surrender(friend: str) -> None:
    assert surrender({**POCKET, friend: "1510"}).asked != "roll-surrender"
    assert surrender(POCKET, hexes={"1510": "city"}).asked != "roll-surrender"


@rule("typhoon", "6.4.4")
def test_a_headquarters_makes_it_less_likely() -> None:
    with_hq = surrender({**POCKET, HQ: "1510", "s-29a": "1510"}, unsupplied=[RIFLE, HQ, "s-29a"])
    assert with_hq.do("capitulate 4").where(RIFLE) == "1510"
    assert (
        surrender({**POCKET, HQ: "1510"}, unsupplied=[RIFLE, HQ]).do("capitulate 3").where(RIFLE)
        == "eliminated"
    )


@rule("typhoon", "6.4.1", "6.1.2")
def test_a_way_out_does_not_lead_across_a_lake() -> None:
    """The hex next door can trace a line, that of the unit cannot reach it."""
    ring = dict.fromkeys(("1509/1510", "1410/1510", "1510/1610", "1510/1611", "1510/1511"), "lake")
    units = {RIFLE: "1510", INF: "1411"}
    held = surrender(units, unsupplied=[RIFLE], sides=ring)
    assert held.asked == "roll-surrender", "the enemy stands in the only way out"
    assert surrender(units, unsupplied=[RIFLE]).asked != "roll-surrender"
