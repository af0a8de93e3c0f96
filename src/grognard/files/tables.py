"""CSV tables and TOML settings whose every complaint names the file, the line and the reason."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple


class DataError(ValueError):
    """A data file that cannot be used, and where it goes wrong."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}: {reason}")
        self.file = file
        self.line = line
        self.reason = reason


class ProvenanceKind(Enum):
    """Where a number comes from."""

    RULEBOOK = "rulebook"
    FOUND = "found"
    RECONSTRUCTED = "reconstructed"
    OVERRIDE = "override"


class Provenance(NamedTuple):
    kind: ProvenanceKind
    source: str
    """The case, the public source or the reasoning."""


@dataclass(frozen=True)
class Folder:
    """A game's folder of data, and the player's own folder laid over it, if any."""

    base: Path
    override: Path | None = None

    def sub(self, name: str) -> Folder:
        return Folder(self.base / name, self.override / name if self.override else None)

    def text(self, name: str) -> str:
        try:
            return (self.base / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise DataError(self.label(name), None, "the file is missing") from None
        except UnicodeDecodeError as error:
            raise DataError(self.label(name), None, f"not UTF-8 text ({error.reason})") from None

    def override_text(self, name: str) -> str | None:
        if self.override is None or not (self.override / name).is_file():
            return None
        return (self.override / name).read_text(encoding="utf-8")

    def label(self, name: str, overriding: bool = False) -> str:
        """How messages call a file: its folder and name, without the machine's path."""
        folder = self.override if overriding and self.override else self.base
        prefix = "override " if overriding else ""
        return f"{prefix}{folder.name}/{name}"

    def digest(self, names: Iterable[str]) -> str:
        """A fingerprint of the data as they are used: equal digests give equal games. The files that
        are not there count as empty, so that a list may name optional ones."""
        total = hashlib.sha256()
        for name in sorted(names):
            for text in (self.text(name) if (self.base / name).is_file() else "", self.override_text(name)):
                total.update(f"{name}:{len(text or '')}:{text or ''}".encode())
        return total.hexdigest()[:16]


@dataclass
class Row:
    """One line of a table. Reading a cell checks it."""

    file: str
    line: int
    cells: dict[str, str]
    overridden: set[str] = field(default_factory=set)

    def error(self, reason: str) -> DataError:
        return DataError(self.file, self.line, reason)

    def text(self, column: str, default: str | None = None) -> str:
        value = self.cells[column].strip()
        if value:
            return value
        if default is None:
            raise self.error(f"column {column!r} is empty")
        return default

    def integer(self, column: str, low: int = 0, high: int = 1_000_000, default: int | None = None) -> int:
        value = self.cells[column].strip()
        if not value and default is not None:
            return default
        if not re.fullmatch(r"-?\d+", value):
            raise self.error(f"column {column!r} should be a whole number, not {value!r}")
        number = int(value)
        if not low <= number <= high:
            raise self.error(f"column {column!r} should be between {low} and {high}, not {number}")
        return number

    def halves(self, column: str) -> int:
        """A number of points written with an optional half ('1/2', '2', '1 1/2'), counted in halves."""
        value = self.cells[column].strip()
        match = re.fullmatch(r"(\d+)?\s*(1/2)?", value)
        if not value or match is None:
            raise self.error(f"column {column!r} should be points such as 2 or 1/2, not {value!r}")
        return 2 * int(match[1] or 0) + (1 if match[2] else 0)

    def choice(self, column: str, allowed: Iterable[str], default: str | None = None) -> str:
        value = self.text(column, default)
        options = list(allowed)
        if value not in options:
            raise self.error(f"column {column!r} should be one of {', '.join(options)}, not {value!r}")
        return value

    def words(self, column: str, separator: str = "|") -> tuple[str, ...]:
        value = self.cells[column].strip()
        return tuple(word.strip() for word in value.split(separator)) if value else ()

    def provenance(self) -> Provenance:
        kind = self.choice("provenance", [k.value for k in ProvenanceKind])
        if self.overridden:
            return Provenance(ProvenanceKind.OVERRIDE, f"{self.file}: {', '.join(sorted(self.overridden))}")
        return Provenance(ProvenanceKind(kind), self.text("source"))


def read_table(folder: Folder, name: str, columns: Iterable[str], key: Iterable[str] = ()) -> list[Row]:
    """The rows of a table, with the player's own cells laid over them.

    `key` names the columns that identify a row; two rows with the same key are an error, and an override
    table needs only the key columns and those it changes.
    """
    wanted, keys = list(columns), list(key)
    rows = _parse(folder.text(name), folder.label(name), wanted)
    by_key: dict[tuple[str, ...], Row] = {}
    if keys:
        for row in rows:
            identity = tuple(row.cells[k].strip() for k in keys)
            if identity in by_key:
                first = by_key[identity].line
                raise row.error(f"{'/'.join(identity)} is declared twice (first on line {first})")
            by_key[identity] = row
    text = folder.override_text(name)
    if text is None:
        return rows
    label = folder.label(name, overriding=True)
    if not keys:
        return _parse(text, label, wanted)
    for change in _parse(text, label, keys):
        identity = tuple(change.cells[k].strip() for k in keys)
        unknown = set(change.cells) - set(wanted)
        if unknown:
            raise change.error(f"unknown column {sorted(unknown)[0]!r}")
        target = by_key.get(identity)
        if target is None:
            raise change.error(f"{'/'.join(identity)} is not in {name}, so it cannot be overridden")
        for column, value in change.cells.items():
            if column not in keys and value.strip():
                target.cells[column] = value
                target.overridden.add(column)
        target.file, target.line = change.file, change.line
    return rows


def _parse(text: str, label: str, required: list[str]) -> list[Row]:
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = next(reader)
    except StopIteration:
        raise DataError(label, 1, "the table is empty") from None
    missing = [column for column in required if column not in header]
    if missing:
        raise DataError(label, 1, f"column {missing[0]!r} is missing")
    rows = []
    for cells in reader:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            raise DataError(label, reader.line_num, f"{len(cells)} cells where the header has {len(header)}")
        rows.append(Row(label, reader.line_num, dict(zip(header, cells, strict=True))))
    return rows


@dataclass(frozen=True)
class Settings:
    """A TOML table that knows its file, so that a wrong value can be pointed at."""

    file: str
    text: str
    data: Mapping[str, Any]

    def error(self, key: str, reason: str) -> DataError:
        return DataError(self.file, self._line(key), reason)

    def _line(self, key: str) -> int | None:
        word = re.compile(rf"^\s*(\[+.*\b{re.escape(key)}\b.*\]+|{re.escape(key)}\s*=)")
        for number, line in enumerate(self.text.splitlines(), 1):
            if word.match(line):
                return number
        return None

    def get(self, key: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        value = self.data.get(key, default)
        if value is None:
            raise DataError(self.file, None, f"setting {key!r} is missing")
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise self.error(key, f"setting {key!r} has the wrong type ({type(value).__name__})")
        return value


def read_settings(folder: Folder, name: str) -> Settings:
    text, label = folder.text(name), folder.label(name)
    try:
        data = tomllib.loads(text)
        override = folder.override_text(name)
        if override is not None:
            label = folder.label(name, overriding=True)
            data = _merged(data, tomllib.loads(override))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        raise DataError(label, int(place[1]) if place else None, str(error)) from None
    return Settings(label, text, data)


def _merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in change.items():
        inner = result.get(key)
        result[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return result
