"""Sentences from codes and facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grognard.files import DataError, Folder
from grognard.kernel.text import Catalogue, Words, fact_kind, placeholders


def render(name: str, value: Any, language: str) -> str:
    return f"<{name}:{value}:{language}>"


def catalogue(folder: Path, text: str) -> Catalogue:
    (folder / "messages.toml").write_text(text, encoding="utf-8")
    return Catalogue((Folder(folder), "messages.toml"))


GOOD = '[events.moved]\nen = "{unit} moves"\nfr = "{unit} bouge"\n'


def test_a_sentence_is_filled_in_by_the_reader_s_language(tmp_path: Path) -> None:
    texts = catalogue(tmp_path, GOOD)
    assert texts.sentence("events", "moved", {"unit": 3}, "en", render) == "<unit:3:en> moves"
    assert texts.sentence("events", "moved", {"unit": 3}, "fr", render) == "<unit:3:fr> bouge"


def test_braces_in_a_fact_are_only_words(tmp_path: Path) -> None:
    texts = catalogue(tmp_path, GOOD)
    found = texts.sentence("events", "moved", {"unit": "{0} {unit}"}, "en", lambda n, v, lang: str(v))
    assert found == "{0} {unit} moves"


def test_a_fact_that_is_not_given_and_a_code_that_is_not_known_are_shown_as_such(tmp_path: Path) -> None:
    texts = catalogue(tmp_path, GOOD)
    assert texts.sentence("events", "moved", {}, "en", render) == "{unit} moves"
    assert texts.sentence("events", "unheard-of", {"unit": 1}, "fr", render) == "unheard-of"
    assert not texts.has("events", "unheard-of")
    assert not texts.has("sonnets", "moved")


def test_a_game_adds_to_the_kernels_messages_and_may_reword_them(tmp_path: Path) -> None:
    texts = catalogue(tmp_path, '[refusals.game-over]\nen = "Done."\nfr = "Fini."\n')
    assert texts.template("refusals", "game-over", "fr") == "Fini."
    assert texts.has("refusals", "not-your-decision")
    assert Catalogue().template("refusals", "game-over", "fr") != "Fini."


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[events.moved]\nen = "x"\n', 1, "events.moved has no 'fr' text"),
        ('[events.moved]\nfr = "x"\n', 1, "events.moved has no 'en' text"),
        ('[events.moved]\nen = "x"\nfr = 3\n', 1, "no 'fr' text"),
        ('[events]\nmoved = "x"\n', 2, "events.moved has no 'en' text"),
        ("title = 3\n", 1, "title is not a section"),
        ('[events.moved]\nen = "{unit"\nfr = "x"\n', 1, "braces"),
        ('[events.moved]\nen = "x"\nfr = "{}"\n', 1, "braces"),
        ('[events.moved]\nen = "{0}"\nfr = "x"\n', 1, "braces"),
        ('[events.moved]\nen = "{unit.__class__}"\nfr = "x"\n', 1, "braces"),
        ('[events.moved]\nen = "{unit:>9}"\nfr = "x"\n', 1, "braces"),
        ("[events.moved\n", 1, "line 1"),
    ],
)
def test_a_message_without_a_language_or_with_broken_braces_is_refused(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    with pytest.raises(DataError) as caught:
        catalogue(tmp_path, text)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_placeholders_are_the_facts_a_template_mentions() -> None:
    assert placeholders("no facts") == set()
    assert placeholders("{unit} to {hex}, again {unit}, {count} {count|hex|hexes}") == {
        "unit",
        "hex",
        "count",
    }
    for bad in ("{", "{{unit}}", "{count|hex}", "{count|hex|hexes|more}", "{0}", "{unit!r}", "{unit:>3}"):
        assert placeholders(bad) is None, bad


@pytest.mark.parametrize(
    ("language", "n", "said"),
    [
        ("en", 0, "0 hexes"),
        ("en", 1, "1 hex"),
        ("en", 2, "2 hexes"),
        ("fr", 0, "0 hexagone"),
        ("fr", 1, "1 hexagone"),
        ("fr", 2, "2 hexagones"),
    ],
)
def test_a_counted_noun_follows_its_number(tmp_path: Path, language: str, n: int, said: str) -> None:
    text = '[events.left]\nen = "{n} {n|hex|hexes}"\nfr = "{n} {n|hexagone|hexagones}"\n'
    texts = catalogue(tmp_path, text)
    assert texts.sentence("events", "left", {"n": n}, language, lambda name, value, lang: str(value)) == said
    assert Words(texts, language)("events", "left", n=n) == said


def test_a_door_that_forgets_a_fact_fails_loudly(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="unit"):
        Words(catalogue(tmp_path, GOOD), "en")("events", "moved")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("unit", "unit"),
        ("unit_lost", "unit"),
        ("units", "units"),
        ("units_target", "units"),
        ("hexes", "hexes"),
        ("hex_from", "hex"),
        ("points_left", "points"),
        ("word_kind", "word"),
        ("side", "side"),
        ("united", "plain"),
        ("count", "plain"),
        ("hexagon", "plain"),
    ],
)
def test_the_name_of_a_fact_says_what_it_is(name: str, kind: str) -> None:
    assert fact_kind(name) == kind
