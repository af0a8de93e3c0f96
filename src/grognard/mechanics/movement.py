"""What it costs to enter hexes, and how far one gets.

Costs are whole numbers in the smallest unit a game uses (half points for our games). They are compiled once
for each class of units into two forms: a byte per hex and direction, for one step, and a set of hexes per
cost and direction, for flooding the map.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from grognard.board import Board
from grognard.board.board import each

FORBIDDEN = 0

Shifts = tuple[tuple[int, int], ...]
"""How many cells a step is, and the hexes from which it is made."""
Row = tuple[int, Shifts]
"""A price, and for each direction the step and the hexes from which it is made at that price."""


class Costs:
    """The cost of every step on a map for one class of units."""

    def __init__(self, board: Board, cost: Callable[[int, int], int | None]) -> None:
        """`cost(a, b)` is what entering b from its neighbour a takes; None or 0 forbids it."""
        masks: dict[int, list[int]] = {}
        for a in board.cells:
            for direction, b in enumerate(board.neighbours[a]):
                price = cost(a, b) if b >= 0 else None
                if price:
                    masks.setdefault(price, [0] * 6)[direction] |= 1 << a
        self._compile(board, masks)

    def _compile(self, board: Board, masks: Mapping[int, Sequence[int]]) -> None:
        self.board = board
        self.masks: tuple[tuple[int, tuple[int, ...]], ...] = tuple(
            (price, tuple(sets)) for price, sets in sorted(masks.items())
        )
        self.rows: tuple[Row, ...] = tuple(
            (price, tuple(zip(board.steps, sets, strict=True))) for price, sets in self.masks
        )
        self.into: tuple[tuple[int, Shifts, Shifts], ...] = tuple(
            (
                price,
                tuple((step, cells) for step, cells in row if step > 0 and cells),
                tuple((-step, cells) for step, cells in row if step < 0 and cells),
            )
            for price, row in self.rows
        )
        """For each price, from where a step of so many cells onwards leads into a hex; then backwards."""
        by_direction = [bytearray(board.size) for _ in range(6)]
        for price, sets in self.masks:
            for row, cells in zip(by_direction, sets, strict=True):
                for cell in each(cells):
                    row[cell] = price
        self.by_direction: tuple[bytes, ...] = tuple(bytes(row) for row in by_direction)
        self._direction = {s: d for d, s in enumerate(board.steps)}

    def only(self, sides: Sequence[int]) -> Costs:
        """The same costs for some sides only, given by direction."""
        part = Costs.__new__(Costs)
        part._compile(
            self.board,
            {
                price: [cells & side for cells, side in zip(sets, sides, strict=True)]
                for price, sets in self.masks
            },
        )
        return part

    def step(self, a: int, b: int) -> int:
        """The cost of entering b from a; FORBIDDEN if it cannot be done or they are not neighbours."""
        direction = self._direction.get(b - a)
        return FORBIDDEN if direction is None else self.by_direction[direction][a]

    def direction(self, a: int, b: int) -> int:
        """The direction of a neighbour."""
        return self._direction[b - a]


class Ground:
    """The map as some units find it now: what steps cost them, where they may go, where they stop.

    Everything that makes a step dearer is said here once; `reach` floods it and `way` follows it back.
    """

    __slots__ = ("_entering", "_leaving", "_shut", "allowed", "costs", "first_only", "stop")

    def __init__(
        self,
        costs: Costs,
        allowed: int,
        stop: int = 0,
        times: Sequence[tuple[int, int]] = (),
        plus_in: Sequence[tuple[int, int]] = (),
        plus_out: Sequence[tuple[int, int]] = (),
        first_only: Costs | None = None,
        shut: Sequence[int] = (),
    ) -> None:
        """`allowed` is the set of hexes that may be entered, `stop` those where a move ends. `times` lists
        (hexes, factor): the first set that holds a hex multiplies the cost of entering it. `plus_in` and
        `plus_out` list (hexes, points): every set that holds a hex adds to the cost of entering it, and of
        leaving it. `first_only` are steps that are made as the first of a move or not at all, and end it.
        `shut` holds, for each direction, the hexes whose side there is not crossed."""
        self.costs = costs
        self.allowed = allowed
        self.stop = stop
        self.first_only = first_only
        self._shut = tuple(shut)
        entering = [(allowed, 1, 0)]
        for cells, factor in reversed(times):
            entering = _split(entering, cells, factor=factor)
        for cells, points in plus_in:
            entering = _split(entering, cells, points=points)
        self._entering = tuple(entering)
        """Disjoint sets of hexes that may be entered, with the factor and the surcharge of each."""
        leaving = [(costs.board.everywhere, 1, 0)]
        for cells, points in plus_out:
            leaving = _split(leaving, cells, points=points)
        self._leaving = tuple((cells, plus) for cells, _, plus in leaving)
        """Disjoint sets of all hexes, with the surcharge of each."""

    def price(self, a: int, b: int) -> int:
        """What a step costs that need not be the first; FORBIDDEN if it cannot be made."""
        return self._price(self.costs, a, b)

    def _price(self, costs: Costs, a: int, b: int) -> int:
        price = costs.step(a, b)
        if not price or (self._shut and self._shut[costs.direction(a, b)] >> a & 1):
            return FORBIDDEN
        for cells, factor, plus in self._entering:
            if cells >> b & 1:
                return price * factor + plus + self._toll(a)
        return FORBIDDEN

    def _toll(self, a: int) -> int:
        return next(plus for cells, plus in self._leaving if cells >> a & 1)

    def first_steps(self, start: int) -> Iterable[tuple[int, int]]:
        """The hexes that only a first step enters, with what that costs."""
        if self.first_only is not None:
            for there in self.first_only.board.adjacent[start]:
                if price := self._price(self.first_only, start, there):
                    yield there, price

    def rows(self) -> tuple[Row, ...]:
        """For each price the steps by direction, with the hexes from which they are made now."""
        if not any(self._shut):
            return self.costs.rows
        return tuple(
            (price, tuple((step, mask & ~shut) for (step, mask), shut in zip(row, self._shut, strict=True)))
            for price, row in self.costs.rows
        )


def _split(
    classes: list[tuple[int, int, int]], cells: int, factor: int = 0, points: int = 0
) -> list[tuple[int, int, int]]:
    """Disjoint sets with a factor and a surcharge, divided by another set whose part gets another factor, or
    points on top."""
    found = []
    for members, times, plus in classes:
        if rest := members & ~cells:
            found.append((rest, times, plus))
        if part := members & cells:
            found.append((part, factor or times, plus + points))
    return found


class Reach(NamedTuple):
    """Where a move can end."""

    starts: Mapping[int, int]
    begins: bool
    layers: list[int]
    """Element n is the set of hexes that cost exactly n, by steps that need not be the first."""
    ends: dict[int, int]
    """Hexes entered by a step that is made only as the first and ends the move, with their costs."""

    @property
    def cells(self) -> int:
        """All of them, the starts included."""
        total = 0
        for layer in self.layers:
            total |= layer
        for cell in self.ends:
            total |= 1 << cell
        return total

    def spent(self, cell: int) -> int | None:
        """What the cheapest way to a hex costs; None if it is out of reach."""
        by_layers = next((n for n, layer in enumerate(self.layers) if layer >> cell & 1), None)
        end = self.ends.get(cell)
        if by_layers is None or end is None:
            return end if by_layers is None else by_layers
        return min(end, by_layers)


def reach(ground: Ground, starts: Mapping[int, int], budget: int, begins: bool = True) -> Reach:
    """How far units get from some hexes that have cost them something already.

    If the move `begins` here, it begins on the starts that have cost nothing: from there first steps may be
    made, and `stop` does not hold there.
    """
    layers = [0] * (budget + 1)
    ends: dict[int, int] = {}
    for start, spent in starts.items():
        if spent <= budget:
            layers[spent] |= 1 << start
        if begins and not spent:
            for there, price in ground.first_steps(start):
                if price <= budget and price < ends.get(there, budget + 1):
                    ends[there] = price
    rows, entering, leaving, stop = ground.rows(), ground._entering, ground._leaving, ground.stop
    reached = layers[0]
    for spent in range(budget):
        moving = layers[spent]
        if stop and (spent or not begins):
            moving &= ~stop
        if moving:
            for cells, toll in leaving:
                group = moving & cells
                if not group:
                    continue
                paid = spent + toll
                for price, row in rows:
                    if paid + price > budget:
                        break
                    found = 0
                    for step, mask in row:
                        going = group & mask
                        if going:
                            found |= going << step if step > 0 else going >> -step
                    if not found:
                        continue
                    for entered, factor, plus in entering:
                        part = found & entered
                        if part and (total := paid + price * factor + plus) <= budget:
                            layers[total] |= part
        layers[spent + 1] &= ~reached
        reached |= layers[spent + 1]
    return Reach(starts, begins, layers, ends)


def way(ground: Ground, found: Reach, goal: int) -> tuple[int, ...]:
    """A cheapest way to a hex that `reach` has found: from the start to the goal, both included."""
    spent = found.spent(goal)
    if spent is None:
        raise ValueError(f"{goal} is out of reach")
    if found.ends.get(goal) == spent:
        return (_first_step(ground, found, goal), goal)
    cells = [goal]
    while found.starts.get(cells[-1]) != spent:
        here, spent = _step_before(ground, found, cells[-1], spent)
        cells.append(here)
    cells.reverse()
    return tuple(cells)


def ways(ground: Ground, found: Reach) -> dict[int, tuple[int, tuple[int, ...]]]:
    """For every hex in reach what it costs and a cheapest way, as in `way`; the cheapest hexes first."""
    known: dict[int, tuple[int, tuple[int, ...]]] = {}
    for spent, layer in enumerate(found.layers):
        for cell in each(layer):
            if found.starts.get(cell) == spent:
                known[cell] = (spent, (cell,))
            else:
                before, _ = _step_before(ground, found, cell, spent)
                known[cell] = (spent, (*known[before][1], cell))
    for cell, spent in found.ends.items():
        if cell not in known or spent <= known[cell][0]:
            known[cell] = (spent, (_first_step(ground, found, cell), cell))
    return dict(sorted(known.items(), key=lambda item: item[1][0]))


def _step_before(ground: Ground, found: Reach, here: int, spent: int) -> tuple[int, int]:
    """The hex from which a cheapest way enters another, and what it costs to get there."""
    for there in ground.costs.board.adjacent[here]:
        price = ground.price(there, here)
        before = spent - price
        if not price or before < 0 or not found.layers[before] >> there & 1:
            continue
        if ground.stop >> there & 1 and (before or not found.begins):
            continue
        return there, before
    raise ValueError(f"no way leads to {here}")


def _first_step(ground: Ground, found: Reach, goal: int) -> int:
    """The start from which a first step enters a hex at its cheapest."""
    return next(
        start
        for start, spent in found.starts.items()
        if not spent and (goal, found.ends[goal]) in ground.first_steps(start)
    )


T = TypeVar("T")


def once_for_alike(
    units: Iterable[int], alike: Callable[[int], Hashable], asked: Callable[[int], T]
) -> dict[int, T]:
    """What is asked of each of some units, such as how far it gets: worked out once for those that are alike
    in everything that matters."""
    known: dict[Hashable, T] = {}
    found = {}
    for unit in units:
        key = alike(unit)
        if key not in known:
            known[key] = asked(unit)
        found[unit] = known[key]
    return found


def outward(board: Board, cells: int) -> Iterator[int]:
    """The rings of hexes around a set, the nearest first, whatever the ground."""
    while ring := board.spread(cells) & ~cells:
        yield ring
        cells |= ring


def sides_between(board: Board, sides: Sequence[int], cells: int) -> tuple[int, ...]:
    """Of some sides, given by direction, those that join two hexes of a set, in the same form."""
    return tuple(
        mask & cells & (cells >> step if step > 0 else cells << -step)
        for step, mask in zip(board.steps, sides, strict=True)
    )


def ways_to(
    costs: Costs,
    goals: int,
    allowed: int,
    times: Sequence[tuple[int, int]] = (),
    budget: int | None = None,
) -> list[int]:
    """Ways that end on one of the goals: element n of the answer is the set of hexes from which the
    cheapest one costs exactly n.

    A way is paid from its far end, entering each hex in turn, the goal's included. Every hex entered must
    be allowed or a goal; the hex where a way begins need not be. `times` lists (set of hexes, factor) that
    multiply the cost of entering.
    """
    may_enter = allowed | goals
    layers = [goals]
    known = 0
    spent = -1
    while (spent := spent + 1) < len(layers):
        fresh = layers[spent] & ~known
        layers[spent] = fresh
        known |= fresh
        entered = fresh & may_enter
        if not entered:
            continue
        groups = []
        for cells, factor in times:
            if entered & cells:
                groups.append((entered & cells, factor))
                entered &= ~cells
        groups.append((entered, 1))
        for cells, factor in groups:
            for price, onwards, back in costs.into:
                total = spent + price * factor
                if budget is not None and total > budget:
                    break
                found = 0
                for step, mask in onwards:
                    found |= cells >> step & mask
                for step, mask in back:
                    found |= cells << step & mask
                found &= ~known
                if found:
                    while len(layers) <= total:
                        layers.append(0)
                    layers[total] |= found
    return layers


def within_cost(
    costs: Costs, goals: int, budget: int, allowed: int, times: Sequence[tuple[int, int]] = ()
) -> int:
    """The set of hexes from which one of the goals can be reached within the budget, as in `ways_to`."""
    total = 0
    for layer in ways_to(costs, goals & allowed, allowed, times, budget):
        total |= layer
    return total


def costs_to(costs: Costs, goals: int, allowed: int, times: Sequence[tuple[int, int]] = ()) -> dict[int, int]:
    """The cheapest way from every hex to the nearest goal, as in `ways_to`, by hex."""
    layers = ways_to(costs, goals, allowed, times)
    return {cell: spent for spent, layer in enumerate(layers) if layer for cell in each(layer)}


def rings(board: Board, links: Sequence[int], starts: int, allowed: int) -> Iterator[int]:
    """The allowed hexes joined to the starts by linked sides, as sets: the starts, those one hex away, two
    and so on. `links` holds, for each direction, the set of hexes whose side there is a link."""
    sides = tuple(zip(board.steps, links, strict=True))
    edge = reached = starts & allowed
    while edge:
        yield edge
        found = 0
        for step, mask in sides:
            going = edge & mask
            if going:
                found |= going << step if step > 0 else going >> -step
        edge = found & allowed & ~reached
        reached |= edge


def line_to(
    board: Board, links: Sequence[int], start: int, goals: int, allowed: int
) -> tuple[int, ...] | None:
    """The hexes of a shortest line from a hex to one of the goals over linked sides, the start left out; None
    if there is none."""
    direction = {step: d for d, step in enumerate(board.steps)}
    came = {start: start}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if goals >> here & 1:
            line: list[int] = []
            while here != start:
                line.append(here)
                here = came[here]
            return tuple(reversed(line))
        for there in board.adjacent[here]:
            if there not in came and allowed >> there & 1 and links[direction[there - here]] >> here & 1:
                came[there] = here
                queue.append(there)
    return None


def connected(board: Board, links: Sequence[int], starts: int, allowed: int) -> int:
    """The set of allowed hexes joined to the starts by linked sides (a road net, say), as in `rings`."""
    onwards = [(step, mask) for step, mask in zip(board.steps, links, strict=True) if step > 0]
    back = [(-step, mask) for step, mask in zip(board.steps, links, strict=True) if step < 0]
    edge = reached = starts & allowed
    while edge:
        found = 0
        for step, mask in onwards:
            found |= (edge & mask) << step
        for step, mask in back:
            found |= (edge & mask) >> step
        edge = found & allowed & ~reached
        reached |= edge
    return reached
