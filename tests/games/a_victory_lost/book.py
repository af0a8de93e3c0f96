"""The book of A Victory Lost worked out a second time, slowly and in another way, from the map and the
counters alone. Nothing here comes from the rules of the program."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise

from grognard.games.a_victory_lost.state import VictoryState
from tests.games.a_victory_lost.table import GAME_FOLDER, real_game

GAME = real_game()
BOARD = GAME.board
SOVIET = 1
WATER = ("sea", "lake", "impassable")


@cache
def features(a: int, b: int) -> frozenset[str]:
    return frozenset(BOARD.sides.get((min(a, b), max(a, b)), {}))


def land(state: VictoryState, cell: int) -> bool:
    info = BOARD.info[cell]
    return info.terrain not in WATER and not (state.turn <= 4 and "pocket" in info.features)


@cache
def open_side(a: int, b: int) -> bool:
    return not features(a, b) & set(WATER)


@cache
def major(a: int, b: int) -> bool:
    return "major_river" in features(a, b)


@cache
def bridge(a: int, b: int) -> bool:
    return bool(features(a, b) & {"road", "rail", "bridge"})


Where = tuple[int, ...]
"""The hex of every unit."""


def fighters(state: VictoryState, side: int) -> frozenset[int]:
    return _fighters(tuple(state.where), side)


def anybody(state: VictoryState, side: int) -> frozenset[int]:
    return frozenset(cell for unit, cell in enumerate(state.where) if cell >= 0 and GAME.side(unit) == side)


def zones(state: VictoryState, side: int) -> frozenset[int]:
    """6.0.1"""
    return _zones(tuple(state.where), side)


@lru_cache(8)
def _fighters(where: Where, side: int) -> frozenset[int]:
    return frozenset(
        cell
        for unit, cell in enumerate(where)
        if cell >= 0 and not GAME.units[unit].hq and GAME.side(unit) == side
    )


@lru_cache(8)
def _zones(where: Where, side: int) -> frozenset[int]:
    return frozenset(
        n
        for cell in _fighters(where, side)
        for n in BOARD.adjacent[cell]
        if BOARD.info[n].terrain not in WATER and open_side(cell, n)
    )


def supplied(state: VictoryState, side: int) -> set[int]:
    """10.1.2"""
    foes, theirs, ours = anybody(state, 1 - side), zones(state, 1 - side), anybody(state, side)

    def passes(cell: int) -> bool:
        return land(state, cell) and cell not in foes and (cell not in theirs or cell in ours)

    name = ("supply_axis", "supply_soviet")[side]
    found = {c for c in BOARD.cells if name in BOARD.info[c].features and passes(c)}
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in BOARD.adjacent[here]:
            if there in found or not passes(there) or not open_side(here, there):
                continue
            if major(here, there) and not bridge(here, there):
                continue
            found.add(there)
            queue.append(there)
    return found


def distances(state: VictoryState, side: int) -> dict[int, int]:
    """9.5.2 Hexes over land to the nearest source that lines may enter, or to any if none is open."""
    name = ("supply_axis", "supply_soviet")[side]
    printed = {c for c in BOARD.cells if name in BOARD.info[c].features and land(state, c)}
    foes, theirs, ours = anybody(state, 1 - side), zones(state, 1 - side), anybody(state, side)
    open_ = {c for c in printed if c not in foes and (c not in theirs or c in ours)}
    found = dict.fromkeys(open_ or printed, 0)
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in BOARD.adjacent[here]:
            if there not in found and land(state, there) and open_side(here, there):
                found[there] = found[here] + 1
                queue.append(there)
    return found


def room(state: VictoryState, unit: int, cell: int) -> bool:
    """5.0.1, 5.0.3"""
    me = GAME.units[unit]
    here = [
        GAME.units[u]
        for u, c in enumerate(state.where)
        if c == cell and u != unit and GAME.side(u) == GAME.side(unit)
    ]
    if sum(u.hq == me.hq for u in here) >= (1 if me.hq else 2):
        return False
    nations = {u.nation for u in (*here, me)} - {"german"}
    return len(nations) <= 1


def retreat_choices(state: VictoryState, unit: int, hexes: int, trail: tuple[int, ...]) -> set[int]:
    """9.5.2 First hexes of the best of all ways of the full length."""
    side = GAME.side(unit)
    theirs, away = zones(state, 1 - side), distances(state, side)
    foes = anybody(state, 1 - side) if GAME.units[unit].hq else fighters(state, 1 - side)
    start = trail[0] if trail else state.where[unit]
    far = 10**6
    ways: list[tuple[tuple[int, int, int], int]] = []

    def walk(path: list[int], behind: tuple[int, ...]) -> None:
        here = path[-1]
        if len(path) == hexes + 1:
            steps = list(pairwise(path))
            cost = (
                sum(b in theirs for _, b in steps),
                sum(away.get(b, far) >= away.get(a, far) for a, b in steps),
                int(not room(state, unit, here)),
            )
            ways.append((cost, path[1]))
            return
        for there in BOARD.adjacent[here]:
            if there in behind or there in path or there in foes or not land(state, there):
                continue
            if not open_side(here, there):
                continue
            if major(here, there):
                if not bridge(here, there) and not any(major(start, n) for n in BOARD.adjacent[start]):
                    continue
                if here in theirs and there in theirs:
                    continue
            walk([*path, there], behind)

    walk([state.where[unit]], trail)
    best = min((cost for cost, _ in ways), default=None)
    return {first for cost, first in ways if cost == best}


def places_for_hq(state: VictoryState, hq: int, origin: int) -> set[int]:
    """12.7"""
    side = GAME.side(hq)
    away, theirs = distances(state, side), zones(state, 1 - side)
    far = 10**6
    fit = [
        c
        for c in supplied(state, side)
        if BOARD.distance(c, origin) >= 4
        and away.get(c, far) < away.get(origin, far)
        and c not in theirs
        and room(state, hq, c)
    ]
    near = min((BOARD.distance(c, origin) for c in fit), default=0)
    return {c for c in fit if BOARD.distance(c, origin) == near}


def railheads(state: VictoryState, unit: int) -> set[int]:
    """11.1.1"""
    side = GAME.side(unit)
    shut = anybody(state, 1 - side) | zones(state, 1 - side)
    name = ("supply_axis", "supply_soviet")[side]
    found = {c for c in BOARD.cells if name in BOARD.info[c].features and c not in shut and land(state, c)}
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in BOARD.adjacent[here]:
            if (
                there not in found
                and there not in shut
                and land(state, there)
                and "rail" in features(here, there)
            ):
                found.add(there)
                queue.append(there)
    return {
        c for c in found if any("rail" in features(c, n) for n in BOARD.adjacent[c]) and room(state, unit, c)
    }


LADDER = [Fraction(1), Fraction(3, 2), *map(Fraction, range(2, 200))]


def column(state: VictoryState, units: list[int], target: int) -> str | None:
    """9.3 The odds after shifts, as 1-1, 1.5-1, 2-1, 3-1 ...; None if there is no attack."""
    attack = 0
    for cell in {state.where[u] for u in units}:
        for quarter in (1, 2, 4):
            river = bool(features(cell, target) & {"river", "major_river"})
            share = [
                u
                for u in units
                if state.where[u] == cell and (2 if river else 1) * (2 if state.supply[u] else 1) == quarter
            ]
            faces = [(GAME.units[u].attack, GAME.units[u].reduced_attack) for u in share]
            lost = [GAME.units[u].steps - state.steps[u] for u in share]
            attack += sum(face[n] for face, n in zip(faces, lost, strict=True)) // quarter
    defence = isolated = 0
    for unit, cell in enumerate(state.where):
        if cell == target and not GAME.units[unit].hq:
            counter = GAME.units[unit]
            value = counter.defence if state.steps[unit] == counter.steps else counter.reduced_defence
            if state.supply[unit] == 2:
                isolated += value
            else:
                defence += value
    defence += isolated // 2
    if not defence:
        return "10-1"
    ratio = Fraction(attack, defence)
    place = max((i for i, rung in enumerate(LADDER) if rung <= ratio), default=-1)
    info = BOARD.info[target]
    place -= (info.terrain in ("rough", "woods")) + ("victory_city" in info.features)
    return f"{float(LADDER[place]):g}-1" if place >= 0 else None


# 7.3 Who is activated


def radius(hq: int, cell: int) -> set[int]:
    """7.3.3, 7.3.4 Hex by hex from the HQ; the hex beyond a major river without a bridge is the last."""
    near, over = {cell}, set()
    edge = [cell]
    for _ in range(GAME.units[hq].radius):
        onward = []
        for here in edge:
            for there in BOARD.adjacent[here]:
                if BOARD.info[there].terrain in WATER or not open_side(here, there):
                    continue
                if major(here, there) and not bridge(here, there):
                    over.add(there)
                elif there not in near:
                    near.add(there)
                    onward.append(there)
        edge = onward
    return near | over


def commanded(state: VictoryState, hq: int) -> set[int]:
    """7.3.2, 7.3.5, 11.2.3"""
    mine = GAME.units[hq]
    area = radius(hq, state.where[hq]) if state.where[hq] >= 0 else set()
    found = set()
    for unit, counter in enumerate(GAME.units):
        same_box = state.where[hq] < 0 and state.where[unit] == state.where[hq]
        if counter.hq or counter.axis != mine.axis or not (state.where[unit] in area or same_box):
            continue
        if not mine.axis or mine.nation == "german" or counter.nation in ("german", mine.nation):
            found.add(unit)
    return found


# 8.0 Steps


def _terrain_costs() -> dict[str, Fraction]:
    with (GAME_FOLDER / "tables/terrain.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: Fraction(row["cost"]) for row in csv.DictReader(file) if row["cost"]}


COSTS = _terrain_costs()
GATES = tuple(c for c in BOARD.cells if any(f.startswith("entry_box") for f in BOARD.info[c].features))


@dataclass(frozen=True)
class Walk:
    """A unit on the move, and what it has done so far."""

    unit: int
    march: bool
    here: int | None
    """None in an entry box."""
    steps: int = 0
    spent: Fraction = Fraction(0)
    zones: bool = False
    """It began in an enemy zone, or has entered one."""
    crossed: bool = False
    """It has crossed a major river without a bridge."""


class Steps:
    """8.0 The legal steps of one position."""

    def __init__(self, state: VictoryState, side: int) -> None:
        self.state, self.side = state, side
        self.zones = zones(state, 1 - side)
        self.fighters = fighters(state, 1 - side)
        self.foes = anybody(state, 1 - side)

    def begin(self, unit: int, march: bool) -> Walk:
        cell = self.state.where[unit]
        return Walk(unit, march, cell if cell >= 0 else None, zones=cell in self.zones)

    def points(self, walk: Walk, entering: bool) -> Fraction:
        """8.1.2, 10.2.3, 15.0.1 All the points of the unit, whether it has spent them or not."""
        full = Fraction(GAME.units[walk.unit].movement, 2)
        if self.state.supply[walk.unit] == 2:
            full = Fraction(full // 2)
        aid = self.side == SOVIET and bool(self.state.options >> 1 & 1)
        return full + 1 if aid and not walk.zones and not entering else full

    def step(self, walk: Walk, there: int) -> Walk | None:
        """8.1 to 8.3, 11.2.2 The walk after a step; None if it cannot be made."""
        here, hq = walk.here, GAME.units[walk.unit].hq
        entering = there in self.zones
        if not land(self.state, there) or there in (self.foes if hq else self.fighters) or walk.crossed:
            return None
        price = COSTS[BOARD.info[there].terrain]
        crossed = False
        road = any("road" in features(there, n) for n in BOARD.adjacent[there])
        if here is None:
            box = "entry_box_28a" if self.side == SOVIET else "entry_box_1pza"
            if box not in BOARD.info[there].features:
                return None
        else:
            if not open_side(here, there):
                return None
            side = features(here, there)
            road = "road" in side
            if "river" in side and not bridge(here, there):
                price += 1
            if major(here, there):
                if here in self.zones and entering:
                    return None
                crossed = not bridge(here, there)
                if crossed and walk.steps:
                    return None
            if here in self.zones:
                price += 2
        if entering:
            price += 2
        if walk.march:
            if not road or entering:
                return None
            price = COSTS["road"]
        spent = walk.spent + price
        if spent > self.points(walk, entering):
            return None
        return Walk(walk.unit, walk.march, there, walk.steps + 1, spent, walk.zones or entering, crossed)

    def rests(self, walk: Walk, known: dict[Walk, bool] | None = None) -> bool:
        """5.0.4 Whether the unit can end its move here or farther on."""
        known = {} if known is None else known
        if walk not in known:
            known[walk] = False
            assert walk.here is not None
            known[walk] = room(self.state, walk.unit, walk.here) or any(
                onward is not None and self.rests(onward, known)
                for onward in (self.step(walk, there) for there in BOARD.adjacent[walk.here])
            )
        return known[walk]

    def legal(self, walk: Walk) -> Iterator[int]:
        for there in GATES if walk.here is None else BOARD.adjacent[walk.here]:
            onward = self.step(walk, there)
            if onward is not None and self.rests(onward):
                yield there

    def may_march(self, unit: int) -> bool:
        """8.3.1"""
        cell = self.state.where[unit]
        return cell not in self.zones and any("road" in features(cell, n) for n in BOARD.adjacent[cell])


# 9.1, 9.6 Attackers and advances


def in_contact(a: int, b: int) -> bool:
    """9.1.6"""
    return b in BOARD.adjacent[a] and open_side(a, b) and BOARD.info[b].terrain not in WATER


def attackers(state: VictoryState, side: int, target: int) -> set[int]:
    """9.1.1 Everybody who may join an attack."""
    return {
        unit
        for unit, cell in enumerate(state.where)
        if cell >= 0
        and not GAME.units[unit].hq
        and GAME.side(unit) == side
        and state.activated >> unit & 1
        and not state.fought >> unit & 1
        and in_contact(cell, target)
    }


def targets(state: VictoryState, side: int) -> set[int]:
    """9.0, 9.1.4, 9.3.4"""
    found = set()
    for cell in fighters(state, 1 - side):
        able = attackers(state, side, cell)
        if able and not state.attacked >> cell & 1 and column(state, sorted(able), cell) is not None:
            found.add(cell)
    return found


def second_hexes(state: VictoryState, unit: int, origin: int, target: int) -> set[int]:
    """9.6.3, 9.6.5"""
    if not GAME.units[unit].mechanised or (major(origin, target) and not bridge(origin, target)):
        return set()
    foes = fighters(state, 1 - GAME.side(unit))
    return {
        there
        for there in BOARD.adjacent[target]
        if land(state, there)
        and open_side(target, there)
        and there not in foes
        and (not major(target, there) or bridge(target, there))
        and room(state, unit, there)
    }


def advancing(state: VictoryState, units: tuple[int, ...], target: int) -> set[int]:
    """9.6.1, 5.0.4"""
    return {
        unit
        for unit in units
        if room(state, unit, target) or second_hexes(state, unit, state.where[unit], target)
    }
