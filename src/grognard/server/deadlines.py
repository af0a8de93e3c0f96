"""Games by correspondence: who does not answer in time answers with what the rules have for him.

A table may be made with a pace: so many seconds an answer. When they have passed, every side that is asked
and for which the question has a default (a window is declined) answers with it. Questions without a default
wait, until the other side claims the game (clocks.py).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from grognard.kernel import Match, Refusal
from grognard.server.clocks import late
from grognard.server.room import Room
from grognard.server.rooms import Rooms

EVERY = 20.0
"""Seconds between two looks at the clocks."""

_log = logging.getLogger(__name__)


async def keep_time(rooms: Rooms) -> None:
    while True:
        await asyncio.sleep(EVERY)
        try:
            await answer_late(rooms, rooms.store.clock())
        except Exception:
            _log.warning("the clocks could not be looked at", exc_info=True)


async def answer_late(rooms: Rooms, now: float) -> int:
    """Answer for those who are late; how many answers."""
    given = 0
    for table in await asyncio.to_thread(rooms.store.late, now):
        try:
            given += await _answer(rooms, await rooms.room(table), now)
        except Exception:
            _log.warning("a late table could not be opened", extra={"table": table}, exc_info=True)
    return given


async def _answer(rooms: Rooms, room: Room, now: float) -> int:
    def default(match: Match[Any], side: int) -> Refusal | None:
        answer = room.game.default_answer(match.state, side)
        assert answer is not None
        return match.act(side, answer)

    if room.pinned:
        return 0
    given = 0
    for side in late(room, now):
        if room.game.default_answer(room.shown.state, side) is not None:
            given += await rooms.answer(room, side, default) is None
    return given
