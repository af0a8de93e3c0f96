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


@router.post("/api/tables/{table}/claim", responses=table_answers(wire.State | wire.Version))
async def claim(visit: Seated, wants: Wants) -> Response:
    """Win a game whose other player has let his time run out."""
    why = await sittings.claim(visit.rooms, visit.room, visit.sides)
    return _denied(why, wants) if why else outcome(visit, None, wants)


@router.post("/api/tables/{table}/leave-of-absence", responses=table_answers(wire.State | wire.Version))
async def take_leave(visit: Seated, wish: wire.LeaveWish, wants: Wants) -> Response:
    """Stop one's clock for some days; with 0, let it run again."""
    why = await sittings.take_leave(visit.rooms, visit.room, visit.sides, wish.days * 86_400.0)
    return _denied(why, wants) if why else outcome(visit, None, wants)


@router.put("/api/tables/{table}/name", responses=table_answers(wire.State | wire.Version))
async def rename(visit: Seated, wish: wire.NameWish, wants: Wants) -> Response:
    await sittings.rename(visit.rooms, visit.room, visit.sides, wish.name)
    return outcome(visit, None, wants)


@router.post("/api/tables/{table}/rematch", responses=table_answers(wire.Rematch))
async def rematch(visit: Seated, wish: wire.RematchWish, wants: Wants) -> Response:
    """A seat at the table at which the same people play again."""
    if not visit.room.over:
        return _denied("not-over", wants)
    table, side, token = await sittings.rematch(visit.rooms, visit.room, visit.sides, wish.swap)
    return JSONResponse({"table": table, "side": side, "token": token})


@router.delete("/api/tables/{table}", responses=table_answers(wire.Done))
async def remove(visit: Seated, wants: Wants) -> Response:
    why = await sittings.remove(visit.rooms, visit.room, visit.sides)
    return _denied(why, wants) if why else JSONResponse({"done": True})


def _denied(why: str, wants: Wanted) -> Response:
    return JSONResponse(present.denied(why, wants.language), status_code=403)
