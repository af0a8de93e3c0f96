"""The computer's answers, thought out away from the table."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import monotonic
from typing import Any

from grognard.kernel import Action, Game
from grognard.players import Player

MOST = 200
PATIENCE = 0.25
"""People are shown what the computer does after so many answers or seconds."""


def think(
    game: Game[Any], state: Any, seed: str, players: Mapping[int, Player], chance: Random
) -> list[Action]:
    """The next answers of the computer's sides, until a person must decide or should be shown. They are
    tried on a copy; the players themselves see only what their side may know."""
    state = state.clone()
    began = monotonic()
    answers: list[Action] = []
    while len(answers) < MOST and monotonic() - began < PATIENCE:
        actor = game.actor(state)
        if actor is None or actor not in players:
            break
        answer = players[actor].choose(game, game.imagine(state, actor, chance), actor)
        why = game.refuse(state, answer)
        if why is not None:
            raise RuntimeError(f"a computer player answered illegally: {why}")
        answers.append(answer)
        game.apply(state, answer)
        game.settle(state, seed)
    return answers
