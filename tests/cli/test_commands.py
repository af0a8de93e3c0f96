"""Each command, as a user calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grognard.board import Board
from grognard.board.board import each
from grognard.cli import bench, check
from grognard.cli.main import main
from grognard.files import Folder
from grognard.files.rulebook import Rulebook
from grognard.games.listing import game_folder, listed_games
from grognard.kernel import Match
from grognard.kernel.registry import game_ids, load_game
from grognard.lab import play_game
from grognard.mechanics.movement import Costs, Ground, connected, reach, within_cost
from grognard.players import seat

LANGUAGES = ("en", "fr")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_LANG", "en")


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def apart(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "grognard.cli.main", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "random", **environment},
    )


# games


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_says_plainly_what_can_be_played(capsys: pytest.CaptureFixture[str], language: str) -> None:
    status, out, _ = call(capsys, "games", "--lang", language)
    assert status == 0
    for entry in listed_games():
        assert entry.id in out
    assert ("unaffiliated" in out) or ("not affiliated" in out) or ("pas lié" in out)


def test_the_catalogue_is_true() -> None:
    """A game is called playable if and only if it can be loaded, and a map is promised only if there is
    one."""
    for entry in listed_games():
        assert (entry.state == "playable") == (entry.id in game_ids()), entry.id
        assert (entry.state != "planned") == (game_folder(entry.id).base / "map").is_dir(), entry.id


# sim


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def outcomes(out: str) -> list[tuple[Any, ...]]:
    """What must be the same again: all but the seconds."""
    return [tuple(v for k, v in line.items() if k != "seconds") for line in lines(out)[:-1]]


def test_sim_is_the_same_in_two_processes_and_with_one_or_two_workers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("sim", "crossroads", "--games", "4", "--seed", "s", "--players", "random,random", "--json")
    status, out, _ = call(capsys, *asked)
    assert status == 0
    found = lines(out)
    assert list(found[0]) == ["seed", "winner", "level", "turns", "decisions", "hash", "seconds"]
    assert [line["seed"] for line in found[:-1]] == ["s-0", "s-1", "s-2", "s-3"]
    assert found[-1]["games"] == 4
    assert found[-1]["decisions"] == sum(line["decisions"] for line in found[:-1])
    other = apart(*asked, "--workers", "2")
    assert other.returncode == 0, other.stderr
    assert outcomes(other.stdout) == outcomes(out)
    assert lines(other.stdout)[-1]["hash"] == found[-1]["hash"]


def test_sim_refuses_players_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "sim", "crossroads", "--players", "random,napoleon")
    assert status == 1
    assert "napoleon" in err
    status, _, err = call(capsys, "sim", "crossroads", "--players", "random")
    assert status == 1
    assert "2 players" in err


def test_a_game_that_is_not_installed_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "sim", "waterloo")
    assert status == 1
    assert "waterloo" in err


# replay


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game stopped on its third turn."""
    game = load_game("crossroads")
    match = Match(game, "morning", seed="replay")
    players = [seat("random", str(side)) for side in game.sides]
    while game.turn(match.state) < 3:
        side = game.actor(match.state)
        assert side is not None
        assert match.act(side, players[side].choose(game, match.state, side)) is None
    path = tmp_path_factory.mktemp("saves") / "third-turn.json"
    path.write_text(match.save(), encoding="utf-8")
    return path


@pytest.mark.parametrize(("language", "word"), [("en", "== Turn 2."), ("fr", "== Tour 2.")])
def test_replay_tells_the_game_and_verifies_it(
    capsys: pytest.CaptureFixture[str], save: Path, language: str, word: str
) -> None:
    status, out, _ = call(capsys, "replay", str(save), "--lang", language)
    assert status == 0
    assert word in out
    assert json.loads(save.read_text(encoding="utf-8"))["hash"] in out


def test_replay_refuses_a_save_that_was_changed(
    capsys: pytest.CaptureFixture[str], save: Path, tmp_path: Path
) -> None:
    text = save.read_text(encoding="utf-8")
    for old, new, word in (
        (json.loads(text)["hash"], "0" * 32, "not the saved one"),
        ('"rules": "', '"rules": "0', "version"),
        ('"lift"', '"left"', "unknown-verb"),
    ):
        damaged = tmp_path / "damaged.json"
        damaged.write_text(text.replace(old, new, 1), encoding="utf-8")
        status, _, err = call(capsys, "replay", str(damaged))
        assert status == 1
        assert word in err
    status, _, err = call(capsys, "replay", str(tmp_path / "nowhere.json"))
    assert status == 1
    assert "nowhere.json" in err


# check


def test_sound_files_pass_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "check", "crossroads")
    assert status == 0, out
    assert "no problems" in out


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("tables/units.csv", "id,kind\nfirst-amber,dragoons\n", "units.csv:2: column 'kind'"),
        ("tables/units.csv", "id,attack\ncobalt-horse,strong\n", "units.csv:2: column 'attack'"),
        ("tables/crt.csv", "die,1-1\n13,DL\n", "crt.csv:2: 13 is not in tables/crt.csv"),
        ("tables/terrain.csv", "id,cost\n\nroad,many\n", "terrain.csv:3: column 'cost'"),
        ("map/hexes.csv", "hex,terrain\n0202,jungle\n", "hexes.csv:2: column 'terrain'"),
        ("game.toml", "[title\n", "game.toml:1"),
    ],
)
def test_check_refuses_damaged_files_by_name_and_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, content: str, complaint: str
) -> None:
    file = tmp_path / "crossroads" / name
    file.parent.mkdir(parents=True)
    file.write_text(content, encoding="utf-8")
    status, out, _ = call(capsys, "check", "crossroads", "--overrides", str(tmp_path))
    assert status == 1
    assert complaint in out


def test_check_finds_what_an_override_does_to_the_map(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "crossroads" / "map" / "hexes.csv"
    file.parent.mkdir(parents=True)
    file.write_text("hex,name_en\n0202,Grimont\n", encoding="utf-8")
    status, out, _ = call(capsys, "check", "crossroads", "--overrides", str(tmp_path))
    assert status == 1
    assert "named.csv" in out
    assert "6.0: 0202 should be Brumont, not Grimont" in out


def test_a_game_without_files_fails_the_check(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "game_folder", lambda game, overrides: Folder(tmp_path))
    status, out, _ = call(capsys, "check", "typhoon")
    assert status == 1
    assert "typhoon" in out


# conformance


def test_conformance_counts_marks_without_running_the_tests(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "test_some.py").write_text(
        '@rule("crossroads", "3.4", "4.1")\ndef test_one(): raise SystemExit\n'
        '@rule("another", "4.2")\ndef test_two(): ...\n'
        '@rule("crossroads", "5.0")\ndef helper(): ...\n',
        encoding="utf-8",
    )
    status, out, _ = call(capsys, "conformance", "crossroads", "--json", "--tests", str(tmp_path))
    report = json.loads(out)
    assert list(report) == ["game", "cases", "tested", "exempt", "missing"]
    assert (report["game"], report["cases"], report["tested"]) == ("crossroads", 14, 2)
    assert report["tested"] + report["exempt"] + len(report["missing"]) == report["cases"]
    assert {"3.4", "4.1"}.isdisjoint(report["missing"])
    assert {"4.2", "5.0"} <= set(report["missing"])
    assert status == 1


def test_a_mark_for_a_case_that_does_not_exist_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "test_typo.py").write_text('@rule("crossroads", "44.1")\ndef test_one(): ...\n')
    status, _, err = call(capsys, "conformance", "crossroads", "--tests", str(tmp_path))
    assert status == 1
    assert "44.1" in err


# provenance


def test_every_table_says_where_it_comes_from(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = call(capsys, "provenance", "crossroads", "--json")
    report = json.loads(out)
    assert status == 0
    assert {
        "tables/units.csv",
        "tables/crt.csv",
        "tables/numbers.csv",
        "map/hexes.csv",
        "map/sides.csv",
    } <= set(report["tables"])
    assert report["total"].keys() == {"reconstructed", "rulebook"}
    assert sum(report["total"].values()) == len(report["lines"])
    assert all(line["source"] for line in report["lines"])
    assert "override" not in report["total"]
    file = tmp_path / "crossroads" / "tables/units.csv"
    file.parent.mkdir(parents=True)
    file.write_text("id,attack\nfirst-amber,9\n")
    _, out, _ = call(capsys, "provenance", "crossroads", "--json", "--overrides", str(tmp_path))
    assert json.loads(out)["total"]["override"] == 1


@pytest.mark.parametrize(("language", "word"), [("en", "reconstructed"), ("fr", "reconstitué")])
def test_provenance_in_words(capsys: pytest.CaptureFixture[str], language: str, word: str) -> None:
    status, out, _ = call(capsys, "provenance", "crossroads", "--lang", language)
    assert status == 0
    assert word in out


# rules


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulebook_can_be_read_case_by_case(capsys: pytest.CaptureFixture[str], language: str) -> None:
    book = Rulebook(game_folder("crossroads"), language)
    status, out, _ = call(capsys, "rules", "crossroads", "--lang", language)
    assert status == 0
    assert len(out.splitlines()) == len(book.articles) == 14
    status, out, _ = call(capsys, "rules", "crossroads", "3.4", "--lang", language)
    assert status == 0
    assert book.articles["3.4"].title in out
    status, out, _ = call(capsys, "rules", "crossroads", "--search", "brumont", "--lang", language)
    assert status == 0
    assert "6.0" in out
    assert "3.4" not in out
    assert call(capsys, "rules", "crossroads", "99.9", "--lang", language)[0] == 1
    assert call(capsys, "rules", "crossroads", "--search", "zeppelin", "--lang", language)[0] == 1


# map, atlas, bench


@pytest.mark.parametrize("language", LANGUAGES)
def test_map_draws_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, language: str) -> None:
    target = tmp_path / "deep" / "map.svg"
    status, out, _ = call(capsys, "map", "crossroads", "--svg", str(target), "--lang", language)
    assert status == 0
    assert "map.svg" in out
    assert target.read_text(encoding="utf-8").startswith("<svg")
    assert call(capsys, "map", "crossroads")[0] == 2


def test_the_atlas_says_what_it_lacks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "grognard.atlas.__main__", None)
    status, _, err = call(capsys, "atlas", "geodata")
    assert status == 1
    assert "grognard[atlas]" in err


def test_bench_measures_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "bench", "--quick", "--json", "--only", "crossroads")
    report = json.loads(out)
    assert status == 0
    assert set(report["games"]) == {"crossroads"}
    for measures in report["games"].values():
        for key in (
            "clones_per_second",
            "option_lists_per_second",
            "actions_per_second",
            "random_games_per_second",
            "random_decisions_per_second",
            "bytes_per_position",
            "movement_floods_per_second",
            "supply_floods_per_second",
        ):
            assert measures[key] > 0


def test_bench_measures_the_maps_to_come() -> None:
    """What is flooded is a map, whatever game it belongs to. The bench itself measures the large ones."""
    assert bench.maps_without_rules() == [e.id for e in listed_games() if e.id not in game_ids()]
    board: Board = load_game("crossroads").board
    measured = bench.floods(board, list(board.cells), 0.001)
    assert min(measured[f"{name}_floods_per_second"] for name in ("movement", "supply")) > 0


def test_the_plain_floods_of_the_bench_do_the_same_work() -> None:
    """A gain over a plain version means something only if both find the same hexes."""
    board: Board = load_game("crossroads").board
    ways = [
        feature
        for feature, about in board.settings["features"].items()
        if about.get("draw") in ("rail", "road")
    ]
    land, start = board.everywhere, next(iter(board.cells))
    costs = Costs(board, lambda a, b: 1 if any(board.side_has(a, b, way) for way in ways) else 2)
    for limit in range(1, 7):
        found = reach(Ground(costs, land), {start: 0}, limit)
        assert set(each(found.cells)) == set(bench.cheapest(board, costs, [start], land, limit))
    for cell in board.cells:
        net = connected(board, board.side_masks(*ways), 1 << cell, land)
        assert set(each(net)) == set(bench.linked(board, ways, 1 << cell, land))
        plain = bench.cheapest(board, costs, each(net), land, 3)
        assert each(within_cost(costs, net, 3, land)) == sorted(plain)


def test_a_result_follows_from_the_seed_alone() -> None:
    game = load_game("crossroads")
    first = play_game(game, "alone", ["random", "random"])
    again = play_game(load_game("crossroads"), "alone", ["random", "random"])
    assert first._replace(seconds=0) == again._replace(seconds=0)


def test_help_speaks_the_language_of_the_machine() -> None:
    french = apart("--help", GROGNARD_LANG="fr")
    assert "jouer dans le terminal" in french.stdout
    english = apart("--help", GROGNARD_LANG="en")
    assert "play a game in the terminal" in english.stdout
