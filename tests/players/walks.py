"""The first turns of a game between players, watched closely."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from grognard.kernel import Action, Game
from grognard.kernel.doctrine import Intent
from grognard.players import seat

LOOK = 25
"""Every so many answers the position shown is looked at before and after."""


@dataclass
class Walk:
    """What the players said, and where it led."""

    answers: list[tuple[int, Action]] = field(default_factory=list)
    fingerprint: str = ""
    intents: list[Intent] = field(default_factory=list)
    thoughts: list[list[float]] = field(default_factory=list)
    """The shares told while one answer was thought out, for each answer of which any were told."""


def walk(
    game: Game[Any], player: str, turns: int, seed: str = "walk", watched: bool = False, short: bool = False
) -> Walk:
    """A player against its like, as everywhere: each sees what its side may know, and every answer is judged
    by the referee's position. In the first scenario, or in the shortest."""
    scenarios = list(game.scenarios.values())
    scenario = min(scenarios, key=lambda one: one.last - one.first) if short else scenarios[0]
    state, last = game.start(scenario.id), scenario.first + turns - 1
    game.settle(state, seed)
    seats = [seat(player, f"{seed}/{side}") for side in game.sides]
    random = Random(f"{seed}/imagine")
    found = Walk()
    shares: list[float] = []
    for one in seats:
        one.watch = shares.append if watched else None
    while (side := game.actor(state)) is not None and game.turn(state) <= last:
        shown = game.imagine(state, side, random)
        before = shown.fingerprint() if len(found.answers) % LOOK == 0 else None
        answer = seats[side].choose(game, shown, side)
        assert before is None or shown.fingerprint() == before, "a player changed the position it looked at"
        reason = game.refuse(state, answer)
        assert reason is None, f"{player}, answer {len(found.answers)}: {answer} is refused: {reason}"
        found.answers.append((side, answer))
        if shares:
            found.thoughts.append(shares.copy())
            shares.clear()
        intent = seats[side].intent
        if intent is not None and (not found.intents or found.intents[-1] != intent):
            found.intents.append(intent)
        game.apply(state, answer)
        game.settle(state, seed)
    found.fingerprint = state.fingerprint()
    return found
