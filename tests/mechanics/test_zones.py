"""Zones of control against a plain version."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board import Board, HexInfo
from grognard.board.board import bits, each
from grognard.mechanics.zones import open_sides, zone
from tests.mechanics.boards import TEST, real_country, small_board, subset

SOME = settings(max_examples=60, deadline=None)


@st.composite
def shores(draw: st.DrawFn) -> Board:
    """A board with water hexes, and water or rivers along some sides."""
    plain = small_board(draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    random = Random(draw(st.integers(0, 9999)))
    terrains = ("clear", "clear", "clear", "sea", "lake")
    hexes = {
        plain.axial(c): HexInfo(plain.number(c), random.choice(terrains), frozenset(), {}, TEST)
        for c in plain.cells
    }
    sides: list[Any] = [
        (plain.axial(a), plain.axial(b), random.choice(("sea", "lake", "river")), {}, TEST)
        for a in plain.cells
        for b in plain.adjacent[a]
        if a < b and random.random() < 0.4
    ]
    return Board(plain.numbering, hexes, sides, {})


def plainly(board: Board, occupied: set[int]) -> set[int]:
    water = ("sea", "lake")
    return {
        b
        for a in occupied
        for b in board.adjacent[a]
        if board.info[a].terrain not in water
        and board.info[b].terrain not in water
        and not any(board.side_has(a, b, feature) for feature in water)
    }


@SOME
@given(shores(), st.data())
def test_a_zone_is_every_neighbour_not_across_water(board: Board, data: st.DataObject) -> None:
    occupied = subset(data, board)
    crossing = open_sides(board, "sea", "lake")
    assert set(each(zone(board, crossing, bits(occupied)))) == plainly(board, occupied)


@cache
def real_crossing() -> tuple[int, ...]:
    return open_sides(real_country().board, "sea", "lake")


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_zone_is_every_neighbour_not_across_water_on_a_real_map(data: st.DataObject) -> None:
    board = real_country().board
    occupied = subset(data, board)
    assert set(each(zone(board, real_crossing(), bits(occupied)))) == plainly(board, occupied)
