"""Draw the pictures of the gallery again: python docs/maps/make.py (needs grognard[pictures] and Pillow).

They are `grognard map` pictures brought down to 256 colours, which makes them a third of the size.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from PIL import Image

from grognard.board import load_board
from grognard.board.svg import render_png, stylesheet
from grognard.files import Folder

HERE = Path(__file__).parent
GAMES = HERE.parent.parent / "src" / "grognard" / "games"
WIDTHS = {"leningrad": 2600, "a_victory_lost": 2800, "stalingrad_roads": 2800}


def fewer_colours(png: bytes) -> Image.Image:
    """The style sheet's own colours first: rare ones, such as a star's gold, must not be averaged away."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    named = sorted(set(re.findall(r"#([0-9a-f]{6})", stylesheet())))
    usual = picture.quantize(256 - len(named)).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(byte for colour in named for byte in bytes.fromhex(colour)), *usual][:768])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    for game, width in WIDTHS.items():
        board = load_board(Folder(GAMES / game / "map"))
        for language in ("en", "fr"):
            picture = fewer_colours(render_png(board, language, width))
            picture.save(HERE / f"{game}.{language}.png", optimize=True)
