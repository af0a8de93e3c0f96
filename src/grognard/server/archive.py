"""Tables as the store has them: opened from the last position that was kept, and looked at in the past.

Nothing here needs a room: it is the same in a thread, in a worker process, and in another server.
"""

from __future__ import annotations

import hashlib
import logging
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple

import grognard
from grognard.files.dumps import load
from grognard.kernel import CHANCE, Answer, Event, Game, Match, Refusal, SaveError, Snapshot, State
from grognard.kernel.match import CHANCE_WORD
from grognard.server.chain import Chain
from grognard.server.journal import PlanRow, SnapshotRow
from grognard.server.logbook import Logbook
from grognard.server.store import SeatRow, Store, TableRow

EVERY = 1000
"""Answers between two positions that are kept."""
FRESH = 400
"""Answers that are given again in any case, so that the last of them can still be taken back."""

_log = logging.getLogger(__name__)


class UnknownTableError(LookupError):
    """There is no such table."""


class StaleTableError(RuntimeError):
    """The table was stored by other rules or data and cannot go on here."""


@cache
def edition(game: Game[Any]) -> str:
    """Changes with the code that makes positions of a game."""
    module = sys.modules[type(game).__module__]
    folders = [
        Path(grognard.__file__).parent / room for room in ("hexes", "board", "files", "kernel", "mechanics")
    ]
    total = hashlib.sha256(repr((sys.version_info[:2], game.id)).encode())
    for folder in (*folders, Path(module.__file__ or ".").parent):
        for path in sorted(folder.rglob("*.py")):
            total.update(path.read_bytes())
    return total.hexdigest()[:32]


def playable(games: Mapping[str, Game[Any]], row: TableRow) -> bool:
    """Whether a table was made with the rules and data in use."""
    game = games.get(row.game)
    if game is None or row.scenario not in game.scenarios:
        return False
    return (row.rules, row.data) == (game.rules_version, game.digest(row.scenario))


class Opened(NamedTuple):
    """A table as it was read."""

    game: Game[Any]
    row: TableRow
    seats: list[SeatRow]
    match: Match[Any]
    plans: list[PlanRow]
    chain: Chain
    book: Logbook
    pinned: str = ""
    """Why it cannot be played on: a code of the table's denials."""
    older: bool = False
    """Whether its data are no longer those in use."""


def open_table(store: Store, games: Mapping[str, Game[Any]], table_id: str) -> Opened:
    """A table, ready to be played on."""
    row = store.table(table_id)
    if row is None:
        raise UnknownTableError(table_id)
    if not playable(games, row):
        raise StaleTableError(f"table {table_id} was played with other rules or data of {row.game}")
    game = games[row.game]
    kept = store.snapshot(table_id, edition(game), number=max(0, row.length - FRESH))
    opened = None if kept is None else _from_snapshot(store, game, row, kept)
    if opened is None:
        opened = _from_the_start(store, game, row)
    match, chain, book = opened
    match.join(store.joined(table_id, match.before.length))
    match.kept = match.length
    row = row._replace(length=match.length)
    return Opened(game, row, store.seats(table_id), match, store.plans(table_id), chain, book)


Replayed = tuple[Match[Any], Chain, Logbook]


def _from_snapshot(store: Store, game: Game[Any], row: TableRow, kept: SnapshotRow) -> Replayed | None:
    """The match from a kept position on; None if that is not of this journal."""
    words = store.journal(row.id, kept.number)
    chain = Chain(kept.number, kept.chain)
    chain.grow(kept.number, words)
    if chain.last != row.chain:
        _log.warning("table %s: the position kept at answer %d is of another journal", row.id, kept.number)
        return None
    try:
        match = resumed(game, row, kept)
        match.replay(words, kept.number)
    except (UnpicklingError, SaveError, AttributeError) as error:
        _log.warning("table %s: the position kept at answer %d is no use: %s", row.id, kept.number, error)
        return None
    return match, chain, Logbook(game, kept.lines)


def _from_the_start(store: Store, game: Game[Any], row: TableRow) -> Replayed:
    """The match replayed whole. Of a long one, positions are kept on the way."""
    words = store.journal(row.id)
    chain, book = Chain(), Logbook(game, {})
    chain.grow(0, words)
    match: Match[Any] = Match(game, row.scenario, row.options, row.seed)
    kept: list[SnapshotRow] = []
    for stop in cuts(words):
        start = match.length if kept else 0
        match.replay(words[start:stop], start)
        book.extend(match.log[book.length :])
        kept.append(taken(match, chain, book))
    if not kept:
        match.replay(words)
        return match, chain, book
    store.keep(row.id, kept)
    now = row._replace(chain=chain.last)
    return _from_snapshot(store, game, now, kept[-1]) or _replayed(game, row, words)


def _replayed(game: Game[Any], row: TableRow, words: list[list[str]]) -> Replayed:
    """The match with all that led to it."""
    match: Match[Any] = Match(game, row.scenario, row.options, row.seed)
    match.replay(words)
    chain = Chain()
    chain.grow(0, words)
    return match, chain, Logbook(game, {})


def cuts(words: list[list[str]]) -> Iterator[int]:
    """Lengths at which positions of a journal are kept: never in the middle of a roll."""
    stop = EVERY
    while stop < len(words) - FRESH:
        if words[stop][0] == CHANCE_WORD:
            stop += 1
        else:
            yield stop
            stop += EVERY


def taken(match: Match[Any], chain: Chain, book: Logbook) -> SnapshotRow:
    """The position of a match as it is kept."""
    now = match.snapshot()
    return SnapshotRow(
        now.length,
        now.moment,
        now.digest.hex(),
        chain.at(now.length),
        book.counts(),
        edition(match.game),
        now.state,
    )


def snapshot_of(kept: SnapshotRow) -> Snapshot:
    return Snapshot(kept.number, kept.moment, bytes.fromhex(kept.digest), kept.lines["all"], kept.state)


def resumed(game: Game[Any], row: TableRow, kept: SnapshotRow) -> Match[Any]:
    return Match.resume(game, row.scenario, row.options, row.seed, snapshot_of(kept))


def further(
    store: Store, row: TableRow, match: Match[Any], chain: Chain
) -> tuple[list[SeatRow], list[PlanRow]] | None:
    """Give a match, and the hashes of its journal, the answers that another server has written since; None if
    they do not follow on its own. Also the seats and plans as they are now."""
    length = match.length
    words = store.journal(row.id, length)
    chain.grow(length, words)
    if chain.last != row.chain:
        return None
    try:
        match.replay(words, length)
    except SaveError:
        return None
    match.join(store.joined(row.id, length))
    match.kept = match.length
    return store.seats(row.id), store.plans(row.id)


# The past


class Walk:
    """A table walked through answer by answer, from the last kept position before a moment on, or before so
    many answers."""

    def __init__(
        self, store: Store, game: Game[Any], row: TableRow, moment: int = 0, answers: int | None = None
    ) -> None:
        self.game = game
        self.log: list[Event] = []
        """What happened on the way."""
        if answers is None:
            kept = store.snapshot(row.id, edition(game), moment=moment)
        else:
            kept = store.snapshot(row.id, edition(game), number=answers)
        if kept is None:
            self.state: Any = game.start(row.scenario, row.options, self.log)
            self.number, self.moment, self.counts = 0, 0, dict[str, int]()
        else:
            self.state = load(kept.state, State)
            self.state.log = self.log
            self.number, self.moment, self.counts = kept.number, kept.moment, kept.lines
        self._row, self._store = row, store
        self._words: list[list[str]] = []
        self._first = self.number
        self._sides = {name: side for side, name in enumerate(game.sides)} | {CHANCE_WORD: CHANCE}

    def ahead(self) -> Answer | None:
        """The next answer; None at the end."""
        if self.number >= self._row.length:
            return None
        if self.number - self._first >= len(self._words):
            self._first = self.number
            stop = min(self._row.length, self.number + EVERY)
            self._words = self._store.journal(self._row.id, self.number, stop)
        if self.number - self._first >= len(self._words):
            return None
        words = self._words[self.number - self._first]
        # Journals of the first version do not say who answered: it was the one side that was asked.
        named = words[0] in self._sides
        side = self._sides[words[0]] if named else self.game.actor(self.state)
        action = self.game.decode(words[1:] if named else words)
        assert side is not None and not isinstance(action, Refusal)
        return Answer(side, action)

    def step(self) -> bool:
        """Carry out the next answer; False at the end."""
        answer = self.ahead()
        if answer is None:
            return False
        side, action = answer
        decision = self.game.decision_for(self.state, side, action)
        self.game.apply(self.state, action, side)
        self.number += 1
        if decision is None or decision.told(self.game, self.state, side):
            self.moment += 1
        return True

    def to_moment(self, moment: int) -> Any:
        """The position at a moment."""
        while self.moment < moment and self.step():
            pass
        return self.state


def match_at(store: Store, game: Game[Any], row: TableRow, moment: int, whole: bool = False) -> Replayed:
    """The match as it stood at a moment, with all that led to it if the whole is wanted; a moment in the
    middle of a roll is moved to its start."""
    walk = Walk(store, game, row, moment)
    walk.to_moment(moment)
    length = walk.number
    kept = None if whole else store.snapshot(row.id, edition(game), number=max(0, length - FRESH))
    start = 0 if kept is None else kept.number
    words = store.journal(row.id, start, length + 1)
    while length > start and len(words) > length - start and words[length - start][0] == CHANCE_WORD:
        length -= 1
    del words[length - start :]
    row = row._replace(length=length)
    joined = store.joined(row.id, start)
    if kept is None:
        found = _replayed(game, row, words)
        found[0].join(joined)
        return found
    chain = Chain(kept.number, kept.chain)
    chain.grow(kept.number, words)
    match = resumed(game, row, kept)
    match.replay(words, kept.number)
    match.join(joined)
    return match, chain, Logbook(game, kept.lines)
