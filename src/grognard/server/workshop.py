"""Heavy work, away from the event loop: thinking, looking back, opening tables, drawing.

There are as many thinkers as the settings say, each a process that does one thing at a time, one more for
errands that people wait for, and one for pictures. A table's computers stay with one thinker, and tables take
turns there. With no processes at all the same is done in threads of the server's.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Condition, Thread
from time import monotonic
from typing import Any, NamedTuple

from grognard.kernel import Game
from grognard.server.computer import EVERY, AbandonedError, Watch
from grognard.server.processes import be_called, give_way, nursery
from grognard.server.workbench import Premises, Workbench

HOMES = 2000
"""How many tables' workers are remembered."""
POLL = 0.1
"""Seconds between two looks whether a thought is still wanted."""
ABANDON = "abandon"
AGAIN = 2
"""How often work is asked for again whose worker has ended."""

_log = logging.getLogger(__name__)


class LostWorkerError(RuntimeError):
    """The worker has died, and those who were asked after it too."""


class Job(NamedTuple):
    errand: Callable[..., Any]
    asked: tuple[Any, ...]
    hear: Watch
    wanted: Callable[[], bool]
    done: Future[Any]


def _not_heard(share: float) -> None:
    pass


def _always() -> bool:
    return True


class Turns:
    """Jobs that wait, by whom they are for: everybody has one done before anybody has a second."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()
        self._some = Condition()
        self._closed = False

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def put(self, key: str, job: Job) -> None:
        with self._some:
            self._queues.setdefault(key, deque()).append(job)
            self._some.notify()

    def get(self) -> Job | None:
        """The next one, when there is one; None when there will be no more."""
        with self._some:
            while not self._queues and not self._closed:
                self._some.wait()
            if not self._queues:
                return None
            key, queue = self._queues.popitem(last=False)
            job = queue.popleft()
            if queue:
                self._queues[key] = queue
            return job

    def close(self) -> None:
        with self._some:
            self._closed = True
            for queue in self._queues.values():
                for job in queue:
                    job.done.cancel()
            self._queues.clear()
            self._some.notify_all()


class Inside:
    """Work done in the server's own process."""

    def __init__(self, workbench: Workbench) -> None:
        self._bench = workbench

    def do(self, job: Job) -> Any:
        return job.errand(self._bench, _Reporter(job), *job.asked)

    def close(self) -> None:
        pass


class _Reporter:
    """Told how far a thought has come, and says when it is no longer wanted."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def __call__(self, share: float) -> None:
        if not self._job.wanted():
            raise AbandonedError
        self._job.hear(share)


class Outside:
    """Work done in a process of its own, started when there is some."""

    def __init__(self, name: str, premises: Premises, niceness: int) -> None:
        self._name, self._premises, self._niceness = name, premises, niceness
        self._process: Any = None
        self._line: Connection | None = None

    def do(self, job: Job) -> Any:
        try:
            line = self._connected()
            line.send((job.errand, job.asked))
            return self._until_done(line, job)
        except (EOFError, OSError) as error:
            self.close()
            raise LostWorkerError(str(error)) from error

    def _until_done(self, line: Connection, job: Job) -> Any:
        told = False
        while True:
            if not line.poll(POLL):
                if not told and not job.wanted():
                    line.send(ABANDON)
                    told = True
                continue
            what, value = line.recv()
            if what == "share":
                job.hear(value)
            elif what == "failed":
                raise value
            else:
                return value

    def _connected(self) -> Connection:
        if self._line is None or not self._process.is_alive():
            self.close()
            context: Any = nursery(__name__)
            line, theirs = context.Pipe()
            arguments = (self._name, theirs, self._premises, self._niceness)
            process = context.Process(target=work, args=arguments, daemon=True)
            process.start()
            theirs.close()
            # Not before it is there: the server may be closing meanwhile. One that is left ends by itself.
            self._line, self._process = line, process
        return self._line

    def close(self) -> None:
        """End the process: at once, for it changes nothing that is kept."""
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


Place = Inside | Outside


class Worker:
    """One place where work is done, and what waits for it."""

    def __init__(self, name: str, place: Place) -> None:
        self._place = place
        self.turns = Turns()
        self.busy = False
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def load(self) -> int:
        return len(self.turns) + self.busy

    def _work(self) -> None:
        while (job := self.turns.get()) is not None:
            if not job.done.set_running_or_notify_cancel():
                continue
            self.busy = True
            try:
                result = self._place.do(job)
            except BaseException as error:
                job.done.set_exception(error)
            else:
                job.done.set_result(result)
            finally:
                self.busy = False

    def close(self) -> None:
        self.turns.close()
        self._place.close()


class Workshop:
    """All workers."""

    def __init__(self, premises: Premises, processes: int, games: Mapping[str, Game[Any]]) -> None:
        self.premises = premises

        def worker(name: str, niceness: int) -> Worker:
            if processes:
                return Worker(name, Outside(name, premises, niceness))
            return Worker(name, Inside(Workbench(premises, games)))

        self._loop = asyncio.get_running_loop()
        self.inside = not processes
        """Whether all is done in this process."""
        self.errands = worker("errands", 5)
        self.drawers = worker("drawing", 10)
        self.thinkers = [worker(f"thinker-{n}", 10) for n in range(processes or 2)]
        self._homes: OrderedDict[str, Worker] = OrderedDict()

    async def errand(self, errand: Callable[..., Any], *asked: Any, key: str = "") -> Any:
        """Something that somebody waits for."""
        return await self._done(self.errands, key, errand, asked, _not_heard, _always)

    async def picture(self, errand: Callable[..., Any], *asked: Any) -> Any:
        """A picture, which is made once and kept."""
        return await self._done(self.drawers, "", errand, asked, _not_heard, _always)

    async def thought(
        self, table: str, errand: Callable[..., Any], *asked: Any, hear: Watch, wanted: Callable[[], bool]
    ) -> Any:
        """A long thought about a table. AbandonedError if it is not wanted before it has come to an end."""
        worker = self._home(table)
        return await self._done(worker, table, errand, asked, self._heard(hear), wanted)

    def _home(self, table: str) -> Worker:
        """The worker where a table's computers live; for a new one the one with the least to do."""
        if table not in self._homes:
            self._homes[table] = min(self.thinkers, key=lambda worker: worker.load)
        self._homes.move_to_end(table)
        while len(self._homes) > HOMES:
            self._homes.popitem(last=False)
        return self._homes[table]

    def _heard(self, hear: Watch) -> Watch:
        """Word of how far a thought has come, on the event loop and a few times a second at most."""
        last = float("-inf")

        def told(share: float) -> None:
            nonlocal last
            now = monotonic()
            if now - last >= EVERY:
                last = now
                # The server may have stopped since: then there is nobody to tell.
                with suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(hear, min(1.0, max(0.0, share)))

        return told

    async def _done(
        self,
        worker: Worker,
        key: str,
        errand: Callable[..., Any],
        asked: tuple[Any, ...],
        hear: Watch,
        wanted: Callable[[], bool],
    ) -> Any:
        for last in (False,) * AGAIN + (True,):
            done: Future[Any] = Future()
            worker.turns.put(key, Job(errand, asked, hear, wanted, done))
            try:
                return await asyncio.wrap_future(done)
            except LostWorkerError as error:
                # It has changed nothing, and the next one knows as much.
                _log.warning("a worker has ended: %s", error)
                if last:
                    raise
        return None

    def close(self) -> None:
        for worker in (self.errands, self.drawers, *self.thinkers):
            worker.close()


# In the worker's process


def work(name: str, line: Connection, premises: Premises, niceness: int) -> None:
    """Do what is asked until nobody asks any more."""
    be_called(name)
    give_way(niceness)
    workbench, watch = Workbench(premises), _Telling(line)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            message = line.recv()
            if message == ABANDON:
                continue  # it came too late
            errand, asked = message
            try:
                answer = ("carried-out", errand(workbench, watch, *asked))
            except Exception as error:
                answer = ("failed", error)
            line.send(answer)


class _Telling:
    """Tells the server how far a thought has come, and hears whether it is still wanted."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._last = float("-inf")

    def __call__(self, share: float) -> None:
        try:
            if self._line.poll():
                self._line.recv()
                raise AbandonedError
            now = monotonic()
            if now - self._last >= EVERY:
                self._last = now
                self._line.send(("share", share))
        except (EOFError, OSError):
            # There is no server any more.
            os._exit(0)
