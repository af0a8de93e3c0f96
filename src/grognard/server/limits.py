"""Guards round the application: how much may be sent, and what browsers are told to refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)

SAFE_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", POLICY.encode()),
)
"""What every answer is sent with."""
CACHE = b"cache-control"
PRIVATE = ("/api/tables", "/api/saves", "/api/account", "/api/addresses")
"""What is answered here is for one seat or person: nobody between keeps a copy."""

BODY_LIMIT = 200_000
SAVE_LIMIT = 5_000_000
GREETING_LIMIT = 4_000
"""How many bytes may be sent: in a request, in one that holds a save, over a WebSocket."""
DEPTH_LIMIT = 6
"""How deep lists may be put into lists."""


def check_depth(value: Any, depth: int = DEPTH_LIMIT) -> Any:
    """The value itself, if it is no deeper nested than anything that we understand."""
    if not depth:
        raise ValueError("nested too deeply")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_depth(inner, depth - 1)
    return value


class BodyLimit:
    """Refuses bodies over a size, declared or not, without reading more than that. Some paths may be sent
    more than the others."""

    def __init__(self, app: ASGIApp, limit: int, more: Mapping[str, int]) -> None:
        self.app, self.limit, self.more = app, limit, more

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.more.get(scope["path"], self.limit)
        for name, value in scope["headers"]:
            if name == b"content-length" and (not value.isdigit() or int(value) > limit):
                await _too_large(send)
                return
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            if len(body) > limit:
                await _too_large(send)
                return
            if not message.get("more_body", False):
                break
        sent = False

        async def replay() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self.app(scope, replay, send)


async def _too_large(send: Send) -> None:
    # The rest of the body is not read: nothing more can be said over this connection.
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"detail":"too large"}'})


class SecurityHeaders:
    """No framing, no sniffing, no referrer (seat links stay private), scripts of our own only."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *SAFE_HEADERS]
                if scope["path"].startswith(PRIVATE) and all(name != CACHE for name, _ in headers):
                    headers.append((CACHE, b"no-store"))
                message["headers"] = headers
            await send(message)

        await self.app(scope, receive, send_with_headers)
