"""The past of a table: its moments, and its dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.kernel import Chance, Event, commitment
from grognard.kernel.actions import EVERYONE
from grognard.server.room import Room
from grognard.server.views import asked_sides, phase, view


def moment(room: Room, sides: Sequence[int], number: int, language: str) -> dict[str, Any]:
    """The table as it stood after a number of answers."""
    game = room.game
    state = _position(room, number)
    eyes = sides[0] if sides else None
    return {
        "table": room.row.id,
        "game": game.id,
        "moment": number,
        "turn": game.turn(state),
        "phase": phase(game, state, language),
        "must_act": [game.sides[side] for side in asked_sides(game, state, eyes)],
        "view": view(game, state, eyes),
    }


def _position(room: Room, number: int) -> Any:
    state = room.game.start(room.row.scenario, room.row.options)
    for side, action in room.shown.journal[: room.shown.moments[number]]:
        room.game.apply(state, action, side)
    return state


def moments(room: Room, sides: Sequence[int]) -> dict[str, Any]:
    """Where turns and phases begin among the moments of a game, for a slider, and how many lines of the log
    there were at each for this seat."""
    game, journal = room.game, room.shown.journal
    log: list[Event] = []
    state = game.start(room.row.scenario, room.row.options, log)
    marks: list[dict[str, Any]] = []
    lines: list[int] = []
    read = told = 0
    last: tuple[int, str] | None = None
    before = 0
    for number, length in enumerate(room.shown.moments):
        for side, action in journal[before:length]:
            game.apply(state, action, side)
        before = length
        told += sum(event.audience == EVERYONE or event.audience in sides for event in log[read:])
        read = len(log)
        lines.append(told)
        named = game.phase(state).id
        if named is None:
            continue
        here = (game.turn(state), named)
        if here != last:
            marks.append({"n": number, "turn": here[0], "phase": here[1]})
            last = here
    return {"length": len(room.shown.moments) - 1, "marks": marks, "lines": lines}


def rolls(room: Room) -> dict[str, Any]:
    """Every random answer with what it was drawn from, so that anyone can check it against the seed."""
    game = room.game
    state = game.start(room.row.scenario, room.row.options)
    drawn: list[dict[str, Any]] = []
    for side, action in room.shown.journal:
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
        game.apply(state, action, side)
    return {"seed": room.row.seed, "commitment": commitment(room.row.seed), "rolls": drawn}
