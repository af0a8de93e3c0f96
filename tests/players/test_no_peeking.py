"""No player knows what its side may not: two positions that differ only in that are answered alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from grognard.games.a_victory_lost.state import AXIS, SOVIET
from grognard.kernel import CHANCE, Action, Game
from grognard.kernel.doctrine import Intent
from grognard.kernel.registry import load_game
from grognard.lab import batch
from grognard.players import Player, seat
from tests.games.a_victory_lost.table import real_game
from tests.games.a_victory_lost.test_hidden import ONE, OTHER, THIRD

PLAYERS = ("greedy", "recruit", "commander")
MOST = 150
"""Answers that are compared."""


def chits_of(game: Any, side: int, draws: Sequence[Action]) -> list[Action]:
    return [draw for draw in draws if draw[0] == "draw" and game.chits_of[side] >> draw[1] & 1]


def answers(player: str, true: Any, side: int) -> list[Action]:
    """What a player of this side says from here on, until something that it did not know comes out. The other
    side ends whatever it is asked; the cup gives one of the player's own chits, the first."""
    game = real_game()
    state = true.clone()
    one = seat(player, "peek")
    random = Random("imagine")
    said: list[Action] = []
    drawn = False
    while len(said) < MOST and (actor := game.actor(state)) is not None:
        if actor == CHANCE:
            decision = game.decision(state)
            assert decision is not None
            mine = chits_of(game, side, decision.options(game, state, side))
            if mine:
                if drawn:
                    break
                drawn = True
                game.apply(state, mine[0])
            else:
                game.apply(state, game.roll(state, decision, "dice"))  # type: ignore[arg-type]
        elif actor == side:
            answer = one.choose(game, game.imagine(state, side, random), side)
            assert game.refuse(state, answer) is None
            said.append(answer)
            game.apply(state, answer)
        else:
            options = game.options(state)
            game.apply(state, ("end",) if ("end",) in options else options[0])
    return said


@pytest.mark.parametrize("player", PLAYERS)
def test_the_soviets_do_not_see_what_the_axis_selected(player: str) -> None:
    first, second = (answers(player, match.state, SOVIET) for match in (ONE, THIRD))
    assert first == second
    assert len(first) >= 5


@pytest.mark.parametrize("player", PLAYERS)
def test_the_axis_does_not_see_which_armies_the_soviets_chose(player: str) -> None:
    first, second = (answers(player, match.state, AXIS) for match in (ONE, OTHER))
    assert first == second
    assert len(first) >= 5


def test_players_are_never_shown_the_true_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the lab shows a player looks the same to its side as the truth, and is another."""
    game = load_game("crossroads")
    true: list[Any] = []
    other = 0

    class Spy:
        looks = True

        def __init__(self, seed: str) -> None:
            self.intent: Intent | None = None
            self.watch: Callable[[float], None] | None = None
            self._inner = seat("random", seed)

        def choose(self, game: Game[Any], state: Any, side: int) -> Action:
            nonlocal other
            assert state is not true[0]
            other += state.fingerprint() != true[0].fingerprint()
            if other and game.turn(state) > 1:
                raise StopIteration
            return self._inner.choose(game, state, side)

    def sit(name: str, seed: str) -> Player:
        return Spy(seed)

    monkeypatch.setattr(batch, "seat", sit)
    true.append(game.start("morning"))
    with pytest.raises(StopIteration):
        batch.play_out(game, true[0], "spied", ["random", "random"])
    assert other
