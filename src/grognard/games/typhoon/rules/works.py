"""12.1 to 12.3 Fortifications: strongpoints that are built, lines that are printed, and who destroys them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grognard.board import Board
from grognard.games.typhoon.data import Unit

BUILDING, FINISHED = 1, 2
"""The two faces of a strongpoint (12.1.6)."""


class Site(NamedTuple):
    """What matters where a strongpoint might be begun or finished."""

    supplied: bool
    """The hex is in general supply (12.1.1)."""
    taken: bool = False
    """A strongpoint is there already."""
    engineer: bool = False
    """An engineer that is free to work is there (12.3.2, 12.3.3)."""
    frozen: bool = False
    """An arctic turn has come (12.1.4)."""


def why_not_begin(side: str, site: Site, left: int, planned: bool = True) -> str | None:
    """12.1.1 to 12.1.4: why a strongpoint may not be begun, or None. `left` is what the replacement table
    still allows the Soviets this turn, `planned` whether the plan of the Axis lets it build (12.1.3)."""
    if site.taken:
        return "strongpoint-there"
    if not site.supplied:
        return "site-unsupplied"
    if side == "axis":
        if not planned:
            return "plan-forbids-strongpoints"
        if not site.engineer:
            return "no-engineer-there"
    elif left <= 0:
        return "no-strongpoints-left"
    return "frozen-ground" if site.frozen and not site.engineer else None


def begun_as(side: str, engineer: bool) -> int:
    """12.1.6, 12.3.2: a Soviet engineer places it finished, everybody else begins it."""
    return FINISHED if side == "soviet" and engineer else BUILDING


def is_finished(side: str, supplied: bool, engineer: bool) -> bool:
    """12.1.6, 12.3.3: whether one under construction is finished in the next engineer phase. The Axis needs
    its engineer again."""
    return supplied and (side == "soviet" or engineer)


def may_work(fought: bool, strategic: bool, by_rail: bool, converted: bool = False) -> bool:
    """12.3.2, 12.3.3, 12.4.7: whether an engineer's day is still its own."""
    return not (fought or strategic or by_rail or converted)


def destroys(units: Iterable[Unit], integrity: bool) -> bool:
    """12.1.9, 12.2.3: who destroys a fortification in his engineer phase: a division, the elements of one
    that could claim integrity, or any engineer."""
    return integrity or any(unit.division or unit.kind == "engineer" for unit in units)


def line_holds(board: Board, target: int, attackers: Sequence[int]) -> bool:
    """12.2.1: whether the line printed in a hex faces every hex from which it is attacked."""
    return bool(attackers) and all(board.side_has(target, cell, "fortified") for cell in attackers)


def fortification(side: str, line: bool, strongpoint: bool) -> int:
    """12.1.8, 12.2.1, 12.2.5: what fortifications add to the die of an attack by a side. The line counts
    against the Axis alone, and a strongpoint behind it adds nothing more."""
    return int(strongpoint or (line and side == "axis"))


def armour_is_stopped(board: Board, target: int, armour: Sequence[int], line: bool) -> bool:
    """12.2.2: no combined arms if all Axis armour attacks across the line."""
    return line and line_holds(board, target, armour)


def engineer_bonus(place: bool, fortification_counts: bool, engineers: int) -> int:
    """12.3.1: what engineers take off the die, if wanted: against a city or where a fortification counts, and
    never more than one."""
    return -1 if engineers and (place or fortification_counts) else 0
