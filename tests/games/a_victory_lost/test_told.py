"""What happens is told: every kind of event, where it belongs and with its facts."""

from __future__ import annotations

from typing import Any

from grognard.board.board import each
from grognard.games.a_victory_lost.state import AXIS, SOVIET
from tests.games.a_victory_lost.table import Table
from tests.rules import rule


def told(table: Table, kind: str, **facts: Any) -> bool:
    """Whether an event was told with these facts, units and hexes by name."""
    game = table.game
    wanted = {
        name: table.cell(value)
        if name.startswith("hex")
        else tuple(map(game.unit_index, value))
        if name.startswith("units")
        else game.unit_index(value)
        if name.startswith("unit")
        else game.chit_index(value)
        if name == "chit"
        else value
        for name, value in facts.items()
    }
    return any(wanted.items() <= event.items() for event in table.events(kind))


@rule("a_victory_lost", "8.1", "12.1", "12.7")
def test_a_move_and_an_overrun_are_told() -> None:
    table = Table("axis-movement", {"ge-6pz": "1008", "hq-51a": "1208"})
    table.do("pick ge-6pz", "step 1108", "step 1208", "reposition 1608")
    assert told(table, "moved", unit="ge-6pz", hex_from="1008", hex="1108")
    assert told(table, "hq-overrun", unit="ge-6pz", unit_hq="hq-51a", hex="1208")
    assert told(table, "hq-displaced", unit="hq-51a", hex="1208")
    assert told(table, "hq-repositioned", unit="hq-51a", hex="1608")


@rule("a_victory_lost", "9.2", "9.3", "9.4.1", "9.4.2", "9.5", "9.6", "12.3", "12.4")
def test_a_battle_is_told_from_the_declaration_to_the_advance() -> None:
    units = {"su-1gm": "1008", "hq-51a": "1008", "ge-6pz": "0908", "hq-4pza": "0908"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "15-9", "ge-6pz": "9-3"})
    table.do("target 0908", "join su-1gm", "fight", "roll 5")  # 1DR2
    assert told(table, "attack", units=["su-1gm"], hex="0908", units_target=["ge-6pz"])
    assert told(table, "odds", attack=15, defence=3)
    assert told(table, "result", die=5, result="1DR2")
    assert told(table, "reduced", unit="ge-6pz", hex="0908")
    table.do("fall-back ge-6pz 0808", "fall-back ge-6pz 0708", "go-with ge-6pz")
    assert told(table, "retreated", unit="ge-6pz", hex_from="0808", hex="0708")
    assert told(table, "hq-retreated", unit="hq-4pza", hex="0708")
    table.do("advance su-1gm")
    assert told(table, "advanced", unit="su-1gm", hex="0908")
    table.do("on 0808", "bring hq-51a")
    assert told(table, "advanced", unit="su-1gm", hex="0808")
    assert told(table, "hq-advanced", unit="hq-51a", hex="0808")


@rule("a_victory_lost", "9.4.2", "9.5.8", "14.0.1")
def test_the_dead_are_told_with_their_worth() -> None:
    ring = {"su-91": "0807", "su-126": "0808", "su-3g": "0907", "su-24g": "0909", "su-33g": "1007"}
    units = {"su-1gm": "1008", "ge-6pz": "0908", **ring}
    table = Table("soviet-combat", units, strengths={"su-1gm": "9-9", "ge-6pz": "9-3"})
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    assert told(table, "trapped", unit="ge-6pz", hex="0908")
    assert told(table, "eliminated", unit="ge-6pz", hex="0908", score=3)


@rule("a_victory_lost", "9.5.4")
def test_a_full_hex_on_the_way_back_is_told() -> None:
    full = {"ge-62": "0808", "ge-294": "0808", "ge-336": "0807", "ge-298": "0807"}
    units = {"su-1gm": "1008", "ge-6pz": "0908", **full}
    table = Table("soviet-combat", units, strengths={"su-1gm": "9-9", "ge-6pz": "9-3"})
    table.do("target 0908", "join su-1gm", "fight", "roll 4", "fall-back ge-6pz 0808")
    assert told(table, "no-room", unit="ge-6pz", hex="0808")


@rule("a_victory_lost", "9.5.4")
def test_a_full_hex_in_the_middle_of_the_way_back_is_not() -> None:
    full = {"ge-62": "0808", "ge-294": "0808"}
    water = dict.fromkeys(("0807", "0907", "0909", "1007"), "sea")
    units = {"su-1gm": "1008", "ge-6pz": "0908", **full}
    strengths = {"su-1gm": "15-9", "ge-6pz": "9-3"}
    table = Table("soviet-combat", units, strengths=strengths, terrain=water)
    table.do(
        "target 0908", "join su-1gm", "fight", "roll 5", "fall-back ge-6pz 0808", "fall-back ge-6pz 0708"
    )
    assert table.where("ge-6pz") == "0708"
    assert table.events("no-room") == []


@rule("a_victory_lost", "9.5.8", "9.5.3")
def test_who_is_trapped_on_his_way_is_told() -> None:
    """The hex that it enters is full, and there is none behind it."""
    full = {"ge-62": "0808", "ge-294": "0808"}
    water = dict.fromkeys(("0807", "0907", "0909", "1007", "0707", "0708", "0709", "0809"), "sea")
    units = {"su-1gm": "1008", "ge-6pz": "0908", **full}
    table = Table("soviet-combat", units, strengths={"su-1gm": "9-9", "ge-6pz": "9-3"}, terrain=water)
    table.do("target 0908", "join su-1gm", "fight", "roll 4", "fall-back ge-6pz 0808")
    assert told(table, "no-room", unit="ge-6pz", hex="0808")
    assert told(table, "trapped", unit="ge-6pz", hex="0808")
    assert table.where("ge-6pz") == "dead"


@rule("a_victory_lost", "7.2.1", "7.2.2", "7.3.1")
def test_draws_activations_and_a_manstein_put_back_are_told() -> None:
    units = {"hq-4pza": "0808", "ge-6pz": "0808"}
    table = Table("draw", units, turn=6, cup=["manstein-1", "4pza", "hollidt"])
    table.do("draw chit-manstein-1", "put-back")
    assert told(table, "chit-drawn", chit="chit-manstein-1", word_side="axis")
    assert told(table, "manstein-put-back", chit="chit-manstein-1")
    table.do("draw chit-hollidt")
    assert told(table, "no-hq", chit="chit-hollidt")
    table.do("draw chit-4pza")
    assert told(table, "activation", units=["hq-4pza"], number=1)
    assert [e.case for e in table.state.log or [] if e.kind == "activation"] == ["7.3.1"]


@rule("a_victory_lost", "7.1.2", "15.0.2")
def test_selections_are_told_to_who_made_them_and_the_cup_to_everybody() -> None:
    table = Table(
        "command",
        {},
        turn=1,
        axis_chits=["4pza", "hollidt", "it8a", "h2a", "r3a"],
        soviet_chits=["1gda", "2gda", "3gda", "5tka", "popov"],
        options=["soviets_plan_ahead"],
    )
    table.do("select chit-1gda", "select chit-2gda", "select chit-3gda")
    table.do("plan chit-2gda", "plan chit-5tka", "plan chit-popov")
    while table.asked == "select-axis-chits":
        table.do(sorted(table.options)[0])
    log = table.state.log or []
    chosen = {(e.audience, e.facts["chits"]) for e in log if e.kind == "chits-selected"}
    assert chosen == {(side, tuple(each(table.state.chosen[side]))) for side in (AXIS, SOVIET)}
    planned = [(e.audience, e.facts["chits"]) for e in log if e.kind == "chits-planned"]
    assert planned == [(SOVIET, tuple(each(table.state.planned)))]
    numbers = {"axis": table.state.chosen[AXIS].bit_count(), "soviet": 4}
    assert table.events("cup-filled") == [numbers]


@rule("a_victory_lost", "14.0.1", "14.0.2")
def test_the_verdict_is_told() -> None:
    table = Table("end-of-turn", {}, turn=9, points=(12, 7))
    assert table.events("verdict") == [{"word_level": "axis-points", "axis": 12, "soviet": 7}]
    for points, side in (((40, 7), "axis"), ((7, 40), "soviet")):
        table = Table("end-of-turn", {}, turn=3, points=points)
        assert table.events("sudden-death") == [{"word_side": side, "lead": 33}]


@rule("a_victory_lost", "11.1.1", "11.1.2", "11.1.3", "11.2.1", "11.3")
def test_arrivals_are_told() -> None:
    rail = {"0108/0208": "rail"}
    table = Table(
        "end-of-turn",
        {"hq-hollidt": "1008", "ge-6pz": "2008"},
        turn=4,
        to_come={"ge-gd": 4, "hq-1pza": 4, "ge-3pz": 4},
        axis_chits=["hollidt"],
        sides=rail,
    )
    assert told(table, "chit-received", chit="chit-1pza")
    assert told(table, "chit-received", chit="chit-manstein-1")
    assert told(table, "in-box", units=["hq-1pza", "ge-3pz"])
    table.do("arrive ge-gd", "detrain 0108")
    assert told(table, "arrived", unit="ge-gd", hex="0108")
    assert told(table, "hq-withdrawn", unit="hq-hollidt")
    table = Table("end-of-turn", {"su-91": "0108"}, turn=4, to_come={"ge-gd": 4, "hq-kempf": 4}, sides=rail)
    assert told(table, "never-arrived", unit="ge-gd", score=3)
    assert told(table, "never-arrived", unit="hq-kempf", score=0)


@rule("a_victory_lost", "11.2.2")
def test_an_army_that_leaves_its_box_is_told() -> None:
    table = Table("axis-movement", {"su-1": "2008"}, in_box=["ge-3pz", "hq-1pza"])
    table.do("enter ge-3pz 0716")
    assert told(table, "entered", unit="ge-3pz", hex="0716")


@rule("a_victory_lost", "10.1.3", "12.7", "4.0")
def test_supply_and_the_turn_are_told() -> None:
    sea = {f"10{r:02}": "sea" for r in range(1, 17)}
    table = Table(
        "supply",
        {"ge-6pz": "1208", "ge-62": "1308", "ge-294": "0508"},
        terrain=sea,
        unsupplied=["ge-62", "ge-294"],
    )
    assert told(table, "unsupplied", units=["ge-6pz"])
    assert told(table, "isolated", units=["ge-62"])
    assert told(table, "supplied", units=["ge-294"])
    assert table.events("turn")[-1] == {"turn": 4}


@rule("a_victory_lost", "9.6.1")
def test_who_may_advance_next_is_asked_about_the_hex_set_free() -> None:
    """Not about the unit that has advanced before."""
    units = {"su-1gm": "1008", "su-2gm": "1007", "ge-6pz": "0908"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "50-9", "su-2gm": "50-9", "ge-6pz": "9-3"})
    table.do("target 0908", "join su-1gm", "join su-2gm", "fight", "roll 6", "advance su-1gm", "on 0808")
    assert table.asked == "advance-unit"
    facts = table.game.prompt_facts(table.state)
    assert facts["hex"] == table.cell("0908")
    assert "unit" not in facts


@rule("a_victory_lost", "11.1.2", "12.7")
def test_an_hq_that_comes_back_brings_no_second_chit() -> None:
    table = Table(
        "end-of-turn", {}, turn=6, to_come={"hq-4pza": 6}, axis_chits=["4pza"], sides={"0108/0208": "rail"}
    )
    assert not told(table, "chit-received", chit="chit-4pza")


@rule("a_victory_lost", "11.1.1")
def test_the_next_arrival_is_asked_for_without_naming_the_last() -> None:
    rail = {"0108/0208": "rail"}
    table = Table("end-of-turn", {}, turn=4, to_come={"ge-gd": 4, "ge-62": 4}, sides=rail)
    assert "unit" not in table.game.prompt_facts(table.state)
    table.do("arrive ge-gd", "detrain 0108")
    assert table.asked == "choose-arrival"
    assert "unit" not in table.game.prompt_facts(table.state)


@rule("a_victory_lost", "9.5.3", "9.5.1")
def test_after_a_unit_has_died_on_its_way_the_next_is_asked_for_the_whole_retreat() -> None:
    foes = {"su-91": "0707", "su-126": "0709", "su-87": "0906"}
    units = {"su-1gm": "1008", "ge-62": "0908", "ge-6pz": "0908", **foes}
    strengths = {"su-1gm": "9-9", "ge-6pz": "9-2", "ge-62": "1/-"}
    table = Table("soviet-combat", units, strengths=strengths).do(
        "target 0908", "join su-1gm", "fight", "roll 4"
    )
    first = sorted(o for o in table.options if o.startswith("fall-back ge-62"))[0]
    table.do(first)
    assert table.where("ge-62") == "dead"
    assert table.asked == "fall-back"
    assert table.game.prompt_facts(table.state)["number"] == 1
