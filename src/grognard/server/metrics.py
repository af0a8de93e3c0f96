"""What the operator may know of a running server, in Prometheus' text format.

Requests are counted by door, never by table: how often somebody answers at a table may be a secret of the
game. The page of figures is for this machine, or for who has the operator's word.
"""

from __future__ import annotations

import os
import secrets
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.routing import Match as Matched
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server.logs import log_request

BOUNDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds: the upper ends of the classes in which the time of a request is counted."""
FORWARDED = (b"x-forwarded-for", b"forwarded", b"via")

DOOR = "grognard.door"
"""Where a layer that answers by itself says for which door."""

Labels = tuple[tuple[str, str], ...]


class Figures:
    """Counts of this process since it began."""

    def __init__(self) -> None:
        self.began = time.time()
        self.requests: Counter[Labels] = Counter()
        self.classes: dict[str, list[int]] = {}
        self.seconds: dict[str, float] = {}
        self.writes = [0] * (len(BOUNDS) + 1)
        self.writing_seconds = 0.0
        self.open_sockets = 0
        self.under_way = 0

    def wrote(self, seconds: float) -> None:
        """Changes were written together, durably."""
        self.writes[bisect_left(BOUNDS, seconds)] += 1
        self.writing_seconds += seconds

    def count(self, method: str, door: str, status: int, seconds: float) -> None:
        self.requests[("method", method), ("door", door), ("status", str(status))] += 1
        classes = self.classes.setdefault(door, [0] * (len(BOUNDS) + 1))
        classes[bisect_left(BOUNDS, seconds)] += 1
        self.seconds[door] = self.seconds.get(door, 0.0) + seconds


class Gauge:
    """Counts and times what comes in, and writes a line about it for the operator."""

    def __init__(self, app: ASGIApp, figures: Figures) -> None:
        self.app, self.figures = app, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            self.figures.open_sockets += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self.figures.open_sockets -= 1
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        began = time.perf_counter()
        self.figures.under_way += 1
        try:
            await self.app(scope, receive, noted)
        finally:
            self.figures.under_way -= 1
            seconds = time.perf_counter() - began
            door = door_of(scope)
            self.figures.count(scope["method"], door, status, seconds)
            log_request(scope["method"], door, status, seconds)


def door_of(scope: Scope) -> str:
    """The pattern of the address that was asked for: no table's id, nothing that was sent."""
    if DOOR in scope:
        return str(scope[DOOR])
    route = scope.get("route")
    if route is not None:
        return str(route.path)
    app = scope.get("app")
    for known in app.routes if app is not None else ():
        if known.matches(scope)[0] is not Matched.NONE:
            return str(getattr(known, "path", "other"))
    return "other"


def may_read(request: Request, word: str) -> bool:
    """Whether somebody may see the figures: with the operator's word or, where there is none, from this
    machine and not by way of a proxy."""
    if word:
        said = request.headers.get("authorization", "").removeprefix("Bearer ")
        return secrets.compare_digest(said.encode(), word.encode())
    if any(name in FORWARDED for name, _ in request.scope["headers"]) or request.client is None:
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def text(app: Any) -> str:
    """All figures, as Prometheus reads them."""
    return "\n".join([*_lines(app), ""])


def _lines(app: Any) -> Iterator[str]:
    figures: Figures = app.state.figures
    yield from _metric("grognard_requests_total", "counter", "Requests answered", figures.requests.items())
    yield "# HELP grognard_request_seconds Time to answer"
    yield "# TYPE grognard_request_seconds histogram"
    for door, classes in sorted(figures.classes.items()):
        yield from _histogram("grognard_request_seconds", f'door="{door}"', classes, figures.seconds[door])
    yield "# HELP grognard_write_seconds Time to write changes, those that waited together"
    yield "# TYPE grognard_write_seconds histogram"
    yield from _histogram("grognard_write_seconds", "", figures.writes, figures.writing_seconds)
    refused = ((("kind", kind),) for kind in app.state.meter.refused)
    counts = app.state.meter.refused.values()
    told = list(zip(refused, counts, strict=True))
    yield from _metric("grognard_refused_total", "counter", "Requests over a quota", told)
    board = getattr(app.state, "switchboard", None)
    if board is not None:
        connections = sum(board.by_address.values())
        yield from _single("grognard_connections", "gauge", "Connections, WebSockets apart", connections)
        yield from _single(
            "grognard_connections_refused_total", "counter", "Connections refused", board.refused
        )
        yield from _single("grognard_connections_cut_total", "counter", "Connections cut off", board.cut)
    yield from _single("grognard_sockets", "gauge", "WebSockets", figures.open_sockets)
    yield from _single("grognard_requests_under_way", "gauge", "Requests being answered", figures.under_way)
    rooms = getattr(app.state, "rooms", None)
    if rooms is not None:
        yield from _single("grognard_rooms", "gauge", "Tables in memory", len(rooms._open))
    yield from _single("process_start_time_seconds", "gauge", "When the process began", figures.began)
    yield from _single(
        "process_cpu_seconds_total", "counter", "Processor time", round(time.process_time(), 3)
    )
    memory = _memory()
    if memory:
        yield from _single("process_resident_memory_bytes", "gauge", "Memory", memory)


def _histogram(name: str, label: str, classes: Iterable[int], seconds: float) -> Iterator[str]:
    total, more = 0, f"{label}," if label else ""
    labels = f"{{{label}}}" if label else ""
    for bound, number in zip((*BOUNDS, "+Inf"), classes, strict=True):
        total += number
        yield f'{name}_bucket{{{more}le="{bound}"}} {total}'
    yield f"{name}_sum{labels} {seconds:.6f}"
    yield f"{name}_count{labels} {total}"


def _single(name: str, kind: str, about: str, value: float) -> Iterator[str]:
    yield from _metric(name, kind, about, [((), value)])


def _metric(name: str, kind: str, about: str, values: Iterable[tuple[Labels, float]]) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for labels, value in sorted(values):
        told = ",".join(f'{key}="{word}"' for key, word in labels)
        yield f"{name}{{{told}}} {value}" if told else f"{name} {value}"


def _memory() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
