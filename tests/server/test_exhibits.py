"""Games to look at: what their folders declare is answered in both languages, and in words of both."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from grognard.board import load_board
from grognard.files.schema import read_tables
from grognard.games.listing import game_folder
from grognard.kernel.text import LANGUAGES
from grognard.server import wire
from grognard.server.exhibits import Exhibit
from tests.server.table import Client

LOOKED_AT = ["second_front", "stalingrad_roads", "typhoon"]
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
    assert bool(found["layers"]) == (game != "stalingrad_roads")
    ground = quick_client.get(f"/api/games/{game}/exhibit/ground?lang={language}").json()
    wire.ExhibitGround.model_validate(ground)
    count = len(ground["hexes"])
    assert {len(ground[name]) for name in ("x", "y", "terrain", "feature")} == {count}
    assert all(k < count for pairs in ground["lines"].values() for k in pairs)


def test_a_game_that_can_be_played_can_be_looked_at_too(quick_client: Client) -> None:
    found = quick_client.get("/api/games/crossroads/exhibit").json()
    assert found["playable"] and found["notice"] is None and found["setups"] == []


def test_the_first_answers_are_small(quick_client: Client) -> None:
    """With the coarsest picture of the map they are what a page waits for."""
    for path, limit in (("", 18_000), ("/ground", 320_000), ("/setups/apr44", 280_000)):
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
    ways = ("in", "out", "change", "move", "production", "rule", "history")
    assert {event["way"] for event in events} == set(ways)
    assert [event["turn"] for event in events] == sorted(event["turn"] for event in events)
    assert {event["side"] for event in events} == {"Axis", "Allied", ""}
    # No counter is called by its code.
    assert not [event for event in events if re.search(r"\b(SF|US|GB)-", event["name"] + event["place"])]


PRODUCED = {
    "en": ("Germany", "32 infantry RP, 21.5 armour RP, 14 resource points, 3 naval repair points"),
    "fr": (
        "Allemagne",
        "32 PR d’infanterie, 21,5 PR blindés, 14 points de ressources, 3 points de réparation navale",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_production_is_summed_from_the_charts_on_every_turn_that_has_one(language: str) -> None:
    shown = exhibit("second_front", language)
    produced = [event for event in shown.events() if event["way"] == "production"]
    name, points = PRODUCED[language]
    first = [event for event in produced if event["turn"] == 0 and event["name"] == name]
    assert first[0]["place"] == points
    # Production falls on the first turn of a month (40), air points on the first turn of a cycle (25).
    names = shown.summary()["turns"]
    months = {names[event["turn"]] for event in produced}
    assert len(months) == 23 and all(" I " in month for month in months)
    assert (
        len(
            {
                e["turn"]
                for e in produced
                if e["name"] == "Luftwaffe, " + ("South" if language == "en" else "Sud")
            }
        )
        == 12
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_that_begin_and_the_soviet_advance_stand_in_the_calendar(language: str) -> None:
    shown = exhibit("second_front", language)
    rules = [event for event in shown.events() if event["way"] == "rule"]
    told = {shown.summary()["turns"][event["turn"]]: "" for event in rules}
    for event in rules:
        told[shown.summary()["turns"][event["turn"]]] += event["name"] + "\n"
    assert "26C2d" in told["Mar I 44"] and "10I" in told["Sep I 44"] and "37E1" in told["Oct I 44"]
    assert ("Berlin" in told["Apr II 45"]) and ("Soviet" not in told["Apr II 45"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chart_can_be_read(language: str) -> None:
    shown = exhibit("second_front", language)
    charts = shown.summary()["charts"]
    assert len(charts) == len({chart["id"] for chart in charts}) == 96
    assert all(chart["group"] for chart in charts)
    for chart in charts:
        found = shown.chart(chart["id"])
        assert found is not None and found["rows"], chart
        wire.ExhibitChart.model_validate(found)
        assert {len(row) for row in found["rows"]} == {len(found["columns"])}
        assert not [cell for cell in found["columns"] if "_" in cell], chart["id"]
        if chart["id"] != "sources":  # addresses
            assert not [cell for row in found["rows"] for cell in row if "_" in cell], chart["id"]
        # Every row says where it comes from, or every cell of a grid.
        assert len(found["origins"]) == len(found["rows"])
        for row, origins in zip(found["rows"], found["origins"], strict=True):
            assert len(origins) in (1, len(row) - 1)
            assert {origin["kind"] for origin in origins} <= {*found["sources"], ""}


def test_every_table_of_the_pack_is_shown_but_those_about_the_tables() -> None:
    """Known cells, what the books call the types of the identification chart, and which counters of the books
    stand for the parts of which."""
    shown = exhibit("second_front", "en")
    tables = {chart["table"].removeprefix("tables/") for chart in shown.about["charts"]}
    stored = {path.stem for path in (game_folder("second_front").base / "tables").glob("*.csv")}
    assert stored - tables == {"book_types", "given", "brigades", "breakdown_sets"}
    # Movement and land weather have a chart for each weather and each zone.
    assert {
        c["where"]["weather"] for c in shown.about["charts"] if c["table"] == "tables/terrain_movement"
    } == {
        str(record["weather"])
        for record in read_tables(game_folder("second_front").sub("tables"))["terrain_movement"].records
    }


def test_a_given_cell_of_a_grid_is_told_from_one_of_ours() -> None:
    ground = exhibit("second_front", "en").chart("ground")
    assert ground is not None
    column, row = ground["columns"].index("7:1"), [line[0] for line in ground["rows"]].index("5")
    assert ground["origins"][row][column - 1] == {"kind": "found", "cited": "F8"}
    assert {origin["kind"] for line in ground["origins"] for origin in line} >= {
        "found",
        "rulebook",
        "reconstructed",
    }


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
    places = {name for info in english.board.info.values() for name in info.names.values()}
    ports = {row[0] for id_ in ("all-ports", "offmap-ports") for row in (english.chart(id_) or {})["rows"]}
    addresses = {text for text in same if re.match(r"[a-z.-]+\.(?:org|com|html)/", text)}
    wehrkreise = {text for text in same if re.fullmatch(r"Wehrkreis [IVX]+", text)}
    assert same - places - ports - addresses - wehrkreise <= {
        "type", "standard", "cadre", "brigade", "district", "production", "terrain", "fortification",
        "normal", "fort", "note", "attrition", "contact", "partisans", "combat", "commando", "construction",
        "police", "port", "rail", "raids", "surprise", "code", "transport", "interception", "mission",
        "wings", "wing", "mine", "points", "test", "zone", "force", "1 point", "province", "composition",
        "conditions", "districts", "activation", "Bocage", "Canal", "Fortifications", "Ports", "Mines",
        "Construction", "Districts", "Sturmpanzer", "France", "Paris", "Gibraltar", "Balkans", "Luxembourg",
        "Wehrkreis", "Luxembourg (Wk XII)", "Alsace-Lorraine (Wk V, XII)", "construction (44C2)",
        "cadre 2-3-6", "Lancaster 40*", "code Z", "code L", "code M, missiles", "type D", "transport (RE)",
        "Adour", "Charente", "Gironde", "Gironde, Garonne", "Seine", "Walcheren", "Weser",
    }, same  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulings_are_shown(quick_client: Client, language: str) -> None:
    found = quick_client.get(f"{BASE}/rulings?lang={language}").json()
    assert len(found) == 39 == quick_client.get(f"{BASE}?lang={language}").json()["rulings"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_table_of_counters_makes_books_for_both_sides(language: str) -> None:
    found = exhibit("typhoon", language)
    shown = found.setup("campaign")
    assert shown is not None
    sides = Counter(counter["side"] for counter in shown["counters"])
    assert sides == {"axis": 197, "soviet": 205}
    assert len(shown["units"]) == 352 and {box["side"] for box in shown["boxes"]} == {"axis", "soviet"}
    assert len({counter["id"] for counter in shown["counters"]}) == len(shown["counters"])
    events = found.events()
    assert {event["side"] for event in events} == {"axis", "soviet"}
    assert len([event for event in events if event["way"] == "in"]) == 203


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_typhoon_s_charts_is_said(language: str) -> None:
    found = exhibit("typhoon", language)
    for listed in found.summary()["charts"]:
        chart = found.chart(listed["id"])
        assert chart is not None and chart["rows"]
        said = [cell for row in chart["rows"] for cell in row]
        assert [cell for cell in said if re.search(r"[a-z]_[a-z]", cell)] == [], listed["id"]
