"""A game on a hex map, put together from its folder: texts, scenarios, and the module that says what lies on
the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from grognard.files import Folder, read_settings
from grognard.kernel import Action, Game, Procedure
from grognard.kernel.advice import Effects
from grognard.kernel.events import EventKind, Family
from grognard.kernel.scenario import read_scenarios
from grognard.kernel.table import Hand, Table
from grognard.kernel.text import Catalogue
from grognard.mechanics.orders import expand_order
from grognard.mechanics.pieces import Pieces

TEXTS = ("messages", "verbs", "table")
DECLARED = ("EVENTS", "BADGES", "PARTS", "LAYERS", "EXTRAS", "SYMBOLS", "GUIDE", "LEVELS")


P = TypeVar("P", bound=Pieces)


def by_name(*procedures: Procedure) -> dict[str, Procedure]:
    """The procedures of a game, as the agenda looks them up."""
    return {procedure.name: procedure for procedure in procedures}


def told(**kinds: str) -> dict[str, EventKind]:
    """The kinds of events of a game, by their family. Battles are decided by one die against the `crt`."""
    named = {kind: EventKind(Family(family)) for family, some in kinds.items() for kind in some.split()}
    return {**named, "result": EventKind(Family.RESULT, dice=(6,), table="crt")}


class MapGame(Game[P]):
    """A game whose module `shows` declares what the table has (EVENTS, BADGES, PARTS ...; what it leaves out
    is the kernel's default) and describes a position: `describe`, `in_hand`, `layer`, `effects`,
    `result_text`, `counters`."""

    shows: Any

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        for name in DECLARED:
            if hasattr(cls.shows, name):
                setattr(cls, name.lower(), getattr(cls.shows, name))

    def read(self, folder: Folder, data: Any) -> None:
        """Take over what has been read (`board`, `units`, `calendar`, `digest`) and read the rest."""
        self.board, self.units, self.turns = data.board, data.units, data.calendar
        self.data_digest = data.digest
        self.settings = read_settings(folder, "game.toml")
        self.catalogue = Catalogue(*((folder, f"text/{name}.toml") for name in TEXTS))
        self.scenarios = read_scenarios(folder, self.settings, data.calendar)

    def turn(self, state: P) -> int:
        found: int = state.turn  # type: ignore[attr-defined]
        return found

    def expand(self, state: P, order: Mapping[str, Any]) -> Iterator[Action]:
        return expand_order(self, state, order)

    def table(self, state: P, side: int | None) -> Table:
        found: Table = self.shows.describe(self, state, side)
        return found

    def hand(self, state: P) -> Hand | None:
        found: Hand | None = self.shows.in_hand(self, state)
        return found

    def layer(self, state: P, id_: str, side: int | None) -> list[int]:
        found: list[int] = self.shows.layer(self, state, id_, side)
        return found

    def effects(self, result: str) -> Effects:
        found: Effects = self.shows.effects(result)
        return found

    def result_text(self, result: str, language: str) -> str:
        found: str = self.shows.result_text(self, result, language)
        return found

    def counters(self, language: str) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = self.shows.counters(self, language)
        return found
