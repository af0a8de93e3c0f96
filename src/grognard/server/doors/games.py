"""The games that can be played here, their kits and their maps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse, Response

from grognard.board.tiles import TILE, Tile, can_draw_tiles, levels
from grognard.games.listing import game_folder, listed_games
from grognard.kernel import Game
from grognard.kernel.text import LANGUAGES
from grognard.server import wire
from grognard.server.doors.visits import Language, answers, games_of, problems, rooms_of
from grognard.server.kit import liveries, scenario_lines
from grognard.server.pictures import Pictures
from grognard.server.seating import OFFERED
from grognard.server.workbench import draw, make_kit
from grognard.server.workshop import Workshop

router = APIRouter()
LULL = 0.2
"""Seconds between two looks whether nobody waits for an errand."""


def _known(request: Request, game: str) -> Game[Any]:
    games = games_of(request)
    if game not in games:
        raise HTTPException(404, "no such game")
    return games[game]


def _pictures(request: Request, game: str) -> Pictures:
    found: Pictures = request.app.state.pictures
    if game not in found.maps:
        raise HTTPException(404, "no such game")
    return found


def _picture(kind: str) -> dict[int | str, dict[str, Any]]:
    return {**problems(404), 200: {"content": {kind: {}}, "description": "The map"}}


def _banner(request: Request, game: str, lang: str) -> dict[str, Any] | None:
    """A small picture of a game's map: the finest level that is one tile, and how much of it is the map; of
    a map that no tile holds, a tile from its middle."""
    pictures: Pictures = request.app.state.pictures
    if not can_draw_tiles() or game not in pictures.maps:
        return None
    left, top, right, bottom = pictures.maps.outline(game, lang)["box"]
    found = list(enumerate(levels((left, top, right, bottom))))
    whole = [each for each in found if each[1].columns == each[1].rows == 1]
    number, level = (whole or found[:1])[-1]
    column, row = (level.columns - 1) // 2, (level.rows - 1) // 2
    return {
        "url": f"/api/games/{game}/tiles/{pictures.maps.edition(game)}/{number}/{column}/{row}?lang={lang}",
        "width": min(1.0, (right - left) * level.scale / TILE - column),
        "height": min(1.0, (bottom - top) * level.scale / TILE - row),
    }


@router.get("/api/games", responses=answers(list[wire.GameLine]))
def list_games(request: Request, lang: Language = "en") -> Response:
    games = games_of(request)
    found = []
    for entry in listed_games():
        game = games.get(entry.id)
        line: dict[str, Any] = {
            "id": entry.id,
            "title": entry.title[lang],
            "publisher": entry.publisher,
            "about": entry.about[lang],
            "state": entry.state if game is None or entry.state != "map" else "playable",
            "scenarios": [],
            "sides": [],
            "liveries": {},
            "players": [],
        }
        if game is not None:
            line["subtitle"] = game.settings.data["subtitle"][lang]
            line["scenarios"] = scenario_lines(game, lang)
            line["sides"] = [{"id": s, "name": game.settings.data["sides"][s][lang]} for s in game.sides]
            line["liveries"] = liveries(game_folder(entry.id, request.app.state.settings.overrides))
            line["players"] = list(OFFERED)
            line["banner"] = _banner(request, entry.id, lang)
        found.append(line)
    return Response(json.dumps(found, ensure_ascii=False), media_type="application/json")


@router.get("/api/games/{game}/kit", responses=answers(wire.Kit, 404))
async def get_kit(request: Request, game: str, lang: Language = "en") -> Response:
    _known(request, game)
    kits: dict[tuple[str, str], bytes] = request.app.state.kits
    key = (game, lang)
    if key not in kits:
        kits[key] = await rooms_of(request).workshop.errand(make_kit, game, lang)
    return Response(kits[key], media_type="application/json", headers={"Cache-Control": "max-age=60"})


async def make_kits(games: Iterable[str], kits: dict[tuple[str, str], bytes], workshop: Workshop) -> None:
    """Every kit before anybody asks for it: the first page of a game would wait until another process knows
    the game. Those who wait for something else come first."""
    for game in games:
        for language in LANGUAGES:
            while workshop.errands.load:
                await asyncio.sleep(LULL)
            if (game, language) not in kits:
                kits[game, language] = await workshop.errand(make_kit, game, language)


@router.get("/api/games/{game}/map.svg", responses=_picture("image/svg+xml"))
async def get_svg(request: Request, game: str, lang: Language = "en") -> Response:
    pictures = await asyncio.to_thread(_pictures, request, game)
    path = await asyncio.to_thread(pictures.svg_path, game, lang)
    if not path.is_file():
        await rooms_of(request).workshop.picture(draw, game, lang, None)
    return FileResponse(path, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


def _tile_path(request: Request, game: str, edition: str, lang: str, tile: Tile) -> Path | None:
    pictures = _pictures(request, game)
    if not can_draw_tiles() or edition != pictures.maps.edition(game):
        return None
    return pictures.tile_path(game, lang, tile)


@router.get("/api/games/{game}/tiles/{edition}/{level}/{column}/{row}", responses=_picture("image/webp"))
async def get_tile(
    request: Request, game: str, edition: str, level: int, column: int, row: int, lang: Language = "en"
) -> Response:
    """A piece of the map. An edition never changes, so a browser may keep what it has for good."""
    tile = Tile(level, column, row)
    path = await asyncio.to_thread(_tile_path, request, game, edition, lang, tile)
    if path is None:
        raise HTTPException(404, "no such picture")
    if not path.is_file():
        await rooms_of(request).workshop.picture(draw, game, lang, tile)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return FileResponse(path, media_type="image/webp", headers=headers)
