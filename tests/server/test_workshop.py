"""Heavy work in processes of its own: fair, sticky, and no harm done when one of them dies."""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.kernel import Game
from grognard.server.api import create_app
from grognard.server.computer import AbandonedError, Watch
from grognard.server.processes import LONGEST_TURN
from grognard.server.settings import ServerSettings
from grognard.server.workbench import Premises, Workbench
from grognard.server.workshop import LostWorkerError, Workshop
from tests.server.conftest import new_database
from tests.server.table import Client, good, offered, wait_for_turn

NOWHERE = Premises("sqlite://", Path("unused"), None)


def who(workbench: Workbench, watch: Watch) -> int:
    return os.getpid()


def long_thought(workbench: Workbench, watch: Watch, folder: str, name: str, steps: int) -> str:
    for step in range(steps):
        watch(step / steps)
        time.sleep(0.02)
    with (Path(folder) / "done").open("a", encoding="utf-8") as done:
        done.write(f"{name} ")
    return name


def scheduling(workbench: Workbench, watch: Watch) -> tuple[int, str]:
    path = Path("/proc/self/sched")
    return os.nice(0), path.read_text() if path.exists() else ""


def fail(workbench: Workbench, watch: Watch) -> None:
    raise KeyError("why")


def die(workbench: Workbench, watch: Watch) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def shop() -> Iterator[tuple[asyncio.Runner, Workshop]]:
    with asyncio.Runner() as runner:

        async def opened() -> Workshop:
            return Workshop(NOWHERE, 1, {})

        workshop = runner.run(opened())
        yield runner, workshop
        workshop.close()


Shop = tuple[asyncio.Runner, Workshop]


def test_work_is_done_elsewhere_and_a_table_stays_with_one_worker(shop: Shop) -> None:
    runner, workshop = shop

    async def ask() -> tuple[int, int, int]:
        thought = [
            await workshop.thought("t", who, hear=lambda share: None, wanted=lambda: True) for _ in range(2)
        ]
        return thought[0], thought[1], await workshop.errand(who)

    first, second, other = runner.run(ask())
    assert first == second
    assert len({first, other, os.getpid()}) == 3


def test_those_who_answer_people_come_first(shop: Shop) -> None:
    """A worker has a smaller share of the processors and, where Linux has them, turns that others may
    interrupt."""
    runner, workshop = shop
    thought = workshop.thought("t", scheduling, hear=lambda share: None, wanted=lambda: True)
    niceness, told = runner.run(thought)
    assert niceness >= min(19, os.nice(0) + 10)
    turns = [line.split(":")[1].strip() for line in told.splitlines() if line.startswith("se.slice")]
    if turns and tuple(map(int, platform.release().split(".")[:2])) >= (6, 12):
        assert turns == [str(LONGEST_TURN)]


def test_tables_take_turns(shop: Shop, tmp_path: Path) -> None:
    """One table with five thoughts does not keep another waiting for more than two of them."""
    runner, workshop = shop

    async def ask() -> None:
        def thought(table: str, name: str) -> Any:
            asked = (str(tmp_path), name, 2)
            return workshop.thought(table, long_thought, *asked, hear=lambda share: None, wanted=lambda: True)

        greedy = [asyncio.create_task(thought("a", f"a{n}")) for n in range(5)]
        await asyncio.sleep(0)
        modest = asyncio.create_task(thought("b", "b"))
        await asyncio.gather(*greedy, modest)

    runner.run(ask())
    assert (tmp_path / "done").read_text().split().index("b") <= 2


def test_a_thought_is_heard_of_and_can_be_given_up(shop: Shop, tmp_path: Path) -> None:
    runner, workshop = shop
    heard: list[float] = []

    async def ask() -> None:
        await workshop.thought(
            "t",
            long_thought,
            *(str(tmp_path), "given up", 500),
            hear=heard.append,
            wanted=lambda: len(heard) < 2,
        )

    began = time.monotonic()
    with pytest.raises(AbandonedError):
        runner.run(ask())
    assert time.monotonic() - began < 9 and len(heard) >= 2
    assert not (tmp_path / "done").exists()
    assert isinstance(runner.run(workshop.errand(who)), int)


def test_errors_come_back_and_the_dead_are_replaced(shop: Shop) -> None:
    runner, workshop = shop
    with pytest.raises(KeyError, match="why"):
        runner.run(workshop.errand(fail))
    before = runner.run(workshop.errand(who))
    with pytest.raises(LostWorkerError):
        runner.run(workshop.errand(die))
    after = runner.run(workshop.errand(who))
    assert after not in (before, os.getpid())


def test_a_server_with_workers(request: pytest.FixtureRequest, tmp_path: Path, crossroads: Game[Any]) -> None:
    """Computers, advice, the past, saves and kits, all from other processes; a worker that is killed in the
    midst of it stops nobody."""
    database = new_database("sqlite", request)
    settings = ServerSettings(database, tmp_path, draw_ahead=False, helpers=1)
    with Client(create_app(settings, {"crossroads": crossroads})) as client:
        seat = client.table(seats={"cobalt": "recruit"}).seat("amber")
        random = Random(5)
        for _ in range(7):
            seat.play(*random.choice(offered(wait_for_turn(seat))))
        state = wait_for_turn(seat)
        assert good(seat.post("/suggestion"))["actions"]
        assert good(seat.get(f"/at/{state['moments']}"))["view"] == seat.state()["view"]
        assert good(seat.get("/moments"))["length"] == seat.state()["moments"]
        saved = seat.get("/save").text
        wish = {"text": saved, "seats": {"cobalt": "random"}}
        assert client.post("/api/saves", json=wish).status_code == 201
        assert client.get("/api/games/crossroads/kit").json()["id"] == "crossroads"
        rooms = client.app.state.rooms  # type: ignore[attr-defined]
        for worker in (rooms.workshop.errands, *rooms.workshop.thinkers):
            os.kill(worker._place._process.pid, signal.SIGKILL)
        only = client.table(seats={"amber": "random", "cobalt": "random"})
        with only.watch.live():
            assert wait_for_turn(only.watch)["over"]
        assert good(only.watch.get("/rolls"))["rolls"]
