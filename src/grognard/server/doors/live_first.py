"""The first edition of what the socket sends: the whole state every time. The page leaves it behind."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from grognard.kernel import Event
from grognard.server import present
from grognard.server.room import Listener, Room
from grognard.server.store import Store


async def follow_first(socket: WebSocket, store: Store, room: Room, sides: list[int], language: str) -> None:
    """Send the state at once and after every change, with what is new in the log and the chat; in between,
    how far the computer's thought has come."""
    listener = Listener(sides)
    listener.wake(True)
    room.listeners.add(listener)
    read = room.log_for(sides)
    heard, last_chat = -1, 0
    gone = asyncio.create_task(_until_gone(socket))
    try:
        while not gone.done():
            waiting = asyncio.create_task(listener.woken.wait())
            await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if gone.done():
                return
            listener.woken.clear()
            thoughts, listener.thoughts = listener.thoughts, {}
            if not listener.changed:
                for what, share in thoughts.items():
                    await socket.send_json({"type": "thought", "what": what, "share": round(share, 3)})
                continue
            listener.changed = False
            said: list[dict[str, Any]] = []
            if heard != room.chats:
                heard = room.chats
                rows = await asyncio.to_thread(store.said, room.row.id)
                said = [row._asdict() for row in rows if row.id > last_chat]
                last_chat = max([last_chat, *(row.id for row in rows)])
            lines = room.log_for(sides)
            # Lines may have been taken back and others written since: all that differs is sent.
            same = _common(read, lines)
            read = lines
            news = {
                "log": present.log(room, sides, same, language, lines),
                "log_from": same,
                "chat": said,
            }
            state = present.sheet(room, sides, language)
            text = b'{"type":"state","state":' + state + b"," + present.written(news)[1:]
            await socket.send_text(text.decode())
            # Nobody reads faster than this, and a quick computer player changes much at a time.
            await asyncio.sleep(0.05)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        gone.cancel()
        room.listeners.discard(listener)


def _common(old: list[Event], new: list[Event]) -> int:
    """How many lines two logs share from the beginning."""
    length = min(len(old), len(new))
    return next((n for n in range(length) if old[n] is not new[n] and old[n] != new[n]), length)


async def _until_gone(socket: WebSocket) -> None:
    """What clients send after the greeting is read and ignored: acting goes by HTTP."""
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    except RuntimeError:
        return
