"""4A2, 4A4, 6 The two phases in which units move: which it is, and what a unit has to move with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.second_front.rules.movement import allowance, may_exploit
from grognard.games.second_front.rules.position import piece
from grognard.games.second_front.state import FrontState
from grognard.kernel import Refusal, refusal

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


def why_not_take(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    """Whether a unit of the phasing side may move at all."""
    if not state.side_units[state.active] >> unit & 1 or state.where[unit] < 0:
        return refusal("not-yours", "6", unit=unit)
    if state.moved >> unit & 1:
        return refusal("moved-already", "6", unit=unit)
    if phase_of(state) == EXPLOITATION and not may_exploit(piece(game, state, unit)):
        return refusal("no-motors", "6", unit=unit)
    if phase_of(state) == EXPLOITATION and state.entrained >> unit & 1:
        return refusal("came-by-rail", "7A2", unit=unit)
    if game.units[unit].by_rail_only:
        return refusal("rails-only", "14F1", unit=unit)
    if not state.left[unit]:
        return refusal("cannot-move", "6", unit=unit)
    return None
