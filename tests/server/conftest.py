"""The same tests on both databases: SQLite in a file, PostgreSQL in a server started for the occasion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.server.api import create_app
from grognard.server.settings import ServerSettings, database_url
from tests.server.postgres import PostgresServer
from tests.server.secret_game import SecretGame
from tests.server.table import Client

Start = Callable[[str], AbstractContextManager[Client]]
KINDS = ["sqlite", "postgresql"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where maps are drawn, once for all tests."""
    return tmp_path_factory.mktemp("maps")


@pytest.fixture(scope="session")
def leningrad() -> Game[Any]:
    return load_game("leningrad")


@pytest.fixture(scope="session")
def crossroads() -> Game[Any]:
    return load_game("crossroads")


def new_database(kind: str, request: pytest.FixtureRequest) -> str:
    """The URL of an empty database."""
    if kind == "sqlite":
        factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        return f"sqlite:///{factory.mktemp('database') / 'games.sqlite'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return database_url(server.new_database())


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> str:
    return new_database(request.param, request)


@pytest.fixture(scope="session")
def start(leningrad: Game[Any], crossroads: Game[Any], pictures: Path) -> Start:
    """Starts a server on a database; a second one on the same database is a restart."""
    games: dict[str, Game[Any]] = {
        "leningrad": leningrad,
        "a_victory_lost": load_game("a_victory_lost"),
        "crossroads": crossroads,
        "secrets": SecretGame(),
    }

    @contextmanager
    def serving(database: str) -> Iterator[Client]:
        app = create_app(ServerSettings(database, pictures, draw_ahead=False), games)
        with Client(app) as client:
            yield client

    return serving


@pytest.fixture(scope="session", params=KINDS)
def client(request: pytest.FixtureRequest, start: Start) -> Iterator[Client]:
    """A server that all tests share; each has tables of its own."""
    with start(new_database(request.param, request)) as client:
        client.kind = request.param
        yield client


@pytest.fixture(scope="session")
def quick_client(request: pytest.FixtureRequest, start: Start) -> Iterator[Client]:
    """The same, for what does not depend on the database."""
    with start(new_database("sqlite", request)) as client:
        yield client
