"""Leningrad as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.leningrad.rules import reinforcements
from grognard.games.leningrad.rules.armour import corps_involved
from grognard.games.leningrad.rules.battle import Battle
from grognard.games.leningrad.rules.combat import may_be_attacked
from grognard.games.leningrad.rules.movement import Stack
from grognard.games.leningrad.rules.reach import budget, flood, full_hexes, way_to, within_reach
from grognard.games.leningrad.staff.outlook import Foe, Lore, Outlook
from grognard.games.leningrad.staff.plan import LeningradPlan, ready_units
from grognard.games.leningrad.state import SOVIET, LeningradState, members
from grognard.kernel import Action, Refusal
from grognard.kernel.doctrine import Plan
from grognard.staff.doctrine import StaffDoctrine
from grognard.staff.plan import Target

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class LeningradDoctrine(StaffDoctrine):
    """See grognard.kernel.doctrine.Doctrine."""

    def __init__(self, game: Leningrad, numbers: Mapping[str, Any]) -> None:
        self.game: Leningrad = game
        self.numbers = numbers
        self.answers = {
            "fortify": self._fortify,
            "interdict": lambda view, options, random: ("end",),
            "commit": self._commit_air,
            "lose": self._try_out,
            "retreat": self._try_out,
            "fall-back": self._try_out,
            "advance": self._try_out,
        }

    @cached_property
    def lore(self) -> Lore:
        return Lore(self.game, self.numbers)

    def numbers_of(self, side: int) -> Mapping[str, float]:
        return self.numbers["plan"][self.game.sides[side]]  # type: ignore[no-any-return]

    def view(self, state: LeningradState, side: int) -> Outlook:
        return Outlook(self.lore, state, side)

    # Plans

    def plan_movement(self, state: LeningradState, side: int, crowded: bool = False) -> LeningradPlan | None:
        view = self.view(state, side)
        in_hand = state.top(Stack)
        stacks: list[tuple[int, ...]] = []
        if in_hand is not None and in_hand.units:
            stacks.append(in_hand.units)
        else:
            ready = ready_units(view)
            whole = {} if crowded else self._whole_corps(view, ready)
            stacks = list(dict.fromkeys(whole.get(u, (u,)) for u in ready))
        places = [self._places(state, units, crowded) for units in stacks]
        if in_hand is None:
            for unit in reinforcements.due(self.game, state, side):
                entries = reinforcements.entry_hexes(self.game, state, unit)
                if entries:
                    stacks.append((unit,))
                    places.append([-1, *entries])
        return LeningradPlan(view, stacks, places, view.foes) if stacks else None

    def _whole_corps(self, view: Outlook, ready: list[int]) -> dict[int, tuple[int, ...]]:
        """The panzer corps that can move as one."""
        where, found = view.state.where, {}
        for corps in self.game.corps:
            together = all(u in ready and where[u] == where[corps[0]] for u in corps)
            if len(corps) > 1 and together and not view.zones >> where[corps[0]] & 1:
                found.update(dict.fromkeys(corps, corps))
        return found

    def _places(self, state: LeningradState, units: tuple[int, ...], crowded: bool) -> list[int]:
        here = state.where[units[0]]
        if self.game.soviets_surprised(state, self.game.side(units[0])):
            return [here, *self._forced(state, units)]
        full = full_hexes(self.game, state, units) if crowded else 0
        return [here, *each(within_reach(self.game, state, units, full))]

    def _forced(self, state: LeningradState, units: tuple[int, ...]) -> list[int]:
        """17.2 Where the surprised may halt: next to a German or, if they reach none, as far as they get."""
        ways = self.lore.adviser.reach(state, units if not state.doing("move") else ())
        if isinstance(ways, Refusal):
            return []
        least = min((way.points_left for way in ways.values()), default=0)
        contact = [cell for cell in ways if self.view(state, SOVIET).zones >> cell & 1]
        return contact or [cell for cell, way in ways.items() if way.points_left == least]

    def march(self, state: LeningradState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        game = self.game
        if state.where[units[0]] < 0:
            refused = reinforcements.why_not_enter(game, state, units[0], cell)
            return None if refused is not None else (("enter", units[0], cell), ("halt",))
        way: Sequence[int] | None = way_to(game, state, units, cell)
        if game.soviets_surprised(state, game.side(units[0])):
            ways = self.lore.adviser.reach(state, units if not state.doing("move") else ())
            way = ways[cell].cells if not isinstance(ways, Refusal) and cell in ways else None
        if way is None:
            return None
        first = [] if state.doing("move") else [("pick", units[0]), *(("add", u) for u in units[1:])]
        return (*first, *(("step", c) for c in way), ("halt",))

    def plan_combat(self, state: LeningradState, side: int) -> LeningradPlan:
        game, view = self.game, self.view(state, side)
        able = 0
        for cell in each(state.occupied[side] & view.zones):
            able |= state.at[cell] & ~state.fought
        stacks = []
        for corps in game.corps:
            if not bits(corps) & ~able and len({state.where[u] for u in corps}) == 1:
                stacks.append(corps)
                able &= ~bits(corps)
        stacks += [(unit,) for unit in members(able)]
        targets = bits(cell for cell in each(view.foes) if may_be_attacked(state, cell))
        return LeningradPlan(view, stacks, [[state.where[units[0]]] for units in stacks], targets)

    def plan_still(self, state: LeningradState, side: int) -> LeningradPlan:
        view = self.view(state, side)
        units = [u for u in members(self.game.units_of[side]) if state.where[u] >= 0]
        return LeningradPlan(view, [(u,) for u in units], [[state.where[u]] for u in units], view.foes)

    def plan_reply(self, state: LeningradState, side: int) -> LeningradPlan:
        view = self.view(state, side)
        units = [u for u in members(self.game.units_of[side]) if state.where[u] >= 0]
        places = [[state.where[u], *each(within_reach(self.game, state, (u,), 0))] for u in units]
        return LeningradPlan(view, [(u,) for u in units], places, view.foes)

    def material(self, state: LeningradState, side: int) -> float:
        view = self.view(state, side)
        return sum(view.value_of(u) for u in members(self.game.units_of[side]) if state.where[u] >= 0)

    def announce(self, cell: int, units: Sequence[int]) -> tuple[Action, ...]:
        return ("target", cell), *(("join", u) for u in units), ("fight",)

    # Overruns

    def strike(self, state: LeningradState, side: int) -> Plan | None:
        """7.0 The overrun that promises most, by a panzer corps or the mobile units of one hex."""
        game = self.game
        if game.soviets_surprised(state, side):
            return None
        price = 2 * game.data.numbers["overrun_cost"]
        plan = self.plan_combat(state, side)
        best: Plan | None = None
        for cell in each(state.occupied[side]):
            idle = members(state.at[cell] & ~state.done & ~state.moved)
            ready = tuple(u for u in idle if game.movement[u] >= price)
            for units in self._overrunners(ready):
                for target, spot, gain in self._overruns(plan, units, price):
                    if gain < plan.view.numbers["overrun"] or (best is not None and gain <= best.gain):
                        continue
                    way = () if state.where[units[0]] == spot else way_to(game, state, units, spot)
                    if way is not None:
                        steps = [("step", c) for c in way]
                        first = [("pick", units[0]), *(("add", u) for u in units[1:])]
                        best = Plan(gain, (*first, *steps, ("overrun", target.cell)), units)
        return best

    def _overrunners(self, ready: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        yield from (c for c in self.game.corps if len(c) > 1 and all(u in ready for u in c))
        mobile = tuple(u for u in ready if self.game.costs[u] is self.game.mobile_costs)
        if 1 < len(mobile) <= self.game.stacking and mobile not in self.game.corps:
            yield mobile

    def _overruns(
        self, plan: LeningradPlan, units: tuple[int, ...], price: int
    ) -> Iterator[tuple[Target, int, float]]:
        """The stacks that these units could overrun, from where, and what that promises."""
        game, view = self.game, plan.view
        reached = self._with_points_left(view, units, price)
        attack = int(sum(view.strength(u, True) for u in units))
        worth, cheapest = sum(view.value_of(u) for u in units), min(view.step(u) for u in units)
        shifts = game.data.shifts
        own = shifts["overrun"][0] + (shifts["attacker-corps"][0] if units in game.corps else 0)
        farthest = max((self._standing(plan, units, c) for c in each(reached)), default=0.0)
        for target in plan.targets:
            jump_off = game.contact[target.cell] & reached
            if not jump_off or attack < 3 * target.face.expected:
                continue
            dry = jump_off & ~target.face.rivers
            shift = target.face.shift + own + (0 if dry else shifts["river"][0])
            if target.face.open and any(map(view.is_armour, units)):
                shift += shifts["attacker-armour"][0]
            gain = plan.promise(target, attack, shift, not target.exits, cheapest, worth)
            # Whoever fights here does not march on.
            missed = max(0.0, farthest - self._standing(plan, units, target.cell))
            yield target, each(dry or jump_off)[0], gain - view.numbers["detour"] * missed

    def _standing(self, plan: LeningradPlan, units: tuple[int, ...], cell: int) -> float:
        return sum(plan.standing(u, cell) for u in units)

    def _with_points_left(self, view: Outlook, units: tuple[int, ...], price: int) -> int:
        """The hexes that a stack reaches with so many points to spare, its own included."""
        game, state = self.game, view.state
        points, here = budget(game, state, units), state.where[units[0]]
        found = 1 << here if points >= price else 0
        if found and not view.zones >> here & 1:
            for _, paid, layers in flood(game, state, units, full_hexes(game, state, units)):
                for layer in layers[: max(0, points - paid - price + 1)]:
                    found |= layer
        return found

    # Small decisions

    def _fortify(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        sites = [option for option in options if option[0] == "fortify"]
        return max(sites, key=lambda o: (self._fort_value(view.state, o[1]), -o[1])) if sites else ("end",)

    def _fort_value(self, state: LeningradState, cell: int) -> float:
        game = self.game
        value = -float(self.lore.ways[state.scenario].get(cell, 400))
        if cell in game.victory(state).objectives:
            value += 40
        elif game.leningrad_set >> cell & 1:
            value += 30
        if state.occupied[SOVIET] >> cell & 1:
            value += 4
        return value + 2 * (game.contact[cell] & game.leningrad_set).bit_count()

    def _commit_air(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        """13.1 All or nothing: the aircraft go to the battle where they change most."""
        battle: Battle = view.state.local
        if battle.overrun or self.game.side(battle.attackers[0]) != view.side:
            return ("commit", 0 if battle.overrun else view.state.air_ready)
        plan = self.plan_combat(view.state, view.side)
        by_cell = {target.cell: target for target in plan.targets}
        others = [
            plan.lifted(by_cell[a.cell], a.stacks, view.state.air_ready)
            for a in self.attacks(plan, view.side)
        ]
        here = Target(-1, battle.targets[0], Foe(plan.view, battle.targets[0], battle.defenders), ())
        attack = int(sum(plan.view.strength(u, True) for u in battle.attackers))
        shift = here.face.shift + corps_involved(self.game, view.state, battle.attackers)
        gain = plan.columns_worth(here, attack, shift, view.state.air_ready)
        return ("commit", view.state.air_ready if gain >= max(others, default=0.0) else 0)

    def _try_out(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        """Follow each answer through until the battle's result has been suffered, and compare."""
        plan = self.plan_combat(view.state, view.side)
        scores = [
            self._appraise(plan, self._follow(plan, view.state, view.side, option)) for option in options
        ]
        return options[scores.index(max(scores))]

    def _follow(
        self, plan: LeningradPlan, state: LeningradState, side: int, option: Action
    ) -> LeningradState:
        """The position once the result has been suffered, our side answering by what looks best at once, the
        other not at all."""
        game, trial = self.game, state.clone()
        game.apply(trial, option)
        while (decision := game.decision(trial)) is not None and decision.actor(game, trial) == side:
            answers = decision.options(game, trial, side)
            if decision.name == "lose-or-retreat":
                # Whoever began to lose steps goes on doing so: the cheapest first.
                then = self.view(trial, side)
                answer = min((a for a in answers if a[0] == "lose"), key=lambda a: (then.step(a[1]), a[1]))
            elif decision.name == "fall-back":
                answer = max(answers, key=lambda a: (plan.standing(a[1], a[2]), a))
            else:
                break
            game.apply(trial, answer)
        return trial

    def _appraise(self, plan: LeningradPlan, state: LeningradState) -> float:
        """What another position, not far from the plan's, is worth: who is left, where our units stand, what
        may be done to them."""
        side, then = plan.view.side, self.view(state, plan.view.side)
        ours = [u for u in members(self.game.units_of[side]) if state.where[u] >= 0]
        total = sum(plan.standing(u, state.where[u]) for u in ours)
        total += self.material(state, side) - self.material(state, 1 - side)
        for cell in each(state.occupied[side] | bits(plan.view.important)):
            mine = state.at.get(cell, 0) & self.game.units_of[side]
            total += plan.keep(cell, members(mine), then)
        return total
