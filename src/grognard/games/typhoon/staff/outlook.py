"""What a planner of Typhoon! knows of a position before anybody moves: what units and places are worth, how
far everybody reaches, what the combat table promises."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.board.board import bits, each, union
from grognard.games.typhoon.rules.attack_supply import counters, line_area
from grognard.games.typhoon.rules.command import commanded
from grognard.games.typhoon.rules.costs import POINT, costs
from grognard.games.typhoon.rules.eligible import allowance, why_not_move
from grognard.games.typhoon.rules.ground import armed, supplied_beyond, supplied_hexes, unit_state, zone
from grognard.games.typhoon.rules.odds import HUNTERS, columns, effect, result_of
from grognard.games.typhoon.rules.outcome import BAD_WEATHER
from grognard.games.typhoon.rules.reach import ORDINARY, mover_of, within_reach
from grognard.games.typhoon.rules.results import Half, read_result
from grognard.games.typhoon.rules.strength import attack_of, defence_of, support_of
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.staff.line import Line, errands
from grognard.games.typhoon.state import AIR_READY, AXIS, PLAN_NAMES, SOVIET, TyphoonState
from grognard.mechanics.dice import D10
from grognard.mechanics.movement import costs_to
from grognard.staff import outlook as room
from grognard.staff.battles import Blow, Fate, Force, toll
from grognard.staff.threats import Threats, massed, reaches

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

FAR = 99.0
EVEN = 4
"""The column 1-1: below it nobody attacks who need not."""
SHIFTS = (0, -1, -2, -3, 1, 2, 3)
"""Totals of modifiers (8.4.4), in the order in which codes of odds count them."""


UNFED = 1000
"""Added to the code of odds without attack supply, where an asterisk takes a step more (6.5.7)."""


def code_of(column: int, total: int, fed: bool = True) -> int:
    """A column and a total of modifiers as one number, 3 for 3-1 without any; -1 below 1-1."""
    if column < EVEN:
        return -1
    return column - EVEN + 100 * SHIFTS.index(max(-3, min(3, total))) + (0 if fed else UNFED)


class Lore:
    """What never changes: the map and the tables, made ready for planners. One for each game."""

    def __init__(self, game: Typhoon, numbers: Mapping[str, Any]) -> None:
        self.game, self.numbers = game, numbers
        board = game.board
        self.contact = [tuple(each(game.contacts.get(c, 0))) for c in range(board.size)]
        self._least = [float(ratio) for _, ratio in columns()]
        self.fates = {
            code_of(column, total, fed): self.results(column, total, int(not fed))
            for column in range(EVEN, len(columns()))
            for total in SHIFTS
            for fed in (True, False)
        }
        self.tolls = {code: toll(results) for code, results in self.fates.items()}
        self.fast = {
            code_of(column, total, fed): self.results(column, min(3, total + effect("no_retreat")))
            for column in range(EVEN, len(columns()))
            for total in SHIFTS
            for fed in (True, False)
        }
        """The same if the defender does not retreat (8.8.2)."""
        self.bites = {
            code_of(column, total, fed): self.bite(column, total)
            for column in range(EVEN, len(columns()))
            for total in SHIFTS
            for fed in (True, False)
        }
        self.ground = [
            sum(effect(name) for name, cells in self._shelters() if cells >> cell & 1)
            for cell in range(board.size)
        ]
        """What the ground of a hex adds to the die of whoever attacks it."""
        self.shift = [-points for points in self.ground]
        self._ways: dict[tuple[str, int], list[float]] = {}

    def _shelters(self) -> tuple[tuple[str, int], ...]:
        game = self.game
        return (
            ("hills", game.hills),
            ("woods", game.woods),
            ("city", game.cities),
            ("major_city_axis", game.major_cities),
        )

    @staticmethod
    def results(column: int, total: int, star: int = 0) -> tuple[Fate, ...]:
        """What a column brings with some modifiers; 8.4.5 an asterisk takes so many steps more."""
        found = []
        for die in D10.totals:
            attacker, defender = read_result(result_of(column, die + total))
            own = _blow(attacker)
            own = own._replace(steps=own.steps + star * attacker.star)
            found.append(Fate(own, _blow(defender), 1 / len(D10.totals)))
        return tuple(found)

    @staticmethod
    def bite(column: int, total: int) -> tuple[float, float]:
        """9.3.1 How likely an asterisk comes with a step of the attacker, and of the defender."""
        halves = [read_result(result_of(column, die + total)) for die in D10.totals]
        stars = [pair for pair in halves if pair[0].star]
        return (
            sum(own.steps > 0 for own, _ in stars) / len(halves),
            sum(foe.steps > 0 for _, foe in stars) / len(halves),
        )

    def column(self, attack: float, defence: float) -> int:
        """8.4.1 The column of two strengths."""
        return bisect_right(self._least, attack / max(1.0, defence) + 1e-9) - 1

    def way(self, goal: int) -> list[float]:
        """Points that a march on foot to a hex takes from every hex, in dry weather."""
        return self._way("foot", goal)

    def drive(self, goal: int) -> list[float]:
        """The same for motorised units, whom roads carry farther."""
        return self._way("motor", goal)

    def _way(self, mover: str, goal: int) -> list[float]:
        found = self._ways.get((mover, goal))
        if found is None:
            board = self.game.board
            priced = costs_to(costs(board, mover, Sky("dry")), 1 << goal, board.everywhere)
            found = [min(FAR, priced.get(c, FAR * POINT) / POINT) for c in range(board.size)]
            self._ways[mover, goal] = found
        return found


class Stance(NamedTuple):
    """8.8, 13.5.2 What units attacked may do about retreats."""

    may: bool
    must: bool
    extra: int
    """The steps that it costs them not to retreat."""


def _blow(half: Half) -> Blow:
    return Blow(half.steps, 2 if half.retreat else 0, all=half.wiped)


class Outlook(room.Outlook):
    """One side's knowledge of one position."""

    lore: Lore
    game: Typhoon
    state: TyphoonState

    def __init__(self, lore: Lore, state: TyphoonState, side: int, plain: bool = False) -> None:
        """`plain` as a beginner sees it: he thinks neither of guns and aircraft that come to an attack, nor
        of enemies who stand fast, are cut off or must be attacked besides, nor of attack supply, nor of a
        front: he goes for the nearest place."""
        super().__init__(lore, state, side)
        self.plain = plain
        game = lore.game
        self.foes, self.zones = armed(state, self.foe), zone(game, state, self.foe)
        self.last = game.turns_left(state) <= 0
        self.mine = state.soviet_hexes if side == SOVIET else ~state.soviet_hexes
        if self.last and side != SOVIET:
            # 17.2.1 At the end only places with a unit of the Axis in them count.
            self.mine &= ~bits(self.prizes)
        self.depth = [1.0] * game.board.size
        """0 where we are supplied as things stand; less than 1 where we would be if those who follow undid
        the enemy's zones (6.1.5)."""
        for cell in each(supplied_beyond(game, state, side)):
            self.depth[cell] = self.common["followed"]
        for cell in each(supplied_hexes(game, state, side)):
            self.depth[cell] = 0.0
        self.ways = self._goals_ahead()
        self._stances: dict[tuple[int, int], Stance] = {}
        self._stood: dict[tuple[int, int, int, float], float] = {}
        self.caught: dict[int, float] = {}
        """How likely enemies on a hex are lost who must leave it; see `declarations`."""

    # Places

    @cached_property
    def point(self) -> float:
        """What a point of victory is worth: the nearer the end the more, since units are worth nothing after
        it."""
        left = self.game.turns_left(self.state)
        return float(self.common["place"] * max(1.0, self.common["late"] / (left + 1)))

    @cached_property
    def prizes(self) -> dict[int, float]:
        """What it is worth to hold a hex."""
        plan, found = PLAN_NAMES[self.state.plan], dict[int, float]()
        for cell, when, _, points in self.game.outline(self.state).places:
            if when in ("all", plan):
                found[cell] = found.get(cell, 0.0) + abs(points) * self.point
        return found

    def _goals_ahead(self) -> list[tuple[list[float], float]]:
        """The marches to the places that matter: what is not ours first; what is, if the enemy is near."""
        numbers, lore = self.numbers, self.lore
        most = max(self.prizes.values(), default=0.0)
        found = []
        for cell, value in sorted(self.prizes.items()):
            away = numbers["far"] * (most - value)
            if self.mine >> cell & 1:
                alarm = min((lore.way(cell)[c] for c in each(self.foes)), default=FAR)
                away += numbers["calm"] * min(alarm, 40.0)
            else:
                away += numbers["regain"]
            found.append((lore.way(cell), away))
        return found

    def prize(self, cell: int) -> float:
        """What it is worth to drive the enemy out of a hex."""
        hole = 0.0 if self.plain or self.last else self.numbers["hole"] * self.their_line.holes.get(cell, 0.0)
        return float(self.prizes.get(cell, 0.0) + self.numbers["hex"] + hole)

    @cached_property
    def zoned(self) -> int:
        """3.3.1 Those of our combat units on the map that have a zone."""
        return bits(u for u in self.ours() if unit_state(self.game, self.state, u).has_zone)

    @cached_property
    def our_line(self) -> Line:
        """What bars the enemy's ways to the places that are ours."""
        return Line(self, self.side)

    @cached_property
    def their_line(self) -> Line:
        """What bars our ways to theirs."""
        return Line(self, self.foe)

    @cached_property
    def errands(self) -> dict[int, int]:
        """The place for which each of our units goes."""
        return errands(self)

    def empty(self, cell: int) -> float:
        """What a place of ours without a garrison risks."""
        alarm = min((self.lore.way(cell)[c] for c in each(self.foes)), default=FAR)
        return self.unguarded(cell, self.prizes[cell], self.landing, alarm)

    # Units

    def worth_of(self, unit: int, steps: int) -> float:
        """In points of strength, of which little is left on the last turn; armour counts more where its steps
        are points of victory."""
        counter, common = self.game.units[unit], self.common
        waning = common["waning"] if self.last else 1.0
        if self.game.supplies >> unit & 1:
            return float(common["supply_point"]) * steps * waning
        if counter.kind == "hq":
            return float(common["hq"]) * waning
        face = max(counter.attack, counter.support) + counter.defence
        value = face / 2 * steps / max(1, counter.steps) * waning
        return value + (self.point * self._armour_points(unit) * steps if counter.armour else 0.0)

    def _armour_points(self, unit: int) -> float:
        """17.2.2 What a step of armour is worth in points of victory where it is counted."""
        outline, plan = self.game.outline(self.state), PLAN_NAMES[self.state.plan]
        mine = unit < self.game.axis_units
        each_step = abs(outline.event("panzer_step" if mine else "soviet_tank_step", plan))
        several = outline.event("five_axis_steps" if mine else "eight_soviet_steps", plan)
        return each_step + abs(several) / (5 if mine else 8)

    def defence_of(self, units: Sequence[int]) -> float:
        """8.4.1b, 10.2 Guns double the others at most."""
        game, state = self.game, self.state
        line = sum(defence_of(game, state, u) for u in units if not game.guns >> u & 1)
        guns = sum(support_of(game, state, u) for u in units if game.guns >> u & 1)
        return float(max(1, line + min(line, guns)))

    def wear(self, units: Sequence[int], foes: int, tolls: float, bite: tuple[float, float]) -> float:
        """8.5.1, 9.3.1 What the steps of an attack cost the attackers: the cheapest, but with an asterisk
        armour first where the enemy has armour or guns against it; less what his armour loses so."""
        armour, units_of = self.game.armour, self.game.units
        price = min(self.step(u) for u in units)
        tanks = [self.step(u) for u in units if armour >> u & 1]
        total = tolls * price
        if tanks and (foes & armour or any(units_of[u].kind in HUNTERS for u in each(foes))):
            total += bite[0] * (min(tanks) - price)
            if foes & armour:
                dearer = min(self.step(u) for u in each(foes & armour)) - min(
                    self.step(u) for u in each(foes)
                )
                total -= self.numbers["attack"] * bite[1] * dearer
        return total

    # Support (10.1, 11.5)

    @cached_property
    def _guns(self) -> list[tuple[int, int]]:
        """The support of each of our guns and the hexes at which it could fire from where it can go."""
        game, state, found = self.game, self.state, []
        moving = state.active == self.side and state.within("movement-phase", "motorised-phase")
        for gun in each(game.guns & game.units_of[self.side]):
            if state.where[gun] >= 0:
                cells = 1 << state.where[gun]
                if moving and why_not_move(game, state, gun) is None:
                    cells |= self.reach(gun)
                for _ in range(game.units[gun].range):
                    cells |= game.board.spread(cells)
                found.append((support_of(game, state, gun), cells))
        return found

    def gunfire(self, cell: int) -> int:
        """10.1.4 The support that an attack on a hex could have: four guns, of the Soviets one."""
        if self.plain:
            return 0
        found = sorted((support for support, cells in self._guns if cells >> cell & 1), reverse=True)
        return sum(found[: 1 if self.side == SOVIET else self.game.numbers["artillery_limit"]])

    @cached_property
    def _flights(self) -> int:
        """11.5.3 What our best two bombers do to the die, if half of it gets through."""
        ready = [
            flyer.support
            for number, flyer in enumerate(self.game.flyers)
            if flyer.side == self.side and self.state.air[number] == AIR_READY
        ]
        return -round(self.common["flown"] * sum(sorted(ready)[-2:]))

    def flown(self, cell: int) -> int:
        """Bombers go where there is most to win."""
        return self._flights if cell in self.prizes and not self.plain else 0

    # Standing fast (8.8)

    @cached_property
    def _ordered(self) -> int:
        """13.1.2c The hexes where Soviet units can be told not to retreat."""
        return commanded(self.game, self.state)

    @cached_property
    def _shelter(self) -> int:
        """8.8.3 The hexes where it costs a step to stand fast, and not two."""
        game, state = self.game, self.state
        cities = game.cities if state.sky.weather in BAD_WEATHER else 0
        return int(game.major_cities | game.hills | game.woods | cities)

    def stance(self, members: int, cells: int) -> Stance:
        """13.5.2, 8.8.3 Whether those on some hexes may or must stand fast."""
        found = self._stances.get((members, cells))
        if found is None:
            game, state = self.game, self.state
            if members & game.units_of[AXIS]:
                found = Stance(True, False, 1)
            else:
                places = game.cities | game.major_cities | game.villages
                must = bool(game.nkvd & members and places & cells)
                extra = 2 if cells & ~(self._shelter | state.forts[SOVIET]) else 1
                found = Stance(must or not cells & ~self._ordered, must, extra)
            self._stances[members, cells] = found
        return found

    def stood(self, results: Sequence[Fate], force: Force, extra: int, ground: float) -> float:
        """8.8.3 What an attack costs those who do not retreat: their hex is lost only with the last of them,
        but while the game lasts some of it goes with every step."""
        most, total = len(force.losses) - 1, 0.0
        wearing = 0.0 if self.last else self.common["wearing"]
        for fate in results:
            blow = fate.defender
            lost = most if blow.all else min(most, blow.steps + (extra if blow.hexes else 0))
            share = 1.0 if lost == most else wearing * lost / most
            total += fate.chance * (force.losses[lost] + ground * share)
        return total

    def suffered(
        self, members: int, cells: int, column: int, shut: bool, ground: float, driven: float
    ) -> float:
        """What an attack costs those on some hexes, who retreat or stand fast, whichever is cheaper."""
        found = self.battle(members, column, shut, ground, driven)
        may, must, extra = self.stance(members, cells)
        if not may or self.plain:
            return found
        key = members, column, extra, ground
        stood = self._stood.get(key)
        if stood is None:
            results = self.lore.fast[column]
            stood = self._stood[key] = self.stood(results, self.force(members), extra, ground)
        return stood if must else min(found, stood)

    # Movement

    def reach(self, unit: int, mode: int = ORDINARY) -> int:
        """The hexes in reach of a unit."""
        return within_reach(self.game, self.state, unit, allowance(self.game, self.state, unit, mode))

    @cached_property
    def enemy(self) -> tuple[Threats, int]:
        game, state = self.game, self.state
        units = [u for cell in each(self.foes) for u in each(state.fighters(self.foe, cell) & ~game.guns)]

        def key(unit: int) -> tuple[int, int, tuple[str, bool]]:
            return state.where[unit], allowance(game, state, unit, ORDINARY), mover_of(game, unit)

        def flood(unit: int, key: tuple[int, int, tuple[str, bool]]) -> int:
            return within_reach(game, state, unit, key[1])

        reached = reaches(units, key, flood)
        coming = {unit: cells | 1 << state.where[unit] for unit, cells in reached.items()}
        threats, landing = (
            massed(game.board, coming, partial(attack_of, game, state)),
            union(reached.values()),
        )
        # Hexes of ours that they could enter if nobody were there.
        landing |= game.board.spread(landing | self.foes) & state.occupied[self.side]
        return threats, landing

    @cached_property
    def points(self) -> int:
        """6.5.5 Points of attack supply on the map."""
        return sum(self.state.steps[unit] for unit in self.stores)

    @cached_property
    def stores(self) -> list[int]:
        """Our supply counters on the map."""
        return counters(self.game, self.state, self.side)

    def served_from(self, cell: int) -> int:
        """6.5.5 The hexes that a supply counter on a hex would reach."""
        return line_area(self.game, self.state, self.side, 1 << cell)

    @cached_property
    def fed(self) -> int:
        """6.5.5 The hexes where an attack can be supplied: from where the counters are or, in the phase in
        which they move, from where they can go."""
        game, state = self.game, self.state
        goals = bits(state.where[unit] for unit in self.stores)
        if state.active == self.side and state.within("movement-phase"):
            for unit in self.stores:
                if why_not_move(game, state, unit) is None:
                    goals |= self.reach(unit)
        return line_area(game, state, self.side, goals) if goals else 0

    @cached_property
    def enemies(self) -> int:
        """The enemy's combat units on the map."""
        state = self.state
        return union(state.fighters(self.foe, cell) for cell in each(self.foes))

    def ours(self) -> list[int]:
        """Our units on the map."""
        return [u for u in each(self.game.units_of[self.side]) if self.state.where[u] >= 0]
