"""Lines of supply: which hexes they may pass, how far they lead, and what is remembered of them.

A line comes from a source and passes hexes that the enemy does not close. How it goes on differs by book:
along a net of roads or over any dry side (`movement.connected`), then so many points farther
(`movement.within_cost`). What is the same in all of them is here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from grognard.board import Board
from grognard.mechanics.movement import connected, rings
from grognard.mechanics.zones import zone


def open_ground(ground: int, enemies: int, enemy_zone: int, friends: int) -> int:
    """The hexes that a line may pass: no enemy there, and no enemy zone unless a friend stands there."""
    return ground & ~(enemies | enemy_zone & ~friends)


def remembered(
    cache: list[tuple[Any, int] | None], side: int, key: Hashable, trace: Callable[[], int]
) -> int:
    """The hexes in supply of a side, worked out again only if something has changed that they depend on. The
    cache lies in the position, is copied with it and is no part of what it is."""
    cached = cache[side]
    if cached is not None and cached[0] == key:
        return cached[1]
    found = trace()
    cache[side] = (key, found)
    return found


def half_allowance(points: int, parts: int) -> int:
    """Half of some points of movement without fractions of a point, where a point has so many parts."""
    return points // (2 * parts) * parts


def may_sever(board: Board, links: Sequence[int], region: int, gone: int) -> bool:
    """Whether a joined region without some of its hexes may fall apart: not if those next to them are still
    joined to each other around them. Quick, and sure when it says no."""
    ring = zone(board, links, gone) & region & ~gone
    near = board.spread(board.spread(gone)) & region & ~gone
    return bool(ring & ~connected(board, links, ring & -ring, near))


def lifelines(board: Board, links: Sequence[int], sources: int, region: int, ends: int) -> int:
    """The hexes of one shortest line from a source to each of some hexes of a joined region: while all of
    them stay open, none of those ends is cut off. None if every source is shut."""
    found = wanted = 0
    outward = [0, *rings(board, links, sources, region)]
    for ring, nearer in zip(reversed(outward[1:]), reversed(outward[:-1]), strict=True):
        wanted |= ends & ring
        found |= wanted
        left, wanted = wanted, 0
        for step, mask in zip(board.steps, links, strict=True):
            if not left:
                break
            before = (left >> step if step > 0 else left << -step) & mask & nearer
            left &= ~(before << step if step > 0 else before >> -step)
            wanted |= before
    return found
