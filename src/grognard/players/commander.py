"""Plans its turn: everybody's place in one plan, attacks thought out by what the combat table promises.

The thinking is a fixed number of looks at the planning table, so that the same seed gives the same game on
every machine; how long a look takes is the machine's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Any, NamedTuple

from grognard.kernel import Action, Game, Role
from grognard.kernel.doctrine import NEVER, Doctrine, Intent, Joint, MovementPlan
from grognard.players.greedy import GreedyPlayer


class Level(NamedTuple):
    """How hard a commander thinks."""

    looks: int
    """Looks at the planning table for each movement phase: one look weighs one stack in one place."""
    concentrations: int
    """How many joint attacks are tried."""
    kicks: int
    """How often a finished plan is shaken up to find a better one."""
    strikes: bool
    """Whether it fights while moving."""


LEVELS = {
    "recruit": Level(looks=600, concentrations=0, kicks=0, strikes=False),
    "regular": Level(looks=12_000, concentrations=24, kicks=6, strikes=True),
    "veteran": Level(looks=60_000, concentrations=60, kicks=60, strikes=True),
}

IN_HAND = frozenset({Role.STEP, Role.HALT})
"""What is offered while a stack is in hand."""
NOWHERE = -1
ENOUGH = 1e-6
"""A plan is better if it is better by more than rounding."""


class CommanderPlayer:
    """Makes a plan for each of its movement phases and carries it out; attacks by the best joint plan; leaves
    what is small to the greedy player."""

    looks = True

    def __init__(self, seed: str, level: str = "regular") -> None:
        self.level = LEVELS[level]
        self.intent: Intent | None = None
        self.watch: Callable[[float], None] | None = None
        self._random = Random(f"{seed}/commander")
        self._hands = GreedyPlayer(f"{seed}/hands")
        self._script: list[Action] = []
        """Answers that belong together and have been begun."""
        self._orders: list[tuple[tuple[int, ...], int]] = []
        self._phase: Any = None
        self._planned = False

    def choose(self, game: Game[Any], state: Any, side: int) -> Action:
        options = game.options(state, side)
        # Also when there is nothing to choose: a phase may pass in which nothing can be done.
        self._notice_phase(game, state)
        if len(options) == 1:
            return options[0]
        if self._script and self._script[0] in options:
            return self._script.pop(0)
        self._script.clear()
        doctrine = game.doctrine
        if doctrine is None:
            return self._hands.choose(game, state, side)
        roles = game.roles(options)
        if roles & IN_HAND or roles & {Role.TAKE, Role.ENTER}:
            answer = self._move(game, doctrine, state, side, options)
        elif Role.AIM in roles:
            answer = self._attack(game, doctrine, state, side, options)
        else:
            answer = doctrine.weigh(state, side, self._random)
        if answer is None or answer not in options:
            return self._hands.choose(game, state, side)
        return answer

    def _notice_phase(self, game: Game[Any], state: Any) -> None:
        here = (game.turn(state), game.phase_path(state))
        if here != self._phase:
            self._phase = here
            self._planned = False
            self._orders.clear()

    # Movement

    def _move(
        self, game: Game[Any], doctrine: Doctrine, state: Any, side: int, options: list[Action]
    ) -> Action | None:
        if game.roles(options) & IN_HAND:
            halt = next(iter(game.with_role(options, Role.HALT)), None)
            plan = doctrine.plan_movement(state, side, crowded=True)
            if plan is None:
                return halt
            self._ascend(plan, self.level.looks)
            return self._begin(doctrine, state, self._orders_of(plan), options) or halt
        if not self._planned:
            strike = doctrine.strike(state, side) if self.level.strikes else None
            if strike is not None and strike.actions[0] in options:
                self._script = list(strike.actions[1:])
                return strike.actions[0]
            self._planned = True
            plan = doctrine.plan_movement(state, side)
            if plan is None:
                return None
            self._think(plan)
            self.intent = plan.intent()
            self._orders = self._orders_of(plan)
        answer = self._begin(doctrine, state, self._orders, options)
        if answer is not None:
            return answer
        if self._orders:
            # Some ways have shut since the plan was made: whoever is left looks again.
            self._orders.clear()
            plan = doctrine.plan_movement(state, side, crowded=True)
            if plan is not None:
                self._ascend(plan, self.level.looks)
                self._orders = self._orders_of(plan)
                answer = self._begin(doctrine, state, self._orders, options)
                if answer is not None:
                    return answer
        return next(iter(game.with_role(options, Role.END)), None)

    def _orders_of(self, plan: MovementPlan) -> list[tuple[tuple[int, ...], int]]:
        return [
            (units, plan.place(stack))
            for stack, units in enumerate(plan.stacks)
            if plan.place(stack) != plan.places(stack)[0]
        ]

    def _begin(
        self,
        doctrine: Doctrine,
        state: Any,
        orders: list[tuple[tuple[int, ...], int]],
        options: list[Action],
    ) -> Action | None:
        """The first order whose way is open."""
        for number, (units, cell) in enumerate(orders):
            script = doctrine.march(state, units, cell)
            if script and script[0] in options:
                del orders[number]
                self._script = list(script[1:])
                return script[0]
        return None

    # The search

    def _think(self, plan: MovementPlan) -> None:
        """Climb; try the joint moves that no single step finds; shake the plan up and climb again."""
        budget = self._ascend(plan, self.level.looks)
        tries = list(plan.concentrations()[: self.level.concentrations])
        for done in range(len(tries) + self.level.kicks):
            self._report(done / (len(tries) + self.level.kicks))
            if budget <= 0:
                return
            budget = self._try(plan, tries[done] if done < len(tries) else self._shaken(plan), budget)

    def _report(self, share: float) -> None:
        if self.watch is not None:
            self.watch(share)

    def _shaken(self, plan: MovementPlan) -> Joint:
        return Joint(NOWHERE, tuple(self._anywhere(plan) for _ in range(3)))

    def _anywhere(self, plan: MovementPlan) -> tuple[int, int]:
        stack = int(self._random.random() * len(plan.stacks))
        places = plan.places(stack)
        return stack, places[int(self._random.random() * len(places))]

    def _try(self, plan: MovementPlan, joint: Joint, budget: int) -> int:
        before, saved = plan.worth(), plan.save()
        moved = {stack for stack, _ in joint.moves}
        target = None if joint.target == NOWHERE else joint.target
        for stack, cell in joint.moves:
            if plan.gain(stack, cell) == NEVER:
                self._make_room(plan, cell, moved)
            if plan.gain(stack, cell) > NEVER:
                plan.put(stack, cell, target)
        budget = self._ascend(plan, budget - len(moved), once=True, but=moved)
        if plan.worth() < before + ENOUGH:
            plan.restore(saved)
        return budget

    def _make_room(self, plan: MovementPlan, cell: int, but: Collection[int]) -> None:
        """Send somebody else away from a full hex, to where he does best."""
        for stack in range(len(plan.stacks)):
            if plan.place(stack) == cell and stack not in but:
                others = [(plan.gain(stack, c), -n, c) for n, c in enumerate(plan.places(stack)) if c != cell]
                gain, _, away = max(others, default=(NEVER, 0, cell))
                if gain > NEVER:
                    plan.put(stack, away)
                return

    def _ascend(
        self,
        plan: MovementPlan,
        budget: int,
        once: bool = False,
        but: Collection[int] = (),
    ) -> int:
        """Put every stack where it serves the plan best, until nobody finds a better place."""
        better = True
        while better and budget > 0:
            better = False
            for stack in range(len(plan.stacks)):
                if stack in but:
                    continue
                places = plan.places(stack)
                budget -= len(places)
                best, most = -1, ENOUGH
                for cell in places:
                    gain = plan.gain(stack, cell)
                    if gain > most:
                        best, most = cell, gain
                if best >= 0:
                    plan.put(stack, best)
                    better = True
                if budget <= 0:
                    break
            if once:
                break
        return budget

    # Combat

    def _attack(
        self, game: Game[Any], doctrine: Doctrine, state: Any, side: int, options: list[Action]
    ) -> Action | None:
        plan = doctrine.plan_attack(state, side)
        if plan is None:
            return next(iter(game.with_role(options, Role.END)), None)
        self._script = list(plan.actions[1:])
        return plan.actions[0]
