"""What leaves the server: views, log lines and answers to questions, for one seat and one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.hexes import UnknownHexError
from grognard.kernel import Chance, Game, Refusal, commitment, refusal
from grognard.kernel.actions import EVERYONE, Event
from grognard.kernel.text import fact_kind
from grognard.server.rooms import WATCH, Room


def viewer(room: Room, sides: Sequence[int]) -> int | None:
    """Whose eyes a seat sees with: its own side's; with both sides at one screen, those of the one to
    decide."""
    if not sides:
        return None
    actor = room.game.actor(room.match.state)
    return actor if actor in sides else sides[0]


def state(room: Room, sides: Sequence[int], language: str) -> dict[str, Any]:
    """The table as a seat sees it."""
    match, game = room.match, room.game
    view = game.view(match.state, viewer(room, sides))
    actor = game.actor(match.state)
    mine = actor in sides and not room.over
    return {
        "table": room.row.id,
        "name": room.row.name,
        "game": game.id,
        "scenario": room.row.scenario,
        "version": room.version,
        "you": [game.sides[n] for n in sides],
        "over": room.over,
        "outcome": outcome(room, language),
        "turn": view["turn"],
        "phase": view["table"].get("phase"),
        "agenda": view["agenda"],
        "actor": None if room.over else view["actor"],
        "decision": view["decision"],
        "case": view["case"],
        "prompt": game.prompt(match.state, language) if mine else "",
        "options": view["options"] if mine else [],
        "can_undo": mine and match.can_undo,
        "view": view["table"],
        "moments": len(match.journal),
        "log_length": len(match.log),
        "thinking": room.thinking,
        "proposal": None if room.proposal is None else room.proposal._asdict(),
        "commitment": commitment(room.row.seed),
        "seed": room.row.seed if room.over else None,
        "players": {
            side: {"kind": place.kind, "name": place.name, "taken": place.taken}
            for side, place in room.places.items()
            if side != WATCH
        },
    }


def outcome(room: Room, language: str) -> dict[str, Any] | None:
    game = room.game
    if room.row.resigned:
        winner = next(side for side in game.sides if side != room.row.resigned)
        return {
            "winner": winner,
            "level": "resigned",
            "text": "",
            "resigned": room.row.resigned,
            "points": {},
        }
    result = game.outcome(room.match.state)
    if result is None:
        return None
    return {
        "winner": None if result.winner is None else game.sides[result.winner],
        "level": result.level,
        "text": game.render_fact("word_level", result.level, language),
        "points": dict(result.points),
    }


def log(room: Room, sides: Sequence[int], since: int, language: str) -> list[dict[str, Any]]:
    """The lines of the log that a seat may read, from number `since` on."""
    turn = 0
    lines = []
    for number, event in enumerate(room.match.log):
        turn = event.facts.get("turn", turn) if event.kind == "turn" else turn
        if number >= since and (event.audience == EVERYONE or event.audience in sides):
            lines.append(_line(room.game, number, turn, event, language))
    return lines


def _line(game: Game[Any], number: int, turn: int, event: Event, language: str) -> dict[str, Any]:
    hexes: list[str] = []
    units: list[str] = []
    for name, value in event.facts.items():
        kind = fact_kind(name)
        if kind == "hex":
            hexes.append(game.board.number(value))
        elif kind == "hexes":
            hexes += [game.board.number(cell) for cell in value]
        elif kind == "unit":
            units.append(game.unit_id(value))
        elif kind == "units":
            units += [game.unit_id(unit) for unit in value]
    line: dict[str, Any] = {
        "n": number,
        "turn": turn,
        "kind": event.kind,
        "case": event.case,
        "text": game.tell(event, language),
        "hexes": hexes,
        "units": units,
    }
    if "die" in event.facts:
        line["die"] = event.facts["die"]
    return line


def refused(game: Game[Any], why: Refusal, language: str) -> dict[str, str]:
    return {"code": why.code, "case": why.case, "text": game.explain(why, language)}


# Questions


def answer(
    room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str
) -> dict[str, Any] | Refusal:
    """The answer to a question about the position, from what the seat may know."""
    handler = _QUESTIONS.get(str(question.get("ask")))
    if handler is None:
        return refusal("unknown-question", "", word=str(question.get("ask"))[:40])
    if room.match.over:
        return refusal("game-over", "")
    if handler in (_reach, _forecast, _supply) and room.game.adviser is None:
        return refusal("no-advice", "")
    try:
        return handler(room, sides, question, language)
    except (KeyError, TypeError, ValueError, UnknownHexError):
        return refusal("malformed", "")


def _why(
    room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str
) -> dict[str, Any] | Refusal:
    action = room.game.decode(question.get("action"))
    if isinstance(action, Refusal):
        return action
    if room.game.actor(room.match.state) not in sides:
        return refusal("not-your-decision", "")
    why = room.game.refuse(room.match.state, action)
    return {"legal": True} if why is None else {"legal": False, **refused(room.game, why, language)}


def _reach(
    room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str
) -> dict[str, Any] | Refusal:
    game = room.game
    assert game.adviser is not None
    found = game.adviser.reach(room.match.state, _units(game, question, "units"))
    if isinstance(found, Refusal):
        return found
    return {
        "hexes": {
            game.board.number(cell): {
                "path": [game.board.number(c) for c in way.cells],
                "points_left": way.points_left / 2,
            }
            for cell, way in found.items()
        }
    }


def _forecast(
    room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str
) -> dict[str, Any] | Refusal:
    game = room.game
    assert game.adviser is not None
    extra = {"air": int(question.get("air", 0))}
    found = game.adviser.forecast(
        room.match.state, _hexes(game, question, "targets"), _units(game, question, "units"), extra
    )
    if isinstance(found, Refusal):
        return found
    return {
        "case": found.case,
        "attack": found.attack,
        "defence": found.defence,
        "columns": found.columns,
        "results": found.results,
        "shifts": [
            {**s._asdict(), "text": game.catalogue.template("shifts", s.code, language)} for s in found.shifts
        ],
    }


def _supply(
    room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str
) -> dict[str, Any] | Refusal:
    game = room.game
    assert game.adviser is not None
    found = game.adviser.supply(room.match.state, game.unit_index(str(question["unit"])))
    return {
        "case": found.case,
        "supplied": found.supplied,
        "points": found.points / 2,
        "line": [game.board.number(c) for c in found.line],
        "road": [game.board.number(c) for c in found.road],
    }


def _overlay(
    room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str
) -> dict[str, Any] | Refusal:
    game = room.game
    side = game.sides.index(str(question["side"]))
    cells = game.overlay(room.match.state, str(question["ask"]), side)
    return {"hexes": [game.board.number(c) for c in cells]}


_QUESTIONS = {
    "why": _why,
    "reach": _reach,
    "forecast": _forecast,
    "supply": _supply,
    "zones": _overlay,
    "supplied": _overlay,
}


def _units(game: Game[Any], question: Mapping[str, Any], key: str) -> list[int]:
    words = question[key]
    if not isinstance(words, list) or not 0 < len(words) <= 100:
        raise ValueError(key)
    return [game.unit_index(str(word)) for word in words]


def _hexes(game: Game[Any], question: Mapping[str, Any], key: str) -> list[int]:
    words = question[key]
    if not isinstance(words, list) or not 0 < len(words) <= 20:
        raise ValueError(key)
    return [game.board.cell(str(word)) for word in words]


# The past


def moment(room: Room, sides: Sequence[int], number: int, language: str) -> dict[str, Any]:
    """The table as it stood after a number of answers."""
    game = room.game
    state = _position(room, number)
    view = game.view(state, sides[0] if sides else None)
    return {
        "table": room.row.id,
        "game": game.id,
        "moment": number,
        "turn": view["turn"],
        "phase": view["table"].get("phase"),
        "agenda": view["agenda"],
        "actor": view["actor"],
        "decision": view["decision"],
        "view": view["table"],
    }


def _position(room: Room, number: int) -> Any:
    state = room.game.start(room.row.scenario, room.row.options)
    for action in room.match.journal[:number]:
        room.game.apply(state, action)
    return state


def moments(room: Room) -> dict[str, Any]:
    """Where turns and phases begin in the journal, for a slider."""
    game = room.game
    state = game.start(room.row.scenario, room.row.options)
    marks: list[dict[str, Any]] = []
    last: tuple[int, str] | None = None
    for number in range(len(room.match.journal) + 1):
        if number:
            game.apply(state, room.match.journal[number - 1])
        if len(state.frames) < 2:
            continue
        here = (game.turn(state), state.frames[1][1])
        if here != last:
            marks.append({"n": number, "turn": here[0], "phase": here[1]})
            last = here
    return {"length": len(room.match.journal), "marks": marks}


def rolls(room: Room) -> dict[str, Any]:
    """Every random answer with what it was drawn from, so that anyone can check it against the seed."""
    game = room.game
    state = game.start(room.row.scenario, room.row.options)
    drawn: list[dict[str, Any]] = []
    for action in room.match.journal:
        decision = game.decision(state)
        if isinstance(decision, Chance):
            weights = decision.weights(game, state)
            drawn.append(
                {
                    "draw": len(drawn),
                    "weights": [[game.encode(outcome), weight] for outcome, weight in weights],
                    "answer": game.encode(action),
                }
            )
        game.apply(state, action)
    return {"seed": room.row.seed, "commitment": commitment(room.row.seed), "rolls": drawn}
