"""13.2 Pontoons: bridges that their owner lays in every movement phase."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from grognard.board import Board
from grognard.board.board import bits
from grognard.games.typhoon.data import numbers


@cache
def crossings(board: Board) -> tuple[tuple[int, int], ...]:
    """13.2.1: where a pontoon can lie and to which hex it then leads: across a river or a major river."""
    found = []
    for (a, b), features in board.sides.items():
        if "river" in features or "major_river" in features:
            found += [(a, b), (b, a)]
    return tuple(sorted(found))


@cache
def banks(board: Board) -> int:
    """The hexes from which a pontoon can lead, as a set."""
    return bits(cell for cell, _ in crossings(board))


@cache
def crossings_from(board: Board) -> dict[int, tuple[int, ...]]:
    """The hexes to which a pontoon can lead from each bank."""
    found = dict[int, tuple[int, ...]]()
    for here, there in crossings(board):
        found[here] = (*found.get(here, ()), there)
    return found


@cache
def _crossing_set(board: Board) -> frozenset[tuple[int, int]]:
    return frozenset(crossings(board))


def sheet_of(board: Board, cell: int) -> str:
    """13.2.3: the sheet of a hex, by its printed number; a hex of two sheets counts on the first."""
    return board.number(cell)[0]


def full_sheets(board: Board, mine: Iterable[int]) -> set[str]:
    """13.2.3: the sheets on which a side has all the pontoons it may have; `mine` are their hexes."""
    sheets = [sheet_of(board, cell) for cell in mine]
    return {sheet for sheet in sheets if sheets.count(sheet) >= numbers()["pontoons_a_sheet"]}


def why_not_place(
    board: Board, cell: int, towards: int, supplied: bool, commanded: bool, mine: Iterable[int]
) -> str | None:
    """13.2.1 to 13.2.3: why a pontoon may not be placed here, or None. `commanded` is whether a headquarters
    reaches the hex, or nobody asks (the Axis); `mine` are the hexes of the side's other pontoons."""
    if (cell, towards) not in _crossing_set(board):
        return "no-river"
    if not supplied:
        return "pontoon-unsupplied"
    if not commanded:
        return "pontoon-no-hq"
    return "pontoons-used" if sheet_of(board, cell) in full_sheets(board, mine) else None
