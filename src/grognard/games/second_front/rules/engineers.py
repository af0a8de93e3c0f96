"""14A Engineers: who may build what, what it costs in points, turns and resource points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from grognard.board import Board
from grognard.games.second_front.rules.ground import POINT
from grognard.games.second_front.rules.supply import Situation
from grognard.games.second_front.rules.weather import BAD, MUD
from grognard.games.second_front.units import CM, COMBAT_ENGINEERS, Piece
from grognard.mechanics.movement import rings

BUILDERS = frozenset({"construction_engineer", "port_engineer", *COMBAT_ENGINEERS})
"""14A1, 14A2, 14A5."""
FAST_BRIGADES = frozenset({"construction_engineer", "port_engineer"})
EASY = frozenset({"clear", "rough"})
REPAIRS = {"airbase": 2, "port": 4, "rail": 4}
"""Movement points for one hit (14A1)."""
TEMPORARY_EASY, TEMPORARY_HARD = 6, 12
REBUILT_PORT = 2
"""Turns, whatever the terrain (14A5)."""
MOST_AIRFIELD, AIRFIELD = 12, 3
LABOUR = 4
"""Hexes to a major city whose people help (14A1c)."""
NO_FORT_WITH = frozenset({"fortress", "westwall", "maginot"})


def builds(piece: Piece, work: str) -> bool:
    """Whether a unit has the ability for a work: fort, airfield, airbase, port, rail, rebuild (a port)."""
    type_ = piece.unit.type
    if work == "rebuild":
        return type_ == "port_engineer"
    if work == "rail":
        return type_ in BUILDERS or type_ == "rail_engineer"
    return type_ in BUILDERS


def may_work(piece: Piece, work: str, exploitation: bool) -> bool:
    """14A1d: c/m units do not build in the exploitation phase."""
    return builds(piece, work) and not (exploitation and piece.unit.klass == CM)


def may_have_fort(board: Board, cell: int, forts: int, port_fortification: bool) -> bool:
    """14A1: one work a hex, and none on prohibited terrain."""
    info = board.info[cell]
    if forts >> cell & 1 or port_fortification or info.features & NO_FORT_WITH:
        return False
    return info.terrain not in ("sea", "lake", "prohibited")


def may_have_airfield(board: Board, cell: int, capacity: int) -> bool:
    """14A1: a permanent airfield, or three more of capacity: not in forests, and 12 in a hex at most, with
    what cities give. `capacity` is that of the whole hex."""
    info = board.info[cell]
    if info.terrain in ("forest", "sea", "lake", "prohibited"):
        return False
    return capacity + AIRFIELD <= MOST_AIRFIELD


def turns_needed(work: str, terrain: str, weather: str) -> int:
    """14A1, 14A5: game turns; twice as many for the Westwall (37B5) and in bad weather (14A1a)."""
    turns = REBUILT_PORT if work == "rebuild" else 1 if terrain in EASY else 2
    if work == "westwall":
        turns *= 2
    return turns * 2 if weather in BAD else turns


def points_needed(work: str, terrain: str, weather: str) -> int | None:
    """14A1, 14A1a: halves of a movement point; None if it cannot be done in this weather."""
    if work == "temporary":
        if weather == MUD:
            return None
        points = TEMPORARY_EASY if terrain in EASY else TEMPORARY_HARD
    else:
        points = REPAIRS[work]
    return points * POINT * (2 if weather in BAD else 1)


def hands(pieces: Sequence[Piece], labour: bool = False) -> int:
    """14A1b: how many engineers work together, two at most. A brigade of construction or port engineers with
    a defence of 2 or more counts as two; `labour`: civilians help (14A1c)."""
    total = int(labour)
    for piece in pieces:
        strong = piece.unit.size == "X" and piece.unit.type in FAST_BRIGADES and piece.face.defence >= 2
        total += 2 if strong else 1
    return min(total, 2)


def share_of_points(points: int, pieces: Sequence[Piece], labour: bool = False) -> Fraction:
    """14A1b: what each of them pays."""
    return Fraction(points, hands(pieces, labour))


def share_of_movement(piece: Piece, pieces: Sequence[Piece], labour: bool = False) -> Fraction:
    """14A1b: what work by turns takes of a unit's movement: all of it, or half if two share it."""
    return Fraction(piece.face.movement * POINT, hands(pieces, labour))


def civil_labour(at: Situation, links: Sequence[int], cell: int, cities: int, used: int) -> int | None:
    """14A1c: a major city of Greater Germany, not yet used by another unit, to which a land line of four
    hexes leads."""
    for distance, ring in enumerate(rings(at.board, links, 1 << cell, at.open)):
        if distance > LABOUR:
            return None
        found = ring & cities & at.owned & ~used
        if found:
            return (found & -found).bit_length() - 1
    return None
