"""Words between people, and a player's own notes."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from grognard.server import wire
from grognard.server.doors.visits import Seated, Visitor, table_answers

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
