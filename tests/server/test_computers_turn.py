"""A computer's turn does not stop, whatever goes wrong on the way.

Nobody asks for the table again meanwhile: every visit would wake the computer."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from grognard.server import rooms as rooms_module
from tests.server.conftest import Start
from tests.server.table import Seat, offered, wait_for_turn


def failing(monkeypatch: pytest.MonkeyPatch, of: Any, name: str, times: int) -> Callable[[], int]:
    """Have something fail so many times; how often it was tried."""
    real, tried = getattr(of, name), 0

    def fails(*asked: Any, **more: Any) -> Any:
        nonlocal tried
        tried += 1
        if tried <= times:
            raise OSError("the disk is elsewhere")
        return real(*asked, **more)

    monkeypatch.setattr(of, name, fails)
    return lambda: tried


def answer_and_wait(seat: Seat) -> None:
    """Answer until the computer is asked, and listen until it has answered."""
    random = Random(3)
    state = wait_for_turn(seat)
    with seat.live() as live:
        # While wagers are laid in secret nobody is told whether the computer has laid its own.
        while state["must_act"] != ["cobalt"]:
            assert not state["over"]
            state = seat.play(*random.choice(offered(state)))
        asked = state["moments"]
        live.until(lambda _: live.state["moments"] > asked and live.state["must_act"] != ["cobalt"])


def test_a_turn_outlasts_a_database_that_keeps_no_tables(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "LEASE", 0.3)
    with start(database) as client:
        seat = client.table("crossroads", seats={"cobalt": "random"}).seat("amber")
        store: Any = client.app.state.store  # type: ignore[attr-defined]
        wait_for_turn(seat)
        # What it has kept for its first answer is kept no longer.
        time.sleep(0.5)
        tried = failing(monkeypatch, store, "hold", 2)
        answer_and_wait(seat)
        assert tried() > 2


def test_a_turn_is_tried_again_when_it_has_failed_often(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "RETRIES", 2)
    monkeypatch.setattr(rooms_module, "LATER", 0.1)
    with start(database) as client:
        seat = client.table("crossroads", seats={"cobalt": "random"}).seat("amber")
        rooms: Any = client.app.state.rooms  # type: ignore[attr-defined]
        wait_for_turn(seat)
        tried = failing(monkeypatch, rooms.workshop, "thought", 6)
        answer_and_wait(seat)
        assert tried() > 6
