"""The orders of battle read as positions: who stands where when a scenario begins, who owns the ground, and
which stacks are legal (rule 8). The rules of the game are not written yet; this needs none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

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
NOT_STACKED = frozenset({"positional AA", "port fortification", "truck", "LVT", "APC", "pipeline"})
"""Types that do not count for stacking (8A, 14J, 15E)."""


class Limit(NamedTuple):
    """How much may stack in a hex (8A)."""

    units: int
    non_divisional: int
    artillery: int


@cache
def books() -> Mapping[str, Table]:
    return read_tables(Folder(GAME / "oob"))


@cache
def charts() -> Mapping[str, Table]:
    return read_tables(Folder(GAME / "tables"))


@cache
def board() -> Board:
    return load_board(Folder(GAME / "map"))


def turns() -> dict[Value, int]:
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


def limit(terrain: str) -> Limit:
    row = charts()["stacking"].find("mountain" if terrain == "mountain" else "regular")
    return Limit(*(int(str(row[c])) for c in ("units_any", "re_non_divisional", "re_artillery")))


def may_stack(terrain: str, units: Iterable[Record]) -> bool:
    """Whether units of one side may all stand in a hex of that terrain (8A1, 8A2). Artillery takes its own
    room first: one divisional unit, or regiments up to the limit; the largest units then take the room for
    any unit."""
    most = limit(terrain)
    room = Fraction(most.artillery)
    others: list[Record] = []
    counted = [unit for unit in units if unit["type"] not in NOT_STACKED]
    for unit in sorted(counted, key=_size, reverse=True):
        if unit["class"] != "artillery":
            others.append(unit)
        elif _divisional(unit) and room == most.artillery and terrain != "mountain":
            room = Fraction(0)
        elif not _divisional(unit) and _size(unit) <= room:
            room -= _size(unit)
        else:
            others.append(unit)
    others.sort(key=lambda unit: (_divisional(unit), _size(unit)), reverse=True)
    rest = others[most.units :]
    return not any(map(_divisional, rest)) and sum(map(_size, rest), Fraction(0)) <= most.non_divisional


def _size(unit: Record) -> Fraction:
    re = unit["re"]
    assert isinstance(re, int | Fraction)
    return Fraction(re)


def _divisional(unit: Record) -> bool:
    return unit["size"] == "XX"
