"""The shorter way to the door that is used most: the same answers as by the usual one."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.server.doors import quick
from grognard.server.store import Store
from tests.server.table import Client, Seat, good, offered

MINIMAL = {"Prefer": "return=minimal"}


def ask(seat: Seat, body: Any, lang: str = "en", door: str = "actions", **headers: str) -> tuple[int, Any]:
    # As the page asks.
    url = f"/api/tables/{seat.table}/{door}?lang={lang}&protocol=2"
    answer = seat.client.post(url, json=body, headers={**seat.headers, **MINIMAL, **headers})
    return answer.status_code, answer.json()


def both(seat: Seat, body: Any, monkeypatch: pytest.MonkeyPatch, **more: Any) -> tuple[Any, Any]:
    short = ask(seat, body, **more)
    with monkeypatch.context() as patched:
        patched.setattr(quick.QuickAnswers, "seat", lambda quick, scope: None)
        return short, ask(seat, body, **more)


def test_refusals_are_the_same_by_both_ways(quick_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    table = quick_client.table("crossroads", hotseat=True)
    seat = table.seat("amber")
    legal = offered(seat.state())[0]
    bodies: list[Any] = [
        {"action": ["fly", "0101"]},
        {"action": legal, "version": "0-old"},
        {"action": legal, "side": "nobody"},
        {"action": []},
        {"action": "x"},
        {"action": legal, "more": 1},
        [],
        {"action": ["x" * 50]},
    ]
    for body in bodies:
        for lang in ("en", "fr"):
            short, long = both(seat, body, monkeypatch, lang=lang)
            assert short == long and short[0] >= 400, body
    others = [table.watch, Seat(quick_client, table.id, "wrong"), Seat(quick_client, "unknown", seat.token)]
    for other in others:
        short, long = both(other, {"action": legal}, monkeypatch)
        assert short == long and short[0] in (403, 404)
    short, long = both(seat, {"action": legal}, monkeypatch, lang="de")
    assert short == long and short[0] == 422


def test_a_table_that_cannot_be_played_on_says_so_by_both_ways(
    quick_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = quick_client.table("crossroads", hotseat=True).seat("amber")
    body = {"action": offered(seat.state())[0]}
    assert quick_client.portal is not None
    rooms: Any = quick_client.app.state.rooms  # type: ignore[attr-defined]
    room = quick_client.portal.call(rooms.room, seat.table)
    monkeypatch.setattr(room, "pinned", "pinned-data")
    short, long = both(seat, body, monkeypatch)
    assert short == long and short[0] == 410


def test_what_could_not_be_written_is_said_by_both_ways(
    quick_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> Any:
        raise OSError("disk full")

    seat = quick_client.table("crossroads", hotseat=True).seat("amber")
    body = {"action": offered(seat.state())[0]}
    monkeypatch.setattr(Store, "write", full)
    short, long = both(seat, body, monkeypatch)
    assert short == long and short[0] == 503


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What goes by the shorter way."""
    found: list[str] = []
    real = quick.QuickAnswers._visit

    async def seen(quick: Any, scope: Any, seat: Any, message: Any) -> Any:
        found.append(scope["path"].rsplit("/", 1)[1])
        return await real(quick, scope, seat, message)

    monkeypatch.setattr(quick.QuickAnswers, "_visit", seen)
    return found


def test_an_answer_is_taken_by_the_shorter_way(quick_client: Client, taken: list[str]) -> None:
    seat = quick_client.table("crossroads", hotseat=True).seat("amber")
    state = seat.state()
    status, answer = ask(seat, {"action": offered(state)[0], "version": state["version"]})
    assert status == 200 and answer == {"version": seat.state()["version"]}
    assert taken == ["actions"]


def test_an_order_is_taken_by_the_shorter_way(
    quick_client: Client, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    amber, _ = quick_client.crossroads()
    order = {"order": "move", "units": ["first-amber"], "path": ["0202"]}
    short, long = both(amber, {"order": {**order, "path": ["0404"]}}, monkeypatch, door="orders")
    assert short == long and short[0] == 422
    status, answer = ask(amber, {"order": order}, door="orders")
    assert status == 200 and answer == {"version": amber.state()["version"]}
    assert taken == ["orders", "orders"]


@pytest.mark.parametrize("shorter", [True, False], ids=["the shorter way", "the usual way"])
def test_how_far_what_is_in_hand_gets_comes_with_the_answer(
    quick_client: Client, monkeypatch: pytest.MonkeyPatch, shorter: bool
) -> None:
    """Whoever takes a unit up asks once; who does not want to know is not told, nor are those who look on."""
    if not shorter:
        monkeypatch.setattr(quick.QuickAnswers, "seat", lambda quick, scope: None)
    amber, cobalt = quick_client.crossroads()
    lift = ["lift", "first-amber"]
    with cobalt.live() as live:
        live.next()
        status, told = ask(amber, {"action": lift, "reach": True})
        assert status == 200 and told["version"] == amber.state()["version"]
        assert told["reach"] == good(amber.post("/ask", {"ask": "reach", "units": ["first-amber"]}))
        assert told["reach"]["hexes"]
        heard = live.until(lambda m: m["state"]["version"] == told["version"])
        assert "reach" not in str(heard)
    # Put down again there is nothing in hand.
    url = f"/api/tables/{amber.table}/undo"
    undone = amber.client.post(url, json={"reach": True}, headers={**amber.headers, **MINIMAL}).json()
    assert undone == {"version": amber.state()["version"], "reach": None}
    assert ask(amber, {"action": lift})[1].keys() == {"version"}
