"""Reinforcements: who is due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grognard.mechanics.pieces import TO_COME


def waiting(
    units: Iterable[int], where: Sequence[int], turns: Sequence[int], turn: int, held_back: bool
) -> list[int]:
    """The units that may arrive on a turn: those whose turn it is and, where the book lets them be held back,
    those whose turn has been."""
    if held_back:
        return [u for u in units if where[u] == TO_COME and turns[u] <= turn]
    return [u for u in units if where[u] == TO_COME and turns[u] == turn]
