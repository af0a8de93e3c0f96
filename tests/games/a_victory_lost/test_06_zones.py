"""6.0 Zones of control."""

from __future__ import annotations

from grognard.board.board import each
from grognard.games.a_victory_lost.state import SOVIET
from grognard.mechanics.control import zone
from tests.games.a_victory_lost.table import Table
from tests.rules import rule


def soviet_zone(table: Table) -> set[str]:
    return {table.game.board.number(c) for c in each(zone(table.game, table.state, SOVIET))}


@rule("a_victory_lost", "6.0", "6.0.1")
def test_a_combat_unit_has_a_zone_all_round() -> None:
    table = Table("axis-movement", {"su-91": "0808", "ge-6pz": "2001"})
    assert soviet_zone(table) == {"0807", "0809", "0708", "0709", "0908", "0909"}


@rule("a_victory_lost", "6.0.1")
def test_an_hq_has_none() -> None:
    table = Table("axis-movement", {"hq-51a": "0808", "ge-6pz": "2001"})
    assert soviet_zone(table) == set()


@rule("a_victory_lost", "6.0.1")
def test_zones_do_not_enter_water_or_cross_impassable_sides_but_cross_rivers() -> None:
    table = Table(
        "axis-movement",
        {"su-91": "0808", "ge-6pz": "2001"},
        terrain={"0807": "sea"},
        sides={"0808/0809": "impassable", "0708/0808": "lake", "0808/0908": "major_river"},
    )
    assert soviet_zone(table) == {"0709", "0908", "0909"}


@rule("a_victory_lost", "6.0.2", "6.0.3")
def test_many_zones_weigh_no_more_than_one() -> None:
    units = {"su-91": "0908", "su-126": "0907", "su-87": "0909", "ge-6pz": "0708"}
    table = Table("axis-movement", units).do("pick ge-6pz", "step 0808")
    assert table.left == 10 - 1 - 2
