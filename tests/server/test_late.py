"""What a database does after the server that asked for it is dead: PostgreSQL finishes a commit that it has
begun, whoever is left to hear of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import psycopg
import pytest

from grognard.server.settings import database_url
from tests.server.conftest import Start
from tests.server.killing import check_rows
from tests.server.postgres import PostgresServer
from tests.server.process import ServerProcess
from tests.server.table import good, offered, play_on

NOT_WAITING = "%20-csynchronous_commit%3Dlocal"
"""Of an address of the database: whoever comes by it is content with this machine's disk."""


class Standby:
    """A copy of the database that every commit has to wait for, and that is not there."""

    def __init__(self, postgres: PostgresServer) -> None:
        self._url = f"host={postgres.folder} user=postgres dbname=postgres"

    def demand(self, name: str) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'".encode())
            connection.execute(b"SELECT pg_reload_conf()")

    def until(self, condition: bytes) -> None:
        """Until there is a line of what the database is doing for which it holds."""
        deadline = time.monotonic() + 60
        with psycopg.connect(self._url, autocommit=True) as connection:
            while not connection.execute(b"SELECT 1 FROM pg_stat_activity WHERE " + condition).fetchone():
                assert time.monotonic() < deadline, condition
                time.sleep(0.02)


@pytest.fixture
def standby(postgres: PostgresServer) -> Iterator[Standby]:
    found = Standby(postgres)
    yield found
    found.demand("")


@contextmanager
def killed_in_the_commit(
    database: str, seat: Callable[[str], tuple[str, str, dict[str, Any]]], standby: Standby, folder: Path
) -> Iterator[None]:
    """An answer is given to a server that is killed when the database has all but carried it out."""
    server = ServerProcess(database, folder)
    try:
        server.wait_until_ready()
        address, token, wish = seat(server.url)
        standby.demand("nobody")
        with ThreadPoolExecutor() as pool:
            headers = {"Authorization": f"Bearer {token}"}
            given = pool.submit(httpx2.post, address, json=wish, headers=headers, timeout=60)
            standby.until(b"wait_event = 'SyncRep'")
            server.kill()
            with pytest.raises(httpx2.TransportError):
                given.result(60)
        yield
    finally:
        with suppress(ProcessLookupError):
            server.kill()


def test_what_the_database_does_late_is_there_once_and_nothing_is_written_over_it(
    postgres: PostgresServer, standby: Standby, start: Start, tmp_path: Path
) -> None:
    database = postgres.new_database()
    with start(database_url(database)) as client:
        seat = client.crossroads(hotseat=True)[0]
        before = play_on([seat], Random(5), 3)
    one, other = offered(before)[:2]

    def asked(url: str) -> tuple[str, str, dict[str, Any]]:
        wish = {"action": one, "version": before["version"]}
        return f"{url}/api/tables/{seat.table}/actions", str(seat.token), wish

    with (
        killed_in_the_commit(database, asked, standby, tmp_path),
        ThreadPoolExecutor() as pool,
        start(database_url(database) + NOT_WAITING) as client,
        seat.at(client).live() as ear,
    ):
        after = seat.at(client)
        # Nobody can see it yet: the next server shows what was there before.
        assert ear.next()["state"]["version"] == after.state()["version"] == before["version"]
        given = pool.submit(after.act, *other, version=before["version"])
        standby.until(b"wait_event_type = 'Lock' AND state = 'active'")
        standby.demand("")
        # Those who look on hear of it when it is there.
        ear.until(lambda message: message["state"]["moments"] == before["moments"] + 1)
        answer = given.result(60)
        assert answer.status_code == 409
        assert answer.json()["state"]["version"] == ear.state["version"]
        assert good(after.get("/save"))["actions"][-1][1:] == one
        play_on([after], Random(6), 3)
    check_rows(database_url(database))
