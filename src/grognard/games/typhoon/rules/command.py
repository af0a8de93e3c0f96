"""13.1 Soviet headquarters: their radius, and what they may still order in the phase in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.typhoon.rules.air import command_radius
from grognard.games.typhoon.state import SOVIET, TyphoonState
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


MOVES, GUARDS, OPTIONS = range(3)
"""13.1.2, 13.5.1 What a headquarters orders, each counted apart: units that move, a unit of the Guards,
options of retreat. In `state.commanded` the second and third are kept under the number of the headquarters
plus once and twice the number of all units."""


def radius(game: Typhoon, state: TyphoonState, hq: int) -> int:
    """13.1.1, 11.4.3c Four hexes, less the interdiction of its hex, two at most."""
    cell = state.where[hq]
    return command_radius(state.level(cell, game.disc(cell, 1)))


def hqs(game: Typhoon, state: TyphoonState) -> list[int]:
    """14.1.9 Those on the map."""
    return [hq for hq in members(game.hqs) if state.where[hq] >= 0]


def area(game: Typhoon, state: TyphoonState, hq: int) -> int:
    """13.1.1 The hexes within its radius, whatever lies between."""
    return game.disc(state.where[hq], radius(game, state, hq))


def commanded(game: Typhoon, state: TyphoonState) -> int:
    """The hexes within the radius of any headquarters."""
    found = 0
    for hq in hqs(game, state):
        found |= area(game, state, hq)
    return found


def ordered(game: Typhoon, state: TyphoonState, drawer: int = MOVES) -> int:
    """13.1.2, 13.5.1 The hexes within the radius of headquarters that have orders of a sort left."""
    key = ("ordered", drawer, state.commanded, state.interdicted)
    known = state.traced.get(key)
    if isinstance(known, int):
        return known
    found = 0
    for hq in hqs(game, state):
        if orders_left(game, state, hq, drawer) > 0:
            found |= area(game, state, hq)
    state.traced[key] = found
    return found


def orders_left(game: Typhoon, state: TyphoonState, hq: int, drawer: int) -> int:
    """13.5.1 For the Guards a headquarters has one order, whatever its value."""
    most = 1 if drawer == GUARDS else game.units[hq].command
    return most - used(state, hq + drawer * len(game.units))


def used(state: TyphoonState, hq: int) -> int:
    return next((n for who, n in state.commanded if who == hq), 0)


def able(game: Typhoon, state: TyphoonState, cell: int, drawer: int = MOVES) -> list[int]:
    """13.1.2, 13.1.3 The headquarters that reach a hex and have orders of a sort left, those with most of
    them first: whoever reaches fewer places keeps his own."""
    far = game.disc(cell, game.numbers["command_radius"])
    near = [hq for hq in hqs(game, state) if far >> state.where[hq] & 1]
    left = {hq: orders_left(game, state, hq, drawer) for hq in near if area(game, state, hq) >> cell & 1}
    return sorted((hq for hq in left if left[hq] > 0), key=lambda hq: (-left[hq], hq))


def spend(game: Typhoon, state: TyphoonState, hq: int, drawer: int = MOVES) -> None:
    key = hq + drawer * len(game.units)
    rest = [entry for entry in state.commanded if entry[0] != key]
    state.commanded = tuple(sorted((*rest, (key, used(state, key) + 1))))


def may_order(game: Typhoon, state: TyphoonState, side: int, cells: list[int]) -> bool:
    """13.1.2c Whether a side can give an option of retreat for units in some hexes: the Soviets need an order
    for each hex."""
    if side != SOVIET:
        return True
    copy = state.commanded
    try:
        for cell in cells:
            hq = able(game, state, cell, OPTIONS)
            if not hq:
                return False
            spend(game, state, hq[0], OPTIONS)
        return True
    finally:
        state.commanded = copy


def order(game: Typhoon, state: TyphoonState, side: int, cells: list[int]) -> None:
    if side == SOVIET:
        for cell in cells:
            spend(game, state, able(game, state, cell, OPTIONS)[0], OPTIONS)
