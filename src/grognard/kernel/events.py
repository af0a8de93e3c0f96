"""What kinds of things happen in a game, for whoever counts, filters or shows them.

A game has its own kinds of events; each belongs to one of the families below. Doors look at the family and at
the dice, never at the kind.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Family(StrEnum):
    """What an event is about, in any game."""

    TURN = "turn"
    """A turn begins; its fact `turn` says which."""
    PHASE = "phase"
    MOVE = "move"
    BATTLE = "battle"
    """An attack is announced."""
    ODDS = "odds"
    RESULT = "result"
    """A battle is decided."""
    LOSS = "loss"
    RETREAT = "retreat"
    ADVANCE = "advance"
    CHANCE = "chance"
    """Something was drawn or rolled outside battle."""
    ARRIVAL = "arrival"
    SUPPLY = "supply"
    SCORE = "score"
    OTHER = "other"


class EventKind(NamedTuple):
    """One kind of event of a game."""

    family: Family
    dice: tuple[int, ...] = ()
    """How many sides each die has that was thrown. The fact `die` is the one thrown, `dice` are several."""
    table: str = ""
    """The table in which they were looked up: the fact `odds` is the column, `result` what stands there."""


class Die(NamedTuple):
    """A die as it fell."""

    sides: int
    value: int


class Roll(NamedTuple):
    """Where in a table a roll was looked up, in the words of the table."""

    table: str
    column: str
    row: str
    result: str
