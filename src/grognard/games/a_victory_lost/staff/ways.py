"""What a planner asks hundreds of times before a move: where a unit can go, and by which answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.rules.reach import ways_of
from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import Action
from grognard.mechanics.movement import way

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def within_reach(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """Every hex that a unit can reach, by whatever movement, full ones included."""
    found = 0
    for branch in ways_of(game, state, unit):
        found |= branch.reach.cells
    return found


def way_to(game: AVictoryLost, state: VictoryState, unit: int, cell: int) -> tuple[Action, ...] | None:
    """The answers that bring a unit to a hex; None if it cannot get there."""
    for branch in ways_of(game, state, unit):
        if branch.reach.spent(cell) is None:
            continue
        first, *steps = way(branch.ground, branch.reach, cell)
        if state.where[unit] < 0:
            begin: Action = ("march-in" if branch.march else "enter", unit, first)
        else:
            begin = ("march" if branch.march else "pick", unit)
        return begin, *(("step", there) for there in steps), ("halt",)
    return None
