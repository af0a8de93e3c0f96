"""What a side imagines of what it may not know: the other side's markers in boxes, the events of Ju 52."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from grognard.games.stalingrad_roads.state import AVAILABLE, AXIS, BOX_NAMES, SOVIET, RoadsState

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


def guess(game: StalingradRoads, copy: RoadsState, side: int, random: Random) -> None:
    """5.1.4, 10.4.3 The other side's markers in boxes, and the events of Ju 52, are shuffled."""
    size = len(game.supports)
    other = 1 - side
    kinds = [k for k in range(size) if game.supports[k].side == other]
    boxes = [box for box in range(len(BOX_NAMES)) if (box == AVAILABLE) == (other == AXIS)]
    bag = [k for k in kinds for _ in range(copy.pool[k] + sum(copy.held[b * size + k] for b in boxes))]
    random.shuffle(bag)
    for kind in kinds:
        copy.pool[kind] = 0
    for box in boxes:
        count = sum(copy.held[box * size + k] for k in kinds)
        for kind in kinds:
            copy.held[box * size + kind] = 0
        for _ in range(count):
            copy.held[box * size + bag.pop()] += 1
    for kind in bag:
        copy.pool[kind] += 1
    if side == SOVIET and copy.owed:
        there = [k for k in kinds for _ in range(copy.held[AVAILABLE * size + k])]
        copy.owed = tuple(sorted(random.sample(there, len(copy.owed))))
    if side == SOVIET and copy.flights:
        events = [k for k, n in enumerate(copy.planes) for _ in range(n)]
        events += [event for event, _ in copy.flights]
        random.shuffle(events)
        copy.flights = tuple(sorted((events.pop(), cell) for _, cell in copy.flights))
        copy.planes = bytearray(events.count(k) for k in range(len(copy.planes)))
