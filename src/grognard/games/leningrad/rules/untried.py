"""14.0 Untried units: nobody knows what a Soviet unit is worth until it fights.

A strength is drawn from the pool at the moment it is revealed. The odds are the same as dealing all of them
face down at the start, and there is nothing to peek at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.rules.battle import Battle
from grognard.games.leningrad.state import LeningradState
from grognard.kernel import AGAIN, Action, Chance, Flow, Verb
from grognard.mechanics.cups import counted_draws
from grognard.mechanics.pieces import NOBODY

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class Reveal(Chance["Leningrad", LeningradState]):
    """14.1 Once the battle is announced, its untried units are turned over, one after the other."""

    name = "reveal"
    case = "14.1"
    verbs = {"reveal": Verb(("unit", "number"))}

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return self._next(state) != NOBODY

    def _next(self, state: LeningradState) -> int:
        battle: Battle = state.local
        germans, rating = state.germans, state.rating
        for unit in battle.attackers if battle.attackers[0] >= germans else battle.defenders:
            if not rating[unit]:
                return unit
        return NOBODY

    def weights(self, game: Leningrad, state: LeningradState) -> list[tuple[Action, int]]:
        """14.2 The line of the pool it belongs to, by the counters left of each."""
        unit = self._next(state)
        pool = game.units[unit].kind
        lines = (line for line, strength in enumerate(game.data.untried) if strength.pool == pool)
        return counted_draws(state.pool, lines, "reveal", unit)

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Flow:
        _, unit, line = action
        state.rating[unit] = line + 1
        state.pool[line] -= 1
        strength = game.data.untried[line]
        state.emit(
            "revealed",
            "14.1",
            unit=unit,
            attack=strength.attack,
            defence=strength.defence,
            word_kind=strength.kind,
        )
        return AGAIN
