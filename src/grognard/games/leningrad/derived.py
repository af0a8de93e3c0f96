"""What follows from Leningrad's data alone, worked out once when the game is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.files import Settings
from grognard.games.leningrad.data import LeningradData, Unit, Victory
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.hexes import UnknownHexError
from grognard.kernel import Action, Scenario
from grognard.kernel.table import UnitView


class LeningradTables:
    """Units, hexes and costs as the rules ask for them: by number, as sets, by class."""

    data: LeningradData
    board: Board
    settings: Settings
    units: Sequence[Unit]

    def derive(self, scenarios: Mapping[str, Scenario]) -> None:
        """Fill the tables from the data."""
        self._derive_units()
        self._derive_ground()
        self._victories = {id_: self._victory(scenario) for id_, scenario in scenarios.items()}
        # The least that leaving an enemy zone or overrunning out of it can cost, for each side.
        numbers = self.data.numbers
        self.cheapest_exit = tuple(
            min(2 * numbers["overrun_cost"], 2 * numbers[name] + 1)
            for name in ("disengage_mobile", "disengage_other")
        )
        self.contact_cache: dict[Any, dict[int, int]] = {}
        self.shown_units: dict[tuple[int, ...], UnitView] = {}

    def _derive_units(self) -> None:
        data, units = self.data, self.units
        self.germans = sum(u.german for u in units)
        self.units_of = (bits(range(self.germans)), bits(range(self.germans, len(units))))
        self.movement = [u.movement for u in units]
        self.stacking = data.numbers["stacking"]
        self.infantry_costs, self.mobile_costs = data.costs["infantry"], data.costs["mobile"]
        classes = ["infantry" if u.kind == "infantry" else "mobile" for u in units]
        self.costs = [data.costs[c] for c in classes]
        self.plain_cost = [data.plain_cost[c] for c in classes]
        self.disengages_freely = [u.german and u.kind != "infantry" for u in units]
        self.corps = [
            tuple(i for i, u in enumerate(units) if u.corps == name)
            for name in sorted({u.corps for u in units if u.corps})
        ]
        self.arrival = [u.turn for u in units]
        self.arrivals = tuple(
            [i for i, u in enumerate(units) if u.turn and u.german == (side == GERMAN)] for side in (0, 1)
        )
        self.untried_means = {pool: self._mean(pool) for pool in ("infantry", "armour")}
        """Attack and defence of an untried unit of a pool, on the average."""
        self.surprise_force = [i for i, u in enumerate(units) if u.surprise]

    def _mean(self, pool: str) -> tuple[float, float]:
        lines = [s for s in self.data.untried if s.pool == pool]
        count = max(1, sum(s.number for s in lines))
        totals = (sum(s.number * s.attack for s in lines), sum(s.number * s.defence for s in lines))
        return totals[0] / count, totals[1] / count

    def _derive_ground(self) -> None:
        data, board = self.data, self.board
        self.sources = (board.with_feature("supply_german"), board.with_feature("supply_soviet"))
        self.soviet_cities = board.with_feature("soviet_city")
        towns = board.with_feature("town")
        self.rough_ground = towns | board.with_terrain("marsh", "hill")
        self.open_ground = board.with_terrain("clear") & ~towns & ~self.soviet_cities
        self.regeneration_hexes = towns | self.soviet_cities | board.with_feature("east_prussia")
        self.leningrad = self._cells("leningrad")
        self.leningrad_set = bits(self.leningrad)
        self.frozen = bits(self._cells("frozen"))
        self.northern_edge = tuple(cell for cell in self._cells("northern_edge") if data.land >> cell & 1)
        self.late_entry, self.latest_entry = self._cells("late_entries", count=2)
        self.enters_leningrad = [set(u.entries) == set(self.leningrad) for u in self.units]
        self.fort_area = board.within(self.leningrad, data.numbers["fort_radius"]) & data.land
        self.on_road = bits(
            c for c in board.cells if any(board.side_has(c, n, "road") for n in board.adjacent[c])
        )
        self.zone_sides = data.crossing
        self.contact = {
            cell: bits(n for n in board.adjacent[cell] if self.infantry_costs.step(cell, n))
            for cell in board.cells
        }
        self.ways_out = {cell: tuple((n, 1 << n) for n in each(near)) for cell, near in self.contact.items()}
        """The neighbours with which a hex is in contact, each with the set that it is: quicker than taking a
        set of hexes apart."""
        self.land_cells = [c for c in board.cells if data.land >> c & 1]
        self.interdiction_options: list[Action] = [*(("interdict", c) for c in self.land_cells), ("end",)]

    def _victory(self, scenario: Scenario) -> Victory:
        """18.0 as the book has it, or as the scenario's own table has it."""
        if scenario.points:
            lines = scenario.points
            objectives = {
                self.data.board.cell(id_.removeprefix("hex-")): points
                for id_, points in lines.items()
                if id_.startswith("hex-")
            }
        else:
            lines = self.data.victory
            objectives = dict.fromkeys(self._cells("victory"), lines["leningrad-hex"])
        most = max(objectives.values())
        return Victory(lines, objectives, tuple(c for c, points in objectives.items() if points == most))

    def victory(self, state: LeningradState) -> Victory:
        return self._victories[state.scenario]

    def victory_of(self, scenario: str) -> Victory:
        return self._victories[scenario]

    def _cells(self, name: str, count: int = 0) -> tuple[int, ...]:
        """Hexes that a rule names, from the settings."""
        numbers = self.settings.get("hexes", dict).get(name)
        if not isinstance(numbers, list) or not numbers or count not in (0, len(numbers)):
            raise self.settings.error(name, f"{name!r} should be a list of hexes")
        try:
            return tuple(self.board.cell(str(number)) for number in numbers)
        except UnknownHexError as error:
            raise self.settings.error(name, str(error)) from None

    def side(self, unit: int) -> int:
        return GERMAN if unit < self.germans else SOVIET
