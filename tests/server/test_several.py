"""Several servers on one database: each shows what the others do, and one thinks for a table's computers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from grognard.server import rooms as rooms_module
from grognard.server.bus import FolderBus, PostgresBus
from grognard.server.settings import database_url
from tests.server.conftest import Start
from tests.server.killing import check_rows
from tests.server.postgres import PostgresServer
from tests.server.table import PATIENCE, Seat, good, offered, play_on, wait_for_turn


def until_same(here: Seat, there: Seat) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if here.state()["version"] == there.state()["version"]:
            return
        time.sleep(0.05)
    raise AssertionError("the other server has not heard")


def test_what_is_done_at_one_server_is_seen_and_heard_at_the_other(database: str, start: Start) -> None:
    with start(database) as one, start(database) as two:
        here, _ = one.crossroads(options={"fog": True})
        there = here.at(two)
        with there.live() as live:
            live.next()
            state = play_on([here], Random(1), 3)
            heard = live.until(lambda m: m["state"]["version"] == state["version"])
            assert heard["state"] == there.state()
            assert there.state() == here.state()
            good(here.post("/chat", {"text": "bonjour"}))
            assert live.until(lambda m: bool(m["chat"]))["chat"][0]["text"] == "bonjour"
            if state["can_undo"]:
                back = good(here.post("/undo"))
                live.until(lambda m: m["state"]["version"] == back["version"])
            # And the other way round, in the same game.
            state = play_on([there], Random(2), 3)
            until_same(here, there)
            good(here.post("/resign"))
            assert live.until(lambda m: m["state"]["over"])["state"]["seed"]
        assert there.act(*["pass"]).status_code == 422
    check_rows(database)


def test_a_seat_taken_at_one_server_is_known_at_the_other(database: str, start: Start) -> None:
    with start(database) as one, start(database) as two:
        table = one.table("crossroads", listed=True)
        watching = table.nobody.at(two)
        watching.state()
        token = good(table.nobody.post("/join", {"side": "cobalt", "name": "Vera"}))["token"]
        vera = Seat(two, table.id, token)
        for _ in range(100):
            if vera.get().status_code == 200:
                break
            time.sleep(0.05)
        assert vera.state()["you"] == ["cobalt"]


def test_whoever_has_seen_more_than_a_server_is_not_sent_away(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The word of a change may come later than the next request."""
    monkeypatch.setattr(rooms_module.Rooms, "_heard", lambda rooms, table: None)
    with start(database) as one, start(database) as two:
        here = one.table("crossroads", hotseat=True).seat("amber")
        there = here.at(two)
        old = there.state()
        state = here.play(*offered(old)[0])
        answer = there.act(*offered(state)[0], version=state["version"])
        assert answer.status_code == 200
        # The first server has heard nothing of that. It sees it when it comes to write.
        late = here.act(*offered(state)[0])
        assert late.status_code == 409 and late.json()["code"] == "stale"
        assert late.json()["state"]["version"] == answer.json()["version"]
        assert here.state() == there.state()
    check_rows(database)


def test_what_was_done_at_one_server_is_taken_back_at_another(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module.Rooms, "_heard", lambda rooms, table: None)
    with start(database) as one, start(database) as two:
        here, _ = one.crossroads(hotseat=True)
        there = here.at(two)
        state = there.state()
        while not state["can_undo"]:
            state = here.play(*offered(state)[0])
        back = good(there.post("/undo", {"version": state["version"]}))
        assert back["moments"] < state["moments"]
        # Whoever has not seen that is told so, and takes back nothing more.
        late = here.post("/undo", {"version": state["version"]})
        assert late.status_code == 409 and late.json()["state"]["version"] == back["version"]
    check_rows(database)


def test_whoever_comes_to_the_wrong_server_sees_what_he_has_done(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections are kept and used for another table: what was done at the server that has the table is
    there, whether the other has heard of it or not."""
    monkeypatch.setattr(rooms_module.Rooms, "_heard", lambda rooms, table: None)
    with start(database) as one, start(database) as two:
        here = one.table("crossroads", hotseat=True).seat("amber")
        there = here.at(two)
        there.state()
        for _ in range(3):
            state = play_on([here], Random(3), 1)
            assert there.state()["version"] == state["version"]
            assert len(good(there.get("/save"))["actions"]) == len(good(here.get("/save"))["actions"])
            state = play_on([there], Random(3), 1)
            assert here.state()["version"] == state["version"]
    check_rows(database)


def test_what_was_changed_before_a_server_listened_is_read_again(
    postgres: PostgresServer, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a while until PostgreSQL tells; people come before that, and after a lost connection."""
    real, allowed = PostgresBus.listen, Event()

    async def late(bus: PostgresBus, *asked: Any) -> None:
        while not allowed.is_set():
            await asyncio.sleep(0.02)
        await real(bus, *asked)

    database = database_url(postgres.new_database())
    with start(database) as one, monkeypatch.context() as slow:
        slow.setattr(PostgresBus, "listen", late)
        with start(database) as two:
            here = one.table("crossroads", hotseat=True).seat("amber")
            there = here.at(two)
            with there.live() as live:
                live.next()
                state = play_on([here], Random(7), 3)
                allowed.set()
                live.until(lambda message: message["state"]["version"] == state["version"])
    check_rows(database)


def test_a_change_told_while_a_table_is_being_read_is_not_missed(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    with start(database) as one, start(database) as two:
        here = one.table("crossroads", hotseat=True).seat("amber")
        there = here.at(two)
        rooms: Any = two.app.state.rooms  # type: ignore[attr-defined]
        real, heard, told = rooms._read, rooms._heard, Event()

        async def read(table: str) -> Any:
            found = await real(table)
            if not told.is_set():
                # Played by another, and told, before this has been looked at.
                await asyncio.to_thread(here.play, *offered(here.state())[0])
                while not told.is_set():
                    await asyncio.sleep(0.02)
            return found

        def hear(table: str) -> None:
            heard(table)
            told.set()

        monkeypatch.setattr(rooms, "_read", read)
        rooms._listening.cancel()
        assert two.portal is not None
        two.portal.call(listen_with, rooms, hear)
        assert there.state()["version"] == here.state()["version"]
    check_rows(database)


async def listen_with(rooms: Any, hear: Callable[[str], None]) -> None:
    begun = asyncio.Event()
    rooms._listening = asyncio.create_task(rooms.store.bus.listen(hear, begun.set))
    await begun.wait()


def test_a_table_read_in_the_middle_of_a_change_is_played_on(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may read how often a table was changed, and then more answers than there were: whoever has
    seen them all is not told that they are out of date."""
    monkeypatch.setattr(rooms_module.Rooms, "_heard", lambda rooms, table: None)
    with start(database) as one, start(database) as two:
        here = one.table("crossroads", hotseat=True).seat("amber")
        there = here.at(two)
        store: Any = two.app.state.store  # type: ignore[attr-defined]
        real = store.journal
        played: list[Any] = []

        def late(*asked: Any) -> list[list[str]]:
            if not played:
                played.append(here.play(*offered(here.state())[0]))
            return real(*asked)  # type: ignore[no-any-return]

        monkeypatch.setattr(store, "journal", late)
        state = there.state()
        assert state["version"] == played[0]["version"]
        good(there.act(*offered(state)[0], version=state["version"]))
    check_rows(database)


def test_the_server_that_has_the_computers_goes_on_when_another_is_played_at(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody looks at the table there, and no other server may think for it meanwhile."""
    monkeypatch.setattr(rooms_module, "LEASE", 1000.0)
    with start(database) as one, start(database) as two:
        here = one.table("crossroads", seats={"cobalt": "random"}).seat("amber")
        there = here.at(two)
        random = Random(4)
        for _ in range(3):
            # Until the first server has thought for it once.
            play_on([here], random, 1)
            wait_for_turn(here)
        before = wait_for_turn(there)
        while offered(before) and not before["over"]:
            after = play_on([there], random, 1)
            if not offered(after):
                break
            before = after
        assert wait_for_turn(there)["moments"] >= before["moments"]


def test_a_server_that_is_too_busy_to_listen_is_told_later(tmp_path: Path) -> None:
    """The system keeps ten words for a server, and what came after them was never said."""
    one, two = FolderBus(tmp_path, "one"), FolderBus(tmp_path, "two")
    said = {f"t{number}" for number in range(60)}
    heard: set[str] = set()

    async def listening() -> None:
        ears = [asyncio.create_task(bus.listen(heard.add, lambda: None)) for bus in (one, two)]
        while len(list(tmp_path.iterdir())) < 2:
            await asyncio.sleep(0.01)
        # All at once, so that nobody listens in between.
        for table in said:
            one.after([table])
        for _ in range(400):
            await asyncio.sleep(0.02)
            if heard == said:
                break
        for ear in ears:
            ear.cancel()
        await asyncio.gather(*ears, return_exceptions=True)

    asyncio.run(listening())
    assert heard == said


def test_one_server_thinks_for_a_table(database: str, start: Start) -> None:
    with start(database) as one, start(database) as two:
        table = one.table("crossroads", seats={"cobalt": "random"})
        here = table.seat("amber")
        there = here.at(two)
        there.state()
        random = Random(4)
        for seat in (here, there) * 4:
            state = wait_for_turn(seat)
            if state["over"]:
                break
            play_on([seat], random, 1)
            until_same(here, there)
        names = {client.app.state.rooms.name for client in (one, two)}  # type: ignore[attr-defined]
        found = one.app.state.store.table(table.id)  # type: ignore[attr-defined]
        assert found.holder in names | {""}
    check_rows(database)


def test_a_lease_of_a_server_that_died_runs_out(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "LEASE", 1.0)
    for bus in (FolderBus, PostgresBus):
        # On another machine that has lost its current, for all that the database knows.
        monkeypatch.setattr(bus, "gone", lambda bus, name: False)
    with start(database) as client:
        store: Any = client.app.state.store  # type: ignore[attr-defined]
        table = client.table("crossroads", seats={"amber": "random", "cobalt": "random"})
        assert store.hold(table.id, "somebody else", 1.0)
        with table.watch.live():
            assert wait_for_turn(table.watch)["over"]


def test_nobody_waits_for_a_lease_of_a_server_that_is_gone(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "LEASE", 1000.0)
    with start(database) as client, start(database) as other:
        store: Any = client.app.state.store  # type: ignore[attr-defined]
        table = client.table("crossroads", seats={"amber": "random", "cobalt": "random"})
        there = other.app.state.rooms.name  # type: ignore[attr-defined]
        assert store.hold(table.id, there, 1000.0)
        assert not store.hold(table.id, "somebody else", 1000.0)
        assert store.hold(table.id, there, 0.0) and store.hold(table.id, "gone", 1000.0)
        with table.watch.live():
            assert wait_for_turn(table.watch)["over"]


def test_servers_leave_their_tables_when_they_stop(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table("crossroads", seats={"amber": "random", "cobalt": "random"})
        with table.watch.live():
            wait_for_turn(table.watch)
    with start(database) as client:
        store: Any = client.app.state.store  # type: ignore[attr-defined]
        assert store.table(table.id).holder == ""
