"""What a game declares of its table and shows of a position: the part of a game that doors look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from grognard.kernel.actions import Event
from grognard.kernel.advice import Effects
from grognard.kernel.events import Die, EventKind, Family, Roll
from grognard.kernel.state import State
from grognard.kernel.table import Badge, Extra, GuideStep, Hand, Layer, PartKind, Table
from grognard.kernel.text import Catalogue

S = TypeVar("S", bound=State)

UNDECLARED = EventKind(Family.OTHER)


class Observer(Generic[S]):
    """What may lie on the table, in declarations, and what lies there, in a position."""

    events: ClassVar[Mapping[str, EventKind]] = {}
    """Every kind of event that the rules emit."""
    badges: ClassVar[tuple[Badge, ...]] = ()
    parts: ClassVar[tuple[PartKind, ...]] = ()
    layers: ClassVar[tuple[Layer, ...]] = ()
    extras: ClassVar[tuple[Extra, ...]] = ()
    guide: ClassVar[tuple[GuideStep, ...]] = ()
    levels: ClassVar[Mapping[str, float]] = {}
    """What a victory of each level counts; 1 if it is not named."""
    symbols: ClassVar[Mapping[str, str]] = {}
    """The symbol of a kind of units on the counter, where it is not called like the kind."""

    catalogue: Catalogue

    def table(self, state: S, side: int | None) -> Table:
        """What a side (None: a spectator) may see of the table."""
        return Table([], {}, ())

    def phase_side(self, state: S) -> int | None:
        """Whose phase is in progress; None if it is nobody's in particular."""
        return None

    def hand(self, state: S) -> Hand | None:
        """What the side that is asked has taken up; None if nothing. Only that side is told."""
        return None

    def extra_limits(self, state: S, side: int) -> Mapping[str, int]:
        """How much of each of the extras a side may add to an attack now."""
        return {}

    def controlled(self, state: S, side: int) -> list[int]:
        """The hexes that a side's units cover (their zones of control), for whoever draws a front line."""
        return []

    def layer(self, state: S, id_: str, side: int | None) -> list[int]:
        """The hexes of a layer, of a side if the layer is sided. KeyError if there is no such layer."""
        raise KeyError(id_)

    # Events

    def family(self, event: Event) -> Family:
        return self.events.get(event.kind, UNDECLARED).family

    def dice(self, event: Event) -> tuple[Die, ...]:
        """The dice that were thrown for an event."""
        sides = self.events.get(event.kind, UNDECLARED).dice
        if not sides:
            return ()
        values = event.facts["dice"] if "dice" in event.facts else (event.facts["die"],)
        return tuple(Die(*die) for die in zip(sides, values, strict=True))

    def roll_of(self, event: Event) -> Roll | None:
        """Where the dice of an event were looked up; None if in no table."""
        table = self.events.get(event.kind, UNDECLARED).table
        if not table:
            return None
        row = str(sum(die.value for die in self.dice(event)))
        return Roll(table, self.render_fact("odds", event.facts["odds"], ""), row, str(event.facts["result"]))

    def render_fact(self, name: str, value: Any, language: str) -> str:
        raise NotImplementedError

    # Results of battles

    def effects(self, result: str) -> Effects:
        """What a result of the combat table does to either side."""
        raise NotImplementedError

    def result_text(self, result: str, language: str) -> str:
        """A result of the combat table in words."""
        return self.catalogue.template("results", result, language)
