"""What the database keeps, and how it grows up."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from grognard.server import schema
from grognard.server.journal import Entry, Stage
from grognard.server.scribe import ConflictError, Scribe
from grognard.server.store import SeatRow, Store, TableRow

HERE = Stage(1, "movement", "red", False)


def row(id_: str = "t1", **other: object) -> TableRow:
    now = time.time()
    plain = TableRow(id_, "toy", "1", "d", "short", {"n": 1}, "seed", "é«", True, False, "", now, now)
    return plain._replace(**other)  # type: ignore[arg-type]


def seats(id_: str = "t1") -> list[SeatRow]:
    return [SeatRow(id_, "red", "hash", "human", "Zoë", True), SeatRow(id_, "blue", "", "human", "", False)]


@pytest.fixture
def store(database: str) -> Store:
    return Store(database)


def test_a_table_comes_back_as_it_was_stored(database: str) -> None:
    store = Store(database)
    table = row()
    store.create(table, seats(), [["die", "3"]])
    store.close()
    again = Store(database)
    found = again.table("t1")
    assert found == table._replace(length=1)
    assert sorted(again.seats("t1")) == sorted(seats())
    assert again.journal("t1") == [["die", "3"]]
    assert again.table("t2") is None
    assert [t.id for t in again.listed()] == ["t1"]


def test_the_newest_migration_leaves_the_schema_that_the_code_speaks_of(store: Store) -> None:
    found = sa.inspect(store.engine)
    for table in schema.metadata.sorted_tables:
        there = {c["name"]: c for c in found.get_columns(table.name)}
        assert set(there) == set(table.columns.keys())
        for column in table.columns:
            assert there[column.name]["nullable"] == column.nullable, column
        # PostgreSQL lists what it keeps for a constraint among the indexes.
        kept = [i for i in found.get_indexes(table.name) if not i.get("duplicates_constraint")]
        indexed = {tuple(i["column_names"]) for i in kept}
        assert indexed == {tuple(c.name for c in i.columns) for i in table.indexes}


def test_a_database_of_the_first_version_is_brought_up_to_date(database: str) -> None:
    first = Store(database, "0001")
    old = {
        k: v
        for k, v in row()._asdict().items()
        if k not in {"length", "turn", "phase", "actor", "over", "asked_by", "asked_to", "teacher"}
    }
    with first.engine.begin() as connection:
        metadata = sa.MetaData()
        metadata.reflect(connection)
        connection.execute(metadata.tables["tables"].insert(), [{**old, "options": "{}"}])
        words = [{"table_id": "t1", "number": n, "words": '["end"]'} for n in range(3)]
        connection.execute(metadata.tables["answers"].insert(), words)
    first.close()
    store = Store(database)
    found = store.table("t1")
    assert found is not None
    assert (found.length, found.turn, found.over, found.asked_by) == (3, None, False, None)
    assert store.write([Entry("t1", 3, 3, [["end"]], HERE)]) == [True]
    assert len(store.journal("t1")) == 4


def test_a_journal_grows_at_its_end_and_is_cut_from_its_end(store: Store) -> None:
    store.create(row(), seats(), [])
    assert store.write([Entry("t1", 0, 0, [["a"], ["b"], ["ç"]], HERE)]) == [True]
    assert store.write([Entry("t1", 3, 1, [["x"]], HERE._replace(turn=2))]) == [True]
    assert store.journal("t1") == [["a"], ["x"]]
    found = store.table("t1")
    assert found is not None
    assert (found.length, found.turn, found.phase, found.actor) == (2, 2, "movement", "red")


def test_who_believes_in_another_journal_writes_nothing(store: Store) -> None:
    store.create(row(), seats(), [["a"]])
    store.create(row("t2"), seats("t2"), [])
    wrong, right = Entry("t1", 0, 0, [["b"]], HERE), Entry("t2", 0, 0, [["c"]], HERE)
    assert store.write([wrong, right]) == [False, True]
    assert (store.journal("t1"), store.journal("t2")) == ([["a"]], [["c"]])


def test_changes_of_many_tables_are_written_together(store: Store) -> None:
    """Each to its own journal and in its own way, a second of the same table after the first."""
    for id_ in ("t1", "t2", "t3"):
        store.create(row(id_, updated=5.0, since=5.0), seats(id_), [["a"], ["b"]])
    cut = Entry("t1", 2, 1, [["c"]], HERE, chain="one", changes=0)
    again = Entry("t1", 2, 2, [["d"]], HERE, chain="two", changes=1)
    late = Entry("t1", 2, 2, [["e"]], HERE, changes=1)
    quiet = Entry("t2", 2, 2, [["f"], ["g"]], HERE._replace(turn=4), seen=False, joined={3})
    salted = Entry("t3", 2, 2, [], HERE, seed="seed and more")
    nowhere = Entry("t4", 0, 0, [["h"]], HERE)
    written = store.write([cut, quiet, again, salted, late, nowhere])
    assert written == [True, True, True, True, False, False]
    assert [store.journal(id_) for id_ in ("t1", "t2", "t3", "t4")] == [
        [["a"], ["c"], ["d"]],
        [["a"], ["b"], ["f"], ["g"]],
        [["a"], ["b"]],
        [],
    ]
    one, two, three = (found for id_ in ("t1", "t2", "t3") if (found := store.table(id_)) is not None)
    assert (one.length, one.changes, one.chain, one.seed) == (3, 2, "two", "seed")
    assert (two.length, two.changes, two.turn, two.updated) == (4, 1, 4, 5.0)
    assert (three.length, three.changes, three.seed) == (2, 1, "seed and more") and three.updated > 5.0


def test_a_batch_is_written_whole_or_not_at_all(store: Store) -> None:
    store.create(row(), seats(), [])
    unwritable: list[list[str]] = [[object()]]  # type: ignore[list-item]
    with pytest.raises(TypeError):
        store.write([Entry("t1", 0, 0, [["a"]], HERE), Entry("t1", 1, 1, unwritable, HERE)])
    assert store.journal("t1") == []
    found = store.table("t1")
    assert found is not None
    assert found.length == 0


def test_one_bad_change_does_not_spoil_those_that_wait_with_it(store: Store) -> None:
    store.create(row(), seats(), [])
    store.create(row("t2"), seats("t2"), [])

    async def write() -> list[BaseException | None]:
        scribe = Scribe(store)
        waiting = [
            scribe.write(Entry("t1", 0, 0, [["a"]], HERE)),
            scribe.write(Entry("t1", 0, 0, [["late"]], HERE)),
            scribe.write(Entry("t2", 0, 0, [[object()]], HERE)),  # type: ignore[list-item]
            scribe.write(Entry("t2", 0, 0, [["b"]], HERE)),
        ]
        found = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 60)
        scribe.close()
        return found

    fine, late, bad, other = asyncio.run(write())
    assert fine is None and other is None
    assert isinstance(late, ConflictError) and isinstance(bad, TypeError)
    assert (store.journal("t1"), store.journal("t2")) == ([["a"]], [["b"]])


def test_what_waits_when_the_server_stops_is_written(store: Store) -> None:
    store.create(row(), seats(), [])

    async def write() -> None:
        scribe = Scribe(store)
        waiting = [scribe.write(Entry("t1", n, n, [[str(n)]], HERE)) for n in range(50)]
        scribe.close()
        await asyncio.wait_for(asyncio.gather(*waiting), 60)

    asyncio.run(write())
    assert store.journal("t1") == [[str(n)] for n in range(50)]


def test_an_open_seat_is_given_once(store: Store) -> None:
    store.create(row(), seats(), [])
    with ThreadPoolExecutor(8) as people:
        given = list(people.map(lambda n: store.take_seat("t1", "blue", f"h{n}", f"n{n}"), range(8)))
    assert given.count(True) == 1
    assert not store.take_seat("t1", "red", "h", "n")


def test_notes_written_at_the_same_time_do_not_fail(store: Store) -> None:
    store.create(row(), seats(), [])
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda n: store.write_note("t1", "red", f"note {n}"), range(24)))
    assert store.note("t1", "red").startswith("note ")
    assert store.note("t1", "blue") == ""


def test_chat_is_kept_in_order_and_the_oldest_lines_are_left_out(store: Store) -> None:
    store.create(row(), seats(), [])
    for n in range(5):
        store.say("t1", "red", f"{n} <b>")
    assert [line.text for line in store.said("t1", limit=3)] == ["2 <b>", "3 <b>", "4 <b>"]


def test_nothing_hangs_in_the_air(store: Store) -> None:
    """Journals, chat and notes belong to a table that exists."""
    with pytest.raises(IntegrityError):
        store.say("nowhere", "red", "hello")
