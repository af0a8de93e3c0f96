"""The contract of a game: actions with two faces, questions that any tuple may be put to, chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.files import DataError
from grognard.kernel import (
    CHANCE,
    Action,
    ChanceDecision,
    Decision,
    Flow,
    Procedure,
    Refusal,
    Verb,
    ask,
    below,
    call,
    procedure,
    step,
)
from grognard.kernel.registry import UnknownGameError, game_ids, load_game
from tests.kernel.toy import GAME, TURN, Toy, ToyState

TOY = Toy()


def test_every_option_is_written_and_read_back() -> None:
    state = TOY.start("short")
    for action in TOY.options(state):
        written = TOY.encode(action)
        assert all(isinstance(word, str) for word in written)
        assert TOY.decode(written) == action


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["fly"], "unknown-verb"),
        (["walk", "9999"], "unknown-hex"),
        (["walk", ""], "unknown-hex"),
        (["take", "x"], "malformed"),
        (["take", "-1"], "malformed"),
        (["take", "1.0"], "malformed"),
        (["take", "²"], "malformed"),
        (["take", "٣"], "malformed"),
        (["take", "9" * 4400], "malformed"),
        (["take"], "malformed"),
        (["take", "1", "2"], "malformed"),
        (["take", 1], "malformed"),
        ([], "malformed"),
        (None, "malformed"),
        ("take", "malformed"),
        ({"take": 1}, "malformed"),
        ([["take"]], "malformed"),
    ],
)
def test_what_is_not_an_action_is_refused_when_read(words: Any, code: str) -> None:
    found = TOY.decode(words)
    assert isinstance(found, Refusal)
    assert found.code == code
    assert TOY.explain(found, "fr") != code


junk = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=3)
    ),
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)
near_misses = st.tuples(st.sampled_from(["take", "walk", "roll", "end", "die"]), junk)


@given(st.one_of(junk, near_misses))
def test_any_junk_is_a_fair_question(action: Any) -> None:
    state = TOY.start("short")
    before = state.fingerprint()
    reason = TOY.refuse(state, action)
    assert reason is None or reason.code
    assert (reason is None) == (
        isinstance(action, tuple) and not _has_bool(action) and action in TOY.options(state)
    )
    assert state.fingerprint() == before
    TOY.decode(action)


def _has_bool(action: tuple[Any, ...]) -> bool:
    """True == 1 for Python, not for us. Nor is 1.0 a number of counters."""
    return any(isinstance(part, (bool, float)) for part in action)


def test_options_of_a_scenario_are_checked() -> None:
    assert TOY.start("short", {"pile": 5}).pile == 5
    for wrong in ({"pile": "5"}, {"pile": 5.0}, {"quick": 1}, {"heap": 5}):
        with pytest.raises(ValueError, match="has no option"):
            TOY.start("short", wrong)
    with pytest.raises(KeyError):
        TOY.start("long")


def test_two_verbs_of_one_name_and_a_call_to_nowhere_are_refused() -> None:
    class Walk(Decision[Any, Any]):
        name, case, verbs = "walk", "1", {"walk": Verb(("number",))}

    def with_procedures(**procedures: Procedure) -> type[Toy]:
        class Other(Toy):
            pass

        Other.procedures = procedures
        return Other

    other = procedure("other", "2", step("w", ask(Walk()), "2.1"))
    with pytest.raises(ValueError, match="verb 'walk' has two meanings"):
        with_procedures(game=GAME, turn=TURN, other=other)()
    lost = procedure("lost", "2", step("down", call("nowhere"), "2.1"))
    with pytest.raises(ValueError, match="lost/down calls 'nowhere'"):
        with_procedures(game=GAME, turn=TURN, lost=lost)()


def test_chance_answers_by_the_seed_and_by_the_weights() -> None:
    class Loaded(ChanceDecision[Toy, ToyState]):
        name, case = "loaded", "1"
        verbs = {"die": Verb(("number",))}

        def weights(self, game: Toy, state: ToyState) -> list[tuple[Action, int]]:
            return [(("die", 1), 1), (("die", 2), 0), (("die", 3), 3)]

        def apply(self, game: Toy, state: ToyState, side: int, action: Action) -> Flow:
            return None

    loaded, state = Loaded(), TOY.start("short")
    rolls = []
    for n in range(400):
        assert state.draws == n
        rolls.append(TOY.roll(state, loaded, "seed")[1])
    assert rolls == [1 if below("seed", n, 4) < 1 else 3 for n in range(400)]
    assert loaded.options(TOY, state, CHANCE) == [("die", 1), ("die", 3)]
    refused = loaded.refuse(TOY, state, CHANCE, ("die", 2))
    assert refused is not None
    assert refused.code == "impossible-outcome"


def test_a_view_shows_options_only_to_the_side_that_decides() -> None:
    state = TOY.start("short")
    mine, theirs, nobodys = (TOY.view(state, side) for side in (0, 1, None))
    assert mine["options"] == [TOY.encode(a) for a in TOY.options(state)]
    assert theirs["options"] == nobodys["options"] == []
    assert mine["actor"] == theirs["actor"] == "red"
    assert mine["agenda"] == [["game", "turn"], ["turn", "act"]]


def test_a_folder_of_overrides_that_is_not_there_is_refused(tmp_path: Path) -> None:
    load_game("leningrad", tmp_path)
    with pytest.raises(DataError, match="no such folder"):
        load_game("leningrad", tmp_path / "misspelt")


def test_games_are_found_by_name() -> None:
    assert "leningrad" in game_ids()
    assert load_game("leningrad").id == "leningrad"
    with pytest.raises(UnknownGameError, match=r"no game 'chess'; there are: .*leningrad"):
        load_game("chess")
