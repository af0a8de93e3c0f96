"""5.0 Stacking."""

from __future__ import annotations

import pytest

from tests.games.a_victory_lost.table import Table, real_game
from tests.rules import rule


@rule("a_victory_lost", "5.0", "5.0.1")
def test_two_combat_units_and_an_hq_fill_a_hex() -> None:
    units = {"ge-6pz": "0808", "ge-23pz": "0908", "ge-62": "0908", "hq-4pza": "0909", "hq-kempf": "1009"}
    table = Table("axis-movement", units).do("pick hq-4pza", "step 0908", "halt")
    assert table.where("hq-4pza") == "0908"
    table.do("pick hq-kempf", "step 0909")
    table.do("step 0908")  # passing through
    assert table.refused("halt") == ("two-hqs", "5.0.1")
    table.do("step 0808", "halt", "pick ge-6pz", "step 0908")
    assert table.refused("halt") == ("stacking", "5.0.1")


@rule("a_victory_lost", "5.0.1")
def test_a_reduced_unit_takes_as_much_room_as_a_full_one() -> None:
    units = {"ge-6pz": "0808", "ge-23pz": "0908", "ge-62": "0908"}
    table = Table("axis-movement", units, reduced=["ge-23pz", "ge-62"]).do("pick ge-6pz", "step 0908")
    assert table.refused("halt") == ("stacking", "5.0.1")


@rule("a_victory_lost", "5.0.2")
def test_the_sides_never_share_a_hex() -> None:
    table = Table("axis-movement", {"ge-6pz": "0808", "su-91": "0908"}).do("pick ge-6pz")
    assert table.refused("step 0908") == ("enemy-there", "5.0.2")


@rule("a_victory_lost", "5.0.3")
def test_allies_stack_with_their_own_and_with_germans_only() -> None:
    units = {"hu-6": "0808", "ro-1": "0908", "ge-62": "0909", "hu-7": "0809"}
    table = Table("axis-movement", units).do("pick hu-6", "step 0908")
    assert table.refused("halt") == ("other-nation", "5.0.3")
    table.do("step 0909", "halt")  # with Germans
    table = Table("axis-movement", units).do("pick hu-6", "step 0809", "halt")
    assert table.where("hu-6") == table.where("hu-7")


@rule("a_victory_lost", "5.0.3")
def test_an_allied_hq_is_of_its_nation_too() -> None:
    table = Table("axis-movement", {"hu-6": "0808", "hq-r3a": "0908"}).do("pick hu-6", "step 0908")
    assert table.refused("halt") == ("other-nation", "5.0.3")


@rule("a_victory_lost", "5.0.4")
def test_the_limit_counts_at_the_end_of_a_move_only() -> None:
    units = {"ge-6pz": "0808", "ge-23pz": "0908", "ge-62": "0908"}
    table = Table("axis-movement", units).do("pick ge-6pz", "step 0908", "step 1008", "halt")
    assert table.where("ge-6pz") == "1008"


@rule("a_victory_lost", "5.0.4")
def test_a_unit_does_not_enter_a_full_hex_that_it_could_not_leave() -> None:
    units = {"ge-62": "0808", "ge-23pz": "0908", "ge-6pz": "0908"}
    # 2 points: one to enter the full hex, one to leave it, if nothing dear lies beyond
    table = Table("axis-movement", units, isolated=["ge-62"]).do("pick ge-62")
    assert "(5.0.4)" not in table.game.prompt(table.state, "en")
    table.do("step 0908")
    assert table.refused("halt") == ("stacking", "5.0.1")
    assert "(5.0.4)" in table.game.prompt(table.state, "en")
    rough = dict.fromkeys(("0807", "0808", "0907", "0909", "1007", "1008"), "rough")
    table = Table("axis-movement", units, isolated=["ge-62"], terrain=rough).do("pick ge-62")
    assert table.refused("step 0908") == ("stacking", "5.0.1")
    # nor does it help that the last point pays for another full hex
    full, rough["1008"] = {"ge-294": "1008", "ge-336": "1008"}, "clear"
    table = Table("axis-movement", units | full, isolated=["ge-62"], terrain=rough).do("pick ge-62")
    assert table.refused("step 0908") == ("stacking", "5.0.1")


@rule("a_victory_lost", "5.0.4", "8.1.3")
def test_who_must_stop_behind_a_river_needs_room_there() -> None:
    units = {"ge-62": "0808", "ge-23pz": "0908", "ge-294": "0908"}
    table = Table("axis-movement", units, sides={"0808/0908": "major_river"}).do("pick ge-62")
    assert table.refused("step 0908") == ("stacking", "5.0.1")


@rule("a_victory_lost", "5.0.4")
def test_a_unit_passes_two_full_hexes_in_a_row() -> None:
    """Out of a zone, to which it has not the points to return: what lies behind the next hex counts."""
    full = {"ge-23pz": "0908", "ge-294": "0908", "ge-336": "1008", "ge-298": "1008"}
    sea = dict.fromkeys(("0807", "0907", "0909", "1007", "1009", "1109"), "sea")
    table = Table("axis-movement", {"ge-62": "0808", "su-91": "0708", **full}, terrain=sea)
    table.do("pick ge-62", "step 0908")
    assert table.left == 2
    assert table.offered("step") == {"1008"}
    assert table.do("step 1008", "step 1108").where("ge-62") == "1108"


@rule("a_victory_lost", "5.0.4", "8.3.1")
def test_a_march_passes_a_full_hex_only_with_half_a_point_left() -> None:
    """Four hexes of road: a full one may be the third, not the fourth."""
    road = {f"{c:02}08/{c + 1:02}08": "road" for c in range(4, 9)}
    for full, passed in (("0708", True), ("0808", False)):
        units = {"ge-62": "0408", "ge-23pz": full, "ge-294": full}
        table = Table("axis-movement", units, isolated=["ge-62"], sides=road)
        table.do("march ge-62", "step 0508", "step 0608")
        if passed:
            assert table.do("step 0708", "step 0808").where("ge-62") == "0808"
        else:
            assert table.do("step 0708").refused("step 0808") == ("stacking", "5.0.1")


@rule("a_victory_lost", "5.0.4")
def test_reinforcements_are_placed_within_the_limit() -> None:
    table = Table(
        "end-of-turn",
        {"ge-6pz": "0208", "ge-23pz": "0208"},
        to_come={"ge-gd": 3},
        sides={"0108/0208": "rail", "0208/0308": "rail"},
    ).do("arrive ge-gd")
    assert table.refused("detrain 0208") == ("stacking", "5.0.1")
    assert table.offered("detrain") == {"0108", "0308"}


UNITS = {"german": "ge-62", "italian": "it-cos", "hungarian": "hu-6", "romanian": "ro-1"}
MATES = {"german": "ge-294", "italian": "it-rav", "hungarian": "hu-7", "romanian": "ro-2"}
HQS = {"german": "hq-4pza", "italian": "hq-it8a", "hungarian": "hq-h2a", "romanian": "hq-r3a"}


@rule("a_victory_lost", "5.0.3")
@pytest.mark.parametrize("mine", UNITS)
@pytest.mark.parametrize("other", UNITS)
def test_every_pair_of_nations(mine: str, other: str) -> None:
    """Germans stack with everybody, the others with their own nation and with Germans; HQs as well."""
    for mover, company in ((UNITS, MATES), (UNITS, HQS), (HQS, UNITS)):
        table = Table("axis-movement", {mover[mine]: "0808", company[other]: "0908"})
        table.do(f"pick {mover[mine]}", "step 0908")
        if mine == other or "german" in (mine, other):
            assert table.refusal("halt") is None
        else:
            assert table.refused("halt") == ("other-nation", "5.0.3")


@rule("a_victory_lost", "5.0.1", "5.0.3")
def test_three_of_one_nation_are_too_many_and_not_of_the_wrong_nation() -> None:
    units = {"it-cos": "0808", "it-rav": "0908", "it-tor": "0908"}
    table = Table("axis-movement", units).do("pick it-cos", "step 0908")
    assert table.refused("halt") == ("stacking", "5.0.1")


@rule("a_victory_lost", "5.0.1")
def test_no_hq_of_the_game_ends_its_move_with_another() -> None:
    for unit in real_game().units:
        if unit.hq:
            other = "hq-kempf" if unit.id == "hq-4pza" else "hq-4pza"
            if not unit.axis:
                other = "hq-2gda" if unit.id == "hq-51a" else "hq-51a"
            side = "axis" if unit.axis else "soviet"
            table = Table(f"{side}-movement", {unit.id: "1208", other: "1308"}).do(
                f"pick {unit.id}", "step 1308"
            )
            assert "halt" not in table.options, unit.id
