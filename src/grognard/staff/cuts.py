"""Lines of supply as a planner sees them: whom a unit would cut off from each hex where it could stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from grognard.board import Board
from grognard.mechanics.supply import may_sever


def severing(
    board: Board,
    links: Sequence[int],
    region: int,
    lines: int,
    cells: Iterable[int],
    zones: Mapping[int, int],
    covered: int,
    sources: int,
    lost: Callable[[int, int], int],
) -> dict[int, int]:
    """For each of some hexes what the enemy would lose to one more unit of ours there, where he would lose
    anything. His lines pass `region`, joined by `links`, of which `lines` is what he does not stand on;
    `zones` is what a unit on a hex closes to them, `covered` what is closed already; `lost` works out what he
    loses from the hex and its zone."""
    found = {}
    for cell in cells:
        zone = zones.get(cell, 0)
        gone = (zone & ~covered | 1 << cell) & lines
        if gone & sources or may_sever(board, links, region, gone):
            prey = lost(1 << cell, zone)
            if prey:
                found[cell] = prey
    return found
