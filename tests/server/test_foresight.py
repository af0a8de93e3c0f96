"""Questions about what would come: whether units may go to a hex, what an answer would cost. They change
nothing, and the answer is about what was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grognard.games.listing import game_folder
from grognard.kernel import Game, Match, Refusal
from grognard.kernel.advice import Forecast
from grognard.kernel.registry import load_game
from grognard.players import seat
from grognard.server import wire
from grognard.server.api import create_app
from grognard.server.kit import kit
from grognard.server.pictures import Maps, Pictures
from grognard.server.settings import ServerSettings
from tests.server.table import Client, Json, Seat, good, lay_wagers

GAMES = ("leningrad", "a_victory_lost", "crossroads")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[Client]:
    games: dict[str, Game[Any]] = {id_: load_game(id_) for id_ in GAMES}
    database = f"sqlite:///{tmp_path_factory.mktemp('foresight') / 'games.sqlite'}"
    with Client(create_app(ServerSettings(database, pictures, draw_ahead=False), games)) as client:
        yield client


@pytest.fixture
def german(client: Client) -> Seat:
    return client.table("leningrad", hotseat=True).seat("german")


@pytest.fixture
def amber(client: Client) -> Seat:
    return lay_wagers(client.table("crossroads", hotseat=True)).seat("amber")


def go(seat: Seat, hex_: str, *units: str, lang: str = "en") -> Json:
    before = seat.state()["version"]
    answer: Json = good(seat.post("/ask", {"ask": "go", "units": list(units), "hexes": [hex_]}, lang=lang))
    wire.WhyAnswer.model_validate(answer)
    assert seat.state()["version"] == before
    return answer


def test_a_hex_within_reach(amber: Seat) -> None:
    assert go(amber, "0302", "first-amber") == {"legal": True}


def test_the_reason_is_about_the_hex_asked_for(german: Seat) -> None:
    """Far away the answer names that hex, and what stops the units on the way to it."""
    for lang, words in (("en", "out of reach"), ("fr", "hors de portée")):
        told = go(german, "0410", "1-pz", "6-pz", "8-pz", lang=lang)
        assert not told["legal"]
        assert "0410 (Kelmė)" in told["text"].partition(".")[2].partition(".")[0]
        assert words in told["text"]


def test_a_hex_beside_the_reach_says_why_it_may_not_be_entered(german: Seat) -> None:
    """Three units fill a hex: the next would be the fourth."""
    first, *more = (u["id"] for u in german.state()["view"]["units"] if u["hex"] == "0112")
    for unit in more[:3]:
        good(german.post("/orders", {"order": {"order": "move", "units": [unit], "path": ["0212"]}}))
    told = go(german, "0212", first)
    assert (told["legal"], told["case"]) == (False, "4.6")
    assert "0212" in told["text"]


def test_units_without_any_way_are_told_why(german: Seat) -> None:
    """58 Inf is left with no free hex around it: the answer about its reach carries the reason."""
    state = german.state()
    held = {unit["id"]: unit["hex"] for unit in state["view"]["units"] if unit["side"] == "german"}
    for id_ in held:
        answer = german.post("/ask", {"ask": "reach", "units": [id_]})
        if answer.status_code == 200:
            wire.ReachAnswer.model_validate(answer.json())
            assert bool(answer.json()["hexes"]) != ("why" in answer.json())


def test_what_ending_the_phase_would_destroy(german: Seat) -> None:
    """The set-up leaves more than three units in some hexes: the Soviet player destroys those over the limit
    (4.6). How many is certain, which ones is not."""
    version = german.state()["version"]
    answer = good(german.post("/ask", {"ask": "ahead", "action": ["end"]}))
    wire.AheadAnswer.model_validate(answer)
    assert german.state()["version"] == version
    state = german.state()
    crowd = Counter(
        unit["hex"] for unit in state["view"]["units"] if unit["side"] == "german" and unit["hex"]
    )
    over = {hex_: number - 3 for hex_, number in crowd.items() if number > 3}
    assert over
    assert Counter(hex_ for loss in answer["losses"] for hex_ in loss["hexes"]) == over
    assert all(loss["chosen"] and loss["case"] == "4.6" for loss in answer["losses"])


def test_a_harmless_answer_costs_nothing(amber: Seat) -> None:
    assert good(amber.post("/ask", {"ask": "ahead", "action": ["lift", "first-amber"]})) == {"losses": []}


def test_what_is_written_in_secret_tells_nothing_ahead(client: Client) -> None:
    table = client.table("crossroads", scenario="morning")
    table.seat("cobalt").play("stake", "cobalt-1")
    answer = table.seat("amber").post("/ask", {"ask": "ahead", "action": ["stake", "amber-3"]})
    assert good(answer) == {"losses": []}


def test_nobody_asks_for_the_other_side(client: Client) -> None:
    amber, cobalt = client.crossroads()
    assert cobalt.post("/ask", {"ask": "ahead", "action": ["dusk"]}).status_code == 422
    assert amber.post("/ask", {"ask": "ahead", "action": ["dusk"]}).status_code == 200


# What a kit says


def kit_of(game: str, lang: str) -> dict[str, Any]:
    return kit(load_game(game), game_folder(game), lang, Pictures(Path("unused"), Maps({})))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_elite_units_are_named_by_the_game(game: str, lang: str) -> None:
    """By their ids: names are not the same in two languages."""
    counters = kit_of(game, lang)["counters"]
    elite = {id_ for id_, counter in counters.items() if counter.get("elite")}
    wanted = {"leningrad": "ss-totenkopf", "a_victory_lost": "su-35g", "crossroads": "first-amber"}[game]
    assert wanted in elite
    listed = game_folder(game).text("livery.toml").partition("elite = [")[2].partition("]")[0]
    assert elite == {word.strip(' "\n') for word in listed.split(",")} - {""}


def test_played_pieces_are_told_apart() -> None:
    found = kit_of("a_victory_lost", "en")
    assert found["parts"]["chits/played"]["tone"] == "spent"
    assert found["parts"]["chits/cup"]["tone"] == "info"


@pytest.mark.parametrize(
    ("game", "scenario"), [("leningrad", "to_the_dvina"), ("a_victory_lost", "little_saturn")]
)
def test_a_scenario_brings_its_own_table_of_victory(game: str, scenario: str) -> None:
    tables = kit_of(game, "en")["tables"]
    victory = {table["scenario"]: table for table in tables if table["id"] == "victory"}
    assert set(victory) == {"", scenario}
    assert victory[scenario]["title"] == victory[""]["title"]
    assert victory[scenario]["rows"] != victory[""]["rows"]


def test_a_guest_has_its_title_in_the_language_of_the_reader(client: Client) -> None:
    for lang, title in (("en", "Crossroads"), ("fr", "Le Carrefour")):
        lines = good(client.get("/api/games", params={"lang": lang}))
        assert next(line["title"] for line in lines if line["id"] == "crossroads") == title


# How a strength comes about


def test_every_number_of_an_attack_adds_up(client: Client) -> None:
    """9.3.1, 1.3 What is printed, what is counted and why: the shares are the strengths of the forecast."""
    game: Any = load_game("a_victory_lost")
    state = game.start("campaign", {}, None)
    found = halved = 0
    for target in game.board.cells:
        for side in (0, 1):
            if not state.fighters[1 - side] >> target & 1:
                continue
            near = [u for u in range(len(game.units)) if state.where[u] in game.board.adjacent[target]]
            mine = [u for u in near if game.side(u) == side and not game.units[u].hq]
            told = game.adviser.forecast(state, (target,), mine, {}) if mine else None
            if not isinstance(told, Forecast):
                continue
            found += 1
            assert sum(share.counted or 0 for share in told.attackers) == told.attack[0][0]
            assert sum(share.counted or 0 for share in told.defenders) == told.defence[0][0]
            for share in told.attackers:
                cases = {case for _, case in share.reasons}
                assert ("9.3.1" in cases) == (share.printed != share.counted)
                halved += share.printed != share.counted
    assert found
    assert halved


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_odds_name_what_halves_a_stack(client: Client, lang: str) -> None:
    soviet = client.table("a_victory_lost", hotseat=True).seat("soviet")
    game: Any = load_game("a_victory_lost")
    state = game.start("campaign", {}, None)
    target, unit = next(
        (target, unit)
        for unit in range(len(game.units))
        for target in (game.board.adjacent[state.where[unit]] if state.where[unit] >= 0 else ())
        if game.side(unit) == 1
        and not game.units[unit].hq
        and state.fighters[0] >> target & 1
        and (state.where[unit], target) in game.data.rivers
        and isinstance(game.adviser.forecast(state, (target,), (unit,), {}), Forecast)
    )
    question = {"ask": "forecast", "targets": [game.board.number(target)], "units": [game.unit_id(unit)]}
    answer = good(soviet.post("/ask", question, lang=lang))
    wire.ForecastAnswer.model_validate(answer)
    (share,) = answer["attackers"]
    assert share["counted"] == share["printed"] // 2
    words = {"en": "across a river", "fr": "à travers un cours d’eau"}[lang]
    assert words in share["reasons"][0]["text"]


def test_a_stack_is_offered_only_where_all_of_it_may_stay() -> None:
    """5.0.1 Two units, and a hex that holds one already: not within their reach."""
    game: Any = load_game("a_victory_lost")
    adviser = game.adviser
    player = seat("greedy", "1")
    match: Match[Any] = Match(game, "campaign", {}, "1")
    tried = 0
    for _ in range(400):
        actor = game.actor(match.state)
        assert actor is not None
        state = match.state
        picks = [a[1] for a in game.options(state, actor) if a[0] == "pick"]
        for cell in {state.where[u] for u in picks}:
            pair = [u for u in picks if state.where[u] == cell and not game.units[u].hq]
            ways = adviser.reach(state.clone(), pair) if len(pair) == 2 else {}
            assert not isinstance(ways, Refusal)
            for goal in ways:
                tried += 1
                others = state.at.get(goal, 0) & ~state.hqs
                assert not others, "there would be more than two"
        if tried > 50:
            return
        match.act(actor, player.choose(game, state, actor))
    raise AssertionError("no pair was ever asked about")
