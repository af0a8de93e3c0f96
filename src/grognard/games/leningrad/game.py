"""Leningrad, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Mapping
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
from grognard.games.leningrad.staff.doctrine import LeningradDoctrine
from grognard.games.leningrad.state import SOVIET, LeningradState
from grognard.kernel import Outcome
from grognard.mechanics.control import zone
from grognard.mechanics.odds import odds_name
from grognard.mechanics.tabletop import MapGame

HERE = Path(__file__).parent


class Leningrad(LeningradTables, MapGame[LeningradState]):
    """Army Group North's drive on Leningrad, summer 1941."""

    id = "leningrad"
    rules_version = "2"
    sides = ("german", "soviet")
    procedures = PROCEDURES
    shows = view
    hidden_information = False  # 14.0 nobody knows an untried strength: it is drawn when it is revealed

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self.data = LeningradData(folder)
        self.read(folder, self.data)
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

    def outcome(self, state: LeningradState) -> Outcome | None:
        return victory.verdict(self, state) if state.over else None

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

    def phase_side(self, state: LeningradState) -> int | None:
        return None if state.over else state.active

    def extra_limits(self, state: LeningradState, side: int) -> Mapping[str, int]:
        return view.extra_limits(state, side)

    def controlled(self, state: LeningradState, side: int) -> list[int]:
        return list(each(zone(self, state, side) & self.data.land))


def load(override: Path | None = None) -> Leningrad:
    """Leningrad with its own data, or with the player's laid over them."""
    return Leningrad(Folder(HERE, override))
