"""14.0 Victory, 15.0 balance."""

from __future__ import annotations

import pytest

from grognard.games.a_victory_lost.state import AXIS, SOVIET
from tests.games.a_victory_lost.table import Table, real_game
from tests.games.table_base import shown_part
from tests.rules import rule


@rule("a_victory_lost", "14.0", "14.0.1")
def test_the_capture_of_a_city_moves_five_points() -> None:
    """The book's example: 26 to 8 becomes 21 to 13."""
    table = Table("soviet-movement", {"su-17tk": "0205"}, points=(26, 8)).do("pick su-17tk", "step 0106")
    assert table.points == (21, 13)
    (told,) = table.events("city-taken")
    assert (told["hex"], told["word_side"], told["axis"], told["soviet"]) == (
        table.cell("0106"),
        "soviet",
        21,
        13,
    )
    table.do("step 0107", "halt")
    assert table.points == (21, 13)  # control stays with the last who entered
    assert shown_part(table.game, table.state, "cities", AXIS).hexes["0106"] == "soviet"


@rule("a_victory_lost", "14.0.1")
def test_a_city_taken_back_moves_them_back() -> None:
    table = Table("axis-movement", {"ge-6pz": "0205"}, points=(20, 5), soviet_cities=["0106"])
    table.do("pick ge-6pz", "step 0106")
    assert table.points == (25, 0)


@rule("a_victory_lost", "14.0.1")
@pytest.mark.parametrize(
    ("unit", "score"), [("ge-6pz", 3), ("ge-62", 1), ("hu-1tk", 0), ("ro-1", 0), ("it-trd", 0)]
)
def test_what_the_soviets_score_for_the_dead(unit: str, score: int) -> None:
    table = Table("soviet-combat", {"su-1gm": "1008", unit: "0908"}, strengths={"su-1gm": "50-9", unit: "1"})
    table.do("target 0908", "join su-1gm", "fight", "roll 6")
    assert table.where(unit) == "dead"
    assert table.points == (25, score)


@rule("a_victory_lost", "14.0.1")
@pytest.mark.parametrize(("unit", "score"), [("su-17tk", 1), ("su-91", 0), ("su-8c", 0)])
def test_what_the_axis_scores_for_the_dead(unit: str, score: int) -> None:
    table = Table("axis-combat", {"ge-6pz": "1008", unit: "0908"}, strengths={"ge-6pz": "50-9", unit: "1"})
    table.do("target 0908", "join ge-6pz", "fight", "roll 6")
    assert table.where(unit) == "dead"
    assert table.points == (25 + score, 0)


@rule("a_victory_lost", "14.0.1")
def test_at_the_end_units_without_supply_count_as_dead() -> None:
    units = {"ge-6pz": "1208", "ge-62": "1308", "su-17tk": "1808", "hq-4pza": "0808", "ge-23pz": "0709"}
    table = Table("end-of-turn", units, turn=9, unsupplied=["ge-6pz", "su-17tk"], isolated=["ge-62"])
    assert table.asked is None
    assert table.points == (25 + 1, 3 + 1)


@rule("a_victory_lost", "14.0.2")
@pytest.mark.parametrize(
    ("points", "over"), [((35, 5), True), ((34, 5), False), ((0, 30), True), ((3, 32), False)]
)
def test_a_lead_of_thirty_ends_the_game(points: tuple[int, int], over: bool) -> None:
    table = Table("end-of-turn", {}, turn=4, points=points)
    assert (table.asked is None) == over
    outcome = table.game.outcome(table.state)
    assert (outcome is not None) == over
    if outcome is not None:
        winner = "axis" if points[0] > points[1] else "soviet"
        assert outcome.level == f"{winner}-sudden-death"


@rule("a_victory_lost", "14.0.2")
@pytest.mark.parametrize(
    ("points", "winner", "level"),
    [((20, 19), AXIS, "axis-points"), ((10, 12), SOVIET, "soviet-points"), ((9, 9), None, "draw")],
)
def test_after_turn_9_the_higher_score_wins(points: tuple[int, int], winner: int | None, level: str) -> None:
    outcome = Table("end-of-turn", {}, turn=9, points=points)
    result = outcome.game.outcome(outcome.state)
    assert result is not None
    assert (result.winner, result.level) == (winner, level)


@rule("a_victory_lost", "15.0")
def test_every_balance_option_is_a_switch_that_is_off() -> None:
    options = real_game().scenarios["campaign"].options
    assert len(options) == 6
    assert not any(option.default for option in options.values())
    assert set(options) == set(real_game().settings.data["options"])


@rule("a_victory_lost", "15.0.1")
def test_with_panzer_points_a_german_mechanised_unit_is_worth_five() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-6pz": "0908"},
        strengths={"su-1gm": "50-9", "ge-6pz": "1"},
        options=["panzer_points"],
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 6")
    assert table.points == (25, 5)


@rule("a_victory_lost", "15.0.1")
def test_administrative_movement_gives_soviets_a_point_away_from_zones() -> None:
    aid = ["administrative_movement"]
    table = Table("soviet-movement", {"su-91": "1208", "ge-6pz": "0808"}, options=aid).do("pick su-91")
    assert table.left == 6
    table = Table("soviet-movement", {"su-91": "0908", "ge-6pz": "0808"}, options=aid).do("pick su-91")
    assert table.left == 5  # it begins in a zone
    table = Table("soviet-movement", {"su-91": "1008", "ge-6pz": "0808"}, options=aid).do(
        "pick su-91", "step 0908"
    )
    assert table.left == 2  # 5 - 1 - 2, and no bonus
    table = Table("axis-movement", {"ge-62": "1208"}, options=aid).do("pick ge-62")
    assert table.left == 5
    assert Table("soviet-movement", {"su-91": "1208"}).do("pick su-91").left == 5


@rule("a_victory_lost", "15.0.1")
def test_the_bonus_cannot_pay_for_a_zone() -> None:
    units = {"su-91": "1208", "ge-6pz": "0808"}
    table = Table("soviet-movement", units, options=["administrative_movement"])
    table.do("pick su-91", "step 1108", "step 1008")
    assert table.left == 4
    table.do("step 0908")
    assert table.left == 0 if table.asked == "move-unit" else table.where("su-91") == "0908"
    table = Table("soviet-movement", {**units, "su-91": "1308"}, options=["administrative_movement"])
    table.do("pick su-91", "step 1208", "step 1108", "step 1008")
    assert table.left == 3
    assert table.refused("step 0908") == ("bonus-lost", "15.0.1")


@rule("a_victory_lost", "15.0.1", "8.2.1")
def test_the_bonus_is_lost_once() -> None:
    """Nine points and one: one to 1008, three into the zone, the bonus lost, five from zone to zone."""
    units = {"su-17tk": "1108", "ge-6pz": "0808"}
    table = Table("soviet-movement", units, options=["administrative_movement"])
    table.do("pick su-17tk", "step 1008", "step 0908")
    assert table.left == 5
    assert table.do("step 0909").where("su-17tk") == "0909"


@rule("a_victory_lost", "15.0.1")
def test_the_bonus_adds_to_strategic_movement() -> None:
    table = Table(
        "soviet-movement", {"su-91": "1208"}, options=["administrative_movement"], sides={"1208/1308": "road"}
    )
    assert table.do("march su-91").left == 6


@rule("a_victory_lost", "15.0.1")
def test_the_first_panzer_army_may_come_on_turn_5() -> None:
    game = real_game()
    for options, turn in (({}, 4), ({"late_first_panzer_army": True}, 5)):
        state = game.start("campaign", options)
        for name in ("hq-1pza", "ge-3pz", "ge-wik", "ge-111"):
            assert state.due[game.unit_index(name)] == turn
        assert state.due[game.unit_index("hq-28a")] == 3


@rule("a_victory_lost", "15.0.2")
def test_manstein_may_come_in_time_for_the_selection() -> None:
    five = ["4pza", "hollidt", "it8a", "h2a", "r3a"]
    table = Table("command", {}, turn=4, axis_chits=five, soviet_chits=["1gda"], options=["early_manstein"])
    assert "chit-manstein-1" in table.offered("select")
    table = Table("command", {}, turn=4, axis_chits=five, soviet_chits=["1gda"])
    assert "chit-manstein-1" not in table.offered("select")


@rule("a_victory_lost", "15.0.2")
def test_the_soviets_may_have_to_select_a_turn_ahead() -> None:
    five = ["1gda", "2gda", "3gda", "5tka", "popov"]
    table = Table(
        "command", {}, turn=1, axis_chits=["4pza"], soviet_chits=five, options=["soviets_plan_ahead"]
    )
    table.do("select chit-1gda", "select chit-2gda", "select chit-3gda")
    assert table.asked == "plan-soviet-chits"
    assert table.refused("plan chit-stavka") == ("chit-taken", "15.0.2")
    table.do("plan chit-5tka", "plan chit-popov", "plan chit-1gda")
    while table.actor == "chance":
        table.do(sorted(table.options)[0])
    assert table.state.turn == 2
    assert table.asked == "plan-soviet-chits"  # for turn 3: nothing to select for turn 2
    assert table.chits(table.state.chosen[SOVIET]) == {"stavka", "5tka", "popov", "1gda"}
