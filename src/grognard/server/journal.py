"""How changes of journals are written: many of them together, in few statements.

A statement costs the library that makes it more than the database that carries it out. So the statements are
made once, and each is carried out for all the changes that need it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam

from grognard.server.schema import answers, plans, snapshots, tables


class Stage(NamedTuple):
    """Where a game stands, in a line."""

    turn: int | None = None
    phase: str | None = None
    actor: str | None = None
    over: bool = False


class SnapshotRow(NamedTuple):
    """A position that was kept, and where it stands in the journal."""

    number: int
    moment: int
    digest: str
    chain: str
    lines: dict[str, int]
    edition: str
    state: bytes


class PlanRow(NamedTuple):
    """What a computer player was trying to do: a code of the game's catalogue and its facts."""

    number: int
    """The answer that was the first of the plan. If it is taken back, so is the plan."""
    side: str
    turn: int
    phase: str | None
    code: str
    facts: dict[str, Any]


class Entry(NamedTuple):
    """A change of a journal: from answer number `start` on it reads `words`, and nothing after them."""

    table_id: str
    length: int
    """How long the journal was before. If it is not, somebody else has written and nothing is done."""
    start: int
    words: Sequence[list[str]]
    stage: Stage
    plans: Sequence[PlanRow] = ()
    """What the answers written are meant to do, where they begin something new."""
    seen: bool = True
    """Whether everybody may know that something has changed."""
    changes: int | None = None
    """How often the table had been changed before. If it was not, nothing is done."""
    chain: str = ""
    """The hash of the journal as it is after."""
    snapshot: SnapshotRow | None = None
    """A position to be kept."""
    seed: str | None = None
    """The seed, if something has been added to it."""
    joined: Collection[int] = ()
    """The numbers of answers that were one order with the answer before."""


def _stage_after(seen: bool) -> sa.Update:
    """What is noted of a table whose journal has changed."""
    names = ("length", "chain", *Stage._fields)
    noted: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
    if seen:
        # A take-back asked for before this no longer means what it did.
        noted |= {"updated": bindparam("now"), "since": bindparam("now")}
        noted |= {"asked_by": sa.null(), "asked_to": sa.null()}
    change = sa.update(tables).where(tables.c.id == bindparam("table"))
    return change.values(changes=tables.c.changes + 1, **noted)


_NOTED = {seen: _stage_after(seen) for seen in (False, True)}
_SEED = sa.update(tables).where(tables.c.id == bindparam("table")).values(seed=bindparam("new_seed"))
# Held until the end of the transaction, always in the same order: two servers never wait for each other.
_AS_IT_IS = (
    sa.select(tables.c.id, tables.c.changes, tables.c.length)
    .where(tables.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tables.c.id)
    .with_for_update()
)
_CUTS = [
    sa.delete(kept).where(kept.c.table_id == bindparam("table"), kept.c.number >= bindparam("first") + more)
    for kept, more in ((answers, 0), (plans, 0), (snapshots, 1))
]
_APPEND, _PLAN, _KEEP = answers.insert(), plans.insert(), snapshots.insert()
_REPLACE = sa.delete(snapshots).where(
    snapshots.c.table_id == bindparam("table"), snapshots.c.number == bindparam("at")
)


def write_together(connection: sa.Connection, entries: Iterable[Entry], now: float) -> list[bool]:
    """Write changes, in their order; which of them fitted the journal as it was."""
    return [fitted for group in _one_each(entries) for fitted in _write(connection, group, now)]


def _one_each(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Groups of changes in which no table comes twice."""
    group: dict[str, Entry] = {}
    for entry in entries:
        if entry.table_id in group:
            yield list(group.values())
            group = {}
        group[entry.table_id] = entry
    yield list(group.values())


def _write(connection: sa.Connection, entries: Sequence[Entry], now: float) -> list[bool]:
    found = connection.execute(_AS_IT_IS, {"ids": [entry.table_id for entry in entries]})
    there = {row.id: (row.changes, row.length) for row in found}
    fitted = [_fits(entry, there.get(entry.table_id)) for entry in entries]
    good = [entry for entry, fits in zip(entries, fitted, strict=True) if fits]
    for seen, statement in _NOTED.items():
        _many(connection, statement, [_noted(entry, now) for entry in good if entry.seen == seen])
    seeds = [{"table": entry.table_id, "new_seed": entry.seed} for entry in good if entry.seed is not None]
    _many(connection, _SEED, seeds)
    cuts = [{"table": entry.table_id, "first": entry.start} for entry in good if entry.start < entry.length]
    for cut in _CUTS:
        _many(connection, cut, cuts)
    append(connection, [row for e in good for row in rows_of(e.table_id, e.start, e.words, e.joined)])
    keep(connection, [(entry.table_id, entry.snapshot) for entry in good if entry.snapshot is not None])
    _many(connection, _PLAN, [_plan(entry.table_id, plan) for entry in good for plan in entry.plans])
    return fitted


def _fits(entry: Entry, there: tuple[int, int] | None) -> bool:
    if there is None:
        return False
    changes, length = there
    return length == entry.length and entry.changes in (None, changes)


def _noted(entry: Entry, now: float) -> dict[str, Any]:
    new = {"length": entry.start + len(entry.words), "chain": entry.chain, **entry.stage._asdict()}
    found = {f"new_{name}": value for name, value in new.items()}
    return found | {"table": entry.table_id} | ({"now": now} if entry.seen else {})


def _plan(table_id: str, plan: PlanRow) -> dict[str, Any]:
    return plan._asdict() | {"table_id": table_id, "facts": json.dumps(plan.facts, ensure_ascii=False)}


def keep(connection: sa.Connection, kept: Sequence[tuple[str, SnapshotRow]]) -> None:
    """Keep positions, in the place of those that were kept of the same answers."""
    _many(connection, _REPLACE, [{"table": table_id, "at": snapshot.number} for table_id, snapshot in kept])
    rows = [
        {
            **snapshot._asdict(),
            "table_id": table_id,
            "lines": json.dumps(snapshot.lines),
            "state": zlib.compress(snapshot.state, 3),
        }
        for table_id, snapshot in kept
    ]
    _many(connection, _KEEP, rows)


def rows_of(
    table_id: str, start: int, words: Sequence[list[str]], joined: Collection[int] = ()
) -> list[dict[str, Any]]:
    """Answers as they lie in the database."""
    return [
        {
            "table_id": table_id,
            "number": number,
            "words": json.dumps(answer, ensure_ascii=False),
            "joined": number in joined,
        }
        for number, answer in enumerate(words, start)
    ]


def append(connection: sa.Connection, rows: Sequence[dict[str, Any]]) -> None:
    _many(connection, _APPEND, rows)


def _many(connection: sa.Connection, statement: sa.Executable, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)
