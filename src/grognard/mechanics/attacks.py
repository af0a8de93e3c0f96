"""Putting an attack together: who is next to all of its targets and still free to join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grognard.board.board import each
from grognard.mechanics.pieces import members


def next_to_all(contact: Mapping[int, int], targets: Sequence[int]) -> int:
    """The hexes in contact with every one of the targets, as a set."""
    near = contact[targets[0]]
    for target in targets[1:]:
        near &= contact[target]
    return near


def free_units(at: Mapping[int, int], hexes: int, ready: int) -> list[int]:
    """The units of a set that stand on some hexes, hex by hex."""
    found: list[int] = []
    for cell in each(hexes):
        found += members(at[cell] & ready)
    return found
