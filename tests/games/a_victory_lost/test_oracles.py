"""Whole random games against a second opinion: the book worked out again in `book.py`, without the rules."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.board.board import each
from grognard.games.a_victory_lost.state import AXIS, DEAD, IN_BOX, LIFTED, SOVIET, TO_COME, VictoryState
from grognard.kernel import Action, Decision
from tests.games.a_victory_lost import book
from tests.games.a_victory_lost.book import (
    BOARD,
    GAME,
    anybody,
    fighters,
    land,
    places_for_hq,
    railheads,
    retreat_choices,
    room,
    supplied,
    zones,
)
from tests.games.a_victory_lost.table import Table
from tests.rules import rule


def test_the_second_opinion_does_not_ask_the_first() -> None:
    for path in (Path(__file__), Path(book.__file__)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            assert "a_victory_lost.rules" not in (module or ""), path


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
        assert set(GAME.layer(state, "zones", side)) == zones(state, side)
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


class Opinion:
    """What the book says of the decisions of one game. It remembers the way of the unit in hand itself."""

    def __init__(self) -> None:
        self.walk: book.Walk | None = None
        self.stacks: dict[int, set[int]] = {}
        """For each HQ the units stacked with it when the combat sequence began (12.2 to 12.4)."""
        self.seen: Counter[str] = Counter()

    def hear(self, state: VictoryState, action: Action) -> None:
        """An action about to be carried out."""
        if action[0] not in ("pick", "march", "enter", "march-in", "step"):
            return
        steps = book.Steps(state, state.active)
        if action[0] in ("pick", "march", "enter", "march-in"):
            self.walk = steps.begin(action[1], action[0] in ("march", "march-in"))
        if action[0] in ("enter", "march-in", "step"):
            assert self.walk is not None
            self.walk = steps.step(self.walk, action[-1])
            assert self.walk is not None, "the book does not know this step"

    def check(self, state: VictoryState, decision: Decision[Any, VictoryState]) -> None:
        """The options of the decision on the table, where the book can be asked about them."""
        if decision.name == "choose-target" and not state.fought and not state.attacked:
            self.stacks = {
                hq: {u for u, c in enumerate(state.where) if c == cell and not GAME.units[u].hq}
                for hq, cell in enumerate(state.where)
                if GAME.units[hq].hq and cell >= 0
            }
        method = getattr(self, f"_{decision.name.replace('-', '_')}", None)
        if method is not None:
            method(state, GAME.options(state))
            self.seen[decision.name] += 1

    def _pick_unit(self, state: VictoryState, offered: list[Action]) -> None:
        steps = book.Steps(state, state.active)
        expected: set[Action] = set()
        waiting: set[Action] = set()
        for unit in each(state.activated):
            if state.where[unit] >= 0 and not state.moved >> unit & 1:
                expected.add(("pick", unit))
                if steps.may_march(unit):
                    expected.add(("march", unit))
            elif state.where[unit] == IN_BOX:
                for verb, march in (("enter", False), ("march-in", True)):
                    waiting |= {(verb, unit, cell) for cell in steps.legal(steps.begin(unit, march))}
        assert set(offered) == expected | (waiting or {("end",)})

    def _move_unit(self, state: VictoryState, offered: list[Action]) -> None:
        assert self.walk is not None
        steps = book.Steps(state, state.active)
        expected: set[Action] = {("step", cell) for cell in steps.legal(self.walk)}
        if room(state, self.walk.unit, state.where[self.walk.unit]):
            expected.add(("halt",))
        assert set(offered) == expected

    def _bring_hq(self, state: VictoryState, offered: list[Action]) -> None:
        advance = state.local
        expected = {
            hq
            for hq, mates in self.stacks.items()
            if advance.walker in mates
            and state.where[hq] == advance.origin
            and room(state, hq, state.where[advance.walker])
        }
        assert {a[1] for a in offered if a[0] == "bring"} == expected

    def _hq_goes_with(self, state: VictoryState, offered: list[Action]) -> None:
        retreat = state.local
        gone = {unit for unit, _ in retreat.trails}
        assert {a[1] for a in offered} == gone & self.stacks[retreat.hq]

    def _choose_target(self, state: VictoryState, offered: list[Action]) -> None:
        assert {a[1] for a in offered if a[0] == "target"} == book.targets(state, state.active)

    def _build_attack(self, state: VictoryState, offered: list[Action]) -> None:
        joined, target = state.local.attackers, state.local.target
        able = book.attackers(state, state.active, target) - set(joined)
        assert {a[1] for a in offered if a[0] == "join"} == able
        expected = book.column(state, list(joined), target) if joined else None
        assert (("fight",) in offered) == (expected is not None)
        if expected is not None:
            assert GAME.adviser is not None
            forecast = GAME.adviser.forecast(state, (target,), joined, {})
            assert [name for name, _ in forecast.columns] == [expected]  # type: ignore[union-attr]

    def _fall_back(self, state: VictoryState, offered: list[Action]) -> None:
        retreat = state.local
        if retreat.walker >= 0:
            walks = {retreat.walker: (retreat.left, retreat.trail)}
        else:
            walks = dict.fromkeys(retreat.to_go, (retreat.hexes, ()))
        for unit, (left, trail) in walks.items():
            assert {a[2] for a in offered if a[1] == unit} == retreat_choices(state, unit, left, trail)

    def _advance_unit(self, state: VictoryState, offered: list[Action]) -> None:
        advance = state.local
        assert {a[1] for a in offered if a[0] == "advance"} == book.advancing(
            state, advance.units, advance.target
        )

    def _advance_on(self, state: VictoryState, offered: list[Action]) -> None:
        advance = state.local
        onward = book.second_hexes(state, advance.walker, advance.origin, advance.target)
        assert {a[1] for a in offered if a[0] == "on"} == onward
        assert (("stay",) in offered) == room(state, advance.walker, advance.target)

    def _reposition_hq(self, state: VictoryState, offered: list[Action]) -> None:
        hq, origin = state.displaced[0]
        assert {a[1] for a in offered} == places_for_hq(state, hq, origin)

    def _place_arrival(self, state: VictoryState, offered: list[Action]) -> None:
        assert {a[1] for a in offered} == railheads(state, state.local.unit)

    def _choose_arrival(self, state: VictoryState, offered: list[Action]) -> None:
        side = GAME.actor(state)
        due = [u for u, cell in enumerate(state.where) if cell == TO_COME and state.due[u] == state.turn]
        assert {a[1] for a in offered} == {u for u in due if GAME.side(u) == side and railheads(state, u)}


def check_activation(state: VictoryState) -> None:
    """7.3 Right after an activation: the HQs in action and those in their radii."""
    expected = 0
    for hq in each(state.activated & state.hqs):
        for unit in book.commanded(state, hq):
            expected |= 1 << unit
    assert state.activated & ~state.hqs == expected


def eager(offered: list[Action], random: Random) -> Action:
    """A fight is worth more to these tests than a way out of one."""
    hot = [a for a in offered if a[0] in ("target", "join", "advance", "on", "bring")]
    return random.choice(hot if hot and random.random() < 0.8 else offered)


FREQUENT = {"move-unit": 0.15, "pick-unit": 0.05}
"""How often decisions are checked that come often in a whole game; the others always."""


@rule("a_victory_lost", "7.3.2", "7.3.3", "7.3.4", "7.3.5", "8.1.2", "8.3.1", "9.1.1", "9.1.4", "9.3.4")
@rule("a_victory_lost", "5.0.4", "10.1.2", "11.1.1", "11.2.2", "12.7", "14.0.1", "15.0.1")
@pytest.mark.parametrize("seed", range(2))
def test_random_games_agree_with_a_second_opinion(seed: int) -> None:
    options = dict.fromkeys(GAME.scenarios["campaign"].options, seed == 1)
    state = GAME.start("campaign", options)
    GAME.settle(state, str(seed))
    random = Random(seed)
    opinion = Opinion()
    number = activated = 0
    while (decision := GAME.decision(state)) is not None:
        check_chits(state)
        if state.activated != activated and state.activated and decision.name == "pick-unit":
            check_activation(state)
        activated = state.activated
        if random.random() < FREQUENT.get(decision.name, 1.0):
            opinion.check(state, decision)
        number += 1
        if number % 100 == 0:
            check_indexes(state)
            check_stacks(state)
            check_points(state)
            for side in (AXIS, SOVIET):
                assert set(GAME.layer(state, "supplied", side)) == supplied(state, side)
        action = eager(GAME.options(state), random)
        opinion.hear(state, action)
        GAME.apply(state, action)
        GAME.settle(state, str(seed))
    assert opinion.seen["place-arrival"] > 20
    assert min(opinion.seen[name] for name in FREQUENT) > 15


def melee(random: Random) -> VictoryState:
    """A crowd of both sides somewhere on the map, in an activation of one of them."""
    centre = random.choice(
        [c for c in each(GAME.data.land & ~GAME.data.pocket) if len(BOARD.adjacent[c]) == 6]
    )
    near = [c for c in each(BOARD.within((centre,), 4)) if GAME.data.land >> c & 1]
    owner: dict[int, int] = {}
    units: dict[str, str] = {}
    heads: Counter[tuple[int, bool]] = Counter()
    nations: dict[int, set[str]] = {}
    for side in (AXIS, SOVIET):
        mine = each(GAME.units_of[side])
        fighting = random.sample([u for u in mine if not GAME.units[u].hq], 11)
        for unit in (*fighting, *random.sample([u for u in mine if GAME.units[u].hq], 4)):
            counter = GAME.units[unit]
            held = [c for c in near if owner.get(c) == side]
            cell = random.choice(held if counter.hq and held else near)  # an HQ goes where units are
            company = (nations.get(cell, set()) | {counter.nation}) - {"german"}
            if owner.get(cell, side) != side or heads[cell, counter.hq] >= (1 if counter.hq else 2):
                continue
            if len(company) > 1:
                continue
            owner[cell] = side
            heads[cell, counter.hq] += 1
            nations[cell] = company
            units[counter.id] = BOARD.number(cell)
    some = sorted(units)
    return Table(
        random.choice(("axis", "soviet")) + random.choice(("-movement", "-combat", "-combat")),
        units,
        game=GAME,
        turn=random.choice((3, 6)),
        reduced=[u for u in some if random.random() < 0.3 and GAME.units[GAME.unit_index(u)].steps == 2],
        unsupplied=[u for u in some if random.random() < 0.2],
        isolated=[u for u in some if random.random() < 0.1],
        options=["administrative_movement"] if random.random() < 0.5 else [],
    ).state


@rule(
    "a_victory_lost", "8.1.2", "8.1.3", "8.2.1", "8.2.2", "8.3.1", "9.1.1", "9.1.4", "9.1.6", "9.3.1", "9.3.2"
)
@rule(
    "a_victory_lost", "9.3.3", "9.3.4", "9.3.5", "9.5.2", "9.5.3", "9.5.6", "9.6.1", "9.6.3", "9.6.5", "12.7"
)
def test_random_positions_agree_with_a_second_opinion() -> None:
    random = Random("melee")
    seen: Counter[str] = Counter()
    for number in range(140):
        state = melee(random)
        opinion = Opinion()
        turn, decisions = state.turn, 0
        while (decision := GAME.decision(state)) is not None and state.turn == turn and decisions < 60:
            decisions += 1
            opinion.check(state, decision)
            check_stacks(state)
            action = eager(GAME.options(state), random)
            opinion.hear(state, action)
            GAME.apply(state, action)
            GAME.settle(state, str(number))
            if not state.activated:
                break
        seen += opinion.seen
    wanted = ("move-unit", "choose-target", "build-attack", "fall-back", "advance-unit", "advance-on")
    assert min(seen[name] for name in wanted) >= 30, seen
    assert min(seen[name] for name in ("reposition-hq", "bring-hq", "hq-goes-with")) > 2, seen
