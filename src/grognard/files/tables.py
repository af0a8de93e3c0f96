"""CSV tables and TOML settings whose every complaint names the file, the line and the reason."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from grognard.files.scale import Scale


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
            return _text(self.base / name, self.label(name))
        except FileNotFoundError:
            raise DataError(self.label(name), None, "the file is missing") from None

    def override_text(self, name: str) -> str | None:
        if self.override is None or not (self.override / name).is_file():
            return None
        return _text(self.override / name, self.label(name, overriding=True))

    def label(self, name: str, overriding: bool = False) -> str:
        """How messages call a file: its folder and name, without the machine's path."""
        folder = self.override if overriding and self.override else self.base
        prefix = "override " if overriding else ""
        return f"{prefix}{folder.name}/{name}"

    def check_override(self) -> None:
        """Every table and every settings file of the player has the name of one of the game's own: another
        would be read by nobody."""
        for path in sorted(self.override.rglob("*")) if self.override is not None else ():
            name = path.relative_to(self.override or path).as_posix()
            if path.suffix in (".csv", ".toml") and not (self.base / name).exists():
                alike = sorted(p.relative_to(self.base).as_posix() for p in self.base.rglob(path.name))
                hint = f"; there is {', '.join(alike)}" if alike else ""
                raise DataError(self.label(name, overriding=True), None, f"the game has no such file{hint}")

    def digest(self, names: Iterable[str]) -> str:
        """A fingerprint of the data as the rules use them: equal digests give equal games. Names, sources
        and drawing do not count, so that a corrected spelling spoils no save; nor does it count that a table
        lies in `tables/`. Files that are not there count as empty, so that a list may name optional ones."""
        total = hashlib.sha256()
        for label, name in sorted((name.removeprefix("tables/"), name) for name in names):
            for text in (self.text(name) if (self.base / name).is_file() else "", self.override_text(name)):
                total.update(f"{label}:{_substance(name, text or '')}".encode())
        return total.hexdigest()[:16]


COSMETIC = frozenset(
    {
        *("provenance", "source", "name_en", "name_fr", "en", "fr", "title", "title_en", "title_fr"),
        *("subtitle", "credits", "credit_en", "credit_fr", "labels", "georeference", "draw", "camp"),
        *("order", "minutes", "difficulty"),
    }
)
"""Columns and settings that no rule reads."""


def _substance(name: str, text: str) -> str:
    """What a file says to the rules, as one text; a file that cannot be read stands for itself."""
    try:
        if name.endswith(".toml"):
            return json.dumps(_stripped(tomllib.loads(text)), sort_keys=True, default=str)
        rows = list(csv.reader(io.StringIO(text)))
    except (tomllib.TOMLDecodeError, csv.Error):
        return text
    kept = [n for n, column in enumerate(rows[0]) if column not in COSMETIC] if rows else []
    return json.dumps([[row[n] for n in kept if n < len(row)] for row in rows if row])


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _stripped(inner) for key, inner in value.items() if key not in COSMETIC}
    if isinstance(value, list):
        return [_stripped(inner) for inner in value]
    return value


def _text(path: Path, label: str) -> str:
    """The text of a file, without the mark that some spreadsheets put at its beginning."""
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(label, line, f"not UTF-8 text ({error.reason})") from None


@dataclass
class Row:
    """One line of a table. Reading a cell checks it."""

    file: str
    line: int
    cells: dict[str, str]
    overridden: set[str] = field(default_factory=set)
    printed: tuple[str, int] | None = None
    """File and line of the row under an override: a cell that was not changed is wrong there."""

    def error(self, reason: str, column: str = "") -> DataError:
        if self.printed is not None and column and column not in self.overridden:
            return DataError(*self.printed, reason)
        return DataError(self.file, self.line, reason)

    def text(self, column: str, default: str | None = None) -> str:
        value = self.cells[column].strip()
        if value:
            return value
        if default is None:
            raise self.error(f"column {column!r} is empty", column)
        return default

    def integer(self, column: str, low: int = 0, high: int = 1_000_000, default: int | None = None) -> int:
        value = self.cells[column].strip()
        if not value and default is not None:
            return default
        if not re.fullmatch(r"-?[0-9]{1,9}", value):
            raise self.error(f"column {column!r} should be a whole number, not {value!r}", column)
        number = int(value)
        if not low <= number <= high:
            raise self.error(f"column {column!r} should be between {low} and {high}, not {number}", column)
        return number

    def points(self, column: str, scale: Scale, high: int = 100) -> int:
        """Points with an optional fraction ('1/2', '2', '1 1/2'), counted in the parts of a scale."""
        value = self.cells[column].strip()
        try:
            amount = scale.read(value)
        except ValueError as error:
            raise self.error(f"column {column!r}: {error}", column) from None
        if amount > scale.parts * high:
            raise self.error(f"column {column!r} should be at most {high} points, not {value}", column)
        return amount

    def choice(self, column: str, allowed: Iterable[str], default: str | None = None) -> str:
        value = self.text(column, default)
        options = list(allowed)
        if value not in options:
            reason = f"column {column!r} should be one of {', '.join(options)}, not {value!r}"
            raise self.error(reason, column)
        return value

    def words(self, column: str, separator: str = "|") -> tuple[str, ...]:
        value = self.cells[column].strip()
        return tuple(word.strip() for word in value.split(separator)) if value else ()

    def provenance(self) -> Provenance:
        kind = self.choice("provenance", [k.value for k in ProvenanceKind if k != ProvenanceKind.OVERRIDE])
        if self.overridden:
            return Provenance(ProvenanceKind.OVERRIDE, f"{self.file}: {', '.join(sorted(self.overridden))}")
        return Provenance(ProvenanceKind(kind), self.text("source"))


def read_table(
    folder: Folder, name: str, columns: Iterable[str], key: Iterable[str] = (), more: bool = False
) -> list[Row]:
    """The rows of a table, with the player's own cells laid over them.

    `key` names the columns that identify a row; two rows with the same key are an error, and an override
    table needs only the key columns and those it changes. `more` lets the table have further columns.
    """
    wanted, keys = list(columns), list(key)
    header, rows = _parse(folder.text(name), folder.label(name), wanted, None if more else wanted)
    by_key = _by_key(rows, keys) if keys else {}
    text = folder.override_text(name)
    if text is None:
        return rows
    label = folder.label(name, overriding=True)
    if not keys:
        _, rows = _parse(text, label, wanted, None if more else wanted)
        for row in rows:
            row.overridden.update(row.cells)
        return rows
    _, changes = _parse(text, label, keys, header)
    for identity, change in _by_key(changes, keys).items():
        target = by_key.get(identity)
        if target is None:
            raise change.error(f"{'/'.join(identity)} is not in {name}, so it cannot be overridden")
        changed = {c: v for c, v in change.cells.items() if c not in keys and v.strip()}
        if changed:
            target.printed = (target.file, target.line)
            target.file, target.line = change.file, change.line
            target.cells |= changed
            target.overridden |= changed.keys()
    return rows


def _by_key(rows: list[Row], keys: list[str]) -> dict[tuple[str, ...], Row]:
    found: dict[tuple[str, ...], Row] = {}
    for row in rows:
        identity = tuple(row.cells[k].strip() for k in keys)
        if identity in found:
            first = found[identity].line
            raise row.error(f"{'/'.join(identity)} is declared twice (first on line {first})")
        found[identity] = row
    return found


def _parse(
    text: str, label: str, required: list[str], known: list[str] | None
) -> tuple[list[str], list[Row]]:
    """Header and rows of a table that has all the required columns and, if given, no unknown ones."""
    # Strict: a quote that is never closed would otherwise swallow the rest of the file.
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    rows = []
    line = 1
    try:
        for cells in reader:
            if not header:
                header = cells
                _check_header(header, label, required, known)
            elif any(cell.strip() for cell in cells):
                if len(cells) != len(header):
                    raise DataError(label, line, f"{len(cells)} cells where the header has {len(header)}")
                rows.append(Row(label, line, dict(zip(header, cells, strict=True))))
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(label, line, f"not a table ({error})") from None
    if not header:
        raise DataError(label, 1, "the table is empty")
    return header, rows


def _check_header(header: list[str], label: str, required: list[str], known: list[str] | None) -> None:
    missing = next((column for column in required if column not in header), None)
    if missing is not None:
        raise DataError(label, 1, f"column {missing!r} is missing")
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        raise DataError(label, 1, f"column {twice!r} is there twice")
    unknown = next((column for column in header if known is not None and column not in known), None)
    if unknown is not None:
        raise DataError(label, 1, f"unknown column {unknown!r}")


@dataclass(frozen=True)
class Settings:
    """A TOML table that knows its file, so that a wrong value can be pointed at."""

    file: str
    text: str
    data: Mapping[str, Any]
    over: tuple[str, str] | None = None
    """File and text of the player's own settings, if they lie over these."""

    def error(self, key: str, reason: str) -> DataError:
        if self.over is not None and (line := _line_of(key, self.over[1])) is not None:
            return DataError(self.over[0], line, reason)
        return DataError(self.file, _line_of(key, self.text), reason)

    def get(self, key: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        value = self.data.get(key, default)
        if value is None:
            raise DataError(self.file, None, f"setting {key!r} is missing")
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise self.error(key, f"setting {key!r} has the wrong type ({type(value).__name__})")
        return value


def _line_of(key: str, text: str) -> int | None:
    word = re.compile(rf"^\s*(\[+.*\b{re.escape(key)}\b.*\]+|{re.escape(key)}\s*=)")
    return next((n for n, line in enumerate(text.splitlines(), 1) if word.match(line)), None)


def read_settings(folder: Folder, name: str) -> Settings:
    text, label = folder.text(name), folder.label(name)
    data = _toml(text, label)
    own = folder.override_text(name)
    if own is None:
        return Settings(label, text, data)
    own_label = folder.label(name, overriding=True)
    return Settings(label, text, _merged(data, _toml(own, own_label)), (own_label, own))


def _toml(text: str, label: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else len(text.splitlines())
        raise DataError(label, line, str(error)) from None


def _merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in change.items():
        inner = result.get(key)
        result[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return result
