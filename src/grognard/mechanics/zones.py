"""Zones of control: the hexes next to units, except across sides that zones do not cross."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.board import Board


def open_sides(board: Board, *closed: str) -> tuple[int, ...]:
    """For each direction, the hexes whose side there a zone can cross: not one with a closing feature, and
    not one towards or from a hex of closing terrain."""
    shut = board.side_masks(*closed)
    land = board.everywhere & ~board.with_terrain(*closed)
    masks = []
    for step, mask in zip(board.steps, shut, strict=True):
        beyond = land >> step if step > 0 else land << -step
        masks.append(land & beyond & ~mask)
    return tuple(masks)


def zone(board: Board, crossing: Sequence[int], occupied: int) -> int:
    """The hexes in the zone of units that stand on the occupied ones."""
    out = 0
    for step, mask in zip(board.steps, crossing, strict=True):
        going = occupied & mask
        if going:
            out |= going << step if step > 0 else going >> -step
    return out
