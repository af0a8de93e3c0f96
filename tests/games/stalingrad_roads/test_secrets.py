"""What is hidden stays hidden: a hidden face changed, nothing that the other side receives changes (5.1.4,
10.4.3)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.games.stalingrad_roads.game import StalingradRoads
from grognard.games.stalingrad_roads.rules.fortress import Airlift
from grognard.games.stalingrad_roads.rules.supports import Placing
from grognard.games.stalingrad_roads.state import RoadsState
from grognard.kernel.actions import EVERYONE, Action
from grognard.server.api import create_app
from grognard.server.seating import NewTable
from grognard.server.settings import ServerSettings
from tests.games.stalingrad_roads.table import real_game
from tests.rules import rule
from tests.server.table import Client, Seat, Table, offered

SECRETS = ("support", "plane")
"""Kinds of arguments that name what may be hidden."""


def heard(game: StalingradRoads, state: RoadsState, viewer: int) -> str:
    """All that a side is told of a position and of what has just happened."""
    events = [str(e) for e in state.log or () if e.audience in (EVERYONE, viewer)]
    asked = game.shown_actors(state, viewer)
    return json.dumps([game.view(state, viewer), events, asked, game.prompt(state, "en", viewer)])


def plain(game: StalingradRoads, action: Action) -> bool:
    """Whether an answer names nothing that may be hidden."""
    return not set(game.argument_kinds(action[0])) & set(SECRETS)


def check(game: StalingradRoads, state: RoadsState, viewer: int, random: Random) -> int:
    """The same answers in two positions that only differ in what the viewer does not know."""
    if state.top(Placing) is not None or state.top(Airlift) is not None:
        return 0  # what is laid is turned up
    other = game.imagine(state, viewer, random)
    actor = sorted(game.must_act(state))[0]
    both = set(game.options(other, actor))
    answers = [a for a in game.options(state, actor) if a in both and plain(game, a)]
    random.shuffle(answers)
    for action in answers[:4]:
        one, two = state.clone(), other.clone()
        one.log, two.log = [], []
        game.apply(one, action, actor)
        game.apply(two, action, actor)
        assert heard(game, one, viewer) == heard(game, two, viewer), game.encode(action)
    return len(answers[:4])


@rule("stalingrad_roads", "5.1.3", "5.1.4", "10.4.3")
@pytest.mark.parametrize("scenario", ["uranus", "backhand"])
def test_hidden_faces_change_nothing_for_the_other_side(scenario: str) -> None:
    game = real_game()
    state, random, checked = game.start(scenario), Random(scenario), 0
    game.settle(state, scenario)
    count = 0
    while game.actor(state) is not None and count < 400:
        count += 1
        if count % 16 == 0:
            for viewer in (0, 1):
                checked += check(game, state, viewer, random)
        options = game.options(state)
        game.apply(state, random.choice(options))
        game.settle(state, scenario)
    assert checked > 40


# Over HTTP and WebSockets


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("roads")
    settings = ServerSettings(f"sqlite:///{folder / 'games.sqlite'}", folder, draw_ahead=False)
    with Client(create_app(settings, {"stalingrad_roads": real_game()})) as made:
        yield made


def seeded(client: Client) -> Table:
    wish = NewTable("stalingrad_roads", "uranus", {}, {}, seed="same")
    assert client.portal is not None
    made = client.portal.call(client.app.state.rooms.create, wish)  # type: ignore[attr-defined]
    tokens = dict(made.tokens)
    told = {"table": made.table, "seats": tokens, "watch": tokens.pop("watch")}
    return Table(client, {**told, "invitations": made.invitations, "promise": made.promise})


def all_that_reaches(client: Client, chosen: list[str]) -> str:
    """What the Soviets and the spectators get while the Axis chooses four markers, and until the Soviets have
    chosen theirs and gone on to the map."""
    table = seeded(client)
    axis, soviet = table.seat("axis"), table.seat("soviet")
    told: list[Any] = []
    questions = [{"ask": "layer", "layer": "command", "side": "axis"}, {"ask": "why", "action": ["end"]}]

    def doors(*seats: Seat) -> None:
        for seat in seats:
            moments = seat.state()["moments"]
            for door in ("", "/log", "/moments", "/at/0", f"/at/{moments}", "/rolls"):
                answer = seat.get(door)
                told.append([door, answer.status_code, answer.text])
            for question in questions:
                answer = seat.post("/ask", question)
                told.append([answer.status_code, answer.text])

    with soviet.live() as ear, table.watch.live() as bench:
        for live in (ear, bench):
            live.next()
        for word in chosen:
            axis.play("choose", word)
        doors(soviet, table.watch)
        while "choose" not in {answer[0] for answer in offered(soviet.state())}:
            soviet.play("end")
        guns = ["s-artillery-2"] * 4 + ["s-katyusha"] * 2 + ["s-tank-brigade"] * 2 + ["s-vvs", "s-aa"]
        for word in guns:
            soviet.play("choose", word)
        doors(soviet, table.watch)
        last = soviet.state()["moments"]
        for live in (ear, bench):
            live.until(lambda m: m["state"]["moments"] == last)
        # The Soviets hear of their own answers too: only what spectators hear is counted.
        told += [bench.heard, ear.heard[:1]]
    text = json.dumps(told).replace(table.id, "TABLE")
    return re.sub(r'\\?"updated\\?": ?[\d.]+', "", text)


@rule("stalingrad_roads", "5.1.4", "S2.7")
def test_the_server_tells_nobody_what_the_axis_has_chosen(client: Client) -> None:
    ways = (
        ["a-luftwaffe", "a-hoth", "a-pak88", "a-alarm"],
        ["a-rudel", "a-goering", "a-artillery-2", "a-nebelwerfer"],
    )
    one, other = (all_that_reaches(client, way) for way in ways)
    assert one == other
