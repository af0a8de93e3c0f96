"""How the computer plays Crossroads: towards the village, and into a fight at good odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from crossroads.rules import Storm, may_storm, odds_of
from crossroads.state import CrossroadsState
from grognard.board.board import each
from grognard.kernel import Action, Refusal
from grognard.kernel.doctrine import NEVER, Intent, Joint, MovementPlan, Plan

if TYPE_CHECKING:
    from crossroads.game import Crossroads


class CrossroadsDoctrine:
    """See grognard.kernel.doctrine.Doctrine."""

    def __init__(self, game: Crossroads, numbers: dict[str, Any]) -> None:
        self.game = game
        self.numbers = numbers

    def good(self, cell: int) -> float:
        march: dict[str, float] = self.numbers["march"]
        away = self.game.board.distance(cell, self.game.village)
        bog = march["bog"] if self.game.board.info[cell].terrain == "marsh" else 0.0
        return (march["holding"] if not away else -march["nearer"] * away) + bog

    def terms(self, state: CrossroadsState, side: int) -> Mapping[str, float]:
        steps = [sum(state.steps[u] for u in each(units)) for units in state.side_units]
        lead = state.scores[side] - state.scores[1 - side]
        return {"steps": float(steps[side] - steps[1 - side]), "lead": lead / 100}

    def worth(self, state: CrossroadsState, side: int) -> float:
        return sum(self.terms(state, side).values())

    def reply(self, state: CrossroadsState, side: int, plan: MovementPlan) -> MovementPlan | None:
        return None

    def plan_movement(self, state: CrossroadsState, side: int, crowded: bool = False) -> MovementPlan | None:
        """Every unit that has not marched, each by itself."""
        movers = [u for u in each(state.side_units[side] & ~state.moved) if state.where[u] >= 0]
        return MarchPlan(self, state, movers) if movers and not state.within("walk") else None

    def strike(self, state: CrossroadsState, side: int) -> Plan | None:
        return None

    def march(self, state: CrossroadsState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        found = self.game.adviser.reach(state, units)
        if isinstance(found, Refusal) or cell not in found:
            return None
        return (("lift", units[0]), *(("tread", c) for c in found[cell].cells), ("rest",))

    def plan_attack(self, state: CrossroadsState, side: int) -> Plan | None:
        for cell in each(state.occupied[1 - side] & ~state.attacked):
            able = tuple(may_storm(self.game, state, side, cell))
            if able and odds_of(self.game, state, Storm(cell, able)) >= self.numbers["storm"]["least_odds"]:
                return Plan(1.0, (("assail", cell), *(("rally", u) for u in able), ("storm",)), able)
        return None

    def weigh(self, state: CrossroadsState, side: int, random: Random | None = None) -> Action | None:
        """2.0 A wager that the other side cannot foresee."""
        if not state.doing("game-turn"):
            return None
        tokens = list(each(state.hands[side]))
        return ("stake", random.choice(tokens) if random is not None else tokens[-1])


class MarchPlan:
    """See grognard.kernel.doctrine.MovementPlan."""

    def __init__(self, doctrine: CrossroadsDoctrine, state: CrossroadsState, movers: Sequence[int]) -> None:
        self.doctrine = doctrine
        self.stacks = [(unit,) for unit in movers]
        self._places = [[state.where[unit], *self._reach(state, unit)] for unit in movers]
        self._at = [places[0] for places in self._places]

    def _reach(self, state: CrossroadsState, unit: int) -> list[int]:
        found = self.doctrine.game.adviser.reach(state, [unit])
        return [] if isinstance(found, Refusal) else sorted(found)

    def places(self, stack: int) -> Sequence[int]:
        return self._places[stack]

    def place(self, stack: int) -> int:
        return self._at[stack]

    def put(self, stack: int, cell: int, target: int | None = None) -> None:
        self._at[stack] = cell

    def save(self) -> list[int]:
        return list(self._at)

    def restore(self, saved: list[int]) -> None:
        self._at = list(saved)

    def gain(self, stack: int, cell: int) -> float:
        if cell != self._at[stack] and self._at.count(cell) > 1:
            return NEVER
        return self.doctrine.good(cell) - self.doctrine.good(self._at[stack])

    def best(self, stack: int, first: int = 0) -> tuple[float, int]:
        places = [*self._places[stack][first:], *self._places[stack][:first]]
        cell = max(places, key=lambda cell: self.gain(stack, cell))
        gain = self.gain(stack, cell)
        return (gain, cell) if gain > 0 else (0.0, -1)

    def concentrations(self) -> Sequence[Joint]:
        return []

    def sectors(self) -> Sequence[Sequence[int]]:
        return [range(len(self.stacks))]

    def worth(self) -> float:
        return sum(self.doctrine.good(cell) for cell in self._at)

    def blows(self) -> Sequence[int]:
        return []

    def intent(self) -> Intent:
        return Intent("village", {"hex": self.doctrine.game.village})
