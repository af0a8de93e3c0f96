"""The clocks of a game by correspondence.

Those who made a table agreed on a pace: how long it may wait for an answer that everybody sees. Each player
also has so many days of leave, during which his clock stands. Whose time is up has lost if another player
claims the game; the others may as well wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.server.room import HUMAN, Room
from grognard.server.store import SeatRow, TableRow


def due(row: TableRow, place: SeatRow) -> float:
    """When the time of a seat is up, if it is asked and takes no more leave."""
    end = row.since + row.pace
    start = max(place.away_from, row.since)
    # Leave that began when the time was up does not give it back.
    return end + place.away_until - start if start < min(end, place.away_until) else end


def late(room: Room, now: float) -> list[int]:
    """The sides that the table has waited for longer than agreed."""
    if not room.row.pace or room.over:
        return []
    return [
        side for side in sorted(room.asked) if _sits(room, side) and now > due(room.row, _place(room, side))
    ]


def may_claim(room: Room, sides: Sequence[int], now: float) -> bool:
    """Whoever is not waited for himself may claim the game from those who are late."""
    return bool(sides) and room.asked.isdisjoint(sides) and bool(late(room, now))


def leave_left(row: TableRow, place: SeatRow, now: float) -> float:
    """How many seconds of leave a seat has, those not used up of the one that it is on included."""
    return row.leave - place.leave_taken + max(0.0, place.away_until - now)


def on_leave(row: TableRow, place: SeatRow, now: float, seconds: float) -> SeatRow | None:
    """A seat that is away for so long from now on (0: back again); None if it has not so much leave."""
    left = leave_left(row, place, now)
    if not row.pace or seconds > left:
        return None
    # Leave taken earlier in the same wait still counts: it is put right before this one.
    rested = max(0.0, min(place.away_until, now) - max(place.away_from, row.since))
    return place._replace(
        away_from=now - rested, away_until=now + seconds, leave_taken=row.leave - left + seconds
    )


def clock(room: Room, shown: Sequence[int]) -> dict[str, Any] | None:
    """What everybody may know of the clocks, in the shape of wire.Clock; `shown`: the sides that the reader
    may know to be asked. Times are those of the clock on the wall, so that nothing in it grows old."""
    row, names = room.row, room.game.sides
    if not row.pace:
        return None
    people = [side for side in range(len(names)) if _sits(room, side)]
    places = {names[side]: _place(room, side) for side in people}
    return {
        "pace": row.pace,
        "leave": row.leave,
        "due": {names[side]: due(row, _place(room, side)) for side in shown if side in people},
        "away": {side: place.away_until for side, place in places.items() if place.away_until},
        "taken": {side: place.leave_taken for side, place in places.items()},
    }


def _place(room: Room, side: int) -> SeatRow:
    return room.places[room.game.sides[side]]


def _sits(room: Room, side: int) -> bool:
    place = _place(room, side)
    return place.kind == HUMAN and place.taken
