"""Second Front, put together as far as it goes: the land war on the maps of the game. It is not offered to
players until it is whole."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from grognard.files import Folder, read_settings
from grognard.games.second_front import view
from grognard.games.second_front.books import GAME, LAND, board, books, charts
from grognard.games.second_front.places import places
from grognard.games.second_front.plans import Plan, read_plan
from grognard.games.second_front.rules import victory
from grognard.games.second_front.rules.building import WORKS
from grognard.games.second_front.rules.garrisons import Garrison
from grognard.games.second_front.rules.pools import armour_force
from grognard.games.second_front.rules.position import settle
from grognard.games.second_front.rules.rebuilding import dated
from grognard.games.second_front.rules.sequence import PROCEDURES
from grognard.games.second_front.state import DECIDED, FrontState, Government
from grognard.games.second_front.units import ALLIED, AXIS, SIDES, units
from grognard.kernel import Outcome
from grognard.kernel.scenario import Turn, read_scenarios
from grognard.kernel.text import Catalogue
from grognard.mechanics.tabletop import MapGame
from grognard.mechanics.vocabulary import OwnWords

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
SECOND_HALF = 16
"""The day of a month on which its second turn begins."""


def calendar() -> tuple[Turn, ...]:
    """Turns of half a month (1)."""
    found = []
    for number, row in enumerate(charts()["calendar"].records, 1):
        month, half, year = str(row["name"]).split()
        first = date(1900 + int(year), MONTHS.index(month) + 1, 1 if half == "I" else SECOND_HALF)
        if half == "I":
            last = first.replace(day=SECOND_HALF - 1)
        else:
            last = first.replace(day=monthrange(first.year, first.month)[1])
        found.append(Turn(number, first, last))
    return tuple(found)


def slug(name: str) -> str:
    """Metropolitan France/Benelux -> metropolitan-france-benelux."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


class SecondFront(OwnWords, MapGame[FrontState]):
    """The western Allies against the Axis, July 1943 to May 1945."""

    id = "second_front"
    rules_version = "1"
    sides = ("axis", "allied")
    procedures = PROCEDURES
    shows = view
    hidden_information = False

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self.board = board()
        self.units = tuple(units().values())
        self.turns = calendar()
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = Catalogue(
            *((folder, f"text/{name}.toml") for name in ("messages", "verbs", "table"))
        )
        self.scenarios = read_scenarios(folder, self.settings, self.turns)
        self.plans = {
            id_: read_plan(folder, self.board, self.units, scenario)
            for id_, scenario in self.scenarios.items()
        }
        self.turn_names = tuple(str(turn["name"]) for turn in charts()["calendar"].records)
        self.places = places()
        self.forces = tuple(sorted({armour_force(unit) for unit in self.units}))
        self.departing = dated(self, "withdraw_turn")
        self.long_range = [n for n, unit in enumerate(self.units) if unit.type == "long_range_siege"]
        self.garrisons = tuple(
            Garrison(
                str(row["id"]),
                SIDES.index(str(row["side"])),
                tuple(str(row["joins"]).replace("district_", "").split("|")),
            )
            for row in charts()["boxes"].records
            if row["kind"] == "garrison" and row["joins"]
        )
        self.provenances = {
            str(record["id"]): record.provenance.source
            for name in LAND.values()
            for record in books()[name].records
        }
        self.networks = tuple(str(row["network"]) for row in charts()["rail_capacity"].records)
        self.data_digest = ""

    def box(self, name: str) -> int:
        """The place of a box beside the map."""
        return places().read(f"box:{name}")

    def words_of(self, kind: str) -> Sequence[str] | None:
        """The kinds of arguments that are words of this game."""
        return {
            "work": WORKS,
            "force": [slug(name) for name in self.forces],
            "network": [slug(name) for name in self.networks],
        }.get(kind)

    def render_fact(self, name: str, value: Any, language: str) -> str:
        """Names out of the charts are told by their slugs."""
        if name.startswith("word_") and self.catalogue.has("words", slug(str(value))):
            value = slug(str(value))
        return super().render_fact(name, value, language)

    def plan(self, state: FrontState) -> Plan:
        return self.plans[state.scenario]

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> FrontState:
        plan = self.plans[scenario]
        axis = sum(unit.side == AXIS for unit in self.units)
        state = FrontState(axis, len(self.units))
        state.scenario = scenario
        state.turn = self.scenarios[scenario].first
        state.capacity = plan.capacity
        state.resources = plan.stocks
        for unit, name in plan.garrisons:
            state.place(unit, self.box(name))
        state.governments = tuple(Government(*each_) for each_ in plan.governments)
        for placed in plan.setup:
            state.place(placed.unit, placed.cell)
            state.reduced |= int(placed.reduced) << placed.unit
        state.owned = plan.area & ~plan.allied, plan.area & plan.allied
        settle(self, state)
        return state

    def turn(self, state: FrontState) -> int:
        return state.turn

    def turn_name(self, state: FrontState) -> str:
        """Jul II 43."""
        return self.turn_names[state.turn - 1]

    def phase_side(self, state: FrontState) -> int | None:
        return None if state.over else state.active

    def score(self, state: FrontState) -> int:
        """42: what the Allies hold at the end, less their losses."""
        return victory.held(self, state) - sum(victory.penalties(self, state).values())

    def outcome(self, state: FrontState) -> Outcome | None:
        if state.ending != DECIDED:
            return None
        score = self.score(state)
        for level, needed in self.plan(state).needed.items():
            if score >= needed:
                return Outcome(ALLIED, level, {"places": score})
        return Outcome(AXIS, "victory", {"places": score})


@cache
def load() -> SecondFront:
    return SecondFront(Folder(GAME))
