"""3.2 Stacking: ten points a hex at the end of every phase."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.files import DataError
from grognard.games.typhoon.data import SIDES, Unit, board, numbers, scenario, units


def weight(stack: Iterable[Unit]) -> int:
    """3.2.1, 3.2.3: the stacking points of units; some count nothing."""
    return sum(unit.stacking for unit in stack)


def excess(stack: Iterable[Unit]) -> int:
    """3.2.2: how many points must go if units of one side end a phase together."""
    return max(0, weight(stack) - numbers()["stacking"])


def check(id_: str) -> None:
    """3.2.1 A set-up must be legal, though each of its lines can be read."""
    stacks: dict[int, dict[str, list[Unit]]] = {}
    for placed in scenario(id_).setup:
        unit = units()[placed.unit]
        stacks.setdefault(placed.cell, {}).setdefault(unit.side, []).append(unit)
    problems = []
    for cell, here in stacks.items():
        where = board().number(cell)
        for side, stack in here.items():
            if excess(stack):
                problems.append(f"{where}: {weight(stack)} points of stacking of the {side} side")
        if len(here) == len(SIDES):
            problems.append(f"{where}: both sides stand there")
    if problems:
        raise DataError(f"scenarios/{id_}_setup.csv", None, "; ".join(problems))
