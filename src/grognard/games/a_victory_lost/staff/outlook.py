"""What a planner of A Victory Lost knows of a position before it moves anybody: what units are worth, how far
the enemy reaches, where supply is safe, what battles promise. One outlook serves one phase of one side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.a_victory_lost.data import Result, read_result
from grognard.games.a_victory_lost.rules.command import chits_to_select, command_area
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.reinforcements import due, railheads
from grognard.games.a_victory_lost.rules.supply import allowance
from grognard.games.a_victory_lost.rules.tracing import fed_hexes, supplied_hexes
from grognard.games.a_victory_lost.rules.victory import worth as points_for
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.state import AXIS, ISOLATED, SOVIET, VictoryState
from grognard.mechanics.movement import Ground, connected, costs_to, reach, rings, sides_between
from grognard.mechanics.odds import halved_odds

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

FAR = 99.0


class Lore:
    """What never changes: the map and the tables, made ready for planners. One for each game."""

    def __init__(self, game: AVictoryLost, numbers: Mapping[str, Any]) -> None:
        self.game = game
        self.numbers = numbers
        data, board = game.data, game.board
        self.shift = [0] * board.size
        for cell, shifts in game.shelter.items():
            self.shift[cell] = sum(s.columns for s in shifts)
        self.contact: list[tuple[int, ...]] = [()] * board.size
        """Hexes that units on a hex may attack and whose neighbours feel their zones."""
        self.rear: list[tuple[int, ...]] = [()] * board.size
        """Hexes within two of a hex, itself included."""
        for cell in board.cells:
            self.contact[cell] = tuple(each(game.contact[cell]))
            self.rear[cell] = tuple(each(board.within((cell,), 2)))
        self.way: dict[int, list[float]] = {}
        """Points that the march to each victory city takes from every hex."""
        for city in each(game.every_city):
            costs = costs_to(data.costs, 1 << city, data.land)
            self.way[city] = [costs.get(cell, 2 * FAR) / 2 for cell in range(board.size)]
        crt = data.crt
        self.results: list[list[tuple[Result, float]]] = []
        """For each column the results and their chances."""
        for column in crt.columns:
            found: dict[str, float] = {}
            for die in sorted(crt.rows):
                cell_ = crt.result(column, die)
                found[cell_] = found.get(cell_, 0.0) + 1 / len(crt.rows)
            self.results.append([(read_result(name), chance) for name, chance in sorted(found.items())])
        self.top = crt.columns[-1]

    def column(self, attack: int, defence: int, shift: int) -> int:
        """9.3 The column of a battle; -1 if it cannot be fought."""
        if not defence:
            return self.top
        odds = halved_odds(attack, defence)
        if odds < 0:
            return -1
        odds += shift
        return -1 if odds < 0 else min(odds, self.top)


class Stack:
    """What some units on one hex are, as targets."""

    __slots__ = ("attack", "count", "defence", "losses")

    def __init__(self, count: int, attack: int, defence: int, losses: tuple[float, ...]) -> None:
        self.count = count
        self.attack = attack
        self.defence = defence
        self.losses = losses
        """What the loss of 0, 1, 2 ... steps costs the owner, who takes the cheapest first."""


class Outlook:
    """One side's knowledge of one position."""

    def __init__(self, lore: Lore, state: VictoryState, side: int) -> None:
        self.lore, self.state, self.side = lore, state, side
        game = self.game = lore.game
        self.numbers: Mapping[str, float] = lore.numbers["plan"][game.sides[side]]
        self.common: Mapping[str, float] = lore.numbers["plan"]["common"]
        self.foe = 1 - side
        self.zones = zone(game, state, self.foe)
        self.foes = state.fighters[self.foe]
        self.ground = usable_ground(game, state)
        self.turns_left = game.turns_left(state)
        self._stacks: dict[int, Stack] = {}
        self._battles: dict[tuple[int, int, bool, float, float], float] = {}
        self._weight: dict[tuple[int, int], float] = {}
        self.cities = game.cities(state)
        self._look_at_the_enemy()
        self._find_safe_supply()
        self.swing: float = 2 * game.victory(state).lines["city"] * self.common["city"]
        """What it is worth to take or keep a city: one side gains what the other loses (14.0.1)."""
        self.crowd = self.common["crowd_axis" if self.foe == AXIS else "crowd_soviet"]
        cities = self.cities
        self.wanted = (cities & ~state.soviet_cities if side == SOVIET else cities) or cities
        self.ring = game.board.spread(cities) & ~cities
        """Where a city is besieged, or covered."""
        self.alarm = {
            city: min((lore.way[city][c] for c in each(self.foes)), default=FAR) for city in each(cities)
        }
        """Points of march that the nearest enemy has to each city."""
        self.goal = self._goals()
        self._fronts: dict[int, tuple[tuple[int, float], ...]] = {}
        self._exit: dict[int, bool] = {}

    # Hexes

    def prize(self, cell: int) -> float:
        """What it is worth to drive the enemy out of a hex."""
        if self.cities >> cell & 1:
            return self.swing
        return self.numbers["ring"] if self.ring >> cell & 1 else self.numbers["hex"]

    def need_of_orders(self, unit: int) -> float:
        """How much it matters that a unit is under command."""
        counter = self.game.units[unit]
        return 0.0 if counter.hq else 0.5 + (counter.attack + counter.defence) / 16

    def hostile_city(self, cell: int) -> bool:
        return bool(self.state.soviet_cities >> cell & 1) != (self.side == SOVIET)

    def empty_city(self, cell: int, staffed: bool) -> float:
        """What a city without a garrison risks or, with an HQ in it, has gained."""
        if self.hostile_city(cell):
            return self.swing if staffed else 0.0
        if self.landing >> cell & 1:
            return -self.swing * self.common["walked_into"]
        fading: float = 2 ** (-self.alarm[cell] / self.common["warning"])
        return -self.swing * self.common["unguarded"] * fading

    def severed(self, unit: int) -> float:
        """What it is worth to cut an enemy off: on the last turn he counts as lost (14.0.1), before it he
        weakens."""
        if self.turns_left <= 0:
            return points_for(self.game, self.state, unit) * self.numbers["sever_last"]
        return self.weight(unit, self.state.steps[unit]) * self.numbers["sever"]

    def fronts(self, cell: int) -> tuple[tuple[int, float], ...]:
        """The hexes from which a hex can be attacked; across a river only with half the strength."""
        found = self._fronts.get(cell)
        if found is None:
            rivers = self.game.data.rivers
            usable = [n for n in self.lore.contact[cell] if self.ground >> n & 1]
            found = self._fronts[cell] = tuple((n, 0.5 if (n, cell) in rivers else 1.0) for n in usable)
        return found

    def has_exit(self, cell: int) -> bool:
        """Whether units could retreat from a hex without entering a zone (9.5.3)."""
        found = self._exit.get(cell)
        if found is None:
            clear = self.game.contact[cell] & self.ground & ~self.zones & ~self.foes
            found = self._exit[cell] = bool(clear)
        return found

    # What units are worth

    def weight(self, unit: int, steps: int) -> float:
        """What a unit with so many steps is worth to its owner, in points of victory."""
        if not steps:
            return 0.0
        key = (unit, steps)
        found = self._weight.get(key)
        if found is None:
            counter = self.game.units[unit]
            full = steps == counter.steps
            strength = (
                counter.attack + counter.defence if full else counter.reduced_attack + counter.reduced_defence
            )
            power = self.numbers["power_axis" if counter.axis else "power_soviet"]
            found = points_for(self.game, self.state, unit) + power * strength / 2
            self._weight[key] = found
        return found

    def stack(self, members: int) -> Stack:
        """Combat units that stand together, by their set."""
        found = self._stacks.get(members)
        if found is None:
            state = self.state
            attack = whole = halved = 0
            left: list[list[int]] = []
            for unit in each(members):
                counter, steps = self.game.units[unit], state.steps[unit]
                full = steps == counter.steps
                attack += counter.attack if full else counter.reduced_attack
                strength = counter.defence if full else counter.reduced_defence
                if state.supply[unit] == ISOLATED:
                    halved += strength
                else:
                    whole += strength
                left.append([unit, steps])
            losses = [0.0]
            while any(steps for _, steps in left):
                price, at = min(
                    (self.weight(u, s) - self.weight(u, s - 1), i) for i, (u, s) in enumerate(left) if s
                )
                left[at][1] -= 1
                losses.append(losses[-1] + price)
            found = Stack(len(left), attack, whole + halved // 2, tuple(losses))
            self._stacks[members] = found
        return found

    def battle(self, members: int, column: int, shut: bool, ground: float, driven: float) -> float:
        """What an attack on a stack is expected to cost its owner: steps, the hex, and more if every way back
        leads through zones (9.5.3); `driven` for each hex of retreat. The attacker's own losses are not
        counted."""
        key = (members, column, shut, ground, driven)
        found = self._battles.get(key)
        if found is None:
            stack = self.stack(members)
            most = len(stack.losses) - 1
            found = 0.0
            for result, chance in self.lore.results[column]:
                lost = min(result.defender, most)
                if result.retreat and lost < most and shut:
                    lost = min(most, lost + min(stack.count, most - lost) * (1 if result.retreat == 1 else 2))
                value = stack.losses[lost]
                if result.retreat or lost == most:
                    value += ground
                if result.retreat and lost < most:
                    value += driven * result.retreat
                found += chance * value
            self._battles[key] = found
        return found

    def toll(self, column: int) -> float:
        """The steps that an attack in a column is expected to cost the attackers."""
        return sum(chance * result.attacker for result, chance in self.lore.results[column])

    # The enemy's next move

    def _look_at_the_enemy(self) -> None:
        """How much could attack every hex, and where enemies could stand, if those under command act."""
        game, state, foe = self.game, self.state, self.foe
        allowed = self.ground & ~state.fighters[self.side]
        commanded = 0
        for hq in each(state.hqs & game.units_of[foe]):
            if state.where[hq] >= 0:
                commanded |= command_area(game, hq, state.where[hq])
        chance = self._chance_of_orders()
        own_zone = zone(game, state, self.side)
        # Whoever comes next to our units pays for their zone: all of it at the end, half of it on the way.
        dear = game.zone_in
        shut = sides_between(game.board, game.data.major_sides, own_zone)
        felt = ((own_zone, dear // 2),)
        fields = Ground(game.data.dry_costs, allowed, plus_in=felt, plus_out=felt, shut=shut)
        roads = Ground(game.data.road_costs, allowed & ~own_zone)
        groups: dict[tuple[int, int], int] = {}
        for cell in each(self.foes):
            for unit in each(state.fighters_at(cell)):
                key = (cell, allowance(game, state, unit))
                groups[key] = groups.get(key, 0) | 1 << unit
        self.threat = [0.0] * game.board.size
        self.landing = 0
        """Hexes that enemies could enter."""
        for (cell, points), members in groups.items():
            ordered = commanded >> cell & 1
            near = reach(fields, {cell: 0}, max(0, points - dear)).cells
            strength = self.stack(members).attack * (chance if ordered else self.common["unled"])
            for hit in each(game.board.spread(near)):
                self.threat[hit] += strength
            if ordered:
                self.landing |= near
                if game.data.on_road & ~own_zone & 1 << cell:
                    self.landing |= reach(roads, {cell: 0}, points).cells
        if any(not game.units[u].hq for u in due(game, state, foe)):
            # Trains bring units into any city on an open line, the enemy's too (11.1.1).
            self.landing |= railheads(game, state, foe)
            clear = self.ground & ~state.fighters[self.side] | self.cities & self.ground
            self.landing |= (
                connected(game.board, game.data.rails, game.data.sources[foe], clear) & self.cities
            )
        # Where we stand they could come when we have left.
        self.landing |= game.board.spread(self.landing) & state.fighters[self.side]

    def _chance_of_orders(self) -> float:
        """How likely it is that an enemy army acts before ours does again."""
        if self.foe == SOVIET:
            return 1.0
        state = self.state
        pool = state.pool[AXIS].bit_count()
        if not pool or not state.turn:
            return self.common["orders"]
        return min(1.0, self.common["orders"] + 0.5 * chits_to_select(self.game, state, AXIS) / pool)

    # Supply

    def _find_safe_supply(self) -> None:
        """Where lines hold whatever the enemy does next, and how far from there every hex is."""
        game, state, side = self.game, self.state, self.side
        menaced = game.board.spread(self.landing) | self.landing
        sources = game.data.sources[side]
        self.supplied = supplied_hexes(game, state, side)
        self.fed = fed_hexes(game, state, side)
        safe = connected(game.board, game.data.dry, sources, self.ground & ~menaced) or sources
        # A unit that stands in a zone opens it to lines: what counts is where the enemy does not stand.
        lines = self.ground & ~state.occupied[self.foe] & ~(self.zones & ~game.board.spread(self.supplied))
        deepest = int(self.common["deepest"])
        self.depth = [deepest] * game.board.size
        for away, ring in enumerate(islice(rings(game.board, game.data.dry, safe, lines | safe), deepest)):
            for cell in each(ring):
                self.depth[cell] = away

    # Where to go

    def _goals(self) -> list[float]:
        """The points of march from every hex to the city that matters, the nearer ones first."""
        game, state, lore = self.game, self.state, self.lore
        lost = state.soviet_cities
        reaches: list[tuple[list[float], float]] = []
        for city in each(self.wanted):
            far = 0.0
            if self.side == AXIS:
                # A city is worth guarding as the enemy comes near it.
                far = self.numbers["calm"] * min(self.alarm[city], 40.0)
                if lost >> city & 1:
                    far = self.numbers["regain"]
            reaches.append((lore.way[city], far))
        return [min(way[cell] + far for way, far in reaches) for cell in range(game.board.size)]
