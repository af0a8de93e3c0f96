"""Hearing of changes: a WebSocket sends the table whole, and then what has changed in it.

After its greeting a client sends nothing but the layers that it shows: acting goes by HTTP.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from grognard.kernel.actions import EVERYONE
from grognard.server import marks, present, views
from grognard.server.archive import StaleTableError
from grognard.server.changes import changes
from grognard.server.doors.visits import sides_for
from grognard.server.layers import Wish, layers, read_wishes
from grognard.server.logbook import log_of
from grognard.server.room import Listener, LogRead, Room
from grognard.server.rooms import Rooms

router = APIRouter()

MOST_LOGS = 8
"""Of so many sides, at most, a client may say how much it has of their logs."""
STEPPED_OUT = 2.0
"""Seconds after which somebody who hung up is no longer there."""
PAUSE = 0.05
"""Seconds between two messages: nobody reads faster, and a quick computer player changes much at a time."""


@router.websocket("/api/tables/{table}/live")
async def live(socket: WebSocket, table: str) -> None:
    await socket.accept()
    try:
        hello = await asyncio.wait_for(socket.receive_json(), timeout=10)
        token, language = hello.get("token"), hello.get("lang")
        wishes = read_wishes(hello.get("layers", []))
        if language not in ("en", "fr") or not (token is None or isinstance(token, str)):
            raise ValueError
        read = _lines_read(hello)
        room = await socket.app.state.rooms.room(table)
    except (LookupError, StaleTableError, ValueError, TimeoutError, AttributeError, RecursionError):
        await socket.close(4400)
        return
    except WebSocketDisconnect:
        return
    sides = await sides_for(socket.app, room, token)
    if sides is None:
        await socket.close(4403)
    else:
        follower = Follower(socket, socket.app.state.rooms, room, sides, language, read, wishes)
        room.listeners.add(follower.listener)
        socket.app.state.rooms.look_round(room)
        # Computers alone play while somebody watches.
        socket.app.state.rooms.wake_bots(room)
        await follower.follow()


def _lines_read(hello: Any) -> tuple[int, dict[str, int]]:
    """How many lines of the log a client has; at a screen that several sides share, of each side's own."""
    lines, own = hello.get("log", 0), hello.get("own", {})
    if not isinstance(own, dict) or len(own) > MOST_LOGS:
        raise ValueError
    if not all(type(count) is int and count >= 0 for count in (lines, *own.values())):
        raise ValueError
    return lines, own


class Follower:
    """One connection, and what it has been sent so far."""

    def __init__(
        self,
        socket: WebSocket,
        rooms: Rooms,
        room: Room,
        sides: list[int],
        language: str,
        read: tuple[int, dict[str, int]],
        wishes: list[Wish],
    ) -> None:
        self.socket, self.rooms, self.store, self.room = socket, rooms, rooms.store, room
        self.sides, self.language, self.wishes = sides, language, wishes
        self.listener = Listener(sides)
        self.state: dict[str, Any] | None = None
        self.eyes = views.readers(room, sides)
        """Who sits here now: whose log is shown."""
        lines, own = read
        has = {self._logs()[0]: lines}
        if self._shared:
            has |= {(side,): own.get(room.game.sides[side], 0) for side in sides}
        for log, known in has.items():
            self.listener.read[log] = LogRead(min(known, room.book.end(log)))
        self.layers: dict[str, list[str]] = {}
        self.heard, self.last_chat = -1, 0
        self.marks: list[dict[str, Any]] = []

    async def follow(self) -> None:
        """Send the table at once and what changes in it later; in between, how far the computer's thought
        has come."""
        listener, loop, next_at = self.listener, asyncio.get_running_loop(), 0.0
        listener.wake(True)
        gone = asyncio.create_task(self._until_gone())
        gone.add_done_callback(lambda _: listener.woken.set())
        try:
            while True:
                await listener.woken.wait()
                if loop.time() < next_at:
                    # What happens meanwhile is told with it.
                    await asyncio.sleep(next_at - loop.time())
                if gone.done():
                    return
                if listener.sent_away:
                    await self.socket.close(4403)
                    return
                listener.woken.clear()
                await self._tell()
                next_at = loop.time() + PAUSE
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            gone.cancel()
            self.room.listeners.discard(listener)
            # Who only reloads the page has not gone.
            asyncio.get_running_loop().call_later(STEPPED_OUT, self.rooms.look_round, self.room)

    async def _tell(self) -> None:
        listener = self.listener
        thoughts, listener.thoughts = listener.thoughts, {}
        if not listener.changed:
            for what, share in thoughts.items():
                await self.socket.send_json({"type": "thought", "what": what, "share": round(share, 3)})
            return
        listener.changed = False
        letter = await self._letter()
        if letter is not None:
            await self.socket.send_text(letter)

    async def _letter(self) -> str | None:
        """What this connection has not been sent yet, written once for all who have seen the same."""
        room = self.room
        if (
            self.state is None
            or self.wishes
            or self.layers
            or self.heard != room.chats
            or self.listener.marked
            or self.eyes != views.readers(room, self.sides)
        ):
            news = await self._news()
            return None if news is None else present.written(news).decode()
        seat = (tuple(self.sides), self.language)
        ends = [(self.listener.read[log], room.book.end(log)) for log in self._logs()]
        told = [(read.standing, read.sent, length) for read, length in ends]
        key = (*seat, self.state["version"], room.version(self.sides), *told)
        if key not in room.letters:
            before = self.state
            news = await self._news()
            room.letters[key] = (before, None if news is None else present.written(news).decode())
            return room.letters[key][1]
        before, letter = room.letters[key]
        if before is not self.state:
            # It looks the same, but something that is no part of the version may differ.
            news = await self._news()
            return None if news is None else present.written(news).decode()
        self.state = views.seen(room, self.sides, self.language)
        for read, length in ends:
            read.standing = read.sent = length
        return letter

    @property
    def _shared(self) -> bool:
        """Whether several sides share the screen in a game with secrets."""
        return len(self.sides) > len(self.eyes)

    def _logs(self) -> list[tuple[int, ...]]:
        """What is read here, by its audiences: the log of those who sit here. At a shared screen, what
        everybody may read, and what only the one who sits there now may."""
        return [(EVERYONE,), self.eyes] if self._shared else [log_of(self.eyes)]

    async def _news(self) -> dict[str, Any] | None:
        """What this connection has not been sent yet; None if there is nothing."""
        chat = await self._chat()
        room = self.room
        now = views.seen(room, self.sides, self.language)
        eyes = views.readers(room, self.sides)
        if eyes != self.eyes:
            # Another side sits there now, with a log and marks of its own.
            self.eyes, self.listener.marked = eyes, True
        drawn = await self._marks()
        if self.state is None:
            news: dict[str, Any] = {"type": "state", "state": now}
        else:
            news = {"type": "changes", **changes(self.state, now)}
        empty = len(news)
        log = self._log()
        if log is not None:
            news["log"] = log
        shown = await asyncio.to_thread(layers, room, self.sides, self.wishes) if self.wishes else {}
        fresh = {key: hexes for key, hexes in shown.items() if self.layers.get(key) != hexes}
        if fresh:
            news["layers"] = fresh
        if chat:
            news["chat"] = chat
        if drawn is not None:
            news["marks"] = drawn
        quiet = self.state is not None and len(news) == empty == 3
        self.state, self.layers = now, shown
        return None if quiet else news

    def _log(self) -> dict[str, Any] | None:
        """What is new in the log, in the shape of wire.LogNews."""
        whole, *own = (self._new_lines(log) for log in self._logs())
        mine = own[0] if own else None
        if whole is None and mine is None:
            return None
        news = whole or {"from": self.room.book.end(self._logs()[0]), "lines": []}
        if mine is not None:
            news["own"] = {"side": self.room.game.sides[self.eyes[0]], **mine}
        return news

    def _new_lines(self, log: tuple[int, ...]) -> dict[str, Any] | None:
        """Those lines of a log that this connection has not been sent, and from which number on they replace
        what it has; None if there are none."""
        game, book, read = self.room.game, self.room.book, self.listener.read[log]
        length, standing, sent = book.end(log), read.standing, read.sent
        read.standing = read.sent = length
        # Lines that were taken back since are no longer among those that stand.
        if standing == length and sent == standing and (self.state is not None or log == self.eyes):
            return None
        first, shown = max(standing, book.first(log)), log_of(self.eyes)
        lines = [
            views.log_line(game, book.number(shown, line), line, self.language)
            for line in book.lines(log, first)
        ]
        return {"from": first, "lines": lines}

    async def _marks(self) -> list[dict[str, Any]] | None:
        """The marks on the map; None if they are those that have been sent."""
        if not self.listener.marked:
            return None
        self.listener.marked = False
        before, self.marks = self.marks, await marks.visible(self.store, self.room, self.sides)
        return None if self.marks == before else self.marks

    async def _chat(self) -> list[dict[str, Any]]:
        """What has been said since the last message."""
        if self.heard == self.room.chats:
            return []
        self.heard = self.room.chats
        rows = await asyncio.to_thread(self.store.said, self.room.row.id)
        said = [row._asdict() for row in rows if row.id > self.last_chat]
        self.last_chat = max([self.last_chat, *(row.id for row in rows)])
        return said

    async def _until_gone(self) -> None:
        """Take note of the layers that the client shows, until it hangs up. Anything else is ignored."""
        try:
            while (message := await self.socket.receive())["type"] != "websocket.disconnect":
                try:
                    wished = json.loads(message.get("text") or "")
                    self.wishes = read_wishes(wished["layers"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    continue
                self.listener.wake(True)
        except RuntimeError:
            return
