"""Tables: making them, looking at them, acting at them."""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Any

from fastapi import APIRouter, Body, HTTPException, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from grognard.files.saves import read_save
from grognard.kernel import Game, Refusal, SaveError
from grognard.server import present, questions, sittings, views, wire
from grognard.server.doors.visits import (
    Seated,
    Visit,
    Visitor,
    Wants,
    answers,
    outcome,
    outcome_in_hand,
    rooms_of,
    state_answer,
    table_answers,
    unprocessable,
)
from grognard.server.makers import maker_of, most_waiting
from grognard.server.quotas import refused
from grognard.server.rooms import Created, Rooms
from grognard.server.sealing import seal, unseal
from grognard.server.seating import NewTable
from grognard.server.store import SeatRow, TableRow
from grognard.server.words import PageWords

router = APIRouter()
_log = logging.getLogger(__name__)

CHANGED: Any = wire.State | wire.Version
"""After a change: the state or, if no more is wanted, its version."""
ANSWERED: Any = (
    wire.WhyAnswer
    | wire.AheadAnswer
    | wire.ReachAnswer
    | wire.ForecastAnswer
    | wire.WhatIfAnswer
    | wire.StrengthsAnswer
    | wire.SupplyAnswer
    | wire.LayerAnswer
)


@router.get("/api/tables", responses=answers(list[wire.LobbyLine]))
async def lobby(request: Request) -> Response:
    rooms = rooms_of(request)
    rows, places = await asyncio.to_thread(_listed, rooms)
    lines = []
    for row in rows:
        # A table last written by an older version does not say where it stands.
        shown = row if row.turn is not None else await _with_stage(rooms, row)
        if shown is None:
            continue
        lines.append(present.lobby(shown, [p for p in places if p.table_id == row.id]))
    return JSONResponse(lines)


def _listed(rooms: Rooms) -> tuple[list[TableRow], list[SeatRow]]:
    rows = [row for row in rooms.store.listed() if row.game in rooms.games]
    return rows, rooms.store.seats(*(row.id for row in rows))


async def _with_stage(rooms: Rooms, row: TableRow) -> TableRow | None:
    """Where a table stands; None if it cannot be opened, which is no reason to show nobody else's."""
    try:
        room = await rooms.room(row.id)
    except Exception:
        _log.warning("a table cannot be opened", extra={"table": row.id}, exc_info=True)
        return None
    return row._replace(**room.stage()._asdict())


@router.post("/api/tables", status_code=201, responses=answers(wire.Created, status=201))
async def new_table(request: Request, wish: wire.TableWish) -> Response:
    rooms = rooms_of(request)
    game = rooms.games.get(wish.game)
    if game is None:
        raise HTTPException(422, "no such game")
    scenario = wish.scenario or next(iter(game.scenarios))
    if scenario not in game.scenarios or not set(wish.seats) <= set(game.sides):
        raise HTTPException(422, "no such scenario or side")
    maker = await maker_of(request)
    if wish.listed and (most := await most_waiting(request, maker)):
        return refused("tables-waiting", 429, request.scope, 60, number=most)
    table = NewTable(**{**wish.model_dump(), "scenario": scenario}, maker=maker)
    try:
        return _made(await rooms.create(table))
    except ValueError as error:
        raise unprocessable(error) from None


@router.post("/api/tables/{table}/join", responses=table_answers(wire.Token))
async def join(request: Request, table: str, wish: wire.JoinWish) -> Response:
    rooms = rooms_of(request)
    room = await rooms.room(table)
    if not room.row.listed:
        raise HTTPException(403, "this table is by invitation")
    return JSONResponse({"token": await rooms.join(room, wish.side, wish.name)})


@router.get("/api/tables/{table}", responses=table_answers(wire.State))
async def look(visit: Visitor, wants: Wants) -> Response:
    return state_answer(visit, wants)


@router.get("/api/tables/{table}/line", responses=table_answers(wire.OwnLine))
async def line(visit: Visitor) -> Response:
    """The table in a line, for a list of those that one plays at."""
    return JSONResponse(views.own_line(visit.room, visit.sides))


@router.post("/api/tables/{table}/actions", responses=table_answers(CHANGED))
async def act(visit: Seated, wish: wire.ActionWish, wants: Wants) -> Response:
    why = await visit.rooms.act(visit.room, visit.sides, wish.version, wish.action, wish.side)
    return await outcome_in_hand(visit, why, wants, wish.reach)


@router.post("/api/tables/{table}/orders", responses=table_answers(CHANGED))
async def order(visit: Seated, wish: wire.OrderWish, wants: Wants) -> Response:
    why = await visit.rooms.order(visit.room, visit.sides, wish.version, wish.order, wish.side)
    return await outcome_in_hand(visit, why, wants, wish.reach)


@router.post("/api/tables/{table}/undo", responses=table_answers(CHANGED))
async def undo(visit: Seated, wish: Annotated[wire.UndoWish, Body()], wants: Wants) -> Response:
    why = await visit.rooms.undo(visit.room, visit.sides, wish.to == "phase", wish.version)
    return await outcome_in_hand(visit, why, wants, wish.reach)


@router.post("/api/tables/{table}/redo", responses=table_answers(CHANGED))
async def redo(visit: Seated, wants: Wants, wish: Annotated[wire.RedoWish | None, Body()] = None) -> Response:
    wish = wish or wire.RedoWish()
    why = await visit.rooms.redo(visit.room, visit.sides, wish.to == "all")
    return await outcome_in_hand(visit, why, wants, wish.reach)


@router.post("/api/tables/{table}/takeback", responses=table_answers(CHANGED))
async def takeback(visit: Seated, wish: wire.TakebackWish, wants: Wants) -> Response:
    why = await visit.rooms.propose(visit.room, visit.sides, wish.to)
    if why is None and visit.room.proposal is not None:
        await _noted(visit, "takeback-asked", wish.to)
    return outcome(visit, why, wants)


@router.post("/api/tables/{table}/takeback/answer", responses=table_answers(CHANGED))
async def answer_takeback(visit: Seated, wish: wire.TakebackAnswer, wants: Wants) -> Response:
    proposal = visit.room.proposal
    why = await visit.rooms.answer_proposal(visit.room, visit.sides, wish.accept, wish.to)
    if why is None and proposal is not None:
        own = proposal.by in {visit.room.game.sides[n] for n in visit.sides}
        answer = "withdrawn" if own else "granted" if wish.accept else "refused"
        await _noted(visit, f"takeback-{answer}", proposal.to)
    return outcome(visit, why, wants)


async def _noted(visit: Visit, code: str, to: int) -> None:
    """A take-back is remembered among the words of people."""
    await sittings.note(visit.rooms, visit.room, visit.room.game.sides[visit.sides[0]], code, to=to)


@router.post("/api/tables/{table}/branch", status_code=201, responses=table_answers(wire.Created, status=201))
async def branch(visit: Seated, wish: wire.BranchWish, wants: Wants) -> Response:
    """A new table that goes on from a moment of this one."""
    found = await visit.rooms.branch(visit.room, visit.sides, wish.to, wish.name)
    return outcome(visit, found, wants) if isinstance(found, Refusal) else _made(found)


@router.post("/api/tables/{table}/resign", responses=table_answers(CHANGED))
async def resign(visit: Seated, wants: Wants) -> Response:
    return outcome(visit, await visit.rooms.resign(visit.room, visit.sides), wants)


@router.post("/api/tables/{table}/ask", responses=table_answers(ANSWERED))
async def ask(visit: Visitor, question: wire.Question, wants: Wants) -> Response:
    asked = question.model_dump()
    found = await asyncio.to_thread(questions.answer, visit.room, visit.sides, asked, wants.language)
    if isinstance(found, Refusal):
        return JSONResponse(present.refused(visit.room.game, found, wants.language), status_code=422)
    return JSONResponse(found)


@router.get("/api/tables/{table}/save", responses=table_answers(dict[str, Any]))
async def save(visit: Seated) -> Response:
    room = visit.room
    # A save holds the seed, and with it every die to come.
    if not room.over and len(visit.sides) + len(room.bots) < len(room.game.sides):
        raise HTTPException(403, "a game between two people is saved when it is over")
    text = await visit.rooms.save(room)
    if room.game.hidden_information and room.bots and not room.over:
        # And what the computer hides.
        key = await asyncio.to_thread(visit.rooms.store.key, "saves")
        text = seal(text, key, game=room.game.id, scenario=room.row.scenario, turn=room.row.turn)
    headers = {"Content-Disposition": f'attachment; filename="{room.game.id}-{room.row.id}.json"'}
    return PlainTextResponse(text, headers=headers, media_type="application/json")


@router.post("/api/saves", status_code=201, responses=answers(wire.Created, status=201))
async def upload(request: Request, wish: wire.SaveWish, wants: Wants) -> Response:
    rooms = rooms_of(request)
    try:
        key = await asyncio.to_thread(rooms.store.key, "saves")
        text = await asyncio.to_thread(unseal, wish.text, key)
        head = await asyncio.to_thread(read_save, text)
        if head["game"] not in rooms.games:
            raise SaveError(f"no game {head['game'][:40]!r} here", "save-no-game")
        table = NewTable(
            game=head["game"],
            scenario=head["scenario"],
            options=head["options"],
            seats=wish.seats,
            hotseat=wish.hotseat,
            owner=wish.owner,
            name=wish.name,
        )

        def named(game: Game[Any], turn: int) -> str:
            title = game.settings.data["title"][wants.language]
            return PageWords(wants.language)("notices", "title", game=title, turn=turn)[:60]

        return _made(await rooms.restore(text, table, named))
    except SaveError as error:
        said = present.denied(error.code, wants.language)
        # Words of the save may be quoted: halves of characters, which JSON lets through, cannot be sent back.
        detail = str(error)[:300].encode(errors="replace").decode()
        return JSONResponse({**said, "detail": detail}, status_code=422)
    except ValueError as error:
        raise unprocessable(error) from None


def _made(made: Created) -> Response:
    watch = made.tokens.pop("watch")
    told = {
        "table": made.table,
        "seats": made.tokens,
        "invitations": made.invitations,
        "watch": watch,
        "promise": made.promise,
    }
    return JSONResponse(told, status_code=201)
