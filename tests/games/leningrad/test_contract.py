"""Leningrad keeps the contract of all games, and its own invariants whatever is played."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from grognard.board.board import bits, each
from grognard.cli.conformance import conformance
from grognard.games.leningrad import load
from grognard.games.leningrad.state import DEAD, GERMAN, SOVIET, TO_COME, LeningradState
from grognard.games.listing import game_folder
from grognard.kernel import Match
from tests.contract import check_game
from tests.contract.checks import any_option, candidates, check_refusal, give, nonsense

GAME = load()

WITHOUT_CASE = {"malformed", "not-now", "not-your-decision", "game-over", "unknown-verb"}
"""Refusals that come from the table manners of all games, not from a case of this one."""


def test_leningrad_keeps_the_contract_of_all_games() -> None:
    check_game(
        GAME,
        seeds=range(3),
        derived=("germans", "stacking", "full", "side_units", "at", "occupied", "zone_cache", "supply_cache"),
    )


def test_fewer_than_twenty_cases_are_exempt_from_a_test() -> None:
    report, exempt, unknown = conformance(game_folder("leningrad"), "leningrad", Path(__file__).parents[2])
    assert report["exempt"] == len(exempt) < 20
    assert not unknown
    assert report["cases"] == 105


# Invariants of a position


def check_places(state: LeningradState) -> None:
    """One place a unit, on dry land; nobody in an enemy's hex; the indexes agree with the places."""
    at: dict[int, int] = {}
    occupied = [0, 0]
    for unit, cell in enumerate(state.where):
        if cell in (TO_COME, DEAD):
            continue
        assert GAME.data.land >> cell & 1
        at[cell] = at.get(cell, 0) | 1 << unit
        occupied[GAME.side(unit)] |= 1 << cell
    assert state.at == at
    assert list(state.occupied) == occupied
    assert not occupied[GERMAN] & occupied[SOVIET]


def check_stacking(state: LeningradState) -> None:
    """4.6 Three units a hex; only the set-up of the Germans may exceed it, until they have moved."""
    phase = next((label for name, label, _ in state.frames if name == "game-turn"), "")
    start = bits(u.setup for u in GAME.units if u.german and u.setup >= 0)
    lenient = start if state.turn == 1 and phase == "german-movement" else 0
    for cell, units in state.at.items():
        assert units.bit_count() <= 3 or lenient >> cell & 1, GAME.board.number(cell)


def check_steps(state: LeningradState) -> None:
    for unit, counter in enumerate(GAME.units):
        steps, cell = state.steps[unit], state.where[unit]
        if cell == DEAD:
            assert steps == 0
        else:
            assert steps in ((1, 2) if counter.german else (1,))
        if cell == TO_COME:
            assert counter.turn
            assert steps == (2 if counter.german else 1)
            assert not state.rating[unit]


def check_untried(state: LeningradState) -> None:
    """14.0 What is left in the pool and what has been revealed make up what was printed."""
    for line, strength in enumerate(GAME.data.untried):
        drawn = [u for u, rating in enumerate(state.rating) if rating == line + 1]
        assert state.pool[line] + len(drawn) == strength.number
        assert all(not GAME.units[u].german and GAME.units[u].kind == strength.pool for u in drawn)


def check_markers(state: LeningradState) -> None:
    assert not state.forts & state.occupied[GERMAN]
    assert not state.forts & ~GAME.fort_area
    assert 0 <= state.air_ready <= 2
    assert len(state.interdicted) + state.air_ready <= 2
    assert 0 <= state.forts_laid <= GAME.data.numbers["forts_per_turn"]
    printed = sum(n for (kind, turn), n in GAME.data.markers.items() if kind == "fort" and turn <= state.turn)
    assert state.forts_ready + len(list(each(state.forts))) <= printed


def check_movement_points(state: LeningradState) -> None:
    for unit, left in enumerate(state.left):
        assert 0 <= left <= GAME.movement[unit]


def check_what_is_seen(state: LeningradState) -> None:
    """14.0 Neither side sees what an untried unit is worth; both see the same table."""
    views = [GAME.view(state, side) for side in (GERMAN, SOVIET, None)]
    assert views[0]["table"] == views[1]["table"] == views[2]["table"]
    for view in views:
        shown = view["table"]["units"]
        assert len(shown) == len(GAME.units)
        for unit, counter in zip(shown, GAME.units, strict=True):
            assert unit["id"] == counter.id
            index = GAME.unit_index(counter.id)
            known = counter.german or bool(state.rating[index])
            assert ("attack" in unit) == ("defence" in unit) == known
            assert ("untried" in unit["badges"]) == (not known)
            if not known:
                assert unit["kind"] == counter.kind
                assert not {"strength", "rating", "line"} & unit.keys()
        text = json.dumps(view)
        assert not any(f'"{line.id}"' in text for line in GAME.data.untried)
        assert '"pool"' not in text


def check_position(state: LeningradState) -> None:
    check_places(state)
    check_stacking(state)
    check_steps(state)
    check_untried(state)
    check_markers(state)
    check_movement_points(state)
    check_what_is_seen(state)


Spending = tuple[tuple[Any, ...], int, bytes]


def spending(state: LeningradState) -> Spending:
    """The movement phase in progress, who has moved in it, and what everybody has left."""
    phase = next((label for name, label, _ in state.frames if name == "game-turn"), "")
    return (state.turn, phase, state.active), state.moved, bytes(state.left)


def check_nobody_gains_points(before: Spending, after: Spending) -> None:
    """4.1 Once a unit has moved, its points only go down until the phase is over."""
    if before[0] == after[0] and before[0][1].endswith("movement"):
        for unit in range(len(GAME.units)):
            if before[1] >> unit & 1 & (after[1] >> unit):
                assert after[2][unit] <= before[2][unit], GAME.units[unit].id


class AnyPlay(RuleBasedStateMachine):
    """Legal answers of either side among illegal and malformed ones, undo, save and load."""

    match: Match[LeningradState]

    @initialize(seed=st.integers(0, 10**6))
    def begin(self, seed: int) -> None:
        self.match = Match(GAME, "campaign", seed=str(seed))
        self.trail: list[str] = []
        """Fingerprints of the positions that undo must lead back to."""

    def answer(self, random: Random) -> None:
        match = self.match
        actor = GAME.actor(match.state)
        if actor is None:
            return
        before, spent = match.state.fingerprint(), spending(match.state)
        give(match, actor, any_option(match, random))
        check_nobody_gains_points(spent, spending(match.state))
        self.trail = [*self.trail, before] if match.can_undo() else []

    @rule(choice=st.integers(0, 10**6))
    def one_answer(self, choice: int) -> None:
        self.answer(Random(choice))

    @rule(choice=st.integers(0, 10**6), number=st.integers(1, 150))
    def many_answers(self, choice: int, number: int) -> None:
        random = Random(choice)
        for _ in range(number):
            self.answer(random)
            check_places(self.match.state)
            check_stacking(self.match.state)

    @precondition(lambda self: not self.match.over)
    @rule(choice=st.integers(0, 10**6))
    def refused_answers(self, choice: int) -> None:
        match, random = self.match, Random(choice)
        actor = GAME.actor(match.state)
        assert actor is not None
        before = (match.state.fingerprint(), len(match.journal), len(match.log), match.can_undo())
        offered = set(GAME.options(match.state))
        legal = list(candidates(GAME, match.state, list(offered), random))
        for action in random.sample(legal, min(40, len(legal))):
            if action not in offered:
                reason = match.act(actor, action)
                assert reason is not None
                assert re.fullmatch(r"\d+\.\d+", reason.case), reason
                check_refusal(GAME, reason)
        for junk in nonsense(GAME, match.state, random):
            reason = match.act(actor, junk)
            assert reason is not None
            assert reason.case or reason.code in WITHOUT_CASE
        for side in (1 - actor, -1, 2):
            reason = match.act(side, any_option(match, random))
            assert reason is not None
            assert reason.code == "not-your-decision"
        assert (match.state.fingerprint(), len(match.journal), len(match.log), match.can_undo()) == before

    @precondition(lambda self: not self.match.over)
    @rule(choice=st.integers(0, 10**6))
    def refused_orders(self, choice: int) -> None:
        """Orders put together from any units and hexes: carried out by the rules, or refused whole."""
        match, random = self.match, Random(choice)
        actor = GAME.actor(match.state)
        assert actor is not None
        units = [GAME.unit_id(random.randrange(GAME.unit_count())) for _ in range(random.randint(1, 3))]
        hexes = [GAME.board.number(random.choice(GAME.board.cells)) for _ in range(random.randint(1, 3))]
        orders: list[Any] = [
            {"order": "move", "units": units, "path": hexes},
            {"order": "attack", "units": units, "targets": hexes},
            {"order": "move", "units": units},
            {"order": "move", "units": [], "path": hexes},
            {"order": "move", "units": units, "path": ["9999"]},
            {"order": "move", "units": ["nobody"], "path": hexes},
            {"order": "fly", "units": units, "path": hexes},
            {"units": 3},
            None,
        ]
        before = (match.state.fingerprint(), list(match.journal), len(match.log), match.can_undo())
        for order in orders:
            reason = match.order(actor, order)
            if reason is None:
                self.trail = []  # undo goes back into the middle of the order; that is tested elsewhere
                while match.undo():
                    pass
                return
            assert reason.code
            now = (match.state.fingerprint(), list(match.journal), len(match.log), match.can_undo())
            assert now == before

    @rule()
    def undo(self) -> None:
        before = self.match.state.fingerprint()
        assert self.match.can_undo() == bool(self.trail)
        undone = self.match.undo()
        assert undone == bool(self.trail)
        assert self.match.state.fingerprint() == (self.trail.pop() if undone else before)

    @rule()
    def undo_to_the_barrier(self) -> None:
        while self.trail:
            self.undo()
        assert not self.match.undo()

    @rule()
    def save_and_load(self) -> None:
        text = self.match.save()
        loaded = Match.load(GAME, text)
        assert loaded.state.fingerprint() == self.match.state.fingerprint()
        assert (loaded.journal, loaded.log) == (self.match.journal, self.match.log)
        assert loaded.can_undo() == self.match.can_undo()
        assert loaded.save() == text
        self.match = loaded

    @rule(choice=st.integers(0, 10**6))
    def play_on_a_copy(self, choice: int) -> None:
        state = self.match.state
        before = state.fingerprint()
        copy, random = state.clone(), Random(choice)
        for _ in range(30):
            if copy.frames:
                GAME.apply(copy, random.choice(GAME.options(copy)))
                GAME.settle(copy, "another")
        check_places(copy)
        assert state.fingerprint() == before

    @invariant()
    def the_position_is_sound(self) -> None:
        if hasattr(self, "match"):
            check_position(self.match.state)


TestAnyPlay = AnyPlay.TestCase
TestAnyPlay.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)


def test_the_invariants_hold_to_the_end_of_whole_games() -> None:
    for seed in range(4):
        match, random = Match(GAME, "campaign", seed=str(seed)), Random(seed)
        number = 0
        while (actor := GAME.actor(match.state)) is not None:
            spent = spending(match.state)
            give(match, actor, any_option(match, random))
            check_nobody_gains_points(spent, spending(match.state))
            number += 1
            if number % 10 == 0:
                check_position(match.state)
        check_position(match.state)
        assert match.state.turn == GAME.scenario(match.state).last


def test_two_games_that_differ_in_the_seed_only_look_the_same_until_a_reveal() -> None:
    """14.0 Not even the referee's position knows an untried strength: it is drawn when it is revealed."""
    for choice in range(5):
        one, other = Match(GAME, "campaign", seed="a"), Match(GAME, "campaign", seed="b")
        random = Random(choice)
        while not one.state.draws and not other.state.draws:
            assert one.state.fingerprint() == other.state.fingerprint()
            assert [GAME.view(one.state, s) for s in (0, 1)] == [GAME.view(other.state, s) for s in (0, 1)]
            actor = GAME.actor(one.state)
            assert actor is not None
            action = any_option(one, random)
            give(one, actor, action)
            give(other, actor, action)
