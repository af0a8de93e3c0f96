"""The compiled map: every hex is a small integer, every set of hexes a Python integer.

Cells are numbered so that a step in a given direction always adds the same constant. A set of cells is then
an int whose bit n stands for cell n, and "everything next to this set" is six shifts: the flood fills of
movement and supply run on that, at the speed of the interpreter's big-integer arithmetic. Cells that are
not on the map exist in the numbering but in no set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grognard.files import Provenance
from grognard.hexes import DIRECTIONS, Axial, Numbering, UnknownHexError
from grognard.hexes.geometry import opposite

OFF_MAP = -1


@dataclass(frozen=True, slots=True)
class HexInfo:
    """What the map says of one hex."""

    number: str
    terrain: str
    features: frozenset[str]
    names: Mapping[str, str]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class SideInfo:
    """One feature of one hexside."""

    a: int
    b: int
    feature: str
    names: Mapping[str, str]
    provenance: Provenance


class Board:
    """An immutable map, shared by all states of all games played on it."""

    def __init__(
        self,
        numbering: Numbering,
        hexes: Mapping[Axial, HexInfo],
        sides: Iterable[tuple[Axial, Axial, str, Mapping[str, str], Provenance]],
        settings: Mapping[str, Any],
    ) -> None:
        self.numbering = numbering
        self.settings = settings
        low_q, high_q = min(h.q for h in hexes), max(h.q for h in hexes)
        low_r, high_r = min(h.r for h in hexes), max(h.r for h in hexes)
        # One empty row and column all round, so that a step over the edge lands on a cell of no hex.
        width = high_r - low_r + 3
        self._origin = Axial(low_q - 1, low_r - 1)
        self._width = width
        self.size = (high_q - low_q + 3) * width
        self.steps: tuple[int, ...] = tuple(d.q * width + d.r for d in DIRECTIONS)
        """What to add to a cell to go in each direction."""

        self.info: dict[int, HexInfo] = {}
        for hex_, info in sorted(hexes.items(), key=lambda item: item[1].number):
            self.info[self._cell(hex_)] = info
        self.cells: tuple[int, ...] = tuple(self.info)
        """All cells of the map in the order of their printed numbers."""
        self.everywhere = bits(self.cells)
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(
            tuple(c + s if c + s in self.info else OFF_MAP for s in self.steps) if c in self.info else ()
            for c in range(self.size)
        )
        self.adjacent: tuple[tuple[int, ...], ...] = tuple(
            tuple(n for n in around if n != OFF_MAP) for around in self.neighbours
        )
        self.sides: dict[tuple[int, int], dict[str, SideInfo]] = {}
        for a, b, feature, names, provenance in sides:
            ca, cb = self._cell(a), self._cell(b)
            side = SideInfo(min(ca, cb), max(ca, cb), feature, names, provenance)
            self.sides.setdefault((side.a, side.b), {})[feature] = side
        self._by_number = {info.number: cell for cell, info in self.info.items()}

    def _cell(self, hex_: Axial) -> int:
        return (hex_.q - self._origin.q) * self._width + hex_.r - self._origin.r

    def axial(self, cell: int) -> Axial:
        return Axial(cell // self._width + self._origin.q, cell % self._width + self._origin.r)

    def cell(self, number: str) -> int:
        """The cell of a printed hex number, by any of its names."""
        found = self._by_number.get(number)
        if found is None:
            found = self._cell(self.numbering.parse(number))
            if found not in self.info:
                raise UnknownHexError(number)
        return found

    def number(self, cell: int) -> str:
        return self.info[cell].number

    def distance(self, a: int, b: int) -> int:
        q, r = a // self._width - b // self._width, a % self._width - b % self._width
        return max(abs(q), abs(r), abs(q + r))

    def within(self, centres: Iterable[int], radius: int) -> int:
        """The set of cells at most this far from any of the centres."""
        near = bits(centres)
        for _ in range(radius):
            near |= self.spread(near)
        return near

    def spread(self, cells: int) -> int:
        """The set of everything next to a set."""
        out = 0
        for step in self.steps:
            out |= cells << step if step > 0 else cells >> -step
        return out & self.everywhere

    def with_terrain(self, *terrains: str) -> int:
        return bits(c for c, info in self.info.items() if info.terrain in terrains)

    def with_feature(self, *features: str) -> int:
        return bits(c for c, info in self.info.items() if not info.features.isdisjoint(features))

    def side_has(self, a: int, b: int, feature: str) -> bool:
        return feature in self.sides.get((a, b) if a < b else (b, a), {})

    def side_masks(self, *features: str) -> tuple[int, ...]:
        """For each direction, the set of cells whose side in that direction has one of the features."""
        masks = [0] * 6
        for (a, b), found in self.sides.items():
            if not found.keys().isdisjoint(features):
                direction = self.steps.index(b - a)
                masks[direction] |= 1 << a
                masks[opposite(direction)] |= 1 << b
        return tuple(masks)

    def name(self, cell: int, language: str) -> str:
        return self.info[cell].names.get(language, "")


def bits(cells: Iterable[int]) -> int:
    """The set of these cells."""
    total = 0
    for cell in cells:
        total |= 1 << cell
    return total


def union(sets: Iterable[int]) -> int:
    """Everything that is in one of some sets."""
    total = 0
    for cells in sets:
        total |= cells
    return total


_BITS_OF_BYTE = tuple(tuple(n for n in range(8) if byte >> n & 1) for byte in range(256))


def each(cells: int) -> list[int]:
    """The members of a set, in rising order."""
    length = cells.bit_length()
    if cells.bit_count() * 12 > length:
        # Many members: byte by byte. Where they are few, taking the highest away again and again is faster,
        # because the integer shrinks.
        data = cells.to_bytes((length + 7) // 8, "little")
        return [
            base + n
            for base, byte in zip(range(0, length, 8), data, strict=True)
            if byte
            for n in _BITS_OF_BYTE[byte]
        ]
    found: list[int] = []
    while cells:
        highest = cells.bit_length() - 1
        found.append(highest)
        cells ^= 1 << highest
    found.reverse()
    return found
