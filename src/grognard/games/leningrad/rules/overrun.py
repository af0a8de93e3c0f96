"""7.0 Overrun: an attack inside the movement phase, for three points and two columns to the left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.state import LeningradState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.control import in_contact

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad
    from grognard.games.leningrad.rules.battle import Battle
    from grognard.games.leningrad.rules.movement import MovingStack


def why_not_overrun(game: Leningrad, state: LeningradState, stack: MovingStack, there: int) -> Refusal | None:
    """Whether the stack in hand may overrun a neighbouring hex."""
    units = stack.units
    side = game.side(units[0])
    if not in_contact(game, state.where[units[0]], there):
        return refusal("not-in-contact", "7.0", hex=there)
    if not state.occupied[1 - side] >> there & 1:
        return refusal("nobody-to-overrun", "7.0", hex=there)
    if game.soviets_surprised(state, side):
        return refusal("surprised-overrun", "17.1")
    if stack.arriving and len(units) > 1:
        return refusal("overrun-together", "7.4", units=units)
    price = 2 * game.data.numbers["overrun_cost"]
    for unit in units:
        if state.left[unit] < price:
            return refusal(
                "overrun-points", "7.3", unit=unit, points_needed=price, points_left=state.left[unit]
            )
    return None


def announce_overrun(game: Leningrad, state: LeningradState) -> Battle:
    """7.3 Three points each, whatever the terrain; then 7.5 against everybody in the hex."""
    from grognard.games.leningrad.rules.battle import engage

    stack: MovingStack = state.local
    for unit in stack.units:
        state.left[unit] -= 2 * game.data.numbers["overrun_cost"]
        state.moved |= 1 << unit
    defenders = tuple(state.stack(stack.target))
    state.emit("overrun", "7.0", units=stack.units, hex=stack.target, units_target=defenders)
    return engage(state, stack.units, (stack.target,), defenders, overrun=True)
