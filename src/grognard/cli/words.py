"""The command line's own words, in the reader's language."""

from __future__ import annotations

import os
import unicodedata
from functools import cache
from pathlib import Path

from grognard.files import Folder
from grognard.kernel import text
from grognard.kernel.text import LANGUAGES, Catalogue


@cache
def _catalogue() -> Catalogue:
    return Catalogue((Folder(Path(__file__).parent), "words.toml"))


class Words(text.Words):
    """The command line's texts."""

    def __init__(self, language: str) -> None:
        super().__init__(_catalogue(), language)


def usual_language() -> str:
    """The language of this machine's user, by the usual variables."""
    for name in ("GROGNARD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")[:2].lower()
        if value in LANGUAGES:
            return value
        if value:
            break
    return "en"


def unaccented(typed: str) -> str:
    """Lower case without accents, as people type commands."""
    parts = unicodedata.normalize("NFD", typed.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))
