"""Second Front: the charts. Declared rules hold, a broken cell is noticed, the odds are as designed."""

from __future__ import annotations

import csv
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import grognard.games.second_front as second_front
from grognard.cli.main import main
from grognard.files import Folder, ProvenanceKind
from grognard.files.schema import Table, Value, check_tables, read_tables

GAME = Path(second_front.__file__).parent
TABLES = GAME / "tables"
WEATHER = {"C": "clear", "M": "mud", "F": "frost", "W": "winter", "S": "snow", "N": "no change"}
TWO_DICE = [one + other for one in range(1, 7) for other in range(1, 7)]
ONE_DIE = range(1, 7)


@cache
def tables() -> dict[str, Table]:
    return read_tables(Folder(TABLES))


def cell(table: str, column: str, *key: Value) -> Value:
    return tables()[table].find(*key)[column]


def number(value: Value) -> Fraction:
    assert isinstance(value, int | Fraction)
    return Fraction(value)


# The files


def test_every_row_says_where_it_comes_from() -> None:
    records = [(t.name, r) for t in tables().values() for r in t.records]
    kinds = Counter(record.provenance.kind for _, record in records)
    assert kinds == {
        ProvenanceKind.RULEBOOK: 626,
        ProvenanceKind.FOUND: 139,
        ProvenanceKind.RECONSTRUCTED: 2903,
    }
    known = {record["id"] for record in tables()["sources"].records}
    for name, record in records:
        named = set(re.findall(r"\bF[0-9]+\b", record.provenance.source))
        assert named <= known, (name, record.row.line)
        if record.provenance.kind is ProvenanceKind.FOUND and name != "sources":
            assert named, (name, record.row.line)


def test_the_command_checks_the_charts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "second_front" / "tables"
    own.mkdir(parents=True)
    (own / "naval_gunnery.csv").write_text("column,modified_die,result\n3,2,hit\n", encoding="utf-8")
    assert main(["check", "second_front", "--overrides", str(tmp_path), "--lang", "en"]) == 1
    assert "tables/naval_gunnery.csv" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("table", "row", "column", "value", "reason"),
    [
        ("ground_crt", ("4:1", "3"), "result", "AH", "wrong way"),
        ("ground_crt", ("7:1", "5"), "result", "DH", "given as 'DE'"),
        ("ground_crt", ("2:1", "3"), "result", "XX", "should be one of"),
        ("ground_crt", ("2:1", "3"), "modified_die", "2", "declared twice"),
        ("ground_crt", ("2:1", "10"), "odds", ">9:1", "the row 2:1/10 is missing"),
        ("air_combat", ("0", "5"), "result", "-", "wrong way"),
        ("air_combat", ("0", "7"), "result", "R", "given as '-'"),
        ("aa_fire", ("7", "3"), "result", "-", "wrong way"),
        ("aa_fire", ("7", "3"), "column", "9", "should be one of"),
        ("aa_optional", ("17", "8"), "defence_points_hit", "12", "given as '13'"),
        ("aa_optional", ("10", "3"), "defence_points_hit", "-", "wrong way"),
        ("patrol_attack", ("3", "4"), "result", "A", "given as 'R'"),
        ("weather_land", ("D", "Nov I", "4"), "condition", "C", "given as 'M'"),
        ("weather_land", ("D", "Dec I", "6"), "condition", "C", "wrong way"),
        ("weather_sea", ("Jan I", "6"), "condition", "C", "wrong way"),
        ("strategic_effects", ("9",), "rail_percent", "101", "between 0 and 100"),
        ("strategic_effects", ("9",), "rail_percent", "95", "wrong way"),
        ("harassment", ("4",), "points_below", "9", "does not begin where"),
        ("aec_atec", ("AECA", "1/7"), "fraction_below", "1/3", "does not begin where"),
        ("aec_atec", ("AECA", "1/7"), "normal", "2", "given as '1'"),
        ("stacking", ("mountain",), "units_any", "3", "given as '2'"),
        ("terrain_movement", ("mountain", "clear"), "cm_and_artillery", "5", "given as '6'"),
        ("terrain_movement", ("rough", "mud"), "other", "many", "should look like"),
        ("terrain_combat", ("swamp",), "infantry_factor", "1/2", "given as '1'"),
        ("terrain_combat", ("woods",), "cm_factor", "3", "from 0 to 2"),
        ("ports", ("Caen",), "district", "MR 99", "is not in districts.name"),
        ("ports", ("Caen",), "type", "huge", "is not in port_types.type"),
        ("german_strategic_air", ("Jan I 44",), "air_cycle", "Jan I 46", "is not in calendar.name"),
        ("calendar", ("20",), "production", "yes", "given as"),
        ("v_weapons", ("V2",), "range_hexes", "", "whole number"),
        ("sources", ("F3",), "provenance", "guess", "should be one of"),
        ("mines", ("roll",), "source", "", "is empty"),
    ],
)
def test_a_broken_cell_is_noticed(
    tmp_path: Path, table: str, row: tuple[str, ...], column: str, value: str, reason: str
) -> None:
    folder = tmp_path / "tables"
    shutil.copytree(TABLES, folder)
    path = folder / f"{table}.csv"
    lines = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    places = [lines[0].index(key) for key in tables()[table].key]
    line = next(n for n, cells in enumerate(lines) if tuple(cells[p] for p in places) == row)
    assert lines[line][lines[0].index(column)] != value
    lines[line][lines[0].index(column)] = value
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(lines)
    problems = [p for p in check_tables(Folder(folder)) if reason in str(p)]
    assert problems, [str(p) for p in check_tables(Folder(folder))]
    assert problems[0].file == f"tables/{table}.csv"
    if "missing" not in reason:
        assert abs((problems[0].line or 0) - line - 1) <= 1


def test_a_table_that_nobody_declared_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(TABLES, tmp_path / "tables")
    (tmp_path / "tables" / "more.csv").write_text("a\n1\n", encoding="utf-8")
    assert [p.reason for p in check_tables(Folder(tmp_path / "tables"))] == [
        "the table is not declared in schema.toml"
    ]


def test_an_owner_may_replace_a_given_cell(tmp_path: Path) -> None:
    (tmp_path / "patrol_attack.csv").write_text("differential,die,result\n3,4,-\n", encoding="utf-8")
    found = read_tables(Folder(TABLES, tmp_path))["patrol_attack"].find(3, 4)
    assert found["result"] == "-"
    assert found.provenance.kind is ProvenanceKind.OVERRIDE


# What the charts must hold between them


def test_calendar_has_45_turns_and_27_from_april_1944() -> None:
    turns = tables()["calendar"].records
    assert [turn["turn_1943_scenarios"] for turn in turns] == list(range(1, 46))
    late = [turn for turn in turns if turn["turn_1944_scenarios"] is not None]
    assert [turn["turn_1944_scenarios"] for turn in late] == list(range(1, 28))
    assert (late[0]["name"], turns[-1]["name"]) == ("Apr I 44", late[-1]["name"])
    assert all((turn["production"] == "yes") == (" I " in str(turn["name"])) for turn in turns)


PRODUCTION = {
    "axis_production": ("district", "producer"),
    "axis_withdrawals": (),
    "allied_replacements": ("force", "theatre"),
}


@pytest.mark.parametrize("table", PRODUCTION)
def test_periods_of_production_follow_each_other_without_overlap(table: str) -> None:
    turns = {turn["name"]: number(turn["turn_1943_scenarios"]) for turn in tables()["calendar"].records}
    spans: dict[tuple[Value, ...], list[tuple[Fraction, Fraction]]] = {}
    for row in tables()[table].records:
        if row["from_turn"] and row["last_turn"]:
            name = tuple(row[column] for column in PRODUCTION[table])
            spans.setdefault(name, []).append((turns[row["from_turn"]], turns[row["last_turn"]]))
    for name, found in spans.items():
        found.sort()
        assert all(first <= last for first, last in found), name
        assert all(after == before + 1 for (_, before), (after, _) in pairwise(found)), name
    german = [found for name, found in spans.items() if "Germany" in name or table == "axis_withdrawals"]
    assert all(found[0][0] == 1 and found[-1][1] == 45 for found in german)


def test_air_points_come_on_the_first_turn_of_a_cycle() -> None:
    """25."""
    cycles = {turn["name"] for turn in tables()["calendar"].records if turn["air_cycle_start"] == "yes"}
    rows = tables()["air_replacements"].records
    assert {row["air_cycle"] for row in rows} <= cycles
    allied = Counter(row["air_cycle"] for row in rows if row["side"] == "Allied")
    assert len(allied) == 12 and set(allied.values()) == {8}


def test_a_port_is_worth_its_type_and_stands_on_the_map() -> None:
    with (GAME / "map" / "hexes.csv").open(encoding="utf-8", newline="") as file:
        features = {row["hex"]: row["features"].split("|") for row in csv.DictReader(file)}
    for port in tables()["ports"].records:
        kind = tables()["port_types"].find(port["type"])
        for column in ("capacity_re", "max_damage", "naval_base"):
            assert port[column] == kind[column], port["name"]
        sea = "mediterranean" if port["sea_zone"] == "Mediterranean" else "atlantic_baltic"
        element = "neutral port" if port["owner_jul43"] == "neutral" else f"{port['type']} port"
        assert port["coastal_defence"] == cell("coastal_defence", sea, element), port["name"]
        assert f"port_{port['type']}" in features[str(port["map_hex"])], port["name"]
        if port["hex_from"] != "fit":
            assert port["map_hex"] == f"{port['sheet']}:{port['hex']}", port["name"]
    sicilian = {port["name"] for port in tables()["ports"].records if port["district"] == "Sicilia"}
    assert len(sicilian - {"Lipari", "Pantelleria", "Lampedusa"}) == 10
    caen, cherbourg = (number(cell("ports", "capacity_re", name)) for name in ("Caen", "Cherbourg"))
    assert caen > cherbourg
    assert cell("ports", "flags", "Caen") == "inland artificial"


def test_movement_is_dearest_for_wheels_and_guns_and_cheapest_for_mountain_troops() -> None:
    def cost(value: Value) -> int:
        return 99 if value == "P" else int(str(value))

    for row in tables()["terrain_movement"].records:
        costs = [cost(row[column]) for column in ("cm_and_artillery", "other", "mountain_troops")]
        assert costs == sorted(costs, reverse=True), row.row.line
        if row["weather"] == "mud":
            clear = tables()["terrain_movement"].find(row["feature"], "clear")
            assert cost(clear["other"]) <= cost(row["other"])
            assert cost(clear["cm_and_artillery"]) <= cost(row["cm_and_artillery"])


def test_bad_weather_shortens_supply_lines() -> None:
    lengths = tables()["supply_lines"]
    for side in ("Allied", "Axis", "Axis reduced (26A6)"):
        for element in ("land", "road"):
            clear, mud = (number(lengths.find(side, element, w)["max_hexes"]) for w in ("clear", "mud"))
            assert mud < clear
    for element in ("land", "road"):
        for weather in ("clear", "frost", "winter", "mud", "snow"):
            usual, reduced = (
                number(lengths.find(side, element, weather)["max_hexes"])
                for side in ("Axis", "Axis reduced (26A6)")
            )
            assert reduced < usual


def test_leaving_a_reduced_zone_is_cheaper() -> None:
    for mover in ("c/m", "artillery", "other"):
        for column in ("clear_frost", "mud_winter_snow"):
            full, reduced = (number(cell("zoc_costs", column, zone, mover)) for zone in ("full", "reduced"))
            assert reduced < full


def test_the_chance_of_success_follows_from_the_die() -> None:
    for use in tables()["success_table"].records:
        faces = 7 - number(use["success_on_modified_die_at_least"])
        assert abs(number(use["chance_unmodified"]) - faces / 6) < Fraction(1, 1000), use["use"]


def test_no_carpet_bombing_before_march_1944() -> None:
    turns = {turn["name"]: number(turn["turn_1943_scenarios"]) for turn in tables()["calendar"].records}
    for row in tables()["allied_strategic_capability"].records:
        assert number(row["carpet_points"]) == 0 or turns[row["air_cycle"]] >= turns["Mar I 44"]


def test_the_weather_of_zone_d_may_stay_as_it_was_in_april() -> None:
    assert any(cell("weather_land", "condition", "D", "Apr I", die) == "N" for die in ONE_DIE)


# The odds


def expected(table: str) -> list[tuple[str, str]]:
    with (Path(__file__).parent / "expected_values.csv").open(encoding="utf-8", newline="") as file:
        found = [(row["case"], row["value"]) for row in csv.DictReader(file) if row["table"] == table]
    assert found
    return found


def rolled(table: str, column: str, left: Value, dice: Iterable[int], low: int, high: int) -> Counter[Value]:
    return Counter(cell(table, column, left, min(max(die, low), high)) for die in dice)


def test_ground_combat_falls_as_designed() -> None:
    for case, value in expected("ground_crt"):
        odds, modifier = case.split(" die modifier ")
        falls = rolled("ground_crt", "result", odds, [d + int(modifier) for d in ONE_DIE], -6, 10)
        assert falls == {word[:2]: int(word[2:]) for word in value.split("; ")[-1].split()}, case


@pytest.mark.parametrize(("table", "digits"), [("air_combat", 3), ("aa_fire", 2)])
def test_fire_in_the_air_falls_as_designed(table: str, digits: int) -> None:
    for case, value in expected(table):
        column = int(re.findall(r"[-+]?[0-9]+", case)[0])
        falls = rolled(table, "result", column, TWO_DICE, 0, 14)
        told = dict(re.findall(r"(\w+) ([0-9.]+)", value))
        for result in "KAR":
            assert f"{falls[result] / 36:.{digits}f}" == told[result], (case, result)


def test_patrols_gunnery_and_bombing_fall_as_designed() -> None:
    for case, value in expected("patrol_attack"):
        falls = rolled("patrol_attack", "result", int(case.split()[-1]), ONE_DIE, 1, 6)
        assert value == " ".join(f"{result} {falls[result]}/6" for result in "KAR"), case
    for case, value in expected("naval_gunnery"):
        column = int(case.split()[-1])
        hits = [
            rolled("naval_gunnery", "result", column, [d + m for d in ONE_DIE], -3, 8)["hit"] for m in (0, -1)
        ]
        assert hits == [int(n) for n in re.findall(r"([0-9])/6", value)], case
    for case, value in expected("bombing_table"):
        column = int(re.findall(r"[0-9]+", case)[0])
        # A natural 1 misses whatever the column (bombing_rules.csv).
        struck = rolled("bombing_table", "result", column, [2, 3, 4, 5, 6], -2, 9)["H"]
        assert value.startswith(f"hit {struck}/6"), case


def test_optional_fire_hits_as_designed() -> None:
    for case, value in expected("aa_optional"):
        points = [cell("aa_optional", "defence_points_hit", case.split()[-1], dice) for dice in TWO_DICE]
        mean = sum(p if isinstance(p, int) else 0 for p in points) / 36
        assert value == f"expected defence points {mean:.1f}", case


def test_weather_falls_as_designed() -> None:
    for case, value in expected("weather_land"):
        _, zone, turn = case.split(" ", 2)
        falls = Counter(cell("weather_land", "condition", zone, turn, die) for die in ONE_DIE)
        told = {word: int(n) for word, n in re.findall(r"((?:no )?\w+) ([0-9])/6", value)}
        assert {WEATHER[str(c)]: n for c, n in falls.items()} == told, case
    for case, value in expected("weather_sea"):
        sea, turn = case.split(" ", 1)
        shift = cell("weather_sea_modifiers", "modifier", sea)
        assert isinstance(shift, int)
        falls = rolled("weather_sea", "condition", turn, [d + shift for d in ONE_DIE], 1, 6)
        assert value == " ".join(f"{c} {falls[c]}/6" for c in "CRS" if falls[c]), case
