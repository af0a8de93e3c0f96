"""Games to look at: what their folders declare is answered in both languages, and in words of both."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from grognard.board import load_board
from grognard.games.listing import game_folder
from grognard.kernel.text import LANGUAGES
from grognard.server import wire
from grognard.server.exhibits import Exhibit
from tests.server.table import Client

LOOKED_AT = ["second_front", "stalingrad_roads"]
BASE = "/api/games/second_front/exhibit"


@cache
def exhibit(game: str, language: str) -> Exhibit:
    folder = game_folder(game)
    return Exhibit(game, folder, load_board(folder.sub("map")), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", LOOKED_AT)
def test_every_map_can_be_looked_at(quick_client: Client, game: str, language: str) -> None:
    found = quick_client.get(f"/api/games/{game}/exhibit?lang={language}").json()
    wire.Exhibit.model_validate(found)
    assert found["map"]["tiles"] and not found["playable"]
    assert bool(found["layers"]) == (game == "second_front")
    ground = quick_client.get(f"/api/games/{game}/exhibit/ground?lang={language}").json()
    wire.ExhibitGround.model_validate(ground)
    count = len(ground["hexes"])
    assert {len(ground[name]) for name in ("x", "y", "terrain", "feature")} == {count}
    assert all(k < count for pairs in ground["lines"].values() for k in pairs)


def test_a_game_that_can_be_played_can_be_looked_at_too(quick_client: Client) -> None:
    found = quick_client.get("/api/games/leningrad/exhibit").json()
    assert found["playable"] and found["notice"] is None and found["setups"] == []


def test_the_first_answers_are_small(quick_client: Client) -> None:
    """With the coarsest picture of the map they are what a page waits for."""
    for path, limit in (("", 12_000), ("/ground", 300_000), ("/setups/apr44", 260_000)):
        assert len(quick_client.get(f"{BASE}{path}").content) < limit


@pytest.mark.parametrize("path", ["/setups/nobody", "/charts/nobody", "/setups/..%2f..", "/charts/"])
def test_what_there_is_not_is_not_found(quick_client: Client, path: str) -> None:
    assert quick_client.get(f"{BASE}{path}").status_code == 404
    assert quick_client.get("/api/games/typhoon_of_1900/exhibit").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("setup", ["jul43", "apr44"])
def test_a_set_up_stands_on_the_map_or_in_boxes(setup: str, language: str) -> None:
    shown = exhibit("second_front", language)
    found = shown.setup(setup)
    assert found is not None
    wire.ExhibitSetup.model_validate(found)
    counters = {counter["id"] for counter in found["counters"]}
    numbers = {shown.board.number(cell) for cell in shown.board.cells}
    placed = Counter(unit["id"] for unit in found["units"])
    boxed = Counter(id_ for box in found["boxes"] for id_ in box["units"])
    assert max(placed.values()) == max(boxed.values()) == 1 and not placed.keys() & boxed.keys()
    assert placed.keys() | boxed.keys() == counters
    assert {unit["hex"] for unit in found["units"]} <= numbers
    lehr = [counter for counter in found["counters"] if counter["id"] == "SF-G-INF-044"]
    assert lehr[0]["face"] == "8-6" and lehr[0]["size"] == "XX" and lehr[0]["cadre"] == "3-6"
    assert lehr[0]["symbol"] == "infantry" and lehr[0]["short"] == "44"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_calendar_tells_what_comes_goes_and_changes(language: str) -> None:
    shown = exhibit("second_front", language)
    events = shown.events()
    for event in events:
        wire.ExhibitEvent.model_validate(event)
    assert {event["way"] for event in events} == {"in", "out", "change", "move"}
    assert [event["turn"] for event in events] == sorted(event["turn"] for event in events)
    assert {event["side"] for event in events} == {"Axis", "Allied"}
    # No counter is called by its code.
    assert not [event for event in events if re.search(r"\b(SF|US|GB)-", event["name"] + event["place"])]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chart_can_be_read(language: str) -> None:
    shown = exhibit("second_front", language)
    charts = shown.summary()["charts"]
    assert len(charts) == len({chart["id"] for chart in charts}) == 36
    for chart in charts:
        found = shown.chart(chart["id"])
        assert found is not None and found["rows"], chart
        wire.ExhibitChart.model_validate(found)
        assert {len(row) for row in found["rows"]} == {len(found["columns"])}
        assert not [cell for cell in found["columns"] if "_" in cell], chart["id"]
        assert not [cell for row in found["rows"] for cell in row if "_" in cell], chart["id"]


def words(value: Any) -> set[str]:
    texts = re.findall(r'"((?:[^"\\]|\\.)*)"', json.dumps(value, ensure_ascii=False))
    return {text for text in texts if re.search("[a-z]{4}", text)}


def test_charts_are_in_the_language_of_the_reader() -> None:
    """What reads the same in both languages is a name, a turn or a word that both have."""
    english, french = (exhibit("second_front", language) for language in ("en", "fr"))
    same = set[str]()
    for chart in english.summary()["charts"]:
        one, other = english.chart(chart["id"]), french.chart(chart["id"])
        assert one is not None and other is not None
        same |= words([one["columns"], one["rows"], one["name"]]) & words(
            [other["columns"], other["rows"], other["name"]]
        )
    assert same <= {
        "Bombing", "Fortifications", "Ports", "type", "standard", "cadre", "brigade", "district",
        "production",
        "terrain", "fortification", "normal", "Corsica", "Abruzzi", "Gibraltar", "France", "Paris", "Bocage",
        "Canal", "fort",
    }, same  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulings_are_shown(quick_client: Client, language: str) -> None:
    found = quick_client.get(f"{BASE}/rulings?lang={language}").json()
    assert len(found) == 26 == quick_client.get(f"{BASE}?lang={language}").json()["rulings"]
