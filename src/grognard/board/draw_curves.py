"""Curves for maps: outlines of regions, chains of hexsides and of hexes, rounded so that they look drawn.

The rule is the hexside; the drawing is a river or a coast. Every displacement comes from a hash of the place
itself, so that a map gives the same picture each time, and two things that meet at a corner still meet.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

from grognard.hexes import Axial, neighbour, vertices

Point = tuple[float, float]
Key = tuple[int, int]
Command = list[str | float]
"""One step of a path: a letter of SVG's path language (M, L, Q, C, Z) and absolute coordinates."""

Node = TypeVar("Node", Axial, Key)


def noise(x: float, y: float, salt: str) -> float:
    """A number in [-1, 1) that depends on the place and the purpose alone."""
    text = f"{round(x * 1000)}:{round(y * 1000)}:{salt}"
    return zlib.crc32(text.encode()) / 2**31 - 1.0


def shaken(p: Point, amount: float, salt: str) -> Point:
    return p[0] + amount * noise(*p, salt + "x"), p[1] + amount * noise(*p, salt + "y")


def key(p: Point) -> Key:
    """The identity of a corner, whichever of its three hexes it was computed from."""
    return round(p[0] * 1000), round(p[1] * 1000)


def mix(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def side(hex_: Axial, direction: int, flat: bool) -> tuple[Point, Point]:
    corners = vertices(hex_, flat)
    return corners[direction], corners[(direction + 1) % 6]


def outlines(hexes: Collection[Axial], flat: bool) -> list[list[Point]]:
    """The closed outlines of a set of hexes, holes included. Three hexes meet at a corner, so an outline
    never touches itself and each corner has one way on."""
    onward: dict[Key, tuple[Point, Point]] = {}
    for hex_ in sorted(hexes):
        for direction in range(6):
            if neighbour(hex_, direction) not in hexes:
                start, end = side(hex_, direction, flat)
                onward[key(start)] = start, end
    loops = []
    while onward:
        first = next(iter(onward))
        loop, at = [], first
        while at in onward:
            start, end = onward.pop(at)
            loop.append(start)
            at = key(end)
        loops.append(loop)
    return loops


def _roughened(points: Sequence[Point], closed: bool, relax: float, amount: float) -> list[Point]:
    """Flatten the zigzag that hexsides make, then give each side a bend of its own."""
    count = len(points)
    eased = []
    for i, p in enumerate(points):
        if not closed and i in (0, count - 1):
            eased.append(p)
            continue
        middle = mix(points[i - 1], points[(i + 1) % count], 0.5)
        eased.append(shaken(mix(p, middle, relax), amount, "corner"))
    out = []
    for i in range(count if closed else count - 1):
        a, b = eased[i], eased[(i + 1) % count]
        raw = mix(points[i], points[(i + 1) % count], 0.5)
        length = math.dist(a, b) or 1.0
        bend = amount * noise(*raw, "bend")
        middle = mix(a, b, 0.5)
        out.append(a)
        out.append((middle[0] - (b[1] - a[1]) / length * bend, middle[1] + (b[0] - a[0]) / length * bend))
    if not closed:
        out.append(eased[-1])
    return out


def round_loop(points: Sequence[Point], relax: float = 0.35, amount: float = 0.05) -> list[Command]:
    """A closed smooth path near these corners of hexes."""
    return round_shape(_roughened(points, True, relax, amount))


def round_shape(control: Sequence[Point]) -> list[Command]:
    """The closed curve that cutting the corners of a polygon again and again (Chaikin) tends to."""
    count = len(control)
    start = mix(control[-1], control[0], 0.5)
    path: list[Command] = [["M", *start]]
    for i, p in enumerate(control):
        path.append(["Q", *p, *mix(p, control[(i + 1) % count], 0.5)])
    path.append(["Z"])
    return path


def river_controls(points: Sequence[Point], relax: float = 0.3, amount: float = 0.05) -> list[Point]:
    """Control points of a river: one for each corner and one for each side, alternating."""
    return _roughened(points, False, relax, amount)


def spline_knots(control: Sequence[Point]) -> list[Point]:
    """Where the open curve of `spline` passes beside each of its control points."""
    knots = [control[0]]
    for a, p, b in zip(control, control[1:], control[2:], strict=False):
        start, end = mix(a, p, 0.5), mix(p, b, 0.5)
        knots.append((start[0] / 4 + p[0] / 2 + end[0] / 4, start[1] / 4 + p[1] / 2 + end[1] / 4))
    knots.append(control[-1])
    return knots


def spline(control: Sequence[Point], first: int = 0, last: int | None = None) -> list[Command]:
    """The open curve along some control points; pieces of one curve, cut at the same place, join."""
    end = len(control) - 1 if last is None else last
    if first == 0:
        path: list[Command] = [["M", *control[0]], ["L", *mix(control[0], control[1], 0.5)]]
    else:
        path = [["M", *mix(control[first], control[first + 1], 0.5)]]
    for i in range(first + 1, end + (0 if end == len(control) - 1 else 1)):
        path.append(["Q", *control[i], *mix(control[i], control[i + 1], 0.5)])
    if end == len(control) - 1:
        path.append(["L", *control[-1]])
    return path


def through(points: Sequence[Point]) -> list[Command]:
    """A smooth open path that passes exactly through the points (Catmull-Rom, written as cubics)."""
    path: list[Command] = [["M", *points[0]]]
    for i in range(len(points) - 1):
        before = points[i - 1] if i else points[0]
        a, b = points[i], points[i + 1]
        after = points[i + 2] if i + 2 < len(points) else b
        path.append(
            [
                "C",
                a[0] + (b[0] - before[0]) / 6,
                a[1] + (b[1] - before[1]) / 6,
                b[0] - (after[0] - a[0]) / 6,
                b[1] - (after[1] - a[1]) / 6,
                *b,
            ]
        )
    return path


def sampled(path: Iterable[Command], steps: int = 4) -> list[Point]:
    """Points along a path, for keeping names off it and for measuring."""
    out: list[Point] = []
    here: Point = (0.0, 0.0)
    for command in path:
        numbers = [float(n) for n in command[1:]]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if not points:
            continue
        if command[0] == "M":
            out.append(points[0])
        else:
            hull = [here, *points]
            out.extend(_bezier(hull, i / steps) for i in range(1, steps + 1))
        here = points[-1]
    return out


def _bezier(hull: list[Point], t: float) -> Point:
    while len(hull) > 1:
        hull = [mix(a, b, t) for a, b in pairwise(hull)]
    return hull[0]


def chains(
    edges: Collection[tuple[Node, Node]],
    affinity: Callable[[Node, Node, Node], float],
) -> list[list[Node]]:
    """Cover a network with as few through lines as it allows: where lines meet, each edge is continued by
    the one that it suits best. `affinity` says how well a-node-b goes through; below zero they stay apart.
    """
    around: dict[Node, list[Node]] = {}
    for a, b in sorted(edges):
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    partner: dict[tuple[Node, Node], Node] = {}
    for node in sorted(around):
        pairs = sorted((-affinity(a, node, b), a, b) for a in around[node] for b in around[node] if a < b)
        for cost, a, b in pairs:
            if cost <= 0 and (node, a) not in partner and (node, b) not in partner:
                partner[node, a], partner[node, b] = b, a
    unused = set(edges)
    lines: list[list[Node]] = []

    def follow(start: Node, onward: Node) -> list[Node]:
        line = [start, onward]
        unused.discard((min(start, onward), max(start, onward)))
        while True:
            nxt = partner.get((line[-1], line[-2]))
            if nxt is None:
                return line
            edge = min(line[-1], nxt), max(line[-1], nxt)
            if edge not in unused:
                return line
            unused.discard(edge)
            line.append(nxt)

    # Lines first from their ends, then the rings that remain.
    for node in sorted(around):
        for onward in sorted(around[node]):
            edge = min(node, onward), max(node, onward)
            if edge in unused and (node, onward) not in partner:
                lines.append(follow(node, onward))
    for a, b in sorted(edges):
        if (a, b) in unused:
            lines.append(follow(a, b))
    return lines
