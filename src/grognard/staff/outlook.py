"""What planners know before anybody moves: what never changes, and what one side sees in one position."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from grognard.board import Board
from grognard.board.board import each
from grognard.mechanics.dice import Dice
from grognard.mechanics.movement import Costs, connected, costs_to, rings
from grognard.mechanics.odds import CombatTable
from grognard.staff.battles import Blow, Fate, Force, dearest_last, expected, fates, shares, toll
from grognard.staff.memory import Remembered
from grognard.staff.threats import Floods, Threats

FAR = 99.0
"""Points of march beyond any way on a map."""
MOSTLY = 0.5
"""An enemy is left behind if so much of our army is past him."""


class Lore:
    """What never changes: the map and the tables, made ready for planners. One for each game."""

    fates: Mapping[Any, Sequence[Fate]]
    """The results of each column."""

    def __init__(self, game: Any, numbers: Mapping[str, Any]) -> None:
        """`numbers` is the game's doctrine.toml."""
        self.game, self.numbers = game, numbers
        self.contact = [tuple(each(game.contact.get(c, 0))) for c in range(game.board.size)]
        self.floods = Floods(game.board)
        self.fronts: dict[int, dict[int, tuple[tuple[int, float], ...]]] = {}
        """By the ground in use, from where each hex can be attacked; see PlacesOutlook.fronts."""
        self.shares: Remembered[tuple[int, bool], tuple[float, float, float]] = Remembered(
            lambda column, attacker: shares(self.fates[column], attacker)
        )
        """How likely the attacker of a column, or the defender, is to suffer one, two, everything."""

    def read_table(self, table: CombatTable, dice: Dice, read: Callable[[str], tuple[Blow, Blow]]) -> None:
        """Take in the combat table; `read` says what a cell does to attacker and defender."""
        found = fates(table, dice, read)
        self.fates = found
        self.tolls = {column: toll(results) for column, results in found.items()}


class Outlook:
    """One side's knowledge of one position. One serves one phase of one side.

    A game's outlook is a subclass that says what units are worth (`worth_of`) and how strong they defend
    (`defence_of`), and finds `zones`, `foes` and whatever else its plans ask for."""

    foes: int
    """Where enemies stand."""

    def __init__(self, lore: Any, state: Any, side: int) -> None:
        self.lore, self.state, self.side, self.foe = lore, state, side, 1 - side
        self.game = lore.game
        self.numbers: Mapping[str, Any] = lore.numbers["plan"][self.game.sides[side]]
        self.common: Mapping[str, float] = lore.numbers["plan"].get("common", {})
        self.weights: Mapping[str, float] = lore.numbers.get("weights", {}).get(self.game.sides[side], {})
        self._forces: dict[int, Force] = {}
        self._battles: dict[tuple[int, int, bool, float, float], float] = {}
        self._worths: dict[tuple[int, int], float] = {}
        self._goals: dict[int, float] = {}

    # What a game supplies

    def worth_of(self, unit: int, steps: int) -> float:
        """What a unit with so many steps, one at least, is worth to its owner."""
        raise NotImplementedError

    def defence_of(self, units: Sequence[int]) -> float:
        """The strength of units that defend together, ground apart."""
        raise NotImplementedError

    @cached_property
    def enemy(self) -> tuple[Threats, int]:
        """How much could attack every hex on the enemy's next move, and the hexes that he could enter."""
        raise NotImplementedError

    # What follows

    @property
    def threats(self) -> Threats:
        return self.enemy[0]

    @property
    def landing(self) -> int:
        return self.enemy[1]

    def weight(self, unit: int, steps: int) -> float:
        """What a unit with so many steps is worth to its owner; nothing if it has none."""
        if not steps:
            return 0.0
        found = self._worths.get((unit, steps))
        if found is None:
            found = self._worths[unit, steps] = self.worth_of(unit, steps)
        return found

    def worth(self, units: Iterable[int]) -> float:
        """All that is left of some units, to their owner."""
        return sum(self.weight(u, self.steps_of(u)) for u in units)

    def troops(self, side: int) -> list[int]:
        """A side's units on the map."""
        return on_map(self.state, each(self.game.units_of[side]))

    def steps_of(self, unit: int) -> int:
        """How many steps a unit has left."""
        return int(self.state.steps[unit])

    def step(self, unit: int) -> float:
        """What a unit loses with its next step."""
        steps = self.steps_of(unit)
        return self.weight(unit, steps) - self.weight(unit, max(0, steps - 1))

    def force(self, members: int) -> Force:
        """Units that stand together, as somebody who attacks them sees them."""
        found = self._forces.get(members)
        if found is None:
            units = each(members)
            losses = dearest_last(units, self.steps_of, self.weight)
            found = self._forces[members] = Force(len(units), self.defence_of(units), losses)
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

    @cached_property
    def ways(self) -> Sequence[tuple[Sequence[float], float]]:
        """For each place that matters, the points of march from every hex, and how much farther it counts."""
        return ()

    def goal(self, cell: int) -> float:
        """The points of march from a hex to the place that matters, the nearer ones first."""
        found = self._goals.get(cell)
        if found is None:
            found = self._goals[cell] = min((way[cell] + far for way, far in self.ways), default=0.0)
        return found

    def away(self, cell: int) -> float:
        """The points of march from a hex to what everything is about."""
        raise NotImplementedError

    @cached_property
    def _advance(self) -> list[float]:
        return [self.away(self.state.where[unit]) for unit in self.troops(self.side)]

    def behind(self, cell: int) -> float:
        """How much of our army is nearer to that than a hex, as a share."""
        mark, ours = self.away(cell), self._advance
        return sum(away < mark for away in ours) / max(1, len(ours))

    def strays(self) -> dict[int, float]:
        """Where enemies stand behind most of our army, and how much of it."""
        return {cell: share for cell in each(self.foes) if (share := self.behind(cell)) >= MOSTLY}

    def unguarded(self, cell: int, worth: float, landing: int, alarm: float) -> float:
        """What a place of ours without a garrison risks: enemies who reach it walk in; the nearest of the
        others has so many points to march (`alarm`)."""
        if landing >> cell & 1:
            return -worth * self.common["walked_into"]
        fading: float = 2 ** (-alarm / self.common["warning"])
        return -worth * self.common["unguarded"] * fading

    def depths(self, links: Sequence[int], sources: int, ground: int, lines: int) -> list[float]:
        """How far every hex is, along lines, from where they hold whatever the enemy does next, as a share of
        `deepest`; 1 beyond. `ground` is open to lines from the sources where no enemy comes next to it."""
        board, deepest = self.game.board, int(self.common["deepest"])
        menaced = board.spread(self.landing) | self.landing
        safe = connected(board, links, sources, ground & ~menaced) or sources
        found = [1.0] * board.size
        for away, ring in enumerate(islice(rings(board, links, safe, lines | safe), deepest)):
            for cell in each(ring):
                found[cell] = away / deepest
        return found


class PlacesOutlook(Outlook):
    """For games in which armies go for places on the map. A game says what the places are worth (`prizes`),
    which are ours (`mine`); its lore has `way`, the points of march to a place from every hex; its doctrine
    `calm`, `regain`, and `far` if some places are worth more."""

    mine: int
    onward = False
    """Whether places of ours are no aims while there are others."""
    ground: int
    """The hexes in use; of attacks from them those across `narrow` sides have half the strength."""
    narrow: Collection[tuple[int, int]] = ()

    @cached_property
    def prizes(self) -> Mapping[int, float]:
        """What it is worth to hold a hex."""
        raise NotImplementedError

    @property
    def aims(self) -> Collection[int]:
        """The places to march to."""
        theirs = [cell for cell in self.prizes if not self.mine >> cell & 1] if self.onward else ()
        return theirs or self.prizes

    @cached_property
    def _fronts(self) -> dict[int, tuple[tuple[int, float], ...]]:
        known: dict[int, dict[int, tuple[tuple[int, float], ...]]] = self.lore.fronts
        return known.setdefault(self.ground, {})

    def fronts(self, cell: int) -> tuple[tuple[int, float], ...]:
        """The hexes from which a hex can be attacked, and how much of the strength counts."""
        found = self._fronts.get(cell)
        if found is None:
            usable = [n for n in self.lore.contact[cell] if self.ground >> n & 1]
            narrow = self.narrow
            found = self._fronts[cell] = tuple((n, 0.5 if (n, cell) in narrow else 1.0) for n in usable)
        return found

    @cached_property
    def _alarms(self) -> Remembered[int, float]:
        foes = each(self.foes)
        return Remembered(lambda cell: min(map(self.lore.way(cell).__getitem__, foes), default=FAR))

    def alarm(self, cell: int) -> float:
        """How many points the nearest enemy has to march to a place."""
        return self._alarms[cell]

    @cached_property
    def ways(self) -> Sequence[tuple[Sequence[float], float]]:
        """What is not ours first; what is, if the enemy is near."""
        numbers, found = self.numbers, []
        most = max(self.prizes.values(), default=0.0)
        for cell in sorted(self.aims):
            away = numbers.get("far", 0.0) * (most - self.prizes[cell])
            if self.mine >> cell & 1:
                away += numbers["calm"] * min(self.alarm(cell), 40.0)
            else:
                away += numbers["regain"]
            found.append((self.lore.way(cell), away))
        return found

    def empty(self, cell: int) -> float:
        """What a place of ours without a garrison risks."""
        return self.unguarded(cell, self.prizes[cell], self.landing, self.alarm(cell))


def marches(board: Board, costs: Costs, land: int, parts: int) -> Callable[[int], list[float]]:
    """Makes known, for a hex, the points that a march to it takes from every hex; costs are in so many parts
    of a point."""

    def way(goal: int) -> list[float]:
        priced = costs_to(costs, 1 << goal, land)
        return [priced.get(cell, parts * FAR) / parts for cell in range(board.size)]

    known: Remembered[int, list[float]] = Remembered(way)
    return known.__getitem__


def on_map(state: Any, units: Iterable[int]) -> list[int]:
    """Those of some units who stand on a hex."""
    return [unit for unit in units if state.where[unit] >= 0]
