"""Coming to a table and leaving it: links, seats, and the table's own end."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from grognard.server import present, sittings, wire
from grognard.server.doors.visits import Seated, Wanted, Wants, outcome, rooms_of, table_answers

router = APIRouter()


@router.post("/api/tables/{table}/sit", responses=table_answers(wire.Sat))
async def sit(request: Request, table: str, wish: wire.SitWish) -> Response:
    """Exchange an invitation, which is then used up, for the token of a seat."""
    rooms = rooms_of(request)
    room = await rooms.room(table)
    side, token = await sittings.sit(rooms, room, wish.invitation, wish.name)
    return JSONResponse({"side": side, "token": token})


@router.post("/api/tables/{table}/invitations", responses=table_answers(wire.Invitation))
async def invite(visit: Seated, wish: wire.SideWish, wants: Wants) -> Response:
    why, invitation = await sittings.invite(visit.rooms, visit.room, visit.sides, wish.side)
    return _denied(why, wants) if why else JSONResponse({"side": wish.side, "invitation": invitation})


@router.post("/api/tables/{table}/renew", responses=table_answers(wire.Token))
async def renew(visit: Seated) -> Response:
    return JSONResponse({"token": await sittings.renew(visit.rooms, visit.room, visit.sides)})


@router.post("/api/tables/{table}/share", responses=table_answers(wire.State | wire.Version))
async def share(visit: Seated, wish: wire.ShareWish, wants: Wants) -> Response:
    """Mix a share of one's own into the dice to come, once, after having seen the promise."""
    return outcome(visit, await visit.rooms.share(visit.room, visit.sides, wish.share), wants)


@router.post("/api/tables/{table}/leave", responses=table_answers(wire.Done))
async def leave(visit: Seated, wants: Wants) -> Response:
    why = await sittings.leave(visit.rooms, visit.room, visit.sides)
    return _denied(why, wants) if why else JSONResponse({"done": True})


@router.post("/api/tables/{table}/kick", responses=table_answers(wire.State | wire.Version))
async def kick(visit: Seated, wish: wire.SideWish, wants: Wants) -> Response:
    why = await sittings.kick(visit.rooms, visit.room, visit.sides, wish.side)
    return _denied(why, wants) if why else outcome(visit, None, wants)


@router.post("/api/tables/{table}/unlist", responses=table_answers(wire.State | wire.Version))
async def unlist(visit: Seated, wants: Wants) -> Response:
    why = await sittings.unlist(visit.rooms, visit.room, visit.sides)
    return _denied(why, wants) if why else outcome(visit, None, wants)


@router.post("/api/tables/{table}/abandon", responses=table_answers(wire.State | wire.Version))
async def abandon(visit: Seated, wants: Wants) -> Response:
    why = await sittings.abandon(visit.rooms, visit.room, visit.sides)
    return _denied(why, wants) if why else outcome(visit, None, wants)


@router.delete("/api/tables/{table}", responses=table_answers(wire.Done))
async def remove(visit: Seated, wants: Wants) -> Response:
    why = await sittings.remove(visit.rooms, visit.room, visit.sides)
    return _denied(why, wants) if why else JSONResponse({"done": True})


def _denied(why: str, wants: Wanted) -> Response:
    return JSONResponse(present.denied(why, wants.language), status_code=403)
