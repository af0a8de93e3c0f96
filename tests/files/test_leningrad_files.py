"""Leningrad's own files with one thing damaged: refused by file, line and reason. And overrides of them."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

import grognard.games.leningrad as leningrad
from grognard.files import DataError, Folder, ProvenanceKind
from grognard.games.leningrad import Leningrad, load
from grognard.kernel import Match, SaveError
from grognard.kernel.registry import load_game

SOURCE = Path(leningrad.__file__).parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "leningrad"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return copy


def damage(folder: Path, file: str, old: str, new: str) -> int:
    """Replace the first match of a pattern; the line where it stood."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    found = re.search(old, text, re.MULTILINE)
    assert found is not None, f"{old!r} is not in {file}"
    path.write_text(text[: found.start()] + found.expand(new) + text[found.end() :], encoding="utf-8")
    return text.count("\n", 0, found.start()) + 1


def change(folder: Path, file: str, row: str, column: str, value: str) -> int:
    """Write another value in one cell of a table; its line."""
    path = folder / file
    table = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    line = next(n for n, cells in enumerate(table) if cells[0] == row)
    table[line][table[0].index(column)] = value
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(table)
    return line + 1


def refusal(folder: Path) -> DataError:
    with pytest.raises(DataError) as caught:
        Leningrad(Folder(folder))
    return caught.value


def test_the_files_as_they_are_load(folder: Path) -> None:
    assert Leningrad(Folder(folder)).data_digest == load().data_digest


@pytest.mark.parametrize(
    ("file", "row", "column", "value", "reason"),
    [
        ("tables/units.csv", "1-pz", "setup", "0199", "no hex '0199'"),
        ("tables/units.csv", "112-rd", "entry", "1113|3008", "no hex '3008'"),
        ("tables/units.csv", "1-pz", "strength", "", "'strength' should be a whole number, not ''"),
        ("tables/units.csv", "1-pz", "reduced", "", "'reduced' should be a whole number, not ''"),
        ("tables/units.csv", "1-pz", "strength", "six", "not 'six'"),
        ("tables/units.csv", "1-pz", "strength", "0", "between 1 and 50"),
        ("tables/units.csv", "1-pz", "movement", "", "points such as 2 or 1/2"),
        ("tables/units.csv", "1-pz", "movement", "1000", "at most"),
        ("tables/units.csv", "1-pz", "side", "finnish", "german, soviet, not 'finnish'"),
        ("tables/units.csv", "1-pz", "kind", "cavalry", "not 'cavalry'"),
        ("tables/units.csv", "112-rd", "kind", "mechanised", "14.2"),
        ("tables/units.csv", "6-pz", "id", "1-pz", "1-pz is declared twice"),
        ("tables/units.csv", "1-pz", "setup", "", "'setup' is empty"),
        ("tables/units.csv", "1-pz", "setup", "0101", "is water"),
        ("tables/units.csv", "1-pz", "name_en", "", "'name_en' is empty"),
        ("tables/units.csv", "112-rd", "turn", "13", "between 0 and 12, not 13"),
        ("tables/units.csv", "112-rd", "entry", "", "needs an entry hex"),
        ("tables/units.csv", "112-rd", "surprise", "maybe", "not 'maybe'"),
        ("tables/units.csv", "1-pz", "provenance", "guessed", "not 'guessed'"),
        ("tables/units.csv", "1-pz", "source", "", "'source' is empty"),
        ("tables/crt.csv", "3", "1-4", "", "'1-4' is empty"),
        ("tables/crt.csv", "3", "1-4", "3/3", "not '3/3'"),
        ("tables/crt.csv", "3", "die", "7", "between 1 and 6, not 7"),
        ("tables/crt.csv", "3", "die", "2", "2 is declared twice"),
        ("tables/crt.csv", "3", "provenance", "rulebok", "not 'rulebok'"),
        ("tables/crt.csv", "die", "4-1", "4-2", "'4-2' is not odds"),
        ("tables/crt.csv", "die", "4-1", "0-1", "'0-1' is not odds"),
        ("tables/crt.csv", "die", "4-1", "²-1", "is not odds"),
        ("tables/crt.csv", "die", "4-1", "5-1", "'5-1' is there twice"),
        ("tables/crt.csv", "die", "4-1", "11-1", "not in order"),
        ("tables/untried.csv", "inf-1-2", "pool", "cavalry", "not 'cavalry'"),
        ("tables/untried.csv", "inf-1-2", "attack", "?", "not '?'"),
        ("tables/untried.csv", "inf-1-2", "provenance", "", "'provenance' is empty"),
        ("tables/terrain.csv", "marsh", "infantry", "deep", "points such as"),
        ("tables/terrain.csv", "marsh", "mobile", "0", "costs something"),
        ("tables/terrain.csv", "marsh", "provenance", "book", "not 'book'"),
        ("tables/shifts.csv", "river", "columns", "-10", "between -9 and 9"),
        ("tables/shifts.csv", "river", "provenance", "book", "not 'book'"),
        ("tables/shifts.csv", "river", "case", "", "'case' is empty"),
        ("tables/numbers.csv", "stacking", "value", "many", "not 'many'"),
        ("tables/numbers.csv", "river_factor", "value", "0", "between 1 and 10"),
        ("tables/numbers.csv", "stacking", "provenance", "memory", "not 'memory'"),
        ("tables/markers.csv", "air", "marker", "tank", "not 'tank'"),
        ("tables/markers.csv", "air", "turn", "14", "between 1 and 12"),
        ("tables/markers.csv", "air", "count", "0", "between 1 and 20"),
        ("tables/victory.csv", "armour-reduced", "points", "V", "not 'V'"),
        ("tables/victory.csv", "armour-reduced", "provenance", "", "'provenance' is empty"),
        ("map/hexes.csv", "0908", "hex", "0998", "no hex '0998'"),
        ("map/hexes.csv", "0908", "terrain", "bog", "not 'bog'"),
        ("map/hexes.csv", "0908", "features", "castle", "unknown feature 'castle'"),
        ("map/hexes.csv", "0102", "hex", "0101", "0101 is declared twice (first on line 2)"),
        ("map/hexes.csv", "0908", "provenance", "invented", "not 'invented'"),
        ("map/hexes.csv", "0908", "source", "", "'source' is empty"),
        ("map/sides.csv", "0108", "b", "0199", "no hex '0199'"),
        ("map/sides.csv", "0108", "b", "0110", "0108 and 0110 are not neighbours"),
        ("map/sides.csv", "0108", "b", "0108", "not neighbours"),
        ("map/sides.csv", "0108", "feature", "tramway", "unknown feature 'tramway'"),
        ("map/sides.csv", "0108", "feature", "town", "unknown feature 'town'"),
    ],
)
def test_one_bad_cell_is_refused_by_file_line_and_reason(
    folder: Path, file: str, row: str, column: str, value: str, reason: str
) -> None:
    line = change(folder, file, row, column, value)
    error = refusal(folder)
    assert reason in error.reason
    assert error.file == (file if file.startswith("map/") else f"leningrad/{file}")
    assert error.line == line


def test_both_sides_are_not_set_up_in_one_hex(folder: Path) -> None:
    game = load()
    german, soviet = (
        next(u for u in game.units if u.german == side and u.setup >= 0) for side in (True, False)
    )
    change(folder, "tables/units.csv", soviet.id, "setup", game.board.number(german.setup))
    error = refusal(folder)
    assert error.line is not None
    assert "units of both sides" in error.reason


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("tables/units.csv", r"^1-pz,german,", "1-pz,", "cells where the header has"),
        ("tables/crt.csv", r"^3,-/E,", "3,", "15 cells where the header has 16"),
        ("game.toml", r"^frozen = .*$", 'frozen = ["0205", "9999"]', "no hex '9999'"),
        ("game.toml", r"^late_entries = .*$", 'late_entries = ["2908"]', "list of hexes"),
        ("game.toml", r"^victory = .*$", 'victory = "2604"', "list of hexes"),
        ("map/map.toml", r'^orientation = "flat"', "orientation = flat", "Invalid value"),
    ],
)
def test_one_fault_is_refused_by_file_line_and_reason(
    folder: Path, file: str, old: str, new: str, reason: str
) -> None:
    line = damage(folder, file, old, new)
    error = refusal(folder)
    assert reason in error.reason
    assert error.file == (file if file.startswith("map/") else f"leningrad/{file}")
    assert error.line == line


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("tables/crt.csv", r"^3,.*\n", "", "no row for a die of 3"),
        ("tables/shifts.csv", r"^river,.*\n", "", "'river' is missing"),
        ("tables/numbers.csv", r"^stacking,.*\n", "", "'stacking' is missing"),
        ("tables/victory.csv", r"^leningrad-hex,.*\n", "", "'leningrad-hex' is missing"),
        ("tables/terrain.csv", r"^marsh,.*\n", "", "'marsh' is missing"),
        ("map/hexes.csv", r"^0908,.*\n", "", "hex 0908 has no line"),
        ("tables/untried.csv", r"^inf-1-2,.*\n", "", "strengths for"),
        ("game.toml", r"^frozen = .*\n", "", "'frozen' should be a list"),
        ("map/map.toml", r'^orientation = "flat"', 'orientation = "flatt"', "orientation should be"),
        ("map/map.toml", r'^orientation = "flat"\n', "", "no 'orientation'"),
        ("map/map.toml", r"(?s)^\[grid\].*(?=\[georeference\])", "", "'grid' is missing"),
        ("text/messages.toml", r"\Z", "\n[refusals.new]\nen = 'x'\n", "no 'fr' text"),
        ("text/messages.toml", r"\Z", "\n[refusals.new]\nen = '{'\nfr = 'x'\n", "braces"),
    ],
)
def test_what_is_missing_is_refused_by_file_and_reason(
    folder: Path, file: str, old: str, new: str, reason: str
) -> None:
    damage(folder, file, old, new)
    error = refusal(folder)
    assert reason in error.reason
    assert error.file.endswith(file.rpartition("/")[2])


def test_a_side_is_not_declared_twice_the_other_way_round(folder: Path) -> None:
    path = folder / "map" / "sides.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    a, b, rest = lines[1].split(",", 2)
    lines.append(f"{b},{a},{rest}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    error = refusal(folder)
    assert (error.file, error.line) == ("map/sides.csv", len(lines))
    assert "already has road (line 2)" in error.reason


def test_water_along_a_side_excludes_a_road_across_it(folder: Path) -> None:
    path = folder / "map" / "sides.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    a, b, feature, rest = lines[1].split(",", 3)
    assert feature == "road"
    lines.append(f"{a},{b},sea,{rest}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "excludes sea" in refusal(folder).reason


@pytest.mark.parametrize(
    "file", ["tables/units.csv", "tables/crt.csv", "map/map.toml", "game.toml", "text/messages.toml"]
)
def test_a_missing_file_or_one_that_is_not_text_is_refused(folder: Path, file: str) -> None:
    (folder / file).write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in refusal(folder).reason
    (folder / file).unlink()
    error = refusal(folder)
    assert error.reason == "the file is missing"
    assert error.file.endswith(Path(file).name)


# Overrides


def override(root: Path, file: str, text: str) -> Path:
    path = root / "leningrad" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root


def test_a_counter_a_number_a_result_and_a_hex_can_be_overridden(tmp_path: Path) -> None:
    override(tmp_path, "tables/units.csv", "id,strength\n1-pz,9\n")
    override(tmp_path, "tables/numbers.csv", "id,value\nsupply_range,7\n")
    override(tmp_path, "tables/crt.csv", "die,3-1\n1,1/2\n")
    override(tmp_path, "map/hexes.csv", "hex,terrain\n0908,marsh\n")
    game, plain = load(tmp_path / "leningrad"), load()
    unit = game.units[game.unit_index("1-pz")]
    printed = plain.units[plain.unit_index("1-pz")]
    assert printed.strength != unit.strength == 9
    assert (unit.reduced, unit.movement, unit.setup) == (printed.reduced, printed.movement, printed.setup)
    assert unit.provenance == (ProvenanceKind.OVERRIDE, "override leningrad/tables/units.csv: strength")
    assert game.units[game.unit_index("6-pz")].provenance == plain.units[plain.unit_index("6-pz")].provenance
    assert game.data.numbers["supply_range"] == 7
    assert game.data.numbers.provenance["supply_range"].kind == ProvenanceKind.OVERRIDE
    assert game.data.numbers.provenance["stacking"].kind == ProvenanceKind.RULEBOOK
    assert (game.data.crt.result(2, 1), plain.data.crt.result(2, 1)) == ("1/2", "1/1")
    assert game.data.crt.provenance[1].kind == ProvenanceKind.OVERRIDE
    cell = game.board.cell("0908")
    assert game.board.info[cell].terrain == "marsh"
    assert game.board.info[cell].provenance.kind == ProvenanceKind.OVERRIDE


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("tables/units.csv", "id,strength\n1-pz,9\n"),
        ("tables/numbers.csv", "id,value\nsupply_range,7\n"),
        ("tables/crt.csv", "die,3-1\n1,1/2\n"),
        ("tables/shifts.csv", "id,columns\nriver,-2\n"),
        ("tables/terrain.csv", "id,mobile\nmarsh,3\n"),
        ("tables/victory.csv", "id,points\nleningrad-hex,31\n"),
        ("tables/untried.csv", "id,attack\ninf-1-2,2\n"),
        ("tables/markers.csv", "marker,turn,count\nfort,3,3\n"),
        ("map/hexes.csv", "hex,terrain\n0908,marsh\n"),
        ("game.toml", '[hexes]\nfrozen = ["0205"]\n'),
    ],
)
def test_any_override_changes_the_digest_and_saves_do_not_cross_it(
    tmp_path: Path, file: str, text: str
) -> None:
    game, plain = load_game("leningrad", override(tmp_path, file, text)), load()
    assert game.data_digest != plain.data_digest
    with pytest.raises(SaveError, match="other data files"):
        Match.load(game, Match(plain, "campaign").save())


def test_a_title_of_ones_own_spoils_no_save(tmp_path: Path) -> None:
    game, plain = load_game("leningrad", override(tmp_path, "map/map.toml", 'title_en = "Mine"\n')), load()
    assert game.data_digest == plain.data_digest
    assert Match.load(game, Match(plain, "campaign").save()).state.turn == 1


def test_an_override_of_no_file_is_refused(tmp_path: Path) -> None:
    """Where tables lay before they had a folder of their own, for instance."""
    override(tmp_path, "units.csv", "id,strength\n1-pz,9\n")
    with pytest.raises(DataError, match=r"override leningrad/units\.csv: .*there is tables/units\.csv"):
        load_game("leningrad", tmp_path)


@pytest.mark.parametrize(
    ("file", "text", "line", "reason"),
    [
        ("tables/units.csv", "id,strength\n1-pz,9\nimaginary,9\n", 3, "imaginary is not in tables/units.csv"),
        ("tables/units.csv", "id,power\n1-pz,9\n", 1, "unknown column 'power'"),
        ("tables/units.csv", "id,strength\n1-pz,lots\n", 2, "not 'lots'"),
        ("tables/units.csv", "id,setup\n1-pz,0199\n", 2, "no hex '0199'"),
        ("tables/crt.csv", "die,3-1\n1,boom\n", 2, "not 'boom'"),
        ("map/hexes.csv", "hex,terrain\n0998,marsh\n", 2, "0998 is not in hexes.csv"),
        ("map/sides.csv", "a,b,feature,name_en\n0108,0110,road,x\n", 2, "is not in sides.csv"),
        ("game.toml", '[hexes]\nfrozen = ["9999"]\n', 2, "no hex '9999'"),
    ],
)
def test_a_bad_override_is_refused_by_its_own_line(
    tmp_path: Path, file: str, text: str, line: int, reason: str
) -> None:
    override(tmp_path, file, text)
    with pytest.raises(DataError) as caught:
        load(tmp_path / "leningrad")
    assert caught.value.file.startswith("override ")
    assert caught.value.line == line
    assert reason in caught.value.reason
