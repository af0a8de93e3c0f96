"""Hearing of changes: a WebSocket sends the table whole, and then what has changed in it.

After its greeting a client sends nothing but the layers that it shows: acting goes by HTTP.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from grognard.server import marks, present, views
from grognard.server.archive import StaleTableError
from grognard.server.changes import changes
from grognard.server.doors.visits import sides_for
from grognard.server.layers import Wish, layers, read_wishes
from grognard.server.room import Listener, Room
from grognard.server.rooms import Rooms

router = APIRouter()

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
        read, wishes = hello.get("log", 0), read_wishes(hello.get("layers", []))
        if language not in ("en", "fr") or not (token is None or isinstance(token, str)):
            raise ValueError
        if type(read) is not int or read < 0:
            raise ValueError
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


class Follower:
    """One connection, and what it has been sent so far."""

    def __init__(
        self,
        socket: WebSocket,
        rooms: Rooms,
        room: Room,
        sides: list[int],
        language: str,
        read: int,
        wishes: list[Wish],
    ) -> None:
        self.socket, self.rooms, self.store, self.room = socket, rooms, rooms.store, room
        self.sides, self.language, self.wishes = sides, language, wishes
        self.listener = Listener(sides)
        self.state: dict[str, Any] | None = None
        self.listener.eyes = views.readers(room, sides)
        self.listener.read = self.sent = min(read, room.book.end(self.listener.eyes))
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
        ):
            news = await self._news()
            return None if news is None else present.written(news).decode()
        book, read = room.book, self.listener.read
        seat = (tuple(self.sides), self.language)
        key = (*seat, self.state["version"], room.version(self.sides), read, self.sent, book.end(self.sides))
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
        self.listener.read = self.sent = book.end(self.sides)
        return letter

    async def _news(self) -> dict[str, Any] | None:
        """What this connection has not been sent yet; None if there is nothing."""
        chat = await self._chat()
        room = self.room
        now = views.seen(room, self.sides, self.language)
        eyes = views.readers(room, self.sides)
        if eyes != self.listener.eyes:
            # Another side sits there now, and has another log.
            self.listener.eyes, self.listener.read, self.listener.marked = eyes, 0, True
        drawn = await self._marks()
        length, read = room.book.end(eyes), self.listener.read
        if self.state is None:
            news: dict[str, Any] = {"type": "state", "state": now}
        else:
            news = {"type": "changes", **changes(self.state, now)}
        empty = len(news)
        # Lines that were taken back since are no longer among those that were read.
        if read < length or self.sent > read or self.state is None:
            first = max(read, room.book.first(eyes))
            told = views.told(room.game, room.book, eyes, first, self.language)
            news["log"] = {"from": first, "lines": told}
        self.listener.read = self.sent = length
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
