"""13.0 The Stalingrad pocket, closed to everything but command until turn 4 is over."""

from __future__ import annotations

import pytest

from tests.games.a_victory_lost.table import Table, real_game
from tests.games.table_base import shown_part
from tests.rules import rule

BAND = {f"10{r:02}": "+pocket" for r in range(1, 17)}
"""A pocket from top to bottom of the map."""

TURNS = pytest.mark.parametrize(("turn", "closed"), [(1, True), (4, True), (5, False), (9, False)])


@rule("a_victory_lost", "13.0")
@TURNS
def test_neither_side_enters_it(turn: int, closed: bool) -> None:
    for side, unit in (("axis", "ge-6pz"), ("soviet", "su-1gm"), ("axis", "hq-4pza")):
        table = Table(f"{side}-movement", {unit: "0908"}, terrain=BAND, turn=turn).do(f"pick {unit}")
        if closed:
            assert table.refused("step 1008") == ("pocket", "13.0")
        else:
            assert table.do("step 1008").where(unit) == "1008"


@rule("a_victory_lost", "13.0", "10.1.2")
@TURNS
def test_no_line_passes_it(turn: int, closed: bool) -> None:
    table = Table("supply", {"ge-6pz": "1208", "su-91": "0708"}, terrain=BAND, turn=turn)
    assert table.supply("ge-6pz") == table.supply("su-91") == ("unsupplied" if closed else "supplied")


@rule("a_victory_lost", "13.0", "11.1.1")
@TURNS
def test_no_train_passes_it(turn: int, closed: bool) -> None:
    rail = {f"{c:02}08/{c + 1:02}08": "rail" for c in range(1, 14)}
    table = Table("end-of-turn", {}, to_come={"ge-gd": turn}, sides=rail, terrain=BAND, turn=turn)
    table.do("arrive ge-gd")
    assert ("1208" in table.offered("detrain")) != closed
    assert ("1008" in table.offered("detrain")) != closed
    if closed:
        assert table.refused("detrain 1008") == ("rail-cut", "11.1.1")


@rule("a_victory_lost", "13.0", "9.5.2")
@TURNS
def test_no_retreat_goes_there(turn: int, closed: bool) -> None:
    ground = {"0807": "+pocket", "0808": "+pocket"}
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-6pz": "0908"},
        strengths={"su-1gm": "9-9", "ge-6pz": "9-3"},
        terrain=ground,
        turn=turn,
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    if closed:
        assert table.refused("fall-back ge-6pz 0808") == ("no-way-back", "9.5.8")
        assert table.offered("fall-back") == {"ge-6pz 0907"}
    else:
        assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}


@rule("a_victory_lost", "13.0", "9.5.8")
def test_a_unit_with_the_pocket_behind_it_is_lost() -> None:
    ground = dict.fromkeys(("0807", "0808", "0907", "0909", "1007"), "+pocket")
    for turn, lost in ((4, True), (5, False)):
        table = Table(
            "soviet-combat",
            {"su-1gm": "1008", "ge-6pz": "0908"},
            strengths={"su-1gm": "9-9", "ge-6pz": "9-3"},
            terrain=ground,
            turn=turn,
        )
        table.do("target 0908", "join su-1gm", "fight", "roll 4")
        assert (table.where("ge-6pz") == "dead") == lost


@rule("a_victory_lost", "13.0", "9.6.3")
@TURNS
def test_no_advance_goes_there(turn: int, closed: bool) -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-22pz": "0908"},
        strengths={"su-1gm": "50-9", "ge-22pz": "1-1/-"},
        terrain={"0808": "+pocket"},
        turn=turn,
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 6", "advance su-1gm")
    if closed:
        assert table.refused("on 0808") == ("no-second-hex", "9.6.3")
    else:
        assert table.refusal("on 0808") is None


@rule("a_victory_lost", "13.0", "12.7")
@TURNS
def test_no_hq_is_put_back_there(turn: int, closed: bool) -> None:
    ground = {f"15{r:02}": "+pocket" for r in range(5, 12)}
    table = Table("axis-movement", {"ge-6pz": "1008", "hq-51a": "1108"}, terrain=ground, turn=turn)
    table.do("pick ge-6pz", "step 1108")
    assert bool(table.offered("reposition") & ground.keys()) != closed


@rule("a_victory_lost", "13.0", "9.5.2")
def test_the_way_to_supply_leads_round_the_closed_pocket() -> None:
    """Straight on once the pocket is open; by the gap at its top while it is closed."""
    ground = {f"07{r:02}": "+pocket" for r in range(5, 17)}
    for turn, best in ((4, {"ge-6pz 0807", "ge-6pz 0907"}), (5, {"ge-6pz 0807", "ge-6pz 0808"})):
        table = Table(
            "soviet-combat",
            {"su-1gm": "1008", "ge-6pz": "0908"},
            strengths={"su-1gm": "9-9", "ge-6pz": "9-3"},
            terrain=ground,
            turn=turn,
        )
        assert table.do("target 0908", "join su-1gm", "fight", "roll 4").offered("fall-back") == best


@rule("a_victory_lost", "13.0")
def test_it_opens_with_turn_5_and_everybody_is_told() -> None:
    table = Table("end-of-turn", {}, turn=4, terrain=BAND, axis_chits=["4pza"])
    assert table.state.turn == 5
    assert table.events("pocket-open")
    assert shown_part(table.game, table.state, "pocket").hexes == []
    table = Table("end-of-turn", {}, turn=3, terrain=BAND, axis_chits=["4pza"])
    assert not table.events("pocket-open")
    assert len(shown_part(table.game, table.state, "pocket").hexes) == 16


@rule("a_victory_lost", "13.0")
def test_the_pocket_of_the_real_map_holds_no_unit_source_city_or_box() -> None:
    game = real_game()
    assert game.data.pocket
    assert not any(unit.setup >= 0 and game.data.pocket >> unit.setup & 1 for unit in game.units)
    for kept_out in (*game.data.sources, *game.data.boxes, game.data.cities):
        assert not game.data.pocket & kept_out
