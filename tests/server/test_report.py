"""What is told of a game that is over: turns, battles and luck, from what anybody could see."""

from __future__ import annotations

import pytest

from grognard.games.listing import game_folder
from grognard.kernel.events import Roll
from grognard.kernel.registry import load_game
from grognard.server.report import _promise, _rows
from tests.server.table import Client, Json, good, wait_for_turn


def finished(client: Client, game: str, players: str) -> tuple[Json, Json]:
    """A game between two computers, and its report."""
    watch = client.table(game, seats=dict.fromkeys(load_game(game).sides, players)).watch
    with watch.live():
        state = wait_for_turn(watch)
    assert state["over"]
    return state, good(watch.get("/report"))


def test_a_game_in_progress_has_no_report(quick_client: Client) -> None:
    assert quick_client.table("crossroads").watch.get("/report").status_code == 403


@pytest.mark.parametrize(("game", "players"), [("crossroads", "random"), ("leningrad", "greedy")])
def test_turns_battles_and_luck(quick_client: Client, game: str, players: str) -> None:
    state, report = finished(quick_client, game, players)
    turns = [standing["turn"] for standing in report["turns"]]
    assert turns == list(range(turns[0], turns[-1] + 1)) and turns[-1] == state["turn"]
    last = report["turns"][-1]["sides"]
    for side, standing in last.items():
        units = [unit for unit in state["view"]["units"] if unit["side"] == side]
        assert standing["lost"] == sum(unit["status"] == "dead" for unit in units)
        assert standing["units"] == sum(unit["status"] == "on-map" for unit in units)
        assert standing["points"] == state["view"]["scores"].get(side)
    battles = report["battles"]
    assert battles or game == "crossroads", "nobody fought"
    for side, luck in report["luck"].items():
        own = [battle for battle in battles if battle["side"] == side]
        other = [battle for battle in battles if battle["side"] != side]
        assert luck["attacks"] == len(own) and luck["battles"] == len(battles)
        for word in ("promised", "came"):
            wanted = sum(b[word] for b in own) - sum(b[word] for b in other)
            assert luck[word] == pytest.approx(wanted, abs=0.02)


def test_a_promise_weighs_every_throw() -> None:
    """Leningrad's 1-1: one die; Crossroads' table: two dice added up."""
    one = _promise(_rows(game_folder("leningrad"), "crt"), Roll("crt", "1-1", "1", "-/2"), [6])
    assert sum(one.values()) == pytest.approx(1) and one["-/2"] == pytest.approx(1 / 6)
    two = _promise(_rows(game_folder("crossroads"), "crt"), Roll("crt", "1-2", "2", "AE"), [6, 6])
    assert sum(two.values()) == pytest.approx(1) and two["AE"] >= 3 / 36 - 1e-9
