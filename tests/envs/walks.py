"""Random walks through an environment, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from grognard.envs import TableEnv, env
from grognard.kernel import Refusal

GAMES = ("crossroads", "leningrad", "a_victory_lost")
"""What every game's arrays and words must keep. Everything else is tested on Crossroads alone."""


def walk(e: TableEnv, steps: int, choices: str = "walk") -> Iterator[int]:
    """Random legal words; stops before each of them, with its number, as long as the game goes on."""
    random = Random(choices)
    for number in range(steps):
        agent = e.agent_selection
        if not e.agents or e.terminations[agent] or e.truncations[agent]:
            return
        yield number
        e.step(random.choice(e.words()))


def say(e: TableEnv, *words: str) -> None:
    """An action in the words of the wire, said by whoever is asked."""
    action = e.game.decode(list(words))
    assert not isinstance(action, Refusal)
    for word in e.actions.words(action):
        e.step(word)


def marching(**wish: Any) -> TableEnv:
    """Crossroads with both wagers laid: Amber marches."""
    e = env("crossroads", **wish)
    e.reset()
    say(e, "stake", "amber-3")
    say(e, "stake", "cobalt-1")
    return e


def position(e: TableEnv) -> Any:
    return e._state
