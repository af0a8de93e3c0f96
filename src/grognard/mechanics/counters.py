"""Counters: read from a game's files, and shown on the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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


def printed(game: Any, index: int, language: str, faces: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """What is printed on a counter of any game: `faces` are the numbers of each side of it, movement apart; a
    game adds nations, corps and ways of entry."""
    unit = game.units[index]
    movement = game.points.text(unit.movement)
    return {
        "side": game.sides[game.side(index)],
        "name": unit.names[language],
        "kind": unit.kind,
        "size": unit.size,
        "movement": movement,
        "faces": [[*map(str, numbers), movement] for numbers in faces],
        "turn": unit.turn,
        "provenance": {"kind": unit.provenance.kind.value, "source": unit.provenance.source},
    }


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
