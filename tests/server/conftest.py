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


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'games.sqlite'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    yield database_url(server.new_database())


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """For what does not depend on the database."""
    return f"sqlite:///{tmp_path / 'games.sqlite'}"


@contextmanager
def serving(database: str, pictures: Path, games: dict[str, Game[Any]]) -> Iterator[Client]:
    app = create_app(ServerSettings(database, pictures, draw_ahead=False), games)
    with Client(app) as client:
        yield client


@pytest.fixture
def start(leningrad: Game[Any], pictures: Path) -> Start:
    """Starts a server on a database; a second one on the same database is a restart."""
    games = {"leningrad": leningrad, "secrets": SecretGame()}
    return lambda database: serving(database, pictures, games)


@pytest.fixture
def client(database: str, start: Start) -> Iterator[Client]:
    with start(database) as client:
        yield client


@pytest.fixture
def quick_client(sqlite: str, start: Start) -> Iterator[Client]:
    with start(sqlite) as client:
        yield client
