"""The log of a table in memory, sorted by who may read it as it is written."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grognard.kernel import Event, Game
from grognard.kernel.actions import EVERYONE
from grognard.kernel.events import Family


class LogEntry(NamedTuple):
    """An event of the log: its place among all of them, and the turn that it belongs to."""

    place: int
    turn: int
    event: Event


def log_of(sides: Sequence[int]) -> tuple[int, ...]:
    """The audiences of the lines that these sides may read."""
    return (EVERYONE, *sides)


class Logbook:
    """Lines of the log from some place on; how many came before is all that is known of those. What is asked
    for is always the log of some audiences."""

    def __init__(self, game: Game[Any], before: Mapping[str, int]) -> None:
        """`before`: what `counts` said there."""
        self.game = game
        self._before = dict(before)
        self._all: list[LogEntry] = []
        self._read_by: dict[tuple[int, ...], list[LogEntry]] = {}

    @property
    def length(self) -> int:
        """How many lines there are, for whomever."""
        return self._before.get("all", 0) + len(self._all)

    def counts(self) -> dict[str, int]:
        """How many lines there are, in all and by audience, and the turn of the last."""
        found = {**self._before, "all": self.length, "turn": self._turn()}
        for line in self._all:
            key = str(line.event.audience)
            found[key] = found.get(key, 0) + 1
        return found

    def _turn(self) -> int:
        return self._all[-1].turn if self._all else self._before.get("turn", 0)

    def extend(self, events: Sequence[Event]) -> None:
        turn, place = self._turn(), self.length
        for event in events:
            if self.game.family(event) is Family.TURN:
                turn = event.facts.get("turn", turn)
            line = LogEntry(place, turn, event)
            self._all.append(line)
            for audiences, entries in self._read_by.items():
                if event.audience in audiences:
                    entries.append(line)
            place += 1

    def cut(self, length: int) -> None:
        """Forget the lines from a place on."""
        for entries in (self._all, *self._read_by.values()):
            del entries[bisect_left(entries, (length,)) :]

    def copy(self) -> Logbook:
        book = Logbook(self.game, self._before)
        book._all = self._all.copy()
        return book

    def after(self, counts: Mapping[str, int]) -> Logbook:
        """The lines after those that were counted."""
        book = Logbook(self.game, counts)
        first = self._before.get("all", 0)
        book.extend([line.event for line in self._all[counts["all"] - first :]])
        return book

    def first(self, audiences: tuple[int, ...]) -> int:
        """The number of the first line that is here."""
        return sum(self._before.get(str(audience), 0) for audience in audiences)

    def end(self, audiences: tuple[int, ...]) -> int:
        """How many lines there are. Numbers of lines are places among these: gaps would tell that something
        happened in secret."""
        return self.first(audiences) + len(self._for(audiences))

    def common(self, other: Logbook, audiences: tuple[int, ...]) -> int:
        """How many lines are alike in another log of the table."""
        start = max(self.first(audiences), other.first(audiences))
        pairs = zip(self.lines(audiences, start), other.lines(audiences, start), strict=False)
        end = min(self.end(audiences), other.end(audiences))
        return next((n for n, (one, two) in enumerate(pairs, start) if one.event != two.event), end)

    def lines(self, audiences: tuple[int, ...], since: int) -> list[LogEntry]:
        """The lines from a number on; from the first that is here at the earliest."""
        return self._for(audiences)[max(0, since - self.first(audiences)) :]

    def number(self, audiences: tuple[int, ...], line: LogEntry) -> int:
        """Which of these lines one of them is."""
        return self.first(audiences) + bisect_left(self._for(audiences), (line.place,))

    def _for(self, audiences: tuple[int, ...]) -> list[LogEntry]:
        if audiences not in self._read_by:
            self._read_by[audiences] = [line for line in self._all if line.event.audience in audiences]
        return self._read_by[audiences]
