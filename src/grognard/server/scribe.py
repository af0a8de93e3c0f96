"""The one thread that writes journals.

Reaching the disk costs the same for one change as for many: whatever is waiting when the scribe is free goes
into one transaction, and every table hears of its own part only when all of it is down. All of them hear of
it at once: to wake the event loop costs as much as to write a change.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from grognard.server.journal import Entry
from grognard.server.store import Store

MOST = 200
"""How many changes are written together at most."""

_log = logging.getLogger(__name__)


class ConflictError(RuntimeError):
    """The journal is not what the writer believed it to be."""


Work = tuple[Entry, asyncio.Future[None]]


class Scribe:
    """Made on the event loop that is told what has been written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        self.timed: Callable[[float], None] = lambda seconds: None
        """Told, in the thread that writes, how long each transaction took."""
        self._waiting: SimpleQueue[Work | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="scribe", daemon=True)
        self._thread.start()

    def write(self, entry: Entry) -> asyncio.Future[None]:
        """Have a change written; the future is done when it is durable. What is in the queue will be written
        whether its asker waits or not."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put((entry, done))
        return done

    def close(self) -> None:
        """Write what is waiting, and stop."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        going_on = True
        while going_on:
            batch = [self._waiting.get()]
            try:
                while len(batch) < MOST:
                    batch.append(self._waiting.get_nowait())
            except Empty:
                pass
            going_on = None not in batch
            self._write([work for work in batch if work is not None])

    def _write(self, batch: Sequence[Work]) -> None:
        if not batch:
            return
        began = time.perf_counter()
        try:
            fitted = self._store.write([entry for entry, _ in batch])
            self.timed(time.perf_counter() - began)
        except Exception as error:
            _log.warning("%d changes could not be written: %s", len(batch), error)
            if len(batch) == 1:
                self._tell([(batch[0][1], error)])
            else:
                # One bad entry must not spoil the others'.
                for work in batch:
                    self._write([work])
            return
        self._tell(
            [
                (done, None if fits else ConflictError(entry.table_id))
                for (entry, done), fits in zip(batch, fitted, strict=True)
            ]
        )

    def _tell(self, outcomes: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
        # The server may have stopped since: then there is nobody to tell.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(_resolve, outcomes)


def _resolve(outcomes: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, error in outcomes:
        if done.done():
            continue  # nobody waits any more
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
