"""Accounts: entering on any device, and finding one's games there."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import JSONResponse, Response
from fastapi.security import HTTPAuthorizationCredentials

from grognard.server import present, sittings, views, wire
from grognard.server.accounts import AccountError, AccountRow, Accounts
from grognard.server.doors.visits import Wanted, Wants, answers, bearer, rooms_of

router = APIRouter()


def accounts_of(request: Request) -> Accounts:
    accounts: Accounts = request.app.state.accounts
    return accounts


class Own(NamedTuple):
    """Whoever asks, and the session by which he does."""

    accounts: Accounts
    account: AccountRow
    session: str


async def own(
    request: Request, token: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
) -> Own:
    session = token.credentials if token else ""
    accounts = accounts_of(request)
    account = await accounts.who(session)
    if account is None:
        raise HTTPException(401, "nobody has entered here", headers={"WWW-Authenticate": "Bearer"})
    return Own(accounts, account, session)


Entered = Annotated[Own, Depends(own)]


def own_answers(model: Any, *codes: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    return answers(model, 401, 403, 404, *codes, status=status)


def _device(request: Request) -> str:
    """What the browser says it is."""
    return "".join(sign for sign in request.headers.get("user-agent", "") if sign.isprintable())[:120]


def _denied(error: AccountError, wants: Wanted) -> Response:
    code = str(error)
    status = {"too-often": 429, "name-taken": 409}.get(code, 403)
    return JSONResponse(present.denied(code, wants.language), status_code=status)


@router.post("/api/account", status_code=201, responses=answers(wire.Session, 403, 409, status=201))
async def register(request: Request, wish: wire.AccountWish, wants: Wants) -> Response:
    try:
        session = await accounts_of(request).register(
            wish.name, wish.passphrase, wants.language, _device(request)
        )
    except AccountError as error:
        return _denied(error, wants)
    return JSONResponse({"session": session}, status_code=201)


@router.get("/api/account", responses=own_answers(wire.Me))
async def me(own: Entered) -> Response:
    account = own.account
    return JSONResponse({"name": account.name, "language": account.language, "created": account.created})


@router.put("/api/account/language", responses=own_answers(wire.Done))
async def speak(own: Entered, wish: wire.LanguageWish) -> Response:
    await own.accounts.speak(own.account.id, wish.language)
    return JSONResponse({"done": True})


@router.delete("/api/account", responses=own_answers(wire.Done))
async def delete(own: Entered) -> Response:
    await own.accounts.delete(own.account.id)
    return JSONResponse({"done": True})


@router.get("/api/account/export", responses=own_answers(wire.Export))
async def export(own: Entered) -> Response:
    return JSONResponse(await own.accounts.export(own.account.id, own.session))


@router.post("/api/account/passphrase", responses=own_answers(wire.Done))
async def change_passphrase(own: Entered, wish: wire.PassphraseWish, wants: Wants) -> Response:
    try:
        await own.accounts.change_passphrase(own.account.id, wish.old, wish.new, own.session)
    except AccountError as error:
        return _denied(error, wants)
    return JSONResponse({"done": True})


@router.post("/api/account/sessions", status_code=201, responses=answers(wire.Session, 403, status=201))
async def enter(request: Request, wish: wire.EnterWish, wants: Wants) -> Response:
    try:
        session = await accounts_of(request).enter(wish.name, wish.passphrase, _device(request))
    except AccountError as error:
        return _denied(error, wants)
    return JSONResponse({"session": session}, status_code=201)


@router.get("/api/account/sessions", responses=own_answers(list[wire.SessionLine]))
async def sessions(own: Entered) -> Response:
    return JSONResponse(await own.accounts.sessions(own.account.id, own.session))


@router.delete("/api/account/sessions", responses=own_answers(wire.Done))
async def revoke_all(own: Entered) -> Response:
    """Leave on every device."""
    await own.accounts.revoke_all(own.account.id)
    return JSONResponse({"done": True})


@router.post("/api/account/leave-of-absence", responses=own_answers(wire.LeaveTaken))
async def take_leave(request: Request, own: Entered, wish: wire.LeaveWish) -> Response:
    """Stop one's clock for some days at all tables by correspondence; with 0, let them run again."""
    rooms = rooms_of(request)
    taken: dict[str, list[str]] = {"taken": [], "refused": []}
    for table in dict.fromkeys(place.table_id for place in await own.accounts.seats(own.account.id)):
        row = await asyncio.to_thread(rooms.store.table, table)
        if row is None or row.over or not row.pace or row.game not in rooms.games:
            continue
        room = await rooms.room(table)
        sides = room.sides_of_account(own.account.id) or []
        why = await sittings.take_leave(rooms, room, sides, wish.days * 86_400.0)
        taken["refused" if why else "taken"].append(table)
    return JSONResponse(taken)


@router.delete("/api/account/sessions/{id_}", responses=own_answers(wire.Done))
async def revoke(own: Entered, id_: str) -> Response:
    if not await own.accounts.revoke(own.account.id, id_):
        raise HTTPException(404, "no such session")
    return JSONResponse({"done": True})


@router.post("/api/account/seats", responses=own_answers(wire.Done, 410))
async def keep_seat(request: Request, own: Entered, wish: wire.KeepWish) -> Response:
    """Let a seat belong to the account, for whoever has its token."""
    rooms = rooms_of(request)
    room = await rooms.room(wish.table)
    sides = room.sides_of(wish.token)
    if not sides:
        raise HTTPException(403, "this token has no seat at this table")
    await sittings.keep_with(rooms, room, sides, own.account.id)
    return JSONResponse({"done": True})


@router.get("/api/account/games", responses=own_answers(list[wire.OwnLine]))
async def games(request: Request, own: Entered) -> Response:
    """The tables at which the account has a seat."""
    rooms = rooms_of(request)
    places = await own.accounts.seats(own.account.id)
    lines = []
    for table in dict.fromkeys(place.table_id for place in places):
        row = await asyncio.to_thread(rooms.store.table, table)
        if row is None or row.game not in rooms.games:
            continue
        sides = [place.side for place in places if place.table_id == table]
        # Who has the table open here knows more: who else is asked at the same time.
        room = rooms.at_hand(table)
        if room is not None:
            lines.append(views.own_line(room, [room.game.sides.index(side) for side in sides]))
            continue
        asked = [row.actor] if row.actor else []
        lines.append(present.own_line(row, await asyncio.to_thread(rooms.store.seats, table), sides, asked))
    return JSONResponse(sorted(lines, key=lambda line: -line["updated"]))
