"""4A2, 4A4, 6 The two phases in which units move: which it is, and what a unit has to move with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.second_front.rules.movement import allowance, may_exploit
from grognard.games.second_front.rules.position import piece
from grognard.games.second_front.state import FrontState

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

MOVEMENT, EXPLOITATION = "movement", "exploitation"


def phase_of(state: FrontState) -> str:
    return EXPLOITATION if state.within("exploitation-phase") else MOVEMENT


def ready_to_move(game: SecondFront, state: FrontState, unit: int) -> None:
    """The points that a unit has in this phase."""
    here = piece(game, state, unit)
    mobile = phase_of(state) == MOVEMENT or may_exploit(here)
    state.left[unit] = allowance(here) if mobile else 0
    state.moved &= ~(1 << unit)


def nobody_has_moved(state: FrontState) -> bool:
    """15A: the beginning of the phase, when divisions may break down."""
    units = state.side_units[state.active]
    return not state.moved & units and state.steady & units == units
