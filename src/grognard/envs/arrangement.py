"""Where the parts of a table go in the arrays of an observation. It follows from what the game declares, so
that shapes are known before anything is played."""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.kernel import Game
from grognard.kernel.table import (
    Area,
    Company,
    Count,
    Display,
    Flag,
    Holders,
    Markers,
    Part,
    PartKind,
    Pool,
    Table,
    Track,
)


class Shown(NamedTuple):
    """What the parts of a table come to, by the names of rows: hexes of planes, units of columns, numbers."""

    planes: dict[str, list[str]]
    units: dict[str, list[str]]
    numbers: dict[str, int]


class Arrangement:
    """The names of the rows that the parts of a game need."""

    def __init__(self, game: Game[Any]) -> None:
        self.planes: list[str] = []
        self.unit_sets: list[str] = []
        self.numbers: list[str] = []
        for kind in game.parts:
            for key in [f"{kind.id}:{side}" for side in kind.sides] or [kind.id]:
                self._add(game, kind, key)

    def _add(self, game: Game[Any], kind: PartKind, key: str) -> None:
        if kind.part in (Markers, Area):
            self.planes.append(key)
        elif kind.part is Holders:
            self.planes += [f"{key}:{side}" for side in game.sides]
        elif kind.part is Company:
            self.unit_sets.append(key)
        elif kind.part in (Count, Track, Flag):
            self.numbers.append(key)
        else:  # pools and displays
            values = game.values(kind.pieces) if kind.pieces else ()
            pieces = [game.write_argument(kind.pieces, value) for value in values]
            for group in kind.groups:
                if kind.part is Pool:
                    self.numbers.append(f"{key}/{group}:more")
                elif not kind.pieces:
                    self.unit_sets.append(f"{key}/{group}")
                self.numbers += [f"{key}/{group}:{piece}" for piece in pieces]

    def show(self, table: Table) -> Shown:
        """What lies on a table. What a side may not see is not on it, and gives zeros."""
        shown = Shown({}, {}, {})
        for part in table.parts:
            side = getattr(part, "side", None)
            _show(part, part.id if side is None else f"{part.id}:{side}", shown)
        return shown


def _show(part: Part, key: str, shown: Shown) -> None:
    if isinstance(part, Markers | Area):
        shown.planes[key] = list(part.hexes)
    elif isinstance(part, Holders):
        for number, side in part.hexes.items():
            shown.planes.setdefault(f"{key}:{side}", []).append(number)
    elif isinstance(part, Company):
        shown.units[key] = list(part.units)
    elif isinstance(part, Count | Track):
        shown.numbers[key] = part.value
    elif isinstance(part, Flag):
        shown.numbers[key] = int(part.on)
    elif isinstance(part, Pool):
        for group in part.groups:
            shown.numbers[f"{key}/{group.id}:more"] = group.more
            shown.numbers.update({f"{key}/{group.id}:{piece}": 1 for piece in group.pieces})
    elif isinstance(part, Display):
        for slot in part.slots:
            if slot.units:
                shown.units[f"{key}/{slot.id}"] = list(slot.units)
            shown.numbers.update({f"{key}/{slot.id}:{piece}": 1 for piece in slot.pieces})
