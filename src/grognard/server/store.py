"""Where games are kept: SQLite by default, PostgreSQL by setting one URL.

A game is its journal, one row an answer, so that an accepted action is one small durable write. Rows are
only ever added at the end or, when something is taken back, cut off from the end.
"""

from __future__ import annotations

import json
import secrets
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from grognard.server.bus import Bus
from grognard.server.journal import (
    Entry,
    PlanRow,
    SnapshotRow,
    append,
    keep,
    rows_of,
    write_together,
)
from grognard.server.schema import (
    answers,
    chat,
    editions,
    keys,
    metadata,
    notes,
    plans,
    seats,
    snapshots,
    tables,
)

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATING = 0x67726F67
"""The number of the lock that a server holds in PostgreSQL while it migrates; any number will do."""


def newest_revision() -> str:
    """The last of the migrations: their files begin with their numbers."""
    return max(path.name for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))[:4]


class NewerDatabaseError(RuntimeError):
    """The database was last used by a newer Grognard than this one."""


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
    length: int = 0
    turn: int | None = None
    phase: str | None = None
    actor: str | None = None
    over: bool = False
    asked_by: str | None = None
    asked_to: int | None = None
    teacher: bool = False
    changes: int = 0
    chain: str = ""
    holder: str = ""
    held_until: float = 0.0
    promise: str = ""
    maker: str = ""
    host: str = ""
    pace: int = 0
    since: float = 0.0
    leave: int = 0
    late: bool = False
    rematch: str = ""


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
    invite: str = ""
    """A hash of the link by which somebody may sit down, once."""
    account: str = ""
    """The account of whoever sits there, if it is known."""
    away_from: float = 0.0
    away_until: float = 0.0
    leave_taken: float = 0.0
    """The leave that its player is on or was on last, and the seconds of leave taken in all."""


class ChatRow(NamedTuple):
    id: int
    author: str
    text: str
    at: float
    code: str = ""
    """What the table itself tells about the author; the text is then the facts."""


class Store:
    """The database. Every method that writes has written durably when it returns."""

    def __init__(self, url: str, revision: str | None = "head") -> None:
        """`revision`: what the schema is brought up to; None: it is left as it is."""
        self.url = url
        self.engine = sa.create_engine(url, pool_pre_ping=True)
        self._writer = self.engine.execution_options(writing=True)
        self.clock: Callable[[], float] = time.time
        """What time it is on the wall."""
        self.bus: Bus | None = None
        """The way to other servers on this database, if they are to be told."""
        self._one_writer = Lock() if self.engine.dialect.name == "sqlite" else None
        if self._one_writer:
            sa.event.listen(self.engine, "connect", _sqlite_settings)
            sa.event.listen(self.engine, "begin", _sqlite_begin)
        if revision is not None:
            self.migrate(revision)

    def migrate(self, revision: str) -> None:
        """Bring the schema up to date, from whatever version it is."""
        if revision == "head" and self._revision() == newest_revision():
            return
        # Loaded where there is something to do, which is seldom: it takes a tenth of a server's start.
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, revision)
            except CommandError as error:
                if "locate revision" not in str(error):
                    raise
                raise NewerDatabaseError(str(error)) from None

    def _revision(self) -> str | None:
        """What the schema was last brought up to; None if it never was."""
        with self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def writing(self, *changed: str) -> Iterator[sa.Connection]:
        """A transaction, and word of the tables changed in it to other servers. SQLite has one writer at a
        time; a wait here is fairer than one for the file."""
        with self._one_writer or nullcontext(), self._writer.begin() as connection:
            yield connection
            if self.bus is not None and changed:
                self.bus.within(connection, changed)
        if self.bus is not None and changed:
            self.bus.after(changed)

    # Tables

    def create(self, table: TableRow, places: Iterable[SeatRow], journal: Sequence[list[str]]) -> None:
        row = {**table._asdict(), "options": json.dumps(table.options), "length": len(journal)}
        with self.writing() as connection:
            connection.execute(tables.insert(), [row])
            connection.execute(seats.insert(), [seat._asdict() for seat in places])
            append(connection, rows_of(table.id, 0, journal))

    def table(self, id_: str) -> TableRow | None:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(tables).where(tables.c.id == id_)).mappings().first()
        return None if row is None else _table(row)

    def listed(self, limit: int = 50) -> list[TableRow]:
        query = sa.select(tables).where(tables.c.listed).order_by(tables.c.updated.desc()).limit(limit)
        with self.engine.connect() as connection:
            return [_table(row) for row in connection.execute(query).mappings()]

    def seats(self, *table_ids: str) -> list[SeatRow]:
        query = sa.select(seats).where(seats.c.table_id.in_(table_ids)).order_by(seats.c.side)
        with self.engine.connect() as connection:
            return [SeatRow(**row) for row in connection.execute(query).mappings()]

    def take_seat(self, table_id: str, side: str, token: str, name: str) -> bool:
        """Give an open seat to somebody; False if it was taken meanwhile."""
        change = (
            sa.update(seats)
            .where(seats.c.table_id == table_id, seats.c.side == side, ~seats.c.taken)
            .values(token=token, name=name, taken=True, invite="")
        )
        with self.writing(table_id) as connection:
            taken = connection.execute(change).rowcount == 1
            if taken:
                connection.execute(_counted(table_id))
            return taken

    def update(self, table_id: str, changes: int | None = None, **values: Any) -> bool:
        """Change a table's own columns: who resigned, what take-back is asked for. False if the table is not
        as often changed as the writer believes; then nothing is done."""
        change = _counted(table_id, changes).values(updated=self.clock(), **values)
        with self.writing(table_id) as connection:
            return connection.execute(change).rowcount == 1

    def sit(self, table_id: str, side: str, invite: str, token: str, name: str) -> bool:
        """Give a seat to whoever has its invitation; False if that was used meanwhile."""
        change = (
            sa.update(seats)
            .where(
                seats.c.table_id == table_id, seats.c.side == side, seats.c.invite == invite, ~seats.c.taken
            )
            .values(token=token, name=name, taken=True, invite="")
        )
        with self.writing(table_id) as connection:
            sat = connection.execute(change).rowcount == 1
            if sat:
                connection.execute(_counted(table_id))
            return sat

    def change_seat(self, table_id: str, side: str, **values: Any) -> None:
        change = sa.update(seats).where(seats.c.table_id == table_id, seats.c.side == side).values(**values)
        with self.writing(table_id) as connection:
            connection.execute(change)
            connection.execute(_counted(table_id))

    def remove(self, table_id: str) -> None:
        """Remove a table, and all that belongs to it."""
        with self.writing(table_id) as connection:
            for table in reversed(metadata.sorted_tables):
                if "table_id" in table.c:
                    connection.execute(sa.delete(table).where(table.c.table_id == table_id))
            connection.execute(sa.delete(tables).where(tables.c.id == table_id))

    def all_tables(self) -> Iterator[TableRow]:
        """Every table, one after the other."""
        with self.engine.connect() as connection:
            ids = list(connection.execute(sa.select(tables.c.id).order_by(tables.c.created)).scalars())
        for id_ in ids:
            row = self.table(id_)
            if row is not None:
                yield row

    def waiting_tables(self, maker: str) -> int:
        """How many listed tables of a maker wait for somebody to sit down."""
        empty = sa.select(seats.c.side).where(seats.c.table_id == tables.c.id, ~seats.c.taken).exists()
        query = sa.select(sa.func.count()).select_from(tables)
        query = query.where(tables.c.maker == maker, tables.c.listed, ~tables.c.over, empty)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar() or 0

    # What tables were made with

    def editions(self, game: str) -> set[str]:
        """The data of a game that are kept, by their digests."""
        with self.engine.connect() as connection:
            query = sa.select(editions.c.digest).where(editions.c.game == game)
            return set(connection.execute(query).scalars())

    def edition(self, game: str, digest: str) -> bytes | None:
        query = sa.select(editions.c.files).where(editions.c.game == game, editions.c.digest == digest)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def keep_editions(self, game: str, digests: Iterable[str], files: bytes) -> None:
        rows = [{"game": game, "digest": digest, "files": files} for digest in digests]
        with self.writing() as connection:
            connection.execute(self._insert(editions).on_conflict_do_nothing(), rows)

    def key(self, name: str) -> str:
        """A secret of this database's servers, drawn when it is first asked for."""
        change = self._insert(keys).values(name=name, value=secrets.token_hex(32)).on_conflict_do_nothing()
        with self.writing() as connection:
            connection.execute(change)
            found = connection.execute(sa.select(keys.c.value).where(keys.c.name == name)).scalar()
        return str(found)

    def _insert(self, table: sa.Table) -> Any:
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        return dialect.insert(table)

    # Who thinks for the computers

    def hold(self, table_id: str, holder: str, seconds: float) -> bool:
        """Keep a table for oneself for some seconds from now; False if somebody else has it who may be
        there."""
        free = (tables.c.holder == holder) | (tables.c.held_until < time.time())
        if self._hold(table_id, holder, seconds, free):
            return True
        row = self.table(table_id)
        if row is None or not row.holder or self.bus is None or not self.bus.gone(row.holder):
            return False
        return self._hold(table_id, holder, seconds, tables.c.holder == row.holder)

    def _hold(self, table_id: str, holder: str, seconds: float, free: sa.ColumnElement[bool]) -> bool:
        change = sa.update(tables).where(tables.c.id == table_id, free)
        with self.writing() as connection:
            done = connection.execute(change.values(holder=holder, held_until=time.time() + seconds))
            return done.rowcount == 1

    def renew(self, holder: str, table_ids: Sequence[str], seconds: float) -> None:
        """Keep tables for longer."""
        held = sa.update(tables).where(tables.c.id.in_(table_ids), tables.c.holder == holder)
        with self.writing() as connection:
            connection.execute(held.values(held_until=time.time() + seconds))

    def release(self, holder: str) -> None:
        """Leave all tables to whoever wants them."""
        held = sa.update(tables).where(tables.c.holder == holder, tables.c.held_until > 0)
        with self.writing() as connection:
            connection.execute(held.values(holder="", held_until=0))

    def waiting_for_computer(self, secret: Collection[str] = (), limit: int = 1000) -> list[str]:
        """Tables at which a person plays and a computer is asked, those last played at first. Of secret games
        all with a computer: their rows do not say whom they ask."""
        kinds = sa.select(seats.c.side).where(seats.c.table_id == tables.c.id)
        person = kinds.where(seats.c.kind == "human").exists()
        computer = kinds.where(seats.c.kind.not_in(("human", "watch")))
        asked = sa.or_(tables.c.actor.in_(computer), tables.c.game.in_(secret))
        query = sa.select(tables.c.id).where(~tables.c.over, tables.c.resigned == "", person, asked)
        query = query.where(computer.exists()).order_by(tables.c.updated.desc()).limit(limit)
        with self.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def late(self, now: float) -> list[str]:
        """Tables at which an answer has taken longer than it may, those that have just become so first."""
        waited = tables.c.since + tables.c.pace < now
        query = sa.select(tables.c.id).where(tables.c.pace > 0, waited, ~tables.c.over)
        with self.engine.connect() as connection:
            return list(
                connection.execute(
                    query.order_by((tables.c.since + tables.c.pace).desc()).limit(500)
                ).scalars()
            )

    # Journal

    def journal(self, table_id: str, start: int = 0, stop: int | None = None) -> list[list[str]]:
        """The answers of a table, from one on and up to another."""
        query = sa.select(answers.c.words).where(answers.c.table_id == table_id, answers.c.number >= start)
        if stop is not None:
            query = query.where(answers.c.number < stop)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(answers.c.number)).scalars()
            return [json.loads(words) for words in rows]

    def joined(self, table_id: str, start: int = 0) -> set[int]:
        """The numbers of the answers, from one on, that were one order with the answer before."""
        query = sa.select(answers.c.number).where(answers.c.table_id == table_id, answers.c.joined)
        with self.engine.connect() as connection:
            return set(connection.execute(query.where(answers.c.number >= start)).scalars())

    def snapshot(
        self, table_id: str, edition: str, number: int | None = None, moment: int | None = None
    ) -> SnapshotRow | None:
        """The last position kept by this code, up to a number of answers or a moment."""
        columns = [snapshots.c[name] for name in SnapshotRow._fields]
        query = sa.select(*columns).where(snapshots.c.table_id == table_id, snapshots.c.edition == edition)
        if number is not None:
            query = query.where(snapshots.c.number <= number)
        if moment is not None:
            query = query.where(snapshots.c.moment <= moment)
        with self.engine.connect() as connection:
            row = connection.execute(query.order_by(snapshots.c.number.desc()).limit(1)).mappings().first()
        if row is None:
            return None
        state = zlib.decompress(row["state"])
        return SnapshotRow(**{**row, "lines": json.loads(row["lines"]), "state": state})

    def keep(self, table_id: str, kept: Sequence[SnapshotRow]) -> None:
        """Keep positions of a table, in the place of those that were kept of the same answers."""
        with self.writing() as connection:
            keep(connection, [(table_id, snapshot) for snapshot in kept])

    def plans(self, table_id: str) -> list[PlanRow]:
        columns = [plans.c[name] for name in PlanRow._fields]
        query = sa.select(*columns).where(plans.c.table_id == table_id).order_by(plans.c.number)
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings()
            return [PlanRow(**{**row, "facts": json.loads(row["facts"])}) for row in rows]

    def write(self, entries: Sequence[Entry]) -> list[bool]:
        """Write changes of journals in one transaction; which of them fitted the journal as it was."""
        with self.writing(*{entry.table_id for entry in entries}) as connection:
            return write_together(connection, entries, self.clock())

    # Words between people

    def say(self, table_id: str, author: str, text: str, code: str = "") -> ChatRow:
        at = self.clock()
        with self.writing(table_id) as connection:
            result = connection.execute(
                chat.insert().values(table_id=table_id, author=author, text=text, at=at, code=code)
            )
            assert result.inserted_primary_key is not None
            return ChatRow(result.inserted_primary_key[0], author, text, at, code)

    def said(self, table_id: str, limit: int = 200) -> list[ChatRow]:
        columns = (chat.c.id, chat.c.author, chat.c.text, chat.c.at, chat.c.code)
        query = sa.select(*columns).where(chat.c.table_id == table_id).order_by(chat.c.id.desc()).limit(limit)
        with self.engine.connect() as connection:
            return [ChatRow(*row) for row in connection.execute(query)][::-1]

    def note(self, table_id: str, side: str) -> str:
        query = sa.select(notes.c.text).where(notes.c.table_id == table_id, notes.c.side == side)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar() or ""

    def write_note(self, table_id: str, side: str, text: str) -> None:
        change = self._insert(notes).values(table_id=table_id, side=side, text=text)
        with self.writing() as connection:
            connection.execute(
                change.on_conflict_do_update(index_elements=["table_id", "side"], set_={"text": text})
            )


def _counted(table_id: str, changes: int | None = None) -> sa.Update:
    """A change of a table that is counted, if it has been changed so often before."""
    change = sa.update(tables).where(tables.c.id == table_id).values(changes=tables.c.changes + 1)
    return change if changes is None else change.where(tables.c.changes == changes)


def _table(row: Any) -> TableRow:
    return TableRow(**{**row, "options": json.loads(row["options"])})


def _sqlite_settings(connection: Any, _record: Any) -> None:
    # Transactions are begun by us: left alone, the driver runs changes of the schema outside of any.
    connection.isolation_level = None
    cursor = connection.cursor()
    # Readers never wait for the writer, and a commit is on the disk before it is acknowledged.
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA busy_timeout = 10000")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _sqlite_begin(connection: sa.Connection) -> None:
    # A reader that turns writer may find that somebody else has written since.
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
