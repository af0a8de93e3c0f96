"""The orders of battle read as positions: who stands where at the start, and who owns the ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from grognard.board import load_board
from grognard.board.board import Board
from grognard.files import Folder
from grognard.files.schema import Record, Table, Value, read_tables

GAME = Path(__file__).parent
LAND = {"Axis": "axis_land", "Allied": "allied_land"}
STARTS = {"Jul I 43": "jul43", "Apr I 44": "apr44"}
"""The first turn of each start date, and how the columns of its set-up begin."""

OFF_MAP = frozenset({"garrison", "forming", "counter pool"})
"""Set-up states that keep a unit off the map: garrisons stay in their boxes until activated (37E)."""


@cache
def books() -> Mapping[str, Table]:
    return read_tables(Folder(GAME / "oob"))


@cache
def charts() -> Mapping[str, Table]:
    return read_tables(Folder(GAME / "tables"))


@cache
def board() -> Board:
    return load_board(Folder(GAME / "map"))


@cache
def turns() -> Mapping[Value, int]:
    """The number of each turn by its name."""
    return {turn["name"]: number for number, turn in enumerate(charts()["calendar"].records, 1)}


def on_map(start: str, side: str) -> Iterator[tuple[str, Record]]:
    """The land units of a side that begin on the map, with their hexes."""
    columns = STARTS[start]
    for unit in books()[LAND[side]].records:
        hex_ = unit[f"{columns}_hex"]
        if hex_ and unit.values.get(f"{columns}_status") not in OFF_MAP:
            yield str(hex_), unit


def stacks(start: str) -> dict[str, dict[str, list[Record]]]:
    """The land units by hex and side."""
    found: dict[str, dict[str, list[Record]]] = {}
    for side in LAND:
        for hex_, unit in on_map(start, side):
            found.setdefault(hex_, {}).setdefault(side, []).append(unit)
    return found


def owners(start: str) -> dict[str, str]:
    """Who owns each land hex when a scenario begins: Allied, Axis or neutral (41B)."""
    ground = board()
    found: dict[str, str] = {}
    rows = [row for row in books()["ownership"].records if row["start"] == start]
    for cell in ground.cells:
        info = ground.info[cell]
        if info.terrain in ("sea", "lake"):
            continue
        number = ground.number(cell)
        found[number] = "Axis"
        for row in rows:
            if row["place"] == number or row["place"] in info.features:
                found[number] = str(row["owner"])
    return found
