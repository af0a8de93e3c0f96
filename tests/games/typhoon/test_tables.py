"""Typhoon!: counters and charts. Declared rules hold, given cells are intact, a broken cell is noticed."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from pathlib import Path

import pytest

from grognard.files import DataError, Folder, ProvenanceKind
from grognard.files.schema import check_tables
from grognard.games.typhoon import data
from tests.rules import rule

TABLES = data.FOLDER / "tables"


def test_every_row_says_where_it_comes_from() -> None:
    records = [record for table in data.charts().values() for record in table.records]
    kinds = Counter(record.provenance.kind for record in records)
    assert all(record.provenance.source for record in records)
    assert kinds[ProvenanceKind.RULEBOOK] > 150 and kinds[ProvenanceKind.FOUND] > 40


@rule("typhoon", "2.0")
def test_there_are_as_many_counters_as_in_the_box() -> None:
    charts = data.charts()
    # Two decoys of each side are air units here and markers in the box.
    decoys = [r for r in charts["air_units"].records if r["kind"] == "decoy"]
    markers = sum(int(str(r["count"])) for r in charts["markers"].records)
    assert len(decoys) == 4
    assert len(data.units()) + len(charts["air_units"].records) - len(decoys) + markers == 1080


@rule("typhoon", "8.5.2")
@pytest.mark.parametrize(
    ("defence", "second_side", "steps"),
    [(8, True, 4), (12, True, 4), (7, True, 3), (5, True, 3), (4, True, 2), (2, False, 1)],
)
def test_steps_follow_from_the_printed_defence(defence: int, second_side: bool, steps: int) -> None:
    assert data.steps_of(defence, second_side) == steps


@rule("typhoon", "8.5.2")
def test_every_counter_has_the_steps_of_its_defence() -> None:
    for unit in data.units().values():
        if unit.kind not in data.NO_STEPS:
            assert unit.steps == data.steps_of(unit.defence, unit.reduced_defence > 0), unit.id


def test_artillery_has_support_and_others_attack() -> None:
    """2.4: the force of support is artillery's."""
    for unit in data.units().values():
        assert (unit.support > 0) == (unit.kind == "artillery"), unit.id
        assert (unit.range > 0) == (unit.kind == "artillery"), unit.id
        assert (unit.command > 0) == (unit.kind == "hq"), unit.id


def test_a_panzer_division_is_a_regiment_of_tanks_two_of_infantry_and_a_reconnaissance_battalion() -> None:
    """9.2.3"""
    parts: dict[str, Counter[str]] = {}
    for unit in data.units().values():
        if " Pz:" in unit.names["en"]:
            parts.setdefault(unit.names["en"].split(":")[0], Counter())[unit.kind] += 1
    assert len(parts) == 14
    assert all(found == {"armour": 1, "motorised": 2, "recon": 1} for found in parts.values())


def test_the_calendar_has_43_turns_of_two_days() -> None:
    turns = data.charts()["turns"].records
    assert [t["turn"] for t in turns] == list(range(1, 44))
    assert turns[0]["first_day"] == "1941-09-30" and turns[-1]["last_day"] == "1941-12-24"
    climates = Counter(str(t["climate"]) for t in turns)
    assert climates == {"dry": 5, "rain": 13, "frost": 13, "snow": 11, "arctic": 1}


DEFENDER = ["-", "1", "R", "1R", "2R", "3R", "4R", "e"]
"""What a defender may suffer, from the mildest: to go costs more than a step of strength."""


def defender_loss(result: str) -> int:
    return DEFENDER.index(result.split("/")[1])


def test_the_combat_table_never_gets_better_for_the_weaker_side() -> None:
    """Along the odds and down the die, the defender loses no fewer steps."""
    table = data.charts()["crt"]
    odds = [name for name in table.columns if name != "die"]
    for die in range(-2, 14):
        losses = [defender_loss(str(table.find(die)[o])) for o in odds]
        assert losses == sorted(losses), die
    for o in odds:
        losses = [defender_loss(str(table.find(die)[o])) for die in range(-2, 14)]
        assert losses == sorted(losses, reverse=True), o


@rule("typhoon", "5.1.6")
def test_the_weather_of_the_example_is_in_the_table() -> None:
    find = data.charts()["weather"].find
    assert [find("frost", n)["weather"] for n in (7, 8, 9)] == ["frost", "snow", "snow_storm"]


def test_victory_places_stand_where_the_map_has_them() -> None:
    """16.2.2: cities, major cities and red stars."""
    for record in data.charts()["victory_places"].records:
        info = data.board().info[data.board().cell(str(record["hex"]))]
        assert info.names["en"] == record["name"], record["hex"]
        assert info.features & {"city", "major_city", "strategic"}, record["name"]


@pytest.mark.parametrize(
    ("table", "row", "column", "value", "reason"),
    [
        ("weather", ("frost", "8"), "weather", "frost", "given as 'snow'"),
        ("terrain", ("hills", "foot", "dry"), "cost", "3", "given as '2'"),
        ("crt", ("3",), "3-1", "x/y", "should look like"),
        ("crt", ("3",), "die", "2", "declared twice"),
        ("overrun", ("5",), "result", "loss_and_retreat", "wrong way"),
        ("units", ("g-251-inf",), "kind", "elephants", "should be one of"),
        ("arrivals", ("campaign", "s-22a"), "unit", "nobody", ""),
        ("turns", ("43",), "climate", "dry", "given as 'arctic'"),
        ("air_combat", ("5", "0"), "result", "destroyed", "wrong way"),
    ],
)
def test_a_broken_cell_is_noticed(
    tmp_path: Path, table: str, row: tuple[str, ...], column: str, value: str, reason: str
) -> None:
    folder = tmp_path / "tables"
    shutil.copytree(TABLES, folder)
    path = folder / f"{table}.csv"
    lines = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    places = [lines[0].index(key) for key in data.charts()[table].key]
    line = next((n for n, cells in enumerate(lines) if tuple(cells[p] for p in places) == row), 1)
    lines[line][lines[0].index(column)] = value
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(lines)
    assert [p for p in check_tables(Folder(folder)) if reason in str(p)]
    assert isinstance(check_tables(Folder(folder))[0], DataError)
