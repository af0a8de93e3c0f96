"""The computer's plans, and its advice to a person."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from grognard.kernel import Refusal
from grognard.server import plans as plans_
from grognard.server import present, wire
from grognard.server.doors.visits import Seated, Visitor, Wants, outcome, table_answers

router = APIRouter()


@router.get("/api/tables/{table}/plans", responses=table_answers(wire.Plans))
async def plans(visit: Visitor, wants: Wants) -> Response:
    room = visit.room
    if not room.bots or not room.tells_plans:
        code = "plan-secret" if room.bots else "no-computer"
        return JSONResponse(present.denied(code, wants.language), status_code=403)
    return JSONResponse(plans_.plans(room, wants.language))


@router.post("/api/tables/{table}/suggestion", responses=table_answers(wire.Suggestion))
async def suggest(visit: Seated, wants: Wants) -> Response:
    if not visit.room.suggests(visit.sides):
        # Between two people, advice would help one of them against the other.
        return JSONResponse(present.denied("no-suggestions", wants.language), status_code=403)
    found = await visit.rooms.suggest(visit.room, visit.sides)
    if isinstance(found, Refusal):
        return outcome(visit, found, wants)
    version, suggestion = found
    return JSONResponse(plans_.suggestion(visit.room, version, suggestion, wants.language))
