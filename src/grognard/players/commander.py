"""Plans its turn: everybody's place in one plan, attacks thought out by what the combat table promises.

The thinking is a fixed number of looks at the planning table, so that the same seed gives the same game on
every machine; how long a look takes is the machine's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from grognard.kernel import Action, Game, Role
from grognard.kernel.doctrine import NEVER, Doctrine, Intent, Joint, MovementPlan, Order
from grognard.players.hands import best_by_trial


class Level(NamedTuple):
    """How hard a commander thinks."""

    looks: int
    """Looks at the planning table for each stack: one look weighs the stack in one place."""
    rounds: int
    """How often everybody is asked at most whether he knows a better place, seeing what the others plan; 0 if
    everybody is asked once and sees only where the others stand."""
    concentrations: int = 0
    """How many joint attacks are tried in each sector."""
    kicks: int = 0
    """How often the finished plan of a sector is shaken up to find a better one."""
    strikes: bool = False
    """Whether it fights while moving."""
    drafts: int = 1
    """How many plans it makes, to choose the one to which the enemy has the worst reply."""
    second_thoughts: int = 0
    """How many changes it weighs by that reply, where the enemy would strike."""
    insight: bool = False
    """Whether it sees all that its doctrine can tell; what a beginner does not see, a plan can leave out."""
    seasoned: bool = False
    """Whether it has the doctrine of a veteran, if there is one."""


LEVELS = {
    "greedy": Level(looks=1_000, rounds=0),
    "recruit": Level(looks=60, rounds=2),
    "regular": Level(looks=320, rounds=1_000, concentrations=24, kicks=6, strikes=True, insight=True),
    "veteran": Level(
        *(1_600, 1_000),
        concentrations=60,
        kicks=60,
        strikes=True,
        drafts=2,
        second_thoughts=30,
        insight=True,
        seasoned=True,
    ),
}

IN_HAND = frozenset({Role.STEP, Role.HALT})
"""What is offered while a stack is in hand."""
NOWHERE = -1
ENOUGH = 1e-6
"""A plan is better if it is better by more than rounding."""
REPLY = Level(looks=60, rounds=2, concentrations=8)
"""How hard the enemy is thought to think about his reply."""
FORESIGHT = 0.5
"""How much of what the enemy's reply is worth to him counts against a plan."""


class CommanderPlayer:
    """Makes a plan for each of its movement phases and carries it out; attacks by the best joint plan; what
    is small is weighed by what the doctrine knows or by trying it out."""

    looks = True

    def __init__(self, seed: str, level: str = "regular") -> None:
        self.level = LEVELS[level]
        self.intent: Intent | None = None
        self.watch: Callable[[float], None] | None = None
        self._random = Random(f"{seed}/commander")
        self._script: list[Action] = []
        """Answers that belong together and have been begun."""
        self._orders: list[Order] = []
        self._phase: Any = None
        self._planned = False
        self._rearranged = False
        """Whether somebody has moved by a second plan."""

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
            return options[int(self._random.random() * len(options))]
        if not self.level.insight:
            doctrine = getattr(doctrine, "simple", doctrine)
        elif self.level.seasoned:
            doctrine = getattr(doctrine, "seasoned", doctrine)
        roles = game.roles(options)
        answer: Action | None = None
        if roles & IN_HAND or roles & {Role.TAKE, Role.ENTER}:
            answer = self._move(game, doctrine, state, side, options)
            if Role.AIM in roles and (answer is None or game.role(answer) is Role.END):
                # Attacks are declared in the phase in which units move: once everybody stands.
                answer = self._attack(game, doctrine, state, side, options)
        elif Role.AIM in roles:
            answer = self._attack(game, doctrine, state, side, options)
        if answer is None or answer not in options:
            answer = doctrine.weigh(state, side, self._random)
        if answer is None or answer not in options:
            answer = best_by_trial(game, doctrine, state, side, options, self._random)
        return answer

    def _notice_phase(self, game: Game[Any], state: Any) -> None:
        here = (game.turn(state), game.phase_path(state))
        if here != self._phase:
            self._phase = here
            self._planned = self._rearranged = False
            self._orders.clear()

    # Movement

    def _move(
        self, game: Game[Any], doctrine: Doctrine, state: Any, side: int, options: list[Action]
    ) -> Action | None:
        if game.roles(options) & IN_HAND:
            halt = next(iter(game.with_role(options, Role.HALT)), None)
            plan = self._set_out(doctrine, state, side, crowded=True)
            if plan is None:
                return halt
            self._settle_down(plan)
            return self._begin(doctrine, state, orders_of(plan), options) or halt
        if not self._planned:
            strike = doctrine.strike(state, side) if self.level.strikes else None
            if strike is not None and strike.actions[0] in options:
                self._script = list(strike.actions[1:])
                return strike.actions[0]
            self._planned = True
            plan = self._set_out(doctrine, state, side)
            if plan is None:
                return next(iter(game.with_role(options, Role.END)), None)
            self._decide(doctrine, state, side, plan)
            self.intent = plan.intent()
            self._orders = orders_of(plan)
        answer = self._begin(doctrine, state, self._orders, options)
        if answer is not None:
            return answer
        end = next(iter(game.with_role(options, Role.END)), None)
        if self._orders or self._rearranged or end is None:
            # Some ways have shut since the plan was made, or somebody must move: who is left looks again, and
            # once more when others have made room.
            self._orders.clear()
            self._rearranged = False
            plan = self._set_out(doctrine, state, side, crowded=True)
            if plan is not None:
                self._settle_down(plan)
                self._orders = orders_of(plan)
                answer = self._begin(doctrine, state, self._orders, options)
                if answer is not None:
                    self._rearranged = True
                    return answer
        return end

    def _set_out(
        self, doctrine: Doctrine, state: Any, side: int, crowded: bool = False
    ) -> MovementPlan | None:
        plan = doctrine.plan_movement(state, side, crowded)
        if plan is not None and not self.level.insight and hasattr(plan, "simplify"):
            plan.simplify()
        if plan is not None and self.level.drafts > 1 and hasattr(plan, "look_ahead"):
            plan.look_ahead()
        return plan

    def _begin(
        self, doctrine: Doctrine, state: Any, orders: list[Order], options: list[Action]
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

    def _decide(self, doctrine: Doctrine, state: Any, side: int, plan: MovementPlan) -> None:
        """Of a few plans, the one that is best when the enemy has replied; then others are tried for those
        whom he would strike."""
        first = plan.save()
        drafts: list[tuple[float, Any]] = []
        for number in range(self.level.drafts):
            plan.restore(first)
            Search(self._random, self.level, partial(self._report, number)).think(plan)
            if self.level.drafts > 1:
                drafts.append((self._foresee(doctrine, state, side, plan)[0], plan.save()))
        if drafts:
            plan.restore(max(drafts, key=lambda draft: draft[0])[1])
        if self.level.second_thoughts:
            self._reconsider(doctrine, state, side, plan)

    def _report(self, draft: int, share: float) -> None:
        if self.watch is not None:
            self.watch((draft + share) / self.level.drafts)

    def _foresee(
        self, doctrine: Doctrine, state: Any, side: int, plan: MovementPlan
    ) -> tuple[float, MovementPlan | None]:
        """What a plan is worth when the enemy has replied, and his reply, if he has one."""
        reply = doctrine.reply(state, side, plan)
        if reply is None:
            return plan.worth(), None
        Search(Random("reply"), REPLY).think(reply)
        return plan.worth() - FORESIGHT * reply.worth(), reply

    def _reconsider(self, doctrine: Doctrine, state: Any, side: int, plan: MovementPlan) -> None:
        """Where the enemy would strike somebody leaves or somebody comes, then a few go anywhere: what makes
        his reply worse stays."""
        search = Search(self._random, self.level)
        sectors = [list(sector) for sector in plan.sectors()]
        score, reply = self._foresee(doctrine, state, side, plan)
        tried: set[Joint] = set()
        for _ in range(self.level.second_thoughts if reply is not None else 0):
            blows = reply.blows() if reply is not None else ()
            sector = sectors[int(self._random.random() * len(sectors))]
            joint = next((j for j in remedies(plan, blows) if j not in tried), None)
            if joint is None:
                joint = search.shaken(plan, sector)
            else:
                (sector,) = (s for s in sectors if joint.moves[0][0] in s)
            tried.add(joint)
            saved = plan.save()
            search.carry_out(plan, sector, joint, self.level.looks * len(sector))
            then, answer = self._foresee(doctrine, state, side, plan)
            if then > score + ENOUGH:
                score, reply = then, answer
            else:
                plan.restore(saved)

    def _settle_down(self, plan: MovementPlan) -> None:
        """Everybody takes the best place he finds, and no more is thought."""
        search = Search(self._random, self.level)
        for sector in plan.sectors():
            search.ascend(plan, sector, self.level.looks * len(sector), self.level.rounds or 1)

    # Combat

    def _attack(
        self, game: Game[Any], doctrine: Doctrine, state: Any, side: int, options: list[Action]
    ) -> Action | None:
        plan = doctrine.plan_attack(state, side)
        if plan is None:
            return next(iter(game.with_role(options, Role.END)), None)
        self._script = list(plan.actions[1:])
        return plan.actions[0]


def orders_of(plan: MovementPlan) -> list[Order]:
    """Who goes where."""
    return [
        (units, plan.place(stack))
        for stack, units in enumerate(plan.stacks)
        if plan.place(stack) != plan.places(stack)[0]
    ]


def remedies(plan: MovementPlan, blows: Sequence[int]) -> Iterator[Joint]:
    """What can be done about blows that the enemy would strike: leave the hex, or bring somebody more."""
    for cell in blows:
        there, coming = [], []
        for stack in range(len(plan.stacks)):
            places = plan.places(stack)
            if plan.place(stack) == cell:
                away = max(((plan.gain(stack, c), c) for c in places if c != cell), default=(NEVER, cell))
                if away[0] > NEVER:
                    there.append((stack, away[1]))
            elif cell in places:
                coming.append((plan.gain(stack, cell), stack))
        if there:
            yield Joint(NOWHERE, tuple(there))
        best, stack = max(coming, default=(NEVER, NOWHERE))
        if best > NEVER:
            yield Joint(NOWHERE, ((stack, cell),))


class Search:
    """Looks for a better plan, sector by sector."""

    def __init__(self, random: Random, level: Level, watch: Callable[[float], None] | None = None) -> None:
        self._random, self.level, self.watch = random, level, watch

    def think(self, plan: MovementPlan) -> None:
        """Climb; try the joint moves that no single step finds; shake the plan up and climb again."""
        sectors = [list(sector) for sector in plan.sectors()]
        budgets = [self.level.looks * len(sector) for sector in sectors]
        for number, sector in enumerate(sectors):
            # Whoever looks first has the first choice: with another seed it is somebody else.
            sector.sort(key=lambda _: self._random.random())
            if self.level.rounds:
                budgets[number] = self.ascend(plan, sector, budgets[number])
            else:
                self.scatter(plan, sector)
        home = {stack: number for number, sector in enumerate(sectors) for stack in sector}
        joints: list[list[Joint]] = [[] for _ in sectors]
        if self.level.concentrations:
            for joint in plan.concentrations():
                joints[home[joint.moves[0][0]]].append(joint)
        kicks = [None] * self.level.kicks
        tasks = [
            (number, task)
            for number in range(len(sectors))
            for task in (*joints[number][: self.level.concentrations], *kicks)
        ]
        for done, (number, task) in enumerate(tasks):
            if self.watch is not None:
                self.watch(done / len(tasks))
            if budgets[number] > 0:
                move = task or self.shaken(plan, sectors[number])
                budgets[number] = self._try(plan, sectors[number], move, budgets[number])

    def shaken(self, plan: MovementPlan, sector: Sequence[int]) -> Joint:
        return Joint(NOWHERE, tuple(self._anywhere(plan, sector) for _ in range(3)))

    def _anywhere(self, plan: MovementPlan, sector: Sequence[int]) -> tuple[int, int]:
        stack = sector[int(self._random.random() * len(sector))]
        places = plan.places(stack)
        return stack, places[int(self._random.random() * len(places))]

    def _try(self, plan: MovementPlan, sector: Sequence[int], joint: Joint, budget: int) -> int:
        before, saved = plan.worth(), plan.save()
        budget = self.carry_out(plan, sector, joint, budget)
        if plan.worth() < before + ENOUGH:
            plan.restore(saved)
        return budget

    def carry_out(self, plan: MovementPlan, sector: Sequence[int], joint: Joint, budget: int) -> int:
        """Make a joint move, whatever it is worth, and let the others make the best of it; what is left of
        the budget."""
        moved = {stack for stack, _ in joint.moves}
        target = None if joint.target == NOWHERE else joint.target
        for stack, cell in joint.moves:
            if plan.gain(stack, cell) == NEVER:
                self._make_room(plan, sector, cell, moved)
            if plan.gain(stack, cell) > NEVER:
                plan.put(stack, cell, target)
        others = [stack for stack in sector if stack not in moved]
        return self.ascend(plan, others, budget - len(moved), rounds=1)

    def _make_room(self, plan: MovementPlan, sector: Sequence[int], cell: int, but: Collection[int]) -> None:
        """Send somebody else away from a full hex, to where he does best."""
        for stack in sorted(sector):
            if plan.place(stack) == cell and stack not in but:
                others = [(plan.gain(stack, c), -n, c) for n, c in enumerate(plan.places(stack)) if c != cell]
                gain, _, away = max(others, default=(NEVER, 0, cell))
                if gain > NEVER:
                    plan.put(stack, away)
                return

    def scatter(self, plan: MovementPlan, sector: Sequence[int]) -> None:
        """Everybody goes where he would do best if nobody else moved."""
        wishes = []
        for stack in sector:
            gains = {cell: plan.gain(stack, cell) for cell in plan.places(stack)}
            best = max(gains, key=gains.__getitem__)
            if gains[best] > ENOUGH:
                wishes.append((stack, best))
        for stack, cell in wishes:
            if plan.gain(stack, cell) > NEVER:
                plan.put(stack, cell)

    def ascend(
        self, plan: MovementPlan, sector: Sequence[int], budget: int, rounds: int | None = None
    ) -> int:
        """Put every stack where it serves the plan best, until nobody finds a better place; what is left of
        the budget."""
        for _ in range(rounds or self.level.rounds):
            better = False
            for stack in sector:
                if budget <= 0:
                    return budget
                places = plan.places(stack)
                budget -= len(places)
                # Of places as good as each other, one that the seed decides.
                gain, cell = plan.best(stack, int(self._random.random() * len(places)))
                if gain > 0:
                    plan.put(stack, cell)
                    better = True
            if not better:
                break
        return budget
