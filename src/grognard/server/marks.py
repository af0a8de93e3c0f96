"""What players draw on the map: arrows, rings and notes. They are no part of the game.

A mark is its player's own unless he says who else may see it. Nothing of it goes to anybody else: its name is
drawn by lot and not counted, nobody is woken by it, and no other server is told of it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from grognard.server.room import Room
from grognard.server.schema import marks, notes
from grognard.server.store import Store
from grognard.server.views import readers

MOST = 80
"""How many marks a player may have on one map."""
OWN, PLAYERS, ALL = "me", "players", "all"
"""Who sees a mark: its player; whoever plays here; spectators, too."""


class Mark(NamedTuple):
    """A mark as it is sent."""

    id: str
    side: str
    kind: str
    hexes: list[str]
    text: str
    seen_by: str


class MarksFullError(RuntimeError):
    """A player has as many marks as he may."""


def owner(room: Room, sides: Sequence[int]) -> str:
    """Whose marks a seat makes: those of its side; with several sides at one screen, of the one that sits
    there, where they have secrets from each other."""
    return room.game.sides[readers(room, sides)[0]]


async def visible(store: Store, room: Room, sides: Sequence[int]) -> list[dict[str, Any]]:
    """The marks that a seat may see, each player's in the order in which he made them."""
    own = [room.game.sides[n] for n in readers(room, sides)]
    shared = (PLAYERS, ALL) if sides else (ALL,)
    query = (
        sa.select(*(marks.c[name] for name in Mark._fields))
        .where(marks.c.table_id == room.row.id, marks.c.side.in_(own) | marks.c.seen_by.in_(shared))
        .order_by(marks.c.side, marks.c.number)
    )

    def read() -> list[dict[str, Any]]:
        with store.engine.connect() as connection:
            rows = connection.execute(query).mappings()
            return [{**row, "hexes": json.loads(row["hexes"])} for row in rows]

    return await asyncio.to_thread(read)


async def add(store: Store, room: Room, sides: Sequence[int], mark: Mark) -> None:
    """Keep a mark under a new name."""
    mine = _of(room, mark.side)

    def write() -> None:
        with store.writing(*_told(room, [mark.seen_by])) as connection:
            counted = sa.select(sa.func.count(), sa.func.max(marks.c.number)).where(*mine)
            count, last = connection.execute(counted).one()
            if count >= MOST:
                raise MarksFullError
            values = {**mark._asdict(), "id": secrets.token_hex(6), "hexes": json.dumps(mark.hexes)}
            connection.execute(marks.insert().values(table_id=room.row.id, number=(last or 0) + 1, **values))

    await asyncio.to_thread(write)
    _tell(room, sides, [mark.seen_by])


async def remove(store: Store, room: Room, sides: Sequence[int], id_: str | None) -> None:
    """Take one's own mark off the map, or all of them."""
    mine = _of(room, owner(room, sides))
    gone = mine if id_ is None else [*mine, marks.c.id == id_]

    def write() -> list[str]:
        with store.engine.connect() as connection:
            seen = list(connection.execute(sa.select(marks.c.seen_by).where(*gone)).scalars())
        with store.writing(*_told(room, seen)) as connection:
            connection.execute(sa.delete(marks).where(*gone))
        return seen

    _tell(room, sides, await asyncio.to_thread(write))


async def forget(store: Store, room: Room, side: str) -> None:
    """Leave nothing of what a player wrote and drew for himself to whoever takes his seat."""

    def write() -> None:
        with store.writing(room.row.id) as connection:
            for table in (marks, notes):
                connection.execute(
                    sa.delete(table).where(table.c.table_id == room.row.id, table.c.side == side)
                )

    await asyncio.to_thread(write)
    _tell(room, (), [ALL])


def _of(room: Room, side: str) -> list[sa.ColumnElement[bool]]:
    return [marks.c.table_id == room.row.id, marks.c.side == side]


def _told(room: Room, seen_by: Sequence[str]) -> list[str]:
    """The table, if others are to hear of it."""
    return [room.row.id] if any(each != OWN for each in seen_by) else []


def _tell(room: Room, sides: Sequence[int], seen_by: Sequence[str]) -> None:
    """Let those know who may see the difference, and nobody else."""
    for listener in list(room.listeners):
        own = not set(sides).isdisjoint(listener.sides)
        if own or ALL in seen_by or (PLAYERS in seen_by and listener.sides):
            listener.marked = True
            listener.wake(True)
