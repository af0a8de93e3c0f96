"""13.1 Soviet headquarters: their radius, and what they may still order in the phase in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits
from grognard.games.typhoon.rules.air import command_radius
from grognard.games.typhoon.state import SOVIET, TyphoonState
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


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


def used(state: TyphoonState, hq: int) -> int:
    return next((n for who, n in state.commanded if who == hq), 0)


def able(game: Typhoon, state: TyphoonState, cell: int) -> list[int]:
    """13.1.2, 13.1.3 The headquarters that reach a hex and have orders left, those with most of them first:
    whoever reaches fewer places keeps his own."""
    found = [
        hq
        for hq in hqs(game, state)
        if area(game, state, hq) >> cell & 1 and used(state, hq) < game.units[hq].command
    ]
    return sorted(found, key=lambda hq: (used(state, hq) - game.units[hq].command, hq))


def spend(state: TyphoonState, hq: int) -> None:
    rest = [entry for entry in state.commanded if entry[0] != hq]
    state.commanded = tuple(sorted((*rest, (hq, used(state, hq) + 1))))


def guards_left(game: Typhoon, state: TyphoonState, cell: int) -> list[int]:
    """13.5.1 The headquarters that may still activate a unit of the Guards besides their others. What they
    have used of it is kept under their number beyond all units."""
    beyond = len(game.units)
    return [
        hq for hq in hqs(game, state) if area(game, state, hq) >> cell & 1 and not used(state, hq + beyond)
    ]


def within_any(game: Typhoon, state: TyphoonState, cells: int) -> int:
    return bits(hq for hq in hqs(game, state) if area(game, state, hq) & cells)


def may_order(game: Typhoon, state: TyphoonState, side: int, cells: list[int]) -> bool:
    """13.1.2c Whether a side can give an option of retreat for units in some hexes: the Soviets need an order
    for each hex."""
    if side != SOVIET:
        return True
    copy = state.commanded
    try:
        for cell in cells:
            hq = able(game, state, cell)
            if not hq:
                return False
            spend(state, hq[0])
        return True
    finally:
        state.commanded = copy


def order(game: Typhoon, state: TyphoonState, side: int, cells: list[int]) -> None:
    if side == SOVIET:
        for cell in cells:
            spend(state, able(game, state, cell)[0])
