"""11.0 Reinforcements."""

from __future__ import annotations

from grognard.games.a_victory_lost.state import AXIS, SOVIET
from tests.games.a_victory_lost.table import Table
from tests.rules import rule

RAIL = {
    "0108/0208": "rail",
    "0208/0308": "rail",
    "0308/0408": "rail",
    "0408/0508": "rail",
    "0508/0608": "rail",
}
SOVIET_RAIL = {"2408/2308": "rail", "2308/2208": "rail"}


@rule("a_victory_lost", "11.0")
def test_units_arrive_on_their_turn_only() -> None:
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3, "ge-dr": 4}, sides=RAIL)
    assert table.offered("arrive") == {"ge-gd"}
    assert table.refused("arrive ge-dr") == ("not-due", "11.0")


@rule("a_victory_lost", "11.1", "11.1.1")
def test_the_axis_places_first_then_the_soviets() -> None:
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3, "su-12tk": 3}, sides=RAIL | SOVIET_RAIL)
    assert table.actor == "axis"
    table.do("arrive ge-gd", "detrain 0308")
    assert table.actor == "soviet"
    table.do("arrive su-12tk")
    assert table.offered("detrain") == {"2408", "2308", "2208"}


@rule("a_victory_lost", "11.1.1")
def test_arrivals_are_on_railways_joined_to_a_source() -> None:
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3}, sides=RAIL | {"0808/0908": "rail"}).do(
        "arrive ge-gd"
    )
    assert table.offered("detrain") == {"0108", "0208", "0308", "0408", "0508", "0608"}
    assert table.refused("detrain 0209") == ("not-on-rail", "11.1.1")
    assert table.refused("detrain 0808") == ("rail-cut", "11.1.1")


@rule("a_victory_lost", "11.1.1")
def test_enemies_hqs_and_zones_cut_the_line_and_friends_do_not_help() -> None:
    to_come = {"ge-gd": 3}
    table = Table("end-of-turn", {"hq-51a": "0308"}, to_come=to_come, sides=RAIL).do("arrive ge-gd")
    assert table.offered("detrain") == {"0108", "0208"}
    units = {"su-91": "0407", "ge-62": "0308"}  # the zone covers 0308 and 0408
    table = Table("end-of-turn", units, to_come=to_come, sides=RAIL).do("arrive ge-gd")
    assert table.offered("detrain") == {"0108", "0208"}
    assert table.refused("detrain 0408") == ("arrival-in-zone", "11.1.1")
    assert table.refused("detrain 0608") == ("rail-cut", "11.1.1")


@rule("a_victory_lost", "11.1.1", "14.0.1")
def test_an_arrival_takes_a_city() -> None:
    table = Table(
        "end-of-turn",
        {},
        to_come={"ge-gd": 3},
        sides={"0108/0107": "rail", "0107/0106": "rail"},
        soviet_cities=["0106"],
        points=(20, 5),
    )
    table.do("arrive ge-gd", "detrain 0106")
    assert table.points == (25, 0)


@rule("a_victory_lost", "11.1.1")
def test_whatever_can_arrive_must() -> None:
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3, "ge-320": 3}, sides=RAIL)
    assert table.options == {"arrive ge-gd", "arrive ge-320"}


@rule("a_victory_lost", "11.1.2")
def test_the_chits_of_arriving_axis_hqs_and_mansteins_join_the_pool() -> None:
    units = {"ge-6pz": "0209"}
    table = Table("end-of-turn", units, turn=4, to_come={"hq-kempf": 4}, sides=RAIL, axis_chits=["4pza"])
    assert table.chits(table.state.pool[AXIS]) == {"4pza", "kempf", "manstein-1"}


@rule("a_victory_lost", "11.1.2")
def test_the_soviets_receive_no_chits() -> None:
    table = Table(
        "end-of-turn", {}, turn=5, to_come={"hq-popov": 5}, sides=SOVIET_RAIL, soviet_chits=["1gda"]
    )
    table.do("arrive hq-popov", "detrain 2308")
    assert table.chits(table.state.pool[SOVIET]) == {"1gda", "stavka"}


@rule("a_victory_lost", "11.1.3")
def test_arrivals_that_cannot_enter_are_eliminated() -> None:
    table = Table("end-of-turn", {"su-91": "0108"}, to_come={"ge-gd": 3, "hq-kempf": 3}, sides=RAIL)
    assert table.where("ge-gd") == "dead"
    assert table.where("hq-kempf") == "dead"
    assert table.points == (25, 3)


BOX = {"hq-1pza": 4, "ge-3pz": 4, "ge-111": 4}


@rule("a_victory_lost", "11.2", "11.2.1")
def test_the_first_panzer_army_waits_in_its_box_and_its_chit_is_there() -> None:
    table = Table("end-of-turn", {}, turn=4, to_come=BOX, axis_chits=["4pza"])
    assert table.where("hq-1pza") == table.where("ge-3pz") == "in box"
    assert "1pza" in table.chits(table.state.pool[AXIS])


@rule("a_victory_lost", "11.2.1")
def test_the_28th_army_waits_in_its_box() -> None:
    table = Table("end-of-turn", {}, turn=3, to_come={"hq-28a": 3, "su-34g": 3})
    assert table.where("hq-28a") == table.where("su-34g") == "in box"


IN_BOX = ["hq-1pza", "ge-3pz", "ge-111"]
BOX_ROAD = {"0816/0815": "road", "0815/0814": "road"}


@rule("a_victory_lost", "11.2.2")
def test_a_boxed_army_must_enter_when_it_is_activated() -> None:
    table = Table("draw", {}, turn=5, in_box=IN_BOX, cup=["1pza"], sides=BOX_ROAD).do("draw chit-1pza")
    assert table.refused("end") == ("must-enter", "11.2.2")
    assert table.refused("enter ge-3pz 0916") == ("not-by-the-box", "11.2.2")
    table.do("enter ge-3pz 0716")
    assert table.left == 9
    table.do("step 0715", "halt", "march-in ge-111 0816")
    assert table.left == 4.5
    table.do("step 0815", "step 0814", "halt")
    assert table.refused("end") == ("must-enter", "11.2.2")
    assert table.refused("march-in hq-1pza 0716") == ("off-road", "8.3.1")
    table.do("enter hq-1pza 0716", "halt", "end")
    assert table.refused("enter ge-3pz 0716")[0] == "not-now"


@rule("a_victory_lost", "11.2.2")
def test_once_out_nobody_goes_back_into_the_box() -> None:
    table = Table("draw", {}, turn=5, in_box=IN_BOX, cup=["1pza"]).do("draw chit-1pza", "enter ge-3pz 0716")
    assert table.offered("step") == {"0715", "0615", "0616", "0815", "0816"}


@rule("a_victory_lost", "11.2.2", "11.1.3")
def test_a_boxed_army_that_cannot_enter_is_lost() -> None:
    units = {"su-91": "0716", "su-126": "0816"}
    table = Table("draw", units, turn=5, in_box=IN_BOX, cup=["1pza"]).do("draw chit-1pza", "end")
    assert table.where("ge-3pz") == table.where("hq-1pza") == "dead"


@rule("a_victory_lost", "11.2.3")
def test_a_boxed_hq_activates_the_units_in_its_box_only() -> None:
    table = Table("draw", {"ge-6pz": "0716"}, turn=5, in_box=IN_BOX, cup=["1pza"]).do("draw chit-1pza")
    assert table.activated() == {"ge-3pz", "ge-111"}


@rule("a_victory_lost", "11.3", "12.6")
def test_hqs_that_command_nobody_are_withdrawn_with_their_chits() -> None:
    units = {"hq-4pza": "0808", "hq-kempf": "0802", "ge-6pz": "0801", "su-91": "0809"}
    table = Table("end-of-turn", units, axis_chits=["4pza", "kempf"])
    assert table.where("hq-4pza") == "dead"
    assert table.where("hq-kempf") == "0802"
    assert table.chits(table.state.pool[AXIS]) == {"kempf"}


@rule("a_victory_lost", "11.3")
def test_an_allied_hq_counts_its_own_nation_and_germans() -> None:
    units = {"hq-h2a": "0808", "ro-1": "0809", "hq-r3a": "0802", "ge-6pz": "0803"}
    table = Table("end-of-turn", units, axis_chits=["h2a", "r3a"])
    assert table.where("hq-h2a") == "dead"
    assert table.where("hq-r3a") == "0802"
