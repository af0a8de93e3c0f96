"""Typhoon! as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.typhoon.advice import TyphoonAdviser
from grognard.games.typhoon.rules.declaring import Attack, declare, exposed, joiners, may_declare, unmet
from grognard.games.typhoon.rules.entry import why_not_enter
from grognard.games.typhoon.rules.guns import why_not_support_attack
from grognard.games.typhoon.rules.hand import Move
from grognard.games.typhoon.rules.odds import UNDER, Clash, defenders, reckon
from grognard.games.typhoon.rules.setup import units_to_come
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.staff.answers import answers
from grognard.games.typhoon.staff.outlook import Lore, Outlook
from grognard.games.typhoon.staff.plan import TyphoonPlan
from grognard.games.typhoon.staff.strikes import strike
from grognard.games.typhoon.state import TyphoonState
from grognard.kernel import Action, Refusal
from grognard.kernel.doctrine import NEVER, Plan
from grognard.mechanics.pieces import members
from grognard.staff.battles import expected, toll
from grognard.staff.doctrine import StaffDoctrine

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


class TyphoonDoctrine(StaffDoctrine):
    """See grognard.kernel.doctrine.Doctrine."""

    game: Typhoon
    lore: Lore
    outlook = Outlook

    def __init__(self, game: Typhoon, numbers: Mapping[str, Any]) -> None:
        super().__init__(game, Lore(game, numbers))
        self.adviser = TyphoonAdviser(game)
        self.answers = answers(self)

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

    def strike(self, state: TyphoonState, side: int) -> Plan | None:
        decision = self.game.decision(state)
        if decision is None or decision.name != "pick-unit" or state.sky.weather == "rain":
            return None
        return strike(self.adviser, self.view(state, side))

    # Attacks

    def plan_attack(self, state: TyphoonState, side: int) -> Plan | None:
        """8.1 All attacks of the phase at once, so that everybody is attacked who must be (8.1.2)."""
        if state.attacks:
            return None
        plan, floor = self.plan_combat(state, side), self.numbers_of(side)["floor"]
        trial, script, total = state.clone(), list[Action](), 0.0
        for _, cell, stacks in self.attacks(plan, side):
            units = [plan.units[s] for s in stacks if plan.strength[s]]
            found = self._declared(trial, cell, units, floor) or self._declared(
                trial, cell, self._unseen(trial, cell, units), floor
            )
            if found is not None:
                value, then, made = found
                trial, total = then, total + value
                script += [action for attack in made for action in announced(attack)]
        return Plan(total, tuple(script)) if script else None

    def _unseen(self, state: TyphoonState, cell: int, units: list[int]) -> list[int]:
        """Those who need attack nobody else if they attack a hex."""
        met = bits(c for attack in state.attacks for c in attack.targets) | 1 << cell
        return [u for u in units if not exposed(self.game, state, [state.where[u]]) & ~met]

    def _declared(
        self, state: TyphoonState, cell: int, units: list[int], floor: float
    ) -> tuple[float, TyphoonState, list[Attack]] | None:
        """An attack on a hex with all that must then be attacked besides; None if that is not worth it."""
        game, then = self.game, state.clone()
        then.log = None
        made: list[Attack] = []
        owed, total = [cell], 0.0
        while owed:
            able = joiners(game, then, Attack((owed[0],)))
            chosen = [u for u in units if u in able] if not made else able
            attack = Attack((owed[0],), tuple(chosen))
            value = self.promise(then, attack) if chosen else NEVER
            total += value
            if total < floor:
                return None
            declare(game, then, attack)
            made.append(attack)
            owed = unmet(game, then)
        return total, then, made

    def promise(self, state: TyphoonState, attack: Attack) -> float:
        """8.4 What an attack declared now is expected to bring; NEVER if it may not be made."""
        game, side = self.game, state.side(attack.attackers[0])
        view = self.view(state, side)
        fed = len(state.attacks) < view.points
        guns: list[int] = []
        for gun in each(game.guns & game.units_of[side]) if fed else ():
            if (
                state.where[gun] >= 0
                and why_not_support_attack(game, state, gun, attack.targets, guns) is None
            ):
                guns.append(gun)
        found = reckon(game, state, Clash(attack.targets, attack.attackers, tuple(guns), supplied=fed))
        if reckon(game, state, Clash(attack.targets, attack.attackers)).column == UNDER:
            return NEVER
        fort = any(m.code == "fortified" for m in found.modifiers)
        results = self.lore.results(max(0, found.column), found.total, int(not fed) + int(fort))
        ground = view.prize(attack.targets[0])
        driven = view.numbers["driven"]
        force = view.force(bits(defenders(game, state, attack.targets, 1 - side)))
        gain = expected(results, force, False, ground, (0.0, driven, 2 * driven))
        price = min(view.step(u) for u in attack.attackers)
        lost = sum(fate.chance for fate in results if fate.attacker.all)
        everything = sum(view.weight(u, state.steps[u]) for u in attack.attackers)
        return float(view.numbers["attack"] * gain - toll(results) * price - lost * everything)

    def gains(self, view: Outlook, unit: int, cells: list[int]) -> dict[int, float]:
        """How much better a unit stands on each hex than where it is."""
        plan = TyphoonPlan(view, [unit], [[view.state.where[unit], *cells]], armed=False)
        return {cell: plan.gain(0, cell) for cell in cells}


def announced(attack: Attack) -> tuple[Action, ...]:
    return ("target", attack.targets[0]), *(("join", u) for u in attack.attackers), ("declare",)
