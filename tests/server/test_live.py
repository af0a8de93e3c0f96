"""Hearing of changes: everybody who listens hears of them, each as their seat sees them."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from grognard.players import RandomPlayer
from tests.server.table import Client, Json, Seat, asked, good, hurried, lay_wagers, offered, play_on


def test_two_people_and_a_spectator_each_see_their_own(client: Client) -> None:
    table = lay_wagers(client.table("crossroads"))
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    with amber.live() as one, cobalt.live("fr") as two, table.watch.live() as three:
        first = [live.next()["state"] for live in (one, two, three)]
        assert [state["you"] for state in first] == [["amber"], ["cobalt"], []]
        assert [bool(offered(state)) for state in first] == [True, False, False]
        version = amber.play(*offered(first[0])[0])["version"]
        for live in (one, two, three):
            heard = live.until(lambda m: m["state"]["version"] == version)
            assert heard["type"] == "changes"
        assert two.heard[-1]["state"] == cobalt.state(lang="fr")
        assert one.heard[-1]["state"] == amber.state()


def test_the_log_that_is_pushed_is_the_log(client: Client) -> None:
    """Also when something is taken back and other things happen before the next push."""
    seat = client.crossroads(hotseat=True)[0]
    with seat.live() as live:
        begun = live.next()
        lines: list[Json] = seat.log()[: begun["log_from"]]
        random = Random(21)
        state = seat.state()
        for _ in range(5):
            state = play_on([seat], random, 2)
            if state["can_undo"]:
                good(seat.post("/undo"))
        good(seat.post("/takeback", {"to": 5}))
        state = play_on([seat], random, 6)
        assert not state["over"]
        live.until(lambda m: m["state"]["version"] == state["version"])
        for message in live.heard:
            lines = lines[: message["log_from"]] + message["log"]
            assert [line["n"] for line in lines] == list(range(len(lines)))
            assert len(lines) == message["state"]["log_length"]
        assert lines == seat.log()


def test_what_is_said_is_heard_once(client: Client) -> None:
    amber, cobalt = client.crossroads()
    good(amber.post("/chat", {"text": "before"}))
    with cobalt.live() as live:
        first = live.next()
        assert [c["text"] for c in first["chat"]] == ["before"]
        good(amber.post("/chat", {"text": "<i>now</i>"}))
        heard = live.until(lambda m: bool(m["chat"]))["chat"]
        assert [c["text"] for c in heard] == ["<i>now</i>"]
        amber.play(*offered(amber.state())[0])
        assert live.until(lambda m: m["state"]["moments"] > first["state"]["moments"])["chat"] == []


PAUSE = 1.5


class Slow(RandomPlayer):
    def choose(self, game: Any, state: Any, side: int) -> Any:
        time.sleep(PAUSE)
        return super().choose(game, state, side)


def test_people_see_that_the_computer_thinks_and_need_not_wait_for_it(client: Client) -> None:
    table = client.table("crossroads", seats={"cobalt": "random"})
    amber = table.seat("amber")
    assert client.portal is not None
    room = client.portal.call(client.app.state.rooms.room, table.id)  # type: ignore[attr-defined]
    room.bots[1] = Slow("slow")
    with amber.live() as live:
        live.next()
        # While both write in secret, nobody is shown to think.
        while not (state := amber.state())["thinking"]:
            if asked(state) == "amber":
                amber.play(*hurried(offered(state), Random(22)))
            time.sleep(0.02)
        thinking = live.until(lambda m: m["state"]["thinking"])["state"]
        assert asked(thinking) == "cobalt"
        began = time.monotonic()
        assert amber.state()["thinking"]
        assert good(amber.post("/ask", {"ask": "layer", "layer": "sight", "side": "cobalt"}))["hexes"]
        assert good(amber.post("/chat", {"text": "take your time"}))
        # No answer had to wait for its thoughts.
        assert time.monotonic() - began < PAUSE or amber.state()["thinking"]
        good(amber.post("/resign"))
        done = live.until(lambda m: m["state"]["over"] and not m["state"]["thinking"])["state"]
        assert done["outcome"]["winner"] == "cobalt"


def test_the_computers_answers_are_pushed(client: Client) -> None:
    amber = client.table("crossroads", seats={"cobalt": "random"}).seat("amber")
    with amber.live() as live:
        state = live.next()["state"]
        while asked(state) == "amber":
            state = amber.play(*hurried(offered(state), Random(22)))
        begun = state["moments"]
        done = live.until(lambda m: asked(m["state"]) == "amber" and m["state"]["moments"] > begun)
        assert done["log_from"] + len(done["log"]) == done["state"]["log_length"]


def test_who_joins_is_seen_at_once(client: Client) -> None:
    table = client.table("crossroads", listed=True)
    with table.seat("amber").live() as live:
        live.next()
        good(table.nobody.post("/join", {"side": "cobalt", "name": "Ivan"}))
        live.until(lambda m: m["state"]["players"]["cobalt"]["name"] == "Ivan")


@pytest.mark.parametrize(
    "greeting",
    [
        "not json",
        "[]",
        "null",
        "7",
        "{}",
        '{"lang": "de"}',
        '{"lang": "en", "token": 7}',
        '{"lang": "en", "token": ["a"]}',
        "[" * 50_000,
        '{"lang": "en", "token": ' + "1" * 5000 + "}",
    ],
)
def test_a_bad_greeting_is_the_end_of_it(quick_client: Client, greeting: str) -> None:
    table = quick_client.table("crossroads")
    with quick_client.websocket_connect(f"/api/tables/{table.id}/live") as socket:
        socket.send_text(greeting)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4400


def test_bytes_are_no_greeting(quick_client: Client) -> None:
    table = quick_client.table("crossroads")
    with quick_client.websocket_connect(f"/api/tables/{table.id}/live") as socket:
        socket.send_bytes(b"\xff\xfe")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4400


@pytest.mark.parametrize("token", [None, "", "guess", "\ud800", "x" * 3000])
def test_without_a_token_of_the_table_nothing_is_heard(quick_client: Client, token: str | None) -> None:
    table = quick_client.table("crossroads")
    with Seat(quick_client, table.id, token).live() as live:
        with pytest.raises(WebSocketDisconnect) as closed:
            live.next()
        assert closed.value.code == 4403
    with Seat(quick_client, "nowhere", token).live() as live:
        with pytest.raises(WebSocketDisconnect) as closed:
            live.next()
        assert closed.value.code == 4400


def test_who_chatters_over_the_socket_is_not_minded(quick_client: Client) -> None:
    amber, _ = quick_client.crossroads()
    with amber.live() as live:
        begun = live.next()["state"]["moments"]
        live.socket.send_bytes(b"\x00\x01")
        live.socket.send_text("[" * 3000)
        amber.play(*offered(amber.state())[0])
        live.until(lambda m: m["state"]["moments"] > begun)
