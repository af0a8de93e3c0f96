"""Where a beaten unit may fall back to."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grognard.board import Board


def farther_hexes(
    board: Board, here: int, enemies: Iterable[int], passable: Callable[[int, int], bool]
) -> list[int]:
    """The neighbouring hexes that are farther from the nearest of the enemies than the hex left."""
    foes = list(enemies)
    as_near = board.within(foes, min(board.distance(here, foe) for foe in foes))
    return [there for there in board.adjacent[here] if not as_near >> there & 1 and passable(here, there)]


def vacant_first(hexes: list[int], occupied: int) -> list[int]:
    """Empty hexes if there are any; otherwise all of them."""
    vacant = [h for h in hexes if not occupied >> h & 1]
    return vacant or hexes
