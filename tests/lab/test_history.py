"""Dated events: read, checked, and looked for in games."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from grognard.files import DataError, Folder
from grognard.kernel.registry import game_ids, load_game
from grognard.lab.history import DatedEvent, DateWatch, History, first_day, turn_of

CROSSROADS = load_game("crossroads")


@pytest.mark.parametrize("id_", game_ids())
def test_history_of_our_games(id_: str) -> None:
    game = load_game(id_)
    events = History(game).events
    ours = type(game).__module__.startswith("grognard.")
    assert len(events) >= (10 if ours else 1)
    for event in events:
        assert event.source and event.names["en"] and event.names["fr"]
        assert event.turn is None or 1 <= event.turn <= len(game.turns)
        assert (event.turn is None) == (event.day is None)


def test_days_and_turns() -> None:
    assert turn_of(CROSSROADS, date(1815, 6, 17)) == 2
    assert first_day(CROSSROADS, 3) == date(1815, 6, 18)


def event(id_: str, side: int, *cells: int, need: int = 1, after: str = "") -> DatedEvent:
    return DatedEvent(id_, {}, side, frozenset(cells), need, after, None, None, "")


def watch(
    *events: DatedEvent, standing: list[tuple[int, int]] | None = None, scenario: str = ""
) -> DateWatch:
    history = History(CROSSROADS, Folder(Path("nowhere")))
    history.events = events
    return DateWatch(history, standing or [], scenario)


def test_the_first_time_counts() -> None:
    watched = watch(event("village", 0, 7))
    for turn, side, cell in [(1, 0, 6), (2, 1, 7), (3, 0, 7), (5, 0, 7)]:
        watched.came(turn, side, cell)
    assert watched.turns == {"village": 3}


def test_nobody_retakes_what_was_never_lost() -> None:
    watched = watch(event("taken", 1, 7), event("retaken", 0, 7, after="taken"), standing=[(0, 7)])
    watched.came(2, 0, 7)
    assert watched.turns == {}
    watched.came(4, 1, 7)
    watched.came(6, 0, 7)
    assert watched.turns == {"taken": 4, "retaken": 6}


def test_a_scenario_begins_after_what_happened_already() -> None:
    taken = event("taken", 1, 7)._replace(already=frozenset({"later"}))
    for scenario, turns in (("later", {"taken": 0, "retaken": 2}), ("earlier", {})):
        watched = watch(taken, event("retaken", 0, 7, after="taken"), scenario=scenario)
        watched.came(2, 0, 7)
        assert watched.turns == turns


def test_a_place_is_left_when_nobody_stands_there_at_the_end_of_a_turn() -> None:
    """Who never stood there leaves nothing; who comes back later has left all the same."""
    given_up = event("given up", 0, 7, 8)._replace(left=True)
    watched = watch(given_up, event("taken", 1, 7), standing=[(0, 7)])
    watched.turn_over(1, [(0, 7), (1, 9)])
    watched.came(2, 0, 8)
    watched.turn_over(2, [(0, 8)])
    assert watched.turns == {}
    watched.turn_over(3, [(0, 9), (1, 8)])
    watched.came(4, 0, 7)
    watched.turn_over(4, [(0, 7)])
    assert watched.turns == {"given up": 3}
    driven_out = watch(given_up, standing=[(0, 7)])
    driven_out.came(1, 1, 7)
    driven_out.turn_over(1, [(0, 9), (1, 7)])
    assert driven_out.turns == {"given up": 1}
    never = watch(given_up)
    never.turn_over(1, [])
    assert never.turns == {}


def test_several_hexes_at_once() -> None:
    watched = watch(event("ring", 0, 7, 8, need=2))
    watched.came(1, 0, 7)
    watched.came(2, 1, 7)
    watched.came(3, 0, 8)
    assert watched.turns == {}
    watched.came(4, 0, 7)
    assert watched.turns == {"ring": 4}


GOOD = """
[[events]]
id = "village"
en = "Brumont"
fr = "Brumont"
side = "amber"
hexes = ["0202"]
date = 1815-06-17
source = "a book"
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('side = "amber"', 'side = "french"', "no side 'french'"),
        ('hexes = ["0202"]', 'hexes = ["9999"]', "9999"),
        ("date = 1815-06-17", "", "'date' is missing"),
        ('source = "a book"', "", "'source' is missing"),
        ('source = "a book"', 'source = "a book"\nafter = "never"', "which is not told"),
        ('id = "village"', "id = 3", "'id' is missing"),
    ],
)
def test_mistakes_are_pointed_at(old: str, new: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "history.toml").write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=reason):
        History(CROSSROADS, Folder(tmp_path))


def test_an_event_told_twice_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "history.toml").write_text(GOOD + GOOD, encoding="utf-8")
    with pytest.raises(DataError, match="told twice"):
        History(CROSSROADS, Folder(tmp_path))
