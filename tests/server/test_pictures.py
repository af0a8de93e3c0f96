"""Pictures of maps over the doors: kept for good, drawn once, and of every map there is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from grognard.board.tiles import TILE, Tile, levels
from grognard.server import pictures as module
from grognard.server.pictures import Maps, Pictures, UnknownMapError, draw_ahead
from tests.server.table import Client


def test_a_tile_is_a_picture_that_browsers_may_keep(quick_client: Client) -> None:
    tiles = quick_client.get("/api/games/crossroads/kit").json()["map"]["tiles"]
    assert tiles["size"] == TILE and len(tiles["levels"]) == 5
    url = tiles["url"].format(level=0, column=0, row=0)
    answer = quick_client.get(url)
    assert answer.headers["content-type"] == "image/webp"
    assert "immutable" in answer.headers["cache-control"]
    assert Image.open(BytesIO(answer.content)).size == (TILE, TILE)


@pytest.mark.parametrize("place", [(9, 0, 0), (-1, 0, 0), (0, 99, 0), (0, 0, -1)])
def test_tiles_beyond_the_map_are_refused(quick_client: Client, place: tuple[int, int, int]) -> None:
    tiles = quick_client.get("/api/games/crossroads/kit").json()["map"]["tiles"]
    level, column, row = place
    assert quick_client.get(tiles["url"].format(level=level, column=column, row=row)).status_code == 404


def test_an_edition_that_is_gone_is_not_answered_with_another(quick_client: Client) -> None:
    assert quick_client.get("/api/games/crossroads/tiles/0123456789abcdef/0/0/0").status_code == 404
    assert quick_client.get("/api/games/nobody/tiles/0123456789abcdef/0/0/0").status_code == 404


def test_maps_without_rules_have_pictures_too(tmp_path: Path) -> None:
    maps = Maps({})
    assert {"stalingrad_roads", "second_front", "typhoon"} <= set(maps.ids())
    pictures = Pictures(tmp_path, maps)
    assert not pictures.ready("stalingrad_roads", "en")
    pictures.prepare("stalingrad_roads", "en")
    assert pictures.ready("stalingrad_roads", "en")
    with pytest.raises(UnknownMapError):
        maps.board("nobody")


def test_what_is_kept_is_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Pictures(tmp_path, Maps({}))
    drawn = first.tile("stalingrad_roads", "en", Tile(0, 0, 0))
    monkeypatch.setattr(module, "Cutter", None)
    assert Pictures(tmp_path, Maps({})).tile("stalingrad_roads", "en", Tile(0, 0, 0)) == drawn


def test_drawing_ahead_leaves_nothing_to_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maps = Maps({})
    monkeypatch.setattr(maps, "ids", lambda: ["stalingrad_roads"])
    monkeypatch.setattr(module, "COARSE", 1)
    monkeypatch.setattr(module, "levels", lambda box: levels(box)[:2])
    pictures = Pictures(tmp_path, maps)
    draw_ahead(pictures)
    for language in ("en", "fr"):
        assert not list(pictures.missing("stalingrad_roads", language, range(2)))


def test_who_draws_ends_with_his_server(tmp_path: Path) -> None:
    """Also in the middle of a map, which may take long."""
    drawer = f"{sys.executable} -m grognard.server.pictures {tmp_path}"
    # It does not hold the line on which its number is told.
    script = f"{drawer} --for $$ >/dev/null 2>&1 & echo $!"
    told = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    drawing = int(told.stdout.split()[0])
    for _ in range(600):
        try:
            os.kill(drawing, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.kill(drawing, signal.SIGKILL)
    raise AssertionError("it goes on drawing")


def test_an_edition_changes_with_the_map(tmp_path: Path) -> None:
    own = tmp_path / "stalingrad_roads" / "map"
    own.mkdir(parents=True)
    before = Maps({}).edition("stalingrad_roads")
    assert Maps({}, tmp_path).edition("stalingrad_roads") == before
    (own / "hexes.csv").write_text("hex,name_en\n", encoding="utf-8")
    assert Maps({}, tmp_path).edition("stalingrad_roads") != before
