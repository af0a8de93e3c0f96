"""A position of Leningrad: flat arrays indexed by unit, and sets of hexes as integers."""

from __future__ import annotations

from typing import Any

from grognard.kernel import State

GERMAN, SOVIET = 0, 1

TO_COME = -1
"""Where a unit is that has not entered the map yet."""
DEAD = -2


class LeningradState(State):
    """What lies on the table. German units come first; `germans` says how many."""

    __slots__ = (
        "air_ready",
        "at",
        "attacked",
        "departed",
        "done",
        "forts",
        "forts_laid",
        "forts_ready",
        "fought",
        "germans",
        "interdicted",
        "left",
        "moved",
        "occupied",
        "phasing",
        "pool",
        "rating",
        "stay",
        "steps",
        "stopped",
        "supply_cache",
        "surprise",
        "turn",
        "where",
        "zone_cache",
    )

    def __init__(self, germans: int, units: int, pool: bytes) -> None:
        super().__init__()
        self.germans = germans
        self.turn = 0
        self.phasing = GERMAN
        """The side whose player turn it is."""
        self.where = [TO_COME] * units
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
        self.at: dict[int, int] = {}
        self.occupied = [0, 0]
        self.zone_cache: list[int | None] = [None, None]
        self.supply_cache: list[tuple[Any, int] | None] = [None, None]

    def clone(self) -> LeningradState:
        copy = super().clone()
        copy.germans = self.germans
        copy.turn = self.turn
        copy.phasing = self.phasing
        copy.where = self.where.copy()
        copy.steps = self.steps.copy()
        copy.rating = self.rating.copy()
        copy.pool = self.pool.copy()
        copy.left = self.left.copy()
        copy.stay = self.stay.copy()
        copy.moved = self.moved
        copy.departed = self.departed
        copy.stopped = self.stopped
        copy.done = self.done
        copy.fought = self.fought
        copy.attacked = self.attacked
        copy.forts = self.forts
        copy.forts_ready = self.forts_ready
        copy.forts_laid = self.forts_laid
        copy.air_ready = self.air_ready
        copy.interdicted = self.interdicted
        copy.surprise = self.surprise
        copy.at = self.at.copy()
        copy.occupied = self.occupied.copy()
        copy.zone_cache = self.zone_cache.copy()
        copy.supply_cache = self.supply_cache.copy()
        return copy

    def plain(self) -> tuple[Any, ...]:
        return (
            *super().plain(),
            self.turn,
            self.phasing,
            tuple(self.where),
            bytes(self.steps),
            bytes(self.rating),
            bytes(self.pool),
            bytes(self.left),
            bytes(self.stay),
            self.moved,
            self.departed,
            self.stopped,
            self.done,
            self.fought,
            self.attacked,
            self.forts,
            self.forts_ready,
            self.forts_laid,
            self.air_ready,
            self.interdicted,
            self.surprise,
        )

    @property
    def phase(self) -> str:
        """The label of the phase in progress, as the sequence of play names it."""
        return self.frames[1][1]

    # The only ways to change who stands where

    def place(self, unit: int, cell: int) -> None:
        """Put a unit on a hex, or off the map."""
        side = GERMAN if unit < self.germans else SOVIET
        bit, old, at = 1 << unit, self.where[unit], self.at
        if old >= 0:
            rest = at[old] ^ bit
            if rest:
                at[old] = rest
            else:
                del at[old]
                self.occupied[side] ^= 1 << old
                self.zone_cache[side] = None
        if cell >= 0:
            here = at.get(cell, 0)
            at[cell] = here | bit
            if not here:
                self.occupied[side] |= 1 << cell
                self.zone_cache[side] = None
                if side == GERMAN and self.forts >> cell & 1:
                    self.forts ^= 1 << cell  # 15.2 a fort entered by a German is gone
                    self.emit("fort-destroyed", "15.2", hex=cell)
        self.where[unit] = cell
        self.departed |= bit
        self.stay[unit] = self.turn

    def kill(self, unit: int) -> None:
        self.steps[unit] = 0
        self.place(unit, DEAD)

    def height(self, cell: int) -> int:
        """How many units stand on a hex."""
        return self.at.get(cell, 0).bit_count()

    def stack(self, cell: int) -> list[int]:
        return members(self.at.get(cell, 0))


def members(units: int) -> list[int]:
    """The units of a set, in order."""
    found = []
    while units:
        low = units & -units
        found.append(low.bit_length() - 1)
        units ^= low
    return found
