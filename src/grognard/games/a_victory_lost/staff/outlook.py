"""What a planner of A Victory Lost knows of a position before anybody moves: what units are worth, how far
the enemy reaches, where supply is safe, where to go. One outlook serves one phase of one side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.rules.command import chits_to_select, command_area
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.reinforcements import due, railheads
from grognard.games.a_victory_lost.rules.supply import allowance
from grognard.games.a_victory_lost.rules.tracing import fed_hexes, supplied_hexes
from grognard.games.a_victory_lost.rules.victory import worth as points_for
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.state import AXIS, ISOLATED, SOVIET, VictoryState
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Ground, connected, costs_to, reach, rings, sides_between
from grognard.mechanics.odds import halved_odds
from grognard.staff.battles import Blow, Force, dearest_last, expected, fates, toll
from grognard.staff.threats import Threats, reaches

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

FAR = 99.0


class Lore:
    """What never changes: the map and the tables, made ready for planners. One for each game."""

    def __init__(self, game: AVictoryLost, numbers: Mapping[str, Any]) -> None:
        self.game, self.numbers = game, numbers
        data, board = game.data, game.board
        self.shift = [sum(s.columns for s in game.shelter.get(c, ())) for c in range(board.size)]
        self.contact = [tuple(each(game.contact.get(c, 0))) for c in range(board.size)]
        self.way: dict[int, list[float]] = {}
        """Points that the march to each victory city takes from every hex."""
        for city in each(game.every_city):
            costs = costs_to(data.costs, 1 << city, data.land)
            self.way[city] = [costs.get(cell, 2 * FAR) / 2 for cell in range(board.size)]
        results = ((c, read_result(c)) for row in data.crt.rows.values() for c in row)
        blows = {c: (Blow(r.attacker), Blow(r.defender, r.retreat)) for c, r in results}
        self.fates = fates(data.crt, D6, blows.__getitem__)
        self.tolls = {column: toll(results) for column, results in self.fates.items()}

    def column(self, attack: int, defence: int, shift: int) -> int:
        """9.3 The column of a battle; -1 if it cannot be fought."""
        top = self.game.data.crt.columns[-1]
        odds = halved_odds(attack, defence) if defence else top
        return -1 if min(odds, odds + shift) < 0 else min(odds + shift, top)


class Outlook:
    """One side's knowledge of one position."""

    def __init__(self, lore: Lore, state: VictoryState, side: int) -> None:
        self.lore, self.state, self.side, self.foe = lore, state, side, 1 - side
        game = self.game = lore.game
        self.numbers: Mapping[str, Any] = lore.numbers["plan"][game.sides[side]]
        self.weights: Mapping[str, float] = lore.numbers.get("weights", {}).get(game.sides[side], {})
        self.common: Mapping[str, float] = lore.numbers["plan"]["common"]
        self.zones = zone(game, state, self.foe)
        self.foes = state.fighters[self.foe]
        self.ground = usable_ground(game, state)
        self.last = game.turns_left(state) <= 0
        self._forces: dict[int, Force] = {}
        self._battles: dict[tuple[int, int, bool, float, float], float] = {}
        self._weight: dict[tuple[int, int], float] = {}
        self.cities = game.cities(state)
        self._look_at_the_enemy()
        self._find_safe_supply()
        self.swing: float = 2 * game.victory(state).lines["city"] * self.common["city"]
        """What it is worth to take or keep a city: one side gains what the other loses (14.0.1)."""
        self.crowd = self.common["crowd_axis" if self.foe == AXIS else "crowd_soviet"]
        self.wanted = self.cities & ~state.soviet_cities if side == SOVIET else self.cities
        self.wanted = self.wanted or self.cities
        self.ring = game.board.spread(self.cities) & ~self.cities
        """Where a city is besieged, or covered."""
        self.alarm = {
            city: min((lore.way[city][c] for c in each(self.foes)), default=FAR) for city in each(self.cities)
        }
        """Points of march that the nearest enemy has to each city."""
        self._ways = [(lore.way[city], self._how_far(city)) for city in each(self.wanted)]
        self._goal: dict[int, float] = {}
        self._fronts: dict[int, tuple[tuple[int, float], ...]] = {}

    # Hexes

    def prize(self, cell: int) -> float:
        """What it is worth to drive the enemy out of a hex."""
        if self.cities >> cell & 1:
            return self.swing
        return float(self.numbers["ring" if self.ring >> cell & 1 else "hex"])

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

    def fronts(self, cell: int) -> tuple[tuple[int, float], ...]:
        """The hexes from which a hex can be attacked; across a river only with half the strength."""
        found = self._fronts.get(cell)
        if found is None:
            usable = [n for n in self.lore.contact[cell] if self.ground >> n & 1]
            rivers = self.game.data.rivers
            found = self._fronts[cell] = tuple((n, 0.5 if (n, cell) in rivers else 1.0) for n in usable)
        return found

    # What units are worth

    def weight(self, unit: int, steps: int) -> float:
        """What a unit with so many steps is worth to its owner, in points of victory."""
        if not steps:
            return 0.0
        found = self._weight.get((unit, steps))
        if found is None:
            u = self.game.units[unit]
            full = steps == u.steps
            strength = u.attack + u.defence if full else u.reduced_attack + u.reduced_defence
            power = self.numbers["power_axis" if u.axis else "power_soviet"]
            found = points_for(self.game, self.state, unit) + power * strength / 2
            self._weight[unit, steps] = found
        return found

    def step(self, unit: int) -> float:
        """What a unit loses with its next step."""
        steps = self.state.steps[unit]
        return self.weight(unit, steps) - self.weight(unit, max(0, steps - 1))

    def force(self, members: int) -> Force:
        """Combat units that stand together, as defenders (9.3.1)."""
        found = self._forces.get(members)
        if found is None:
            state, units = self.state, each(members)
            strengths = [0, 0]
            for unit in units:
                u = self.game.units[unit]
                full = state.steps[unit] == u.steps
                strengths[state.supply[unit] == ISOLATED] += u.defence if full else u.reduced_defence
            losses = dearest_last(units, state.steps.__getitem__, self.weight)
            found = self._forces[members] = Force(len(units), strengths[0] + strengths[1] // 2, losses)
        return found

    def battle(self, members: int, column: int, shut: bool, ground: float, driven: float) -> float:
        """What an attack on a stack is expected to cost its owner."""
        key = (members, column, shut, ground, driven)
        found = self._battles.get(key)
        if found is None:
            driven_by = (0.0, driven, 2 * driven)
            found = expected(self.lore.fates[column], self.force(members), shut, ground, driven_by)
            self._battles[key] = found
        return found

    # The enemy's next move

    def _look_at_the_enemy(self) -> None:
        """How much could attack every hex, and where enemies could stand, if those under command act."""
        game, state, foe = self.game, self.state, self.foe
        mine = state.fighters[self.side]
        allowed = self.ground & ~mine
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
        units = [u for cell in each(self.foes) for u in each(state.fighters_at(cell))]

        def key(unit: int) -> tuple[int, int]:
            return state.where[unit], allowance(game, state, unit)

        def flood(unit: int, key: tuple[int, int]) -> int:
            return reach(fields, {key[0]: 0}, max(0, key[1] - dear)).cells

        self.threats = Threats(game.board)
        self.landing = 0
        """Hexes that enemies could enter."""
        near = reaches(units, key, flood)
        gathered: dict[tuple[int, bool], float] = {}
        for unit, cells in near.items():
            u, cell = game.units[unit], state.where[unit]
            ordered = bool(commanded >> cell & 1)
            strength = u.attack if state.steps[unit] == u.steps else u.reduced_attack
            gathered[cells, ordered] = gathered.get((cells, ordered), 0.0) + strength
            if ordered:
                self.landing |= cells
                if game.data.on_road & ~own_zone & 1 << cell:
                    self.landing |= reach(roads, {cell: 0}, key(unit)[1]).cells
        for (cells, ordered), attack in gathered.items():
            self.threats.add(cells, attack * (chance if ordered else self.common["unled"]))
        if any(not game.units[u].hq for u in due(game, state, foe)):
            # Trains bring units into any city on an open line, the enemy's too (11.1.1).
            clear = self.ground & (~mine | self.cities)
            lines = connected(game.board, game.data.rails, game.data.sources[foe], clear)
            self.landing |= railheads(game, state, foe) | lines & self.cities
        # Where we stand they could come when we have left.
        self.landing |= game.board.spread(self.landing) & mine

    def _chance_of_orders(self) -> float:
        """How likely it is that an enemy army acts before ours does again."""
        if self.foe == SOVIET:
            return 1.0
        pool = self.state.pool[AXIS].bit_count()
        if not pool or not self.state.turn:
            return self.common["orders"]
        return min(1.0, self.common["orders"] + 0.5 * chits_to_select(self.game, self.state, AXIS) / pool)

    def _find_safe_supply(self) -> None:
        """Where one more unit is in supply, and how far every hex is from where lines hold whatever the enemy
        does next."""
        game, state, side = self.game, self.state, self.side
        menaced = game.board.spread(self.landing) | self.landing
        sources, supplied = game.data.sources[side], supplied_hexes(game, state, side)
        self.fed = fed_hexes(game, state, side)
        safe = connected(game.board, game.data.dry, sources, self.ground & ~menaced) or sources
        lines = self.ground & ~state.occupied[self.foe] & ~(self.zones & ~game.board.spread(supplied))
        deepest = int(self.common["deepest"])
        self.depth = [1.0] * game.board.size
        for away, ring in enumerate(islice(rings(game.board, game.data.dry, safe, lines | safe), deepest)):
            for cell in each(ring):
                self.depth[cell] = away / deepest

    def goal(self, cell: int) -> float:
        """The points of march from a hex to the city that matters, the nearer ones first."""
        found = self._goal.get(cell)
        if found is None:
            found = self._goal[cell] = min(way[cell] + far for way, far in self._ways)
        return found

    def _how_far(self, city: int) -> float:
        """How much farther a city counts than it is: for the Axis, whose enemy must come near it first."""
        if self.side == SOVIET:
            return 0.0
        lost = self.state.soviet_cities >> city & 1
        return float(self.numbers["regain"] if lost else self.numbers["calm"] * min(self.alarm[city], 40.0))
