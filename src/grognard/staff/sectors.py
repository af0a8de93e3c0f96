"""A long front in pieces: whoever is far away is looked at by himself, so that a stack costs the same in a
large army as in a small one."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.board import Board

LARGEST = 64
"""How many stacks a sector has at most."""


def sectors(board: Board, starts: Sequence[int]) -> list[list[int]]:
    """The stacks, by where they start, in groups that stand together. Who is not on the map yet belongs to
    the first."""
    there = [s for s, cell in enumerate(starts) if cell >= 0]
    away = [s for s, cell in enumerate(starts) if cell < 0]
    found = _halved(board, starts, there)
    found[0] = [*found[0], *away]
    return [sorted(group) for group in found]


def _halved(board: Board, starts: Sequence[int], stacks: list[int]) -> list[list[int]]:
    if len(stacks) <= LARGEST:
        return [stacks]
    places = [board.axial(starts[s]) for s in stacks]
    wide = max(p.q for p in places) - min(p.q for p in places)
    high = max(p.r for p in places) - min(p.r for p in places)
    stacks = sorted(
        stacks,
        key=lambda s: (board.axial(starts[s]).q if wide >= high else board.axial(starts[s]).r, starts[s], s),
    )
    half = len(stacks) // 2
    return [*_halved(board, starts, stacks[:half]), *_halved(board, starts, stacks[half:])]
