"""What a planner of Second Front knows of a position before anybody moves: what units and places are worth,
how far everybody reaches, what the combat table promises."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.board.board import bits, each, union
from grognard.games.second_front.rules import armour
from grognard.games.second_front.rules.battle import HIGHEST, LADDER, LOWEST, fight, result
from grognard.games.second_front.rules.ground import POINT, Legs, costs, dry_land, legs
from grognard.games.second_front.rules.movement import Terrain, allowance, reachable
from grognard.games.second_front.rules.position import (
    on_map,
    piece,
    situation,
    surroundings,
    target,
    terrain,
    zones_of,
)
from grognard.games.second_front.rules.retreat import Surroundings
from grognard.games.second_front.rules.strength import Attacker, defence_shares, total
from grognard.games.second_front.rules.supply import traced
from grognard.games.second_front.rules.upkeep import reached_on_arrival, regular_sources
from grognard.games.second_front.rules.victory import LOSS
from grognard.games.second_front.rules.weather import Sky
from grognard.games.second_front.rules.zones import Zones
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, NO_UNITS, Piece
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import costs_to
from grognard.staff import outlook as room
from grognard.staff.battles import Blow, Fate
from grognard.staff.memory import Remembered
from grognard.staff.threats import Threats, massed, reaches

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

FAR = room.FAR
WORST, BEST = -6, 4
"""Totals of modifiers that make a difference."""
SPAN = BEST - WORST + 1


class Odds(NamedTuple):
    """What a column with some modifiers of the die brings, as chances."""

    wiped: float
    """The attackers are eliminated."""
    half: float
    """Half of them are."""
    exchange: float
    half_exchange: float
    driven: float
    """The defenders retreat whole."""
    beaten: float
    """They lose half, and retreat."""
    destroyed: float


def code_of(column: int, modifier: int) -> int:
    """A column and its modifiers as one number; -1 below the table."""
    return -1 if column < 0 else column * SPAN + max(WORST, min(BEST, modifier)) - WORST


def odds_of(column: int, modifier: int) -> Odds:
    found = [result(column, max(LOWEST, min(HIGHEST, die + modifier))) for die in D6.totals]
    return Odds(*(found.count(word) / len(found) for word in ("AE", "AH", "EX", "HX", "DR", "DH", "DE")))


class Lore:
    """What never changes: the map and the tables, made ready for planners. One for each game."""

    def __init__(self, game: SecondFront, numbers: Mapping[str, Any]) -> None:
        self.game, self.numbers = game, numbers
        board = game.board
        self.land = dry_land(board)
        self.contact = [
            tuple(n for n in board.adjacent[c] if self.land >> n & 1) if self.land >> c & 1 else ()
            for c in range(board.size)
        ]
        codes = [(column, m) for column in range(len(LADDER)) for m in range(WORST, BEST + 1)]
        self.odds = {code_of(column, m): odds_of(column, m) for column, m in codes}
        self.fates = {code: _fates(odds) for code, odds in self.odds.items()}
        self.tolls = dict.fromkeys(self.odds, 0.0)
        """The price of attacks is worked out from who attacks."""
        self._ladder = [float(ratio) for ratio in LADDER]
        self.shift = [0] * board.size
        """The shelter of ground depends on weather and works: see `Outlook.shelter`."""
        self._ways: dict[int, list[float]] = {}
        self._armour: dict[tuple[int, int], int] = {}

    def armour(self, share: float, level: int) -> int:
        """10C1: what a share of armour adds to the die."""
        key = int(share * 84), level
        found = self._armour.get(key)
        if found is None:
            found = self._armour[key] = armour.modifier(armour.AECA, Fraction(key[0], 84), level)
        return found

    def column(self, attack: float, defence: float) -> int:
        """9A, 9B: -1 below 1:4."""
        if defence <= 0:
            return len(self._ladder) - 1
        return bisect_right(self._ladder, attack / defence + 1e-9) - 1

    def way(self, goal: int) -> list[float]:
        """Points that a march on foot to a hex takes from every hex, in clear weather."""
        found = self._ways.get(goal)
        if found is None:
            board = self.game.board
            priced = costs_to(costs(board, Legs("other"), Sky()), 1 << goal, self.land)
            found = [min(FAR, priced.get(c, FAR * POINT) / POINT) for c in range(board.size)]
            self._ways[goal] = found
        return found


def _fates(odds: Odds) -> tuple[Fate, ...]:
    """As much of it as the shared staff asks for: who leaves the hex."""
    gone = odds.destroyed + odds.exchange + odds.half_exchange
    away = odds.driven + odds.beaten
    return (
        Fate(Blow(), Blow(all=True), gone),
        Fate(Blow(), Blow(hexes=1), away),
        Fate(Blow(), Blow(), max(0.0, 1.0 - gone - away)),
    )


class Outlook(room.PlacesOutlook):
    """One side's knowledge of one position."""

    lore: Lore
    game: SecondFront
    state: FrontState

    def __init__(self, lore: Lore, state: FrontState, side: int) -> None:
        super().__init__(lore, state, side)
        game = lore.game
        self.turn_name = game.turn_name(state)
        self.foes, self.zones = state.occupied[self.foe], zones_of(game, state, self.foe).all
        self.last = game.turns_left(state) <= 0 and side != ALLIED
        self.final = game.turns_left(state) <= 0 and side == ALLIED == state.active
        """Nobody moves after us."""
        self.ending = game.turns_left(state) <= 0
        self._counted = self.common["place"] / LOSS
        self.plain = False
        """Whether it is seen as a beginner does; see `SecondFrontPlan.simplify`."""
        self.mine, self.ground = state.owned[side], game.plan(state).area
        lines = traced(situation(game, state, side), regular_sources(game, state, side))
        barred = self.zones & ~lines
        self.depth = Remembered[int, float](
            lambda cell: float(not (self._opened(cell) if barred >> cell & 1 else lines >> cell & 1))
        )
        """0 where a unit is supplied that stands there, 1 elsewhere."""
        self.prizes = {
            cell: points * self.common["place"] for cell, points in game.plan(state).places.items()
        }
        self.around = terrain(game, state, side)
        self._pieces: dict[int, Piece] = {}
        self._shelter: dict[int, int] = {}

    def _opened(self, cell: int) -> bool:
        """12A: whether whoever comes to a hex in an enemy zone opens it for a line of his. A beginner sees
        the lines as they are."""
        return not self.plain and reached_on_arrival(self.game, self.state, self.side, cell)

    def piece(self, unit: int) -> Piece:
        found = self._pieces.get(unit)
        if found is None:
            found = self._pieces[unit] = piece(self.game, self.state, unit)
        return found

    def steps_of(self, unit: int) -> int:
        """9E: a division has its cadre to lose."""
        if self.state.where[unit] < 0:
            return 0
        return 1 if self.state.reduced >> unit & 1 or self.game.units[unit].cadre is None else 2

    # Places

    def prize(self, cell: int) -> float:
        """What it is worth to drive the enemy out of a hex."""
        return float(self.prizes.get(cell, 0.0) + self.numbers["hex"])

    def shelter(self, cell: int) -> int:
        """What ground, works and weather of a hex add to the die of whoever attacks it. A beginner does not
        think of it."""
        if self.plain:
            return 0
        found = self._shelter.get(cell)
        if found is None:
            alone = fight(target(self.game, self.state, cell), (), (), self.turn_name)
            found = self._shelter[cell] = alone.modifier
        return found

    @cached_property
    def errands(self) -> Mapping[int, int]:
        """For whom of ours which place is the one to go for, or to stay near: nobody is sent where enough are
        going already, or so far that the end of the game comes first."""
        turns = self.game.turns_left(self.state) + 1
        needed = {cell: need for cell in sorted(self.prizes) if (need := self._need(cell))}
        units = {
            unit: (self.state.where[unit], max(1, allowance(self.piece(unit))), self.piece(unit).face)
            for unit in self.ours()
            if self.piece(unit).face.attack
        }
        sent, gone = {}, dict.fromkeys(needed, 0.0)

        def call(unit: int, place: int) -> float:
            """How much a place calls for a unit."""
            cell, move, _ = units[unit]
            way = self.lore.way(place)[cell]
            late = self.common["too_late"] if way > turns * move else 1.0
            share = max(self.common["crowded_out"], 1.0 - gone[place] / needed[place])
            return float(self.prizes[place] * share * late * 2 ** (-way / self.common["pull"]))

        calls = {(unit, place): call(unit, place) for unit in units for place in needed}
        while calls:
            unit, place = max(calls, key=lambda pair: (calls[pair], pair))
            sent[unit] = place
            face = units[unit][2]
            gone[place] += face.defence if self.mine >> place & 1 else face.attack
            calls = {
                pair: call(*pair) if pair[1] == place else value
                for pair, value in calls.items()
                if pair[0] != unit
            }
        return sent

    def _need(self, place: int) -> float:
        """The strength that should go for a place of the enemy's, or stay near one of ours."""
        common, around = self.common, self.lore.contact[place]
        if self.mine >> place & 1:
            guard, way = self.numbers["guard"], self.lore.way(place)
            near = sum(
                self.piece(u).face.attack * 2 ** (-way[self.state.where[u]] / common["pull"])
                for u in on_map(self.state, self.foe)
            )
            return float(guard * min(near, len(around) * common["crowd"]))
        there, beside = (
            sum(self.force(bits(self.state.stack(c))).strength for c in cells if self.foes >> c & 1)
            for cells in ((place,), around)
        )
        return float(common["escort"] + common["siege"] * (there + common["relief"] * beside))

    # Units

    def worth_of(self, unit: int, steps: int) -> float:
        """In points of strength; what the Allies lose costs them points besides (42), and on the last turn
        hardly anything else matters. A beginner counts the strength alone."""
        counter = self.game.units[unit]
        if counter.type in NO_UNITS or counter.headquarters:
            return float(self.common["odd_unit"])
        face = counter.face if steps > 1 or counter.cadre is None else counter.cadre
        useful = (face.attack + face.defence) / 2 + self.common["unit"]
        if self.plain:
            return float(useful)
        useful *= self.common["spent"] if self.ending else 1.0
        return float(useful + (self._counted * face.attack if counter.side == ALLIED else 0.0))

    def defence_of(self, units: Sequence[int]) -> float:
        """9A, 11: as the rules count it in the open."""
        if not units:
            return 0.0
        cell = self.state.where[units[0]]
        at = target(self.game, self.state, max(0, cell))
        return max(0.0, float(total(defence_shares(at, [self.piece(u) for u in units]))))

    def battle(self, members: int, column: int, shut: bool, ground: float, driven: float) -> float:
        """9C: what an attack in a column (with its modifiers) is expected to cost the defenders. Divisions
        leave cadres; whoever cannot retreat loses them too."""
        key = (members, column, shut, ground, driven)
        found = self._battles.get(key)
        if found is None:
            odds, units = self.lore.odds[column], each(members)
            step = sum(self.step(u) for u in units)
            whole = sum(self.weight(u, self.steps_of(u)) for u in units)
            worst = whole if shut else step
            flight = step if shut else driven
            weaker = min(1.0, 2.0 / max(1, column // SPAN))
            found = (
                odds.destroyed * (worst + ground)
                + (odds.exchange + odds.half_exchange) * (step + (1 - weaker / 2) * ground)
                + odds.beaten * (step / 2 + flight + ground)
                + odds.driven * (flight + ground)
            )
            self._battles[key] = found
        return found

    @cached_property
    def retreats(self) -> Surroundings:
        """9F1: what a beaten enemy sees, our units apart."""
        around = surroundings(self.game, self.state, self.foe)
        return around._replace(enemies=around.enemies & ~self.state.occupied[self.side], enemy_zone=0)

    # Movement

    def reach(self, unit: int, points: int) -> int:
        """The hexes in reach of a unit."""
        return reachable(self.around, self.piece(unit), self.state.where[unit], points).cells

    @cached_property
    def _arriving(self) -> dict[int, int]:
        """The hexes where each enemy who can attack could stand after his next move, his own included. A
        beginner thinks of those next to where the enemy stands."""
        if self.final:
            return {}
        if self.plain:
            contact, where = self.lore.contact, self.state.where
            return {u: bits((where[u], *contact[where[u]])) for u in self._strikers}
        return self._reaches(terrain(self.game, self.state, self.foe))

    @property
    def _strikers(self) -> list[int]:
        """The enemies who can attack."""
        return [u for u in on_map(self.state, self.foe) if self.piece(u).face.attack]

    def _reaches(self, around: Terrain) -> dict[int, int]:
        """The hexes where each enemy who can attack could be after his next move."""
        state = self.state

        def key(unit: int) -> tuple[int, int, Legs]:
            return state.where[unit], allowance(self.piece(unit)), legs(self.piece(unit))

        def flood(unit: int, key: tuple[int, int, Legs]) -> int:
            return reachable(around, self.piece(unit), *key[:2]).cells | 1 << key[0]

        return reaches(self._strikers, key, flood)

    @cached_property
    def threats(self) -> Threats:
        """How much could attack every hex."""
        return self._massed(self._arriving)

    @cached_property
    def unscreened(self) -> Threats:
        """How much could attack every hex if none of ours stood in the way: whoever plans to hold a place
        does not know yet who will."""
        if self.final:
            return self.threats
        around = terrain(self.game, self.state, self.foe)._replace(enemies=0, enemy_zones=Zones())
        return self._massed(self._reaches(around))

    def _massed(self, arriving: dict[int, int]) -> Threats:
        return massed(self.game.board, arriving, lambda unit: float(self.piece(unit).face.attack))

    @cached_property
    def landing(self) -> int:
        """Hexes that enemies could enter."""
        return union(self._arriving.values())

    def simplify(self) -> None:
        self.plain = True
        self._shelter.clear()
        for seen in (self.depth, self._forces, self._battles, self._worths):
            seen.clear()
        for known in ("_arriving", "threats", "landing"):
            self.__dict__.pop(known, None)

    def ours(self) -> list[int]:
        """Our units on the map."""
        return on_map(self.state, self.side)

    def exactly(self, cell: int, units: Sequence[int]) -> tuple[int, float, float]:
        """9A: the code of an attack by units where they stand now, and both strengths as printed."""
        game, state = self.game, self.state
        attackers = [Attacker(self.piece(u), state.where[u]) for u in units]
        defenders = [self.piece(u) for u in state.stack(cell)]
        battle = fight(target(game, state, cell), attackers, defenders, self.turn_name)
        printed = sum(a.piece.face.attack for a in attackers), sum(d.face.defence for d in defenders)
        column = self.lore.column(float(battle.attack_total), float(battle.defence_total))
        return code_of(column, battle.modifier), float(printed[0]), float(printed[1])
