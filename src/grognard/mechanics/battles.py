"""The battles of a log: what was announced, the odds and the result of each, for whoever counts them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from grognard.files import Folder, read_table
from grognard.kernel import Event, Game
from grognard.kernel.events import Family


class Fought(NamedTuple):
    """A battle that was decided."""

    turn: int
    attack: Event
    """It says who attacked (`units`) and who was attacked (`units_target`)."""
    odds: Mapping[str, Any]
    """The facts of the odds, if any were told."""
    result: Event


def battles_of(game: Game[Any], log: Iterable[Event]) -> Iterator[Fought]:
    turn = 0
    attack: Event | None = None
    odds: Mapping[str, Any] = {}
    for event in log:
        family = game.family(event)
        if family is Family.TURN:
            turn = event.facts["turn"]
        elif family is Family.BATTLE and "units_target" in event.facts:
            attack = event
        elif family is Family.ODDS:
            odds = event.facts
        elif family is Family.RESULT and attack is not None:
            yield Fought(turn, attack, odds, event)
            attack, odds = None, {}


@lru_cache(maxsize=16)
def sides_of_units(game: Game[Any]) -> Mapping[int, int]:
    """Whose each unit is, whether or not it lies on the table."""
    printed = game.counters("en")
    return {game.unit_index(id_): game.sides.index(counter["side"]) for id_, counter in printed.items()}


ORIGIN = ("provenance", "source")
"""What stands at the end of each row of a table."""


def is_list(header: Sequence[str]) -> bool:
    """Whether a combat table lists its cells, each with the source of its own: column, dice, result."""
    return len(header) == 5 and tuple(header[3:]) == ORIGIN


def crossed(header: Sequence[str], lines: Iterable[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Such a list as a table: its heads, and a row for each sum of the dice. Cells that hold for any die are
    no rows. A row rests on all that its cells rest on."""
    cells: dict[str, dict[str, Sequence[str]]] = {}
    columns: dict[str, None] = {}
    for line in lines:
        if line and line[1].lstrip("-").isdigit():
            columns[line[0]] = None
            cells.setdefault(line[1], {})[line[0]] = line
    rows = []
    for die, row in cells.items():
        found = [row.get(column, ("", "", "", "", "")) for column in columns]
        origins = [
            "; ".join(dict.fromkeys(cell[3 + n] for cell in found if cell[3 + n])) for n in range(len(ORIGIN))
        ]
        rows.append([die, *(cell[2] for cell in found), *origins])
    return [header[1], *columns, *ORIGIN], rows


class ResultTables:
    """The tables that battles are looked up in, by their names: what the dice add up to stands first in each
    row, and each column has its heading. An owner's own results count."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._read: dict[str, list[dict[str, str]]] = {}

    def rows(self, table: str) -> list[dict[str, str]]:
        if table not in self._read:
            name = f"tables/{table}.csv"
            header, *lines = csv.reader(self._folder.text(name).splitlines())
            if is_list(header):
                columns, rows = crossed(header, lines)
                self._read[table] = [dict(zip(columns, row, strict=True)) for row in rows]
            else:
                read = read_table(self._folder, name, (), header[:1], more=True)
                self._read[table] = [row.cells for row in read]
        return self._read[table]

    def headings(self, table: str) -> list[str]:
        return list(self.rows(table)[0])

    def chances(self, table: str, column: str, dice: Sequence[int]) -> dict[str, float]:
        """How likely each result of a column is with dice of so many sides, which nothing modifies."""
        results = {next(iter(row.values())): row[column] for row in self.rows(table)}
        found: dict[str, float] = {}
        for total, throws in totals(dice).items():
            code = results[str(total)]
            found[code] = found.get(code, 0.0) + throws
        return found


def totals(dice: Sequence[int]) -> dict[int, float]:
    """How likely dice of so many sides are to add up to each number."""
    counted = Counter(sum(faces) for faces in product(*(range(1, sides + 1) for sides in dice)))
    return {total: throws / prod(dice) for total, throws in sorted(counted.items())}
