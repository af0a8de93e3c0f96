"""1.0, 2.0: scale, rounding, counters, chits."""

from __future__ import annotations

import itertools

import pytest

from grognard.board.board import each
from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.state import SOVIET
from tests.games.a_victory_lost.table import Table, plain_game, real_game
from tests.games.table_base import shown_part, shown_units
from tests.rules import rule


@rule("a_victory_lost", "1.1")
def test_a_hex_is_13_km_and_a_turn_ten_days() -> None:
    game = real_game()
    assert game.board.settings["georeference"]["hex_km"] == 13.0
    days = [turn.first_day for turn in game.turns]
    assert {(b - a).days for a, b in itertools.pairwise(days)} == {10}


@rule("a_victory_lost", "1.1")
def test_soviet_mechanised_and_cavalry_units_are_corps_and_the_others_divisions() -> None:
    for unit in real_game().units:
        if unit.nation == "soviet" and (unit.mechanised or unit.kind == "cavalry"):
            assert unit.size == "XXX", unit.id
        elif not unit.hq:
            assert unit.size in ("XX", "X"), unit.id


@rule("a_victory_lost", "1.3")
def test_halves_and_quarters_are_rounded_down_after_stacked_units_are_added_up() -> None:
    river = {"0808/0908": "river", "0808/0909": "river"}
    two = {"su-1gm": "5-5", "su-2gm": "5-5", "ge-6pz": "1-1"}
    units = {"su-1gm": "0808", "su-2gm": "0808", "ge-6pz": "0908"}
    table = Table("soviet-combat", units, sides=river, strengths=two).do("target 0908", "join su-1gm")
    assert table.odds().attack == 2  # 5 / 2
    assert table.do("join su-2gm").odds().attack == 5  # (5 + 5) / 2, not 2 + 2


@rule("a_victory_lost", "1.3")
def test_a_quarter_of_three_is_nothing() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "0808", "su-2gm": "0807", "ge-6pz": "0908"},
        sides={"0808/0908": "river"},
        strengths={"su-1gm": "3-3", "su-2gm": "9-9", "ge-6pz": "1-1"},
        unsupplied=["su-1gm"],
    ).do("target 0908", "join su-1gm")
    assert table.odds().attack == 0


@rule("a_victory_lost", "2.1.2")
def test_each_side_has_sources_of_its_own() -> None:
    axis, soviet = real_game().data.sources
    assert axis
    assert soviet
    assert not axis & soviet


@rule("a_victory_lost", "2.1.3")
@pytest.mark.parametrize("way", ["road", "rail"])
def test_a_road_or_a_railway_over_a_river_is_a_bridge(way: str) -> None:
    game = plain_game(sides={"0808/0908": f"major_river+{way}", "0808/0909": "major_river"})
    here, bridged, unbridged = (game.board.cell(n) for n in ("0808", "0908", "0909"))
    assert game.data.major[here, bridged] is True
    assert game.data.major[here, unbridged] is False


@rule("a_victory_lost", "2.1.3")
def test_a_bridge_saves_the_price_of_a_minor_river() -> None:
    sides = {"0808/0908": "river+rail", "0808/0909": "river"}
    table = Table("axis-movement", {"ge-6pz": "0808"}, sides=sides).do("pick ge-6pz", "step 0908")
    assert table.left == 9
    table = Table("axis-movement", {"ge-6pz": "0808"}, sides=sides).do("pick ge-6pz", "step 0909")
    assert table.left == 8


@rule("a_victory_lost", "2.2.1")
def test_every_unit_has_a_nation_and_soviets_are_one() -> None:
    for unit in real_game().units:
        assert (unit.nation == "soviet") == (not unit.axis)


@rule("a_victory_lost", "2.2.2")
def test_only_mechanised_units_have_two_strengths() -> None:
    for unit in real_game().units:
        if not unit.mechanised:
            assert unit.attack == unit.defence
    assert any(u.attack != u.defence for u in real_game().units)


@rule("a_victory_lost", "2.2.3")
def test_a_unit_has_two_sides_or_one() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "0808", "ge-6pz": "0908", "ge-22pz": "0908"},
        strengths={"su-1gm": "50-6", "ge-6pz": "3-2/2-1", "ge-22pz": "1-1/-"},
    ).do("target 0908", "join su-1gm")
    assert table.odds().defence == 3
    table.do("fight", "roll 1")  # 2DR2
    table.do("lose ge-6pz")
    assert table.steps("ge-6pz") == 1
    table.do("lose ge-22pz")  # no reduced side
    assert table.where("ge-22pz") == "dead"


@rule("a_victory_lost", "2.2.3")
def test_units_come_onto_the_map_at_full_strength() -> None:
    table = Table("end-of-turn", {}, to_come={"ge-gd": 3}, sides={"0108/0208": "rail"})
    table.do("arrive ge-gd", "detrain 0208")
    assert table.steps("ge-gd") == 2


@rule("a_victory_lost", "2.3", "2.3.1")
def test_an_hq_is_no_combat_unit() -> None:
    table = Table(
        "soviet-combat", {"su-1gm": "0808", "hq-51a": "0808", "ge-6pz": "0908"}, strengths={"su-1gm": "20-9"}
    ).do("target 0908")
    assert table.refused("join hq-51a") == ("hq-does-not-fight", "2.3.1")


@rule("a_victory_lost", "2.3.2")
def test_every_hq_has_a_radius_and_moves() -> None:
    for unit in real_game().units:
        assert (unit.radius > 0) == unit.hq
        if unit.hq:
            assert unit.movement > 0
            assert unit.steps == 0


@rule("a_victory_lost", "2.4")
def test_every_hq_has_one_chit_and_three_are_special() -> None:
    game = real_game()
    owners = [c.hq for c in game.chits if c.hq >= 0]
    assert sorted(owners) == list(each(game.hqs))
    special = [(c.axis, c.id) for c in game.chits if c.hq < 0]
    assert [axis for axis, _ in special].count(True) == 2
    assert [axis for axis, _ in special].count(False) == 1


@rule("a_victory_lost", "2.5")
def test_the_view_shows_what_markers_show() -> None:
    table = Table(
        "axis-movement",
        {"ge-6pz": "0808", "hq-4pza": "0709", "ge-23pz": "1208", "ro-1": "1310"},
        activated=["hq-4pza", "ge-6pz"],
        soviet_cities=["0102"],
        unsupplied=["ge-6pz"],
        isolated=["ro-1"],
    )
    units = shown_units(table.game, table.state, SOVIET)
    assert table.game.view(table.state, SOVIET)["turn"] == 3
    cities = shown_part(table.game, table.state, "cities", SOVIET).hexes
    assert cities["0102"] == "soviet"
    assert cities["0104"] == "axis"
    assert "unsupplied" in units["ge-6pz"]["badges"]
    assert "isolated" in units["ro-1"]["badges"]
    assert "activated" in units["ge-6pz"]["badges"]
    assert "activated" not in units["ge-23pz"]["badges"]  # out of command


@rule("a_victory_lost", "2.2.2")
def test_attack_and_defence_of_a_mechanised_unit_differ_on_both_faces() -> None:
    for unit in real_game().units:
        if unit.mechanised:
            assert unit.attack != unit.defence, unit.id
            assert unit.steps == 1 or unit.reduced_attack != unit.reduced_defence, unit.id


@rule("a_victory_lost", "9.4.1")
def test_every_column_can_hurt_the_defender_and_results_rise_with_odds_and_die() -> None:
    """The cells are ours; nobody would print a column that only kills attackers."""
    table = real_game().data.crt

    def harm(column: int, die: int) -> tuple[int, int, int]:
        found = read_result(table.result(column, die))
        return -found.attacker, found.retreat, found.defender

    for column in table.columns:
        assert harm(column, 6) > (0, 0, 0)
        for die in range(1, 6):
            assert harm(column, die) <= harm(column, die + 1)
        if column != table.columns[-1]:
            assert all(harm(column, die) <= harm(column + 1, die) for die in table.rows)
