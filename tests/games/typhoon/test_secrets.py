"""What is hidden stays hidden over HTTP and WebSockets: other air units face down, and nothing that the other
side or a spectator receives changes, to the letter (11.1.7)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.games.typhoon.rules.dogfight import Flight
from grognard.games.typhoon.state import AIR_FLYING, CLOSE_SUPPORT, Mission
from grognard.server.api import create_app
from grognard.server.seating import NewTable
from grognard.server.settings import ServerSettings
from tests.games.typhoon.sky import AirTable
from tests.games.typhoon.table import real_game
from tests.rules import rule
from tests.server.table import Client, Seat, Table, offered

PASSES = ("forgo", "end", "done", "finish", "pass")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("typhoon")
    settings = ServerSettings(f"sqlite:///{folder / 'games.sqlite'}", folder, draw_ahead=False)
    with Client(create_app(settings, {"typhoon": real_game()})) as made:
        yield made


def seeded(client: Client) -> Table:
    wish = NewTable("typhoon", "yelets", {}, {}, seed="same")
    assert client.portal is not None
    made = client.portal.call(client.app.state.rooms.create, wish)  # type: ignore[attr-defined]
    tokens = dict(made.tokens)
    told = {"table": made.table, "seats": tokens, "watch": tokens.pop("watch")}
    return Table(client, {**told, "invitations": made.invitations, "promise": made.promise})


def go_on(*seats: Seat, until: str) -> None:
    """Both sides pass until one of them is asked for something."""
    for _ in range(60):
        for seat in seats:
            answers = offered(seat.state())
            if any(answer[0] == until for answer in answers):
                return
            passing = [answer for answer in answers if answer[0] in PASSES]
            if passing:
                seat.play(*passing[0])
                break
    raise AssertionError(f"nobody was asked to {until}")


def all_that_reaches(client: Client, hand: tuple[str, ...]) -> str:
    """What the Soviets and the spectators get while the Axis lays an interdiction and when it lies there."""
    table = seeded(client)
    axis, soviet = table.seat("axis"), table.seat("soviet")
    told: list[Any] = []

    def doors(*seats: Seat) -> None:
        for seat in seats:
            moments = seat.state()["moments"]
            for door in ("", "/log", "/moments", f"/at/{moments}", "/rolls"):
                answer = seat.get(door)
                told.append([door, answer.status_code, answer.text])
            answer = seat.post("/ask", {"ask": "why", "action": ["done"]})
            told.append([answer.status_code, answer.text])

    go_on(axis, soviet, until="aim")
    with soviet.live() as ear, table.watch.live() as bench:
        for live in (ear, bench):
            live.next()
        for words in (("aim", "P5515"), *(("fly", unit) for unit in hand)):
            axis.play(*words)
            doors(soviet, table.watch)
        axis.play("done")
        doors(soviet, table.watch)
        last = soviet.state()["moments"]
        for live in (ear, bench):
            live.until(lambda m: m["state"]["moments"] == last)
            told.append(live.texts)
    text = json.dumps(told).replace(table.id, "TABLE")
    return re.sub(r'\\*"updated\\*": ?[\d.]+', "", text)


@rule("typhoon", "11.1.7")
def test_the_server_tells_nobody_which_air_units_fly(client: Client) -> None:
    hands = (("g-i-stg-1", "g-decoy-1"), ("g-ii-kg-3", "g-iii-jg-51"))
    one, other = (all_that_reaches(client, hand) for hand in hands)
    assert one == other


@rule("typhoon", "11.1.7", "11.2.3")
def test_units_turned_up_for_a_mission_in_progress_are_no_secret() -> None:
    """What a side imagines leaves them where they are: it is asked about them."""
    table = AirTable("", ready=("me109", "stuka", "mig", "il2"), attacks={"N3030": ("g-251-inf",)})
    game, state = table.game, table.state
    axis, soviet = (tuple(map(table.flyer, names)) for names in (("me109", "stuka"), ("mig", "il2")))
    for flyer in (*axis, *soviet):
        state.air[flyer] = AIR_FLYING
    mission = Mission(game.board.cell("N3030"), CLOSE_SUPPORT, (axis, soviet))
    table.begin("air-mission", Flight(mission))
    game.settle(state, "up")
    side = game.actor(state)
    assert side is not None and table.asked == "pair-fighters"
    for seed in range(5):
        imagined = game.imagine(state, side, Random(seed))
        assert game.options(imagined, side) == game.options(state, side) != []
