"""What a player is, the simplest one, and how the others are called."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from grognard.kernel import Action, Game
from grognard.kernel.doctrine import Intent
from grognard.players.commander import LEVELS, CommanderPlayer


class Player(Protocol):
    """Somebody who answers decisions.

    The position given is never the referee's own: it is one consistent with what the side may know
    (`Game.imagine`), and the seed is not in it.
    """

    looks: bool
    """Whether it looks at the position at all, or only at the answers it may give."""
    intent: Intent | None
    """What it is trying to do, if it thinks in such terms."""
    watch: Callable[[float], None] | None
    """Told now and then which share of a long thought is done. It must not change anything."""

    def choose(self, game: Game[Any], state: Any, side: int) -> Action: ...


class RandomPlayer:
    """Picks any legal answer, each as likely as the others."""

    looks = False

    def __init__(self, seed: str) -> None:
        # Random.random() is the one method whose sequence Python promises never to change.
        self._next = Random(seed).random
        self.intent: Intent | None = None
        self.watch: Callable[[float], None] | None = None

    def choose(self, game: Game[Any], state: Any, side: int) -> Action:
        options = game.options(state, side)
        return options[int(self._next() * len(options))]


def _commander(level: str) -> Callable[[str], Player]:
    return lambda seed: CommanderPlayer(seed, level)


_PLAYERS: dict[str, Callable[[str], Player]] = {
    "random": RandomPlayer,
    "greedy": _commander("greedy"),
    "commander": _commander("regular"),
    **{level: _commander(level) for level in LEVELS},
}


def player_names() -> list[str]:
    """From the weakest to the strongest; `commander` is the regular one."""
    return list(_PLAYERS)


def seat(name: str, seed: str) -> Player:
    """A player of this name; KeyError if there is none. Its own chance depends on the seed alone."""
    return _PLAYERS[name](seed)
