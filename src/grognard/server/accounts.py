"""Accounts, for those who want their games on every device: a name and a passphrase. Nobody needs one.

A session is an unguessable word that a browser keeps; at a table it stands for the seats of its account.
Only hashes of it are kept, and of passphrases only what Argon2id makes of them.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import unicodedata
from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from grognard.server.quotas import Bucket, Meter, Quotas
from grognard.server.room import hash_token
from grognard.server.schema import accounts, addresses, marks, notes, seats, sessions, tables
from grognard.server.store import Store

MARK = "me."
"""How the word of a session begins: those of seats do not."""
KEPT = 180 * 86_400.0
"""Seconds after which a session that was not used is over."""
SEEN_EVERY = 3_600.0
"""How exactly it is known when a session was last used."""
TRIES = Bucket(10, 60.0)
"""Wrong passphrases for one name: so many at once, and one more every minute."""
AT_ONCE = 2
"""Passphrases that are hashed at a time; each takes 64 MiB for that long."""


class AccountError(RuntimeError):
    """Why somebody cannot enter; a code of the table's denials."""


class AccountRow(NamedTuple):
    id: str
    name: str
    language: str
    created: float


def known_as(name: str) -> str:
    """A name as others read it: large and small letters, kinds of space and of letter do not matter."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class Accounts:
    """Who may enter, and who has."""

    def __init__(
        self, store: Store, hasher: PasswordHasher | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._store, self._clock = store, clock
        self._hasher = hasher or PasswordHasher()
        self._hashing = asyncio.Semaphore(AT_ONCE)
        self._tries = Meter(Quotas({"try": TRIES}), clock)
        self._nobodys = ""
        """What a passphrase is compared with where nobody has the name: made when somebody first enters."""

    # Coming in

    async def register(self, name: str, passphrase: str, language: str, device: str) -> str:
        """A new account; the word of its first session."""
        if not known_as(name):
            raise AccountError("no-name")
        row = {
            "id": secrets.token_urlsafe(12),
            "name": name,
            "known_as": known_as(name),
            "passphrase": await self._hash(passphrase),
            "language": language,
            "created": self._clock(),
        }

        def write() -> None:
            with self._store.writing() as connection:
                connection.execute(accounts.insert(), [row])

        try:
            await asyncio.to_thread(write)
        except sa.exc.IntegrityError:
            raise AccountError("name-taken") from None
        return await self._new_session(str(row["id"]), device)

    async def enter(self, name: str, passphrase: str, device: str) -> str:
        """A new session for whoever knows the passphrase. It takes as long for a name that nobody has."""
        if self._tries.take("try", known_as(name)):
            raise AccountError("too-often")
        query = sa.select(accounts.c.id, accounts.c.passphrase).where(accounts.c.known_as == known_as(name))
        found = await self._first(query)
        self._nobodys = self._nobodys or await self._hash(secrets.token_hex(16))
        good = await self._verify(self._nobodys if found is None else found.passphrase, passphrase)
        if found is None or not good:
            raise AccountError("wrong-passphrase")
        self._tries.give_back("try", known_as(name))
        if self._hasher.check_needs_rehash(found.passphrase):
            await self._write(_of(found.id).values(passphrase=await self._hash(passphrase)))
        return await self._new_session(found.id, device)

    async def change_passphrase(self, account: str, old: str, new: str, session: str) -> None:
        """Another passphrase; all other sessions are over."""
        found = await self._first(sa.select(accounts.c.passphrase).where(accounts.c.id == account))
        if self._tries.take("try", account):
            raise AccountError("too-often")
        if found is None or not await self._verify(found.passphrase, old):
            raise AccountError("wrong-passphrase")
        self._tries.give_back("try", account)
        others = sa.delete(sessions).where(
            sessions.c.account == account, sessions.c.token != hash_token(session)
        )
        await self._write(_of(account).values(passphrase=await self._hash(new)), others)

    async def who(self, session: str) -> AccountRow | None:
        """Whose session it is; None if it is nobody's, or over."""
        if not session.startswith(MARK):
            return None
        columns = (accounts.c.id, accounts.c.name, accounts.c.language, accounts.c.created)
        query = (
            sa.select(*columns, sessions.c.seen)
            .join_from(sessions, accounts)
            .where(sessions.c.token == hash_token(session))
        )
        found = await self._first(query)
        now = self._clock()
        if found is None or now - found.seen > KEPT:
            return None
        if now - found.seen > SEEN_EVERY:
            mine = sessions.c.token == hash_token(session)
            await self._write(sa.update(sessions).where(mine).values(seen=now))
        return AccountRow(found.id, found.name, found.language, found.created)

    # Sessions

    async def sessions(self, account: str, session: str) -> list[dict[str, Any]]:
        query = sa.select(sessions).where(sessions.c.account == account).order_by(sessions.c.seen.desc())
        own = hash_token(session)
        return [
            {
                "id": _short(row.token),
                "device": row.device,
                "created": row.created,
                "seen": row.seen,
                "here": row.token == own,
            }
            for row in await self._all(query)
        ]

    async def revoke(self, account: str, id_: str) -> bool:
        """End a session; False if the account has none such."""
        query = sa.select(sessions.c.token).where(sessions.c.account == account)
        found = [row.token for row in await self._all(query) if _short(row.token) == id_]
        if found:
            await self._write(sa.delete(sessions).where(sessions.c.token.in_(found)))
        return bool(found)

    async def revoke_all(self, account: str) -> None:
        """End all sessions."""
        await self._write(sa.delete(sessions).where(sessions.c.account == account))

    # What an account has

    async def seats(self, account: str) -> list[Any]:
        """The seats of an account, by table."""
        query = sa.select(seats.c.table_id, seats.c.side).where(seats.c.account == account)
        return await self._all(query.order_by(seats.c.table_id, seats.c.side))

    async def export(self, account: str, session: str) -> dict[str, Any]:
        """All that is kept about somebody, save what would let others in."""
        columns = (accounts.c.name, accounts.c.language, accounts.c.created)
        me = await self._first(sa.select(*columns).where(accounts.c.id == account))
        places = (
            sa.select(
                tables.c.id.label("table"),
                tables.c.name,
                tables.c.game,
                seats.c.side,
                sa.func.coalesce(notes.c.text, "").label("note"),
            )
            .join_from(seats, tables)
            .outerjoin(notes, sa.and_(notes.c.table_id == seats.c.table_id, notes.c.side == seats.c.side))
            .where(seats.c.account == account)
            .order_by(tables.c.created, seats.c.side)
        )
        drawn = (
            sa.select(
                marks.c.table_id.label("table"), marks.c.kind, marks.c.hexes, marks.c.text, marks.c.seen_by
            )
            .join(seats, sa.and_(marks.c.table_id == seats.c.table_id, marks.c.side == seats.c.side))
            .where(seats.c.account == account)
            .order_by(marks.c.table_id, marks.c.side, marks.c.number)
        )
        told = sa.select(addresses).where(addresses.c.account == account)
        return {
            "account": {} if me is None else dict(me._mapping),
            "sessions": await self.sessions(account, session),
            "seats": [dict(row._mapping) for row in await self._all(places)],
            "marks": [{**row._mapping, "hexes": json.loads(row.hexes)} for row in await self._all(drawn)],
            "addresses": [
                {"kind": row.kind, "target": row.target, "confirmed": row.confirmed, "created": row.created}
                for row in await self._all(told)
            ],
        }

    async def delete(self, account: str) -> None:
        """Forget somebody. His seats stay with the browsers that have their tokens."""
        await self._write(
            sa.update(seats).where(seats.c.account == account).values(account=""),
            sa.delete(addresses).where(addresses.c.account == account),
            sa.delete(sessions).where(sessions.c.account == account),
            sa.delete(accounts).where(accounts.c.id == account),
        )

    async def speak(self, account: str, language: str) -> None:
        await self._write(_of(account).values(language=language))

    # The database and the hasher, away from the event loop

    async def _new_session(self, account: str, device: str) -> str:
        session, now = MARK + secrets.token_urlsafe(24), self._clock()
        row = {"token": hash_token(session), "account": account, "device": device[:120]}
        await self._write(sessions.insert().values(**row, created=now, seen=now))
        return session

    async def _hash(self, passphrase: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, passphrase)

    async def _verify(self, hashed: str, passphrase: str) -> bool:
        async with self._hashing:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, passphrase)
            except (VerificationError, InvalidHashError):
                return False

    async def _first(self, query: sa.Select[Any]) -> Any:
        return next(iter(await self._all(query)), None)

    async def _all(self, query: sa.Select[Any]) -> list[Any]:
        def read() -> list[Any]:
            with self._store.engine.connect() as connection:
                return list(connection.execute(query))

        return await asyncio.to_thread(read)

    async def _write(self, *changes: Any) -> None:
        def write() -> None:
            with self._store.writing() as connection:
                for change in changes:
                    connection.execute(change)

        await asyncio.to_thread(write)


def _of(account: str) -> sa.Update:
    return sa.update(accounts).where(accounts.c.id == account)


def _short(token: str) -> str:
    """A session as its owner may name it."""
    return token[:16]
