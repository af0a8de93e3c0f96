"""A second opinion on Leningrad: steps, overruns, columns and retreats worked out from the book alone.

Plain and slow on purpose. Nothing of the game's rules is imported: the map and the counters are read from
their files, a position is a few dictionaries, and hexes are their printed numbers. The numbers below are the
book's.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

import grognard.games.leningrad as leningrad

FOLDER = Path(leningrad.__file__).parent
HALF = Fraction(1, 2)
FAR = Fraction(10_000)


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


GROUND = {row["hex"]: row["terrain"] for row in rows("map/hexes.csv")}
FEATURES = {row["hex"]: set(filter(None, row["features"].split("|"))) for row in rows("map/hexes.csv")}
SIDES: dict[frozenset[str], set[str]] = {}
for line in rows("map/sides.csv"):
    SIDES.setdefault(frozenset((line["a"], line["b"])), set()).add(line["feature"])
COUNTERS = {row["id"]: row for row in rows("tables/units.csv")}
GERMANS = {u for u, row in COUNTERS.items() if row["side"] == "german"}
CORPS: dict[str, set[str]] = {}
for name, line in COUNTERS.items():
    if line["corps"]:
        CORPS.setdefault(line["corps"], set()).add(name)

# 11.5
SOURCES = {
    True: {"0111", "0112", "0113"},
    False: {"2505", "2604", "2605", "2705", "1601", "0908", "2713", "2906", "2908"},
}


# The map


@cache
def neighbours(number: str) -> tuple[str, ...]:
    """The six hexes about a hex. Even columns stand half a hex lower."""
    column, row = int(number[:2]), int(number[2:])
    lower = row + 1 if column % 2 == 0 else row
    about = [(column, row - 1), (column, row + 1)]
    about += [(c, r) for c in (column - 1, column + 1) for r in (lower - 1, lower)]
    return tuple(f"{c:02d}{r:02d}" for c, r in about if f"{c:02d}{r:02d}" in GROUND)


@cache
def distances(number: str) -> dict[str, int]:
    """How many hexes away every hex is."""
    found = {number: 0}
    queue = deque([number])
    while queue:
        here = queue.popleft()
        for there in neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def dry(a: str, b: str) -> bool:
    """Neighbours on land, and not all sea or all lake between them."""
    if GROUND[a] in ("sea", "lake") or GROUND[b] in ("sea", "lake"):
        return False
    return b in neighbours(a) and not SIDES.get(frozenset((a, b)), set()) & {"sea", "lake"}


def about(number: str) -> list[str]:
    return [there for there in neighbours(number) if dry(number, there)]


def terrain_price(number: str, mobile: bool) -> Fraction:
    """4.9 What a hex costs by itself."""
    if FEATURES[number] & {"town", "soviet_city"}:
        return HALF if mobile else Fraction(1)
    return Fraction({"clear": 1, "marsh": 2, "hill": 2}[GROUND[number]])


def price(a: str, b: str, mobile: bool) -> Fraction:
    """4.2, 4.9 What entering b from a costs."""
    between = SIDES.get(frozenset((a, b)), set())
    if "road" in between:
        return HALF if mobile else Fraction(1)
    return terrain_price(b, mobile) * (2 if "river" in between else 1)


# A position


@dataclass
class Position:
    """What lies on the table, and what the units of the moving side have done in this phase."""

    turn: int
    where: dict[str, str]
    """Unit to hex, of those on the map."""
    reduced: set[str] = field(default_factory=set)
    strengths: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    """Attack, defence and kind of the Soviet units that are revealed."""
    forts: set[str] = field(default_factory=set)
    interdicted: list[str] = field(default_factory=list)
    surprise: bool = False
    points: dict[str, Fraction] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)
    """Units that have spent movement points, or entered the map, in this phase."""
    away: set[str] = field(default_factory=set)
    """Units that have left the hex where they began it."""
    stopped: set[str] = field(default_factory=set)
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Answers that hold as long as nobody moves."""
    _known_for: tuple[Any, ...] = ()

    def _once(self, question: Any, answer: Callable[[], Any]) -> Any:
        now = (tuple(self.where.items()), tuple(self.forts))
        if now != self._known_for:
            self._known, self._known_for = {}, now
        if question not in self._known:
            self._known[question] = answer()
        return self._known[question]

    def units_in(self, number: str, german: bool | None = None) -> list[str]:
        return [u for u, hex_ in self.where.items() if hex_ == number and german in (None, u in GERMANS)]

    def held(self, german: bool) -> set[str]:
        found: set[str] = self._once(
            ("held", german), lambda: {h for u, h in self.where.items() if (u in GERMANS) == german}
        )
        return found

    def zone(self, german: bool) -> set[str]:
        """5.0 The hexes in the zones of a side."""
        found: set[str] = self._once(
            ("zone", german), lambda: {there for here in self.held(german) for there in about(here)}
        )
        return found

    def strength(self, unit: str, attacking: bool) -> int:
        if unit in GERMANS:
            return int(COUNTERS[unit]["reduced" if unit in self.reduced else "strength"])
        attack, defence, _ = self.strengths[unit]
        return attack if attacking else defence

    def kind(self, unit: str) -> str:
        return COUNTERS[unit]["kind"] if unit in GERMANS else self.strengths[unit][2]

    # 11.0 Supply

    def passable(self, german: bool) -> set[str]:
        """11.3 No enemy there, and no enemy zone unless a friend is there."""
        enemies, friends, zone = self.held(not german), self.held(german), self.zone(not german)
        return {
            hex_
            for hex_, ground in GROUND.items()
            if ground not in ("sea", "lake") and hex_ not in enemies and (hex_ not in zone or hex_ in friends)
        }

    def factor(self, number: str, german: bool) -> int:
        """13.3, 15.2 How much dearer a hex is."""
        if german:
            return 2 if number in self.forts and number not in self.held(False) else 1
        return int(2 ** self.interdicted.count(number))

    def supplied(self, german: bool, number: str) -> bool:
        """11.0 Five points, at the mobile rate, to a source or to a road that leads to one."""
        free = self.passable(german)
        chain = {hex_ for hex_ in SOURCES[german] if hex_ in free}
        queue = deque(chain)
        while queue:
            here = queue.popleft()
            for there in neighbours(here):
                road = "road" in SIDES.get(frozenset((here, there)), set())
                if road and there in free and there not in chain:
                    chain.add(there)
                    queue.append(there)
        paid = {number: Fraction(0)}
        order = count()
        heap = [(Fraction(0), next(order), number)]
        while heap:
            cost, _, here = heappop(heap)
            if here in chain:
                return True
            for there in about(here):
                if there not in free:
                    continue
                total = cost + price(here, there, mobile=True) * self.factor(there, german)
                if total <= 5 and total < paid.get(there, FAR):
                    paid[there] = total
                    heappush(heap, (total, next(order), there))
        return False

    def allowance(self, unit: str) -> Fraction:
        """11.1 Half of the points, without fractions, out of supply."""
        full = Fraction(COUNTERS[unit]["movement"])
        if self.supplied(unit in GERMANS, self.where[unit]):
            return full
        return Fraction(full // 2)

    # 4.0 Movement

    def steps(self, units: list[str]) -> dict[str, list[Fraction]]:
        """Where a stack may go next, and what each unit pays."""
        found = {}
        for there in neighbours(self.where[units[0]]):
            prices = self.step(units, there)
            if prices is not None:
                found[there] = prices
        return found

    def step(self, units: list[str], there: str) -> list[Fraction] | None:
        here, german = self.where[units[0]], units[0] in GERMANS
        if not dry(here, there) or there in self.held(not german):
            return None  # 4.9, 4.4
        if len(self.units_in(there)) + len(units) > 3:
            return None  # 4.6
        zone = self.zone(not german)
        leaving = units if here in zone else [u for u in units if u in self.stopped]
        if leaving:
            if (self.turn == 1 and not german) or len(leaving) > 2 or there in zone:
                return None  # 17.1, 6.0, 6.4
            if len(self.units_in(here)) == len(units):
                return None  # 6.3
            if any(not self._quick(u) and u in self.away for u in leaving):
                return None  # 6.2
        prices = []
        for unit in units:
            cost = self._cost(unit, here, there)
            if unit in leaving:
                cost += 2 if self._quick(unit) else 3  # 6.1, 6.2
            if cost > self.points[unit]:
                if unit in self.spent:
                    return None  # 4.1
                cost = self.points[unit]  # 4.3
            prices.append(cost)
        if self.turn == 1 and not german:
            for unit, cost in zip(units, prices, strict=True):
                if not self._on_course(unit, here, there, self.points[unit] - cost):
                    return None  # 17.2
        return prices

    def _quick(self, unit: str) -> bool:
        return unit in GERMANS and COUNTERS[unit]["kind"] != "infantry"

    def _cost(self, unit: str, here: str, there: str, first: bool | None = None) -> Fraction:
        """What a hex costs a unit, without what disengaging adds."""
        german = unit in GERMANS
        cost = price(here, there, COUNTERS[unit]["kind"] != "infantry") * self.factor(there, german)
        begins = unit not in self.away if first is None else first
        if not german and begins:
            cost *= 2 ** self.interdicted.count(here)  # 13.4
        return cost

    def walk(self, units: list[str], there: str, prices: list[Fraction]) -> None:
        """Carry out a step."""
        german = units[0] in GERMANS
        for unit, cost in zip(units, prices, strict=True):
            self.points[unit] -= cost
            self.where[unit] = there
        self.spent |= set(units)
        self.away |= set(units)
        self.stopped -= set(units)
        if there in self.zone(not german):
            self.stopped |= set(units)
        if german:
            self.forts.discard(there)

    def overruns(self, units: list[str], entered_together: bool = False) -> set[str]:
        """7.0 The hexes that a stack may overrun."""
        german = units[0] in GERMANS
        if (self.turn == 1 and not german) or (entered_together and len(units) > 1):
            return set()
        if any(self.points[u] < 3 for u in units):
            return set()
        return {there for there in about(self.where[units[0]]) if there in self.held(not german)}

    # 17.2 The march of turn 1

    def _room(self, number: str) -> bool:
        return number not in self.held(True) and len(self.units_in(number)) < 3

    def to_contact(self, unit: str, start: str, first: bool) -> Fraction:
        """What the cheapest way next to a German costs; no way passes a German zone."""
        question = ("contact", unit, start, first)
        found: Fraction = self._once(question, lambda: self._to_contact(unit, start, first))
        return found

    def _to_contact(self, unit: str, start: str, first: bool) -> Fraction:
        contact = self.zone(True)
        if start in contact and self._room_for(unit, start):
            return Fraction(0)
        paid = {start: Fraction(0)}
        order = count()
        heap = [(Fraction(0), next(order), start)]
        while heap:
            cost, _, here = heappop(heap)
            if here != start and here in contact:
                return cost
            for there in about(here):
                if not self._room(there):
                    continue
                total = cost + self._cost(unit, here, there, first=first and here == start)
                if total < paid.get(there, FAR):
                    paid[there] = total
                    heappush(heap, (total, next(order), there))
        return FAR

    def _room_for(self, unit: str, number: str) -> bool:
        return number == self.where[unit] or self._room(number)

    def _on_course(self, unit: str, here: str, there: str, left: Fraction) -> bool:
        first = unit not in self.away
        now = self.to_contact(unit, here, first)
        able = now <= self.points[unit]
        if unit not in self.spent:  # 4.3 one hex is always possible
            able = able or any(c in self.zone(True) and self._room(c) for c in about(here))
        then = self.to_contact(unit, there, first=False)
        if able:
            return then <= left
        wasted = self._wasted(unit, here, self.points[unit], now, first)
        return then < now and self._wasted(unit, there, left, then, first=False) <= wasted

    def _wasted(self, unit: str, here: str, left: Fraction, now: Fraction, first: bool) -> Fraction:
        """The fewest points left over by going on nearer from here."""
        question = ("wasted", unit, here, left, now, first)
        found: Fraction = self._once(question, lambda: self._least_left(unit, here, left, now, first))
        return found

    def _least_left(self, unit: str, here: str, left: Fraction, now: Fraction, first: bool) -> Fraction:
        best = left
        for there in about(here):
            then = self.to_contact(unit, there, first=False)
            if not self._room(there) or then >= now:
                continue
            cost = self._cost(unit, here, there, first=first)
            if cost <= left:
                best = min(best, self._wasted(unit, there, left - cost, then, first=False))
            elif first and unit not in self.spent:
                best = Fraction(0)
        return best

    # 9.0 Odds

    def column(
        self, attackers: list[str], targets: list[str], defenders: list[str], overrun: bool, air: int
    ) -> tuple[int, int]:
        """9.0 The initial and the final column, 1-1 being 0, 2-1 being 1 and 1-2 being -1."""
        attack = sum(self.strength(u, True) for u in attackers)
        defence = sum(self.strength(u, False) for u in defenders)
        if attack == 0:
            return -3, -3
        initial = attack // defence - 1 if attack >= defence else -(-(-defence // attack) - 1)
        return initial, initial + self.shift(attackers, targets, defenders, overrun, air)

    def shift(
        self, attackers: list[str], targets: list[str], defenders: list[str], overrun: bool, air: int
    ) -> int:
        """9.6 Line by line; columns to the right count as positive."""
        german = attackers[0] in GERMANS
        total = 0
        if overrun:
            total -= 2
        if any(not self.supplied(german, self.where[u]) for u in attackers):
            total -= 2
        if any(not self.supplied(not german, self.where[u]) for u in defenders):
            total += 2
        rough = [t for t in targets if GROUND[t] in ("marsh", "hill") or "town" in FEATURES[t]]
        city = [t for t in targets if "soviet_city" in FEATURES[t]]
        forts = [t for t in targets if t in self.forts]
        total -= 1 if rough else 0
        if german:
            total -= 1 if forts else 0
            total -= 1 if city else 0
        pairs = [(self.where[a], t) for a in attackers for t in targets]
        if all("river" in SIDES.get(frozenset(pair), set()) for pair in pairs):
            total -= 1
        if german or not city:  # 12.3
            total -= 1 if any(self.kind(u) == "armour" for u in defenders) else 0
            total -= self._corps(defenders)
        if not rough and not city and not forts:
            total += 1 if any(self.kind(u) == "armour" for u in attackers) else 0
        total += self._corps(attackers)
        total += air if german else -air
        if not german and self.surprise:
            total += 4
        return total

    def _corps(self, units: list[str]) -> int:
        """12.1 Panzer corps that are there whole, in one hex."""
        return sum(
            corps <= set(units) and len({self.where[u] for u in corps}) == 1 for corps in CORPS.values()
        )

    # 10.7 Retreats

    def refuges(self, unit: str, foes: Iterable[str], hexes: int) -> set[str]:
        """10.2, 10.7, 10.8 The hexes into which a unit may take the next step of a retreat."""
        enemies = list(foes)
        ways = self._ways_back(unit, self.where[unit], enemies, hexes)
        open_ = {way[0] for way in ways if len(way) == hexes} or {way[0] for way in ways}
        return {c for c in open_ if not self.units_in(c)} or open_

    def _ways_back(self, unit: str, here: str, foes: list[str], hexes: int) -> list[tuple[str, ...]]:
        """Every way out of a hex, whole or as far as it leads."""
        found: list[tuple[str, ...]] = []
        for there in about(here):
            if not self._safe(unit, here, there, foes):
                continue
            found.append((there,))
            if hexes > 1:
                found += [(there, *way) for way in self._ways_back(unit, there, foes, hexes - 1)]
        return found

    def _safe(self, unit: str, here: str, there: str, foes: list[str]) -> bool:
        german = unit in GERMANS
        if min(distances(f)[there] for f in foes) <= min(distances(f)[here] for f in foes):
            return False
        friends = [u for u in self.units_in(there, german) if u != unit]
        if there in self.held(not german) or len(friends) >= 3:
            return False
        return bool(friends) or there not in self.zone(not german)
