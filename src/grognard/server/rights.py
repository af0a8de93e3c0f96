"""What a seat may do about its table, beside playing at it.

Nothing here looks at what is written in secret: whether somebody may be sent away depends on what everybody
has seen.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from grognard.server.room import HUMAN, Room

PATIENCE = 14 * 86_400.0
"""Seconds after which a game that nobody goes on with may be given up."""


def has_answered(room: Room, side: int) -> bool:
    """Whether a side has given an answer that everybody saw."""
    match = room.match
    first = match.before.length
    # A game so long that its beginning is no longer in memory has been played by everybody.
    return first > 0 or any(answer.side == side for answer in match.journal[: match.moments[-1]])


def others(room: Room, sides: Sequence[int]) -> list[int]:
    """The sides that other people play or may come to play."""
    games = room.game.sides
    return [n for n, side in enumerate(games) if n not in sides and room.places[side].kind == HUMAN]


def is_host(room: Room, sides: Sequence[int]) -> bool:
    """Whether a seat is that of whoever made the table. Of older tables that is not known: then nobody's."""
    return room.row.host in {room.game.sides[n] for n in sides}


def may_leave(room: Room, sides: Sequence[int]) -> bool:
    """A seat can be given up where somebody else can take it: not alone, nor at one screen."""
    return len(sides) == 1 and bool(others(room, sides)) and not room.over


def may_kick(room: Room, sides: Sequence[int]) -> list[int]:
    """Those whom the host may send away: they sit there, and have not answered yet."""
    if not is_host(room, sides) or room.over:
        return []
    names = room.game.sides
    return [n for n in others(room, sides) if room.places[names[n]].taken and not has_answered(room, n)]


def may_invite(room: Room, sides: Sequence[int]) -> list[int]:
    """The seats for which a player may have a new link: nobody sits there yet."""
    if not sides or room.over:
        return []
    return [n for n in others(room, sides) if not room.places[room.game.sides[n]].taken]


def may_remove(room: Room, sides: Sequence[int]) -> bool:
    """A table can be removed by the only person at it, or by its host as long as nobody else has played."""
    others_there = [n for n in others(room, sides) if room.places[room.game.sides[n]].taken]
    if not others_there:
        return bool(sides) and (is_host(room, sides) or not others(room, sides))
    return is_host(room, sides) and not any(has_answered(room, n) for n in others_there)


def may_abandon(room: Room, sides: Sequence[int], now: float) -> bool:
    """A game can be given up, without a winner, when the others have stayed away for long."""
    waits = bool(room.asked) and room.asked.isdisjoint(sides)
    late = now - max(room.row.since, room.row.created) > PATIENCE
    return bool(sides) and not room.over and waits and late and bool(others(room, sides))


def rights(room: Room, sides: Sequence[int]) -> dict[str, Any]:
    """What a seat may do about the table itself, for its buttons."""
    names = room.game.sides
    return {
        "listed": room.row.listed,
        "host": is_host(room, sides),
        "invite": [names[n] for n in may_invite(room, sides)],
        "kick": [names[n] for n in may_kick(room, sides)],
        "leave": may_leave(room, sides),
        "remove": may_remove(room, sides),
        "abandon": may_abandon(room, sides, time.time()),
    }
