"""Odds, column shifts and combat results tables."""

from __future__ import annotations

import re
from typing import NamedTuple

from grognard.files import DataError, Folder, Provenance, read_table


class Shift(NamedTuple):
    """Some columns to the right (positive) or left, and the case that gives them."""

    columns: int
    case: str
    code: str


def whole_odds(attack: int, defence: int) -> int:
    """The ratio rounded in the defender's favour on a scale without ends: 0 is 1-1, 3 is 4-1, -2 is 1-3."""
    if attack >= defence:
        return attack // defence - 1
    return 1 - -(-defence // attack)


def odds_name(odds: int) -> str:
    return f"{odds + 1}-1" if odds >= 0 else f"1-{1 - odds}"


class CombatTable:
    """Results by odds column and die, read from a table whose first column is the die."""

    def __init__(self, folder: Folder, name: str, die_sides: int, results: frozenset[str]) -> None:
        rows = read_table(folder, name, ("die", "provenance", "source"), key=("die",), more=True)
        if not rows:
            raise DataError(folder.label(name), 1, "the table has no rows")
        columns = [c for c in rows[0].cells if c not in ("die", "provenance", "source")]
        self.columns: list[int] = []
        for heading in columns:
            odds = re.fullmatch(r"1-([1-9][0-9]?)|([1-9][0-9]?)-1", heading)
            if odds is None:
                raise DataError(folder.label(name), 1, f"{heading!r} is not odds such as 3-1 or 1-2")
            self.columns.append(whole_odds(int(odds[2] or 1), int(odds[1] or 1)))
        if not self.columns:
            raise DataError(folder.label(name), 1, "the table has no odds")
        if self.columns != list(range(self.columns[0], self.columns[-1] + 1)):
            raise DataError(folder.label(name), 1, "the columns are not in order without gaps")
        self.rows: dict[int, tuple[str, ...]] = {}
        self.provenance: dict[int, Provenance] = {}
        for row in rows:
            die = row.integer("die", 1, die_sides)
            self.rows[die] = tuple(row.choice(c, sorted(results)) for c in columns)
            self.provenance[die] = row.provenance()
        missing = [die for die in range(1, die_sides + 1) if die not in self.rows]
        if missing:
            raise DataError(folder.label(name), None, f"there is no row for a die of {missing[0]}")

    def column(self, odds: int) -> int:
        """Odds beyond the printed columns are read on the last one."""
        return max(self.columns[0], min(self.columns[-1], odds))

    def result(self, odds: int, die: int) -> str:
        return self.rows[die][self.column(odds) - self.columns[0]]
