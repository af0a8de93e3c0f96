"""Second Front, put together as far as it goes: the land war on the maps of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from grognard.board.board import bits
from grognard.files import Folder, read_settings
from grognard.games.second_front import prompts, view
from grognard.games.second_front.advice import FrontAdviser
from grognard.games.second_front.books import GAME, LAND, board, books, charts
from grognard.games.second_front.data import FrontCatalogue, calendar, data_files, garrisons
from grognard.games.second_front.places import places
from grognard.games.second_front.plans import Plan, read_plan
from grognard.games.second_front.rules import victory
from grognard.games.second_front.rules.pools import armour_force
from grognard.games.second_front.rules.position import settle_ownership
from grognard.games.second_front.rules.rebuilding import dated
from grognard.games.second_front.rules.sequence import PROCEDURES
from grognard.games.second_front.rules.upkeep import deliver
from grognard.games.second_front.staff.doctrine import FrontDoctrine
from grognard.games.second_front.state import DECIDED, FrontState, Government
from grognard.games.second_front.units import ALLIED, AXIS, Piece, units
from grognard.kernel import Outcome
from grognard.kernel.actions import Event
from grognard.kernel.events import Roll
from grognard.kernel.scenario import read_scenarios
from grognard.mechanics.tabletop import MapGame
from grognard.mechanics.vocabulary import OwnWords


class SecondFront(OwnWords, MapGame[FrontState]):
    """The western Allies against the Axis, July 1943 to May 1945."""

    id = "second_front"
    rules_version = "2"
    sides = ("axis", "allied")
    procedures = PROCEDURES
    shows = view
    hidden_information = False

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self.board = board()
        self.units = tuple(units().values())
        self.divisions = bits(n for n, unit in enumerate(self.units) if Piece(unit).divisional)
        self.turns = calendar()
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = FrontCatalogue(
            folder, *(f"text/{name}.toml" for name in ("messages", "verbs", "table"))
        )
        self.scenarios = read_scenarios(folder, self.settings, self.turns)
        self.plans = {
            id_: read_plan(folder, self.board, self.units, scenario)
            for id_, scenario in self.scenarios.items()
        }
        self.turn_names = tuple(str(turn["name"]) for turn in charts()["calendar"].records)
        self.places = places()
        self.forces_of = tuple(
            frozenset(armour_force(unit) for unit in self.units if unit.side == side)
            for side in (AXIS, ALLIED)
        )
        self.forces = tuple(sorted(self.forces_of[AXIS] | self.forces_of[ALLIED]))
        self.departing = dated(self, "withdraw_turn")
        self.long_range = [n for n, unit in enumerate(self.units) if unit.type == "long_range_siege"]
        self.garrisons = garrisons()
        self.provenances = {
            str(record["id"]): record.provenance.source
            for name in LAND.values()
            for record in books()[name].records
        }
        self.networks = tuple(str(row["network"]) for row in charts()["rail_capacity"].records)
        self.own_words = prompts.words(self)
        self.data_digest = folder.digest(data_files(folder))
        self.adviser = FrontAdviser(self)
        self.doctrine = FrontDoctrine(self, dict(read_settings(folder, "doctrine.toml").data))

    def box(self, name: str) -> int:
        """The place of a box beside the map."""
        return places().read(f"box:{name}")

    def words_of(self, kind: str) -> Sequence[str] | None:
        """The kinds of arguments that are words of this game."""
        return self.own_words.get(kind)

    def render_fact(self, name: str, value: Any, language: str) -> str:
        return prompts.name_of(self, name, value, language) or super().render_fact(name, value, language)

    def prompt_facts(self, state: FrontState, side: int | None = None) -> dict[str, Any]:
        return prompts.prompt_facts(self, state)

    def roll_of(self, event: Event) -> Roll | None:
        """9A The combat table is read with the die as its modifiers leave it."""
        found = super().roll_of(event)
        return None if found is None else found._replace(row=str(event.facts["n"]))

    def plan(self, state: FrontState) -> Plan:
        return self.plans[state.scenario]

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> FrontState:
        plan = self.plans[scenario]
        axis = sum(unit.side == AXIS for unit in self.units)
        state = FrontState(axis, len(self.units))
        state.scenario, state.turn = scenario, self.scenarios[scenario].first
        state.capacity = plan.capacity
        state.resources, state.pools = plan.stocks, plan.pools
        state.forts, state.sky = plan.forts, plan.sky
        for unit, name in plan.garrisons:
            state.place(unit, self.box(name))
        state.governments = tuple(Government(*each_) for each_ in plan.governments)
        for placed in plan.setup:
            state.place(placed.unit, placed.cell)
            state.reduced |= int(placed.reduced) << placed.unit
        state.owned = plan.area & ~plan.allied, plan.area & plan.allied
        deliver(self, state, AXIS)
        deliver(self, state, ALLIED)
        settle_ownership(self, state)
        return state

    def area(self, scenario: str) -> int:
        return self.plans[scenario].area

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
def load(override: Path | None = None) -> SecondFront:
    """Second Front with its own data; of a player's own files the texts and scenarios are taken."""
    return SecondFront(Folder(GAME, override))
