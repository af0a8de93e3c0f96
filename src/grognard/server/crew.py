"""Several servers behind one address: `grognard serve --workers N`.

The first process listens. It looks at the first line of what a connection asks for, and hands the connection
to the server that has the table, so that a table's players meet in one process. Nothing depends on it:
servers of one database keep each other informed (bus.py), and whatever comes to the wrong one is answered.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from zlib import crc32

import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server.processes import be_called, nursery

TABLE = re.compile(rb"^[A-Z]{3,7} /api/tables/([\w-]{1,40})[/? ]")
PEEK = 2048
SILENCE = 10.0
"""Seconds after which a connection that asks for nothing is closed."""
SHORT_LIFE = 10.0
MOST_FAILURES = 5
"""A server that has ended so many times in a row after so few seconds will not do better the next time."""

_log = logging.getLogger(__name__)


def home(table: str, servers: int) -> int:
    """The server that has a table."""
    return crc32(table.encode()) % servers


class Homing:
    """Closes connections that have come to another server than the one that has the table, after the answer:
    the next request finds its way."""

    def __init__(self, app: ASGIApp, number: int, servers: int) -> None:
        self.app, self.number, self.servers = app, number, servers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = re.match(r"/api/tables/([\w-]{1,40})(?:/|$)", scope.get("path", ""), re.ASCII)
        if scope["type"] != "http" or found is None or home(found[1], self.servers) == self.number:
            await self.app(scope, receive, send)
            return

        async def last(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        await self.app(scope, receive, last)


class Porter:
    """Takes connections and hands them on."""

    def __init__(self, doors: list[socket.socket]) -> None:
        self._doors = doors
        """A line to each server, the one that there is now."""
        self._next = 0

    async def serve(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        listening.setblocking(False)
        waiting: set[asyncio.Task[None]] = set()
        while True:
            try:
                connection, _ = await loop.sock_accept(listening)
            except OSError as error:
                _log.warning("no connection can be taken: %s", error)
                await asyncio.sleep(0.1)
                continue
            task = asyncio.create_task(self._hand_on(connection))
            waiting.add(task)
            task.add_done_callback(waiting.discard)

    async def _hand_on(self, connection: socket.socket) -> None:
        with connection, suppress(TimeoutError, OSError):
            first = await asyncio.wait_for(_peek(connection), SILENCE)
            if first:
                socket.send_fds(self._doors[self._choose(first)], [b"c"], [connection.fileno()])

    def _choose(self, first: bytes) -> int:
        found = TABLE.match(first)
        if found is not None:
            return home(found[1].decode(), len(self._doors))
        self._next = (self._next + 1) % len(self._doors)
        return self._next


async def _peek(connection: socket.socket) -> bytes:
    """What has come of the first request, left where it is."""
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    readable = loop.create_future()

    def come() -> None:
        if not readable.done():
            readable.set_result(None)

    loop.add_reader(connection, come)
    try:
        await readable
    finally:
        loop.remove_reader(connection)
    return connection.recv(PEEK, socket.MSG_PEEK)


class HandedServer(uvicorn.Server):
    """A server whose connections are handed to it."""

    def __init__(self, config: uvicorn.Config, door: socket.socket) -> None:
        super().__init__(config)
        self._door = door

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        if self.should_exit:
            return
        loop = asyncio.get_running_loop()
        self._door.setblocking(False)
        loop.add_reader(self._door, partial(self._take, loop))

    def _take(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            word, handed, _, _ = socket.recv_fds(self._door, 1, 1)
        except BlockingIOError:
            return
        if not word:
            # The first process is gone.
            loop.remove_reader(self._door)
            self.should_exit = True
        for number in handed:
            connection = socket.socket(fileno=number)
            connection.setblocking(False)
            task = loop.create_task(self._welcome(loop, connection))
            self.server_state.tasks.add(task)
            task.add_done_callback(self.server_state.tasks.discard)

    async def _welcome(self, loop: asyncio.AbstractEventLoop, connection: socket.socket) -> None:
        kind: Any = self.config.http_protocol_class

        def protocol() -> Any:
            return kind(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

        with suppress(OSError):
            await loop.connect_accepted_socket(protocol, connection)


Serve = Callable[[int, int, socket.socket], None]
"""Be one of several servers: its number, how many there are, and the door."""


def be_one(serve: Serve, number: int, servers: int, door: socket.socket) -> None:
    be_called(f"server-{number}")
    # Stopping is the first process' business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(number, servers, door)


class Crew:
    """So many servers. One that ends is replaced, and the others do not notice; if it ends again and again as
    soon as it has begun, something is wrong that whoever started us should hear of."""

    def __init__(self, serve: Serve, servers: int) -> None:
        self._serve, self._servers = serve, servers
        self._context: Any = nursery(serve.__module__, "grognard.server.api")
        self._begun = [0.0] * servers
        self._failures = [0] * servers
        self.doors: list[socket.socket] = []
        self.members: list[Any] = []
        self.failed = False
        for number in range(servers):
            door, member = self._new(number)
            self.doors.append(door)
            self.members.append(member)

    def _new(self, number: int) -> tuple[socket.socket, Any]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        arguments = (self._serve, number, self._servers, theirs)
        member = self._context.Process(target=be_one, args=arguments)
        member.start()
        theirs.close()
        self._begun[number] = time.monotonic()
        return ours, member

    def watch(self, give_up: Callable[[], None]) -> None:
        """Replace those that end."""
        for number in range(self._servers):
            self._watch(number, give_up)

    def _watch(self, number: int, give_up: Callable[[], None]) -> None:
        loop, sentinel = asyncio.get_running_loop(), self.members[number].sentinel

        def ended() -> None:
            loop.remove_reader(sentinel)
            self.members[number].join()
            _log.error("server %d has ended: %s", number, self.members[number].exitcode)
            lived = time.monotonic() - self._begun[number]
            # One that was killed is no worse than the next.
            by_itself = self.members[number].exitcode >= 0 and lived < SHORT_LIFE
            self._failures[number] = self._failures[number] + 1 if by_itself else 0
            if self._failures[number] > MOST_FAILURES:
                self.failed = True
                give_up()
                return
            self.doors[number].close()
            self.doors[number], self.members[number] = self._new(number)
            self._watch(number, give_up)

        loop.add_reader(sentinel, ended)

    def leave(self) -> None:
        """Watch no more."""
        loop = asyncio.get_running_loop()
        for member in self.members:
            loop.remove_reader(member.sentinel)

    def end(self) -> None:
        for member in self.members:
            member.terminate()
        for member in self.members:
            member.join(15)
            if member.is_alive():
                member.kill()


def run_crew(serve: Serve, host: str, port: int, servers: int) -> int:
    """Listen, and keep so many servers, until a signal ends it; the exit status."""
    if not hasattr(socket, "send_fds"):
        print("several servers need a system that hands on connections: start one only", file=sys.stderr)
        return 1
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=2048)
    crew = Crew(serve, servers)
    try:
        asyncio.run(_until_told(crew, listening))
    finally:
        crew.end()
    return int(crew.failed)


async def _until_told(crew: Crew, listening: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    told = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, told.set)
    crew.watch(told.set)
    serving = asyncio.create_task(Porter(crew.doors).serve(listening))
    await told.wait()
    crew.leave()
    serving.cancel()
    listening.close()
