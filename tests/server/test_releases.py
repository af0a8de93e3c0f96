"""Games outlive releases (findings R4, R4b), and what a save in the middle of a game holds (L3)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from grognard.cli.main import main
from grognard.files import Folder
from grognard.games.listing import game_folder
from grognard.kernel import Game, SaveError
from grognard.kernel.registry import load_game
from grognard.server import releases as releases_module
from grognard.server.api import create_app
from grognard.server.releases import pack, rewritten, unpack
from grognard.server.sealing import seal, unseal
from grognard.server.settings import ServerSettings
from tests.server.table import Client, Seat, good, offered, play_on, wait_for_turn

served: list[Game[Any]] = []
"""The releases of Crossroads that have been served, the last one last."""
Release = Callable[[Game[Any]], AbstractContextManager[Client]]


@pytest.fixture
def release(database: str, pictures: Path) -> Release:
    """Starts a server on one database with some release of Crossroads."""

    @contextmanager
    def serving(game: Game[Any]) -> Iterator[Client]:
        settings = ServerSettings(database, pictures, draw_ahead=False)
        served.append(game)
        with Client(create_app(settings, {"crossroads": game})) as client:
            yield client

    return serving


@pytest.fixture
def corrected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    """Crossroads with one number of its data corrected, as the next release would have it."""
    folder = tmp_path / "crossroads"
    shutil.copytree(
        game_folder("crossroads").base, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__")
    )
    units = next(path for path in folder.rglob("units.csv"))
    text = units.read_text()
    header, first, *rest = text.splitlines()
    cells = first.split(",")
    column = (
        header.split(",").index("strength") if "strength" in header else header.split(",").index("movement")
    )
    cells[column] = str(int(cells[column]) + 1)
    units.write_text("\n".join([header, ",".join(cells), *rest]) + "\n")
    game: Game[Any] = type(load_game("crossroads"))(Folder(folder))  # type: ignore[call-arg]

    def folder_of(id_: str, overrides: Path | None = None) -> Folder:
        """Of the release that is served now."""
        return Folder(folder) if served[-1:] == [game] else game_folder(id_, overrides)

    monkeypatch.setattr(releases_module, "game_folder", folder_of)
    return game


def begun(client: Client, **wish: Any) -> Seat:
    table = client.table("crossroads", hotseat=True, listed=True, **wish)
    seat = table.seat(next(iter(table.tokens)))
    play_on([seat], Random(1), 12)
    return seat


def test_r4_a_game_goes_on_with_the_data_it_was_made_with(release: Release, corrected: Game[Any]) -> None:
    """A change of one number made every door of every running table 410."""
    now = load_game("crossroads")
    with release(now) as client:
        seat = begun(client)
        before, log = seat.state(), seat.log()
    assert corrected.digest(before["scenario"]) != now.digest(before["scenario"])
    with release(corrected) as client:
        seat = seat.at(client)
        # Advice is thought out by workers, who have the data in use only.
        assert seat.state() == {**before, "suggests": False} and seat.log() == log
        assert seat.table in client.lobby()
        after = play_on([seat], Random(2), 8)
        assert after["moments"] > before["moments"] and after["pinned"] is None
        for door in ("/moments", "/at/1", "/save", "/chat"):
            assert seat.get(door).status_code == 200, door
        # New tables have the new data.
        begun(client)
    with release(now) as client:
        assert seat.at(client).state()["version"] == after["version"]


def test_r4_without_its_data_a_game_can_be_read_downloaded_and_resigned(
    database: str, release: Release, corrected: Game[Any]
) -> None:
    with release(load_game("crossroads")) as client:
        seat = begun(client)
        before = seat.state()
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM editions"))
        connection.execute(sa.text("UPDATE tables SET data = 'gone-gone'"))
    engine.dispose()
    with release(corrected) as client:
        assert_pinned(seat.at(client), before["moments"])
        assert seat.table in client.lobby()


def assert_pinned(seat: Seat, moments: int) -> None:
    state = seat.state(lang="fr")
    assert state["pinned"] and "abandonner" in state["pinned"] and state["moments"] <= moments
    for path, body in (
        *(("/actions", {"action": ["end"]}), ("/undo", {}), ("/takeback", {"to": 0})),
        *(("/orders", {"order": {}}), ("/suggestion", {})),
    ):
        answer = seat.post(path, body, lang="fr")
        assert answer.status_code == 410 and answer.json()["text"] == state["pinned"], path
    save = json.loads(seat.get("/save").text)
    assert len(save["actions"]) >= moments
    good(seat.post("/chat", {"text": "a pity"}))
    assert seat.log() is not None and good(seat.get("/moments"))
    assert good(seat.post("/resign"))["outcome"]["level"] == "resigned"


def test_r4_a_game_of_other_rules_goes_on_if_everything_fits(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("crossroads")
    with release(game) as client:
        seat = begun(client)
        before = seat.state()
    monkeypatch.setattr(type(game), "rules_version", "next")
    for _ in range(2):
        with release(game) as client:
            seat = seat.at(client)
            assert seat.state()["pinned"] is None
            assert seat.state()["view"] == before["view"]
            play_on([seat], Random(3), 1)
            before = seat.state()


def test_r4b_a_rule_repaired_without_a_new_version_breaks_its_own_table_only(
    database: str, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It made old tables 500, and the whole lobby too."""
    game = load_game("crossroads")
    with release(game) as client:
        seat, other = begun(client), begun(client)
        moments = seat.state()["moments"]
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        # As the first schema left it: the lobby must open the table to say where it stands.
        connection.execute(sa.text("UPDATE tables SET turn = NULL"))
        # An answer in the middle that the repaired rule refuses.
        words = json.dumps(["amber", "end"])
        connection.execute(
            sa.text("UPDATE answers SET words = :words WHERE table_id = :id AND number = 4"),
            {"words": words, "id": seat.table},
        )
    engine.dispose()
    with release(game) as client:
        lobby = client.lobby()
        assert set(lobby) == {seat.table, other.table}
        play_on([other.at(client)], Random(5), 2)
        assert_pinned(seat.at(client), moments)


def test_r4b_a_rule_that_fails_does_not_take_the_lobby_down(
    database: str, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("crossroads")
    with release(game) as client:
        begun(client)
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE tables SET turn = NULL"))
    engine.dispose()

    def broken(*args: Any, **kwargs: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(type(game), "start", broken)
    with release(game) as client:
        assert client.get("/api/tables").json() == []


def test_r4_a_table_whose_game_is_gone_says_so(database: str, release: Release, pictures: Path) -> None:
    with release(load_game("crossroads")) as client:
        seat = begun(client)
    with Client(create_app(ServerSettings(database, pictures, draw_ahead=False), {})) as client:
        answer = seat.at(client).get(lang="fr")
        assert answer.status_code == 410 and answer.json()["text"].startswith("Le jeu de cette table")
        assert client.get("/api/tables").json() == []


def test_readers_rewrite_journals_version_by_version() -> None:
    class Rules:
        rules_version = "3"
        readers = {
            "1": ("2", lambda words: [["a", *w] for w in words]),
            "2": ("3", lambda words: [["b", *w] for w in words]),
        }

    game: Any = Rules()
    assert rewritten(game, "1", [["x"]]) == [["b", "a", "x"]]
    assert rewritten(game, "2", [["x"]]) == [["b", "x"]]
    assert rewritten(game, "3", [["x"]]) == rewritten(game, "0", [["x"]]) == [["x"]]


def test_kept_data_are_found_where_files_have_moved_to(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, place in ((old, "units.csv"), (new, "tables/units.csv")):
        (folder / place).parent.mkdir(parents=True)
        (folder / place).write_text(f"id\n{folder.name}\n")
    (new / "text").mkdir()
    (new / "text" / "words.toml").write_text("")
    laid = unpack(pack(Folder(old)), Folder(new), tmp_path / "out")
    assert (laid.base / "tables/units.csv").read_text() == "id\nold\n"
    assert (laid.base / "text/words.toml").is_file() and not (laid.base / "units.csv").exists()


@pytest.mark.parametrize("id_", ["leningrad", "a_victory_lost", "crossroads"])
def test_a_games_kept_data_give_the_same_game(id_: str, tmp_path: Path) -> None:
    game = load_game(id_)
    folder = game_folder(id_)
    again = type(game)(unpack(pack(folder), folder, tmp_path))  # type: ignore[call-arg]
    assert {s: again.digest(s) for s in again.scenarios} == {s: game.digest(s) for s in game.scenarios}


# Upgrades


def test_an_upgrade_says_beforehand_what_it_would_do(
    database: str,
    release: Release,
    corrected: Game[Any],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GROGNARD_HOME", str(tmp_path))
    with release(load_game("crossroads")) as client:
        begun(client)
        begun(client)
    with release(corrected) as client:
        begun(client)
    monkeypatch.setenv("GROGNARD_DATABASE", database)
    served.clear()
    assert main(["server", "upgrade", "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    # Two have the data in use again, one those that were kept.
    assert told == {"tables": 3, "replayed": 2, "kept": 1}
    assert main(["server", "upgrade", "--dry-run", "--lang", "fr"]) == 0
    assert "3" in capsys.readouterr().out


# Saves (L3)


def test_l3_a_save_in_the_middle_does_not_tell_what_the_computer_hides(client: Client) -> None:
    """It held five `take` and three `select` of the computer's."""
    table = client.table("a_victory_lost", seats={"soviet": "random"})
    axis = table.seat("axis")
    state = wait_for_turn(axis)
    for _ in range(3):
        state = axis.play(*offered(state)[0])
        state = wait_for_turn(axis)
    text = axis.get("/save").text
    assert "take" not in text and '"seed"' not in text and "chit" not in text
    made = good(client.post("/api/saves", json={"text": text, "seats": {"soviet": "random"}}))
    again = Seat(client, made["table"], made["seats"]["axis"])
    assert wait_for_turn(again)["view"]["units"] == state["view"]["units"]
    good(axis.post("/resign"))
    assert json.loads(axis.get("/save").text)["seed"]


def test_l3_a_sealed_save_is_opened_by_its_server_alone() -> None:
    key, other = "11" * 32, "22" * 32
    sealed = seal("a secret " * 50, key, game="x")
    assert unseal(sealed, key) == "a secret " * 50 and "secret" not in sealed
    assert seal("same", key) != seal("same", key)
    with pytest.raises(SaveError, match="another server"):
        unseal(sealed, other)
    head = json.loads(sealed)
    word = head["sealed"]
    changed = word[:40] + ("A" if word[40] != "A" else "B") + word[41:]
    with pytest.raises(SaveError):
        unseal(json.dumps({**head, "sealed": changed}), key)
    for bad in ("", "x", "AAAA"):
        with pytest.raises(SaveError):
            unseal(json.dumps({"sealed": bad}), key)
    assert unseal("not json", key) == "not json" and unseal("[1]", key) == "[1]"
