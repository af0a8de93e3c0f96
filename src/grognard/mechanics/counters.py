"""Counters: read from a game's files, and shown on the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from grognard.board import Board
from grognard.files import Row
from grognard.hexes import UnknownHexError
from grognard.kernel import Game
from grognard.kernel.table import ON_MAP, UnitView


def land_hex(board: Board, row: Row, number: str, water: Collection[str]) -> int:
    """The hex of this number, where a unit may stand: an error of its row if there is none, or no ground."""
    try:
        cell = board.cell(number)
    except UnknownHexError as error:
        raise row.error(str(error)) from None
    if board.info[cell].terrain in water:
        raise row.error(f"hex {number} is water")
    return cell


def shown_unit(game: Game[Any], unit: int, side: int, cell: int, off_map: Mapping[int, str]) -> UnitView:
    """What every game shows of a unit; it adds numbers and badges of its own. `off_map` is the status of a
    unit that is on no hex, by its place."""
    counter = game.units[unit]
    return {
        "id": counter.id,
        "side": game.sides[side],
        "kind": counter.kind,
        "hex": game.board.number(cell) if cell >= 0 else None,
        "status": off_map.get(cell, ON_MAP),
        "badges": [],
    }
