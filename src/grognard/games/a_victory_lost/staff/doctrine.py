"""A Victory Lost as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.a_victory_lost.advice import VictoryAdviser
from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.rules.advance import Advance, second_hexes
from grognard.games.a_victory_lost.rules.combat import Attack, able_to_join, why_not_target
from grognard.games.a_victory_lost.rules.command import can_be_activated, under_command, written_chits
from grognard.games.a_victory_lost.rules.odds import attack_strength
from grognard.games.a_victory_lost.rules.reach import Move
from grognard.games.a_victory_lost.rules.reinforcements import Arrival
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.rules.tracing import fed_hexes
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.staff.assault import Assault, Blow
from grognard.games.a_victory_lost.staff.outlook import Lore, Outlook
from grognard.games.a_victory_lost.staff.planning import VictoryPlan
from grognard.games.a_victory_lost.staff.ways import way_to
from grognard.games.a_victory_lost.state import AXIS, DEAD, IN_BOX, SOVIET, VictoryState
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
        self.away = {city: game.distance_to(1 << city, game.data.land) for city in each(game.every_city)}
        self.lore = Lore(game, numbers)
        self._answers: dict[str, Callable[[VictoryState, int, list[Action]], Action | None]] = {
            "take": self._take_chit,
            "select": self._select_chit,
            "plan": self._select_chit,
            "assault": self._lead_assault,
            "play": self._play_chit,
            "lead": self._lead,
            "lose": self._lose,
            "fall-back": self._fall_back,
            "advance": self._advance,
            "on": self._go_on,
            "bring": self._bring,
            "reposition": self._reposition,
            "arrive": self._arrive,
            "detrain": self._detrain,
        }

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
        cities = self.game.cities(state)
        held = cities & ~state.soviet_cities
        first, otherwise = (held, cities) if side == SOVIET else (state.soviet_cities, held)
        wanted = first or otherwise
        return min(self.away[city][cell] for city in each(wanted))

    def _values(self, state: VictoryState, side: int) -> PlaceValue:
        game, numbers, hq = self.game, self.numbers[self.game.sides[side]], self.numbers["hq"]
        enough = self.numbers["attack"]["ratio"]
        cities = game.cities(state)
        fed = fed_hexes(game, state, side)
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
            return total + (numbers["supply"] if fed >> cell & 1 else 0.0)

        def value(unit: int, cell: int) -> float:
            if state.hqs >> unit & 1:
                return hq_value(unit, cell)
            total: float = -numbers["goal"] * self._goal(state, side, cell)
            if fed >> cell & 1:
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
            if cities >> cell & 1:
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
        if taken and self.game.cities(state) >> cell & 1:
            gain += self.numbers["worth"]["city"]
        driven: float = self.numbers["attack"]["retreat"] * outcome.retreat
        return gain + driven - cost

    # Planning

    def plan_movement(self, state: VictoryState, side: int, crowded: bool = False) -> MovementPlan | None:
        move = state.top(Move)
        view = Outlook(self.lore, state, side)
        if move is not None:
            ways = self.adviser.reach(state, ())
            assert not isinstance(ways, Refusal)
            return VictoryPlan(view, [move.unit], [[state.where[move.unit], *ways]])
        movers = [
            u for u in each(state.activated & ~state.moved) if state.where[u] >= 0 or state.where[u] == IN_BOX
        ]
        if not movers:
            return None
        done = [u for u in each(state.activated & state.moved & ~state.hqs) if state.where[u] >= 0]
        return VictoryPlan(view, movers, done=done, crowded=crowded)

    def strike(self, state: VictoryState, side: int) -> Plan | None:
        return None  # nobody fights while moving

    def march(self, state: VictoryState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        (unit,) = units
        if state.top(Move) is not None:
            ways = self.adviser.reach(state, ())
            if isinstance(ways, Refusal) or cell not in ways:
                return None
            return *(("step", there) for there in ways[cell].cells), ("halt",)
        if not has_room(self.game, state, unit, cell):
            return None
        return way_to(self.game, state, unit, cell)

    def plan_attack(self, state: VictoryState, side: int) -> Plan | None:
        blows = self._blows(Outlook(self.lore, state, side), state.activated & ~state.fought, state.attacked)
        if not blows:
            return None
        value, cell, units = blows[0]
        return Plan(value, (("target", cell), *(("join", u) for u in units), ("fight",)), units)

    def _blows(self, view: Outlook, units: int, barred: int = 0) -> list[Blow]:
        state = view.state
        ready = [u for u in each(units & ~state.hqs) if state.where[u] >= 0]
        return Assault(view, ready, barred).blows()

    def weigh(self, state: VictoryState, side: int, random: Random | None = None) -> Action | None:
        options = self.game.options(state, side)
        verb = options[0][0]
        if verb == "take" and random is not None:
            return self._vary_five(options, random)
        answer = self._answers.get(verb)
        return answer(state, side, options) if answer is not None else None

    def _take_chit(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        for name in self.numbers["plan"]["choice"]["five"]:
            action = ("take", self.game.chit_index(name))
            if action in options:
                return action
        return None

    def _vary_five(self, options: list[Action], random: Random) -> Action:
        """One of the five chits of the game: most often one that the doctrine prefers. Always the same five
        would be no secret (7.1.3)."""
        choice = self.numbers["plan"]["choice"]
        preferred = {self.game.chit_index(name) for name in choice["five"]}
        takes = [option for option in options if option[0] == "take"]
        weights = [choice["preferred"] if take[1] in preferred else 1 for take in takes]
        point = random.random() * sum(weights)
        for take, weight in zip(takes, weights, strict=True):
            point -= weight
            if point < 0:
                return take
        return takes[-1]

    def _select_chit(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        """The chit that sets most in motion besides those selected already."""
        view = Outlook(self.lore, state, side)
        taken = state.chosen[side] | written_chits(state.written(side), options[0][0])
        covered = 0
        for chit in each(taken):
            hq = self.game.chits[chit].hq
            if hq >= 0 and can_be_activated(state, hq):
                covered |= under_command(self.game, state, hq)
        return max(options, key=lambda option: self._use_of_chit(view, option[1], covered))

    def _use_of_chit(self, view: Outlook, chit: int, covered: int) -> float:
        game, state = self.game, view.state
        if game.manstein >> chit & 1:
            hqs = [hq for hq in each(state.hqs & game.units_of[AXIS]) if can_be_activated(state, hq)]
            return max((self._use_of_hq(view, hq, covered) for hq in hqs), default=0.0) + 0.5
        hq = game.chits[chit].hq
        return self._use_of_hq(view, hq, covered) if can_be_activated(state, hq) else 0.0

    def _use_of_hq(self, view: Outlook, hq: int, covered: int) -> float:
        """The strength that an HQ sets in motion, most of it near the enemy."""
        game, state, common = self.game, view.state, view.common
        total = 0.0
        for unit in each(under_command(game, state, hq)):
            value = attack_strength(game, state, unit) + 1.0
            cell = state.where[unit]
            if cell >= 0:
                near = game.board.within((cell,), max(2, game.movement[unit] // 3))
                if not near & view.foes and view.goal[cell] < common["marching"]:
                    value *= common["distant"]
            total += value * (common["twice"] if covered >> unit & 1 else 1.0)
        return total

    def _lead_assault(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        view = Outlook(self.lore, state, side)
        best, most = ("pass",), 0.0
        for option in options:
            if option[0] == "assault":
                units = under_command(self.game, state, option[1])
                value = sum(blow.value for blow in self._blows(view, units))
                if value > most:
                    best, most = option, value
        return best

    def _play_chit(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        view = Outlook(self.lore, state, side)
        return max(options, key=lambda option: self._use_of_chit(view, option[1], 0))

    def _lead(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        """Manstein goes where most can be done."""
        view = Outlook(self.lore, state, side)
        leads = [option for option in options if option[0] == "lead"]
        return max(leads, key=lambda option: self._use_of_hq(view, option[1], 0))

    def _lose(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        view = Outlook(self.lore, state, side)

        def price(option: Action) -> float:
            steps = state.steps[option[1]]
            return view.weight(option[1], steps) - view.weight(option[1], steps - 1)

        return min(options, key=price)

    def _fall_back(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        view = Outlook(self.lore, state, side)
        best, most = options[0], float("-inf")
        for unit in sorted({option[1] for option in options}):
            cells = [option[2] for option in options if option[1] == unit]
            plan = VictoryPlan(view, [unit], [[state.where[unit], *cells]], armed=False)
            for cell in cells:
                gain = plan.gain(0, cell)
                if gain > most:
                    best, most = ("fall-back", unit, cell), gain
        return best

    def _advance(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        view = Outlook(self.lore, state, side)
        advance: Advance = state.local
        best, most = ("hold",), 1e-6
        for option in options:
            if option[0] != "advance":
                continue
            unit = option[1]
            here = state.where[unit]
            onward = second_hexes(self.game, state, unit, here, advance.target)
            plan = VictoryPlan(view, [unit], [[here, advance.target, *onward]], armed=False)
            for cell in plan.places(0)[1:]:
                gain = plan.gain(0, cell)
                if gain > most:
                    best, most = option, gain
        return best

    def _go_on(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        advance: Advance = state.local
        plan = VictoryPlan(
            Outlook(self.lore, state, side),
            [advance.walker],
            [[state.where[advance.walker], *(option[1] for option in options if option[0] == "on")]],
            armed=False,
        )
        return max(options, key=lambda o: plan.gain(0, o[1]) if o[0] == "on" else 0.0)

    def _bring(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        advance: Advance = state.local
        hq = options[0][1]
        cell = state.where[advance.walker]
        plan = VictoryPlan(Outlook(self.lore, state, side), [hq], [[state.where[hq], cell]], armed=False)
        return options[0] if plan.gain(0, cell) > 0 else ("leave",)

    def _reposition(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        hq = state.displaced[0][0]
        plan = VictoryPlan(
            Outlook(self.lore, state, side), [hq], [[-1, *(o[1] for o in options)]], armed=False
        )
        return max(options, key=lambda o: plan.gain(0, o[1]))

    def _arrive(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        """The strongest first, HQs when their units are there."""
        return max(options, key=lambda o: attack_strength(self.game, state, o[1]))

    def _detrain(self, state: VictoryState, side: int, options: list[Action]) -> Action | None:
        arrival: Arrival = state.local
        plan = VictoryPlan(
            Outlook(self.lore, state, side), [arrival.unit], [[-1, *(o[1] for o in options)]], armed=False
        )
        return max(options, key=lambda o: plan.gain(0, o[1]))

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
