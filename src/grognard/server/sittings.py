"""Who comes and goes at a table: invitations that are used once, links renewed, leaving, sending away, and
tables taken off the list, given up or removed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from hmac import compare_digest
from typing import Any

from grognard.server import marks
from grognard.server.clocks import late, may_claim, on_leave
from grognard.server.rights import is_host, may_abandon, may_invite, may_kick, may_leave, may_remove
from grognard.server.room import ABANDONED, HUMAN, Room, hash_token
from grognard.server.rooms import Rooms, SeatError
from grognard.server.seating import NewTable, new_token

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
            if room.row.pace:
                # Nobody's clock runs before he has sat down.
                await rooms.update(room, since=rooms.store.clock())
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


async def rename(rooms: Rooms, room: Room, sides: Sequence[int], name: str) -> None:
    """Let the player of a seat be called something."""

    async def change() -> None:
        async with rooms.changing(room):
            for n in sides:
                await _seat(rooms, room, room.game.sides[n], name=name)
        rooms.changed(room)

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
                nobody = {"token": "", "name": "", "taken": False, "invite": "", "account": ""}
                await marks.forget(rooms.store, room, side)
                await _seat(rooms, room, side, **nobody, away_from=0.0, away_until=0.0, leave_taken=0.0)
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
            if not may_abandon(room, sides, rooms.store.clock()):
                return "not-yet-abandoned"
            await rooms.update(room, resigned=ABANDONED, over=True, actor=None, asked_by=None, asked_to=None)
            room.proposal = None
        rooms.changed(room)
        return ""

    return await rooms.whole(change())


async def claim(rooms: Rooms, room: Room, sides: Sequence[int]) -> str:
    """End a game that somebody has lost because his time is up."""

    async def change() -> str:
        async with rooms.changing(room):
            now = rooms.store.clock()
            if room.over or not may_claim(room, sides, now):
                return "not-late"
            lost = room.game.sides[late(room, now)[0]]
            ended = {"resigned": lost, "late": True, "over": True, "actor": None}
            await rooms.update(room, **ended, asked_by=None, asked_to=None)
            room.proposal = None
        await note(rooms, room, room.game.sides[sides[0]], "claimed", late=lost)
        rooms.changed(room)
        return ""

    return await rooms.whole(change())


async def take_leave(rooms: Rooms, room: Room, sides: Sequence[int], seconds: float) -> str:
    """Stop the clock of a player for some time from now on, or (0) let it run again."""

    async def change() -> str:
        async with rooms.changing(room):
            now = rooms.store.clock()
            places = [room.places[room.game.sides[n]] for n in sides]
            changed = [on_leave(room.row, place, now, seconds) for place in places]
            if room.over or None in changed:
                return "no-leave-left"
            if not seconds and all(place.away_until <= now for place in places):
                return ""
            for place in changed:
                if place is not None:
                    clock = {"away_from": place.away_from, "away_until": place.away_until}
                    await _seat(rooms, room, place.side, **clock, leave_taken=place.leave_taken)
        until = now + seconds
        await note(rooms, room, places[0].side, "on-leave" if seconds else "back", until=until)
        rooms.changed(room)
        return ""

    return await rooms.whole(change())


async def note(rooms: Rooms, room: Room, side: str, code: str, **facts: Any) -> None:
    """Tell among the words of people what somebody did about the table."""
    await asyncio.to_thread(rooms.store.say, room.row.id, side, json.dumps(facts), code)
    room.chats += 1
    room.tell_talk()


async def rematch(rooms: Rooms, room: Room, sides: Sequence[int], swap: bool) -> tuple[str, str, str]:
    """The table at which the same people play again, and the side and the token of a seat there. Whoever asks
    first sets it up; the seat of the other one waits for him there."""

    async def change() -> tuple[str, str, str]:
        async with rooms.changing(room):
            if not room.over:
                raise SeatError("rematch")
            if not room.row.rematch:
                return await _again(rooms, room, sides, swap)
        there = await rooms.room(room.row.rematch)
        free = [s for s, place in there.places.items() if place.kind == HUMAN and not place.taken]
        own = [room.game.sides[n] for n in sides]
        side = next((s for s in own if s in free), next(iter(free), ""))
        token = await rooms.join(there, side, room.places[own[0]].name)
        return there.row.id, side, token

    return await rooms.whole(change())


async def _again(rooms: Rooms, room: Room, sides: Sequence[int], swap: bool) -> tuple[str, str, str]:
    row, names = room.row, room.game.sides
    kinds = {side: room.places[side].kind for side in names}
    own = names[sides[0]]
    if swap and len(names) == 2 and len(sides) == 1:
        own = names[1 - sides[0]]
        kinds = dict(zip(names, reversed([kinds[side] for side in names]), strict=True))
    wish = NewTable(
        game=row.game,
        scenario=row.scenario,
        options=row.options,
        seats=kinds,
        name=row.name,
        hotseat=row.hotseat,
        owner=room.places[names[sides[0]]].name,
        side="" if row.hotseat else own,
        teacher=row.teacher,
        maker=row.maker,
        pace=row.pace,
        leave=row.leave,
    )
    made = await rooms.create(wish)
    await rooms.update(room, rematch=made.table)
    await note(rooms, room, names[sides[0]], "rematch", table=made.table)
    rooms.changed(room)
    return made.table, own, made.tokens[own]


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
