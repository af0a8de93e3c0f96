"""What was acknowledged is there, whatever happens to the server: kill -9, a disk that refuses, people who
hang up, a second server on the same database."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from grognard.server import rooms as rooms_module
from grognard.server.store import Store
from tests.server.conftest import Start
from tests.server.killing import Ordeal, check_rows
from tests.server.table import Client, Seat, good, offered, play_on, wait_for_turn


def test_kill_9_at_random_moments_loses_nothing(database: str, pictures: Path) -> None:
    """A few games; bench/kill_test.py plays hundreds."""
    ordeal = Ordeal(database, pictures, seed=1, game="crossroads")
    told = asyncio.run(ordeal.run(games=8, answers=12, together=4, most_kills=1, between=(20, 60)))
    assert told["kills"] == 2 and told["answers"] == 8 * 12


class Refusing:
    """A database that stops writing for a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refuses = False
        self.half_way = False
        real = Store.write

        def write(store: Store, entries: Any) -> list[bool]:
            if self.refuses:
                if self.half_way:
                    real(store, entries)
                raise OSError("disk full")
            return real(store, entries)

        monkeypatch.setattr(Store, "write", write)

    @contextmanager
    def time(self, half_way: bool = False) -> Iterator[None]:
        self.refuses, self.half_way = True, half_way
        yield
        self.refuses = False


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    return Refusing(monkeypatch)


def test_what_could_not_be_written_never_happened(disk: Refusing, database: str, start: Start) -> None:
    with start(database) as client:
        seat = client.crossroads(hotseat=True)[0]
        state = play_on([seat], Random(51), 6)
        with disk.time():
            assert seat.act(*offered(state)[0]).status_code == 503
            assert seat.post("/undo").status_code in (422, 503)
            assert seat.post("/takeback", {"to": 1}).status_code == 503
            assert seat.state() == state
            assert seat.log() == seat.log()
        assert seat.state() == state
        assert good(seat.act(*offered(state)[0], version=state["version"]))["version"] != state["version"]
        last = play_on([seat], Random(52), 4)
    check_rows(database)
    with start(database) as client:
        assert seat.at(client).state()["version"] == last["version"]


def test_what_was_written_although_it_failed_did_happen(disk: Refusing, database: str, start: Start) -> None:
    """The answer of a commit may be lost on the way; then the store is asked, not memory."""
    with start(database) as client:
        seat = client.crossroads(hotseat=True)[0]
        state = play_on([seat], Random(53), 3)
        with disk.time(half_way=True):
            assert seat.act(*offered(state)[0]).status_code == 503
        # Whoever acts on what they last saw is told that it is out of date.
        again = seat.act(*offered(state)[0], version=state["version"])
        assert again.status_code == 409
        assert again.json()["state"]["moments"] > state["moments"]
        play_on([seat], Random(54), 5)
    check_rows(database)


def test_nobody_sees_a_change_before_it_is_written(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    seat = client.crossroads(hotseat=True)[0]
    state = seat.state()
    writing, go_on = Event(), Event()
    real = Store.write

    def slow(store: Store, entries: Any) -> list[bool]:
        writing.set()
        assert go_on.wait(20)
        return real(store, entries)

    monkeypatch.setattr(Store, "write", slow)
    assert client.portal is not None
    rooms = client.app.state.rooms  # type: ignore[attr-defined]
    room = client.portal.call(rooms.room, seat.table)
    under_way = client.portal.start_task_soon(rooms.act, room, [0, 1], None, offered(state)[0])
    assert writing.wait(20)
    assert seat.state() == state
    assert len(seat.log()) == state["log_length"]
    assert seat.get(f"/at/{state['moments'] + 1}").status_code == 404
    assert good(seat.get("/moments"))["length"] == state["moments"]
    go_on.set()
    assert under_way.result(20) is None
    assert seat.state()["moments"] > state["moments"]


def test_who_hangs_up_leaves_nothing_half_done(
    monkeypatch: pytest.MonkeyPatch, database: str, start: Start
) -> None:
    """A request that is given up while its answer is being written is carried through all the same."""
    with start(database) as client:
        seat = client.crossroads(hotseat=True)[0]
        state = seat.state()
        writing, go_on = Event(), Event()
        real = Store.write

        def slow(store: Store, entries: Any) -> list[bool]:
            writing.set()
            assert go_on.wait(20)
            return real(store, entries)

        rooms = client.app.state.rooms  # type: ignore[attr-defined]
        assert client.portal is not None
        room = client.portal.call(rooms.room, seat.table)
        with monkeypatch.context() as patched:
            patched.setattr(Store, "write", slow)
            under_way = client.portal.start_task_soon(rooms.act, room, [0, 1], None, offered(state)[0])
            assert writing.wait(20)
            under_way.cancel()
            assert room.lock.locked()
            with seat.live() as live:
                assert {**live.next()["state"], "here": []} == state
                go_on.set()
                live.until(lambda m: m["state"]["moments"] > state["moments"])
        assert not room.must_reload
        play_on([seat], Random(55), 3)
    check_rows(database)


def test_the_computer_tries_again_when_it_could_not_write(disk: Refusing, client: Client) -> None:
    table = client.table("crossroads", seats={"amber": "random", "cobalt": "random"})
    with disk.time(), table.watch.live() as live:
        live.next()
        assert table.watch.state()["moments"] == 0
        disk.refuses = False
        assert wait_for_turn(table.watch)["over"]


def test_a_broken_rule_does_not_break_the_table(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the midst of an action leaves the position as it was before."""
    seat = client.table("secrets", hotseat=True).seat("red")
    seat.play("choose", "5")
    state = seat.state()
    game = client.app.state.games["secrets"]  # type: ignore[attr-defined]

    def half(state: Any, seed: str) -> list[Any]:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(game, "settle", half, raising=False)
        assert seat.act("choose", "6").status_code == 500
        assert seat.state() == state
    assert seat.state() == state
    assert seat.play("choose", "7")["moments"] == state["moments"] + 1
    assert [part["value"] for part in seat.state()["view"]["parts"]] == [7, 2]


def test_two_servers_on_one_database_do_not_overwrite_each_other(database: str, start: Start) -> None:
    with start(database) as one, start(database) as two:
        here = one.crossroads(hotseat=True)[0]
        there = here.at(two)
        state = there.state()
        here.play(*offered(state)[0])
        late = there.act(*offered(state)[0], version=state["version"])
        assert late.status_code == 409
        # The other server has read what is there, and goes on from it.
        assert there.act(*offered(state)[0], version=state["version"]).status_code == 409
        assert there.state()["version"] == here.state()["version"]
    check_rows(database)


# Rooms


def test_rooms_that_nobody_uses_are_let_go_and_come_back(
    monkeypatch: pytest.MonkeyPatch, database: str, start: Start
) -> None:
    monkeypatch.setattr(rooms_module, "KEPT", 3)
    with start(database) as client:
        _let_go(client, monkeypatch)


def _let_go(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [client.crossroads(hotseat=True)[0] for _ in range(8)]
    rooms = client.app.state.rooms  # type: ignore[attr-defined]
    before = [seat.state()["version"] for seat in seats]
    assert len(rooms._recent) == 3
    assert [seat.state()["version"] for seat in seats] == before
    with seats[0].live() as live:
        live.next()
        for seat in seats[1:]:
            play_on([seat], Random(56), 2)
        # Somebody listens: the room is still the same one, and they hear what happens in it.
        version = play_on([seats[0]], Random(57), 1)["version"]
        live.until(lambda m: m["state"]["version"] == version)
    gc.collect()
    assert len(rooms._open) <= 4
    monkeypatch.setattr(rooms_module, "IDLE", 0.0)
    seats[3].state()
    assert len(rooms._recent) <= 1


def test_many_who_come_at_once_find_one_room(database: str, start: Start) -> None:
    with start(database) as client:
        seat = client.crossroads(hotseat=True)[0]
        play_on([seat], Random(58), 8)
    with start(database) as client:
        rooms = client.app.state.rooms  # type: ignore[attr-defined]

        async def enter() -> list[Any]:
            return await asyncio.gather(*(rooms.room(seat.table) for _ in range(20)))

        assert client.portal is not None
        assert len({id(room) for room in client.portal.call(enter)}) == 1


def test_answers_at_the_same_time_are_taken_one_after_the_other(client: Client) -> None:
    """Twenty people press the button with the same version: one of them is in time."""
    seat = client.crossroads(hotseat=True)[0]
    state = seat.state()

    def press(_: int) -> int:
        return (
            Seat(client, seat.table, seat.token).act(*offered(state)[0], version=state["version"]).status_code
        )

    with ThreadPoolExecutor(8) as people:
        codes = list(people.map(press, range(20)))
    assert sorted(codes) == [200] + [409] * 19


@pytest.mark.parametrize("again", [False, True], ids=["given once", "taken back and given again"])
def test_b3_one_undo_takes_back_a_whole_order_after_a_restart_too(
    database: str, start: Start, again: bool
) -> None:
    """A march of three answers was taken back in three steps, the first of which left the unit in hand."""
    with start(database) as client:
        amber, _ = client.crossroads()
        before = amber.state()
        order = {"order": "move", "units": ["first-amber"], "path": ["0202"]}
        after = good(amber.post("/orders", {"order": order}))
        assert after["moments"] == before["moments"] + 3
        if again:
            good(amber.post("/undo"))
            assert good(amber.post("/redo"))["version"] == after["version"]
        amber.play("lift", "amber-wagon")
    with start(database) as client:
        amber = amber.at(client)
        assert good(amber.post("/undo"))["version"] == after["version"]
        back = good(amber.post("/undo"))
        assert back["version"] == before["version"] and not back["can_undo"]
        # And after another restart, when an order has been given and something taken back by agreement.
        good(amber.post("/orders", {"order": order}))
    with start(database) as client:
        assert good(amber.at(client).post("/undo"))["view"] == before["view"]
