"""A map cut into square pictures at several sizes, so that a page fetches only what it shows.

Each level shows a hex twice as wide as the level before. The coarsest level has no names or numbers, which
nobody could read: it is the coast, the ground and the grid, small enough to be there at once. Drawing a whole
map is slow, so tiles are drawn in blocks, from the items of the scene that lie in the block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

from grognard.board.board import Board
from grognard.board.drawing import Options, Scene, draw
from grognard.board.svg import can_draw_pictures, scene_to_png

TILE = 512
"""Pixels of a tile's side."""
BLOCK = 4
"""Tiles of a block's side."""
SCALES = (8, 16, 32, 64, 128)
"""Pixels a hex at each level, from coarse to fine."""
READABLE = 16
"""Pixels a hex below which names and numbers are left out."""
QUALITY = 72

BARE = Options(furniture=False)
"""The map alone: whoever shows it has its own title and legend."""

Bounds = tuple[float, float, float, float]
"""Left, top, right, bottom, in hex widths."""


class Level(NamedTuple):
    """A size of the map, and how many tiles it takes."""

    scale: int
    columns: int
    rows: int


class Tile(NamedTuple):
    level: int
    column: int
    row: int


def named(level: int) -> bool:
    """Whether a level has names, which differ from language to language."""
    return SCALES[level] >= READABLE


def can_draw_tiles() -> bool:
    """Whether this machine has the libraries that draw and encode pictures."""
    return can_draw_pictures() and find_spec("PIL") is not None


def levels(box: Sequence[float]) -> tuple[Level, ...]:
    width, height = box[2] - box[0], box[3] - box[1]
    return tuple(
        Level(scale, math.ceil(width * scale / TILE), math.ceil(height * scale / TILE)) for scale in SCALES
    )


class Cutter:
    """Draws the tiles of one map in one language."""

    def __init__(self, board: Board, language: str) -> None:
        self.board = board
        self.language = language

    @cached_property
    def _named(self) -> Picture:
        return Picture(draw(self.board, self.language, BARE))

    @cached_property
    def _bare(self) -> Picture:
        return Picture(draw(self.board, self.language, replace(BARE, numbers=False, names=False)))

    def block(self, tile: Tile) -> Iterator[tuple[Tile, bytes]]:
        """The tiles of the block that a tile belongs to, as WebP pictures."""
        from PIL import Image

        scale = SCALES[tile.level]
        picture = self._named if named(tile.level) else self._bare
        level = levels(picture.box)[tile.level]
        first = tile.column // BLOCK * BLOCK, tile.row // BLOCK * BLOCK
        last = min(first[0] + BLOCK, level.columns), min(first[1] + BLOCK, level.rows)
        side = TILE / scale
        left, top = picture.box[0] + first[0] * side, picture.box[1] + first[1] * side
        size = (last[0] - first[0]) * TILE, (last[1] - first[1]) * TILE
        bounds = (left, top, left + size[0] / scale, top + size[1] / scale)
        with Image.open(BytesIO(scene_to_png(picture.part(bounds), size[0]))) as drawn:
            sheet = drawn.convert("RGB")
        for column in range(first[0], last[0]):
            for row in range(first[1], last[1]):
                x, y = (column - first[0]) * TILE, (row - first[1]) * TILE
                kept = BytesIO()
                sheet.crop((x, y, x + TILE, y + TILE)).save(kept, "WEBP", quality=QUALITY, method=4)
                yield Tile(tile.level, column, row), kept.getvalue()


class Picture:
    """A scene whose items know where they lie."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.box: list[float] = scene["box"]
        self._layers = [
            (layer, [(item, _parts(item)) for item in layer["items"]]) for layer in scene["layers"]
        ]

    def part(self, bounds: Bounds) -> Scene:
        """The scene of a part of the map. A clip costs the renderer five times the rest, so what would be cut
        off at the frame is covered with paper instead."""
        layers = []
        for layer, items in self._layers:
            if layer["name"] == "paper":
                found = [{**item, "polygons": [_corners(*bounds)]} for item, _ in items]
                paper = found
            else:
                found = [part for item, parts in items if (part := _within(item, parts, bounds))]
            if layer["name"] == "frame":
                found = [*({**item, "polygons": self._outside(bounds)} for item in paper), *found]
            layers.append({**layer, "items": found, "clip": False})
        return {**self.scene, "box": list(bounds), "layers": layers}

    def _outside(self, bounds: Bounds) -> list[list[list[float]]]:
        """What of the bounds lies outside the frame, as rectangles."""
        left, top, right, bottom = bounds
        x0, y0, x1, y1 = self.scene["frame"]
        found = [
            (left, top, x0, bottom),
            (x1, top, right, bottom),
            (left, top, right, y0),
            (left, y1, right, bottom),
        ]
        return [_corners(*each) for each in found if each[0] < each[2] and each[1] < each[3]]


def _corners(left: float, top: float, right: float, bottom: float) -> list[list[float]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


_LISTS = {"polygons": "polygons", "strokes": "lines", "dots": "dots"}
"""Kinds of items that are lists of shapes, and the names of those lists."""
MARGIN = 1.5
"""How far lines, letters and moved signs may reach beyond their points, in hex widths."""


def _parts(item: dict[str, Any]) -> list[Bounds]:
    """Where an item lies: one box for each of its shapes, or one for all."""
    if "move" in item:
        x, y, scale = item["move"]
        return [_grown([(x, y)], MARGIN * max(1.0, scale))]
    kind = item["kind"]
    if kind == "dots":
        return [_grown([(x, y)], r) for x, y, r in item["dots"]]
    if kind in _LISTS:
        return [_grown(shape, MARGIN / 3) for shape in item[_LISTS[kind]]]
    if kind == "path":
        return [_grown(_points(item["commands"]), MARGIN / 3)]
    if "along" in item:
        return [_grown(_points(item["along"]), MARGIN)]
    return [_grown([(item["x"], item["y"])], max(MARGIN, len(item["text"]) * item["size"]))]


def _points(commands: Sequence[Sequence[Any]]) -> list[tuple[float, float]]:
    """The points that a path's commands name; curves stay within theirs."""
    found = []
    for command in commands:
        numbers = [float(number) for number in command[1:]]
        found += list(zip(numbers[::2], numbers[1::2], strict=True))
    return found


def _grown(points: Sequence[Sequence[float]], margin: float) -> Bounds:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def _within(item: dict[str, Any], parts: Sequence[Bounds], bounds: Bounds) -> dict[str, Any] | None:
    """What of an item lies within the bounds; None if nothing does."""
    left, top, right, bottom = bounds
    near = [p[2] >= left and p[0] <= right and p[3] >= top and p[1] <= bottom for p in parts]
    if not any(near):
        return None
    if item["kind"] == "path" and "move" not in item:
        return {**item, "commands": shortened(item["commands"], bounds)}
    if len(parts) == 1 or all(near):
        return item
    name = _LISTS[item["kind"]]
    return {**item, name: [shape for shape, here in zip(item[name], near, strict=True) if here]}


def shortened(commands: Sequence[Sequence[Any]], bounds: Bounds) -> list[Sequence[Any]]:
    """A path that looks the same within the bounds: stretches that lie beyond one and the same edge of them
    become straight. A coast of twenty thousand points is then drawn for what is seen of it."""
    out: list[Sequence[Any]] = []
    beyond, held = 0, None
    here = start = 0
    for command in commands:
        codes = [_code(x, y, bounds) for x, y in _points([command])]
        if command[0] == "M" or not codes:
            if held is not None:
                out.append(held)
            out.append(command)
            beyond, held = 0, None
            here = start = codes[-1] if codes else start
            continue
        segment = here
        for code in codes:
            segment &= code
        here = codes[-1]
        if segment & beyond:
            beyond &= segment
            held = ["L", *command[-2:]]
            continue
        if held is not None:
            out.append(held)
            held = None
        beyond = segment
        out.append(["L", *command[-2:]] if segment else command)
    if held is not None:
        out.append(held)
    return out


def _code(x: float, y: float, bounds: Bounds) -> int:
    """Beyond which edges of the bounds a point lies, with room for the width of lines."""
    left, top, right, bottom = bounds
    return (
        (x < left - MARGIN) | (x > right + MARGIN) << 1 | (y < top - MARGIN) << 2 | (y > bottom + MARGIN) << 3
    )
