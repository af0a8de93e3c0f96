"""14.0 in the corners: every way to take a city, what counts at the end, when the game is over."""

from __future__ import annotations

import pytest

from grognard.board.board import each
from tests.games.a_victory_lost.table import Table, real_game
from tests.rules import rule

CITY = {"0908": "+victory_city"}


@rule("a_victory_lost", "14.0.1")
def test_the_five_cities_of_the_map_are_the_axis_twenty_five() -> None:
    game = real_game()
    names = {game.board.name(c, "en") for c in each(game.data.cities)}
    assert names == {"Kharkov", "Rostov", "Stalino", "Dnepropetrovsk", "Zaporozhye"}
    assert game.start("campaign").points == [25, 0]


@rule("a_victory_lost", "14.0.1")
def test_rostov_is_worth_five_whoever_takes_it() -> None:
    """The book's example, on the real map: 26 to 8 becomes 21 to 13."""
    game = real_game()
    rostov = next(c for c in each(game.data.cities) if game.board.name(c, "en") == "Rostov")
    number = game.board.number(rostov)
    near = next(game.board.number(n) for n in game.board.adjacent[rostov] if game.data.costs.step(n, rostov))
    table = Table("soviet-movement", {"su-17tk": near}, game=game, points=(26, 8), turn=6)
    assert table.do("pick su-17tk", f"step {number}").points == (21, 13)


@rule("a_victory_lost", "14.0.1")
def test_passing_through_is_enough_and_an_hq_will_do() -> None:
    table = Table("soviet-movement", {"su-17tk": "0907"}, terrain=CITY, points=(30, 0))
    table.do("pick su-17tk", "step 0908", "step 0909", "halt")
    assert table.points == (25, 5)
    table = Table("soviet-movement", {"hq-51a": "0907"}, terrain=CITY, points=(30, 0))
    assert table.do("pick hq-51a", "step 0908").points == (25, 5)


@rule("a_victory_lost", "14.0.1")
def test_a_city_one_holds_already_brings_nothing() -> None:
    table = Table(
        "soviet-movement", {"su-17tk": "0907"}, terrain=CITY, points=(25, 5), soviet_cities=["0908"]
    )
    table.do("pick su-17tk", "step 0908", "step 0907", "step 0908")
    assert table.points == (25, 5)
    assert not table.events("city-taken")


@rule("a_victory_lost", "14.0.1", "9.6.1")
def test_an_advance_takes_a_city() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-22pz": "0908"},
        terrain=CITY,
        strengths={"su-1gm": "50-9", "ge-22pz": "1-1/-"},
        points=(30, 0),
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 6")
    assert table.points == (30, 3)  # the dead panzers; the city is empty but not taken
    table.do("advance su-1gm")
    assert table.points == (25, 8)


@rule("a_victory_lost", "14.0.1", "9.5")
def test_a_retreat_takes_a_city() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-6pz": "0908"},
        terrain={"0808": "+victory_city"},
        strengths={"su-1gm": "9-9", "ge-6pz": "9-3"},
        soviet_cities=["0808"],
        points=(25, 5),
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 4", "fall-back ge-6pz 0808")
    assert table.points == (30, 0)


@rule("a_victory_lost", "14.0.1")
@pytest.mark.parametrize(
    ("unit", "axis", "soviet"),
    [
        *(("ge-6pz", 0, 3), ("ge-gd", 0, 3), ("ge-16mot", 0, 3), ("ge-62", 0, 1), ("ge-3mt", 0, 1)),
        *(("ge-213sec", 0, 1), ("ro-8mot", 0, 0), ("hu-1tk", 0, 0), ("it-sfz", 0, 0)),
        *(("su-1gm", 1, 0), ("su-17tk", 1, 0), ("su-3gc", 0, 0), ("su-25g", 0, 0)),
    ],
)
def test_a_unit_lost_in_supply_terms_at_the_end_scores_as_if_killed(
    unit: str, axis: int, soviet: int
) -> None:
    for status in ("unsupplied", "isolated"):
        table = Table("end-of-turn", {unit: "1208"}, turn=9, points=(10, 10), **{status: [unit]})  # type: ignore[arg-type]
        assert table.points == (10 + axis, 10 + soviet)
        assert len(table.events("counted-lost")) == 1
    assert Table("end-of-turn", {unit: "1208"}, turn=9, points=(10, 10)).points == (10, 10)


@rule("a_victory_lost", "14.0.1")
def test_who_has_died_without_supply_is_not_counted_again_at_the_end() -> None:
    table = Table(
        "soviet-combat",
        {"su-1gm": "1008", "ge-22pz": "0908", "hq-4pza": "0208", "ge-62": "0208"},
        turn=9,
        strengths={"su-1gm": "50-9", "ge-22pz": "1-1/-"},
        isolated=["ge-22pz"],
    )
    table.do("target 0908", "join su-1gm", "fight", "roll 6", "hold")
    assert table.points == (25, 3)
    table.do("end")
    assert (table.points, table.events("counted-lost")) == ((25, 3), [])


@rule("a_victory_lost", "14.0.1")
def test_only_the_end_of_the_game_counts_the_unsupplied() -> None:
    table = Table("end-of-turn", {"ge-6pz": "1208"}, turn=8, unsupplied=["ge-6pz"], axis_chits=["4pza"])
    assert table.state.turn == 9
    assert table.points == (25, 0)


@rule("a_victory_lost", "14.0.1", "14.0.2")
def test_the_count_can_turn_the_game() -> None:
    table = Table("end-of-turn", {"ge-6pz": "1208"}, turn=9, unsupplied=["ge-6pz"], points=(12, 10))
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert outcome.level == "soviet-points"
    assert dict(outcome.points) == {"axis": 12, "soviet": 13}


@rule("a_victory_lost", "14.0.2")
def test_sudden_death_is_judged_on_the_points_of_play_alone() -> None:
    """On turn 9 a lead of thirty ends the game before the unsupplied are counted."""
    table = Table("end-of-turn", {"ge-6pz": "1208"}, turn=9, unsupplied=["ge-6pz"], points=(35, 5))
    assert table.points == (35, 5)
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert outcome.level == "axis-sudden-death"
    table = Table("end-of-turn", {"ge-6pz": "1208"}, turn=9, unsupplied=["ge-6pz"], points=(0, 29))
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert outcome.level == "soviet-points"


@rule("a_victory_lost", "14.0.2", "4.3")
def test_a_lead_of_thirty_in_the_middle_of_a_turn_ends_nothing() -> None:
    table = Table("soviet-movement", {"su-17tk": "0907"}, terrain=CITY, points=(5, 26))
    table.do("pick su-17tk", "step 0908")
    assert table.points == (0, 31)
    assert table.asked == "move-unit"
    assert table.game.outcome(table.state) is None


@rule("a_victory_lost", "14.0.2", "4.3")
def test_reinforcements_come_before_the_check() -> None:
    """An arrival that retakes a city saves the Axis: 0-30 becomes 5-25."""
    rail = {"0108/0107": "rail", "0107/0106": "rail"}

    def over(station: str) -> bool:
        table = Table(
            "end-of-turn",
            {},
            to_come={"ge-gd": 3},
            sides=rail,
            soviet_cities=["0106"],
            points=(0, 30),
            axis_chits=["4pza"],
        )
        return table.do("arrive ge-gd", f"detrain {station}").asked is None

    assert over("0107")
    assert not over("0106")


@rule("a_victory_lost", "14.0.2")
def test_a_finished_game_asks_nothing_more() -> None:
    table = Table("end-of-turn", {"ge-6pz": "0208", "su-91": "2308"}, turn=2, points=(40, 0))
    assert table.asked is None
    assert table.game.options(table.state) == []
    assert table.refusal("end") is not None
    assert table.events("sudden-death") == [{"word_side": "axis", "lead": 40}]
