"""Whole random games against a second opinion: the rules worked out again, slowly and in another way."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.combat import Attack
from grognard.games.a_victory_lost.rules.odds import work_out_odds
from grognard.games.a_victory_lost.rules.retreat import Retreat
from grognard.games.a_victory_lost.rules.tracing import supplied_hexes
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.state import AXIS, DEAD, IN_BOX, LIFTED, SOVIET, TO_COME, VictoryState
from tests.games.a_victory_lost.table import real_game
from tests.rules import rule

GAME = real_game()
BOARD = GAME.board
WATER = ("sea", "lake", "impassable")


def features(a: int, b: int) -> set[str]:
    return set(BOARD.sides.get((min(a, b), max(a, b)), {}))


def land(state: VictoryState, cell: int) -> bool:
    info = BOARD.info[cell]
    return info.terrain not in WATER and not (state.turn <= 4 and "pocket" in info.features)


def open_side(a: int, b: int) -> bool:
    return not features(a, b) & set(WATER)


def major(a: int, b: int) -> bool:
    return "major_river" in features(a, b)


def bridge(a: int, b: int) -> bool:
    return bool(features(a, b) & {"road", "rail", "bridge"})


def fighters(state: VictoryState, side: int) -> set[int]:
    return {
        cell
        for unit, cell in enumerate(state.where)
        if cell >= 0 and not GAME.units[unit].hq and GAME.side(unit) == side
    }


def anybody(state: VictoryState, side: int) -> set[int]:
    return {cell for unit, cell in enumerate(state.where) if cell >= 0 and GAME.side(unit) == side}


def zones(state: VictoryState, side: int) -> set[int]:
    """6.0.1"""
    return {
        n
        for cell in fighters(state, side)
        for n in BOARD.adjacent[cell]
        if BOARD.info[n].terrain not in WATER and open_side(cell, n)
    }


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


def column(state: VictoryState, units: list[int], target: int) -> int | None:
    """9.3 The column on the ladder 1-1, 1.5-1, 2-1, 3-1 ... as a number; None if there is no attack."""
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
        return 10
    ratio = Fraction(attack, defence)
    ladder = [Fraction(1), Fraction(3, 2), *map(Fraction, range(2, 200))]
    place = max((i for i, rung in enumerate(ladder) if rung <= ratio), default=-1)
    info = BOARD.info[target]
    shifts = (info.terrain in ("rough", "woods")) + ("victory_city" in info.features)
    place -= shifts
    return place if place >= 0 else None


def check_indexes(state: VictoryState) -> None:
    at: dict[int, int] = {}
    for unit, cell in enumerate(state.where):
        assert cell >= 0 or cell in (TO_COME, DEAD, IN_BOX, LIFTED)
        if cell not in (TO_COME, DEAD):
            at[cell] = at.get(cell, 0) | 1 << unit
        assert cell < 0 or land(state, cell)
    assert state.at == at
    for side in (AXIS, SOVIET):
        assert set(each(state.occupied[side])) == anybody(state, side)
        assert set(each(state.fighters[side])) == fighters(state, side)
        assert set(each(zone(GAME, state, side))) == zones(state, side)
    assert not state.occupied[AXIS] & state.occupied[SOVIET]


def check_stacks(state: VictoryState) -> None:
    """5.0 Between moves, retreats and advances no hex is too full and no nations are mixed."""
    if {frame[0] for frame in state.frames} & {"move", "retreat", "advance"}:
        return
    for unit, cell in enumerate(state.where):
        if cell >= 0:
            assert room(state, unit, cell)


def check_points(state: VictoryState) -> None:
    """14.0.1 The score follows from the cities held and the dead."""
    aid = bool(state.options & 1)
    score = [5 * (GAME.data.cities & ~state.soviet_cities).bit_count(), 5 * state.soviet_cities.bit_count()]
    for unit, counter in enumerate(GAME.units):
        if state.where[unit] == DEAD and not counter.hq:
            if counter.nation == "german":
                score[SOVIET] += (5 if aid else 3) if counter.mechanised else 1
            elif counter.nation == "soviet":
                score[AXIS] += int(counter.mechanised)
    assert state.points == score


def check_chits(state: VictoryState) -> None:
    for side in (AXIS, SOVIET):
        assert not state.pool[side] & ~GAME.chits_of[side]
        assert not state.chosen[side] & ~state.pool[side]
        for chit in each(state.pool[side]):
            hq = GAME.chits[chit].hq
            assert hq < 0 or state.where[hq] != DEAD  # 12.6
    if state.turn:
        assert state.pool[SOVIET] & GAME.stavka
        assert state.pool[SOVIET].bit_count() <= 6
    assert not state.cup & state.played
    assert not state.cup & ~(state.chosen[AXIS] | state.chosen[SOVIET])


def check_decision(state: VictoryState) -> int:
    """The options of the decision on the table, where there is a second opinion about them."""
    decision = GAME.decision(state)
    name = "" if decision is None else decision.name
    offered = GAME.options(state)
    if name == "fall-back":
        retreat: Retreat = state.local
        if retreat.walker >= 0:
            walks = {retreat.walker: (retreat.left, retreat.trail)}
        else:
            walks = dict.fromkeys(retreat.to_go, (retreat.hexes, ()))
        for unit, (left, trail) in walks.items():
            assert {a[2] for a in offered if a[1] == unit} == retreat_choices(state, unit, left, trail)
    elif name == "reposition-hq":
        hq, origin = state.displaced[0]
        assert {a[1] for a in offered} == places_for_hq(state, hq, origin)
    elif name == "place-arrival":
        assert {a[1] for a in offered} == railheads(state, state.local.unit)
    elif name == "build-attack":
        attack: Attack = state.local
        if not attack.attackers:
            return 0
        expected = column(state, list(attack.attackers), attack.target)
        odds = work_out_odds(GAME, state, attack.attackers, attack.target)
        assert odds.final == (-1 if expected is None else expected)
        assert (("fight",) in offered) == (expected is not None)
    elif name == "choose-arrival":
        assert {a[1] for a in offered} == {
            u
            for u, cell in enumerate(state.where)
            if cell == TO_COME
            and state.due[u] == state.turn
            and GAME.side(u) == decision.actor(GAME, state)  # type: ignore[union-attr]
            and railheads(state, u)
        }
    else:
        return 0
    return 1


@rule("a_victory_lost", "9.3.1", "9.3.2", "9.5.2", "9.5.6", "10.1.2", "11.1.1", "12.7", "14.0.1")
@pytest.mark.parametrize("seed", range(2))
def test_random_games_agree_with_a_second_opinion(seed: int) -> None:
    options = dict.fromkeys(GAME.scenarios["campaign"].options, seed == 1)
    state = GAME.start("campaign", options)
    GAME.settle(state, str(seed))
    random = Random(seed)
    seen: dict[str, int] = {}
    number = 0
    while (decision := GAME.decision(state)) is not None:
        check_chits(state)
        name = decision.name
        # All of the rare decisions, a sample of the frequent ones
        if seen.get(name, 0) < 40 and (name != "build-attack" or state.local.attackers):
            seen[name] = seen.get(name, 0) + check_decision(state)
        number += 1
        if number % 40 == 0:
            check_indexes(state)
            check_stacks(state)
            check_points(state)
            for side in (AXIS, SOVIET):
                assert set(each(supplied_hexes(GAME, state, side))) == supplied(state, side)
        offered = GAME.options(state)
        # A fight is worth more to this test than a way out of one.
        eager = [a for a in offered if a[0] in ("target", "fight", "advance", "on", "bring")]
        GAME.apply(state, random.choice(eager if eager and random.random() < 0.7 else offered))
        GAME.settle(state, str(seed))
    assert {"fall-back", "reposition-hq", "place-arrival", "build-attack"} <= seen.keys()
