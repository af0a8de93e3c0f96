"""Sitting down, playing, taking back, giving up, talking: what people do at a table, on both databases."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.server.conftest import Start
from tests.server.table import Client, Seat, asked, good, hurried, offered, play_on, wait_for_turn


def sit_two(client: Client, **wish: Any) -> tuple[Seat, Seat]:
    table = client.table(**wish)
    return table.seat("german"), table.seat("soviet")


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code")


# Sitting down


def test_the_games_that_can_be_played_are_listed(quick_client: Client) -> None:
    games = {g["id"]: g for g in quick_client.get("/api/games?lang=fr").json()}
    assert "random" in games["leningrad"]["players"]
    assert [s["id"] for s in games["leningrad"]["sides"]] == ["german", "soviet"]
    kit = quick_client.get("/api/games/leningrad/kit").json()
    assert kit["hexes"] and kit["counters"] and kit["rules"] and kit["turns"]
    assert quick_client.get("/api/games/leningrad/map.svg").headers["content-type"] == "image/svg+xml"


def test_a_friend_plays_by_the_link_of_a_seat(client: Client) -> None:
    table = client.table(name="Été 41", owner="Zoë")
    german, soviet = table.seat("german"), table.seat("soviet")
    assert german.token != soviet.token
    assert german.state()["you"] == ["german"] and soviet.state()["you"] == ["soviet"]
    assert german.state()["players"]["german"] == {"kind": "human", "name": "Zoë", "taken": True}
    assert table.watch.state()["you"] == []
    assert table.nobody.get().status_code == 401
    assert table.nobody.post("/join", {"side": "soviet"}).status_code == 403
    assert offered(german.state()) and not offered(soviet.state()) and not offered(table.watch.state())


def test_whoever_comes_first_takes_an_open_seat(client: Client) -> None:
    table = client.table(listed=True, name="open")
    assert set(table.tokens) == {"german"}
    line = client.lobby()[table.id]
    assert (line["name"], line["players"]["soviet"]["taken"]) == ("open", False)
    assert table.nobody.state()["you"] == []
    joined = table.nobody.post("/join", {"side": "soviet", "name": "Ivan"})
    soviet = Seat(client, table.id, good(joined)["token"])
    assert soviet.state()["you"] == ["soviet"]
    assert soviet.state()["players"]["soviet"]["name"] == "Ivan"
    for side in ("soviet", "german", "watch", "nobody"):
        assert table.nobody.post("/join", {"side": side}).status_code == 409
    taken = {"kind": "human", "name": "Ivan", "taken": True}
    assert client.lobby()[table.id]["players"]["soviet"] == taken


def test_the_lobby_says_where_each_table_stands(client: Client) -> None:
    table = client.table(listed=True, hotseat=True)
    private = client.table(name="private")
    seat = table.seat("german")
    play_on([seat], Random(1), 30)
    state = seat.state()
    line = client.lobby()[table.id]
    assert private.id not in client.lobby()
    keys = ("table", "name", "game", "turn", "over", "players")
    assert {k: line[k] for k in keys} == {k: state[k] for k in keys}
    assert (line["phase"], line["actor"]) == (state["phase"]["id"], asked(state))
    good(seat.post("/resign"))
    line = client.lobby()[table.id]
    assert (line["over"], line["actor"]) == (True, None)


def test_two_at_one_screen_hold_both_seats(client: Client) -> None:
    table = client.table("secrets", hotseat=True)
    assert table.tokens["red"] == table.tokens["blue"]
    state = table.seat("red").state()
    for side in ("red", "blue") * 3:
        assert (asked(state), state["you"]) == (side, ["red", "blue"])
        table.seat(side).play("choose", "5")
        state = table.seat(side).play("commit")
    assert state["over"] and state["outcome"]["level"] == "win"


def test_against_the_computer_to_the_end(client: Client) -> None:
    # The side does not depend on the database: each is played once.
    side, other = ("german", "soviet") if client.kind == "sqlite" else ("soviet", "german")
    table = client.table(seats={other: "random"}, owner="me")
    seat = table.seat(side)
    assert set(table.tokens) == {side}
    random = Random(5)
    for _ in range(2000):
        state = wait_for_turn(seat)
        if state["over"]:
            break
        seat.play(*hurried(offered(state), random))
    assert state["over"] and state["outcome"]["winner"] in (None, "german", "soviet")
    assert state["players"][other]["kind"] == "random"
    assert not state["thinking"]


def test_the_computer_plays_both_sides_while_people_watch(quick_client: Client) -> None:
    table = quick_client.table(seats={"german": "random", "soviet": "random"})
    assert table.tokens == {}
    with table.watch.live():
        state = wait_for_turn(table.watch)
    assert state["over"] and state["outcome"]


# Answers


def test_the_other_seat_must_wait(client: Client) -> None:
    german, soviet = sit_two(client)
    options = offered(german.state())
    assert code(soviet.act(*options[0])) == (403, "not-your-decision")
    assert code(soviet.post("/undo")) == (403, "not-your-decision")
    assert german.act(*options[0]).status_code == 200


def test_a_refusal_changes_nothing_and_says_why_in_both_languages(client: Client) -> None:
    german, _ = sit_two(client)
    before = german.state()
    words = {"action": ["target", "0101"]}
    english, french = german.post("/actions", words), german.post("/actions", words, lang="fr")
    assert english.status_code == french.status_code == 422
    assert english.json()["text"] != french.json()["text"]
    assert code(german.act("fly", "0101")) == (422, "unknown-verb")
    assert german.state() == before


def test_who_looked_too_long_ago_is_told_so(client: Client) -> None:
    german, _ = sit_two(client)
    state = german.state()
    first = offered(state)[0]
    assert german.act(*first, version=state["version"]).status_code == 200
    again = german.act(*first, version=state["version"])
    assert code(again) == (409, "stale")
    assert again.json()["state"] == german.state()


def test_an_order_is_many_answers_and_one_step_to_take_back(client: Client) -> None:
    german, soviet = sit_two(client)
    state = german.state()
    while not any(o[0] == "pick" for o in offered(state)):
        state = german.play(*hurried(offered(state), Random(1)))
    for unit in [o[1] for o in offered(state) if o[0] == "pick"]:
        reach = good(german.post("/ask", {"ask": "reach", "units": [unit]}))["hexes"]
        ways = [[hex_] for hex_, (before, left) in reach.items() if before is None and left is not None]
        if ways:
            break
    order = {"order": "move", "units": [unit], "path": ways[0]}
    moved = german.post("/orders", {"order": order, "version": state["version"]})
    assert good(moved)["moments"] >= state["moments"] + 2
    assert code(german.post("/orders", {"order": order, "version": state["version"]})) == (409, "stale")
    assert code(soviet.post("/orders", {"order": order})) == (403, "not-your-decision")
    assert german.post("/orders", {"order": {"order": "dig"}}).status_code == 422
    assert good(german.post("/undo"))["version"] == state["version"]


def test_undo_goes_back_a_step_or_to_the_beginning_of_the_phase(client: Client) -> None:
    german, _ = sit_two(client)
    state = german.state()
    while not any(o[0] == "pick" for o in offered(state)):
        state = german.play(*hurried(offered(state), Random(1)))
    versions = [state["version"]]
    for _ in range(3):
        unit = next(o for o in offered(state) if o[0] == "pick")
        state = german.play(*unit)
        versions.append(state["version"])
        state = german.play("halt") if ["halt"] in offered(state) else state
        versions.append(state["version"])
        if not any(o[0] == "pick" for o in offered(state)):
            break
    assert state["can_undo"]
    undone = good(german.post("/undo"))
    assert undone["version"] == versions[-2] and undone["can_redo"]
    again = good(german.post("/redo"))
    assert again["version"] == versions[-1] and not again["can_redo"]
    assert code(german.post("/redo")) == (422, "nothing-to-redo")
    good(german.post("/undo"))
    back = good(german.post("/undo", {"to": "phase"}))
    assert back["version"] == versions[0] or not back["can_undo"]
    while good(german.get())["can_undo"]:
        german.post("/undo")
    assert code(german.post("/undo")) == (422, "nothing-to-undo")


# Taking back by agreement


def test_a_take_back_needs_the_other_sides_consent(client: Client) -> None:
    german, soviet = sit_two(client)
    begun = german.state()
    play_on([german, soviet], Random(7), 12)
    later = german.state()
    asked = good(german.post("/takeback", {"to": begun["moments"]}))
    assert asked["proposal"] == {"by": "german", "to": begun["moments"]} == soviet.state()["proposal"]
    assert code(german.post("/takeback/answer", {"accept": True})) == (422, "no-proposal")
    refused = good(soviet.post("/takeback/answer", {"accept": False}))
    assert refused["proposal"] is None and refused["version"] == later["version"]
    assert code(soviet.post("/takeback/answer", {"accept": True})) == (422, "no-proposal")
    good(german.post("/takeback", {"to": begun["moments"]}))
    accepted = good(soviet.post("/takeback/answer", {"accept": True}))
    assert accepted["proposal"] is None
    assert accepted["version"] == begun["version"]
    assert offered(good(german.get())) == offered(begun)
    play_on([german, soviet], Random(8), 5)


def test_a_take_back_can_be_withdrawn_and_lapses_when_play_goes_on(client: Client) -> None:
    german, soviet = sit_two(client)
    state = play_on([german, soviet], Random(7), 3)
    good(german.post("/takeback", {"to": 0}))
    assert good(german.post("/takeback/answer", {"accept": False}))["proposal"] is None
    good(german.post("/takeback", {"to": 0}))
    state = play_on([german, soviet], Random(9), 1)
    assert state["proposal"] is None
    assert code(soviet.post("/takeback/answer", {"accept": True})) == (422, "no-proposal")


def test_a_take_back_into_the_middle_of_a_roll_goes_to_before_it(client: Client) -> None:
    """And the dice to come stay what they were."""
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    for seat, number in ((red, "5"), (blue, "7"), (red, "11")):
        seat.play("choose", number)
        seat.play("commit")
    shown = [line for line in red.log() if line["kind"] == "shown"]
    # choose, commit, choose, commit, die | choose, commit
    good(red.post("/takeback", {"to": 4}))
    good(blue.post("/takeback/answer", {"accept": True}))
    state = blue.state()
    assert (state["moments"], asked(state)) == (3, "blue")
    blue.play("commit")
    assert [line for line in red.log() if line["kind"] == "shown"] == shown


def test_against_the_computer_nobody_need_be_asked(client: Client) -> None:
    table = client.table(seats={"soviet": "random"})
    seat = table.seat("german")
    begun = seat.state()
    for _ in range(4):
        seat.play(*hurried(offered(wait_for_turn(seat)), Random(2)))
    wait_for_turn(seat)
    back = good(seat.post("/takeback", {"to": begun["moments"]}))
    assert back["version"] == begun["version"] and back["proposal"] is None
    assert code(seat.post("/takeback", {"to": 10_000})) == (422, "no-such-moment")
    assert seat.post("/takeback", {"to": -1}).status_code == 422


# Ending


def test_who_resigns_has_lost_and_the_seed_is_shown(client: Client) -> None:
    german, soviet = sit_two(client)
    assert german.state()["seed"] is None and german.get("/rolls").status_code == 403
    state = good(soviet.post("/resign"))
    assert state["over"] and state["outcome"]["winner"] == "german"
    assert state["outcome"]["resigned"] == "soviet" and state["seed"]
    for answer in (
        german.act(*["end"]),
        german.post("/undo"),
        german.post("/resign"),
        german.post("/takeback", {"to": 0}),
    ):
        assert answer.status_code in (403, 422)
    assert german.state()["version"] == state["version"]


# Talking


def test_chat_is_for_the_table_and_notes_are_for_oneself(client: Client) -> None:
    german, soviet = sit_two(client)
    good(german.post("/chat", {"text": "Bonjour à toi"}))
    good(soviet.post("/chat", {"text": "Здравствуйте\nencore"}))
    heard = [(line["author"], line["text"]) for line in good(soviet.get("/chat"))]
    assert heard == [("german", "Bonjour à toi"), ("soviet", "Здравствуйте\nencore")]
    assert good(german.put("/note", {"text": "attack\ttomorrow"}))["text"] == "attack\ttomorrow"
    good(german.put("/note", {"text": "attack today"}))
    assert good(german.get("/note"))["text"] == "attack today"
    assert good(soviet.get("/note"))["text"] == ""


def test_spectators_read_the_chat_but_do_not_speak(client: Client) -> None:
    table = client.table()
    good(table.seat("german").post("/chat", {"text": "hello"}))
    assert len(good(table.watch.get("/chat"))) == 1
    for answer in (
        table.watch.post("/chat", {"text": "me too"}),
        table.watch.get("/note"),
        table.watch.put("/note", {"text": "x"}),
        table.watch.act("end"),
        table.watch.post("/undo"),
        table.watch.post("/resign"),
        table.watch.post("/takeback", {"to": 0}),
        table.watch.get("/save"),
    ):
        assert answer.status_code == 403


# Coming back


def test_everything_is_there_again_after_a_restart(database: str, start: Start) -> None:
    with start(database) as client:
        german, soviet = sit_two(client, name="long")
        play_on([german, soviet], Random(11), 40)
        good(german.post("/chat", {"text": "wait for me"}))
        good(german.put("/note", {"text": "plan"}))
        good(soviet.post("/takeback", {"to": 3}))
        before = [german.state(), soviet.state(lang="fr"), german.log(), good(german.get("/moments"))]
        undoes = german.state()["can_undo"]
    with start(database) as client:
        german, soviet = german.at(client), soviet.at(client)
        after = [german.state(), soviet.state(lang="fr"), german.log(), good(german.get("/moments"))]
        assert after == before
        assert german.state()["proposal"] == {"by": "soviet", "to": 3}
        assert german.state()["can_undo"] == undoes
        assert good(soviet.get("/chat"))[0]["text"] == "wait for me"
        assert good(german.get("/note"))["text"] == "plan"
        play_on([german, soviet], Random(12), 10)


def test_the_computer_goes_on_after_a_restart(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table(seats={"german": "random", "soviet": "random"})
        watch = table.watch
    with start(database) as client, watch.at(client).live():
        assert wait_for_turn(watch.at(client))["over"]


def test_a_table_of_other_rules_is_refused_by_name(
    database: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    with start(database) as client:
        red = client.table("secrets", listed=True).seat("red")
        monkeypatch.setattr(type(client.app.state.games["secrets"]), "rules_version", "2")  # type: ignore[attr-defined]
    with start(database) as client:
        answer = red.at(client).get()
        assert answer.status_code == 410 and "other rules" in answer.json()["detail"]
        assert client.get("/api/tables").json() == []


# Looking back


def test_a_save_can_be_taken_away_and_played_on_elsewhere(client: Client) -> None:
    seat = client.table(hotseat=True).seat("german")
    play_on([seat], Random(13), 60)
    before = seat.state()
    save = seat.get("/save")
    assert save.status_code == 200 and "attachment" in save.headers["content-disposition"]
    made = client.post("/api/saves", json={"text": save.text, "owner": "me"})
    copy = Seat(client, good(made)["table"], good(made)["seats"]["german"])
    same = ("version", "view", "options", "turn", "phase", "commitment", "moments")
    assert {k: copy.state()[k] for k in same} == {k: before[k] for k in same}
    assert copy.log() == seat.log()
    play_on([copy], Random(14), 5)
    against = client.post("/api/saves", json={"text": save.text, "seats": {"soviet": "random"}})
    assert set(good(against)["seats"]) == {"german"}


def test_a_save_that_was_meddled_with_is_refused(quick_client: Client) -> None:
    seat = quick_client.table(hotseat=True).seat("german")
    play_on([seat], Random(15), 60)
    save = json.loads(seat.get("/save").text)
    meddled: list[dict[str, Any]] = [
        {**save, "seed": "mine"},
        {**save, "seed": "x" * 500},
        {**save, "hash": "0" * 32},
        {**save, "actions": save["actions"][:-1]},
        {**save, "actions": [["fly"]]},
        {**save, "rules": "0\ud800"},
        {**save, "data": ""},
        {**save, "game": "chess\ud800"},
        {**save, "scenario": "none"},
        {**save, "options": {"\ud800": 1}},
        {**save, "format": 99},
        {},
    ]
    for one in meddled:
        answer = quick_client.post("/api/saves", json={"text": json.dumps(one)})
        assert answer.status_code == 422, (one, answer.text)
    for text in ("[]", "{", "[" * 100_000, "1" * 10_000, "null"):
        assert quick_client.post("/api/saves", json={"text": text}).status_code == 422


def test_a_game_between_two_people_is_saved_when_it_is_over(client: Client) -> None:
    """A save tells the dice to come; whoever has one cannot be given an opponent who does not."""
    german, soviet = sit_two(client)
    assert german.get("/save").status_code == 403
    seat = client.table(hotseat=True).seat("german")
    text = seat.get("/save").text
    assert client.post("/api/saves", json={"text": text, "hotseat": False}).status_code == 422
    good(soviet.post("/resign"))
    assert german.get("/save").status_code == 200


def test_every_moment_can_be_seen_again(client: Client) -> None:
    seat = client.table(hotseat=True).seat("german")
    views = [seat.state()["view"]]
    moments = [seat.state()["moments"]]
    random = Random(16)
    for _ in range(25):
        state = seat.play(*random.choice(offered(seat.state())))
        views.append(state["view"])
        moments.append(state["moments"])
    for number, view in zip(moments, views, strict=True):
        assert good(seat.get(f"/at/{number}"))["view"] == view
    marks = good(seat.get("/moments"))
    assert marks["length"] == moments[-1]
    assert [m["n"] for m in marks["marks"]] == sorted({m["n"] for m in marks["marks"]})
    assert seat.get(f"/at/{moments[-1] + 1}").status_code == 404
    assert seat.get("/at/-1").status_code == 404


def test_questions_about_the_position_are_answered(quick_client: Client) -> None:
    table = quick_client.table()
    german = table.seat("german")
    option = offered(german.state())[0]
    assert good(german.post("/ask", {"ask": "why", "action": option})) == {"legal": True}
    assert not good(german.post("/ask", {"ask": "why", "action": ["halt"]}))["legal"]
    assert good(table.watch.post("/ask", {"ask": "layer", "layer": "zones", "side": "soviet"}))["hexes"]
    assert good(table.watch.post("/ask", {"ask": "layer", "layer": "supplied", "side": "german"}))["hexes"]
    unit = next(u for u in german.state()["view"]["units"] if u["status"] == "on-map")
    assert good(german.post("/ask", {"ask": "supply", "unit": unit["id"]}))["supplied"]
    assert code(german.post("/ask", {"ask": "meaning of life"})) == (422, "unknown-question")
    assert code(table.watch.post("/ask", {"ask": "why", "action": option})) == (422, "not-your-decision")
