"""What follows from A Victory Lost's data alone, worked out once when the game is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.games.a_victory_lost.data import Unit, Victory, VictoryData
from grognard.games.a_victory_lost.rules.reach import Grounds
from grognard.games.a_victory_lost.state import AXIS, SOVIET, VictoryState
from grognard.hexes import UnknownHexError
from grognard.kernel import Scenario
from grognard.kernel.scenario import area_of
from grognard.mechanics.movement import rings
from grognard.mechanics.odds import Shift


class VictoryTables:
    """Units, chits and hexes as the rules ask for them: by number and as sets."""

    data: VictoryData
    board: Board
    units: Sequence[Unit]

    def derive(self, scenarios: Mapping[str, Scenario]) -> None:
        """Fill the tables from the data."""
        self._derive_units()
        self._derive_chits()
        self._derive_ground()
        self.area_cache: dict[tuple[int, int], int] = {}
        self.ground_cache: dict[tuple[int, bool], Grounds] = {}
        """By side and whether for HQs: the map as last seen by `rules.reach`."""
        self.net_cache: dict[tuple[int, int, bool], int] = {}
        self.distance_cache: dict[tuple[int, int], list[int]] = {}
        self._victories = {id_: self._victory(scenario) for id_, scenario in scenarios.items()}
        self.every_city = 0
        """The victory cities of all scenarios."""
        for known in self._victories.values():
            self.every_city |= known.cities
        self.usable_ground: dict[tuple[str, bool], int] = {}
        """By scenario, and with the pocket closed or open: worked out when first asked for."""

    def _derive_units(self) -> None:
        data, units = self.data, self.units
        self.axis_units = sum(u.axis for u in units)
        self.units_of = (bits(range(self.axis_units)), bits(range(self.axis_units, len(units))))
        self.hqs = bits(i for i, u in enumerate(units) if u.hq)
        self.hq_numbers = each(self.hqs)
        self.box_units = bits(i for i, u in enumerate(units) if u.box)
        self.movement = [u.movement for u in units]
        self.stacking = data.numbers["stacking"]
        self.zone_in, self.zone_out = 2 * data.numbers["zone_in"], 2 * data.numbers["zone_out"]
        self.pocket_turns = data.numbers["pocket_turns"]
        self.cheapest_hex = min(data.plain_cost.values())
        self.arrivals = tuple(
            [i for i, u in enumerate(units) if (u.turn or u.hq) and u.axis == (side == AXIS)]
            for side in (0, 1)
        )
        self.barred = [self._barred(i) for i in range(len(units))]
        self.obeys = [self._obeys(i) for i in range(len(units))]

    def _derive_chits(self) -> None:
        chits = self.chits = self.data.chits
        self._chit_index = {c.id: i for i, c in enumerate(chits)}
        self.chits_of = (
            bits(i for i, c in enumerate(chits) if c.axis),
            bits(i for i, c in enumerate(chits) if not c.axis),
        )
        self.chit_of = {c.hq: i for i, c in enumerate(chits) if c.hq >= 0}
        self.stavka = bits(i for i, c in enumerate(chits) if not c.axis and c.hq < 0)
        self.manstein = bits(i for i, c in enumerate(chits) if c.axis and c.hq < 0)
        self.soviet_hq_chits = self.chits_of[SOVIET] & ~self.stavka
        self.historical_chits = bits(i for i, c in enumerate(chits) if c.historical)

    def _derive_ground(self) -> None:
        data = self.data
        self.zone_sides = data.passable
        self.contact = {
            cell: bits(n for n in self.board.adjacent[cell] if data.costs.step(cell, n))
            for cell in self.board.cells
        }
        self.steps_from = {
            cell: tuple(n for n in self.board.adjacent[cell] if data.costs.step(cell, n))
            for cell in self.board.cells
        }
        """The neighbours that a hex may be left for, in the order of the directions."""
        self.on_rail = 0
        for mask in data.rails:
            self.on_rail |= mask
        self.shelter = {cell: self._shelter(cell) for cell in self.board.cells}

    def _victory(self, scenario: Scenario) -> Victory:
        """14.0 as the book has it, or as the scenario has it."""
        lines = scenario.points or self.data.victory
        cities = self.data.cities
        if scenario.settings is not None and "cities" in scenario.settings.data:
            try:
                cities = bits(self.board.cell(str(c)) for c in scenario.settings.get("cities", list))
            except UnknownHexError as error:
                raise scenario.settings.error("cities", str(error)) from None
        return Victory(lines, cities, area_of(scenario, self.board))

    def victory(self, state: VictoryState) -> Victory:
        return self._victories[state.scenario]

    def cities(self, state: VictoryState) -> int:
        """14.0.1 The victory cities, as a set of hexes."""
        return self._victories[state.scenario].cities

    def _barred(self, unit: int) -> int:
        """5.0.3 The units with which one may not share a hex: allies of other nations, Germans apart."""
        me = self.units[unit]
        return bits(
            i
            for i, other in enumerate(self.units)
            if me.axis
            and other.axis
            and "german" not in (me.nation, other.nation)
            and me.nation != other.nation
        )

    def _obeys(self, hq: int) -> int:
        """7.3.5 The units that an HQ may activate: a German one all, another its own nation and Germans."""
        me = self.units[hq]
        return bits(
            i
            for i, other in enumerate(self.units)
            if me.axis == other.axis
            and (not me.axis or me.nation == "german" or other.nation in ("german", me.nation))
        )

    def _shelter(self, cell: int) -> tuple[Shift, ...]:
        """9.3.3 The shifts of a hex: its terrain's, and a victory city's on top."""
        info = self.board.info[cell]
        kinds = [info.terrain, *(f for f in info.features if f == "victory_city")]
        return tuple(Shift(self.data.shifts[k], "9.3.3", k) for k in kinds if self.data.shifts.get(k))

    def distance_to(self, sources: int, ground: int) -> list[int]:
        """How many hexes over land every hex is from the nearest of some sources; cut off, very many."""
        far = self.board.size
        found = [far] * self.board.size
        for away, ring in enumerate(rings(self.board, self.data.passable, sources, ground)):
            for cell in each(ring):
                found[cell] = away
        return found

    def chit_index(self, id_: str) -> int:
        return self._chit_index[id_]

    def side(self, unit: int) -> int:
        return AXIS if unit < self.axis_units else SOVIET
