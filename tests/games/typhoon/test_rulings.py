"""Typhoon!: the rulings, in both languages, each marked in the text of the rules."""

from __future__ import annotations

import pytest

from grognard.files import Folder
from grognard.files.rulebook import Rulebook, read_rulings
from grognard.games.typhoon import data
from grognard.kernel.text import LANGUAGES


def test_every_ruling_stands_in_both_languages() -> None:
    english, french = (read_rulings(Folder(data.FOLDER), language) for language in ("en", "fr"))
    assert len(english) == len(french) == 42
    assert [one.cases for one in english] == [other.cases for other in french]
    for one, other in zip(english, french, strict=True):
        assert one.title != other.title and one.ruling != other.ruling


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_are_marked_in_the_rules_and_marks_have_their_ruling(language: str) -> None:
    assert Rulebook(Folder(data.FOLDER), language).unpaired() == []


def test_rulings_are_in_the_order_of_the_rules() -> None:
    found = Rulebook(Folder(data.FOLDER), "en")
    order = list(found.articles)
    places = [order.index(ruling.cases[0]) for ruling in found.rulings]
    assert places == sorted(places)
