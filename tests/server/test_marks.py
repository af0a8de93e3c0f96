"""What players draw on the map: their own unless they share it, and no part of the game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from grognard.server import marks
from tests.server.conftest import Start
from tests.server.table import Client, Live, Seat, good, lay_wagers
from tests.server.test_twins import load, twins

RING: dict[str, Any] = {"kind": "ring", "hexes": ["0303"]}
ARROW: dict[str, Any] = {"kind": "arrow", "hexes": ["0303", "0402"]}
NOTE: dict[str, Any] = {"kind": "note", "hexes": ["0402"], "text": "Ford here, at dawn"}


def drawn(seat: Seat) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = good(seat.get("/marks"))
    return found


def rub_out(seat: Seat, id_: str = "") -> list[dict[str, Any]]:
    path = f"/api/tables/{seat.table}/marks" + (f"/{id_}" if id_ else "")
    found: list[dict[str, Any]] = good(seat.client.delete(path, headers=seat.headers))
    return found


def heard(ear: Live) -> list[str]:
    """The kinds of the marks that are pushed next."""
    return [each["kind"] for each in ear.until(lambda message: "marks" in message)["marks"]]


def test_marks_are_seen_by_those_they_are_meant_for(client: Client) -> None:
    table = client.table("crossroads")
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    good(amber.post("/marks", ARROW))
    good(amber.post("/marks", {**NOTE, "seen_by": "players"}))
    told = good(amber.post("/marks", {**RING, "seen_by": "all"}))
    assert [each["kind"] for each in told] == ["arrow", "note", "ring"]
    assert drawn(amber) == told
    assert {each["side"] for each in told} == {"amber"}
    assert drawn(cobalt) == told[1:]
    assert drawn(table.watch) == told[2:]
    assert told[0]["hexes"] == ["0303", "0402"] and told[1]["text"] == "Ford here, at dawn"
    # Each takes off his own.
    good(cobalt.post("/marks", RING))
    rub_out(cobalt, told[2]["id"])
    assert drawn(table.watch) == told[2:]
    assert rub_out(amber, told[2]["id"]) == told[:2]
    assert rub_out(amber) == []
    assert [each["side"] for each in drawn(cobalt)] == ["cobalt"]


def test_they_are_told_at_once_and_are_no_part_of_the_game(quick_client: Client) -> None:
    table = lay_wagers(quick_client.table("crossroads"))
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    doors = ("", "/log", "/moments", "/rolls", "/line")
    before = [_without_guests(cobalt, door) for door in doors]
    with amber.live() as own, cobalt.live() as other, table.watch.live() as watcher:
        for ear in (own, other, watcher):
            assert "marks" not in ear.next()
        good(amber.post("/marks", RING))
        assert own.until(lambda message: "marks" in message)["marks"] == drawn(amber)
        good(amber.post("/marks", {**ARROW, "seen_by": "players"}))
        assert heard(other) == ["arrow"]
        assert "set" not in other.sent[-1] and "log" not in other.sent[-1]
        good(amber.post("/marks", {**NOTE, "seen_by": "all"}))
        assert [each["kind"] for each in watcher.until(lambda message: "marks" in message)["marks"]] == [
            "note"
        ]
        # What was shared and is taken back is gone everywhere.
        rub_out(amber)
        assert other.until(lambda message: message.get("marks") == [])
        assert watcher.until(lambda message: message.get("marks") == [])
    assert before == [_without_guests(cobalt, door) for door in doors]
    good(amber.post("/marks", RING))
    with amber.live() as own:
        assert [each["kind"] for each in own.next()["marks"]] == ["ring"]


def _without_guests(seat: Seat, door: str) -> str:
    """What a door answers, whoever is connected."""
    return re.sub(r'"here": ?\[[^\]]*\]', "", seat.get(door).text)


@pytest.mark.parametrize("accounts", [("", ""), ("one", "two")])
def test_nothing_of_a_private_mark_leaves(tmp_path: Path, pictures: Path, accounts: tuple[str, str]) -> None:
    """Two tables, at one of which a side has drawn for itself: the other side and the spectators get the same
    by every door and over the socket, to the letter, before and after a mark that is shared."""
    game = load("crossroads")
    with twins(game, tmp_path, pictures, 1, accounts=accounts) as (one, two):
        before = one.told()
        assert two.told() == before
        for mark in (RING, ARROW, NOTE):
            good(one.seats[0].post("/marks", mark))
        rub_out(one.seats[0], drawn(one.seats[0])[0]["id"])
        assert one.told(every_door=True) == two.told(every_door=True)
        for twin in (one, two):
            good(twin.seats[0].post("/marks", {**RING, "seen_by": "all"}))
            for ear in twin.ears:
                ear.until(lambda message: "marks" in message)
        assert _alike(one.told(every_door=True)) == _alike(two.told(every_door=True))
        # Nor is anybody woken by the next ones.
        for mark in (ARROW, NOTE):
            good(one.seats[0].post("/marks", mark))
        for twin in (one, two):
            good(twin.seats[0].post("/chat", {"text": "done"}))
            for ear in twin.ears:
                ear.until(lambda message: bool(message["chat"]))
        assert _alike(one.told()) == _alike(two.told())


def _alike(texts: list[str]) -> list[str]:
    """Marks are named by lot: names of one length."""
    return [re.sub(r'"id":"[0-9a-f]{12}"', '"id":"0"', text) for text in texts]


def test_what_is_no_mark_is_refused(quick_client: Client) -> None:
    table = quick_client.table("crossroads")
    amber = table.seat("amber")
    for wrong in (
        {**RING, "hexes": ["9999"]},
        {**RING, "hexes": []},
        {**RING, "hexes": ["0303", "0402"]},
        {**RING, "text": "words"},
        {**ARROW, "hexes": ["0303", "0303"]},
        {**NOTE, "text": ""},
        {**NOTE, "text": "x" * 121},
        {**NOTE, "text": "two\nlines"},
        {**RING, "seen_by": "cobalt"},
        {**RING, "kind": "circle"},
        {**RING, "side": "cobalt"},
    ):
        assert amber.post("/marks", wrong).status_code == 422, wrong
    assert table.watch.post("/marks", RING).status_code == 403
    assert table.nobody.get("/marks").status_code == 401
    assert drawn(amber) == []


def test_there_may_be_only_so_many(quick_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MOST", 3)
    amber = quick_client.table("crossroads").seat("amber")
    for _ in range(3):
        good(amber.post("/marks", RING))
    refused = amber.post("/marks", RING, lang="fr")
    assert refused.status_code == 403 and "nombre maximal" in refused.json()["text"]
    assert len(drawn(amber)) == 3


def test_marks_stay_over_a_restart_and_go_with_the_table(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table("crossroads", hotseat=True)
        good(table.seat("amber").post("/marks", NOTE))
    with start(database) as client:
        seat = table.seat("amber").at(client)
        assert [each["text"] for each in drawn(seat)] == [NOTE["text"]]
        good(client.delete(f"/api/tables/{table.id}", headers=seat.headers))
        assert seat.get("/marks").status_code == 404


def test_two_at_one_screen_keep_theirs_from_each_other(quick_client: Client) -> None:
    """Crossroads has secrets: what Amber drew before the screen was passed is not there for Cobalt."""
    seat = quick_client.table("crossroads", hotseat=True).seat("amber")
    with seat.live() as ear:
        ear.next()
        good(seat.post("/marks", RING))
        assert [each["side"] for each in ear.until(lambda message: "marks" in message)["marks"]] == ["amber"]
        seat.play("stake", "amber-3")
        assert ear.until(lambda message: "marks" in message)["marks"] == []
        assert drawn(seat) == []
        good(seat.post("/marks", ARROW))
        assert [each["side"] for each in drawn(seat)] == ["cobalt"]


def test_whoever_takes_a_seat_finds_nothing_of_the_one_before(client: Client) -> None:
    table = client.table("crossroads")
    cobalt = table.seat("cobalt")
    good(cobalt.post("/marks", NOTE))
    good(cobalt.put("/note", {"text": "my plan"}))
    good(table.seat("amber").post("/kick", {"side": "cobalt"}))
    invitation = good(table.seat("amber").post("/invitations", {"side": "cobalt"}))["invitation"]
    token = good(table.nobody.post("/sit", {"invitation": invitation}))["token"]
    other = Seat(client, table.id, token)
    assert drawn(other) == [] and good(other.get("/note"))["text"] == ""


def test_shared_marks_are_seen_at_another_server(database: str, start: Start) -> None:
    with start(database) as one, start(database) as two:
        here, there = one.crossroads()
        with there.at(two).live() as ear:
            ear.next()
            good(here.post("/marks", ARROW))
            good(here.post("/marks", {**RING, "seen_by": "players"}))
            assert [each["kind"] for each in ear.until(lambda message: "marks" in message)["marks"]] == [
                "ring"
            ]


def test_they_are_part_of_what_one_can_take_away(quick_client: Client) -> None:
    wish = {"name": "Draughtsman", "passphrase": "three boats on a river"}
    headers = {"Authorization": f"Bearer {quick_client.post('/api/account', json=wish).json()['session']}"}
    table = quick_client.table("crossroads")
    amber = table.seat("amber")
    body = {"table": table.id, "token": amber.token}
    good(quick_client.post("/api/account/seats", json=body, headers=headers))
    good(amber.post("/marks", NOTE))
    taken = good(quick_client.get("/api/account/export", headers=headers))
    assert taken["marks"] == [{"table": table.id, "seen_by": "me", **NOTE}]
