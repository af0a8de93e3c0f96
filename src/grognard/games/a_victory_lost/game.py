"""A Victory Lost, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from grognard.board.board import each
from grognard.files import Folder, read_settings
from grognard.games.a_victory_lost import prompts, secrets, view
from grognard.games.a_victory_lost.advice import VictoryAdviser
from grognard.games.a_victory_lost.data import VictoryData
from grognard.games.a_victory_lost.derived import VictoryTables
from grognard.games.a_victory_lost.rules import victory
from grognard.games.a_victory_lost.rules.sequence import PROCEDURES
from grognard.games.a_victory_lost.rules.setup import set_up
from grognard.games.a_victory_lost.staff.doctrine import VictoryDoctrine
from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import Outcome
from grognard.mechanics.control import zone
from grognard.mechanics.odds import halved_odds_name
from grognard.mechanics.tabletop import MapGame

HERE = Path(__file__).parent


class AVictoryLost(VictoryTables, MapGame[VictoryState]):
    """From the Don to the Dnieper, winter 1942-1943."""

    id = "a_victory_lost"
    rules_version = "4"
    sides = ("axis", "soviet")
    procedures = PROCEDURES
    shows = view
    hidden_information = True

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self.data = VictoryData(folder)
        self.read(folder, self.data)
        self.derive(self.scenarios)
        self.adviser = VictoryAdviser(self)
        self.doctrine = VictoryDoctrine(self, dict(read_settings(folder, "doctrine.toml").data))

    # Positions

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> VictoryState:
        return set_up(self, scenario, options)

    def guess(self, copy: VictoryState, side: int, random: Random) -> None:
        secrets.guess(self, copy, side, random)

    def outcome(self, state: VictoryState) -> Outcome | None:
        return victory.verdict(self, state) if state.over else None

    # Names

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
            return halved_odds_name(value) if language else self.data.crt.heading(value)
        if name == "chit":
            return self.chit_name(value, language)
        if name == "chits":
            return ", ".join(self.chit_name(chit, language) for chit in value)
        return super().render_fact(name, value, language)

    def prompt_facts(self, state: VictoryState, side: int | None = None) -> dict[str, Any]:
        return prompts.prompt_facts(self, state, side)

    # Views

    def phase_side(self, state: VictoryState) -> int | None:
        return None if state.over else state.active

    def controlled(self, state: VictoryState, side: int) -> list[int]:
        return list(each(zone(self, state, side)))


def load(override: Path | None = None) -> AVictoryLost:
    """A Victory Lost with its own data, or with the player's laid over them."""
    return AVictoryLost(Folder(HERE, override))
