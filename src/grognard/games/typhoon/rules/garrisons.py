"""13.6 Garrisons: Soviet units that stay where they are until something releases them."""

from __future__ import annotations

from typing import NamedTuple

from grognard.board import Board
from grognard.games.typhoon.rules.air import moscow


class Watch(NamedTuple):
    """What a garrison has seen of the war (13.6.2)."""

    attacked: bool = False
    unsupplied: bool = False
    enemy_adjacent: bool = False
    by_result: bool = False
    """Chosen for a result R (14.3.3)."""
    by_date: bool = False


def is_released(watch: Watch, moscow_nkvd: bool = False) -> bool:
    """13.6.2: whether a garrison may leave. Result R does not release the NKVD of Moscow (13.6.4)."""
    by_result = watch.by_result and not moscow_nkvd
    return watch.attacked or watch.unsupplied or watch.enemy_adjacent or by_result or watch.by_date


def may_stand(board: Board, post: int, cell: int, of_moscow: bool) -> bool:
    """13.6.1, 13.6.4: where a unit of a garrison may be: in its hex; that of Moscow in the city or beside."""
    if not of_moscow:
        return cell == post
    return bool((moscow(board) | board.spread(moscow(board))) >> cell & 1)
