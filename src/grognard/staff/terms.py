"""What a plan is worth besides places, hexes held and attacks: terms that several games share.

A term keeps what each of its sites is worth. When a stack comes or goes, it names the sites that change and
what they will be worth; the plan adds that up, for a look, or writes it down, for a move. So a gain is the
difference of two worths whatever the term is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from grognard.board.board import each

Changes = list[tuple[list[float], int, float]]
"""(where values are kept, which one, what it will be)."""


class Term(Protocol):
    name: str
    values: list[float]

    def shift(self, stack: int, cell: int, sign: int, flips: bool, members: int, changes: Changes) -> float:
        """A stack comes to a hex (1) or leaves it (-1), where these units will be then; `flips` if the hex
        is held from now on, or no longer. The change of the sum, each part of it noted in `changes`."""
        ...

    def commit(self, stack: int, cell: int, sign: int, flips: bool) -> None:
        """It has been done."""
        ...

    def afresh(self) -> float:
        """The sum worked out from nothing, for tests."""
        ...

    def beyond(self, stack: int, cell: int) -> Iterable[int]:
        """Hexes far away for which a stack here makes a difference."""
        ...


class Once:
    """Things that count once, however many of our hexes bring them: enemies cut off from supply, roads
    covered."""

    def __init__(
        self,
        name: str,
        brings: Mapping[int, Sequence[int]],
        worth: Sequence[float],
        held: Iterable[int],
        far: bool = False,
    ) -> None:
        """`brings` says which things a held hex brings, `worth` what each is worth; `far` if hexes far from
        each other bring the same things."""
        self.name = name
        self.brings, self._worth, self._far = brings, worth, far
        self._count = [0] * len(worth)
        for cell in held:
            for thing in brings.get(cell, ()):
                self._count[thing] += 1
        self.values = [w if n else 0.0 for w, n in zip(worth, self._count, strict=True)]

    def shift(self, stack: int, cell: int, sign: int, flips: bool, members: int, changes: Changes) -> float:
        total = 0.0
        if flips:
            for thing in self.brings.get(cell, ()):
                if self._count[thing] == (0 if sign > 0 else 1):
                    value = self._worth[thing] if sign > 0 else 0.0
                    total += value - self.values[thing]
                    changes.append((self.values, thing, value))
        return total

    def commit(self, stack: int, cell: int, sign: int, flips: bool) -> None:
        if flips:
            for thing in self.brings.get(cell, ()):
                self._count[thing] += sign

    def afresh(self) -> float:
        return sum(w for w, n in zip(self._worth, self._count, strict=True) if n)

    def beyond(self, stack: int, cell: int) -> Iterable[int]:
        return self.brings if self._far and cell in self.brings else ()


class Chain:
    """A line of hexes that is worth most when all of it is held: each gap leaves only a share of that."""

    def __init__(self, name: str, line: int, held: int, worth: float, share: float) -> None:
        self.name = name
        self._line, self._gaps, self._worth, self._share = line, (line & ~held).bit_count(), worth, share
        self.values = [self._with(self._gaps)]

    def _with(self, gaps: int) -> float:
        return self._worth * self._share**gaps

    def shift(self, stack: int, cell: int, sign: int, flips: bool, members: int, changes: Changes) -> float:
        if not flips or not self._line >> cell & 1:
            return 0.0
        value = self._with(self._gaps - sign)
        changes.append((self.values, 0, value))
        return value - self.values[0]

    def commit(self, stack: int, cell: int, sign: int, flips: bool) -> None:
        if flips and self._line >> cell & 1:
            self._gaps -= sign

    def afresh(self) -> float:
        return self._with(self._gaps)

    def beyond(self, stack: int, cell: int) -> Iterable[int]:
        return each(self._line) if self._line >> cell & 1 else ()


def watch(
    plan: Any, strays: Mapping[int, float], rings: Sequence[tuple[int, float]], base: int, worth: float
) -> Once:
    """Enemies left behind, whom somebody has to watch, and be near to strike: `rings` say what it is worth to
    have somebody within so many hexes, `strays` how far behind each is. While there are any, somebody stays
    on the hexes of the `base`, which is `worth` something."""
    found: dict[int, list[int]] = {}
    values: list[float] = []
    for cell, share in strays.items():
        for away, value in rings:
            for near in each(plan.board.within((cell,), away)):
                found.setdefault(near, []).append(len(values))
            values.append(share * value)
    for cell in each(base) if values else ():
        found.setdefault(cell, []).append(len(values))
    return Once("watch", found, [*values, worth], each(plan.state.occupied[plan.view.side]), far=True)


class Command:
    """Units within the radius of a headquarters: each more counts less."""

    def __init__(
        self,
        plan: Any,
        worth: float,
        head: Callable[[int], float],
        offices: Mapping[int, float],
        area: Callable[[int, int], int],
        posts: Iterable[tuple[float, int]],
        name: str = "command",
    ) -> None:
        """`head` is how much it matters that a unit is led, `offices` the weight of the stacks that lead,
        `area` what one of them leads from a hex, `posts` weight and area of all who lead as things stand."""
        self.name = name
        self._worth, self._head, self._offices, self._area = worth, head, offices, area
        self._at, self._fighters, self._held = plan.at, plan.fighters, plan.ours
        self._known: dict[int, float] = {}
        self._cover = [0.0] * len(plan.at)
        led = 0
        for weight, cells in posts:
            led |= cells
            for cell in each(cells):
                self._cover[cell] += weight
        self._share, self.values = [0.0] * len(plan.at), [0.0] * len(plan.at)
        for cell in each(led):
            self._share[cell] = self.share(self._cover[cell])
        for cell in each(led & self._held):
            self.values[cell] = self._share[cell] * self._heads(self._at[cell])

    @classmethod
    def of_hqs(
        cls,
        plan: Any,
        worth: float,
        head: Callable[[int], float],
        office: Callable[[int], float],
        hqs: Iterable[int],
        area: Callable[[int, int], int],
        besides: Iterable[tuple[float, int]] = (),
        name: str = "command",
    ) -> Command:
        """`office` is the weight with which a unit leads, 0 if it does not, `area` what it leads from a hex;
        `hqs` are those of ours on the map. What leads `besides` stays where it is."""
        offices = {n: weight for n, (u, *_) in enumerate(plan.stacks) if (weight := office(u))}
        posts = [(office(hq), area(hq, plan.state.where[hq])) for hq in hqs]
        weight = plan.weights.get(name, 1.0)

        def led(stack: int, cell: int) -> int:
            return area(plan.stacks[stack][0], cell)

        return cls(plan, worth * weight, head, offices, led, [*posts, *besides], name)

    def _heads(self, members: int) -> float:
        """How much it matters that those on a hex are led."""
        found = self._known.get(members)
        if found is None:
            found = self._known[members] = sum(map(self._head, each(members & self._fighters)))
        return found

    def share(self, cover: float) -> float:
        """What it is worth to be led with so much weight, for each head."""
        return self._worth * cover / (0.7 + cover) if cover > 1e-9 else 0.0

    def shift(self, stack: int, cell: int, sign: int, flips: bool, members: int, changes: Changes) -> float:
        total = 0.0
        weight = self._offices.get(stack)
        if weight is None:
            share = self._share[cell]
            value = share * self._heads(members) if share else 0.0
            changes.append((self.values, cell, value))
            return value - self.values[cell]
        for there in each(self._area(stack, cell) & self._held):
            value = self.share(self._cover[there] + sign * weight) * self._heads(self._at[there])
            total += value - self.values[there]
            changes.append((self.values, there, value))
        return total

    def commit(self, stack: int, cell: int, sign: int, flips: bool) -> None:
        weight = self._offices.get(stack)
        if weight is not None:
            for there in each(self._area(stack, cell)):
                self._cover[there] += sign * weight
                self._share[there] = self.share(self._cover[there])
        elif flips:
            self._held ^= 1 << cell

    def afresh(self) -> float:
        return sum(self.share(self._cover[c]) * self._heads(self._at[c]) for c in each(self._held))

    def beyond(self, stack: int, cell: int) -> Iterable[int]:
        return each(self._area(stack, cell)) if stack in self._offices else ()
