"""What every door says in the same way: who plays, how a game ended, why something was refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from grognard.kernel import Game, Refusal
from grognard.kernel.text import fact_kind
from grognard.server.clocks import due
from grognard.server.room import ABANDONED, HUMAN, WATCH, Room
from grognard.server.store import SeatRow, TableRow
from grognard.server.words import PageWords

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def written(value: Any) -> bytes:
    return _ENCODER.encode(value).encode(errors="replace")


def players(places: Iterable[SeatRow]) -> dict[str, dict[str, Any]]:
    return {
        place.side: {"kind": place.kind, "name": place.name, "taken": place.taken}
        for place in places
        if place.side != WATCH
    }


def lobby(row: TableRow, places: Iterable[SeatRow]) -> dict[str, Any]:
    """A line of the list of tables."""
    return {
        "table": row.id,
        "name": row.name,
        "game": row.game,
        "turn": row.turn,
        "phase": row.phase,
        "actor": row.actor,
        "over": row.over,
        "players": players(places),
        "updated": row.updated,
    }


def own_line(
    row: TableRow, places: Sequence[SeatRow], sides: Sequence[str], asked: Sequence[str]
) -> dict[str, Any]:
    """The same for a list of the tables that one plays at: whom it waits for, as far as one may know, since
    when, until when that is within the pace, and who is on leave."""
    seated = {place.side: place for place in places if place.kind == HUMAN and place.taken}
    timed = bool(row.pace) and not row.over
    return {
        **lobby(row, places),
        "you": list(sides),
        "asked": [] if row.over else list(asked),
        "since": row.since or row.updated,
        "due": {side: due(row, seated[side]) for side in asked if side in seated} if timed else {},
        "away": {side: place.away_until for side, place in seated.items() if timed and place.away_until},
    }


def outcome(room: Room, language: str) -> dict[str, Any] | None:
    game = room.game
    if room.row.resigned == ABANDONED:
        return {"winner": None, "level": "abandoned", "text": "", "points": {}}
    if room.row.resigned:
        lost = room.row.resigned
        winner = next(side for side in game.sides if side != lost)
        how = "late" if room.row.late else "resigned"
        return {"winner": winner, "level": how, "text": "", how: lost, "points": {}}
    result = game.outcome(room.shown.state)
    if result is None:
        return None
    return {
        "winner": None if result.winner is None else game.sides[result.winner],
        "level": result.level,
        "text": game.render_fact("word_level", result.level, language),
        "points": dict(result.points),
    }


@lru_cache(maxsize=16)
def owners(game: Game[Any]) -> dict[str, str]:
    """The side of each unit."""
    return {unit: printed["side"] for unit, printed in game.counters("en").items()}


def mentioned(game: Game[Any], facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """The hexes and units that facts speak of, as the page knows them."""
    hexes: list[str] = []
    units: list[str] = []
    for name, value in facts.items():
        kind = fact_kind(name)
        if kind == "hex" and value >= 0:
            hexes.append(game.board.number(value))
        elif kind == "hexes":
            hexes += [game.board.number(cell) for cell in value]
        elif kind == "unit":
            units.append(game.unit_id(value))
        elif kind == "units":
            units += [game.unit_id(unit) for unit in value]
    return {"hexes": hexes, "units": units}


def refused(game: Game[Any], why: Refusal, language: str) -> dict[str, str]:
    # Words of the asker may be quoted: halves of characters, which JSON lets through, cannot be sent back.
    text = game.explain(why, language).encode(errors="replace").decode()
    return {"code": why.code, "case": why.case, "text": text}


def denial(code: str, language: str) -> str:
    return PageWords(language)("denials", code)


def denied(code: str, language: str) -> dict[str, str]:
    """Why the table does not say something, in the shape of a refusal."""
    return {"code": code, "case": "", "text": PageWords(language)("denials", code)}
