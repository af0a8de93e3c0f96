"""Sitting down, playing, taking back, giving up, talking: what people do at a table, on both databases."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.server.conftest import Start
from tests.server.table import Client, Seat, asked, good, hurried, offered, play_on, wait_for_turn


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code")


# Sitting down


def test_the_games_that_can_be_played_are_listed(quick_client: Client) -> None:
    games = {g["id"]: g for g in quick_client.get("/api/games?lang=fr").json()}
    assert "random" in games["crossroads"]["players"]
    assert [s["id"] for s in games["crossroads"]["sides"]] == ["amber", "cobalt"]
    kit = quick_client.get("/api/games/crossroads/kit").json()
    assert kit["hexes"] and kit["counters"] and kit["rules"] and kit["turns"]
    assert quick_client.get("/api/games/crossroads/map.svg").headers["content-type"] == "image/svg+xml"


def test_a_friend_plays_by_the_link_of_a_seat(client: Client) -> None:
    table = client.table("crossroads", name="Été 41", owner="Zoë")
    amber, cobalt = table.seat("amber"), table.seat("cobalt")
    assert amber.token != cobalt.token
    assert amber.state()["you"] == ["amber"] and cobalt.state()["you"] == ["cobalt"]
    assert amber.state()["players"]["amber"] == {"kind": "human", "name": "Zoë", "taken": True}
    assert table.watch.state()["you"] == []
    assert table.nobody.get().status_code == 401
    assert table.nobody.post("/join", {"side": "cobalt"}).status_code == 403
    assert offered(amber.state()) and offered(cobalt.state()) and not offered(table.watch.state())
    amber.play("stake", "amber-2")
    assert not offered(amber.state()) and offered(cobalt.state())
    cobalt.play("stake", "cobalt-1")
    assert offered(amber.state()) and not offered(cobalt.state()) and not offered(table.watch.state())


def test_whoever_comes_first_takes_an_open_seat(client: Client) -> None:
    table = client.table("crossroads", listed=True, name="open")
    assert set(table.tokens) == {"amber"}
    line = client.lobby()[table.id]
    assert (line["name"], line["players"]["cobalt"]["taken"]) == ("open", False)
    assert table.nobody.state()["you"] == []
    joined = table.nobody.post("/join", {"side": "cobalt", "name": "Ivan"})
    cobalt = Seat(client, table.id, good(joined)["token"])
    assert cobalt.state()["you"] == ["cobalt"]
    assert cobalt.state()["players"]["cobalt"]["name"] == "Ivan"
    for side in ("cobalt", "amber", "watch", "nobody"):
        assert table.nobody.post("/join", {"side": side}).status_code == 409
    taken = {"kind": "human", "name": "Ivan", "taken": True}
    assert client.lobby()[table.id]["players"]["cobalt"] == taken


def test_the_lobby_says_where_each_table_stands(client: Client) -> None:
    table = client.table("crossroads", listed=True, hotseat=True)
    private = client.table("crossroads", name="private")
    seat = table.seat("amber")
    play_on([seat], Random(1), 12)
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
    side, other = ("amber", "cobalt") if client.kind == "sqlite" else ("cobalt", "amber")
    table = client.table("crossroads", seats={other: "random"}, owner="me")
    seat = table.seat(side)
    assert set(table.tokens) == {side}
    random = Random(5)
    for _ in range(2000):
        state = wait_for_turn(seat)
        if state["over"]:
            break
        seat.play(*hurried(offered(state), random))
    assert state["over"] and state["outcome"]["winner"] in (None, "amber", "cobalt")
    assert state["players"][other]["kind"] == "random"
    assert not state["thinking"]


def test_the_computer_plays_both_sides_while_people_watch(quick_client: Client) -> None:
    table = quick_client.table("crossroads", seats={"amber": "random", "cobalt": "random"})
    assert table.tokens == {}
    with table.watch.live():
        state = wait_for_turn(table.watch)
    assert state["over"] and state["outcome"]


# Answers


def test_the_other_seat_must_wait(client: Client) -> None:
    amber, cobalt = client.crossroads()
    options = offered(amber.state())
    assert code(cobalt.act(*options[0])) == (403, "not-your-decision")
    assert code(cobalt.post("/undo")) == (403, "not-your-decision")
    assert amber.act(*options[0]).status_code == 200


def test_a_refusal_changes_nothing_and_says_why_in_both_languages(client: Client) -> None:
    amber, _ = client.crossroads()
    before = amber.state()
    words = {"action": ["assail", "0402"]}
    english, french = amber.post("/actions", words), amber.post("/actions", words, lang="fr")
    assert english.status_code == french.status_code == 422
    assert english.json()["text"] != french.json()["text"]
    assert code(amber.act("fly", "0101")) == (422, "unknown-verb")
    assert amber.state() == before


def test_who_looked_too_long_ago_is_told_so(client: Client) -> None:
    amber, _ = client.crossroads()
    state = amber.state()
    first = offered(state)[0]
    assert amber.act(*first, version=state["version"]).status_code == 200
    again = amber.act(*first, version=state["version"])
    assert code(again) == (409, "stale")
    assert again.json()["state"] == amber.state()


def test_who_looked_too_long_ago_is_told_so_when_the_other_is_asked_by_now(client: Client) -> None:
    amber, _ = client.crossroads()
    state = amber.state()
    while state["must_act"] == ["amber"]:
        seen, words = state["version"], hurried(offered(state), Random(1))
        state = amber.play(*words)
    late = amber.act(*words, version=seen)
    assert code(late) == (409, "stale") and late.json()["state"]["must_act"] == ["cobalt"]
    assert code(amber.act(*words, version=state["version"])) == (403, "not-your-decision")
    assert code(Seat(client, amber.table, None).act(*words, version=seen))[0] in (401, 403)


def test_an_order_is_many_answers_and_one_step_to_take_back(client: Client) -> None:
    amber, cobalt = client.crossroads()
    state = amber.state()
    while not any(o[0] == "lift" for o in offered(state)):
        state = amber.play(*hurried(offered(state), Random(1)))
    for unit in [o[1] for o in offered(state) if o[0] == "lift"]:
        reach = good(amber.post("/ask", {"ask": "reach", "units": [unit]}))["hexes"]
        ways = [[hex_] for hex_, (before, left) in reach.items() if before is None and left is not None]
        if ways:
            break
    order = {"order": "move", "units": [unit], "path": ways[0]}
    moved = amber.post("/orders", {"order": order, "version": state["version"]})
    assert good(moved)["moments"] >= state["moments"] + 2
    assert code(amber.post("/orders", {"order": order, "version": state["version"]})) == (409, "stale")
    assert code(cobalt.post("/orders", {"order": order})) == (403, "not-your-decision")
    assert amber.post("/orders", {"order": {"order": "dig"}}).status_code == 422
    assert good(amber.post("/undo"))["version"] == state["version"]


def test_undo_goes_back_a_step_or_to_the_beginning_of_the_phase(client: Client) -> None:
    amber, _ = client.crossroads()
    state = amber.state()
    while not any(o[0] == "lift" for o in offered(state)):
        state = amber.play(*hurried(offered(state), Random(1)))
    versions = [state["version"]]
    for _ in range(3):
        unit = next(o for o in offered(state) if o[0] == "lift")
        state = amber.play(*unit)
        versions.append(state["version"])
        state = amber.play("rest") if ["rest"] in offered(state) else state
        versions.append(state["version"])
        if not any(o[0] == "lift" for o in offered(state)):
            break
    assert state["can_undo"]
    undone = good(amber.post("/undo"))
    assert undone["version"] == versions[-2] and undone["can_redo"]
    again = good(amber.post("/redo"))
    assert again["version"] == versions[-1] and not again["can_redo"]
    assert code(amber.post("/redo")) == (422, "nothing-to-redo")
    good(amber.post("/undo"))
    back = good(amber.post("/undo", {"to": "phase"}))
    assert back["version"] == versions[0] or not back["can_undo"]
    while good(amber.get())["can_undo"]:
        amber.post("/undo")
    assert code(amber.post("/undo")) == (422, "nothing-to-undo")


# Taking back by agreement


def test_a_take_back_needs_the_other_sides_consent(client: Client) -> None:
    amber, cobalt = client.crossroads()
    begun = amber.state()
    play_on([amber, cobalt], Random(7), 12)
    later = amber.state()
    asked = good(amber.post("/takeback", {"to": begun["moments"]}))
    assert asked["proposal"] == {"by": "amber", "to": begun["moments"]} == cobalt.state()["proposal"]
    assert code(amber.post("/takeback/answer", {"accept": True})) == (422, "no-proposal")
    refused = good(cobalt.post("/takeback/answer", {"accept": False}))
    assert refused["proposal"] is None and refused["version"] == later["version"]
    assert code(cobalt.post("/takeback/answer", {"accept": True})) == (422, "no-proposal")
    good(amber.post("/takeback", {"to": begun["moments"]}))
    accepted = good(cobalt.post("/takeback/answer", {"accept": True, "to": begun["moments"]}))
    assert accepted["proposal"] is None
    assert accepted["version"] == begun["version"]
    assert offered(good(amber.get())) == offered(begun)
    play_on([amber, cobalt], Random(8), 5)


def test_a_take_back_can_be_withdrawn_and_lapses_when_play_goes_on(client: Client) -> None:
    amber, cobalt = client.crossroads()
    state = play_on([amber, cobalt], Random(7), 3)
    good(amber.post("/takeback", {"to": 0}))
    assert good(amber.post("/takeback/answer", {"accept": False}))["proposal"] is None
    good(amber.post("/takeback", {"to": 0}))
    state = play_on([amber, cobalt], Random(9), 1)
    assert state["proposal"] is None
    assert code(cobalt.post("/takeback/answer", {"accept": True})) == (422, "no-proposal")


def test_a_take_back_into_the_middle_of_a_roll_goes_to_before_it(client: Client) -> None:
    """The dice of then are not rolled again; those before it stay."""
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    for seat, number in ((red, "5"), (blue, "7"), (red, "11")):
        seat.play("choose", number)
        seat.play("commit")
    shown = [line for line in red.log() if line["kind"] == "shown"]
    # choose, commit, choose, commit, die | choose, commit
    good(red.post("/takeback", {"to": 4}))
    good(blue.post("/takeback/answer", {"accept": True, "to": 4}))
    state = blue.state()
    assert (state["moments"], asked(state)) == (3, "blue")
    blue.play("commit")
    again = [line for line in red.log() if line["kind"] == "shown"]
    assert len(again) == len(shown) and again[:-1] == shown[:-1]


def test_against_the_computer_nobody_need_be_asked(client: Client) -> None:
    table = client.table("crossroads", seats={"cobalt": "random"})
    seat = table.seat("amber")
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
    amber, cobalt = client.crossroads()
    assert amber.state()["seed"] is None and amber.get("/rolls").status_code == 403
    state = good(cobalt.post("/resign"))
    assert state["over"] and state["outcome"]["winner"] == "amber"
    assert state["outcome"]["resigned"] == "cobalt" and state["seed"]
    for answer in (
        amber.act(*["dusk"]),
        amber.post("/undo"),
        amber.post("/resign"),
        amber.post("/takeback", {"to": 0}),
    ):
        assert answer.status_code in (403, 422)
    assert amber.state()["version"] == state["version"]


# Talking


def test_chat_is_for_the_table_and_notes_are_for_oneself(client: Client) -> None:
    amber, cobalt = client.crossroads()
    good(amber.post("/chat", {"text": "Bonjour à toi"}))
    good(cobalt.post("/chat", {"text": "Здравствуйте\nencore"}))
    heard = [(line["author"], line["text"]) for line in good(cobalt.get("/chat"))]
    assert heard == [("amber", "Bonjour à toi"), ("cobalt", "Здравствуйте\nencore")]
    assert good(amber.put("/note", {"text": "attack\ttomorrow"}))["text"] == "attack\ttomorrow"
    good(amber.put("/note", {"text": "attack today"}))
    assert good(amber.get("/note"))["text"] == "attack today"
    assert good(cobalt.get("/note"))["text"] == ""


def test_spectators_read_the_chat_but_do_not_speak(client: Client) -> None:
    table = client.table("crossroads")
    good(table.seat("amber").post("/chat", {"text": "hello"}))
    assert len(good(table.watch.get("/chat"))) == 1
    for answer in (
        table.watch.post("/chat", {"text": "me too"}),
        table.watch.get("/note"),
        table.watch.put("/note", {"text": "x"}),
        table.watch.act("dusk"),
        table.watch.post("/undo"),
        table.watch.post("/resign"),
        table.watch.post("/takeback", {"to": 0}),
        table.watch.get("/save"),
    ):
        assert answer.status_code == 403


# Coming back


def test_everything_is_there_again_after_a_restart(database: str, start: Start) -> None:
    with start(database) as client:
        amber, cobalt = client.crossroads(name="long")
        play_on([amber, cobalt], Random(11), 15)
        good(amber.post("/chat", {"text": "wait for me"}))
        good(amber.put("/note", {"text": "plan"}))
        good(cobalt.post("/takeback", {"to": 3}))
        before = [amber.state(), cobalt.state(lang="fr"), amber.log(), good(amber.get("/moments"))]
        undoes = amber.state()["can_undo"]
    with start(database) as client:
        amber, cobalt = amber.at(client), cobalt.at(client)
        after = [amber.state(), cobalt.state(lang="fr"), amber.log(), good(amber.get("/moments"))]
        assert after == before
        assert amber.state()["proposal"] == {"by": "cobalt", "to": 3}
        assert amber.state()["can_undo"] == undoes
        assert good(cobalt.get("/chat"))[0]["text"] == "wait for me"
        assert good(amber.get("/note"))["text"] == "plan"
        play_on([amber, cobalt], Random(12), 10)


def test_the_computer_goes_on_after_a_restart(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table("crossroads", seats={"amber": "random", "cobalt": "random"})
        watch = table.watch
    with start(database) as client, watch.at(client).live():
        assert wait_for_turn(watch.at(client))["over"]


# Looking back


def test_a_save_can_be_taken_away_and_played_on_elsewhere(client: Client) -> None:
    seat = client.table("crossroads", hotseat=True).seat("amber")
    play_on([seat], Random(13), 15)
    before = seat.state()
    save = seat.get("/save")
    assert save.status_code == 200 and "attachment" in save.headers["content-disposition"]
    made = client.post("/api/saves", json={"text": save.text, "owner": "me"})
    copy = Seat(client, good(made)["table"], good(made)["seats"]["amber"])
    same = ("version", "view", "options", "turn", "phase", "commitment", "moments")
    assert {k: copy.state()[k] for k in same} == {k: before[k] for k in same}
    assert copy.log() == seat.log()
    play_on([copy], Random(14), 5)
    against = client.post("/api/saves", json={"text": save.text, "seats": {"cobalt": "random"}})
    assert set(good(against)["seats"]) == {"amber"}


def test_a_save_that_was_meddled_with_is_refused(quick_client: Client) -> None:
    seat = quick_client.table("crossroads", hotseat=True).seat("amber")
    play_on([seat], Random(15), 15)
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
    amber, cobalt = client.crossroads()
    assert amber.get("/save").status_code == 403
    seat = client.table("crossroads", hotseat=True).seat("amber")
    text = seat.get("/save").text
    assert client.post("/api/saves", json={"text": text, "hotseat": False}).status_code == 422
    good(cobalt.post("/resign"))
    assert amber.get("/save").status_code == 200


def test_every_moment_can_be_seen_again(client: Client) -> None:
    seat = client.table("crossroads", hotseat=True).seat("amber")
    views = [seat.state()["view"]]
    moments = [seat.state()["moments"]]
    random = Random(16)
    for _ in range(12):
        state = seat.play(*random.choice(offered(seat.state())))
        if state["moments"] > moments[-1]:  # what is half written in secret is no moment
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
    table = quick_client.table("crossroads")
    amber = table.seat("amber")
    option = offered(amber.state())[0]
    assert good(amber.post("/ask", {"ask": "why", "action": option})) == {"legal": True}
    assert not good(amber.post("/ask", {"ask": "why", "action": ["rest"]}))["legal"]
    assert good(table.watch.post("/ask", {"ask": "layer", "layer": "sight", "side": "cobalt"}))["hexes"]
    assert good(table.watch.post("/ask", {"ask": "layer", "layer": "prize"}))["hexes"]
    unit = next(u for u in amber.state()["view"]["units"] if u["status"] == "on-map")
    assert good(amber.post("/ask", {"ask": "supply", "unit": unit["id"]}))["supplied"]
    assert code(amber.post("/ask", {"ask": "meaning of life"})) == (422, "unknown-question")
    assert code(table.watch.post("/ask", {"ask": "why", "action": option})) == (422, "not-your-decision")
