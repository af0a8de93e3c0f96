"""Lines of supply as a planner sees them: whom a unit would cut off from each hex where it could stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from grognard.board import Board
from grognard.mechanics.supply import lifelines, may_sever
from grognard.mechanics.zones import zone


def cut_off(
    board: Board,
    links: Sequence[int],
    sources: int,
    contact: Mapping[int, int],
    passable: Sequence[int],
    theirs: int,
    still: int,
    cells: Iterable[int],
    supplied: Callable[[int, int], tuple[int, int]],
) -> dict[int, int]:
    """For each of some hexes, of those where the enemy stands (`theirs`) the ones that would be out of supply
    if one more unit of ours stood there, besides those on `still`; only where there are any.

    His lines go from `sources` over `links`; a unit closes its hex to them and its zone, `contact`, over
    sides that are `passable`. `supplied` works out, by the hexes where we would stand and our zone, the net
    that the lines follow and every hex in supply."""
    covered = zone(board, passable, still)
    net, fed = supplied(still, covered)
    # Who is fed at some distance from the net can be cut off anywhere between.
    lines = net if theirs & fed & ~net else lifelines(board, links, sources, net, theirs & fed)
    found = {}
    for cell in cells:
        around = contact.get(cell, 0)
        gone = (around & ~covered | 1 << cell) & net & ~theirs
        if gone & lines and (gone & sources or may_sever(board, links, net, gone)):
            prey = theirs & fed & ~supplied(still | 1 << cell, covered | around)[1]
            if prey:
                found[cell] = prey
    return found
