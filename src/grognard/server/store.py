"""Where games are kept: SQLite by default, PostgreSQL by setting one URL.

A game is its journal, one row an answer, so that an accepted action is one small durable write. Rows are
only ever added at the end or, when something is taken back, cut off from the end.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from grognard.server.schema import answers, chat, notes, seats, tables

MIGRATIONS = Path(__file__).parent / "migrations"


class TableRow(NamedTuple):
    """A game as stored, without its journal."""

    id: str
    game: str
    rules: str
    data: str
    scenario: str
    options: dict[str, Any]
    seed: str
    name: str
    listed: bool
    hotseat: bool
    resigned: str
    created: float
    updated: float


class SeatRow(NamedTuple):
    """Somebody's place at a table. Only a hash of the token is kept."""

    table_id: str
    side: str
    """A side's id, or `watch` for spectators."""
    token: str
    kind: str
    """human, or the name of a computer player."""
    name: str
    taken: bool


class ChatRow(NamedTuple):
    id: int
    author: str
    text: str
    at: float


class Store:
    """The database. Every method that writes has written durably when it returns."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = sa.create_engine(url, pool_pre_ping=True)
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", _sqlite_settings)
        self.migrate()

    def migrate(self) -> None:
        """Bring the schema up to date, from whatever version it is."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        self.engine.dispose()

    # Tables

    def create(self, table: TableRow, places: Iterable[SeatRow], journal: Sequence[list[str]]) -> None:
        with self.engine.begin() as connection:
            connection.execute(tables.insert(), [{**table._asdict(), "options": json.dumps(table.options)}])
            connection.execute(seats.insert(), [seat._asdict() for seat in places])
            _append(connection, table.id, 0, journal)

    def table(self, id_: str) -> TableRow | None:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(tables).where(tables.c.id == id_)).mappings().first()
        return None if row is None else _table(row)

    def listed(self, limit: int = 50) -> list[TableRow]:
        query = sa.select(tables).where(tables.c.listed).order_by(tables.c.updated.desc()).limit(limit)
        with self.engine.connect() as connection:
            return [_table(row) for row in connection.execute(query).mappings()]

    def seats(self, table_id: str) -> list[SeatRow]:
        query = sa.select(seats).where(seats.c.table_id == table_id).order_by(seats.c.side)
        with self.engine.connect() as connection:
            return [SeatRow(**row) for row in connection.execute(query).mappings()]

    def take_seat(self, table_id: str, side: str, token: str, name: str) -> bool:
        """Give an open seat to somebody; False if it was taken meanwhile."""
        change = (
            sa.update(seats)
            .where(seats.c.table_id == table_id, seats.c.side == side, ~seats.c.taken)
            .values(token=token, name=name, taken=True)
        )
        with self.engine.begin() as connection:
            return connection.execute(change).rowcount == 1

    def resign(self, table_id: str, side: str) -> None:
        with self.engine.begin() as connection:
            connection.execute(
                sa.update(tables).where(tables.c.id == table_id).values(resigned=side, updated=time.time())
            )

    # Journal

    def journal(self, table_id: str) -> list[list[str]]:
        query = sa.select(answers.c.words).where(answers.c.table_id == table_id).order_by(answers.c.number)
        with self.engine.connect() as connection:
            return [json.loads(words) for words in connection.execute(query).scalars()]

    def write(self, table_id: str, start: int, words: Sequence[list[str]]) -> None:
        """Make the journal from `start` on read exactly as given."""
        with self.engine.begin() as connection:
            connection.execute(
                sa.delete(answers).where(answers.c.table_id == table_id, answers.c.number >= start)
            )
            _append(connection, table_id, start, words)
            connection.execute(sa.update(tables).where(tables.c.id == table_id).values(updated=time.time()))

    # Words between people

    def say(self, table_id: str, author: str, text: str) -> ChatRow:
        at = time.time()
        with self.engine.begin() as connection:
            result = connection.execute(
                chat.insert().values(table_id=table_id, author=author, text=text, at=at)
            )
            assert result.inserted_primary_key is not None
            return ChatRow(result.inserted_primary_key[0], author, text, at)

    def said(self, table_id: str, limit: int = 200) -> list[ChatRow]:
        columns = (chat.c.id, chat.c.author, chat.c.text, chat.c.at)
        query = sa.select(*columns).where(chat.c.table_id == table_id).order_by(chat.c.id.desc()).limit(limit)
        with self.engine.connect() as connection:
            return [ChatRow(*row) for row in connection.execute(query)][::-1]

    def note(self, table_id: str, side: str) -> str:
        query = sa.select(notes.c.text).where(notes.c.table_id == table_id, notes.c.side == side)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar() or ""

    def write_note(self, table_id: str, side: str, text: str) -> None:
        with self.engine.begin() as connection:
            connection.execute(sa.delete(notes).where(notes.c.table_id == table_id, notes.c.side == side))
            connection.execute(notes.insert().values(table_id=table_id, side=side, text=text))


def _append(connection: sa.Connection, table_id: str, start: int, words: Sequence[list[str]]) -> None:
    if words:
        rows = [
            {"table_id": table_id, "number": start + n, "words": json.dumps(w, ensure_ascii=False)}
            for n, w in enumerate(words)
        ]
        connection.execute(answers.insert(), rows)


def _table(row: Any) -> TableRow:
    return TableRow(**{**row, "options": json.loads(row["options"])})


def _sqlite_settings(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    # Readers never wait for the writer, and a commit is on the disk before it is acknowledged.
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA busy_timeout = 10000")
    cursor.close()
