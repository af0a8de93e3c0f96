"""Zones of control of a position, in books where every unit of a side has the same zone or none.

Asked for all the time, so that they are worked out when somebody asks and remembered until the side's units
have moved. `zones` has the ways of working them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from grognard.board import Board
from grognard.kernel.fields import derived, names
from grognard.mechanics import zones
from grognard.mechanics.pieces import Pieces

ZONE_FIELDS = (derived("zone_cache"),)


class ZonedPieces(Pieces, fields=ZONE_FIELDS):
    """Pieces that have zones. Whoever changes where a side's zones come from empties its place in the cache,
    which is no part of the position's identity."""

    __slots__ = names(ZONE_FIELDS)

    def __init__(self, counts: Sequence[int]) -> None:
        super().__init__(counts)
        self.zone_cache: list[int | None] = [None] * len(counts)

    def zoned_from(self, side: int) -> int:
        """The hexes from which a side's zones spread: where it has units that have one."""
        return self.occupied[side]


class ZoneMap(Protocol):
    """A map as zones ask for it."""

    board: Board

    @property
    def zone_sides(self) -> Sequence[int]:
        """For each direction, the hexes whose side there a zone crosses."""

    @property
    def contact(self) -> Mapping[int, int]:
        """By hex, those with which it is in contact, as sets."""


def zone(game: ZoneMap, state: ZonedPieces, side: int) -> int:
    """The set of hexes in a side's zones of control."""
    found = state.zone_cache[side]
    if found is None:
        found = zones.zone(game.board, game.zone_sides, state.zoned_from(side))
        state.zone_cache[side] = found
    return found


def in_enemy_zone(game: ZoneMap, state: ZonedPieces, side: int, cell: int) -> bool:
    return bool(zone(game, state, 1 - side) >> cell & 1)


def in_contact(game: ZoneMap, a: int, b: int) -> bool:
    """Whether units on two hexes may fight: neighbours with a side between them that can be crossed."""
    return bool(game.contact[a] >> b & 1)
