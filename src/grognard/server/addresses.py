"""Where people want to be told that it is their move, and whom each table waits for: what is kept of it.

An address is for one seat, or for all seats of an account. Mail goes to no address whose owner has not
confirmed it, and every letter has a way to stop them.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from grognard.server.schema import addresses, seats, tables, waits
from grognard.server.store import Store, TableRow

MAIL, PUSH = "mail", "push"
MOST = 5
"""Addresses of one seat or account."""
DAY = 86_400.0
ASKED_A_DAY = 3
"""How often a day the owner of a mail address is asked whether it is his."""


class Address(NamedTuple):
    id: str
    kind: str
    target: str
    language: str
    account: str
    table_id: str
    side: str
    confirmed: bool
    created: float
    told: float


class Wait(NamedTuple):
    """A side that a table waits for."""

    table_id: str
    side: str
    since: float


class AddressBook:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._key = bytes.fromhex(store.key("addresses"))

    def word(self, id_: str) -> str:
        """What confirms an address and stops letters to it; only letters to it have it."""
        return hmac.digest(self._key, id_.encode(), "sha256").hex()[:32]

    # Addresses

    def add(self, now: float, kind: str, target: str, language: str, **owner: str) -> Address | None:
        """A new address for an `account`, or for the `side` of a `table_id`; None if there are too many of
        them. What is there already is not written twice."""
        owner = {"account": "", "table_id": "", "side": "", **owner}
        known = [one for one in self.of(**owner) if (one.kind, one.target) == (kind, target)]
        if known:
            return known[0]
        lately = sa.select(sa.func.count()).where(
            addresses.c.kind == MAIL, addresses.c.target == target, addresses.c.created > now - DAY
        )
        with self._store.writing() as connection:
            asked = connection.execute(lately).scalar() or 0
            mine = connection.execute(sa.select(sa.func.count()).where(*_owned(owner))).scalar() or 0
            if asked >= ASKED_A_DAY or mine >= MOST:
                return None
            made = Address(
                secrets.token_urlsafe(12),
                kind,
                target,
                language,
                confirmed=kind == PUSH,
                created=now,
                told=0.0,
                **owner,
            )
            connection.execute(addresses.insert(), [made._asdict()])
        return made

    def of(self, account: str = "", table_id: str = "", side: str = "") -> list[Address]:
        owner = {"account": account, "table_id": table_id, "side": side}
        return self._read(sa.select(addresses).where(*_owned(owner)).order_by(addresses.c.created))

    def find(self, id_: str, word: str) -> Address | None:
        """An address, for whoever has the word of it."""
        if not hmac.compare_digest(self.word(id_).encode(), word.encode(errors="replace")):
            return None
        return next(iter(self._read(sa.select(addresses).where(addresses.c.id == id_))), None)

    def confirm(self, id_: str) -> None:
        with self._store.writing() as connection:
            connection.execute(sa.update(addresses).where(addresses.c.id == id_).values(confirmed=True))

    def remove(self, id_: str) -> None:
        with self._store.writing() as connection:
            connection.execute(sa.delete(addresses).where(addresses.c.id == id_))

    def of_seat(self, table_id: str, side: str, kind: str) -> list[Address]:
        """The confirmed addresses by which somebody at a seat can be reached."""
        query = sa.select(addresses).where(
            addresses.c.kind == kind, addresses.c.confirmed, _reaches(table_id, side)
        )
        return self._read(query)

    def claim(self, address: Address, now: float) -> bool:
        """Whether this server is the one that writes to an address now."""
        return self._told(address.id, address.told, now)

    def unclaim(self, address: Address, now: float) -> None:
        """What was to be sent was not taken."""
        self._told(address.id, now, address.told)

    def _told(self, id_: str, before: float, now: float) -> bool:
        change = sa.update(addresses).where(addresses.c.id == id_, addresses.c.told == before)
        with self._store.writing() as connection:
            return connection.execute(change.values(told=now)).rowcount == 1

    # Whom tables wait for

    def to_look_at(self, limit: int = 200) -> list[str]:
        """Tables where somebody wants to be told, and that have changed since they were looked at."""
        place = sa.select(seats.c.side).where(seats.c.table_id == tables.c.id)
        wanted = place.where(
            sa.select(addresses.c.id).where(addresses.c.confirmed, _same_seat(seats.c)).exists()
        ).exists()
        seen = sa.select(waits.c.side).where(
            waits.c.table_id == tables.c.id, waits.c.changes == tables.c.changes
        )
        query = sa.select(tables.c.id).where(~tables.c.over, wanted, ~seen.exists()).limit(limit)
        with self._store.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def looked_at(
        self,
        row: TableRow,
        asked: Mapping[str, bool],
        answers: int,
        came_back: Callable[[str, int], bool],
        now: float,
    ) -> None:
        """Note which people a table waits for, and how many answers everybody has seen. Who was waited for
        before still is, since then, unless he answered meanwhile and it is his move again."""
        with self._store.writing() as connection:
            found = connection.execute(sa.select(waits).where(waits.c.table_id == row.id))
            before = {entry.side: entry for entry in found}
            connection.execute(sa.delete(waits).where(waits.c.table_id == row.id))
            for side, is_asked in asked.items():
                old = before.get(side)
                since, pushed = (now, 0.0) if is_asked else (0.0, 0.0)
                if is_asked and old is not None and old.since > 0 and not came_back(side, old.answers):
                    since, pushed = old.since, old.pushed
                entry = {"table_id": row.id, "side": side, "since": since, "pushed": pushed}
                connection.execute(waits.insert().values(**entry, changes=row.changes, answers=answers))

    def to_push(self, before: float, limit: int = 200) -> list[Wait]:
        """Those who have been waited for since before then, and were sent no message."""
        reached = sa.select(addresses.c.id).where(
            addresses.c.kind == PUSH, addresses.c.confirmed, _same_wait()
        )
        late = (waits.c.since > 0, waits.c.since <= before, waits.c.pushed == 0)
        query = sa.select(waits.c.table_id, waits.c.side, waits.c.since)
        query = query.join_from(waits, tables).where(~tables.c.over, *late, reached.exists()).limit(limit)
        with self._store.engine.connect() as connection:
            return [Wait(*entry) for entry in connection.execute(query)]

    def pushed(self, wait: Wait, now: float) -> bool:
        """Whether this server is the one that sends a message for a wait."""
        here = (waits.c.table_id == wait.table_id, waits.c.side == wait.side, waits.c.since == wait.since)
        change = sa.update(waits).where(*here, waits.c.pushed == 0).values(pushed=now)
        with self._store.writing() as connection:
            return connection.execute(change).rowcount == 1

    def to_mail(self, now: float, grace: float, limit: int = 200) -> list[Address]:
        """Mail addresses whose owner has been waited for, unknown to him: one letter a day at most."""
        late = (waits.c.since > addresses.c.told, waits.c.since <= now - grace)
        open_ = sa.select(waits.c.side).join_from(waits, tables).where(~tables.c.over, *late, _same_wait())
        query = sa.select(addresses).where(
            addresses.c.kind == MAIL, addresses.c.confirmed, addresses.c.told <= now - DAY, open_.exists()
        )
        return self._read(query.limit(limit))

    def waiting(self, address: Address) -> list[Wait]:
        """All that waits for somebody, longest first."""
        query = sa.select(waits.c.table_id, waits.c.side, waits.c.since).join_from(waits, tables)
        query = query.join(addresses, _same_wait())
        query = query.where(addresses.c.id == address.id, waits.c.since > 0, ~tables.c.over)
        with self._store.engine.connect() as connection:
            return [Wait(*entry) for entry in connection.execute(query.order_by(waits.c.since))]

    def _read(self, query: sa.Select[Any]) -> list[Address]:
        with self._store.engine.connect() as connection:
            return [Address(**row) for row in connection.execute(query).mappings()]


def _owned(owner: dict[str, str]) -> tuple[sa.ColumnElement[bool], ...]:
    return tuple(addresses.c[name] == value for name, value in owner.items())


def _reaches(table_id: str, side: str) -> sa.ColumnElement[bool]:
    """Addresses of a seat itself, or of the account that it belongs to."""
    mine = sa.select(seats.c.account).where(seats.c.table_id == table_id, seats.c.side == side)
    own = sa.and_(addresses.c.table_id == table_id, addresses.c.side == side)
    return sa.or_(own, sa.and_(addresses.c.account != "", addresses.c.account.in_(mine)))


def _same_seat(place: Any) -> sa.ColumnElement[bool]:
    own = sa.and_(addresses.c.table_id == place.table_id, addresses.c.side == place.side)
    return sa.or_(own, sa.and_(addresses.c.account != "", addresses.c.account == place.account))


def _same_wait() -> sa.ColumnElement[bool]:
    """The addresses of whoever is waited for."""
    own = sa.and_(addresses.c.table_id == waits.c.table_id, addresses.c.side == waits.c.side)
    kept = sa.select(seats.c.side).where(
        seats.c.table_id == waits.c.table_id,
        seats.c.side == waits.c.side,
        seats.c.account == addresses.c.account,
        addresses.c.account != "",
    )
    return sa.or_(own, kept.exists())
