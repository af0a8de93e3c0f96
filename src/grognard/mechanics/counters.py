"""Reading counters from a game's files."""

from __future__ import annotations

from collections.abc import Collection

from grognard.board import Board
from grognard.files import Row
from grognard.hexes import UnknownHexError


def land_hex(board: Board, row: Row, number: str, water: Collection[str]) -> int:
    """The hex of this number, where a unit may stand: an error of its row if there is none, or no ground."""
    try:
        cell = board.cell(number)
    except UnknownHexError as error:
        raise row.error(str(error)) from None
    if board.info[cell].terrain in water:
        raise row.error(f"hex {number} is water")
    return cell
