"""People at a table: who is here, what they are called, what the table tells of them, and playing again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from grognard.server import past
from grognard.server.doors import live
from tests.server.table import Client, Seat, Table, good, lay_wagers, offered

PHRASE = "four grey geese in a row"


def over(client: Client, **wish: Any) -> Table:
    table = lay_wagers(client.table(**wish))
    good(table.seat("amber").post("/resign"))
    return table


def test_everybody_is_told_who_is_here(quick_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "STEPPED_OUT", 0.01)
    table = quick_client.table("crossroads")
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    with amber.live() as heard:
        assert heard.next()["state"]["here"] == ["amber"]
        with cobalt.live() as other:
            assert other.next()["state"]["here"] == ["amber", "cobalt"]
            assert heard.next()["set"]["here"] == ["amber", "cobalt"]
            # Spectators are no part of it, and come and go unseen.
            with table.watch.live() as watcher:
                assert watcher.next()["state"]["here"] == ["amber", "cobalt"]
        assert heard.next()["set"]["here"] == ["amber"]


def test_a_player_is_called_what_he_wishes(quick_client: Client) -> None:
    table = quick_client.table("crossroads")
    amber = table.seat("amber")
    good(amber.put("/name", {"name": "Katukov"}))
    assert table.seat("cobalt").state()["players"]["amber"]["name"] == "Katukov"
    assert table.watch.put("/name", {"name": "Somebody"}).status_code == 403


def test_the_same_two_play_again_each_where_he_wishes(client: Client) -> None:
    table = over(client, pace=3600, leave=7200, name="Three fords")
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    good(amber.put("/name", {"name": "Katukov"}))
    good(cobalt.put("/name", {"name": "Balck"}))
    mine = good(cobalt.post("/rematch", {"swap": True}))
    assert mine["side"] == "amber"
    assert amber.state()["rematch"] == mine["table"]
    # Those who only watch are not told where it goes on.
    assert table.watch.state()["rematch"] is None
    his = good(amber.post("/rematch"))
    assert (his["table"], his["side"]) == (mine["table"], "cobalt")
    there = Seat(client, mine["table"], mine["token"]).state()
    assert there["you"] == ["amber"] and there["name"] == "Three fords"
    assert (there["clock"]["pace"], there["clock"]["leave"]) == (3600, 7200)
    assert {side: each["name"] for side, each in there["players"].items()} == {
        "amber": "Balck",
        "cobalt": "Katukov",
    }
    assert Seat(client, his["table"], his["token"]).state()["you"] == ["cobalt"]
    # Nobody gets a seat there twice, and nobody else gets one at all.
    assert amber.post("/rematch").status_code == 409
    assert table.watch.post("/rematch").status_code == 403


def test_no_rematch_before_the_end(quick_client: Client) -> None:
    table = lay_wagers(quick_client.table("crossroads"))
    refused = table.seat("amber").post("/rematch", {}, lang="fr")
    assert refused.status_code == 403
    assert refused.json()["text"] == "Cette partie n’est pas encore terminée."


def test_a_take_back_leaves_a_trace_and_can_be_withdrawn(quick_client: Client) -> None:
    table = lay_wagers(quick_client.table("crossroads"))
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    for accept, by in ((False, amber), (False, cobalt), (True, cobalt)):
        good(amber.post("/takeback", {"to": 0}))
        assert cobalt.state()["proposal"] == {"by": "amber", "to": 0}
        good(by.post("/takeback/answer", {"accept": accept, "to": 0}))
        assert cobalt.state()["proposal"] is None
    lines = [(line["author"], line["code"]) for line in good(cobalt.get("/chat"))]
    assert lines == [
        ("amber", "takeback-asked"),
        ("amber", "takeback-withdrawn"),
        ("amber", "takeback-asked"),
        ("cobalt", "takeback-refused"),
        ("amber", "takeback-asked"),
        ("cobalt", "takeback-granted"),
    ]
    assert json.loads(good(cobalt.get("/chat"))[0]["text"]) == {"to": 0}


def test_what_is_wrong_with_a_save_is_said_in_the_readers_language(quick_client: Client) -> None:
    def said(text: str, **wish: Any) -> str:
        answer = quick_client.post("/api/saves", json={"text": text, **wish}, params={"lang": "fr"})
        assert answer.status_code == 422
        return str(answer.json()["text"])

    assert said("{broken") == "Ce fichier n’est pas une sauvegarde."
    table = lay_wagers(quick_client.table("crossroads", hotseat=True))
    text = table.seat("amber").get("/save").text
    other = {**json.loads(text), "game": "halma"}
    assert said(json.dumps(other)) == "C’est une sauvegarde d’un jeu qui n’est pas installé ici."
    assert "prochains jets" in said(text, hotseat=False)
    assert "autres règles" in said(json.dumps({**json.loads(text), "rules": "0"}))
    made = quick_client.post(
        "/api/saves", json={"text": text, "name": "Again", "seats": {"cobalt": "random"}}
    )
    assert made.status_code == 201 and list(made.json()["seats"]) == ["amber"]
    assert Table(quick_client, made.json()).seat("amber").state()["name"] == "Again"
    unnamed = quick_client.post("/api/saves", json={"text": text}, params={"lang": "fr"}).json()
    assert Table(quick_client, unnamed).seat("amber").state()["name"].endswith(", tour 1")


@pytest.mark.parametrize("at_a_time", [3, 1000])
def test_one_is_told_since_when_one_was_away(
    client: Client, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    """Where one's own last answer was, whatever the others have done since, and from any device."""
    monkeypatch.setattr(past, "EVERY", at_a_time)
    amber, cobalt = client.crossroads(options={"fog": True})
    random = Random(5)
    left: dict[Seat, Any] = {amber: None, cobalt: None}
    changed = 0
    for _ in range(60):
        seat = next((each for each in (amber, cobalt) if offered(each.state())), None)
        if seat is None:
            break
        state = seat.play(*random.choice(offered(seat.state())))
        left[seat] = {"line": state["log_length"], "moment": state["moments"]}
        changed += 1
        for each, last in left.items():
            if last:
                assert good(each.get("/since")) == last, changed
    assert changed > 20


def test_ones_games_are_listed_with_whom_they_wait_for_and_how_long(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Any = client.app.state.store  # type: ignore[attr-defined]
    monkeypatch.setattr(store, "clock", lambda: 1_000_000.0)
    table = client.table("crossroads", pace=3 * 86400, leave=7 * 86400)
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    session = good(client.post("/api/account", json={"name": f"Vera {client.kind}", "passphrase": PHRASE}))
    mine = {"Authorization": f"Bearer {session['session']}"}
    kept = {"table": table.id, "token": cobalt.token}
    good(client.post("/api/account/seats", json=kept, headers=mine))

    def lines() -> list[dict[str, Any]]:
        found = good(client.get("/api/account/games", headers=mine))
        return [good(amber.get("/line")), good(cobalt.get("/line")), *found]

    # Both lay their wagers at the same time, in secret: what the other has done changes no line.
    for line in lines():
        assert set(line["asked"]) == {"amber", "cobalt"}
        assert line["due"] == {"amber": 1_259_200.0, "cobalt": 1_259_200.0}
    before = good(amber.get("/line"))
    cobalt.play("stake", "cobalt-1")
    assert good(amber.get("/line")) == before
    assert "cobalt" not in good(cobalt.get("/line"))["asked"]
    amber.play("stake", "amber-3")
    monkeypatch.setattr(store, "clock", lambda: 1_000_500.0)
    good(amber.post("/leave-of-absence", {"days": 2}))
    for line in lines():
        assert line["asked"] == ["amber"] and line["since"] == 1_000_000.0
        assert line["away"] == {"amber": 1_173_300.0} and line["due"] == {"amber": 1_432_000.0}
    # In the lobby, before everybody, there is nothing of that.
    assert not any({"asked", "due", "away"} & set(line) for line in client.get("/api/tables").json())
    good(amber.post("/resign"))
    for line in lines():
        assert line["over"] and line["asked"] == [] and line["due"] == {} and line["away"] == {}


def test_leaving_on_every_device(quick_client: Client) -> None:
    wish = {"name": "Everywhere", "passphrase": "three boats on a river"}
    first = quick_client.post("/api/account", json=wish).json()["session"]
    second = quick_client.post("/api/account/sessions", json=wish).json()["session"]
    headers = [{"Authorization": f"Bearer {session}"} for session in (first, second)]
    good(quick_client.delete("/api/account/sessions", headers=headers[0]))
    assert [quick_client.get("/api/account", headers=each).status_code for each in headers] == [401, 401]
