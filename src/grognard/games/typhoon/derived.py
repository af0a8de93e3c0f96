"""What follows from Typhoon!'s data alone, worked out once when the game is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.board.board import bits
from grognard.games.typhoon.data import NO_STEPS, SCENARIOS, Unit, charts, numbers
from grognard.games.typhoon.outlines import Outline, printed_cells, read_outline
from grognard.games.typhoon.rules.phases import BY_HQ, NONE, in_motorised_phase
from grognard.games.typhoon.rules.stacking import check
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState

NORTH_GATES = {"N": 48, "M": 30}
"""17.4.2 by ruling: how far the north edge of each sheet is open to divisions that leave."""
NORTH_ROWS = 20
"""17.4.2 by ruling: Army Group North and the North-West Front stay in these rows before the offensive."""
VORONEZH_FROM = 54
"""17.4.3 by ruling: the column from which the south edge of P leads to Voronezh."""


class Flyer(NamedTuple):
    """An air unit (11.1.1)."""

    id: str
    side: int
    names: dict[str, str]
    kind: str
    """fighter, bomber or decoy."""
    combat: int
    """2.4 Its air combat value."""
    support: int
    """Its close air support value."""
    moscow: bool
    """13.7.1"""
    low: bool
    """Dive bombers and ground attack aircraft, at which anti-aircraft fire is better."""


class TyphoonTables:
    """Units, air units and scenarios as the rules ask for them: by number and as sets."""

    board: Board
    units: Sequence[Unit]

    def derive(self) -> None:
        units = self.units
        self.numbers = numbers()
        self.axis_units = sum(u.side == "axis" for u in units)
        self.units_of = (bits(range(self.axis_units)), bits(range(self.axis_units, len(units))))
        self.hqs = self._set(lambda u: u.kind == "hq")
        self.guns = self._set(lambda u: u.kind == "artillery")
        self.armour = self._set(lambda u: u.armour)
        self.motorised = self._set(lambda u: u.motorised)
        self.supplies = self._set(lambda u: u.kind in NO_STEPS)
        """6.5.3 Supply counters: no combat units."""
        self.trains = self._set(lambda u: u.kind == "armoured_train")
        self.engineers = self._set(lambda u: u.kind == "engineer")
        self.divisions = self._set(lambda u: u.division)
        self.guards = self._set(lambda u: u.guards)
        self.nkvd = self._set(lambda u: u.nkvd)
        self.immobile = self._set(lambda u: not u.movement)
        self.not_motorised = self._set(lambda u: in_motorised_phase(u) == NONE)
        """7.5.1 Who never moves in the motorised phase, and who does when a headquarters activates him."""
        self.by_hq = self._set(lambda u: in_motorised_phase(u) == BY_HQ)
        self.substitutes = self._set(lambda u: u.formation == "generic")
        """15.3.4"""
        self.elements = self._elements()
        self.flyers = flyers()
        self.flyer_index = {flyer.id: n for n, flyer in enumerate(self.flyers)}
        for id_ in SCENARIOS:
            check(id_)
        self.outlines = {
            id_: read_outline(id_, self.board, units, list(self.flyer_index)) for id_ in SCENARIOS
        }
        self._derive_ground()
        self.discs: dict[tuple[int, int], int] = {}

    def _set(self, holds: object) -> int:
        assert callable(holds)
        return bits(n for n, unit in enumerate(self.units) if holds(unit))

    def _elements(self) -> dict[str, tuple[int, ...]]:
        """9.2.3 The elements of each panzer and motorised division of the Axis."""
        found: dict[str, tuple[int, ...]] = {}
        for n, unit in enumerate(self.units[: self.axis_units]):
            name = unit.formation.split(" / ")[0]
            mobile = unit.motorised and unit.kind in ("armour", "motorised", "recon")
            if mobile and (name.endswith(" Div") or name.startswith("SS ")):
                found[name] = (*found.get(name, ()), n)
        return found

    def _derive_ground(self) -> None:
        board = self.board
        self.rails = board.side_masks("rail")
        self.on_rail = _touched(board, self.rails)
        self.on_road = _touched(board, board.side_masks("motorway", "main_road", "road"))
        self.woods = board.with_feature("woods")
        self.hills = board.with_terrain("hills")
        self.cities = board.with_feature("city")
        self.major_cities = board.with_feature("major_city")
        self.villages = board.with_feature("village")
        self.lines = board.with_feature("fortified_line")
        """12.2.1 Hexes of fortified lines."""
        self.moscow = bits(
            c for c in board.cells if self.major_cities >> c & 1 and board.name(c, "en") == "Moscow"
        )
        self.near_moscow = self.moscow | board.spread(self.moscow)
        """13.6.4 Moscow and the hexes beside it."""
        self.west = _edge(board, ("N", "P"), 10)
        """14.1.3a, 14.1.4a, 14.1.4b The edges by which units enter."""
        self.east = _edge(board, ("M",), 48) | _edge(board, ("P",), 70)
        self.south = _south(board)
        roads = self.on_rail | self.on_road
        self.north_gates = _row_one(board, NORTH_GATES) & roads
        """17.4.2, 17.4.3 The hexes by which divisions may leave the map (by ruling)."""
        self.south_gates = (_edge(board, ("P",), 70) | _south(board, VORONEZH_FROM)) & roads
        self.north_rows = bits(
            c for sheet in ("N", "M") for c, _, row in printed_cells(board, sheet) if row <= NORTH_ROWS
        )
        self.contacts = {c: bits(board.adjacent[c]) for c in board.cells}

    def disc(self, cell: int, distance: int) -> int:
        """The hexes within a distance of a hex."""
        found = self.discs.get((cell, distance))
        if found is None:
            found = self.discs[cell, distance] = self.board.within((cell,), distance)
        return found

    def outline(self, state: TyphoonState) -> Outline:
        return self.outlines[state.scenario]

    def side(self, unit: int) -> int:
        return AXIS if unit < self.axis_units else SOVIET


def _touched(board: Board, masks: Sequence[int]) -> int:
    """The hexes with a side of some feature."""
    found = 0
    for mask in masks:
        found |= mask
    return found & board.everywhere


@cache
def flyers() -> tuple[Flyer, ...]:
    return tuple(
        Flyer(
            id=str(record["id"]),
            side=AXIS if record["side"] == "axis" else SOVIET,
            names={"en": str(record["name_en"]), "fr": str(record["name_fr"])},
            kind=str(record["kind"]),
            combat=int(str(record["air_combat"])),
            support=int(str(record["close_support"])),
            moscow=record["moscow"] == "yes",
            low=record["low"] == "yes",
        )
        for record in charts()["air_units"].records
    )


def _edge(board: Board, sheets: Sequence[str], column: int) -> int:
    """The hexes of a column of some sheets."""
    return bits(c for sheet in sheets for c, at, _ in printed_cells(board, sheet) if at == column)


def _row_one(board: Board, last: Mapping[str, int]) -> int:
    """The hexes of the north edge of some sheets, up to a column."""
    return bits(
        c
        for sheet, most in last.items()
        for c, column, row in printed_cells(board, sheet)
        if row == 1 and column <= most
    )


def _south(board: Board, first: int = 44) -> int:
    """14.1.4b The south edge of sheet P, from P4434 or another column to the east."""
    cells = list(printed_cells(board, "P"))
    last = {column: max(row for _, at, row in cells if at == column) for _, column, _ in cells}
    return bits(c for c, column, row in cells if column >= first and row == last[column])
