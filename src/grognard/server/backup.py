"""A copy of all games while they are being played, and the way back.

A backup is one SQLite file, whichever database it was taken from: it can be looked into with any tool, moved
between machines, and put back into either database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from grognard.server.schema import metadata
from grognard.server.store import Store

ROWS = 2_000
"""Rows that are carried over at a time."""


class BackupError(RuntimeError):
    """Why a backup was not made or not put back: a code of the command's texts."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(f"{code} {facts}")
        self.code, self.facts = code, facts


class Copied(NamedTuple):
    tables: int
    answers: int


def back_up(url: str, target: Path) -> Copied:
    """Copy a database that may be in use. What was acknowledged when this began is in the copy, whole."""
    half = target.with_name(target.name + ".part")
    half.unlink(missing_ok=True)
    try:
        if sa.make_url(url).get_backend_name() == "sqlite":
            _copy_pages(url, half)
        else:
            _copy_rows(url, half)
        found = check(half)
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)
    return found


def restore(source: Path, url: str) -> Copied:
    """Put a backup into an empty database, of this version or an older one. All of it, or nothing."""
    if not source.is_file():
        raise FileNotFoundError(2, "no such file", str(source))
    check(source)
    copy = source.with_name(source.name + ".restoring")
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        # The copy is brought up to date, never the backup itself.
        Store(f"sqlite:///{copy}").close()
        store = Store(url)
        try:
            with (
                sa.create_engine(f"sqlite:///{copy}").connect() as old_rows,
                store.engine.begin() as new_rows,
            ):
                _fill(old_rows, new_rows)
        finally:
            store.close()
    finally:
        for name in (copy, *(copy.with_name(copy.name + end) for end in ("-wal", "-shm"))):
            name.unlink(missing_ok=True)
    return _count(url)


def check(file: Path) -> Copied:
    """How many tables and answers are in a backup; an error if it is damaged or incomplete."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
            answers = connection.execute("SELECT count(*) FROM answers").fetchone()[0]
            short = connection.execute(
                "SELECT count(*) FROM tables WHERE length != "
                "(SELECT count(*) FROM answers WHERE answers.table_id = tables.id)"
            ).fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise BackupError("no-backup", file=str(file), why=str(error)) from None
    if sound != "ok" or short:
        raise BackupError("damaged", file=str(file))
    return Copied(tables, answers)


def _copy_pages(url: str, target: Path) -> None:
    file = sa.make_url(url).database
    if not file or not Path(file).is_file():
        raise BackupError("no-database", url=file or "")
    with closing(sqlite3.connect(file, timeout=30)) as old, closing(sqlite3.connect(target)) as new:
        # In one step: a writer does not make it begin again, and readers of a WAL hold up nobody.
        old.backup(new, pages=-1)
        new.execute("PRAGMA journal_mode = DELETE")


def _copy_rows(url: str, target: Path) -> None:
    engine = sa.create_engine(url)
    try:
        with _one_moment(engine) as old:
            # As it is there, whatever version that is.
            found = sa.MetaData()
            found.reflect(old)
            if "tables" not in found.tables:
                raise BackupError("no-database", url=engine.url.render_as_string())
            for column in [column for table in found.sorted_tables for column in table.columns]:
                column.type = column.type.as_generic()
                column.server_default = None
            copy = sa.create_engine(f"sqlite:///{target}")
            with copy.begin() as new:
                found.create_all(new)
                for table in found.sorted_tables:
                    for rows in _rows(old, table):
                        new.execute(table.insert(), rows)
            copy.dispose()
    finally:
        engine.dispose()


@contextmanager
def _one_moment(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection that sees the database as it is now, however long it looks."""
    with engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        yield connection


def _rows(connection: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    result = connection.execution_options(stream_results=True).execute(sa.select(table))
    for rows in result.mappings().partitions(ROWS):
        yield [dict(row) for row in rows]


def _fill(old: sa.Connection, new: sa.Connection) -> None:
    """Carry all rows over into a database that has the same tables and no rows."""
    if new.execute(sa.select(sa.func.count()).select_from(metadata.tables["tables"])).scalar():
        raise BackupError("not-empty")
    for table in metadata.sorted_tables:
        # A server that was started here once has keys of its own, which opened nothing.
        new.execute(sa.delete(table))
        for rows in _rows(old, table):
            new.execute(table.insert(), rows)
    if new.dialect.name == "postgresql":
        # Numbers that the database gives go on after the highest one there is.
        highest, counter = "SELECT max(id) FROM chat", "pg_get_serial_sequence('chat', 'id')"
        new.execute(sa.text(f"SELECT setval({counter}, ({highest})) FROM chat LIMIT 1"))


def _count(url: str) -> Copied:
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        counts = [
            connection.execute(sa.select(sa.func.count()).select_from(metadata.tables[name])).scalar() or 0
            for name in ("tables", "answers")
        ]
    engine.dispose()
    return Copied(*counts)
