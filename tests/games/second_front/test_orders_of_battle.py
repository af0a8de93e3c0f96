"""Second Front: the orders of battle. Counters, dates, conversions and places agree with each other."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import pytest

from grognard.files import Folder, ProvenanceKind
from grognard.files.schema import Record, Value, check_tables
from grognard.games.second_front.books import GAME, STARTS, board, books, on_map, owners, stacks, turns
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.units import Piece, units
from tests.rules import rule

SIDES = ("Axis", "Allied")
LAND = ("axis_land", "allied_land")
BOOKS = (*LAND, "axis_air", "allied_air", "axis_naval", "allied_naval")
APRIL_1944 = 19


def counters() -> list[Record]:
    return [record for name in LAND for record in books()[name].records]


def integer(value: Value) -> int:
    assert isinstance(value, int)
    return value


def test_every_row_says_where_it_comes_from() -> None:
    kinds = Counter(record.provenance.kind for table in books().values() for record in table.records)
    assert kinds == {
        ProvenanceKind.RULEBOOK: 316,
        ProvenanceKind.FOUND: 176,
        ProvenanceKind.RECONSTRUCTED: 3463,
    }


def test_no_identifier_stands_for_two_things() -> None:
    ids = Counter(
        record["id"] for table in books().values() if "id" in table.columns for record in table.records
    )
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


@pytest.mark.parametrize("start", STARTS)
def test_nobody_begins_on_ground_of_the_other_side(start: str) -> None:
    owner = owners(start)
    strangers = [
        (unit["id"], hex_) for side in SIDES for hex_, unit in on_map(start, side) if owner[hex_] != side
    ]
    assert strangers == []


@pytest.mark.parametrize("start", STARTS)
def test_no_garrison_waits_for_ground_that_is_lost(start: str) -> None:
    owner, columns = owners(start), STARTS[start]
    for unit in books()["axis_land"].records:
        if unit[f"{columns}_status"] in ("garrison", "forming"):
            assert owner[str(unit[f"{columns}_hex"])] == "Axis", unit["id"]


def may_stack(terrain: str, records: Iterable[Record]) -> bool:
    return fits(terrain, [Piece(units()[str(record["id"])]) for record in records])


@rule("second_front", "8A1", "8A2")
@pytest.mark.parametrize("start", STARTS)
def test_every_stack_is_legal(start: str) -> None:
    ground = board()
    overfull = [
        (hex_, side, len(units))
        for hex_, sides in stacks(start).items()
        for side, units in sides.items()
        if not may_stack(ground.info[ground.cell(hex_)].terrain, units)
    ]
    assert overfull == []


def front(start: str, side: str, other: str) -> set[int]:
    """The cells of a side that touch ground of the other, over land."""
    ground = board()
    owner = {ground.cell(number): whose for number, whose in owners(start).items()}
    return {
        cell
        for cell, whose in owner.items()
        if whose == side
        for there in ground.adjacent[cell]
        if owner.get(there) == other and not ground.side_has(cell, there, "sea")
    }


def pieces(cells: set[int]) -> list[set[int]]:
    """A set of cells in its connected parts."""
    left, found = set(cells), []
    while left:
        piece = {left.pop()}
        while more := {there for cell in piece for there in board().adjacent[cell]} & left:
            piece |= more
            left -= more
        found.append(piece)
    return sorted(found, key=len)


def test_the_books_agree_on_the_front_of_april_1944() -> None:
    """A beachhead at Anzio and a line from sea to sea; a side stands in or beside every hex of its line."""
    ground = board()
    beachhead, line = pieces(front("Apr I 44", "Allied", "Axis"))
    assert {ground.number(cell) for cell in beachhead} == {"26:1825", "26:1925"}
    coasts = {"adriatic" in ground.info[c].features for c in line if "coastal" in ground.info[c].features}
    assert coasts == {True, False}, "the line reaches both seas"
    for side, other in (("Allied", "Axis"), ("Axis", "Allied")):
        manned = {ground.cell(hex_) for hex_, sides in stacks("Apr I 44").items() if side in sides}
        gaps = [
            ground.number(cell)
            for cell in front("Apr I 44", side, other)
            if not manned & {cell, *ground.adjacent[cell]}
        ]
        assert gaps == [], side


def test_no_front_runs_over_land_in_july_1943() -> None:
    assert front("Jul I 43", "Allied", "Axis") == set()


def named(*ids: str) -> list[Record]:
    by_id = {unit["id"]: unit for unit in counters()}
    return [by_id[id_] for id_ in ids]


@rule("second_front", "8A1", "8A2")
def test_stacking_limits() -> None:
    divisions = named("US-inf-XX-1", "US-inf-XX-3", "US-inf-XX-9")
    brigades = named("GB-inf-X-18", "GB-inf-X-24_Gds", "GB-inf-X-42")
    regiments = named("US-art-III-17", "US-art-III-18")
    # the examples of the rule: three divisions, three brigades, two artillery regiments; a third regiment is
    # one of the three units of any kind
    assert may_stack("clear", [*divisions, *brigades, *regiments])
    assert may_stack("clear", [*divisions[:2], *brigades, *regiments, *named("US-art-III-35")])
    assert not may_stack("clear", [*divisions, *brigades, *regiments, *named("US-art-III-35")])
    assert not may_stack("clear", [*divisions, *named("US-inf-XX-34")])
    # a division of artillery takes the place of the two regiments
    assert may_stack("clear", [*divisions, *brigades, *named("GB-agra-XX-1")])
    assert not may_stack("clear", [*divisions, *brigades, *named("GB-agra-XX-1", "US-art-III-17")])
    # mountain
    assert may_stack("mountain", [*divisions[:2], *brigades[:2], regiments[0]])
    assert not may_stack("mountain", [*divisions[:2], *brigades[:2], *regiments])
    assert not may_stack("mountain", divisions)
    # what does not count
    assert may_stack("clear", [*divisions, *brigades, *regiments, *named("US-trk-cap3-QM-1", "SF-G-PA-60")])


def test_ships_mines_and_batteries_are_at_ports_of_the_map() -> None:
    ground = board()
    for unit in books()["axis_naval"].records:
        for columns in STARTS.values():
            if hex_ := unit[f"{columns}_hex"]:
                features = ground.info[ground.cell(str(hex_))].features
                assert any(name.startswith("port_") for name in features), unit["id"]


def test_port_fortifications_guard_ports() -> None:
    ground = board()
    without = []
    for unit in books()["axis_land"].records:
        if unit["class"] == "port fortification":
            features = ground.info[ground.cell(str(unit["apr44_hex"] or unit["jul43_hex"]))].features
            if not any(name.startswith("port_") for name in features):
                without.append(unit["id"])
    assert without == ["SF-G-PF-SOULACSU"]  # the southern fortress of the Gironde, opposite the port of Royan


def test_allied_events_are_about_units_of_the_books() -> None:
    known = {record["id"] for name in BOOKS for record in books()[name].records}
    about = 0
    for event in books()["allied_events"].records:
        if event["subject"] is not None:
            about += 1
            assert set(str(event["subject"]).split()) <= known, event["id"]
    assert about == 319


def test_an_axis_unit_is_in_one_place_at_a_time() -> None:
    """Follows every unit through its events: it comes when it is away, and leaves when it is there."""
    away, forming, here = "away", "forming", "here"
    comes = {"reinforce", "arrive", "add to garrison", "replace (free)"}
    state = {
        unit["id"]: {"forming": forming, "counter pool": away, None: away}.get(
            str(unit["jul43_status"]) if unit["jul43_status"] else None, here
        )
        for unit in books()["axis_land"].records
    }
    order = [e for e in books()["axis_events"].records if e["unit_id"] in state]
    for event in sorted(order, key=lambda event: (integer(event["turn_no"]), event["verb"] != "withdraw")):
        unit, verb = event["unit_id"], event["verb"]
        if "do not execute" in str(event["binding"]):
            state[unit] = here
        elif verb == "form":
            assert state[unit] == away, event["id"]
            state[unit] = forming
        elif verb == "complete":
            assert state[unit] in (forming, away), event["id"]
            state[unit] = here
        elif verb in comes:
            assert verb == "replace (free)" or state[unit] == away, event["id"]
            state[unit] = here
        elif verb in ("transfer", "release from garrison"):
            assert state[unit] in (here, forming), event["id"]
            if event["to"] in ("East", "North", "South-East"):
                state[unit] = away
        elif verb in ("withdraw", "convert"):
            assert state[unit] in (here, forming), event["id"]
            state[unit] = away
        else:
            raise AssertionError(f"{event['id']}: {verb}")


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
