"""Games in progress, in memory, each in step with its journal in the store.

A room's match is changed only while its lock is held, and a change is written before anybody sees it. If
anything fails on the way, the match is read again from the store: what was not written never happened.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from grognard.kernel import Game, Match, Refusal, SaveError, commitment, refusal
from grognard.kernel.dice import seed_at
from grognard.players.advice import Suggestion
from grognard.server.archive import (
    EVERY,
    Opened,
    StaleTableError,
    UnknownTableError,
    further,
    match_at,
    open_table,
    playable,
    taken,
)
from grognard.server.bus import bus_for, new_name
from grognard.server.chain import Chain
from grognard.server.computer import AbandonedError, Reply
from grognard.server.journal import Entry
from grognard.server.logbook import Logbook
from grognard.server.older import open_older, raw_save
from grognard.server.presence import Presence
from grognard.server.promises import NO_PROMISE, entropy, rolled_anew, with_share
from grognard.server.releases import Releases
from grognard.server.room import HUMAN, Position, Proposal, Room, hash_token
from grognard.server.scribe import ConflictError, Scribe
from grognard.server.seating import NewTable, new_token, places
from grognard.server.store import Store, TableRow
from grognard.server.workbench import Seating, advise, enter, play, play_here, restore, with_game
from grognard.server.workshop import Workshop

T = TypeVar("T")
P = ParamSpec("P")

KEPT = 500
IDLE = 900.0
"""So many rooms, and for so many seconds, are kept in memory when nobody is in them."""
SHORT = 300
"""Tables with fewer answers are opened at once, others by a worker."""
LEASE = 6.0
"""Seconds for which a server keeps a table's computers to itself. After a crash another waits no longer."""
RETRIES = 5
"""So often in a row a computer's turn is tried, with pauses that grow;"""
LATER = 60.0
"""then, as long as the table waits for it, once in so many seconds, or when somebody comes."""
SEED_LENGTH = 80
MOST_ADDED = 20_000
"""The longest seed that is taken from a save, alone and with what was added to it."""

_log = logging.getLogger(__name__)


class SeatError(PermissionError):
    """This seat may not do that."""


class Created(NamedTuple):
    table: str
    tokens: dict[str, str]
    """Side (or `watch`) -> token of whoever made the table. Seats of others have none."""
    invitations: dict[str, str] = {}
    """Side -> what somebody else can sit down with, once."""
    promise: str = ""
    """What is published of the dice before the first roll."""


def _carried_through(
    change: Callable[Concatenate[Rooms, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Rooms, P], Coroutine[Any, Any, T]]:
    """A change, once begun, is carried through even if whoever asked for it closes the connection."""

    @wraps(change)
    async def carried_through(self: Rooms, /, *args: P.args, **kwargs: P.kwargs) -> T:
        task = asyncio.create_task(change(self, *args, **kwargs))
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    return carried_through


class Rooms:
    """All tables."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]], workshop: Workshop) -> None:
        self.store = store
        self.workshop = workshop
        self.games = games
        self.scribe = Scribe(store)
        self.releases = Releases(store, games, workshop.premises.overrides)
        # Never two rooms for one table: as long as anybody holds a room, it is the one that is found.
        self._open: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._recent: OrderedDict[str, Room] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._changed_meanwhile: set[str] = set()
        """Tables of which word came while they were being read."""
        self._changes: set[asyncio.Task[Any]] = set()
        self._closing = False
        self.name = new_name()
        """What this server is called among those on one database."""
        self._listening: asyncio.Task[None] | None = None
        store.bus = bus_for(store.engine, self.name)
        self.presence = Presence(store.bus, self._looked_at)
        if store.bus is not None:
            self._listening = asyncio.get_running_loop().create_task(
                store.bus.listen(self._heard, self._listens, self.presence.heard)
            )

    # Other servers

    def _heard(self, table_id: str) -> None:
        """Another server has changed a table."""
        room = self._open.get(table_id)
        if table_id in self._opening:
            self._changed_meanwhile.add(table_id)
        waits = room is not None and (room.listeners or _computers_turn(room) or self._holds(room))
        if room is not None and not waits:
            # Nobody looks at it here: it is read again when somebody comes.
            room.must_reload = True
        elif room is not None:
            task = asyncio.get_running_loop().create_task(self._follow(room))
            self._changes.add(task)
            task.add_done_callback(self._changes.discard)

    def _listens(self) -> None:
        """From now on it is heard what others change. Of what they have changed before, nothing was."""
        for table_id in {*self._open, *self._opening}:
            self._heard(table_id)
        self.presence.begun()

    def here(self, room: Room) -> set[int]:
        """The sides of which somebody looks at a table now, with whatever server."""
        return room.looking | self.presence.elsewhere(room.row.id)

    def look_round(self, room: Room) -> None:
        """Tell everybody who is here, if that has changed."""
        self.presence.show(room.row.id, room.looking)
        room.show_here(self.here(room))

    def _looked_at(self, table_id: str) -> None:
        """Others than before look at a table with another server."""
        room = self._open.get(table_id)
        if room is not None:
            self.look_round(room)

    async def look_again(self, room: Room) -> None:
        """Word of a change may come later than whoever has made it at another server."""
        if self.store.bus is None:
            return
        row = await asyncio.to_thread(self.store.table, room.row.id)
        if row is not None and row.changes != room.row.changes:
            async with self._changing(room):
                await self._catch_up(room)

    async def _follow(self, room: Room) -> None:
        """Show what another server has done with a table that is open here."""
        try:
            async with self._changing(room):
                if not await self._catch_up(room):
                    # Something was said.
                    room.tell_talk()
        except UnknownTableError:
            self.forget(room)
        except Exception:
            _log.exception("table %s cannot be read", room.row.id)
        self.wake_bots(room)

    async def _catch_up(self, room: Room) -> bool:
        """Read what others have changed in a table that is held here; whether there was anything."""
        row = await asyncio.to_thread(self.store.table, room.row.id)
        if row is None:
            raise UnknownTableError(room.row.id)
        room.chats += 1
        for listener in room.listeners:
            listener.marked = True
        if row.changes == room.row.changes:
            return False
        opened = await asyncio.to_thread(further, self.store, row, room.match, room.chain)
        if opened is None:
            room.lay_out(await self._read(row.id))
        else:
            room.go_on(row, *opened)
        room.tell()
        return True

    def _holds(self, room: Room) -> bool:
        """Whether the computers of a table are this server's for now: no other will think for them."""
        return bool(room.bots) and room.held_until > time.monotonic()

    async def _think_here(self, room: Room) -> bool:
        """Whether it is this server that thinks for the computers of a table."""
        if self.store.bus is None or room.held_until - time.monotonic() > LEASE / 2:
            return True
        if not await asyncio.to_thread(self.store.hold, room.row.id, self.name, LEASE):
            return False
        room.held_until = time.monotonic() + LEASE
        return True

    # Opening

    async def create(self, wish: NewTable) -> Created:
        game = self.games[wish.game]
        seed = wish.seed or secrets.token_hex(16)
        match = await asyncio.to_thread(Match, game, wish.scenario, dict(wish.options), seed)
        return await self._install(match, wish)

    async def restore(
        self, text: str, wish: NewTable, named: Callable[[Game[Any], int], str] | None = None
    ) -> Created:
        """A table from somebody's save; if the wish has no name, it is called after the game and its turn."""
        game = self.games[wish.game]
        match: Match[Any] = await self.workshop.errand(restore, game.id, text)
        match.game = game
        if len(seed_at(match.seed, -1)) > SEED_LENGTH or len(match.seed) > MOST_ADDED or "\0" in match.seed:
            raise SaveError("the seed of this save is not one of ours", "not-a-save")
        people = sum(wish.seats.get(side, HUMAN) == HUMAN for side in game.sides)
        if people > 1 and not wish.hotseat and not match.over:
            # Whoever has the save has its seed, and with it every die to come.
            raise SaveError(
                "a save can be played on at one screen or against the computer only", "save-two-people"
            )
        if named is not None and not wish.name:
            wish = wish._replace(name=named(game, game.turn(match.state)))
        return await self._install(match, wish)

    async def branch(self, room: Room, sides: list[int], to: int, name: str) -> Created | Refusal:
        """A table that goes on from a moment of another, with the same computers; whoever asks for it has all
        other seats. Dice to come are others, so that nothing can be tried out this way, and its seed, which
        is that of the first table, is not published."""
        alone = len(sides) + len(room.bots) >= len(room.game.sides)
        if not 0 <= to <= room.shown.moment or not (alone or room.over):
            return refusal("no-such-moment", "")
        row = room.row
        match, _, _ = await asyncio.to_thread(match_at, self.store, room.game, row, to, whole=True)
        match.seed += f"@{match.length}:branch={secrets.token_hex(16)}"
        people = [side for side in room.game.sides if room.places[side].kind == HUMAN]
        wish = NewTable(
            game=row.game,
            scenario=row.scenario,
            options=row.options,
            seats={side: room.places[side].kind for side in room.game.sides},
            name=name,
            hotseat=len(people) > 1,
            owner=next((room.places[side].name for side in people), ""),
            teacher=row.teacher,
        )
        return await self._install(match, wish, NO_PROMISE)

    @_carried_through
    async def _install(self, match: Match[Any], wish: NewTable, promise: str = "") -> Created:
        game = match.game
        table_id = secrets.token_urlsafe(9)
        seated = places(game, wish, table_id)
        seats = seated.rows
        now = self.store.clock()
        row = TableRow(
            id=table_id,
            game=game.id,
            rules=game.rules_version,
            data=game.digest(match.scenario),
            scenario=match.scenario,
            options=match.options,
            seed=match.seed,
            name=wish.name,
            listed=wish.listed,
            hotseat=wish.hotseat,
            resigned="",
            created=now,
            updated=now,
            length=match.length,
            teacher=wish.teacher,
            promise=promise or commitment(match.seed),
            maker=wish.maker,
            host=seated.host,
            pace=wish.pace,
            leave=wish.leave,
            since=now,
        )
        words, chain, book = match.written(), Chain(), Logbook(game, {})
        chain.grow(0, words)
        room = Room(Opened(game, row._replace(chain=chain.last), seats, match, [], chain, book))
        room.row = room.row._replace(**room.stage()._asdict())
        await asyncio.to_thread(self.store.create, room.row, seats, words)
        match.kept = match.length
        self._open[table_id] = room
        self._keep(room)
        self.wake_bots(room)
        return Created(table_id, seated.tokens, seated.invitations, row.promise)

    async def room(self, table_id: str) -> Room:
        found = self._open.get(table_id)
        if found is None:
            if not re.fullmatch(r"[\w-]{1,40}", table_id, re.ASCII):
                raise UnknownTableError(table_id)
            opening = self._opening.get(table_id)
            if opening is None:
                opening = self._opening[table_id] = asyncio.create_task(self._enter(table_id))
                opening.add_done_callback(lambda _: self._opening.pop(table_id, None))
            found = await asyncio.shield(opening)
        if found.must_reload and not found.lock.locked():
            await self._refresh(found)
        self._keep(found)
        self.wake_bots(found)
        return found

    def at_hand(self, table_id: str) -> Room | None:
        """A table that is open here and up to date."""
        room = self._open.get(table_id)
        return None if room is None or room.must_reload else room

    async def _refresh(self, room: Room) -> None:
        """Show what the store has after a change that failed; if it still fails, what was shown stays."""
        try:
            async with self._changing(room):
                pass
        except Exception:
            _log.exception("table %s cannot be read", room.row.id)

    async def _enter(self, table_id: str) -> Room:
        self._changed_meanwhile.discard(table_id)
        room = Room(await self._read(table_id))
        room.must_reload = table_id in self._changed_meanwhile
        self._open[table_id] = room
        self.look_round(room)
        return room

    async def _read(self, table_id: str) -> Opened:
        row = await asyncio.to_thread(self.store.table, table_id)
        if row is None:
            raise UnknownTableError(table_id)
        try:
            if not self.playable(row):
                raise StaleTableError(row.game)
            if row.length < SHORT:
                return await asyncio.to_thread(open_table, self.store, self.games, table_id)
            opened: Opened = await self.workshop.errand(enter, table_id, key=table_id)
            return with_game(opened, self.games[row.game])
        except UnknownTableError:
            raise
        except Exception as error:
            # Of another release, or refused by rules that were repaired without a new version.
            _log.info("table %s does not fit this release: %s", table_id, type(error).__name__)
            return await asyncio.to_thread(open_older, self.store, self.releases, row)

    def playable(self, row: TableRow) -> bool:
        """Whether a table was made with the rules and data in use."""
        return playable(self.games, row)

    def _keep(self, room: Room) -> None:
        """Remember a room that is being used, and forget those that nobody has used for long."""
        room.used = time.monotonic()
        self._recent[room.row.id] = room
        self._recent.move_to_end(room.row.id)
        while len(self._recent) > KEPT or next(iter(self._recent.values())).used < room.used - IDLE:
            self._recent.popitem(last=False)

    # Changing

    def changing(self, room: Room) -> AbstractAsyncContextManager[Match[Any]]:
        """Hold a room, for changes of more than its match."""
        return self._changing(room)

    def changed(self, room: Room) -> None:
        self._changed(room)

    async def whole(self, change: Coroutine[Any, Any, T]) -> T:
        """Carry a change through, even if whoever asked for it hangs up."""
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    async def update(self, room: Room, **change: Any) -> None:
        """Change a table's own columns, in the store and in the room."""
        await self._change(room, **change)

    def forget(self, room: Room) -> None:
        """A table that is no longer there."""
        room.send_away()
        self._open.pop(room.row.id, None)
        self._recent.pop(room.row.id, None)

    @asynccontextmanager
    async def _changing(self, room: Room) -> AsyncIterator[Match[Any]]:
        """Hold a room. Whatever goes wrong meanwhile, the next to hold it finds what the store has."""
        async with room.lock:
            if room.must_reload:
                room.lay_out(await self._read(room.row.id))
                room.must_reload = False
                room.tell()
            try:
                yield room.match
            except BaseException:
                room.must_reload = True
                raise

    async def _write(self, room: Room) -> None:
        """Write what has changed in a room's match, and show it."""
        match, row = room.match, room.row
        was, kept, now = row.length, match.kept, match.length
        seed = None if match.seed == row.seed else match.seed
        if was == kept == now and seed is None:
            return
        # Who writes in secret does not even move his table up in the list.
        seen = match.version(()) != room.shown.versions[()]
        stage, words = room.stage(), match.written(kept)
        room.plans = [plan for plan in room.plans if plan.number < now]
        plans = [plan for plan in room.plans if plan.number >= kept]
        room.chain.grow(kept, words)
        snapshot = taken(match, room.chain, room.written_log()) if now - room.kept_at >= EVERY else None
        last = room.chain.last
        entry = Entry(row.id, was, kept, words, stage, plans, seen, row.changes, last, snapshot, seed)
        await self.scribe.write(entry._replace(joined=frozenset(room.joined)))
        room.joined.clear()
        match.kept = now
        room.write_log()
        room.row = row._replace(length=now, changes=row.changes + 1, chain=last, **stage._asdict())
        room.row = room.row._replace(seed=match.seed)
        if seen:
            seen_at = self.store.clock()
            room.row = room.row._replace(updated=seen_at, since=seen_at)
            room.proposal = None
        room.kept_at = min(room.kept_at, kept)
        if snapshot is not None:
            room.keep(snapshot)
        room.shown = room.position()

    async def act(
        self, room: Room, sides: list[int], version: str | None, words: Any, by: str | None = None
    ) -> Refusal | None:
        """Answer for one of a seat's sides: the one named, or the first that is asked."""

        def give(match: Match[Any], side: int) -> Refusal | None:
            action = room.game.decode(words)
            return action if isinstance(action, Refusal) else match.act(side, action)

        return await self._answer(room, sides, version, give, by)

    async def order(
        self,
        room: Room,
        sides: list[int],
        version: str | None,
        order: Mapping[str, Any],
        by: str | None = None,
    ) -> Refusal | None:
        def give(match: Match[Any], side: int) -> Refusal | None:
            return room.as_one(lambda: match.order(side, order))

        return await self._answer(room, sides, version, give, by)

    @_carried_through
    async def _answer(
        self,
        room: Room,
        sides: list[int],
        version: str | None,
        give: Callable[[Match[Any], int], Refusal | None],
        by: str | None,
    ) -> Refusal | None:
        """Answer for one of these sides, if it may and they have seen how things stand."""
        seen = room.version(sides) if version is None else version
        for last in (False, True):
            try:
                return await self._answer_once(room, sides, version, give, by)
            except ConflictError:
                # Another server was faster. If the position is still the one that they have seen, something
                # else was changed, or we had read the table in the middle of a change.
                await self._refresh(room)
                if last or room.version(sides) != seen:
                    break
        return refusal("stale", "")

    async def _answer_once(
        self,
        room: Room,
        sides: list[int],
        version: str | None,
        give: Callable[[Match[Any], int], Refusal | None],
        by: str | None,
    ) -> Refusal | None:
        async with self._changing(room):
            if version is not None and version != room.version(sides):
                # Whoever has played at another server has seen more than we have.
                await self._catch_up(room)
            if room.over:
                return refusal("game-over", "")
            side = _side_named(room, sides, by)
            if side is None and not sides:
                return refusal("not-your-decision", "")
            if version is not None and version != room.version(sides):
                # Also if it is no longer its decision: what has been done since says why.
                return refusal("stale", "")
            if side is None:
                return refusal("not-your-decision", "")
            before = room.shown.versions[()]
            why = give(room.match, side)
            if why is not None:
                return why
            await self._write(room)
        self._changed(room, None if room.shown.versions[()] != before else side)
        return None

    async def answer(
        self, room: Room, side: int, give: Callable[[Match[Any], int], Refusal | None]
    ) -> Refusal | None:
        """Answer for a side that is late."""
        return await self._answer(room, [side], None, give, room.game.sides[side])

    async def undo(
        self, room: Room, sides: list[int], whole_phase: bool, version: str | None = None
    ) -> Refusal | None:
        """Take back a seat's last answer, or all of the phase."""

        def take_back(match: Match[Any], side: int) -> bool:
            return match.undo_phase(side) if whole_phase else match.undo(side)

        try:
            return await self._retrace(room, sides, Match.can_undo, take_back, "nothing-to-undo", version)
        except ConflictError:
            # Another server was faster.
            await self._refresh(room)
            return refusal("stale", "")

    async def redo(self, room: Room, sides: list[int], everything: bool = False) -> Refusal | None:
        """Give again what a seat took back last, or all of it."""

        def give_again(match: Match[Any], side: int) -> bool:
            given = room.as_one(lambda: match.redo(side))
            while everything and room.as_one(lambda: match.redo(side)):
                pass
            return given

        return await self._retrace(room, sides, Match.can_redo, give_again, "nothing-to-redo")

    @_carried_through
    async def _retrace(
        self,
        room: Room,
        sides: list[int],
        able: Callable[[Match[Any], int], bool],
        retrace: Callable[[Match[Any], int], bool],
        otherwise: str,
        version: str | None = None,
    ) -> Refusal | None:
        async with self._changing(room):
            if version is not None and version != room.version(sides):
                # Whoever has played at another server has seen more than we have.
                await self._catch_up(room)
            if room.over:
                return refusal("game-over", "")
            if version is not None and version != room.version(sides):
                return refusal("stale", "")
            match = room.match
            # With several sides at one screen, first the one that is being asked.
            side = next((s for s in sorted(sides, key=lambda s: s not in room.asked) if able(match, s)), None)
            thinking = not room.asked.isdisjoint(room.bots)
            if side is None or not retrace(match, side):
                return refusal(otherwise if room.side_for(sides) is not None else "not-your-decision", "")
            before = room.shown.versions[()]
            await self._write(room)
            if thinking:
                # They have thought about a position that never was.
                room.seat_bots()
        self._changed(room, None if room.shown.versions[()] != before else side)
        return None

    @_carried_through
    async def propose(self, room: Room, sides: list[int], to: int) -> Refusal | None:
        """Ask the other side to take the game back to a moment."""
        async with self._changing(room):
            if not sides or room.over or not 0 <= to < room.shown.moment:
                return refusal("no-such-moment", "")
            others = [n for n in range(len(room.game.sides)) if n not in sides]
            # Nobody to ask: both seats are the asker's, or the other one is the computer's.
            if all(n in room.bots for n in others):
                await self._take_back(room, to)
            else:
                await self._keep_proposal(room, Proposal(room.game.sides[sides[0]], to))
        self._changed(room)
        return None

    @_carried_through
    async def answer_proposal(
        self, room: Room, sides: list[int], accept: bool, to: int | None = None
    ) -> Refusal | None:
        """Grant or refuse a take-back. Whoever asked for it may only withdraw it; whoever grants it says
        which, so that another cannot be put in its place meanwhile."""
        async with self._changing(room):
            own = room.proposal is not None and room.proposal.by in {room.game.sides[n] for n in sides}
            if room.proposal is None or not sides or room.over or (own and accept):
                return refusal("no-proposal", "")
            if accept and room.proposal.to != to:
                return refusal("stale", "")
            if accept:
                await self._take_back(room, room.proposal.to)
            else:
                await self._keep_proposal(room, None)
        self._changed(room)
        return None

    async def _keep_proposal(self, room: Room, proposal: Proposal | None) -> None:
        by, to = proposal or (None, None)
        await self._change(room, asked_by=by, asked_to=to)
        room.proposal = proposal

    async def _change(self, room: Room, **values: Any) -> None:
        """Change a table's own columns, if nobody else has changed it meanwhile."""
        changes = room.row.changes
        if not await asyncio.to_thread(lambda: self.store.update(room.row.id, changes, **values)):
            raise ConflictError(room.row.id)
        room.row = room.row._replace(changes=changes + 1, **values)

    async def _take_back(self, room: Room, to: int) -> None:
        match, chain, book = await asyncio.to_thread(match_at, self.store, room.game, room.row, to)
        match.kept = match.length
        # Dice that were seen are not rolled again: those to come are others, and everybody sees how often
        # that has happened.
        match.seed = rolled_anew(room.row.seed, match.length)
        room.set_match(match, chain, book)
        await self._write(room)
        room.seat_bots()

    @_carried_through
    async def share(self, room: Room, sides: list[int], share: str) -> Refusal | None:
        """Mix a player's share into the dice to come; each side has one."""
        async with self._changing(room) as match:
            names = [room.game.sides[n] for n in sides if room.game.sides[n] not in entropy(room.row.seed)]
            if room.over or not names:
                return refusal("game-over" if room.over else "shared-already", "")
            for name in names:
                match.seed = with_share(match.seed, match.length, name, share)
            await self._write(room)
        self._changed(room)
        return None

    @_carried_through
    async def resign(self, room: Room, sides: list[int]) -> Refusal | None:
        async with self._changing(room):
            if not sides or room.over:
                return refusal("game-over", "")
            asked = room.side_for(sides)
            side = room.game.sides[sides[0] if asked is None else asked]
            change: dict[str, Any] = {
                "resigned": side,
                "over": True,
                "actor": None,
                "asked_by": None,
                "asked_to": None,
            }
            await self._change(room, **change)
            room.proposal = None
        self._changed(room)
        return None

    async def save(self, room: Room) -> str:
        if room.pinned:
            return await asyncio.to_thread(raw_save, self.store, room.row)
        async with self._changing(room) as match:
            forgotten = match.before.length
            earlier = await asyncio.to_thread(self.store.journal, room.row.id, 0, forgotten)
            return await asyncio.to_thread(match.save, earlier)

    @_carried_through
    async def join(self, room: Room, side: str, name: str) -> str:
        """Take an open human seat; the token of the seat."""
        token = new_token()
        hashed = hash_token(token)
        async with self._changing(room):
            place = room.places.get(side)
            free = place is not None and place.kind == HUMAN and not place.taken
            if free:
                free = await asyncio.to_thread(self.store.take_seat, room.row.id, side, hashed, name)
            if free and place is not None:
                room.places[side] = place._replace(token=hashed, name=name, taken=True, invite="")
                room.row = room.row._replace(changes=room.row.changes + 1)
                if room.row.pace:
                    # Nobody's clock runs before he has sat down.
                    await self._change(room, since=self.store.clock())
        if not free:
            raise SeatError(side)
        self._changed(room)
        return token

    def _changed(self, room: Room, side: int | None = None) -> None:
        """Tell everybody, or those of the one side that may know."""
        room.tell(side)
        self.wake_bots(room)

    # The computer's seats

    def wake_bots(self, room: Room) -> None:
        """Let the computer answer if it is its turn, away from the request that made it so."""
        if self._to_play(room) and (room.bot_task is None or room.bot_task.done()):
            room.bot_task = asyncio.get_running_loop().create_task(self._play_bots(room))

    def _to_play(self, room: Room) -> bool:
        """Whether a computer is to answer at a table that is open here."""
        return not self._closing and self._open.get(room.row.id) is room and _computers_turn(room)

    async def _play_bots(self, room: Room) -> None:
        """Have the computer answer as long as it is its turn. Whatever goes wrong, it is tried again: nobody
        would wake it before somebody comes."""
        try:
            while self._to_play(room):
                seen = room.shown.versions[()]
                try:
                    if not await self._think_here(room):
                        await asyncio.sleep(LEASE / 2)
                        continue
                    self._show_thinking(room, not room.sealed)
                    await self._play_burst(room)
                    room.failures = 0
                except ConflictError:
                    await self._refresh(room)
                except Exception:
                    _log.exception("the computer's answers at table %s failed", room.row.id)
                    room.failures += 1
                    if room.failures >= RETRIES:
                        self._wake_later(room)
                        return
                    await asyncio.sleep(room.failures)
                if room.shown.versions[()] != seen:
                    room.tell()
        finally:
            self._show_thinking(room, False)

    def _wake_later(self, room: Room) -> None:
        if room.again is not None:
            room.again.cancel()
        room.again = asyncio.get_running_loop().call_later(LATER, self.wake_bots, room)

    def _show_thinking(self, room: Room, thinking: bool) -> None:
        """Whether it thinks is told, but not while sides write in secret."""
        if room.thinking != thinking:
            room.thinking = thinking
            room.tell()

    async def _play_burst(self, room: Room) -> None:
        # It thinks without holding the room: people may resign or take back meanwhile.
        shown = room.shown
        hear = (lambda share: None) if room.sealed else (lambda share: room.hear("move", share))
        row = room.row
        if self.workshop.inside or room.older:
            asked: tuple[Any, ...] = (play_here, room.game, shown.state, row.seed, room.bots, room.chance)
        else:
            kinds = {number: room.places[room.game.sides[number]].kind for number in room.bots}
            asked = (play, Seating(row.id, row.game, room.sitting, row.seed, kinds), shown.state)
        holding = asyncio.create_task(self._hold_on(room))
        try:
            if room.older:
                # Workers have the data in use only.
                watch = self._watch(room, shown)
                answers = await asyncio.to_thread(play_here, None, watch, *asked[1:])
            else:
                answers = await self.workshop.thought(
                    row.id, *asked, hear=hear, wanted=lambda: self._waits(room, shown)
                )
        except AbandonedError:
            return
        finally:
            holding.cancel()
        await self._give(room, shown, answers)

    async def _hold_on(self, room: Room) -> None:
        """Keep the table for this server as long as it thinks."""
        while True:
            await asyncio.sleep(LEASE / 3)
            try:
                await self._think_here(room)
            except Exception:
                # Whoever takes it over meanwhile is noticed when the answers are written.
                _log.warning("table %s could not be kept", room.row.id, exc_info=True)

    def _watch(self, room: Room, shown: Position) -> Callable[[float], None]:
        def watch(share: float) -> None:
            if not self._waits(room, shown):
                raise AbandonedError

        return watch

    def _waits(self, room: Room, shown: Position) -> bool:
        """Whether a thought about a position still matters."""
        return room.shown is shown and not room.over and room.attended and not self._closing

    @_carried_through
    async def _give(self, room: Room, shown: Position, answers: list[Reply]) -> None:
        """Give the answers to the position that they were thought out for, if it is still there."""
        async with self._changing(room) as match:
            if room.shown is shown and not room.over:
                for side, action, intent in answers:
                    if intent is not None:
                        room.remember(side, intent)
                    match.act(side, action)
                await self._write(room)

    # Advice

    @_carried_through
    async def suggest(self, room: Room, sides: list[int]) -> tuple[str, Suggestion] | Refusal:
        """What the computer would answer in the place of the side to decide, and the version of the position
        that it is about. The table does not change."""
        async with room.advising:
            shown, side = room.shown, room.side_for(sides)
            if room.over:
                return refusal("game-over", "")
            if side is None:
                return refusal("not-your-decision", "")
            version = room.version(sides)
            journal = room.match.journal[: shown.length - room.match.before.length]
            try:
                return version, await self.workshop.thought(
                    room.row.id,
                    advise,
                    *(room.row.id, room.row.game, side, shown.state, journal),
                    hear=lambda share: room.hear("suggestion", share, side),
                    wanted=lambda: self._waits(room, shown),
                )
            except AbandonedError:
                return refusal("stale", "")

    async def close(self) -> None:
        self._closing = True
        tasks = [r.bot_task for r in list(self._open.values()) if r.bot_task and not r.bot_task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self._changes, return_exceptions=True)
        await self.presence.close()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
            await asyncio.to_thread(self.store.release, self.name)
        self.workshop.close()
        await asyncio.to_thread(self.scribe.close)


def _computers_turn(room: Room) -> bool:
    waits = bool(room.bots) and not room.over and not room.asked.isdisjoint(room.bots)
    return waits and room.attended


def _side_named(room: Room, sides: list[int], by: str | None) -> int | None:
    """The side that a seat answers for: the one named, else the first that is asked, else the first to which
    something stands open."""
    if by is not None:
        return next((side for side in sides if room.game.sides[side] == by), None)
    asked = room.side_for(sides)
    if asked is not None:
        return asked
    able = room.game.may_act(room.shown.state)
    return next((side for side in sides if side in able), None)
