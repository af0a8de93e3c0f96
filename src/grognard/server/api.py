"""The doors: HTTP for asking and acting, a WebSocket for hearing of changes.

A seat is an unguessable token, sent as `Authorization: Bearer`. Whoever has none sees what a spectator sees
of a listed table, and nothing of the others.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Body, Depends, FastAPI, Header, HTTPException, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field
from starlette.websockets import WebSocketDisconnect

from grognard.games.shelf import catalogue, game_folder
from grognard.kernel import Game, Refusal, SaveError
from grognard.kernel.match import read_save
from grognard.kernel.registry import game_ids, load_game
from grognard.players import player_names
from grognard.server import present
from grognard.server.kit import PICTURE_WIDTHS, Pictures, kit
from grognard.server.limits import BodyLimit, SecurityHeaders
from grognard.server.rooms import (
    Created,
    NewTable,
    Room,
    Rooms,
    SeatError,
    StaleTableError,
    UnknownTableError,
)
from grognard.server.settings import ServerSettings
from grognard.server.store import Store

STATIC = Path(__file__).parent / "static"

Language = Annotated[Literal["en", "fr"], Query(alias="lang")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class TableWish(Strict):
    """A new table."""

    game: str = Field(max_length=40)
    scenario: str = Field("", max_length=40)
    options: dict[str, bool | int | str] = Field(default_factory=dict, max_length=40)
    seats: dict[str, str] = Field(default_factory=dict, max_length=8)
    name: str = Field("", max_length=60)
    owner: str = Field("", max_length=60)
    listed: bool = False
    hotseat: bool = False


class JoinWish(Strict):
    side: str = Field(max_length=40)
    name: str = Field("", max_length=60)


class ActionWish(Strict):
    action: list[str] = Field(min_length=1, max_length=8)
    version: str | None = Field(None, max_length=40)


class OrderWish(Strict):
    order: dict[str, Any] = Field(max_length=10)
    version: str | None = Field(None, max_length=40)


class UndoWish(Strict):
    to: Literal["step", "phase"] = "step"


class TakebackWish(Strict):
    to: int = Field(ge=0, le=1_000_000)


class TakebackAnswer(Strict):
    accept: bool


class ChatWish(Strict):
    text: str = Field(min_length=1, max_length=1000)


class NoteWish(Strict):
    text: str = Field(max_length=20_000)


class SaveWish(Strict):
    text: str = Field(min_length=2, max_length=4_000_000)
    seats: dict[str, str] = Field(default_factory=dict, max_length=8)
    owner: str = Field("", max_length=60)
    hotseat: bool = True


class Question(BaseModel):
    model_config = ConfigDict(extra="allow")
    ask: str = Field(max_length=40)


def create_app(settings: ServerSettings) -> FastAPI:
    store = Store(settings.database)
    games: dict[str, Game[Any]] = {id_: load_game(id_, settings.overrides) for id_ in game_ids()}
    pictures = Pictures(settings.cache)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.rooms = Rooms(store, games)
        drawing = asyncio.create_task(asyncio.to_thread(_draw_ahead, pictures, games))
        yield
        await app.state.rooms.close()
        await asyncio.gather(drawing, return_exceptions=True)
        store.close()

    app = FastAPI(title="Grognard", version="1", lifespan=lifespan)
    app.state.rooms = Rooms(store, games)
    app.state.store = store
    app.state.games = games
    app.add_middleware(SecurityHeaders)
    app.add_middleware(BodyLimit, limit=5_000_000)
    _add_game_routes(app, games, pictures, settings)
    _add_table_routes(app)
    _add_people_routes(app)
    _add_live_route(app)
    _add_page(app)
    _add_errors(app)
    return app


def _draw_ahead(pictures: Pictures, games: dict[str, Game[Any]]) -> None:
    """Have the first pictures ready before anybody asks."""
    for game in games.values():
        for language in ("en", "fr"):
            pictures.png(game, language, PICTURE_WIDTHS[0])


# Who is asking


def _rooms(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


class Visit:
    """A request to a table: the room, and the sides its token plays."""

    def __init__(self, rooms: Rooms, room: Room, sides: list[int]) -> None:
        self.rooms, self.room, self.sides = rooms, room, sides


async def visit(request: Request, table: str, authorization: Annotated[str | None, Header()] = None) -> Visit:
    rooms = _rooms(request)
    room = await rooms.room(table)
    sides = room.sides_of(_bearer(authorization))
    if sides is None:
        raise HTTPException(403, "this token has no seat at this table")
    return Visit(rooms, room, sides)


async def seated(visit: Annotated[Visit, Depends(visit)]) -> Visit:
    if not visit.sides:
        raise HTTPException(403, "only players may do this")
    return visit


def _bearer(header: str | None) -> str | None:
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else ""


Visitor = Annotated[Visit, Depends(visit)]
Seated = Annotated[Visit, Depends(seated)]


def _outcome(visit: Visit, why: Refusal | None, language: str) -> JSONResponse:
    """The new state, or why nothing changed."""
    if why is None:
        return JSONResponse(present.state(visit.room, visit.sides, language))
    body = present.refused(visit.room.game, why, language)
    if why.code == "stale":
        state = present.state(visit.room, visit.sides, language)
        return JSONResponse({**body, "state": state}, status_code=409)
    status = 403 if why.code == "not-your-decision" else 422
    return JSONResponse(body, status_code=status)


# Games


def _add_game_routes(
    app: FastAPI, games: dict[str, Game[Any]], pictures: Pictures, settings: ServerSettings
) -> None:
    kits: dict[tuple[str, str], bytes] = {}

    def known(game: str) -> Game[Any]:
        if game not in games:
            raise HTTPException(404, "no such game")
        return games[game]

    @app.get("/api/games")
    def list_games(lang: Language = "en") -> list[dict[str, Any]]:
        found = []
        for entry in catalogue():
            game = games.get(entry.id)
            line: dict[str, Any] = {
                "id": entry.id,
                "title": entry.title,
                "publisher": entry.publisher,
                "about": entry.about[lang],
                "state": entry.state if game is None or entry.state != "map" else "playable",
                "scenarios": [],
                "sides": [],
                "players": [],
            }
            if game is not None:
                line["subtitle"] = game.settings.data["subtitle"][lang]
                line["scenarios"] = [
                    {"id": s.id, "name": s.names[lang], "options": dict(s.options)}
                    for s in game.scenarios.values()
                ]
                line["sides"] = [{"id": s, "name": game.settings.data["sides"][s][lang]} for s in game.sides]
                line["players"] = player_names()
            found.append(line)
        return found

    @app.get("/api/games/{game}/kit")
    def get_kit(game: str, lang: Language = "en") -> Response:
        found = known(game)
        if (game, lang) not in kits:
            body = kit(found, game_folder(game, settings.overrides), lang)
            kits[(game, lang)] = json.dumps(body, ensure_ascii=False).encode()
        return Response(
            kits[(game, lang)], media_type="application/json", headers={"Cache-Control": "max-age=60"}
        )

    @app.get("/api/games/{game}/map.svg")
    def get_svg(game: str, lang: Language = "en") -> Response:
        picture = pictures.svg(known(game), lang)
        return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get("/api/games/{game}/map.png")
    def get_png(game: str, lang: Language = "en", width: int = PICTURE_WIDTHS[0]) -> Response:
        if width not in PICTURE_WIDTHS:
            raise HTTPException(422, f"width must be one of {PICTURE_WIDTHS}")
        picture = pictures.png(known(game), lang, width)
        return Response(picture, media_type="image/png", headers={"Cache-Control": "max-age=86400"})


# Tables


def _add_table_routes(app: FastAPI) -> None:
    @app.get("/api/tables")
    async def lobby(request: Request) -> list[dict[str, Any]]:
        rooms = _rooms(request)
        lines = []
        for row in await asyncio.to_thread(rooms.store.listed):
            try:
                room = await rooms.room(row.id)
            except (StaleTableError, UnknownTableError):
                continue
            state = present.state(room, [], "en")
            keys = ("table", "name", "game", "turn", "phase", "actor", "over", "players")
            lines.append({**{key: state[key] for key in keys}, "updated": row.updated})
        return lines

    @app.post("/api/tables", status_code=201)
    async def new_table(request: Request, wish: TableWish) -> dict[str, Any]:
        rooms = _rooms(request)
        game = rooms.games.get(wish.game)
        if game is None:
            raise HTTPException(422, "no such game")
        scenario = wish.scenario or next(iter(game.scenarios))
        if scenario not in game.scenarios or not set(wish.seats) <= set(game.sides):
            raise HTTPException(422, "no such scenario or side")
        try:
            made = await rooms.create(
                NewTable(
                    game=wish.game,
                    scenario=scenario,
                    options=wish.options,
                    seats=wish.seats,
                    name=wish.name,
                    listed=wish.listed,
                    hotseat=wish.hotseat,
                    owner=wish.owner,
                )
            )
        except ValueError as error:
            raise HTTPException(422, str(error)) from None
        return _made(made)

    @app.post("/api/tables/{table}/join")
    async def join(request: Request, table: str, wish: JoinWish) -> dict[str, str]:
        rooms = _rooms(request)
        room = await rooms.room(table)
        if not room.row.listed:
            raise HTTPException(403, "this table is by invitation")
        return {"token": await rooms.join(room, wish.side, wish.name)}

    @app.get("/api/tables/{table}")
    async def look(visit: Visitor, lang: Language = "en") -> dict[str, Any]:
        return present.state(visit.room, visit.sides, lang)

    @app.post("/api/tables/{table}/actions")
    async def act(visit: Seated, wish: ActionWish, lang: Language = "en") -> JSONResponse:
        why = await visit.rooms.act(visit.room, visit.sides, wish.version, wish.action)
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/orders")
    async def order(visit: Seated, wish: OrderWish, lang: Language = "en") -> JSONResponse:
        why = await visit.rooms.order(visit.room, visit.sides, wish.version, wish.order)
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/undo")
    async def undo(visit: Seated, wish: Annotated[UndoWish, Body()], lang: Language = "en") -> JSONResponse:
        why = await visit.rooms.undo(visit.room, visit.sides, wish.to == "phase")
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/takeback")
    async def takeback(visit: Seated, wish: TakebackWish, lang: Language = "en") -> JSONResponse:
        return _outcome(visit, await visit.rooms.propose(visit.room, visit.sides, wish.to), lang)

    @app.post("/api/tables/{table}/takeback/answer")
    async def answer_takeback(visit: Seated, wish: TakebackAnswer, lang: Language = "en") -> JSONResponse:
        why = await visit.rooms.answer_proposal(visit.room, visit.sides, wish.accept)
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/resign")
    async def resign(visit: Seated, lang: Language = "en") -> JSONResponse:
        return _outcome(visit, await visit.rooms.resign(visit.room, visit.sides), lang)

    @app.post("/api/tables/{table}/ask")
    async def ask(visit: Visitor, question: Question, lang: Language = "en") -> JSONResponse:
        async with visit.room.lock:
            found = await asyncio.to_thread(
                present.answer, visit.room, visit.sides, question.model_dump(), lang
            )
        if isinstance(found, Refusal):
            return JSONResponse(present.refused(visit.room.game, found, lang), status_code=422)
        return JSONResponse(found)

    @app.get("/api/tables/{table}/log")
    async def log(
        visit: Visitor, since: Annotated[int, Query(ge=0)] = 0, lang: Language = "en"
    ) -> list[dict[str, Any]]:
        return present.log(visit.room, visit.sides, since, lang)

    @app.get("/api/tables/{table}/moments")
    async def moments(visit: Visitor) -> dict[str, Any]:
        return await asyncio.to_thread(present.moments, visit.room)

    @app.get("/api/tables/{table}/at/{moment}")
    async def at(visit: Visitor, moment: int, lang: Language = "en") -> dict[str, Any]:
        if not 0 <= moment <= len(visit.room.match.journal):
            raise HTTPException(404, "no such moment")
        return await asyncio.to_thread(present.moment, visit.room, visit.sides, moment, lang)

    @app.get("/api/tables/{table}/rolls")
    async def rolls(visit: Visitor) -> dict[str, Any]:
        if not visit.room.over:
            raise HTTPException(403, "the seed is published when the game is over")
        return await asyncio.to_thread(present.rolls, visit.room)

    @app.get("/api/tables/{table}/save")
    async def save(visit: Seated) -> Response:
        room = visit.room
        # A save holds the seed, and with it every die to come.
        if not room.over and len(visit.sides) + len(room.bots) < len(room.game.sides):
            raise HTTPException(403, "a game between two people is saved when it is over")
        async with room.lock:
            text = room.match.save()
        headers = {"Content-Disposition": f'attachment; filename="{room.game.id}-{room.row.id}.json"'}
        return PlainTextResponse(text, headers=headers, media_type="application/json")

    @app.post("/api/saves", status_code=201)
    async def upload(request: Request, wish: SaveWish) -> dict[str, Any]:
        rooms = _rooms(request)
        try:
            head = read_save(wish.text)
            if head["game"] not in rooms.games:
                raise SaveError(f"no game {head['game'][:40]!r} here")
            return _made(
                await rooms.restore(
                    wish.text,
                    NewTable(
                        game=head["game"],
                        scenario=head["scenario"],
                        options=head["options"],
                        seats=wish.seats,
                        hotseat=wish.hotseat,
                        owner=wish.owner,
                    ),
                )
            )
        except (SaveError, ValueError) as error:
            raise HTTPException(422, str(error)) from None


def _made(made: Created) -> dict[str, Any]:
    watch = made.tokens.pop("watch")
    return {"table": made.table, "seats": made.tokens, "watch": watch}


# Words between people


def _add_people_routes(app: FastAPI) -> None:
    @app.get("/api/tables/{table}/chat")
    async def said(visit: Visitor) -> list[dict[str, Any]]:
        rows = await asyncio.to_thread(visit.rooms.store.said, visit.room.row.id)
        return [row._asdict() for row in rows]

    @app.post("/api/tables/{table}/chat", status_code=201)
    async def say(visit: Seated, wish: ChatWish) -> dict[str, Any]:
        room = visit.room
        author = room.game.sides[visit.sides[0]]
        row = await asyncio.to_thread(visit.rooms.store.say, room.row.id, author, wish.text)
        room.tell()
        return row._asdict()

    @app.get("/api/tables/{table}/note")
    async def note(visit: Seated) -> dict[str, str]:
        side = visit.room.game.sides[visit.sides[0]]
        return {"text": await asyncio.to_thread(visit.rooms.store.note, visit.room.row.id, side)}

    @app.put("/api/tables/{table}/note")
    async def write_note(visit: Seated, wish: NoteWish) -> dict[str, str]:
        side = visit.room.game.sides[visit.sides[0]]
        await asyncio.to_thread(visit.rooms.store.write_note, visit.room.row.id, side, wish.text)
        return {"text": wish.text}


# Hearing of changes


def _add_live_route(app: FastAPI) -> None:
    @app.websocket("/api/tables/{table}/live")
    async def live(socket: WebSocket, table: str) -> None:
        await socket.accept()
        try:
            hello = await asyncio.wait_for(socket.receive_json(), timeout=10)
            token, language = hello.get("token"), hello.get("lang")
            if language not in ("en", "fr") or not (token is None or isinstance(token, str)):
                raise ValueError
            room = await app.state.rooms.room(table)
        except (UnknownTableError, StaleTableError, ValueError, TimeoutError, AttributeError, KeyError):
            await socket.close(4400)
            return
        except WebSocketDisconnect:
            return
        sides = room.sides_of(token)
        if sides is None:
            await socket.close(4403)
            return
        await _follow(socket, app, room, sides, language)


async def _follow(socket: WebSocket, app: FastAPI, room: Room, sides: list[int], language: str) -> None:
    """Send the state at once and after every change, with what is new in the log and the chat."""
    changed = asyncio.Event()
    changed.set()
    room.listeners.add(changed.set)
    log_from, chat_from = len(room.match.log), 0
    gone = asyncio.create_task(_until_gone(socket))
    try:
        while not gone.done():
            waiting = asyncio.create_task(changed.wait())
            await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if gone.done():
                return
            changed.clear()
            # A room that was forgotten after a failed write is read again.
            room = await app.state.rooms.room(room.row.id)
            room.listeners.add(changed.set)
            log_from = min(log_from, len(room.match.log))
            said = await asyncio.to_thread(app.state.store.said, room.row.id)
            await socket.send_json(
                {
                    "type": "state",
                    "state": present.state(room, sides, language),
                    "log": present.log(room, sides, log_from, language),
                    "log_from": log_from,
                    "chat": [row._asdict() for row in said if row.id > chat_from],
                }
            )
            log_from = len(room.match.log)
            chat_from = max([chat_from, *(row.id for row in said)])
            # Nobody reads faster than this, and a quick computer player changes much at a time.
            await asyncio.sleep(0.05)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        gone.cancel()
        room.listeners.discard(changed.set)


async def _until_gone(socket: WebSocket) -> None:
    """What clients send after the greeting is read and ignored: acting goes by HTTP."""
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, RuntimeError):
        return


# The page


def _add_page(app: FastAPI) -> None:
    if (STATIC / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=STATIC / "assets"), name="assets")

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        if path.startswith("api/"):
            raise HTTPException(404, "no such door")
        index = STATIC / "index.html"
        if not index.is_file():
            return PlainTextResponse("The page has not been built: run `make page`.", status_code=503)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(UnknownTableError)
    async def unknown(request: Request, error: UnknownTableError) -> JSONResponse:
        return JSONResponse({"detail": "no such table"}, status_code=404)

    @app.exception_handler(StaleTableError)
    async def stale(request: Request, error: StaleTableError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=410)

    @app.exception_handler(SeatError)
    async def no_seat(request: Request, error: SeatError) -> JSONResponse:
        return JSONResponse({"detail": "this seat is not open"}, status_code=409)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        # Only where and why: what was sent is not echoed.
        problems = [
            {"loc": [str(part) for part in e["loc"]], "msg": e["msg"], "type": e["type"]}
            for e in error.errors()
        ]
        return JSONResponse({"detail": problems}, status_code=422)
