"""Draw the pictures of the gallery again: python docs/maps/make.py (needs resvg-py, NumPy and Pillow).

They are `grognard map` pictures brought down to 256 colours, which makes them a third of the size.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
from PIL import Image

from grognard.board import load_board
from grognard.board.svg import render_png, stylesheet
from grognard.files import Folder

HERE = Path(__file__).parent
GAMES = HERE.parent.parent / "src" / "grognard" / "games"
APART = 16
"""How far two colours of the palette are from each other at least, summed over red, green and blue."""
WIDTHS = {
    "leningrad": 2600,
    "a_victory_lost": 2800,
    "stalingrad_roads": 2800,
    "typhoon": 2200,
    "second_front": 2200,
}


def fewer_colours(png: bytes) -> Image.Image:
    """The commonest colours that can be told apart, exactly as they are, and after the style sheet's own:
    averaging would shift the paper and lose rare ones, such as a star's gold."""
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
    packed = pixels.astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    colours, where, counts = np.unique(packed, return_inverse=True, return_counts=True)
    as_rgb = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.int32)
    wanted = [tuple(bytes.fromhex(c)) for c in sorted(set(re.findall(r"#([0-9a-f]{6})", stylesheet())))]
    chosen = np.array(wanted, dtype=np.int32)
    for candidate in as_rgb[np.argsort(-counts, kind="stable")]:
        if len(chosen) == 256:
            break
        if np.abs(chosen - candidate).sum(axis=1).min() > APART:
            chosen = np.vstack([chosen, candidate])
    nearest = np.array([((chosen - c) ** 2).sum(axis=1).argmin() for c in as_rgb], dtype=np.uint8)
    picture = Image.fromarray(nearest[where].reshape(packed.shape), "P")
    picture.putpalette(chosen.astype(np.uint8).tobytes())
    return picture


if __name__ == "__main__":
    for game, width in WIDTHS.items():
        board = load_board(Folder(GAMES / game / "map"))
        for language in ("en", "fr"):
            picture = fewer_colours(render_png(board, language, width))
            picture.save(HERE / f"{game}.{language}.png", optimize=True)
