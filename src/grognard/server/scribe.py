"""The one thread that writes journals.

Reaching the disk costs the same for one change as for many: whatever is waiting when the scribe is free goes
into one transaction, and every table hears of its own part only when all of it is down.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread

from grognard.server.journal import Entry
from grognard.server.store import Store

MOST = 200
"""How many changes are written together at most."""

_log = logging.getLogger(__name__)


class ConflictError(RuntimeError):
    """The journal is not what the writer believed it to be."""


class Scribe:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: SimpleQueue[tuple[Entry, Future[None]] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="scribe", daemon=True)
        self._thread.start()

    def write(self, entry: Entry) -> Future[None]:
        """Have a change written; the future is done when it is durable."""
        done: Future[None] = Future()
        # Nobody may call it back: what is in the queue will be written whether its asker waits or not.
        done.set_running_or_notify_cancel()
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

    def _write(self, batch: list[tuple[Entry, Future[None]]]) -> None:
        try:
            fitted = self._store.write([entry for entry, _ in batch])
        except Exception as error:
            _log.warning("%d changes could not be written: %s", len(batch), error)
            if len(batch) == 1:
                batch[0][1].set_exception(error)
            else:
                # One bad entry must not spoil the others'.
                for work in batch:
                    self._write([work])
            return
        for (entry, done), fits in zip(batch, fitted, strict=True):
            if fits:
                done.set_result(None)
            else:
                done.set_exception(ConflictError(entry.table_id))
