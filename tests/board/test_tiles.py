"""Maps cut into tiles: each shows its piece of the whole picture."""

from __future__ import annotations

from functools import cache
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from grognard.board import load_board
from grognard.board.board import Board
from grognard.board.drawing import draw, outline, sheet_box
from grognard.board.svg import scene_to_png
from grognard.board.tiles import BARE, SCALES, TILE, Cutter, Tile, levels, shortened
from grognard.games.listing import game_folder


@cache
def board() -> Board:
    return load_board(game_folder("leningrad").sub("map"))


@cache
def cutter() -> Cutter:
    return Cutter(board(), "fr")


def picture(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content)).convert("RGB")


def test_every_level_covers_the_sheet() -> None:
    left, top, right, bottom = sheet_box(board())
    for scale, level in zip(SCALES, levels((left, top, right, bottom)), strict=True):
        assert level.scale == scale
        assert (level.columns - 1) * TILE < (right - left) * scale <= level.columns * TILE
        assert (level.rows - 1) * TILE < (bottom - top) * scale <= level.rows * TILE


@pytest.mark.parametrize("tile", [Tile(2, 0, 0), Tile(2, 1, 0), Tile(3, 2, 1)])
def test_a_tile_is_its_piece_of_the_map(tile: Tile) -> None:
    scale = SCALES[tile.level]
    scene = draw(board(), "fr", BARE)
    left, _, right, _ = scene["box"]
    whole = picture(scene_to_png(scene, round((right - left) * scale)))
    x, y = tile.column * TILE, tile.row * TILE
    wide, high = min(TILE, whole.width - x) - 2, min(TILE, whole.height - y) - 2
    cut = picture(dict(cutter().block(tile))[tile]).crop((0, 0, wide, high))
    assert cut.size == (wide, high)
    # WebP keeps no pixel exactly, and the whole picture is a fraction of a pixel wider: patches are compared.
    one, other = (each.resize((64, 64)) for each in (cut, whole.crop((x, y, x + wide, y + high))))
    assert max(ImageStat.Stat(ImageChops.difference(one, other)).mean) < 5
    turned = one.transpose(Image.Transpose.ROTATE_180)
    assert max(ImageStat.Stat(ImageChops.difference(turned, other)).mean) > 8


def test_a_block_is_drawn_at_once_and_the_same_every_time() -> None:
    once, again = (dict(Cutter(board(), "en").block(Tile(2, 1, 0))) for _ in range(2))
    level = levels(sheet_box(board()))[2]
    assert set(once) == {
        Tile(2, c, r) for c in range(min(4, level.columns)) for r in range(min(4, level.rows))
    }
    assert once == again


def test_the_coarsest_level_is_light_and_without_words() -> None:
    tiles = dict(cutter().block(Tile(0, 0, 0)))
    assert sum(map(len, tiles.values())) < 60_000
    assert tiles == dict(Cutter(board(), "en").block(Tile(0, 0, 0)))


def test_a_path_is_straight_where_nobody_sees_it() -> None:
    far = [["L", -50.0 - n, float(n % 7)] for n in range(100)]
    inside = [["M", 1.0, 1.0], ["Q", 2.0, 2.0, 3.0, 3.0]]
    found = shortened([*inside, *far, ["L", 4.0, 4.0], ["Z"]], (0, 0, 10, 10))
    assert found == [*inside, *far[:2], far[-1], ["L", 4.0, 4.0], ["Z"]]


def test_the_outline_is_that_of_the_scene() -> None:
    scene = draw(board(), "fr", BARE)
    assert outline(board(), "fr") == {key: scene[key] for key in ("flat", "box", "frame", "hexes")}
