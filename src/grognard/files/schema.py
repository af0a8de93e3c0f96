"""Tables that are declared instead of programmed.

A folder of tables may hold a `schema.toml` that says of each of them what it is; one reader then reads them
all. A declaration names the key, the columns and what must hold between the rows:

    [naval_gunnery]
    key = ["column", "modified_die"]
    complete = ["column", "modified_die"]
    rising = [{ column = "result", along = "modified_die", ladder = ["miss", "hit"] }]
    columns.column = "integer 1,2,3,5,7,10"
    columns.modified_die = "integer -3..8"
    columns.result = "choice miss | hit"

Columns are `integer` and `number` (2, 2.5, 1/2) with a range or a list, `choice` with its words, `like` with
a pattern, `of table.column` for the text of a value in another table, and `text`. A question mark after the
kind lets a cell be empty; `or a | b` at the end allows words in place of the value.

- `complete`: every combination of the values of these columns has its row. A row with a word in place of a
  value lies outside the grid.
- `rising`, `falling`: a column never falls (rises) along another one, all other key columns being equal; a
  `ladder` puts words in order, and words without a ladder stand below every number.
- `bands`: each row begins where the one before it ends, and the last has no end.

The columns `provenance` and `source` belong to every table. If there is a `given.csv` (table, row, column,
value, source), it holds the cells that are known from outside: only a player's own table may differ.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from grognard.files.tables import DataError, Folder, Provenance, Row, read_settings, read_table

SCHEMA, GIVEN = "schema.toml", "given.csv"
GIVEN_COLUMNS = ("table", "row", "column", "value", "source")

Value = int | Fraction | str | None

_COLUMN = re.compile(r"(integer|number|choice|like|of|text)(\?)?(?: (.*?))?(?: or (.+))?")
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")


class Column(NamedTuple):
    """What may stand in a column."""

    kind: str
    optional: bool = False
    low: int = 0
    high: int = 0
    listed: tuple[str, ...] = ()
    """The words of a choice, or the numbers of a list."""
    detail: str = ""
    """A pattern, or the table and column that a value must be found in."""
    words: tuple[str, ...] = ()
    """Words that may stand in place of the value."""

    def domain(self, tables: Mapping[str, Table]) -> list[Value]:
        """All values that a complete table has rows for, in their order."""
        if self.kind == "of":
            name, column = self.detail.split(".")
            return list(dict.fromkeys(record[column] for record in tables[name].records))
        if self.kind == "choice":
            return list(self.listed)
        if self.kind in ("integer", "number"):
            numbers = [int(n) for n in self.listed] or list(range(self.low, self.high + 1))
            return [n if self.kind == "integer" else Fraction(n) for n in numbers]
        raise ValueError(f"a column of kind {self.kind!r} has no list of values")


@dataclass(frozen=True)
class Record:
    """A row whose cells have been read."""

    row: Row
    values: Mapping[str, Value]
    provenance: Provenance

    def __getitem__(self, column: str) -> Value:
        return self.values[column]


@dataclass(frozen=True)
class Table:
    name: str
    key: tuple[str, ...]
    columns: Mapping[str, Column]
    records: tuple[Record, ...]

    @cached_property
    def by_key(self) -> Mapping[tuple[Value, ...], Record]:
        return {self.identity(record): record for record in self.records}

    def find(self, *key: Value) -> Record:
        """The record of a key; KeyError if there is none."""
        return self.by_key[key]

    def identity(self, record: Record) -> tuple[Value, ...]:
        return tuple(record[column] for column in self.key)


def declared_folders(folder: Folder) -> list[Folder]:
    """The folders directly under one whose tables are declared."""
    return [folder.sub(path.parent.name) for path in sorted(folder.base.glob(f"*/{SCHEMA}"))]


def declared_keys(folder: Folder) -> dict[str, tuple[str, ...]]:
    """The key columns of every declared table."""
    return {name: tuple(table["key"]) for name, table in read_settings(folder, SCHEMA).data.items()}


def read_tables(folder: Folder) -> dict[str, Table]:
    """All declared tables, or the first thing that is wrong with them."""
    tables, problems = _read(folder)
    if problems:
        raise problems[0]
    return tables


def check_tables(folder: Folder) -> list[DataError]:
    """Everything that is wrong with the declared tables of a folder."""
    return _read(folder)[1]


def _read(folder: Folder) -> tuple[dict[str, Table], list[DataError]]:
    try:
        schema = read_settings(folder, SCHEMA)
        declared = {name: _columns(schema.file, name, table) for name, table in schema.data.items()}
        _check_references(schema.file, declared)
    except DataError as error:
        return {}, [error]
    undeclared = {path.stem for path in folder.base.glob("*.csv") if path.name != GIVEN} - declared.keys()
    problems = [
        DataError(folder.label(f"{name}.csv"), None, f"the table is not declared in {SCHEMA}")
        for name in sorted(undeclared)
    ]
    tables: dict[str, Table] = {}
    for name, columns in declared.items():
        key = tuple(schema.data[name]["key"])
        try:
            rows = read_table(folder, f"{name}.csv", [*columns, "provenance", "source"], key)
        except DataError as error:
            problems.append(error)
            continue
        tables[name] = Table(name, key, columns, tuple(_records(rows, columns, problems)))
    if problems:
        return tables, problems
    problems += _references(tables)
    for name, table in tables.items():
        problems += _rules(folder, schema.data[name], table, tables)
    if (folder.base / GIVEN).is_file():
        problems += _given(folder, tables)
    return tables, problems


# Declarations


def _columns(file: str, name: str, table: Mapping[str, Any]) -> dict[str, Column]:
    unknown = table.keys() - {"key", "columns", "complete", "rising", "falling", "bands"}
    if unknown:
        raise DataError(file, None, f"table {name}: unknown declaration {min(unknown)!r}")
    columns = {column: _column(file, f"{name}.{column}", text) for column, text in table["columns"].items()}
    for column in [*table["key"], *table.get("complete", ())]:
        if column not in columns:
            raise DataError(file, None, f"table {name}: there is no column {column!r}")
    return columns


def _column(file: str, place: str, text: str) -> Column:
    found = _COLUMN.fullmatch(text)
    if found is None:
        raise DataError(file, None, f"{place}: {text!r} declares no column")
    kind, optional, detail, words = found[1], bool(found[2]), found[3] or "", found[4]
    column = Column(kind, optional, words=_split(words, "|") if words else ())
    if (kind == "text") == bool(detail):
        raise DataError(file, None, f"{place}: {text!r} declares no column")
    if kind == "choice":
        return column._replace(listed=_split(detail, "|"))
    if kind in ("like", "of"):
        return column._replace(detail=detail)
    if kind == "text":
        return column
    if limits := _RANGE.fullmatch(detail):
        return column._replace(low=int(limits[1]), high=int(limits[2]))
    listed = _split(detail, ",")
    if not all(re.fullmatch(r"-?[0-9]+", number) for number in listed):
        raise DataError(file, None, f"{place}: {detail!r} is neither a range nor a list of numbers")
    return column._replace(listed=listed)


def _split(text: str, separator: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(separator))


def _check_references(file: str, declared: Mapping[str, Mapping[str, Column]]) -> None:
    for name, columns in declared.items():
        for column in columns.values():
            table, _, other = column.detail.partition(".")
            if column.kind == "of" and other not in declared.get(table, {}):
                raise DataError(file, None, f"table {name}: there is no column {column.detail}")


# Cells


def _records(
    rows: Iterable[Row], columns: Mapping[str, Column], problems: list[DataError]
) -> Iterator[Record]:
    for row in rows:
        try:
            values = {name: _value(row, name, column) for name, column in columns.items()}
            yield Record(row, values, row.provenance())
        except DataError as error:
            problems.append(error)


def _value(row: Row, name: str, column: Column) -> Value:
    text = row.cells[name].strip()
    if not text and column.optional:
        return None
    if text in column.words:
        return text
    if column.kind == "integer" and not column.listed:
        return row.integer(name, column.low, column.high)
    if column.kind == "number" and not column.listed:
        number = _number(text)
        if number is None or not column.low <= number <= column.high:
            reason = f"column {name!r} should be a number from {column.low} to {column.high}, not {text!r}"
            raise row.error(reason, name)
        return number
    if column.listed:
        word = row.choice(name, column.listed)
        return word if column.kind == "choice" else int(word) if column.kind == "integer" else Fraction(word)
    if column.kind == "like" and not re.fullmatch(column.detail, text):
        raise row.error(f"column {name!r} should look like {column.detail}, not {text!r}", name)
    return row.text(name)


def _number(text: str) -> Fraction | None:
    return Fraction(text) if re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,3}|/[1-9][0-9]?)?", text) else None


# Between rows


def _references(tables: Mapping[str, Table]) -> Iterator[DataError]:
    for table in tables.values():
        for name, column in table.columns.items():
            if column.kind != "of":
                continue
            allowed = {*map(str, column.domain(tables)), *column.words}
            for record in table.records:
                if record[name] is not None and record[name] not in allowed:
                    reason = f"column {name!r}: {record[name]!r} is not in {column.detail}"
                    yield record.row.error(reason, name)


def _rules(
    folder: Folder, declared: Mapping[str, Any], table: Table, tables: Mapping[str, Table]
) -> Iterator[DataError]:
    if grid := declared.get("complete"):
        there = {tuple(record[column] for column in grid) for record in table.records}
        for combination in itertools.product(*(table.columns[column].domain(tables) for column in grid)):
            if combination not in there:
                row = "/".join(map(str, combination))
                yield DataError(folder.label(f"{table.name}.csv"), None, f"the row {row} is missing")
    for way in ("rising", "falling"):
        for rule in declared.get(way, ()):
            yield from _steps(rule, table, tables, 1 if way == "rising" else -1)
    if bands := declared.get("bands"):
        yield from _bands(bands["from"], bands["below"], table)


def _steps(
    rule: Mapping[str, Any], table: Table, tables: Mapping[str, Table], sign: int
) -> Iterator[DataError]:
    column, along = rule["column"], rule["along"]
    order = {value: place for place, value in enumerate(table.columns[along].domain(tables))}
    ladder = rule.get("ladder", ())

    def rank(record: Record) -> Fraction:
        value = record[column]
        if isinstance(value, str):
            return Fraction(ladder.index(value) if value in ladder else -(10**6))
        return Fraction(value if value is not None else 0)

    for group in _groups(table, along):
        inside = sorted((r for r in group if r[along] in order), key=lambda r: order[r[along]])
        for one, other in itertools.pairwise(inside):
            if sign * (rank(other) - rank(one)) < 0:
                words = f"{other[column]} follows {one[column]} along {along!r}"
                yield other.row.error(f"column {column!r} goes the wrong way: {words}", column)


def _bands(start: str, end: str, table: Table) -> Iterator[DataError]:
    for group in _groups(table, start):
        for one, other in itertools.pairwise([*group, None]):
            if one is not None and one[end] != (other[start] if other is not None else None):
                yield one.row.error(f"column {end!r}: the next row does not begin where this one ends", end)


def _groups(table: Table, without: str) -> list[list[Record]]:
    """The records that differ in one column of the key only."""
    groups: dict[tuple[Value, ...], list[Record]] = {}
    for record in table.records:
        groups.setdefault(tuple(record[c] for c in table.key if c != without), []).append(record)
    return list(groups.values())


def _given(folder: Folder, tables: Mapping[str, Table]) -> Iterator[DataError]:
    cells = {
        (table.name, "/".join(record.row.cells[c].strip() for c in table.key)): record
        for table in tables.values()
        for record in table.records
    }
    for row in read_table(folder, GIVEN, GIVEN_COLUMNS, GIVEN_COLUMNS[:3]):
        name, where, column, value = (row.cells[c].strip() for c in GIVEN_COLUMNS[:4])
        record = cells.get((name, where))
        if record is None or column not in record.values:
            yield row.error(f"there is no cell {where} {column} in {name}.csv")
        elif (found := record.row.cells[column].strip()) != value and column not in record.row.overridden:
            reason = f"column {column!r} is given as {value!r} ({row.text('source')}), not {found!r}"
            yield record.row.error(reason, column)
