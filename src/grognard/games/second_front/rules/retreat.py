"""9F1 Where a beaten unit goes: the best hex that it can find, and on from there if it is full."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import NamedTuple

from grognard.board import Board
from grognard.games.second_front.rules.ground import legs, may_cross
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.weather import Sky
from grognard.games.second_front.units import CM, Piece


class Grade(IntEnum):
    """The priorities, the best first."""

    FREE = 1
    """No enemy zone, and room."""
    FULL = 2
    """No enemy zone, and no room: it goes on from there."""
    ENEMY_ZONE = 3
    """Reduced to a cadre, or eliminated."""


class Way(NamedTuple):
    cell: int
    grade: Grade


class Surroundings(NamedTuple):
    """What a retreating unit sees."""

    board: Board
    sky: Sky
    enemies: int
    """Hexes with enemy units."""
    enemy_zone: int
    friends: int
    """Hexes with units of its own side."""
    stack: Callable[[int], Iterable[Piece]]
    """Who of its own side stands on a hex."""


def ways(around: Surroundings, piece: Piece, here: int, passed: int = 0) -> list[Way]:
    """The hexes to which a unit may retreat now: all of the best grade that there is. None: it is eliminated,
    cadre or not. `passed`: hexes where it has been on this retreat."""
    found = [Way(there, grade(around, piece, there)) for there in exits(around, piece, here, passed)]
    best = min((way.grade for way in found), default=None)
    return [way for way in found if way.grade == best]


def exits(around: Surroundings, piece: Piece, here: int, passed: int = 0) -> list[int]:
    """The hexes where the ground and the enemies on it let a unit go, whatever grade they have."""
    if not piece.face.movement:
        return []
    return [
        there
        for there in around.board.adjacent[here]
        if not (around.enemies | passed) >> there & 1
        and may_cross(around.board, legs(piece), around.sky, here, there)
    ]


def by_train(around: Surroundings, piece: Piece, ends: Iterable[int], passed: int = 0) -> list[Way]:
    """14F1: a unit on rails retreats to the next hex of a line that its trains can use, or not at all."""
    found = [
        Way(there, grade(around, piece, there))
        for there in sorted(ends)
        if not (around.enemies | passed) >> there & 1
    ]
    best = min((way.grade for way in found), default=None)
    return [way for way in found if way.grade == best]


def grade(around: Surroundings, piece: Piece, there: int) -> Grade:
    if around.enemy_zone >> there & 1 and not sheltered(around, piece, there):
        return Grade.ENEMY_ZONE
    terrain = around.board.info[there].terrain
    return Grade.FREE if fits(terrain, [*around.stack(there), piece]) else Grade.FULL


def sheltered(around: Surroundings, piece: Piece, there: int) -> bool:
    """German c/m units ignore enemy zones in hexes with friendly units."""
    return piece.unit.german and piece.unit.klass == CM and bool(around.friends >> there & 1)


def after(piece: Piece, way: Way) -> Piece | None:
    """What is left of a unit that has retreated: into an enemy zone a division as its cadre, others
    nothing."""
    if way.grade != Grade.ENEMY_ZONE:
        return piece
    return reduced(piece)


def reduced(piece: Piece) -> Piece | None:
    """9E: the cadre of a division that has one and is not a cadre yet."""
    if piece.reduced or piece.unit.cadre is None:
        return None
    return piece._replace(reduced=True)
