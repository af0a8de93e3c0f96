"""Every player keeps the rules, is the same again with the same seed, and says what it is about."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from grognard.kernel import Game
from grognard.kernel.registry import game_ids, load_game
from grognard.kernel.text import LANGUAGES
from grognard.players import player_names, seat
from tests.players.walks import Walk, walk

LEVELS = ("recruit", "commander", "veteran")
TURNS = 2

game = cache(load_game)


@cache
def first_turns(id_: str, player: str) -> Walk:
    # A veteran thinks ten times as long as a commander: one turn of his in the shortest scenario will do, if
    # both sides act in it.
    first = walk(game(id_), player, 1, short=True) if player == "veteran" else None
    if first is not None and {side for side, _ in first.answers} == {0, 1}:
        return first
    return walk(game(id_), player, TURNS)


@pytest.mark.parametrize("player", player_names())
@pytest.mark.parametrize("id_", game_ids())
def test_everybody_can_sit_and_answer(id_: str, player: str) -> None:
    table = game(id_)
    state = table.start(next(iter(table.scenarios)))
    table.settle(state, "sit")
    side = table.actor(state)
    assert side is not None
    one = seat(player, "sit")
    assert one.intent is None
    assert one.watch is None
    assert table.refuse(state, one.choose(table, state, side)) is None


def test_nobody_else_can() -> None:
    with pytest.raises(KeyError):
        seat("napoleon", "sit")


@pytest.mark.parametrize("player", LEVELS)
@pytest.mark.parametrize("id_", game_ids())
def test_no_answer_is_against_the_rules(id_: str, player: str) -> None:
    found = first_turns(id_, player)
    assert {side for side, _ in found.answers} == {0, 1}
    assert len(found.answers) > 20


@pytest.mark.parametrize("player", ["greedy", "recruit", "commander"])
@pytest.mark.parametrize("id_", game_ids())
def test_the_same_seed_gives_the_same_answers_watched_or_not(id_: str, player: str) -> None:
    unwatched, watched = first_turns(id_, player), walk(game(id_), player, TURNS, watched=True)
    assert watched.answers == unwatched.answers
    assert watched.fingerprint == unwatched.fingerprint
    assert watched.intents == unwatched.intents
    assert watched.thoughts or player != "commander", "who plans is heard thinking"
    for shares in watched.thoughts:
        assert shares == sorted(shares), "a thought goes forward"
        assert shares[0] >= 0
        assert shares[-1] <= 1


@pytest.mark.parametrize("id_", game_ids())
def test_another_seed_gives_other_games(id_: str) -> None:
    assert walk(game(id_), "greedy", 1, seed="other").fingerprint != first_turns(id_, "greedy").fingerprint


@pytest.mark.parametrize("player", LEVELS)
@pytest.mark.parametrize("id_", game_ids())
def test_intents_are_said_in_every_language(id_: str, player: str) -> None:
    table: Game[Any] = game(id_)
    for intent in first_turns(id_, player).intents:
        for language in LANGUAGES:
            said = table.declare(intent, language)
            assert said
            assert "{" not in said, f"{intent.code} lacks a fact: {said}"
            assert said != intent.code, f"{intent.code} has no sentence in {language}"
