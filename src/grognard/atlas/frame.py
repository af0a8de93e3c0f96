"""The grid laid over the ground: hexes, sides and corners with their places in kilometres.

Geometry is worked out in the plane of the map's projection, where lengths and areas mean something.
Hexes, sides and corners are named by whole numbers (axial coordinates), so that two ways of reaching the
same corner can never disagree by a rounding error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from pyproj import Proj
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from grognard.atlas.errors import AtlasError
from grognard.hexes import Axial, Numbering, UnknownHexError, neighbour, vertices
from grognard.hexes.geometry import HALF_SQRT3, centre

Side = tuple[Axial, Axial]
"""Two neighbouring hexes, the lesser first."""
Corner = tuple[Axial, Axial, Axial]
"""The three hexes that meet there, sorted; some may lie off the map."""
XY = tuple[float, float]


def side_of(a: Axial, b: Axial) -> Side:
    return (a, b) if a < b else (b, a)


def corner_of(hex_: Axial, index: int) -> Corner:
    """The corner between the hex's sides index - 1 and index."""
    first, second, third = sorted((hex_, neighbour(hex_, (index - 1) % 6), neighbour(hex_, index % 6)))
    return first, second, third


@cache
def corners_between(first: Axial, second: Axial) -> tuple[Corner, Corner]:
    """The two ends of the side between neighbours."""
    for direction in range(6):
        if neighbour(first, direction) == second:
            return corner_of(first, direction), corner_of(first, direction + 1)
    raise AtlasError(f"{first} and {second} are not neighbours")


@dataclass(frozen=True)
class Frame:
    """A numbering with its georeference."""

    numbering: Numbering
    projection: str
    affine: tuple[float, float, float, float, float, float]

    @staticmethod
    def from_mapping(grid: Mapping[str, Any], georeference: Mapping[str, Any]) -> Frame:
        numbers = georeference.get("affine", georeference)
        given = numbers if isinstance(numbers, list) else [numbers[key] for key in "abcdef"]
        a, b, c, d, e, f = (float(number) for number in given)
        return Frame(Numbering.from_mapping(grid), str(georeference["projection"]), (a, b, c, d, e, f))

    @cached_property
    def hexes(self) -> tuple[Axial, ...]:
        return tuple(sorted(self.numbering.hexes(), key=self.number))

    @cached_property
    def on_map(self) -> frozenset[Axial]:
        return frozenset(self.hexes)

    @cached_property
    def hex_km(self) -> float:
        a, _, _, d, _, _ = self.affine
        return math.hypot(a, d)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """Every side between two hexes of the map."""
        found = {
            side_of(hex_, other)
            for hex_ in self.hexes
            for other in (neighbour(hex_, d) for d in range(6))
            if other in self.on_map
        }
        return tuple(sorted(found))

    @cached_property
    def middles(self) -> dict[Side, XY]:
        """The middle of every side, in the order of the sides."""
        found = {}
        for side in self.sides:
            (ax, ay), (bx, by) = self.centre(side[0]), self.centre(side[1])
            found[side] = (ax + bx) / 2, (ay + by) / 2
        return found

    @cached_property
    def area(self) -> BaseGeometry:
        """The ground that the map covers."""
        # The buffer closes the hairline gaps that rounding leaves between neighbouring polygons.
        return unary_union([self.polygon(hex_) for hex_ in self.hexes]).buffer(self.hex_km * 1e-6)

    def number(self, hex_: Axial) -> str:
        return self.numbering.number(hex_)

    def parse(self, number: str) -> Axial:
        try:
            return self.numbering.parse(number)
        except UnknownHexError as error:
            raise AtlasError(str(error)) from error

    def side(self, a: str, b: str) -> Side:
        first, second = self.parse(a), self.parse(b)
        if second not in {neighbour(first, d) for d in range(6)}:
            raise AtlasError(f"{a} and {b} are not neighbours")
        return side_of(first, second)

    # From the grid to kilometres and to degrees

    def centre(self, hex_: Axial) -> XY:
        u, v = self.numbering.plane(hex_)
        return self._to_km(u, v)

    def polygon(self, hex_: Axial) -> Polygon:
        # Polygons and corners are asked for over and over, once for each area and each river.
        if hex_ not in self._polygons:
            self._polygons[hex_] = Polygon(self._corners(hex_))
        return self._polygons[hex_]

    def corner(self, corner: Corner) -> XY:
        """Where a corner lies: the middle of the centres of the three hexes that meet there."""
        if corner not in self._places:
            points = [self.centre(hex_) for hex_ in corner]
            self._places[corner] = sum(x for x, _ in points) / 3, sum(y for _, y in points) / 3
        return self._places[corner]

    def corners_of_side(self, side: Side) -> tuple[Corner, Corner]:
        return corners_between(*side)

    def segment(self, side: Side) -> LineString:
        start, end = self.corners_of_side(side)
        return LineString([self.corner(start), self.corner(end)])

    def km(self, lon: float, lat: float) -> XY:
        x, y = self._proj(lon, lat)
        return float(x), float(y)

    def degrees(self, xy: XY) -> XY:
        lon, lat = self._proj(xy[0], xy[1], inverse=True)
        return float(lon), float(lat)

    def to_km(self, geometry: BaseGeometry) -> BaseGeometry:
        return shapely.transform(geometry, self._project)

    def hex_at(self, xy: XY) -> Axial:
        """The hex (on the map or beyond it) whose ground holds the point."""
        a, b, c, d, e, f = self.affine
        determinant = a * e - b * d
        x, y = xy[0] - c, xy[1] - f
        u, v = (e * x - b * y) / determinant, (a * y - d * x) / determinant
        offset_u, offset_v = self._offset
        px, py = u - offset_u, -(v - offset_v)
        if self.numbering.flat:
            q = px / HALF_SQRT3
            r = py - q / 2
        else:
            r = py / HALF_SQRT3
            q = px - r / 2
        return _nearest(q, r)

    def nearest(self, xy: XY, candidates: Iterable[Axial]) -> Axial:
        return min(candidates, key=lambda h: (round(math.dist(self.centre(h), xy), 6), self.number(h)))

    def inside(self, xy: XY) -> bool:
        return bool(self.area.covers(Point(xy)))

    @cached_property
    def _polygons(self) -> dict[Axial, Polygon]:
        return {}

    @cached_property
    def _places(self) -> dict[Corner, XY]:
        return {}

    @cached_property
    def _proj(self) -> Proj:
        return Proj(self.projection)

    @cached_property
    def _offset(self) -> XY:
        """What separates the drawing plane (v downwards) from the plane of the georeference."""
        u, v = self.numbering.plane(Axial(0, 0))
        x, y = centre(Axial(0, 0), self.numbering.flat)
        return u - x, v + y

    def _project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.column_stack(self._proj(points[:, 0], points[:, 1]))

    def _to_km(self, u: float, v: float) -> XY:
        a, b, c, d, e, f = self.affine
        return a * u + b * v + c, d * u + e * v + f

    def _corners(self, hex_: Axial) -> list[XY]:
        offset_u, offset_v = self._offset
        return [self._to_km(x + offset_u, -y + offset_v) for x, y in vertices(hex_, self.numbering.flat)]


def _nearest(q: float, r: float) -> Axial:
    """Round fractional axial coordinates to the hex that holds the point."""
    s = -q - r
    rq, rr, rs = round(q), round(r), round(s)
    dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
    if dq > dr and dq > ds:
        rq = -rr - rs
    elif dr > ds:
        rr = -rq - rs
    return Axial(rq, rr)
