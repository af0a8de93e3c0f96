"""Declared tables: declarations that say nothing are refused, and so is what breaks a declaration."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from grognard.files import DataError, Folder
from grognard.files.schema import check_tables, read_tables

SCHEMA = """
[fire]
key = ["column", "die"]
complete = ["column", "die"]
rising = [{ column = "hits", along = "die" }]
columns.column = "integer 1,3"
columns.die = "integer 1..2"
columns.hits = "number 0..2 or none"

[guns]
key = ["id"]
columns.id = "text"
columns.column = "of? fire.column or any"
"""
FIRE = "column,die,hits,provenance,source\n"
FIRE += "1,1,none,found,a\n1,2,1/2,found,a\n3,1,0.5,found,a\n3,2,2,found,a\n"
GUNS = "id,column,provenance,source\nheavy,any,found,a\nlight,,found,a\n"


def folder(path: Path, schema: str = SCHEMA, fire: str = FIRE, guns: str = GUNS) -> Folder:
    for name, text in (("schema.toml", schema), ("fire.csv", fire), ("guns.csv", guns)):
        (path / name).write_text(text, encoding="utf-8")
    return Folder(path)


def test_cells_are_read_as_what_they_are(tmp_path: Path) -> None:
    tables = read_tables(folder(tmp_path))
    assert tables["fire"].find(1, 1)["hits"] == "none"
    assert tables["fire"].find(3, 1)["hits"] == Fraction(1, 2)
    assert tables["guns"].find("light")["column"] is None


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"integer 1..2"', '"whole 1..2"', "declares no column"),
        ('"integer 1..2"', '"integer a few"', "neither a range nor a list"),
        ('columns.id = "text"', 'columns.id = "text long"', "declares no column"),
        ('key = ["id"]', 'key = ["name"]', "there is no column 'name'"),
        ('key = ["id"]', 'key = ["id"]\nsorted = true', "unknown declaration 'sorted'"),
        ("of? fire.column", "of? fire.row", "there is no column fire.row"),
    ],
)
def test_a_declaration_that_says_nothing_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in SCHEMA
    with pytest.raises(DataError, match=reason):
        read_tables(folder(tmp_path, SCHEMA.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("3,2,2", "3,2,3", 5, "from 0 to 2"),
        ("3,2,2", "3,2,0", 5, "goes the wrong way"),
        ("3,2,2", "2,2,2", 5, "should be one of 1, 3"),
        ("3,2,2,found,a\n", "", None, "the row 3/2 is missing"),
        ("3,2,2,found", "3,2,2,guess", 5, "should be one of"),
    ],
)
def test_a_broken_row_is_noticed(tmp_path: Path, old: str, new: str, line: int | None, reason: str) -> None:
    assert old in FIRE
    (problem,) = check_tables(folder(tmp_path, fire=FIRE.replace(old, new)))
    assert (problem.file, problem.line) == (f"{tmp_path.name}/fire.csv", line)
    assert reason in problem.reason


def test_a_value_must_be_found_in_the_other_table(tmp_path: Path) -> None:
    assert check_tables(folder(tmp_path, guns=GUNS.replace("any", "3"))) == []
    (problem,) = check_tables(folder(tmp_path, guns=GUNS.replace("any", "4")))
    assert "is not in fire.column" in problem.reason
