"""12.4, 12.5 Railways: conversion to the Axis' gauge with railheads, Soviet conversion, cuts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.games.typhoon.data import numbers
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import Head

DEAR = ("rain", "snow", "arctic")
"""12.4.3: weather in which every hex takes two points."""


@cache
def lines(board: Board) -> dict[int, tuple[int, ...]]:
    """The railway hexes, and those to which their tracks lead."""
    found: dict[int, list[int]] = {}
    for (a, b), features in board.sides.items():
        if "rail" in features:
            found.setdefault(a, []).append(b)
            found.setdefault(b, []).append(a)
    return {cell: tuple(sorted(there)) for cell, there in sorted(found.items())}


def conversion_cost(board: Board, cell: int, sky: Sky) -> int:
    """12.4.3: the points for a hex: two in marsh and ponds, and everywhere in bad weather."""
    info = board.info[cell]
    return 2 if info.terrain in ("marsh", "pond") or sky.in_hex("woods" in info.features) in DEAR else 1


class Track(NamedTuple):
    """What conversion depends on, as sets of hexes."""

    axis: int
    """Of Axis gauge."""
    cuts: int
    """Under a Soviet cut."""
    net: int
    """The Axis' working rail net (12.4.2)."""
    supplied: int
    """From which the Axis can trace a route of supply."""
    shut: int
    """In an enemy zone and without a friendly unit, or under an enemy."""
    fortified: int
    """With a fortification that stands, or that fell in this very phase."""


def why_not_work(track: Track, cell: int, cost: int, points: int) -> str | None:
    """12.4.3: what holds for a new hex and for one that is repaired alike."""
    if not track.supplied >> cell & 1:
        return "rail-unsupplied"
    if track.shut >> cell & 1:
        return "rail-in-zone"
    if track.fortified >> cell & 1:
        return "rail-fortified"
    return "no-points-left" if cost > points else None


def why_not_convert(
    board: Board, track: Track, heads: Sequence[Head], cell: int, sky: Sky, turn: int, points: int
) -> str | None:
    """12.4.2 to 12.4.6: why the Axis may not convert or repair a hex, or None."""
    cost = conversion_cost(board, cell, sky)
    if cell not in lines(board):
        return "no-railway"
    if track.cuts >> cell & 1:
        return why_not_work(track, cell, cost, points)
    if track.axis >> cell & 1:
        return "converted-already"
    near = [head for head in heads if cell in lines(board).get(head.cell, ())]
    if not any(track.net >> head.cell & 1 for head in near):
        return "not-at-railhead"
    if all(head.since >= turn for head in near):
        return "railhead-new"
    if head_for(board, heads, cell, turn, cost) is None:
        return "railhead-spent"
    return why_not_work(track, cell, cost, points)


def head_for(board: Board, heads: Sequence[Head], cell: int, turn: int, cost: int) -> Head | None:
    """12.4.4, 12.4.5: the railhead that goes to a hex: one beside it, not placed this turn, with points left
    for it."""
    limit = numbers()["railhead_points"]
    able = [h for h in heads if cell in lines(board).get(h.cell, ()) and h.since < turn]
    return min((h for h in able if h.spent + cost <= limit), key=lambda h: (h.spent, h), default=None)


def advance_head(
    board: Board, heads: Sequence[Head], head: Head, cell: int, axis: int, turn: int, cost: int
) -> tuple[Head, ...]:
    """12.4.5b, c: the railheads after one has gone to a hex. At a junction there are as many as tracks that
    go on, and they work from the next turn; `axis` is what was converted before."""
    others = list(heads)
    others.remove(head)
    tracks = lines(board)[cell]
    onward = [there for there in tracks if there != head.cell and not axis >> there & 1]
    if len(tracks) <= 2 or not onward:
        return tuple(sorted((*others, Head(cell, head.since, head.spent + cost, head.cell))))
    return tuple(sorted((*others, *(Head(cell, turn, 0, head.cell) for _ in onward))))


def heads_after_soviets(
    board: Board, heads: Sequence[Head], cell: int, axis: int, turn: int
) -> tuple[Head, ...]:
    """12.4.7: the railheads after a Soviet engineer has converted a hex: those that stood there go back along
    the line, to a hex that is still the Axis'; one of them is left."""
    kept = [head for head in heads if head.cell != cell]
    if len(kept) < len(heads):
        behind = next(head.behind for head in heads if head.cell == cell)
        ways = [there for there in lines(board)[cell] if axis >> there & 1]
        back = behind if behind in ways else next(iter(ways), -1)
        if back >= 0 and all(head.cell != back for head in kept):
            kept.append(Head(back, turn))
    return tuple(sorted(kept))
