"""6.0 Zones of control: the six hexes round a combat unit, save water and across impassable sides.

HQs have none (6.0.1), and several zones on a hex weigh no more than one (6.0.3): a zone is a set of hexes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.state import VictoryState
from grognard.mechanics.zones import remembered_zone

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def zone(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """6.0.1 The set of hexes in a side's zones of control."""
    return remembered_zone(state.zone_cache, side, game.board, game.data.passable, state.fighters[side])


def in_enemy_zone(game: AVictoryLost, state: VictoryState, side: int, cell: int) -> bool:
    return bool(zone(game, state, 1 - side) >> cell & 1)
