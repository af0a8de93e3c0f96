"""What history dates: places and days from a game's history.toml, looked for in the games that are played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from grognard.files import DataError, Folder, Settings, read_settings
from grognard.games.listing import game_folder
from grognard.hexes import UnknownHexError
from grognard.kernel import Event, Game
from grognard.kernel.events import Family

FILE = "history.toml"
COMING = frozenset({Family.MOVE, Family.ARRIVAL, Family.ADVANCE, Family.RETREAT})
"""Families of the events by which units come to stand in a hex."""


class DatedEvent(NamedTuple):
    """Something that happened on a known day: a side came to stand in a place, or left it."""

    id: str
    names: dict[str, str]
    side: int
    cells: frozenset[int]
    need: int
    """In how many of the hexes the side must have been the last to stand."""
    after: str
    """The event that must have happened before, if any: nobody retakes what was never lost."""
    day: date | None
    """None for what could have happened and did not."""
    turn: int | None
    source: str
    left: bool = False
    """Nobody of the side stands there any more when a turn ends."""
    already: frozenset[str] = frozenset()
    """The scenarios that begin after it, though nobody may stand there."""


class History:
    """The dated events of a game, in the order of their days."""

    def __init__(self, game: Game[Any], folder: Folder | None = None) -> None:
        folder = game_folder(game.id) if folder is None else folder
        self.events: tuple[DatedEvent, ...] = ()
        self.digest = ""
        if not (folder.base / FILE).is_file():
            return
        settings = read_settings(folder, FILE)
        self.digest = hashlib.sha256(folder.text(FILE).encode()).hexdigest()[:16]
        lines = settings.data.get("events", [])
        found = [_dated(game, settings, line) for line in lines]
        ids = [event.id for event in found]
        for event in found:
            if ids.count(event.id) > 1:
                raise settings.error(event.id, f"event {event.id!r} is told twice")
            if event.after and event.after not in ids:
                raise settings.error(event.id, f"{event.id} comes after {event.after!r}, which is not told")
        self.events = tuple(sorted(found, key=lambda event: (event.day or date.max, ids.index(event.id))))


def _dated(game: Game[Any], settings: Settings, line: Any) -> DatedEvent:
    name = str(line.get("id", "")) if isinstance(line, dict) else ""
    kinds: dict[str, type] = {"id": str, "en": str, "fr": str, "side": str, "hexes": list, "source": str}
    if not (isinstance(line, dict) and line.get("never") is True):
        kinds["date"] = date
    for key, kind in kinds.items():
        if not isinstance(line, dict) or not isinstance(line.get(key), kind):
            raise settings.error(name or "events", f"event {name!r}: {key!r} is missing or of the wrong kind")
    if line["side"] not in game.sides:
        raise settings.error(name, f"event {name!r}: there is no side {line['side']!r}")
    try:
        cells = frozenset(game.board.cell(str(number)) for number in line["hexes"])
    except UnknownHexError as error:
        raise settings.error(name, f"event {name!r}: {error}") from None
    day = line.get("date")
    return DatedEvent(
        id=name,
        names={"en": line["en"], "fr": line["fr"]},
        side=game.sides.index(line["side"]),
        cells=cells,
        need=int(line.get("need", 1)),
        after=str(line.get("after", "")),
        day=day,
        turn=None if day is None else turn_of(game, day),
        source=line["source"],
        left=line.get("left") is True,
        already=frozenset(line.get("already", ())),
    )


def turn_of(game: Game[Any], day: date) -> int:
    """The turn in whose days a date falls, by the game's calendar."""
    for turn in game.turns:
        if turn.first_day <= day <= turn.last_day:
            return turn.number
    raise DataError(f"{game.id}/{FILE}", None, f"{day} falls in none of the game's turns")


def first_day(game: Game[Any], turn: int) -> date | None:
    """The first day of a turn, if the game has a calendar."""
    return next((each.first_day for each in game.turns if each.number == turn), None)


class DateWatch:
    """Follows one game and notes the turn of each dated event."""

    def __init__(self, history: History, standing: Iterable[tuple[int, int]], scenario: str = "") -> None:
        """`standing`: (side, cell) of everybody when the game begins."""
        self._events = history.events
        self._watched = frozenset().union(*(event.cells for event in history.events))
        self._last: dict[int, int] = {}
        self._been: set[tuple[int, int]] = set()
        self.turns = {event.id: 0 for event in history.events if scenario in event.already}
        for side, cell in standing:
            self.came(0, side, cell)

    def came(self, turn: int, side: int, cell: int) -> None:
        """A unit of a side has come to a hex."""
        if cell not in self._watched:
            return
        self._last[cell] = side
        self._been.add((side, cell))
        for event in self._events:
            if event.id in self.turns or event.left or event.side != side or cell not in event.cells:
                continue
            if event.after and event.after not in self.turns:
                continue
            if sum(self._last.get(one) == side for one in event.cells) >= event.need:
                self.turns[event.id] = turn

    def turn_over(self, turn: int, standing: Iterable[tuple[int, int]]) -> None:
        """`standing`: (side, cell) of everybody when a turn ends."""
        there = set(standing)
        for event in self._events:
            places = {(event.side, cell) for cell in event.cells}
            if event.left and places & self._been and not places & there:
                self.turns.setdefault(event.id, turn)


def comings(game: Game[Any], events: Sequence[Event]) -> Iterable[tuple[int, tuple[int, ...], int]]:
    """(turn, units, cell) each time units come to stand somewhere."""
    turn = 0
    for event in events:
        family = game.family(event)
        if family is Family.TURN:
            turn = int(event.facts["turn"])
        elif family in COMING and "hex" in event.facts:
            units = event.facts.get("units") or (event.facts["unit"],)
            yield turn, tuple(units), event.facts["hex"]
