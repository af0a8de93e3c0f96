"""A position of A Victory Lost: flat arrays indexed by unit; sets of hexes, units and chits as integers."""

from __future__ import annotations

from typing import Any

from grognard.kernel import State

AXIS, SOVIET = 0, 1

TO_COME = -1
"""Where a unit is that has not entered the map yet, or an HQ that waits to come back (12.7)."""
DEAD = -2
IN_BOX = -3
"""In the entry box of its army (11.2)."""
LIFTED = -4
"""An HQ taken from its hex whose owner has not put it back yet (12.7)."""

SUPPLIED, UNSUPPLIED, ISOLATED = 0, 1, 2

GOING_ON, SUDDEN_DEATH, ON_POINTS = 0, 1, 2
"""How a game ended, if it has (14.0.2)."""


class VictoryState(State):
    """What lies on the table. Axis units come first; `axis_units` says how many."""

    __slots__ = (
        "activated",
        "active",
        "at",
        "attacked",
        "axis_units",
        "chosen",
        "cup",
        "displaced",
        "drawn",
        "due",
        "ending",
        "fighters",
        "fought",
        "hqs",
        "moved",
        "occupied",
        "options",
        "planned",
        "played",
        "points",
        "pool",
        "refused",
        "shown",
        "soviet_cities",
        "steps",
        "supply",
        "supply_cache",
        "turn",
        "where",
        "zone_cache",
    )

    def __init__(self, axis_units: int, units: int, hqs: int, options: int) -> None:
        super().__init__()
        self.axis_units = axis_units
        self.hqs = hqs
        """The HQs of both sides, as a set of units."""
        self.options = options
        """The balance options in force (15.0), as a set."""
        self.turn = 0
        self.active = SOVIET
        """The active player: whose chit was drawn (7.2.1)."""
        self.where = [TO_COME] * units
        self.steps = bytearray(units)
        self.supply = bytearray(units)
        self.due = bytearray(units)
        """The turn of arrival of units to come."""
        self.activated = 0
        self.moved = 0
        """Activated units whose movement is over."""
        self.fought = 0
        """Activated units that have attacked in this combat sequence."""
        self.attacked = 0
        """Hexes that have been attacked in this combat sequence."""
        self.pool = [0, 0]
        """The chits that each side owns, wherever they lie."""
        self.chosen = [0, 0]
        """The chits that each side has selected this turn."""
        self.planned = 0
        """The Soviet selection for the next turn, if it is made ahead (15.0.2)."""
        self.cup = 0
        self.played = 0
        """The chits drawn this turn, face up."""
        self.shown = 0
        """The chits whose owner's having them the other side has seen: Soviet chits ever drawn."""
        self.refused = 0
        """Manstein chits put back into the cup this turn: everybody knows they are there (7.2.2)."""
        self.drawn = -1
        """The chit being played."""
        self.soviet_cities = 0
        """Victory cities under Soviet control, as a set of hexes."""
        self.points = [0, 0]
        self.displaced: tuple[tuple[int, int], ...] = ()
        """HQs to be repositioned, with the hexes they were taken from (12.7)."""
        self.ending = GOING_ON
        # Derived from the above and kept in step with it; never part of the position's identity.
        self.at: dict[int, int] = {}
        self.occupied = [0, 0]
        self.fighters = [0, 0]
        """Hexes with combat units."""
        self.zone_cache: list[int | None] = [None, None]
        self.supply_cache: list[tuple[int, int] | None] = [None, None]

    def clone(self) -> VictoryState:
        copy = super().clone()
        copy.axis_units = self.axis_units
        copy.hqs = self.hqs
        copy.options = self.options
        copy.turn = self.turn
        copy.active = self.active
        copy.where = self.where.copy()
        copy.steps = self.steps.copy()
        copy.supply = self.supply.copy()
        copy.due = self.due.copy()
        copy.activated = self.activated
        copy.moved = self.moved
        copy.fought = self.fought
        copy.attacked = self.attacked
        copy.pool = self.pool.copy()
        copy.chosen = self.chosen.copy()
        copy.planned = self.planned
        copy.cup = self.cup
        copy.played = self.played
        copy.shown = self.shown
        copy.refused = self.refused
        copy.drawn = self.drawn
        copy.soviet_cities = self.soviet_cities
        copy.points = self.points.copy()
        copy.displaced = self.displaced
        copy.ending = self.ending
        copy.at = self.at.copy()
        copy.occupied = self.occupied.copy()
        copy.fighters = self.fighters.copy()
        copy.zone_cache = self.zone_cache.copy()
        copy.supply_cache = self.supply_cache.copy()
        return copy

    def plain(self) -> tuple[Any, ...]:
        return (
            *super().plain(),
            self.options,
            self.turn,
            self.active,
            tuple(self.where),
            bytes(self.steps),
            bytes(self.supply),
            bytes(self.due),
            self.activated,
            self.moved,
            self.fought,
            self.attacked,
            tuple(self.pool),
            tuple(self.chosen),
            self.planned,
            self.cup,
            self.played,
            self.shown,
            self.refused,
            self.drawn,
            self.soviet_cities,
            tuple(self.points),
            self.displaced,
            self.ending,
        )

    # The only way to change who stands where

    def place(self, unit: int, cell: int) -> None:
        """Put a unit on a hex, or off the map."""
        side = AXIS if unit < self.axis_units else SOVIET
        bit, old, at = 1 << unit, self.where[unit], self.at
        if old >= 0:
            rest = at[old] ^ bit
            if rest:
                at[old] = rest
            else:
                del at[old]
                self.occupied[side] &= ~(1 << old)
            if not rest & ~self.hqs and self.fighters[side] >> old & 1:
                self.fighters[side] ^= 1 << old
                self.zone_cache[side] = None
        if cell >= 0:
            at[cell] = at.get(cell, 0) | bit
            self.occupied[side] |= 1 << cell
            if not bit & self.hqs and not self.fighters[side] >> cell & 1:
                self.fighters[side] |= 1 << cell
                self.zone_cache[side] = None
        self.where[unit] = cell

    def fighters_at(self, cell: int) -> int:
        """The combat units on a hex, as a set."""
        return self.at.get(cell, 0) & ~self.hqs

    def hq_at(self, cell: int) -> int:
        """The HQ on a hex, or -1."""
        return (self.at.get(cell, 0) & self.hqs).bit_length() - 1
