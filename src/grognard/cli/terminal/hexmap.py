"""A map of flat-topped hexes in letters.

A hex takes 8 columns and 5 lines, and shares its sides with its neighbours:

          ____
         /2505\\
        /@Lening\\
        \\S3:?   /
         \\____/

A river is written along the side, a road as a gate through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rich.text import Text

from grognard.board import Board

ACROSS, DOWN = 6, 4
"""Columns from one hex column to the next, and lines from one hex to the one below."""

# Where each side is written, from the corner of the hex's box: (line, column) pairs, in the order of the
# directions N NW SW S SE NE; and the letter of a bare side.
_SIDES: tuple[tuple[tuple[tuple[int, int], ...], str], ...] = (
    (((0, 2), (0, 3), (0, 4), (0, 5)), "_"),
    (((1, 1), (2, 0)), "/"),
    (((3, 0), (4, 1)), "\\"),
    (((4, 2), (4, 3), (4, 4), (4, 5)), "_"),
    (((3, 7), (4, 6)), "/"),
    (((1, 6), (2, 7)), "\\"),
)

RIVER, MAJOR, WATER, GATE = "~", "≈", "*", "="
TEXTURES = {"marsh": '"', "hill": "^", "rough": "^", "woods": "%", "forest": "%", "sea": "~", "lake": "~"}
GROUND = {
    "sea": "on #35506b",
    "lake": "on #35506b",
    "marsh": "on #26443c",
    "hill": "on #4a3f2a",
    "rough": "on #4a3f2a",
    "woods": "on #24402a",
    "forest": "on #24402a",
}
_SIDE_STYLE = {RIVER: "bold #5aa9e6", MAJOR: "bold #5aa9e6", WATER: "#5aa9e6", GATE: "bold #c9803f"}


class Face(NamedTuple):
    """What is written in a hex besides its number: a name, and what stands there with its style."""

    name: str = ""
    below: str = ""
    style: str = ""


class Window(NamedTuple):
    """A piece of the map: hexes across and down around a centre."""

    centre: int
    across: int
    down: int


def draw(board: Board, faces: Mapping[int, Face], window: Window | None = None) -> list[Text]:
    """The lines of the map, or of the part of it in a window."""
    cells = board.cells if window is None else _inside(board, window)
    corners = {cell: _corner(board, cell) for cell in cells}
    top = min(line for line, _ in corners.values())
    left = min(column for _, column in corners.values())
    height = max(line for line, _ in corners.values()) - top + DOWN + 1
    width = max(column for _, column in corners.values()) - left + ACROSS + 2
    grid = _LetterGrid(width, height)
    for cell, (line, column) in corners.items():
        _write_hex(grid, board, cell, faces.get(cell, Face()), line - top, column - left)
    return grid.lines()


def _corner(board: Board, cell: int) -> tuple[int, int]:
    q, r = board.axial(cell)
    return (2 * r + q) * DOWN // 2, q * ACROSS


def _inside(board: Board, window: Window) -> list[int]:
    """The hexes of a window; near an edge the window moves in, so that it is always full."""
    where = {cell: _corner(board, cell) for cell in board.cells}
    line, column = where[window.centre]

    def bounds(values: Iterable[int], middle: int, size: int) -> tuple[int, int]:
        ordered = sorted(set(values))
        low = max(min(middle - size // 2, ordered[-1] - size), ordered[0])
        return low, low + size

    top, bottom = bounds((at[0] for at in where.values()), line, max(1, window.down - 1) * DOWN)
    left, right = bounds((at[1] for at in where.values()), column, max(1, window.across - 1) * ACROSS)
    return [cell for cell, (y, x) in where.items() if top <= y <= bottom and left <= x <= right]


class _LetterGrid:
    """Letters with styles on a grid."""

    def __init__(self, width: int, height: int) -> None:
        self.letters = [[" "] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]

    def put(self, line: int, column: int, text: str, style: str = "") -> None:
        for offset, letter in enumerate(text):
            self.letters[line][column + offset] = letter
            self.styles[line][column + offset] = style

    def lines(self) -> list[Text]:
        found = []
        for letters, styles in zip(self.letters, self.styles, strict=True):
            text = Text(no_wrap=True)
            for letter, style in zip(letters, styles, strict=True):
                text.append(letter, style or None)
            text.rstrip()
            found.append(text)
        return found


def _write_hex(grid: _LetterGrid, board: Board, cell: int, face: Face, line: int, column: int) -> None:
    info = board.info[cell]
    ground = GROUND.get(info.terrain, "")
    texture = TEXTURES.get(info.terrain, " ")
    for row, (start, size) in enumerate(((2, 4), (1, 6), (1, 6)), 1):
        grid.put(line + row, column + start, (f"{texture}  " * 3)[row - 1 :][:size], f"dim {ground}".strip())
    grid.put(line + 1, column + 2, info.number[-4:], f"dim {ground}".strip())
    if face.name:
        grid.put(line + 2, column + 1, face.name[:6].ljust(6), f"bold {ground}".strip())
    if face.below:
        grid.put(line + 3, column + 1, face.below[:6].ljust(6), face.style)
    for direction, (places, letter) in enumerate(_SIDES):
        there = board.neighbours[cell][direction]
        found = board.sides.get((min(cell, there), max(cell, there)), {})
        letters = _side_letters(found.keys(), letter, len(places))
        for (y, x), written in zip(places, letters, strict=True):
            grid.put(line + y, column + x, written, _SIDE_STYLE.get(written, "dim"))


def _side_letters(features: Iterable[str], letter: str, size: int) -> str:
    """A side as it is written: what runs along it, and a gate where a road goes through."""
    present = set(features)
    if present & {"sea", "lake"}:
        letter = WATER
    elif "major_river" in present:
        letter = MAJOR
    elif "river" in present:
        letter = RIVER
    if not present & {"road", "main_road"}:
        return letter * size
    return letter + GATE if size == 2 else letter + GATE * (size - 2) + letter
