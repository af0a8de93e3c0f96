"""Accounts: games follow a person from one device to another; without one everything is as before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from grognard.server.accounts import KEPT, TRIES, AccountError, Accounts, known_as
from grognard.server.quotas import USUAL, kind_of
from grognard.server.schema import accounts, sessions
from grognard.server.store import Store
from tests.server.conftest import Start
from tests.server.table import Client, Seat, Table, good

PHRASE = "quatre chevaux au gué"


class Person:
    """Somebody with an account, on a device."""

    def __init__(self, client: Client, session: str) -> None:
        self.client, self.session = client, session
        self._headers = {"Authorization": f"Bearer {session}"}

    def get(self, path: str = "") -> Any:
        return good(self.client.get(f"/api/account{path}", headers=self._headers))

    def ask(self, method: str, path: str, body: Any = None, lang: str = "en") -> Any:
        return self.client.request(
            method, f"/api/account{path}", headers=self._headers, json=body, params={"lang": lang}
        )

    def keep(self, table: Table, side: str) -> Seat:
        """Keep a seat with the account, and take it by the session alone."""
        body = {"table": table.id, "token": table.seat(side).token}
        good(self.ask("POST", "/seats", body))
        return Seat(self.client, table.id, self.session)


def register(client: Client, name: str, phrase: str = PHRASE) -> Person:
    made = client.post("/api/account", json={"name": name, "passphrase": phrase})
    assert made.status_code == 201, made.text
    return Person(client, made.json()["session"])


def enter(client: Client, name: str, phrase: str = PHRASE, lang: str = "en") -> Any:
    return client.post(
        "/api/account/sessions", json={"name": name, "passphrase": phrase}, params={"lang": lang}
    )


def test_a_game_begun_on_the_phone_is_played_on_at_the_desk(client: Client) -> None:
    table = client.table("crossroads")
    phone = register(client, "Katukov")
    phone.keep(table, "amber").play("stake", "amber-3")

    desk = Person(client, enter(client, "  katukov ").json()["session"])
    line = desk.get("/games")[0]
    assert (line["table"], line["you"]) == (table.id, ["amber"])
    seat = Seat(client, table.id, desk.session)
    assert seat.state()["you"] == ["amber"]
    table.seat("cobalt").play("stake", "cobalt-1")
    assert seat.state()["must_act"] == ["amber"]
    with seat.live() as heard:
        assert heard.next()["state"]["you"] == ["amber"]


def test_a_session_without_a_seat_is_a_spectator_and_no_more(client: Client) -> None:
    mine, open_, closed = register(client, "Rotmistrov"), client.table("crossroads", listed=True), None
    closed = client.table("crossroads")
    assert Seat(client, open_.id, mine.session).state()["you"] == []
    assert Seat(client, closed.id, mine.session).get("").status_code == 403
    assert Seat(client, closed.id, "me.nonsense").get("").status_code == 403
    # A token of the spectators is no seat to be kept.
    kept = mine.ask("POST", "/seats", {"table": closed.id, "token": closed.watch.token})
    assert kept.status_code == 403


def test_what_is_wrong_is_said_in_the_readers_language(client: Client) -> None:
    register(client, "Lelyushenko")
    taken = client.post("/api/account", json={"name": "LELYUSHENKO", "passphrase": PHRASE})
    assert (taken.status_code, taken.json()["code"]) == (409, "name-taken")
    for name, phrase in (("Lelyushenko", "another horse"), ("Nobody at all", PHRASE)):
        wrong = enter(client, name, phrase, "fr")
        assert wrong.status_code == 403
        assert wrong.json()["text"] == "Aucun compte n’a ce nom et cette phrase secrète."
    short = client.post("/api/account", json={"name": "Short", "passphrase": "secret"})
    assert short.status_code == 422
    assert client.get("/api/account").status_code == 401
    assert client.get("/api/account", headers={"Authorization": "Bearer me.x"}).status_code == 401


def test_sessions_are_listed_and_end_when_their_owner_says_so(client: Client) -> None:
    here = register(client, "Rybalko")
    lost = Person(client, enter(client, "Rybalko").json()["session"])
    listed = here.get("/sessions")
    assert sorted(line["here"] for line in listed) == [False, True]
    other = next(line["id"] for line in listed if not line["here"])
    assert here.session not in str(listed) and lost.session not in str(listed)
    stranger = register(client, "Somebody else")
    assert stranger.ask("DELETE", f"/sessions/{other}").status_code == 404
    assert lost.get()["name"] == "Rybalko"
    good(here.ask("DELETE", f"/sessions/{other}"))
    assert lost.ask("GET", "").status_code == 401
    assert here.get()["name"] == "Rybalko"


def test_another_passphrase_ends_all_other_sessions(client: Client) -> None:
    here = register(client, "Bogdanov")
    other = Person(client, enter(client, "Bogdanov").json()["session"])
    wrong = here.ask("POST", "/passphrase", {"old": "not this one at all", "new": "five oxen at a ford"})
    assert wrong.status_code == 403
    good(here.ask("POST", "/passphrase", {"old": PHRASE, "new": "five oxen at a ford"}))
    assert other.ask("GET", "").status_code == 401
    assert here.get()["name"] == "Bogdanov"
    assert enter(client, "Bogdanov").status_code == 403
    assert enter(client, "Bogdanov", "five oxen at a ford").status_code == 201


def test_one_takes_what_is_kept_and_is_forgotten(client: Client) -> None:
    table, here = client.table("crossroads", name="Fords"), register(client, "Kravchenko")
    seat = here.keep(table, "amber")
    good(seat.put("/note", {"text": "hold the mill"}))
    good(here.ask("PUT", "/language", {"language": "fr"}))
    kept = here.get("/export")
    assert kept["account"]["name"] == "Kravchenko" and kept["account"]["language"] == "fr"
    place = {"table": table.id, "name": "Fords", "game": "crossroads", "side": "amber"}
    assert kept["seats"] == [{**place, "note": "hold the mill"}]
    assert len(kept["sessions"]) == 1
    assert PHRASE not in str(kept) and "argon2" not in str(kept)

    good(here.ask("DELETE", ""))
    assert here.ask("GET", "").status_code == 401
    assert seat.get("").status_code == 403
    assert enter(client, "Kravchenko").status_code == 403
    # The browser that has the seat's own token plays on.
    assert table.seat("amber").state()["you"] == ["amber"]
    register(client, "Kravchenko")


def test_who_leaves_takes_the_account_from_the_seat(client: Client) -> None:
    table, here = client.table("crossroads"), register(client, "Badanov")
    seat = here.keep(table, "cobalt")
    good(seat.post("/leave"))
    assert seat.get("").status_code == 403
    assert here.get("/games") == []


def test_accounts_are_there_after_a_restart(start: Start, database: str) -> None:
    with start(database) as client:
        here, table = register(client, "Vatutin"), client.table("crossroads")
        here.keep(table, "amber")
    with start(database) as client:
        assert Seat(client, table.id, here.session).state()["you"] == ["amber"]
        assert enter(client, "Vatutin").status_code == 201


def test_only_hashes_are_kept(start: Start, database: str) -> None:
    with start(database) as client:
        here = register(client, "Hoth")
        with client.app.state.store.engine.connect() as connection:  # type: ignore[attr-defined]
            stored = connection.execute(sa.select(accounts.c.passphrase)).scalar_one()
            token = connection.execute(sa.select(sessions.c.token)).scalar_one()
    assert stored.startswith("$argon2id$") and PHRASE not in stored
    assert "m=65536" in stored
    assert here.session not in token


@pytest.fixture
def moments() -> list[float]:
    return [1_000_000.0]


@pytest.fixture
def office(database: str, moments: list[float]) -> Iterator[Accounts]:
    """Accounts with a clock of the test's own, and a hasher that costs nothing."""
    store = Store(database)
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    yield Accounts(store, cheap, lambda: moments[0])
    store.close()


def test_guessing_is_slow_for_each_name(office: Accounts, moments: list[float]) -> None:
    async def guess() -> str:
        try:
            await office.enter("Paulus", "a wrong passphrase", "")
        except AccountError as error:
            return str(error)
        return ""

    async def walk() -> None:
        await office.register("Paulus", PHRASE, "en", "")
        assert [await guess() for _ in range(TRIES.burst + 1)] == [
            *["wrong-passphrase"] * TRIES.burst,
            "too-often",
        ]
        with pytest.raises(AccountError, match="too-often"):
            await office.enter("Paulus", PHRASE, "")
        moments[0] += TRIES.every
        # Who knows the passphrase may enter as often as he likes.
        for _ in range(TRIES.burst):
            assert await office.enter("Paulus", PHRASE, "")

    asyncio.run(walk())


def test_a_session_that_nobody_uses_is_over(office: Accounts, moments: list[float]) -> None:
    async def walk() -> None:
        session = await office.register("Schmidt", PHRASE, "en", "")
        for _ in range(3):
            moments[0] += KEPT - 1
            assert await office.who(session) is not None
        moments[0] += KEPT + 1
        assert await office.who(session) is None

    asyncio.run(walk())


def test_a_hash_of_the_past_is_made_anew(office: Accounts, database: str) -> None:
    async def walk() -> None:
        await office.register("Seydlitz", PHRASE, "en", "")
        later = Accounts(office._store, PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
        assert await later.enter("Seydlitz", PHRASE, "")

    asyncio.run(walk())
    with office._store.engine.connect() as connection:
        assert "m=16,t=2" in connection.execute(sa.select(accounts.c.passphrase)).scalar_one()


def test_names_that_look_alike_are_one() -> None:
    assert known_as(" Von  MANSTEIN ") == known_as("von manstein") == known_as("ｖｏｎ manstein")


def test_entering_is_counted() -> None:
    for path in ("/api/account", "/api/account/sessions", "/api/account/passphrase"):
        assert kind_of("POST", path) == "enter"
    assert USUAL.buckets["enter"].burst <= 10
