"""The door that is used most, by a shorter way: an answer of a player whose page wants its version back only.

It does what `tables.act` does, without what the framework does for any door; what is unusual goes that way.
"""

from __future__ import annotations

import re

from fastapi import FastAPI
from pydantic import ValidationError
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server import wire
from grognard.server.doors.visits import Visit, Wanted, outcome, sides_for
from grognard.server.metrics import DOOR
from grognard.server.rooms import Rooms

PATH = re.compile(r"/api/tables/([\w-]{1,40})/actions", re.ASCII)
LANGUAGES = {b"": "en", b"lang=en": "en", b"lang=fr": "fr"}
MINIMAL = b"return=minimal"
MOST_BYTES = 4_000
"""What is longer is no usual answer."""
ASKED = "grognard.quick"


class QuickAnswers:
    """Stands before the framework's own way through its layers to the doors."""

    def __init__(self, app: ASGIApp, whole: FastAPI) -> None:
        self.app = app
        # What goes wrong is told as by the usual way.
        told = {key: told for key, told in whole.exception_handlers.items() if key not in (500, Exception)}
        self._answers = ExceptionMiddleware(self._answer, handlers=told)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        seat = self.seat(scope)
        if seat is None:
            await self.app(scope, receive, send)
            return
        message = await receive()
        found = None if message.get("more_body") else await self._visit(scope, seat, message)
        if found is None:
            await self.app(scope, _again(message, receive), send)
            return
        scope[ASKED], scope[DOOR] = found, "/api/tables/{table}/actions"
        await self._answers(scope, receive, send)

    def seat(self, scope: Scope) -> tuple[str, str] | None:
        """The table and the token of what may be a usual answer."""
        if scope["type"] != "http" or scope["method"] != "POST":
            return None
        found = PATH.fullmatch(scope["path"])
        if found is None or scope["query_string"] not in LANGUAGES:
            return None
        headers = dict(scope["headers"])
        token, length = headers.get(b"authorization", b""), headers.get(b"content-length", b"")
        plain = headers.get(b"content-type") == b"application/json" and MINIMAL in headers.get(b"prefer", b"")
        short = length.isdigit() and int(length) <= MOST_BYTES
        return (
            (found[1], token[7:].decode("latin-1")) if plain and short and token[:7] == b"Bearer " else None
        )

    async def _visit(
        self, scope: Scope, seat: tuple[str, str], message: Message
    ) -> tuple[Visit, wire.ActionWish] | None:
        """Who answers what; None if that is not plain."""
        table, token = seat
        rooms: Rooms = scope["app"].state.rooms
        try:
            wish = wire.ActionWish.model_validate_json(message.get("body", b""))
            room = await rooms.room(table)
        except (ValidationError, LookupError, RuntimeError):
            return None
        sides = await sides_for(scope["app"], room, token)
        return (Visit(rooms, room, sides), wish) if sides and not room.pinned else None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit, wish = scope[ASKED]
        why = await visit.rooms.act(visit.room, visit.sides, wish.version, wish.action, wish.side)
        wants = Wanted(LANGUAGES[scope["query_string"]], minimal=True)
        await outcome(visit, why, wants)(scope, receive, send)


def _again(message: Message, receive: Receive) -> Receive:
    """What has been received, to be received again."""
    waiting = [message]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
