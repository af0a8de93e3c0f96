"""Long tables: opened from positions that were kept, looked at in the past, and forgotten in memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from grognard.server import archive, schema
from grognard.server.store import Store
from tests.server.conftest import Start
from tests.server.table import Client, Seat, good, play_on


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Positions are kept so often that a short game has many."""
    for module in ("archive", "rooms"):
        monkeypatch.setattr(f"grognard.server.{module}.EVERY", 6)
    monkeypatch.setattr(archive, "FRESH", 3)
    yield


def everything(seat: Seat) -> list[Any]:
    """All that a seat may see of a table, now and in the past."""
    state = seat.state()
    past = [good(seat.get(f"/at/{n}")) for n in range(0, state["moments"] + 1, 7)]
    return [state, seat.log(), good(seat.get("/moments")), past, seat.get("/save").json()]


def numbers(database: str, table: str) -> list[int]:
    engine = sa.create_engine(database)
    query = sa.select(schema.snapshots.c.number).where(schema.snapshots.c.table_id == table)
    with engine.connect() as connection:
        found = sorted(connection.execute(query).scalars())
    engine.dispose()
    return found


def room_of(client: Client, seat: Seat) -> Any:
    assert client.portal is not None
    return client.portal.call(client.app.state.rooms.room, seat.table)  # type: ignore[attr-defined]


def test_a_table_is_the_same_with_and_without_positions_that_were_kept(database: str, start: Start) -> None:
    with start(database) as client:
        seat = client.table(hotseat=True).seat("amber")
        play_on([seat], Random(1), 50, linger=True)
        shown = everything(seat)
        assert room_of(client, seat).match.before.length >= 6, "all of the past is remembered"
    assert len(numbers(database, seat.table)) >= 5
    with start(database) as client:
        again = seat.at(client)
        room = room_of(client, again)
        assert len(room.match.journal) < 20, "the whole journal was replayed"
        assert everything(again) == shown
        with again.live() as live:
            heard = live.next()
            assert heard["log_from"] > 0 and heard["log"] == shown[1][heard["log_from"] :]
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.delete(schema.snapshots))
    engine.dispose()
    with start(database) as client:
        assert everything(seat.at(client)) == shown
    assert len(numbers(database, seat.table)) >= 5, "positions were not kept again"


def test_what_is_kept_goes_with_what_is_taken_back(database: str, start: Start) -> None:
    with start(database) as client:
        seat = client.table(hotseat=True).seat("amber")
        play_on([seat], Random(2), 40, linger=True)
        assert max(numbers(database, seat.table)) > 30
        good(seat.post("/takeback", {"to": 15}))
        journal = len(seat.get("/save").json()["actions"])
        assert max(numbers(database, seat.table)) <= journal
        assert seat.state()["log_length"] == len(seat.log())
        play_on([seat], Random(3), 20, linger=True)
        shown = everything(seat)
    with start(database) as client:
        assert everything(seat.at(client)) == shown


@pytest.mark.parametrize(
    "harm", [{"chain": "0" * 32}, {"state": zlib.compress(b"no")}, {"edition": "another"}]
)
def test_a_position_that_does_not_fit_is_not_used(database: str, start: Start, harm: dict[str, Any]) -> None:
    with start(database) as client:
        seat = client.table(hotseat=True).seat("amber")
        play_on([seat], Random(4), 25, linger=True)
        shown = everything(seat)
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.update(schema.snapshots).values(**harm))
    engine.dispose()
    with start(database) as client:
        again = seat.at(client)
        assert again.state() == shown[0]
        assert again.log() == shown[1]
        play_on([again], Random(5), 5)


def test_a_table_written_before_positions_were_kept_opens(database: str, start: Start) -> None:
    with start(database) as client:
        seat = client.table(hotseat=True).seat("amber")
        play_on([seat], Random(6), 25, linger=True)
        shown = everything(seat)
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.delete(schema.snapshots))
        connection.execute(sa.update(schema.tables).values(chain="", changes=0))
    engine.dispose()
    with start(database) as client:
        again = seat.at(client)
        assert everything(again) == shown
        play_on([again], Random(7), 15, linger=True)


def test_secret_answers_leave_no_trace_in_what_is_kept(quick_client: Client) -> None:
    """Lines that only one side may read are counted apart."""
    table = quick_client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    random = Random(8)
    while not red.state()["over"] and red.state()["moments"] < 50:
        play_on([red, blue], random, 1)
    for seat in (red, blue, table.watch):
        assert seat.state()["log_length"] == len(seat.log())
        assert [line["n"] for line in seat.log()] == list(range(len(seat.log())))


def test_the_lease_is_one_servers_at_a_time(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table(hotseat=True).id
    store = Store(database)
    assert store.hold(table, "one", 60) and store.hold(table, "one", 60)
    assert not store.hold(table, "two", 60)
    store.renew("two", [table], 600)
    store.release("one")
    assert store.hold(table, "two", -1)
    assert store.hold(table, "one", 60), "a lease that has run out is kept"
    found = store.table(table)
    assert found is not None and found.holder == "one"
    store.close()
