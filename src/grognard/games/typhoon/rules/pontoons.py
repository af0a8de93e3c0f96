"""13.2 Pontoons: bridges that their owner lays in every movement phase."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.board import Board
from grognard.games.typhoon.data import numbers


def bridges(board: Board, cell: int) -> list[int]:
    """13.2.1: the hexes to which a pontoon in a hex can lead: across a river or a major river."""
    return [
        there
        for there in board.adjacent[cell]
        if board.side_has(cell, there, "river") or board.side_has(cell, there, "major_river")
    ]


def sheets(number: str) -> str:
    """13.2.3: the sheet of a hex, by its printed number."""
    return number[0]


def why_not_place(
    board: Board, cell: int, towards: int, supplied: bool, commanded: bool, mine: Iterable[int]
) -> str | None:
    """13.2.1 to 13.2.3: why a pontoon may not be placed here, or None. `commanded` is whether a headquarters
    reaches the hex, or nobody asks (the Axis); `mine` are the hexes of the side's other pontoons."""
    if towards not in bridges(board, cell):
        return "no-river"
    if not supplied:
        return "pontoon-unsupplied"
    if not commanded:
        return "pontoon-no-hq"
    sheet = sheets(board.number(cell))
    if sum(sheets(board.number(other)) == sheet for other in mine) >= numbers()["pontoons_a_sheet"]:
        return "pontoons-used"
    return None
