"""Finished games, replayed answer by answer: what the rules did once they do for ever.

If a test here fails, the rules or the data have changed for games already played. If that was meant, see
tools/corpus.py.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tools.corpus import digest, read_ledger, record, saves_of

from grognard.kernel import Game, Match
from grognard.kernel.registry import load_game
from grognard.server.api import create_app
from grognard.server.room import hash_token
from grognard.server.settings import ServerSettings
from grognard.server.store import SeatRow, Store, TableRow
from tests.server.table import Client, Seat, good

HERE = Path(__file__).parent
GAMES = ("leningrad", "a_victory_lost", "stalingrad_roads", "typhoon", "second_front")
SAVES = [path for game in GAMES for path in sorted((HERE / game).glob("*.json"))]
PAST = sorted((HERE / "past").glob("*/*.json"))

load = cache(load_game)


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_finished_game_replays_to_the_same_end(path: Path) -> None:
    game: Game[Any] = load(path.parent.name)
    match = Match.load(game, path.read_text(encoding="utf-8"))
    assert match.over
    assert game.outcome(match.state) is not None
    assert match.save() == path.read_text(encoding="utf-8")


def test_every_playable_game_has_a_corpus() -> None:
    assert {path.parent.name for path in SAVES} == set(GAMES)


# Versions


@pytest.mark.parametrize("game", GAMES)
def test_a_version_of_the_rules_does_what_it_did(game: str) -> None:
    """A corpus that was written anew without a new version fails here: raise `rules_version`, then run
    tools/corpus.py again."""
    versions = read_ledger()[game]
    assert versions[load(game).rules_version]["digest"] == digest(saves_of(game))
    # Only the version in use can still change.
    assert [version for version, entry in versions.items() if not entry["settled"]] in (
        [],
        [load(game).rules_version],
    )
    assert max(map(int, versions)) == int(load(game).rules_version)


def test_a_settled_version_cannot_be_written_again() -> None:
    saves = saves_of("leningrad")
    save = json.loads(saves[0])
    other = json.dumps({**save, "hash": "0" * 32})
    rules = save["rules"]
    ledger = {"leningrad": {rules: {"digest": digest(saves), "settled": True}}}
    with pytest.raises(SystemExit, match="raise it"):
        record(ledger, "leningrad", rules, [other, *saves[1:]])
    record(ledger, "leningrad", rules, saves)
    record(ledger, "leningrad", "next", [other])
    assert not ledger["leningrad"]["next"]["settled"]
    record(ledger, "leningrad", "next", saves)
    assert ledger["leningrad"]["next"]["digest"] == digest(saves)


# Games of past versions


@pytest.fixture(scope="module")
def museum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, dict[Path, Seat]]]:
    """A server with a table of every past version, as the database of that release would have it."""
    folder = tmp_path_factory.mktemp("past")
    database = f"sqlite:///{folder / 'games.sqlite'}"
    store, seats = Store(database), {}
    games = {game: load(game) for game in GAMES}
    for number, path in enumerate(PAST):
        save = json.loads(path.read_text(encoding="utf-8"))
        sides = games[save["game"]].sides
        seats[path] = (f"t{number}", sides[0])
        now = time.time()
        row = TableRow(
            id=f"t{number}",
            **{key: save[key] for key in ("game", "rules", "data", "scenario", "options", "seed")},
            name=path.stem,
            listed=True,
            hotseat=True,
            resigned="",
            created=now,
            updated=now,
        )
        # Two people at one screen, who have one word for both seats.
        places = [SeatRow(row.id, side, hash_token(sides[0]), "human", "", True) for side in sides]
        places.append(SeatRow(row.id, "watch", hash_token("watch"), "human", "", True))
        store.create(row, places, save["actions"])
    store.close()
    with Client(create_app(ServerSettings(database, folder, draw_ahead=False), games)) as client:
        yield client, {path: Seat(client, *seat) for path, seat in seats.items()}


def test_every_past_version_has_a_game() -> None:
    for game in GAMES:
        past = range(1, int(load(game).rules_version))
        assert {path.stem for path in PAST if path.parent.name == game} == {str(number) for number in past}
    for path in PAST:
        assert json.loads(path.read_text(encoding="utf-8"))["rules"] == path.stem


@pytest.mark.parametrize("path", PAST, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_game_of_a_past_version_can_be_read_downloaded_and_resigned(
    museum: tuple[Client, dict[Path, Seat]], path: Path
) -> None:
    """Its journal is replayed as far as the present rules and data agree with it; then it stays as it is."""
    client, seats = museum
    seat = seats[path]
    save = json.loads(path.read_text(encoding="utf-8"))
    assert seat.table in client.lobby()
    state = seat.state()
    assert state["view"]["units"] and state["moments"] <= len(save["actions"])
    assert state["over"] or state["pinned"], "it went on under other rules"
    kept = json.loads(seat.get("/save").text)
    assert (kept["actions"], kept["rules"], kept["seed"]) == (save["actions"], save["rules"], save["seed"])
    if not state["over"]:
        assert good(seat.post("/resign"))["outcome"]["level"] == "resigned"
