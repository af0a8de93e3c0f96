"""Who won: sides, players and seats, and the slowest turn."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from itertools import count
from typing import Any

import pytest

from grognard.cli.main import main
from grognard.kernel import Action
from grognard.lab import batch
from grognard.lab.batch import LongTurn, play_batch, seated
from grognard.lab.standings import GameLine, rows, standings, told
from grognard.lab.statistics import wilson
from grognard.lab.words import LabWords
from grognard.players import RandomPlayer

SIDES = ("axis", "soviet")
NAMES = {"axis": "Axis", "soviet": "Soviet"}


def line(number: int, players: str, winner: str | None, *seconds: float) -> GameLine:
    return GameLine(number, players.split(), winner, [LongTurn(number + 1, s) for s in seconds or (0.0, 0.0)])


SWAPPED = [
    line(0, "strong weak", "axis", 1.0, 0.5),
    line(1, "weak strong", "soviet", 0.25, 4.0),
    line(2, "strong weak", None),
    line(3, "weak strong", "axis"),
]


def test_wins_by_player_side_and_seat() -> None:
    found = standings(SWAPPED, SIDES)
    assert [(s.side, s.won.hits, s.won.trials, s.drawn) for s in found.sides] == [
        ("axis", 2, 4, 1),
        ("soviet", 1, 4, 1),
    ]
    assert [(s.player, s.won.hits, s.won.trials, s.drawn) for s in found.players] == [
        ("strong", 2, 4, 1),
        ("weak", 1, 4, 1),
    ]
    assert [(s.player, s.side, s.won.hits, s.won.trials) for s in found.seats] == [
        ("strong", "axis", 1, 2),
        ("strong", "soviet", 1, 2),
        ("weak", "axis", 1, 2),
        ("weak", "soviet", 0, 2),
    ]
    assert found.draws.hits == 1
    assert found.draws.trials == 4
    assert found.players[0].won.interval == wilson(2, 4)


def test_the_slowest_turn_says_whose_and_when() -> None:
    found = standings(SWAPPED, SIDES)
    assert found.slowest == (4.0, "strong", "soviet", 1, 2)
    assert [s.slowest.seconds for s in found.seats if s.slowest] == [1.0, 4.0, 0.25, 0.5]
    assert "Slowest turn: strong (Soviet), 4.00 s (game 1, turn 2)." in told(found, NAMES, LabWords("en"))
    assert "Tour le plus long\u00a0: strong (Soviet), 4,00\u00a0s" in told(found, NAMES, LabWords("fr"))


def test_nothing_is_said_twice() -> None:
    assert len(rows(standings(SWAPPED, SIDES))) == 2 + 4 + 2
    straight = standings([line(n, "strong weak", "axis") for n in range(3)], SIDES)
    assert rows(straight) == straight.seats


def test_a_player_against_itself_has_sides_only() -> None:
    found = standings([line(n, "same same", "axis") for n in range(3)], SIDES)
    assert found.players == []
    assert [(s.player, s.side, s.won.hits) for s in found.seats] == [
        ("same", "axis", 3),
        ("same", "soviet", 0),
    ]


def test_no_games_no_standings() -> None:
    found = standings([], SIDES)
    assert found.slowest is None
    assert found.seats == []
    json.dumps(found.as_json())


def test_who_sits_where() -> None:
    assert [seated(["a", "b"], n, True) for n in range(3)] == [("a", "b"), ("b", "a"), ("a", "b")]
    assert seated(["a", "b"], 1, False) == ("a", "b")


def test_thinking_is_timed_by_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a second whenever somebody looks, a turn lasts as long as its answers are
    many."""
    asked: Counter[tuple[int, int]] = Counter()
    choose = RandomPlayer.choose

    def counting(self: RandomPlayer, game: Any, state: Any, side: int) -> Action:
        asked[side, game.turn(state)] += 1
        return choose(self, game, state, side)

    monkeypatch.setattr(RandomPlayer, "choose", counting)
    monkeypatch.setattr(batch, "perf_counter", partial(next, count()))
    (played,) = play_batch("crossroads", 1, "s", ["random", "random"])
    assert sum(asked.values()) == played.result.decisions
    for side, longest in enumerate(played.longest):
        most = max(number for (of, _), number in asked.items() if of == side)
        assert longest.seconds == most
        assert asked[side, longest.turn] == most


def sim(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["sim", "crossroads", "--seed", "s", *words]) == 0
    return capsys.readouterr().out


def test_sim_swaps_sides(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--players", "greedy,random", "--games", "2")
    *games, last = map(json.loads, sim(capsys, *asked, "--swap", "--json").splitlines())
    assert [game["players"] for game in games] == [["greedy", "random"], ["random", "greedy"]]
    straight = json.loads(sim(capsys, *asked, "--json").splitlines()[0])
    assert straight["hash"] == games[0]["hash"]
    seats: list[dict[str, Any]] = last["standings"]["seats"]
    assert [(seat["player"], seat["side"], seat["games"]) for seat in seats] == [
        ("greedy", "amber", 1),
        ("greedy", "cobalt", 1),
        ("random", "amber", 1),
        ("random", "cobalt", 1),
    ]
    slowest = last["standings"]["slowest_turn"]
    assert set(slowest) == {"seconds", "player", "side", "game", "turn"}
    both = last["standings"]["players"][0]
    assert (both["player"], both["side"], both["games"], len(both["interval"])) == ("greedy", None, 2, 2)


def test_sim_tells_it_in_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_LANG", "fr")
    out = sim(capsys, "--players", "random,random", "--games", "2")
    assert "Intervalle à 95\u00a0%" in out
    assert "Tour le plus long\u00a0: random" in out


def test_sim_swaps_even_numbers_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "crossroads", "--games", "3", "--swap"]) == 1
    assert "even number of games, not 3" in capsys.readouterr().err
