"""The table as a seat sees it: sent whole when a seat comes to the table, and in differences later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.kernel import CHANCE, Game
from grognard.kernel.actions import EVERYONE
from grognard.kernel.table import plain_table
from grognard.server import present
from grognard.server.clocks import clock
from grognard.server.hands import hand
from grognard.server.logbook import Logbook, LogEntry, log_of
from grognard.server.offers import groups, main_answer
from grognard.server.present import denial, mentioned, outcome, players, written
from grognard.server.promises import dice, promise_of, published
from grognard.server.rights import rights
from grognard.server.room import Room


def viewer(room: Room, sides: Sequence[int]) -> int | None:
    """Whose eyes a seat sees with: its own side's; with both sides at one screen, those of the one to
    decide."""
    if not sides:
        return None
    asked = room.side_for(sides)
    return sides[0] if asked is None else asked


def readers(room: Room, sides: Sequence[int]) -> tuple[int, ...]:
    """Whose lines of the log a seat reads, and with whose eyes it looks back: its own; in a game with secrets
    that two play at one screen, those of the side that sits there now."""
    eyes = viewer(room, sides)
    return tuple(sides) if eyes is None or len(sides) < 2 or not room.game.hidden_information else (eyes,)


def written_state(room: Room, sides: Sequence[int], language: str) -> bytes:
    """The table as a seat sees it, as JSON. Made once for all who see the same."""
    key = (tuple(sides), language)
    found = room.written_states.get(key)
    if found is None:
        found = room.written_states[key] = written(seen(room, sides, language))
    return found


def seen(room: Room, sides: Sequence[int], language: str) -> dict[str, Any]:
    """The table as a seat sees it. Made once for all who see the same; nobody changes it."""
    key = (tuple(sides), language)
    found = room.sights.get(key)
    if found is None:
        found = room.sights[key] = state(room, sides, language)
    return found


def state(room: Room, sides: Sequence[int], language: str) -> dict[str, Any]:
    """The table as a seat sees it, in the shape of wire.State."""
    shown, game = room.shown, room.game
    here = shown.state
    eyes = viewer(room, sides)
    asked = asked_sides(game, here, eyes) if not room.over else ()
    mine = room.side_for(sides) if not room.over else None
    standing = [] if room.over or eyes is None else game.standing(here, eyes)
    return {
        "table": room.row.id,
        "name": room.row.name,
        "game": game.id,
        "scenario": room.row.scenario,
        "options": dict(room.row.options),
        "version": room.version(sides),
        "you": [game.sides[n] for n in sides],
        "eyes": None if eyes is None or not game.hidden_information else game.sides[eyes],
        "over": room.over,
        "outcome": outcome(room, language),
        "turn": game.turn(here),
        "phase": phase(game, here, language),
        "must_act": [game.sides[n] for n in asked],
        "may_act": [game.sides[n] for n in range(len(game.sides)) if n in asked or (standing and n == eyes)],
        "decision": None if mine is None else decision(game, here, mine, language),
        "standing": [game.encode(action) for action in standing],
        "written": [] if eyes is None else [game.encode(action) for action in here.written(eyes)],
        "can_undo": not room.over and not shown.undo.isdisjoint(sides),
        "can_redo": not room.over and not shown.redo.isdisjoint(sides),
        "view": view(game, here, eyes),
        "moments": shown.moment,
        "log_length": room.book.end(log_of(readers(room, sides))),
        "thinking": room.thinking,
        "teacher": room.row.teacher,
        "plans": shown.plans if room.tells_plans else None,
        "suggests": room.suggests(sides) and not room.over,
        "proposal": None if room.proposal is None else room.proposal._asdict(),
        "commitment": promise_of(room.row),
        "dice": dice(room.row),
        "seed": room.row.seed if room.over and published(room.row) else None,
        "players": players(room.places.values()),
        "here": [game.sides[n] for n in room.here],
        "clock": clock(room, asked),
        "rematch": room.row.rematch or None if sides else None,
        "rights": rights(room, sides),
        "pinned": denial(room.pinned, language) if room.pinned else None,
    }


def own_line(room: Room, sides: Sequence[int]) -> dict[str, Any]:
    """A table in a line, for a list of those that a seat plays at."""
    row, names = room.row._replace(**room.stage()._asdict()), room.game.sides
    row = row._replace(over=room.over)
    asked = [names[n] for n in asked_sides(room.game, room.shown.state, viewer(room, sides))]
    return present.own_line(row, list(room.places.values()), [names[n] for n in sides], asked)


def asked_sides(game: Game[Any], state: Any, viewer: int | None) -> tuple[int, ...]:
    """The sides that must answer now, as a side may know it; nobody while chance does, or when the game is
    over."""
    return tuple(n for n in game.shown_actors(state, viewer) if n != CHANCE)


def phase(game: Game[Any], state: Any, language: str) -> dict[str, Any]:
    """In the shape of wire.Phase."""
    here, side = game.phase(state), game.phase_side(state)
    return {
        "id": here.id,
        "path": list(here.path),
        "names": list(here.names.get(language, ())),
        "side": None if side is None else game.sides[side],
    }


def decision(game: Game[Any], state: Any, side: int, language: str) -> dict[str, Any] | None:
    """The question put to a side, and what it may answer."""
    question = game.decision(state)
    if question is None:
        return None
    options = game.options(state, side)
    main = main_answer(game, options)
    return {
        "name": question.name,
        "case": question.case,
        "prompt": game.prompt(state, language, side),
        "offer": groups(game, options),
        "main": None if main is None else game.encode(main),
        "focus": mentioned(game, game.prompt_facts(state, side)),
        "hand": hand(game, state, side, options, language),
    }


def view(game: Game[Any], state: Any, side: int | None) -> dict[str, Any]:
    """What lies on the table, for the eyes of a side."""
    return plain_table(game.table(state, side))


def told(
    game: Game[Any],
    book: Logbook,
    sides: Sequence[int],
    since: int,
    language: str,
    most: int | None = None,
) -> list[dict[str, Any]]:
    """The lines of a log that a seat may read, from number `since` on, or from the first that is there."""
    log = log_of(sides)
    start = max(since, book.first(log))
    lines = book.lines(log, start)[:most]
    return [log_line(game, n, line, language) for n, line in enumerate(lines, start)]


def log_line(game: Game[Any], number: int, line: LogEntry, language: str) -> dict[str, Any]:
    """A line of the log, in the shape of wire.LogLine."""
    turn, event = line.turn, line.event
    roll = game.roll_of(event)
    found: dict[str, Any] = {
        "n": number,
        "turn": turn,
        "kind": event.kind,
        "family": game.family(event).value,
        "case": event.case,
        "text": game.tell(event, language),
        **mentioned(game, event.facts),
        "dice": [die._asdict() for die in game.dice(event)],
    }
    if roll is not None:
        found["roll"] = roll._asdict()
    if event.audience != EVERYONE:
        found["own"] = True
    return found
