"""Second Front: the cases of the land war, and those of the other parts, which are still to come."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from grognard.cli.conformance import conformance
from grognard.files import Folder, read_table
from grognard.files.rulebook import Rulebook
from grognard.games.second_front.books import GAME
from grognard.kernel.text import LANGUAGES

PARTS = {"air": 148, "sea": 89, "politics": 20, "campaigns": 5, "advanced": 20, "optional": 37}


def cases(name: str, *columns: str) -> list[str]:
    return [
        row.text("case") for row in read_table(Folder(GAME), name, ("case", "title", *columns), ("case",))
    ]


def test_every_case_of_the_book_is_in_one_of_the_two_lists() -> None:
    land, later = cases("cases.csv"), cases("to_come.csv", "part")
    assert len(land) == 199 and len(later) == 319
    assert not set(land) & set(later)
    rows = read_table(Folder(GAME), "to_come.csv", ("case", "title", "part"))
    assert Counter(row.text("part") for row in rows) == PARTS


def test_no_test_names_a_case_that_the_land_war_does_not_have() -> None:
    root = Path(__file__).resolve().parents[2]
    _, _, unknown = conformance(Folder(GAME), "second_front", root)
    assert [(test, case) for test, case in unknown if case not in cases("to_come.csv", "part")] == []


def test_every_case_that_a_test_guards_is_told_in_both_languages() -> None:
    root = Path(__file__).resolve().parents[2]
    report, _, _ = conformance(Folder(GAME), "second_front", root)
    guarded = set(cases("cases.csv")) - set(report["missing"])
    for language in LANGUAGES:
        articles = Rulebook(Folder(GAME), language).articles
        assert sorted(guarded - articles.keys()) == [], language
        assert articles.keys() <= set(cases("cases.csv"))
