"""The words with which players answer: what a verb takes, and what it does.

A door that draws, advises or plays looks at a verb's role, never at its word: what "pick" does in one game,
"take-up" may do in another.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """What answering with a verb does, in any game."""

    TAKE = "take"
    """Takes up a unit on the map, to move it."""
    ENTER = "enter"
    """Brings a unit onto the map, to move it."""
    GATHER = "gather"
    """Takes one more unit in hand."""
    RELEASE = "release"
    """Sets down one of the units in hand."""
    STEP = "step"
    """Moves what is in hand to another hex."""
    HALT = "halt"
    """Ends the move of what is in hand."""
    STRIKE = "strike"
    """Attacks a hex with what is in hand, in the course of a move."""
    AIM = "aim"
    """Begins an attack by naming its target."""
    WIDEN = "widen"
    """Adds a target to the attack being put together."""
    JOIN = "join"
    """Adds a unit to the attack being put together."""
    COMMIT = "commit"
    """Makes the attack as it has been put together."""
    PLACE = "place"
    """Puts something on a hex outside a move: a marker, an arrival, a retreat, an advance."""
    CHOOSE = "choose"
    """Anything else that is one choice among several."""
    END = "end"
    """Ends the phase, or the part of it that the question belongs to."""
    PASS = "pass"
    """Declines what was offered."""
    WAIVE = "waive"
    """Declines in advance what will be offered, or takes that back."""


class Order(StrEnum):
    """The composite orders that a door may give in any game with moves and attacks; games may know more."""

    MOVE = "move"
    """{"order": "move", "units": [...], "path": [...]}"""
    ATTACK = "attack"
    """{"order": "attack", "targets": [...], "units": [...]}"""


class Verb(NamedTuple):
    """What a verb takes, and what it does."""

    kinds: tuple[str, ...] = ()
    """The kinds of its arguments: hex, unit, number, or a kind of the game's own."""
    role: Role = Role.CHOOSE
