"""Losses: steps that units lose, one by one, by the choice of whoever the book asks."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.kernel import Action, Decision, Flow, Refusal
from grognard.kernel.agenda import G, S


class TakeSteps(Decision[G, S]):
    """A step is taken from one of some units: its first verb names the unit. Who may lose it, why others may
    not, and what follows is the game's."""

    def able(self, game: G, state: S) -> Sequence[int]:
        raise NotImplementedError

    def why_not(self, game: G, state: S, unit: int) -> Refusal:
        """Asked about units that are not able."""
        raise NotImplementedError

    def lose(self, game: G, state: S, unit: int) -> Flow:
        raise NotImplementedError

    def options(self, game: G, state: S, side: int) -> list[Action]:
        return [(next(iter(self.verbs)), unit) for unit in self.able(game, state)]

    def refuse(self, game: G, state: S, side: int, action: Action) -> Refusal | None:
        able = action[1] in self.able(game, state)
        return None if able else self.why_not(game, state, action[1])

    def apply(self, game: G, state: S, side: int, action: Action) -> Flow:
        return self.lose(game, state, action[1])
