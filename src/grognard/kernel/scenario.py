"""Scenarios and calendars, read from a game's files: scenarios/*.toml and tables/turns.csv.

A scenario file says what is the same for every game: its names, the turns it is played from and to, the
options it offers, how long it takes and how hard it is. What only the game itself understands (set-up, area,
victory) it reads from the same file by `Scenario.settings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from grognard.board import Board
from grognard.files import (
    DataError,
    Folder,
    Provenance,
    ProvenanceKind,
    Row,
    Settings,
    read_settings,
    read_table,
)

FOLDER = "scenarios"
LANGUAGES = ("en", "fr")
HARDEST = 3


class Turn(NamedTuple):
    """One space of the turn track."""

    number: int
    first_day: date
    last_day: date


class Option(NamedTuple):
    """A switch that the players of a scenario may set."""

    names: Mapping[str, str]
    case: str
    default: Any


class Scenario(NamedTuple):
    """One way to begin a game, and to end it."""

    id: str
    names: Mapping[str, str]
    options: Mapping[str, Option] = {}
    first: int = 1
    """The turns played, both included."""
    last: int = 1
    about: Mapping[str, str] = {}
    """What it is and who should play it, in a sentence or two."""
    minutes: int = 0
    """How long two people play who know the rules."""
    difficulty: int = 2
    """From 1, to learn the game with, to 3."""
    victory: Mapping[str, str] = {}
    """How it is won, in words, where that is not as the rulebook says."""
    points: Mapping[str, int] = {}
    """The lines of its own table of victory, if it has one."""
    digest: str = ""
    """A fingerprint of its files, as the rules use them."""
    provenance: Provenance | None = None
    settings: Settings | None = None
    """The whole file, for what only the game understands."""

    def defaults(self) -> dict[str, Any]:
        return {id_: option.default for id_, option in self.options.items()}


def _files(folder: Folder, pattern: str) -> list[str]:
    return sorted(f"{FOLDER}/{path.name}" for path in (folder.base / FOLDER).glob(pattern))


def read_scenarios(folder: Folder, game: Settings, turns: Sequence[Turn]) -> dict[str, Scenario]:
    """The scenarios of a game, in the order that their files give themselves."""
    options = {id_: _option(game, id_, entry) for id_, entry in game.data.get("options", {}).items()}
    found: list[tuple[int, Scenario]] = []
    for name in _files(folder, "*.toml"):
        settings = read_settings(folder, name)
        scenario = _scenario(settings, name, options, turns, _points(folder, settings))
        # The file and the tables beside it: a new scenario must not spoil the saves of another.
        digest = folder.digest(_files(folder, f"{scenario.id}*"))
        found.append((settings.get("order", int), scenario._replace(digest=digest)))
    if not found:
        raise DataError(folder.label(FOLDER), None, "a game needs at least one scenario")
    return {scenario.id: scenario for _, scenario in sorted(found, key=lambda each: (each[0], each[1].id))}


def _scenario(
    settings: Settings,
    name: str,
    options: Mapping[str, Option],
    turns: Sequence[Turn],
    points: Mapping[str, int],
) -> Scenario:
    known = {turn.number for turn in turns}
    first, last = settings.get("from", int), settings.get("to", int)
    if first > last or not {first, last} <= known:
        raise settings.error("to", f"turns {first} to {last} are not in the calendar")
    offered = settings.get("options", list, [])
    for id_ in offered:
        if id_ not in options:
            raise settings.error("options", f"the game has no option {id_!r}")
    difficulty = settings.get("difficulty", int)
    if not 1 <= difficulty <= HARDEST:
        raise settings.error("difficulty", f"difficulty goes from 1 to {HARDEST}")
    kind = settings.get("provenance", str)
    if kind not in {each.value for each in ProvenanceKind}:
        raise settings.error("provenance", f"no such provenance: {kind!r}")
    return Scenario(
        id=name.removeprefix(f"{FOLDER}/").removesuffix(".toml"),
        names=_texts(settings, "names"),
        options={id_: options[id_] for id_ in offered},
        first=first,
        last=last,
        about=_texts(settings, "about"),
        minutes=settings.get("minutes", int),
        difficulty=difficulty,
        victory=_victory(settings, points),
        points=points,
        provenance=Provenance(ProvenanceKind(kind), settings.get("source", str)),
        settings=settings,
    )


def area_of(scenario: Scenario, board: Board) -> int:
    """The hexes in play, as a set: all of them, or those between two corners that the scenario names."""
    if scenario.settings is None or "area" not in scenario.settings.data:
        return board.everywhere
    corners = scenario.settings.get("area", list)
    if len(corners) != 2 or not all(isinstance(c, str) and c.isdigit() and len(c) == 4 for c in corners):
        raise scenario.settings.error("area", "the area is given by the numbers of two hexes at its corners")
    (left, top), (right, bottom) = ((int(corner[:2]), int(corner[2:])) for corner in corners)
    inside = 0
    for cell, info in board.info.items():
        if left <= int(info.number[:2]) <= right and top <= int(info.number[2:]) <= bottom:
            inside |= 1 << cell
    if not inside:
        raise scenario.settings.error("area", "no hex lies between these corners")
    return inside


def _points(folder: Folder, settings: Settings) -> dict[str, int]:
    """The table of victory of a scenario: what is worth how much, and with how much one wins."""
    name = settings.get("victory_table", str, "")
    if not name:
        return {}
    columns = ("id", "points", "provenance", "source")
    rows = read_table(folder, f"{FOLDER}/{name}", columns, key=("id",))
    return {row.text("id"): row.integer("points", -1000, 1000) for row in rows if row.provenance()}


def _victory(settings: Settings, points: Mapping[str, int]) -> dict[str, str]:
    """The words about victory, with the numbers of the table in them."""
    if "victory" not in settings.data:
        return {}
    try:
        return {lang: text.format_map(points) for lang, text in _texts(settings, "victory").items()}
    except (KeyError, ValueError) as error:
        raise settings.error("victory", f"the table of victory has no line {error}") from None


def _texts(settings: Settings, key: str) -> dict[str, str]:
    texts: dict[str, str] = settings.get(key, dict)
    if any(not isinstance(texts.get(language), str) for language in LANGUAGES):
        raise settings.error(key, f"{key!r} should have texts in {' and '.join(LANGUAGES)}")
    return texts


def _option(game: Settings, id_: str, entry: Any) -> Option:
    if not isinstance(entry, dict) or any(
        not isinstance(entry.get(key), str) for key in (*LANGUAGES, "case")
    ):
        raise game.error(id_, f"option {id_!r} needs a case and a name in {' and '.join(LANGUAGES)}")
    return Option({lang: entry[lang] for lang in LANGUAGES}, entry["case"], entry.get("default", False))


def read_calendar(folder: Folder, name: str = "tables/turns.csv") -> tuple[Turn, ...]:
    """The turn track. A game may have further columns there."""
    found: list[Turn] = []
    for row in read_table(folder, name, ("turn", "first_day", "last_day"), key=("turn",), more=True):
        turn = Turn(row.integer("turn", 1, 1000), _day(row, "first_day"), _day(row, "last_day"))
        if turn.last_day < turn.first_day:
            raise row.error("a turn ends before it begins", "last_day")
        if found and (turn.number != found[-1].number + 1 or turn.first_day <= found[-1].last_day):
            raise row.error("turns follow each other in number and date", "turn")
        found.append(turn)
    return tuple(found)


def _day(row: Row, column: str) -> date:
    try:
        return date.fromisoformat(row.text(column))
    except ValueError:
        raise row.error(f"column {column!r} should be a date such as 1942-12-16", column) from None
