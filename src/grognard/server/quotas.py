"""How often one address may ask for what costs the others something.

Each kind of request has a bucket an address: so many at once, and so many a second in the long run. Whoever
finds it empty is told when to come again, in his language.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qs

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from grognard.server.lines import neighbourhood
from grognard.server.words import PageWords

T = TypeVar("T")


class Bucket(NamedTuple):
    """So many at once, and one more every so many seconds."""

    burst: int
    every: float


class Quotas(NamedTuple):
    """What one address may do."""

    buckets: Mapping[str, Bucket]
    sockets: int = 200
    """WebSockets of one address,"""
    sockets_at_table: int = 24
    """and at one table."""
    waiting_tables: int = 5
    """Listed tables of one address that wait for somebody."""


USUAL = Quotas(
    {
        "any": Bucket(600, 0.01),
        "make": Bucket(12, 15.0),
        "join": Bucket(6, 30.0),
        "upload": Bucket(4, 15.0),
        "talk": Bucket(12, 2.0),
        "mark": Bucket(30, 1.0),
        "advice": Bucket(8, 2.0),
        "past": Bucket(150, 0.1),
        "question": Bucket(120, 0.05),
        "enter": Bucket(10, 20.0),
        "address": Bucket(6, 60.0),
    }
)

_TABLE = r"/api/tables/[^/]+"
DOORS: tuple[tuple[str, str, str], ...] = (
    ("POST", r"/api/tables", "make"),
    ("POST", rf"{_TABLE}/rematch", "make"),
    ("POST", r"/api/saves", "upload"),
    ("POST", rf"{_TABLE}/(join|sit)", "join"),
    ("POST", rf"{_TABLE}/chat", "talk"),
    ("PUT", rf"{_TABLE}/note", "talk"),
    ("POST", rf"{_TABLE}/marks", "mark"),
    ("POST", rf"{_TABLE}/suggestion", "advice"),
    ("GET", rf"{_TABLE}/(log|moments|since|at/[^/]+|rolls|plans|save)", "past"),
    ("POST", rf"{_TABLE}/ask", "question"),
    ("POST", r"/api/account(/sessions|/passphrase)?", "enter"),
    ("POST", rf"({_TABLE}|/api/account)/addresses", "address"),
)
_DOORS = tuple((method, re.compile(path), kind) for method, path, kind in DOORS)
FULL_AGAIN = 4096
"""So many buckets are looked through for full ones, which need not be remembered."""


def kind_of(method: str, path: str) -> str:
    """Which bucket a request is taken from, beside the one for all."""
    return next((kind for verb, door, kind in _DOORS if verb == method and door.fullmatch(path)), "any")


class Meter:
    """The buckets of everybody."""

    def __init__(self, quotas: Quotas, clock: Callable[[], float] = time.monotonic) -> None:
        self.quotas, self._clock = quotas, clock
        self._levels: dict[tuple[str, str], tuple[float, float]] = {}
        self.refused: Counter[str] = Counter()

    def take(self, kind: str, who: str) -> float:
        """Take one; the seconds to wait if there is none."""
        bucket = self.quotas.buckets.get(kind)
        if bucket is None:
            return 0.0
        now = self._clock()
        level, at = self._levels.get((kind, who), (float(bucket.burst), now))
        level = min(float(bucket.burst), level + (now - at) / bucket.every)
        if level < 1:
            self._levels[kind, who] = (level, now)
            self.refused[kind] += 1
            return (1 - level) * bucket.every
        self._levels[kind, who] = (level - 1, now)
        if len(self._levels) > FULL_AGAIN:
            self._forget(now)
        return 0.0

    def give_back(self, kind: str, who: str) -> None:
        """What was taken did not count."""
        if (kind, who) in self._levels:
            level, at = self._levels[kind, who]
            self._levels[kind, who] = (level + 1, at)

    def _forget(self, now: float) -> None:
        for key, (level, at) in list(self._levels.items()):
            bucket = self.quotas.buckets[key[0]]
            if level + (now - at) / bucket.every >= bucket.burst:
                del self._levels[key]


def language_of(scope: Scope) -> str:
    """The reader's language: as the request says, or as his browser does."""
    query: bytes = scope.get("query_string", b"")
    asked = parse_qs(query.decode("latin-1")).get("lang", [""])[-1]
    if asked in ("en", "fr"):
        return asked
    headers = dict(scope.get("headers", ()))
    return "fr" if headers.get(b"accept-language", b"").lower().startswith(b"fr") else "en"


def asker(scope: Scope) -> str:
    client = scope.get("client")
    return neighbourhood(client[0]) if client else ""


def refused(code: str, status: int, scope: Scope, wait: float | None = None, **facts: Any) -> JSONResponse:
    """Why nothing was done, in the shape of a refusal and in the reader's language."""
    headers = {} if wait is None else {"Retry-After": str(max(1, round(wait + 0.5)))}
    text = PageWords(language_of(scope))("denials", code, **facts)
    return JSONResponse({"code": code, "case": "", "text": text}, status_code=status, headers=headers)


class Turnstile:
    """Lets in what the quotas allow."""

    def __init__(self, app: ASGIApp, meter: Meter) -> None:
        self.app, self.meter = app, meter
        self._sockets: Counter[str] = Counter()
        self._at_table: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._listen(scope, receive, send)
            return
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            who, kind = asker(scope), kind_of(scope["method"], scope["path"])
            wait = self.meter.take(kind, who) or (self.meter.take("any", who) if kind != "any" else 0)
            if wait:
                await refused("too-often", 429, scope, wait)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    async def _listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        who, quotas = asker(scope), self.meter.quotas
        place = (who, scope["path"])
        wait = self.meter.take("any", who)
        if wait or self._sockets[who] >= quotas.sockets or self._at_table[place] >= quotas.sockets_at_table:
            self.meter.refused["socket"] += 1
            await receive()
            await send({"type": "websocket.close", "code": 4429})
            return
        self._sockets[who] += 1
        self._at_table[place] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            _one_less(self._sockets, who)
            _one_less(self._at_table, place)


def _one_less(counter: Counter[T], key: T) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
