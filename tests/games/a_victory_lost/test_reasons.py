"""A refusal gives the reason that is true: of several rules that look alike, the one that applies."""

from __future__ import annotations

from tests.games.a_victory_lost.table import Table, plain_game
from tests.rules import rule


def said(table: Table, text: str) -> str:
    reason = table.refusal(text)
    assert reason is not None
    return table.game.explain(reason, "en")


@rule("a_victory_lost", "7.3.2")
def test_an_hq_beside_the_active_one_is_refused_because_it_is_an_hq() -> None:
    units = {"hq-4pza": "0808", "hq-kempf": "0908", "ge-6pz": "0807"}
    table = Table("draw", units, cup=["4pza"]).do("draw chit-4pza")
    assert table.refused("pick hq-kempf") == ("hq-not-activated", "7.3.2")
    assert "radius" not in said(table, "pick hq-kempf")


@rule("a_victory_lost", "7.3.3")
def test_a_unit_out_of_the_radius_is_refused_for_that() -> None:
    units = {"hq-4pza": "0408", "ge-62": "2008", "su-91": "2108"}
    table = Table("draw", units, cup=["4pza"]).do("draw chit-4pza")
    assert table.refused("pick ge-62") == ("not-activated", "7.0")
    table.do("end")
    table = Table("axis-combat", {"ge-62": "0808", "su-91": "0908", "ge-294": "0907"}, activated=["ge-62"])
    table.do("target 0908")
    assert table.refused("join ge-294") == ("not-activated", "9.1.1")


@rule("a_victory_lost", "7.3.5")
def test_a_unit_of_another_nation_is_refused_for_its_nation() -> None:
    units = {"hq-it8a": "0808", "it-cos": "0807", "ro-1": "0809", "su-91": "0910"}
    table = Table("draw", units, cup=["it8a"]).do("draw chit-it8a")
    assert table.refused("pick ro-1") == ("not-commanded", "7.3.5")
    assert "radius" not in said(table, "pick ro-1")


@rule("a_victory_lost", "7.3.5", "7.3.3")
def test_every_unit_that_an_italian_hq_does_not_move_is_told_whether_it_ever_could() -> None:
    others = [unit for unit in plain_game().units if unit.axis and not unit.hq]
    units = {"hq-it8a": "0408"} | {unit.id: "2008" for unit in others}
    table = Table("axis-movement", units, activated=["hq-it8a"])
    for unit in others:
        reason = (
            ("not-activated", "7.0") if unit.nation in ("german", "italian") else ("not-commanded", "7.3.5")
        )
        assert table.refused(f"pick {unit.id}") == reason, unit.id


@rule("a_victory_lost", "11.2.2")
def test_a_unit_in_a_box_waits_for_its_own_hq() -> None:
    units = {"hq-4pza": "0808", "ge-6pz": "0807"}
    table = Table("draw", units, turn=5, cup=["4pza"], in_box=["ge-3pz", "hq-1pza"]).do("draw chit-4pza")
    assert table.refused("enter ge-3pz 0716") == ("waits-in-box", "11.2.2")


@rule("a_victory_lost", "8.1.3")
def test_a_unit_that_began_on_another_bank_hex_is_told_about_the_first_step() -> None:
    sides = {"0808/0908": "major_river", "0807/0907": "major_river"}
    table = Table("axis-movement", {"ge-6pz": "0808"}, sides=sides).do("pick ge-6pz", "step 0807")
    assert table.refused("step 0907") == ("river-not-first", "8.1.3")
    assert "first step" in said(table, "step 0907")
    assert "bank" not in said(table, "step 0907")


@rule("a_victory_lost", "9.3.3", "9.3.4")
def test_even_strengths_in_rough_are_refused_for_the_ground() -> None:
    units = {"su-1gm": "1008", "ge-6pz": "0908"}
    strengths = {"su-1gm": "5-5", "ge-6pz": "5-5"}
    table = Table("soviet-combat", units, strengths=strengths, terrain={"0908": "rough"})
    assert table.refused("target 0908") == ("shifted-too-low", "9.3.4")
    for fact in ("5 to 5", "1-1", "shifted 1"):
        assert fact in said(table, "target 0908")
    table = Table("soviet-combat", units, strengths={"su-1gm": "4-5", "ge-6pz": "5-5"})
    assert table.refused("target 0908") == ("odds-too-low", "9.3.4")
    table = Table(
        "soviet-combat", {**units, "su-2gm": "1007"}, strengths=strengths, terrain={"0908": "rough"}
    )
    table.do("target 0908", "join su-1gm")
    assert table.refused("fight") == ("shifted-too-low", "9.3.4")


@rule("a_victory_lost", "5.0.1")
def test_a_full_hex_is_not_said_to_be_a_dead_end() -> None:
    """A unit that passes a full hex may go on; it may only not end its move there."""
    units = {"ge-6pz": "0808", "ge-62": "0908", "ge-294": "0908"}
    table = Table("axis-movement", units).do("pick ge-6pz", "step 0908")
    assert table.refused("halt") == ("stacking", "5.0.1")
    assert "go on" not in said(table, "halt")


@rule("a_victory_lost", "9.1.6")
def test_a_target_behind_an_impassable_side_is_not_said_to_have_nobody_next_to_it() -> None:
    units = {"su-1gm": "1008", "ge-6pz": "0908"}
    table = Table("soviet-combat", units, sides={"0908/1008": "impassable"})
    assert table.refused("target 0908") == ("nobody-can-attack", "9.1.1")
    assert "next to" not in said(table, "target 0908")


@rule("a_victory_lost", "15.0.1")
def test_the_administrative_point_that_does_not_count_is_named() -> None:
    """Two points and the bonus are left: enough for the hex in the zone only with the bonus."""
    units = {"su-91": "1408", "ge-6pz": "0908"}
    table = Table("soviet-movement", units, options=["administrative_movement"])
    table.do("pick su-91", "step 1308", "step 1208", "step 1108")
    assert table.left == 3
    assert table.refused("step 1008") == ("bonus-lost", "15.0.1")
    assert "needs 3 MP and has only 2" in said(table, "step 1008")
    table = Table("soviet-movement", units).do("pick su-91", "step 1308", "step 1208", "step 1108")
    assert table.refused("step 1008") == ("too-dear", "8.1.2")


@rule("a_victory_lost", "8.1.2", "15.0.1")
def test_nobody_is_said_to_have_less_than_nothing() -> None:
    """The last points, the administrative one among them, have taken it over an HQ: it is asked once more."""
    units = {"su-91": "1408", "hq-4pza": "0808", "ge-6pz": "0608"}
    table = Table("soviet-movement", units, options=["administrative_movement"]).do("pick su-91")
    table.do(*(f"step {column}08" for column in ("13", "12", "11", "10", "09", "08")))
    while table.asked != "move-unit":
        table.do(min(table.options))
    assert table.left == 0
    assert table.refused("step 0708") == ("too-dear", "8.1.2")
    assert "has only 0" in said(table, "step 0708")


@rule("a_victory_lost", "9.5.2")
def test_a_first_hex_that_leads_nearer_is_not_said_to_lead_away() -> None:
    """Of two hexes nearer to the source, one leads on to another that is nearer, the other does not."""
    units = {"su-1gm": "1008", "ge-6pz": "0908"}
    water = dict.fromkeys(("0707", "0706", "0708"), "sea")
    table = Table("soviet-combat", units, strengths={"su-1gm": "15-9", "ge-6pz": "9-3"}, terrain=water)
    table.do("target 0908", "join su-1gm", "fight", "roll 5")  # 1DR2
    wrong = [o for o in ("0807", "0808") if table.refusal(f"fall-back ge-6pz {o}") is not None]
    assert wrong
    assert table.refused(f"fall-back ge-6pz {wrong[0]}") == ("towards-supply", "9.5.2")
    assert "does not bring" not in said(table, f"fall-back ge-6pz {wrong[0]}")
