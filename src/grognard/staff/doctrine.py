"""What the doctrines of all games have in common: attacks packed, small answers found, positions weighed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from grognard.board.board import each
from grognard.kernel import Action, Game, Refusal, Role
from grognard.kernel.advice import Way
from grognard.kernel.doctrine import MovementPlan, Plan
from grognard.mechanics.pieces import DEAD
from grognard.staff.answers import Answer as Answer
from grognard.staff.assaults import Attack, Packing
from grognard.staff.plan import PlacementPlan

LIKELY = 0.5
"""From this chance on an attack is thought to succeed, when the enemy's reply is imagined."""

GoOn = Callable[[Any, str, list[Action]], Action | None]
"""From a position, the name of the decision in progress and its options: the answer that goes on."""


def seasoned(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a doctrine as a veteran has them: what he knows better stands in `veteran`."""
    better = numbers["veteran"]
    plan = {part: {**known, **better.get(part, {})} for part, known in numbers["plan"].items()}
    return {key: value for key, value in numbers.items() if key != "veteran"} | {"plan": plan}


class StaffDoctrine:
    """See grognard.kernel.doctrine.Doctrine. A game's doctrine is a subclass that supplies its plans."""

    game: Any
    outlook: Any
    """The class of what a side knows of a position; see grognard.staff.outlook."""
    answers: Mapping[str, Answer]
    """Small decisions by their name, or by the verb of their first option."""
    traits: Sequence[str] = ("where", "steps")
    """What a unit is in a position, where answers are tried out."""
    plans: Any
    """The class of its plans, if they are front plans; see grognard.staff.front."""
    adviser: Any
    """What tells people how far their units get."""
    taking: tuple[str, str]
    """The verbs by which a stack is taken up: its first unit, and each more."""
    losing: str
    """The verb by which a step is lost."""

    def __init__(self, game: Game[Any], lore: Any) -> None:
        self.game, self.lore = game, lore
        self.numbers: Mapping[str, Any] = lore.numbers

    # What a game supplies

    def plan_combat(self, state: Any, side: int) -> PlacementPlan:
        """Those who may attack now, where they stand."""
        raise NotImplementedError

    def plan_still(self, state: Any, side: int) -> PlacementPlan:
        """A side as it stands, nobody moving."""
        view = self.view(state, side)
        return self.fight(view, view.troops(side))

    def plan_movement(self, state: Any, side: int, crowded: bool = False) -> MovementPlan | None:
        raise NotImplementedError

    def nobody(self, view: Any) -> Any:
        """A plan of nobody's moves, where answers are tried out: it knows how a unit stands on a hex
        (`standing`) and what a hex with some units is worth in another position (`keep`)."""
        raise NotImplementedError

    goes_on: Mapping[str, Callable[[Any, Any, list[Action]], Action]] = MappingProxyType({})
    """How our side goes on, by the name of a decision, when an answer is followed through, from the plan of
    nobody's moves and the position then; at any other decision that is done."""

    def march(self, state: Any, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        raise NotImplementedError

    def material(self, state: Any, side: int) -> float:
        """What a side has on the map and on its account, whatever its places."""
        view = self.view(state, side)
        found: float = view.worth(view.troops(side))
        return found

    # What follows

    def view(self, state: Any, side: int) -> Any:
        """What a side knows of a position."""
        return self.outlook(self.lore, state, side)

    def numbers_of(self, side: int) -> Mapping[str, float]:
        """The doctrine of a side: `floor`, `spare` and, if it is there, `foresight` are read here."""
        found: Mapping[str, float] = self.numbers["plan"][self.game.sides[side]]
        return found

    def announce(self, cell: int, units: Sequence[int]) -> tuple[Action, ...]:
        """The answers by which units attack a hex."""
        words = {self.game.role((word,)): word for word in self.game.verbs()}
        return (words[Role.AIM], cell), *((words[Role.JOIN], u) for u in units), (words[Role.COMMIT],)

    def go(self, units: Sequence[int], cells: Sequence[int], in_hand: bool = False) -> tuple[Action, ...]:
        """The answers by which units go over some hexes and halt; they are taken up first if they are not in
        hand."""
        first, more = self.taking
        taken = () if in_hand else ((first, units[0]), *((more, u) for u in units[1:]))
        return (*taken, *(("step", cell) for cell in cells), ("halt",))

    def ways(self, state: Any, units: tuple[int, ...]) -> Mapping[int, Way]:
        """How units get to each hex, or those in hand, as a person is told; nowhere if they may not move."""
        found = self.adviser.reach(state, units)
        return {} if isinstance(found, Refusal) else found

    def alone(self, view: Any, unit: int, cells: Sequence[int]) -> PlacementPlan:
        """A plan in which one unit chooses between hexes, the first where it stands, and nobody attacks."""
        plan: PlacementPlan = self.plans(view, [unit], [cells], armed=False)
        return plan

    def fight(self, view: Any, units: Sequence[int], barred: int = 0) -> PlacementPlan:
        """A plan in which some units attack from where they stand, no hex that is `barred`."""
        plan: PlacementPlan = self.plans(view, (), (), done=units, barred=barred)
        return plan

    def gains(self, view: Any, unit: int, cells: Iterable[int]) -> dict[int, float]:
        """How much better a unit stands on each hex than where it is."""
        cells = list(cells)
        plan = self.alone(view, unit, [max(-1, view.state.where[unit]), *cells])
        return {cell: plan.gain(0, cell) for cell in cells}

    def reply(self, state: Any, side: int, plan: Any) -> MovementPlan | None:
        """Everybody where the plan has him, and those gone who will most likely be driven out: who attacks
        would otherwise be thought to face the enemies whom he attacks."""
        if not self.numbers_of(side).get("foresight", 1.0):
            return None
        then = state.clone()
        for stack, units in enumerate(plan.stacks):
            for unit in units:
                if plan.place(stack) != plan.places(stack)[0]:
                    then.place(unit, plan.place(stack))
        for _, target in plan.attacks():
            if plan.clears(target) >= LIKELY:
                ways = [n for n in target.ways if not plan.cover[n]]
                for unit in each(then.at.get(target.cell, 0)):
                    then.place(unit, ways[0] if ways else DEAD)
        return self.plan_reply(then, 1 - side)

    def plan_reply(self, state: Any, side: int) -> MovementPlan | None:
        """The planning table of a side that has not been asked yet."""
        return None

    def strikes(self, state: Any, side: int) -> Iterable[Plan]:
        """Fights to be had while units move, those that promise enough."""
        return ()

    def strike(self, state: Any, side: int) -> Plan | None:
        """The one that promises most."""
        return max(self.strikes(state, side), key=lambda plan: plan.gain, default=None)

    def attacks(self, plan: PlacementPlan, side: int) -> list[Attack]:
        numbers = self.numbers_of(side)
        return Packing(plan, numbers["spare"]).attacks(numbers["floor"])

    def plan_attack(self, state: Any, side: int) -> Plan | None:
        plan = self.plan_combat(state, side)
        for value, cell, stacks in self.attacks(plan, side)[:1]:
            units = tuple(sorted(u for s in stacks for u in plan.stacks[s]))
            return Plan(value, self.announce(cell, units), units)
        return None

    def weigh(self, state: Any, side: int, random: Random | None = None) -> Action | None:
        options, decision = self.game.options(state, side), self.game.decision(state)
        assert decision is not None
        answer = self.answers.get(decision.name) or self.answers.get(options[0][0])
        return answer(self.view(state, side), options, random) if answer is not None else None

    def follow(self, state: Any, side: int, option: Action, go_on: GoOn) -> Any:
        """The position once an answer has been followed through: our side goes on by `go_on` until that knows
        nothing to say; the other side is not asked."""
        game, trial = self.game, state.clone()
        game.apply(trial, option)
        while (decision := game.decision(trial)) is not None and decision.actor(game, trial) == side:
            answer = go_on(trial, decision.name, decision.options(game, trial, side))
            if answer is None:
                break
            game.apply(trial, answer)
        return trial

    def try_out(self, view: Any, options: list[Action], _: Random | None) -> Action:
        """The answer that leads to the best position when it is followed through."""
        plan, side = self.nobody(view), view.side

        def value(option: Action) -> float:
            return self._appraise(plan, self.follow(view.state, side, option, partial(self._go_on, plan)))

        return max(options, key=value)

    def _go_on(self, plan: Any, trial: Any, name: str, answers: list[Action]) -> Action | None:
        known = self.goes_on.get(name)
        return known(plan, trial, answers) if known is not None else None

    def lose_cheapest(self, plan: Any, trial: Any, answers: list[Action]) -> Action:
        """Whoever has begun to lose steps goes on doing so."""
        then = self.view(trial, plan.view.side)
        return min((a for a in answers if a[0] == self.losing), key=lambda a: (then.step(a[1]), a[1]))

    def stand_best(self, plan: Any, trial: Any, answers: list[Action]) -> Action:
        """Whoever has to go goes where he stands best."""
        return max(answers, key=lambda a: (plan.standing(a[1], a[2]), a))

    def _appraise(self, plan: Any, state: Any) -> float:
        """How much more another position is worth, not far from the plan's: who is left, where ours stand,
        what may be done to them."""
        side, now, then = plan.view.side, plan.state, self.view(state, plan.view.side)
        ours, total, cells = self.game.units_of[side], 0.0, 0

        def count(view: Any, unit: int) -> float:
            cell, own = view.state.where[unit], ours >> unit & 1
            worth = view.worth((unit,)) if cell >= 0 else 0.0
            return float(worth + plan.standing(unit, cell) if own and cell >= 0 else worth if own else -worth)

        before, after = (zip(*(getattr(s, t) for t in self.traits), strict=True) for s in (now, state))
        changed = [u for u, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        for unit in changed:
            total += count(then, unit) - count(plan.view, unit)
            for cell in (now.where[unit], state.where[unit]) if ours >> unit & 1 else ():
                cells |= 1 << cell if cell >= 0 else 0
        for cell in each(cells):
            members, there = (s.at.get(cell, 0) & ours for s in (now, state))
            total += plan.keep(cell, there, then) - plan.hold(cell, members)
        return total

    def terms(self, state: Any, side: int) -> dict[str, float]:
        """What each part of a position is worth to a side: what `worth` adds up."""
        return {"material": self.material(state, side), **self.plan_still(state, side).parts()}

    def worth(self, state: Any, side: int) -> float:
        return sum(self.terms(state, side).values()) - self.material(state, 1 - side)
