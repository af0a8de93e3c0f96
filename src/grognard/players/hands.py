"""Small decisions, weighed by trying the answers out on copies of the position."""

from __future__ import annotations

from random import Random
from typing import Any

from grognard.kernel import Action, Game
from grognard.kernel.doctrine import Doctrine

SAMPLES = 6
"""How often chance is tried when a small decision is weighed."""
WIDTH = 24
"""How many answers to a small decision are weighed at most."""


def best_by_trial(
    game: Game[Any], doctrine: Doctrine, state: Any, side: int, options: list[Action], random: Random
) -> Action:
    """The answer after which the position looks best, on the average."""
    decision = game.decision(state)
    if decision is not None and decision.secret:
        # What is written in secret shows its effect only with everybody else's: nothing to try out.
        return options[int(random.random() * len(options))]
    if len(options) > WIDTH:
        options = sorted(sorted(options, key=lambda _: random.random())[:WIDTH])
    return max(options, key=lambda option: _expected(game, doctrine, state, side, option))


def _expected(game: Game[Any], doctrine: Doctrine, state: Any, side: int, option: Action) -> float:
    total = 0.0
    for sample in range(SAMPLES):
        trial = state.clone()
        game.apply(trial, option, side)
        rolled = game.settle(trial, f"what if {sample}")
        total += doctrine.worth(trial, side)
        if not rolled:
            return total
    return total / SAMPLES
