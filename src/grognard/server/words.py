"""What the table says by itself, in the reader's language."""

from __future__ import annotations

from pathlib import Path

from grognard.kernel.text import DoorWords


class PageWords(DoorWords):
    """The table's texts."""

    file = Path(__file__).parent / "text" / "table.toml"
