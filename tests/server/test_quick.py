"""The shorter way to the door that is used most: the same answers as by the usual one."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.server.doors import quick
from grognard.server.store import Store
from tests.server.table import Client, Seat, offered

MINIMAL = {"Prefer": "return=minimal"}


def ask(seat: Seat, body: Any, lang: str = "en", **headers: str) -> tuple[int, Any]:
    url = f"/api/tables/{seat.table}/actions?lang={lang}"
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
    good = offered(seat.state())[0]
    bodies: list[Any] = [
        {"action": ["fly", "0101"]},
        {"action": good, "version": "0-old"},
        {"action": good, "side": "nobody"},
        {"action": []},
        {"action": "x"},
        {"action": good, "more": 1},
        [],
        {"action": ["x" * 50]},
    ]
    for body in bodies:
        for lang in ("en", "fr"):
            short, long = both(seat, body, monkeypatch, lang=lang)
            assert short == long and short[0] >= 400, body
    others = [table.watch, Seat(quick_client, table.id, "wrong"), Seat(quick_client, "unknown", seat.token)]
    for other in others:
        short, long = both(other, {"action": good}, monkeypatch)
        assert short == long and short[0] in (403, 404)
    short, long = both(seat, {"action": good}, monkeypatch, lang="de")
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


def test_an_answer_is_taken_by_the_shorter_way(quick_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = quick_client.table("crossroads", hotseat=True).seat("amber")
    taken = []
    real = quick.QuickAnswers._visit

    async def seen(quick: Any, scope: Any, seat: Any, message: Any) -> Any:
        taken.append(scope["path"])
        return await real(quick, scope, seat, message)

    monkeypatch.setattr(quick.QuickAnswers, "_visit", seen)
    state = seat.state()
    status, answer = ask(seat, {"action": offered(state)[0], "version": state["version"]})
    assert status == 200 and answer == {"version": seat.state()["version"]}
    assert taken == [f"/api/tables/{seat.table}/actions"]
