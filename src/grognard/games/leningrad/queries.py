"""What a player may ask of the position without changing it: reach, odds, supply, zones.

Answers are plain JSON values. They are worked out with the rules themselves, on a copy where a move has to
be tried.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import comb
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.leningrad.rules.battle import Battle, Odds, work_out_odds
from grognard.games.leningrad.rules.combat import Attack, may_be_attacked, why_not_join
from grognard.games.leningrad.rules.movement import step_prices
from grognard.games.leningrad.rules.supply import (
    allowance,
    dearer_hexes,
    open_to_lines,
    supplied_hexes,
)
from grognard.games.leningrad.rules.zones import in_enemy_zone, zone
from grognard.games.leningrad.state import LeningradState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.movement import connected, costs_to
from grognard.mechanics.odds import odds_name, whole_odds

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

Answer = dict[str, Any]


def answer(game: Leningrad, state: LeningradState, question: Mapping[str, Any]) -> Answer | Refusal:
    """The answer to {"ask": "reach", "units": [...]}, "odds" (targets, units), "supply" (unit), "zones"
    (side) or "supplied" (side)."""
    kind = question.get("ask")
    handler = _HANDLERS.get(kind) if isinstance(kind, str) else None
    if handler is None:
        return refusal("unknown-question", "", word=str(kind)[:40])
    try:
        return handler(game, state, question)
    except _BadQuestionError as error:
        return error.reason


class _BadQuestionError(Exception):
    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.code)
        self.reason = reason


# Movement


def _reach(game: Leningrad, state: LeningradState, question: Mapping[str, Any]) -> Answer:
    units = _units(game, question)
    here = state.where[units[0]]
    if here < 0 or any(state.where[u] != here for u in units):
        raise _BadQuestionError(refusal("not-one-stack", "4.5", units=tuple(units)))
    return {"from": game.board.number(here), "hexes": reach(game, state, tuple(units))}


def reach(game: Leningrad, state: LeningradState, units: tuple[int, ...]) -> dict[str, Answer]:
    """Every hex a stack can get to, with the points its poorest unit has left there, the cheapest path, and
    whether the move must end there."""
    trial = state.clone()
    side = game.side(units[0])
    start = trial.where[units[0]]
    for unit in units:
        if not trial.moved >> unit & 1 and not _in_hand(state, unit):
            trial.left[unit] = allowance(game, trial, unit)
    moved = trial.moved
    first = tuple(trial.left[u] for u in units)
    best: dict[int, tuple[int, ...]] = {start: first}
    came: dict[int, int] = {}
    queue = [(-min(first), start)]
    while queue:
        _, here = heapq.heappop(queue)
        left = best[here]
        for unit, points in zip(units, left, strict=True):
            trial.place(unit, here)
            trial.left[unit] = points
        trial.moved = moved if here == start else moved | sum(1 << u for u in units)
        for there in game.board.adjacent[here]:
            prices = step_prices(game, trial, units, there)
            if isinstance(prices, Refusal):
                continue
            rest = tuple(p - c for p, c in zip(left, prices, strict=True))
            if there not in best or min(rest) > min(best[there]):
                best[there], came[there] = rest, here
                heapq.heappush(queue, (-min(rest), there))
    del best[start]
    return {
        game.board.number(cell): {
            "left": min(rest) / 2,
            "path": [game.board.number(c) for c in _path(came, cell)],
            "stop": in_enemy_zone(game, state, side, cell),
        }
        for cell, rest in sorted(best.items())
    }


def _in_hand(state: LeningradState, unit: int) -> bool:
    return any(name == "move" and unit in (*local.units, *local.aside) for name, _, local in state.frames)


def _path(came: dict[int, int], cell: int) -> list[int]:
    path = [cell]
    while came[path[-1]] in came:
        path.append(came[path[-1]])
    return path[::-1]


# Odds


def _odds(game: Leningrad, state: LeningradState, question: Mapping[str, Any]) -> Answer:
    units, targets = _units(game, question), _hexes(game, question, "targets")
    attack = Attack(tuple(targets))
    for cell in targets:
        if not may_be_attacked(state, cell):
            raise _BadQuestionError(refusal("nobody-to-attack", "8.0", hex=cell))
    for unit in units:
        why = why_not_join(game, state, attack, unit)
        if why is not None:
            raise _BadQuestionError(why)
    air = question.get("air", 0)
    there = 0
    for cell in targets:
        there |= state.at[cell] & ~state.attacked
    battle = Battle(
        overrun=bool(question.get("overrun", False)),
        attackers=tuple(units),
        defenders=tuple(u for u in range(len(game.units)) if there >> u & 1),
        bystanders=(),
        targets=tuple(targets),
        origins=tuple(sorted({state.where[u] for u in units})),
        air=air if isinstance(air, int) and 0 <= air <= state.air_ready else 0,
    )
    return forecast(game, state, battle)


def forecast(game: Leningrad, state: LeningradState, battle: Battle) -> Answer:
    """The odds of a battle and the chance of each result, over everything the untried units may be."""
    cases = _possibilities(game, state, battle)
    results: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    total = sum(weight for _, weight in cases)
    for odds, weight in cases:
        columns[odds_name(game.data.crt.column(odds.final))] += weight
        for die in range(1, 7):
            results[game.data.crt.result(odds.final, die)] += weight
    usual = max(cases, key=lambda case: case[1])[0]
    return {
        "certain": len(cases) == 1,
        "attack": _mean(cases, total, lambda o: o.attack),
        "defence": _mean(cases, total, lambda o: o.defence),
        "initial": odds_name(usual.initial),
        "final": odds_name(game.data.crt.column(usual.final)),
        "shifts": [{"code": s.code, "columns": s.columns, "case": s.case} for s in usual.shifts],
        "columns": {name: weight / total for name, weight in sorted(columns.items())},
        "results": {name: weight / total / 6 for name, weight in sorted(results.items())},
    }


def _mean(cases: Sequence[tuple[Odds, int]], total: int, value: Callable[[Odds], int]) -> float:
    return round(sum(value(odds) * weight for odds, weight in cases) / total, 2)


def _possibilities(game: Leningrad, state: LeningradState, battle: Battle) -> list[tuple[Odds, int]]:
    """Every (odds, weight) that the pool allows for the untried units of a battle."""
    soviets = battle.attackers if battle.attackers[0] >= state.germans else battle.defenders
    untried = [u for u in soviets if u >= state.germans and not state.rating[u]]
    if not untried:
        return [(work_out_odds(game, state, battle), 1)]
    attacking = soviets is battle.attackers
    draws = _draws(game, state, untried)
    known = [u for u in soviets if u not in untried]
    base = sum(
        getattr(game.data.untried[state.rating[u] - 1], "attack" if attacking else "defence") for u in known
    )
    # Only whether armour turns up changes the shifts: one trial with and one without is enough.
    shifts = {armour: _shifts_with(game, state, battle, untried, armour) for armour in (False, True)}
    other = sum(
        _german_strength(game, state, u) for u in (battle.defenders if attacking else battle.attackers)
    )
    cases: Counter[tuple[int, bool]] = Counter()
    for (attack, defence, armour), weight in draws.items():
        cases[(base + (attack if attacking else defence), armour)] += weight
    answers = []
    for (strength, armour), weight in sorted(cases.items()):
        attack, defence = (strength, other) if attacking else (other, strength)
        trial = shifts[armour]
        columns = game.data.crt.columns
        if attack == 0 or defence == 0:
            end = columns[0] if attack == 0 else columns[-1]
            answers.append((Odds(attack, defence, end, trial, end), weight))
            continue
        initial = whole_odds(attack, defence)
        final = initial + sum(s.columns for s in trial)
        answers.append((Odds(attack, defence, initial, trial, final), weight))
    return answers


def _german_strength(game: Leningrad, state: LeningradState, unit: int) -> int:
    counter = game.units[unit]
    return counter.strength if state.steps[unit] == 2 else counter.reduced


def _shifts_with(
    game: Leningrad, state: LeningradState, battle: Battle, untried: Sequence[int], armour: bool
) -> Any:
    trial = state.clone()
    plain = next(i for i, line in enumerate(game.data.untried) if line.kind != "armour")
    tank = next(i for i, line in enumerate(game.data.untried) if line.kind == "armour")
    for unit in untried:
        is_tank = armour and game.units[unit].kind == "armour"
        trial.rating[unit] = (tank if is_tank else plain) + 1
    return work_out_odds(game, trial, battle).shifts


def _draws(game: Leningrad, state: LeningradState, untried: Sequence[int]) -> Counter[tuple[int, int, bool]]:
    """How many ways the pool gives each (attack, defence, any armour) for these units together."""
    ways: Counter[tuple[int, int, bool]] = Counter({(0, 0, False): 1})
    for pool in ("infantry", "armour"):
        needed = sum(1 for u in untried if game.units[u].kind == pool)
        partial: Counter[tuple[int, int, int, bool]] = Counter({(0, 0, 0, False): 1})
        for line, strength in enumerate(game.data.untried):
            if strength.pool != pool or not needed:
                continue
            stock, grown = state.pool[line], Counter[tuple[int, int, int, bool]]()
            for (taken, attack, defence, armour), weight in partial.items():
                for k in range(min(stock, needed - taken) + 1):
                    key = (
                        taken + k,
                        attack + k * strength.attack,
                        defence + k * strength.defence,
                        armour or (k > 0 and strength.kind == "armour"),
                    )
                    grown[key] += weight * comb(stock, k)
            partial = grown
        joined: Counter[tuple[int, int, bool]] = Counter()
        for (taken, attack, defence, armour), weight in partial.items():
            if taken == needed:
                for (a, d, t), before in ways.items():
                    joined[(a + attack, d + defence, t or armour)] += weight * before
        ways = joined
    return ways


# Supply and zones


def _supply(game: Leningrad, state: LeningradState, question: Mapping[str, Any]) -> Answer:
    unit = _units(game, {"units": [question.get("unit")]})[0]
    cell = state.where[unit]
    if cell < 0:
        raise _BadQuestionError(refusal("not-on-map", "11.0", unit=unit))
    line = supply_line(game, state, game.side(unit), cell)
    return {"supplied": bool(line), "line": [game.board.number(c) for c in line]}


def supply_line(game: Leningrad, state: LeningradState, side: int, cell: int) -> list[int]:
    """The hexes of a line from here to a source: across country to the road net, then along it; empty if
    there is none."""
    may_pass = open_to_lines(game, state, side)
    chain = connected(game.board, game.data.roads, game.sources[side], may_pass)
    dearer = dearer_hexes(game, state, side)
    ways = costs_to(game.mobile_costs, chain, may_pass, dearer)
    if ways.get(cell, 1 << 30) > 2 * game.data.numbers["supply_range"]:
        return []
    line = [cell]
    while not chain >> line[-1] & 1:
        here = line[-1]
        near = [c for c in game.board.adjacent[here] if c in ways and (may_pass | chain) >> c & 1]
        line.append(
            min(
                near,
                key=lambda c: (
                    ways[c] + (game.mobile_costs.step(here, c) or 1 << 20) * _factor(dearer, c),
                    c,
                ),
            )
        )
    return line + _along_road(game, line[-1], game.sources[side] & chain, chain)


def _factor(dearer: Sequence[tuple[int, int]], cell: int) -> int:
    return next((factor for cells, factor in dearer if cells >> cell & 1), 1)


def _along_road(game: Leningrad, start: int, sources: int, chain: int) -> list[int]:
    """The way along the road net from a hex of it to the nearest source, the start left out."""
    came = {start: start}
    edge = [start]
    while edge:
        for here in edge:
            if sources >> here & 1:
                path = [here]
                while came[path[-1]] != path[-1]:
                    path.append(came[path[-1]])
                return path[::-1][1:]
        following = []
        for here in edge:
            for there in game.board.adjacent[here]:
                if chain >> there & 1 and there not in came and game.board.side_has(here, there, "road"):
                    came[there] = here
                    following.append(there)
        edge = following
    return []


def _zones(game: Leningrad, state: LeningradState, question: Mapping[str, Any]) -> Answer:
    return {"hexes": [game.board.number(c) for c in each(zone(game, state, _side(game, question)))]}


def _supplied(game: Leningrad, state: LeningradState, question: Mapping[str, Any]) -> Answer:
    cells = supplied_hexes(game, state, _side(game, question)) & game.data.land
    return {"hexes": [game.board.number(c) for c in each(cells)]}


_HANDLERS: dict[str, Callable[[Leningrad, LeningradState, Mapping[str, Any]], Answer]] = {
    "reach": _reach,
    "odds": _odds,
    "supply": _supply,
    "zones": _zones,
    "supplied": _supplied,
}


# Reading a question


def _units(game: Leningrad, question: Mapping[str, Any]) -> list[int]:
    words = question.get("units")
    if not isinstance(words, list) or not words or len(words) > 100:
        raise _BadQuestionError(refusal("malformed", "", verb="units"))
    try:
        return [game.unit_index(word) for word in words]
    except (KeyError, TypeError):
        raise _BadQuestionError(refusal("malformed", "", verb="units")) from None


def _hexes(game: Leningrad, question: Mapping[str, Any], key: str) -> list[int]:
    words = question.get(key)
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        raise _BadQuestionError(refusal("malformed", "", verb=key))
    cells = []
    for word in words:
        found = game.decode(["step", word])
        if isinstance(found, Refusal):
            raise _BadQuestionError(found)
        cells.append(int(found[1]))
    return cells


def _side(game: Leningrad, question: Mapping[str, Any]) -> int:
    side = question.get("side")
    if side not in game.sides:
        raise _BadQuestionError(refusal("malformed", "", verb="side"))
    return game.sides.index(side)
