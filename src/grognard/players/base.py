"""What a player is, and the simplest one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from grognard.kernel import Action, Game
from grognard.players.greedy import GreedyPlayer


class Player(Protocol):
    """Somebody who answers decisions.

    The position given is never the referee's own: it is one consistent with what the side may know
    (`Game.imagine`), and the seed is not in it.
    """

    looks: bool
    """Whether it looks at the position at all, or only at the answers it may give."""

    def choose(self, game: Game[Any], state: Any, side: int) -> Action: ...


class RandomPlayer:
    """Picks any legal answer, each as likely as the others."""

    looks = False

    def __init__(self, seed: str) -> None:
        # Random.random() is the one method whose sequence Python promises never to change.
        self._next = Random(seed).random

    def choose(self, game: Game[Any], state: Any, side: int) -> Action:
        options = game.options(state)
        return options[int(self._next() * len(options))]


_PLAYERS: dict[str, Callable[[str], Player]] = {"greedy": GreedyPlayer, "random": RandomPlayer}


def player_names() -> list[str]:
    return sorted(_PLAYERS)


def seat(name: str, seed: str) -> Player:
    """A player of this name; KeyError if there is none. Its own chance depends on the seed alone."""
    return _PLAYERS[name](seed)
