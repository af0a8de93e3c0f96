"""6.0 Disengagement: leaving an enemy zone at a price, while somebody stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.state import LeningradState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.control import in_enemy_zone

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def held(game: Leningrad, state: LeningradState, units: tuple[int, ...], here: int) -> tuple[int, ...]:
    """4.7 Those of a stack that leave their hex only by disengaging: all of it in an enemy zone, and who has
    stopped in one on its way, even if that zone is there no more."""
    if in_enemy_zone(game, state, game.side(units[0]), here):
        return units
    return tuple(u for u in units if state.stopped >> u & 1) if state.stopped else ()


def note_stop(game: Leningrad, state: LeningradState, units: tuple[int, ...]) -> None:
    """4.7 Who has entered an enemy zone has stopped; who is out of it goes on."""
    for unit in units:
        bit = 1 << unit
        state.stopped &= ~bit
        if state.departed & bit and in_enemy_zone(game, state, game.side(unit), state.where[unit]):
            state.stopped |= bit


def why_not_leave(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], here: int
) -> Refusal | None:
    """Whether these units, some of them held, may leave their hex together, wherever they go."""
    leaving = held(game, state, units, here)
    if game.soviets_surprised(state, game.side(units[0])):
        return refusal("surprised-disengagement", "17.1", units=leaving)
    if len(leaving) > game.data.numbers["disengage_stack"]:
        return refusal("disengage-stack", "6.0", units=leaving)
    for unit in leaving:
        if not game.disengages_freely[unit] and state.departed >> unit & 1:
            if not in_enemy_zone(game, state, game.side(unit), here):
                return refusal("stopped", "4.7", unit=unit, hex=here)
            return refusal("disengage-first", "6.2", unit=unit)
    if state.height(here) <= len(units):
        return refusal("nobody-stays", "6.3", hex=here)
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
