"""4.0 The sequence of play."""

from __future__ import annotations

from tests.games.a_victory_lost.table import Table, real_game
from tests.rules import rule


def labels(procedure: str) -> list[tuple[str, str]]:
    return [(s.label, s.case) for s in real_game().procedures[procedure].steps.values()]


@rule("a_victory_lost", "4.0")
def test_a_turn_is_command_supply_and_the_end_of_the_turn() -> None:
    assert labels("game-turn") == [
        ("begin", "4.0"),
        ("command", "4.1"),
        ("supply", "4.2"),
        ("end-of-turn", "4.3"),
    ]


@rule("a_victory_lost", "4.0")
def test_the_game_lasts_nine_turns_at_most() -> None:
    table = Table("end-of-turn", {}, turn=9)
    assert table.asked is None
    assert table.game.outcome(table.state) is not None
    table = Table(
        "end-of-turn", {}, turn=8, axis_chits=["4pza", "hollidt", "it8a", "h2a", "r3a", "kempf", "1pza"]
    )
    assert table.state.turn == 9
    assert table.asked == "select-axis-chits"


@rule("a_victory_lost", "4.1", "4.1.1")
def test_chits_are_selected_before_any_is_drawn() -> None:
    order = [label for label, _ in labels("command-phase")]
    assert order.index("selection") < order.index("cup") < order.index("draw")


@rule("a_victory_lost", "4.1.2")
def test_an_activation_is_movement_then_combat() -> None:
    assert labels("activation") == [("activate", "7.3"), ("movement", "8.0"), ("combat", "9.0")]


@rule("a_victory_lost", "4.1.2")
def test_chits_are_drawn_until_the_cup_is_empty() -> None:
    table = Table("draw", {"hq-4pza": "0808", "ge-6pz": "0808"}, cup=["4pza", "hollidt"])
    assert table.actor == "chance"
    table.do("draw chit-4pza", "end", "end")
    assert table.actor == "chance"
    assert table.offered("draw") == {"chit-hollidt"}
    table.do("draw chit-hollidt")  # its HQ is not on the map: nothing happens, and the cup is empty
    assert table.events("no-hq")
    assert table.state.turn == 4


SPECIAL = {"hq-51a": "1008", "su-1gm": "0908", "su-2gm": "2008", "ge-6pz": "0808", "hq-4pza": "0708"}


def special(**more: object) -> Table:
    return Table(
        "command",
        SPECIAL,
        turn=1,
        strengths={"su-1gm": "20-9", "ge-6pz": "2-2"},
        axis_chits=["4pza"],
        soviet_chits=["1gda"],
        **more,  # type: ignore[arg-type]
    )


@rule("a_victory_lost", "4.1.2")
def test_on_turn_1_a_soviet_hq_may_attack_before_the_first_draw() -> None:
    table = special()
    assert (table.asked, table.actor) == ("special-combat", "soviet")
    assert table.refused("assault hq-4pza") == ("not-an-hq", "4.1.2")
    assert table.refused("assault su-1gm") == ("not-an-hq", "4.1.2")
    table.do("assault hq-51a")  # its chit was not even chosen
    assert table.asked == "choose-target"
    assert table.activated() == {"su-1gm"}
    assert [e.case for e in table.state.log or [] if e.kind == "activation"] == ["4.1.2"]
    table.do("target 0808", "join su-1gm", "fight", "roll 6")
    table.do("advance su-1gm", "stay")
    assert table.where("su-1gm") == "0808"
    table.do("end")
    assert table.actor == "chance"
    assert table.chits(table.state.cup) == {"4pza", "1gda", "stavka"}  # no chit was used


@rule("a_victory_lost", "4.1.2")
def test_the_special_combat_is_optional_and_only_on_turn_1() -> None:
    table = special().do("pass")
    assert table.actor == "chance"
    assert not table.events("no-hq")  # no chit was played in vain
    table = Table("command", SPECIAL, turn=2, axis_chits=["4pza"], soviet_chits=["1gda"])
    assert table.actor == "chance"


@rule("a_victory_lost", "4.2")
def test_the_supply_phase_judges_then_repositions_hqs() -> None:
    assert [case for _, case in labels("supply-phase")] == ["10.1", "10.3", "12.7"]


@rule("a_victory_lost", "4.3")
def test_the_end_of_a_turn_is_arrivals_withdrawals_then_sudden_death() -> None:
    order = [label for label, _ in labels("end-phase")]
    assert order == ["axis", "axis-arrivals", "soviet", "soviet-arrivals", "withdrawal", "sudden-death"]
