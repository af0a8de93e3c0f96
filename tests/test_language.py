"""The words that players read, in every file that holds some: typography, plurals, and nothing that could
break when a unit of another gender or a number of another size is filled in.

The files are found by walking, so that a game to come is held to the same. French: typographic apostrophes,
guillemets with no-break spaces, a no-break space before ; : ! ? % and between a number and its unit. English:
curly quotes and apostrophes, no space before %.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grognard.kernel.text import LANGUAGES, is_singular, placeholders

SOURCES = Path(__file__).parents[1] / "src" / "grognard"

NARROW, FIXED = "\u202f", "\u00a0"

NOT_PROSE = {
    ("cli/words.toml", "map.legend"): "a key of signs, some of them quotes",
    ("cli/words.toml", "commands"): "words to type",
    ("cli/words.toml", "errors"): "holds a line to type",
    ("cli/words.toml", "map.no-renderer"): "holds a line to type",
}
"""Texts that are exempt from the rules on signs, each with its reason."""


class Text(NamedTuple):
    file: str
    key: str
    language: str
    words: str

    @property
    def where(self) -> str:
        return f"{self.file} {self.key} ({self.language})"


def texts() -> list[Text]:
    return [*_from_settings(), *_from_tables(), *_from_books()]


@cache
def _texts() -> tuple[Text, ...]:
    return tuple(texts())


def prose(language: str) -> Iterator[Text]:
    for text in _texts():
        if text.language != language:
            continue
        exempt = {(text.file, text.key), (text.file, text.key.split(".")[0])}
        if not exempt & set(NOT_PROSE):
            yield text._replace(words=re.sub(r"`[^`]*`|--\w[\w-]*", "code", text.words))


def _from_settings() -> Iterator[Text]:
    for path in sorted(SOURCES.rglob("*.toml")):
        yield from _in(
            path.relative_to(SOURCES).as_posix(), "", tomllib.loads(path.read_text(encoding="utf-8"))
        )


def _in(file: str, key: str, value: Any) -> Iterator[Text]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _in(file, f"{key}[{number}]", item)
    elif isinstance(value, dict):
        for name, item in value.items():
            language = name if name in LANGUAGES else name[-2:] if name[-3:] in ("_en", "_fr") else ""
            if isinstance(item, str) and language:
                yield Text(
                    file, key if name in LANGUAGES else f"{key}.{name[:-3]}".lstrip("."), language, item
                )
            else:
                yield from _in(file, f"{key}.{name}".lstrip("."), item)


def _from_tables() -> Iterator[Text]:
    for path in sorted(SOURCES.glob("games/**/*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for line, row in enumerate(csv.DictReader(file), 2):
                for name, cell in row.items():
                    if name and name[-3:] in ("_en", "_fr") and cell:
                        yield Text(
                            path.relative_to(SOURCES).as_posix(), f"{line}.{name[:-3]}", name[-2:], cell
                        )


def _from_books() -> Iterator[Text]:
    french = re.compile(r"\*\*(Titre|Question \(fr\)|Décision|Motif)\*\*: ")
    for path in sorted(SOURCES.glob("games/**/*.md")):
        for line, words in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            language = "fr" if ".fr." in path.name or french.match(words) else "en"
            plain = re.sub(r"^#+ |\*\*|^\|[-: |]+\|$", "", french.sub("", words))
            if plain.strip():
                yield Text(path.relative_to(SOURCES).as_posix(), f"line {line}", language, plain)


def wrong(language: str, pattern: str) -> list[str]:
    return [f"{text.where}: {text.words}" for text in prose(language) if re.search(pattern, text.words)]


def test_the_walk_finds_every_kind_of_text() -> None:
    found = {text.file for text in _texts()}
    assert {
        "kernel/messages.toml",
        "server/text/page.toml",
        "cli/words.toml",
        "lab/words.toml",
        "games/listing.toml",
        "games/leningrad/text/messages.toml",
        "games/leningrad/map/map.toml",
        "games/leningrad/map/hexes.csv",
        "games/leningrad/tables/units.csv",
        "games/leningrad/text/rules.fr.md",
        "games/leningrad/rulings.md",
    } <= found
    assert {text.language for text in _texts() if text.file == "games/leningrad/rulings.md"} == set(LANGUAGES)
    assert len(_texts()) > 3000


# Signs

NO_SPACE = r"(?<!Nuts)(?<!Typhoon)(?<=[\w)»}])[;?!](?=\s|$)"
"""A publisher and a game have names that end with an exclamation mark."""


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a straight apostrophe", r"\w'\w|\w' "),
        ("a straight or an English quote", r'"|“|”'),
        (
            "an ordinary space before a sign that asks for a no-break space",
            r" [;:!?%»]",
        ),
        ("no space before ; or ? or !", NO_SPACE),
        ("no space before :", r"[A-Za-zéèêàç)»}]:(?=\s|$)"),
        ("no no-break space inside guillemets", r"«(?!\u00a0)|(?<!\u00a0)»"),
        ("an ordinary space between a number and its unit", r"[\d½}] (?:PM|PV|km|%)(?!\w)"),
        ("a double space", r"(?<=\S)[ \u00a0]{2,}(?=\S)"),
        ("1ère, 2ème", r"\d(?:ère|ème|ières|ièmes)\b"),
        ("three dots that are a quotation of nothing", r"\.\.\.\."),
    ],
)
def test_french_signs(what: str, pattern: str) -> None:
    assert wrong("fr", pattern) == [], what


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a straight apostrophe", r"\w'\w|s' "),
        ("a straight quote", r'"'),
        ("a space before a sign", r"\w [;:!?%](?!\w)"),
        ("a double space", r"(?<=\S)[ \u00a0]{2,}(?=\S)"),
        ("a French quote", r"«|»"),
    ],
)
def test_english_signs(what: str, pattern: str) -> None:
    assert wrong("en", pattern) == [], what


def test_capitals_keep_their_accents() -> None:
    assert (
        wrong("fr", r"\b(?:Elimination|Etape|Etat|Ecrasement|A (?:jouer|partir|distance|la|chaque)\b)") == []
    )


# Facts


@pytest.mark.parametrize("language", LANGUAGES)
def test_braces_can_be_filled_in(language: str) -> None:
    for text in _texts():
        if text.language == language and text.file.endswith(".toml"):
            assert placeholders(text.words) is not None, text.where


def test_both_languages_use_the_same_facts() -> None:
    pairs: dict[tuple[str, str], dict[str, set[str] | None]] = {}
    for text in _texts():
        if text.file.endswith(".toml"):
            pairs.setdefault((text.file, text.key), {})[text.language] = placeholders(text.words)
    for where, facts in pairs.items():
        assert set(facts) == set(LANGUAGES), f"{where} lacks a language"
        assert facts["en"] == facts["fr"], where


# Counts


def test_no_pair_of_codes_for_one_and_many() -> None:
    assert [text.where for text in _texts() if re.search(r"-(?:one|many|singular|plural)\b", text.key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_plural_in_brackets(language: str) -> None:
    assert wrong(language, r"\w\((?:s|es|e|x|nt)\)") == []


COUNTED = {
    "en": r"(?:units|hexes|games|chits|steps|points|decisions|draws|turns|forts|hits|attacks|columns)",
    "fr": r"(?:unités|hexagones|parties|pions|points|décisions|tirages|tours|forts|attaques|colonnes)",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_noun_after_a_number_follows_it(language: str) -> None:
    """`{n} units` breaks for one; `{n} {n|unit|units}` and `Units: {n}` do not."""
    assert wrong(language, rf"\{{[\w-]+\}}[ {FIXED}]{COUNTED[language]}\b") == []


def test_a_chosen_word_has_both_forms_and_they_differ() -> None:
    for text in _texts():
        for name, one, other in re.findall(r"\{(\w+)\|([^{}|]*)\|([^{}|]*)\}", text.words):
            assert one and other and one != other, f"{text.where}: {name}"
            assert f"{{{name}}}" in text.words, f"{text.where}: {name} is counted and not shown"


def test_singular_and_plural() -> None:
    assert [is_singular(n, "en") for n in (0, 1, 1.5, 2, 10)] == [False, True, False, False, False]
    assert [is_singular(n, "fr") for n in (0, 1, 1.5, 2, 10)] == [True, True, True, False, False]


# Units and sides: a division is feminine, a corps and an HQ are masculine, and their names have no article

AGREEING = r"[a-zé-ü]+(?:é|ée|és|ées|i|ie|is|ies|u|ue|us|ues|it|ite|ert|erte|ise|ises)\b"
"""A word that looks like a participle."""

NOT_PARTICIPLES = r"(?!(?:au|du|ici|aussi|ainsi|parmi|celui|plus|puis|depuis|lui|qui|une|sous|jamais)\b)"

UNIT = r"\{units?(?:_\w+)?\}(?:, [^,]*,)?"

BE = r"(?:n’)?(?:est|sont|était|étaient|sera|serait|seraient)(?: pas| plus| déjà| aussi| encore)*"

FORBIDDEN = {
    "être with a participle": f"{UNIT} {BE} {NOT_PARTICIPLES}{AGREEING}",
    "a passive infinitive": rf"{UNIT} (?:ne )?(?:peut|doit|peuvent|doivent)(?: pas| plus)? être \w+é",
    "a reflexive participle": rf"{UNIT} (?:ne )?s’(?:est|était|sont)",
    "a pronoun": rf"{UNIT}[^.;:]*\b(?:elle|elles|il|ils)\b",
    "an adjective in apposition": r"\{units?(?:_\w+)?\}, (?:\w+ée?s?|réduite?)\b",
    "adjacent, voisin, seul": rf"{UNIT}[^.;:]* {BE} [^.;:]*(?:adjacente?|voisine?|(?<!la )seule?)s?\b",
    "a side as a subject": r"(?:^|[.:;] )\{side\} (?:a|est|réfléchit|joue|demande|gagne|attend|doit|peut)\b",
    "an article before a hex": r"\b(?:le|l’|du|au|un) ?\{hex(?:_\w+)?\}",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_nothing_agrees_with_a_unit_or_a_side(what: str) -> None:
    found = [
        f"{text.where}: {text.words}"
        for text in prose("fr")
        if "{" in text.words and re.search(FORBIDDEN[what], text.words)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("être with a participle", "{unit} est éliminée en {hex}."),
        ("être with a participle", "{unit} n’est pas activée : trop loin."),
        ("a passive infinitive", "{unit} ne peut pas être déposée."),
        ("a reflexive participle", "{unit} s’est déjà déplacée."),
        ("a pronoun", "{unit} doit continuer aussi loin qu’elle le peut."),
        ("an adjective in apposition", "{unit}, repliée en {hex}, disparaît."),
        ("adjacent, voisin, seul", "{unit} n’est pas voisine de {hex}."),
        ("a side as a subject", "{side} réfléchit"),
        ("an article before a hex", "le {hex} est libre"),
    ],
)
def test_the_patterns_know_what_they_forbid(what: str, text: str) -> None:
    assert re.search(FORBIDDEN[what], text)


@pytest.mark.parametrize(
    "text",
    ["{unit} est en {hex}.", "{unit} est un QG.", "{unit} a déjà bougé.", "Élimination de {unit} en {hex}."],
)
def test_the_patterns_leave_good_sentences_alone(text: str) -> None:
    assert not any(re.search(pattern, text) for pattern in FORBIDDEN.values())


ENGLISH_METAPHORS = r"\b(?:in hand|take up|set down|change of hands|hex set free|stack in hand)\b"


def test_english_has_no_verb_that_depends_on_how_many_units_there_are() -> None:
    assert wrong("en", r"\{units\} (?:attack|attacks|move|moves|is|are|was|were|has|have)\b") == []
    assert wrong("en", ENGLISH_METAPHORS) == []
