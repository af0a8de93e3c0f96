"""Where pieces are: on hexes, in boxes beside the map, aboard other pieces, to come or gone.

All places are one space of whole numbers. A hex is its cell, from 0 up, so that `place >= 0` asks whether a
piece stands on the map, and hex sets are integers as everywhere. Below zero lie the places without a hex.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from grognard.board import Board
from grognard.kernel import State
from grognard.kernel.fields import derived, names, row, shared, table

TO_COME = -1
"""Not yet in play."""
DEAD = -2
"""Eliminated."""
FIRST_BOX = -3
"""Boxes count down from here, in the order in which the game lists them."""
LOWEST_BOX = -999
FIRST_ABOARD = -1000
"""Aboard unit u is FIRST_ABOARD - u."""

NOBODY = -1
"""In the place of a unit: none."""
NOWHERE = -1
"""In the place of a hex: none."""

_WORDS = {TO_COME: "to-come", DEAD: "dead"}


def box(number: int) -> int:
    """The place of a box by its number in the game's list."""
    return FIRST_BOX - number


def aboard(unit: int) -> int:
    """The place of whatever a unit carries."""
    return FIRST_ABOARD - unit


def carrier(place: int) -> int:
    """Who carries a piece in this place; -1 if nobody does."""
    return FIRST_ABOARD - place if place <= FIRST_ABOARD else -1


def status(place: int) -> str:
    """What a place is, in the words of the table protocol."""
    if place >= 0:
        return "on-map"
    if place <= FIRST_ABOARD:
        return "aboard"
    return _WORDS.get(place, "in-box")


def members(units: int) -> list[int]:
    """The units of a set, in order. Units are few in a stack: bit by bit is the fastest way."""
    found = []
    while units:
        low = units & -units
        found.append(low.bit_length() - 1)
        units ^= low
    return found


class Places:
    """The places of a game, by name: `1604`, `box:england`, `aboard:nt-7`, `to-come`, `dead`."""

    def __init__(self, board: Board, boxes: Sequence[str] = (), units: Sequence[str] = ()) -> None:
        if len(boxes) > FIRST_BOX - LOWEST_BOX or len(set(boxes)) != len(boxes):
            raise ValueError("boxes need different names, and there is room for 997")
        self.board = board
        self.boxes = tuple(boxes)
        self._units = tuple(units)
        self._named: dict[str, int] = {word: place for place, word in _WORDS.items()}
        self._named |= {f"box:{name}": box(n) for n, name in enumerate(boxes)}
        self._named |= {f"aboard:{name}": aboard(n) for n, name in enumerate(units)}

    def every(self) -> tuple[int, ...]:
        """All places: hexes, then boxes, carriers, to come and dead."""
        boxes = (box(n) for n in range(len(self.boxes)))
        return (*self.board.cells, *boxes, *(aboard(n) for n in range(len(self._units))), TO_COME, DEAD)

    def write(self, place: int) -> str:
        if place >= 0:
            return self.board.number(place)
        if place <= FIRST_ABOARD:
            return f"aboard:{self._units[carrier(place)]}"
        return _WORDS.get(place) or f"box:{self.boxes[FIRST_BOX - place]}"

    def read(self, word: str) -> int:
        """KeyError if no box or unit has this name, UnknownHexError if it is no hex."""
        found = self._named.get(word)
        if found is not None:
            return found
        if ":" in word:
            kind, _, rest = word.partition(":")
            if kind in ("box", "aboard"):
                raise KeyError(rest)
        return self.board.cell(word)

    def exists(self, place: int) -> bool:
        if place >= 0:
            return place in self.board.info
        if place <= FIRST_ABOARD:
            return carrier(place) < len(self._units)
        return place in (TO_COME, DEAD) or FIRST_BOX - place < len(self.boxes)


PIECE_FIELDS = (shared("side_units"), row("where"), derived("at"), derived("occupied"))


class Pieces(State, fields=PIECE_FIELDS):
    """The part of a position that says where everybody is. The units of the first side come first."""

    __slots__ = names(PIECE_FIELDS)

    def __init__(self, counts: Sequence[int]) -> None:
        """`counts`: how many units each side has."""
        super().__init__()
        ends = list(accumulate(counts))
        self.side_units = tuple((1 << end) - (1 << end - n) for end, n in zip(ends, counts, strict=True))
        """The units of each side, as sets."""
        self.where = [TO_COME] * ends[-1]
        self.at: dict[int, int] = {}
        """The units in each place that holds any, but for `to come` and `dead`, as sets. Cargo is in its
        carrier's place, not on the hex."""
        self.occupied = [0] * len(ends)
        """The hexes where each side stands, as sets of hexes."""

    def place(self, unit: int, place: int) -> None:
        """Put a unit somewhere: the only way to change who is where. What it carries stays aboard."""
        bit, old, at = 1 << unit, self.where[unit], self.at
        side = 0
        while not self.side_units[side] & bit:
            side += 1
        self.where[unit] = place
        if old >= 0 or old <= FIRST_BOX:
            rest = at[old] ^ bit
            if rest:
                at[old] = rest
            else:
                del at[old]
            if old >= 0 and not rest & self.side_units[side]:
                self.occupied[side] ^= 1 << old
        if place >= 0 or place <= FIRST_BOX:
            at[place] = at.get(place, 0) | bit
            if place >= 0:
                self.occupied[side] |= 1 << place

    def on_map(self, unit: int) -> bool:
        """Whether a unit itself stands on a hex."""
        return self.where[unit] >= 0

    def cell(self, unit: int) -> int:
        """The hex where a unit is, itself or aboard something; -1 if it is not on the map."""
        place = self.where[unit]
        while place <= FIRST_ABOARD:
            place = self.where[carrier(place)]
        return max(place, -1)

    def cargo(self, unit: int) -> list[int]:
        """What a unit carries, what that carries not counted."""
        return members(self.at.get(aboard(unit), 0))

    def height(self, place: int) -> int:
        """How many units are in a place."""
        return self.at.get(place, 0).bit_count()

    def stack(self, place: int) -> list[int]:
        """The units in a place, in the order of their numbers; `OrderedPieces` keeps another."""
        return members(self.at.get(place, 0))


ORDER_FIELDS = (table("order"),)


class OrderedPieces(Pieces, fields=ORDER_FIELDS):
    """Pieces whose order in a stack is part of the position: the last to come lies on top."""

    __slots__ = names(ORDER_FIELDS)

    def __init__(self, counts: Sequence[int]) -> None:
        super().__init__(counts)
        self.order: dict[int, tuple[int, ...]] = {}
        """The units in each place that holds any, the lowest first."""

    def place(self, unit: int, place: int) -> None:
        old = self.where[unit]
        super().place(unit, place)
        if old in self.order:
            rest = tuple(other for other in self.order[old] if other != unit)
            if rest:
                self.order[old] = rest
            else:
                del self.order[old]
        if place >= 0 or place <= FIRST_BOX:
            self.order[place] = (*self.order.get(place, ()), unit)

    def stack(self, place: int) -> list[int]:
        return list(self.order.get(place, ()))

    def reorder(self, place: int, units: Sequence[int]) -> None:
        """Lay the units of a place in another order, the lowest first."""
        if sorted(units) != sorted(self.order.get(place, ())):
            raise ValueError("other units than those of the stack")
        self.order[place] = tuple(units)
