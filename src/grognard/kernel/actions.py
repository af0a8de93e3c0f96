"""The plain data that pass between players and rules: actions, refusals, events.

None of them holds a sentence. What a person reads is made from codes and facts, in the reader's language,
when it is shown. The name of a fact says what it is: `unit`, `units`, `hex`, `hexes`, `points` (in parts of
the game's scale), or a plain number or word.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

Action: TypeAlias = tuple[Any, ...]
"""A verb and its arguments: ("step", cell). On the wire and in the journal: ["step", "0908"]."""

CHANCE = -1
"""The actor who rolls the dice. Players are numbered from 0."""

EVERYONE = -2
"""The audience of an event that all may know."""


class Answer(NamedTuple):
    """An action, and the side that answered with it. In the journal: [side, verb, arguments ...]."""

    side: int
    action: Action


class Refusal(NamedTuple):
    """Why an action is not allowed."""

    code: str
    case: str
    facts: dict[str, Any]


def refusal(code: str, case: str, **facts: Any) -> Refusal:
    return Refusal(code, case, facts)


class Event(NamedTuple):
    """Something that happened, for the log."""

    kind: str
    case: str
    facts: dict[str, Any]
    audience: int = EVERYONE
