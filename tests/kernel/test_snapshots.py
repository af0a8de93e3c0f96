"""Taking back over many answers, and matches that go on from a snapshot."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest

from grognard.files.dumps import load
from grognard.kernel import Match, Snapshot, State
from grognard.kernel.trail import EVERY
from tests.kernel.toy import Toy, ToyState

GAME = Toy()


def fresh() -> Match[ToyState]:
    return Match(GAME, "short", seed="7")


def walk(match: Match[ToyState], answers: int) -> list[tuple[str, int, int]]:
    """Answers that can be taken back, and what the match was before each."""
    random = Random("walk")
    places = []
    for _ in range(answers):
        side = GAME.actor(match.state)
        assert side is not None
        options = [option for option in GAME.options(match.state) if option[0] == "walk"]
        places.append((match.state.fingerprint(), match.length, len(match.log)))
        assert match.act(side, random.choice(options)) is None
    return places


def test_long_trails_are_taken_back_from_few_copies() -> None:
    match = fresh()
    places = walk(match, 5 * EVERY + 3)
    assert len(match._trail.copies) == 6
    for place in reversed(places):
        assert match.undo()
        assert (match.state.fingerprint(), match.length, len(match.log)) == place
    assert not match.undo()
    for _ in places:
        assert match.redo()
    assert not match.redo()


def test_a_match_forgets_its_beginning() -> None:
    match, whole = fresh(), fresh()
    for each in (match, whole):
        assert each.act(0, ("roll",)) is None
    taken = match.snapshot()
    for each in (match, whole):
        walk(each, 3)
    match.forget(taken)
    assert (match.length, match.moment, match.log_length) == (whole.length, whole.moment, whole.log_length)
    assert len(match.journal) == 3 and match.before.state == b""
    assert match.version((0,)) == whole.version((0,))
    assert match.undo() and whole.undo()
    assert match.written(match.before.length) == whole.written(match.before.length)
    walk(match, 2)
    assert match.kept == 0


def test_what_could_be_taken_back_is_not_forgotten() -> None:
    match = fresh()
    walk(match, 2)
    taken = match.snapshot()
    walk(match, 2)
    match.forget(taken)
    assert len(match.journal) == 4
    for _ in range(4):
        assert match.undo()


class Wicked:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("read",)


@pytest.mark.parametrize("value", [Wicked(), {"a": 1}, Snapshot(0, 0, b"", 0, b""), print, (1, Wicked())])
def test_nothing_but_positions_is_read(value: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(pickle.UnpicklingError):
        load(pickle.dumps(value), State)
    assert not capsys.readouterr().out
