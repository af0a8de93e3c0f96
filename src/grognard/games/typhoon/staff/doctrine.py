"""Typhoon! as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.typhoon.advice import TyphoonAdviser
from grognard.games.typhoon.rules.declaring import may_declare
from grognard.games.typhoon.rules.eligible import why_not_motor, why_not_move
from grognard.games.typhoon.rules.entry import why_not_enter
from grognard.games.typhoon.rules.hand import Move, mode_of
from grognard.games.typhoon.rules.reach import MOTORISED
from grognard.games.typhoon.rules.setup import units_to_come
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.staff.answers import answers, beginners
from grognard.games.typhoon.staff.declarations import Declarations, announced
from grognard.games.typhoon.staff.outlook import Lore, Outlook
from grognard.games.typhoon.staff.plan import TyphoonPlan
from grognard.games.typhoon.staff.strikes import strikes
from grognard.games.typhoon.staff.trains import Trains
from grognard.games.typhoon.state import TyphoonState
from grognard.kernel import Action, Refusal
from grognard.kernel.doctrine import Plan
from grognard.mechanics.pieces import members
from grognard.staff.doctrine import StaffDoctrine

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


class TyphoonDoctrine(StaffDoctrine):
    """See grognard.kernel.doctrine.Doctrine."""

    game: Typhoon
    lore: Lore
    outlook = Outlook
    plans = TyphoonPlan

    simple: TyphoonDoctrine
    """What a beginner knows; see `Outlook`."""

    def __init__(self, game: Typhoon, numbers: Mapping[str, Any], lore: Lore | None = None) -> None:
        """Who takes over the `lore` of another is a beginner."""
        super().__init__(game, lore or Lore(game, numbers))
        self.adviser = TyphoonAdviser(game)
        self.plain = lore is not None
        self.answers = {**answers(self), **(beginners() if self.plain else {})}
        if not self.plain:
            self.simple = TyphoonDoctrine(game, numbers, self.lore)

    def view(self, state: TyphoonState, side: int) -> Outlook:
        return Outlook(self.lore, state, side, self.plain)

    # Plans

    def plan_movement(self, state: TyphoonState, side: int, crowded: bool = False) -> TyphoonPlan | None:
        game, decision, move = self.game, self.game.decision(state), state.top(Move)
        if move is not None:
            if decision is None or decision.name != "move-units":
                return None
            ways = self.adviser.reach(state, ())
            cells = [] if isinstance(ways, Refusal) else [c for c in ways if self._room(state, move.units, c)]
            start = state.where[move.units[0]]
            return TyphoonPlan(self.view(state, side), [move.units[0]], [[start, *cells]], armed=False)
        if decision is None or decision.name != "pick-unit":
            return None
        options = game.options(state, side)
        movers = [option[1] for option in options if option[0] == "pick"]
        coming = {option[1] for option in options if option[0] == "enter"}
        movers += [unit for unit in units_to_come(game, state, side) if unit in coming]
        if not movers:
            return None
        still = game.units_of[side] & ~bits(movers) & ~game.supplies & ~game.hqs
        done = [u for u in each(still) if state.where[u] >= 0]
        armed = may_declare(state)
        return TyphoonPlan(self.view(state, side), movers, done=done, armed=armed, crowded=crowded)

    def plan_combat(self, state: TyphoonState, side: int) -> TyphoonPlan:
        view = self.view(state, side)
        near = self.game.board.spread(view.foes)
        ready = [u for u in view.ours() if near >> state.where[u] & 1]
        return TyphoonPlan(view, (), (), done=ready)

    def plan_still(self, state: TyphoonState, side: int) -> TyphoonPlan:
        view = self.view(state, side)
        return TyphoonPlan(view, (), (), done=view.ours(), armed=False)

    def material(self, state: TyphoonState, side: int) -> float:
        view = self.view(state, side)
        return float(sum(view.weight(u, state.steps[u]) for u in view.ours()))

    # Moves

    def _room(self, state: TyphoonState, units: tuple[int, ...], cell: int) -> bool:
        """3.2.2 Whether units would not be too many on a hex as things are."""
        there = state.own(state.side(units[0]), cell) | bits(units)
        return not excess([self.game.units[u] for u in members(there)])

    def march(self, state: TyphoonState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        if not self._room(state, units, cell):
            return None
        (unit,) = units
        if state.where[unit] < 0:
            reason = why_not_enter(self.game, state, unit, cell)
            return (("enter", unit, cell), ("halt",)) if reason is None else None
        in_hand = state.top(Move) is not None
        way = self.adviser.way_to(state, units, cell)
        if way is None:
            return None
        first: tuple[Action, ...] = () if in_hand else (("pick", unit),)
        return (*first, *(("step", c) for c in way.cells), ("halt",))

    def strikes(self, state: TyphoonState, side: int) -> Iterable[Plan]:
        """Trains first (7.6), then overruns (7.8): what changes the map before the plan."""
        decision = self.game.decision(state)
        if decision is None or decision.name != "pick-unit":
            return ()
        view = self.view(state, side)
        train = Trains(view).best()
        if train is not None:
            return (train,)
        if state.sky.weather == "rain":
            return ()
        return strikes(self.adviser, view, partial(self._prospect, side))

    def _prospect(self, side: int, state: TyphoonState, area: int) -> float:
        """What a side could make of a position, those in an area moving and nobody else counted: everybody
        takes the best place that he finds, and once more when he sees the others'."""
        view = self.view(state, side)
        check = why_not_motor if mode_of(state) == MOTORISED else why_not_move
        here = [u for u in view.ours() if area >> state.where[u] & 1]
        movers = [u for u in here if check(self.game, state, u) is None]
        still = [u for u in here if u not in movers and not (self.game.supplies | self.game.hqs) >> u & 1]
        plan = TyphoonPlan(view, movers, done=still, armed=may_declare(state))
        # One after the other nobody leaves his division; who is gone cannot be cut off, which is no loss.
        plan.company = 0.0
        plan.terms = [term for term in plan.terms if term.name not in ("ring", "yielding")]
        for _ in range(2):
            for stack in range(len(movers)):
                gain, cell = plan.best(stack)
                if gain > 0:
                    plan.put(stack, cell)
        return plan.worth()

    # Attacks

    def plan_attack(self, state: TyphoonState, side: int) -> Plan | None:
        """8.1 All attacks of the phase at once, so that everybody is attacked who must be (8.1.2)."""
        if state.attacks:
            return None
        view = self.view(state, side)
        value, attacks = Declarations(view).choose(view.numbers["floor"])
        script = [action for attack in attacks for action in announced(attack)]
        return Plan(value, tuple(script)) if script else None
