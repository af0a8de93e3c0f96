"""The games that can be played here, their kits and their maps."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from grognard.board.tiles import Tile, can_draw_tiles
from grognard.games.listing import game_folder, listed_games
from grognard.kernel import Game
from grognard.server import wire
from grognard.server.doors.visits import Language, answers, games_of, problems
from grognard.server.kit import kit, liveries, scenario_lines
from grognard.server.pictures import Pictures
from grognard.server.seating import OFFERED

router = APIRouter()


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
        found.append(line)
    return Response(json.dumps(found, ensure_ascii=False), media_type="application/json")


@router.get("/api/games/{game}/kit", responses=answers(wire.Kit, 404))
def get_kit(request: Request, game: str, lang: Language = "en") -> Response:
    found = _known(request, game)
    kits: dict[tuple[str, str], bytes] = request.app.state.kits
    key = (game, lang)
    if key not in kits:
        folder = game_folder(game, request.app.state.settings.overrides)
        body = kit(found, folder, lang, request.app.state.pictures)
        kits[key] = json.dumps(body, ensure_ascii=False).encode()
    return Response(kits[key], media_type="application/json", headers={"Cache-Control": "max-age=60"})


@router.get("/api/games/{game}/map.svg", responses=_picture("image/svg+xml"))
def get_svg(request: Request, game: str, lang: Language = "en") -> Response:
    picture = _pictures(request, game).svg(game, lang)
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


@router.get("/api/games/{game}/tiles/{edition}/{level}/{column}/{row}", responses=_picture("image/webp"))
def get_tile(
    request: Request, game: str, edition: str, level: int, column: int, row: int, lang: Language = "en"
) -> Response:
    """A piece of the map. An edition never changes, so a browser may keep what it has for good."""
    pictures = _pictures(request, game)
    if not can_draw_tiles() or edition != pictures.maps.edition(game):
        raise HTTPException(404, "no such picture")
    picture = pictures.tile(game, lang, Tile(level, column, row))
    if picture is None:
        raise HTTPException(404, "no such picture")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(picture, media_type="image/webp", headers=headers)
