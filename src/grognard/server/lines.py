"""Connections before they are requests: how many there may be, and how long they may take.

A stranger who says nothing, or never stops, is cut off here and costs the others nothing. The parser of
uvicorn is left as it is; this only counts bytes and seconds round it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Any, ClassVar, NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
except ImportError:  # the faster parser is not installed with every table
    Parser: Any = H11Protocol
else:
    Parser = HttpToolsProtocol

resource: Any
try:
    import resource
except ImportError:  # not on every system
    resource = None


class LineLimits(NamedTuple):
    """What one connection, one address and everybody together may take."""

    header_bytes: int = 32_768
    header_seconds: float = 10.0
    """From the first byte (or, for a new connection, from the connection itself) to the end of the header."""
    body_seconds: float = 60.0
    slow_seconds: float = 60.0
    """How long somebody may leave an answer unread without taking any of it."""
    idle_seconds: int = 75
    """Between two requests: people think longer than a few seconds."""
    each: int = 256
    """Connections of one address, WebSockets apart."""
    spare_files: int = 128
    """Files that are not for connections: the database, pictures, the log."""


def neighbourhood(address: str) -> str:
    """Whom an address stands for: in IPv6 one household has a whole /64."""
    with suppress(ValueError):
        found = ip_address(address.partition("%")[0])
        if isinstance(found, IPv6Address):
            if found.ipv4_mapped is not None:
                return str(found.ipv4_mapped)
            return str(IPv6Address(int(found) >> 64 << 64))
    return address


def most_connections(spare: int) -> int:
    """How many connections this process can hold; it first asks for all the files that it may have."""
    if resource is None:
        return 1024 - spare
    soft: int
    hard: int
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
            soft = min(hard, 65_536)
    return max(16, soft - spare)


class Switchboard:
    """All connections of this process."""

    def __init__(self, limits: LineLimits, exempt: frozenset[str] = frozenset()) -> None:
        self.limits = limits
        self.exempt = exempt
        """Addresses of our own proxies: behind one of them is everybody."""
        self.most = most_connections(limits.spare_files)
        self.by_address: Counter[str] = Counter()
        self.silent: dict[Any, None] = {}
        """Connections that have not asked for anything yet, the oldest first."""
        self.refused = 0
        self.cut = 0

    def admits(self, who: str, connected: int) -> bool:
        """Whether one more may come in. If there is no room, whoever has been silent longest must go."""
        if who not in self.exempt and self.by_address[who] >= self.limits.each:
            self.refused += 1
            return False
        if connected > self.most:
            oldest = next(iter(self.silent), None)
            if oldest is None:
                self.refused += 1
                return False
            oldest.cut_off()
        return True


class Guarded(Parser):  # type: ignore[misc]
    """The protocol of uvicorn, within the limits of a self.switchboard."""

    switchboard: ClassVar[Switchboard]

    _counted = ""
    _head = 0
    _latest: Any = None
    _upgraded = False
    _timer: asyncio.TimerHandle | None = None
    _timed = ""
    _slow: asyncio.TimerHandle | None = None
    _left = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        who = neighbourhood(self.client[0]) if self.client else ""
        if not self.switchboard.admits(who, len(self.connections)):
            transport.abort()
            return
        self._counted = who
        self.switchboard.by_address[who] += 1
        self.switchboard.silent[self] = None
        self._time("head", self.switchboard.limits.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, *args: Any) -> None:
        # From here on it is a WebSocket, with limits of its own (quotas.py).
        self._upgraded = True
        self._let_go()
        super().handle_websocket_upgrade(*args)

    def data_received(self, data: bytes) -> None:
        body = self._timed == "body"
        super().data_received(data)
        if self._upgraded or self.transport.is_closing():
            return
        cycle = self.cycle
        if cycle is not self._latest:
            self._latest, self._head = cycle, 0
            self.switchboard.silent.pop(self, None)
        elif not body:
            self._head += len(data)
            if self._head > self.switchboard.limits.header_bytes:
                self.cut_off()
                return
        if cycle is None or cycle.response_complete:
            self._time("head", self.switchboard.limits.header_seconds)
        elif cycle.more_body:
            self._time("body", self.switchboard.limits.body_seconds)
        else:
            self._time("", 0)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # Whoever was answered before his body had ended has nothing more to say.
        if self._timed == "body":
            self._time("", 0)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._left = self.transport.get_write_buffer_size()
        self._slow = self.loop.call_later(self.switchboard.limits.slow_seconds, self._still_unread)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_slow()

    def _still_unread(self) -> None:
        left = self.transport.get_write_buffer_size()
        if left >= self._left:
            self.cut_off()
        else:
            self._left = left
            self._slow = self.loop.call_later(self.switchboard.limits.slow_seconds, self._still_unread)

    def cut_off(self) -> None:
        self.switchboard.cut += 1
        self.switchboard.silent.pop(self, None)
        self.transport.abort()

    def _time(self, what: str, seconds: float) -> None:
        """Give the client so many seconds for what it is sending; more bytes of the same buy no more."""
        if what == self._timed:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timed = what
        self._timer = self.loop.call_later(seconds, self.cut_off) if what else None

    def _stop_slow(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _let_go(self) -> None:
        self._time("", 0)
        self._stop_slow()
        self.switchboard.silent.pop(self, None)
        if self._counted:
            self.switchboard.by_address[self._counted] -= 1
            if not self.switchboard.by_address[self._counted]:
                del self.switchboard.by_address[self._counted]
            self._counted = ""


def guarded(switchboard: Switchboard) -> type[asyncio.Protocol]:
    """The protocol of the connections of one switchboard."""
    return type("Guarded", (Guarded,), {"switchboard": switchboard})
