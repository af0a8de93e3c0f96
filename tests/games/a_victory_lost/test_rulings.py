"""Rulings that were thought over: each in the position that it is about."""

from __future__ import annotations

from grognard.games.a_victory_lost.state import SOVIET
from tests.games.a_victory_lost.table import Table
from tests.rules import rule

ONE_WAY = ("0806", "0808", "0907", "0909", "1007")
"""Water, so that the only way back from 0908 is 0807 and then 0707 or 0708."""
BEHIND_0807 = {"0707/0807": "major_river", "0708/0807": "major_river"}


def beaten(sides: dict[str, str], sea: tuple[str, ...], attack: int = 15) -> Table:
    """ge-6pz in 0908 loses a step and must retreat two hexes (1DR2)."""
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-6pz": "0908"},
        strengths={"su-1gm": f"{attack}-9", "ge-6pz": "9-3"},
        sides=sides,
        terrain=dict.fromkeys(sea, "sea"),
    )
    return table.do("target 0908", "join su-1gm", "fight", "roll 5")


@rule("a_victory_lost", "9.5.6")
def test_a_retreat_that_begins_on_the_bank_may_follow_it_and_cross_with_the_second_hex() -> None:
    """The river runs past 0908 and behind 0807: the unit lives."""
    table = beaten(BEHIND_0807 | {"0908/1008": "major_river"}, ONE_WAY, attack=30)
    assert table.where("ge-6pz") == "0908"
    table.do("fall-back ge-6pz 0807")
    assert table.offered("fall-back") == {"ge-6pz 0707", "ge-6pz 0708"}


@rule("a_victory_lost", "9.5.6")
def test_a_bridge_makes_a_bank_as_well() -> None:
    table = beaten(BEHIND_0807 | {"0908/1008": "major_river+bridge"}, ONE_WAY, attack=30)
    assert table.where("ge-6pz") == "0908"


@rule("a_victory_lost", "9.5.6", "9.5.8")
def test_a_retreat_that_begins_away_from_the_river_does_not_cross_it() -> None:
    assert beaten(BEHIND_0807, ONE_WAY).where("ge-6pz") == "dead"
    assert beaten(BEHIND_0807 | {"0908/1008": "river"}, ONE_WAY, attack=30).where("ge-6pz") == "dead"


@rule("a_victory_lost", "9.5.6")
def test_a_retreat_over_the_river_goes_on() -> None:
    """Nothing stops a retreating unit on the far bank."""
    river = {"0807/0908": "major_river", "0808/0908": "major_river"}
    table = beaten(river, ()).do("fall-back ge-6pz 0808")
    assert table.asked == "fall-back"


@rule("a_victory_lost", "8.1.3")
def test_a_move_crosses_a_river_with_its_first_step_only() -> None:
    sides = {"0808/0908": "major_river", "0807/0907": "major_river"}
    table = Table("axis-movement", {"ge-6pz": "0808"}, sides=sides).do("pick ge-6pz")
    assert table.refusal("step 0908") is None
    table.do("step 0807")
    assert table.refused("step 0907") == ("river-not-first", "8.1.3")


@rule("a_victory_lost", "9.5.2")
def test_a_source_in_enemy_hands_draws_nobody() -> None:
    """Of two sources the near one is held by the enemy, or in his zone: the retreat leads to the far one."""
    for foe, source in ((None, "0508"), ("0508", "0902"), ("0507", "0902")):
        units = {"su-1gm": "1008", "ge-6pz": "0908"} | ({} if foe is None else {"su-126": foe})
        table = Table(
            "soviet-combat",
            units,
            strengths={"su-1gm": "9-9", "ge-6pz": "9-3"},
            terrain={"0508": "+supply_axis", "0902": "+supply_axis"},
        )
        table.do("target 0908", "join su-1gm", "fight", "roll 4")
        board, goal = table.game.board, table.cell(source)
        away = board.distance(table.cell("0908"), goal)
        nearer = {n for n in ("0807", "0808", "0907") if board.distance(table.cell(n), goal) < away}
        assert table.offered("fall-back") == {f"ge-6pz {number}" for number in nearer}
        assert ("0907" in nearer) == (source == "0902")


@rule("a_victory_lost", "12.7")
def test_a_source_in_enemy_hands_is_no_rear() -> None:
    ground = {"1108": "+supply_soviet"}
    units = {"ge-6pz": "1308", "hq-51a": "1408", "ge-62": "1108"}
    table = Table("axis-movement", units, terrain=ground).do("pick ge-6pz", "step 1408")
    board, origin, source = table.game.board, table.cell("1408"), table.cell("2408")
    places = [board.cell(n) for n in table.offered("reposition")]
    assert places
    assert all(board.distance(cell, source) < board.distance(origin, source) for cell in places)


@rule("a_victory_lost", "12.7")
def test_if_every_source_is_closed_the_printed_ones_show_the_way() -> None:
    units = {"su-1gm": "1008", "ge-6pz": "0908", "su-126": "0108"}
    table = Table("soviet-combat", units, strengths={"su-1gm": "9-9", "ge-6pz": "9-3"})
    table.do("target 0908", "join su-1gm", "fight", "roll 4")
    assert table.offered("fall-back") == {"ge-6pz 0807", "ge-6pz 0808"}


def idle(table: Table, turn: int) -> None:
    """Nobody does more than he must until a turn is over."""
    while table.state.turn == turn:
        quiet = [o for o in ("end", "halt") if o in table.options]
        table.do(quiet[0] if quiet else sorted(table.options)[0])


@rule("a_victory_lost", "12.6", "12.7")
def test_a_repositioned_hq_is_spared_by_the_check_of_that_turn_and_not_by_the_next() -> None:
    units = {"ge-6pz": "1008", "hq-51a": "1108", "su-91": "2208", "hq-2gda": "2208"}
    table = Table("axis-movement", units, soviet_chits=["51a", "2gda"], axis_chits=["4pza"])
    table.do("pick ge-6pz", "step 1108", "reposition 1508")
    idle(table, 3)
    assert table.where("hq-51a") == "1508"  # nobody in its radius, and it stays
    assert "51a" in table.chits(table.state.pool[SOVIET])
    idle(table, 4)
    assert table.where("hq-51a") == "dead"
    assert "51a" not in table.chits(table.state.pool[SOVIET])


@rule("a_victory_lost", "12.6", "12.7", "10.3")
def test_an_hq_repositioned_in_the_supply_phase_is_spared_as_well() -> None:
    sea = {f"10{r:02}": "sea" for r in range(1, 17)}
    units = {"hq-4pza": "1208", "ge-6pz": "1208", "ge-62": "0108"}
    table = Table("supply", units, terrain=sea, axis_chits=["4pza"])
    while table.asked == "reposition-hq":
        table.do("reposition 0807" if "0807" in table.offered("reposition") else sorted(table.options)[0])
    assert table.where("hq-4pza") not in ("dead", "1208")
    idle(table, table.state.turn)
    assert table.where("hq-4pza") == "dead"
