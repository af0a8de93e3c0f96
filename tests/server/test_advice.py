"""The computer as it is seen by people: how far its thought has come, what it is trying to do, and what it
would do in their place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from grognard.kernel import Game, Match
from grognard.kernel.doctrine import Intent
from grognard.kernel.registry import load_game
from grognard.kernel.text import LANGUAGES
from grognard.players import RandomPlayer, player_names
from grognard.players.advice import Suggester, suggestion_text
from grognard.server.computer import EVERY
from grognard.server.seating import OFFERED
from tests.server.conftest import Start
from tests.server.table import (
    Client,
    Json,
    Seat,
    Table,
    asked,
    good,
    hurried,
    offered,
    play_on,
    wait_for_turn,
)

AIM = "take-ground"
AIMS = {AIM: {"en": "The goal is {hex}.", "fr": "Le but est {hex}."}}


class Planner(RandomPlayer):
    """Has a plan for every answer, and says how far it has come with it."""

    def __init__(self, seed: str, pause: float = 0.0) -> None:
        super().__init__(seed)
        self.pause = pause
        self.made = 0

    def choose(self, game: Any, state: Any, side: int) -> Any:
        cells = sorted(game.board.info)
        self.intent = Intent(AIM, {"hex": cells[self.made % len(cells)], "units": (0, 1), "strange": {3, 1}})
        self.made += 1
        for part in range(10):
            if self.watch is not None:
                self.watch(part / 10)
            time.sleep(self.pause / 10)
        return super().choose(game, state, side)


@pytest.fixture(autouse=True)
def words_for_aims(crossroads: Game[Any]) -> Iterator[None]:
    """The test's own plan has words, whatever plans the game knows."""
    texts = crossroads.catalogue._texts
    before = texts.get("intents", {})
    texts["intents"] = {**before, **AIMS}
    yield
    texts["intents"] = before


def room_of(client: Client, table: Table) -> Any:
    assert client.portal is not None
    return client.portal.call(client.app.state.rooms.room, table.id)  # type: ignore[attr-defined]


def to_the_computer(seat: Seat) -> Json:
    """Answer until it is the other side's turn."""
    state = seat.state()
    while asked(state) in state["you"]:
        state = seat.play(*hurried(offered(state), Random(1)))
    return state


def against(client: Client, player: Any, **wish: Any) -> tuple[Table, Seat]:
    """Amber against a player, who sits down when both wagers are laid: Amber marches."""
    table = client.table("crossroads", seats={"cobalt": "regular"}, **wish)
    amber = march(table)
    room_of(client, table).bots[1] = player
    return table, amber


def march(table: Table) -> Seat:
    """Amber with the highest token laid, and therefore first to march."""
    amber = table.seat("amber")
    amber.play("stake", "amber-3")
    assert asked(wait_for_turn(amber)) == "amber"
    return amber


# Levels


def test_opponents_are_offered_from_the_planners_to_the_simple(quick_client: Client) -> None:
    games = {game["id"]: game for game in quick_client.get("/api/games").json()}
    assert tuple(games["crossroads"]["players"]) == OFFERED
    assert set(OFFERED) == set(player_names()) - {"commander"}
    table = quick_client.table("crossroads", seats={"cobalt": "commander"})
    assert table.watch.state()["players"]["cobalt"]["kind"] == "commander"


# Progress


def test_people_hear_how_far_the_computers_thought_has_come(quick_client: Client) -> None:
    table, amber = against(quick_client, Planner("slow", pause=0.6))
    with amber.live() as live, table.watch.live() as bench:
        to_the_computer(amber)
        shares = []
        began = time.monotonic()
        for _ in range(3):
            message = live.until(lambda m: m["type"] == "thought")
            assert message == {"type": "thought", "what": "move", "share": message["share"]}
            shares.append(message["share"])
        # A few words a second, however often the player says them.
        assert time.monotonic() - began > EVERY
        assert all(0 <= share <= 1 for share in shares)
        assert any(share > 0 for share in shares)
        assert bench.until(lambda m: m["type"] == "thought")["what"] == "move"
        good(amber.post("/resign"))


def test_being_watched_changes_nothing(crossroads: Game[Any]) -> None:
    answers = []
    for watch in (None, lambda share: None):
        match = Match(crossroads, "morning", seed="watched", options={"fog": True})
        suggesters = [Suggester(crossroads, side, "watched") for side in range(2)]
        for _ in range(12):
            side = crossroads.actor(match.state)
            assert side is not None
            for action in suggesters[side].suggest(match.state, match.journal, watch).actions:
                assert match.act(side, action) is None
        answers.append(match.journal)
    assert answers[0] == answers[1]


def test_a_thought_that_nobody_waits_for_is_given_up(quick_client: Client) -> None:
    planner = Planner("endless", pause=30)
    table, amber = against(quick_client, planner)
    to_the_computer(amber)
    good(amber.post("/resign"))
    deadline = time.monotonic() + 10
    while table.watch.state()["thinking"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_computer_sits_down_afresh_after_a_take_back(quick_client: Client) -> None:
    """What it remembers of its plan may be of a future that has not happened."""
    table = quick_client.table("crossroads", seats={"cobalt": "greedy"})
    amber = march(table)
    to_the_computer(amber)
    wait_for_turn(amber)
    before = room_of(quick_client, table).bots[1]
    good(amber.post("/takeback", {"to": 0}))
    assert room_of(quick_client, table).bots[1] is not before


# Plans


def test_plans_are_secret_until_the_game_is_over(client: Client) -> None:
    table, amber = against(client, Planner("p"))
    to_the_computer(amber)
    state = wait_for_turn(amber)
    assert state["teacher"] is False and state["plans"] is None
    said = set()
    for language in LANGUAGES:
        for seat in (amber, table.watch):
            answer = seat.get("/plans", lang=language)
            assert (answer.status_code, answer.json()["code"]) == (403, "plan-secret")
            said.add(answer.json()["text"])
    assert len(said) == len(LANGUAGES)
    good(amber.post("/resign"))
    told = good(amber.get("/plans"))
    assert told["plans"] and told["plans"] == good(table.watch.get("/plans"))["plans"]
    assert amber.state()["plans"] == len(told["plans"])
    line = told["plans"][0]
    assert (line["side"], line["turn"]) == ("cobalt", 1) and line["text"].startswith("The goal is ")
    assert line["phase"] == "second-march"
    assert line["hexes"] and line["units"]
    assert told["now"] == {"cobalt": told["plans"][-1]["text"]}
    assert good(amber.get("/plans", lang="fr"))["plans"][0]["text"].startswith("Le but est ")


def test_with_a_teacher_plans_are_told_while_the_game_goes_on(client: Client) -> None:
    _, amber = against(client, Planner("p"), teacher=True)
    assert amber.state()["teacher"]
    assert "yet" in good(amber.get("/plans"))["now"]["cobalt"]
    to_the_computer(amber)
    state = wait_for_turn(amber)
    assert state["plans"] and not state["over"]
    assert good(amber.get("/plans"))["now"]["cobalt"].startswith("The goal is ")


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_who_has_no_plan_says_so(quick_client: Client, kind: str) -> None:
    amber = march(quick_client.table("crossroads", seats={"cobalt": kind}, teacher=True))
    told = good(amber.get("/plans"))
    assert told["plans"] == [] and "no plan to explain" in told["now"]["cobalt"]


def test_who_plays_at_random_never_has_a_plan(quick_client: Client) -> None:
    amber = march(quick_client.table("crossroads", seats={"cobalt": "random"}, teacher=True))
    to_the_computer(amber)
    wait_for_turn(amber)
    told = good(amber.get("/plans"))
    assert told["plans"] == [] and "no plan to explain" in told["now"]["cobalt"]


def test_between_people_there_is_no_plan_to_ask_for(quick_client: Client) -> None:
    table = quick_client.table("crossroads", teacher=True)
    answer = table.seat("amber").get("/plans")
    assert (answer.status_code, answer.json()["code"]) == (403, "no-computer")


def test_plans_are_there_again_after_a_restart_and_gone_after_a_take_back(
    database: str, start: Start
) -> None:
    with start(database) as client:
        _, amber = against(client, Planner("p"), teacher=True)
        to_the_computer(amber)
        wait_for_turn(amber)
        before = good(amber.get("/plans"))
        assert before["plans"]
    with start(database) as client:
        amber = amber.at(client)
        assert amber.state()["teacher"]
        assert good(amber.get("/plans")) == before
        good(amber.post("/takeback", {"to": 0}))
        assert good(amber.get("/plans"))["plans"] == []
    with start(database) as client:
        assert good(amber.at(client).get("/plans"))["plans"] == []


# Suggestions


def test_a_suggestion_can_be_played_and_asking_changes_nothing(client: Client) -> None:
    wish: Json = {"seats": {"cobalt": "random"}, "options": {"fog": True}}
    amber = client.table("crossroads", **wish).seat("amber")
    for _ in range(6):
        before = wait_for_turn(amber)
        assert before["suggests"]
        log = amber.log()
        found = good(amber.post("/suggestion"))
        assert amber.state() == before and amber.log() == log
        assert found["version"] == before["version"]
        assert found["text"] and found["text"].endswith(".")
        assert found["actions"][0] in offered(before)
        # Asked again, it is the same; in the other language, the same in other words.
        french = good(amber.post("/suggestion", lang="fr"))
        assert french["actions"] == found["actions"] and french["text"] != found["text"]
        for words in found["actions"]:
            amber.play(*words)


def test_suggestions_are_for_those_who_play_against_no_other_person(client: Client) -> None:
    amber, cobalt = client.crossroads()
    assert amber.state()["suggests"] is cobalt.state()["suggests"] is False
    for seat in (amber, cobalt):
        answer = seat.post("/suggestion")
        assert (answer.status_code, answer.json()["code"]) == (403, "no-suggestions")
        assert "people" in answer.json()["text"]
    table = client.table("crossroads", hotseat=True)
    assert table.watch.post("/suggestion").status_code == 403
    both = table.seat("amber")
    assert both.state()["suggests"]
    assert good(both.post("/suggestion"))["actions"]


def test_a_suggestion_is_for_ones_own_decision(quick_client: Client) -> None:
    table, amber = against(quick_client, Planner("slow", pause=3))
    to_the_computer(amber)
    answer = amber.post("/suggestion")
    assert (answer.status_code, answer.json()["code"]) == (403, "not-your-decision")
    state = good(amber.post("/resign"))
    assert state["suggests"] is False
    assert amber.post("/suggestion").json()["code"] == "game-over"
    assert table.watch.state()["suggests"] is False


def test_whoever_asks_hears_how_far_the_adviser_has_come(
    quick_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grognard.players.advice.seat", lambda name, seed: Planner(seed, pause=0.6))
    table = quick_client.table("crossroads", seats={"cobalt": "random"})
    amber = march(table)
    with amber.live() as live, table.watch.live() as bench:
        bench.next()
        found = good(amber.post("/suggestion"))
        assert found["plan"].startswith("The goal is ")
        assert live.until(lambda m: m["type"] == "thought")["what"] == "suggestion"
        # Others are not told: that somebody asks for help is his affair.
        version = amber.play(*found["actions"][0])["version"]
        bench.until(lambda m: m["type"] == "thought" or m["state"]["version"] == version)
        assert bench.heard[-1]["type"] != "thought"


# The adviser


@pytest.mark.parametrize("id_", ["leningrad", "a_victory_lost"])  # every game's own planners
def test_advice_is_legal(id_: str) -> None:
    """Somebody who follows advice alone gets through the first turn; bench/advised.py plays whole games."""
    game = load_game(id_)
    match = Match(game, next(iter(game.scenarios)), seed="advised")
    suggesters = [Suggester(game, side, "advised") for side in range(2)]
    while not match.over and game.turn(match.state) < 2:
        side = game.actor(match.state)
        assert side is not None
        before = match.state.fingerprint()
        found = suggesters[side].suggest(match.state, match.journal)
        assert match.state.fingerprint() == before
        for language in LANGUAGES:
            text = suggestion_text(game, found.actions, language)
            assert text.endswith(".") and "{" not in text
        for action in found.actions:
            assert match.act(side, action) is None, action


def test_advice_does_not_know_the_other_sides_tokens(crossroads: Game[Any]) -> None:
    """Positions that look the same to Amber: Cobalt has laid other tokens."""
    match = Match(crossroads, "morning", seed="hidden")
    random = Random(3)
    seen = 0
    while seen < 4 and not match.over:
        side = crossroads.actor(match.state)
        assert side is not None
        if side == 0:
            given = {}
            for guess in range(6):
                other = crossroads.imagine(match.state, 0, Random(guess))
                suggester = Suggester(crossroads, 0, "hidden")
                given[other.fingerprint()] = suggester.suggest(other, match.journal)
            seen += len(given) > 1
            assert all(one == another for one, another in pairwise(given.values())), given
        match.act(side, random.choice(crossroads.options(match.state)))
    assert seen == 4


def test_an_adviser_whose_advice_is_not_taken_thinks_again(crossroads: Game[Any]) -> None:
    def begin() -> Match[Any]:
        match = Match(crossroads, "morning", seed="stubborn", options={"fog": True})
        for side, token in ((0, "amber-3"), (1, "cobalt-1")):
            assert match.act(side, crossroads.decode(["stake", token])) is None
        return match

    match = begin()
    suggester = Suggester(crossroads, 0, "stubborn")
    first = suggester.suggest(match.state, match.journal)
    adviser = suggester._player
    assert suggester.suggest(match.state, match.journal) is first
    for action in first.actions:
        match.act(0, action)
    assert crossroads.actor(match.state) == 0
    suggester.suggest(match.state, match.journal)
    assert suggester._player is adviser

    again = begin()
    other = next(a for a in crossroads.options(again.state) if a[0] == "lift" and a != first.actions[0])
    again.act(0, other)
    suggester.suggest(again.state, again.journal)
    assert suggester._player is not adviser


def test_a_game_without_names_for_its_verbs_can_be_advised_on(quick_client: Client) -> None:
    red = quick_client.table("secrets", seats={"blue": "random"}).seat("red")
    red.play("choose", "371")
    found = good(red.post("/suggestion"))
    assert found["actions"][0][0] in ("choose", "commit")
    play_on([red], Random(1), 1)
