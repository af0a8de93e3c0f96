"""Who is asking, and what every door may answer.

A seat is an unguessable token, sent as `Authorization: Bearer`. Whoever has none sees what a spectator sees
of a listed table, and nothing of the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import Depends, Header, HTTPException, Query, Request
from fastapi.responses import JSONResponse, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from grognard.kernel import Game, Refusal
from grognard.server import present, views, wire
from grognard.server.accounts import MARK as SESSION
from grognard.server.questions import reach_of_hand
from grognard.server.room import Room
from grognard.server.rooms import Rooms
from grognard.server.workbench import look

Language = Annotated[Literal["en", "fr"], Query(alias="lang")]
MINIMAL = {"Preference-Applied": "return=minimal"}


def problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The ways in which a request may fail, for the description of the doors."""
    refused = wire.RefusedAnswer | wire.Problem
    models: dict[int, Any] = {409: wire.StaleAnswer | refused, 422: refused, 403: refused}
    models |= dict.fromkeys((410, 421, 429, 503), wire.RefusedAnswer)
    return {
        code: {"model": models.get(code, wire.Problem)} for code in (400, 413, 421, 422, 429, 503, *codes)
    }


def answers(model: Any, *codes: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """What a door answers, and the ways in which it may fail."""
    return {**problems(*codes), status: {"model": model}}


def table_answers(model: Any, status: int = 200) -> dict[int | str, dict[str, Any]]:
    return answers(model, 401, 403, 404, 409, 410, status=status)


def rooms_of(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


def games_of(request: Request) -> Mapping[str, Game[Any]]:
    games: Mapping[str, Game[Any]] = request.app.state.games
    return games


class PinnedError(RuntimeError):
    """A table that cannot be played on here; why, as a code of the table's denials."""


class Visit:
    """A request to a table: the room, and the sides its token plays."""

    def __init__(self, rooms: Rooms, room: Room, sides: list[int]) -> None:
        self.rooms, self.room, self.sides = rooms, room, sides

    async def walk(self, question: Callable[..., Any], *asked: Any) -> bytes:
        """Something of the table's past, as JSON."""
        row = self.room.row
        found: bytes = await self.rooms.workshop.errand(look, question, row, *asked, key=row.id)
        return found


bearer = HTTPBearer(auto_error=False, description="The token of a seat, or of the spectators")


async def sides_for(app: Any, room: Room, token: str | None) -> list[int] | None:
    """The sides that a token plays here: that of a seat, of the spectators, or of an account's session. Who
    has entered, but has no seat here, is a spectator like anybody else."""
    if token is None or not token.startswith(SESSION):
        return room.sides_of(token)
    account = await app.state.accounts.who(token)
    found = None if account is None else room.sides_of_account(account.id)
    return room.sides_of(None) if found is None and account is not None else found


async def visit(
    request: Request,
    table: str,
    token: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Visit:
    rooms = rooms_of(request)
    room = await rooms.room(table)
    if request.method == "GET":
        # Whoever looks has seen what another server has just done for him: connections are kept, and used for
        # more than one table. Who changes something says what he has seen, or is stopped by the journal.
        await rooms.look_again(room)
    # A malformed header is not anonymous access.
    silent = "authorization" not in request.headers
    sides = await sides_for(request.app, room, None if silent else token.credentials if token else "")
    if sides is None and silent:
        challenge = {"WWW-Authenticate": "Bearer"}
        raise HTTPException(401, "this table is for those who have a token of it", headers=challenge)
    if sides is None:
        raise HTTPException(403, "this token has no seat at this table")
    return Visit(rooms, room, sides)


async def seated(request: Request, visit: Annotated[Visit, Depends(visit)]) -> Visit:
    if not visit.sides:
        raise HTTPException(403, "only players may do this")
    playing = request.method == "POST" and not request.url.path.endswith(BESIDE_PLAY)
    if visit.room.pinned and playing:
        raise PinnedError(visit.room.pinned)
    return visit


BESIDE_PLAY = (
    "/resign",
    "/chat",
    "/marks",
    "/leave",
    "/renew",
    "/abandon",
    "/unlist",
    "/invitations",
    "/claim",
    "/rematch",
)
"""What can be done at a table that cannot be played on."""


Visitor = Annotated[Visit, Depends(visit)]
Seated = Annotated[Visit, Depends(seated)]


class Wanted(NamedTuple):
    """How an answer is wanted: in which language, and whether in full."""

    language: str
    minimal: bool


async def wanted(
    lang: Language = "en",
    prefer: Annotated[str, Header()] = "",
) -> Wanted:
    return Wanted(language=lang, minimal="return=minimal" in prefer)


Wants = Annotated[Wanted, Depends(wanted)]


def state_answer(visit: Visit, wants: Wanted) -> Response:
    """The table as this seat sees it."""
    state = views.written_state(visit.room, visit.sides, wants.language)
    return Response(state, media_type="application/json")


async def outcome_in_hand(visit: Visit, why: Refusal | None, wants: Wanted, reach: bool) -> Response:
    """The same, with how far what is in hand then gets where that is wanted too: whoever takes a unit up asks
    once. Those who look on are not sent it."""
    if why is not None or not wants.minimal or not reach:
        return outcome(visit, why, wants)
    version = visit.room.version(visit.sides)
    found = reach_of_hand(visit.room, visit.sides, wants.language)
    return JSONResponse({"version": version, "reach": await asyncio.to_thread(found)}, headers=MINIMAL)


def outcome(visit: Visit, why: Refusal | None, wants: Wanted) -> Response:
    """The new state (or its version, if no more is wanted), or why nothing changed."""
    if why is None and wants.minimal:
        return JSONResponse({"version": visit.room.version(visit.sides)}, headers=MINIMAL)
    if why is None:
        return state_answer(visit, wants)
    body = present.refused(visit.room.game, why, wants.language)
    if why.code == "stale":
        state = views.seen(visit.room, visit.sides, wants.language)
        return JSONResponse({**body, "state": state}, status_code=409)
    status = 403 if why.code == "not-your-decision" else 422
    return JSONResponse(body, status_code=status)


def unprocessable(error: Exception) -> HTTPException:
    # What was sent may be quoted in it: in part, and as text that can be sent back.
    return HTTPException(422, str(error)[:300].encode(errors="replace").decode())
