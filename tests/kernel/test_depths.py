"""Several sides at once: interrupts deep in the stack, sealed bids, windows passed in advance, flights on
demand. The game keeps the contract, and the contract catches those that break it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grognard.kernel import (
    CHANCE,
    Action,
    Flow,
    Match,
    Procedure,
    Role,
    Sealed,
    Verb,
    Window,
    ask,
    procedure,
    step,
)
from tests.contract import check_game
from tests.kernel.depths import PROCEDURES, Bid, Depths, DepthsState, Fly, Intercept

GAME = Depths()
RED, BLUE = 0, 1


def fresh(seed: str = "1") -> Match[DepthsState]:
    return Match(GAME, "short", seed=seed)


def play(match: Match[DepthsState], *lines: str) -> Match[DepthsState]:
    """Answers such as "blue march"."""
    for line in lines:
        name, *words = line.split()
        action: Any = GAME.decode(words)
        assert match.act(GAME.sides.index(name), action) is None, line
    return match


BIDDING = ("blue march", "red offer 3", "red close", "blue offer 1", "blue close")


def procedures_in(match: Match[DepthsState]) -> list[str]:
    return [name for name, _ in match.state.path()]


def test_the_game_keeps_the_contract() -> None:
    check_game(GAME, seeds=range(6), every=1)


def test_it_goes_deep_and_the_other_side_interrupts_twice() -> None:
    match = play(fresh(), *BIDDING)
    assert procedures_in(match)[-2:] == ["naval-step", "air-operation"]
    assert GAME.actor(match.state) == BLUE, "the first interrupt"
    play(match, "blue intercept 2")
    assert procedures_in(match) == [
        *("game", "game-turn", "movement-phase", "land-step", "naval-step", "air-operation"),
        "patrol-attack",
    ]
    assert GAME.actor(match.state) == BLUE, "the second interrupt, seven frames deep"
    lost = play(match, "blue pass")
    assert lost.state.planes == [2, 1], "what the patrol returned has reached the operation"
    assert procedures_in(match) == ["game", "game-turn", "movement-phase"]
    away = play(fresh(), *BIDDING, "blue intercept 2", "blue escape")
    assert away.state.planes == [2, 2]


def test_both_are_asked_and_neither_learns_of_the_other() -> None:
    match = play(fresh(), "blue march")
    assert GAME.must_act(match.state) == {RED, BLUE} == GAME.may_act(match.state)
    before = GAME.view(match.state, RED), match.version((RED,)), match.moments.copy()
    play(match, "blue offer 1", "blue offer 2", "blue close")
    assert (GAME.view(match.state, RED), match.version((RED,)), match.moments) == before
    assert GAME.must_act(match.state) == {RED}
    assert GAME.view(match.state, RED)["asked"] == ["red", "blue"]
    assert GAME.view(match.state, BLUE)["asked"] == ["red"]
    assert GAME.view(match.state, BLUE)["written"] == [["offer", "1"], ["offer", "2"], ["close"]]
    refused = match.act(BLUE, ("offer", 1))
    assert refused is not None and refused.code == "not-your-decision"
    assert match.undo(BLUE) and match.state.written(BLUE) == (("offer", 1), ("offer", 2))
    play(match, "red offer 0", "blue close", "red close")
    assert match.log[-1].facts == {"red": 0, "blue": 2}
    assert len(match.moments) == len(before[2]) + 1, "one answer to everybody"
    assert [side for side, _ in match.journal] == [BLUE, BLUE, BLUE, RED, BLUE, RED]


def test_the_order_of_writing_does_not_matter() -> None:
    one = play(fresh(), *BIDDING)
    other = play(
        fresh(), "blue march", "blue offer 1", "red offer 2", "blue close", "red offer 3", "red close"
    )
    assert one.state.fingerprint() == other.state.fingerprint()
    assert one.version(()) == other.version(())
    loaded = Match.load(GAME, other.save())
    assert loaded.journal == other.journal and loaded.moments == other.moments


def test_who_passes_in_advance_is_not_asked_until_he_takes_it_back() -> None:
    match = play(fresh(), "blue waive interception 0", *BIDDING)
    assert procedures_in(match) == ["game", "game-turn", "movement-phase"], "nobody was asked anything"
    assert GAME.actor(match.state) == BLUE
    play(match, "blue recall interception", *BIDDING)
    play(match, "blue waive interception 0")
    assert GAME.must_act(match.state) == {BLUE}, "a question once put is answered"
    assert isinstance(GAME.decision(match.state), Window)
    for_now = play(fresh(), "blue waive interception 1", "blue end", "red end")
    decision = play(for_now, "blue march", "red offer 3", "red close", "blue offer 1", "blue close")
    assert isinstance(GAME.decision(decision.state), Window), "it held for turn 1 only"


def test_a_pass_in_advance_is_nobody_elses_business() -> None:
    match, plain = fresh(), fresh()
    play(match, "blue waive escape 0", "blue waive interception 1")
    for viewer in (RED, None):
        sides = () if viewer is None else (viewer,)
        assert GAME.view(match.state, viewer) == GAME.view(plain.state, viewer)
        assert match.version(sides) == plain.version(sides)
    assert match.moments == plain.moments and match.log == plain.log
    assert not GAME.imagine(match.state, RED, Random(1)).waivers
    assert GAME.imagine(match.state, BLUE, Random(1)).waivers == match.state.waivers


def test_undo_leaves_what_others_have_done_in_secret_since() -> None:
    match = play(fresh(), "red fly", "blue pass")  # a die stands before this
    before = match.state.fingerprint()
    assert not match.can_undo(BLUE)
    play(match, "red waive escape 0")
    waived = match.state.fingerprint()
    play(match, "blue march")
    assert GAME.must_act(match.state) == {RED, BLUE}
    assert not match.can_undo(BLUE), "the other side is asked"
    assert waived != before


def test_flying_is_open_to_both_and_blocks_nobody() -> None:
    match = fresh()
    assert GAME.must_act(match.state) == {BLUE}
    assert ("fly",) in GAME.standing(match.state, RED) and ("fly",) in GAME.standing(match.state, BLUE)
    play(match, "red fly")
    assert procedures_in(match)[-1] == "air-operation" and GAME.actor(match.state) == BLUE
    play(match, "blue intercept 1", "blue pass")
    assert GAME.actor(match.state) == BLUE and procedures_in(match)[-1] == "movement-phase"
    refused = match.act(RED, ("fly",))
    assert refused is not None and (refused.code, refused.case) == ("flown", "5.1")
    bidding = play(fresh(), "blue march")
    assert ("fly",) not in GAME.standing(bidding.state, RED), "nothing shows while sides write in secret"
    assert ("waive", 0, 0) in GAME.standing(bidding.state, RED)


def test_a_side_that_does_not_answer_in_time_passes() -> None:
    match = play(fresh(), *BIDDING)
    assert GAME.default_answer(match.state, BLUE) == ("pass",)
    assert GAME.default_answer(match.state, RED) is None
    assert GAME.default_answer(fresh().state, BLUE) is None


def test_chance_is_nobody_who_may_act() -> None:
    state = GAME.start("short")
    GAME.apply(state, ("fly",), RED)
    GAME.apply(state, ("intercept", 1), BLUE)
    assert GAME.must_act(state) == {CHANCE}
    assert not GAME.standing(state, RED)


# Broken ones


def with_decision(label: str, decision: Any) -> type[Depths]:
    found: dict[str, Procedure] = {}
    for proc in PROCEDURES:
        steps = [step(s.label, ask(decision), s.case) if s.label == label else s for s in proc.steps.values()]
        found[proc.name] = procedure(proc.name, proc.case, *steps, values=proc.values, standing=proc.standing)

    class Broken(Depths):
        procedures = found

    return Broken


class BlabsBids(Bid):
    """Puts what is written on the table at once."""

    def apply(self, game: Depths, state: DepthsState, side: int, action: Action) -> Flow:
        if action[0] == "offer":
            state.scores[side] = action[1] + 10
        return super().apply(game, state, side, action)


class LogsBids(Bid):
    def apply(self, game: Depths, state: DepthsState, side: int, action: Action) -> Flow:
        state.emit("flight", "3.1")
        return super().apply(game, state, side, action)


class CountsBids(Bid):
    """Every number is an answer that everybody sees."""

    def told(self, game: Depths, state: DepthsState, side: int) -> bool:
        return True


class AsksAnyway(Intercept):
    def pending(self, game: Depths, state: DepthsState) -> bool:
        return self.could(game, state, self.actor(game, state))


class PassesOtherwise(Intercept):
    def skip(self, game: Depths, state: DepthsState) -> Flow:
        state.scores[0] += 1
        return super().skip(game, state)


@pytest.mark.parametrize(
    ("label", "decision", "complaint"),
    [
        ("bid", BlabsBids, "shows|imagines"),
        ("bid", LogsBids, "shows"),
        ("bid", CountsBids, "shows"),
        ("intercept", AsksAnyway, "waived window asks|not passing"),
        ("intercept", PassesOtherwise, "not passing"),
    ],
)
def test_a_question_that_tells_or_asks_too_much_is_caught(
    label: str, decision: type[Any], complaint: str
) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_game(with_decision(label, decision())(), seeds=range(6), every=1)


class EndsThePhase(Fly):
    def apply(self, game: Depths, state: DepthsState, side: int, action: Action) -> None:
        super().apply(game, state, side, action)
        state.frames[2] = ("movement-phase", "<return>", None)


def test_a_standing_verb_that_ends_a_phase_is_caught() -> None:
    phase = GAME.procedures["movement-phase"]
    broken = procedure(phase.name, phase.case, *phase.steps.values(), standing=(EndsThePhase(),))

    class Broken(Depths):
        procedures = {**Depths.procedures, phase.name: broken}

    with pytest.raises(AssertionError, match="moved the sequence on"):
        check_game(Broken(), seeds=range(2), every=1)


def test_a_window_that_cannot_be_declined_is_refused() -> None:
    class NoWay(Intercept):
        verbs = {"intercept": Verb(("number",)), "pass": Verb((), Role.END)}

    with pytest.raises(ValueError, match="cannot be declined"):
        with_decision("intercept", NoWay())()


def test_a_game_with_sealed_questions_hides_information() -> None:
    class Open(Depths):
        hidden_information = False

    assert any(isinstance(decision, Sealed) for decision in GAME.decisions())
    with pytest.raises(ValueError, match="hides information"):
        Open()
