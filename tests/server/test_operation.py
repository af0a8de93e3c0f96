"""Running a server: backups, health, figures, logs, and what happens when the database is away."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from grognard.cli.main import main
from grognard.server.api import create_app
from grognard.server.backup import BackupError, back_up, check, restore
from grognard.server.logs import JsonLines, log_request
from grognard.server.settings import ServerSettings
from grognard.server.store import NewerDatabaseError, Store
from tests.server.conftest import KINDS, Start, new_database
from tests.server.killing import check_rows
from tests.server.table import Client, Seat, good, offered, play_on, wait_for_turn

# Backup (U2)


def test_u2_a_backup_under_load_is_whole_and_can_be_played_on(
    database: str, start: Start, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """A plain copy of the file of a running SQLite database held 1 of 31 tables."""
    file = tmp_path / "games.backup"
    stop = threading.Event()
    acknowledged: dict[str, tuple[Seat, str]] = {}

    def play(client: Client, seed: int) -> None:
        random = Random(seed)
        while not stop.is_set():
            seat = client.table(hotseat=True).seat("amber")
            state = play_on([seat], random, 12)
            acknowledged[seat.table] = (seat, state["version"])

    with start(database) as client:
        players = [threading.Thread(target=play, args=(client, seed)) for seed in range(3)]
        for player in players:
            player.start()
        while len(acknowledged) < 6:
            time.sleep(0.02)
        before = dict(acknowledged)
        copied = back_up(database, file)
        stop.set()
        for player in players:
            player.join()
    assert copied.tables >= len(before) and copied == check(file)
    assert list(tmp_path.iterdir()) == [file]
    # Into a new database of either kind.
    for kind in KINDS:
        other = new_database(kind, request)
        assert restore(file, other) == copied
        check_rows(other)
        with start(other) as client:
            for seat, version in before.values():
                assert seat.at(client).state()["version"] == version
            one = next(iter(before.values()))[0].at(client)
            play_on([one], Random(9), 10)
            good(one.post("/chat", {"text": "on we go"}))


def test_u2_a_backup_is_put_back_into_an_empty_database_only(
    database: str, start: Start, tmp_path: Path
) -> None:
    with start(database) as client:
        table = client.table(hotseat=True)
    file = tmp_path / "b"
    back_up(database, file)
    with pytest.raises(BackupError, match="not-empty"):
        restore(file, database)
    with start(database) as client:
        assert table.seat("amber").at(client).state()
    assert list(tmp_path.iterdir()) == [file]


def test_u2_what_is_no_backup_is_not_put_back(tmp_path: Path, database: str) -> None:
    nonsense = tmp_path / "nonsense"
    nonsense.write_bytes(b"not a database at all" * 300)
    with pytest.raises(BackupError, match="no-backup"):
        restore(nonsense, database)
    with pytest.raises(FileNotFoundError):
        restore(tmp_path / "nowhere", database)
    with pytest.raises(BackupError, match="no-database"):
        back_up(f"sqlite:///{tmp_path / 'none.sqlite'}", tmp_path / "copy")
    assert not (tmp_path / "copy").exists() and not (tmp_path / "copy.part").exists()


def test_u2_a_backup_with_a_gap_is_noticed(start: Start, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    with start(database) as client:
        play_on([client.table(hotseat=True).seat("amber")], Random(1), 5)
    file = tmp_path / "copy"
    back_up(database, file)
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM answers WHERE number = 2")
    connection.close()
    with pytest.raises(BackupError, match="damaged"):
        check(file)


def test_u2_an_older_backup_is_brought_up_to_date(tmp_path: Path, database: str) -> None:
    old = f"sqlite:///{tmp_path / 'old.sqlite'}"
    Store(old, revision="0002").close()
    file = tmp_path / "copy"
    back_up(old, file)
    assert restore(file, database).tables == 0
    Store(database).close()


def test_u2_the_commands_say_what_they_did(
    tmp_path: Path, start: Start, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_DATABASE", "")
    monkeypatch.setenv("GROGNARD_HOME", str(tmp_path))
    database = f"sqlite:///{tmp_path / 'a.sqlite'}"
    with start(database) as client:
        client.table()
    file = str(tmp_path / "copy")
    assert main(["server", "backup", file, "--database", database, "--lang", "en"]) == 0
    assert "1 tables with 0 answers" in capsys.readouterr().out
    other = f"sqlite:///{tmp_path / 'b.sqlite'}"
    assert main(["server", "restore", file, "--database", other, "--lang", "fr"]) == 0
    assert "remises en place" in capsys.readouterr().out
    assert main(["server", "restore", file, "--database", other, "--lang", "fr"]) == 1
    assert "base vide" in capsys.readouterr().out


# Databases that are away, full or too new (R3, R5, R8)


def test_r3_r8_a_database_that_is_away_is_said_so(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    with start(database) as client:
        table = client.table(hotseat=True)
        seat = table.seat("amber")
        before = seat.state()

        def away(*args: Any, **kwargs: Any) -> Any:
            raise sa.exc.OperationalError("select", {}, Exception("server closed the connection"))

        with monkeypatch.context() as patch:
            patch.setattr(sa.Engine, "connect", away)
            patch.setattr(sa.Engine, "begin", away)
            for answer in (
                seat.act(*offered(before)[0], version=before["version"]),
                client.get("/api/tables"),
                client.get("/api/health"),
                seat.get("/chat"),
                client.post("/api/tables", json={"game": "crossroads"}),
            ):
                assert answer.status_code == 503, answer.text
                assert answer.json()["code"] == "storage" and int(answer.headers["Retry-After"]) > 0
            french = client.get("/api/tables?lang=fr").json()["text"]
            assert french.startswith("Le serveur ne peut")
        assert seat.state() == before
        assert good(client.get("/api/health")) == {
            "status": "ok",
            "version": good(client.get("/api/health"))["version"],
        }


def test_r3_an_error_of_ours_is_a_sentence(quick_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = quick_client.table().seat("amber")

    def broken(*args: Any) -> Any:
        raise RuntimeError("a secret")

    monkeypatch.setattr("grognard.server.views.written_state", broken)
    answer = seat.get("", lang="fr")
    assert answer.status_code == 500 and answer.json()["code"] == "fault"
    assert "secret" not in answer.text and answer.json()["text"].startswith("Une erreur")


def test_r5_a_newer_database_is_named_so(database: str) -> None:
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(NewerDatabaseError):
        Store(database)


def test_r5_the_server_says_it_in_a_sentence(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    command = [sys.executable, "-m", "grognard.server", "--port", "0"]
    environment = {
        "GROGNARD_DATABASE": database,
        "GROGNARD_HOME": str(tmp_path),
        "PYTHONPATH": ":".join(sys.path),
    }
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 1 and "newer Grognard" in told.stderr and "Traceback" not in told.stderr


# The computer after a restart (R1)


def test_r1_the_computer_goes_on_without_a_visitor(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table(seats={"amber": "random"})
        wait_for_turn(table.seat("cobalt"))
    # As if it had been stopped before the computer had answered.
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM answers"))
        connection.execute(sa.text("UPDATE tables SET length = 0, actor = 'amber', turn = 1"))
    assert store.waiting_for_computer() == [table.id]
    with start(database):
        deadline = time.monotonic() + 20
        while not store.journal(table.id):
            assert time.monotonic() < deadline, "nobody came, and the computer slept"
            time.sleep(0.05)
    store.close()


# Which games


def test_a_server_may_have_some_of_the_games_only(database: str, tmp_path: Path) -> None:
    settings = ServerSettings(database, tmp_path, draw_ahead=False, games=("crossroads",))
    with Client(create_app(settings)) as client:
        assert client.table("crossroads").seat("amber").state()
        other = client.post("/api/tables", json={"game": "leningrad"})
        assert (other.status_code, other.json()["detail"]) == (422, "no such game")


# Figures and logs


def test_the_figures_count_doors_and_no_table(quick_client: Client) -> None:
    table = quick_client.table("secrets")
    table.seat("red").play("choose", "371")
    app: Any = quick_client.app
    app.state.settings = app.state.settings._replace(metrics_word="open sesame")
    try:
        assert quick_client.get("/metrics").status_code == 404
        assert quick_client.get("/metrics", headers={"Authorization": "Bearer no"}).status_code == 404
        answer = quick_client.get("/metrics", headers={"Authorization": "Bearer open sesame"})
    finally:
        app.state.settings = app.state.settings._replace(metrics_word="")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    text = answer.text
    assert table.id not in text and table.tokens["red"] not in text
    made = re.search(r'grognard_requests_total\{method="POST",door="/api/tables",status="201"\} (\d+)', text)
    assert made and int(made[1]) >= 1
    assert 'door="/api/tables/{table}/actions"' in text
    for line in text.splitlines():
        assert line.startswith("#") or re.fullmatch(
            r"[a-z_]+(\{[^}]*(\{[^}]*\}[^}]*)*\})? [0-9.e+-]+", line
        ), line


def test_the_figures_are_for_this_machine_unless_there_is_a_word(quick_client: Client) -> None:
    app = quick_client.app
    here = Client(app)
    here._transport.client = ("127.0.0.1", 5)  # type: ignore[attr-defined]
    assert here.get("/metrics").status_code == 200
    assert here.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404
    away = Client(app)
    away._transport.client = ("192.0.2.7", 5)  # type: ignore[attr-defined]
    assert away.get("/metrics").status_code == 404


def test_a_line_of_the_log_is_json_and_holds_no_value(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "grognard")
    log_request("POST", "/api/tables/{table}/actions", 200, 0.0123)
    line = json.loads(JsonLines().format(caplog.records[-1]))
    assert (line["method"], line["door"], line["status"], line["ms"]) == (
        *("POST", "/api/tables/{table}/actions"),
        *(200, 12.3),
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
    try:
        seed = "0123456789abcdef"
        raise ValueError(seed)
    except ValueError:
        logging.getLogger("grognard.x").exception("it failed")
    told = JsonLines().format(caplog.records[-1])
    assert seed not in told and json.loads(told)["error"] == "ValueError"
