"""14.3, 14.4, 16.2 The Soviet replacement table, its events, and the reserves that they release."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from grognard.games.typhoon.data import SCENARIOS, charts, numbers, scenario
from grognard.games.typhoon.outlines import Reserve

ARMOUR, MOSCOW, NKVD, RESERVE, SUPPLY, AIR_FORCE = "A", "M", "N", "R", "S", "V"
"""14.3.1 to 14.3.6: the events of the table."""
TABLES = ("vyazma_bryansk", "campaign")
"""14.3: the scenarios that have one."""


class Report(NamedTuple):
    """A line of the table."""

    strongpoints: int
    infantry: int
    event: str


def report(scenario_id: str, die: int, pending: int) -> Report:
    """14.3, 16.2.1: what a die gives; each obligatory attack that is still owed takes one off."""
    row = charts()["soviet_replacements"].find(scenario_id, max(0, die - pending))
    return Report(int(str(row["strongpoints"])), int(str(row["infantry"])), str(row["event"]))


def meaning_of_m(turn: int) -> str:
    """14.3.2: what result M means: nothing, Moscow panics, or Stalin orders an attack."""
    if turn >= numbers()["obligatory_first_turn"]:
        return "obligatory"
    return "panic" if numbers()["panic_first_turn"] <= turn <= numbers()["panic_last_turn"] else ""


@cache
def reserve_names() -> tuple[str, ...]:
    """The groups of all scenarios, by the numbers that answers use."""
    lists = [scenario(id_).settings.data for id_ in SCENARIOS]
    names = (
        str(entry["group"]) for said in lists for kind in KINDS for entry in said.get(f"{kind}_reserve", ())
    )
    return tuple(sorted(set(names)))


KINDS = ("special", "armour", "axis")
"""14.4, 14.1.6: the reserves."""


def available(reserves: Sequence[Reserve], kind: str, taken: int, turn: int) -> list[Reserve]:
    """14.4.1, 14.1.6: the groups of a kind that may be taken on a turn. `taken` are those that have been, as
    a set of their places in the list."""
    return [
        reserve
        for number, reserve in enumerate(reserves)
        if reserve.kind == kind and reserve.turn <= turn and not taken >> number & 1
    ]


def panic(turn: int, event: str, panics: int) -> bool:
    """14.3.2: whether Moscow panics; three panics count."""
    return event == MOSCOW and meaning_of_m(turn) == "panic" and panics < numbers()["panics"]


def panic_is_held(panics: int) -> bool:
    """From the second panic on the NKVD holds order, and only the supply point is lost. `panics` counts this
    one."""
    return panics > 1


def converts_to_points(captured: bool, present: bool) -> bool:
    """16.2.2: whether attacks still owed become points at the end of a turn: the Axis has taken a place of
    victory in it and has a combat unit there."""
    return captured and present
