"""5.0 Zones of control: the six hexes round a unit, save across sides that are all sea or all lake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.state import LeningradState
from grognard.mechanics.zones import remembered_zone

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def zone(game: Leningrad, state: LeningradState, side: int) -> int:
    """5.0 The set of hexes in a side's zones of control."""
    return remembered_zone(state.zone_cache, side, game.board, game.data.crossing, state.occupied[side])


def in_enemy_zone(game: Leningrad, state: LeningradState, side: int, cell: int) -> bool:
    return bool(zone(game, state, 1 - side) >> cell & 1)


def in_contact(game: Leningrad, a: int, b: int) -> bool:
    """Whether units on two hexes are in each other's zones: neighbours with no water all along the side."""
    return game.infantry_costs.step(a, b) != 0
