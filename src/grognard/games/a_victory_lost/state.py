"""A position of A Victory Lost: flat arrays indexed by unit; sets of hexes, units and chits as integers."""

from __future__ import annotations

from grognard.kernel.fields import derived, names, octets, row, shared, value
from grognard.mechanics.control import ZonedPieces
from grognard.mechanics.pieces import DEAD, TO_COME, box

__all__ = [
    "AXIS",
    "DEAD",
    "GOING_ON",
    "IN_BOX",
    "ISOLATED",
    "LIFTED",
    "ON_POINTS",
    "SOVIET",
    "SUDDEN_DEATH",
    "SUPPLIED",
    "TO_COME",
    "UNSUPPLIED",
    "VictoryState",
]

AXIS, SOVIET = 0, 1

IN_BOX = box(0)
"""In the entry box of its army (11.2)."""
LIFTED = box(1)
"""An HQ taken from its hex whose owner has not put it back yet (12.7)."""

SUPPLIED, UNSUPPLIED, ISOLATED = 0, 1, 2

GOING_ON, SUDDEN_DEATH, ON_POINTS = 0, 1, 2
"""How a game ended, if it has (14.0.2)."""

NO_CHIT = -1
"""In the place of a chit: none."""

FIELDS = (
    shared("axis_units"),
    shared("hqs"),
    value("options"),
    value("turn"),
    value("active"),
    octets("steps"),
    octets("supply"),
    octets("due"),
    value("activated"),
    value("moved"),
    value("fought"),
    value("attacked"),
    row("pool"),
    row("chosen"),
    value("planned"),
    value("cup"),
    value("played"),
    value("shown"),
    value("refused"),
    value("drawn"),
    value("soviet_cities"),
    row("points"),
    value("companions"),
    value("displaced"),
    value("repositioned"),
    value("ending"),
    derived("fighters"),
    derived("supply_cache"),
)


class VictoryState(ZonedPieces, fields=FIELDS):
    """What lies on the table. Axis units come first; `axis_units` says how many. An HQ that waits to come
    back (12.7) is to come, like a unit that has not entered the map yet."""

    __slots__ = names(FIELDS)

    def __init__(self, axis_units: int, units: int, hqs: int, options: int) -> None:
        super().__init__((axis_units, units - axis_units))
        self.axis_units = axis_units
        self.hqs = hqs
        """The HQs of both sides, as a set of units."""
        self.options = options
        """The balance options in force (15.0), as a set."""
        self.turn = 0
        self.active = SOVIET
        """The active player: whose chit was drawn (7.2.1)."""
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
        self.drawn = NO_CHIT
        """The chit being played."""
        self.soviet_cities = 0
        """Victory cities under Soviet control, as a set of hexes."""
        self.points = [0, 0]
        self.companions: tuple[tuple[int, int], ...] = ()
        """HQs with the combat units stacked with them at the beginning of the combat sequence, as sets: those
        that they retreat with, follow, and are repositioned without (12.2 to 12.4)."""
        self.displaced: tuple[tuple[int, int], ...] = ()
        """HQs to be repositioned, with the hexes they were taken from (12.7)."""
        self.repositioned = 0
        """HQs repositioned since the last arrivals: the withdrawal that ends the next spares them (12.7)."""
        self.ending = GOING_ON
        # Derived from the above and kept in step with it; never part of the position's identity.
        self.fighters = [0, 0]
        """Hexes with combat units."""
        self.supply_cache: list[tuple[int, int] | None] = [None, None]

    # The only way to change who stands where

    def place(self, unit: int, place: int) -> None:
        """Put a unit on a hex, or off the map."""
        old = self.where[unit]
        super().place(unit, place)
        if not self.hqs >> unit & 1:
            side = AXIS if unit < self.axis_units else SOVIET
            before = self.fighters[side]
            if old >= 0 and not self.at.get(old, 0) & ~self.hqs:
                self.fighters[side] ^= 1 << old
            if place >= 0:
                self.fighters[side] |= 1 << place
            if self.fighters[side] != before:
                self.zone_cache[side] = None

    def zoned_from(self, side: int) -> int:
        """6.0.1 HQs have no zone; 6.0.3 several zones on a hex weigh no more than one."""
        return self.fighters[side]

    def fighters_at(self, cell: int) -> int:
        """The combat units on a hex, as a set."""
        return self.at.get(cell, 0) & ~self.hqs

    def hq_at(self, cell: int) -> int:
        """The HQ on a hex, or NOBODY."""
        return (self.at.get(cell, 0) & self.hqs).bit_length() - 1
