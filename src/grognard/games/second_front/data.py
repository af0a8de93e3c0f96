"""What is read for a game beside its books and charts: the calendar of turns, garrisons, and the words of the
charts, which the exhibit has already."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

from grognard.files import Folder, read_settings, read_table
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.garrisons import Garrison
from grognard.games.second_front.units import SIDES
from grognard.kernel.scenario import Turn
from grognard.kernel.text import LANGUAGES, Catalogue

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
SECOND_HALF = 16
"""The day of a month on which its second turn begins."""


def calendar() -> tuple[Turn, ...]:
    """Turns of half a month (1)."""
    found = []
    for number, row in enumerate(charts()["calendar"].records, 1):
        month, half, year = str(row["name"]).split()
        first = date(1900 + int(year), MONTHS.index(month) + 1, 1 if half == "I" else SECOND_HALF)
        if half == "I":
            last = first.replace(day=SECOND_HALF - 1)
        else:
            last = first.replace(day=monthrange(first.year, first.month)[1])
        found.append(Turn(number, first, last))
    return tuple(found)


def slug(name: str) -> str:
    """Metropolitan France/Benelux -> metropolitan-france-benelux."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def garrisons() -> tuple[Garrison, ...]:
    """37E: the boxes of garrisons and the districts that each watches over."""
    return tuple(
        Garrison(
            str(row["id"]),
            SIDES.index(str(row["side"])),
            tuple(str(row["joins"]).replace("district_", "").split("|")),
        )
        for row in charts()["boxes"].records
        if row["kind"] == "garrison" and row["joins"]
    )


def data_files(folder: Folder) -> list[str]:
    """What decides a game: the map, the books and the charts."""
    found = sorted(
        f"{part}/{path.name}"
        for part in ("map", "oob", "tables")
        for path in (folder.base / part).glob("*.csv")
    )
    return [name for name in found if not name.endswith("sources.csv")]


class FrontCatalogue(Catalogue):
    """The sentences of the game, and the words of its charts and of its kinds of units."""

    def __init__(self, folder: Folder, *names: str) -> None:
        super().__init__(*((folder, name) for name in names))
        for section, code, texts in (*_chart_words(folder), *_kinds(folder)):
            self._texts.setdefault(section, {}).setdefault(code, texts)

    def template(self, section: str, code: str, language: str) -> str:
        """10C: with a modifier of armour goes the share of RE that brings it: `armour 3/7`."""
        name, _, share = code.partition(" ")
        if section == "shifts" and share:
            return f"{super().template(section, name, language)} ({share})"
        return super().template(section, code, language)


Entry = tuple[str, str, dict[str, str]]


def _chart_words(folder: Folder) -> Iterator[Entry]:
    about = read_settings(folder, "exhibit.toml").data
    for chart in about["charts"]:
        yield "tables", str(chart["table"]).removeprefix("tables/"), _said(chart)
    for column, names in about["columns"].items():
        yield "columns", column, _said(names)
    for text, names in _words(folder).items():
        yield "rows", text, names


def _said(names: dict[str, Any]) -> dict[str, str]:
    return {language: str(names[language]) for language in LANGUAGES}


@cache
def _words(folder: Folder) -> dict[str, dict[str, str]]:
    """What cells of books and charts are called."""
    rows = read_table(folder, "words.csv", ["text", *(f"said_{language}" for language in LANGUAGES)])
    return {
        row.text("text"): {language: row.text(f"said_{language}") for language in LANGUAGES} for row in rows
    }


def _kinds(folder: Folder) -> Iterator[Entry]:
    """3A2: the types of units by their names in the identification chart."""
    known = _words(folder)
    for row in charts()["unit_types"].records:
        name = str(row["name"])
        yield "kinds", str(row["id"]), known.get(name, dict.fromkeys(LANGUAGES, name))
