"""A click of a march or of an attack: one request, one push, and nothing is asked for afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, Request, Response, WebSocket, expect

from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.players import seat as computer
from tests.browser.conftest import Sit
from tests.browser.house import LENINGRAD, House, Rehearsal
from tests.browser.table_page import CALM, TablePage

Json = dict[str, Any]

QUIET = 1500
"""Milliseconds in which anything that a click brings with it would have been asked for: lines of the log that
are missing are asked for after a second."""
RESTING = 700
"""Milliseconds after which a pointer that rests has asked about what is under it."""


class Traffic(NamedTuple):
    """What went over the wire."""

    requests: list[str]
    answers: list[int]
    """Bytes of each answer's body, as they were before any compression."""
    pushes: list[str]

    @property
    def weight(self) -> int:
        return sum(self.answers) + sum(len(push.encode()) for push in self.pushes)


class Wire:
    """Listens to a page from the beginning."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.now = Traffic([], [], [])
        page.on("request", self._request)
        page.on("response", self._response)
        page.on("websocket", self._socket)

    def _request(self, request: Request) -> None:
        # A picture of the map may still be on its way: it comes with the view, not with a click.
        if "/api/" in request.url and not any(part in request.url for part in ("/map.", "/tiles/")):
            self.now.requests.append(f"{request.method} {request.url.split('?')[0].rsplit('/', 1)[-1]}")

    def _response(self, response: Response) -> None:
        if response.request.method == "POST":
            self.now.answers.append(len(response.body()))

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.now.pushes.append(str(frame)))

    @contextmanager
    def during(self) -> Iterator[Traffic]:
        """What goes over the wire in a block and shortly after it."""
        # The pointer rests on something: what it says of that is asked before, not counted.
        self.page.wait_for_timeout(RESTING)
        self.page.wait_for_function(CALM, arg="")
        self.now = Traffic([], [], [])
        yield self.now
        self.page.wait_for_timeout(QUIET)


def march(game: Rehearsal) -> tuple[str, str]:
    """A hex with units, and an empty one that each of them may go to, as far away as can be."""
    rules = game.game
    assert rules.adviser is not None
    units = game.units(game.actor)
    taken = {unit["hex"] for unit in units if unit["hex"]}
    stacks: dict[str, dict[str, int]] = {}
    for words in game.options:
        where = next((u["hex"] for u in units if len(words) == 2 and u["id"] == words[1]), None)
        reach = rules.adviser.reach(game.match.state, [rules.unit_index(words[1])]) if where else None
        if where is None or not isinstance(reach, dict):
            continue
        goals = {rules.board.number(cell): len(way.cells) for cell, way in reach.items()}
        known = stacks.get(where, goals)
        stacks[where] = {goal: known[goal] for goal in goals if goal in known and goal not in taken}
    _, goal, origin = max(
        (far, goal, where) for where, goals in stacks.items() for goal, far in goals.items()
    )
    return origin, goal


def played(game: Game[Any], seed: str, until: Callable[[Rehearsal], bool]) -> Rehearsal:
    """A game that the computer plays up to a question."""
    rehearsal = Rehearsal(game, seed)
    player = computer("greedy", "rehearsal")
    while not until(rehearsal):
        actor = game.actor(rehearsal.match.state)
        assert actor is not None
        rehearsal.act(*game.encode(player.choose(game, rehearsal.match.state, actor)))
    return rehearsal


def offers(verb: str) -> Callable[[Rehearsal], bool]:
    return lambda game: any(words[0] == verb for words in game.options)


LIMITS = {"leningrad": 6_000, "a_victory_lost": 10_000}
"""Bytes a click: the answer and the push, uncompressed."""


def sit_down(sit: Sit, house: House, game: str, arranged: Rehearsal, seed: str) -> tuple[TablePage, Wire]:
    made = house.table(*arranged.answers, game=game, seed=seed)
    wires: list[Wire] = []
    table = sit(made, arranged.actor, before=lambda page: wires.append(Wire(page)))
    table.whole_map()
    return table, wires[0]


@pytest.mark.parametrize("game", sorted(LIMITS))
def test_a_march(house: House, sit: Sit, game: str) -> None:
    arranged = played(load_game(game), "1", offers("pick"))
    table, wire = sit_down(sit, house, game, arranged, "1")
    origin, goal = march(arranged)
    # The pointer comes to the unit before it presses: its card asks for its supply and strengths.
    table.hover(origin)
    with wire.during() as taking:
        table.click(origin)
        table.wait_reach(goal)
    assert taking.requests == ["POST ask"]
    assert taking.pushes == []
    with wire.during() as going:
        table.page.mouse.click(*table.spot(goal))
        expect(table.log).to_contain_text(goal)
    check(going, LIMITS[game])


def test_a_step_with_a_unit_in_hand(house: House, sit: Sit) -> None:
    """How far it gets then comes with the answer: with that to the step nowhere, beside the enemy (5.2), and
    when the step is taken back with that."""
    made = house.table(**LENINGRAD, seats={"german": "human", "soviet": "human"})
    made.act(["pick", "1-inf"], "german")
    wires: list[Wire] = []
    table = sit(made, "german", before=lambda page: wires.append(Wire(page)))
    table.whole_map()
    table.wait_reach("0212")
    with wires[0].during() as stepping:
        table.page.mouse.click(*table.spot("0212"))
        expect(table.button("Halt here")).to_be_visible()
    assert stepping.requests == ["POST actions"]
    assert len(stepping.pushes) == 1
    with wires[0].during() as back:
        table.button("Undo").click()
        table.wait_reach("0212")
    assert back.requests == ["POST undo"]
    assert len(back.pushes) == 1


@pytest.mark.parametrize("game", sorted(LIMITS))
def test_an_attack(house: House, sit: Sit, game: str) -> None:
    arranged = played(load_game(game), "1", offers("target"))
    table, wire = sit_down(sit, house, game, arranged, "1")
    target = next(words[1] for words in arranged.options if words[0] == "target")
    with wire.during() as aiming:
        table.click(target)
        expect(table.odds).to_be_visible()
    assert [each for each in aiming.requests if each != "POST ask"] == []
    assert aiming.pushes == []
    table.odds.get_by_role("button").first.click()
    expect(table.odds.locator(".column b")).not_to_be_empty()
    with wire.during() as fighting:
        table.dock.locator("button.go").click()
        expect(table.log).to_contain_text(target)
    check(fighting, LIMITS[game])


def check(traffic: Traffic, limit: int) -> None:
    assert traffic.requests == ["POST orders"]
    assert len(traffic.pushes) == 1, [push[:200] for push in traffic.pushes]
    assert json.loads(traffic.pushes[0])["type"] == "changes"
    assert traffic.weight < limit, traffic.weight
    print("bytes a click:", traffic.answers, [len(push.encode()) for push in traffic.pushes])
