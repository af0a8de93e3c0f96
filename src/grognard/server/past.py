"""The past of a table: its moments, and its dice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from grognard.kernel import ChanceDecision, Game
from grognard.kernel.actions import EVERYONE
from grognard.kernel.match import CHANCE_WORD
from grognard.server.archive import EVERY, Walk
from grognard.server.logbook import Logbook, log_of
from grognard.server.promises import promise_of
from grognard.server.store import Store, TableRow
from grognard.server.views import asked_sides, phase, told, view


def moment(
    store: Store, game: Game[Any], row: TableRow, sides: Sequence[int], number: int, language: str
) -> dict[str, Any]:
    """The table as it stood at a moment."""
    state = Walk(store, game, row, number).to_moment(number)
    eyes = sides[0] if sides else None
    return {
        "table": row.id,
        "game": game.id,
        "moment": number,
        "turn": game.turn(state),
        "phase": phase(game, state, language),
        "must_act": [game.sides[side] for side in asked_sides(game, state, eyes)],
        "view": view(game, state, eyes),
    }


def moments(store: Store, game: Game[Any], row: TableRow, sides: Sequence[int], most: int) -> dict[str, Any]:
    """Where turns and phases begin among the moments of a game, for a slider, and how many lines of the log
    there were at each for this seat."""
    walk = Walk(store, game, row)
    marks: list[dict[str, Any]] = []
    lines: list[int] = []
    told = 0
    last: tuple[int, str] | None = None
    while len(lines) <= most:
        told += sum(event.audience == EVERYONE or event.audience in sides for event in walk.log)
        walk.log.clear()
        lines.append(told)
        named = game.phase(walk.state).id
        here = last if named is None else (game.turn(walk.state), named)
        if here is not None and here != last:
            marks.append({"n": walk.moment, "turn": here[0], "phase": here[1]})
            last = here
        walk.to_moment(walk.moment + 1)
    return {"length": most, "marks": marks, "lines": lines}


def since(store: Store, game: Game[Any], row: TableRow, sides: Sequence[int]) -> dict[str, int]:
    """Where a seat answered last: how many lines of the log it could read then, and the moment."""
    length = _after_own_answer(store, game, row, sides)
    walk = Walk(store, game, row, answers=length)
    book = Logbook(game, walk.counts)
    while walk.number < length and walk.step():
        pass
    book.extend(walk.log)
    return {"line": book.end(log_of(sides)), "moment": walk.moment}


def _after_own_answer(store: Store, game: Game[Any], row: TableRow, sides: Sequence[int]) -> int:
    """How many answers there were when these sides had given their last, and its dice had fallen; 0 if they
    have given none."""
    own, stop = {game.sides[side] for side in sides}, row.length
    while stop > 0:
        start = max(0, stop - EVERY)
        words = store.journal(row.id, start, stop)
        last = next((n for n in reversed(range(len(words))) if words[n][0] in own), None)
        if last is not None:
            after = store.journal(row.id, start + last + 1, start + last + 1 + EVERY)
            dice = takewhile(lambda words: words[0] == CHANCE_WORD, after)
            return start + last + 1 + len(list(dice))
        stop = start
    return 0


def log(
    store: Store, game: Game[Any], row: TableRow, sides: Sequence[int], since: int, until: int, language: str
) -> list[dict[str, Any]]:
    """Lines of the log that are no longer at hand: from a number on, and up to another."""
    walk, book = Walk(store, game, row), Logbook(game, {})
    while book.end(log_of(sides)) < until:
        book.extend(walk.log)
        walk.log.clear()
        if not walk.step():
            break
    return told(game, book, sides, since, language)[: until - since]


def rolls(store: Store, game: Game[Any], row: TableRow) -> dict[str, Any]:
    """Every random answer with what it was drawn from, so that anyone can check it against the seed."""
    walk = Walk(store, game, row)
    drawn: list[dict[str, Any]] = []
    while (answer := walk.ahead()) is not None:
        decision = game.decision(walk.state)
        if isinstance(decision, ChanceDecision):
            weights = decision.weights(game, walk.state)
            drawn.append(
                {
                    "draw": len(drawn),
                    "after": walk.number,
                    "weights": [[game.encode(outcome), weight] for outcome, weight in weights],
                    "answer": game.encode(answer.action),
                }
            )
        walk.step()
    return {"seed": row.seed, "commitment": promise_of(row), "rolls": drawn}
