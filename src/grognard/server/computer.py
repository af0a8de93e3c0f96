"""The computer's answers, thought out away from the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from grognard.kernel import Action, Game
from grognard.kernel.doctrine import Intent
from grognard.players import Player

MOST = 200
PATIENCE = 0.25
"""People are shown what the computer does after so many answers or seconds."""
EVERY = 0.25
"""Seconds between two words of how far a thought has come."""

Watch = Callable[[float], None]


class AbandonedError(Exception):
    """Nobody waits for this thought any more."""


class Reply(NamedTuple):
    """An answer of one of the computer's sides, and what it sets out to do if it begins something new."""

    side: int
    action: Action
    intent: Intent | None = None


def think(
    game: Game[Any], state: Any, seed: str, players: Mapping[int, Player], chance: Random, watch: Watch
) -> list[Reply]:
    """The next answers of the computer's sides, until a person must decide or should be shown. They are
    tried on a copy; the players themselves see only what their side may know."""
    state = state.clone()
    began = monotonic()
    answers: list[Reply] = []
    while len(answers) < MOST and monotonic() - began < PATIENCE:
        actor = next((side for side in sorted(game.must_act(state)) if side in players), None)
        if actor is None:
            break
        player = players[actor]
        player.watch = watch
        before = player.intent
        action = player.choose(game, game.imagine(state, actor, chance), actor)
        intent = player.intent
        why = game.refuse(state, action, actor)
        if why is not None:
            raise RuntimeError(f"a computer player answered illegally: {why}")
        answers.append(Reply(actor, action, None if intent is before else intent))
        game.apply(state, action, actor)
        game.settle(state, seed)
    return answers
