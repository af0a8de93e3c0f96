"""The battles of a log: what was announced, the odds and the result of each, for whoever counts them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from grognard.kernel import Event, Game
from grognard.kernel.events import Family


class Fought(NamedTuple):
    """A battle that was decided."""

    turn: int
    attack: Event
    """It says who attacked (`units`) and who was attacked (`units_target`)."""
    odds: Mapping[str, Any]
    """The facts of the odds, if any were told."""
    result: Event


def battles_of(game: Game[Any], log: Iterable[Event]) -> Iterator[Fought]:
    turn = 0
    attack: Event | None = None
    odds: Mapping[str, Any] = {}
    for event in log:
        family = game.family(event)
        if family is Family.TURN:
            turn = event.facts["turn"]
        elif family is Family.BATTLE and "units_target" in event.facts:
            attack = event
        elif family is Family.ODDS:
            odds = event.facts
        elif family is Family.RESULT and attack is not None:
            yield Fought(turn, attack, odds, event)
            attack, odds = None, {}
