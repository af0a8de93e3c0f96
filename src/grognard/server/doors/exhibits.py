"""Games to look at: maps with their layers, books and charts. Nothing of it changes while the server runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from grognard.games.listing import listed_games
from grognard.server import wire
from grognard.server.doors.visits import Language, answers
from grognard.server.exhibits import Exhibit
from grognard.server.pictures import Pictures

router = APIRouter()
KEPT = 64
"""How many answers are kept, the oldest given up first."""


def _answer(
    request: Request, game: str, language: str, what: str, make: Callable[[Exhibit], Any]
) -> Response:
    pictures: Pictures = request.app.state.pictures
    if game not in pictures.maps:
        raise HTTPException(404, "no such game")
    kept: dict[tuple[str, str, str], bytes] = request.app.state.exhibits
    key = (game, language, what)
    if key not in kept:
        maps = pictures.maps
        found = make(Exhibit(game, maps.folder(game), maps.board(game), language))
        if found is None:
            raise HTTPException(404, "no such exhibit")
        while len(kept) >= KEPT:
            kept.pop(next(iter(kept)), None)
        kept[key] = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(kept[key], media_type="application/json", headers={"Cache-Control": "max-age=60"})


@router.get("/api/games/{game}/exhibit", responses=answers(wire.Exhibit, 404))
def get_exhibit(request: Request, game: str, lang: Language = "en") -> Response:
    def summary(exhibit: Exhibit) -> dict[str, Any]:
        pictures: Pictures = request.app.state.pictures
        entry = next(entry for entry in listed_games() if entry.id == game)
        return {
            "id": game,
            "title": entry.title[lang],
            "about": entry.about[lang],
            "playable": game in pictures.maps.games,
            "map": pictures.about(game, lang),
            "rulings": len(exhibit.rulings()),
            **exhibit.summary(),
        }

    return _answer(request, game, lang, "summary", summary)


@router.get("/api/games/{game}/exhibit/ground", responses=answers(wire.ExhibitGround, 404))
def get_ground(request: Request, game: str, lang: Language = "en") -> Response:
    return _answer(request, game, lang, "ground", Exhibit.ground)


@router.get("/api/games/{game}/exhibit/setups/{setup}", responses=answers(wire.ExhibitSetup, 404))
def get_setup(request: Request, game: str, setup: str, lang: Language = "en") -> Response:
    return _answer(request, game, lang, f"setup/{setup}", lambda exhibit: exhibit.setup(setup))


@router.get("/api/games/{game}/exhibit/events", responses=answers(list[wire.ExhibitEvent], 404))
def get_events(request: Request, game: str, lang: Language = "en") -> Response:
    return _answer(request, game, lang, "events", Exhibit.events)


@router.get("/api/games/{game}/exhibit/charts/{chart}", responses=answers(wire.ExhibitChart, 404))
def get_chart(request: Request, game: str, chart: str, lang: Language = "en") -> Response:
    return _answer(request, game, lang, f"chart/{chart}", lambda exhibit: exhibit.chart(chart))


@router.get("/api/games/{game}/exhibit/rulings", responses=answers(list[wire.Ruling], 404))
def get_rulings(request: Request, game: str, lang: Language = "en") -> Response:
    return _answer(request, game, lang, "rulings", Exhibit.rulings)
