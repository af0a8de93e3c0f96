"""6.5.5 Attack supply: from which counters attackers can draw a point."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grognard.board.board import bits
from grognard.games.typhoon.rules.ground import allowed, intact_forts
from grognard.games.typhoon.rules.supply import Routes
from grognard.games.typhoon.state import TyphoonState
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def line_area(game: Typhoon, state: TyphoonState, side: int, goals: int) -> int:
    """6.5.5, 6.2.3 The hexes from which a line of communication leads to one of some hexes."""
    open_, forts = allowed(game, state, side) | goals, intact_forts(game, state, 1 - side)
    key = ("lines", goals, open_, forts)
    known = state.traced.get(key)
    if not isinstance(known, int):
        found = Routes(game.board, state.sky, 0, open_, 0, forts)
        known = state.traced[key] = found.lines(goals, open_ & ~forts)
    return known


def fed_from(game: Typhoon, state: TyphoonState, counter: int) -> int:
    """The hexes that a supply counter reaches."""
    return line_area(game, state, state.side(counter), 1 << state.where[counter])


def counters(game: Typhoon, state: TyphoonState, side: int) -> list[int]:
    """The supply counters of a side on the map with points left."""
    return [u for u in members(game.supplies & game.units_of[side]) if state.where[u] >= 0 and state.steps[u]]


def needs_supply(game: Typhoon, unit: int) -> bool:
    """13.3.2 Armoured trains need none."""
    return not game.trains >> unit & 1


def served(game: Typhoon, state: TyphoonState, chosen: Iterable[int], units: Iterable[int]) -> bool:
    """6.5.5 Whether every unit of an attack has a line to one of the counters chosen."""
    cells = bits(state.where[unit] for unit in units if needs_supply(game, unit))
    reach = 0
    for counter in chosen:
        reach |= fed_from(game, state, counter)
    return not cells & ~reach
