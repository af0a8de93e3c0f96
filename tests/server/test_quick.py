"""The shorter way to the door that is used most: the same answers as by the usual one."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.routing import Match

from grognard.server.doors import quick
from tests.server.table import Client, Seat, offered

MINIMAL = {"Prefer": "return=minimal"}


def ask(seat: Seat, body: Any, lang: str = "en", **headers: str) -> tuple[int, Any]:
    url = f"/api/tables/{seat.table}/actions?lang={lang}"
    answer = seat.client.post(url, json=body, headers={**seat.headers, **MINIMAL, **headers})
    return answer.status_code, answer.json()


def both(seat: Seat, body: Any, monkeypatch: pytest.MonkeyPatch, **more: Any) -> tuple[Any, Any]:
    short = ask(seat, body, **more)
    with monkeypatch.context() as patched:
        patched.setattr(quick.QuickAnswers, "matches", lambda route, scope: (Match.NONE, {}))
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


def test_an_answer_is_taken_by_the_shorter_way(quick_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = quick_client.table("crossroads", hotseat=True).seat("amber")
    taken = []
    real = quick.QuickAnswers._visit

    async def seen(route: Any, scope: Any, message: Any) -> Any:
        taken.append(scope["path"])
        return await real(route, scope, message)

    monkeypatch.setattr(quick.QuickAnswers, "_visit", seen)
    state = seat.state()
    status, answer = ask(seat, {"action": offered(state)[0], "version": state["version"]})
    assert status == 200 and answer == {"version": seat.state()["version"]}
    assert taken == [f"/api/tables/{seat.table}/actions"]
