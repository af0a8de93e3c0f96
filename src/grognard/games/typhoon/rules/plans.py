"""17.3 The plans of the Axis: five markers, drawn secretly, and what each changes."""

from __future__ import annotations

from grognard.games.typhoon.data import numbers
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import HITLER, HOEPNER, VON_BOCK

FAIR = ("dry", "frost")
"""17.3.6, 17.3.7a: weather in which some plans bring another supply point."""


def must_draw(turn: int) -> bool:
    """17.3.3"""
    return turn == numbers()["plan_forced_turn"]


def may_draw(turn: int, event: str) -> bool:
    """17.3.2, 17.3.1: a marker may be changed on a turn with result M, until the last one is shown. M is
    ignored on the first turns (14.3.2)."""
    counts = numbers()["panic_first_turn"] <= turn < numbers()["plan_shown_turn"]
    return must_draw(turn) or (event == "M" and counts)


def is_shown(turn: int) -> bool:
    """17.3.1: from this turn on the Soviets know the plan."""
    return turn >= numbers()["plan_shown_turn"]


def digs(plan: int) -> bool:
    """17.3.4, 17.3.6, 12.1.3: whether the Axis may build strongpoints in the campaign."""
    return plan in (HITLER, HOEPNER)


def supply_bonus(plan: int, sky: Sky) -> int:
    """17.3.6, 17.3.7a: a supply point more in fair weather."""
    return int(plan in (VON_BOCK, HOEPNER) and sky.weather in FAIR)


def steps_for_a_point(plan: int) -> int:
    """17.2.2: how many Axis steps of armour or artillery cost a point."""
    return numbers()["axis_steps_hoepner" if plan == HOEPNER else "axis_steps"]


def may_leave(plan: int, strongpoint: bool, crowded: bool, into_another: bool) -> bool:
    """17.3.5: whether an Axis unit may leave its hex: out of a strongpoint only into another, or if that is
    crowded."""
    return plan != HITLER or not strongpoint or crowded or into_another


def withdraws(plan: int, turn: int) -> bool:
    """17.3.7b: whether divisions must leave this turn."""
    return plan == HOEPNER and turn == numbers()["hoepner_turn"]
