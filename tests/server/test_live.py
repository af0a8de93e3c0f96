"""Hearing of changes: everybody who listens hears of them, each as their seat sees them."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from grognard.players import RandomPlayer
from tests.server.table import Client, Json, Seat, asked, good, offered, play_on


def test_two_people_and_a_spectator_each_see_their_own(client: Client) -> None:
    table = client.table()
    german, soviet = table.seat("german"), table.seat("soviet")
    with german.live() as one, soviet.live("fr") as two, table.watch.live() as three:
        first = [live.next()["state"] for live in (one, two, three)]
        assert [state["you"] for state in first] == [["german"], ["soviet"], []]
        assert [bool(offered(state)) for state in first] == [True, False, False]
        version = german.play(*offered(first[0])[0])["version"]
        for live in (one, two, three):
            heard = live.until(lambda m: m["state"]["version"] == version)
            assert heard["type"] == "changes"
        assert two.heard[-1]["state"] == soviet.state(lang="fr")
        assert one.heard[-1]["state"] == german.state()


def test_the_log_that_is_pushed_is_the_log(client: Client) -> None:
    """Also when something is taken back and other things happen before the next push."""
    seat = client.table(hotseat=True).seat("german")
    with seat.live() as live:
        begun = live.next()
        lines: list[Json] = seat.log()[: begun["log_from"]]
        random = Random(21)
        state = seat.state()
        for _ in range(12):
            state = play_on([seat], random, 4)
            if state["can_undo"]:
                good(seat.post("/undo"))
        good(seat.post("/takeback", {"to": 5}))
        state = play_on([seat], random, 6)
        live.until(lambda m: m["state"]["version"] == state["version"])
        for message in live.heard:
            lines = lines[: message["log_from"]] + message["log"]
            assert [line["n"] for line in lines] == list(range(len(lines)))
            assert len(lines) == message["state"]["log_length"]
        assert lines == seat.log()


def test_what_is_said_is_heard_once(client: Client) -> None:
    table = client.table()
    german, soviet = table.seat("german"), table.seat("soviet")
    good(german.post("/chat", {"text": "before"}))
    with soviet.live() as live:
        assert [c["text"] for c in live.next()["chat"]] == ["before"]
        good(german.post("/chat", {"text": "<i>now</i>"}))
        heard = live.until(lambda m: bool(m["chat"]))["chat"]
        assert [c["text"] for c in heard] == ["<i>now</i>"]
        german.play(*offered(german.state())[0])
        assert live.until(lambda m: m["state"]["moments"] > 0)["chat"] == []


class Slow(RandomPlayer):
    def choose(self, game: Any, state: Any, side: int) -> Any:
        time.sleep(0.2)
        return super().choose(game, state, side)


def test_people_see_that_the_computer_thinks_and_need_not_wait_for_it(client: Client) -> None:
    table = client.table(seats={"soviet": "random"})
    german = table.seat("german")
    assert client.portal is not None
    room = client.portal.call(client.app.state.rooms.room, table.id)  # type: ignore[attr-defined]
    room.bots[1] = Slow("slow")
    with german.live() as live:
        state = live.next()["state"]
        while asked(state) == "german":
            state = german.play(*(["end"] if ["end"] in offered(state) else offered(state)[0]))
        thinking = live.until(lambda m: m["state"]["thinking"])["state"]
        assert asked(thinking) == "soviet"
        began = time.monotonic()
        assert german.state()["thinking"]
        assert good(german.post("/ask", {"ask": "layer", "layer": "zones", "side": "soviet"}))["hexes"]
        assert good(german.post("/chat", {"text": "take your time"}))
        # It thinks for 0.2 s at least, and no answer had to wait for that.
        assert time.monotonic() - began < 0.2 or german.state()["thinking"]
        good(german.post("/resign"))
        done = live.until(lambda m: m["state"]["over"] and not m["state"]["thinking"])["state"]
        assert done["outcome"]["winner"] == "soviet"


def test_the_computers_answers_are_pushed(client: Client) -> None:
    german = client.table(seats={"soviet": "random"}).seat("german")
    with german.live() as live:
        state = live.next()["state"]
        while asked(state) == "german":
            state = german.play(*(["end"] if ["end"] in offered(state) else offered(state)[0]))
        begun = state["moments"]
        done = live.until(lambda m: asked(m["state"]) == "german" and m["state"]["moments"] > begun)
        assert done["log_from"] + len(done["log"]) == done["state"]["log_length"]


def test_who_joins_is_seen_at_once(client: Client) -> None:
    table = client.table(listed=True)
    with table.seat("german").live() as live:
        live.next()
        good(table.nobody.post("/join", {"side": "soviet", "name": "Ivan"}))
        live.until(lambda m: m["state"]["players"]["soviet"]["name"] == "Ivan")


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
    table = quick_client.table()
    with quick_client.websocket_connect(f"/api/tables/{table.id}/live") as socket:
        socket.send_text(greeting)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4400


def test_bytes_are_no_greeting(quick_client: Client) -> None:
    table = quick_client.table()
    with quick_client.websocket_connect(f"/api/tables/{table.id}/live") as socket:
        socket.send_bytes(b"\xff\xfe")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4400


@pytest.mark.parametrize("token", [None, "", "guess", "\ud800", "x" * 3000])
def test_without_a_token_of_the_table_nothing_is_heard(quick_client: Client, token: str | None) -> None:
    table = quick_client.table()
    with Seat(quick_client, table.id, token).live() as live:
        with pytest.raises(WebSocketDisconnect) as closed:
            live.next()
        assert closed.value.code == 4403
    with Seat(quick_client, "nowhere", token).live() as live:
        with pytest.raises(WebSocketDisconnect) as closed:
            live.next()
        assert closed.value.code == 4400


def test_who_chatters_over_the_socket_is_not_minded(quick_client: Client) -> None:
    german = quick_client.table().seat("german")
    with german.live() as live:
        live.next()
        live.socket.send_bytes(b"\x00\x01")
        live.socket.send_text("[" * 3000)
        german.play(*offered(german.state())[0])
        live.until(lambda m: m["state"]["moments"] > 0)
