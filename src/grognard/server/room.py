"""One table in memory: the match that is being changed, and the position that people are shown.

They are two things on purpose. The match may be ahead while a change is on its way to the disk; readers only
ever see a position that has been written, whole, and never wait for a writer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

from grognard.kernel import Action, Event, Game, Match
from grognard.kernel.actions import EVERYONE
from grognard.kernel.doctrine import Intent
from grognard.players import Player, seat
from grognard.server.counsel import Counsel
from grognard.server.store import PlanRow, SeatRow, Standing, TableRow

WATCH = "watch"
HUMAN = "human"


class Proposal(NamedTuple):
    """A take-back asked for: everything after `to` is to be undone."""

    by: str
    to: int


class Position(NamedTuple):
    """What has been written, and may be shown. Nobody changes it."""

    state: Any
    journal: tuple[Action, ...]
    log: tuple[Event, ...]
    can_undo: bool
    version: str
    """Changes with every change of the position, and is the same again after a restart."""
    plans: tuple[PlanRow, ...]
    """What the computer's sides were trying to do."""


class Listener:
    """Somebody who hears of a table."""

    def __init__(self, sides: Sequence[int]) -> None:
        self.sides = sides
        self.woken = asyncio.Event()
        self.changed = False
        """Whether there is a new state to see."""
        self.thoughts: dict[str, float] = {}
        """What is being thought about, and the share of it that is done: news not yet sent."""

    def wake(self, changed: bool) -> None:
        self.changed |= changed
        self.woken.set()


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


class Room:
    """One table."""

    def __init__(
        self,
        game: Game[Any],
        row: TableRow,
        places: Iterable[SeatRow],
        match: Match[Any],
        plans: Iterable[PlanRow] = (),
    ) -> None:
        self.game = game
        self.lock = asyncio.Lock()
        """Held by whoever changes the match."""
        self.spoilt = False
        """A change failed on the way: the match must be read again before the next one."""
        self.used = 0.0
        self.listeners: set[Listener] = set()
        self.chats = 0
        """How often something was said since the room was opened."""
        self.sheets: dict[tuple[tuple[int, ...], str, int], bytes] = {}
        """States as they were last sent, by sides, language and edition."""
        self.sights: dict[tuple[tuple[int, ...], str, int], dict[str, Any]] = {}
        """The same before they were written."""
        self.thinking = False
        self.bot_task: asyncio.Task[None] | None = None
        self.chance = Random(row.seed)
        """Where computer players' guesses at hidden things come from."""
        self.advising = asyncio.Lock()
        """Held while a suggestion is thought out: one at a time."""
        self.counsels: dict[int, Counsel] = {}
        """The advisers of people, by side."""
        self.bots: dict[int, Player] = {}
        self.lay_out(row, places, match, plans)

    def lay_out(
        self, row: TableRow, places: Iterable[SeatRow], match: Match[Any], plans: Iterable[PlanRow]
    ) -> None:
        """Begin from what the store holds."""
        self.row = row
        self.places = {place.side: place for place in places}
        self.match = match
        self.plans = list(plans)
        self.proposal: Proposal | None = None
        if row.asked_by is not None and row.asked_to is not None:
            self.proposal = Proposal(row.asked_by, row.asked_to)
        self.shown = self.position()
        self.sheets.clear()
        self.sights.clear()
        self.seat_bots()

    def seat_bots(self) -> None:
        """Seat the computer players afresh: after a take-back they have done things that never happened."""
        # Another mapping: a thought in progress goes on with the players it began with.
        self.bots = {
            number: seat(self.places[side].kind, f"{self.row.seed}/{side}")
            for number, side in enumerate(self.game.sides)
            if self.places[side].kind != HUMAN
        }

    def position(self) -> Position:
        match = self.match
        return Position(
            match.state.clone(),
            tuple(match.journal),
            tuple(match.log),
            match.can_undo,
            self._version(),
            tuple(self.plans),
        )

    def _version(self) -> str:
        # A bare fingerprint would tell the other side's secrets to whoever tries all of them; the seed, which
        # nobody knows before the end, makes it say nothing.
        mixed = f"version/{self.row.seed}/{self.match.state.fingerprint()}"
        return f"{len(self.match.journal)}-{hashlib.sha256(mixed.encode()).hexdigest()[:10]}"

    @property
    def over(self) -> bool:
        return self.shown.state.over or bool(self.row.resigned)

    @property
    def actor(self) -> int | None:
        return self.game.actor(self.shown.state)

    def standing(self) -> Standing:
        """Where the match stands; for the position shown, `row` says it."""
        state = self.match.state
        actor = self.game.actor(state)
        return Standing(
            turn=self.game.turn(state),
            phase=self.game.phase(state),
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

    def log_for(self, sides: Sequence[int]) -> list[Event]:
        """The lines that a seat may read. Numbers of lines are places in this list: gaps would tell that
        something happened in secret."""
        return [e for e in self.shown.log if e.audience == EVERYONE or e.audience in sides]

    def remember(self, side: int, intent: Intent) -> None:
        """Note what the answer about to be given sets out to do."""
        here = self.standing()
        # As it will be read again: what JSON does not know is written as it can be.
        facts = json.loads(json.dumps(dict(intent.facts), default=_plain))
        turn = self.game.turn(self.match.state)
        number = len(self.match.journal)
        self.plans.append(PlanRow(number, self.game.sides[side], turn, here.phase, intent.code, facts))

    @property
    def tells_plans(self) -> bool:
        """Whether the computer's plans may be known: at the end, or all the time if the table was made so."""
        return self.over or self.row.teacher

    def suggests(self, sides: Sequence[int]) -> bool:
        """Whether a seat may ask for suggestions: where no other person is played against."""
        return bool(sides) and len(sides) + len(self.bots) >= len(self.game.sides)

    def tell(self) -> None:
        """Let everybody who listens know that there is something new to see."""
        self.sheets.clear()
        self.sights.clear()
        self.tell_talk()

    def tell_talk(self) -> None:
        """Let everybody who listens know that something was said; the table is as it was."""
        for listener in list(self.listeners):
            listener.wake(True)

    def hear(self, what: str, share: float, side: int | None = None) -> None:
        """Let those who listen (those of a side, if one is named) know how far a thought has come."""
        for listener in list(self.listeners):
            if side is None or side in listener.sides:
                listener.thoughts[what] = share
                listener.wake(False)


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, (set, frozenset)) else str(value)
