"""After a restart the computer goes on where it was asked, whether anybody visits or not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from grognard.server.rooms import Rooms

PACE = 0.05
"""Seconds between two tables, so that those who come now are served meanwhile."""

_log = logging.getLogger(__name__)


async def resume_computers(rooms: Rooms, at_home: Callable[[str], bool] = lambda table: True) -> int:
    """Open the tables at which a computer is asked and a person plays, of several servers each its own; how
    many."""
    opened = 0
    secret = [id_ for id_, game in rooms.games.items() if game.hidden_information]
    for table in await asyncio.to_thread(rooms.store.waiting_for_computer, secret):
        if not at_home(table):
            continue
        try:
            # Opening a table wakes its computer.
            await rooms.room(table)
            opened += 1
        except Exception:
            _log.warning("a table could not be opened again", extra={"table": table}, exc_info=True)
        await asyncio.sleep(PACE)
    return opened
