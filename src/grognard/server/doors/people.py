"""Words between people, a player's own notes, and what players draw on the map."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from grognard.hexes import UnknownHexError
from grognard.server import marks, present, wire
from grognard.server.doors.visits import Seated, Visit, Visitor, Wants, table_answers, unprocessable

router = APIRouter()


@router.get("/api/tables/{table}/chat", responses=table_answers(list[wire.ChatLine]))
async def said(visit: Visitor) -> Response:
    rows = await asyncio.to_thread(visit.rooms.store.said, visit.room.row.id)
    return JSONResponse([row._asdict() for row in rows])


@router.post("/api/tables/{table}/chat", status_code=201, responses=table_answers(wire.ChatLine, status=201))
async def say(visit: Seated, wish: wire.ChatWish) -> Response:
    room = visit.room
    author = room.game.sides[visit.sides[0]]
    row = await asyncio.to_thread(visit.rooms.store.say, room.row.id, author, wish.text)
    room.chats += 1
    room.tell_talk()
    return JSONResponse(row._asdict(), status_code=201)


@router.get("/api/tables/{table}/note", responses=table_answers(wire.Note))
async def note(visit: Seated) -> Response:
    side = visit.room.game.sides[visit.sides[0]]
    text = await asyncio.to_thread(visit.rooms.store.note, visit.room.row.id, side)
    return JSONResponse({"text": text})


@router.put("/api/tables/{table}/note", responses=table_answers(wire.Note))
async def write_note(visit: Seated, wish: wire.NoteWish) -> Response:
    side = visit.room.game.sides[visit.sides[0]]
    await asyncio.to_thread(visit.rooms.store.write_note, visit.room.row.id, side, wish.text)
    return JSONResponse({"text": wish.text})


@router.get("/api/tables/{table}/marks", responses=table_answers(list[wire.MapMark]))
async def drawn(visit: Visitor) -> Response:
    """The marks on the map that this seat may see."""
    return await _marks(visit)


@router.post(
    "/api/tables/{table}/marks", status_code=201, responses=table_answers(list[wire.MapMark], status=201)
)
async def draw(visit: Seated, wish: wire.MarkWish, wants: Wants) -> Response:
    """Draw something on the map, for oneself or for others; all that one sees there then."""
    room = visit.room
    try:
        for number in wish.hexes:
            room.game.board.cell(number)
    except UnknownHexError as error:
        raise unprocessable(error) from None
    side = marks.owner(room, visit.sides)
    mark = marks.Mark("", side, wish.kind, wish.hexes, wish.text, wish.seen_by)
    try:
        await marks.add(visit.rooms.store, room, visit.sides, mark)
    except marks.MarksFullError:
        return JSONResponse(present.denied("marks-full", wants.language), status_code=403)
    return await _marks(visit, 201)


@router.delete("/api/tables/{table}/marks", responses=table_answers(list[wire.MapMark]))
async def wipe(visit: Seated) -> Response:
    """Take all of one's own marks off the map."""
    await marks.remove(visit.rooms.store, visit.room, visit.sides, None)
    return await _marks(visit)


@router.delete("/api/tables/{table}/marks/{mark}", responses=table_answers(list[wire.MapMark]))
async def rub_out(visit: Seated, mark: str) -> Response:
    """Take one of one's own marks off the map. Of others' marks nothing is told."""
    await marks.remove(visit.rooms.store, visit.room, visit.sides, mark)
    return await _marks(visit)


async def _marks(visit: Visit, status: int = 200) -> Response:
    found = await marks.visible(visit.rooms.store, visit.room, visit.sides)
    return JSONResponse(found, status_code=status)
