"""The legend of a map for a page: every thing that the map shows, with a small picture drawn as the map draws
it."""

from __future__ import annotations

import re
from functools import cache

from grognard.board.board import Board
from grognard.board.draw_legend import legend_entries, swatch
from grognard.board.loading import WATER
from grognard.board.svg import Letters, stylesheet

WIDE, HIGH, ROOM = 104, 104, 0.44
"""Hundredths of a hex: the size of a picture, and how much smaller than on the map things are."""


def legend(board: Board, language: str) -> list[dict[str, str]]:
    """In the order in which map.toml declares them: id, name, and an SVG document as `swatch`."""
    return [
        {"id": word, "name": name, "swatch": _picture(board, kind, word)}
        for kind, word, name in legend_entries(board, language)
    ]


def _picture(board: Board, kind: str, word: str) -> str:
    letters = Letters()
    drawn = "".join(letters.element(item) for item in swatch(board, kind, word, 0.0, 0.0, 0.85))
    classes = {name for value in re.findall(r'class="([^"]*)"', drawn) for name in value.split()}
    style = "".join(rule for named, rule in _rules() if not named or any(set(n) <= classes for n in named))
    box = f'viewBox="{-WIDE / 2:g} {-HIGH / 2:g} {WIDE} {HIGH}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} class="map-sheet"><style>{style}</style>{drawn}</svg>'
    )


def ground_colours(board: Board) -> dict[str, str]:
    """The colour of each terrain of the map, as the style sheet paints it; ground without one of its own has
    that of the paper under it."""
    fills = {
        names: found[1]
        for named, rule in _rules()
        if (found := re.search(r"fill: (#[0-9a-f]+)", rule))
        for names in named
    }
    terrains = {board.info[cell].terrain for cell in board.cells}
    return {
        t: fills["water",] if t in WATER else fills.get(("tint", t), fills["ground",])
        for t in sorted(terrains)
    }


@cache
def _rules() -> tuple[tuple[tuple[tuple[str, ...], ...], str], ...]:
    """The rules of the style sheet, each with the classes that its selectors ask for."""
    text = re.sub(r"/\*.*?\*/", "", stylesheet(), flags=re.DOTALL)
    found = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        asked = tuple(
            tuple(name for name in re.findall(r"\.([\w-]+)", selector) if name != "map-sheet")
            for selector in selectors.split(",")
        )
        named = () if any(not names for names in asked) else asked
        found.append((named, f"{selectors.strip()}{{{body.strip()}}}"))
    return tuple(found)
