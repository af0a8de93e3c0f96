"""Sentences from codes and facts, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from grognard.files import Folder, read_settings

LANGUAGES = ("en", "fr")

_COMMON = Folder(Path(__file__).parent)


class Catalogue:
    """The messages of a game on top of the kernel's own. Each is a template per language."""

    def __init__(self, *folders_and_names: tuple[Folder, str]) -> None:
        self._texts: dict[str, dict[str, dict[str, str]]] = {}
        for folder, name in ((_COMMON, "messages.toml"), *folders_and_names):
            settings = read_settings(folder, name)
            for section, entries in settings.data.items():
                if not isinstance(entries, dict):
                    raise settings.error(section, f"{section} is not a section of messages")
                for code, texts in entries.items():
                    for language in LANGUAGES:
                        if not isinstance(texts, dict) or not isinstance(texts.get(language), str):
                            raise settings.error(code, f"{section}.{code} has no {language!r} text")
                        if placeholders(texts[language]) is None:
                            raise settings.error(code, f"{section}.{code}: the braces are wrong")
                    self._texts.setdefault(section, {})[code] = dict(texts)

    def has(self, section: str, code: str) -> bool:
        return code in self._texts.get(section, {})

    def codes(self, section: str) -> list[str]:
        return list(self._texts.get(section, {}))

    def template(self, section: str, code: str, language: str) -> str:
        texts = self._texts.get(section, {}).get(code)
        return code if texts is None else texts[language]

    def sentence(
        self,
        section: str,
        code: str,
        facts: Mapping[str, Any],
        language: str,
        render: Callable[[str, Any, str], str],
    ) -> str:
        """The sentence for a code. `render` turns a fact into words; no full stop is set twice."""
        template = self.template(section, code, language)
        words = fill(template, facts, language, lambda name: render(name, facts[name], language))
        return words.replace("..", ".")


_FIELD = re.compile(r"\{([A-Za-z_][\w-]*)(?:\|([^{}|]*)\|([^{}|]*))?\}")
"""A fact, `{count}`; or one of two words by the number of a fact, `{count|unit|units}`."""


def fill(template: str, facts: Mapping[str, Any], language: str, word: Callable[[str], str]) -> str:
    """A template with its facts filled in, each in the words that `word` finds for its name. A fact that is
    missing stays in its braces, where a test finds it."""

    def field(match: re.Match[str]) -> str:
        name, one, other = match.groups()
        if name not in facts:
            return match[0]
        if one is None:
            return word(name)
        return one if is_singular(facts[name], language) else other

    return _FIELD.sub(field, template)


def is_singular(count: int | float | str, language: str) -> bool:
    """Whether a counted noun stands in the singular: in French below two, in English for one alone."""
    number = abs(float(count))
    return number < 2 if language == "fr" else number == 1


def placeholders(template: str) -> set[str] | None:
    """The facts that a template mentions; None if it cannot be filled in."""
    if set(_FIELD.sub("", template)) & set("{}"):
        return None
    return {match[1] for match in _FIELD.finditer(template)}


class Words:
    """A door's own texts in one language. A text that is missing is a mistake of ours, so it fails loudly."""

    def __init__(self, catalogue: Catalogue, language: str) -> None:
        self.catalogue = catalogue
        self.language = language

    def __call__(self, section: str, code: str, **facts: Any) -> str:
        if not self.catalogue.has(section, code):
            raise KeyError(f"{section}.{code}")
        template = self.catalogue.template(section, code, self.language)
        if missing := (placeholders(template) or set()) - set(facts):
            raise KeyError(f"{section}.{code}: {', '.join(sorted(missing))}")
        return fill(template, facts, self.language, lambda name: str(facts[name]))

    def codes(self, section: str) -> list[str]:
        return self.catalogue.codes(section)


class DoorWords(Words):
    """Texts that a door keeps in a file of its own."""

    file: ClassVar[Path]

    def __init__(self, language: str) -> None:
        super().__init__(_catalogue_in(self.file), language)


@cache
def _catalogue_in(file: Path) -> Catalogue:
    return Catalogue((Folder(file.parent), file.name))


@cache
def fact_kind(name: str) -> str:
    """What a fact is, from its name: `unit_lost` and `unit` are units, `hexes` are hexes."""
    return match[1] if (match := re.match(r"(units|unit|hexes|hex|points|side|word)(_|$)", name)) else "plain"


def signed(value: int) -> str:
    """A number with its sign, as printers set it."""
    return f"{value:+d}".replace("-", "−")
