"""6.0 Disengagement: leaving an enemy zone at a price, while somebody stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.rules.zones import in_enemy_zone
from grognard.games.leningrad.state import LeningradState
from grognard.kernel import Refusal, refusal

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def why_not_leave(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], here: int
) -> Refusal | None:
    """Whether these units may leave together the enemy zone they are in, wherever they go."""
    if game.soviets_surprised(state, game.side(units[0])):
        return refusal("surprised-disengagement", "17.1", units=units)
    if len(units) > game.data.numbers["disengage_stack"]:
        return refusal("disengage-stack", "6.0", units=units)
    if state.height(here) <= len(units):
        return refusal("nobody-stays", "6.3", hex=here)
    for unit in units:
        if not game.disengages_freely[unit] and state.departed >> unit & 1:
            return refusal("disengage-first", "6.2", unit=unit)
    return None


def why_not_disengage(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], here: int, there: int
) -> Refusal | None:
    """Whether these units may leave an enemy zone together for a neighbouring hex."""
    if in_enemy_zone(game, state, game.side(units[0]), there):
        return refusal("zone-to-zone", "6.4", hex=there)
    return why_not_leave(game, state, units, here)


def disengagement_cost(game: Leningrad, unit: int) -> int:
    """6.1 two points for German armour and mechanised units, 6.2 three for all others; in halves."""
    name = "disengage_mobile" if game.disengages_freely[unit] else "disengage_other"
    return 2 * game.data.numbers[name]
