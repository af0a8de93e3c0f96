"""The command line's own words, in the reader's language."""

from __future__ import annotations

import os
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from grognard.files import Folder
from grognard.kernel.text import LANGUAGES, Catalogue


@cache
def _catalogue() -> Catalogue:
    return Catalogue((Folder(Path(__file__).parent), "words.toml"))


class Words:
    """Texts by section and code. A text that is missing is a mistake of ours, so it fails loudly."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, section: str, code: str, **facts: Any) -> str:
        if not _catalogue().has(section, code):
            raise KeyError(f"{section}.{code}")
        return _catalogue().template(section, code, self.language).format(**facts)

    def codes(self, section: str) -> list[str]:
        return _catalogue().codes(section)


def usual_language() -> str:
    """The language of this machine's user, by the usual variables."""
    for name in ("GROGNARD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")[:2].lower()
        if value in LANGUAGES:
            return value
        if value:
            break
    return "en"


def unaccented(text: str) -> str:
    """Lower case without accents, as people type commands."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))
