"""7.5 to 7.7 The motorised and reaction phases, railways, strategic movement; 13.1 headquarters."""

from __future__ import annotations

import pytest

from tests.games.typhoon.table import Table
from tests.rules import rule

INF, PANZER, MOT, CAVALRY = "g-251-inf", "g-6-pz-pzr-11", "g-6-pz-sr-4", "g-1-cav-rr-1"
GUNS, TRUCK = "g-harko-2", "g-supply-truck-1"
RIFLE, RIFLE2, RIFLE3, GUARDS, TANKS, HQ = (
    *("s-126-rd", "s-133-rd", "s-174-rd"),
    *("s-5-gds-rd", "s-127-tbde", "s-22a"),
)
TANKS2, TANKS3, TRAIN = "s-126-tbde", "s-128-tbde", "s-16-army-train"
RAILS = {f"1510/15{11:02d}": "rail"} | {f"15{row:02d}/15{row + 1:02d}": "rail" for row in range(1, 19)}
ROAD = {f"15{row:02d}/15{row + 1:02d}": "main_road" for row in range(1, 19)}


@rule("typhoon", "7.5", "7.5.1")
def test_only_some_move_in_the_motorised_phase_and_cavalry_half_as_far() -> None:
    table = Table("axis-motorised", {INF: "1510", PANZER: "1510", CAVALRY: "1510", GUNS: "1510"})
    assert table.offered("pick") == {PANZER, CAVALRY}
    assert table.refused(f"pick {INF}") == ("not-motorised", "7.5.1")
    assert table.refused(f"pick {GUNS}") == ("not-motorised", "7.5.1")
    table.do(f"pick {CAVALRY}")
    assert table.left == 4
    table.do("halt", f"pick {PANZER}")
    assert table.left == 10


@rule("typhoon", "7.5.1")
def test_unsupplied_units_and_those_in_zones_move_in_the_motorised_phase() -> None:
    table = Table("axis-motorised", {PANZER: "1512", RIFLE: "1513"}, unsupplied=[PANZER])
    table.do(f"pick {PANZER}", "step 1511")
    assert table.left == 7


@rule("typhoon", "13.1", "13.1.1", "13.1.2", "13.1.3", "7.5.1")
def test_a_headquarters_activates_as_many_units_on_foot_as_its_value_within_four_hexes() -> None:
    units = {HQ: "1510", RIFLE: "1506", RIFLE2: "1511", RIFLE3: "1512", "s-178-rd": "1505"}
    table = Table("soviet-motorised", units)
    assert table.refused("pick s-178-rd") == ("no-hq", "13.1.2"), "five hexes away"
    assert table.refused(f"pick {HQ}") == ("not-motorised", "7.5.1"), "not itself"
    table.do(f"pick {RIFLE}")
    assert table.left == 6, "at full movement"
    table.do("step 1507", "halt", f"pick {RIFLE2}", "halt")
    assert table.refused(f"pick {RIFLE3}") == ("no-hq", "13.1.2"), "its value is two"
    table.do("end")
    while table.asked != "pick-unit":
        table.do("done" if table.asked in ("lay-support",) else "end")
    assert table.refused(f"pick {RIFLE}") == ("activated-already", "13.1.2")
    table.do(f"pick {RIFLE3}", "halt")


@rule("typhoon", "13.1.1", "11.4.3")
def test_interdiction_shortens_the_radius_of_a_headquarters() -> None:
    units = {HQ: "1510", RIFLE: "1506", RIFLE2: "1507", RIFLE3: "1508"}
    assert Table("soviet-motorised", units).offered("pick") == {RIFLE, RIFLE2, RIFLE3}
    assert Table("soviet-motorised", units, interdicted=["1511"]).offered("pick") == {RIFLE2, RIFLE3}
    deep = Table("soviet-motorised", units, interdicted=["1511", "1510", "1509"])
    assert deep.offered("pick") == {RIFLE3}, "by two at most"


@rule("typhoon", "13.5", "13.5.1")
def test_a_guards_unit_is_activated_besides_the_others() -> None:
    units = {HQ: "1510", RIFLE: "1511", RIFLE2: "1511", GUARDS: "1512", "s-2-gds-rd": "1512"}
    table = Table("soviet-motorised", units)
    table.do(f"pick {RIFLE}", "halt", f"pick {RIFLE2}", "halt")
    table.do(f"pick {GUARDS}", "halt")
    assert table.refused("pick s-2-gds-rd") == ("no-hq", "13.1.2"), "one for each headquarters"


def reaction(units: dict[str, str], target: str, *attackers: str, **more: object) -> Table:
    table = Table("axis-movement", units, **more)  # type: ignore[arg-type]
    table.attack(target, *attackers).do("end")
    while table.asked in ("lay-interdiction", "lay-opposition"):
        table.do("done")
    return table


@rule("typhoon", "7.5.2", "13.1.2")
def test_motorised_units_near_a_combat_react_at_half_speed_if_a_headquarters_commands() -> None:
    units = {INF: "1509", RIFLE: "1510", TANKS: "1512", TANKS2: "1514", TANKS3: "1413", RIFLE2: "1512"}
    table = reaction({**units, HQ: "1513"}, "1510", INF)
    assert table.offered("react") == {TANKS, TANKS3}
    assert table.refused(f"react {TANKS2}") == ("reacts-too-far", "7.5.2")
    assert table.refused(f"react {RIFLE2}") == ("reacts-not", "7.5.2")
    table.do(f"react {TANKS}")
    assert table.left == 4
    table.do("halt", f"react {TANKS3}", "halt")
    assert reaction(units, "1510", INF).refused(f"react {TANKS}") == ("no-hq", "13.1.2")
    assert reaction({**units, "s-30a": "1512"}, "1510", INF).do(f"react {TANKS}", "halt").refused(
        f"react {TANKS3}"
    ) == ("no-hq", "13.1.2"), "as many as its value"


@rule("typhoon", "13.1.2")
def test_units_that_react_and_options_of_retreat_are_counted_apart_one_for_each_hex() -> None:
    units = {INF: "1509", "g-102-inf": "1509", RIFLE: "1510", RIFLE2: "1410", TANKS: "1512", "s-30a": "1512"}
    table = Table("axis-movement", units)
    table.attack("1510", INF).attack("1410", "g-102-inf").do("end")
    table.do(f"react {TANKS}", "halt", "hold 1510")
    assert table.refused("hold 1410") == ("no-hq-order", "13.1.2"), "the value of this headquarters is one"
    both = Table("axis-movement", units).do("target 1510", f"join {INF}", "widen 1410", "declare", "end")
    assert both.refused("hold 1510") == ("no-hq-order", "13.1.2"), "a combat for two hexes takes two"


@rule("typhoon", "7.5.2", "6.3.5", "7.8.4")
def test_who_is_unsupplied_in_a_zone_or_overrun_does_not_react() -> None:
    units = {INF: "1509", RIFLE: "1510", TANKS: "1512", HQ: "1512"}
    assert reaction(units, "1510", INF, unsupplied=[TANKS]).refused(f"react {TANKS}") == (
        "reacts-unsupplied",
        "6.3.5",
    )
    near = {**units, TANKS: "1510"}
    assert reaction(near, "1510", INF).refused(f"react {TANKS}") == ("reacts-in-zone", "7.5.2")
    table = reaction(units, "1510", INF)
    table.state.mark_overrun(1 << table.unit(TANKS))
    assert table.refused(f"react {TANKS}") == ("reacts-overrun", "7.8.4")
    assert reaction(units, "1510", INF, emergency=[TANKS]).offered("react") == {TANKS}


@rule("typhoon", "7.5.2")
def test_without_a_declared_attack_nobody_reacts() -> None:
    table = Table("axis-movement", {INF: "1509", RIFLE: "1510", TANKS: "1512", HQ: "1512"})
    table.do("end")
    assert table.asked == "pick-unit", "the motorised phase of the Axis"


@rule("typhoon", "7.5.3")
def test_reaction_goes_next_to_the_enemy_only_where_a_friend_stands_and_pays_no_zone() -> None:
    units = {INF: "1509", RIFLE: "1510", TANKS: "1512", HQ: "1513"}
    table = reaction(units, "1510", INF)
    table.do(f"react {TANKS}", "step 1511", "step 1411")
    assert table.left == 2
    assert table.refused("step 1410") == ("reaction-no-zone", "7.5.3")
    table.do("step 1510")
    assert table.asked == "react", "it stops there"
    assert table.where(TANKS) == "1510"


@rule("typhoon", "7.6", "7.6.1", "7.6.2")
def test_trains_take_units_along_their_own_gauge_away_from_the_enemy() -> None:
    axis = [f"15{row:02d}" for row in range(1, 13)]
    table = Table("axis-movement", {INF: "1503", RIFLE: "1515"}, sides=RAILS, axis_rail=axis)
    table.do(f"entrain {INF}")
    assert "1512" in table.offered("detrain") and "1501" in table.offered("detrain")
    assert table.refused("detrain 1513") == ("not-on-line", "7.6.2"), "it is not converted"
    table.do("detrain 1510")
    assert table.where(INF) == "1510"
    assert table.refused(f"pick {INF}")[0] == "moved-already"
    near = Table("axis-movement", {INF: "1510", RIFLE: "1512"}, sides=RAILS, axis_rail=axis)
    assert near.refused(f"entrain {INF}") == ("rail-near-enemy", "7.6.1")
    far = Table("axis-movement", {INF: "1503", RIFLE: "1513"}, sides=RAILS, axis_rail=axis)
    far.do(f"entrain {INF}")
    assert "1510" in far.offered("detrain") and "1511" not in far.offered("detrain")


@rule("typhoon", "7.6.1", "11.4.3")
def test_no_train_leaves_from_interdicted_or_unsupplied_places_and_interdiction_is_dear() -> None:
    axis = [f"15{row:02d}" for row in range(1, 20)]
    rail = {"sides": RAILS, "axis_rail": axis}
    table = Table("axis-movement", {INF: "1503"}, interdicted=["1503"], **rail)  # type: ignore[arg-type]
    assert table.refused(f"entrain {INF}") == ("rail-interdicted", "7.6.1")
    table = Table("axis-movement", {INF: "1503"}, unsupplied=[INF], **rail)  # type: ignore[arg-type]
    assert table.refused(f"entrain {INF}") == ("rail-needs-supply", "7.6.1")
    bombed = Table("axis-movement", {INF: "1503"}, interdicted=["1507", "1510"], **rail)  # type: ignore[arg-type]
    bombed.do(f"entrain {INF}")
    assert "1509" in bombed.offered("detrain"), "two hexes at one and four at twelve are 50"
    assert "1510" not in bombed.offered("detrain")


@rule("typhoon", "7.6.2")
def test_trains_pass_near_a_hex_only_if_everybody_in_it_is_unsupplied() -> None:
    axis = [f"15{row:02d}" for row in range(1, 20)]

    def past(*unsupplied: str) -> set[str]:
        units = {INF: "1503", RIFLE: "1713", RIFLE2: "1713"}
        table = Table("axis-movement", units, sides=RAILS, axis_rail=axis, unsupplied=unsupplied)
        table.do(f"entrain {INF}")
        return table.offered("detrain")

    assert "1514" not in past()
    assert "1514" in past(RIFLE, RIFLE2)
    assert "1514" not in past(RIFLE), "the other is supplied"
    assert past(RIFLE) == past()


@rule("typhoon", "7.6.3", "7.6.4")
def test_rail_capacity_is_in_stacking_points() -> None:
    axis = [f"15{row:02d}" for row in range(1, 20)]
    units = {INF: "1503", GUNS: "1503", TRUCK: "1503"}
    table = Table("axis-movement", units, sides=RAILS, axis_rail=axis, rail=5, steps={TRUCK: 2})
    table.do(f"entrain {INF}", "detrain 1505")
    assert table.state.rail_left[0] == 1
    assert table.refused(f"entrain {TRUCK}") == ("no-rail-capacity", "7.6.3"), "a depot takes two"
    table.do(f"entrain {GUNS}", "detrain 1505")
    hq = Table("soviet-movement", {HQ: "1503"}, sides=RAILS, rail=1)
    hq.do(f"entrain {HQ}", "detrain 1505")
    assert hq.state.rail_left[1] == 0, "who counts nothing takes one"


@rule("typhoon", "13.3", "13.3.1")
def test_an_armoured_train_keeps_to_rails_and_may_enter_a_zone() -> None:
    table = Table("soviet-movement", {TRAIN: "1503", INF: "1511"}, sides=RAILS, rail=0)
    assert table.refused(f"pick {TRAIN}") == ("train-on-rails", "13.3.1")
    table.do(f"entrain {TRAIN}")
    assert "1510" in table.offered("detrain") and "1511" not in table.offered("detrain")
    table.do("detrain 1510")
    assert table.state.rail_left[1] == 0, "it takes no capacity"
    behind = Table("soviet-movement", {TRAIN: "1503", INF: "1610"}, sides=RAILS)
    behind.do(f"entrain {TRAIN}")
    assert "1511" not in behind.offered("detrain"), "into a zone, not through it"
    motor = Table("soviet-motorised", {TRAIN: "1503"}, sides=RAILS).do(
        f"entrain {TRAIN}", "detrain 1505", "end"
    )
    while motor.asked != "pick-unit":
        motor.do("done" if motor.asked == "lay-support" else "end")
    assert motor.refused(f"entrain {TRAIN}") == ("marched-already", "7.6.2"), "one of the two phases"


@rule("typhoon", "7.7", "7.7.1", "7.7.2", "7.7.3")
def test_strategic_movement_is_half_as_far_again_on_roads_and_away_from_the_enemy() -> None:
    table = Table("axis-movement", {INF: "1502", RIFLE: "1515"}, sides=ROAD)
    table.do(f"march {INF}")
    assert table.left == 10, "seven and a half of it, fractions lost"
    assert table.refused("step 1402") == ("march-off-road", "7.7.3")
    table.do(*(f"step 15{row:02d}" for row in range(3, 13)))
    assert table.refused("step 1513") == ("march-near-enemy", "7.7.3")
    off = Table("axis-movement", {INF: "1702", RIFLE: "1515"}, sides=ROAD)
    assert off.refused(f"march {INF}") == ("march-no-road", "7.7.1")
    near = Table("axis-movement", {INF: "1513", RIFLE: "1515"}, sides=ROAD)
    assert near.refused(f"march {INF}") == ("march-near-enemy", "7.7.1")
    bombed = Table("axis-movement", {INF: "1502"}, sides=ROAD, interdicted=["1503"])
    assert bombed.refused(f"march {INF}") == ("march-interdicted", "7.7.1")
    through = Table("axis-movement", {INF: "1502"}, sides=ROAD, interdicted=["1509"])
    through.do(f"march {INF}", *(f"step 15{row:02d}" for row in range(3, 8)))
    assert through.refused("step 1508") == ("march-interdicted", "11.4.3")
    hungry = Table("axis-movement", {INF: "1502"}, sides=ROAD, unsupplied=[INF])
    assert hungry.refused(f"march {INF}") == ("march-needs-supply", "7.7.1")
    motor = Table("axis-motorised", {PANZER: "1502"}, sides=ROAD)
    assert motor.refused(f"march {PANZER}") == ("march-when", "7.7.2")


@rule("typhoon", "7.7.4")
def test_strategic_movement_stays_in_general_supply() -> None:
    table = Table(
        "axis-movement", {INF: "1502"}, sides=dict.fromkeys(ROAD, "road"), sources=(["1501"], ["3020"])
    )
    table.do(f"march {INF}", *(f"step 15{row:02d}" for row in range(3, 9)))
    assert table.refused("step 1509") == ("march-unsupplied", "7.7.4")


@rule("typhoon", "13.6")
def test_a_garrison_stays_until_the_enemy_comes() -> None:
    table = Table("soviet-movement", {RIFLE: "1510"}, garrison=[RIFLE])
    assert table.refused(f"pick {RIFLE}") == ("garrison-stays", "13.6.1")
    table = Table("axis-movement", {RIFLE: "1510", INF: "1507"}, garrison=[RIFLE])
    table.do(f"pick {INF}", "step 1508")
    assert table.state.garrison
    table.do("step 1509")
    assert not table.state.garrison


@rule("typhoon", "13.4", "13.4.3")
@pytest.mark.parametrize(("gun", "left"), [("g-siege-battery-24-30-5-cm", 3.0), (GUNS, 7.5)])
def test_siege_guns_pay_a_whole_point_on_a_road(gun: str, left: float) -> None:
    table = Table("axis-movement", {gun: "1502"}, sides=ROAD)
    table.do(f"pick {gun}", "step 1503")
    assert table.left == left
