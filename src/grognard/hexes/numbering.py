"""How a map numbers its hexes: the five schemes of our rulebooks are one scheme with different settings.

A printed number is a column and a row (in that order or the other), sometimes behind the name of a sheet.
What differs is which way each grows, whether the hexes stand on a point or lie on a flat side, and which
columns or rows are pushed half a hex. Sheets of one map are pieces of a single grid, each with an offset;
where two sheets overlap, a hex has two numbers and the first sheet listed gives its usual one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from grognard.hexes.geometry import Axial, centre


class UnknownHexError(ValueError):
    """A number that is not on the map."""

    def __init__(self, number: str) -> None:
        super().__init__(f"no hex {number!r} on this map")
        self.number = number


@dataclass(frozen=True, slots=True)
class Sheet:
    """One printed sheet: the numbers on it and where they lie on the common grid."""

    name: str
    columns: range
    rows: range
    column_offset: int = 0
    row_offset: int = 0
    odd_columns_lack_last_row: bool = False

    def holds(self, column: int, row: int) -> bool:
        if column not in self.columns or row not in self.rows:
            return False
        return not (self.odd_columns_lack_last_row and column % 2 and row == self.rows[-1])


@dataclass(frozen=True)
class Numbering:
    """The numbers of one map, and the hexes they mean."""

    flat: bool
    """Flat-topped hexes (straight columns) rather than pointy-topped ones (straight rows)."""
    shifted_parity: Literal[0, 1]
    """Parity of the columns (flat) or rows (pointy) that stand half a hex further along."""
    columns_grow: Literal[1, -1]
    """1 if higher column numbers are drawn further right, -1 if further left."""
    rows_grow: Literal[1, -1]
    """1 if higher row numbers are drawn further down, -1 if further up."""
    column_first: bool
    """CCRR rather than RRCC."""
    separator: str
    """What stands between the sheet's name and the number; sheets of a one-sheet map have no name."""
    sheets: tuple[Sheet, ...]

    @staticmethod
    def from_mapping(data: Mapping[str, Any]) -> Numbering:
        """Read the [grid] table of a map file. What is missing is a KeyError, what is wrong a ValueError."""
        sheets = tuple(
            Sheet(
                name=str(sheet.get("name", "")),
                columns=_numbers(sheet, "columns"),
                rows=_numbers(sheet, "rows"),
                column_offset=_whole(sheet, "column_offset"),
                row_offset=_whole(sheet, "row_offset"),
                odd_columns_lack_last_row=sheet.get("odd_columns_lack_last_row", False),
            )
            for sheet in data["sheets"]
        )
        return Numbering(
            flat=_one_of(data, "orientation", ("pointy", "flat")) == 1,
            shifted_parity=1 if _one_of(data, "shifted_parity", (0, 1)) else 0,
            columns_grow=1 if _one_of(data, "columns_grow", ("left", "right")) else -1,
            rows_grow=1 if _one_of(data, "rows_grow", ("up", "down")) else -1,
            column_first=_one_of(data, "order", ("RRCC", "CCRR")) == 1,
            separator=str(data.get("separator", "")),
            sheets=sheets,
        )

    def parse(self, number: str) -> Axial:
        """The hex that a printed number means."""
        match = re.fullmatch(r"(.*?)([0-9]{2})([0-9]{2})", number)
        if match is None:
            raise UnknownHexError(number)
        prefix, first, second = match[1], int(match[2]), int(match[3])
        column, row = (first, second) if self.column_first else (second, first)
        for sheet in self.sheets:
            wanted = sheet.name + self.separator if sheet.name else ""
            if prefix == wanted and sheet.holds(column, row):
                return self._axial(column + sheet.column_offset, row + sheet.row_offset)
        raise UnknownHexError(number)

    def number(self, hex_: Axial) -> str:
        """The usual number of a hex."""
        column, row = self._offset(hex_)
        for sheet in self.sheets:
            c, r = column - sheet.column_offset, row - sheet.row_offset
            if sheet.holds(c, r):
                pair = f"{c:02d}{r:02d}" if self.column_first else f"{r:02d}{c:02d}"
                return (sheet.name + self.separator if sheet.name else "") + pair
        raise UnknownHexError(f"{hex_}")

    def __contains__(self, hex_: Axial) -> bool:
        column, row = self._offset(hex_)
        return any(s.holds(column - s.column_offset, row - s.row_offset) for s in self.sheets)

    def hexes(self) -> Iterator[Axial]:
        """Every hex of the map once, sheet by sheet."""
        seen: set[Axial] = set()
        for sheet in self.sheets:
            for column in sheet.columns:
                for row in sheet.rows:
                    if sheet.holds(column, row):
                        hex_ = self._axial(column + sheet.column_offset, row + sheet.row_offset)
                        if hex_ not in seen:
                            seen.add(hex_)
                            yield hex_

    def plane(self, hex_: Axial) -> tuple[float, float]:
        """The hex's centre in the plane of a georeference: u to the right and v upwards, in hex widths,
        with the grid's column 0 and row 0, unshifted, at the origin."""
        x, y = centre(hex_, self.flat)
        if self.flat:
            return x, -(y + self._residue() / 2)
        return x + self._residue() / 2, -y

    # Halves of a hex are counted as whole numbers, so that nothing is ever rounded.

    def _axial(self, column: int, row: int) -> Axial:
        if self.flat:
            shift = 1 if column % 2 == self.shifted_parity else 0
            q = self.columns_grow * column
            return Axial(q, (self.rows_grow * (2 * row + shift) - q) // 2)
        shift = 1 if row % 2 == self.shifted_parity else 0
        r = self.rows_grow * row
        return Axial((self.columns_grow * (2 * column + shift) - r) // 2, r)

    def _offset(self, hex_: Axial) -> tuple[int, int]:
        if self.flat:
            column = self.columns_grow * hex_.q
            shift = 1 if column % 2 == self.shifted_parity else 0
            doubled = 2 * hex_.r + hex_.q + self._residue()
            return column, (self.rows_grow * doubled - shift) // 2
        row = self.rows_grow * hex_.r
        shift = 1 if row % 2 == self.shifted_parity else 0
        doubled = 2 * hex_.q + hex_.r + self._residue()
        return (self.columns_grow * doubled - shift) // 2, row

    def _residue(self) -> int:
        """The half hex lost to rounding in _axial: the same everywhere on one grid."""
        return 1 if self.shifted_parity == 0 else 0


def _one_of(data: Mapping[str, Any], key: str, allowed: tuple[Any, Any]) -> int:
    """Which of two values a setting has. A misspelt one must not pass for the other."""
    value = data[key]
    if value not in allowed or isinstance(value, bool):
        raise ValueError(f"{key} should be {allowed[0]!r} or {allowed[1]!r}, not {value!r}")
    return allowed.index(value)


def _numbers(sheet: Mapping[str, Any], key: str) -> range:
    """First and last number of a sheet's columns or rows; a printed number has two digits for each."""
    match sheet[key]:
        case [int(first), int(last)] if 0 <= first <= last <= 99:
            return range(first, last + 1)
    raise ValueError(f"{key} of a sheet should be two numbers from 0 to 99, not {sheet[key]!r}")


def _whole(sheet: Mapping[str, Any], key: str) -> int:
    value = sheet.get(key, 0)
    if type(value) is not int:
        raise ValueError(f"{key} of a sheet should be a whole number, not {value!r}")
    return value
