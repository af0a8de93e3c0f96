"""Positions: copies, fingerprints, and the one text that stands for a value."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.kernel import State
from grognard.kernel.state import canonical
from tests.kernel.toy import Toy

plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary(max_size=4)),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


def same(a: Any, b: Any) -> bool:
    """Equality that keeps True apart from 1."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and bool(a == b)


@given(plain, plain)
def test_two_values_have_the_same_text_only_if_they_are_the_same(a: Any, b: Any) -> None:
    assert (canonical(a) == canonical(b)) == same(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (("a", "b"), ("a','b",)),
        (("a','b",), ("a", "b")),
        ((b"\x12",), (12,)),
        (("", ""), ("','",)),
        ((1, 23), (12, 3)),
        (((), ()), ((),)),
        ((True,), (1,)),
        (("1",), (1,)),
        ((None,), ("None",)),
    ],
)
def test_values_that_print_alike_are_told_apart(a: Any, b: Any) -> None:
    assert canonical(a) != canonical(b)


class Pair(NamedTuple):
    left: int
    right: int


def test_named_tuples_lists_and_byte_arrays_count_as_what_they_hold() -> None:
    assert canonical(Pair(1, 2)) == canonical((1, 2)) == canonical([1, 2])
    assert canonical(bytearray(b"ab")) == canonical(b"ab")


@pytest.mark.parametrize("value", [object(), {1}, {"a": 1}, 1.5, frozenset(), len, State(), (1, (2, {3}))])
def test_a_state_holds_plain_values_only(value: Any) -> None:
    with pytest.raises(TypeError, match="plain values only"):
        canonical(value)


def test_a_known_fingerprint() -> None:
    """Saves carry fingerprints: the same position must have the same one in every version."""
    state = State()
    state.frames = [("game", "turn", None), ("turn", "act", (1, "zwei", (True, b"\x00\xff")))]
    state.draws = 3
    assert state.fingerprint() == "e0ec0d2072cddb23122fa2b1c64581dd"


def test_everything_in_the_position_counts() -> None:
    state = State()
    state.frames = [("game", "turn", None)]
    prints = {state.fingerprint()}
    state.draws = 1
    prints.add(state.fingerprint())
    state.local = 5
    prints.add(state.fingerprint())
    state.frames.append(("turn", "act", None))
    prints.add(state.fingerprint())
    assert len(prints) == 4


def test_the_log_is_not_part_of_the_position() -> None:
    game = Toy()
    quiet, noisy = game.start("short"), game.start("short", None, [])
    game.apply(quiet, ("take", 1))
    game.apply(noisy, ("take", 1))
    assert quiet.log is None
    assert noisy.log
    assert quiet.fingerprint() == noisy.fingerprint()


def test_a_copy_has_no_log_and_shares_nothing_that_changes() -> None:
    game = Toy()
    state = game.start("short", None, [])
    before, events = state.fingerprint(), len(state.log or [])
    copy = state.clone()
    assert copy.fingerprint() == before
    assert copy.log is None
    game.apply(copy, ("take", 2))
    game.apply(copy, ("end",))
    assert copy.fingerprint() != before
    assert (state.fingerprint(), len(state.log or [])) == (before, events)
