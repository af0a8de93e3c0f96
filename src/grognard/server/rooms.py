"""Games in progress, in memory, each in step with its journal in the store.

A room's match is changed only while its lock is held, and a change is written before anybody hears of it.
If the write fails, the room is forgotten and read again from the store: what was not written never
happened.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple, TypeVar

from grognard.kernel import Game, Match, Refusal, SaveError, refusal
from grognard.players import Player, player_names, seat
from grognard.server.store import SeatRow, Store, TableRow

T = TypeVar("T")

WATCH = "watch"
HUMAN = "human"
BURST = 200
"""How many answers a quick computer player may give before people are shown what it does."""


class UnknownTableError(LookupError):
    """There is no such table."""


class StaleTableError(RuntimeError):
    """The table was stored by other rules or data and cannot go on here."""


class SeatError(PermissionError):
    """This seat may not do that."""


class Proposal(NamedTuple):
    """A take-back asked for: everything after `to` is to be undone."""

    by: str
    to: int


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Room:
    """One table."""

    def __init__(self, game: Game[Any], row: TableRow, places: list[SeatRow], match: Match[Any]) -> None:
        self.game = game
        self.row = row
        self.places = {place.side: place for place in places}
        self.match = match
        self.written = len(match.journal)
        self.lock = asyncio.Lock()
        self.proposal: Proposal | None = None
        self.listeners: set[Callable[[], None]] = set()
        self.thinking = False
        self.bots: dict[int, Player] = {}
        self.bot_task: asyncio.Task[None] | None = None
        self.chance = Random(row.seed)
        """Where computer players' guesses at hidden things come from."""
        for number, side in enumerate(game.sides):
            kind = self.places[side].kind
            if kind != HUMAN:
                self.bots[number] = seat(kind, f"{row.seed}/{side}")

    @property
    def version(self) -> str:
        """Changes with every change of the position, and is the same again after a restart."""
        return f"{len(self.match.journal)}-{self.match.state.fingerprint()[:10]}"

    @property
    def over(self) -> bool:
        return self.match.over or bool(self.row.resigned)

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

    def tell(self) -> None:
        for listener in list(self.listeners):
            listener()


class NewTable(NamedTuple):
    """What somebody asked for."""

    game: str
    scenario: str
    options: Mapping[str, Any]
    seats: Mapping[str, str]
    """Side -> `human` or a computer player's name."""
    name: str = ""
    listed: bool = False
    hotseat: bool = False
    owner: str = ""
    """What the maker is called."""
    seed: str = ""


class Created(NamedTuple):
    table: str
    tokens: dict[str, str]
    """Side (or `watch`) -> token. Open seats that others may join have none."""


class Rooms:
    """All tables."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any]]) -> None:
        self.store = store
        self.games = games
        self._open: dict[str, Room] = {}
        self._opening = asyncio.Lock()

    # Opening

    async def create(self, wish: NewTable) -> Created:
        game = self.games[wish.game]
        seed = wish.seed or secrets.token_hex(16)
        match = await asyncio.to_thread(Match, game, wish.scenario, dict(wish.options), seed)
        return await self._install(match, wish)

    async def restore(self, text: str, wish: NewTable) -> Created:
        """A table from somebody's save."""
        game = self.games[wish.game]
        match = await asyncio.to_thread(Match.load, game, text)
        return await self._install(match, wish)

    async def _install(self, match: Match[Any], wish: NewTable) -> Created:
        game = match.game
        table_id = secrets.token_urlsafe(9)
        now = time.time()
        row = TableRow(
            id=table_id,
            game=game.id,
            rules=game.rules_version,
            data=game.data_digest,
            scenario=match.scenario,
            options=match.options,
            seed=match.seed,
            name=wish.name,
            listed=wish.listed,
            hotseat=wish.hotseat,
            resigned="",
            created=now,
            updated=now,
        )
        places, tokens = _places(game, wish, table_id)
        journal = [game.encode(action) for action in match.journal]
        await asyncio.to_thread(self.store.create, row, places, journal)
        self._open[table_id] = room = Room(game, row, places, match)
        self.wake_bots(room)
        return Created(table_id, tokens)

    async def room(self, table_id: str) -> Room:
        found = self._open.get(table_id)
        if found is None:
            async with self._opening:
                found = self._open.get(table_id)
                if found is None:
                    found = await asyncio.to_thread(self._read, table_id)
                    self._open[table_id] = found
            self.wake_bots(found)
        return found

    def _read(self, table_id: str) -> Room:
        row = self.store.table(table_id)
        if row is None:
            raise UnknownTableError(table_id)
        game = self.games.get(row.game)
        if game is None or (row.rules, row.data) != (game.rules_version, game.data_digest):
            raise StaleTableError(f"table {table_id} was played with other rules or data of {row.game}")
        match: Match[Any] = Match(game, row.scenario, row.options, row.seed)
        match.replay(self.store.journal(table_id))
        return Room(game, row, self.store.seats(table_id), match)

    # Changing

    async def change(self, room: Room, act: Callable[[Match[Any]], T]) -> T:
        """Do something to a room's match and write what came of it. The caller holds the lock."""
        result = act(room.match)
        await self._write(room)
        return result

    async def _write(self, room: Room) -> None:
        journal = room.match.journal
        common = min(room.written, len(journal))
        if len(journal) > room.written and common == room.written:
            fresh = [room.game.encode(action) for action in journal[room.written :]]
        elif len(journal) == room.written:
            return
        else:
            fresh = []
            common = len(journal)
        try:
            await asyncio.to_thread(self.store.write, room.row.id, common, fresh)
        except BaseException:
            self._open.pop(room.row.id, None)
            raise
        room.written = len(journal)

    async def act(self, room: Room, sides: list[int], version: str | None, words: Any) -> Refusal | None:
        async with room.lock:
            why = self._why_not_act(room, sides, version)
            if why is None:
                action = room.game.decode(words)
                if isinstance(action, Refusal):
                    return action
                actor = room.game.actor(room.match.state)
                assert actor is not None
                why = await self.change(room, lambda match: match.act(actor, action))
            if why is None:
                self._changed(room)
            return why

    async def order(
        self, room: Room, sides: list[int], version: str | None, order: Mapping[str, Any]
    ) -> Refusal | None:
        async with room.lock:
            why = self._why_not_act(room, sides, version)
            if why is None:
                actor = room.game.actor(room.match.state)
                assert actor is not None
                why = await self.change(room, lambda match: match.order(actor, order))
            if why is None:
                self._changed(room)
            return why

    def _why_not_act(self, room: Room, sides: list[int], version: str | None) -> Refusal | None:
        if room.over:
            return refusal("game-over", "")
        if room.game.actor(room.match.state) not in sides:
            return refusal("not-your-decision", "")
        if version is not None and version != room.version:
            return refusal("stale", "")
        return None

    async def undo(self, room: Room, sides: list[int], whole_phase: bool) -> Refusal | None:
        async with room.lock:
            if room.over or room.game.actor(room.match.state) not in sides:
                return refusal("not-your-decision", "")
            undone = await self.change(room, lambda m: m.undo_phase() if whole_phase else m.undo())
            if not undone:
                return refusal("nothing-to-undo", "")
            self._changed(room)
            return None

    async def propose(self, room: Room, sides: list[int], to: int) -> Refusal | None:
        """Ask the other side to take the game back to a moment."""
        async with room.lock:
            if not sides or room.over or not 0 <= to < len(room.match.journal):
                return refusal("no-such-moment", "")
            others = [n for n in range(len(room.game.sides)) if n not in sides]
            room.proposal = Proposal(room.game.sides[sides[0]], to)
            # Nobody to ask: both seats are the asker's, or the other one is the computer's.
            if all(n in room.bots for n in others):
                await self._take_back(room)
            self._changed(room)
            return None

    async def answer_proposal(self, room: Room, sides: list[int], accept: bool) -> Refusal | None:
        async with room.lock:
            if room.proposal is None or not sides or room.proposal.by in {room.game.sides[n] for n in sides}:
                return refusal("no-proposal", "")
            if accept:
                await self._take_back(room)
            room.proposal = None
            self._changed(room)
            return None

    async def _take_back(self, room: Room) -> None:
        assert room.proposal is not None
        kept = [room.game.encode(a) for a in room.match.journal[: room.proposal.to]]
        # The dice to come stay what they were: taking back never buys a better roll.
        room.match = await asyncio.to_thread(_rebuilt, room.game, room.row, kept)
        room.written = len(room.match.journal)
        await asyncio.to_thread(self.store.write, room.row.id, room.written, [])
        room.proposal = None

    async def resign(self, room: Room, sides: list[int]) -> Refusal | None:
        async with room.lock:
            if not sides or room.over:
                return refusal("game-over", "")
            actor = room.game.actor(room.match.state)
            side = room.game.sides[actor if actor in sides else sides[0]]
            await asyncio.to_thread(self.store.resign, room.row.id, side)
            room.row = room.row._replace(resigned=side)
            self._changed(room)
            return None

    async def join(self, room: Room, side: str, name: str) -> str:
        """Take an open human seat; the token of the seat."""
        place = room.places.get(side)
        if place is None or side == WATCH or place.kind != HUMAN or place.taken:
            raise SeatError(side)
        token = secrets.token_urlsafe(24)
        if not await asyncio.to_thread(self.store.take_seat, room.row.id, side, hash_token(token), name):
            raise SeatError(side)
        room.places[side] = place._replace(token=hash_token(token), name=name, taken=True)
        self._changed(room)
        return token

    def _changed(self, room: Room) -> None:
        room.tell()
        self.wake_bots(room)

    # The computer's seats

    def wake_bots(self, room: Room) -> None:
        """Let the computer answer if it is its turn, away from the request that made it so."""
        if room.over or room.game.actor(room.match.state) not in room.bots:
            return
        if room.bot_task is None or room.bot_task.done():
            room.bot_task = asyncio.get_running_loop().create_task(self._play_bots(room))

    async def _play_bots(self, room: Room) -> None:
        room.thinking = True
        room.tell()
        try:
            while not room.over and room.game.actor(room.match.state) in room.bots:
                async with room.lock:
                    await asyncio.to_thread(_burst, room)
                    await self._write(room)
                room.tell()
                await asyncio.sleep(0)
        finally:
            room.thinking = False
            room.tell()

    async def close(self) -> None:
        tasks = [r.bot_task for r in self._open.values() if r.bot_task and not r.bot_task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _burst(room: Room) -> None:
    """A computer player's next answers, until it is somebody else's turn or people should be shown."""
    match, game = room.match, room.game
    for _ in range(BURST):
        actor = game.actor(match.state)
        if actor is None or actor not in room.bots:
            return
        imagined = game.imagine(match.state, actor, room.chance)
        why = match.act(actor, room.bots[actor].choose(game, imagined, actor))
        assert why is None, f"a computer player answered illegally: {why}"


def _rebuilt(game: Game[Any], row: TableRow, words: list[list[str]]) -> Match[Any]:
    """The match as it stood after these answers; a cut in the middle of a roll is moved to its start."""
    match: Match[Any] = Match(game, row.scenario, row.options, row.seed)
    for position in range(len(words), -1, -1):
        try:
            match = Match(game, row.scenario, row.options, row.seed)
            match.replay(words[:position])
            return match
        except SaveError:
            continue
    return match


def _places(game: Game[Any], wish: NewTable, table_id: str) -> tuple[list[SeatRow], dict[str, str]]:
    """The seats of a new table. The maker takes the first human one (all of them when two play at one
    screen); the others stay open for friends, by a link each."""
    tokens: dict[str, str] = {}
    places: list[SeatRow] = []
    shared = secrets.token_urlsafe(24)
    maker_seated = False
    for side in game.sides:
        kind = wish.seats.get(side, HUMAN)
        if kind != HUMAN:
            if kind not in player_names():
                raise ValueError(f"no player {kind!r}")
            places.append(SeatRow(table_id, side, "", kind, kind, True))
            continue
        makers = wish.hotseat or not maker_seated
        maker_seated = True
        token = shared if makers else secrets.token_urlsafe(24)
        tokens[side] = token
        places.append(
            SeatRow(table_id, side, hash_token(token), HUMAN, wish.owner if makers else "", True)
            if makers or not wish.listed
            else SeatRow(table_id, side, "", HUMAN, "", False)
        )
        if not places[-1].taken:
            del tokens[side]
    tokens[WATCH] = secrets.token_urlsafe(24)
    places.append(SeatRow(table_id, WATCH, hash_token(tokens[WATCH]), WATCH, "", True))
    return places, tokens
