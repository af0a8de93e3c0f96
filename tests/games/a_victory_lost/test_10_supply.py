"""10.0 Supply."""

from __future__ import annotations

from grognard.games.a_victory_lost.rules.headquarters import lift_unsupplied_hqs
from grognard.games.a_victory_lost.state import UNSUPPLIED
from tests.games.a_victory_lost.table import Table
from tests.rules import rule


def wall(column: int, *gaps: int) -> dict[str, str]:
    """Sea from top to bottom of a column, save the gaps."""
    return {f"{column:02}{r:02}": "sea" for r in range(1, 17) if r not in gaps}


@rule("a_victory_lost", "10.0", "10.1", "10.1.1")
def test_both_sides_are_judged_at_once() -> None:
    table = Table("supply", {"ge-6pz": "2001", "su-91": "0301"}, terrain=wall(10))
    assert table.supply("ge-6pz") == "unsupplied"
    assert table.supply("su-91") == "unsupplied"
    table = Table("supply", {"ge-6pz": "2001", "su-91": "0301"})
    assert table.supply("ge-6pz") == "supplied"  # any length will do
    assert table.supply("su-91") == "supplied"


@rule("a_victory_lost", "10.1.2")
def test_a_line_does_not_pass_enemies_or_their_zones() -> None:
    units = {"ge-6pz": "1208", "su-91": "1008"}
    table = Table("supply", units, terrain=wall(10, 7, 8, 9))
    assert table.supply("ge-6pz") == "unsupplied"


@rule("a_victory_lost", "10.1.2")
def test_a_friend_opens_a_zone_even_an_hq() -> None:
    ground = wall(10, 8)
    units = {"ge-6pz": "1208", "su-91": "0909"}  # 1008 is in the zone
    assert Table("supply", units, terrain=ground).supply("ge-6pz") == "unsupplied"
    for friend in ("ge-62", "hq-4pza"):
        table = Table("supply", {**units, friend: "1008", "ge-294": "0908"}, terrain=ground)
        assert table.supply("ge-6pz") == "supplied"


@rule("a_victory_lost", "10.1.2")
def test_an_enemy_hq_bars_its_own_hex_only() -> None:
    units = {"ge-6pz": "1208", "hq-51a": "1008"}
    assert Table("supply", units, terrain=wall(10, 8)).supply("ge-6pz") == "unsupplied"
    assert Table("supply", units, terrain=wall(10, 7, 8)).supply("ge-6pz") == "supplied"


@rule("a_victory_lost", "10.1.2")
def test_a_unit_between_shut_hexes_is_judged_by_its_own() -> None:
    """1108 and 1109 lead to the source; 1207, 1209, 1308 and 1309 are shut."""
    table = Table("supply", {"ge-6pz": "1208", "su-91": "1308", "su-126": "1309"})
    assert table.supply("ge-6pz") == "supplied"


@rule("a_victory_lost", "10.1.2")
def test_a_unit_in_a_zone_traces_from_its_own_hex() -> None:
    assert Table("supply", {"ge-6pz": "1208", "su-91": "1308"}).supply("ge-6pz") == "supplied"


@rule("a_victory_lost", "10.1.2")
def test_lines_cross_major_rivers_by_bridges_only_and_no_impassable_side() -> None:
    around = ["1208/1207", "1208/1209", "1108/1208", "1109/1208", "1208/1308", "1208/1309"]
    for side, supply in (("major_river", "unsupplied"), ("impassable", "unsupplied"), ("river", "supplied")):
        table = Table("supply", {"ge-6pz": "1208"}, sides=dict.fromkeys(around, side))
        assert table.supply("ge-6pz") == supply
    bridged = dict.fromkeys(around, "major_river") | {"1208/1207": "major_river+bridge"}
    assert Table("supply", {"ge-6pz": "1208"}, sides=bridged).supply("ge-6pz") == "supplied"


@rule("a_victory_lost", "10.1.3")
def test_out_of_supply_then_isolated_then_no_worse() -> None:
    cut = wall(10)
    assert Table("supply", {"ge-6pz": "1208"}, terrain=cut).supply("ge-6pz") == "unsupplied"
    assert (
        Table("supply", {"ge-6pz": "1208"}, terrain=cut, unsupplied=["ge-6pz"]).supply("ge-6pz") == "isolated"
    )
    assert (
        Table("supply", {"ge-6pz": "1208"}, terrain=cut, isolated=["ge-6pz"]).supply("ge-6pz") == "isolated"
    )


@rule("a_victory_lost", "10.1.3")
def test_a_line_found_again_lifts_either_marker() -> None:
    table = Table("supply", {"ge-6pz": "1208", "ge-62": "1308"}, unsupplied=["ge-6pz"], isolated=["ge-62"])
    assert table.supply("ge-6pz") == table.supply("ge-62") == "supplied"


@rule("a_victory_lost", "10.1.4")
def test_markers_stay_until_the_next_supply_phase() -> None:
    table = Table("axis-movement", {"ge-62": "1208"}, isolated=["ge-62"]).do(
        "pick ge-62", "step 1108", "step 1008"
    )
    assert table.supply("ge-62") == "isolated"


@rule("a_victory_lost", "10.2", "10.2.1", "10.2.2", "10.2.3")
def test_only_isolated_units_move_at_half_rounded_down() -> None:
    def points(**more: object) -> float:
        return Table("axis-movement", {"ge-62": "1208"}, **more).do("pick ge-62").left  # type: ignore[arg-type]

    assert points() == 5
    assert points(unsupplied=["ge-62"]) == 5
    assert points(isolated=["ge-62"]) == 2


@rule("a_victory_lost", "10.3", "12.5")
def test_hqs_without_supply_are_repositioned_and_lose_their_markers() -> None:
    units = {"hq-4pza": "1208", "su-91": "1008", "ge-6pz": "1209"}
    table = Table("supply", units, terrain=wall(10, 7, 8, 9))
    assert (table.asked, table.actor) == ("reposition-hq", "axis")
    assert table.supply("ge-6pz") == "unsupplied"
    place = sorted(table.offered("reposition"))[0]
    table.do(f"reposition {place}")
    assert table.where("hq-4pza") == place
    assert table.supply("hq-4pza") == "supplied"


@rule("a_victory_lost", "10.3", "12.5")
def test_only_hqs_on_the_map_are_taken_up_for_want_of_supply() -> None:
    table = Table("supply", {"ge-6pz": "1209", "su-91": "1008"})
    table.state.supply[table.unit("hq-1pza")] = UNSUPPLIED
    lift_unsupplied_hqs(table.game, table.state)
    assert not table.state.displaced
