"""Second Front: the rulings on what the published rules contradict, in both languages."""

from __future__ import annotations

from grognard.files import Folder
from grognard.files.rulebook import read_rulings
from grognard.games.second_front.books import GAME


def test_every_contradiction_has_a_ruling_in_both_languages() -> None:
    english, french = (read_rulings(Folder(GAME), language) for language in ("en", "fr"))
    assert len(english) == len(french) == 39
    assert [one.cases for one in english] == [other.cases for other in french]
    for one, other in zip(english, french, strict=True):
        assert one.title != other.title and one.ruling and other.ruling
    assert english[0].cases == ("9H",)
