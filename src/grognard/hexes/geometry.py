"""Axial coordinates: six directions, distances, rings, and the plane where hexes are drawn.

Axial coordinates make every direction the same constant step wherever one stands, which offset
numberings (the ones printed on maps) do not. The plane has x to the right and y downwards, and its unit
is the width of a hex from one side to the opposite one, so that neighbouring centres are 1 apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

HALF_SQRT3 = math.sqrt(3) / 2


class Axial(NamedTuple):
    """A hex. Both kinds of grid share the six steps below; only the drawing differs."""

    q: int
    r: int


# Anticlockwise on the drawn map. A flat-topped grid names them N NW SW S SE NE; a pointy-topped one,
# whose q axis runs along the rows, names them NW W SW SE E NE.
DIRECTIONS: tuple[Axial, ...] = (
    Axial(0, -1),
    Axial(-1, 0),
    Axial(-1, 1),
    Axial(0, 1),
    Axial(1, 0),
    Axial(1, -1),
)
FLAT_NAMES = ("N", "NW", "SW", "S", "SE", "NE")
POINTY_NAMES = ("NW", "W", "SW", "SE", "E", "NE")


def opposite(direction: int) -> int:
    """The direction that leads back."""
    return (direction + 3) % 6


def neighbour(hex_: Axial, direction: int) -> Axial:
    step = DIRECTIONS[direction]
    return Axial(hex_.q + step.q, hex_.r + step.r)


def distance(a: Axial, b: Axial) -> int:
    """Hexes to enter when going from one to the other by the shortest way."""
    dq, dr = a.q - b.q, a.r - b.r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def ring(centre: Axial, radius: int) -> Iterator[Axial]:
    """The hexes at exactly this distance, in drawing order."""
    if radius == 0:
        yield centre
        return
    here = Axial(centre.q + DIRECTIONS[4].q * radius, centre.r + DIRECTIONS[4].r * radius)
    for direction in range(6):
        for _ in range(radius):
            yield here
            here = neighbour(here, direction)


def centre(hex_: Axial, flat: bool) -> tuple[float, float]:
    """Where the hex is drawn."""
    if flat:
        return hex_.q * HALF_SQRT3, hex_.r + hex_.q / 2
    return hex_.q + hex_.r / 2, hex_.r * HALF_SQRT3


def vertices(hex_: Axial, flat: bool) -> list[tuple[float, float]]:
    """The six corners. The side that faces direction d runs from corner d to corner d + 1."""
    x, y = centre(hex_, flat)
    radius = 1 / math.sqrt(3)
    # Direction 0 of a flat grid looks straight up, so its first corner stands 30 degrees before that.
    first = -60.0 if flat else -90.0
    corners = []
    for k in range(6):
        angle = math.radians(first - 60.0 * k)
        corners.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return corners
