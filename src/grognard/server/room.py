"""One table in memory: the match that is being changed, and the position that people are shown.

They are two things on purpose. The match may be ahead while a change is on its way to the disk; readers only
ever see a position that has been written, whole, and never wait for a writer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from grognard.kernel import Answer, Event, Game, Match
from grognard.kernel.actions import EVERYONE
from grognard.kernel.doctrine import Intent
from grognard.players import Player, seat
from grognard.players.advice import Suggester
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
    journal: tuple[Answer, ...]
    moments: tuple[int, ...]
    """The lengths of the journal at which everybody saw something new."""
    log: tuple[Event, ...]
    undo: frozenset[int]
    """The sides that can take something back."""
    redo: frozenset[int]
    """The sides that can give something again."""
    versions: Mapping[tuple[int, ...], str]
    """What the position is called, by the sides of a seat: a seat's version changes with what it may know."""
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
        self.sheets: dict[tuple[tuple[int, ...], str], bytes] = {}
        """States as they were last sent, by sides and language."""
        self.sights: dict[tuple[tuple[int, ...], str], dict[str, Any]] = {}
        """The same before they were written."""
        self.thinking = False
        self.bot_task: asyncio.Task[None] | None = None
        self.chance = Random(row.seed)
        """Where computer players' guesses at hidden things come from."""
        self.advising = asyncio.Lock()
        """Held while a suggestion is thought out: one at a time."""
        self.suggesters: dict[int, Suggester] = {}
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
        sides = range(len(self.game.sides))
        seats = [seat for count in range(len(sides) + 1) for seat in combinations(sides, count)]
        return Position(
            match.state.clone(),
            tuple(match.journal),
            tuple(match.moments),
            tuple(match.log),
            frozenset(side for side in sides if match.can_undo(side)),
            frozenset(side for side in sides if match.can_redo(side)),
            {seat: match.version(seat) for seat in seats},
            tuple(self.plans),
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
        return len(self.bots) < len(self.game.sides) or bool(self.listeners)

    def side_for(self, sides: Sequence[int]) -> int | None:
        """The side for which a seat answers: the first of its own that is asked."""
        asked = self.asked
        return next((side for side in sides if side in asked), None)

    def version(self, sides: Sequence[int]) -> str:
        return self.shown.versions[tuple(sides)]

    def standing(self) -> Standing:
        """Where the match stands; for the position shown, `row` says it."""
        state = self.match.state
        actor = next(iter(self.game.shown_actors(state, None)), None)
        return Standing(
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

    def tell(self, side: int | None = None) -> None:
        """Let everybody who listens (those of a side, if one is named) know that there is something new to
        see."""
        for made in (self.sheets, self.sights):
            for key in [key for key in made if side is None or side in key[0]]:
                del made[key]
        self.tell_talk(side)

    def tell_talk(self, side: int | None = None) -> None:
        """Let those who listen know that something was said; the table is as it was."""
        for listener in list(self.listeners):
            if side is None or side in listener.sides:
                listener.wake(True)

    def hear(self, what: str, share: float, side: int | None = None) -> None:
        """Let those who listen (those of a side, if one is named) know how far a thought has come."""
        for listener in list(self.listeners):
            if side is None or side in listener.sides:
                listener.thoughts[what] = share
                listener.wake(False)


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, (set, frozenset)) else str(value)
