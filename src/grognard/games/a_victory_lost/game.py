"""A Victory Lost, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from grognard.board.board import bits, each
from grognard.files import Folder, read_settings
from grognard.games.a_victory_lost import view
from grognard.games.a_victory_lost.advice import VictoryAdviser
from grognard.games.a_victory_lost.data import Unit, Victory, VictoryData
from grognard.games.a_victory_lost.rules import victory
from grognard.games.a_victory_lost.rules.advance import Advance
from grognard.games.a_victory_lost.rules.balance import OPTIONS, option
from grognard.games.a_victory_lost.rules.combat import Attack, Battle
from grognard.games.a_victory_lost.rules.command import (
    command_area,
    still_to_plan,
    still_to_select,
)
from grognard.games.a_victory_lost.rules.pocket import ground_for_lines
from grognard.games.a_victory_lost.rules.reach import Grounds, Move
from grognard.games.a_victory_lost.rules.reinforcements import Arrival
from grognard.games.a_victory_lost.rules.results import Losses
from grognard.games.a_victory_lost.rules.retreat import Retreat
from grognard.games.a_victory_lost.rules.sequence import PROCEDURES
from grognard.games.a_victory_lost.rules.tracing import open_to_lines
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.staff.doctrine import VictoryDoctrine
from grognard.games.a_victory_lost.state import AXIS, DEAD, SOVIET, VictoryState
from grognard.hexes import UnknownHexError
from grognard.kernel import Action, Game, Outcome, Scenario
from grognard.kernel.advice import Effects
from grognard.kernel.scenario import read_scenarios
from grognard.kernel.table import Hand, Table
from grognard.kernel.text import Catalogue
from grognard.mechanics.movement import rings
from grognard.mechanics.odds import Shift, halved_odds_name
from grognard.mechanics.orders import expand_order

HERE = Path(__file__).parent

SUPPLY_WORDS = ("supplied", "unsupplied", "isolated")


class AVictoryLost(Game[VictoryState]):
    """From the Don to the Dnieper, winter 1942-1943."""

    id = "a_victory_lost"
    rules_version = "2"
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
        data = self.data = VictoryData(folder)
        self.board = data.board
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = Catalogue(
            *((folder, f"text/{name}.toml") for name in ("messages", "verbs", "table"))
        )
        self.data_digest = data.digest
        self.turns = data.calendar
        self.scenarios = read_scenarios(folder, self.settings, data.calendar)
        units = self.units = data.units
        self.axis_units = sum(u.axis for u in units)
        self.units_of = (bits(range(self.axis_units)), bits(range(self.axis_units, len(units))))
        self.hqs = bits(i for i, u in enumerate(units) if u.hq)
        self.box_units = bits(i for i, u in enumerate(units) if u.box)
        self.movement = [u.movement for u in units]
        self.stacking = data.numbers["stacking"]
        self.zone_in, self.zone_out = 2 * data.numbers["zone_in"], 2 * data.numbers["zone_out"]
        self.cheapest_hex = min(data.plain_cost.values())
        self.arrivals = tuple(
            [i for i, u in enumerate(units) if (u.turn or u.hq) and u.axis == (side == AXIS)]
            for side in (0, 1)
        )
        self.barred = [self._barred(i) for i in range(len(units))]
        self.obeys = [self._obeys(i) for i in range(len(units))]

        chits = self.chits = data.chits
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

        self.contact = {
            cell: bits(n for n in self.board.adjacent[cell] if data.costs.step(cell, n))
            for cell in self.board.cells
        }
        self.on_rail = 0
        for mask in data.rails:
            self.on_rail |= mask
        self.shelter = {cell: self._shelter(cell) for cell in self.board.cells}
        self.area_cache: dict[tuple[int, int], int] = {}
        self.ground_cache: dict[tuple[int, bool], Grounds] = {}
        """By side and whether for HQs: the map as last seen by `rules.reach`."""
        self._distances: dict[tuple[int, int], list[int]] = {}
        self._victories = {id_: self._victory(scenario) for id_, scenario in self.scenarios.items()}
        self.every_city = 0
        """The victory cities of all scenarios."""
        for known in self._victories.values():
            self.every_city |= known.cities
        self.usable_ground: dict[tuple[str, bool], int] = {}
        """By scenario, and with the pocket closed or open: worked out when first asked for."""
        self.adviser = VictoryAdviser(self)
        self.doctrine = VictoryDoctrine(self, dict(read_settings(folder, "doctrine.toml").data))

    def _victory(self, scenario: Scenario) -> Victory:
        """14.0 as the book has it, or as the scenario has it."""
        lines = scenario.points or self.data.victory
        cities = self.data.cities
        if scenario.settings is not None and "cities" in scenario.settings.data:
            try:
                cities = bits(self.board.cell(str(c)) for c in scenario.settings.get("cities", list))
            except UnknownHexError as error:
                raise scenario.settings.error("cities", str(error)) from None
        return Victory(lines, cities, self.area(scenario.id))

    def victory(self, state: VictoryState) -> Victory:
        return self._victories[state.scenario]

    def cities(self, state: VictoryState) -> int:
        """14.0.1 The victory cities, as a set of hexes."""
        return self._victories[state.scenario].cities

    def _takes_part(self, unit: Unit, scenario: Scenario, area: int) -> bool:
        """Whether a unit is in a scenario: in the campaign everybody, in an area those who begin there,
        without those whom the scenario leaves out."""
        if scenario.settings is None or "area" not in scenario.settings.data:
            return True
        if unit.id in scenario.settings.get("without", list, []):
            return False
        return unit.setup >= 0 and bool(area >> unit.setup & 1)

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

    def source_distance(self, state: VictoryState, side: int) -> list[int]:
        """9.5.2, 12.7 How far every hex is from a side's nearest supply source, over ground open to units. A
        source that is closed to lines (10.1.2) does not count, unless all of them are."""
        printed = self.data.sources[side]
        sources = printed & open_to_lines(self, state, side) or printed
        ground = ground_for_lines(self, state)
        found = self._distances.get((sources, ground))
        if found is None:
            found = self._distances[sources, ground] = self.distance_to(sources, ground)
        return found

    # Positions

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> VictoryState:
        chosen = bits(i for i, name in enumerate(OPTIONS) if options.get(name))
        state = VictoryState(self.axis_units, len(self.units), self.hqs, chosen)
        state.scenario = scenario
        played, victory = self.scenarios[scenario], self._victories[scenario]
        for index, unit in enumerate(self.units):
            state.steps[index] = unit.steps
            state.due[index] = self.arrival(state, index)
            if not self._takes_part(unit, played, victory.area):
                state.steps[index] = 0
                state.place(index, DEAD)
            elif not unit.turn:
                state.place(index, unit.setup)
        here = bits(i for i, c in enumerate(self.chits) if c.hq >= 0 and state.where[c.hq] >= 0)
        present = self.chits_present(state, SOVIET)
        state.pool[SOVIET] = self.stavka | (present if present != self.soviet_hq_chits else 0)
        state.pool[AXIS] = here & self.chits_of[AXIS]
        state.points[AXIS] = victory.lines["city"] * victory.cities.bit_count()
        return state

    def chits_present(self, state: VictoryState, side: int) -> int:
        """The chits of the HQs that are in the game, as a set."""
        with_hq = ((chit, self.chits[chit].hq) for chit in each(self.chits_of[side]))
        return bits(chit for chit, hq in with_hq if hq >= 0 and state.where[hq] != DEAD)

    def arrival(self, state: VictoryState, unit: int) -> int:
        """The turn when a unit is due; 15.0.1 the 1st Panzer Army may come later."""
        counter = self.units[unit]
        if counter.box and counter.axis and option(state, "late_first_panzer_army"):
            return self.data.numbers["late_first_panzer_army"]
        return counter.turn

    def side(self, unit: int) -> int:
        return AXIS if unit < self.axis_units else SOVIET

    def turn(self, state: VictoryState) -> int:
        return state.turn

    def outcome(self, state: VictoryState) -> Outcome | None:
        return victory.verdict(self, state) if state.over else None

    def expand(self, state: VictoryState, order: Mapping[str, Any]) -> Iterator[Action]:
        return expand_order(self, state, order)

    # Hidden information: the chits

    def guess(self, copy: VictoryState, side: int, random: Random) -> None:
        """7.1.3 What the other side has chosen is not known: it is shuffled among all it may have chosen."""
        other = 1 - side
        if other == SOVIET:
            self._imagine_pool(copy, random)
        self._imagine_selection(copy, other, random)

    def _imagine_pool(self, state: VictoryState, random: Random) -> None:
        """3.0 Five Soviet chits of which some have shown themselves."""
        pool = state.pool[SOVIET]
        known = pool & (state.shown | self.stavka)
        unknown = [c for c in each(self.soviet_hq_chits & ~known) if state.where[self.chits[c].hq] != DEAD]
        count = (pool & ~known).bit_count()
        guessed = known | bits(_sample(unknown, count, random))
        if state.planned:
            wanted = (state.planned & pool).bit_count()
            state.planned = bits(_sample(list(each(guessed & ~self.stavka)), wanted, random))
        state.pool[SOVIET] = guessed

    def _imagine_selection(self, state: VictoryState, side: int, random: Random) -> None:
        """7.1.2 The chits of a side in the cup: as many as there are, of those not played this turn."""
        certain = state.played | state.refused | (self.stavka if side == SOVIET else 0)
        chosen = state.chosen[side]
        known = chosen & certain & self.chits_of[side]
        open_ = list(each(state.pool[side] & ~certain))
        guessed = known | bits(_sample(open_, (chosen & ~known).bit_count(), random))
        state.chosen[side] = guessed
        if state.cup:
            mine = state.cup & ~self.chits_of[side]
            state.cup = mine | (guessed & ~state.played)

    # Names

    def chit_index(self, id_: str) -> int:
        return self._chit_index[id_]

    def chit_name(self, chit: int, language: str) -> str:
        return self.catalogue.template("words", self.chits[chit].id, language)

    def exists(self, kind: str, value: int) -> bool:
        return 0 <= value < len(self.chits) if kind == "chit" else super().exists(kind, value)

    def write_argument(self, kind: str, value: int) -> str:
        return self.chits[value].id if kind == "chit" else super().write_argument(kind, value)

    def read_argument(self, kind: str, word: str) -> int:
        return self._chit_index[word] if kind == "chit" else super().read_argument(kind, word)

    def render_fact(self, name: str, value: Any, language: str) -> str:
        if name.startswith("odds"):
            return halved_odds_name(value)
        if name == "chit":
            return self.chit_name(value, language)
        if name == "chits":
            return ", ".join(self.chit_name(chit, language) for chit in value)
        return super().render_fact(name, value, language)

    def prompt_facts(self, state: VictoryState, side: int | None = None) -> dict[str, Any]:
        """Who is asked about what: the chits wanted, the unit in hand, the battle in progress."""
        facts: dict[str, Any] = {"turn": state.turn, "word_side": self.sides[state.active]}
        local = state.local if not state.over else None
        actor = self.actor(state) if side is None else side
        if isinstance(local, Move):
            facts |= {"unit": local.unit, "hex": state.where[local.unit], "points_left": local.left}
        elif isinstance(local, Attack | Battle):
            facts |= {"hex": local.target, "units": local.attackers}
        elif isinstance(local, Losses):
            facts |= {"owed": local.owed, "units": tuple(u for u in local.units if state.on_map(u))}
        elif isinstance(local, Retreat):
            going = (local.walker,) if local.walker >= 0 else local.to_go
            facts |= {"units": going, "number": local.left or local.hexes}
            if local.hq >= 0:
                facts["unit"] = local.hq
        elif isinstance(local, Advance):
            facts |= {"hex": local.target, "units": local.units}
            if local.walker >= 0:
                facts |= {"unit": local.walker, "hex": state.where[local.walker]}
        elif isinstance(local, Arrival):
            facts |= {"unit": local.unit} if local.unit >= 0 else {}
        if state.displaced:
            facts |= {"unit": state.displaced[0][0], "hex": state.displaced[0][1]}
        if actor in (AXIS, SOVIET):
            written = state.written(actor)
            five = self.data.numbers["soviet_pool"] - len(written)
            facts["left"] = still_to_select(self, state, actor, written) if state.turn else five
            facts["planned"] = still_to_plan(self, state, actor, written)
        return facts

    # Views

    def table(self, state: VictoryState, side: int | None) -> Table:
        return view.describe(self, state, side)

    def phase_side(self, state: VictoryState) -> int | None:
        return None if state.over else state.active

    def hand(self, state: VictoryState) -> Hand | None:
        return view.in_hand(self, state)

    def controlled(self, state: VictoryState, side: int) -> list[int]:
        return list(each(zone(self, state, side)))

    def layer(self, state: VictoryState, id_: str, side: int | None) -> list[int]:
        return view.layer(self, state, id_, side)

    def effects(self, result: str) -> Effects:
        return view.effects(result)

    def result_text(self, result: str, language: str) -> str:
        return view.result_text(self, result, language)

    def counters(self, language: str) -> dict[str, dict[str, Any]]:
        found = {}
        for index, unit in enumerate(self.units):
            movement = self.points.text(unit.movement)
            if unit.hq:
                faces = [[str(unit.radius), movement]]
            else:
                strengths = [(unit.attack, unit.defence), (unit.reduced_attack, unit.reduced_defence)]
                faces = [
                    [*map(str, pair if unit.mechanised else pair[:1]), movement]
                    for pair in strengths[: unit.steps]
                ]
            found[unit.id] = {
                "side": self.sides[self.side(index)],
                "nation": unit.nation,
                "name": unit.names[language],
                "kind": unit.kind,
                "size": unit.size,
                "movement": movement,
                "faces": faces,
                "turn": unit.turn,
                "entry": "box" if unit.box else "rail" if unit.turn else "",
                "provenance": {"kind": unit.provenance.kind.value, "source": unit.provenance.source},
            }
        return found

    def radius(self, state: VictoryState, hq: int) -> list[int]:
        """7.3.3 The hexes in the command radius of an HQ on the map, for a page to draw."""
        return list(each(command_area(self, hq, state.where[hq]))) if state.on_map(hq) else []


def _sample(items: list[int], count: int, random: Random) -> list[int]:
    """So many of the items, all choices equally likely."""
    rest = list(items)
    return [rest.pop(int(random.random() * len(rest))) for _ in range(count)]


def load(override: Path | None = None) -> AVictoryLost:
    """A Victory Lost with its own data, or with the player's laid over them."""
    return AVictoryLost(Folder(HERE, override))
