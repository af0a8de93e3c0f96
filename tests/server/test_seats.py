"""Who comes and goes at a table (findings L8, B1, B2, R6, R6b)."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.websockets import WebSocketDisconnect

from grognard.kernel import Game
from grognard.server.api import create_app
from grognard.server.quotas import Quotas
from grognard.server.settings import ServerSettings
from grognard.server.store import Store
from tests.server.conftest import Start
from tests.server.table import Client, Live, Seat, Table, good, offered, play_on


def sit(table: Table, invitation: str, name: str = "") -> Any:
    return table.nobody.post("/sit", {"invitation": invitation, "name": name})


# Invitations (L8)


def test_l8_the_makers_copy_of_a_link_dies_when_it_is_used(client: Client) -> None:
    """With the other seat's token the maker read its secrets, and resigned for it."""
    table = client.table("secrets")
    assert set(table.tokens) == {"red"} and set(table.invitations) == {"blue"}
    word = table.invitations["blue"]
    # An invitation is not a key: nothing can be read or done with it.
    thief = Seat(client, table.id, word)
    assert thief.get().status_code == 403 and thief.post("/resign").status_code == 403
    sat = good(sit(table, word, "Ada"))
    assert sat["side"] == "blue" and sat["token"] != word
    blue = Seat(client, table.id, sat["token"])
    assert blue.state()["you"] == ["blue"] and blue.state()["players"]["blue"]["name"] == "Ada"
    for _ in range(2):
        answer = sit(table, word)
        assert answer.status_code == 410 and answer.json()["code"] == "seat-taken"
    assert thief.get().status_code == 403
    assert sit(table, "").status_code in (410, 422) and sit(table, "x" * 32).status_code == 410


def test_l8_two_who_use_one_link_at_once(client: Client) -> None:
    table = client.table("crossroads")
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: sit(table, table.invitations["cobalt"]), range(6)))
    assert sorted(answer.status_code for answer in answers) == [200, *[410] * 5]


def test_l8_a_new_link_ends_the_old_one_and_only_for_empty_seats(client: Client) -> None:
    table = client.table("crossroads")
    amber = table.seat("amber")
    assert amber.state()["rights"]["invite"] == ["cobalt"]
    fresh = good(amber.post("/invitations", {"side": "cobalt"}))["invitation"]
    assert sit(table, table.invitations["cobalt"]).status_code == 410
    cobalt = Seat(client, table.id, good(sit(table, fresh))["token"])
    assert amber.state()["rights"]["invite"] == []
    for side in ("cobalt", "amber", "nobody"):
        answer = amber.post("/invitations", {"side": side}, lang="fr")
        assert (answer.status_code, answer.json()["code"]) == (403, "no-such-seat")
        assert answer.json()["text"].startswith("Ce n’est pas possible")
    assert table.watch.post("/invitations", {"side": "cobalt"}).status_code == 403
    assert cobalt.state()["you"] == ["cobalt"]


def test_l8_a_player_renews_his_own_key(client: Client) -> None:
    table = client.table("crossroads")
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    with amber.live() as old, cobalt.live() as other:
        old.next()
        other.next()
        fresh = Seat(client, table.id, good(amber.post("/renew"))["token"])
        assert amber.get().status_code == 403
        # Whoever listens with the old key is put out; the other side is not.
        assert heard_code(old) == 4403
        assert fresh.state()["you"] == ["amber"]
        good(fresh.post("/chat", {"text": "still here"}))
        other.until(lambda message: bool(message.get("chat")))


def heard_code(live: Live) -> int:
    with pytest.raises(WebSocketDisconnect) as closed:
        for _ in range(50):
            live.next()
    return closed.value.code


def test_l8_links_and_seats_survive_a_restart(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table("crossroads")
        word = table.invitations["cobalt"]
    with start(database) as client:
        again = Table(client, {"table": table.id, "seats": {}, "watch": "", "invitations": {}, "promise": ""})
        token = good(sit(again, word))["token"]
    store = Store(database)
    with store.engine.connect() as connection:
        held = " ".join(str(row) for row in connection.execute(sa.text("SELECT * FROM seats")))
    store.close()
    assert word not in held and token not in held


def test_the_maker_plays_the_side_he_asked_for(client: Client) -> None:
    table = client.table("crossroads", side="cobalt", owner="Max")
    assert set(table.tokens) == {"cobalt"} and set(table.invitations) == {"amber"}
    assert table.seat("cobalt").state()["rights"]["host"]
    answer = client.post(
        "/api/tables", json={"game": "crossroads", "side": "cobalt", "seats": {"cobalt": "random"}}
    )
    assert answer.status_code == 422


# Coming and going (B1, B2)


def open_table(client: Client) -> tuple[Table, Seat, Seat]:
    """A listed table at which a stranger has taken the open seat."""
    table = client.table("crossroads", listed=True)
    stranger = good(table.nobody.post("/join", {"side": "cobalt", "name": "stranger"}))["token"]
    return table, table.seat("amber"), Seat(client, table.id, stranger)


def test_b2_the_host_sends_away_who_never_plays(client: Client) -> None:
    """One stranger took 50 of 50 open seats, for good."""
    table, amber, stranger = open_table(client)
    assert stranger.post("/kick", {"side": "amber"}).status_code == 403
    assert amber.state()["rights"]["kick"] == ["cobalt"]
    with stranger.live() as live:
        live.next()
        state = good(amber.post("/kick", {"side": "cobalt"}))
        assert state["players"]["cobalt"] == {"kind": "human", "name": "", "taken": False}
        assert heard_code(live) == 4403
    assert stranger.get().status_code == 403
    # Somebody else may come.
    good(table.nobody.post("/join", {"side": "cobalt"}))


def wager(amber: Seat, cobalt: Seat) -> None:
    """Both have answered, and everybody knows it: Amber marches."""
    amber.play("stake", "amber-3")
    cobalt.play("stake", "cobalt-1")


def test_b2_who_has_answered_is_not_sent_away(client: Client) -> None:
    _, amber, cobalt = open_table(client)
    wager(amber, cobalt)
    assert amber.state()["rights"]["kick"] == []
    assert amber.post("/kick", {"side": "cobalt"}).status_code == 403
    assert cobalt.state()["you"] == ["cobalt"]


def test_b2_what_is_written_in_secret_does_not_show_in_what_the_host_may_do(client: Client) -> None:
    rights = []
    for answers in ([], ["choose"]):
        table = client.table("secrets", side="blue")
        blue, red = table.seat("blue"), table.seat("red")
        for verb in answers:
            red.play(verb, "5")
        rights.append(blue.state()["rights"])
    assert rights[0]["kick"] == ["red"]


def test_b2_a_seat_can_be_left(client: Client) -> None:
    table, amber, cobalt = open_table(client)
    assert cobalt.state()["rights"]["leave"] and not table.nobody.state()["rights"]["leave"]
    good(cobalt.post("/leave"))
    assert cobalt.get().status_code == 403
    assert not amber.state()["players"]["cobalt"]["taken"]
    alone = client.table("crossroads", seats={"cobalt": "random"}).seat("amber")
    assert alone.post("/leave").status_code == 403
    assert client.table("crossroads", hotseat=True).seat("amber").post("/leave").status_code == 403


def test_b1_a_table_can_be_taken_off_the_list(client: Client) -> None:
    table = client.table("crossroads", listed=True)
    amber = table.seat("amber")
    assert table.id in client.lobby()
    assert good(amber.post("/unlist"))["rights"]["listed"] is False
    assert table.id not in client.lobby()
    assert table.nobody.get().status_code == 401
    assert table.nobody.post("/join", {"side": "cobalt"}).status_code == 403
    _, _, stranger = open_table(client)
    assert stranger.post("/unlist").status_code == 403


def test_b1_a_table_can_be_removed_until_somebody_else_has_played(client: Client) -> None:
    table, amber, cobalt = open_table(client)
    assert cobalt.client.delete(f"/api/tables/{table.id}", headers=cobalt.headers).status_code == 403
    good(amber.post("/chat", {"text": "gone soon"}))
    with cobalt.live() as live:
        live.next()
        good(client.delete(f"/api/tables/{table.id}", headers=amber.headers))
        assert heard_code(live) == 4403
    assert amber.get().status_code == 404 and table.id not in client.lobby()
    played, amber, cobalt = open_table(client)
    wager(amber, cobalt)
    answer = client.delete(f"/api/tables/{played.id}?lang=fr", headers=amber.headers)
    assert answer.status_code == 403 and answer.json()["text"].startswith("D’autres ont joué")
    alone = client.table("crossroads", seats={"cobalt": "random"}).seat("amber")
    play_on([alone], Random(1), 1)
    good(client.delete(f"/api/tables/{alone.table}", headers=alone.headers))


def test_b1_a_game_can_be_closed_when_the_others_stay_away(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, amber, cobalt = open_table(client)
    wager(amber, cobalt)
    assert amber.state()["must_act"] == ["amber"]
    assert amber.post("/abandon").status_code == 403
    assert cobalt.post("/abandon").status_code == 403
    later = time.time() + 15 * 86_400
    monkeypatch.setattr("grognard.server.rights.time.time", lambda: later)
    monkeypatch.setattr(client.app.state.store, "clock", lambda: later)  # type: ignore[attr-defined]
    # The one who is waited for cannot.
    assert amber.post("/abandon").status_code == 403
    state = good(cobalt.post("/abandon"))
    assert state["over"] and state["outcome"]["winner"] is None
    assert state["outcome"]["level"] == "abandoned" and state["seed"]
    assert amber.act(*offered(amber.state())[0] if offered(amber.state()) else ["end"]).status_code == 422


def test_b1_one_maker_does_not_fill_the_list(tmp_path: Path, pictures: Path, crossroads: Game[Any]) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    settings = ServerSettings(database, pictures, draw_ahead=False, quotas=Quotas({}, waiting_tables=2))
    with Client(create_app(settings, {"crossroads": crossroads})) as client:
        tables = [client.table("crossroads", listed=True) for _ in range(2)]
        wish = {"game": "crossroads", "listed": True}
        answer = client.post("/api/tables?lang=fr", json=wish)
        assert answer.status_code == 429 and "2 tables annoncées" in answer.json()["text"]
        client.table("crossroads")  # by invitation there is no harm in more
        good(tables[0].nobody.post("/join", {"side": "cobalt"}))
        client.table("crossroads", listed=True)
        assert client.post("/api/tables", json=wish).status_code == 429


# Taking back what was meant (R6, R6b)


def test_r6_whoever_accepts_a_take_back_says_which(client: Client) -> None:
    """Swapped under the finger: read 9, got 0."""
    table = client.table("crossroads")
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    play_on([amber, cobalt], Random(7), 10)
    last = amber.state()["moments"]
    good(amber.post("/takeback", {"to": last - 1}))
    read = cobalt.state()["proposal"]["to"]
    good(amber.post("/takeback", {"to": 0}))
    answer = cobalt.post("/takeback/answer", {"accept": True, "to": read})
    assert answer.status_code == 409 and answer.json()["state"]["proposal"]["to"] == 0
    assert cobalt.post("/takeback/answer", {"accept": True}).status_code == 409
    assert amber.state()["moments"] == last
    assert good(cobalt.post("/takeback/answer", {"accept": True, "to": 0}))["moments"] == 0


def test_r6b_an_undo_sent_three_times_takes_back_once(client: Client) -> None:
    seat = client.table("crossroads", hotseat=True).seat("amber")
    state = play_on([seat], Random(4), 1)
    while not state["can_undo"]:
        state = play_on([seat], Random(4), 1)
    while state["moments"] < 3 or not state["can_undo"]:
        state = play_on([seat], Random(5), 1)
    statuses = [seat.post("/undo", {"version": state["version"]}).status_code for _ in range(3)]
    assert statuses == [200, 409, 409]
