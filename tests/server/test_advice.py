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
        self.intent = Intent(AIM, {"hex": cells[self.made], "units": (0, 1), "strange": {3, 1}})
        self.made += 1
        for part in range(10):
            if self.watch is not None:
                self.watch(part / 10)
            time.sleep(self.pause / 10)
        return super().choose(game, state, side)


@pytest.fixture(autouse=True)
def words_for_aims(leningrad: Game[Any]) -> Iterator[None]:
    """The test's own plan has words, whatever plans the game knows."""
    texts = leningrad.catalogue._texts
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
    table = client.table(seats={"soviet": "regular"}, **wish)
    room_of(client, table).bots[1] = player
    return table, table.seat("german")


# Levels


def test_opponents_are_offered_from_the_planners_to_the_simple(quick_client: Client) -> None:
    games = {game["id"]: game for game in quick_client.get("/api/games").json()}
    assert tuple(games["leningrad"]["players"]) == OFFERED
    assert set(OFFERED) == set(player_names()) - {"commander"}
    table = quick_client.table(seats={"soviet": "commander"})
    assert table.watch.state()["players"]["soviet"]["kind"] == "commander"


# Progress


def test_people_hear_how_far_the_computers_thought_has_come(quick_client: Client) -> None:
    table, german = against(quick_client, Planner("slow", pause=0.6))
    with german.live() as live, table.watch.live() as bench:
        to_the_computer(german)
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
        good(german.post("/resign"))


def test_being_watched_changes_nothing(leningrad: Game[Any]) -> None:
    answers = []
    for watch in (None, lambda share: None):
        match = Match(leningrad, "campaign", seed="watched")
        suggesters = [Suggester(leningrad, side, "watched") for side in range(2)]
        for _ in range(12):
            side = leningrad.actor(match.state)
            assert side is not None
            for action in suggesters[side].suggest(match.state, match.journal, watch).actions:
                assert match.act(side, action) is None
        answers.append(match.journal)
    assert answers[0] == answers[1]


def test_a_thought_that_nobody_waits_for_is_given_up(quick_client: Client) -> None:
    planner = Planner("endless", pause=30)
    table, german = against(quick_client, planner)
    to_the_computer(german)
    good(german.post("/resign"))
    deadline = time.monotonic() + 10
    while table.watch.state()["thinking"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_computer_sits_down_afresh_after_a_take_back(quick_client: Client) -> None:
    """What it remembers of its plan may be of a future that has not happened."""
    table = quick_client.table(seats={"soviet": "greedy"})
    german = table.seat("german")
    to_the_computer(german)
    wait_for_turn(german)
    before = room_of(quick_client, table).bots[1]
    good(german.post("/takeback", {"to": 0}))
    assert room_of(quick_client, table).bots[1] is not before


# Plans


def test_plans_are_secret_until_the_game_is_over(client: Client) -> None:
    table, german = against(client, Planner("p"))
    to_the_computer(german)
    state = wait_for_turn(german)
    assert state["teacher"] is False and state["plans"] is None
    said = set()
    for language in LANGUAGES:
        for seat in (german, table.watch):
            answer = seat.get("/plans", lang=language)
            assert (answer.status_code, answer.json()["code"]) == (403, "plan-secret")
            said.add(answer.json()["text"])
    assert len(said) == len(LANGUAGES)
    good(german.post("/resign"))
    told = good(german.get("/plans"))
    assert told["plans"] and told["plans"] == good(table.watch.get("/plans"))["plans"]
    assert german.state()["plans"] == len(told["plans"])
    line = told["plans"][0]
    assert (line["side"], line["turn"]) == ("soviet", 1) and line["text"].startswith("The goal is ")
    assert line["phase"].startswith("soviet-") or line["phase"].startswith("german-")
    assert line["hexes"] and line["units"]
    assert told["now"] == {"soviet": told["plans"][-1]["text"]}
    assert good(german.get("/plans", lang="fr"))["plans"][0]["text"].startswith("Le but est ")


def test_with_a_teacher_plans_are_told_while_the_game_goes_on(client: Client) -> None:
    _, german = against(client, Planner("p"), teacher=True)
    assert german.state()["teacher"]
    assert "yet" in good(german.get("/plans"))["now"]["soviet"]
    to_the_computer(german)
    state = wait_for_turn(german)
    assert state["plans"] and not state["over"]
    assert good(german.get("/plans"))["now"]["soviet"].startswith("The goal is ")


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_who_has_no_plan_says_so(quick_client: Client, kind: str) -> None:
    german = quick_client.table(seats={"soviet": kind}, teacher=True).seat("german")
    to_the_computer(german)
    wait_for_turn(german)
    told = good(german.get("/plans"))
    assert told["plans"] == [] and "no plan to explain" in told["now"]["soviet"]


def test_between_people_there_is_no_plan_to_ask_for(quick_client: Client) -> None:
    table = quick_client.table(teacher=True)
    answer = table.seat("german").get("/plans")
    assert (answer.status_code, answer.json()["code"]) == (403, "no-computer")


def test_plans_are_there_again_after_a_restart_and_gone_after_a_take_back(
    database: str, start: Start
) -> None:
    with start(database) as client:
        _, german = against(client, Planner("p"), teacher=True)
        to_the_computer(german)
        wait_for_turn(german)
        before = good(german.get("/plans"))
        assert before["plans"]
    with start(database) as client:
        german = german.at(client)
        assert german.state()["teacher"]
        assert good(german.get("/plans")) == before
        good(german.post("/takeback", {"to": 0}))
        assert good(german.get("/plans"))["plans"] == []
    with start(database) as client:
        assert good(german.at(client).get("/plans"))["plans"] == []


# Suggestions


def test_a_suggestion_can_be_played_and_asking_changes_nothing(client: Client) -> None:
    german = client.table(seats={"soviet": "random"}).seat("german")
    for _ in range(6):
        before = wait_for_turn(german)
        assert before["suggests"]
        log = german.log()
        found = good(german.post("/suggestion"))
        assert german.state() == before and german.log() == log
        assert found["version"] == before["version"]
        assert found["text"] and found["text"].endswith(".")
        assert found["actions"][0] in offered(before)
        # Asked again, it is the same; in the other language, the same in other words.
        french = good(german.post("/suggestion", lang="fr"))
        assert french["actions"] == found["actions"] and french["text"] != found["text"]
        for words in found["actions"]:
            german.play(*words)


def test_suggestions_are_for_those_who_play_against_no_other_person(client: Client) -> None:
    table = client.table()
    german, soviet = table.seat("german"), table.seat("soviet")
    assert german.state()["suggests"] is soviet.state()["suggests"] is False
    for seat in (german, soviet):
        answer = seat.post("/suggestion")
        assert (answer.status_code, answer.json()["code"]) == (403, "no-suggestions")
        assert "people" in answer.json()["text"]
    assert table.watch.post("/suggestion").status_code == 403
    both = client.table(hotseat=True).seat("german")
    assert both.state()["suggests"]
    assert good(both.post("/suggestion"))["actions"]


def test_a_suggestion_is_for_ones_own_decision(quick_client: Client) -> None:
    table, german = against(quick_client, Planner("slow", pause=3))
    to_the_computer(german)
    answer = german.post("/suggestion")
    assert (answer.status_code, answer.json()["code"]) == (403, "not-your-decision")
    state = good(german.post("/resign"))
    assert state["suggests"] is False
    assert german.post("/suggestion").json()["code"] == "game-over"
    assert table.watch.state()["suggests"] is False


def test_whoever_asks_hears_how_far_the_adviser_has_come(
    quick_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grognard.players.advice.seat", lambda name, seed: Planner(seed, pause=0.6))
    table = quick_client.table(seats={"soviet": "random"})
    german = table.seat("german")
    with german.live() as live, table.watch.live() as bench:
        bench.next()
        found = good(german.post("/suggestion"))
        assert found["plan"].startswith("The goal is ")
        assert live.until(lambda m: m["type"] == "thought")["what"] == "suggestion"
        # Others are not told: that somebody asks for help is his affair.
        version = german.play(*found["actions"][0])["version"]
        bench.until(lambda m: m["type"] == "thought" or m["state"]["version"] == version)
        assert bench.heard[-1]["type"] != "thought"


# The adviser


@pytest.mark.parametrize("id_", ["leningrad", "a_victory_lost"])
def test_advice_is_legal_to_the_end_of_the_game(id_: str) -> None:
    """Somebody who follows advice alone can play on for as long as he likes."""
    game = load_game(id_)
    match = Match(game, next(iter(game.scenarios)), seed="advised")
    suggesters = [Suggester(game, side, "advised") for side in range(2)]
    deadline = time.monotonic() + 20
    while not match.over and time.monotonic() < deadline:
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
    assert game.turn(match.state) > 1


def test_advice_in_a_victory_lost_does_not_know_the_other_sides_chits() -> None:
    """Two positions that look the same to the Axis: the Soviet player has chosen other chits."""
    game = load_game("a_victory_lost")
    axis = game.sides.index("axis")
    match = Match(game, next(iter(game.scenarios)), seed="hidden")
    random = Random(3)
    seen = 0
    while seen < 4 and not match.over:
        side = game.actor(match.state)
        assert side is not None
        if side == axis:
            given = {}
            for guess in range(4):
                other = game.imagine(match.state, axis, Random(guess))
                suggester = Suggester(game, axis, "hidden")
                given[other.fingerprint()] = suggester.suggest(other, match.journal)
            seen += len(given) > 1
            assert all(one == another for one, another in pairwise(given.values())), given
        match.act(side, random.choice(game.options(match.state)))
    assert seen == 4


def test_an_adviser_whose_advice_is_not_taken_thinks_again(leningrad: Game[Any]) -> None:
    match = Match(leningrad, "campaign", seed="stubborn")
    suggester = Suggester(leningrad, 0, "stubborn")
    first = suggester.suggest(match.state, match.journal)
    adviser = suggester._player
    assert suggester.suggest(match.state, match.journal) is first
    for action in first.actions:
        match.act(0, action)
    if leningrad.actor(match.state) == 0:
        suggester.suggest(match.state, match.journal)
        assert suggester._player is adviser

    again = Match(leningrad, "campaign", seed="stubborn")
    other = next(a for a in leningrad.options(again.state) if a[0] == "pick" and a != first.actions[0])
    again.act(0, other)
    suggester.suggest(again.state, again.journal)
    assert suggester._player is not adviser


def test_a_game_without_names_for_its_verbs_can_be_advised_on(quick_client: Client) -> None:
    red = quick_client.table("secrets", seats={"blue": "random"}).seat("red")
    red.play("choose", "371")
    found = good(red.post("/suggestion"))
    assert found["actions"][0][0] in ("choose", "commit")
    play_on([red], Random(1), 1)
