"""Who looks at tables at other servers on the same database.

Nothing of it is kept. Each server says of which sides somebody looks at a table with it: at once when that
changes, and all of it again every few seconds. What is not said again is forgotten, so that nobody stays at a
table whose server has died. Whoever only watches is not spoken of.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import NamedTuple

from grognard.server.bus import Bus

BEAT = 5.0
"""Seconds after which everything is said again, and it is seen which servers are gone."""
LAPSE = 16.0
"""Seconds after which what was not said again is forgotten: three beats, and a little."""
WHO = "?"
"""What a server says that has just begun to listen: let all the others tell."""

_log = logging.getLogger(__name__)


class Seen(NamedTuple):
    """What another server has said of a table."""

    sides: frozenset[int]
    until: float
    """When it is forgotten, by our own clock that never goes back: theirs are not asked."""


class Presence:
    """What this server says, and what it has heard."""

    def __init__(self, bus: Bus | None, changed: Callable[[str], None]) -> None:
        """`changed`: called with the id of a table when others look at it than before."""
        self._bus, self._changed = bus, changed
        self._own: dict[str, frozenset[int]] = {}
        self._unsaid: set[str] = set()
        self._others: dict[str, dict[str, Seen]] = {}
        """By the name of the server, and the table."""
        self._news = asyncio.Event()
        self._saying = None if bus is None else asyncio.create_task(self._keep_saying(bus))

    def show(self, table: str, sides: Collection[int]) -> None:
        """Of which sides somebody looks at a table with this server."""
        if self._bus is None or frozenset(sides) == self._own.get(table, frozenset()):
            return
        if sides:
            self._own[table] = frozenset(sides)
        else:
            del self._own[table]
        self._say_soon([table])

    def elsewhere(self, table: str) -> set[int]:
        """Of which sides somebody looks at it with another server."""
        return {side for seen in self._others.values() if table in seen for side in seen[table].sides}

    def begun(self) -> None:
        """We hear the others from now on; they may have heard nothing of us, either."""
        self._say_soon([*self._own, WHO])

    def heard(self, server: str, word: str) -> None:
        """Another server says something."""
        table, _, numbers = word.partition(":")
        if table == WHO:
            self._say_soon(self._own)
            return
        sides = frozenset(int(number) for number in numbers.split(",") if number.isdecimal())
        seen = self._others.setdefault(server, {})
        before = seen.pop(table, None)
        if sides:
            seen[table] = Seen(sides, time.monotonic() + LAPSE)
        if sides != (before.sides if before else frozenset()):
            self._changed(table)

    def _say_soon(self, tables: Iterable[str]) -> None:
        self._unsaid.update(tables)
        self._news.set()

    async def _keep_saying(self, bus: Bus) -> None:
        due = time.monotonic() + BEAT
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), max(0.0, due - time.monotonic()))
            try:
                if time.monotonic() >= due:
                    due = time.monotonic() + BEAT
                    self._unsaid.update(self._own)
                    await self._forget(bus)
                await self._say(bus)
            except Exception as error:
                # It is said again with the next beat.
                _log.warning("other servers are not told who is here: %s", error)

    async def _say(self, bus: Bus) -> None:
        self._news.clear()
        if not self._unsaid:
            return
        said, self._unsaid = self._unsaid, set()
        try:
            await asyncio.to_thread(bus.say, [self._word(table) for table in said])
        except BaseException:
            self._unsaid |= said
            raise

    def _word(self, table: str) -> str:
        if table == WHO:
            return WHO
        return f"{table}:{','.join(str(side) for side in sorted(self._own.get(table, ())))}"

    async def _forget(self, bus: Bus) -> None:
        """Forget what servers said that are gone, and what was not said again."""
        for server in list(self._others):
            gone = await asyncio.to_thread(bus.gone, server)
            now, seen = time.monotonic(), self._others[server]
            over = [table for table, each in seen.items() if gone or each.until < now]
            for table in over:
                del seen[table]
            if not seen:
                del self._others[server]
            for table in over:
                self._changed(table)

    async def close(self) -> None:
        """Nobody is here any more."""
        if self._saying is None or self._bus is None:
            return
        self._saying.cancel()
        await asyncio.gather(self._saying, return_exceptions=True)
        self._unsaid, self._own = set(self._own), {}
        with suppress(Exception):
            await self._say(self._bus)
