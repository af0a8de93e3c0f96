"""Records as Parquet tables, one file each: games, turns, combats, units, front, events.

The lines are in the order of the games' numbers and of what happened in them, so that two batches of equal
games give equal tables, whoever played them and in whatever order they ended.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from grognard.lab.record import DIGITS, NOBODY, Record

Table: TypeAlias = Any
"""A pyarrow table; the package brings no types of its own."""

TABLES = ("games", "turns", "combats", "units", "front", "events")
GAMES_A_GROUP = 50
"""How many games share a row group: enough for compression, few enough for memory."""

_WORD = pa.dictionary(pa.int16(), pa.string())


def schema(name: str, sides: Sequence[str]) -> Any:
    """The columns of a table. What each side has of its own in `games` has one column a side."""
    fields: dict[str, list[tuple[str, Any]]] = {
        "games": [
            ("game", pa.int32()),
            ("seed", pa.string()),
            *((f"player_{side}", pa.string()) for side in sides),
            ("winner", pa.string()),
            ("level", pa.string()),
            *((f"points_{side}", pa.int32()) for side in sides),
            ("turns", pa.int16()),
            ("decisions", pa.int32()),
            ("hash", pa.string()),
            ("seconds", pa.float64()),
            *(
                field
                for side in sides
                for field in ((f"longest_turn_{side}", pa.int16()), (f"longest_seconds_{side}", pa.float64()))
            ),
        ],
        "turns": [
            ("game", pa.int32()),
            ("turn", pa.int16()),
            ("side", _WORD),
            ("points", pa.int32()),
            ("units_on_map", pa.int16()),
            ("units_alive", pa.int16()),
            ("units_lost", pa.int16()),
            ("steps", pa.int32()),
            ("attack", pa.int32()),
            ("defence", pa.int32()),
            ("units_unknown", pa.int16()),
        ],
        "combats": [
            ("game", pa.int32()),
            ("number", pa.int16()),
            ("turn", pa.int16()),
            ("attacker", _WORD),
            ("kind", _WORD),
            ("hex", _WORD),
            ("attackers", pa.int16()),
            ("defenders", pa.int16()),
            ("attack", pa.int32()),
            ("defence", pa.int32()),
            ("odds_initial", _WORD),
            ("shift", pa.int16()),
            ("shifts", pa.string()),
            ("odds", _WORD),
            ("die", pa.int16()),
            ("result", _WORD),
            ("table", _WORD),
            ("column", _WORD),
            ("row", _WORD),
            ("dice", _WORD),
        ],
        "units": [
            ("game", pa.int32()),
            ("unit", _WORD),
            ("side", _WORD),
            ("arrival", pa.int16()),
            ("survived", pa.bool_()),
            ("died", pa.int16()),
        ],
        "front": [
            ("game", pa.int32()),
            ("turn", pa.int16()),
            ("hex", _WORD),
            ("holder", pa.dictionary(pa.int8(), pa.string())),
            ("units", pa.int8()),
        ],
        "events": [("game", pa.int32()), ("event", _WORD), ("turn", pa.int16())],
    }
    return pa.schema(fields[name])


class Layout:
    """What all tables of a batch have in common."""

    def __init__(self, sides: Sequence[str], hexes: Sequence[str]) -> None:
        self.sides, self.hexes = tuple(sides), tuple(hexes)

    def lines(self, name: str, record: Record) -> list[tuple[Any, ...]]:
        """The lines that one game adds to a table (the front has its own way)."""
        number = record["number"]
        if name == "games":
            game = record["game"]
            return [
                (
                    *(number, game["seed"], *game["players"], game["winner"], game["level"], *game["points"]),
                    *(game["turns"], game["decisions"], game["hash"], game["seconds"], *game["longest"]),
                )
            ]
        if name == "combats":
            return [(number, place, *line) for place, line in enumerate(record["combats"], 1)]
        if name == "units":
            return [(number, *line[:3], line[3] is None, line[3]) for line in record["units"]]
        return [(number, *line) for line in record[name]]

    def table(self, name: str, records: Sequence[Record]) -> Table:
        """One table of some games."""
        wanted = schema(name, self.sides)
        if name == "front":
            return self._front(wanted, records)
        lines = [line for record in records for line in self.lines(name, record)]
        columns = list(zip(*lines, strict=True)) or [()] * len(wanted)
        arrays = [
            pa.array(column, field.type.value_type).dictionary_encode().cast(field.type)
            if pa.types.is_dictionary(field.type)
            else pa.array(column, field.type)
            for column, field in zip(columns, wanted, strict=True)
        ]
        return pa.Table.from_arrays(arrays, schema=wanted)

    def _front(self, wanted: Any, records: Sequence[Record]) -> Table:
        """A line for each hex, turn and game. There are millions: made of whole columns, not of lines."""
        games, turns, hexes, holders, units = array("i"), array("h"), array("h"), array("b"), array("b")
        every = array("h", range(len(self.hexes)))
        code = {NOBODY: -1, **{DIGITS[side]: side for side in range(len(self.sides))}}
        height = {digit: value for value, digit in enumerate(DIGITS)}
        for record in records:
            for turn, held, stacks in record["front"]:
                games.extend(array("i", [record["number"]]) * len(every))
                turns.extend(array("h", [turn]) * len(every))
                hexes.extend(every)
                holders.extend(map(code.__getitem__, held))
                units.extend(map(height.__getitem__, stacks))
        nobody = pa.array([side < 0 for side in holders], pa.bool_())
        held_by = pa.DictionaryArray.from_arrays(
            pa.array([max(side, 0) for side in holders], pa.int8()),
            pa.array(self.sides, pa.string()),
        )
        null = pa.scalar(None, held_by.type)
        arrays = [
            pa.array(games, pa.int32()),
            pa.array(turns, pa.int16()),
            pa.DictionaryArray.from_arrays(pa.array(hexes, pa.int16()), pa.array(self.hexes, pa.string())),
            pc.if_else(nobody, null, held_by),
            pa.array(units, pa.int8()),
        ]
        return pa.Table.from_arrays(arrays, schema=wanted)


def write_tables(folder: Path, layout: Layout, records: Iterable[Record], keep: int = 0) -> None:
    """All tables of a batch, from its records in the order of their numbers; `keep` puts them behind the
    first so many that are there. Files appear when they are whole."""
    with ExitStack() as stack:
        writers = {
            name: stack.enter_context(
                pq.ParquetWriter(folder / f"{name}.new", schema(name, layout.sides), compression="zstd")
            )
            for name in TABLES
        }
        for name, writer in writers.items() if keep else ():
            old = pq.ParquetFile(folder / f"{name}.parquet")
            for number in range(old.num_row_groups):
                group = old.read_row_group(number).cast(schema(name, layout.sides))
                # After a kill between two files, some may hold games that others do not.
                writer.write_table(group.filter(pc.less(group["game"], keep)))
        for some in _groups(records, GAMES_A_GROUP):
            for name, writer in writers.items():
                writer.write_table(layout.table(name, some))
    # `games` comes last: whoever finds it finds the others too.
    for name in (*TABLES[1:], TABLES[0]):
        (folder / f"{name}.new").replace(folder / f"{name}.parquet")


def _groups(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    group: list[Record] = []
    for record in records:
        group.append(record)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def read(folder: Path, name: str, columns: Sequence[str] | None = None) -> Table:
    return pq.read_table(folder / f"{name}.parquet", columns=None if columns is None else list(columns))
