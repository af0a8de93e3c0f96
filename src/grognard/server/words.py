"""What the table says by itself, in the reader's language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from grognard.files import Folder
from grognard.kernel import text
from grognard.kernel.text import Catalogue


@cache
def _catalogue() -> Catalogue:
    return Catalogue((Folder(Path(__file__).parent), "text/table.toml"))


class Words(text.Words):
    """The table's texts."""

    def __init__(self, language: str) -> None:
        super().__init__(_catalogue(), language)
