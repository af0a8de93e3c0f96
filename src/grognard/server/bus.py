"""Word between servers on one database: which tables have been changed, and who looks at them.

PostgreSQL carries it itself, with the change. Servers on one SQLite file are on one machine: each listens at
a socket in a folder beside the file. What is said of a change is only where to look; what has changed is in
the database. Who looks at a table is kept nowhere (presence.py): the word itself says it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import sqlalchemy as sa

Hear = Callable[[str], None]
"""Called on the event loop with the id of a table that another server has changed."""
Begun = Callable[[], None]
"""Called on the event loop when everything that others tell is heard from now on."""
Listen = Callable[[str, str], None]
"""Called on the event loop with the name of another server and what it says that is kept nowhere."""

SAID = "@"
"""The first letter of what is no table's id. A server of an older release looks for such a table in vain."""

AGAIN = 2.0
"""Seconds until a lost connection is tried again."""
LATER = 0.1
"""Seconds until a server that was too busy to listen is told again."""
MOST = 100
"""Tables in one word."""

_log = logging.getLogger(__name__)


class Bus(Protocol):
    def within(self, connection: sa.Connection, tables: Sequence[str]) -> None:
        """Tell with a change, in its transaction."""

    def after(self, tables: Sequence[str]) -> None:
        """Tell when it has been written."""

    def say(self, words: Sequence[str]) -> None:
        """Tell what is kept nowhere. Of words that are the same up to a colon the last one counts."""

    def gone(self, name: str) -> bool:
        """Whether a server is certainly not there any more. One that may be there is not gone."""

    async def listen(self, hear: Hear, begun: Begun, said: Listen = lambda name, word: None) -> None:
        """Hear what others tell, until this is cancelled. What was told before `begun` is called was not
        heard: neither at first nor while a connection was lost."""


def new_name() -> str:
    """What a server is called among others, here and in leases."""
    return secrets.token_hex(8)


def bus_for(engine: sa.Engine, name: str) -> Bus | None:
    """The way to other servers on the same database; None if there can be none."""
    if engine.dialect.name == "postgresql":
        return PostgresBus(engine, name)
    file = engine.url.database
    if not file or file == ":memory:" or not hasattr(socket, "AF_UNIX"):
        return None
    return FolderBus(Path(f"{file}-servers"), name)


def _words(name: str, tables: Sequence[str]) -> Iterable[str]:
    for start in range(0, len(tables), MOST):
        yield " ".join((name, *tables[start : start + MOST]))


def _heard(word: str, name: str, hear: Hear, said: Listen) -> None:
    who, *told = word.split()
    if who != name:
        for each in told:
            if each.startswith(SAID):
                said(who, each.removeprefix(SAID))
            else:
                hear(each)


NOTIFY = sa.text("SELECT pg_notify(:channel, :word)")
LISTENERS = sa.text(
    "SELECT application_name FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name IN (:one, :two)"
)


def _called(name: str) -> str:
    """What the connection is called by which a server listens."""
    return f"grognard {name}"


class PostgresBus:
    """LISTEN and NOTIFY, on a channel for each schema."""

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self._engine, self.name = engine, name
        with engine.connect() as connection:
            self._channel = f"grognard_{connection.execute(sa.text('SELECT current_schema()')).scalar()}"

    def within(self, connection: sa.Connection, tables: Sequence[str]) -> None:
        for word in _words(self.name, tables):
            connection.execute(NOTIFY, {"channel": self._channel, "word": word})

    def after(self, tables: Sequence[str]) -> None:
        pass

    def say(self, words: Sequence[str]) -> None:
        with self._engine.begin() as connection:
            self.within(connection, [SAID + word for word in words])

    def gone(self, name: str) -> bool:
        """The connection by which a server listens ends with it. Ours must be seen, or we see none."""
        with self._engine.connect() as connection:
            seen = set(
                connection.execute(LISTENERS, {"one": _called(self.name), "two": _called(name)}).scalars()
            )
        return _called(self.name) in seen and _called(name) not in seen

    async def listen(self, hear: Hear, begun: Begun, said: Listen = lambda name, word: None) -> None:
        import psycopg

        url = self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                opened = psycopg.AsyncConnection.connect(
                    url, autocommit=True, application_name=_called(self.name)
                )
                async with await opened as line:
                    await line.execute(f'LISTEN "{self._channel}"'.encode())
                    begun()
                    async for notice in line.notifies():
                        _heard(notice.payload, self.name, hear, said)
            except psycopg.Error as error:
                _log.warning("nothing is heard of other servers: %s", error)
            await asyncio.sleep(AGAIN)


class FolderBus:
    """A socket for each server in a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self.name = folder, name
        self._mouth = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._mouth.setblocking(False)
        self._untold: dict[Path, dict[str, str]] = {}
        """Words for servers that were too busy to listen, by what they are about."""
        self._telling = Lock()
        self._listens = False

    def within(self, connection: sa.Connection, tables: Sequence[str]) -> None:
        pass

    def say(self, words: Sequence[str]) -> None:
        self.after([SAID + word for word in words])

    def after(self, tables: Sequence[str]) -> None:
        own = self._path(self.name)
        words = {word.partition(":")[0]: word for word in tables}
        with self._telling:
            for path in self._folder.glob("*.sock"):
                if path != own:
                    self._untold.setdefault(path, {}).update(words)
            self._tell()

    def gone(self, name: str) -> bool:
        """Nobody listens any more at the socket of a server that has died. Where we cannot listen ourselves,
        others may not be able to either."""
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as line:
            try:
                line.connect(str(self._path(name)))
            except (ConnectionRefusedError, FileNotFoundError):
                return self._listens
            except OSError:
                return False
        return False

    def _tell(self) -> None:
        """Tell everybody what he has not been told; who is too busy is told later, all of it at once."""
        for path, words in list(self._untold.items()):
            try:
                for word in _words(self.name, list(words.values())):
                    self._mouth.sendto(word.encode(), str(path))
            except BlockingIOError:
                continue
            except (ConnectionRefusedError, FileNotFoundError):
                # That server is gone without a farewell.
                path.unlink(missing_ok=True)
            except OSError as error:
                # When it changes the table itself, it will see.
                _log.warning("a server was not told: %s", error)
            del self._untold[path]

    async def _tell_later(self) -> None:
        while True:
            await asyncio.sleep(LATER)
            if self._untold:
                with self._telling:
                    self._tell()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.sock"

    async def listen(self, hear: Hear, begun: Begun, said: Listen = lambda name, word: None) -> None:
        self._folder.mkdir(exist_ok=True)
        path = self._path(self.name)
        ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.closing(ear):
            try:
                ear.bind(str(path))
            except OSError as error:
                # The folder may have too long a name, or be on a disk without sockets.
                _log.warning("other servers on this database will not be heard: %s", error)
                return
            ear.setblocking(False)
            self._listens = True
            begun()
            loop = asyncio.get_running_loop()
            later = loop.create_task(self._tell_later())
            try:
                while True:
                    word: Any = await loop.sock_recv(ear, 65536)
                    _heard(word.decode(), self.name, hear, said)
            finally:
                later.cancel()
                path.unlink(missing_ok=True)
