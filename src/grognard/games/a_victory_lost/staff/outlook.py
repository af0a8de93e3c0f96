"""What a planner of A Victory Lost knows of a position before anybody moves: what units are worth, how far
the enemy reaches, where supply is safe, where to go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.a_victory_lost.data import read_result
from grognard.games.a_victory_lost.rules import odds
from grognard.games.a_victory_lost.rules.command import chits_to_select, led_area
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.reinforcements import due
from grognard.games.a_victory_lost.rules.supply import allowance
from grognard.games.a_victory_lost.rules.tracing import fed_hexes, supplied_hexes
from grognard.games.a_victory_lost.rules.victory import worth as points_for
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.state import AXIS, ISOLATED, SOVIET, VictoryState
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Ground, connected, costs_to, reach, sides_between
from grognard.mechanics.odds import halved_odds
from grognard.staff import outlook
from grognard.staff.battles import Blow
from grognard.staff.outlook import FAR
from grognard.staff.threats import Floods, Threats, reaches

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Lore(outlook.Lore):
    game: AVictoryLost

    def __init__(self, game: AVictoryLost, numbers: Mapping[str, Any]) -> None:
        super().__init__(game, numbers)
        data, cells = game.data, range(game.board.size)
        self.shift = [sum(s.columns for s in game.shelter.get(c, ())) for c in cells]
        marches = {city: costs_to(data.costs, 1 << city, data.land) for city in each(game.every_city)}
        self._ways = {city: [cost.get(cell, 2 * FAR) / 2 for cell in cells] for city, cost in marches.items()}
        results = ((c, read_result(c)) for row in data.crt.rows.values() for c in row)
        blows = {c: (Blow(r.attacker), Blow(r.defender, r.retreat)) for c, r in results}
        self.read_table(data.crt, D6, blows.__getitem__)
        self.fronts: dict[int, dict[int, tuple[tuple[int, float], ...]]] = {}
        """By the ground that is open, from where each hex can be attacked; see Outlook.fronts."""
        self.floods = Floods(game.board)

    def way(self, city: int) -> list[float]:
        """Points that the march to a victory city takes from every hex."""
        return self._ways[city]

    def column(self, attack: int, defence: int, shift: int) -> int:
        """9.3 The column of a battle; -1 if it cannot be fought."""
        top = self.game.data.crt.columns[-1]
        initial = halved_odds(attack, defence) if defence else top
        return -1 if min(initial, initial + shift) < 0 else min(initial + shift, top)


class Outlook(outlook.PlacesOutlook):
    game: AVictoryLost
    lore: Lore
    state: VictoryState

    def __init__(self, lore: Lore, state: VictoryState, side: int) -> None:
        super().__init__(lore, state, side)
        game = self.game
        self.zones, self.foes = zone(game, state, self.foe), state.fighters[self.foe]
        self.ground, self.cities = usable_ground(game, state), game.cities(state)
        self.last = game.turns_left(state) <= 0
        self.swing: float = 2 * game.victory(state).lines["city"] * self.common["city"]
        """What it is worth to take or keep a city: one side gains what the other loses (14.0.1)."""
        self.crowd = self.common["crowd_axis" if self.foe == AXIS else "crowd_soviet"]
        self.mine = state.soviet_cities if side == SOVIET else ~state.soviet_cities
        self.ring = game.board.spread(self.cities) & ~self.cities
        """Where a city is besieged, or covered."""
        self._fronts = lore.fronts.setdefault(self.ground, {})

    # Hexes

    def prize(self, cell: int) -> float:
        """What it is worth to drive the enemy out of a hex."""
        if self.cities >> cell & 1:
            return self.swing
        return float(self.numbers["ring" if self.ring >> cell & 1 else "hex"])

    @cached_property
    def prizes(self) -> dict[int, float]:
        return dict.fromkeys(each(self.cities), self.swing)

    @property
    def aims(self) -> list[int]:
        """The Axis also goes where the enemy comes near."""
        lost = self.cities & ~self.mine if self.side == SOVIET else 0
        return each(lost or self.cities)

    def fronts(self, cell: int) -> tuple[tuple[int, float], ...]:
        """The hexes from which a hex can be attacked; across a river only with half the strength."""
        found = self._fronts.get(cell)
        if found is None:
            usable = [n for n in self.lore.contact[cell] if self.ground >> n & 1]
            rivers = self.game.data.rivers
            found = self._fronts[cell] = tuple((n, 0.5 if (n, cell) in rivers else 1.0) for n in usable)
        return found

    # Units

    def worth_of(self, unit: int, steps: int) -> float:
        """In points of victory."""
        u = self.game.units[unit]
        full = steps == u.steps
        strength = u.attack + u.defence if full else u.reduced_attack + u.reduced_defence
        power = self.numbers["power_axis" if u.axis else "power_soviet"]
        return float(points_for(self.game, self.state, unit) + power * strength / 2)

    def defence_of(self, units: Sequence[int]) -> float:
        """9.3.1 Isolated units are halved together."""
        strengths = [0, 0]
        for unit in units:
            isolated = self.state.supply[unit] == ISOLATED
            strengths[isolated] += odds.defence_strength(self.game, self.state, unit)
        return strengths[0] + strengths[1] // 2

    # The enemy's next move

    @cached_property
    def threats(self) -> Threats:
        return self._enemy[0]

    @cached_property
    def landing(self) -> int:
        """Hexes that enemies could enter."""
        return self._enemy[1]

    @cached_property
    def _enemy(self) -> tuple[Threats, int]:
        """How much could attack every hex, and where enemies could stand, if those under command act."""
        game, state, foe = self.game, self.state, self.foe
        mine = state.fighters[self.side]
        allowed = self.ground & ~mine
        commanded, chance = led_area(game, state, foe), self._chance_of_orders()
        own_zone = zone(game, state, self.side)
        # Whoever comes next to our units pays for their zone: all of it at the end, half of it on the way.
        dear = game.zone_in
        shut = sides_between(game.board, game.data.major_sides, own_zone)
        felt = ((own_zone, dear // 2),)
        fields = Ground(game.data.dry_costs, allowed, plus_in=felt, plus_out=felt, shut=shut)
        roads = Ground(game.data.road_costs, allowed & ~own_zone)
        units = [u for cell in each(self.foes) for u in each(state.fighters_at(cell))]
        recall, about = self.lore.floods.recall, (allowed, own_zone)

        def key(unit: int) -> tuple[int, int]:
            return state.where[unit], allowance(game, state, unit)

        def flood(unit: int, key: tuple[int, int]) -> int:
            return recall(key, about, lambda: reach(fields, {key[0]: 0}, max(0, key[1] - dear)).cells)

        def by_road(here: int, points: int) -> int:
            return recall((here, points, "road"), about, lambda: reach(roads, {here: 0}, points).cells)

        threats, landing = Threats(game.board, self.lore.floods), 0
        gathered: dict[tuple[int, bool], float] = {}
        for unit, cells in reaches(units, key, flood).items():
            ordered = bool(commanded >> state.where[unit] & 1)
            strength = odds.attack_strength(game, state, unit)
            gathered[cells, ordered] = gathered.get((cells, ordered), 0.0) + strength
            if ordered:
                landing |= cells
                if game.data.on_road & ~own_zone & 1 << state.where[unit]:
                    landing |= by_road(*key(unit))
        for (cells, ordered), attack in gathered.items():
            threats.add(cells, attack * (chance if ordered else self.common["unled"]))
        # Where we stand they could come when we have left.
        return threats, landing | game.board.spread(landing) & mine

    @cached_property
    def trains(self) -> float:
        """11.1.1 How much to fear that trains bring enemies into a city: the later, the less."""
        game, common = self.game, self.common
        for later in range(int(common["trains_ahead"]) + 1):
            coming = due(game, self.state, self.foe, later)
            if any(not (game.units[u].hq or game.box_units >> u & 1) for u in coming):
                return self.swing * common["trains"] * common["trains_later"] ** later
        return 0.0

    def _chance_of_orders(self) -> float:
        """How likely it is that an enemy army acts before ours does again."""
        if self.foe == SOVIET:
            return 1.0
        pool = self.state.pool[AXIS].bit_count()
        if not pool or not self.state.turn:
            return self.common["orders"]
        return min(1.0, self.common["orders"] + 0.5 * chits_to_select(self.game, self.state, AXIS) / pool)

    @cached_property
    def fed(self) -> int:
        """Where one more unit is in supply."""
        return fed_hexes(self.game, self.state, self.side)

    @cached_property
    def depth(self) -> list[float]:
        """How far every hex is from where lines of supply hold whatever the enemy does next."""
        game, state, side = self.game, self.state, self.side
        menaced = game.board.spread(self.landing) | self.landing
        sources, supplied = game.data.sources[side], supplied_hexes(game, state, side)
        safe = connected(game.board, game.data.dry, sources, self.ground & ~menaced) or sources
        lines = self.ground & ~state.occupied[self.foe] & ~(self.zones & ~game.board.spread(supplied))
        return self.depths(game.data.dry, safe, lines)
