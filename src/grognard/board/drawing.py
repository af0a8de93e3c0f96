"""From a board to a scene: what to draw, where and in which style, without saying how.

A scene is plain data (dicts, lists, numbers, strings), ready for JSON. The SVG and PNG pictures are made from
it, and so is the page. One unit is the width of a hex across its flat sides; x grows to the right and y
downwards. A scene has a `box` (the whole sheet), a `frame` (the map proper), `hexes` (one entry a hex, for
whoever points at them) and `layers`, to be drawn in their order. Each layer has a `name`, a list of `items`
(see draw_symbols) and `clip`, which is true where drawing stops at the frame. Style classes are those of
map.css, whose lengths are hundredths of a hex, to be multiplied by the scene's `pen`.
"""

from __future__ import annotations

from typing import Any

from grognard.board import draw_symbols as symbols
from grognard.board.board import Board
from grognard.board.draw_ground import (
    corners_of,
    draw_areas,
    draw_barriers,
    draw_grid,
    draw_ground,
    draw_water,
    draw_zones,
)
from grognard.board.draw_legend import furnish, title
from grognard.board.draw_lines import draw_rivers, draw_ways
from grognard.board.draw_places import draw_marks, draw_names, draw_numbers, draw_towns
from grognard.board.draw_sheet import LAYERS, UNCLIPPED, Options, prepare

__all__ = ["Options", "Scene", "draw"]

Scene = dict[str, Any]


def draw(board: Board, language: str = "en", options: Options | None = None) -> Scene:
    """The scene of a map, with its words in one language."""
    sheet = prepare(board, language, options or Options())
    draw_ground(sheet)
    draw_rivers(sheet)
    draw_water(sheet)
    draw_areas(sheet)
    draw_zones(sheet)
    draw_barriers(sheet)
    draw_grid(sheet)
    draw_ways(sheet)
    draw_towns(sheet)
    draw_marks(sheet)
    draw_numbers(sheet)
    draw_names(sheet)
    sheet.add("frame", symbols.polygons("neat-line", [corners_of(sheet.frame)]))
    box = sheet.frame.grown(0.35)
    if sheet.options.furniture:
        box = furnish(board, language, sheet.frame, sheet.layers)
    sheet.add("paper", symbols.polygons("paper", [corners_of(box)]))
    scene: Scene = {
        "schema": 1,
        "unit": "hex width across flats",
        "language": language,
        "title": title(board, language),
        "flat": sheet.flat,
        "pen": sheet.pen,
        "box": list(box),
        "frame": list(sheet.frame),
        "hexes": [
            {
                "hex": board.number(cell),
                "centre": list(sheet.centre(board.axial(cell))),
                "terrain": board.info[cell].terrain,
                "features": sorted(board.info[cell].features),
                "name": board.name(cell, language),
            }
            for cell in board.cells
        ],
        "layers": [
            {"name": name, "clip": name not in UNCLIPPED, "items": sheet.layers[name]} for name in LAYERS
        ],
    }
    rounded: Scene = _rounded(scene)
    return rounded


def _rounded(value: Any) -> Any:
    """Ten-thousandths of a hex are finer than any screen or press, and shorter to send."""
    if isinstance(value, float):
        return round(value, 4) + 0.0  # never a negative zero
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return value
