"""Stalingrad Roads, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from grognard.files import Folder, read_settings
from grognard.games.stalingrad_roads import prompts, secrets, view
from grognard.games.stalingrad_roads.advice import RoadsAdviser
from grognard.games.stalingrad_roads.data import RoadsData
from grognard.games.stalingrad_roads.derived import RoadsTables
from grognard.games.stalingrad_roads.rules import victory
from grognard.games.stalingrad_roads.rules.sequence import PROCEDURES
from grognard.games.stalingrad_roads.rules.setup import set_up
from grognard.games.stalingrad_roads.staff.doctrine import RoadsDoctrine
from grognard.games.stalingrad_roads.staff.lore import Lore
from grognard.games.stalingrad_roads.state import BOX_NAMES, RoadsState
from grognard.kernel import Outcome
from grognard.mechanics.odds import odds_name
from grognard.mechanics.tabletop import MapGame

HERE = Path(__file__).parent


class StalingradRoads(RoadsTables, MapGame[RoadsState]):
    """From the Volga to the Dnieper, winter 1942-1943."""

    id = "stalingrad_roads"
    rules_version = "2"
    sides = ("axis", "soviet")
    procedures = PROCEDURES
    shows = view
    hidden_information = True

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        self.data = RoadsData(folder)
        self.read(folder, self.data)
        self.derive(folder, self.scenarios)
        self.adviser = RoadsAdviser(self)
        self.doctrine = RoadsDoctrine(self, Lore(self, dict(read_settings(folder, "doctrine.toml").data)))

    # Positions

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> RoadsState:
        return set_up(self, scenario, options)

    def guess(self, copy: RoadsState, side: int, random: Random) -> None:
        secrets.guess(self, copy, side, random)

    def outcome(self, state: RoadsState) -> Outcome | None:
        return victory.verdict(self, state) if state.over else None

    # Names

    def _words(self, kind: str) -> Sequence[str] | None:
        return {
            "support": [s.id for s in self.supports],
            "plane": [p.id for p in self.planes],
            "box": BOX_NAMES,
            "effect": prompts.EFFECTS,
            "offensive": prompts.OFFENSIVES,
            "weather": prompts.SKY,
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
        return prompts.name_of(self, name, value, language) or super().render_fact(name, value, language)

    def prompt_facts(self, state: RoadsState, side: int | None = None) -> dict[str, Any]:
        return prompts.prompt_facts(self, state, side)

    # Views

    def phase_side(self, state: RoadsState) -> int | None:
        return None if state.over else state.active


def load(override: Path | None = None) -> StalingradRoads:
    """Stalingrad Roads with its own data, or with the player's laid over them."""
    return StalingradRoads(Folder(HERE, override))
