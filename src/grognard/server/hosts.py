"""By which names a server may be addressed.

A page of somebody else's whose name suddenly points at this machine could read listed tables here; it is
turned away because it asks by that name.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from grognard.server.quotas import refused


def host_name(header: bytes) -> str:
    """The name in a Host header, without its port."""
    text = header.decode("latin-1").strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].removesuffix(".")


class Hosts:
    """Answers to addresses in numbers, to this machine's own name, and to the names that were given."""

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        self.app = app
        self._last: bytes | None = None
        own = socket.gethostname().lower()
        self.names = {"localhost", own, f"{own}.local", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self.knows(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await refused("other-host", 421, scope)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 4421})

    def knows(self, scope: Scope) -> bool:
        header = next((value for name, value in scope["headers"] if name == b"host"), b"")
        # Nearly all come by the same name; what a stranger makes up is not remembered.
        if header == self._last:
            return True
        known = self._knows(header)
        if known:
            self._last = header
        return known

    def _knows(self, header: bytes) -> bool:
        name = host_name(header)
        if name in self.names or name.endswith(".localhost"):
            return True
        if any(known.startswith(".") and name.endswith(known) for known in self.names):
            return True
        with suppress(ValueError):
            ip_address(name)
            return True
        return False
