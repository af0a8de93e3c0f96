"""Stalingrad Roads, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from grognard.board.board import bits, each
from grognard.files import Folder, read_settings
from grognard.games.stalingrad_roads import view
from grognard.games.stalingrad_roads.data import DEFENSIVE, TACTICAL, RoadsData, Unit
from grognard.games.stalingrad_roads.plans import Plan, read_plan
from grognard.games.stalingrad_roads.rules import victory
from grognard.games.stalingrad_roads.rules.command import Lines
from grognard.games.stalingrad_roads.rules.reinforcements import can_receive
from grognard.games.stalingrad_roads.rules.sequence import PROCEDURES
from grognard.games.stalingrad_roads.state import (
    ALARM_BOX,
    ALL_FOUR,
    AVAILABLE,
    AXIS,
    BOX_NAMES,
    DEAD,
    KG_BOX,
    SOVIET,
    STAVKA,
    WITHDRAWN,
    RoadsState,
)
from grognard.kernel import Action, Game, Outcome
from grognard.kernel.advice import Effects
from grognard.kernel.scenario import read_scenarios
from grognard.kernel.table import Hand, Table
from grognard.kernel.text import Catalogue
from grognard.mechanics.odds import odds_name
from grognard.mechanics.orders import expand_order

HERE = Path(__file__).parent
OPTIONS = ("sensible_airlift",)
EFFECTS = ("panzers-to-the-rescue", "human-waves", "overwhelming-attack", "rout")
OFFENSIVES = ("major", "minor-a", "minor-b")


class StalingradRoads(Game[RoadsState]):
    """From the Volga to the Dnieper, winter 1942-1943."""

    id = "stalingrad_roads"
    rules_version = "1"
    sides = ("axis", "soviet")
    procedures = PROCEDURES
    events = view.EVENTS
    badges = view.BADGES
    parts = view.PARTS
    layers = view.LAYERS
    symbols = view.SYMBOLS
    hidden_information = True
    units: Sequence[Unit]

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        data = self.data = RoadsData(folder)
        self.board = data.board
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = Catalogue(
            *((folder, f"text/{name}.toml") for name in ("messages", "verbs", "table"))
        )
        self.data_digest = data.digest
        self.turns = data.calendar
        self.scenarios = read_scenarios(folder, self.settings, data.calendar)
        units = self.units = data.units
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
        self.supports = data.supports
        self.support_index = {s.id: i for i, s in enumerate(data.supports)}
        self.planes = data.planes
        self.plane_index = {p.id: i for i, p in enumerate(data.planes)}
        self.result_codes = tuple(dict.fromkeys((*TACTICAL, *DEFENSIVE)))
        self.dated_supports = frozenset({"campaign", "uranus"})
        """Scenarios to whose pools markers come by date."""
        self.known_lines: dict[Any, Lines] = {}
        """By what they depend on: see `rules.command.lines`."""
        self.known_zones: dict[int, int] = {}
        """By the hexes occupied: the hexes next to them."""
        self._plans = {id_: read_plan(folder, data, scenario) for id_, scenario in self.scenarios.items()}

    def plan(self, state: RoadsState) -> Plan:
        return self._plans[state.scenario]

    def option(self, state: RoadsState, name: str) -> bool:
        return bool(state.options >> OPTIONS.index(name) & 1)

    def result_index(self, code: str) -> int:
        return self.result_codes.index(code)

    # Positions

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> RoadsState:
        plan = self._plans[scenario]
        state = RoadsState(self.axis_units, len(self.units), self.hqs, len(self.supports), len(self.planes))
        state.scenario = scenario
        state.options = bits(i for i, name in enumerate(OPTIONS) if options.get(name))
        state.soviet_hexes = plan.soviet_hexes
        state.superiority = plan.superiority
        state.approval, state.manstein = plan.approval, plan.manstein
        state.retired = (0,) * len(plan.withdrawals)
        for number, unit in enumerate(self.units):
            state.due[number] = plan.due.get(number, 0)
            if unit.kampfgruppe:
                state.place(number, KG_BOX)
            elif unit.kind == "alarm":
                state.place(number, ALARM_BOX)
        for entry in plan.setup:
            state.steps[entry.unit] = entry.steps
            state.place(entry.unit, entry.cell)
            self._claim(state, entry.unit, entry.cell)
        for kind, support in enumerate(self.supports):
            state.pool[kind] = support.start.get(scenario, support.copies)
        state.offensives = list(plan.offensives)
        for unit_number, rebuilt in plan.gone:
            state.steps[unit_number] = 0
            state.place(unit_number, DEAD if rebuilt else WITHDRAWN)
        held = state.soviet_hexes & self.data.city
        if not plan.opening:
            state.taken_cities = held
            state.lost_major = held & self.data.major_cities | self.data.stalingrad
            # The Soviets choose which effects are left (S4, S5).
            state.successes = 4 - plan.superiority.bit_count()
            state.superiority = ALL_FOUR
        return state

    def _claim(self, state: RoadsState, unit: int, cell: int) -> None:
        if unit >= self.axis_units:
            state.soviet_hexes |= 1 << cell
        else:
            state.soviet_hexes &= ~(1 << cell)

    def side(self, unit: int) -> int:
        return AXIS if unit < self.axis_units else SOVIET

    def turn(self, state: RoadsState) -> int:
        return state.turn

    def outcome(self, state: RoadsState) -> Outcome | None:
        return victory.verdict(self, state) if state.over else None

    def expand(self, state: RoadsState, order: Mapping[str, Any]) -> Iterator[Action]:
        return expand_order(self, state, order)

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
        return [
            kind
            for kind, support in enumerate(self.supports)
            if support.generic and self.held(state, kind, box)
        ]

    def purse(self, side: int) -> int:
        """The box from which a side pays for actions: that of the STAVKA for the Soviets (7.2.2)."""
        return AVAILABLE if side == AXIS else STAVKA

    def spend(self, state: RoadsState, kind: int, box: int) -> None:
        """A marker used generically is played, and comes back to the pool like others (5.2.1)."""
        self.hold(state, kind, box, -1)
        state.played[kind] += 1

    def costs_extra(self, state: RoadsState, cell: int) -> bool:
        """4.5.2 Whether guns there cost a marker more."""
        city = self.data.stalingrad
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
                and can_receive(self, state, unit)
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
        if side == SOVIET:
            return self.data.numbers["soviet_replacements"]
        if "15" in plan.left_out:
            return 0
        return self.data.approval[max(state.approval, state.manstein)][1]

    # Hidden information

    def guess(self, copy: RoadsState, side: int, random: Random) -> None:
        """5.1.4, 10.4.3 The other side's markers in boxes, and the events of Ju 52, are shuffled."""
        size = len(self.supports)
        other = 1 - side
        kinds = [k for k in range(size) if self.supports[k].side == other]
        boxes = [box for box in range(len(BOX_NAMES)) if (box == AVAILABLE) == (other == AXIS)]
        bag = [k for k in kinds for _ in range(copy.pool[k] + sum(copy.held[b * size + k] for b in boxes))]
        random.shuffle(bag)
        for kind in kinds:
            copy.pool[kind] = 0
        for box in boxes:
            count = sum(copy.held[box * size + k] for k in kinds)
            for kind in kinds:
                copy.held[box * size + kind] = 0
            for _ in range(count):
                copy.held[box * size + bag.pop()] += 1
        for kind in bag:
            copy.pool[kind] += 1
        if side == SOVIET and copy.flights:
            events = [k for k, n in enumerate(copy.planes) for _ in range(n)]
            events += [event for event, _ in copy.flights]
            random.shuffle(events)
            copy.flights = tuple(sorted((events.pop(), cell) for _, cell in copy.flights))
            copy.planes = [events.count(k) for k in range(len(copy.planes))]

    # Names

    def _words(self, kind: str) -> Sequence[str] | None:
        return {
            "support": [s.id for s in self.supports],
            "plane": [p.id for p in self.planes],
            "box": BOX_NAMES,
            "effect": EFFECTS,
            "offensive": OFFENSIVES,
            "result": self.result_codes,
        }.get(kind)

    def exists(self, kind: str, value: int) -> bool:
        words = self._words(kind)
        return super().exists(kind, value) if words is None else 0 <= value < len(words)

    def write_argument(self, kind: str, value: int) -> str:
        words = self._words(kind)
        return super().write_argument(kind, value) if words is None else words[value]

    def read_argument(self, kind: str, word: str) -> int:
        words = self._words(kind)
        return super().read_argument(kind, word) if words is None else list(words).index(word)

    def render_fact(self, name: str, value: Any, language: str) -> str:
        if name.startswith("odds"):
            return odds_name(value)
        if name == "support":
            return str(self.supports[value].names[language])
        if name == "plane":
            return str(self.planes[value].names[language])
        if name == "effect":
            return self.catalogue.template("words", EFFECTS[value], language)
        if name == "box":
            return self.catalogue.template("words", f"box-{BOX_NAMES[value]}", language)
        if name == "offensive":
            return self.catalogue.template("words", f"offensive-{OFFENSIVES[value]}", language)
        return super().render_fact(name, value, language)

    def prompt_facts(self, state: RoadsState, side: int | None = None) -> dict[str, Any]:
        return view.prompt_facts(self, state, side)

    # Views

    def table(self, state: RoadsState, side: int | None) -> Table:
        return view.describe(self, state, side)

    def phase_side(self, state: RoadsState) -> int | None:
        return None if state.over else state.active

    def hand(self, state: RoadsState) -> Hand | None:
        return view.in_hand(self, state)

    def layer(self, state: RoadsState, id_: str, side: int | None) -> list[int]:
        return view.layer(self, state, id_, side)

    def effects(self, result: str) -> Effects:
        return view.effects(result)

    def result_text(self, result: str, language: str) -> str:
        return view.result_text(self, result, language)

    def counters(self, language: str) -> dict[str, dict[str, Any]]:
        return view.counters(self, language)


def load(override: Path | None = None) -> StalingradRoads:
    """Stalingrad Roads with its own data, or with the player's laid over them."""
    return StalingradRoads(Folder(HERE, override))
