"""Pictures of maps over the doors: kept for good, drawn once, and of every map there is."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from grognard.board.board import Board
from grognard.board.drawing import sheet_box
from grognard.board.loading import WATER
from grognard.board.tiles import TILE, Tile
from grognard.kernel import Game
from grognard.server import api
from grognard.server import pictures as module
from grognard.server.doors import games
from grognard.server.pictures import Maps, Pictures, UnknownMapError, draw_ahead
from grognard.server.settings import ServerSettings
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


def test_a_map_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All hexes are gone through for its frame: 20 ms for the largest map, and a page asks for twenty tiles
    at a time."""
    pictures, measured = Pictures(tmp_path, Maps({})), []

    def measure(board: Board) -> Any:
        measured.append(board)
        return sheet_box(board)

    monkeypatch.setattr(module, "sheet_box", measure)
    assert pictures.tile_path("second_front", "en", Tile(3, 4, 9))
    assert pictures.tile_path("second_front", "fr", Tile(3, 5, 9))
    assert pictures.tile_path("second_front", "en", Tile(3, 500, 9)) is None
    assert len(measured) == 1


def test_what_is_kept_is_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Pictures(tmp_path, Maps({}))
    drawn = first.tile("stalingrad_roads", "en", Tile(0, 0, 0))
    monkeypatch.setattr(module, "Cutter", None)
    assert Pictures(tmp_path, Maps({})).tile("stalingrad_roads", "en", Tile(0, 0, 0)) == drawn


def test_what_has_no_words_is_drawn_once_for_all_languages(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path, Maps({}))
    pictures.prepare("leningrad", "en")
    assert pictures.ready("leningrad", "fr")
    pictures.tile("leningrad", "en", Tile(1, 0, 0))
    assert list(pictures.missing("leningrad", "fr", range(2))) == [Tile(1, 0, 0)], "it has names"


def test_every_map_is_there_coarsely_before_any_is_drawn_finely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that has just been installed has something to show of every game first."""
    drawn: list[tuple[str, int]] = []
    pictures = Pictures(tmp_path, Maps({}))
    monkeypatch.setattr(pictures, "tile", lambda id_, language, tile: drawn.append((id_, tile.level)))
    draw_ahead(pictures)
    first = [id_ for id_, level in drawn[: 2 * len(pictures.maps.ids())] if level == 0]
    assert set(first) == set(pictures.maps.ids())
    assert len(first) == 2 * len(pictures.maps.ids())


@pytest.mark.parametrize("id_", Maps({}).ids())
def test_every_terrain_has_a_colour_before_any_picture_has_come(id_: str, tmp_path: Path) -> None:
    maps = Maps({})
    colours = Pictures(tmp_path, maps).about(id_, "en")["ground"]
    assert set(colours) == {hex_["terrain"] for hex_ in maps.outline(id_, "en")["hexes"]}
    assert all(colour.startswith("#") and len(colour) == 7 for colour in colours.values())
    land = {colour for terrain, colour in colours.items() if terrain not in WATER}
    wet = {colour for terrain, colour in colours.items() if terrain in WATER}
    assert len(land) > 1 and not land & wet


def test_drawing_ahead_leaves_nothing_to_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maps = Maps({})
    monkeypatch.setattr(maps, "ids", lambda: ["stalingrad_roads"])
    monkeypatch.setattr(module, "ROUNDS", (range(1), range(1, 2)))
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


def test_what_a_page_needs_of_a_game_is_made_before_it_is_asked_for(
    crossroads: Game[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page after a start does not wait until a worker knows the game."""
    monkeypatch.setattr(api, "start_drawing", lambda *_: None)
    app = api.create_app(
        ServerSettings(f"sqlite:///{tmp_path}/games.sqlite", tmp_path), {"crossroads": crossroads}
    )
    with Client(app) as client:
        for _ in range(200):
            if len(app.state.kits) == 2:
                break
            time.sleep(0.05)
        assert set(app.state.kits) == {("crossroads", "en"), ("crossroads", "fr")}
        monkeypatch.setattr(games, "make_kit", None)
        for language in ("en", "fr"):
            answer = client.get(f"/api/games/crossroads/kit?lang={language}")
            assert answer.content == app.state.kits["crossroads", language]


def test_whoever_waits_for_an_errand_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [2, 1, 0, 0]
    asked: list[tuple[Any, ...]] = []

    class Busy:
        class errands:  # noqa: N801
            load = 0

        async def errand(self, *what: Any) -> bytes:
            assert not waiting or len(waiting) < 2
            asked.append(what[1:])
            return b""

    busy = Busy()

    async def lull(seconds: float) -> None:
        busy.errands.load = waiting.pop(0)

    monkeypatch.setattr(asyncio, "sleep", lull)
    busy.errands.load = 3
    asyncio.run(games.make_kits(["one"], {("one", "en"): b"kept"}, busy))  # type: ignore[arg-type]
    assert asked == [("one", "fr")], "what is there is not made again"
