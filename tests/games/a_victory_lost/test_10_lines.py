"""10.0 in the corners: what bars a line, and when markers change."""

from __future__ import annotations

from tests.games.a_victory_lost.table import Table
from tests.rules import rule


def wall(column: int, *gaps: int) -> dict[str, str]:
    """Sea from top to bottom of a column, save the gaps."""
    return {f"{column:02}{r:02}": "sea" for r in range(1, 17) if r not in gaps}


def judged(units: dict[str, str], unit: str = "ge-6pz", **more: object) -> str:
    return Table("supply", units, **more).supply(unit)  # type: ignore[arg-type]


@rule("a_victory_lost", "10.1.2")
def test_a_friend_opens_only_the_hex_where_it_stands() -> None:
    """The gap is 1008, 0908: both in the zone of 0909."""
    ground = wall(10, 8) | wall(9, 8, 9)
    units = {"ge-6pz": "1208", "su-91": "0909"}
    assert judged({**units, "ge-62": "1008"}, terrain=ground) == "unsupplied"
    assert judged({**units, "ge-62": "0908"}, terrain=ground) == "unsupplied"
    assert judged({**units, "ge-62": "1008", "hq-4pza": "0908"}, terrain=ground) == "supplied"


@rule("a_victory_lost", "10.1.2")
def test_a_source_in_an_enemy_zone_needs_a_friend() -> None:
    units = {"ge-6pz": "1208", "su-91": "0107"}
    assert judged(units) == "unsupplied"
    assert judged({**units, "hq-4pza": "0108", "ge-62": "0208"}) == "supplied"
    assert judged({"ge-6pz": "1208", "hq-51a": "0108"}) == "unsupplied"


@rule("a_victory_lost", "10.1.1", "10.1.2")
def test_a_source_is_of_use_to_its_own_side_only() -> None:
    assert judged({"ge-6pz": "2308"}, terrain=wall(22)) == "unsupplied"
    assert judged({"su-91": "0208"}, "su-91", terrain=wall(3)) == "unsupplied"


@rule("a_victory_lost", "10.1.2")
def test_zones_do_not_reach_a_line_across_an_impassable_side() -> None:
    units = {"ge-6pz": "1208", "su-91": "1007"}
    assert judged(units, terrain=wall(10, 7, 8)) == "unsupplied"
    assert judged(units, terrain=wall(10, 7, 8), sides={"1007/1008": "impassable"}) == "supplied"


@rule("a_victory_lost", "10.1.2")
def test_rough_ground_and_minor_rivers_do_not_matter_for_lines() -> None:
    ground = {f"10{r:02}": "marsh" for r in range(1, 17)} | {f"09{r:02}": "rough" for r in range(1, 17)}
    rivers = {f"10{r:02}/11{r:02}": "river" for r in range(1, 17)}
    assert judged({"ge-6pz": "1208"}, terrain=ground, sides=rivers) == "supplied"


@rule("a_victory_lost", "10.1.1")
def test_units_of_both_sides_cut_each_other_off_at_the_same_moment() -> None:
    """Neither is judged after the other has been repaired: each sees the table as it lies."""
    units = {"ge-6pz": "1208", "su-91": "1008", "su-126": "0608", "ge-62": "0808"}
    table = Table("supply", units, terrain=wall(10, 7, 8, 9) | wall(7, 8, 9))
    assert table.supply("ge-6pz") == "unsupplied"
    assert table.supply("ge-62") == table.supply("su-126") == "unsupplied"


@rule("a_victory_lost", "10.1.3", "10.1.4")
def test_a_unit_is_cut_off_turn_by_turn() -> None:
    table = Table("supply", {"ge-62": "1208"}, terrain=wall(10), turn=5)
    seen = []
    for _ in range(3):
        seen.append((table.state.turn, table.supply("ge-62")))
        while table.state.turn == seen[-1][0]:
            table.do(sorted(table.options)[0])
        while table.actor == "chance":
            table.do(sorted(table.options)[0])
    assert [status for _, status in seen] == ["unsupplied", "isolated", "isolated"]


@rule("a_victory_lost", "10.1.4")
def test_a_unit_cut_off_during_the_turn_fights_in_full_until_the_supply_phase() -> None:
    units = {"su-1gm": "1208", "ge-6pz": "1108"}
    table = Table("soviet-combat", units, terrain=wall(18), strengths={"su-1gm": "9-9", "ge-6pz": "9-3"})
    assert table.do("target 1108", "join su-1gm").odds().attack == 9


@rule("a_victory_lost", "10.1.4", "10.2.2")
def test_a_unit_freed_during_the_turn_stays_halved_until_the_supply_phase() -> None:
    units = {"su-1gm": "1208", "ge-6pz": "1108"}
    table = Table("soviet-combat", units, unsupplied=["su-1gm"], strengths={"su-1gm": "9-9", "ge-6pz": "9-3"})
    assert table.do("target 1108", "join su-1gm").odds().attack == 4


@rule("a_victory_lost", "10.2.3")
def test_half_of_an_odd_allowance_is_rounded_down() -> None:
    for unit, points in (("ge-6pz", 5), ("su-17tk", 4), ("ro-5c", 3)):
        side = "soviet" if unit.startswith("su") else "axis"
        table = Table(f"{side}-movement", {unit: "1208"}, isolated=[unit]).do(f"pick {unit}")
        assert table.left == points


@rule("a_victory_lost", "10.3", "12.5")
def test_hqs_of_both_sides_are_repositioned_axis_first() -> None:
    """Each behind the other's line: the gap in one wall is held by Germans, that in the other by Soviets."""
    units = {"hq-51a": "0608", "hq-4pza": "1808", "ge-294": "1008", "su-3g": "1508"}
    table = Table("supply", units, terrain=wall(10, 8) | wall(15, 8), unsupplied=["hq-51a"])
    actors = []
    while table.asked == "reposition-hq":
        actors.append(table.actor)
        table.do(sorted(table.options)[0])
    assert actors == ["axis", "soviet"]
    assert table.supply("hq-51a") == table.supply("hq-4pza") == "supplied"
    assert [e["unit"] for e in table.events("hq-displaced")] == [table.unit("hq-4pza"), table.unit("hq-51a")]


@rule("a_victory_lost", "10.3", "10.0")
def test_combat_units_stay_where_they_are_without_supply() -> None:
    table = Table("supply", {"ge-6pz": "1208"}, terrain=wall(10), turn=9)
    assert table.where("ge-6pz") == "1208"


@rule("a_victory_lost", "10.3", "12.5")
def test_hqs_in_supply_stay_where_they_are() -> None:
    units = {"hq-4pza": "1208", "ge-6pz": "1208", "hq-51a": "1608", "su-91": "1608"}
    table = Table("supply", units)
    assert (table.where("hq-4pza"), table.where("hq-51a")) == ("1208", "1608")
    assert not table.events("hq-displaced")
