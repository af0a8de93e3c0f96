"""The door that is used most, by a shorter way: an answer of a player whose page wants its version back only.

It does what `tables.act` does, without what the framework does for any door; what is unusual goes that way.
"""

from __future__ import annotations

import re

from pydantic import ValidationError
from starlette.routing import BaseRoute, Match, Router
from starlette.types import Message, Receive, Scope, Send

from grognard.server import wire
from grognard.server.doors.visits import Visit, Wanted, outcome, sides_for
from grognard.server.rooms import Rooms

PATH = re.compile(r"/api/tables/([\w-]{1,40})/actions", re.ASCII)
LANGUAGES = {b"": "en", b"lang=en": "en", b"lang=fr": "fr"}
MINIMAL = b"return=minimal"
USUAL_WAY = "grognard.usual"


class QuickAnswers(BaseRoute):
    def __init__(self, router: Router) -> None:
        self._router = router

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http" or scope["method"] != "POST" or USUAL_WAY in scope:
            return Match.NONE, {}
        found = PATH.fullmatch(scope["path"])
        if found is None or scope["query_string"] not in LANGUAGES:
            return Match.NONE, {}
        headers = dict(scope["headers"])
        token = headers.get(b"authorization", b"")
        plain = headers.get(b"content-type") == b"application/json" and MINIMAL in headers.get(b"prefer", b"")
        if not plain or not token.startswith(b"Bearer "):
            return Match.NONE, {}
        return Match.FULL, {"grognard.quick": (found[1], token[7:].decode("latin-1"))}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = await receive()
        found = None if message.get("more_body") else await self._visit(scope, message)
        if found is None:
            scope[USUAL_WAY] = True
            await self._router(scope, _again(message, receive), send)
            return
        visit, wish = found
        why = await visit.rooms.act(visit.room, visit.sides, wish.version, wish.action, wish.side)
        wants = Wanted(LANGUAGES[scope["query_string"]], minimal=True)
        await outcome(visit, why, wants)(scope, receive, send)

    async def _visit(self, scope: Scope, message: Message) -> tuple[Visit, wire.ActionWish] | None:
        """Who answers what; None if that is not plain."""
        table, token = scope["grognard.quick"]
        rooms: Rooms = scope["app"].state.rooms
        try:
            wish = wire.ActionWish.model_validate_json(message["body"])
            room = await rooms.room(table)
        except (ValidationError, LookupError, RuntimeError):
            return None
        sides = await sides_for(scope["app"], room, token)
        return (Visit(rooms, room, sides), wish) if sides else None


def _again(message: Message, receive: Receive) -> Receive:
    """What has been received, to be received again."""
    waiting = [message]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
