"""Second Front: the orders of battle. Counters, dates, conversions and places agree with each other."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import grognard.games.second_front as second_front
from grognard.files import Folder, ProvenanceKind
from grognard.files.schema import Record, Table, Value, check_tables, read_tables

GAME = Path(second_front.__file__).parent
LAND = ("axis_land", "allied_land")
BOOKS = (*LAND, "axis_air", "allied_air", "axis_naval", "allied_naval")
APRIL_1944 = 19


@cache
def books() -> dict[str, Table]:
    return read_tables(Folder(GAME / "oob"))


@cache
def turns() -> dict[Value, int]:
    calendar = read_tables(Folder(GAME / "tables"))["calendar"].records
    return {turn["name"]: number for number, turn in enumerate(calendar, 1)}


def counters() -> list[Record]:
    return [record for name in LAND for record in books()[name].records]


def integer(value: Value) -> int:
    assert isinstance(value, int)
    return value


def test_every_row_says_where_it_comes_from() -> None:
    kinds = Counter(record.provenance.kind for table in books().values() for record in table.records)
    assert kinds == {
        ProvenanceKind.RULEBOOK: 287,
        ProvenanceKind.FOUND: 172,
        ProvenanceKind.RECONSTRUCTED: 3474,
    }


def test_no_identifier_stands_for_two_things() -> None:
    ids = Counter(record["id"] for table in books().values() for record in table.records)
    assert [id_ for id_, times in ids.items() if times > 1] == []
    assert (len(books()["axis_land"].records), len(books()["allied_land"].records)) == (1214, 1035)


def test_cadres_are_weaker_than_full_sides() -> None:
    for unit in counters():
        assert unit["steps"] == (2 if unit["cadre_rating"] else 1), unit["id"]
        if unit["cadre_rating"]:
            assert integer(unit["cadre_attack"]) < integer(unit["attack"]), unit["id"]
            assert integer(unit["cadre_defence"]) < integer(unit["defence"]), unit["id"]


@pytest.mark.parametrize("side", ["", "cadre_"])
def test_the_printed_rating_is_the_strength_of_the_counter(side: str) -> None:
    for unit in counters():
        printed = str(unit[f"{side}rating"] or "").replace("*", "").split("-")
        if len(printed) < 2 or unit["class"] not in ("non-motorised", "c/m", "artillery"):
            continue  # headquarters, movement counters and positional flak print one number
        strengths = [str(unit[f"{side}{column}"]) for column in ("attack", "defence", "movement")]
        assert (printed if len(printed) == 3 else [printed[0], *printed]) == strengths, unit["id"]


def test_dates_follow_each_other() -> None:
    for unit in counters():
        arrives, leaves, converts = (
            turns()[unit[column]] if unit[column] else None
            for column in ("arrive_turn", "withdraw_turn", "convert_turn")
        )
        if arrives:
            assert leaves is None or arrives <= leaves, unit["id"]
            assert converts is None or arrives <= converts, unit["id"]
        assert (unit["convert_to"] is None) == (unit["convert_turn"] is None), unit["id"]


def test_who_stands_on_the_map_in_april_1944_was_there_or_has_come() -> None:
    for unit in books()["axis_land"].records:
        if unit["apr44_status"] in ("active", "cadre", "garrison") and not unit["jul43_theatre"]:
            assert turns()[unit["arrive_turn"]] < APRIL_1944, unit["id"]
    for unit in books()["allied_land"].records:
        if unit["apr44_theatre"] and not unit["jul43_theatre"] and not unit["arrive_condition"]:
            assert turns()[unit["arrive_turn"]] < APRIL_1944, unit["id"]


def test_conversions_lead_to_counters_that_are_due() -> None:
    by_id = {unit["id"]: unit for unit in counters()}
    found = 0
    for unit in counters():
        if unit["convert_to"]:
            found += 1
            new = by_id[unit["convert_to"]]
            forming = new.values.get("arrive_verb") == "complete"
            if new["arrive_turn"] and not forming:
                assert turns()[new["arrive_turn"]] <= turns()[unit["convert_turn"]], unit["id"]
    assert found == 72


def test_events_name_turns_of_the_calendar_and_units_of_the_books() -> None:
    known = {record["id"] for name in BOOKS for record in books()[name].records}
    for name in ("axis_events", "allied_events"):
        for event in books()[name].records:
            assert turns()[event["turn"]] == event["turn_no"], event["id"]
    named = {event["unit_id"] for event in books()["axis_events"].records} - {None}
    assert named <= known


def test_set_up_places_are_land_of_the_map() -> None:
    with (GAME / "map" / "hexes.csv").open(encoding="utf-8", newline="") as file:
        terrain = {row["hex"]: row["terrain"] for row in csv.DictReader(file)}
    placed = 0
    for unit in [*counters(), *books()["axis_naval"].records]:
        for column in ("jul43_hex", "apr44_hex"):
            if unit[column]:
                placed += 1
                assert terrain[str(unit[column])] not in ("sea", "lake", "prohibited"), unit["id"]
    assert placed > 1000


def test_garrison_of_belgium_has_13_re_in_july_1943() -> None:
    total = Fraction(0)
    for unit in books()["axis_land"].records:
        if unit["garrison"] == "Belgium" and unit["jul43_status"] == "garrison":
            assert isinstance(unit["re"], int | Fraction)
            total += unit["re"]
    assert total == 13


@pytest.mark.parametrize(
    ("book", "column", "value", "reason"),
    [
        ("axis_land", "convert_to", "SF-G-NOBODY", "is not in axis_land.id"),
        ("axis_land", "arrive_turn", "May II 45", "should look like"),
        ("allied_land", "jul43_hex", "28:3806", "should look like"),
        ("allied_land", "attack", "99", "between"),
        ("axis_land", "provenance", "X", "should be one of"),
        ("allied_naval", "id", "", "should look like"),
    ],
)
def test_a_broken_cell_is_noticed(tmp_path: Path, book: str, column: str, value: str, reason: str) -> None:
    folder = tmp_path / "oob"
    shutil.copytree(GAME / "oob", folder)
    path = folder / f"{book}.csv"
    lines = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    lines[5][lines[0].index(column)] = value
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(lines)
    problems = check_tables(Folder(folder))
    assert [(p.file, p.line) for p in problems] == [(f"oob/{book}.csv", 6)]
    assert reason in problems[0].reason
