"""Random walks through an environment, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from grognard.envs import TableEnv

GAMES = ("leningrad", "a_victory_lost")


def walk(e: TableEnv, steps: int, choices: str = "walk") -> Iterator[int]:
    """Random legal words; stops before each of them, with its number, as long as the game goes on."""
    random = Random(choices)
    for number in range(steps):
        agent = e.agent_selection
        if not e.agents or e.terminations[agent] or e.truncations[agent]:
            return
        yield number
        e.step(random.choice(e.words()))


def position(e: TableEnv) -> Any:
    return e._state
