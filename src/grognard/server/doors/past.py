"""What has happened at a table: its log, its moments, its dice."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response

from grognard.games.listing import game_folder
from grognard.server import past, views, wire
from grognard.server.doors.visits import Seated, Visitor, Wants, table_answers
from grognard.server.logbook import log_of
from grognard.server.promises import published
from grognard.server.report import report as report_of

router = APIRouter()


LINES = 2000
"""How many lines of a log are sent at a time."""


def _as_is(found: bytes) -> Response:
    return Response(found, media_type="application/json")


@router.get("/api/tables/{table}/log", responses=table_answers(list[wire.LogLine]))
async def log(
    visit: Visitor, wants: Wants, since: Annotated[int, Query(ge=0)] = 0, eyes: str | None = None
) -> Response:
    """Lines of the log from a number on. Whoever says whose log he goes on reading (`eyes` of the state) gets
    nothing when another side sits there now."""
    room = visit.room
    sides = views.readers(room, visit.sides)
    if eyes is not None and eyes not in (room.game.sides[side] for side in sides):
        return JSONResponse([])
    first = room.book.first(log_of(sides))
    here = views.told(room.game, room.book, sides, since, wants.language, LINES)
    if since >= first:
        return JSONResponse(here)
    earlier = await visit.walk(past.log, sides, since, min(first, since + LINES), wants.language)
    return JSONResponse([*json.loads(earlier), *here][:LINES])


@router.get("/api/tables/{table}/moments", responses=table_answers(wire.Moments))
async def moments(visit: Visitor) -> Response:
    return _as_is(
        await visit.walk(past.moments, views.readers(visit.room, visit.sides), visit.room.shown.moment)
    )


@router.get("/api/tables/{table}/since", responses=table_answers(wire.Since))
async def since(visit: Seated) -> Response:
    """Where one answered last: what came after it one may not have seen."""
    return _as_is(await visit.walk(past.since, views.readers(visit.room, visit.sides)))


@router.get("/api/tables/{table}/at/{moment}", responses=table_answers(wire.Moment))
async def at(visit: Visitor, moment: int, wants: Wants) -> Response:
    if not 0 <= moment <= visit.room.shown.moment:
        raise HTTPException(404, "no such moment")
    return _as_is(
        await visit.walk(past.moment, views.readers(visit.room, visit.sides), moment, wants.language)
    )


@router.get("/api/tables/{table}/rolls", responses=table_answers(wire.Rolls))
async def rolls(visit: Visitor) -> Response:
    if not visit.room.over or not published(visit.room.row):
        raise HTTPException(403, "the seed is published when the game is over")
    return _as_is(await visit.walk(past.rolls))


@router.get("/api/tables/{table}/report", responses=table_answers(wire.Report))
async def report(request: Request, visit: Visitor) -> Response:
    """What became of a game that is over."""
    if not visit.room.over:
        raise HTTPException(403, "there is a report when the game is over")
    folder = game_folder(visit.room.game.id, request.app.state.settings.overrides)
    return _as_is(await visit.walk(report_of, folder))
