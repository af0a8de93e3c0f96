"""What is told of a game that is over: turns, battles and luck, from what anybody could see."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.kernel.registry import load_game
from grognard.server.api import create_app
from grognard.server.settings import ServerSettings
from tests.server.table import Client, Json, good, wait_for_turn


def finished(client: Client) -> tuple[Json, Json]:
    """A game between two computers in which somebody attacked, and its report."""
    for _ in range(20):
        watch = client.table(seats={"amber": "random", "cobalt": "random"}).watch
        with watch.live():
            state = wait_for_turn(watch)
        assert state["over"]
        report = good(watch.get("/report"))
        if report["battles"]:
            return state, report
    raise AssertionError("nobody fought")


def test_a_game_in_progress_has_no_report(quick_client: Client) -> None:
    assert quick_client.table().watch.get("/report").status_code == 403


def test_nobody_has_lost_whom_a_scenario_begins_without(pictures: Path, tmp_path: Path) -> None:
    """Units may lie dead at its start, of battles that were before it."""
    game = load_game("stalingrad_roads")
    table = game.table(game.start("backhand"), None)
    assert sum(unit["status"] == "dead" for unit in table.units) > 0
    settings = ServerSettings(f"sqlite:///{tmp_path / 'games.sqlite'}", pictures, draw_ahead=False)
    with Client(create_app(settings, {game.id: game})) as client:
        seat = client.table(game.id, scenario="backhand", hotseat=True).seat("axis")
        assert good(seat.post("/resign"))["over"]
        for standing in good(seat.get("/report"))["turns"]:
            assert {side["lost"] for side in standing["sides"].values()} == {0}


def test_turns_battles_and_luck(quick_client: Client) -> None:
    state, report = finished(quick_client)
    turns = [standing["turn"] for standing in report["turns"]]
    assert turns == list(range(turns[0], turns[-1] + 1)) and turns[-1] == state["turn"]
    last = report["turns"][-1]["sides"]
    for side, standing in last.items():
        units = [unit for unit in state["view"]["units"] if unit["side"] == side]
        assert standing["lost"] == sum(unit["status"] == "dead" for unit in units)
        assert standing["units"] == sum(unit["status"] == "on-map" for unit in units)
        assert standing["points"] == state["view"]["scores"].get(side)
    battles = report["battles"]
    for side, luck in report["luck"].items():
        own = [battle for battle in battles if battle["side"] == side]
        other = [battle for battle in battles if battle["side"] != side]
        assert luck["attacks"] == len(own) and luck["battles"] == len(battles)
        for word in ("promised", "came"):
            wanted = sum(b[word] for b in own) - sum(b[word] for b in other)
            assert luck[word] == pytest.approx(wanted, abs=0.02)
