"""The front drawn on the real map: the map's own picture, and over it a few outlines for each turn."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence

from grognard.board import Board
from grognard.board.drawing import Options, draw
from grognard.board.svg import SCALE, scene_to_svg
from grognard.hexes import Axial, vertices
from grognard.lab.summary import Front

LEVELS = (0.05, 0.2, 0.4, 0.6, 0.8)
"""From which share of the games on a hex of the front gets its next darker shade."""
HOLDS = (0.5, 0.7, 0.9)
"""From which share on a side's ground gets its next darker shade."""

Point = tuple[int, int]


class MapPicture:
    """The map as a picture and where its hexes lie in it."""

    def __init__(self, board: Board, language: str) -> None:
        scene = draw(board, language, Options(numbers=False, furniture=False))
        left, top, right, bottom = scene["box"]
        self.view = " ".join(f"{value * SCALE:.0f}" for value in (left, top, right - left, bottom - top))
        self.width, self.height = (right - left) * SCALE, (bottom - top) * SCALE
        svg = scene_to_svg(scene).encode()
        self.source = "data:image/svg+xml;base64," + base64.b64encode(svg).decode()
        self._board = board
        self._flat = bool(scene["flat"])

    def corners(self, hex_: Axial) -> list[Point]:
        return [(round(x * SCALE), round(y * SCALE)) for x, y in vertices(hex_, self._flat)]

    def sides(
        self, hexes: Iterable[str], cut: Callable[[str, str | None], bool]
    ) -> list[tuple[Point, Point]]:
        """The sides of these hexes across which there is a hex, or the map's edge, that is cut off."""
        board = self._board
        found = []
        for hex_ in hexes:
            cell = board.cell(hex_)
            corners = self.corners(board.axial(cell))
            for direction, near in enumerate(board.neighbours[cell]):
                if cut(hex_, board.number(near) if near >= 0 else None):
                    found.append((corners[direction], corners[(direction + 1) % 6]))
        return found

    def outline(self, hexes: Iterable[str]) -> str:
        """The path round some hexes."""
        inside = set(hexes)
        return path(self.sides(sorted(inside), lambda _, near: near not in inside))

    def border(self, mine: Iterable[str], theirs: Iterable[str]) -> str:
        """The path between two grounds, where they touch."""
        there = set(theirs)
        return path(self.sides(sorted(set(mine)), lambda _, near: near in there))


def path(sides: Sequence[tuple[Point, Point]]) -> str:
    """Sides put end to end, as the commands of an SVG path."""
    following: dict[Point, list[Point]] = {}
    ends: set[Point] = set()
    for a, b in sides:
        following.setdefault(a, []).append(b)
        ends.add(b)
    parts: list[str] = []
    # Open lines first, from where nothing comes in; what is left then is closed.
    for start in sorted(following, key=lambda point: (point in ends, point)):
        while following.get(start):
            here, walk = start, [start]
            while following.get(here):
                here = following[here].pop()
                walk.append(here)
            parts.append("M" + "L".join(f"{x} {y}" for x, y in walk))
    return "".join(parts)


def overlay(picture: MapPicture, front: Front, sides: Sequence[str]) -> str:
    """What lies over the map for one turn: both layers and the median front."""
    parts = ['<g class="layer-front">']
    for level, (low, high) in enumerate(_steps(LEVELS)):
        parts.append(_area(picture, _between(front.line, low, high), f"heat{level}"))
    parts.append('</g><g class="layer-held">')
    for place, side in enumerate(sides):
        for level, (low, high) in enumerate(_steps(HOLDS)):
            parts.append(_area(picture, _between(front.held[side], low, high), f"held{place}-{level}"))
    parts.append("</g>")
    if len(sides) == 2:
        mine, theirs = (_between(front.held[side], 0.5, 2.0) for side in sides)
        line = picture.border(mine, set(theirs) - set(mine))
        parts.append(f'<path class="casing" d="{line}"/><path class="median" d="{line}"/>')
    return "".join(parts)


def _steps(levels: Sequence[float]) -> list[tuple[float, float]]:
    return list(zip(levels, [*levels[1:], 2.0], strict=True))


def _between(shares: Mapping[str, float], low: float, high: float) -> list[str]:
    return [hex_ for hex_, share in shares.items() if low <= share < high]


def _area(picture: MapPicture, hexes: Sequence[str], style: str) -> str:
    return f'<path class="{style}" d="{picture.outline(hexes)}"/>' if hexes else ""
