"""What is sent has the shapes that are described; differences add up to the whole; a click costs little."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.kernel import Game, Role
from grognard.kernel.registry import load_game
from grognard.server import wire
from grognard.server.api import create_app
from grognard.server.changes import changes
from grognard.server.present import written
from grognard.server.settings import ServerSettings
from tests.server.table import Client, Json, Seat, expand, good, take_in

GAMES = ("leningrad", "a_victory_lost")
"""Whose own words and shapes are looked at; what all games share is tested on Crossroads."""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[Client]:
    games: dict[str, Game[Any]] = {id_: load_game(id_) for id_ in (*GAMES, "crossroads")}
    database = f"sqlite:///{tmp_path_factory.mktemp('protocol') / 'games.sqlite'}"
    with Client(create_app(ServerSettings(database, pictures, draw_ahead=False), games)) as client:
        yield client


def look(seat: Seat) -> Json:
    state: Json = good(seat.get())
    return state


def play(
    seats: dict[str, Seat], answers: int, random: Random, undoing: bool = False
) -> Iterator[tuple[Json, Seat]]:
    """Random answers; each state as the one who is asked sees it, before he answers."""
    for _ in range(answers):
        seen = [(look(seat), seat) for seat in dict.fromkeys(seats.values())]
        # Of several who write in secret, whoever has not finished.
        waiting = [(state, seat) for state, seat in seen if state["decision"] is not None]
        if not waiting:
            return
        state, seat = waiting[0]
        yield state, seat
        after = seat.play(*random.choice(expand(state["decision"]["offer"])))
        if undoing and after["can_undo"] and random.random() < 0.2:
            good(seat.post("/undo"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_kit_has_the_shape_that_is_described(both: Client, game: str, lang: str) -> None:
    found = wire.Kit.model_validate(good(both.get(f"/api/games/{game}/kit", params={"lang": lang})))
    loaded = load_game(game)
    assert set(found.verbs) == set(loaded.verbs())
    assert set(found.badges) == {badge.id for badge in loaded.badges}
    assert {counter.kind for counter in found.counters.values()} <= set(found.kinds)
    assert {side.id for side in found.sides} <= set(found.liveries)
    assert {c.nation for c in found.counters.values() if c.nation} == set(found.nations)
    assert [table.id for table in found.tables if table.role == "combat"] == ["crt"]
    assert found.legend and all(entry.swatch.startswith("<svg") for entry in found.legend)


@pytest.mark.parametrize("game", GAMES)
def test_everything_declared_has_a_name(game: str) -> None:
    """The catalogue sees to it that what is there is there in both languages."""
    loaded = load_game(game)
    wanted = {
        "verbs": loaded.verbs(),
        "parts": [part.id for part in loaded.parts],
        "badges": [badge.id for badge in loaded.badges],
        "letters": [badge.id for badge in loaded.badges],
        "layers": [layer.id for layer in loaded.layers],
        "shorts": [layer.id for layer in loaded.layers],
        "extras": [extra.id for extra in loaded.extras],
        "guide": [step.id for step in loaded.guide],
        "events": loaded.events,
    }
    for section, codes in wanted.items():
        assert [code for code in codes if not loaded.catalogue.has(section, code)] == [], section
    groups = [f"{part.id}/{group}" for part in loaded.parts for group in part.groups]
    assert [group for group in groups if not loaded.catalogue.has("parts", group)] == []


@pytest.mark.parametrize("game", GAMES)
def test_states_and_logs_have_the_shapes_that_are_described(both: Client, game: str) -> None:
    table = both.table(game)
    seats = {side: table.seat(side) for side in (*table.tokens, *table.invitations)}
    for number, (state, _) in enumerate(play(seats, 150, Random(5))):
        wire.State.model_validate(state)
        assert state["decision"]["name"]
        if number % 20 == 0:
            for other in (*seats.values(), table.watch):
                seen = look(other)
                wire.State.model_validate(seen)
                assert seen["decision"] is None or set(seen["you"]) & set(seen["must_act"])
    for line in good(table.watch.get("/log")):
        wire.LogLine.model_validate(line)
    moment = good(table.watch.get("/at/7"))
    wire.Moment.model_validate(moment)


def test_differences_add_up_to_the_whole(both: Client) -> None:
    """For either side and a spectator, with undoing in between."""
    table = both.table()
    seats = {side: table.seat(side) for side in (*table.tokens, *table.invitations)}
    first, second = seats.values()
    random = Random(8)
    with first.live() as one, second.live() as two, table.watch.live() as three:
        lives = {first: one, second: two, table.watch: three}
        known = {seat: live.next()["state"] for seat, live in lives.items()}
        for _ in play(seats, 60, random, undoing=True):
            pass
        for seat, live in lives.items():
            now = look(seat)
            while known[seat] != now:
                known[seat] = live.next().get("state", known[seat])
                wire.SocketMessage.model_validate(live.sent[-1])


def test_what_many_units_have_in_common_is_told_once() -> None:
    """A phase ends: every counter loses the badge of those who have moved."""
    units = [{"id": f"unit-{n}", "hex": f"{n:04}", "badges": ["moved"]} for n in range(1000)]
    rested = [{**unit, "badges": []} for unit in units]
    rested[7]["hex"] = "0000"
    old: Json = {"version": "1", "view": {"units": units, "scores": {}, "parts": []}}
    new: Json = {"version": "2", "view": {"units": rested, "scores": {}, "parts": []}}
    sent = changes(old, new)
    assert set(sent["units"]) == {"unit-7"} and len(sent["alike"]) == 1 and len(sent["alike"][0][1]) == 999
    assert len(written(sent)) < 12_000
    assert take_in(old, {"type": "changes", **sent})["view"] == new["view"]
    wire.ChangesMessage.model_validate({"type": "changes", **json.loads(written(sent))})


def test_the_log_comes_with_the_differences(both: Client) -> None:
    seat = both.table("crossroads", hotseat=True).seat("amber")
    with seat.live(log=0) as live:
        first = live.next()
        lines: list[Json] = first["log"]
        assert first["log_from"] == 0
        assert lines
        for _ in play(dict.fromkeys(("amber", "cobalt"), seat), 40, Random(3)):
            pass
        wanted = look(seat)["version"]
        version = first["state"]["version"]
        while version != wanted:
            message = live.next()
            version = message["state"]["version"]
            lines = lines[: message["log_from"]] + message["log"]
        assert lines == good(seat.get("/log"))


@pytest.mark.parametrize(("game", "limit"), [("leningrad", 6_000), ("a_victory_lost", 10_000)])
def test_at_one_screen_a_click_brings_as_little_as_at_two(both: Client, game: str, limit: int) -> None:
    """A Victory Lost has secrets: the log was sent from its first line whenever the other side sat down."""
    sides = load_game(game).sides
    seat = both.table(game, hotseat=True).seat(sides[0])
    eyes = set()
    with seat.live() as live:
        live.next()
        for state, _ in play(dict.fromkeys(sides, seat), 130, Random(7)):
            begin = len(live.texts)
            while live.state["version"] != state["version"]:
                live.next()
            pushed = sum(len(text.encode()) for text in live.texts[begin:])
            assert pushed < limit, f"{pushed} bytes"
            eyes.add(live.state["eyes"])
    assert eyes == ({None} if game == "leningrad" else set(sides))


def test_no_more_is_answered_than_is_wanted(both: Client) -> None:
    seat = both.table("crossroads", hotseat=True).seat("amber")
    words = expand(look(seat)["decision"]["offer"])[0]
    answer = both.post(
        f"/api/tables/{seat.table}/actions",
        json={"action": words},
        headers={**seat.headers, "Prefer": "return=minimal"},
    )
    assert answer.headers["Preference-Applied"] == "return=minimal"
    assert answer.json() == {"version": look(seat)["version"]}


def test_layers_come_with_the_push(both: Client) -> None:
    seat = both.table("crossroads", hotseat=True).seat("amber")
    with seat.live(layers=[["sight", "amber"]]) as live:
        first = live.next()
        assert set(first["layers"]) == {"sight:amber"}
        live.socket.send_json({"layers": [["sight", "amber"], ["sight", "cobalt"], ["nonsense", None]]})
        second = live.until(lambda message: "layers" in message)
        # Only what was not sent yet.
        assert set(second["layers"]) == {"sight:cobalt"}
        asked = good(seat.post("/ask", {"ask": "layer", "layer": "sight", "side": "cobalt"}))
        assert asked["hexes"] == second["layers"]["sight:cobalt"]


def test_talk_does_not_send_the_table(both: Client) -> None:
    seat = both.table("crossroads", hotseat=True).seat("amber")
    with seat.live() as live:
        live.next()
        good(seat.post("/chat", {"text": "hello"}))
        live.next()
        message = live.sent[-1]
        assert set(message) == {"type", "from", "to", "chat"}
        assert [line["text"] for line in message["chat"]] == ["hello"]


@pytest.mark.parametrize("game", GAMES)
def test_the_tree_of_reach_leads_back_to_the_unit(both: Client, game: str) -> None:
    """Every hex is reached from another in the tree or from where the unit stands, next door."""
    loaded = load_game(game)
    table = both.table(game, hotseat=True)
    seat = table.seat(loaded.sides[0])
    found = 0
    for state, _ in play(dict.fromkeys(loaded.sides, seat), 200, Random(2)):
        hand = state["decision"]["hand"]
        steps = any(loaded.role((group[0],)) == Role.STEP for group in state["decision"]["offer"])
        if hand is None or not hand["units"] or not steps:
            continue
        reach = good(seat.post("/ask", {"ask": "reach", "units": hand["units"]}))["hexes"]
        found += bool(reach)
        units = {unit["id"]: unit for unit in state["view"]["units"]}
        start = units[hand["units"][0]]["hex"]
        for hex_, (before, _) in reach.items():
            assert before is None or before in reach
            near = loaded.board.cell(start if before is None else before)
            assert loaded.board.cell(hex_) in loaded.board.adjacent[near]
    assert found


@pytest.mark.parametrize("game", GAMES)
def test_an_attack_is_in_hand_only_while_it_is_put_together(both: Client, game: str) -> None:
    """Not the last one, when the next is asked for."""
    loaded = load_game(game)
    table = both.table(game, hotseat=True)
    seat = table.seat(loaded.sides[0])
    aimed = 0
    for state, _ in play(dict.fromkeys(loaded.sides, seat), 1500, Random(1)):
        decision = state["decision"]
        roles = {loaded.role((group[0],)) for group in decision["offer"]}
        attack = decision["hand"] and decision["hand"]["attack"]
        assert bool(attack) == bool(roles & {Role.JOIN, Role.COMMIT})
        if aimed and Role.AIM in roles:
            return
        aimed += Role.COMMIT in roles
    raise AssertionError("nobody attacked twice")


def test_a_table_in_a_line(both: Client) -> None:
    table = both.table("crossroads", name="Brumont")
    line = good(table.seat("amber").get("/line"))
    wire.LobbyLine.model_validate(line)
    assert (line["name"], line["actor"], line["you"]) == ("Brumont", "amber", ["amber"])
    assert good(table.watch.get("/line"))["you"] == []
