"""Typhoon!, put together: data, rules and what leaves the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from grognard.files import Folder, Scale, read_settings
from grognard.games.typhoon import data, prompts, secrets, view
from grognard.games.typhoon.advice import TyphoonAdviser
from grognard.games.typhoon.derived import TyphoonTables
from grognard.games.typhoon.rules import victory
from grognard.games.typhoon.rules.costs import POINT
from grognard.games.typhoon.rules.odds import row_of
from grognard.games.typhoon.rules.sequence import PROCEDURES
from grognard.games.typhoon.rules.setup import set_up
from grognard.games.typhoon.staff.doctrine import TyphoonDoctrine
from grognard.games.typhoon.state import TyphoonState
from grognard.kernel import Outcome
from grognard.kernel.actions import Event
from grognard.kernel.events import Roll
from grognard.kernel.scenario import read_calendar
from grognard.mechanics.tabletop import MapGame

HERE = Path(__file__).parent
DATA_FILES = tuple(
    f"tables/{name}.csv"
    for name in ("units", "air_units", "terrain", "crt", "combat_effects", "overrun", "turns", "weather")
)


class Typhoon(TyphoonTables, MapGame[TyphoonState]):
    """The drive on Moscow, 1941."""

    id = "typhoon"
    rules_version = "1"
    sides = ("axis", "soviet")
    procedures = PROCEDURES
    shows = view
    hidden_information = True
    points = Scale(POINT)

    def __init__(self, folder: Folder) -> None:
        super().__init__()
        ordered = sorted(data.units().values(), key=lambda unit: unit.side != "axis")
        self.read(
            folder,
            SimpleNamespace(
                board=data.board(),
                units=tuple(ordered),
                calendar=read_calendar(folder),
                digest=folder.digest(DATA_FILES),
            ),
        )
        self.derive()
        self.adviser = TyphoonAdviser(self)
        self.doctrine = TyphoonDoctrine(self, dict(read_settings(folder, "doctrine.toml").data))

    # Positions

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> TyphoonState:
        return set_up(self, scenario)

    def guess(self, copy: TyphoonState, side: int, random: Random) -> None:
        secrets.guess(self, copy, side, random)

    def outcome(self, state: TyphoonState) -> Outcome | None:
        return victory.verdict(self, state) if state.over else None

    def area(self, scenario: str) -> int:
        return self.outlines[scenario].area

    # Names

    def _words(self, kind: str) -> Sequence[str] | None:
        return prompts.words(self, kind)

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
        return prompts.name_of(self, name, value, language) or super().render_fact(name, value, language)

    def roll_of(self, event: Event) -> Roll | None:
        """8.4.4 The combat table is read with the die as it has become."""
        found = super().roll_of(event)
        return None if found is None else found._replace(row=str(row_of(event.facts["n"])))

    def prompt_facts(self, state: TyphoonState, side: int | None = None) -> dict[str, Any]:
        return prompts.prompt_facts(self, state, side)

    # Views

    def phase_side(self, state: TyphoonState) -> int | None:
        return None if state.over else state.active


def load(override: Path | None = None) -> Typhoon:
    """Typhoon! with its own data; of a player's own files the texts and scenarios are taken."""
    return Typhoon(Folder(HERE, override))
