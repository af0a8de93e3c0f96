"""Odds, column shifts and combat results tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from grognard.files import DataError, Folder, Provenance, read_table
from grognard.kernel import State
from grognard.mechanics.dice import D6, Dice


class Shift(NamedTuple):
    """Some columns to the right (positive) or left, and the case that gives them."""

    columns: int
    case: str
    code: str


class Odds(NamedTuple):
    """How the column of a battle comes about; also what the odds panel of a page shows."""

    attack: int
    defence: int
    initial: int
    shifts: tuple[Shift, ...]
    final: int

    def facts(self, column: int | None = None) -> dict[str, Any]:
        """What an event of the family `odds` says: the final odds, or the column on which they are read."""
        return {
            "attack": self.attack,
            "defence": self.defence,
            "odds_initial": self.initial,
            "shifts": tuple((s.code, s.columns, s.case) for s in self.shifts),
            "odds_final": self.final if column is None else column,
        }


def whole_odds(attack: int | Fraction, defence: int | Fraction) -> int:
    """The ratio rounded in the defender's favour on a scale without ends: 0 is 1-1, 3 is 4-1, -2 is 1-3.
    Strengths may be exact fractions."""
    if attack >= defence:
        return int(attack // defence) - 1
    return 1 - -int(-defence // attack)


def odds_name(odds: int) -> str:
    return f"{odds + 1}-1" if odds >= 0 else f"1-{1 - odds}"


def whole_rung(heading: str) -> int | None:
    """Where the heading of a column (3-1, 1-2) stands on the scale of `whole_odds`."""
    odds = re.fullmatch(r"1-([1-9][0-9]?)|([1-9][0-9]?)-1", heading)
    return None if odds is None else whole_odds(int(odds[2] or 1), int(odds[1] or 1))


def halved_odds(attack: int | Fraction, defence: int | Fraction) -> int:
    """The ratio rounded down on a ladder with a rung of one and a half: 0 is 1-1, 1 is 1.5-1, and from 2-1
    on the number of the odds themselves. Anything below 1-1 is -1."""
    if attack < defence:
        return -1
    if attack >= 2 * defence:
        return int(attack // defence)
    return 1 if 2 * attack >= 3 * defence else 0


def halved_odds_name(odds: int) -> str:
    return {0: "1-1", 1: "1.5-1"}.get(odds, f"{odds}-1") if odds >= 0 else "<1-1"


def halved_rung(heading: str) -> int | None:
    """Where the heading of a column (1.5-1, 3-1, 10-1+) stands on the scale of `halved_odds`."""
    low = {"1-1": 0, "1.5-1": 1}.get(heading)
    odds = re.fullmatch(r"([1-9][0-9]?)-1\+?", heading)
    return low if low is not None or odds is None else int(odds[1])


def rung(attack: int | Fraction, defence: int | Fraction, ladder: Sequence[Fraction]) -> int:
    """The ratio rounded in the defender's favour to a rung of any ladder, such as 1:2, 1:1, 3:2, 2:1: the
    place of the highest rung that it reaches, -1 below the first."""
    return sum(attack >= step * defence for step in ladder) - 1


class CombatTable:
    """Results by odds column and roll, read from a table whose first column is the total of the dice. `rung`
    says where the heading of a column stands on the game's scale of odds. A total beyond the rows, which
    modifiers can make, is read on the first or last one."""

    def __init__(
        self,
        folder: Folder,
        name: str,
        dice: Dice,
        results: frozenset[str],
        rung: Callable[[str], int | None] = whole_rung,
        beyond: int = 0,
    ) -> None:
        """`beyond`: how far modifiers may take a roll past the dice, to rows of its own."""
        rows = read_table(folder, name, ("die", "provenance", "source"), key=("die",), more=True)
        if not rows:
            raise DataError(folder.label(name), 1, "the table has no rows")
        columns = [c for c in rows[0].cells if c not in ("die", "provenance", "source")]
        self.headings = columns
        self.columns: list[int] = []
        for heading in columns:
            position = rung(heading)
            if position is None:
                raise DataError(folder.label(name), 1, f"{heading!r} is not odds such as 3-1 or 1-2")
            self.columns.append(position)
        if not self.columns:
            raise DataError(folder.label(name), 1, "the table has no odds")
        if self.columns != list(range(self.columns[0], self.columns[-1] + 1)):
            raise DataError(folder.label(name), 1, "the columns are not in order without gaps")
        self.rows: dict[int, tuple[str, ...]] = {}
        self.provenance: dict[int, Provenance] = {}
        low, high = dice.totals[0], dice.totals[-1]
        for row in rows:
            die = row.integer("die", low - beyond, high + beyond)
            self.rows[die] = tuple(row.choice(c, sorted(results)) for c in columns)
            self.provenance[die] = row.provenance()
        self.lowest, self.highest = min(self.rows), max(self.rows)
        wanted = range(min(low, self.lowest), max(high, self.highest) + 1)
        missing = [die for die in wanted if die not in self.rows]
        if missing:
            raise DataError(folder.label(name), None, f"there is no row for a die of {missing[0]}")

    def column(self, odds: int) -> int:
        """Odds beyond the printed columns are read on the last one."""
        return max(self.columns[0], min(self.columns[-1], odds))

    def heading(self, odds: int) -> str:
        """What is printed above the column of some odds."""
        return self.headings[self.column(odds) - self.columns[0]]

    def chances(self, odds: int, dice: Dice = D6) -> dict[str, float]:
        """How likely each result of a column is."""
        ways = dice.ways()
        throws, found = sum(ways.values()), dict[str, float]()
        for total, count in ways.items():
            cell = self.result(odds, total)
            found[cell] = found.get(cell, 0.0) + count / throws
        return found

    def result(self, odds: int, roll: int) -> str:
        row = self.rows[max(self.lowest, min(self.highest, roll))]
        return row[self.column(odds) - self.columns[0]]

    def decide(self, state: State, die: int) -> dict[str, Any]:
        """Read the battle that is the local value, with `final` and `result`, off its column; the facts to be
        told."""
        battle = state.local
        result = self.result(battle.final, die)
        state.local = battle._replace(result=result)
        return {"die": die, "result": result, "odds": self.column(battle.final)}
