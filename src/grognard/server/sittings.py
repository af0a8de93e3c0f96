"""Who comes and goes at a table: invitations that are used once, links renewed, leaving, sending away, and
tables taken off the list, given up or removed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from hmac import compare_digest
from typing import Any

from grognard.server.rights import is_host, may_abandon, may_invite, may_kick, may_leave, may_remove
from grognard.server.room import ABANDONED, Room, hash_token
from grognard.server.rooms import Rooms, SeatError
from grognard.server.seating import new_token

# Changes


async def sit(rooms: Rooms, room: Room, invitation: str, name: str) -> tuple[str, str]:
    """Take the seat that an invitation is for; the side and the token of the seat. It can be used once."""
    hashed, token = hash_token(invitation), new_token()

    async def change() -> str:
        async with rooms.changing(room):
            side = next((s for s, place in room.places.items() if compare_digest(place.invite, hashed)), None)
            if side is None or not await asyncio.to_thread(
                rooms.store.sit, room.row.id, side, hashed, hash_token(token), name
            ):
                raise SeatError("invitation")
            seat = room.places[side]
            room.places[side] = seat._replace(token=hash_token(token), name=name, taken=True, invite="")
            room.row = room.row._replace(changes=room.row.changes + 1)
        rooms.changed(room)
        return side

    return await rooms.whole(change()), token


async def invite(rooms: Rooms, room: Room, sides: Sequence[int], side: str) -> tuple[str, str]:
    """A new link for a seat that nobody has taken; the one before it is good no longer. Before it, why there
    is none: a code of the table's denials."""
    invitation = new_token()

    async def change() -> str:
        async with rooms.changing(room):
            if side not in {room.game.sides[n] for n in may_invite(room, sides)}:
                return "no-such-seat"
            await _seat(rooms, room, side, invite=hash_token(invitation))
        return ""

    return await rooms.whole(change()), invitation


async def renew(rooms: Rooms, room: Room, sides: Sequence[int]) -> str:
    """A new token for one's own seat; whoever has the old one is out."""
    token = new_token()

    async def change() -> None:
        async with rooms.changing(room):
            for n in sides:
                await _seat(rooms, room, room.game.sides[n], token=hash_token(token))
        room.send_away(sides)

    await rooms.whole(change())
    return token


async def keep_with(rooms: Rooms, room: Room, sides: Sequence[int], account: str) -> None:
    """Let the seats of a token belong to an account, so that they follow its owner to other devices."""

    async def change() -> None:
        async with rooms.changing(room):
            for n in sides:
                await _seat(rooms, room, room.game.sides[n], account=account)

    await rooms.whole(change())


async def leave(rooms: Rooms, room: Room, sides: Sequence[int]) -> str:
    """Give one's seat up: it is free for whoever is invited or, at a listed table, for whoever comes."""
    return await _empty(rooms, room, sides if may_leave(room, sides) else [])


async def kick(rooms: Rooms, room: Room, sides: Sequence[int], side: str) -> str:
    """Send somebody away who has not answered yet."""
    return await _empty(rooms, room, [n for n in may_kick(room, sides) if room.game.sides[n] == side])


async def _empty(rooms: Rooms, room: Room, gone: Sequence[int]) -> str:
    async def change() -> str:
        async with rooms.changing(room):
            if not gone:
                return "no-such-seat"
            for n in gone:
                side = room.game.sides[n]
                await _seat(rooms, room, side, token="", name="", taken=False, invite="", account="")
        room.send_away(gone)
        rooms.changed(room)
        return ""

    return await rooms.whole(change())


async def _seat(rooms: Rooms, room: Room, side: str, **values: Any) -> None:
    await asyncio.to_thread(lambda: rooms.store.change_seat(room.row.id, side, **values))
    room.places[side] = room.places[side]._replace(**values)
    room.row = room.row._replace(changes=room.row.changes + 1)


async def unlist(rooms: Rooms, room: Room, sides: Sequence[int]) -> str:
    """Take a table off the list, so that nobody comes who was not invited."""

    async def change() -> str:
        async with rooms.changing(room):
            if not is_host(room, sides):
                return "not-host"
            await rooms.update(room, listed=False)
        rooms.changed(room)
        return ""

    return await rooms.whole(change())


async def abandon(rooms: Rooms, room: Room, sides: Sequence[int]) -> str:
    """End a game, without a winner, whose other players have stayed away for long."""

    async def change() -> str:
        async with rooms.changing(room):
            if not may_abandon(room, sides, time.time()):
                return "not-yet-abandoned"
            await rooms.update(room, resigned=ABANDONED, over=True, actor=None, asked_by=None, asked_to=None)
            room.proposal = None
        rooms.changed(room)
        return ""

    return await rooms.whole(change())


async def remove(rooms: Rooms, room: Room, sides: Sequence[int]) -> str:
    """Remove a table for good, with all that was said and written at it."""

    async def change() -> str:
        async with rooms.changing(room):
            if not may_remove(room, sides):
                return "others-play-here"
            await asyncio.to_thread(rooms.store.remove, room.row.id)
            rooms.forget(room)
        return ""

    return await rooms.whole(change())
