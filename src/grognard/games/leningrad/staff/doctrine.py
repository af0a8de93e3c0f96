"""Leningrad as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.leningrad.advice import LeningradAdviser
from grognard.games.leningrad.rules import reinforcements
from grognard.games.leningrad.rules.combat import Attack, able_to_join, may_be_attacked
from grognard.games.leningrad.rules.supply import supplied_hexes
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.staff import (
    LeningradPlan,
    Staff,
    best_joint_attack,
    best_overrun,
    march,
    small_decision,
)
from grognard.games.leningrad.state import DEAD, GERMAN, SOVIET, LeningradState, members
from grognard.kernel import Action, Refusal
from grognard.kernel.advice import Forecast
from grognard.kernel.doctrine import Plan
from grognard.mechanics.movement import costs_to

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

PlaceValue = Callable[[int, int], float]
"""How well a unit stands on a hex."""

FAR = 400
"""Farther than any way on the map, in halves."""


class LeningradDoctrine:
    """See grognard.kernel.doctrine.Doctrine."""

    def __init__(self, game: Leningrad, numbers: dict[str, Any]) -> None:
        self.game = game
        self.adviser = LeningradAdviser(game)
        self.numbers = numbers
        # How far the goal of the scenario is from everywhere, for troops that nobody stops.
        self._ways = {
            id_: costs_to(game.mobile_costs, bits(game.victory_of(id_).goals), game.data.land)
            for id_ in game.scenarios
        }

    def way(self, state: LeningradState) -> dict[int, int]:
        """What the march from each hex to the goal of the scenario costs."""
        return self._ways[state.scenario]

    # Movement

    def next_move(self, state: LeningradState, side: int, settled: Collection[int]) -> Plan | None:
        for units in self._stacks(state, side, settled):
            return self._best_move(state, side, units)
        for unit in reinforcements.due(self.game, state, side):
            if unit not in settled:
                return self._best_entry(state, side, unit)
        return None

    def _stacks(
        self, state: LeningradState, side: int, settled: Collection[int]
    ) -> Iterator[tuple[int, ...]]:
        """Units to think about, the foremost first. A whole panzer corps in one hex moves as one."""
        ready = [
            u
            for u in members(self.game.units_of[side] & ~state.done)
            if state.where[u] >= 0 and u not in settled
        ]
        sign, way = (1 if side == GERMAN else -1), self.way(state)
        ready.sort(key=lambda u: (sign * way.get(state.where[u], FAR), u))
        for unit in ready:
            corps = next((c for c in self.game.corps if unit in c), ())
            together = all(u in ready and state.where[u] == state.where[unit] for u in corps)
            yield corps if corps and together and len(corps) > 1 else (unit,)

    def _best_move(self, state: LeningradState, side: int, units: tuple[int, ...]) -> Plan:
        here = state.where[units[0]]
        ways = self.adviser.reach(state, units)
        if isinstance(ways, Refusal) or not ways:
            return Plan(0.0, (), units)
        value = self._values(state, side)
        stay = value(units[0], here)
        best, gain = None, 0.0
        for cell, way in ways.items():
            better = value(units[0], cell) - stay
            if better > gain:
                best, gain = way, better
        if best is None:
            return Plan(0.0, (), units)
        return Plan(gain * len(units), self._walk(units, best.cells), units)

    def _walk(self, units: tuple[int, ...], cells: tuple[int, ...]) -> tuple[Action, ...]:
        first: list[Action] = [("pick", units[0])]
        first += [("add", u) for u in units[1:]]
        return (*first, *(("step", c) for c in cells), ("halt",))

    def _best_entry(self, state: LeningradState, side: int, unit: int) -> Plan:
        entries = reinforcements.entry_hexes(self.game, state, unit)
        if not entries:
            return Plan(0.0, (), (unit,))
        value = self._values(state, side)
        best = max(entries, key=lambda cell: (value(unit, cell), -cell))
        # A unit on the map is worth more than one on the way.
        return Plan(1.0, (("enter", unit, best),), ())

    def _values(self, state: LeningradState, side: int) -> PlaceValue:
        supplied = supplied_hexes(self.game, state, side)
        return (
            self._german_values(state, supplied) if side == GERMAN else self._soviet_values(state, supplied)
        )

    def _known_supply(self, state: LeningradState, side: int) -> int:
        """Supply as it was last worked out: good enough for a look, and hundreds of looks are taken."""
        cached = state.supply_cache[side]
        return cached[1] if cached is not None else supplied_hexes(self.game, state, side)

    def _german_values(self, state: LeningradState, supplied: int) -> PlaceValue:
        game, numbers = self.game, self.numbers["german"]
        enemies, friends = state.occupied[SOVIET], state.occupied[GERMAN]
        victory = bits(game.victory(state).objectives)
        way = self.way(state)

        def value(unit: int, cell: int) -> float:
            total: float = -numbers["goal"][game.units[unit].kind] * way.get(cell, FAR) / 2
            near = game.contact[cell]
            if supplied >> cell & 1:
                total += numbers["supply"]
            if near & enemies:
                backing = sum(
                    game.units[u].strength
                    for c in each((near | 1 << cell) & friends)
                    for u in members(state.at[c])
                    if u != unit
                )
                strong = backing + game.units[unit].strength >= 8
                total += numbers["contact"] if strong else -numbers["isolation"]
            if near & friends:
                total += numbers["company"]
            if victory >> cell & 1:
                total += numbers["victory"]
            return total

        return value

    def _soviet_values(self, state: LeningradState, supplied: int) -> PlaceValue:
        game, numbers = self.game, self.numbers["soviet"]
        germans, friends = state.occupied[GERMAN], state.occupied[SOVIET]
        enemy_zone = zone(game, state, GERMAN)
        way = self.way(state)
        spearhead = min((way.get(c, FAR) for c in each(germans)), default=FAR)
        rough = game.rough_ground | game.soviet_cities

        def value(unit: int, cell: int) -> float:
            ahead = (spearhead - way.get(cell, FAR)) / 2
            total: float = -numbers["drift"] * abs(ahead - numbers["ahead"])
            near = game.contact[cell]
            if supplied >> cell & 1:
                total += numbers["supply"]
            if rough >> cell & 1:
                total += numbers["ground"]
            if state.forts >> cell & 1:
                total += numbers["fort"]
            if enemy_zone >> cell & 1:
                total += numbers["contact"]
                if all(game.board.side_has(cell, c, "river") for c in each(near & germans)):
                    total += numbers["river"]
            others = state.at.get(cell, 0) & ~(1 << unit)
            total += numbers["stack"] * others.bit_count()
            around = game.board.spread(near) & friends & ~(1 << cell)
            total += numbers["line"] * min(3, around.bit_count())
            if game.leningrad_set >> cell & 1 and others.bit_count() < 2:
                total += numbers["city"]
            return total

        return value

    # Combat

    def best_attack(self, state: LeningradState, side: int) -> Plan | None:
        """Of every hex in reach, the attack by as many as it takes."""
        game = self.game
        best: Plan | None = None
        exposed = state.occupied[1 - side] & zone(game, state, side)
        for cell in each(exposed):
            if not may_be_attacked(state, cell):
                continue
            able = able_to_join(game, state, Attack((cell,)))
            able.sort(key=lambda u: (-self._strength(state, u), u))
            for count in range(1, len(able) + 1):
                units = tuple(able[:count])
                forecast = self.adviser.forecast(state, (cell,), units, {})
                if isinstance(forecast, Refusal):
                    continue
                gain = self._promise(state, forecast, units, cell) - 0.05 * count
                if gain > self.numbers["attack"]["floor"] and (best is None or gain > best.gain):
                    joins = [("join", u) for u in units]
                    best = Plan(gain, (("target", cell), *joins, ("fight",)), units)
        return best

    def _strength(self, state: LeningradState, unit: int) -> float:
        if unit < state.germans:
            counter = self.game.units[unit]
            return counter.strength if state.steps[unit] == 2 else counter.reduced
        rated = state.rating[unit]
        return self.game.data.untried[rated - 1].attack if rated else 2.5

    def _promise(
        self, state: LeningradState, forecast: Forecast, attackers: tuple[int, ...], cell: int
    ) -> float:
        numbers = self.numbers["attack"]
        defenders = members(state.at[cell])
        german = attackers[0] < state.germans
        gain = {"-": 0.0, "1": numbers["one"], "2": numbers["two"]}
        gain["E"] = sum(self._worth_of(state, u) for u in defenders)
        name = "german" if german else "soviet"
        cost = {"-": 0.0, "1": numbers[f"{name}_one"], "2": numbers[f"{name}_two"]}
        cost["E"] = sum(self._worth_of(state, u) for u in attackers)
        promised: float = sum(
            chance * (gain[result.split("/")[0]] - cost[result.split("/")[1]])
            for result, chance in forecast.results
        )
        return promised

    # Planning

    @cached_property
    def staff(self) -> Staff:
        return Staff(self.game, self)

    def plan_movement(self, state: LeningradState, side: int, crowded: bool = False) -> LeningradPlan | None:
        if self.game.soviets_surprised(state, side):
            return None  # 17.2 leaves nothing to plan
        plan = LeningradPlan(self.staff, state, side, crowded=crowded)
        return plan if plan.stacks else None

    def strike(self, state: LeningradState, side: int) -> Plan | None:
        return None if self.game.soviets_surprised(state, side) else best_overrun(self.staff, state, side)

    def march(self, state: LeningradState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        return march(self.staff, state, units, cell)

    def plan_attack(self, state: LeningradState, side: int) -> Plan | None:
        if self.game.soviets_surprised(state, side):
            return self.best_attack(state, side)
        return best_joint_attack(self.staff, state, side)

    def weigh(self, state: LeningradState, side: int, random: Random | None = None) -> Action | None:
        return small_decision(self.staff, state, side)

    # The position

    def _worth_of(self, state: LeningradState, unit: int) -> float:
        numbers = self.numbers["worth"]
        if unit >= state.germans:
            return float(numbers["soviet"])
        whole: float = numbers[self.game.units[unit].kind]
        return whole if state.steps[unit] == 2 else whole * numbers["reduced"]

    def worth(self, state: LeningradState, side: int) -> float:
        total = 0.0
        german = self._german_values(state, self._known_supply(state, GERMAN))
        soviet = self._soviet_values(state, self._known_supply(state, SOVIET))
        for unit, cell in enumerate(state.where):
            if cell == DEAD:
                continue
            mine = unit < state.germans
            total += self._worth_of(state, unit) * (1 if mine else -1)
            if cell >= 0:
                total += 0.3 * (german(unit, cell) if mine else -soviet(unit, cell))
        return total if side == GERMAN else -total
