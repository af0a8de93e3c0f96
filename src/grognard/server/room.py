"""One table in memory: the match that is being changed, and the position that people are shown.

They are two things on purpose. The match may be ahead while a change is on its way to the disk; readers only
ever see a position that has been written, whole, and never wait for a writer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, count
from random import Random
from typing import Any, NamedTuple, TypeVar

from grognard.kernel import Match
from grognard.kernel.doctrine import Intent
from grognard.players import Player, seat
from grognard.server.archive import Opened, snapshot_of
from grognard.server.chain import Chain
from grognard.server.journal import PlanRow, SnapshotRow, Stage
from grognard.server.logbook import Logbook
from grognard.server.store import SeatRow, TableRow

T = TypeVar("T")

ABANDONED = "-"
"""Who resigned, when a game was given up because somebody stayed away: nobody."""
WATCH = "watch"
HUMAN = "human"


class Proposal(NamedTuple):
    """A take-back asked for: everything after `to` is to be undone."""

    by: str
    to: int


class Position(NamedTuple):
    """What has been written, and may be shown. Nobody changes it."""

    state: Any
    length: int
    """How many answers led to it."""
    moment: int
    """The number of the last moment at which everybody saw something new."""
    undo: frozenset[int]
    """The sides that can take something back."""
    redo: frozenset[int]
    """The sides that can give something again."""
    versions: Mapping[tuple[int, ...], str]
    """What the position is called, by the sides of a seat: a seat's version changes with what it may know."""
    plans: int
    """How often a computer's side set out to do something."""


class LogRead:
    """How much of a log somebody has been sent."""

    def __init__(self, lines: int = 0) -> None:
        self.standing = lines
        """How many lines, of those that still stand;"""
        self.sent = lines
        """and how many in all: beyond those that stand, lines that have been taken back since."""


class Listener:
    """Somebody who hears of a table."""

    def __init__(self, sides: Sequence[int]) -> None:
        self.sides = sides
        self.read: dict[tuple[int, ...], LogRead] = {}
        """What has been sent of each log that is read here, by its audiences."""
        self.woken = asyncio.Event()
        self.changed = False
        """Whether there is a new state to see."""
        self.thoughts: dict[str, float] = {}
        """What is being thought about, and the share of it that is done: news not yet sent."""
        self.marked = True
        """Whether marks on the map may differ from those that have been sent."""
        self.sent_away = False
        """Whether the seat is no longer theirs."""

    def wake(self, changed: bool) -> None:
        self.changed |= changed
        self.woken.set()


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


class Room:
    """One table."""

    def __init__(self, opened: Opened) -> None:
        self.game = opened.game
        self.lock = asyncio.Lock()
        """Held by whoever changes the match."""
        self.must_reload = False
        """A change failed on the way: the match must be read again before the next one."""
        self.used = 0.0
        self.listeners: set[Listener] = set()
        self.here: list[int] = []
        """The sides of which somebody looks at the table, as everybody was last told."""
        self.chats = 0
        """How often something was said since the room was opened."""
        self.written_states: dict[tuple[tuple[int, ...], str], bytes] = {}
        """States as they were last sent, by sides and language."""
        self.letters: dict[tuple[Any, ...], tuple[dict[str, Any], str | None]] = {}
        """Pushes that several connections are sent, by what each of them had seen before."""
        self.sights: dict[tuple[tuple[int, ...], str], dict[str, Any]] = {}
        """The same before they were written."""
        self.thinking = False
        self.bot_task: asyncio.Task[None] | None = None
        self.failures = 0
        """How often in a row the computer's turn has come to nothing;"""
        self.again: asyncio.TimerHandle | None = None
        """and when it is tried again, if not before."""
        self.chance = Random(opened.row.seed)
        """Where computer players' guesses at hidden things come from."""
        self.held_until = 0.0
        """Until when this server thinks for the computers, by the clock that never goes back."""
        self.advising = asyncio.Lock()
        """Held while a suggestion is thought out: one at a time."""
        self.bots: dict[int, Player] = {}
        self.book = opened.book
        """The log as far as it has been written."""
        self.next_book: Logbook | None = None
        """Another log that will take its place when it has been."""
        self.lay_out(opened)

    def lay_out(self, opened: Opened) -> None:
        """Begin from what the store holds."""
        self._take_row(opened.row)
        self.pinned, self.older = opened.pinned, opened.older
        self.places = {place.side: place for place in opened.seats}
        self.plans = opened.plans
        self.set_match(opened.match, opened.chain, opened.book)
        self.write_log()
        self.shown = self.position()
        self.written_states.clear()
        self.sights.clear()
        self.seat_bots()

    def go_on(self, row: TableRow, places: Iterable[SeatRow], plans: list[PlanRow]) -> None:
        """Take over what another server has done; the match has followed already."""
        self.places = {place.side: place for place in places}
        self.plans = plans
        self._take_row(row._replace(length=self.match.length))
        self.write_log()
        self.shown = self.position()

    def _take_row(self, row: TableRow) -> None:
        self.row = row
        self.proposal: Proposal | None = None
        if row.asked_by is not None and row.asked_to is not None:
            self.proposal = Proposal(row.asked_by, row.asked_to)

    def set_match(self, match: Match[Any], chain: Chain, book: Logbook) -> None:
        """Go on with another match. Its log is shown when it has been written."""
        self.match, self.chain = match, chain
        self.next_book = book
        self.joined: set[int] = set()
        """The numbers of answers not written yet that were one order with the answer before."""
        self.kept: SnapshotRow | None = None
        """The last position that was kept since."""
        self.kept_at = match.before.length

    def as_one(self, give: Callable[[], T]) -> T:
        """Give answers that are taken back together."""
        before = self.match.length
        given = give()
        self.joined.update(range(before + 1, self.match.length))
        return given

    def written_log(self) -> Logbook:
        """The log as it will be when what the match has told is written."""
        book = self.book.copy() if self.next_book is None else self.next_book
        book.cut(self.match.log_kept)
        book.extend(self.match.log[book.length - self.match.before.log :])
        return book

    def write_log(self) -> None:
        """Take over into the log what the match has told."""
        match = self.match
        if self.next_book is not None:
            book, self.next_book = self.written_log(), None
            self._unread(lambda log: self.book.common(book, log))
            self.book = book
        elif match.log_kept < self.book.length:
            self.book.cut(match.log_kept)
            self._unread(self.book.end)
        self.book.extend(match.log[self.book.length - match.before.log :])
        match.log_kept = match.log_length

    def _unread(self, standing: Callable[[tuple[int, ...]], int]) -> None:
        """Lines of logs were taken back that some have read; so many stand."""
        for listener in self.listeners:
            for log, read in listener.read.items():
                read.standing = min(read.standing, standing(log))

    def keep(self, kept: SnapshotRow) -> None:
        """A position has been kept: what lies before the one before it is forgotten."""
        last, self.kept, self.kept_at = self.kept, kept, kept.number
        if last is None or last.number >= kept.number:
            return
        self.match.forget(snapshot_of(last))
        if self.match.before.length == last.number:
            self.chain.forget(last.number)
            self.book = self.book.after(last.lines)

    def seat_bots(self) -> None:
        """Seat the computer players afresh: after a take-back they have done things that never happened."""
        self.sitting = next(_sittings)
        # Another mapping: a thought in progress goes on with the players it began with.
        self.bots = {
            number: seat(self.places[side].kind, f"{self.row.seed}/{side}")
            for number, side in enumerate(self.game.sides)
            if self.places[side].kind != HUMAN
        }

    def position(self) -> Position:
        match = self.match
        sides = range(len(self.game.sides))
        seats = [seat for count in range(len(sides) + 1) for seat in combinations(sides, count)]
        if match.state.sealed:
            versions = {seat: match.version(seat) for seat in seats}
        else:
            # Nobody has written anything in secret: all see the same.
            versions = dict.fromkeys(seats, match.version(()))
        return Position(
            match.state.clone(),
            match.length,
            match.moment,
            frozenset(side for side in sides if match.can_undo(side)),
            frozenset(side for side in sides if match.can_redo(side)),
            versions,
            len(self.plans),
        )

    @property
    def over(self) -> bool:
        return self.shown.state.over or bool(self.row.resigned)

    @property
    def asked(self) -> frozenset[int]:
        """The sides that the table waits for."""
        return self.game.must_act(self.shown.state)

    @property
    def sealed(self) -> bool:
        """Whether sides are writing in secret: then nobody may learn when another one does something."""
        decision = self.game.decision(self.shown.state)
        return decision is not None and decision.secret

    @property
    def attended(self) -> bool:
        """Whether a person plays or watches. Computers alone do not play to an empty room."""
        return not self.pinned and (len(self.bots) < len(self.game.sides) or bool(self.listeners))

    def side_for(self, sides: Sequence[int]) -> int | None:
        """The side for which a seat answers: the first of its own that is asked."""
        asked = self.asked
        return next((side for side in sides if side in asked), None)

    def version(self, sides: Sequence[int]) -> str:
        return self.shown.versions[tuple(sides)]

    def stage(self) -> Stage:
        """Where the match stands; for the position shown, `row` says it."""
        state = self.match.state
        actor = next(iter(self.game.shown_actors(state, None)), None)
        return Stage(
            turn=self.game.turn(state),
            phase=self.game.phase(state).id,
            actor=None if actor is None or actor < 0 else self.game.sides[actor],
            over=state.over,
        )

    def sides_of(self, token: str | None) -> list[int] | None:
        """The sides a token plays; empty for a spectator's; None for a token of no seat here."""
        if token is None:
            return [] if self.row.listed else None
        hashed = hash_token(token)
        sides = [
            number
            for number, side in enumerate(self.game.sides)
            if self.places[side].taken and secrets.compare_digest(self.places[side].token, hashed)
        ]
        if sides:
            return sides
        return [] if secrets.compare_digest(self.places[WATCH].token, hashed) else None

    def sides_of_account(self, account: str) -> list[int] | None:
        """The sides whose seats belong to an account; None if there are none."""
        sides = self.game.sides
        return [n for n, side in enumerate(sides) if account and self.places[side].account == account] or None

    def remember(self, side: int, intent: Intent) -> None:
        """Note what the answer about to be given sets out to do."""
        here = self.stage()
        # As it will be read again: what JSON does not know is written as it can be.
        facts = json.loads(json.dumps(dict(intent.facts), default=_plain))
        turn = self.game.turn(self.match.state)
        number = self.match.length
        self.plans.append(PlanRow(number, self.game.sides[side], turn, here.phase, intent.code, facts))

    @property
    def tells_plans(self) -> bool:
        """Whether the computer's plans may be known: at the end, or all the time if the table was made so."""
        return self.over or self.row.teacher

    def suggests(self, sides: Sequence[int]) -> bool:
        """Whether a seat may ask for suggestions: where no other person is played against."""
        alone = bool(sides) and len(sides) + len(self.bots) >= len(self.game.sides)
        # Workers have the data in use only.
        return alone and not self.older and not self.pinned

    @property
    def looking(self) -> set[int]:
        """The sides of which somebody looks at the table with this server."""
        return {side for listener in self.listeners for side in listener.sides}

    def show_here(self, sides: set[int]) -> None:
        """Tell everybody who is here, if that has changed."""
        here = sorted(sides)
        if here != self.here:
            self.here = here
            self.tell()

    def tell(self, side: int | None = None) -> None:
        """Let everybody who listens (those of a side, if one is named) know that there is something new to
        see."""
        for made in (self.written_states, self.sights):
            for key in [key for key in made if side is None or side in key[0]]:
                del made[key]
        self.letters.clear()
        self.tell_talk(side)

    def tell_talk(self, side: int | None = None) -> None:
        """Let those who listen know that something was said; the table is as it was."""
        for listener in list(self.listeners):
            if side is None or side in listener.sides:
                listener.wake(True)

    def send_away(self, sides: Sequence[int] | None = None) -> None:
        """Have nobody listen any more who came with a seat of these sides; everybody, if none are named."""
        for listener in list(self.listeners):
            if sides is None or not set(sides).isdisjoint(listener.sides):
                listener.sent_away = True
                listener.wake(False)

    def hear(self, what: str, share: float, side: int | None = None) -> None:
        """Let those who listen (those of a side, if one is named) know how far a thought has come."""
        for listener in list(self.listeners):
            if side is None or side in listener.sides:
                listener.thoughts[what] = share
                listener.wake(False)


_sittings = count()


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, (set, frozenset)) else str(value)
