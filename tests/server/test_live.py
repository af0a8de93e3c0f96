"""Hearing of changes: everybody who listens hears of them, each as their seat sees them."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from grognard.players import RandomPlayer
from tests.server.table import Client, Json, Live, Seat, asked, good, hurried, lay_wagers, offered, play_on


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
        assert not begun["log_from"]
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
        assert live.log == seat.log()


def heard_by_all(state: Json, *lives: Live) -> None:
    """Listen until everybody has heard of a state."""
    for live in lives:
        if live.state["version"] != state["version"]:
            live.until(lambda m: m["state"]["version"] == state["version"])


def wager(seat: Seat, random: Random) -> Json:
    """An answer in the game of secrets: a number that nobody else may know, another one, or no more."""
    words = [["choose", str(random.randrange(1, 1000))], ["commit"]]
    last = offered(seat.state())[-1]
    return seat.play(*(random.choice(words) if last == ["commit"] else words[0]))


def told_once(live: Live) -> None:
    """Where nothing was taken back, no line has been sent twice."""
    pieces = [message["log"] for message in live.sent if "log" in message]
    own = {side: [piece["own"] for piece in pieces if is_of(piece, side)] for side in live.own}
    for told, lines in ((pieces, live.lines), *((own[side], live.own[side]) for side in own)):
        numbers = [n for piece in told for n in range(piece["from"], piece["from"] + len(piece["lines"]))]
        assert numbers == list(range(len(lines)))
        assert len(lines) > 3


def is_of(piece: Json, side: str) -> bool:
    return "own" in piece and bool(piece["own"]["side"] == side)


def test_at_one_screen_no_line_is_sent_twice(client: Client) -> None:
    """What everybody may read is told as it happens, and what one side alone may read when it sits there: it
    goes on where it had stopped."""
    seat = client.table("secrets", hotseat=True).seat("red")
    random, turns = Random(4), set()
    with seat.live() as live:
        live.next()
        for _ in range(30):
            heard_by_all(wager(seat, random), live)
            assert live.log == seat.log()
            turns.add((live.state["turn"], live.state["eyes"]))
            if live.state["over"]:
                break
    assert len(turns) > 3
    told_once(live)
    assert set(live.own) == {"red", "blue"}
    assert not any(line.get("own") for line in live.lines)
    assert all(line["own"] for lines in live.own.values() for line in lines)


def test_at_one_screen_what_is_taken_back_goes_from_every_log(client: Client) -> None:
    """Also from that of a side which does not sit there just then."""
    seat = client.table("secrets", hotseat=True).seat("red")
    with seat.live() as live:
        live.next()
        random, eyes = Random(6), set()
        for _ in range(12):
            for _ in range(6):
                state = wager(seat, random)
                eyes.add(state["eyes"])
            good(seat.post("/takeback", {"to": state["moments"] - 4}))
            for _ in range(2):
                heard_by_all(wager(seat, random), live)
                assert live.log == seat.log()
            good(seat.post("/takeback", {"to": 0}))
        assert eyes == {"red", "blue"}


def test_two_windows_of_one_screen_hear_the_same(client: Client) -> None:
    """A letter that was written for the first goes to the second, and tells the same lines once."""
    seat = client.table("secrets", hotseat=True).seat("red")
    with seat.live() as one, seat.live() as two:
        one.next()
        two.next()
        random = Random(9)
        for _ in range(16):
            eyes = one.state["eyes"]
            if eyes == "red":
                good(seat.post("/marks", {"kind": "ring", "hexes": ["0101"]}))
            heard_by_all(wager(seat, random), one, two)
            assert one.log == two.log == seat.log()
            assert [live.marks for live in (one, two)] == [good(seat.get("/marks"))] * 2
    for live in (one, two):
        told_once(live)


def test_who_comes_back_to_one_screen_says_how_far_each_side_has_read(client: Client) -> None:
    seat = client.table("secrets", hotseat=True).seat("red")
    random = Random(4)
    with seat.live() as live:
        live.next()
        for _ in range(8):
            heard_by_all(wager(seat, random), live)
    known = {side: len(lines) for side, lines in live.own.items()}
    with seat.live(log=len(live.lines), own={**known, "nobody": 7}) as again:
        again.lines, again.own = live.lines, live.own
        again.next()
        assert again.log == seat.log()
        for _ in range(8):
            heard_by_all(wager(seat, random), again)
        assert again.log == seat.log()
    assert again.sent[0]["log"] == {"from": len(live.lines), "lines": []}
    for side in ("red", "blue"):
        own = [m["log"]["own"] for m in again.sent if "log" in m and is_of(m["log"], side)]
        assert own[0]["from"] == known[side]


def test_who_sits_alone_has_one_log(client: Client) -> None:
    """Whatever he says to have read of another."""
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    red.play("choose", "371")
    red.play("commit")
    for seat in (red, blue):
        with seat.live(log=1, own={"red": 1, "blue": 1}) as live:
            live.next()
            assert live.sent[0]["log"] == {"from": 1, "lines": seat.log(1)}
    assert [line.get("own", False) for line in red.log()] == [False, True, False]
    assert [line.get("own", False) for line in blue.log()] == [False, False]


def test_whose_log_it_is_can_be_said_when_lines_are_asked_for(client: Client) -> None:
    """So that lines of the side that sits there now do not come into the log of the one before."""
    seat = client.table("crossroads", hotseat=True).seat("amber")
    eyes = seat.state()["eyes"]
    other = {"amber": "cobalt", "cobalt": "amber"}[eyes]
    assert good(seat.get("/log", eyes=eyes)) == seat.log() != []
    assert good(seat.get("/log", eyes=other)) == []


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
        '{"lang": "en", "log": -1}',
        '{"lang": "en", "log": true}',
        '{"lang": "en", "log": "3"}',
        '{"lang": "en", "log": [3]}',
        '{"lang": "en", "own": 3}',
        '{"lang": "en", "own": {"amber": -1}}',
        '{"lang": "en", "own": {"amber": "3"}}',
        json.dumps({"lang": "en", "own": {str(n): 1 for n in range(9)}}),
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
