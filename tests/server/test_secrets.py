"""Nobody learns through the server what their side may not know, or acts for the other side.

The game is one with real secrets (tests/server/secret_game.py). Two tables are played alike but for what red
writes down in secret; then everything that blue and the spectators can get is compared.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from grognard.kernel.actions import Event
from grognard.server import questions
from grognard.server.foresight import LossAhead
from grognard.server.room import hash_token
from grognard.server.seating import NewTable
from tests.server.conftest import Start
from tests.server.secret_game import SecretGame
from tests.server.table import Client, Seat, Table, asked, good, offered, part_of, play_on

QUESTIONS: list[dict[str, Any]] = [
    {"ask": "why", "action": ["commit"]},
    {"ask": "layer", "layer": "chosen", "side": "red"},
    {"ask": "layer", "layer": "chosen", "side": "blue"},
    {"ask": "layer", "layer": "other", "side": "red"},
    {"ask": "supply", "unit": "red-1"},
    {"ask": "reach", "units": ["red-1"]},
    {"ask": "forecast", "units": ["red-1"], "targets": ["0101"]},
]


def seeded_table(client: Client, seed: str, game: str = "secrets", scenario: str = "short") -> Table:
    wish = NewTable(game, scenario, {}, {}, seed=seed)
    assert client.portal is not None
    made = client.portal.call(client.app.state.rooms.create, wish)  # type: ignore[attr-defined]
    tokens = dict(made.tokens)
    told = {"table": made.table, "seats": tokens, "watch": tokens.pop("watch")}
    return Table(client, {**told, "invitations": made.invitations, "promise": made.promise})


def all_that_can_be_had(seat: Seat) -> list[tuple[str, int, str]]:
    """Every door, opened with one seat's token."""
    moments = seat.state()["moments"]
    doors = ["", "/log", "/moments", "/rolls", "/save", "/chat", "/note", "/marks", "/at/0", f"/at/{moments}"]
    found = [(door, seat.get(door)) for door in doors]
    found += [(str(question), seat.post("/ask", question)) for question in QUESTIONS]
    for door in ("/actions", "/orders", "/undo", "/takeback/answer"):
        bodies: dict[str, Any] = {
            "/actions": {"action": ["choose", "1"]},
            "/orders": {"order": {"order": [["choose", "1"]]}},
            "/takeback/answer": {"accept": True},
        }
        found.append((door, seat.post(door, bodies.get(door))))
    found.append(("lobby", seat.client.get("/api/tables")))
    return [(door, answer.status_code, answer.text) for door, answer in found]


def without_names(text: str, table: str) -> str:
    """What tells one table from another, or one position from another, made alike."""
    text = re.sub(r'"(version|from|to)": ?"(\d+)-[0-9a-f]{10}"', r'"\1":"\2"', text.replace(table, "TABLE"))
    return re.sub(r'"updated": ?[\d.]+', "", text)


def test_the_other_side_sees_the_same_whatever_is_written_down(client: Client) -> None:
    seen = []
    for number in ("371", "862"):
        table = seeded_table(client, "same")
        red, blue = table.seat("red"), table.seat("blue")
        with blue.live() as ear, table.watch.live() as bench:
            for live in (ear, bench):
                live.next()
            red.play("choose", number)
            here = red.state()["moments"]
            for live in (ear, bench):
                live.until(lambda m, here=here: m["state"]["moments"] == here)  # type: ignore[misc]
            doors = [all_that_can_be_had(seat) for seat in (blue, table.watch)]
            pushes = [json.dumps(live.heard[-1]) for live in (ear, bench)]
        told = (json.dumps(doors) + "".join(pushes)).replace("\\", "")
        seen.append(without_names(told.replace('"version": "', '"version":"'), table.id))
        assert number not in seen[-1]
    one, two = seen
    assert one == two


def test_what_an_answer_would_cost_is_worked_out_from_what_the_asker_knows(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []

    def dear(game: Any, state: Any, side: int, action: Any) -> list[LossAhead]:
        looked_at.append(state.chosen[0])
        certain, of_red = (
            Event("committed", "1.2", {"word_side": word}) for word in ("blue", state.chosen[0])
        )
        return [LossAhead(certain, False), LossAhead(of_red, False)]

    monkeypatch.setattr(questions, "losses_ahead", dear)
    table = seeded_table(client, "same")
    table.seat("red").play("choose", "371")
    table.seat("red").play("commit")
    table.seat("blue").play("choose", "5")
    told = good(table.seat("blue").post("/ask", {"ask": "ahead", "action": ["commit"]}))
    assert len(told["losses"]) == 1
    assert len(set(looked_at)) > 1 and 371 not in looked_at


# Sealed answers

OWN_FIVE = [["take", f"chit-{name}"] for name in ("1gda", "2gda", "3gda", "5tka", "popov")]
AXIS_CHITS = [["select", f"chit-{name}"] for name in ("4pza", "it8a", "r3a")]


def everything_others_hear(client: Client, first: list[list[str]], selected: list[list[str]]) -> str:
    """A table of A Victory Lost at which the Soviets choose their five in so many answers, and both sides
    select: what the Axis and the spectators are sent and can get, message by message, byte by byte."""
    table = seeded_table(client, "sealed", "a_victory_lost", "campaign")
    soviet, axis = table.seat("soviet"), table.seat("axis")
    told: list[Any] = []

    def doors(*seats: Seat) -> list[Any]:
        found = []
        for seat in seats:
            moments = seat.state()["moments"]
            for door in ("", "/log", "/moments", "/at/0", f"/at/{moments}", f"/at/{moments + 1}", "/rolls"):
                answer = seat.get(door)
                found.append([door, answer.status_code, answer.text])
        return found

    with axis.live() as ear, table.watch.live() as bench:
        for live in (ear, bench):
            live.next()
        told += doors(axis, table.watch)
        for words in first:
            assert doors(axis, table.watch) == told, "something shows before the choice is complete"
            soviet.play(*words)
        told += doors(axis, table.watch)
        for words in selected:
            soviet.play(*words)
        told += doors(axis, table.watch)
        for words in AXIS_CHITS:
            axis.play(*words)
        last = axis.state()
        for live in (ear, bench):
            live.until(lambda m: last["version"] in json.dumps(m))
        told += doors(axis, table.watch)
        # The Axis hears of its own answers too: only what spectators hear is counted.
        told += [bench.heard, [m for m in ear.heard if m.get("type") == "state"][:1]]
    told.append([line for line in client.get("/api/tables").json() if line["table"] == table.id])
    return json.dumps(told).replace(table.id, "TABLE")


def test_how_many_answers_a_sealed_choice_took_does_not_show(quick_client: Client) -> None:
    """The historical five are one answer, five of one's own are five: what everybody else is sent is the
    same, whatever was chosen and in whatever order: content, number, length and version."""
    ways = (
        ([["historical"]], [["select", f"chit-{n}"] for n in ("1gda", "2gda", "3gda")]),
        (OWN_FIVE, [["select", f"chit-{n}"] for n in ("popov", "1gda", "5tka")]),
    )
    one, other = (everything_others_hear(quick_client, *way) for way in ways)
    assert one == other


def test_nobody_is_told_when_somebody_writes_in_secret(quick_client: Client) -> None:
    table = quick_client.table("a_victory_lost", listed=True)
    joined = good(table.nobody.post("/join", {"side": "soviet"}))["token"]
    soviet, axis = Seat(quick_client, table.id, joined), table.seat("axis")
    line = quick_client.lobby()[table.id]
    with soviet.live() as own, axis.live() as ear, table.watch.live() as bench:
        for live in (own, ear, bench):
            live.next()
        before = [seat.get("").text for seat in (axis, table.watch)]
        for words in OWN_FIVE[:3]:
            soviet.play(*words)
            own.until(lambda m: m["state"]["version"] == soviet.state()["version"])
        good(soviet.post("/undo"))
        # Whatever was pushed to them would come before this.
        good(soviet.post("/chat", {"text": "thinking"}))
        for live in (ear, bench):
            heard = live.next()
            assert [said["text"] for said in heard["chat"]] == ["thinking"]
            assert len(live.heard) == 2
        assert [seat.get("").text for seat in (axis, table.watch)] == before
    assert quick_client.lobby()[table.id] == line
    assert len(soviet.state()["written"]) == 2


def test_each_takes_back_its_own_until_the_last_has_finished(client: Client) -> None:
    table = client.table("a_victory_lost")
    soviet, axis = table.seat("soviet"), table.seat("axis")
    soviet.play("historical")
    assert axis.state()["must_act"] == soviet.state()["must_act"] == ["soviet", "axis"]
    for words in AXIS_CHITS:
        axis.play(*words)
    done = axis.state()
    assert done["must_act"] == ["soviet"] and not offered(done) and done["can_undo"]
    assert soviet.state()["must_act"] == ["soviet", "axis"], "that the Axis has finished is not told"
    assert axis.act("select", "chit-h2a").status_code == 403
    back = good(axis.post("/undo"))
    assert back["written"] == AXIS_CHITS[:2] and back["can_redo"]
    assert good(axis.post("/redo"))["written"] == AXIS_CHITS
    state = soviet.state()
    while not part_of(state, "cup")["value"]:
        state = soviet.play(*offered(state)[0])
    assert not state["can_undo"] and not axis.state()["can_undo"]
    assert axis.state()["moments"] == state["moments"] == 2


def test_a_table_closed_in_the_middle_of_a_sealed_choice_goes_on(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table("a_victory_lost")
        soviet, axis = table.seat("soviet"), table.seat("axis")
        soviet.play("historical")
        axis.play(*AXIS_CHITS[0])
        soviet.play("select", "chit-1gda")
        axis.play(*AXIS_CHITS[1])
        good(soviet.post("/undo"))
        seen = [seat.state() for seat in (soviet, axis, table.watch)]
    with start(database) as client:
        again = [seat.at(client).state() for seat in (soviet, axis, table.watch)]
    for state in (*seen, *again):
        state.pop("can_redo")  # what was taken back is forgotten with the server
    assert again == seen
    assert again[1]["written"] == AXIS_CHITS[:2] and again[0]["written"] == []


def test_what_a_side_hides_is_shown_when_the_rules_say_so(client: Client) -> None:
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    red.play("choose", "371")
    assert [line["kind"] for line in red.log()] == ["turn", "chosen"]
    assert [line["kind"] for line in blue.log()] == ["turn"]
    red.play("commit")
    blue.play("choose", "5")
    blue.play("commit")
    assert [line["kind"] for line in blue.log()][-1] != "chosen"
    shown = next(line for line in blue.log() if line["kind"] == "shown")
    assert shown["dice"]


def test_lines_are_numbered_without_gaps_that_would_tell_of_secrets(client: Client) -> None:
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    for number in ("1", "2", "3"):
        red.play("choose", number)
    red.play("commit")
    for seat in (red, blue, table.watch):
        log = seat.log()
        assert [line["n"] for line in log] == list(range(len(log)))
        assert seat.state()["log_length"] == len(log)
    assert len(blue.log()) == 2 and len(red.log()) == 5
    assert blue.log(since=1) == blue.log()[1:]


def test_a_version_is_no_riddle_with_few_answers(quick_client: Client) -> None:
    """Whoever tries every number that red may have written down finds none that explains the version."""
    table = quick_client.table("secrets")
    table.seat("red").play("choose", "371")
    version = table.seat("blue").state()["version"].split("-")[1]
    game = SecretGame()
    state = game.start("short")
    for number in range(1, 1000):
        guess = state.clone()
        game.apply(guess, ("choose", number))
        fingerprint = guess.fingerprint()
        assert version != fingerprint[:10]
        assert version != hashlib.sha256(fingerprint.encode()).hexdigest()[:10]


def test_the_computer_does_not_look_at_hidden_numbers(quick_client: Client) -> None:
    """A player gets an imagined position: in it the other side's number is anything but the real one."""
    seen: list[int] = []

    class Peeking:
        intent = None

        def choose(self, game: SecretGame, state: Any, side: int) -> Any:
            seen.append(state.chosen[1 - side])
            return game.options(state)[0] if not state.chosen[side] else ("commit",)

    table = quick_client.table("secrets", seats={"blue": "random"})
    assert quick_client.portal is not None
    room = quick_client.portal.call(quick_client.app.state.rooms.room, table.id)  # type: ignore[attr-defined]
    room.bots[1] = Peeking()
    red = table.seat("red")
    for _ in range(3):
        red.play("choose", "371")
        red.play("commit")
        with red.live() as live:
            live.until(lambda m: m["state"]["over"] or asked(m["state"]) == "red")
    assert seen and 371 not in seen


def test_each_side_may_know_its_own(quick_client: Client) -> None:
    table = quick_client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    red.play("choose", "371")
    assert good(red.post("/ask", {"ask": "layer", "layer": "chosen", "side": "red"}))["hexes"]
    assert red.post("/ask", {"ask": "layer", "layer": "chosen", "side": "blue"}).status_code == 422
    for seat in (blue, table.watch):
        answer = seat.post("/ask", {"ask": "layer", "layer": "chosen", "side": "red"})
        assert (answer.status_code, answer.json()["code"]) == (422, "no-advice")


def test_looking_back_shows_what_one_saw_then(client: Client) -> None:
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    red.play("choose", "371")
    red.play("commit")
    blue.play("choose", "5")
    for moment in range(4):
        assert "371" not in blue.get(f"/at/{moment}").text
        assert "371" not in table.watch.get(f"/at/{moment}").text
    assert [part["value"] for part in good(red.get("/at/1"))["view"]["parts"]] == [371, 1]


# The seed


def test_the_seed_is_nowhere_before_the_end(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table("crossroads")
        amber, cobalt = table.seat("amber"), table.seat("cobalt")
        texts: list[str] = []
        with amber.live() as live:
            play_on([amber, cobalt], Random(41), 30)
            for seat in (amber, cobalt, table.watch):
                for door in ("", "/log", "/moments", "/rolls", "/save", "/chat", "/at/3"):
                    answer = seat.get(door)
                    texts.append(answer.text + str(dict(answer.headers)))
            moments = amber.state()["moments"]
            live.until(lambda m: m["state"]["moments"] == moments)
            texts.append(json.dumps(live.heard))
        texts.append(client.get("/api/tables").text)
        seed = good(amber.post("/resign"))["seed"]
    assert seed and not any(seed in text for text in texts)
    assert len(seed) == 32


def test_a_solitary_player_who_saves_has_the_seed_and_nobody_else(client: Client) -> None:
    """A save can be played on only with its seed. It is given to whoever plays against nobody else.
    A game in which the computer hides nothing is needed: in Crossroads the save would be sealed."""
    table = client.table("leningrad", seats={"soviet": "random"}, listed=True)
    save = table.seat("german").get("/save").json()
    assert save["seed"] not in table.seat("german").get().text
    assert table.watch.get("/save").status_code == table.nobody.get("/save").status_code == 403


# Seats


def test_a_token_opens_its_own_seat_only(client: Client) -> None:
    one, two = client.table("crossroads"), client.table("crossroads")
    stranger = Seat(client, one.id, two.tokens["amber"])
    for answer in (
        stranger.get(),
        stranger.get("/log"),
        stranger.get("/chat"),
        stranger.get("/note"),
        stranger.get("/marks"),
        stranger.post("/marks", {"kind": "ring", "hexes": ["0111"]}),
        stranger.get("/save"),
        stranger.act("stake", "amber-1"),
        stranger.post("/resign"),
        stranger.post("/chat", {"text": "boo"}),
        stranger.put("/note", {"text": "boo"}),
        stranger.post("/undo"),
        stranger.post("/ask", {"ask": "layer", "layer": "sight", "side": "amber"}),
        stranger.post("/takeback", {"to": 0}),
    ):
        assert answer.status_code == 403
    assert one.seat("amber").state()["outcome"] is None


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic Zm9v", "bearer x", "Bearer \xff\xfe", "Bearer " + "a" * 5000]
)
def test_a_header_that_is_no_token_is_nobody(quick_client: Client, header: str) -> None:
    for listed in (False, True):
        table = quick_client.table("crossroads", listed=listed)
        headers = {"Authorization": header.encode("latin-1")}
        answer = quick_client.get(f"/api/tables/{table.id}", headers=headers)  # type: ignore[arg-type]
        assert answer.status_code == 403


def test_the_tokens_hash_is_not_a_token(quick_client: Client) -> None:
    table = quick_client.table("crossroads")
    thief = Seat(quick_client, table.id, hash_token(table.tokens["amber"]))
    assert thief.get().status_code == 403


def test_tables_and_tokens_cannot_be_guessed(quick_client: Client) -> None:
    tables = [quick_client.table("crossroads") for _ in range(20)]
    ids = {table.id for table in tables}
    tokens = {token for table in tables for token in (*table.tokens.values(), table.watch.token or "")}
    tokens |= {word for table in tables for word in table.invitations.values()}
    assert len(ids) == 20 and len(tokens) == 60
    assert all(len(id_) >= 12 for id_ in ids)  # 72 bits, in letters of 6
    assert all(len(token) >= 32 for token in tokens)  # 192 bits
    # Nothing is counted up: neighbours share no beginning.
    for strings in (sorted(ids), sorted(tokens)):
        assert all(one[:6] != two[:6] for one, two in pairwise(strings))


def test_the_database_holds_no_token(database: str, start: Start) -> None:
    with start(database) as client:
        table = client.table("crossroads", listed=True)
        joined = good(table.nobody.post("/join", {"side": "cobalt"}))["token"]
        tokens = [*table.tokens.values(), table.watch.token or "", joined]
        store = client.app.state.store  # type: ignore[attr-defined]
        with store.engine.connect() as connection:
            names = sa.inspect(connection).get_table_names()
            everything = "".join(
                str(list(connection.execute(sa.text(f"SELECT * FROM {name}")))) for name in names
            )
        assert hash_token(joined) in everything
        assert not any(token in everything for token in tokens)


def test_tokens_are_compared_in_constant_time(quick_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring would say more about this machine; what is looked at is that every comparison goes through
    the one function made for it, with hashes of equal length."""
    compared: list[tuple[str, str]] = []
    real: Callable[[str, str], bool] = __import__("hmac").compare_digest

    def watching(one: str, two: str) -> bool:
        compared.append((one, two))
        return real(one, two)

    monkeypatch.setattr("grognard.server.room.secrets.compare_digest", watching)
    table = quick_client.table("crossroads")
    assert Seat(quick_client, table.id, "guess").get().status_code == 403
    assert len(compared) == 2
    assert all(len(one) == len(two) == 64 for one, two in compared)
    assert not any("guess" in pair for pair in compared)


def test_nothing_private_is_written_in_the_servers_own_log(
    client: Client, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(0)
    table = client.table("secrets")
    red, blue = table.seat("red"), table.seat("blue")
    red.play("choose", "371")
    red.play("commit")
    assert blue.act("choose", "0").status_code == 422
    seed = good(blue.post("/resign"))["seed"]
    written = caplog.text + "".join(capfd.readouterr())
    assert not any(word in written for word in (seed, table.tokens["red"], table.tokens["blue"], "371"))


# At one screen (L4)


def test_l4_at_one_screen_log_and_past_are_those_of_the_side_that_sits(client: Client) -> None:
    """The log showed both sides' private lines, and the past was always seen with the first side's eyes."""
    table = client.table("secrets", hotseat=True)
    seat = table.seat("red")
    with seat.live() as live:
        live.next()
        seat.play("choose", "371")
        seat.play("commit")
        state = seat.state()
        assert (state["must_act"], state["eyes"]) == (["blue"], "blue")
        told = json.dumps([seat.log(), good(seat.get(f"/at/{state['moments']}")), state["view"]])
        assert "371" not in told
        live.until(lambda message: message["state"]["eyes"] == "blue")
        # What the screen has of the log is what the one who sits there may read.
        assert live.heard[-1]["state"]["log_length"] == len(seat.log())
        seat.play("choose", "862")
        own = json.dumps([seat.log(), good(seat.get(f"/at/{seat.state()['moments']}"))])
        assert "862" in own and "371" not in own


def test_l4_at_one_screen_nothing_comes_from_the_log_of_the_other_side(client: Client) -> None:
    """How far each side's own lines have been sent is remembered; none comes while the other one sits there,
    not even when lines were taken back in between, nor a number by which they could be counted."""
    table = client.table("secrets", hotseat=True)
    seat = table.seat("red")
    own = {"red": ("371", "372"), "blue": ("862", "863", "864")}
    with seat.live() as live:
        live.next()
        for side, other in (("red", "blue"), ("blue", "red")):
            begin = len(live.sent)
            for number in own[side]:
                version = seat.play("choose", number)["version"]
                live.until(lambda m: m["state"]["version"] == version)  # noqa: B023
            state = good(seat.post("/undo"))
            live.until(lambda m: m["state"]["version"] == state["version"])  # noqa: B023
            assert live.log == seat.log()
            # Numbers stand among the answers that may be given as well.
            told = json.dumps([(m.get("log"), m.get("parts")) for m in live.sent[begin:]])
            assert all(number in told for number in own[side])
            assert not any(number in told for number in own[other])
            assert not any(m.get("log", {}).get("own", {}).get("side") == other for m in live.sent[begin:])
            version = seat.play("commit")["version"]
            live.until(lambda m: m["state"]["version"] == version)  # noqa: B023
        # Red sits there again.
        assert live.state["eyes"] == "red"
        assert live.log == seat.log()
        assert "own" not in live.sent[-1]["log"]
        lines = [piece["lines"] for piece in (message.get("log", {}) for message in live.sent) if piece]
        assert not any(line.get("own") for piece in lines for line in piece)
    # With as many secrets of Blue as one likes, Red has been told the same.
    assert [line["kind"] for line in live.lines].count("committed") == 2
