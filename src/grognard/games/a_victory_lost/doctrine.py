"""A Victory Lost as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.a_victory_lost.advice import VictoryAdviser
from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.rules.combat import Attack, able_to_join, why_not_target
from grognard.games.a_victory_lost.rules.odds import attack_strength
from grognard.games.a_victory_lost.rules.tracing import supplied_hexes
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.state import AXIS, DEAD, SOVIET, VictoryState
from grognard.kernel import Action, Refusal
from grognard.kernel.doctrine import MovementPlan, Plan

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

PlaceValue = Callable[[int, int], float]
"""How well a unit stands on a hex."""


class VictoryDoctrine:
    """See grognard.kernel.doctrine.Doctrine."""

    def __init__(self, game: AVictoryLost, numbers: dict[str, Any]) -> None:
        self.game = game
        self.adviser = VictoryAdviser(game)
        self.numbers = numbers
        # How many hexes every hex is from each victory city, over land.
        self.away = {city: game.distance_to(1 << city, game.data.land) for city in each(game.data.cities)}

    # Movement

    def next_move(self, state: VictoryState, side: int, settled: Collection[int]) -> Plan | None:
        """Combat units first, then the HQs that follow them."""
        ready = [u for u in each(state.activated & ~state.moved) if state.where[u] >= 0 and u not in settled]
        if not ready:
            return None
        unit = min(ready, key=lambda u: (state.hqs >> u & 1, self._goal(state, side, state.where[u]), u))
        ways = self.adviser.reach(state, (unit,))
        if isinstance(ways, Refusal) or not ways:
            return Plan(0.0, (), (unit,))
        value = self._values(state, side)
        stay = value(unit, state.where[unit])
        best, gain = None, 0.0
        for cell, way in ways.items():
            better = value(unit, cell) - stay
            if better > gain:
                best, gain = way, better
        if best is None:
            return Plan(0.0, (), (unit,))
        steps = [("step", cell) for cell in best.cells]
        return Plan(gain, (("pick", unit), *steps, ("halt",)), (unit,))

    def _goal(self, state: VictoryState, side: int, cell: int) -> int:
        """How far the city is that matters most: for the Soviets the nearest not taken, for the Axis the
        nearest lost or, while none is, the one most in danger."""
        held = self.game.data.cities & ~state.soviet_cities
        first, otherwise = (held, self.game.data.cities) if side == SOVIET else (state.soviet_cities, held)
        wanted = first or otherwise
        return min(self.away[city][cell] for city in each(wanted))

    def _values(self, state: VictoryState, side: int) -> PlaceValue:
        game, numbers, hq = self.game, self.numbers[self.game.sides[side]], self.numbers["hq"]
        enough = self.numbers["attack"]["ratio"]
        supplied = supplied_hexes(game, state, side)
        enemies, friends = state.fighters[1 - side], state.fighters[side]
        enemy_zone = zone(game, state, 1 - side)
        board = game.board

        def hq_value(unit: int, cell: int) -> float:
            near = board.within((cell,), game.units[unit].radius)
            close = game.contact[cell] | 1 << cell
            total: float = hq["company"] * min(8, (near & friends).bit_count())
            total -= hq["goal"] * self._goal(state, side, cell)
            if enemy_zone >> cell & 1:
                total += hq["exposed"]
            if not close & friends:
                total += hq["alone"]
            return total + (numbers["supply"] if supplied >> cell & 1 else 0.0)

        def value(unit: int, cell: int) -> float:
            if state.hqs >> unit & 1:
                return hq_value(unit, cell)
            total: float = -numbers["goal"] * self._goal(state, side, cell)
            if supplied >> cell & 1:
                total += numbers["supply"]
            near = game.contact[cell]
            if near & enemies:
                backing = attack_strength(game, state, unit) + sum(
                    attack_strength(game, state, u)
                    for c in each((near | 1 << cell) & friends)
                    for u in each(state.fighters_at(c))
                    if u != unit
                )
                total += numbers["contact"] if backing >= enough else numbers["weak"]
            around = board.spread(board.spread(1 << cell)) & friends
            total += numbers["line"] * min(3, around.bit_count())
            total += numbers["stack"] * (state.fighters_at(cell) & ~(1 << unit)).bit_count()
            total += numbers["shelter"] * len(game.shelter[cell])
            if game.data.cities >> cell & 1:
                total += numbers["city"]
            return total

        return value

    # Combat

    def best_attack(self, state: VictoryState, side: int) -> Plan | None:
        """Of every hex that may be attacked, the attack by as many as it takes."""
        game = self.game
        best: Plan | None = None
        exposed = state.fighters[1 - side] & zone(game, state, side) & ~state.attacked
        for cell in each(exposed):
            if why_not_target(game, state, cell) is not None:
                continue
            able = sorted(
                able_to_join(game, state, Attack(cell)),
                key=lambda u: (-attack_strength(game, state, u), u),
            )
            for count in range(1, len(able) + 1):
                units = tuple(able[:count])
                forecast = self.adviser.forecast(state, (cell,), units, {})
                if isinstance(forecast, Refusal):
                    continue
                gain = sum(
                    chance * self._promise(state, result, units, cell) for result, chance in forecast.results
                )
                gain -= 0.05 * count
                if gain > self.numbers["attack"]["floor"] and (best is None or gain > best.gain):
                    joins = [("join", u) for u in units]
                    best = Plan(gain, (("target", cell), *joins, ("fight",)), units)
        return best

    def _promise(self, state: VictoryState, result: str, attackers: tuple[int, ...], cell: int) -> float:
        outcome = read_result(result)
        foes = list(each(state.fighters_at(cell)))
        cost = outcome.attacker * min(self._step(u) for u in attackers)
        steps = min(outcome.defender, sum(state.steps[u] for u in foes))
        gain = steps * sum(self._step(u) for u in foes) / len(foes)
        taken = outcome.retreat > 0 or steps == sum(state.steps[u] for u in foes)
        if taken and self.game.data.cities >> cell & 1:
            gain += self.numbers["worth"]["city"]
        driven: float = self.numbers["attack"]["retreat"] * outcome.retreat
        return gain + driven - cost

    # Planning

    def plan_movement(self, state: VictoryState, side: int) -> MovementPlan | None:
        return None

    def march(self, state: VictoryState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        return None

    def plan_attack(self, state: VictoryState, side: int) -> Plan | None:
        return self.best_attack(state, side)

    def weigh(self, state: VictoryState, side: int) -> Action | None:
        return None

    # The position

    def _step(self, unit: int) -> float:
        numbers, counter = self.numbers["worth"], self.game.units[unit]
        if counter.hq:
            return 0.0
        if counter.axis and counter.nation != "german":
            return float(numbers["ally"])
        return float(numbers["mechanised"] if counter.mechanised else numbers["other"])

    def worth(self, state: VictoryState, side: int) -> float:
        lead = state.points[AXIS] - state.points[SOVIET]
        total: float = self.numbers["worth"]["point"] * lead
        for unit, cell in enumerate(state.where):
            if cell == DEAD:
                continue
            sign = 1 if unit < state.axis_units else -1
            total += sign * self._step(unit) * state.steps[unit]
            if cell >= 0 and state.supply[unit]:
                total -= sign * 0.5 * state.supply[unit]
        total = total if side == AXIS else -total
        value = self._values(state, side)
        mine = self.game.units_of[side]
        return total + 0.2 * sum(value(u, c) for u, c in enumerate(state.where) if c >= 0 and mine >> u & 1)
