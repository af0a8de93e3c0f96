"""What a planner of Leningrad knows of a position before anybody moves: what units are worth, what the enemy
could do, how strong his stacks may turn out to be, what ground is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.leningrad.rules import supply, untried, victory
from grognard.games.leningrad.rules.battle import armour_helps, corps_involved, shelter
from grognard.games.leningrad.state import GERMAN, SOVIET, TO_COME, LeningradState, members
from grognard.mechanics.control import zone
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import Ground, costs_to, reach
from grognard.mechanics.supply import half_allowance
from grognard.staff.battles import Blow
from grognard.staff.cuts import Lines
from grognard.staff.garrisons import GarrisonsOutlook
from grognard.staff.guesses import Guess, GuessLore
from grognard.staff.threats import Threats, apart

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

FAR = 400
"""Farther than any way on the map, in halves."""
MOST_ATTACKERS = 9
"""Three hexes of three: more seldom find room against one hex."""
BLOWS = {"-": Blow(), "1": Blow(1, 1, either=True), "2": Blow(2, 2, either=True), "E": Blow(all=True)}


class Lore(GuessLore):
    game: Leningrad

    def __init__(self, game: Leningrad, numbers: Mapping[str, Any]) -> None:
        super().__init__(game, numbers)
        self.read_table(game.data.crt, D6, lambda cell: (BLOWS[cell[-1]], BLOWS[cell[0]]))
        self.corps_of = {u: n for n, corps in enumerate(game.corps) for u in corps}
        # How far the goal of the scenario is from everywhere, for troops that nobody stops.
        goals, land = {s: bits(game.victory_of(s).goals) for s in game.scenarios}, game.data.land
        self.ways = {s: costs_to(game.mobile_costs, cells, land) for s, cells in goals.items()}


class Foe(Guess):
    """An enemy stack: it may have untried units."""

    def __init__(self, view: Outlook, cell: int, units: Sequence[int] = ()) -> None:
        game, state, side, lore = view.game, view.state, view.side, view.lore
        # 8.4 who fell back here in this phase does not fight
        units = list(units) or members(state.at[cell] & ~state.attacked) or members(state.at[cell])
        # Each step counts towards the fall of what matters, and whoever is in our rear cuts roads.
        worth = view.worth(units) * (1.0 + view.numbers["astern"] * view.behind(cell))
        worth += view.numbers["siege"] * view.important.get(cell, 0.0)
        helps = armour_helps(game, 1 - side, 1 << cell)
        times = shelter(game, state, 1 - side, 1 << cell) | {
            "surprise": side == SOVIET and state.surprise,
            "defender-unsupplied": not supply.in_supply(game, state, 1 - side, cell),
            "defender-corps": helps * corps_involved(game, state, units),
        }
        tanks = lore.columns({"defender-armour": helps})
        drawn = untried.defence_spread(game, state, units)
        spread = [(value, tanks if armoured else 0, chance) for value, armoured, chance in drawn]
        super().__init__(len(units), sum(state.steps[u] for u in units), worth, spread, lore.columns(times))
        self.rivers = bits(c for c in game.board.adjacent[cell] if game.board.side_has(cell, c, "river"))
        self.open = bool(game.open_ground & ~state.forts & 1 << cell)


class Outlook(GarrisonsOutlook):
    game: Leningrad
    lore: Lore
    state: LeningradState

    def __init__(self, lore: Lore, state: LeningradState, side: int) -> None:
        super().__init__(lore, state, side)
        game = lore.game
        self.worths: Mapping[str, float] = lore.numbers["plan"]["worth"]
        self.foes, self.zones = state.occupied[1 - side], zone(game, state, 1 - side)
        self.way = lore.ways[state.scenario]
        self.air = state.air_ready if side == GERMAN else 0
        # 17.4 everybody knows on which turn the Soviets may come with surprise.
        to_come = all(state.where[u] == TO_COME for u in game.surprise_force)
        self.surprise = side == GERMAN and state.turn == game.data.numbers["surprise_turn"] and to_come
        self.alert = self.numbers["forewarned"] if self.surprise else 1.0
        self.last = state.turn == game.scenario(state).last
        self.keeps_empty = side == SOVIET

    @cached_property
    def fed(self) -> int:
        return supply.supplied_hexes(self.game, self.state, self.side)

    @property
    def lines(self) -> Lines:
        """The enemy's lines of supply."""
        game, data = self.game, self.game.data
        supplied = partial(supply.supplied_if, game, self.state, self.foe)
        return Lines(game.board, data.roads, game.sources[self.foe], game.contact, data.crossing, supplied)

    # Units

    def worth_of(self, unit: int, steps: int) -> float:
        """A German's last step is dearer. In the end only what counts for victory is (18.1), and whoever has
        lost the campaign as it stands has nothing to lose."""
        state, kind = self.state, self.game.units[unit].kind
        spent = self.worths["spent"] if self.last else 1.0
        if unit < state.germans:
            spent = spent if kind == "infantry" else self._at_stake
            return spent * (self.worths[f"{kind}_last"] + (self.worths[kind] if steps == 2 else 0.0))
        drawn = state.rating[unit] and self.game.data.untried[state.rating[unit] - 1]
        return spent * self.worths["soviet"] * (0.6 + 0.15 * drawn.defence if drawn else 1.0)

    @cached_property
    def _at_stake(self) -> float:
        """How much of what armour gives in points still counts for the Germans."""
        game, state = self.game, self.state
        if self.side == SOVIET or victory.german_points(game, state) > victory.soviet_points(game, state):
            return 1.0
        spent: float = self.worths["spent"]
        left: int = game.scenario(state).last - state.turn
        return 1.0 - (1.0 - spent) * 0.5**left

    def strength(self, unit: int, attacking: bool) -> float:
        return untried.expected_strength(self.game, self.state, unit, attacking)

    def company(self, units: Sequence[int]) -> float:
        corps_of = self.lore.corps_of
        corps = [corps_of[u] for u in units if u in corps_of]
        return float(self.numbers["corps"] * sum(n * (n - 1) / 2 for n in map(corps.count, set(corps))))

    # Ground

    def ground(self, cell: int) -> int:
        times = shelter(self.game, self.state, self.side, 1 << cell)
        times |= {"surprise": self.surprise, "defender-unsupplied": not self.fed >> cell & 1}
        return self.lore.columns(times)

    def away(self, cell: int) -> float:
        return self.way.get(cell, FAR)

    @cached_property
    def important(self) -> dict[int, float]:
        """Hexes worth holding for themselves, and how much."""
        game, victory = self.game, self.game.victory(self.state)
        # What counts at the end counts more and more.
        late = 1.0 + self.numbers["late"] * self.state.turn / game.scenario(self.state).last
        near = game.board.spread(bits(victory.objectives)) & game.data.land
        found = dict.fromkeys(each(near), self.numbers["approach"] * late)
        found.update(dict.fromkeys(game.leningrad, self.numbers["suburb"] * late))
        whole = game.data.victory["leningrad-hex"]
        for cell, points in victory.objectives.items():
            found[cell] = self.numbers["heart"] * late * points / whole
        return found

    def strikers(self, cell: int) -> int:
        return min(MOST_ATTACKERS, 3 * max(1, self.game.contact[cell].bit_count() // 2))

    @cached_property
    def enemy(self) -> tuple[Threats, int]:
        game, state, foe = self.game, self.state, self.foe
        allowed = game.data.land & ~state.occupied[self.side]

        def key(unit: int) -> tuple[int, int, bool]:
            here, points = state.where[unit], game.movement[unit]
            if not supply.in_supply(game, state, foe, here):
                points = half_allowance(points, game.points.parts)
            return here, points, game.costs[unit] is game.mobile_costs

        def flood(unit: int, key: tuple[int, int, bool]) -> int:
            return reach(Ground(game.costs[unit], allowed), {key[0]: 0}, key[1]).cells

        coming = self.lore.floods.reaches(self.troops(foe), key, (allowed,), flood)
        return apart(game.board, coming, partial(self.strength, attacking=True), self.lore.floods)
