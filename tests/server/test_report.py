"""What is told of a game that is over: turns, battles and luck, from what anybody could see."""

from __future__ import annotations

import pytest

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
