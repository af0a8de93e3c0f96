"""Small random boards, and the plainest possible versions of what the mechanics compute."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

import grognard.games.leningrad as leningrad
from grognard.board import Board, HexInfo, load_board
from grognard.files import Folder, Provenance, ProvenanceKind
from grognard.hexes import Axial, Numbering, Sheet
from grognard.mechanics.movement import Costs

Step = tuple[int, int]
TEST = Provenance(ProvenanceKind.FOUND, "test")


@dataclass(frozen=True)
class Country:
    """A board, and the price of every step that is possible on it."""

    board: Board
    prices: Mapping[Step, int]

    @property
    def costs(self) -> Costs:
        return Costs(self.board, lambda a, b: self.prices.get((a, b)))


def small_board(columns: int, rows: int, holes: Iterable[int] = (), flat: bool = True) -> Board:
    """A board with some of its hexes missing, so that edges are ragged."""
    numbering = Numbering(flat, 0, 1, 1, True, "", (Sheet("", range(columns), range(rows)),))
    hexes = list(numbering.hexes())
    missing = {hexes[n % len(hexes)] for n in holes}
    kept = [h for h in hexes if h not in missing] or hexes[:1]
    infos: dict[Axial, HexInfo] = {
        h: HexInfo(numbering.number(h), "clear", frozenset(), {}, TEST) for h in kept
    }
    return Board(numbering, infos, [], {})


@st.composite
def countries(draw: st.DrawFn) -> Country:
    board = small_board(
        draw(st.integers(1, 6)),
        draw(st.integers(1, 6)),
        draw(st.lists(st.integers(0, 40), max_size=8)),
        draw(st.booleans()),
    )
    possible = [0, *draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))]
    random = Random(draw(st.integers(0, 9999)))
    prices = {(a, b): random.choice(possible) for a in board.cells for b in board.adjacent[a]}
    return Country(board, {step: price for step, price in prices.items() if price})


@cache
def real_country() -> Country:
    """Leningrad's map, where a step costs what its neighbours' numbers make it: any prices will do."""
    board = load_board(Folder(Path(leningrad.__file__).parent / "map"))
    prices = {(a, b): (a * 7 + b * 3) % 5 for a in board.cells for b in board.adjacent[a]}
    return Country(board, {step: price for step, price in prices.items() if price})


def subset(data: st.DataObject, board: Board, most: int | None = None) -> set[int]:
    """Some hexes: a few, or a share of the map that may be nearly all of it."""
    if most is not None:
        return data.draw(st.sets(st.sampled_from(board.cells), max_size=most))
    share = data.draw(st.sampled_from((0.0, 0.1, 0.5, 0.8, 0.95, 1.0)))
    random = Random(data.draw(st.integers(0, 9999)))
    return {cell for cell in board.cells if random.random() < share}


Place = TypeVar("Place", int, tuple[int, bool])


def cheapest(
    starts: Iterable[Place],
    onwards: Callable[[Place], Iterable[tuple[Place, int]]],
    budget: int | None = None,
) -> dict[Place, int]:
    """Dijkstra: the least that each place costs from the starts. `onwards` gives (place, price) pairs."""
    best: dict[Place, int] = {}
    queue = [(0, start) for start in starts]
    while queue:
        spent, here = heappop(queue)
        if here in best:
            continue
        best[here] = spent
        for there, price in onwards(here):
            if budget is None or spent + price <= budget:
                heappush(queue, (spent + price, there))
    return best
