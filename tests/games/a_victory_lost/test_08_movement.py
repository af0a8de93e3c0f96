"""8.0 Movement."""

from __future__ import annotations

import pytest

from tests.games.a_victory_lost.table import Table, plain_game
from tests.rules import rule

RIVER = {"0808/0908": "major_river", "0808/0909": "major_river", "0808/0807": "river"}


@rule("a_victory_lost", "8.0", "8.1")
def test_activated_hqs_and_units_move() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808", "hq-4pza": "0809"}).do(
        "pick hq-4pza", "step 0909", "halt"
    )
    assert table.where("hq-4pza") == "0909"
    table.do("pick ge-6pz", "step 0809", "halt", "end")
    assert table.where("ge-6pz") == "0809"


@rule("a_victory_lost", "8.1.1")
def test_one_unit_finishes_before_the_next_begins() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808", "ge-23pz": "0809"}).do("pick ge-6pz", "step 0908")
    assert table.asked == "move-unit"
    assert table.refused("pick ge-23pz")[0] == "not-now"
    table.do("halt", "pick ge-23pz", "halt")
    assert table.refused("pick ge-6pz") == ("moved-already", "8.1.1")


@rule("a_victory_lost", "8.1.2")
@pytest.mark.parametrize(("ground", "price"), [("clear", 1), ("rough", 2), ("woods", 2), ("marsh", 2)])
def test_a_hex_costs_what_the_chart_says(ground: str, price: int) -> None:
    table = Table("axis-movement", {"ge-6pz": "0808"}, terrain={"0908": ground}).do(
        "pick ge-6pz", "step 0908"
    )
    assert table.left == 10 - price


@rule("a_victory_lost", "8.1.2")
def test_a_unit_does_not_enter_a_hex_it_cannot_pay() -> None:
    rough = {"0908": "rough", "1008": "rough", "1108": "rough", "1109": "rough"}
    table = Table("axis-movement", {"ge-62": "0808"}, terrain=rough).do(
        "pick ge-62", "step 0908", "step 1008"
    )
    assert table.left == 1
    assert table.refused("step 1109") == ("too-dear", "8.1.2")
    assert table.refused("step 1208") == ("not-adjacent", "8.1.2")


@rule("a_victory_lost", "8.1.2")
def test_there_is_no_minimum_move() -> None:
    table = Table("axis-movement", {"ge-62": "0808", "su-91": "0907", "su-87": "0709"}, isolated=["ge-62"])
    table.do("pick ge-62")
    assert table.offered("step") == set()


@rule("a_victory_lost", "8.1.2")
def test_unused_points_are_lost() -> None:
    table = Table("axis-movement", {"ge-62": "0808"}).do("pick ge-62", "step 0908", "halt")
    assert table.refused("pick ge-62") == ("moved-already", "8.1.1")


@rule("a_victory_lost", "8.1.3")
def test_a_minor_river_costs_one_point_more() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808"}, sides=RIVER).do("pick ge-6pz", "step 0807")
    assert table.left == 8


@rule("a_victory_lost", "8.1.3")
def test_a_major_river_is_crossed_from_the_bank_and_ends_the_move() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808"}, sides=RIVER).do("pick ge-6pz", "step 0908")
    assert table.asked == "pick-unit"  # nothing more to decide
    assert table.where("ge-6pz") == "0908"
    table = Table("axis-movement", {"ge-6pz": "0708"}, sides=RIVER).do("pick ge-6pz", "step 0808")
    assert table.refused("step 0908") == ("river-not-first", "8.1.3")


@rule("a_victory_lost", "8.1.3")
def test_a_bridge_makes_a_river_nothing() -> None:
    sides = {"0808/0908": "major_river+road"}
    table = Table("axis-movement", {"ge-6pz": "0708"}, sides=sides).do(
        "pick ge-6pz", "step 0808", "step 0908"
    )
    assert table.left == 8


@rule("a_victory_lost", "8.1.4", "12.1")
def test_a_unit_moves_over_a_lone_hq_and_goes_on() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808", "hq-51a": "0908"}).do("pick ge-6pz", "step 0908")
    assert (table.asked, table.actor) == ("reposition-hq", "soviet")
    table.do(sorted(table.options)[0])
    assert (table.asked, table.actor) == ("move-unit", "axis")
    assert table.left == 9
    table.do("step 1008")


@rule("a_victory_lost", "8.1.5")
def test_no_unit_enters_water_crosses_an_impassable_side_or_leaves_the_map() -> None:
    table = Table(
        "axis-movement", {"ge-6pz": "0808"}, terrain={"0807": "sea"}, sides={"0808/0809": "impassable"}
    ).do("pick ge-6pz")
    assert table.refused("step 0807") == ("impassable", "8.1.5")
    assert table.refused("step 0809") == ("impassable", "8.1.5")
    table = Table("axis-movement", {"ge-6pz": "0101"}).do("pick ge-6pz")
    assert table.offered("step") == {"0102", "0201"}


@rule("a_victory_lost", "8.2", "8.2.1")
def test_zones_cost_two_points_in_and_two_points_out() -> None:
    table = Table("axis-movement", {"ge-6pz": "0708", "su-91": "0908"})
    table.do("pick ge-6pz", "step 0808")
    assert table.left == 10 - 3
    table.do("step 0807")  # from zone to zone: 1 + 2 + 2
    assert table.left == 10 - 3 - 5
    assert table.refused("step 0708") == ("too-dear", "8.1.2")
    table = Table("axis-movement", {"ge-6pz": "0808", "su-91": "0908"}).do("pick ge-6pz", "step 0708")
    assert table.left == 10 - 3


@rule("a_victory_lost", "8.2.1")
def test_zones_cost_the_first_and_the_last_counter_of_a_side_as_much() -> None:
    axis = [unit for unit in plain_game().units if unit.axis]
    soviet = [unit for unit in plain_game().units if not unit.axis]
    for unit in (axis[0], axis[-1], soviet[0], soviet[-1]):
        side, foe = ("axis", "su-91") if unit.axis else ("soviet", "ge-62")
        table = Table(f"{side}-movement", {unit.id: "0708", foe: "0908"}).do(f"pick {unit.id}")
        before = table.left
        assert table.do("step 0808").left == before - 3, unit.id


@rule("a_victory_lost", "8.2.1")
def test_friends_do_not_cancel_zones() -> None:
    table = Table("axis-movement", {"ge-6pz": "0708", "ge-62": "0808", "su-91": "0908"})
    table.do("pick ge-6pz", "step 0808")
    assert table.left == 7


@rule("a_victory_lost", "8.2.2")
def test_no_unit_crosses_a_major_river_from_zone_to_zone() -> None:
    units = {"ge-6pz": "0808", "su-91": "0909", "ge-62": "0908"}  # both hexes are in the zone of 0909
    bridge = {"0808/0908": "major_river+bridge"}
    table = Table("axis-movement", units, sides=bridge).do("pick ge-6pz")
    assert table.refused("step 0908") == ("river-zone-to-zone", "8.2.2")
    table = Table("axis-movement", units).do("pick ge-6pz", "step 0908")
    assert table.left == 5


@rule("a_victory_lost", "8.2.2")
def test_into_a_zone_across_a_major_river_is_allowed() -> None:
    units = {"ge-6pz": "0808", "su-91": "1007"}
    table = Table("axis-movement", units, sides=RIVER).do("pick ge-6pz", "step 0908")
    assert table.where("ge-6pz") == "0908"


ROAD = {
    "0408/0508": "road",
    "0508/0608": "road",
    "0608/0708": "road",
    "0708/0808": "road",
    "0808/0908": "road",
}


@rule("a_victory_lost", "8.3", "8.3.1")
def test_strategic_movement_costs_half_a_point_a_hex() -> None:
    table = Table("axis-movement", {"ge-62": "0408"}, sides=ROAD, terrain={"0508": "woods"})
    table.do("march ge-62", "step 0508", "step 0608", "step 0708")
    assert table.left == 3.5
    assert table.refused("step 0709") == ("off-road", "8.3.1")
    assert table.offered("step") == {"0608", "0808"}


@rule("a_victory_lost", "8.3.1", "8.1.2", "5.0.4")
def test_strategic_movement_ends_with_the_last_half_point() -> None:
    units = {"ge-62": "0408", "ge-23pz": "0808", "ge-6pz": "0808"}
    way = ("march ge-62", "step 0508", "step 0608", "step 0708")
    table = Table("axis-movement", units, sides=ROAD, isolated=["ge-62"]).do(*way)
    assert table.left == 0.5
    # 0808 is full, and nothing is left to go on to 0908
    assert table.refused("step 0808") == ("stacking", "5.0.1")
    table = Table("axis-movement", {"ge-62": "0408"}, sides=ROAD, isolated=["ge-62"]).do(*way, "step 0808")
    assert table.where("ge-62") == "0808"
    if table.asked == "move-unit":
        assert table.options == {"halt"}
        assert table.refused("step 0908") == ("too-dear", "8.1.2")


@rule("a_victory_lost", "8.3.1")
def test_an_ordinary_move_gains_nothing_by_a_road() -> None:
    table = Table("axis-movement", {"ge-62": "0408"}, sides=ROAD).do("pick ge-62", "step 0508")
    assert table.left == 4


@rule("a_victory_lost", "8.3.1")
def test_strategic_movement_begins_on_a_road_and_out_of_enemy_zones() -> None:
    table = Table("axis-movement", {"ge-62": "0409", "ge-6pz": "0808", "su-91": "0809"}, sides=ROAD)
    assert table.refused("march ge-62") == ("no-road-here", "8.3.1")
    assert table.refused("march ge-6pz") == ("march-from-zone", "8.3.1")


@rule("a_victory_lost", "8.3.1")
def test_strategic_movement_enters_no_enemy_zone_but_overruns_hqs() -> None:
    table = Table("axis-movement", {"ge-62": "0408", "su-91": "0809"}, sides=ROAD)
    table.do("march ge-62", "step 0508", "step 0608", "step 0708")
    assert table.refused("step 0808") == ("march-into-zone", "8.3.1")
    table = Table("axis-movement", {"ge-62": "0408", "hq-51a": "0508"}, sides=ROAD).do(
        "march ge-62", "step 0508"
    )
    assert table.asked == "reposition-hq"
    table.do(sorted(table.options)[0], "step 0608")


@rule("a_victory_lost", "8.3.2")
def test_railways_are_no_roads() -> None:
    table = Table("axis-movement", {"ge-62": "0408"}, sides={"0408/0508": "rail"})
    assert table.refused("march ge-62") == ("no-road-here", "8.3.1")
    sides = {"0408/0508": "rail", "0408/0409": "road"}
    table = Table("axis-movement", {"ge-62": "0408"}, sides=sides).do("march ge-62")
    assert table.refused("step 0508") == ("off-road", "8.3.1")
