"""The doors that are used most, by a shorter way: an answer or a whole order of a player whose page wants the
version back only, and how far what it has in hand gets.

It does what `tables.act` and `tables.order` do, without what the framework does for any door; what is unusual
goes that way.
"""

from __future__ import annotations

import re

from fastapi import FastAPI
from pydantic import ValidationError
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server import wire
from grognard.server.doors.visits import Visit, Wanted, outcome_in_hand, sides_for
from grognard.server.metrics import DOOR
from grognard.server.rooms import Rooms

PATH = re.compile(r"/api/tables/([\w-]{1,40})/(actions|orders)", re.ASCII)
QUERY = re.compile(rb"(?:lang=(en|fr)(?:&|$))?(?!.*lang=)[\w=&-]{0,100}")
"""A language, or none, first; then what does not matter here, as the edition of the protocol of a page."""
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
        scope[ASKED], scope[DOOR] = found, f"/api/tables/{{table}}/{scope['path'].rsplit('/', 1)[1]}"
        await self._answers(scope, receive, send)

    def seat(self, scope: Scope) -> tuple[str, str] | None:
        """The table and the token of what may be a usual answer."""
        if scope["type"] != "http" or scope["method"] != "POST":
            return None
        found = PATH.fullmatch(scope["path"])
        if found is None or QUERY.fullmatch(scope["query_string"]) is None:
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
    ) -> tuple[Visit, wire.ActionWish | wire.OrderWish] | None:
        """Who answers what; None if that is not plain."""
        table, token = seat
        rooms: Rooms = scope["app"].state.rooms
        try:
            kind = wire.OrderWish if scope["path"].endswith("orders") else wire.ActionWish
            wish = kind.model_validate_json(message.get("body", b""))
            room = await rooms.room(table)
        except (ValidationError, LookupError, RuntimeError):
            return None
        sides = await sides_for(scope["app"], room, token)
        return (Visit(rooms, room, sides), wish) if sides and not room.pinned else None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit, wish = scope[ASKED]
        if isinstance(wish, wire.OrderWish):
            why = await visit.rooms.order(visit.room, visit.sides, wish.version, wish.order, wish.side)
        else:
            why = await visit.rooms.act(visit.room, visit.sides, wish.version, wish.action, wish.side)
        french = scope["query_string"].startswith(b"lang=fr")
        wants = Wanted("fr" if french else "en", minimal=True)
        answer = await outcome_in_hand(visit, why, wants, wish.reach)
        await answer(scope, receive, send)


def _again(message: Message, receive: Receive) -> Receive:
    """What has been received, to be received again."""
    waiting = [message]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
