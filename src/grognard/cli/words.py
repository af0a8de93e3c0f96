"""The command line's own words, in the reader's language."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

from grognard.kernel.text import LANGUAGES, DoorWords


class TerminalWords(DoorWords):
    """The command line's texts."""

    file = Path(__file__).with_name("words.toml")


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
