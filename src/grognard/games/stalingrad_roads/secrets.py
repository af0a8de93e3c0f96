"""What a side imagines of what it may not know: the other side's markers in boxes, the events of Ju 52."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from grognard.games.stalingrad_roads.rules.fortress import Airlift
from grognard.games.stalingrad_roads.rules.supports import Placing, why_not_take
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
    _guess_hand(game, copy, other, random)
    if side == SOVIET:
        _guess_flights(copy, random)


def _guess_hand(game: StalingradRoads, copy: RoadsState, other: int, random: Random) -> None:
    """A marker that the other side has taken from a box and not yet laid is one that could be laid."""
    placing = copy.top(Placing)
    if placing is None or game.supports[placing.kind].side != other:
        return
    mine = [k for k, support in enumerate(game.supports) if support.side == other]
    there = [k for k in mine if game.held(copy, k, placing.box)]
    able = [k for k in there if why_not_take(game, copy, Placing(k, placing.box)) is None]
    if able:
        copy.local = Placing(random.choice(able), placing.box)
        return
    # Nothing else would do: then the real one lies there instead of another.
    game.hold(copy, there[0], placing.box, -1)
    game.hold(copy, placing.kind, placing.box, 1)
    if copy.pool[placing.kind]:
        copy.pool[placing.kind] -= 1
        copy.pool[there[0]] += 1
    else:
        box = next(b for b in range(len(BOX_NAMES)) if b != placing.box and game.held(copy, placing.kind, b))
        game.hold(copy, placing.kind, box, -1)
        game.hold(copy, there[0], box, 1)


def _guess_flights(copy: RoadsState, random: Random) -> None:
    """10.4.3 The events of Ju 52, on the map and just drawn."""
    airlift = copy.top(Airlift)
    drawn = airlift.drawn if airlift is not None else ()
    if not copy.flights and not drawn:
        return
    events = [k for k, n in enumerate(copy.planes) for _ in range(n)]
    events += [*drawn, *(event for event, _ in copy.flights)]
    random.shuffle(events)
    copy.flights = tuple(sorted((events.pop(), cell) for _, cell in copy.flights))
    if airlift is not None:
        copy.local = airlift._replace(drawn=tuple(events.pop() for _ in drawn))
    copy.planes = bytearray(events.count(k) for k in range(len(copy.planes)))
