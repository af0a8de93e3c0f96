"""Who is at a table is known at every server, and nobody stays there whose server has died."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa
from websockets.sync.client import ClientConnection, connect

from grognard.server import presence
from grognard.server.doors import live
from grognard.server.presence import Presence
from tests.server.conftest import Start
from tests.server.process import ServerProcess
from tests.server.table import Seat


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told with a beat only is told too late."""
    monkeypatch.setattr(presence, "BEAT", 1000.0)
    monkeypatch.setattr(live, "STEPPED_OUT", 0.01)


BEAT = presence.BEAT
"""Of a server of its own."""


def until_here(seat: Seat, *sides: str) -> None:
    for _ in range(200):
        if seat.state()["here"] == list(sides):
            return
        time.sleep(0.05)
    raise AssertionError(f"here is {seat.state()['here']}, not {list(sides)}")


def test_players_at_two_servers_see_each_other(database: str, start: Start) -> None:
    with start(database) as one, start(database) as two:
        table = one.table("crossroads")
        amber, cobalt = table.seat("amber"), table.seat("cobalt").at(two)
        with amber.live() as heard:
            assert heard.next()["state"]["here"] == ["amber"]
            # Also where nobody has asked for the table so far, and where nobody listens.
            until_here(cobalt, "amber")
            with cobalt.live() as other:
                other.until(lambda m: m["state"]["here"] == ["amber", "cobalt"])
                heard.until(lambda m: m["state"]["here"] == ["amber", "cobalt"])
                with table.watch.at(two).live() as watcher:
                    assert watcher.next()["state"]["here"] == ["amber", "cobalt"]
            heard.until(lambda m: m["state"]["here"] == ["amber"])
        until_here(cobalt)


def test_whoever_is_at_both_is_here_until_he_has_left_both(database: str, start: Start) -> None:
    with start(database) as one, start(database) as two:
        table = one.table("crossroads")
        phone, desk = table.seat("amber"), table.seat("amber").at(two)
        with desk.live() as heard:
            heard.next()
            with phone.live() as other:
                other.next()
            # Word of the phone comes after the desk's own, and of its leaving after that.
            until_here(phone, "amber")
            until_here(desk, "amber")
        until_here(phone)


def test_a_server_that_comes_later_is_told_who_is_there(database: str, start: Start) -> None:
    with start(database) as one:
        table = one.table("crossroads")
        with table.seat("amber").live() as heard:
            heard.next()
            with start(database) as two:
                until_here(table.watch.at(two), "amber")


def test_a_server_that_stops_takes_leave_for_its_people(database: str, start: Start) -> None:
    with start(database) as one:
        table = one.table("crossroads")
        amber, cobalt = table.seat("amber"), table.seat("cobalt")
        with amber.live() as heard:
            heard.next()
            with start(database) as two, cobalt.at(two).live() as other:
                other.next()
                heard.until(lambda m: m["state"]["here"] == ["amber", "cobalt"])
            heard.until(lambda m: m["state"]["here"] == ["amber"])


def test_nothing_is_written_and_nothing_else_is_said(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither names nor tokens nor spectators leave a server, and no row of a table is touched."""
    monkeypatch.setattr(presence, "BEAT", 0.1)
    with start(database) as one, start(database) as two:
        said: set[str] = set()
        bus = one.app.state.rooms.store.bus  # type: ignore[attr-defined]
        real = bus.say

        def say(words: Sequence[str]) -> None:
            said.update(words)
            real(words)

        monkeypatch.setattr(bus, "say", say)
        table = one.table("crossroads")
        amber, there = table.seat("amber"), table.seat("cobalt").at(two)
        before = rows(database)
        with amber.live() as heard, table.watch.live() as watcher:
            heard.next()
            watcher.next()
            until_here(there, "amber")
            time.sleep(0.5)
        until_here(there)
        time.sleep(0.2)
        assert said == {f"{table.id}:0", f"{table.id}:"}
        assert rows(database) == before


def rows(database: str) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that a database has, and how often it was written."""
    engine = sa.create_engine(database)
    schema = sa.MetaData()
    schema.reflect(engine)
    with engine.connect() as connection:
        found = {
            name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for name, table in schema.tables.items()
        }
        if engine.dialect.name == "postgresql":
            # The transactions that wrote the rows.
            found["by"] = sorted(map(tuple, connection.execute(sa.text("SELECT id, xmin::text FROM tables"))))
    engine.dispose()
    if engine.dialect.name == "sqlite":
        found["log"] = [(Path(f"{engine.url.database}-wal").stat().st_mtime_ns,)]
    return found


@contextmanager
def listen(server: ServerProcess, table: str, token: str) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{server.port}/api/tables/{table}/live", max_size=2**22) as line:
        line.send(json.dumps({"token": token, "lang": "en"}))
        yield line


def hears(line: ClientConnection, here: list[str], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while True:
        message = json.loads(line.recv(timeout=deadline - time.monotonic()))
        if (message.get("state") or message.get("set") or {}).get("here") == here:
            return


def test_nobody_stays_at_a_table_whose_server_was_killed(database: str, tmp_path: Path) -> None:
    """Two real servers, one of them killed without a chance to say so."""
    servers = [ServerProcess(database, tmp_path) for _ in range(2)]
    try:
        for server in servers:
            server.wait_until_ready()
        one, two = servers
        wish = {"game": "crossroads", "listed": True}
        made = httpx2.post(f"{one.url}/api/tables", json=wish, timeout=30).json()
        ((side, token),) = made["seats"].items()
        other = next(each for each in ("amber", "cobalt") if each != side)
        joined = f"{one.url}/api/tables/{made['table']}/join"
        guest = httpx2.post(joined, json={"side": other, "name": "Vera"}, timeout=30).json()["token"]
        with listen(one, made["table"], token) as line:
            hears(line, [side], 20)
            with listen(two, made["table"], guest) as its:
                both = sorted([side, other])
                hears(line, both, 20)
                hears(its, both, 20)
                two.kill()
                began = time.monotonic()
                hears(line, [side], presence.LAPSE + 10)
                # The next beat finds out.
                assert time.monotonic() - began < BEAT + 5
    finally:
        for server in servers:
            server.stop()


class Silence:
    """A way to servers of which nobody knows whether they are still there."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, words: Sequence[str]) -> None:
        self.said.extend(words)

    def gone(self, name: str) -> bool:
        return False


def test_what_is_not_said_again_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole machine that has lost its current takes leave of nobody."""
    monkeypatch.setattr(presence, "BEAT", 0.02)
    monkeypatch.setattr(presence, "LAPSE", 0.3)

    async def wait() -> None:
        told: list[str] = []
        bus = Silence()
        here = Presence(bus, told.append)  # type: ignore[arg-type]
        here.heard("lost", "t1:0,1")
        here.heard("there", "t1:1")
        here.show("t2", {0})
        for _ in range(30):
            await asyncio.sleep(0.02)
            here.heard("there", "t1:1")
            assert 1 in here.elsewhere("t1")
        assert here.elsewhere("t1") == {1}
        # Each change was told once, and what was only said again was not.
        assert told == ["t1", "t1", "t1"]
        # We say ours with every beat, and at the end that it is over.
        assert bus.said.count("t2:0") > 5
        await here.close()
        assert bus.said[-1] == "t2:"

    asyncio.run(wait())


def test_word_that_could_not_be_sent_is_sent_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "BEAT", 0.02)

    class Broken(Silence):
        left = 3

        def say(self, words: Sequence[str]) -> None:
            self.left -= 1
            if self.left >= 0:
                raise OSError("the database is away")
            super().say(words)

    async def wait() -> None:
        bus = Broken()
        here = Presence(bus, lambda table: None)  # type: ignore[arg-type]
        here.show("t1", {1})
        await asyncio.sleep(0.03)
        here.show("t1", ())
        await asyncio.sleep(0.3)
        # He who went meanwhile is not said to be here, and that he went is not lost.
        assert bus.said == ["t1:"]
        await here.close()

    asyncio.run(wait())
