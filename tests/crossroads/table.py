"""A table of Crossroads on which any position can be set up."""

from __future__ import annotations

from functools import cache

from crossroads import Crossroads, load
from crossroads.state import CrossroadsState
from grognard.kernel import Match, Refusal


@cache
def game() -> Crossroads:
    return load()


class Table:
    """A game in progress, answered in the words of the wire."""

    def __init__(self, scenario: str = "morning", seed: str = "seed", fog: bool = False) -> None:
        self.match = Match(game(), scenario, seed=seed, options={"fog": fog})

    @property
    def state(self) -> CrossroadsState:
        state: CrossroadsState = self.match.state
        return state

    def say(self, side: int, *words: str) -> Refusal | None:
        action = game().decode(list(words))
        return action if isinstance(action, Refusal) else self.match.act(side, action)

    def do(self, side: int, *words: str) -> None:
        reason = self.say(side, *words)
        assert reason is None, reason

    def refused(self, side: int, *words: str) -> tuple[str, str]:
        before = self.state.fingerprint()
        reason = self.say(side, *words)
        assert reason is not None
        assert self.state.fingerprint() == before
        return reason.case, reason.code

    def wager(self, amber: int = 3, cobalt: int = 1) -> None:
        self.do(0, "stake", f"amber-{amber}")
        self.do(1, "stake", f"cobalt-{cobalt}")

    def put(self, unit: str, word: str) -> int:
        number = game().unit_index(unit)
        self.state.place(number, game().places.read(word))
        return number

    def options(self, side: int) -> list[list[str]]:
        return [game().encode(action) for action in game().options(self.state, side)]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.match.log]

    def walk(self, side: int, unit: str, *hexes: str) -> None:
        self.do(side, "lift", unit)
        for hex_ in hexes:
            self.do(side, "tread", hex_)
