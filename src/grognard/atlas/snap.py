"""Fitting lines to the grid: rivers to chains of sides, roads and railways to chains of hexes.

Both are shortest paths. A step costs its length, times one plus its distance from the real course times a
pull: the stronger the pull, the closer the chain follows every bend; the weaker, the straighter it runs.
Costs are rounded and ties are broken by name, so that the same input always gives the same chain.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, TypeVar

from shapely.geometry import LineString, MultiLineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge, substring

from grognard.atlas.errors import AtlasError
from grognard.atlas.frame import XY, Corner, Frame, Side, side_of
from grognard.hexes import Axial, neighbour

Node = TypeVar("Node", bound=Hashable)

RIVER_PULL = 6.0
ROAD_PULL = 3.0
SAMPLES = (0.1, 0.3, 0.5, 0.7, 0.9)
END_SHARE = 0.25
"""A point within this share of a line's length from one of its ends counts as standing at that end."""


def cheapest_path(
    starts: dict[Node, float],
    ends: dict[Node, float],
    steps: Callable[[Node], Iterable[tuple[Node, float]]],
    order: Callable[[Node], Any],
) -> tuple[float, list[Node]] | None:
    """The cheapest path from any start to any end; starts and ends carry a cost of their own."""
    best: dict[Node, float] = {}
    came_from: dict[Node, Node] = {}
    queue: list[tuple[float, Any, Node, Node | None]] = [
        (cost, order(node), node, None) for node, cost in starts.items()
    ]
    heapq.heapify(queue)
    arrival: tuple[float, Any, Node] | None = None
    while queue:
        cost, name, node, previous = heapq.heappop(queue)
        if node in best:
            continue
        if arrival is not None and cost >= arrival[0]:
            break
        best[node] = cost
        if previous is not None:
            came_from[node] = previous
        if node in ends:
            total = round(cost + ends[node], 6)
            if arrival is None or (total, name) < arrival[:2]:
                arrival = (total, name, node)
        for following, price in steps(node):
            if following not in best:
                heapq.heappush(queue, (round(cost + price, 6), order(following), following, node))
    if arrival is None:
        return None
    path = [arrival[2]]
    while path[-1] in came_from:
        path.append(came_from[path[-1]])
    return arrival[0], path[::-1]


def join(lines: Sequence[LineString]) -> LineString:
    """One line from pieces given in any order and direction, the nearest ends joined first."""
    merged = linemerge(list(lines)) if len(lines) > 1 else lines[0]
    if not isinstance(merged, MultiLineString):
        return merged
    pieces = sorted(merged.geoms, key=lambda piece: (-round(piece.length, 6), list(piece.coords)))
    chain = list(pieces.pop(0).coords)
    while pieces:
        options = []
        for index, piece in enumerate(pieces):
            coords = list(piece.coords)
            options += [
                (math.dist(chain[-1], coords[0]), index, 0),
                (math.dist(chain[-1], coords[-1]), index, 1),
                (math.dist(chain[0], coords[-1]), index, 2),
                (math.dist(chain[0], coords[0]), index, 3),
            ]
        _, index, way = min((round(gap, 6), index, way) for gap, index, way in options)
        coords = list(pieces.pop(index).coords)
        if way in (1, 3):
            coords.reverse()
        chain = chain + coords if way < 2 else coords + chain
    return LineString(chain)


def part_between(
    line: LineString,
    before: XY | None,
    after: XY | None,
    *,
    source: BaseGeometry | None = None,
    mouth: BaseGeometry | None = None,
) -> list[XY]:
    """The part of a line that leads from one point to the other, in that direction.

    Where a point is missing, the line is used to its end: to the one nearer to the water that the river comes
    from or flows into, if that is known; else away from the point that is there, which must then stand near
    the other end. A point in the middle of a line leaves two ways open and is refused.
    """
    start = line.project(Point(before)) if before is not None else None
    end = line.project(Point(after)) if after is not None else None
    if start is not None and end is not None:
        backwards = start > end
    elif start is not None:
        backwards = _nearer_end(line, mouth) == 0 if mouth is not None else _near_end(line, start) == 1
    elif end is not None:
        backwards = _nearer_end(line, source) == 1 if source is not None else _near_end(line, end) == 0
    elif mouth is not None:
        backwards = _nearer_end(line, mouth) == 0
    elif source is not None:
        backwards = _nearer_end(line, source) == 1
    else:
        backwards = False
    if start is None:
        start = line.length if backwards else 0.0
    if end is None:
        end = 0.0 if backwards else line.length
    piece = substring(line, start, end)
    return [(float(x), float(y)) for x, y, *_ in piece.coords]


def _nearer_end(line: LineString, water: BaseGeometry) -> int:
    """Which end of a line (0 or 1) is nearer to a sea, a lake or another river."""
    first, last = (Point(line.coords[index]).distance(water) for index in (0, -1))
    return 0 if round(first, 6) <= round(last, 6) else 1


def _near_end(line: LineString, along: float) -> int:
    """Which end of a line (0 or 1) a point on it stands at."""
    share = along / line.length
    if share <= END_SHARE:
        return 0
    if share >= 1 - END_SHARE:
        return 1
    raise AtlasError(
        "a line of the geodata has a point on one side only, and that point is not at its end: "
        "give a point on the other side too, or the water that the river ends in"
    )


def clip(frame: Frame, course: Sequence[XY]) -> list[XY]:
    """The course from where it first enters the map to where it last leaves it."""
    if len(course) == 1:
        return list(course)
    line = LineString(course)
    step = frame.hex_km / 32
    count = max(1, math.ceil(line.length / step))
    distances = [line.length * k / count for k in range(count + 1)]
    inside = [d for d in distances if frame.inside(_xy(line.interpolate(d)))]
    if not inside:
        raise AtlasError("the course lies wholly off the map")
    if inside[0] == inside[-1]:
        return [_xy(line.interpolate(inside[0]))]
    return [(float(x), float(y)) for x, y, *_ in substring(line, inside[0], inside[-1]).coords]


def river_chain(
    frame: Frame,
    course: Sequence[XY],
    allowed: Collection[Side],
    *,
    forced: Sequence[Side] = (),
    starts: Collection[Corner] | None = None,
    ends: Collection[Corner] | None = None,
    pull: float = RIVER_PULL,
) -> list[Side]:
    """One connected chain of allowed sides along the course.

    It runs from the corner nearest the course's start to the one nearest its end, or between the corners
    given; forced sides are passed through in their order.
    """
    reference = _reference(clip(frame, course))
    links: dict[Corner, list[tuple[Corner, Side]]] = {}
    for side in sorted(allowed):
        one, other = frame.corners_of_side(side)
        links.setdefault(one, []).append((other, side))
        links.setdefault(other, []).append((one, side))
    places = {corner: frame.corner(corner) for corner in links}
    costs: dict[Side, float] = {}

    def cost(side: Side) -> float:
        if side not in costs:
            one, other = frame.corners_of_side(side)
            costs[side] = _cost(frame, frame.corner(one), frame.corner(other), reference, pull)
        return costs[side]

    rim = [c for c in links if not frame.on_map.issuperset(c)]

    def anchors(given: Collection[Corner] | None, point: XY, off_map: bool = False) -> dict[Corner, float]:
        """A river from off the map, or to there, begins or ends at the rim."""
        everywhere = rim if off_map and rim else links.keys()
        candidates = everywhere if given is None else [c for c in given if c in links]
        if not candidates:
            raise AtlasError("no corner there for a river to begin or end at")
        away = {c: math.dist(places[c], point) / frame.hex_km for c in candidates}
        if given is None:
            nearest = min(candidates, key=lambda c: (round(away[c], 6), c))
            return {nearest: 0.0}
        return {c: round(away[c] * (1 + pull), 6) for c in candidates}

    for side in forced:
        if side not in allowed:
            a, b = (frame.number(h) for h in side)
            raise AtlasError(f"the river cannot run along {a}/{b}: water, or another river is there")

    first, last = _xy(reference.interpolate(0)), _xy(reference.interpolate(reference.length))

    def near_forced(side: Side, point: XY, off_map: bool) -> dict[Corner, float]:
        """Where a river may begin or end whose first or last side is forced. One that comes from off the map
        may always begin where that side meets the rim: the corner nearest its course may lie on the wrong end
        of the side, and then no chain would pass through it."""
        away = frame.segment(side).distance(Point(point))
        corners = frame.corners_of_side(side)
        if away < 1e-6:
            return dict.fromkeys(corners, 0.0)
        edge = [c for c in corners if off_map and not frame.on_map.issuperset(c)]
        if edge and away < frame.hex_km:
            return dict.fromkeys(edge, 0.0)
        return {**(anchors(edge, point) if edge else {}), **anchors(None, point)}

    if forced and starts is None:
        begin = near_forced(forced[0], first, not frame.inside(course[0]))
    else:
        begin = anchors(starts, first, not frame.inside(course[0]))
    if forced and ends is None:
        finish = near_forced(forced[-1], last, not frame.inside(course[-1]))
    else:
        finish = anchors(ends, last, not frame.inside(course[-1]))

    def path(
        sources: dict[Corner, float], targets: dict[Corner, float], closed: Collection[Corner]
    ) -> tuple[float, list[Corner]] | None:
        return cheapest_path(
            sources,
            targets,
            lambda c: [(o, cost(s)) for o, s in links[c] if o not in closed],
            lambda c: c,
        )

    # Forced sides may be passed in either direction: try both for each, keeping the best way to every end.
    # A way that has been used is closed to the rest of the river, lest it double back on itself.
    ways: list[tuple[float, list[Corner]]] = [(c, [corner]) for corner, c in begin.items()]
    if not forced:
        found = path(begin, finish, ())
        if found is None:
            raise AtlasError("no chain of sides joins the river's two ends")
        corners = found[1]
    else:
        ways = []
        for position, side in enumerate(forced):
            one, other = frame.corners_of_side(side)
            extended: list[tuple[float, list[Corner]]] = []
            for enter, leave in ((one, other), (other, one)):
                options = []
                if position == 0:
                    found = path(begin, {enter: 0.0}, (leave,))
                    if found and leave not in found[1]:
                        options.append((found[0], found[1]))
                else:
                    for spent, past in ways:
                        if enter in past[:-1] or leave in past:
                            continue
                        found = path({past[-1]: 0.0}, {enter: 0.0}, (*past[:-1], leave))
                        if found:
                            options.append((spent + found[0], past + found[1][1:]))
                if options:
                    spent, past = min(options, key=lambda o: (round(o[0], 6), o[1]))
                    extended.append((spent + cost(side), [*past, leave]))
            if not extended:
                a, b = (frame.number(h) for h in side)
                raise AtlasError(f"no chain of sides passes through {a}/{b} after the ones before it")
            ways = extended
        endings = []
        for spent, past in ways:
            found = path({past[-1]: 0.0}, finish, past[:-1])
            if found:
                endings.append((spent + found[0], past + found[1][1:]))
        if not endings:
            raise AtlasError("no chain of sides leads from the last forced side to the river's end")
        corners = min(endings, key=lambda o: (round(o[0], 6), o[1]))[1]

    return [dict(links[here])[there] for here, there in itertools.pairwise(corners)]


def hex_chain(
    frame: Frame,
    course: Sequence[XY],
    start: Axial,
    end: Axial,
    passable: Callable[[Side], bool],
    *,
    pull: float = ROAD_PULL,
    used: Collection[Side] = (),
    reuse: float = 1.0,
    rivers: Collection[Side] = (),
    crossing: float = 0.0,
) -> list[Axial]:
    """One connected chain of hexes from start to end near the course.

    Sides already used cost less where reuse is below one: roads then share a way instead of running side
    by side through neighbouring hexes. Sides along rivers cost as much more as crossing says, in hexes: a
    road beside a river then keeps to its bank.
    """
    reference = _reference(course)

    def steps(hex_: Axial) -> Iterable[tuple[Axial, float]]:
        for direction in range(6):
            other = neighbour(hex_, direction)
            if other in frame.on_map and passable(side_of(hex_, other)):
                price = _cost(frame, frame.centre(hex_), frame.centre(other), reference, pull)
                price *= reuse if side_of(hex_, other) in used else 1.0
                yield other, price + (crossing if side_of(hex_, other) in rivers else 0.0)

    found = cheapest_path({start: 0.0}, {end: 0.0}, steps, frame.number)
    if found is None:
        raise AtlasError(f"no way over land from {frame.number(start)} to {frame.number(end)}")
    return found[1]


def _cost(frame: Frame, start: XY, end: XY, reference: LineString | Point, pull: float) -> float:
    """Length of a step in hex widths, raised by its mean distance from the course."""
    line = LineString([start, end])
    away = sum(reference.distance(line.interpolate(part, normalized=True)) for part in SAMPLES)
    away /= len(SAMPLES) * frame.hex_km
    return round(line.length / frame.hex_km * (1 + pull * away), 6)


def _reference(course: Sequence[XY]) -> LineString:
    # A course of one point is a very short line: distances and ends then need no special case.
    points = list(course) if len(course) > 1 else [course[0], (course[0][0] + 1e-6, course[0][1])]
    return LineString(points)


def _xy(point: Point) -> XY:
    return float(point.x), float(point.y)
