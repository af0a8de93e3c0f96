"""Leningrad, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grognard.board.board import bits, each
from grognard.files import Folder, read_settings
from grognard.games.leningrad import view
from grognard.games.leningrad.advice import LeningradAdviser
from grognard.games.leningrad.data import LeningradData, Unit, Victory
from grognard.games.leningrad.rules import victory
from grognard.games.leningrad.rules.battle import Battle
from grognard.games.leningrad.rules.combat import Attack
from grognard.games.leningrad.rules.movement import Stack
from grognard.games.leningrad.rules.results import SufferedResult
from grognard.games.leningrad.rules.sequence import PROCEDURES
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.staff.doctrine import LeningradDoctrine
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.hexes import UnknownHexError
from grognard.kernel import Action, Game, Outcome, Scenario
from grognard.kernel.advice import Effects
from grognard.kernel.scenario import read_scenarios
from grognard.kernel.table import Hand, Table
from grognard.kernel.text import Catalogue
from grognard.mechanics.odds import odds_name
from grognard.mechanics.orders import expand_order

HERE = Path(__file__).parent


class Leningrad(Game[LeningradState]):
    """Army Group North's drive on Leningrad, summer 1941."""

    id = "leningrad"
    rules_version = "2"
    sides = ("german", "soviet")
    procedures = PROCEDURES
    events = view.EVENTS
    badges = view.BADGES
    parts = view.PARTS
    layers = view.LAYERS
    extras = view.EXTRAS
    guide = view.GUIDE
    levels = view.LEVELS
    hidden_information = False  # 14.0 nobody knows an untried strength: it is drawn when it is revealed
    units: Sequence[Unit]

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        data = self.data = LeningradData(folder)
        board = self.board = data.board
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = Catalogue(
            *((folder, f"text/{name}.toml") for name in ("messages", "verbs", "table"))
        )
        self.data_digest = data.digest
        self.turns = data.turns
        self.scenarios = read_scenarios(folder, self.settings, data.turns)

        units = self.units = data.units
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
        self.surprise_force = [i for i, u in enumerate(units) if u.surprise]

        self.sources = (board.with_feature("supply_german"), board.with_feature("supply_soviet"))
        self.soviet_cities = board.with_feature("soviet_city")
        towns = board.with_feature("town")
        self.rough_ground = towns | board.with_terrain("marsh", "hill")
        self.open_ground = board.with_terrain("clear") & ~towns & ~self.soviet_cities
        self.regeneration_hexes = towns | self.soviet_cities | board.with_feature("east_prussia")
        self.leningrad = self._cells("leningrad")
        self.leningrad_set = bits(self.leningrad)
        self._victories = {id_: self._victory(scenario) for id_, scenario in self.scenarios.items()}
        self.frozen = bits(self._cells("frozen"))
        self.northern_edge = tuple(cell for cell in self._cells("northern_edge") if data.land >> cell & 1)
        self.late_entry, self.latest_entry = self._cells("late_entries", count=2)
        self.enters_leningrad = [set(u.entries) == set(self.leningrad) for u in units]
        self.fort_area = board.within(self.leningrad, data.numbers["fort_radius"]) & data.land
        self.on_road = bits(
            c for c in board.cells if any(board.side_has(c, n, "road") for n in board.adjacent[c])
        )
        self.contact = {
            cell: bits(n for n in board.adjacent[cell] if self.infantry_costs.step(cell, n))
            for cell in board.cells
        }
        # The least that leaving an enemy zone or overrunning out of it can cost, for each side.
        numbers = data.numbers
        self.cheapest_exit = tuple(
            min(2 * numbers["overrun_cost"], 2 * numbers[name] + 1)
            for name in ("disengage_mobile", "disengage_other")
        )
        self.interdiction_options: list[Action] = [
            *(("interdict", c) for c in board.cells if data.land >> c & 1),
            ("end",),
        ]
        self.contact_cache: dict[Any, dict[int, int]] = {}
        self.adviser = LeningradAdviser(self)
        self.doctrine = LeningradDoctrine(self, dict(read_settings(folder, "doctrine.toml").data))

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
            lines = {id_: line.points for id_, line in self.data.victory.items()}
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

    # Positions

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> LeningradState:
        pool = bytes(s.number for s in self.data.untried)
        state = LeningradState(self.germans, len(self.units), pool, self.stacking)
        state.scenario = scenario
        for index, unit in enumerate(self.units):
            state.steps[index] = 2 if unit.german else 1  # 10.5
            if not unit.turn:
                state.place(index, unit.setup)
        return state

    def side(self, unit: int) -> int:
        return GERMAN if unit < self.germans else SOVIET

    def soviets_surprised(self, state: LeningradState, side: int) -> bool:
        """17.0 Turn 1 binds the Soviet player."""
        return side == SOVIET and state.turn == 1

    def turn(self, state: LeningradState) -> int:
        return state.turn

    def outcome(self, state: LeningradState) -> Outcome | None:
        return victory.verdict(self, state) if state.over else None

    def expand(self, state: LeningradState, order: Mapping[str, Any]) -> Iterator[Action]:
        return expand_order(self, state, order)

    # Names

    def render_fact(self, name: str, value: Any, language: str) -> str:
        if name.startswith("odds"):
            return odds_name(value)
        return super().render_fact(name, value, language)

    def prompt(self, state: LeningradState, language: str, side: int | None = None) -> str:
        stack = state.top(Stack)
        if stack is not None and not stack.units:
            return self._sentence("prompts", "take-up", {}, language)
        crowded = self._crowded_hexes(state)
        if crowded and self.actor(state) == state.phasing:
            facts = {**self.prompt_facts(state), "hexes": crowded}
            return self._sentence("prompts", "pick-unit-crowded", facts, language)
        return super().prompt(state, language, side)

    def _crowded_hexes(self, state: LeningradState) -> tuple[int, ...]:
        """4.6 While the first German units are picked: hexes where somebody will be destroyed if he stays."""
        if state.turn != 1 or not state.doing("movement") or state.path()[-1][1] != "pick":
            return ()
        return tuple(c for c in sorted(state.at) if state.height(c) > self.stacking)

    def prompt_facts(self, state: LeningradState, side: int | None = None) -> dict[str, Any]:
        """Who is asked about what: the stack in hand, the battle in progress."""
        facts: dict[str, Any] = {"turn": state.turn, "word_side": self.sides[state.phasing]}
        local = state.local if not state.over else None
        if isinstance(local, Stack) and local.units:
            facts |= {
                "units": local.units,
                "hex": state.where[local.units[0]],
                "points_left": min(state.left[u] for u in local.units),
            }
        if isinstance(local, SufferedResult):
            facts |= {"owed": local.owed, "units": tuple(u for u in local.units if state.on_map(u))}
        if isinstance(local, Attack) and local.targets:
            facts |= {"hexes": local.targets, "units": local.attackers}
        if isinstance(local, Battle):
            facts |= {"hexes": local.targets, "units": local.attackers}
        facts |= {"air_ready": state.air_ready, "forts_ready": state.forts_ready}
        return facts

    # Views

    def table(self, state: LeningradState, side: int | None) -> Table:
        return view.describe(self, state)

    def phase_side(self, state: LeningradState) -> int | None:
        return None if state.over else state.phasing

    def hand(self, state: LeningradState) -> Hand | None:
        return view.in_hand(self, state)

    def extra_limits(self, state: LeningradState, side: int) -> Mapping[str, int]:
        return view.extra_limits(state, side)

    def controlled(self, state: LeningradState, side: int) -> list[int]:
        return list(each(zone(self, state, side) & self.data.land))

    def layer(self, state: LeningradState, id_: str, side: int | None) -> list[int]:
        return view.layer(self, state, id_, side)

    def effects(self, result: str) -> Effects:
        return view.effects(result)

    def result_text(self, result: str, language: str) -> str:
        return view.result_text(self, result, language)

    def counters(self, language: str) -> dict[str, dict[str, Any]]:
        return {
            unit.id: {
                "side": "german" if unit.german else "soviet",
                "name": unit.names[language],
                "kind": unit.kind,
                "size": unit.size,
                "corps": unit.corps,
                "movement": self.points.text(unit.movement),
                "faces": [
                    [str(n), self.points.text(unit.movement)]
                    for n in (unit.strength, unit.reduced)
                    if unit.german
                ],
                "turn": unit.turn,
                "entry": [self.board.number(cell) for cell in unit.entries],
                "provenance": {"kind": unit.provenance.kind.value, "source": unit.provenance.source},
            }
            for unit in self.units
        }


def load(override: Path | None = None) -> Leningrad:
    """Leningrad with its own data, or with the player's laid over them."""
    return Leningrad(Folder(HERE, override))
