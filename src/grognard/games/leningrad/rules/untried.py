"""14.0 Untried units: nobody knows what a Soviet unit is worth until it fights.

A strength is drawn from the pool at the moment it is revealed. The odds are the same as dealing all of them
face down at the start, and there is nothing to peek at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING

from grognard.games.leningrad.rules.battle import Battle, armoured, attack_strength, defence_strength
from grognard.games.leningrad.state import LeningradState
from grognard.kernel import AGAIN, Action, ChanceDecision, Flow, Verb
from grognard.mechanics.cups import counted_draws
from grognard.mechanics.pieces import NOBODY

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class Reveal(ChanceDecision["Leningrad", LeningradState]):
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


# What can be known of them


def untried(state: LeningradState, unit: int) -> bool:
    return unit >= state.germans and not state.rating[unit]


def expected_strength(game: Leningrad, state: LeningradState, unit: int, attacking: bool) -> float:
    """A unit's strength; of an untried one the mean of its pool as printed."""
    if untried(state, unit):
        return game.untried_means[game.units[unit].kind][not attacking]
    return (attack_strength if attacking else defence_strength)(game, state, unit)


def known_armour(game: Leningrad, state: LeningradState, unit: int) -> bool:
    """12.2 Whether a unit is seen to be armoured."""
    return not untried(state, unit) and armoured(game, state, unit)


def defence_spread(
    game: Leningrad, state: LeningradState, units: Sequence[int]
) -> list[tuple[int, bool, float]]:
    """(total strength, armour among it, chance) of a stack that defends, for all it may turn out to be."""
    unknown = [u for u in units if untried(state, u)]
    tried = [u for u in units if u not in unknown]
    known = sum(defence_strength(game, state, u) for u in tried)
    armour = any(armoured(game, state, u) for u in tried)
    found = draws(game, state, unknown, attacking=False)
    return [(known + more, armour or also, chance) for (more, also), chance in sorted(found.items())]


def draws(
    game: Leningrad, state: LeningradState, units: Sequence[int], attacking: bool
) -> dict[tuple[int, bool], float]:
    """14.2 How likely each (total strength, any armour among it) is when these units are drawn from their
    pools. Exact: counters are drawn without being put back."""
    found: dict[tuple[int, bool], float] = {(0, False): 1.0}
    for pool, drawn in sorted(Counter(game.units[u].kind for u in units).items()):
        # (counters drawn so far, their total, any armour) -> number of ways
        ways: dict[tuple[int, int, bool], int] = {(0, 0, False): 1}
        for line, strength in enumerate(game.data.untried):
            if strength.pool != pool:
                continue
            value, tanks = strength.attack if attacking else strength.defence, strength.kind == "armour"
            wider: dict[tuple[int, int, bool], int] = {}
            for (taken, total, armour), number in ways.items():
                for more in range(min(state.pool[line], drawn - taken) + 1):
                    key = (taken + more, total + more * value, armour or (more > 0 and tanks))
                    wider[key] = wider.get(key, 0) + number * comb(state.pool[line], more)
            ways = wider
        complete = {(t, a): n for (taken, t, a), n in ways.items() if taken == drawn}
        all_ways = sum(complete.values())
        joined: dict[tuple[int, bool], float] = {}
        for (total, armour), chance in found.items():
            for (more_total, more_armour), number in complete.items():
                both = (total + more_total, armour or more_armour)
                joined[both] = joined.get(both, 0.0) + chance * number / all_ways
        found = joined
    return found
