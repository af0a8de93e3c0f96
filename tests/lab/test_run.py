"""Batches: the same games whoever plays them, and whatever is killed in between."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grognard.cli.main import main
from grognard.files import Folder
from grognard.kernel.registry import game_ids, load_game
from grognard.lab.batch import BatchError, play_game
from grognard.lab.history import History
from grognard.lab.record import Seating, ground, pack, record_game, unpack
from grognard.lab.run import MANIFEST, PARTS, Batch, Worker, program, run_batch
from grognard.lab.tables import TABLES, read, schema

RANDOM = ["random", "random"]
PLANNERS = ["recruit", "recruit"]
"""Players who plan, as all levels of the commander do, and whose games take but a second or two."""


def lines(batch: Batch, name: str) -> list[dict[str, Any]]:
    """A table without what the clock says."""
    found: list[dict[str, Any]] = read(batch.folder, name).to_pylist()
    for line in found:
        for name_ in [one for one in line if one == "seconds" or one.startswith("longest_")]:
            del line[name_]
    return found


def same(a: Batch, b: Batch) -> None:
    for name in TABLES:
        assert lines(a, name) == lines(b, name), name


@pytest.mark.parametrize("id_", game_ids())
def test_a_game_that_is_written_down_is_the_same_game(id_: str) -> None:
    game = load_game(id_)
    scenario = next(iter(game.scenarios))
    record = record_game(game, History(game), Seating(scenario, (), ("random", "random"), "alone"), 4)
    plain = play_game(game, "alone-4", RANDOM)
    assert record["game"]["hash"] == plain.hash
    assert record["game"]["decisions"] == plain.decisions
    assert unpack(pack(record)) == record


def test_every_table_has_its_columns(crossroads: Batch, victory: Batch) -> None:
    for batch in (crossroads, victory):
        sides = load_game(batch.spec.game).sides
        for name in TABLES:
            assert read(batch.folder, name).schema.names == schema(name, sides).names, name
            assert read(batch.folder, name).num_rows
        assert not list((batch.folder / PARTS).iterdir())


def test_games_say_who_played_and_how_it_ended(crossroads: Batch) -> None:
    games = read(crossroads.folder, "games").to_pylist()
    assert [line["game"] for line in games] == list(range(12))
    assert games[3]["seed"] == "tests-3"
    assert games[0]["player_amber"] == "random"
    assert {line["winner"] for line in games} <= {"amber", "cobalt", None}
    plain = play_game(load_game("crossroads"), "tests-3", RANDOM)
    assert (games[3]["hash"], games[3]["level"], games[3]["turns"]) == (plain.hash, plain.level, plain.turns)


def test_turns_and_units_agree(crossroads: Batch, victory: Batch) -> None:
    for batch in (crossroads, victory):
        sides = load_game(batch.spec.game).sides
        games = {line["game"]: line for line in read(batch.folder, "games").to_pylist()}
        units = read(batch.folder, "units").to_pylist()
        for line in read(batch.folder, "turns").to_pylist():
            if line["turn"] == games[line["game"]]["turns"]:
                dead = [
                    u for u in units if u["game"] == line["game"] and u["side"] == line["side"] and u["died"]
                ]
                assert line["units_lost"] == len(dead)
                assert line["points"] == games[line["game"]][f"points_{line['side']}"]
        assert all(unit["survived"] == (unit["died"] is None) for unit in units)
        assert {unit["side"] for unit in units} == set(sides)


def test_the_front_covers_all_ground_each_turn(crossroads: Batch) -> None:
    game = load_game("crossroads")
    hexes = {game.board.number(cell) for cell in ground(game.board)}
    front = [line for line in read(crossroads.folder, "front").to_pylist() if line["game"] == 0]
    assert {line["turn"] for line in front} == set(range(4))
    last = [line for line in front if line["turn"] == 3]
    assert {line["hex"] for line in last} == hexes
    # Who stands somewhere holds it.
    assert all(line["holder"] for line in last if line["units"])


# Workers


def test_two_workers_play_the_games_of_one(crossroads: Batch, folder: Path) -> None:
    same(crossroads, run_batch(folder, "crossroads", 12, RANDOM, "tests", workers=2))


def test_a_batch_is_not_played_twice_and_may_grow(folder: Path, crossroads: Batch) -> None:
    told: list[tuple[int, int]] = []
    run_batch(folder, "crossroads", 5, RANDOM, "tests")
    run_batch(folder, "crossroads", 5, RANDOM, "tests", progress=lambda *now: told.append(now))
    assert told == [(5, 5)]
    same(crossroads, run_batch(folder, "crossroads", 12, RANDOM, "tests"))


def test_spoilt_parts_are_played_again(folder: Path, crossroads: Batch) -> None:
    run_batch(folder, "crossroads", 2, RANDOM, "tests")
    (folder / PARTS / "0000003.part").write_bytes(b"half of a par")
    (folder / PARTS / "0000004.part").write_bytes(b"")
    same(crossroads, run_batch(folder, "crossroads", 12, RANDOM, "tests"))


def command(folder: Path, scenario: str, players: list[str], games: int, workers: int) -> list[str]:
    what = f"--scenario {scenario} --players {','.join(players)} --games {games}"
    words = f"lab run crossroads {what} --seed tests --workers {workers} --out {folder}"
    return [sys.executable, "-m", "grognard.cli.main", *words.split()]


def children(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize(
    ("scenario", "players", "games", "enough"),
    [("morning", RANDOM, 150, 15), ("morning", PLANNERS, 150, 15)],
)
def test_killed_outright_and_taken_up_again(
    scenario: str, players: list[str], games: int, enough: int, folder: Path
) -> None:
    """Twice, after so many games at least, and then to the end."""
    played: list[int] = []
    for workers in (2, 1):
        running = subprocess.Popen(
            command(folder, scenario, players, games, workers), stderr=subprocess.DEVNULL
        )
        before = len(played)
        deadline = time.monotonic() + 120
        while len(played) < before + enough and time.monotonic() < deadline:
            time.sleep(0.005)
            played = sorted(int(path.stem) for path in (folder / PARTS).glob("*.part"))
        workers_there = children(running.pid)
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert before + enough <= len(played) < games, "killed in the middle"
        assert not (folder / "games.parquet").exists()
        # Nobody goes on in secret: the workers leave by themselves.
        deadline = time.monotonic() + 30
        while any(map(alive, workers_there)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(map(alive, workers_there))
    times = {path.name: path.stat().st_mtime_ns for path in (folder / PARTS).glob("*.part")}
    done = subprocess.run(
        command(folder, scenario, players, games, 2), capture_output=True, text=True, check=True
    )
    assert str(games) in done.stdout
    assert len(times) >= 2 * enough
    whole = run_batch(folder.with_name("whole"), "crossroads", games, players, "tests", scenario=scenario)
    same(Batch(folder), whole)


def test_parts_that_are_there_are_not_played_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import grognard.lab.run as lab_run

    count = 0
    real = record_game

    def counting(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == 4:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(lab_run, "record_game", counting)
    with pytest.raises(KeyboardInterrupt):
        run_batch(folder, "crossroads", 6, RANDOM, "tests")
    run_batch(folder, "crossroads", 6, RANDOM, "tests")
    assert count == 4 + 3


# What is refused


def test_another_batch_in_the_same_folder_is_refused(folder: Path) -> None:
    run_batch(folder, "crossroads", 1, RANDOM, "tests")
    with pytest.raises(BatchError, match="seed 'tests', not 'other'"):
        run_batch(folder, "crossroads", 1, RANDOM, "other")
    with pytest.raises(BatchError, match="holds another batch"):
        run_batch(folder, "crossroads", 1, ["greedy", "random"], "tests")


def test_changed_data_are_another_batch(folder: Path, tmp_path: Path) -> None:
    run_batch(folder, "crossroads", 1, RANDOM, "tests")
    own = tmp_path / "own" / "crossroads"
    (own / "tables").mkdir(parents=True)
    (own / "tables/numbers.csv").write_text("id,value\nvillage_points,301\n", encoding="utf-8")
    with pytest.raises(BatchError, match="data"):
        run_batch(folder, "crossroads", 1, RANDOM, "tests", override=tmp_path / "own")


def test_another_doctrine_is_another_batch(folder: Path, tmp_path: Path) -> None:
    run_batch(folder, "crossroads", 1, RANDOM, "tests")
    own = tmp_path / "own" / "crossroads"
    own.mkdir(parents=True)
    (own / "doctrine.toml").write_text("[march]\nnearer = 3.0\n", encoding="utf-8")
    with pytest.raises(BatchError, match="doctrine"):
        run_batch(folder, "crossroads", 2, RANDOM, "tests", override=tmp_path / "own")


def test_another_program_is_another_batch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import grognard.lab.run as lab_run

    spec = run_batch(folder, "crossroads", 1, RANDOM, "tests").spec
    monkeypatch.setattr(lab_run, "program", lambda folder: "other")
    with pytest.raises(BatchError, match="program"):
        run_batch(folder, "crossroads", 2, RANDOM, "tests")
    with pytest.raises(BatchError, match="other rules, data or players"):
        Worker(spec, None)


def test_the_program_is_the_players_and_the_games(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    source = tmp_path / "rules" / "retreat.py"
    source.write_text("FAR = 2\n", encoding="utf-8")
    before = program(Folder(tmp_path))
    source.write_bytes(b"FAR = 2\r\n")
    assert program(Folder(tmp_path)) == before, "the ends of lines are the system's"
    source.write_text("FAR = 3\n", encoding="utf-8")
    assert program(Folder(tmp_path)) != before


# Changing sides


def test_players_change_sides_in_every_second_game(folder: Path) -> None:
    batch = run_batch(folder, "crossroads", 2, ["greedy", "random"], "tests", swap=True)
    games = read(batch.folder, "games").to_pylist()
    assert [line["player_amber"] for line in games] == ["greedy", "random"]
    assert [line["player_cobalt"] for line in games] == ["random", "greedy"]
    game = load_game("crossroads")
    for line, players in zip(games, (["greedy", "random"], ["random", "greedy"]), strict=True):
        assert line["hash"] == play_game(game, line["seed"], players).hash
        assert line["longest_seconds_amber"] <= line["seconds"]
        assert 1 <= line["longest_turn_cobalt"] <= 3
    with pytest.raises(BatchError, match="swap True, not False"):
        run_batch(folder, "crossroads", 2, ["greedy", "random"], "tests")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--games 3 --swap", "an even number of games, not 3"),
        ("--players nobody,random", "no player 'nobody'"),
        ("--players random", "is played by 2 players"),
        ("--scenario nowhere", "no scenario 'nowhere'"),
        ("--option easy", "no option 'easy'"),
        ("--overrides nowhere", "no such folder"),
    ],
)
def test_what_cannot_be_played_is_said(
    words: str, reason: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "run", "crossroads", "--games", "1", "--out", str(folder), *words.split()]) == 1
    assert reason in capsys.readouterr().err
    assert not folder.exists()


def test_options_of_a_scenario_count(folder: Path) -> None:
    batch = run_batch(folder, "crossroads", 1, RANDOM, "tests", options=["fog"])
    assert batch.spec.options == ("fog",)
    with pytest.raises(BatchError, match="options"):
        run_batch(folder, "crossroads", 1, RANDOM, "tests")


def wins(told: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The standings without what the clock says."""
    found = told["standings"]
    scores = [*found["sides"], *found["players"], *found["seats"]]
    return [tuple(value for key, value in score.items() if key != "slowest_turn") for score in scores]


def test_the_command_tells_what_it_did(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lab", "run", "crossroads", "--games", "3", "--seed", "tests", "--out", str(folder), "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 3
    assert main(["sim", "crossroads", "--games", "3", "--seed", "tests", "--json"]) == 0
    simulated = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["hash"] == simulated["hash"]
    assert wins(told) == wins(simulated)
    assert json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["games"] == 3


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"format": 2, "games": 1, "overrides": null}'])
def test_a_folder_that_is_no_batch_is_refused(
    content: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()
    (folder / MANIFEST).write_text(content, encoding="utf-8")
    assert main(["lab", "report", str(folder)]) == 1
    assert "grognard:" in capsys.readouterr().err


def test_a_batch_that_is_not_finished_is_not_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_batch(folder, "crossroads", 1, RANDOM, "tests")
    (folder / "games.parquet").unlink()
    assert main(["lab", "report", str(folder)]) == 1
    assert "not finished" in capsys.readouterr().err
