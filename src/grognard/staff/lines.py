"""Lines of hexes to be held from one place to another: the one that costs least."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf

from grognard.board.board import each


def cheapest_line(
    contact: Sequence[Sequence[int]], price: Sequence[float], starts: int, ends: int, ground: int
) -> list[int]:
    """The hexes, each next to the one before, from an end back to a start, with the smallest sum of prices;
    none if there is no way over the ground."""
    queue = [(price[c], c) for c in each(starts & ground)]
    best = {c: p for p, c in queue}
    came: dict[int, int] = {}
    queue.sort()
    while queue:
        spent, here = heappop(queue)
        if spent > best[here]:
            continue
        if ends >> here & 1:
            line = [here]
            while here in came:
                here = came[here]
                line.append(here)
            return line
        for there in contact[here]:
            total = spent + price[there]
            if ground >> there & 1 and total < best.get(there, inf):
                best[there], came[there] = total, here
                heappush(queue, (total, there))
    return []
