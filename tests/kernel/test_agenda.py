"""The agenda: steps in order, calls that come back, frames that are only words and plain values."""

from __future__ import annotations

import pytest

from grognard.kernel import (
    AGAIN,
    RETURN,
    Action,
    Decision,
    Flow,
    Procedure,
    Return,
    State,
    ask,
    call,
    do,
    procedure,
    step,
)
from grognard.kernel.agenda import advance, turn_to


class Trace:
    """Stands for a game; remembers what was done."""

    def __init__(self, *procedures: Procedure) -> None:
        self.procedures = {p.name: p for p in procedures}
        self.done: list[str] = []
        self.state = State()
        self.state.frames = [("main", self.procedures["main"].first, None)]

    def run(self) -> str | None:
        """Walk to the next question; its name."""
        decision = advance(self.procedures, self, self.state)
        return None if decision is None else decision.name

    def answer(self, word: str) -> str | None:
        frames = self.state.frames
        here = self.procedures[frames[-1][0]].steps[frames[-1][1]]
        position = len(frames) - 1
        assert here.decision is not None
        turn_to(frames, position, here, here.decision.apply(self, self.state, 0, (word,)))
        return self.run()


def note(word: str, flow: Flow = None):  # type: ignore[no-untyped-def]
    def act(game: Trace, state: State) -> Flow:
        game.done.append(word)
        return flow

    return do(act)


class Question(Decision[Trace, State]):
    """Answered with the flow itself, or with 'push' to go down a level."""

    case = "1"
    verbs = {}

    def __init__(self, name: str, pending: bool = True) -> None:
        self.name = name
        self._pending = pending

    def pending(self, game: Trace, state: State) -> bool:
        return self._pending

    def actor(self, game: Trace, state: State) -> int:
        return 0

    def apply(self, game: Trace, state: State, side: int, action: Action) -> Flow:
        word: str = action[0]
        game.done.append(f"{self.name}={word}")
        if word.startswith("push"):
            state.push("sub")
            return {"push": AGAIN, "push-on": None, "push-out": RETURN}[word]
        return {"again": AGAIN, "next": None, "out": RETURN}.get(word, word)


SUB = procedure("sub", "2", step("s1", note("s1"), "2.1"), step("s2", ask(Question("q2")), "2.2"))


def test_steps_are_done_in_order_and_the_end_is_the_end() -> None:
    trace = Trace(procedure("main", "1", step("a", note("a"), "1.1"), step("b", note("b"), "1.2")))
    assert trace.run() is None
    assert trace.done == ["a", "b"]
    assert trace.state.frames == []
    assert trace.run() is None


def test_a_step_may_jump_and_a_step_may_leave() -> None:
    trace = Trace(
        procedure(
            "main",
            "1",
            step("a", note("a", "c"), "1.1"),
            step("b", note("b", RETURN), "1.2"),
            step("c", note("c", "b"), "1.3"),
        )
    )
    assert trace.run() is None
    assert trace.done == ["a", "c", "b"]


def test_a_question_waits_and_its_answer_says_where_to_go() -> None:
    main = procedure("main", "1", step("q", ask(Question("q")), "1.1"), step("z", note("z"), "1.2"))
    trace = Trace(main)
    assert trace.run() == "q"
    assert trace.run() == "q"  # asking twice changes nothing
    assert trace.answer("again") == "q"
    assert trace.done == ["q=again"]
    assert trace.answer("next") is None
    assert trace.done == ["q=again", "q=next", "z"]
    out = Trace(main)
    out.run()
    assert out.answer("out") is None
    assert out.done == ["q=out"]


def test_a_question_with_nothing_to_decide_is_passed_over() -> None:
    trace = Trace(
        procedure(
            "main", "1", step("q", ask(Question("q", pending=False)), "1.1"), step("z", note("z"), "1.2")
        )
    )
    assert trace.run() is None
    assert trace.done == ["z"]


def test_a_call_keeps_the_callers_place_and_brings_local_values() -> None:
    trace = Trace(
        procedure(
            "main",
            "1",
            step("down", call("sub", lambda game, state: (1, 2)), "1.1"),
            step("z", note("z"), "1.2"),
        ),
        SUB,
    )
    assert trace.run() == "q2"
    assert trace.state.frames == [("main", "down", None), ("sub", "s2", (1, 2))]
    assert trace.state.local == (1, 2)
    assert trace.answer("next") is None
    assert trace.done == ["s1", "q2=next", "z"]


def test_a_question_may_push_a_procedure_and_be_asked_again_after_it() -> None:
    main = procedure("main", "1", step("q", ask(Question("q")), "1.1"), step("z", note("z"), "1.2"))
    trace = Trace(main, SUB)
    trace.run()
    assert trace.answer("push") == "q2"
    assert trace.answer("next") == "q"
    assert trace.answer("push-on") == "q2"
    assert trace.state.frames[0] == ("main", "z", None)
    assert trace.answer("next") is None
    assert trace.done[-1] == "z"


def test_a_finished_frame_stays_until_what_it_pushed_is_over() -> None:
    main = procedure("main", "1", step("q", ask(Question("q")), "1.1"), step("z", note("z"), "1.2"))
    trace = Trace(main, SUB)
    trace.run()
    assert trace.answer("push-out") == "q2"
    assert trace.answer("next") is None
    assert trace.done == ["q=push-out", "s1", "q2=next"]


def test_a_call_that_comes_after_a_pushed_procedure_is_still_made() -> None:
    main = procedure("main", "1", step("q", ask(Question("q")), "1.1"), step("down", call("other"), "1.2"))
    trace = Trace(main, SUB, procedure("other", "3", step("o", note("o"), "3.1")))
    trace.run()
    assert trace.answer("push-on") == "q2"
    assert trace.answer("next") is None
    assert trace.done == ["q=push-on", "s1", "q2=next", "o"]


def test_procedures_nest_as_deep_as_needed() -> None:
    depth = 30
    levels = [
        procedure(
            "main" if n == 0 else f"level{n}",
            "1",
            step("down", call(f"level{n + 1}"), "1.1"),
            step("up", note(f"up{n}"), "1.2"),
        )
        for n in range(depth)
    ]
    bottom = procedure(f"level{depth}", "1", step("q", ask(Question("q")), "1.1"))
    trace = Trace(*levels, bottom)
    assert trace.run() == "q"
    assert len(trace.state.frames) == depth + 1
    assert trace.answer("next") is None
    assert trace.done[1:] == [f"up{n}" for n in reversed(range(depth))]


def test_a_position_survives_steps_inserted_around_it() -> None:
    """Frames hold labels, not indexes: the same stack walks on in a newer edition of the procedures."""
    old = Trace(
        procedure("main", "1", step("down", call("sub"), "1.1"), step("z", note("z"), "1.2")),
        procedure("sub", "2", step("q", ask(Question("q")), "2.1")),
    )
    old.run()
    new = Trace(
        procedure(
            "main",
            "1",
            step("first", note("first"), "1.0"),
            step("down", call("sub"), "1.1"),
            step("new", note("new"), "1.15"),
            step("z", note("z"), "1.2"),
        ),
        procedure(
            "sub",
            "2",
            step("before", note("before"), "2.0"),
            step("q", ask(Question("q")), "2.1"),
            step("after", note("after"), "2.2"),
        ),
    )
    new.state = old.state
    assert new.run() == "q"
    assert new.answer("next") is None
    assert new.done == ["q=next", "after", "new", "z"]


def test_local_values_belong_to_the_innermost_procedure() -> None:
    trace = Trace(procedure("main", "1", step("down", call("sub"), "1.1")), SUB)
    trace.run()
    trace.state.local = ("mine", 3)
    assert trace.state.frames == [("main", "down", None), ("sub", "s2", ("mine", 3))]


def test_two_steps_of_one_procedure_have_different_labels() -> None:
    with pytest.raises(ValueError, match="same label"):
        procedure("main", "1", step("a", note("a"), "1.1"), step("a", note("b"), "1.2"))


def test_a_procedure_returns_a_value_to_the_step_that_called_it() -> None:
    def receive(game: Trace, state: State, value: object) -> Flow:
        game.done.append(f"got {value}, beside {state.local}")
        return "z" if value else None

    def main(ending: Flow) -> Trace:
        return Trace(
            procedure(
                "main",
                "1",
                step("top", do(lambda game, state: setattr(state, "local", "mine")), "1.0"),
                step("down", call("sub", lambda game, state: "theirs", receive), "1.1"),
                step("skipped", note("skipped"), "1.2"),
                step("z", note("z"), "1.3"),
            ),
            procedure("sub", "2", step("s", note("s", ending), "2.1")),
        )

    told = main(Return((4, 2)))
    assert told.run() is None
    assert told.done == ["s", "got (4, 2), beside mine", "z"]
    silent = main(RETURN)
    assert silent.run() is None
    assert silent.done == ["s", "got None, beside mine", "skipped", "z"], "local values are not returned"


def test_a_value_is_handed_over_when_what_was_pushed_meanwhile_has_ended() -> None:
    def push_and_return(game: Trace, state: State) -> Flow:
        state.push("other")
        return Return("late")

    got: list[object] = []
    trace = Trace(
        procedure("main", "1", step("down", call("sub", None, lambda g, s, value: got.append(value)), "1.1")),
        procedure("sub", "2", step("s", do(push_and_return), "2.1")),
        procedure("other", "3", step("q", ask(Question("q")), "3.1")),
    )
    assert trace.run() == "q"
    assert got == []
    assert trace.answer("next") is None
    assert got == ["late"]


def test_rules_ask_where_the_sequence_stands() -> None:
    trace = Trace(
        procedure("main", "1", step("down", call("sub", lambda game, state: (1, 2)), "1.1")),
        procedure("sub", "2", step("q", ask(Question("q")), "2.1"), values=tuple),
    )
    trace.run()
    state = trace.state
    assert state.path() == (("main", "down"), ("sub", "q"))
    assert state.within("main") and state.within("other", "sub") and not state.within("other")
    assert state.doing("sub") and not state.doing("main")
    assert state.top(tuple) == (1, 2) and state.top(str) is None
    assert state.frame("sub", tuple) == (1, 2) and state.frame("main", tuple) is None
    state.push("sub", "at its second step", at="q")
    assert state.frame("sub", str) == "at its second step"
    trace.answer("next")
    trace.answer("next")
    assert state.over and state.path() == () and state.top(tuple) is None and not state.doing("sub")
