"""By correspondence: who is late answers with the default of the question, where it has one."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from grognard.server.deadlines import answer_late
from tests.server.table import Client, Seat, Table, good, offered


def until_window(client: Client, window: str, **wish: Any) -> tuple[Table, Seat]:
    """A table at which a side is asked whether it reacts, and the seat of that side."""
    for seed in range(40):
        table = client.table("crossroads", **wish)
        seats = {side: table.seat(side) for side in (*table.tokens, *table.invitations)}
        random = Random(seed)
        state = table.watch.state()
        while not state["over"]:
            # Spectators do not know who has already written in secret.
            choices = {side: offered(seats[side].state()) for side in state["must_act"]}
            side, words = next((side, words) for side, words in choices.items() if words)
            if [window] in words:
                return table, seats[side]
            seats[side].play(*random.choice(words))
            state = table.watch.state()
    raise AssertionError("nobody was asked to react")


def late(client: Client, seconds: float) -> int:
    rooms: Any = client.app.state.rooms  # type: ignore[attr-defined]
    assert client.portal is not None
    return client.portal.call(answer_late, rooms, time.time() + seconds)


def test_who_is_late_passes_where_the_question_is_a_window(client: Client) -> None:
    table, seat = until_window(client, "abstain", pace=3600)
    before = table.watch.state()
    assert late(client, 60) == 0 and table.watch.state()["version"] == before["version"]
    assert late(client, 3700) == 1
    after = table.watch.state()
    assert after["moments"] > before["moments"]
    assert ["abstain"] not in offered(seat.state()) or after["must_act"] != before["must_act"]


def test_a_question_without_a_default_waits(client: Client) -> None:
    table = client.table(pace=60)
    before = table.watch.state()
    assert late(client, 1_000_000) == 0
    assert table.watch.state()["version"] == before["version"]


def test_a_table_without_a_pace_has_all_the_time(client: Client) -> None:
    table, _ = until_window(client, "abstain")
    assert late(client, 10_000_000) == 0
    assert good(table.watch.get())["over"] is False
