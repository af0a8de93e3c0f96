"""11.1 and 11.2 in the corners: railheads, boxes, HQs that come and go."""

from __future__ import annotations

from random import Random

import pytest

from grognard.games.a_victory_lost.state import AXIS, SOVIET
from tests.games.a_victory_lost.table import Table, real_game
from tests.games.table_base import shown_groups
from tests.rules import rule

RAIL = {f"0{c}08/0{c + 1}08": "rail" for c in range(1, 6)}
SOVIET_RAIL = {"2408/2308": "rail", "2308/2208": "rail"}


def arriving(units: dict[str, str], unit: str = "ge-gd", **more: object) -> set[str]:
    """The hexes where a unit due this turn may leave its trains; none if it is lost."""
    table = Table("end-of-turn", units, to_come={unit: 3}, **more)  # type: ignore[arg-type]
    if table.asked != "choose-arrival":
        return set()
    return table.do(f"arrive {unit}").offered("detrain")


@rule("a_victory_lost", "11.1.1")
def test_the_line_runs_along_the_rails_not_from_station_to_station() -> None:
    """0308 and 0408 both have rails, but none between them; a road is no railway."""
    gap = {"0108/0208": "rail", "0208/0308": "rail", "0308/0408": "road", "0408/0508": "rail"}
    assert arriving({}, sides=gap) == {"0108", "0208", "0308"}


@rule("a_victory_lost", "11.1.1")
def test_a_source_without_rails_is_no_station() -> None:
    assert arriving({}, sides={"0308/0408": "rail"}) == set()


@rule("a_victory_lost", "11.1.1")
def test_rivers_do_not_stop_trains() -> None:
    """A railway over a river is a bridge (2.1.3)."""
    assert arriving({}, sides=RAIL | {"0208/0308": "rail+major_river"}) >= {"0308", "0608"}


@rule("a_victory_lost", "11.1.1")
def test_arrivals_need_no_hq_nearby() -> None:
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3}, sides=RAIL).do("arrive ge-gd", "detrain 0608")
    assert table.where("ge-gd") == "0608"
    assert table.supply("ge-gd") == "supplied"
    assert table.steps("ge-gd") == 2


@rule("a_victory_lost", "11.1.1")
def test_each_side_uses_its_own_sources() -> None:
    both = RAIL | SOVIET_RAIL
    assert arriving({}, sides=both) == {"0108", "0208", "0308", "0408", "0508", "0608"}
    assert arriving({}, "su-12tk", sides=both) == {"2408", "2308", "2208"}


@rule("a_victory_lost", "11.1.1")
def test_axis_arrivals_bar_the_soviets_who_come_second() -> None:
    line = {f"{c:02}08/{c + 1:02}08": "rail" for c in range(1, 24)}
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3, "su-12tk": 3}, sides=line)
    table.do("arrive ge-gd", "detrain 1208", "arrive su-12tk")
    assert "1408" in table.offered("detrain")
    assert table.refused("detrain 1308") == ("arrival-in-zone", "11.1.1")
    assert table.refused("detrain 1008") == ("rail-cut", "11.1.1")


@rule("a_victory_lost", "11.1.1", "5.0.3")
def test_an_hq_does_not_arrive_where_another_is() -> None:
    units = {"hq-4pza": "0208", "ge-6pz": "0208", "ge-62": "0208"}
    assert arriving(units, "hq-kempf", sides=RAIL) == {"0108", "0308", "0408", "0508", "0608"}


@rule("a_victory_lost", "11.1.3")
def test_a_full_line_leaves_the_rest_behind() -> None:
    """One station with room for one: the owner says who takes it; the other is lost."""
    rail = {"0108/0208": "rail"}
    units = {"ge-62": "0108", "ge-294": "0108", "ge-336": "0208"}
    table = Table("end-of-turn", units, to_come={"ge-gd": 3, "ge-320": 3}, sides=rail)
    table.do("arrive ge-320", "detrain 0208")
    assert table.where("ge-gd") == "dead"
    assert table.points == (25, 3)


@rule("a_victory_lost", "11.1.3", "14.0.1")
@pytest.mark.parametrize(
    ("unit", "points"), [("ge-gd", (25, 3)), ("ge-320", (25, 1)), ("hq-kempf", (25, 0)), ("su-12tk", (26, 0))]
)
def test_those_who_cannot_enter_score_like_the_dead(unit: str, points: tuple[int, int]) -> None:
    table = Table("end-of-turn", {}, to_come={unit: 3}, axis_chits=["kempf"])
    assert table.where(unit) == "dead"
    assert table.points == points
    if unit == "hq-kempf":
        assert not table.state.pool[AXIS]


@rule("a_victory_lost", "11.1.2")
def test_manstein_comes_on_his_turns_once() -> None:
    for turn, names in ((3, set()), (4, {"manstein-1"}), (5, set()), (6, {"manstein-2"})):
        table = Table("end-of-turn", {}, turn=turn)
        assert table.chits(table.state.pool[AXIS]) == names
    table = Table("end-of-turn", {}, turn=6, axis_chits=["manstein-1"])
    assert table.chits(table.state.pool[AXIS]) == {"manstein-1", "manstein-2"}


@rule("a_victory_lost", "11.1.2", "11.2.1")
def test_only_the_chits_of_hqs_that_arrive_now_come() -> None:
    table = Table(
        "end-of-turn",
        {"ge-6pz": "0209"},
        turn=5,
        to_come={"hq-kempf": 5, "hq-f-pico": 6, "ge-dr": 5},
        sides=RAIL,
    )
    assert table.chits(table.state.pool[AXIS]) == {"kempf"}
    known = shown_groups(table.game, table.state, "chits:axis", SOVIET)
    assert [chit for chits in known.values() for chit in chits] == ["chit-kempf"]


@rule("a_victory_lost", "11.1.2")
def test_a_soviet_hq_brings_no_chit_even_when_it_stays() -> None:
    table = Table(
        "end-of-turn",
        {"su-91": "2307"},
        turn=5,
        to_come={"hq-popov": 5},
        sides=SOVIET_RAIL,
        soviet_chits=["1gda"],
    )
    table.do("arrive hq-popov", "detrain 2308")
    assert table.where("hq-popov") == "2308"
    assert table.chits(table.state.pool[SOVIET]) == {"1gda", "stavka"}


# 11.2 Boxes

BOXED = ["hq-1pza", "ge-3pz", "ge-111"]


def entering(units: dict[str, str] | None = None, **more: object) -> Table:
    table = Table("draw", units or {}, turn=5, in_box=BOXED, cup=["1pza"], **more)  # type: ignore[arg-type]
    return table.do("draw chit-1pza")


@rule("a_victory_lost", "11.2.2")
def test_the_first_hex_costs_what_its_ground_and_the_enemy_ask() -> None:
    assert entering(terrain={"0716": "rough"}).do("enter ge-3pz 0716").left == 8
    table = entering({"su-91": "0715"}).do("enter ge-3pz 0716")
    assert table.left == 10 - 1 - 2


@rule("a_victory_lost", "11.2.2", "5.0.4")
def test_who_enters_by_a_full_hex_goes_on() -> None:
    table = entering({"ge-6pz": "0716", "ge-62": "0716"}).do("enter ge-3pz 0716")
    assert table.refused("halt") == ("stacking", "5.0.1")
    assert table.do("step 0715", "halt").where("ge-3pz") == "0715"


@rule("a_victory_lost", "11.2.2", "8.3.1")
def test_a_march_enters_by_a_road_hex_out_of_enemy_zones() -> None:
    road = {"0716/0715": "road"}
    table = entering(sides=road)
    assert table.refused("march-in ge-3pz 0816") == ("off-road", "8.3.1")
    assert table.do("march-in ge-3pz 0716").left == 9.5
    table = entering({"su-91": "0815"}, sides=road)
    assert table.refused("march-in ge-3pz 0716") == ("march-into-zone", "8.3.1")


@rule("a_victory_lost", "11.2.2", "8.1.3")
def test_who_has_entered_does_not_cross_a_major_river_in_the_same_move() -> None:
    table = entering(sides={"0716/0715": "major_river"}).do("enter ge-3pz 0716")
    assert table.refused("step 0715") == ("river-not-first", "8.1.3")


@rule("a_victory_lost", "11.2.2", "5.0.2", "12.1")
def test_an_entry_hex_held_by_the_enemy_is_closed_and_a_lone_hq_overrun() -> None:
    table = entering({"su-91": "0716", "hq-51a": "0816"})
    assert table.refused("enter ge-3pz 0716") == ("enemy-there", "5.0.2")
    assert table.refused("enter hq-1pza 0816") == ("hq-cannot-overrun", "12.1")
    table.do("enter ge-3pz 0816")
    assert (table.asked, table.actor) == ("reposition-hq", "soviet")
    table.do(sorted(table.options)[0])
    assert (table.asked, table.where("ge-3pz")) == ("move-unit", "0816")


@rule("a_victory_lost", "11.2.2")
def test_who_can_enter_must_even_if_others_cannot() -> None:
    """Isolated by the enemy, the army comes in one by one; the last to find no room is lost."""
    water = dict.fromkeys(("0616", "0615", "0715", "0815", "0916", "0915", "0814"), "sea")
    army = [*BOXED, "ge-wik", "ge-444sec"]
    table = Table("draw", {"su-91": "0716"}, turn=5, in_box=army, cup=["1pza"], terrain=water)
    table.do("draw chit-1pza", "enter ge-3pz 0816", "halt")
    assert table.refused("end") == ("must-enter", "11.2.2")
    table.do("enter ge-wik 0816", "halt", "enter hq-1pza 0816", "halt")
    assert table.refused("enter ge-111 0816") == ("stacking", "5.0.1")
    table.do("end")
    assert table.where("ge-111") == table.where("ge-444sec") == "dead"
    assert table.where("hq-1pza") == "0816"


@rule("a_victory_lost", "11.2.2")
def test_a_box_is_for_its_own_army() -> None:
    table = Table("draw", {}, turn=5, in_box=["hq-28a", "su-34g"], cup=["28a"]).do("draw chit-28a")
    assert table.refused("enter su-34g 0716") == ("not-by-the-box", "11.2.2")
    table.do("enter su-34g 1716", "halt", "enter hq-28a 1816", "halt", "end")
    assert table.where("su-34g") == "1716"


@rule("a_victory_lost", "11.2.2", "9.0")
def test_who_has_entered_may_attack() -> None:
    table = entering({"su-91": "0715"}, strengths={"ge-3pz": "50-9"})
    table.do("enter ge-3pz 0716", "halt", "enter ge-111 0816", "halt", "enter hq-1pza 0816", "halt", "end")
    assert table.refusal("target 0715") is None


@rule("a_victory_lost", "11.2.3", "7.3.2")
def test_no_other_hq_activates_the_units_in_a_box() -> None:
    table = Table("draw", {"hq-4pza": "0716", "ge-6pz": "0716"}, turn=5, in_box=BOXED, cup=["4pza"])
    table.do("draw chit-4pza")
    assert table.activated() == {"ge-6pz"}
    assert table.refused("enter ge-3pz 0816") == ("waits-in-box", "11.2.2")
    table.do("end")
    assert table.where("ge-3pz") == "in box"


@rule("a_victory_lost", "11.2.1", "11.3")
def test_an_army_that_has_not_been_called_waits_in_its_box() -> None:
    table = Table("end-of-turn", {}, turn=4, in_box=BOXED, axis_chits=["1pza"])
    assert table.where("hq-1pza") == table.where("ge-3pz") == "in box"
    assert table.chits(table.state.pool[AXIS]) >= {"1pza"}
    alone = Table("end-of-turn", {"ge-6pz": "0716"}, turn=4, in_box=["hq-1pza"], axis_chits=["1pza"])
    assert alone.where("hq-1pza") == "dead"  # the units on the map are none of its own (11.2.3)


@rule("a_victory_lost", "11.2.2", "12.6", "7.2.2")
def test_an_army_lost_at_its_box_leaves_the_other_chits_selected() -> None:
    """Manstein was selected, not played by choice (15.0.2), and may be put back."""
    units = {"su-91": "0716", "su-126": "0816", "hq-4pza": "0208", "ge-6pz": "0208"}
    table = Table("draw", units, turn=5, in_box=BOXED, cup=["1pza", "manstein-1", "4pza"])
    table.do("draw chit-1pza", "end", "end", "draw chit-manstein-1")
    assert table.where("hq-1pza") == "dead"
    assert "put-back" in table.options


@rule("a_victory_lost", "11.2.2", "12.6", "7.1.3")
def test_an_army_lost_at_its_box_takes_its_chit_out_of_the_cup() -> None:
    units = {"su-91": "0716", "su-126": "0816", "hq-4pza": "0208", "ge-6pz": "0208"}
    table = Table("draw", units, turn=5, in_box=BOXED, cup=["1pza", "manstein-1", "4pza"])
    table.do("draw chit-manstein-1", "lead hq-1pza", "end", "end")
    assert table.where("hq-1pza") == "dead"
    lost = {event["unit"]: event["score"] for event in table.events("never-arrived")}
    assert set(lost) == set(map(table.unit, BOXED))
    assert lost[table.unit("hq-1pza")] == 0 < lost[table.unit("ge-3pz")]
    assert table.offered("draw") == {"chit-4pza"}
    assert table.chits(table.state.pool[AXIS]) == {"4pza", "manstein-1"}
    for seed in range(5):  # the other side's guesses still add up
        guess = table.game.imagine(table.state, SOVIET, Random(seed))
        assert table.game.view(guess, SOVIET) == table.game.view(table.state, SOVIET)


@rule("a_victory_lost", "11.2.1")
def test_the_boxes_of_the_real_map_are_at_its_edge_and_usable() -> None:
    game = real_game()
    for side in (AXIS, SOVIET):
        assert game.data.boxes[side]
        assert not game.data.boxes[side] & game.data.pocket
        assert not game.data.boxes[side] & ~game.data.land
        assert game.data.boxes[side] & game.data.on_road  # a march may begin there
    assert not game.data.boxes[AXIS] & game.data.boxes[SOVIET]


# 11.3 Withdrawal


@rule("a_victory_lost", "11.3", "12.6")
def test_the_radius_decides_and_it_stops_at_rivers() -> None:
    units = {"hq-51a": "1208", "su-91": "1608"}
    assert Table("end-of-turn", units).where("hq-51a") == "1208"
    assert Table("end-of-turn", units | {"su-91": "1708"}).where("hq-51a") == "dead"
    river = {f"12{r:02}/13{r:02}": "major_river" for r in range(1, 17)}
    river |= {f"12{r:02}/13{r + 1:02}": "major_river" for r in range(1, 16)}
    assert Table("end-of-turn", units | {"su-91": "1408"}, sides=river).where("hq-51a") == "dead"


@rule("a_victory_lost", "11.3", "12.6")
def test_another_hq_is_no_company() -> None:
    table = Table("end-of-turn", {"hq-51a": "1208", "hq-2gda": "1308"}, soviet_chits=["51a", "2gda"])
    assert table.where("hq-51a") == table.where("hq-2gda") == "dead"
    assert table.chits(table.state.pool[SOVIET]) == {"stavka"}


@rule("a_victory_lost", "11.3")
def test_reinforcements_count_before_hqs_are_withdrawn() -> None:
    table = Table("end-of-turn", {"hq-4pza": "0508"}, to_come={"ge-gd": 3}, sides=RAIL, axis_chits=["4pza"])
    assert table.where("hq-4pza") == "0508"
    table.do("arrive ge-gd", "detrain 0308")
    assert table.where("hq-4pza") == "0508"
    table = Table("end-of-turn", {"hq-4pza": "1208"}, to_come={"ge-gd": 3}, sides=RAIL, axis_chits=["4pza"])
    assert table.do("arrive ge-gd", "detrain 0308").where("hq-4pza") == "dead"


@rule("a_victory_lost", "11.3")
def test_an_hq_that_arrives_to_command_nobody_leaves_at_once() -> None:
    table = Table("end-of-turn", {}, to_come={"hq-kempf": 3}, sides=RAIL).do(
        "arrive hq-kempf", "detrain 0308"
    )
    assert table.where("hq-kempf") == "dead"
    assert not table.state.pool[AXIS]


@rule("a_victory_lost", "11.3")
def test_a_german_hq_counts_every_nation() -> None:
    for unit in ("ro-1", "hu-6", "it-trd", "ge-62"):
        assert Table("end-of-turn", {"hq-4pza": "0808", unit: "0809"}).where("hq-4pza") == "0808"


@rule("a_victory_lost", "11.2.2")
def test_only_who_is_in_the_box_enters_from_it() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808"}, in_box=["ge-3pz", "hq-1pza"])
    assert table.refused("enter ge-6pz 0716") == ("not-in-box", "11.2.2")
    assert table.refused("march-in ge-6pz 0716") == ("not-in-box", "11.2.2")
