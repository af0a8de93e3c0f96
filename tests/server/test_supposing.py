"""What if: attacks that nobody can make yet, by either side, in any phase; strengths as they count now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.mechanics.supposing import Supposes
from grognard.server import wire
from grognard.server.api import create_app
from grognard.server.settings import ServerSettings
from tests.server.table import Client, Json, Seat, good, lay_wagers

GAMES = ("leningrad", "a_victory_lost", "crossroads")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[Client]:
    games: dict[str, Game[Any]] = {id_: load_game(id_) for id_ in GAMES}
    database = f"sqlite:///{tmp_path_factory.mktemp('supposing') / 'games.sqlite'}"
    with Client(create_app(ServerSettings(database, pictures, draw_ahead=False), games)) as client:
        yield client


@pytest.fixture(scope="module")
def german(client: Client) -> Seat:
    return client.table("leningrad").seat("german")


def what_if(seat: Seat, hex_: str, *units: str, lang: str = "en", **more: Any) -> Json:
    before = seat.state()["version"]
    question = {"ask": "what-if", "hex": hex_, "units": list(units), **more}
    answer: Json = good(seat.post("/ask", question, lang=lang))
    wire.WhatIfAnswer.model_validate(answer)
    assert seat.state()["version"] == before
    return answer


def stacks(seat: Seat) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in seat.state()["view"]["units"]:
        if unit["hex"]:
            found.setdefault(unit["hex"], []).append(unit["id"])
    return found


def test_every_game_with_an_adviser_can_suppose(client: Client) -> None:
    for id_ in GAMES:
        assert isinstance(load_game(id_).adviser, Supposes)
        assert good(client.get(f"/api/games/{id_}/kit"))["supposes"] is True


def test_whoever_could_come_next_to_a_hex_may_be_thought_to_attack_it(german: Seat) -> None:
    """The German first movement: nobody can attack yet. 0312 is held by Soviets."""
    held = stacks(german)
    found = what_if(german, "0312")
    assert found["forecast"] is None
    sides = {unit["id"]: unit["side"] for unit in german.state()["view"]["units"]}
    assert found["from"] and {sides[unit] for unit in found["from"]} == {"german"}
    # Nobody stands among the enemy, and no hex holds more than three.
    places = list(found["from"].values())
    assert not {hex_ for hex_ in places if sides[held.get(hex_, ["1-inf"])[0]] == "soviet"}
    assert max(map(places.count, places)) <= 3
    some = list(found["from"])[:3]
    told = what_if(german, "0312", *some)["forecast"]
    assert abs(sum(chance for _, chance in told["columns"]) - 1) < 1e-9
    assert {unit for share in told["attackers"] for unit in share["units"]} == set(some)
    more = what_if(german, "0312", *list(found["from"])[:6])["forecast"]
    assert more["attack"][0][0] > told["attack"][0][0]
    # Aircraft that are there count.
    assert found["extras"][0]["id"] == "air" and found["extras"][0]["max"] > 0
    with_air = what_if(german, "0312", *some, extras={"air": 1})["forecast"]
    assert len(with_air["shifts"]) == len(told["shifts"]) + 1


def test_the_enemys_attack_on_ones_own_stack(german: Seat) -> None:
    """It is the German turn, and nothing is hidden in Leningrad: the Soviets' chances are told, too."""
    found = what_if(german, "0111")
    sides = {unit["id"]: unit["side"] for unit in german.state()["view"]["units"]}
    assert {sides[unit] for unit in found["from"]} == {"soviet"}
    assert what_if(german, "0111", *list(found["from"])[:2])["forecast"]["results"]


def test_nobody_attacks_an_empty_hex_or_from_too_far(german: Seat) -> None:
    assert what_if(german, "1513")["from"] == {}
    far = next(unit for unit in stacks(german)["0111"] if unit not in what_if(german, "2604")["from"])
    told = what_if(german, "2604", far, lang="fr")
    assert told["forecast"] is None and told["why"]["case"] == "8.1"


def test_where_something_is_hidden_it_is_answered_from_what_one_knows(client: Client) -> None:
    """A Victory Lost: chits are hidden, units are not. Both sides are told the same of either's attack."""
    table = client.table("a_victory_lost")
    axis, soviet = table.seat("axis"), table.seat("soviet")
    sides = {unit["id"]: unit["side"] for unit in axis.state()["view"]["units"]}
    for hex_, units in stacks(axis).items():
        mine = what_if(axis, hex_)
        if not mine["from"]:
            continue
        assert mine == what_if(soviet, hex_)
        assert {sides[unit] for unit in mine["from"]} != {sides[units[0]]}
        attackers = list(mine["from"])
        told = what_if(axis, hex_, *attackers)
        assert (told["forecast"] is None) != (told.get("why") is None)
        if told["forecast"]:
            break
    else:
        raise AssertionError("nobody could attack anybody")
    # A spectator has no side whose knowledge could be answered from.
    assert table.watch.post("/ask", {"ask": "what-if", "hex": hex_}).status_code == 422


def test_malformed_questions_are_refused(german: Seat) -> None:
    for words in (
        {"hex": "9999"},
        {},
        {"hex": "0312", "units": "1-inf"},
        {"hex": "0312", "units": ["nobody"]},
    ):
        answer = german.post("/ask", {"ask": "what-if", **words})
        assert answer.status_code == 422 and answer.json()["code"] == "malformed"


def strengths(seat: Seat, unit: str, lang: str = "en") -> Json:
    answer: Json = good(seat.post("/ask", {"ask": "strengths", "unit": unit}, lang=lang))
    wire.StrengthsAnswer.model_validate(answer)
    return answer


def test_a_units_strengths_as_printed_and_as_they_count(client: Client, german: Seat) -> None:
    whole = strengths(german, "1-pz")
    assert whole["attack"]["printed"] == whole["attack"]["counted"] and not whole["attack"]["reasons"]
    untried = next(u["id"] for u in german.state()["view"]["units"] if u["side"] == "soviet")
    assert strengths(german, untried)["defence"]["counted"] is None
    amber = lay_wagers(client.table("crossroads", hotseat=True)).seat("amber")
    assert strengths(amber, "first-amber")["attack"]["counted"] is not None


@pytest.mark.parametrize("layer", ["can-reach", "can-attack"])
@pytest.mark.parametrize("game", ["leningrad", "a_victory_lost"])
def test_reach_and_threat_of_either_side_are_layers(client: Client, game: str, layer: str) -> None:
    table = client.table(game)
    one, other = (table.seat(side) for side in load_game(game).sides)
    for side in load_game(game).sides:
        question = {"ask": "layer", "layer": layer, "side": side}
        found = good(one.post("/ask", question))["hexes"]
        assert found == good(other.post("/ask", question))["hexes"]
        assert found
        if layer == "can-attack":
            # Only where the other side stands, and each such hex can be thought to be attacked.
            owner = {unit["hex"]: unit["side"] for unit in one.state()["view"]["units"] if unit["hex"]}
            assert {owner[hex_] for hex_ in found} == set(load_game(game).sides) - {side}
            for hex_ in found[:5]:
                assert what_if(one, hex_)["from"]
