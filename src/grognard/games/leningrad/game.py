"""Leningrad, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grognard.board.board import each
from grognard.files import Folder, read_settings
from grognard.games.leningrad import prompts, view
from grognard.games.leningrad.advice import LeningradAdviser
from grognard.games.leningrad.data import LeningradData
from grognard.games.leningrad.derived import LeningradTables
from grognard.games.leningrad.rules import victory
from grognard.games.leningrad.rules.sequence import PROCEDURES
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.staff.doctrine import LeningradDoctrine
from grognard.games.leningrad.state import SOVIET, LeningradState
from grognard.kernel import Action, Game, Outcome
from grognard.kernel.advice import Effects
from grognard.kernel.scenario import read_scenarios
from grognard.kernel.table import Hand, Table
from grognard.kernel.text import Catalogue
from grognard.mechanics.odds import odds_name
from grognard.mechanics.orders import expand_order

HERE = Path(__file__).parent


class Leningrad(LeningradTables, Game[LeningradState]):
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

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        data = self.data = LeningradData(folder)
        self.board, self.units = data.board, data.units
        self.turns, self.data_digest = data.turns, data.digest
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = Catalogue(
            *((folder, f"text/{name}.toml") for name in ("messages", "verbs", "table"))
        )
        self.scenarios = read_scenarios(folder, self.settings, data.turns)
        self.derive(self.scenarios)
        self.adviser = LeningradAdviser(self)
        self.doctrine = LeningradDoctrine(self, dict(read_settings(folder, "doctrine.toml").data))

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
        if (special := prompts.special_prompt(self, state)) is not None:
            return self._sentence("prompts", *special, language)
        return super().prompt(state, language, side)

    def prompt_facts(self, state: LeningradState, side: int | None = None) -> dict[str, Any]:
        return prompts.prompt_facts(self, state)

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
        return view.counters(self, language)


def load(override: Path | None = None) -> Leningrad:
    """Leningrad with its own data, or with the player's laid over them."""
    return Leningrad(Folder(HERE, override))
