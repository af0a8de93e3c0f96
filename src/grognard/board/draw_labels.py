"""Where names go: measured with the map's own face, tried around the place, put where they hide least."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from grognard.board.draw_curves import Point

ASCENT, DESCENT = 0.72, 0.22
"""Height of capitals and depth of tails of the map's face, in its size."""


@cache
def _metrics() -> dict[str, dict[str, int]]:
    text = (files("grognard.board") / "fonts" / "metrics.json").read_text(encoding="utf-8")
    tables: dict[str, dict[str, int]] = json.loads(text)
    return tables


def text_width(text: str, size: float, face: str = "regular", spacing: float = 0.0) -> float:
    """Width of a text in hexes; `spacing` is added between letters, in ems."""
    table = _metrics()[face]
    units = sum(table.get(character, 560) for character in text)
    return size * (units / 1000 + spacing * max(0, len(text) - 1))


class Rectangle(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Rectangle) -> float:
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def holds(self, p: Point) -> bool:
        return self.left <= p[0] <= self.right and self.top <= p[1] <= self.bottom

    def grown(self, by: float) -> Rectangle:
        return Rectangle(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass
class Clutter:
    """What names should stay off: boxes and points of lines, each with a price."""

    frame: Rectangle
    boxes: dict[tuple[int, int], list[tuple[Rectangle, float]]] = field(default_factory=dict)
    points: dict[tuple[int, int], list[tuple[Point, float]]] = field(default_factory=dict)

    def add_box(self, box: Rectangle, price: float) -> None:
        for place in _squares(box):
            self.boxes.setdefault(place, []).append((box, price))

    def add_points(self, points: Iterable[Point], price: float) -> None:
        for p in points:
            self.points.setdefault((math.floor(p[0]), math.floor(p[1])), []).append((p, price))

    def price(self, box: Rectangle) -> float:
        total = 0.0
        seen: set[Rectangle] = set()
        for place in _squares(box):
            for other, price in self.boxes.get(place, ()):
                if other not in seen:
                    seen.add(other)
                    total += price * box.overlap(other)
            for (x, y), price in self.points.get(place, ()):
                if box.holds((x, y)):
                    total += price
        inside = box.overlap(self.frame)
        area = (box.right - box.left) * (box.bottom - box.top)
        return total + 400 * (area - inside)


def _squares(box: Rectangle) -> list[tuple[int, int]]:
    return [
        (x, y)
        for x in range(math.floor(box.left), math.floor(box.right) + 1)
        for y in range(math.floor(box.top), math.floor(box.bottom) + 1)
    ]


class Placed(NamedTuple):
    x: float
    y: float
    anchor: str
    box: Rectangle


def text_box(x: float, y: float, width: float, size: float, anchor: str) -> Rectangle:
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return Rectangle(left, y - ASCENT * size, left + width, y + DESCENT * size)


def place(
    clutter: Clutter,
    at: Point,
    clear: tuple[float, float],
    width: float,
    size: float,
) -> Placed:
    """The best of the usual places round a point; `clear` is the half size of the sign that stands there."""
    x, y = at
    dx, dy = clear
    middle = y + ASCENT * size / 2
    below, above = y + dy + ASCENT * size, y - dy - DESCENT * size * 0.6
    tries: list[tuple[float, float, str, float]] = [
        (x + dx, middle, "start", 0.0),
        (x, below, "middle", 0.15),
        (x, above, "middle", 0.2),
        (x - dx, middle, "end", 0.3),
        (x + dx * 0.75, middle + 0.15, "start", 0.35),
        (x + dx * 0.75, middle - 0.15, "start", 0.35),
        (x - 0.17 * width, below, "middle", 0.4),
        (x + 0.17 * width, below, "middle", 0.4),
        (x - 0.17 * width, above, "middle", 0.45),
        (x + 0.17 * width, above, "middle", 0.45),
        (x + 0.35 * width, below, "middle", 0.45),
        (x + 0.35 * width, above, "middle", 0.45),
        (x - 0.35 * width, below, "middle", 0.5),
        (x - 0.35 * width, above, "middle", 0.5),
        (x - dx * 0.75, middle + 0.15, "end", 0.55),
        (x - dx * 0.75, middle - 0.15, "end", 0.55),
    ]
    best: tuple[float, Placed] | None = None
    for tx, ty, anchor, dislike in tries:
        box = text_box(tx, ty, width, size, anchor)
        cost = dislike + clutter.price(box)
        if best is None or cost < best[0] - 1e-9:
            best = cost, Placed(tx, ty, anchor, box)
    assert best is not None
    return best[1]


def boxes_along(points: Sequence[Point], half: float) -> list[Rectangle]:
    return [Rectangle(x - half, y - half, x + half, y + half) for x, y in points]
