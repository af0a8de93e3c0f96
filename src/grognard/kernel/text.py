"""Sentences from codes and facts, in the reader's language."""

from __future__ import annotations

import re
import string
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
        """The sentence for a code. `render` turns one fact, by its name, into words."""
        words = {name: render(name, value, language) for name, value in facts.items()}
        return string.Formatter().vformat(self.template(section, code, language), (), _Missing(words))


def placeholders(template: str) -> set[str] | None:
    """The facts that a template mentions; None if it cannot be filled in."""
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        return None
    named = [(name, spec) for _, name, spec, _ in parts if name is not None]
    if not all(name.isidentifier() and not spec for name, spec in named):
        return None
    return {name for name, _ in named}


class Words:
    """A door's own texts in one language. A text that is missing is a mistake of ours, so it fails loudly."""

    def __init__(self, catalogue: Catalogue, language: str) -> None:
        self.catalogue = catalogue
        self.language = language

    def __call__(self, section: str, code: str, **facts: Any) -> str:
        if not self.catalogue.has(section, code):
            raise KeyError(f"{section}.{code}")
        return self.catalogue.template(section, code, self.language).format(**facts)

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


class _Missing(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return f"{{{key}}}"


def fact_kind(name: str) -> str:
    """What a fact is, from its name: `unit_lost` and `unit` are units, `hexes` are hexes."""
    match = re.match(r"(units|unit|hexes|hex|points|side|word)(_|$)", name)
    return match[1] if match else "plain"
