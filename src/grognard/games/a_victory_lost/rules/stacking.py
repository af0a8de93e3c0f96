"""5.0 Stacking: two combat units and one HQ, judged where a move, a retreat or an advance ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import Refusal, refusal

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def has_room(game: AVictoryLost, state: VictoryState, unit: int, cell: int) -> bool:
    """5.0.1, 5.0.3 Whether a unit may end its move, retreat or advance on a hex, or arrive there."""
    here = state.at.get(cell, 0) & ~(1 << unit)
    if not here:
        return True
    if game.units[unit].hq:
        if here & state.hqs:
            return False
    elif (here & ~state.hqs).bit_count() >= game.stacking:
        return False
    return not here & game.barred[unit]


def why_no_room(game: AVictoryLost, state: VictoryState, unit: int, cell: int) -> Refusal | None:
    if has_room(game, state, unit, cell):
        return None
    if state.at[cell] & game.barred[unit]:
        return refusal("other-nation", "5.0.3", unit=unit, hex=cell)
    if game.units[unit].hq:
        return refusal("two-hqs", "5.0.1", unit=unit, hex=cell)
    return refusal("stacking", "5.0.1", unit=unit, hex=cell)
