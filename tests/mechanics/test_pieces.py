"""Places as one space of numbers, and pieces that are put there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.hexes import UnknownHexError
from grognard.mechanics.pieces import DEAD, TO_COME, OrderedPieces, Pieces, Places, aboard, box, status
from tests.mechanics.boards import small_board

BOARD = small_board(3, 3)
UNITS = ("a", "b", "ship", "x", "y")
SHIP = 2
PLACES = Places(BOARD, ("england", "pool"), UNITS)
A, B = BOARD.cell("0101"), BOARD.cell("0202")
EVERYWHERE = [*BOARD.cells, TO_COME, DEAD, box(0), box(1), *(aboard(u) for u in range(len(UNITS)))]


def test_every_place_is_listed_once() -> None:
    assert sorted(PLACES.every()) == sorted(EVERYWHERE)


@pytest.mark.parametrize("place", EVERYWHERE)
def test_every_place_has_a_name_and_is_found_by_it(place: int) -> None:
    assert PLACES.exists(place)
    assert PLACES.read(PLACES.write(place)) == place


def test_places_are_written_as_people_say_them() -> None:
    assert [PLACES.write(p) for p in (A, box(0), aboard(SHIP), TO_COME, DEAD)] == [
        "0101",
        "box:england",
        "aboard:ship",
        "to-come",
        "dead",
    ]
    assert [status(p) for p in (A, box(1), aboard(SHIP), TO_COME, DEAD)] == [
        "on-map",
        "in-box",
        "aboard",
        "to-come",
        "dead",
    ]


def test_what_is_no_place_is_refused() -> None:
    with pytest.raises(KeyError):
        PLACES.read("box:africa")
    with pytest.raises(KeyError):
        PLACES.read("aboard:nobody")
    with pytest.raises(UnknownHexError):
        PLACES.read("9999")
    assert not PLACES.exists(box(2))
    assert not PLACES.exists(aboard(len(UNITS)))
    with pytest.raises(ValueError):
        Places(BOARD, ("twice", "twice"))


def test_cargo_goes_where_its_carrier_goes_and_occupies_nothing() -> None:
    pieces = Pieces((3, 2))
    pieces.place(SHIP, A)
    pieces.place(0, aboard(SHIP))
    assert pieces.cell(0) == A
    pieces.place(SHIP, B)
    assert (pieces.cell(0), pieces.where[0]) == (B, aboard(SHIP))
    assert pieces.cargo(SHIP) == [0]
    assert pieces.stack(B) == [SHIP]
    assert pieces.occupied == [1 << B, 0]
    pieces.place(SHIP, box(0))
    assert pieces.cell(0) == -1
    assert pieces.occupied == [0, 0]


def test_a_side_stands_on_a_hex_until_its_last_unit_leaves_whoever_else_is_there() -> None:
    pieces = Pieces((3, 2))
    for unit in (0, 1, 3):
        pieces.place(unit, A)
    pieces.place(0, B)
    assert pieces.occupied == [1 << A | 1 << B, 1 << A]
    pieces.place(1, DEAD)
    assert pieces.occupied == [1 << B, 1 << A]
    assert pieces.height(A) == 1


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([A, B, TO_COME, DEAD, box(0), aboard(SHIP)]))))
def test_what_is_kept_in_step_is_what_counting_finds(moves: list[tuple[int, int]]) -> None:
    pieces = OrderedPieces((3, 2))
    copies = []
    for unit, place in moves:
        if place == aboard(unit):
            continue
        copies.append((pieces.clone(), pieces.fingerprint()))
        pieces.place(unit, place)
    for place in (A, B, box(0), aboard(SHIP)):
        here = [u for u in range(5) if pieces.where[u] == place]
        assert sorted(pieces.stack(place)) == here
        assert pieces.height(place) == len(here)
    for side, units in enumerate((range(3), range(3, 5))):
        assert pieces.occupied[side] == sum(1 << c for c in {pieces.where[u] for u in units} if c >= 0)
    # Copies share nothing with the position that went on.
    assert all(copy.fingerprint() == print_ for copy, print_ in copies)


def test_the_last_to_come_lies_on_top_and_a_stack_can_be_laid_anew() -> None:
    pieces = OrderedPieces((3, 2))
    for unit in (1, 0, 2):
        pieces.place(unit, A)
    assert pieces.stack(A) == [1, 0, 2]
    before = pieces.fingerprint()
    pieces.reorder(A, (2, 1, 0))
    assert pieces.stack(A) == [2, 1, 0]
    assert pieces.fingerprint() != before
    with pytest.raises(ValueError):
        pieces.reorder(A, (2, 1))
