"""What follows from Stalingrad Roads' data alone, worked out once when the game is loaded, and the markers of
the boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.files import Folder
from grognard.games.stalingrad_roads.data import DEFENSIVE, NATIONS, TACTICAL, RoadsData, Unit
from grognard.games.stalingrad_roads.plans import Plan, read_plan
from grognard.games.stalingrad_roads.rules.command import Lines
from grognard.games.stalingrad_roads.rules.offensives import worth_an_offensive
from grognard.games.stalingrad_roads.rules.reinforcements import can_receive
from grognard.games.stalingrad_roads.state import AVAILABLE, AXIS, SOVIET, STAVKA, Marker, RoadsState
from grognard.kernel import Action, Scenario
from grognard.mechanics.movement import Costs

OPTIONS = ("sensible_airlift", "fortress_stands")


class RoadsTables:
    """Units, supports and scenarios as the rules ask for them: by number and as sets."""

    data: RoadsData
    board: Board
    units: Sequence[Unit]

    def derive(self, folder: Folder, scenarios: Mapping[str, Scenario]) -> None:
        """Fill the tables from the data."""
        data, units = self.data, self.units
        self.index = data.index
        self.axis_units = sum(u.axis for u in units)
        self.units_of = (bits(range(self.axis_units)), bits(range(self.axis_units, len(units))))
        self.hqs = bits(i for i, u in enumerate(units) if u.hq)
        self.hqs_of = tuple(each(self.hqs & own) for own in self.units_of)
        self.elements: dict[str, list[int]] = {}
        """The elements of each divided division (1.1.5)."""
        for number, unit in enumerate(units):
            if unit.division:
                self.elements.setdefault(unit.division, []).append(number)
        self._derive_sets()
        self._derive_ground()
        self.supports = data.supports
        self.support_index = {s.id: i for i, s in enumerate(data.supports)}
        self.bridging = frozenset(i for i, s in enumerate(data.supports) if s.sort == "pontoon")
        """The sorts of pontoon units."""
        self.planes = data.planes
        self.plane_index = {p.id: i for i, p in enumerate(data.planes)}
        self.bridging_units: tuple[tuple[Marker, ...], tuple[int, ...]] = ((), ())
        """The markers of the position asked about last, and the units that carry bridges (see
        `rules.ground.pontoon_sides`)."""
        self.generic = [kind for kind, support in enumerate(data.supports) if support.generic]
        self.result_codes = tuple(dict.fromkeys((*TACTICAL, *DEFENSIVE)))
        self.dated_supports = frozenset({"campaign", "uranus"})
        """Scenarios to whose pools markers come by date."""
        self.known_lines: dict[Any, Lines] = {}
        """By what they depend on: see `rules.command.lines`."""
        self.known_areas: dict[Any, int] = {}
        """By what they depend on: command radii (see `rules.command.Lines.area`)."""
        self.known_nets: dict[tuple[int, int], int] = {}
        """By sources and open ground on the roads: see `rules.command.road_net`."""
        self.discs: dict[tuple[int, int], int] = {}
        """By hex and distance: the hexes so near, worked out when first asked for."""
        self.known_pontoons: dict[Any, frozenset[tuple[int, int]]] = {}
        """By the hexes of pontoons: the sides that they bridge."""
        self.known_costs: dict[tuple[int, frozenset[tuple[int, int]], bool], Costs] = {}
        """By the water, the pontoons and whether roads only: see `rules.reach.step_costs`."""
        self.known_zones: dict[int, int] = {}
        """By the hexes occupied: the hexes next to them."""
        self.plans = {id_: read_plan(folder, data, scenario) for id_, scenario in scenarios.items()}

    def _derive_sets(self) -> None:
        """Units as sets, and the answers that name one of them."""
        units = self.units
        self.divided = bits(i for i, u in enumerate(units) if u.division)
        self.of_nation = {
            nation: bits(i for i, u in enumerate(units) if u.nation == nation) for nation in NATIONS
        }
        self.apart = (self.of_nation["hungarian"], self.of_nation["romanian"])
        """1.11.6 Those who do not share a hex."""
        self.allies = bits(i for i, u in enumerate(units) if u.allied)
        self.unarmed = bits(
            i for i, u in enumerate(units) if not u.attack or (u.steps > 1 and not u.reduced_attack)
        )
        """Those without an attack factor on one of their faces."""
        self.stacking = self.data.numbers["stacking"]
        self.picks: list[Action] = [("pick", unit) for unit in range(len(units))]
        self.marches: list[Action] = [("march", unit) for unit in range(len(units))]
        self.entrains: list[Action] = [("entrain", unit) for unit in range(len(units))]
        self.joins: list[Action] = [("join", unit) for unit in range(len(units))]

    def _derive_ground(self) -> None:
        board, passable = self.board, self.data.passable
        self.ways_out = {
            cell: tuple(
                (there, direction)
                for direction, there in enumerate(board.neighbours[cell])
                if there >= 0 and passable[direction] >> cell & 1
            )
            for cell in board.cells
        }
        """The neighbours that are not beyond a sea or a lake (1.8.4), with their directions."""
        self.contacts = {cell: bits(there for there, _ in ways) for cell, ways in self.ways_out.items()}
        self.walks: dict[int, Action] = {cell: ("step", cell) for cell in board.cells}
        self.offensive_hexes = bits(
            cell for cell in each(self.data.land) if worth_an_offensive(self.data, board, cell)
        )
        """Where an offensive may be opened (11.1.2)."""
        self.known_rails: dict[Any, dict[int, int]] = {}
        """By what they depend on: how far trains get from hexes (see `rules.movement.rail_reach`)."""

    def disc(self, cell: int, distance: int) -> int:
        """The hexes within a distance of a hex."""
        found = self.discs.get((cell, distance))
        if found is None:
            found = self.discs[cell, distance] = self.board.within((cell,), distance)
        return found

    def plan(self, state: RoadsState) -> Plan:
        return self.plans[state.scenario]

    def option(self, state: RoadsState, name: str) -> bool:
        return bool(state.options >> OPTIONS.index(name) & 1)

    def result_index(self, code: str) -> int:
        return self.result_codes.index(code)

    def side(self, unit: int) -> int:
        return AXIS if unit < self.axis_units else SOVIET

    def elite(self, state: RoadsState, unit: int) -> bool:
        """10.3.4 Enclosed units at the lowest level are no longer elite."""
        if not self.units[unit].elite:
            return False
        return not (state.enclosed >> unit & 1 and state.level == 1)

    # Supports

    def held(self, state: RoadsState, kind: int, box: int) -> int:
        """How many markers of a sort lie in a box."""
        return state.held[box * len(self.supports) + kind]

    def hold(self, state: RoadsState, kind: int, box: int, more: int) -> None:
        state.held[box * len(self.supports) + kind] += more

    def in_box(self, state: RoadsState, box: int) -> int:
        """How many markers lie in a box, which everybody may know (5.1.3)."""
        size = len(self.supports)
        return sum(state.held[box * size : (box + 1) * size])

    def spendable(self, state: RoadsState, box: int) -> list[int]:
        """1.5.2 The sorts in a box that can be used generically."""
        first, held = box * len(self.supports), state.held
        return [kind for kind in self.generic if held[first + kind]]

    def purse(self, side: int) -> int:
        """The box from which a side pays for actions: that of the STAVKA for the Soviets (7.2.2)."""
        return AVAILABLE if side == AXIS else STAVKA

    def spend(self, state: RoadsState, kind: int, box: int) -> None:
        """A marker used generically is played, and comes back to the pool like others (5.2.1)."""
        self.hold(state, kind, box, -1)
        state.played[kind] += 1
        state.use_owed(kind)

    def costs_extra(self, state: RoadsState, cell: int) -> bool:
        """4.5.2 Whether guns there cost a marker more."""
        city = self.data.stalingrad
        if self.plan(state).keeps_supports:
            return False
        return bool(self.data.east_of_don >> cell & 1) and state.soviet_hexes & city != city

    def armour_payers(self, state: RoadsState) -> list[Action]:
        """17.3.7, 17.3.11 What can pay for a step of armour: a marker, or an armoured Kampfgruppe."""
        boxes = (AVAILABLE,) if state.active == AXIS else range(AVAILABLE)
        found: list[Action] = [("spend", kind, box) for box in boxes for kind in self.spendable(state, box)]
        if state.active == AXIS:
            found += [
                ("absorb", unit)
                for unit in each(self.units_of[AXIS])
                if self.units[unit].kind == "kg-armour"
                and state.where[unit] >= 0
                and can_receive(self, state, unit)  # type: ignore[arg-type]
            ]
        return found

    def axis_supports(self, state: RoadsState) -> int:
        """5.4.1 Markers that the Axis draws: as many as the higher of the two markers on the track says."""
        if "15" in self.plan(state).left_out:
            return self.plan(state).axis_draws
        return self.data.approval[max(state.approval, state.manstein)][0]

    def rail_points(self, state: RoadsState) -> int:
        """7.3.1"""
        plan = self.plan(state)
        if state.crisis_effect == "no_rail_points" and state.turn == state.crisis_turn:
            return 0
        return plan.axis_rail[state.turn - plan.first]

    def replacement_points(self, state: RoadsState, side: int) -> int:
        """17.3.1, 17.3.2 The Axis' come from the approval track; without section 15 there are none."""
        plan = self.plan(state)
        if state.turn == plan.first or state.lost_replacements >> side & 1:
            return 0
        if plan.replacements:
            return plan.replacements[side]
        if side == SOVIET:
            return self.data.numbers["soviet_replacements"]
        if "15" in plan.left_out:
            return 0
        return self.data.approval[max(state.approval, state.manstein)][1]
