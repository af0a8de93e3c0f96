"""Maps as pictures: drawn once, kept in a folder, cut into tiles so that a page fetches what it shows.

`python -m grognard.server.pictures CACHE` draws ahead what is missing, coarse levels of all maps first. The
server starts it as a process of its own at low priority: drawing is work for minutes, and tables come first.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from time import sleep
from typing import Any

from grognard import board as board_package
from grognard.board import load_board
from grognard.board.board import Board
from grognard.board.drawing import outline, sheet_box
from grognard.board.svg import render_svg
from grognard.board.swatches import ground_colours
from grognard.board.tiles import BARE, BLOCK, SCALES, TILE, Cutter, Level, Tile, can_draw_tiles, levels, named
from grognard.files import Folder
from grognard.games.listing import game_folder, listed_games
from grognard.kernel import Game
from grognard.kernel.registry import UnknownGameError
from grognard.kernel.text import LANGUAGES

WIDTHS = (1600, 3200, 6400)
"""How wide a page paints the SVG where the server cannot draw tiles."""
ROUNDS = (range(1), range(1, 3), range(3, len(SCALES)))
"""Levels that are drawn ahead for all maps before any finer one."""
WORDLESS = "bare"
"""The folder of tiles without words, which are the same in every language."""


class UnknownMapError(KeyError):
    """There is no map of that name."""


class Maps:
    """All maps there are to show: those of games that can be played, and those whose rules are to come."""

    def __init__(self, games: Mapping[str, Game[Any]], overrides: Path | None = None) -> None:
        self.games = games
        self.overrides = overrides
        self._boards: dict[str, Board] = {}
        self._editions: dict[str, str] = {}
        self._outlines: dict[tuple[str, str], dict[str, Any]] = {}
        self._levels: dict[str, tuple[Level, ...]] = {}

    def folder(self, id_: str) -> Folder:
        try:
            return game_folder(id_, self.overrides)
        except UnknownGameError as error:
            raise UnknownMapError(id_) from error

    def __contains__(self, id_: object) -> bool:
        return isinstance(id_, str) and (id_ in self.games or id_ in self._boards or id_ in self.ids())

    def ids(self) -> list[str]:
        """The games with a map, in the order of the catalogue."""
        found = [entry.id for entry in listed_games()]
        return [id_ for id_ in found if (self.folder(id_).base / "map" / "map.toml").is_file()]

    def board(self, id_: str) -> Board:
        if id_ in self.games:
            return self.games[id_].board
        if id_ not in self._boards:
            if id_ not in self.ids():
                raise UnknownMapError(id_)
            self._boards[id_] = load_board(self.folder(id_).sub("map"))
        return self._boards[id_]

    def levels(self, id_: str) -> tuple[Level, ...]:
        """The sizes in which a map is drawn, found once: all its hexes are gone through for its frame."""
        if id_ not in self._levels:
            self._levels[id_] = levels(sheet_box(self.board(id_)))
        return self._levels[id_]

    def edition(self, id_: str) -> str:
        """Changes whenever a picture of the map would: with the map and with the way it is drawn."""
        if id_ not in self._editions:
            total = hashlib.sha256(_drawing_digest())
            folder = self.folder(id_).sub("map")
            for name in ("map.toml", "hexes.csv", "sides.csv"):
                for text in (folder.text(name), folder.override_text(name)):
                    total.update(repr(text).encode())
            self._editions[id_] = total.hexdigest()[:16]
        return self._editions[id_]

    def outline(self, id_: str, language: str) -> dict[str, Any]:
        """Where the hexes lie, without what is drawn there."""
        key = (id_, language)
        if key not in self._outlines:
            self._outlines[key] = outline(self.board(id_), language)
        return self._outlines[key]


@cache
def _drawing_digest() -> bytes:
    total = hashlib.sha256()
    for path in sorted(Path(board_package.__file__).parent.glob("*.*")):
        total.update(path.read_bytes())
    return total.digest()


class Pictures:
    """Draws what is asked for and keeps it."""

    def __init__(self, folder: Path, maps: Maps) -> None:
        self.folder = folder
        self.maps = maps
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        """One for each map: two threads would draw the same, and a large map must not hold up a small one."""
        self._cutter: tuple[tuple[str, str], Cutter] | None = None

    def about(self, id_: str, language: str) -> dict[str, Any]:
        """In the shape of wire.KitMap."""
        base, edition = f"/api/games/{id_}", self.maps.edition(id_)
        scene = self.maps.outline(id_, language)
        tiles = {
            "size": TILE,
            "url": f"{base}/tiles/{edition}/{{level}}/{{column}}/{{row}}?lang={language}",
            "levels": [level._asdict() for level in levels(scene["box"])],
        }
        return {
            "box": scene["box"],
            "frame": scene["frame"],
            "svg": f"{base}/map.svg?lang={language}",
            # Without a picture library the page makes its pictures of the SVG, at these widths.
            "widths": list(WIDTHS),
            "tiles": tiles if can_draw_tiles() else None,
            "ground": ground_colours(self.maps.board(id_)),
        }

    def svg_path(self, id_: str, language: str) -> Path:
        """Where a map lies as SVG, if it has been drawn."""
        return self.folder / id_ / self.maps.edition(id_) / f"{language}.svg"

    def tile_path(self, id_: str, language: str, tile: Tile) -> Path | None:
        """Where a tile lies, if it has been drawn; None if the map has no such tile."""
        return self._path(id_, language, tile) if self._exists(id_, tile) else None

    def svg(self, id_: str, language: str) -> bytes:
        path = self.svg_path(id_, language)
        if not path.is_file():
            with self._locks[id_]:
                if not path.is_file():
                    _keep(path, render_svg(self.maps.board(id_), language, BARE).encode())
        return path.read_bytes()

    def tile(self, id_: str, language: str, tile: Tile) -> bytes | None:
        """A tile, drawn with its neighbours if it is not there yet; None if the map has no such tile."""
        path = self._path(id_, language, tile)
        if not path.is_file():
            if not self._exists(id_, tile):
                return None
            with self._locks[id_]:
                if not path.is_file():
                    self._draw(id_, language, tile)
        return path.read_bytes()

    def ready(self, id_: str, language: str) -> bool:
        """Whether what a page fetches first is there."""
        if can_draw_tiles():
            return self._path(id_, language, Tile(0, 0, 0)).is_file()
        return self.svg_path(id_, language).is_file()

    def prepare(self, id_: str, language: str) -> None:
        """Draw what a page fetches first."""
        if can_draw_tiles():
            self.tile(id_, language, Tile(0, 0, 0))
        else:
            self.svg(id_, language)

    def missing(self, id_: str, language: str, chosen: range) -> Iterator[Tile]:
        """One tile of each block that is not there yet."""
        found = self.maps.levels(id_)
        for level in chosen:
            for column in range(0, found[level].columns, BLOCK):
                for row in range(0, found[level].rows, BLOCK):
                    tile = Tile(level, column, row)
                    if not self._path(id_, language, tile).is_file():
                        yield tile

    def _exists(self, id_: str, tile: Tile) -> bool:
        found = self.maps.levels(id_)
        if not 0 <= tile.level < len(found):
            return False
        level = found[tile.level]
        return 0 <= tile.column < level.columns and 0 <= tile.row < level.rows

    def _draw(self, id_: str, language: str, tile: Tile) -> None:
        kept, key = self._cutter, (id_, language)
        if kept is None or kept[0] != key:
            # One map is kept in mind at a time: the scene of a large one is heavy.
            self._cutter = kept = (key, Cutter(self.maps.board(id_), language))
        # The first of the block last: whoever looks for it alone knows that all are there.
        drawn = sorted(kept[1].block(tile), reverse=True)
        for one, picture in drawn:
            _keep(self._path(id_, language, one), picture)

    def _path(self, id_: str, language: str, tile: Tile) -> Path:
        level, column, row = tile
        spoken = language if named(level) else WORDLESS
        return self.folder / id_ / self.maps.edition(id_) / spoken / f"{level}" / f"{column}-{row}.webp"


def _keep(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Another process may share the folder: its half-written file is not ours.
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    partial.write_bytes(content)
    partial.replace(path)


def draw_ahead(pictures: Pictures) -> None:
    """Draw what is missing: the coarsest level of every map first, the finest last."""
    for chosen in ROUNDS:
        for id_ in pictures.maps.ids():
            for language in LANGUAGES:
                for tile in pictures.missing(id_, language, chosen):
                    pictures.tile(id_, language, tile)


def start_drawing(folder: Path, overrides: Path | None) -> subprocess.Popen[bytes] | None:
    """The process that draws ahead; None where nothing can be drawn."""
    if not can_draw_tiles():
        return None
    command = [sys.executable, "-m", "grognard.server.pictures", str(folder), "--for", str(os.getpid())]
    return subprocess.Popen(command if overrides is None else [*command, "--overrides", str(overrides)])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Draw the tiles of all maps that are not drawn yet.")
    parser.add_argument("cache", type=Path)
    parser.add_argument("--overrides", type=Path)
    parser.add_argument("--for", type=int, dest="parent", help="the process that it ends with")
    asked = parser.parse_args(arguments)
    os.nice(15)
    # A server that was killed leaves its children behind: they stop by themselves, at once.
    if asked.parent is not None:
        Thread(target=_end_with, args=(asked.parent,), daemon=True).start()
    draw_ahead(Pictures(asked.cache, Maps({}, asked.overrides)))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        sleep(0.5)
    os._exit(0)


if __name__ == "__main__":
    main()
