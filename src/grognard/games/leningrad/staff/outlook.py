"""What a planner of Leningrad knows of a position before anybody moves: what units are worth, what the enemy
could do, how strong his stacks may turn out to be, what ground is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.leningrad.advice import LeningradAdviser
from grognard.games.leningrad.rules.supply import dearer_hexes, in_supply, supplied_hexes, trace
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.state import GERMAN, SOVIET, TO_COME, LeningradState, members
from grognard.mechanics import zones
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Ground, costs_to, reach
from grognard.mechanics.odds import whole_odds
from grognard.staff.battles import Blow, Force, fates
from grognard.staff.threats import Threats, reaches

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

FAR = 400
"""Farther than any way on the map, in halves."""
MOST_ATTACKERS = 9
"""Three hexes of three: more seldom find room against one hex."""
BLOWS = {"-": Blow(), "1": Blow(1, 1, either=True), "2": Blow(2, 2, either=True), "E": Blow(all=True)}


class Lore:
    """What never changes: the map and the tables, made ready for planners."""

    def __init__(self, game: Leningrad, numbers: Mapping[str, Any]) -> None:
        self.game, self.numbers = game, numbers
        self.adviser = LeningradAdviser(game)
        self.contact = [tuple(each(game.contact.get(c, 0))) for c in range(game.board.size)]
        self.fates = fates(game.data.crt, D6, lambda cell: (BLOWS[cell[-1]], BLOWS[cell[0]]))
        self.corps_of = {u: n for n, corps in enumerate(game.corps) for u in corps}
        # How far the goal of the scenario is from everywhere, for troops that nobody stops.
        self.ways = {
            id_: costs_to(game.mobile_costs, bits(game.victory_of(id_).goals), game.data.land)
            for id_ in game.scenarios
        }
        lines = game.data.untried
        self.means: dict[str, tuple[float, float]] = {}
        """Attack and defence of an untried unit, on the average."""
        for pool in ("infantry", "armour"):
            mine = [s for s in lines if s.pool == pool]
            count = max(1, sum(s.number for s in mine))
            self.means[pool] = (
                sum(s.number * s.attack for s in mine) / count,
                sum(s.number * s.defence for s in mine) / count,
            )

    def column(self, attack: int, defence: int, shift: int) -> int:
        table = self.game.data.crt
        if attack <= 0:
            return table.columns[0]
        return table.columns[-1] if defence <= 0 else table.column(whole_odds(attack, defence) + shift)

    def shares(self, column: int, attacker: bool = False) -> tuple[float, float, float]:
        """How likely a party of a battle in a column is to suffer one, two, everything."""
        found = dict.fromkeys(BLOWS.values(), 0.0)
        for fate in self.fates[column]:
            found[fate.attacker if attacker else fate.defender] += fate.chance
        return found[BLOWS["1"]], found[BLOWS["2"]], found[BLOWS["E"]]


class Foe:
    """An enemy stack as an attacker sees it."""

    def __init__(self, view: Outlook, cell: int, units: Sequence[int] = ()) -> None:
        game, state, side = view.game, view.state, view.side
        # 8.4 who fell back here in this phase does not fight
        self.units = list(units) or members(state.at[cell] & ~state.attacked) or members(state.at[cell])
        worth = sum(view.value_of(u) for u in self.units)
        steps = sum(state.steps[u] for u in self.units)
        spread = view.defence_spread(self.units)
        self.expected = sum(value * chance for value, _, chance in spread)
        self.force = Force(len(self.units), self.expected, tuple(k * worth / steps for k in range(steps + 1)))
        self.rivers = bits(c for c in game.board.adjacent[cell] if game.board.side_has(cell, c, "river"))
        self.open = bool(game.open_ground & ~state.forts & 1 << cell)
        shifts = game.data.shifts
        self.shift = view.shelter(cell, 1 - side)
        if side == SOVIET and state.surprise:
            self.shift += shifts["surprise"][0]
        if not in_supply(game, state, 1 - side, cell):
            self.shift += shifts["defender-unsupplied"][0]
        in_town = side == SOVIET and game.soviet_cities >> cell & 1
        if side == SOVIET and not in_town:
            whole = [corps for corps in game.corps if all(u in self.units for u in corps)]
            self.shift += shifts["defender-corps"][0] * len(whole)
        armour = 0 if in_town else shifts["defender-armour"][0]
        self._spread = [(value, armour if tanks else 0, chance) for value, tanks, chance in spread]
        self._lore = view.lore

    def columns(self, attack: int, shift: int) -> list[tuple[int, float]]:
        """The columns of an attack and their chances, over all that the untried may turn out to be."""
        return [(self._lore.column(attack, v, shift + tanks), chance) for v, tanks, chance in self._spread]


class Outlook:
    """One side's knowledge of one position."""

    def __init__(self, lore: Lore, state: LeningradState, side: int) -> None:
        self.lore, self.state, self.side, self.game = lore, state, side, lore.game
        game = lore.game
        self.numbers: Mapping[str, Any] = lore.numbers["plan"][game.sides[side]]
        self.weights: Mapping[str, float] = lore.numbers.get("weights", {}).get(game.sides[side], {})
        self.worths: Mapping[str, float] = lore.numbers["plan"]["worth"]
        self.zones = zone(game, state, 1 - side)
        self.foes = state.occupied[1 - side]
        self.fed = supplied_hexes(game, state, side)
        self.way = lore.ways[state.scenario]
        self.air = state.air_ready if side == GERMAN else 0
        # 17.4 everybody knows on which turn the Soviets may come with surprise.
        surprise_ahead = state.turn == game.data.numbers["surprise_turn"] and all(
            state.where[u] == TO_COME for u in game.surprise_force
        )
        self.surprise = game.data.shifts["surprise"][0] if side == GERMAN and surprise_ahead else 0
        self._threats: Threats | None = None
        self._danger: dict[int, float] = {}
        self.important = self._important_hexes()

    # Units

    def step(self, unit: int) -> float:
        """A step of a unit to its owner; a German's last one is dearer."""
        state = self.state
        if unit >= state.germans:
            drawn = state.rating[unit] and self.game.data.untried[state.rating[unit] - 1]
            return self.worths["soviet"] * (0.6 + 0.15 * drawn.defence if drawn else 1.0)
        kind = self.game.units[unit].kind
        return self.worths[kind if state.steps[unit] == 2 else f"{kind}_last"]

    def value_of(self, unit: int) -> float:
        """All that is left of a unit, to its owner."""
        if unit >= self.state.germans or self.state.steps[unit] == 1:
            return self.step(unit)
        return self.step(unit) + self.worths[f"{self.game.units[unit].kind}_last"]

    def strength(self, unit: int, attacking: bool) -> float:
        state, counter = self.state, self.game.units[unit]
        if unit < state.germans:
            return counter.strength if state.steps[unit] == 2 else counter.reduced
        if not state.rating[unit]:
            return self.lore.means[counter.kind][not attacking]
        drawn = self.game.data.untried[state.rating[unit] - 1]
        return drawn.attack if attacking else drawn.defence

    def is_armour(self, unit: int) -> bool:
        state = self.state
        if unit < state.germans:
            return self.game.units[unit].kind == "armour"
        return bool(state.rating[unit]) and self.game.data.untried[state.rating[unit] - 1].kind == "armour"

    def defence_spread(self, units: Sequence[int]) -> list[tuple[int, bool, float]]:
        """(total strength, armour among it, chance) of a stack that defends."""
        untried = [u for u in units if u >= self.state.germans and not self.state.rating[u]]
        tried = [u for u in units if u not in untried]
        known, armour = int(sum(self.strength(u, False) for u in tried)), any(map(self.is_armour, tried))
        if not untried:
            return [(known, armour, 1.0)]
        draws = self.lore.adviser.draws(self.state, untried, attacking=False)
        return [(known + more, armour or also, chance) for (more, also), chance in sorted(draws.items())]

    # Ground

    def shelter(self, cell: int, side: int) -> int:
        """The columns that the ground gives a defender."""
        game, shifts = self.game, self.game.data.shifts
        shift = shifts["defender-terrain"][0] if game.rough_ground >> cell & 1 else 0
        if side == SOVIET:
            shift += shifts["fort"][0] if self.state.forts >> cell & 1 else 0
            shift += shifts["soviet-city"][0] if game.soviet_cities >> cell & 1 else 0
        return shift

    def _important_hexes(self) -> dict[int, float]:
        """Hexes worth holding for themselves, and how much."""
        game, victory = self.game, self.game.victory(self.state)
        # What counts at the end counts more and more.
        late = 1.0 + self.numbers["late"] * self.state.turn / game.scenario(self.state).last
        near = game.board.spread(bits(victory.objectives)) & game.data.land
        found = dict.fromkeys(each(near), self.numbers["approach"] * late)
        found.update(dict.fromkeys(game.leningrad, self.numbers["suburb"] * late))
        whole = game.data.victory["leningrad-hex"].points
        for cell, points in victory.objectives.items():
            found[cell] = self.numbers["heart"] * late * points / whole
        return found

    def corridor(self) -> list[float]:
        """For the Soviets: the hexes by which the Germans could come, worth covering."""
        found = [0.0] * self.game.board.size
        germans = [self.way.get(c, FAR) for c in each(self.state.occupied[GERMAN])]
        if self.side == GERMAN or not germans:
            return found
        nearest, depth = min(germans), self.numbers["corridor_depth"]
        value = self.numbers["corridor"] * self.weights.get("corridor", 1.0)
        for cell in each(self.game.data.land):
            far = self.way.get(cell, FAR)
            if far < nearest + 4:
                found[cell] = value / (1.0 + abs((nearest - far) / 2 - depth) / depth)
        return found

    def blockers(self) -> dict[int, float]:
        """Enemy hexes that cut our supply, by what their end would bring; those near our roads might."""
        game, numbers, state, side = self.game, self.numbers, self.state, self.side
        cut = state.occupied[side] & ~self.fed
        roads = game.board.spread(game.board.spread(game.on_road & self.fed & ~self.zones))
        found: dict[int, float] = {}
        for cell in each(self.foes):
            value = numbers["road"] if roads >> cell & 1 else 0.0
            if cut:
                rest = self.foes & ~(1 << cell)
                shut = rest | zones.zone(game.board, game.data.crossing, rest) & ~state.occupied[side]
                dearer = dearer_hexes(game, state, side)
                again = trace(game, game.sources[side], game.data.land & ~shut, dearer) & cut
                relieved = sum(state.height(c) for c in each(again))
                value += min(numbers["most_relief"], numbers["relief"] * relieved)
            if value:
                found[cell] = value
        return found

    def danger(self, cell: int) -> float:
        """The strength that the enemy could bring against a hex on his next turn."""
        found = self._danger.get(cell)
        if found is None:
            if self._threats is None:
                self._threats = self._look_at_the_enemy()
            room = min(MOST_ATTACKERS, 3 * max(1, self.game.contact[cell].bit_count() // 2))
            found = self._danger[cell] = self._threats.strongest(cell, room)
        return found

    def _look_at_the_enemy(self) -> Threats:
        game, state, foe = self.game, self.state, 1 - self.side
        allowed = game.data.land & ~state.occupied[self.side]

        def key(unit: int) -> tuple[int, int, bool]:
            here, points = state.where[unit], game.movement[unit]
            if not in_supply(game, state, foe, here):
                points = points // 4 * 2  # out of supply it gets half as far
            return here, points, game.costs[unit] is game.mobile_costs

        def flood(unit: int, key: tuple[int, int, bool]) -> int:
            cells = reach(Ground(game.costs[unit], allowed), {key[0]: 0}, key[1]).cells
            return cells | game.board.spread(cells)

        found = Threats(game.board)
        units = [u for u in members(game.units_of[foe]) if state.where[u] >= 0]
        for unit, cells in reaches(units, key, flood).items():
            found.add(cells, self.strength(unit, True), touching=False)
        return found
