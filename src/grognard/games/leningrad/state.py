"""A position of Leningrad: flat arrays indexed by unit, and sets of hexes as integers."""

from __future__ import annotations

from typing import Any

from grognard.kernel.fields import derived, names, octets, shared, value
from grognard.mechanics.control import ZonedPieces
from grognard.mechanics.pieces import DEAD, TO_COME, members

__all__ = ["DEAD", "GERMAN", "SOVIET", "TO_COME", "LeningradState", "members"]

GERMAN, SOVIET = 0, 1

FIELDS = (
    shared("germans"),
    shared("stacking"),
    value("turn"),
    value("active"),
    octets("steps"),
    octets("rating"),
    octets("pool"),
    octets("left"),
    octets("stay"),
    value("moved"),
    value("departed"),
    value("stopped"),
    value("done"),
    value("fought"),
    value("attacked"),
    value("forts"),
    value("forts_ready"),
    value("forts_laid"),
    value("air_ready"),
    value("interdicted"),
    value("surprise"),
    derived("full", "{}"),
    derived("supply_cache"),
)


class LeningradState(ZonedPieces, fields=FIELDS):
    """What lies on the table. German units come first; `germans` says how many."""

    __slots__ = names(FIELDS)

    def __init__(self, germans: int, units: int, pool: bytes, stacking: int) -> None:
        super().__init__((germans, units - germans))
        self.germans = germans
        self.stacking = stacking
        self.turn = 0
        self.active = GERMAN
        """The side whose player turn it is."""
        self.steps = bytearray(units)
        self.rating = bytearray(units)
        """Line of the untried table, plus one, that a revealed Soviet unit drew; 0 while untried."""
        self.pool = bytearray(pool)
        """How many counters of each line of the untried table are still to be drawn."""
        self.left = bytearray(units)
        """Movement points left in this phase, in halves."""
        self.stay = bytearray(units)
        """The turn when a unit last changed hex or lost a step."""
        self.moved = 0
        """Units that have spent movement points in this phase, as a set."""
        self.departed = 0
        """Units that have changed hex, or entered the map, since the movement phase began."""
        self.stopped = 0
        """Units that entered an enemy zone in this phase and have stopped there (4.7)."""
        self.done = 0
        """Units whose movement in this phase is over."""
        self.fought = 0
        """Units that have attacked in this combat phase."""
        self.attacked = 0
        """Units that have been attacked in this combat phase."""
        self.forts = 0
        self.forts_ready = 0
        self.forts_laid = 0
        self.air_ready = 0
        self.interdicted: tuple[int, ...] = ()
        self.surprise = False
        """Turn 7 surprise is in force (17.4)."""
        # Derived from the above and kept in step with it; never part of the position's identity.
        self.full = 0
        """Hexes with as many units as may stay there, or more (4.6)."""
        self.supply_cache: list[tuple[Any, int] | None] = [None, None]

    # The only ways to change who stands where

    def place(self, unit: int, place: int) -> None:
        """Put a unit on a hex, or off the map."""
        side = GERMAN if unit < self.germans else SOVIET
        before, old = self.occupied[side], self.where[unit]
        super().place(unit, place)
        if old >= 0 and self.full >> old & 1 and self.height(old) < self.stacking:
            self.full ^= 1 << old
        if place >= 0 and self.height(place) >= self.stacking:
            self.full |= 1 << place
        if self.occupied[side] != before:
            self.zone_cache[side] = None
            if side == GERMAN and self.forts and place >= 0 and self.forts >> place & 1:
                self.forts ^= 1 << place  # 15.2 a fort entered by a German is gone
                self.emit("fort-destroyed", "15.2", hex=place)
        self.departed |= 1 << unit
        self.stay[unit] = self.turn

    def kill(self, unit: int) -> None:
        self.steps[unit] = 0
        self.place(unit, DEAD)
