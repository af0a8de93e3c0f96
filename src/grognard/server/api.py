"""The doors: HTTP for asking and acting, a WebSocket for hearing of changes.

A seat is an unguessable token, sent as `Authorization: Bearer`. Whoever has none sees what a spectator sees
of a listed table, and nothing of the others.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, Literal

from fastapi import Body, Depends, FastAPI, HTTPException, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.websockets import WebSocketDisconnect

from grognard.board.svg import can_draw_pictures
from grognard.games.shelf import catalogue, game_folder
from grognard.kernel import Event, Game, Refusal, SaveError
from grognard.kernel.match import read_save
from grognard.kernel.registry import game_ids, load_game
from grognard.kernel.text import Catalogue
from grognard.server import present
from grognard.server.kit import PICTURE_WIDTHS, Pictures, kit
from grognard.server.limits import BODY_LIMIT, SAVE_LIMIT, BodyLimit, SecurityHeaders, check_depth
from grognard.server.room import Listener, Room
from grognard.server.rooms import Created, Rooms, SeatError, StaleTableError, UnknownTableError
from grognard.server.scribe import ConflictError
from grognard.server.seating import OFFERED, NewTable
from grognard.server.settings import ServerSettings
from grognard.server.store import SeatRow, Store, TableRow

STATIC = Path(__file__).parent / "static"

Language = Annotated[Literal["en", "fr"], Query(alias="lang")]


Line = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$")]
"""Words without a line break or any other control."""
Prose = Annotated[str, Field(pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]
"""Words on any number of lines."""
Name = Annotated[Line, Field(max_length=60)]
Id = Annotated[Line, Field(max_length=40)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class TableWish(Strict):
    """A new table."""

    game: Id
    scenario: Id = ""
    options: dict[Id, bool | int | Id] = Field(default_factory=dict, max_length=40)
    seats: dict[Id, Id] = Field(default_factory=dict, max_length=8)
    name: Name = ""
    owner: Name = ""
    listed: bool = False
    hotseat: bool = False
    teacher: bool = False
    """Whether the computer tells its plans while the game is played."""


class JoinWish(Strict):
    side: Id
    name: Name = ""


class ActionWish(Strict):
    action: list[Id] = Field(min_length=1, max_length=8)
    version: Id | None = None


class OrderWish(Strict):
    order: Annotated[dict[str, Any], BeforeValidator(check_depth)] = Field(max_length=10)
    version: Id | None = None


class UndoWish(Strict):
    to: Literal["step", "phase"] = "step"


class TakebackWish(Strict):
    to: int = Field(ge=0, le=1_000_000)


class TakebackAnswer(Strict):
    accept: bool


class ChatWish(Strict):
    text: Prose = Field(min_length=1, max_length=1000)


class NoteWish(Strict):
    text: Prose = Field(max_length=20_000)


class SaveWish(Strict):
    text: str = Field(min_length=2, max_length=4_000_000)
    seats: dict[Id, Id] = Field(default_factory=dict, max_length=8)
    owner: Name = ""
    hotseat: bool = True


class Question(BaseModel):
    """What is asked (`why`, `reach`, `forecast`, `supply`, `zones`, `supplied`), and what it is about."""

    model_config = ConfigDict(extra="allow")
    ask: Id

    @model_validator(mode="before")
    @classmethod
    def _shallow(cls, value: Any) -> Any:
        return check_depth(value)


class Problem(BaseModel):
    """Why nothing was done."""

    detail: Any


class RefusedAnswer(BaseModel):
    """Why the rules do not allow it: in a code, a case of the rulebook and a sentence."""

    code: str
    case: str
    text: str


def _problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The ways in which a request may fail, for the description of the doors."""
    models = {409: RefusedAnswer | Problem, 422: RefusedAnswer | Problem, 403: RefusedAnswer | Problem}
    return {code: {"model": models.get(code, Problem)} for code in (400, 413, 422, *codes)}


def _picture(kind: str) -> dict[int | str, dict[str, Any]]:
    return {**_problems(404), 200: {"content": {kind: {}}, "description": "The map"}}


TABLE_PROBLEMS = _problems(401, 403, 404, 409, 410)
GAME_PROBLEMS = _problems(404)


def create_app(settings: ServerSettings, games: Mapping[str, Game[Any]] | None = None) -> FastAPI:
    """The application, with the games of the registry unless others are given."""
    store = Store(settings.database)
    if games is None:
        games = {id_: load_game(id_, settings.overrides) for id_ in game_ids()}
    pictures = Pictures(settings.cache)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.rooms = Rooms(store, games)
        if settings.draw_ahead:
            # A thread that nobody waits for: stopping the server is not held up by a map half drawn.
            Thread(target=_draw_ahead, args=(pictures, games), daemon=True).start()
        yield
        await app.state.rooms.close()
        store.close()

    # No pages of documentation: theirs run other people's scripts on our address.
    app = FastAPI(title="Grognard", version="1", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.store = store
    app.state.games = games
    app.add_middleware(BodyLimit, limit=BODY_LIMIT, more={"/api/saves": SAVE_LIMIT})
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(SecurityHeaders)
    _add_game_routes(app, games, pictures, settings)
    _add_table_routes(app)
    _add_advice_routes(app, settings)
    _add_people_routes(app)
    _add_live_route(app)
    _add_page(app)
    _add_errors(app)
    return app


def _draw_ahead(pictures: Pictures, games: Mapping[str, Game[Any]]) -> None:
    """Have the first pictures ready before anybody asks."""
    for game in games.values():
        for language in ("en", "fr"):
            pictures.prepare(game, language)


# Who is asking


def _rooms(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


class Visit:
    """A request to a table: the room, and the sides its token plays."""

    def __init__(self, rooms: Rooms, room: Room, sides: list[int]) -> None:
        self.rooms, self.room, self.sides = rooms, room, sides


bearer = HTTPBearer(auto_error=False, description="The token of a seat, or of the spectators")


async def visit(
    request: Request,
    table: str,
    token: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Visit:
    rooms = _rooms(request)
    room = await rooms.room(table)
    # Whoever says something that is not a token is not taken for somebody who says nothing.
    silent = "authorization" not in request.headers
    sides = room.sides_of(None if silent else token.credentials if token else "")
    if sides is None and silent:
        challenge = {"WWW-Authenticate": "Bearer"}
        raise HTTPException(401, "this table is for those who have a token of it", headers=challenge)
    if sides is None:
        raise HTTPException(403, "this token has no seat at this table")
    return Visit(rooms, room, sides)


async def seated(visit: Annotated[Visit, Depends(visit)]) -> Visit:
    if not visit.sides:
        raise HTTPException(403, "only players may do this")
    return visit


Visitor = Annotated[Visit, Depends(visit)]
Seated = Annotated[Visit, Depends(seated)]


def _state(visit: Visit, language: str) -> Response:
    return Response(present.sheet(visit.room, visit.sides, language), media_type="application/json")


def _outcome(visit: Visit, why: Refusal | None, language: str) -> Response:
    """The new state, or why nothing changed."""
    if why is None:
        return _state(visit, language)
    body = present.refused(visit.room.game, why, language)
    if why.code == "stale":
        state = present.state(visit.room, visit.sides, language)
        return JSONResponse({**body, "state": state}, status_code=409)
    status = 403 if why.code == "not-your-decision" else 422
    return JSONResponse(body, status_code=status)


def _unprocessable(error: Exception) -> HTTPException:
    # What was sent may be quoted in it: in part, and as text that can be sent back.
    return HTTPException(422, str(error)[:300].encode(errors="replace").decode())


# Games


def _add_game_routes(
    app: FastAPI, games: Mapping[str, Game[Any]], pictures: Pictures, settings: ServerSettings
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
                line["players"] = list(OFFERED)
            found.append(line)
        return found

    @app.get("/api/games/{game}/kit", responses=GAME_PROBLEMS)
    def get_kit(game: str, lang: Language = "en") -> Response:
        found = known(game)
        if (game, lang) not in kits:
            body = kit(found, game_folder(game, settings.overrides), lang)
            kits[(game, lang)] = json.dumps(body, ensure_ascii=False).encode()
        return Response(
            kits[(game, lang)], media_type="application/json", headers={"Cache-Control": "max-age=60"}
        )

    @app.get("/api/games/{game}/map.svg", responses=_picture("image/svg+xml"))
    def get_svg(game: str, lang: Language = "en") -> Response:
        picture = pictures.svg(known(game), lang)
        return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get("/api/games/{game}/map.png", responses=_picture("image/png"))
    def get_png(game: str, lang: Language = "en", width: int = PICTURE_WIDTHS[0]) -> Response:
        if width not in PICTURE_WIDTHS:
            raise HTTPException(422, f"width must be one of {PICTURE_WIDTHS}")
        if not can_draw_pictures():
            raise HTTPException(404, "this server has no picture library: take map.svg")
        picture = pictures.png(known(game), lang, width)
        return Response(picture, media_type="image/png", headers={"Cache-Control": "max-age=86400"})


# Tables


def _add_table_routes(app: FastAPI) -> None:
    @app.get("/api/tables")
    async def lobby(request: Request) -> list[dict[str, Any]]:
        rooms = _rooms(request)
        rows, places = await asyncio.to_thread(_listed, rooms)
        lines = []
        for row in rows:
            # A table last written by an older version does not say where it stands.
            shown = row if row.turn is not None else await _standing(rooms, row)
            lines.append(present.lobby(shown, [p for p in places if p.table_id == row.id]))
        return lines

    @app.post("/api/tables", status_code=201, responses=_problems())
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
                    teacher=wish.teacher,
                )
            )
        except ValueError as error:
            raise _unprocessable(error) from None
        return _made(made)

    @app.post("/api/tables/{table}/join", responses=TABLE_PROBLEMS)
    async def join(request: Request, table: str, wish: JoinWish) -> dict[str, str]:
        rooms = _rooms(request)
        room = await rooms.room(table)
        if not room.row.listed:
            raise HTTPException(403, "this table is by invitation")
        return {"token": await rooms.join(room, wish.side, wish.name)}

    @app.get("/api/tables/{table}", responses=TABLE_PROBLEMS)
    async def look(visit: Visitor, lang: Language = "en") -> Response:
        return _state(visit, lang)

    @app.post("/api/tables/{table}/actions", responses=TABLE_PROBLEMS)
    async def act(visit: Seated, wish: ActionWish, lang: Language = "en") -> Response:
        why = await visit.rooms.act(visit.room, visit.sides, wish.version, wish.action)
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/orders", responses=TABLE_PROBLEMS)
    async def order(visit: Seated, wish: OrderWish, lang: Language = "en") -> Response:
        why = await visit.rooms.order(visit.room, visit.sides, wish.version, wish.order)
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/undo", responses=TABLE_PROBLEMS)
    async def undo(visit: Seated, wish: Annotated[UndoWish, Body()], lang: Language = "en") -> Response:
        why = await visit.rooms.undo(visit.room, visit.sides, wish.to == "phase")
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/takeback", responses=TABLE_PROBLEMS)
    async def takeback(visit: Seated, wish: TakebackWish, lang: Language = "en") -> Response:
        return _outcome(visit, await visit.rooms.propose(visit.room, visit.sides, wish.to), lang)

    @app.post("/api/tables/{table}/takeback/answer", responses=TABLE_PROBLEMS)
    async def answer_takeback(visit: Seated, wish: TakebackAnswer, lang: Language = "en") -> Response:
        why = await visit.rooms.answer_proposal(visit.room, visit.sides, wish.accept)
        return _outcome(visit, why, lang)

    @app.post("/api/tables/{table}/resign", responses=TABLE_PROBLEMS)
    async def resign(visit: Seated, lang: Language = "en") -> Response:
        return _outcome(visit, await visit.rooms.resign(visit.room, visit.sides), lang)

    @app.post("/api/tables/{table}/ask", responses=TABLE_PROBLEMS)
    async def ask(visit: Visitor, question: Question, lang: Language = "en") -> Response:
        found = await asyncio.to_thread(present.answer, visit.room, visit.sides, question.model_dump(), lang)
        if isinstance(found, Refusal):
            return JSONResponse(present.refused(visit.room.game, found, lang), status_code=422)
        return JSONResponse(found)

    @app.get("/api/tables/{table}/log", responses=TABLE_PROBLEMS)
    async def log(
        visit: Visitor, since: Annotated[int, Query(ge=0)] = 0, lang: Language = "en"
    ) -> list[dict[str, Any]]:
        return present.log(visit.room, visit.sides, since, lang)

    @app.get("/api/tables/{table}/moments", responses=TABLE_PROBLEMS)
    async def moments(visit: Visitor) -> dict[str, Any]:
        return await asyncio.to_thread(present.moments, visit.room)

    @app.get("/api/tables/{table}/at/{moment}", responses=TABLE_PROBLEMS)
    async def at(visit: Visitor, moment: int, lang: Language = "en") -> dict[str, Any]:
        if not 0 <= moment <= len(visit.room.shown.journal):
            raise HTTPException(404, "no such moment")
        return await asyncio.to_thread(present.moment, visit.room, visit.sides, moment, lang)

    @app.get("/api/tables/{table}/rolls", responses=TABLE_PROBLEMS)
    async def rolls(visit: Visitor) -> dict[str, Any]:
        if not visit.room.over:
            raise HTTPException(403, "the seed is published when the game is over")
        return await asyncio.to_thread(present.rolls, visit.room)

    @app.get("/api/tables/{table}/save", responses=TABLE_PROBLEMS)
    async def save(visit: Seated) -> Response:
        room = visit.room
        # A save holds the seed, and with it every die to come.
        if not room.over and len(visit.sides) + len(room.bots) < len(room.game.sides):
            raise HTTPException(403, "a game between two people is saved when it is over")
        text = await visit.rooms.save(room)
        headers = {"Content-Disposition": f'attachment; filename="{room.game.id}-{room.row.id}.json"'}
        return PlainTextResponse(text, headers=headers, media_type="application/json")

    @app.post("/api/saves", status_code=201, responses=_problems())
    async def upload(request: Request, wish: SaveWish) -> dict[str, Any]:
        rooms = _rooms(request)
        try:
            head = await asyncio.to_thread(read_save, wish.text)
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
        except ValueError as error:
            raise _unprocessable(error) from None


def _listed(rooms: Rooms) -> tuple[list[TableRow], list[SeatRow]]:
    rows = [row for row in rooms.store.listed() if rooms.playable(row)]
    return rows, rooms.store.seats(*(row.id for row in rows))


async def _standing(rooms: Rooms, row: TableRow) -> TableRow:
    room = await rooms.room(row.id)
    return row._replace(**room.standing()._asdict())


def _made(made: Created) -> dict[str, Any]:
    watch = made.tokens.pop("watch")
    return {"table": made.table, "seats": made.tokens, "watch": watch}


# Plans and advice


def _add_advice_routes(app: FastAPI, settings: ServerSettings) -> None:
    verbs: dict[str, Catalogue] = {}

    def verbs_of(game: Game[Any]) -> Catalogue:
        if game.id not in verbs:
            try:
                folder = game_folder(game.id, settings.overrides)
                verbs[game.id] = Catalogue((folder, "text/verbs.toml"))
            except (LookupError, OSError):  # a game that names its verbs nowhere: they name themselves
                verbs[game.id] = Catalogue()
        return verbs[game.id]

    @app.get("/api/tables/{table}/plans", responses=TABLE_PROBLEMS)
    async def plans(visit: Visitor, lang: Language = "en") -> Response:
        room = visit.room
        if not room.bots or not room.tells_plans:
            code = "plan-secret" if room.bots else "no-computer"
            return JSONResponse(present.denied(code, lang), status_code=403)
        return JSONResponse(present.plans(room, lang))

    @app.post("/api/tables/{table}/suggestion", responses=TABLE_PROBLEMS)
    async def suggest(visit: Seated, lang: Language = "en") -> Response:
        if not visit.room.suggests(visit.sides):
            # Advice in a game between two people would be a third one at the table.
            return JSONResponse(present.denied("no-suggestions", lang), status_code=403)
        found = await visit.rooms.suggest(visit.room, visit.sides)
        if isinstance(found, Refusal):
            return _outcome(visit, found, lang)
        shown, suggestion = found
        return JSONResponse(
            present.suggestion(visit.room, verbs_of(visit.room.game), shown, suggestion, lang)
        )


# Words between people


def _add_people_routes(app: FastAPI) -> None:
    @app.get("/api/tables/{table}/chat", responses=TABLE_PROBLEMS)
    async def said(visit: Visitor) -> list[dict[str, Any]]:
        rows = await asyncio.to_thread(visit.rooms.store.said, visit.room.row.id)
        return [row._asdict() for row in rows]

    @app.post("/api/tables/{table}/chat", status_code=201, responses=TABLE_PROBLEMS)
    async def say(visit: Seated, wish: ChatWish) -> dict[str, Any]:
        room = visit.room
        author = room.game.sides[visit.sides[0]]
        row = await asyncio.to_thread(visit.rooms.store.say, room.row.id, author, wish.text)
        room.chats += 1
        room.tell()
        return row._asdict()

    @app.get("/api/tables/{table}/note", responses=TABLE_PROBLEMS)
    async def note(visit: Seated) -> dict[str, str]:
        side = visit.room.game.sides[visit.sides[0]]
        return {"text": await asyncio.to_thread(visit.rooms.store.note, visit.room.row.id, side)}

    @app.put("/api/tables/{table}/note", responses=TABLE_PROBLEMS)
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
        except (LookupError, StaleTableError, ValueError, TimeoutError, AttributeError, RecursionError):
            await socket.close(4400)
            return
        except WebSocketDisconnect:
            return
        sides = room.sides_of(token)
        if sides is None:
            await socket.close(4403)
            return
        await _follow(socket, app.state.store, room, sides, language)


async def _follow(socket: WebSocket, store: Store, room: Room, sides: list[int], language: str) -> None:
    """Send the state at once and after every change, with what is new in the log and the chat; in between,
    how far the computer's thought has come."""
    listener = Listener(sides)
    listener.wake(True)
    room.listeners.add(listener)
    read = room.log_for(sides)
    heard, last_chat = -1, 0
    gone = asyncio.create_task(_until_gone(socket))
    try:
        while not gone.done():
            waiting = asyncio.create_task(listener.woken.wait())
            await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if gone.done():
                return
            listener.woken.clear()
            thoughts, listener.thoughts = listener.thoughts, {}
            if not listener.changed:
                for what, share in thoughts.items():
                    await socket.send_json({"type": "thought", "what": what, "share": round(share, 3)})
                continue
            listener.changed = False
            said: list[dict[str, Any]] = []
            if heard != room.chats:
                heard = room.chats
                rows = await asyncio.to_thread(store.said, room.row.id)
                said = [row._asdict() for row in rows if row.id > last_chat]
                last_chat = max([last_chat, *(row.id for row in rows)])
            lines = room.log_for(sides)
            # Lines may have been taken back and others written since: all that differs is sent.
            same = _common(read, lines)
            read = lines
            news = {
                "log": present.log(room, sides, same, language, lines),
                "log_from": same,
                "chat": said,
            }
            state = present.sheet(room, sides, language)
            text = b'{"type":"state","state":' + state + b"," + present.written(news)[1:]
            await socket.send_text(text.decode())
            # Nobody reads faster than this, and a quick computer player changes much at a time.
            await asyncio.sleep(0.05)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        gone.cancel()
        room.listeners.discard(listener)


def _common(old: list[Event], new: list[Event]) -> int:
    """How many lines two logs share from the beginning."""
    length = min(len(old), len(new))
    return next((n for n in range(length) if old[n] is not new[n] and old[n] != new[n]), length)


async def _until_gone(socket: WebSocket) -> None:
    """What clients send after the greeting is read and ignored: acting goes by HTTP."""
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    except RuntimeError:
        return


# The page


def _add_page(app: FastAPI) -> None:
    if (STATIC / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=STATIC / "assets"), name="assets")

    @app.get("/{path:page}", include_in_schema=False)
    async def page(path: str) -> Response:
        index = STATIC / "index.html"
        if not index.is_file():
            return PlainTextResponse("The page has not been built: run `make page`.", status_code=503)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})


class _PageAddress(StringConvertor):
    """Any address that is not one of the doors'."""

    regex = "(?!api(?:/|$)).*"


register_url_convertor("page", _PageAddress())


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(UnknownTableError)
    async def unknown(request: Request, error: UnknownTableError) -> JSONResponse:
        return JSONResponse({"detail": "no such table"}, status_code=404)

    @app.exception_handler(StaleTableError)
    async def stale(request: Request, error: StaleTableError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=410)

    @app.exception_handler(ConflictError)
    async def conflict(request: Request, error: ConflictError) -> JSONResponse:
        return JSONResponse({"detail": "another server plays this table"}, status_code=409)

    @app.exception_handler(SeatError)
    async def no_seat(request: Request, error: SeatError) -> JSONResponse:
        return JSONResponse({"detail": "this seat is not open"}, status_code=409)

    @app.exception_handler(405)
    async def other_method(request: Request, error: HTTPException) -> JSONResponse:
        # A door may be several routes, one a method; the router names the first's only.
        routes = [r for r in app.routes if isinstance(r, Route) and r.path_regex.match(request.url.path)]
        allowed = {method for route in routes for method in route.methods or ()}
        return JSONResponse(
            {"detail": error.detail}, status_code=405, headers={"Allow": ", ".join(sorted(allowed))}
        )

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        # Only where and why: what was sent is not echoed.
        problems = [
            {"loc": [str(part) for part in e["loc"]], "msg": e["msg"], "type": e["type"]}
            for e in error.errors()
        ]
        return JSONResponse({"detail": problems}, status_code=422)
