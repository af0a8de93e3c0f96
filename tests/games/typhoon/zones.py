"""Zones of stacks that no position holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grognard.board import Board
from grognard.board.board import union
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.rules.zones import UnitState, stack_zone


def zone_of(board: Board, stacks: Mapping[int, Iterable[UnitState]], sky: Sky) -> int:
    """The hexes in the zones of one side's units."""
    return union(stack_zone(board, cell, stack, sky) for cell, stack in stacks.items())
