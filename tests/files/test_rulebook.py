"""The rulebook and the rulings: read from their files, in both languages, marked where they apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.files import DataError, Folder
from grognard.files.rulebook import Rulebook, marked_cases, read_rulings
from grognard.games.listing import game_folder
from grognard.kernel.registry import game_ids
from grognard.kernel.text import LANGUAGES

RULING = """
## 1.1, 2.0: May a unit fly?

**Question**: The book does not say.

**Ruling**: No.

**Reason**: It has no wings.

**Titre**: Une unité peut-elle voler ?

**Question (fr)**: Le livret ne le dit pas.

**Décision**: Non.

**Motif**: Elle n’a pas d’ailes.
"""

RULES = {
    "en": "# Rules\n\n## 1.1 Movement\n\nUnits walk (ruling).\n\n## 2.0 Air\n\nNone (ruling, 1.1).\n",
    "fr": "# Règles\n\n## 1.1 Mouvement\n\nOn marche (décision).\n\n## 2.0 Air\n\nAucun (décision, 1.1).\n",
}


def book(folder: Path, language: str = "en", rulings: str = RULING, **rules: str) -> Rulebook:
    (folder / "text").mkdir(exist_ok=True)
    (folder / "rulings.md").write_text("# Rulings\n\nWhat we decided.\n" + rulings, encoding="utf-8")
    for name, text in (RULES | rules).items():
        (folder / f"text/rules.{name}.md").write_text(text, encoding="utf-8")
    return Rulebook(Folder(folder), language)


def test_a_ruling_is_read_in_the_readers_language(tmp_path: Path) -> None:
    (english,) = book(tmp_path).rulings
    assert english.cases == ("1.1", "2.0")
    assert english[1:] == ("May a unit fly?", "The book does not say.", "No.", "It has no wings.")
    (french,) = book(tmp_path, "fr").rulings
    assert french.cases == ("1.1", "2.0")
    assert french[1:] == (
        "Une unité peut-elle voler ?",
        "Le livret ne le dit pas.",
        "Non.",
        "Elle n’a pas d’ailes.",
    )


def test_the_rulings_of_a_case(tmp_path: Path) -> None:
    found = book(tmp_path)
    assert found.rulings_of("1.1") == found.rulings_of("2.0") == found.rulings
    assert found.rulings_of("1.0") == []
    assert found.unpaired() == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("**Motif**: Elle n’a pas d’ailes.", ""),
        ("**Reason**: It has no wings.", ""),
        ("## 1.1, 2.0: ", "## "),
        ("**Décision**: Non.", "Non."),
        ("**Décision**: Non.", "**Ruling**: Non."),
    ],
)
def test_a_ruling_with_a_part_missing_is_named(tmp_path: Path, old: str, new: str) -> None:
    assert old in RULING
    for language in LANGUAGES:
        with pytest.raises(DataError, match=r"rulings\.md:\d+"):
            book(tmp_path, language, RULING.replace(old, new))


def test_a_game_without_rulings_has_none(tmp_path: Path) -> None:
    assert read_rulings(Folder(tmp_path), "en") == []


@pytest.mark.parametrize(
    ("rulings", "text", "complaint"),
    [
        ("", RULES["en"], "case 1.1 is marked and has no ruling"),
        (RULING, "## 1.1 Movement\n\nUnits walk.\n\n## 2.0 Air\n\nThere is none.\n", "is marked nowhere"),
        (RULING + RULING.replace("1.1, 2.0", "2.0"), RULES["en"], "case 2.0 has 1 rulings and 0 marks"),
        (RULING.replace("1.1, 2.0", "1.1, 3.0"), RULES["en"], "cases not in the rules: 3.0"),
    ],
)
def test_marks_and_rulings_are_compared_both_ways(
    tmp_path: Path, rulings: str, text: str, complaint: str
) -> None:
    assert any(complaint in problem for problem in book(tmp_path, rulings=rulings, en=text).unpaired())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", game_ids())
def test_every_ruling_of_our_games_is_marked_in_the_rules_and_every_mark_has_its_ruling(
    game: str, language: str
) -> None:
    found = Rulebook(game_folder(game), language)
    assert found.rulings
    assert found.unpaired() == []


@pytest.mark.parametrize("game", game_ids())
def test_the_rulings_of_a_game_are_in_the_order_of_its_rules(game: str) -> None:
    found = Rulebook(game_folder(game), "en")
    order = list(found.articles)
    places = [order.index(ruling.cases[0]) for ruling in found.rulings]
    assert places == sorted(places)


def test_special_rules_of_scenarios_are_cases(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "rules.en.md").write_text(
        "# Title\n\n## 2 Sequence\n\nFirst (ruling, S2.3).\n\n## S2.3 Ten\n\nOf them.\n"
    )
    book = Rulebook(Folder(tmp_path), "en")
    assert list(book.articles) == ["2", "S2.3"]
    assert marked_cases(book.articles["2"], "en") == ["S2.3"]
