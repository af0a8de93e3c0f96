"""What it costs to enter hexes, and how far one gets.

Costs are whole numbers in the smallest unit a game uses (half points for our games). They are compiled once
for each class of units into two forms: a byte per hex and direction, for one step, and a set of hexes per
cost and direction, for flooding the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.board import Board
from grognard.board.board import each

FORBIDDEN = 0


class Costs:
    """The cost of every step on a map for one class of units."""

    def __init__(self, board: Board, cost: Callable[[int, int], int | None]) -> None:
        """`cost(a, b)` is what entering b from its neighbour a takes; None or 0 forbids it."""
        self.board = board
        by_direction = [bytearray(board.size) for _ in range(6)]
        masks: dict[int, list[int]] = {}
        for a in board.cells:
            for direction, b in enumerate(board.neighbours[a]):
                price = cost(a, b) if b >= 0 else None
                if price:
                    by_direction[direction][a] = price
                    masks.setdefault(price, [0] * 6)[direction] |= 1 << a
        self.by_direction: tuple[bytes, ...] = tuple(bytes(row) for row in by_direction)
        self.masks: tuple[tuple[int, tuple[int, ...]], ...] = tuple(
            (price, tuple(sets)) for price, sets in sorted(masks.items())
        )
        self._direction = {s: d for d, s in enumerate(board.steps)}

    def step(self, a: int, b: int) -> int:
        """The cost of entering b from a; FORBIDDEN if it cannot be done or they are not neighbours."""
        direction = self._direction.get(b - a)
        return FORBIDDEN if direction is None else self.by_direction[direction][a]


def reach(
    costs: Costs,
    start: int,
    budget: int,
    allowed: int,
    halting: int = 0,
    dearer: Sequence[tuple[int, int]] = (),
) -> list[int]:
    """How far units get: element n of the answer is the set of hexes that cost exactly n to reach.

    `allowed` is the set of hexes that may be entered and `halting` those where a move must end. `dearer`
    lists (set of hexes, factor) that multiply the cost of entering.
    """
    steps = costs.board.steps
    layers = [0] * (budget + 1)
    layers[0] = 1 << start
    reached = layers[0]
    for spent in range(budget):
        moving = layers[spent]
        if spent:
            moving &= ~halting
        for price, masks in costs.masks:
            total = spent + price
            if total > budget or not moving:
                break
            found = 0
            for step, mask in zip(steps, masks, strict=True):
                going = moving & mask
                if going:
                    found |= going << step if step > 0 else going >> -step
            found &= allowed
            for cells, factor in dearer:
                if found & cells:
                    if (late := spent + price * factor) <= budget:
                        layers[late] |= found & cells
                    found &= ~cells
            layers[total] |= found
        layers[spent + 1] &= ~reached
        reached |= layers[spent + 1]
    return layers


def way_back(
    costs: Costs, layers: Sequence[int], goal: int, halting: int = 0, dearer: Sequence[tuple[int, int]] = ()
) -> tuple[int, ...]:
    """A cheapest way to a goal that `reach` has found: the hexes entered, the goal last."""
    here = goal
    spent = next(n for n, layer in enumerate(layers) if layer >> goal & 1)
    way: list[int] = []
    while spent:
        way.append(here)
        factor = next((f for cells, f in dearer if cells >> here & 1), 1)
        for there in costs.board.adjacent[here]:
            price = costs.step(there, here) * factor
            before = spent - price
            if not price or before < 0 or not layers[before] >> there & 1:
                continue
            if before and halting >> there & 1:
                continue
            here, spent = there, before
            break
        else:
            raise ValueError(f"no way leads to {goal}")
    return tuple(reversed(way))


def ways_to(
    costs: Costs,
    goals: int,
    allowed: int,
    dearer: Sequence[tuple[int, int]] = (),
    budget: int | None = None,
) -> list[int]:
    """Ways that end on one of the goals: element n of the answer is the set of hexes from which the
    cheapest one costs exactly n.

    A way is paid from its far end, entering each hex in turn, the goal's included. Every hex entered must
    be allowed or a goal; the hex where a way begins need not be. `dearer` lists (set of hexes, factor) that
    multiply the cost of entering.
    """
    steps = costs.board.steps
    layers = [goals]
    known = 0
    spent = 0
    while spent < len(layers):
        fresh = layers[spent] & ~known
        layers[spent] = fresh
        known |= fresh
        entered = fresh & (allowed | goals)
        groups = []
        for cells, factor in dearer:
            if entered & cells:
                groups.append((entered & cells, factor))
                entered &= ~cells
        if entered:
            groups.append((entered, 1))
        for cells, factor in groups:
            for price, masks in costs.masks:
                total = spent + price * factor
                if budget is not None and total > budget:
                    break
                found = 0
                for step, mask in zip(steps, masks, strict=True):
                    found |= (cells >> step if step > 0 else cells << -step) & mask
                found &= ~known
                if found:
                    while len(layers) <= total:
                        layers.append(0)
                    layers[total] |= found
        spent += 1
    return layers


def within_cost(
    costs: Costs, goals: int, budget: int, allowed: int, dearer: Sequence[tuple[int, int]] = ()
) -> int:
    """The set of hexes from which one of the goals can be reached within the budget, as in `ways_to`."""
    total = 0
    for layer in ways_to(costs, goals & allowed, allowed, dearer, budget):
        total |= layer
    return total


def costs_to(
    costs: Costs, goals: int, allowed: int, dearer: Sequence[tuple[int, int]] = ()
) -> dict[int, int]:
    """The cheapest way from every hex to the nearest goal, as in `ways_to`, by hex."""
    layers = ways_to(costs, goals, allowed, dearer)
    return {cell: spent for spent, layer in enumerate(layers) if layer for cell in each(layer)}


def connected(board: Board, links: Sequence[int], starts: int, allowed: int) -> int:
    """The set of allowed hexes joined to the starts by linked sides (a road net, say). `links` holds, for
    each direction, the set of hexes whose side there is a link."""
    steps = board.steps
    reached = starts & allowed
    edge = reached
    while edge:
        found = 0
        for step, mask in zip(steps, links, strict=True):
            going = edge & mask
            if going:
                found |= going << step if step > 0 else going >> -step
        edge = found & allowed & ~reached
        reached |= edge
    return reached
