"""The scenarios: the campaign as the rulebook has it, and our own short one."""

from __future__ import annotations

import pytest

from grognard.games.leningrad import load
from grognard.games.leningrad.rules.victory import german_points, soviet_points, verdict
from grognard.games.leningrad.state import DEAD, GERMAN, SOVIET, LeningradState
from grognard.lab import play_game
from tests.rules import rule

GAME = load()
RIGA, DAUGAVPILS, JEKABPILS = (GAME.board.cell(number) for number in ("0908", "1113", "1111"))


def empty(scenario: str) -> LeningradState:
    """Nobody on the map."""
    state = GAME.set_up(scenario, {})
    for unit in range(len(GAME.units)):
        state.place(unit, -1)
    state.turn = GAME.scenarios[scenario].last
    return state


def unit(id_: str) -> int:
    return GAME.unit_index(id_)


def test_the_campaign_comes_first_and_both_are_named_in_both_languages() -> None:
    assert list(GAME.scenarios) == ["campaign", "to_the_dvina"]
    for scenario in GAME.scenarios.values():
        for texts in (scenario.names, scenario.about):
            assert set(texts) == {"en", "fr"}
            assert texts["en"] != texts["fr"]


@rule("leningrad", "18.2")
def test_the_campaign_counts_the_two_hexes_of_leningrad_only() -> None:
    state = empty("campaign")
    state.place(unit("1-pz"), RIGA)
    assert german_points(GAME, state) == 0
    assert {GAME.board.number(c): p for c, p in GAME.victory(state).objectives.items()} == {
        "2604": 30,
        "2705": 30,
    }


def test_each_crossing_of_the_dvina_is_worth_its_points_to_a_german_in_supply() -> None:
    state = empty("to_the_dvina")
    assert german_points(GAME, state) == 0
    state.place(unit("1-pz"), RIGA)
    assert german_points(GAME, state) == 20
    state.place(unit("6-pz"), DAUGAVPILS)
    state.place(unit("8-pz"), JEKABPILS)
    assert german_points(GAME, state) == 45
    for cell in GAME.board.adjacent[RIGA]:  # 11.1 shut in: out of supply
        if GAME.data.land >> cell & 1:
            state.place(next(u for u in range(state.germans, len(GAME.units)) if state.where[u] < 0), cell)
    assert german_points(GAME, state) == 25


@pytest.mark.parametrize(
    ("held", "lost", "winner", "level"),
    [
        ((), (), SOVIET, "soviet-tactical"),
        ((), ("1-pz",), SOVIET, "soviet-strategic"),
        ((JEKABPILS,), (), GERMAN, "german-tactical"),
        ((JEKABPILS,), ("1-pz",), SOVIET, "soviet-strategic"),
        ((RIGA,), (), GERMAN, "german-tactical"),
        ((RIGA, JEKABPILS), (), GERMAN, "german-strategic"),
        ((RIGA, DAUGAVPILS, JEKABPILS), ("1-pz",), GERMAN, "german-strategic"),
    ],
)
def test_who_wins_on_the_dvina(held: tuple[int, ...], lost: tuple[str, ...], winner: int, level: str) -> None:
    state = empty("to_the_dvina")
    for id_, cell in zip(("6-pz", "8-pz", "61-inf"), held, strict=False):
        state.place(unit(id_), cell)
    for id_ in lost:
        state.steps[unit(id_)] = 0
        state.place(unit(id_), DEAD)
    result = verdict(GAME, state)
    assert (result.winner, result.level) == (winner, level)
    assert result.points["soviet"] == soviet_points(GAME, state) == 15 * len(lost)


@pytest.mark.parametrize("players", [("random", "random"), ("greedy", "random"), ("regular", "regular")])
def test_the_short_scenario_ends_by_itself_after_its_last_turn(players: tuple[str, str]) -> None:
    result = play_game(GAME, "short", players, "to_the_dvina")
    assert result.turns == 3
    assert result.winner in GAME.sides


def test_the_words_about_victory_have_the_numbers_of_the_table() -> None:
    scenario = GAME.scenarios["to_the_dvina"]
    for text in scenario.victory.values():
        for line in ("hex-0908", "hex-1113", "hex-1111", "german-tactical"):
            assert str(scenario.points[line]) in text
        assert "{" not in text


def test_the_days_of_a_scenario_are_those_of_its_turns() -> None:
    turns = GAME.calendar("to_the_dvina")
    assert [turn.number for turn in turns] == [1, 2, 3]
    assert (str(turns[0].first_day), str(turns[-1].last_day)) == ("1941-06-22", "1941-07-12")
