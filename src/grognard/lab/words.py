"""The lab's texts, and numbers and tables as each language writes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from grognard.kernel.text import DoorWords
from grognard.lab.statistics import Interval, Rate

MONTHS = {
    "en": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
    "fr": (
        *("janvier", "février", "mars", "avril", "mai", "juin"),
        *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
    ),
}


class LabWords(DoorWords):
    """The lab's texts and numbers in one language."""

    file = Path(__file__).with_name("words.toml")

    def number(self, value: float, decimals: int = 0) -> str:
        shown = f"{value:.{decimals}f}"
        if float(shown) == 0:
            shown = shown.removeprefix("-")
        return shown.replace("-", "−").replace(".", "," if self.language == "fr" else ".")

    def signed(self, value: float, decimals: int = 1) -> str:
        return ("+" if value > 0 else "") + self.number(value, decimals)

    def short(self, value: float) -> str:
        """A number with a decimal only if it needs one."""
        return self.number(value, 0 if float(value).is_integer() else 1)

    def per_cent(self, share: float) -> str:
        return f"{self.number(100 * share)}\N{NO-BREAK SPACE}%"

    def p_value(self, p: float) -> str:
        if p < 0.0001:
            return "< " + self.number(0.0001, 4)
        return self.number(p, 4 if p < 0.01 else 2)

    def day(self, day: date) -> str:
        name = MONTHS[self.language][day.month - 1]
        number = "1er" if self.language == "fr" and day.day == 1 else str(day.day)
        return f"{number} {name} {day.year}"

    def of(self, found: Rate) -> str:
        """How often something happened, of how many times."""
        return self("results", "of", hits=found.hits, trials=found.trials)

    def between(self, interval: Interval) -> str:
        low, high = (self.number(100 * end) for end in interval)
        return self("results", "interval", low=low, high=high)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table that can be read on a terminal and pasted into a page."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(map(str.ljust, cells, widths)) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(head), rule, *map(line, rows)])
