"""7.1 to 7.3 Movement, zones of control on the way, infiltration."""

from __future__ import annotations

import pytest

from tests.games.typhoon.table import Table
from tests.rules import rule

INF, INF2, PANZER, MOT, RECON = "g-251-inf", "g-102-inf", "g-6-pz-pzr-11", "g-6-pz-sr-4", "g-6-pz-aa-57"
GUNS, TRUCK, WAGON = "g-harko-2", "g-supply-truck-1", "g-supply-wagon-1"
RIFLE, RIFLE2, SKI = "s-126-rd", "s-133-rd", "s-1-ski-bn"


@rule("typhoon", "7.0", "7.1", "7.1.1", "7.1.4")
def test_units_go_hex_by_hex_as_far_as_their_points_and_once_a_phase() -> None:
    table = Table("axis-movement", {INF: "1510"})
    table.do(f"pick {INF}")
    assert table.refused("step 1512") == ("not-adjacent", "7.1.1")
    table.do(*(f"step 15{row:02d}" for row in range(11, 18)))
    assert table.left == 0
    assert table.refused("step 1518") == ("too-far", "7.3.2")
    table.do("halt")
    assert table.where(INF) == "1517"
    assert table.refused(f"pick {INF}") == ("moved-already", "7.1.4")


@rule("typhoon", "7.1.2", "7.1.5", "7.2.4")
def test_friends_are_no_obstacle_and_enemies_are() -> None:
    table = Table("axis-movement", {INF: "1510", INF2: "1511", PANZER: "1511", RIFLE: "1514"})
    table.do(f"pick {INF}", "step 1511", "step 1512")
    assert table.left == 5, "neither friends nor their zones cost anything"
    table = Table("axis-movement", {RECON: "1513", RIFLE: "1514"})
    table.do(f"pick {RECON}")
    assert table.refused("step 1514") == ("enemy-there", "7.1.5")


@rule("typhoon", "7.1.3")
def test_a_stack_goes_as_the_slowest_and_the_fast_may_go_on() -> None:
    table = Table("axis-movement", {INF: "1505", PANZER: "1505"})
    table.do(f"pick {INF}", f"gather {PANZER}", *(f"step 15{row:02d}" for row in range(6, 13)))
    assert table.left == 0
    assert table.refused("step 1513") == ("too-far", "7.3.2")
    table.do(f"drop {INF}", "step 1513", "step 1514", "step 1515", "halt")
    assert (table.where(INF), table.where(PANZER)) == ("1512", "1515")
    assert table.refused(f"pick {INF}")[0] == "moved-already"


@rule("typhoon", "7.1.6")
def test_nobody_moves_off_the_map() -> None:
    table = Table("axis-movement", {INF: "M1101"}, scenario="whole")
    table.do(f"pick {INF}")
    assert table.offered("step") <= {"M1102", "M1201", "M1202", "N4801", "N4802", "M1001", "M1002"}
    learning = Table("axis-movement", {"g-3-pz-pzr-6": "P4010"}, scenario="learning")
    learning.do("pick g-3-pz-pzr-6")
    assert all(hex_.startswith(("P40", "P41")) for hex_ in learning.offered("step"))
    assert learning.refused("step P3910") == ("off-the-map", "7.1.6")


@rule("typhoon", "7.2", "7.2.1")
def test_a_zone_costs_a_point_and_ends_the_move() -> None:
    table = Table("axis-movement", {INF: "1510", RIFLE: "1513"})
    table.do(f"pick {INF}", "step 1511", "step 1512")
    assert table.asked == "pick-unit", "the move is over"
    assert table.where(INF) == "1512"
    table = Table("axis-movement", {INF: "1506", RIFLE: "1513"})
    table.do(f"pick {INF}", *(f"step 15{row:02d}" for row in range(7, 12)))
    assert table.left == 2
    table.do("step 1512")
    table = Table("axis-movement", {INF: "1505", RIFLE: "1513"})
    table.do(f"pick {INF}", *(f"step 15{row:02d}" for row in range(6, 12)))
    assert table.refused("step 1512") == ("too-far", "7.3.2"), "one point is left and two are needed"


@rule("typhoon", "7.2.2")
def test_who_begins_in_a_zone_leaves_it_and_enters_another_only_from_outside() -> None:
    table = Table("axis-movement", {INF: "1512", RIFLE: "1513"})
    table.do(f"pick {INF}")
    assert table.refused("step 1413") == ("zone-to-zone", "7.2.3")
    table.do("step 1511")
    assert table.left == 6, "leaving costs nothing"
    table.do("step 1412", "step 1413")
    assert table.where(INF) == "1413"


@rule("typhoon", "7.2.3")
def test_motorised_units_infiltrate_with_all_their_movement() -> None:
    table = Table("axis-movement", {PANZER: "1512", RIFLE: "1513"})
    table.do(f"pick {PANZER}", "step 1413")
    assert table.asked == "pick-unit"
    table = Table("axis-movement", {PANZER: "1511", RIFLE: "1513"})
    table.do(f"pick {PANZER}")
    table.do("step 1512")
    assert table.where(PANZER) == "1512"
    assert table.refused(f"pick {PANZER}")[0] == "moved-already", "not after it has spent points"
    table = Table("axis-motorised", {PANZER: "1512", RIFLE: "1513"})
    table.do(f"pick {PANZER}")
    assert table.refused("step 1413") == ("zone-to-zone", "7.2.2"), "in the movement phase alone"


@rule("typhoon", "7.2.3")
@pytest.mark.parametrize(
    ("weather", "able"), [("dry", False), ("frost", False), ("snow", True), ("arctic", True)]
)
def test_ski_troops_infiltrate_in_snow(weather: str, able: bool) -> None:
    table = Table("soviet-movement", {SKI: "1512", INF: "1513"}, weather=weather)
    table.do(f"pick {SKI}")
    assert ("1413" in table.offered("step")) == able


@rule("typhoon", "7.2.3")
def test_anybody_but_guns_infiltrates_into_or_out_of_a_city() -> None:
    for town in ("1512", "1413"):
        table = Table("axis-movement", {INF: "1512", GUNS: "1512", RIFLE: "1513"}, hexes={town: "city"})
        table.do(f"pick {INF}", "step 1413", f"pick {GUNS}")
        assert table.refused("step 1413") == ("zone-to-zone", "7.2.3")


@rule("typhoon", "7.2.3")
def test_nobody_infiltrates_into_a_fortification_or_across_a_line_or_a_major_river() -> None:
    position = {PANZER: "1512", RIFLE: "1513"}
    table = Table("axis-movement", position, forts={"1413": "soviet"}).do(f"pick {PANZER}")
    assert table.refused("step 1413") == ("infiltrates-no-fort", "7.2.3")
    table = Table("axis-movement", position, sides={"1413/1512": "fortified"}).do(f"pick {PANZER}")
    assert table.refused("step 1413") == ("infiltrates-no-fort", "7.2.3")
    table = Table("axis-movement", position, sides={"1413/1512": "major_river"}, weather="snow")
    assert table.do(f"pick {PANZER}").refused("step 1413") == ("infiltrates-no-river", "7.2.3")


@rule("typhoon", "7.3.2", "7.3.3")
def test_one_hex_can_always_be_entered() -> None:
    rough = {"1511": "hills woods", "1512": "hills woods"}
    table = Table("axis-movement", {GUNS: "1510"}, hexes=rough, weather="rain", unsupplied=[GUNS])
    table.do(f"pick {GUNS}", "step 1511")
    assert table.where(GUNS) == "1511" and table.asked == "pick-unit", "with all that it had"
    table = Table("axis-movement", {WAGON: "1509"}, hexes=rough, weather="rain")
    table.do(f"pick {WAGON}", "step 1510")
    assert table.refused("step 1511") == ("too-far", "7.3.2"), "not after something was spent"


@rule("typhoon", "7.3.3", "7.1.3")
def test_whoever_spends_all_on_a_hex_too_dear_is_set_down_and_the_others_go_on() -> None:
    rough = {"1511": "hills woods"}
    table = Table(
        "axis-movement", {GUNS: "1510", INF: "1510"}, hexes=rough, weather="rain", unsupplied=[GUNS]
    )
    table.do(f"pick {GUNS}", f"gather {INF}", "step 1511")
    assert table.asked == "move-units" and table.left == 0
    assert table.refused("step 1512") == ("too-far", "7.3.2")
    table.do(f"drop {GUNS}", "step 1512", "halt")
    assert (table.where(GUNS), table.where(INF)) == ("1511", "1512")
    alone = Table("axis-movement", {GUNS: "1510"}, hexes=rough, weather="rain", unsupplied=[GUNS])
    alone.do(f"pick {GUNS}", "step 1511")
    assert alone.asked == "pick-unit", "who has nothing left has moved"
    zone = Table(
        "axis-movement",
        {GUNS: "1510", INF: "1510", RIFLE: "1612"},
        hexes=rough,
        weather="rain",
        unsupplied=[GUNS],
    )
    zone.do(f"pick {GUNS}", f"gather {INF}", "step 1511")
    assert zone.asked == "pick-unit", "an enemy zone stops everybody"


@rule("typhoon", "7.3.3")
def test_in_the_motorised_phase_only_supplied_motorised_units_make_the_least_move() -> None:
    rough = {"1511": "hills woods"}
    dear = Table("axis-motorised", {PANZER: "1510"}, hexes=rough, weather="rain", unsupplied=[PANZER])
    dear.do(f"pick {PANZER}")
    cost = Table("axis-motorised", {PANZER: "1510"}, hexes=rough, weather="rain").do(f"pick {PANZER}")
    assert "1511" in cost.offered("step")
    cavalry = Table(
        "soviet-motorised", {"s-45-cd": "1510"}, hexes=rough, weather="rain", unsupplied=["s-45-cd"]
    )
    cavalry.do("pick s-45-cd")
    assert "1511" in cavalry.offered("step") or cavalry.refused("step 1511") == ("too-far", "7.3.2")


@rule("typhoon", "6.5.3", "6.5.4")
def test_supply_units_move_like_others_but_not_into_a_zone_alone() -> None:
    table = Table("axis-movement", {TRUCK: "1510", WAGON: "1511", RIFLE: "1514"})
    table.do(f"pick {TRUCK}", "step 1509")
    assert table.left == 7
    table.do("halt", f"pick {WAGON}", "step 1512")
    assert table.left == 3
    assert table.refused("step 1513") == ("supply-no-zone", "6.5.3")
    table = Table("axis-movement", {WAGON: "1512", INF: "1513", RIFLE: "1514"})
    table.do(f"pick {WAGON}", "step 1513")
    motor = Table("axis-motorised", {TRUCK: "1510"})
    assert motor.refused(f"pick {TRUCK}") == ("not-motorised", "7.5.1")


@rule("typhoon", "12.1.7")
def test_an_enemy_strongpoint_costs_a_point_more_and_works_are_trodden_down() -> None:
    table = Table("axis-movement", {INF: "1510"}, forts={"1511": "soviet"}, works={"1512": "soviet"})
    table.do(f"pick {INF}", "step 1511")
    assert table.left == 5
    table.do("step 1512")
    assert table.left == 4
    assert not table.state.works[1] and table.state.forts[1]


@rule("typhoon", "2.5.2")
def test_who_passes_or_covers_a_hex_holds_it() -> None:
    table = Table("axis-movement", {INF: "1510"}, soviet_hexes=["1511", "1512", "1411", "1416"])
    table.do(f"pick {INF}", "step 1511", "halt")
    assert table.hexes(table.state.soviet_hexes) == {"1416"}
    table = Table("axis-movement", {INF: "1510", RIFLE: "1513"}, soviet_hexes=["1512"])
    table.do(f"pick {INF}", "step 1511", "halt")
    assert "1512" in table.hexes(table.state.soviet_hexes), "an enemy zone is there too"


@rule("typhoon", "7.6.1")
def test_a_train_is_boarded_on_a_railway() -> None:
    rails = {f"15{row:02d}/15{row + 1:02d}": "rail" for row in range(1, 9)}
    table = Table("axis-movement", {"g-251-inf": "2003", "s-126-rd": "1518"}, sides=rails)
    assert table.refused("entrain g-251-inf") == ("no-railway", "7.6.1")


@rule("typhoon", "7.1.3")
def test_who_stands_elsewhere_is_not_taken_along() -> None:
    units = {"g-6-pz-pzr-11": "1508", "g-6-pz-sr-4": "1507", "g-6-pz-sr-114": "1508", "s-126-rd": "1518"}
    table = Table("axis-movement", units).do("pick g-6-pz-pzr-11")
    assert table.refused("gather g-6-pz-sr-4") == ("not-same-start", "7.1.3")
    table.do("gather g-6-pz-sr-114", "step 1507")
    assert table.refused("gather g-6-pz-sr-4") == ("not-same-start", "7.1.3"), "they have set out"


@rule("typhoon", "7.3.9")
def test_a_major_river_is_crossed_first_and_in_the_movement_phase_alone() -> None:
    sides = {"1508/1509": "major_river", "1507/1508": "road"}
    units = {"g-6-pz-pzr-11": "1508", "g-6-pz-sr-4": "1507", "s-126-rd": "1518"}
    table = Table("axis-movement", units, sides=sides).do("pick g-6-pz-sr-4", "step 1508")
    assert table.refused("step 1509") == ("river-first", "7.3.9"), "it did not begin beside it"
    table.do("halt", "pick g-6-pz-pzr-11")
    assert table.refusal("step 1509") is None
    late = Table("axis-motorised", units, sides=sides).do("pick g-6-pz-pzr-11")
    assert late.refused("step 1509") == ("river-first", "7.3.9")
