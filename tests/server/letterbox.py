"""A real mail server, and what it was handed."""

from __future__ import annotations

import socket
from email import message_from_bytes
from email.message import Message
from email.policy import default as usual
from typing import Any

from aiosmtpd.controller import Controller


class Letterbox:
    """A mail server on a port of its own."""

    def __init__(self) -> None:
        self.letters: list[Message] = []
        self.broken = False
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._server = Controller(self, hostname="127.0.0.1", port=self._port)
        self._server.start()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.broken:
            return "451 try again later"
        self.letters.append(message_from_bytes(envelope.content, policy=usual))
        return "250 taken"

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._port}"

    def text(self, number: int = -1) -> str:
        return str(self.letters[number].get_content())  # type: ignore[attr-defined]

    def stop(self) -> None:
        self._server.stop()
