"""11.0 Supply: five points at armoured rates to a source, or to a road that leads to one.

Supply is judged when it matters: when a unit starts to move, when odds are worked out, when a unit
regenerates, when the game ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.mechanics.control import zone
from grognard.mechanics.movement import connected, within_cost
from grognard.mechanics.supply import half_allowance, open_ground, remembered

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def open_to_lines(game: Leningrad, state: LeningradState, side: int) -> int:
    """11.3 Hexes a line may pass: no enemy there, and no enemy zone unless a friend stands there."""
    enemy = 1 - side
    enemy_zone = zone(game, state, enemy)
    return open_ground(game.data.land, state.occupied[enemy], enemy_zone, state.occupied[side])


def dearer_hexes(game: Leningrad, state: LeningradState, side: int) -> tuple[tuple[int, int], ...]:
    """11.6 Empty forts against Germans (15.2) and interdiction against Soviets (13.3): sets and factors."""
    if side == GERMAN:
        empty = state.forts & ~state.occupied[SOVIET]
        return ((empty, game.data.numbers["fort_factor"]),) if empty else ()
    once = twice = 0
    for cell in state.interdicted:
        twice |= once & 1 << cell
        once |= 1 << cell
    factor = game.data.numbers["interdiction_factor"]
    return tuple((s, f) for s, f in ((twice, factor * factor), (once & ~twice, factor)) if s)


def supplied_hexes(game: Leningrad, state: LeningradState, side: int, sources: int | None = None) -> int:
    """11.0 The set of hexes where a unit of this side is in supply. `sources` restricts it to some of the
    sources (15.0)."""
    may_pass = open_to_lines(game, state, side)
    dearer = dearer_hexes(game, state, side)
    if sources is not None:
        return _trace(game, sources, may_pass, dearer)[1]
    return remembered(
        state.supply_cache,
        side,
        (may_pass, dearer),
        lambda: _trace(game, game.sources[side], may_pass, dearer)[1],
    )


def supplied_if(
    game: Leningrad, state: LeningradState, side: int, enemies: int, enemy_zone: int
) -> tuple[int, int]:
    """Roads that lead supply, and hexes in supply, if the enemy stood on these hexes with this zone."""
    may_pass = open_ground(game.data.land, enemies, enemy_zone, state.occupied[side])
    return _trace(game, game.sources[side], may_pass, dearer_hexes(game, state, side))


def _trace(
    game: Leningrad, sources: int, may_pass: int, dearer: tuple[tuple[int, int], ...]
) -> tuple[int, int]:
    chain = connected(game.board, game.data.roads, sources, may_pass)
    reach = 2 * game.data.numbers["supply_range"]
    return chain, within_cost(game.mobile_costs, chain, reach, may_pass, dearer)


def in_supply(game: Leningrad, state: LeningradState, side: int, cell: int) -> bool:
    return bool(supplied_hexes(game, state, side) >> cell & 1)


def allowance(game: Leningrad, state: LeningradState, unit: int) -> int:
    """11.1 Movement points for the phase, in halves: out of supply half of them, fractions dropped."""
    full = game.movement[unit]
    if in_supply(game, state, game.side(unit), state.where[unit]):
        return full
    return half_allowance(full, game.points.parts)
