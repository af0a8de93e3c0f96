"""What has happened at a table: its log, its moments, its dice."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import JSONResponse, Response

from grognard.server import past, views, wire
from grognard.server.doors.visits import Visitor, Wants, table_answers

router = APIRouter()


@router.get("/api/tables/{table}/log", responses=table_answers(list[wire.LogLine]))
async def log(visit: Visitor, wants: Wants, since: Annotated[int, Query(ge=0)] = 0) -> Response:
    return JSONResponse(views.log(visit.room, visit.sides, since, wants.language))


@router.get("/api/tables/{table}/moments", responses=table_answers(wire.Moments))
async def moments(visit: Visitor) -> Response:
    return JSONResponse(await asyncio.to_thread(past.moments, visit.room, visit.sides))


@router.get("/api/tables/{table}/at/{moment}", responses=table_answers(wire.Moment))
async def at(visit: Visitor, moment: int, wants: Wants) -> Response:
    if not 0 <= moment < len(visit.room.shown.moments):
        raise HTTPException(404, "no such moment")
    found = await asyncio.to_thread(past.moment, visit.room, visit.sides, moment, wants.language)
    return JSONResponse(found)


@router.get("/api/tables/{table}/rolls", responses=table_answers(wire.Rolls))
async def rolls(visit: Visitor) -> Response:
    if not visit.room.over:
        raise HTTPException(403, "the seed is published when the game is over")
    return JSONResponse(await asyncio.to_thread(past.rolls, visit.room))
