"""One good look at each decision: the move or attack that gains most by the game's doctrine, now."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from grognard.kernel import Action, Game, Role
from grognard.kernel.doctrine import Doctrine, Intent, Plan

SAMPLES = 6
"""How often chance is tried when a small decision is weighed."""
WIDTH = 24
"""How many answers to a small decision are weighed at most."""


class GreedyPlayer:
    """Follows plans of the doctrine; weighs everything else by trying it out on copies."""

    looks = True

    def __init__(self, seed: str) -> None:
        self.intent: Intent | None = None
        self.watch: Callable[[float], None] | None = None
        self._random = Random(seed)
        self._plan: list[Action] = []
        self._settled: set[int] = set()
        self._phase: Any = None

    def choose(self, game: Game[Any], state: Any, side: int) -> Action:
        options = game.options(state, side)
        if len(options) == 1:
            return options[0]
        if self._plan and self._plan[0] in options:
            return self._plan.pop(0)
        self._plan.clear()
        if game.doctrine is None:
            return options[int(self._random.random() * len(options))]
        self._notice_phase(game, state)
        roles = game.roles(options)
        if roles & {Role.TAKE, Role.ENTER}:
            return self._move(game, game.doctrine, state, side, options)
        if Role.AIM in roles:
            return self._follow(game, game.doctrine.best_attack(state, side), options)
        decision = game.decision(state)
        if decision is not None and decision.secret:
            # What is written in secret shows its effect only with everybody else's: nothing to try out.
            answer = game.doctrine.weigh(state, side, self._random)
            return answer if answer in options else options[int(self._random.random() * len(options))]
        return self._weigh(game, game.doctrine, state, side, options)

    def _notice_phase(self, game: Game[Any], state: Any) -> None:
        here = (game.turn(state), game.phase(state).id)
        if here != self._phase:
            self._phase = here
            self._settled.clear()

    def _move(
        self, game: Game[Any], doctrine: Doctrine, state: Any, side: int, options: list[Action]
    ) -> Action:
        while (plan := doctrine.next_move(state, side, self._settled)) is not None:
            self._settled.update(plan.units)
            if plan.gain > 0 and plan.actions[0] in options:
                return self._follow(game, plan, options)
        if end := game.with_role(options, Role.END):
            return end[0]
        # The rules want something moved that the doctrine would leave alone.
        return self._weigh(game, doctrine, state, side, options)

    def _follow(self, game: Game[Any], plan: Plan | None, options: list[Action]) -> Action:
        if plan is None or plan.actions[0] not in options:
            return next(iter(game.with_role(options, Role.END)), options[0])
        self._plan = list(plan.actions[1:])
        return plan.actions[0]

    def _weigh(
        self, game: Game[Any], doctrine: Doctrine, state: Any, side: int, options: list[Action]
    ) -> Action:
        if len(options) > WIDTH:
            options = sorted(self._random.sample(options, WIDTH))
        return max(options, key=lambda option: self._expected(game, doctrine, state, side, option))

    def _expected(self, game: Game[Any], doctrine: Doctrine, state: Any, side: int, option: Action) -> float:
        total = 0.0
        for sample in range(SAMPLES):
            trial = state.clone()
            game.apply(trial, option, side)
            rolled = game.settle(trial, f"what if {sample}")
            total += doctrine.worth(trial, side)
            if not rolled:
                return total
        return total / SAMPLES
