"""The battles of a log: what was announced, the odds and the result of each, for whoever counts them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class ResultTables:
    """The tables that battles are looked up in, by their names: what the dice add up to stands first in each
    row, and each column has its heading. An owner's own results count."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._read: dict[str, list[dict[str, str]]] = {}

    def rows(self, table: str) -> list[dict[str, str]]:
        if table not in self._read:
            name = f"tables/{table}.csv"
            dice = next(csv.reader(self._folder.text(name).splitlines()))[0]
            self._read[table] = [row.cells for row in read_table(self._folder, name, (), (dice,), more=True)]
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
