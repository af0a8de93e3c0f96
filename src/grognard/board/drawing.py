"""From a board to a scene: what to draw, where and in which style, without saying how.

A scene is plain data (dicts, lists, numbers, strings), ready for JSON. The SVG and PNG pictures are made from
it, and so is the page. One unit is the width of a hex across its flat sides; x grows to the right and y
downwards. A scene has a `box` (the whole canvas), a `frame` (the map proper), `hexes` (one entry a hex, for
whoever points at them) and `layers`, to be drawn in their order. Each layer has a `name`, a list of `items`
(see draw_symbols) and `clip`, which is true where drawing stops at the frame. Style classes are those of
map.css, whose lengths are hundredths of a hex, to be multiplied by the scene's `pen`.
"""

from __future__ import annotations

from typing import Any

from grognard.board import draw_symbols as symbols
from grognard.board.board import Board
from grognard.board.draw_canvas import LAYERS, UNCLIPPED, Options, frame_of, prepare
from grognard.board.draw_ground import (
    corners_of,
    draw_areas,
    draw_barriers,
    draw_grid,
    draw_ground,
    draw_water,
    draw_zones,
)
from grognard.board.draw_labels import Rectangle
from grognard.board.draw_legend import furnish, title
from grognard.board.draw_lines import draw_rivers, draw_ways
from grognard.board.draw_places import draw_marks, draw_names, draw_numbers, draw_towns
from grognard.hexes.geometry import centre

__all__ = ["Options", "Scene", "draw", "outline", "sheet_box"]

Scene = dict[str, Any]


def draw(board: Board, language: str = "en", options: Options | None = None) -> Scene:
    """The scene of a map, with its words in one language."""
    canvas = prepare(board, language, options or Options())
    draw_ground(canvas)
    draw_rivers(canvas)
    draw_water(canvas)
    draw_areas(canvas)
    draw_zones(canvas)
    draw_barriers(canvas)
    draw_grid(canvas)
    draw_ways(canvas)
    draw_towns(canvas)
    draw_marks(canvas)
    draw_numbers(canvas)
    draw_names(canvas)
    canvas.add("frame", symbols.polygons("neat-line", [corners_of(canvas.frame)]))
    box = sheet_box(board)
    if canvas.options.furniture:
        box = furnish(board, language, canvas.frame, canvas.layers)
    canvas.add("paper", symbols.polygons("paper", [corners_of(box)]))
    scene: Scene = {
        "schema": 1,
        "unit": "hex width across flats",
        "language": language,
        "title": title(board, language),
        "flat": canvas.flat,
        "pen": canvas.pen,
        "box": list(box),
        "frame": list(canvas.frame),
        "hexes": _hexes(board, language),
        "layers": [
            {"name": name, "clip": name not in UNCLIPPED, "items": canvas.layers[name]} for name in LAYERS
        ],
    }
    rounded: Scene = _rounded(scene)
    return rounded


def sheet_box(board: Board) -> Rectangle:
    """The whole sheet of a map without furniture: its frame and a rim of paper."""
    return frame_of(board.numbering).grown(0.35)


def outline(board: Board, language: str) -> Scene:
    """Where the hexes lie, as in a scene without furniture, and nothing of what is drawn there."""
    box, frame = sheet_box(board), frame_of(board.numbering)
    hexes = _hexes(board, language)
    found: Scene = _rounded(
        {"flat": board.numbering.flat, "box": list(box), "frame": list(frame), "hexes": hexes}
    )
    return found


def _hexes(board: Board, language: str) -> list[dict[str, Any]]:
    return [
        {
            "hex": board.number(cell),
            "centre": list(centre(board.axial(cell), board.numbering.flat)),
            "terrain": board.info[cell].terrain,
            "features": sorted(board.info[cell].features),
            "name": board.name(cell, language),
        }
        for cell in board.cells
    ]


def _rounded(value: Any) -> Any:
    """Ten-thousandths of a hex are finer than any screen or press, and shorter to send."""
    if isinstance(value, float):
        return round(value, 4) + 0.0  # never a negative zero
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return value
