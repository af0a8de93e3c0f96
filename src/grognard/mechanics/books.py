"""What a game on a hex map reads from its files: the board, numbers, the calendar, tables of named values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from grognard.board import Board, load_board
from grognard.files import DataError, Folder, Row, read_table
from grognard.kernel.scenario import read_calendar
from grognard.mechanics.counters import land_hex
from grognard.mechanics.numbers import Numbers

MAP = ("map/map.toml", "map/hexes.csv", "map/sides.csv")


class MapData:
    """Everything that does not change during a game. A game's data are a subclass that reads its tables."""

    water: tuple[str, ...] = ()
    """Terrain on which no unit stands."""
    needed: tuple[str, ...] = ()
    """The single numbers that the rules ask for."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.board: Board = load_board(folder.sub("map"))
        self.numbers = Numbers(folder, "tables/numbers.csv")
        self.need("tables/numbers.csv", "number", self.needed, self.numbers)
        self.calendar = read_calendar(folder)
        tables = (f"tables/{path.name}" for path in folder.base.glob("tables/*.csv"))
        self.digest = folder.digest(("game.toml", *tables, *MAP))

    def need(self, file: str, what: str, names: Iterable[str], found: Collection[str]) -> None:
        for name in names:
            if name not in found:
                raise DataError(self.folder.label(file), None, f"the {what} {name!r} is missing")

    def table(self, name: str, *columns: str, keys: int = 1) -> list[Row]:
        """The rows of a table, which their first columns tell apart. Each must say where it comes from."""
        columns = (*columns, "provenance", "source")
        rows = read_table(self.folder, f"tables/{name}.csv", columns, key=columns[:keys])
        for row in rows:
            row.provenance()
        return rows

    def lines(self, name: str, names: Iterable[str], low: int, high: int) -> dict[str, int]:
        """A table of points by name."""
        rows = self.table(name, "id", "points")
        points = {row.text("id"): row.integer("points", low, high) for row in rows}
        self.need(f"tables/{name}.csv", "line", names, points)
        return points

    def terrain(self, names: Iterable[str], *columns: str) -> dict[str, Row]:
        """The terrain chart: a row for every terrain on the map but water, and for what else it must name."""
        rows = {row.text("id"): row for row in self.table("terrain", "id", *columns)}
        self.on_map = {info.terrain for info in self.board.info.values()} - {*self.water}
        self.need("tables/terrain.csv", "terrain", [*sorted(self.on_map), *names], rows)
        return rows

    def hex(self, row: Row, number: str) -> int:
        return land_hex(self.board, row, number, self.water)

    def first_side_first(
        self, units: Sequence[Any], rows: Sequence[Row], first: Mapping[str, bool]
    ) -> list[Any]:
        """The units of the first side, then the others: a unit's side is then a comparison. No hex is set up
        with units of both."""
        sides = {unit.setup: first[unit.id] for unit in units}
        for unit, row in zip(units, rows, strict=True):
            if unit.setup >= 0 and sides[unit.setup] != first[unit.id]:
                raise row.error(f"hex {row.text('setup')} is set up with units of both sides")
        return sorted(units, key=lambda unit: not first[unit.id])
