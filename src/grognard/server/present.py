"""What leaves the server: views, log lines and answers to questions, for one seat and one language."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from grognard.hexes import UnknownHexError
from grognard.kernel import Chance, Game, Refusal, Role, commitment, refusal
from grognard.kernel.actions import Event
from grognard.kernel.advice import Adviser
from grognard.kernel.doctrine import Intent
from grognard.kernel.events import Family
from grognard.kernel.text import fact_kind
from grognard.players.advice import AdviceWords, Suggestion, plan_text, suggestion_text
from grognard.server import views
from grognard.server.hands import reach_tree
from grognard.server.layers import Wish, layer
from grognard.server.room import HUMAN, WATCH, Room
from grognard.server.store import PlanRow, SeatRow, TableRow
from grognard.server.words import Words


def viewer(room: Room, sides: Sequence[int]) -> int | None:
    """Whose eyes a seat sees with: its own side's; with both sides at one screen, those of the one to
    decide."""
    if not sides:
        return None
    asked = room.side_for(sides)
    return sides[0] if asked is None else asked


def sheet(room: Room, sides: Sequence[int], language: str, protocol: int = 1) -> bytes:
    """The table as a seat sees it, as JSON. Made once for all who see the same."""
    key = (tuple(sides), language, protocol)
    found = room.sheets.get(key)
    if found is None:
        found = room.sheets[key] = written(seen(room, sides, language, protocol))
    return found


def seen(room: Room, sides: Sequence[int], language: str, protocol: int) -> dict[str, Any]:
    """The table as a seat sees it. Made once for all who see the same; nobody changes it."""
    key = (tuple(sides), language, protocol)
    found = room.sights.get(key)
    if found is None:
        make = views.state if protocol > 1 else state
        found = room.sights[key] = make(room, sides, language)
    return found


def written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def state(room: Room, sides: Sequence[int], language: str) -> dict[str, Any]:
    """The table as a seat sees it."""
    shown, game = room.shown, room.game
    eyes = viewer(room, sides)
    view = game.view(shown.state, eyes)
    mine = room.side_for(sides) is not None and not room.over
    return {
        "table": room.row.id,
        "name": room.row.name,
        "game": game.id,
        "scenario": room.row.scenario,
        "version": room.version(sides),
        "you": [game.sides[n] for n in sides],
        "over": room.over,
        "outcome": outcome(room, language),
        "turn": view["turn"],
        "phase": view["table"].get("phase"),
        "agenda": view["agenda"],
        "actor": None if room.over else view["actor"],
        "decision": view["decision"],
        "case": view["case"],
        "asked": [] if room.over else view["asked"],
        "prompt": game.prompt(shown.state, language, eyes) if mine else "",
        "focus": mentioned(game, game.prompt_facts(shown.state, eyes)) if mine else None,
        "options": view["options"] if mine else [],
        "standing": [] if room.over else view["standing"],
        "written": view["written"],
        "can_undo": not room.over and not shown.undo.isdisjoint(sides),
        "can_redo": not room.over and not shown.redo.isdisjoint(sides),
        "view": view["table"],
        "moments": len(shown.moments) - 1,
        "log_length": len(room.log_for(sides)),
        "thinking": room.thinking,
        "teacher": room.row.teacher,
        "plans": len(shown.plans) if room.tells_plans else None,
        "suggests": room.suggests(sides) and not room.over,
        "proposal": None if room.proposal is None else room.proposal._asdict(),
        "commitment": commitment(room.row.seed),
        "seed": room.row.seed if room.over else None,
        "players": players(room.places.values()),
    }


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
    result = game.outcome(room.shown.state)
    if result is None:
        return None
    return {
        "winner": None if result.winner is None else game.sides[result.winner],
        "level": result.level,
        "text": game.render_fact("word_level", result.level, language),
        "points": dict(result.points),
    }


def log(
    room: Room,
    sides: Sequence[int],
    since: int,
    language: str,
    events: Sequence[Event] | None = None,
    protocol: int = 1,
) -> list[dict[str, Any]]:
    """The lines of the log that a seat may read, from number `since` on."""
    turn = 0
    lines = []
    make = views.line if protocol > 1 else _line
    for number, event in enumerate(room.log_for(sides) if events is None else events):
        turn = event.facts.get("turn", turn) if room.game.family(event) is Family.TURN else turn
        if number >= since:
            lines.append(make(room.game, number, turn, event, language))
    return lines


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


def _line(game: Game[Any], number: int, turn: int, event: Event, language: str) -> dict[str, Any]:
    line: dict[str, Any] = {
        "n": number,
        "turn": turn,
        "kind": event.kind,
        "case": event.case,
        "text": game.tell(event, language),
        **mentioned(game, event.facts),
    }
    if "die" in event.facts:
        line["die"] = event.facts["die"]
    return line


def refused(game: Game[Any], why: Refusal, language: str) -> dict[str, str]:
    # Words of the asker may be quoted: halves of characters, which JSON lets through, cannot be sent back.
    text = game.explain(why, language).encode(errors="replace").decode()
    return {"code": why.code, "case": why.case, "text": text}


def denied(code: str, language: str) -> dict[str, str]:
    """Why the table does not say something, in the shape of a refusal."""
    return {"code": code, "case": "", "text": Words(language)("denials", code)}


# The computer's plans, and its advice

SIMPLE = ("random", "greedy")
"""Players who do not think in plans."""


def plans(room: Room, language: str) -> dict[str, Any]:
    """What each of the computer's sides is trying to do now, and what it was trying to do before."""
    told = [line for plan in room.shown.plans if (line := _plan(room.game, plan, language))]
    # A plan made again in the same phase, because the server was stopped in between, is told once.
    lines = [line for n, line in enumerate(told) if not n or line != told[n - 1]]
    sides = [place.side for place in room.places.values() if place.kind not in (HUMAN, WATCH)]
    return {"now": {side: _now(room, side, lines, language) for side in sorted(sides)}, "plans": lines}


def _plan(game: Game[Any], plan: PlanRow, language: str) -> dict[str, Any] | None:
    text = plan_text(game, Intent(plan.code, plan.facts), language)
    if text is None:
        return None
    where = {"side": plan.side, "turn": plan.turn, "phase": plan.phase}
    return {**where, "text": text, **mentioned(game, plan.facts)}


def _now(room: Room, side: str, lines: Sequence[Mapping[str, Any]], language: str) -> str:
    own = [line["text"] for line in lines if line["side"] == side]
    if own:
        return str(own[-1])
    simple = room.over or room.places[side].kind in SIMPLE
    return AdviceWords(language)("plans", "none" if simple else "none-yet")


def suggestion(room: Room, version: str, found: Suggestion, language: str) -> dict[str, Any]:
    """A suggestion as the page shows and plays it."""
    game = room.game
    units: list[str] = []
    hexes: list[str] = []
    path: list[str] = []
    for action in found.actions:
        words = game.encode(action)
        for kind, word in zip(game.argument_kinds(action[0]), words[1:], strict=True):
            into = units if kind == "unit" else path if game.role(action) is Role.STEP else hexes
            if kind in ("unit", "hex") and word not in into:
                into.append(word)
    plan = None if found.intent is None else plan_text(game, found.intent, language)
    return {
        "version": version,
        "actions": [game.encode(action) for action in found.actions],
        "text": suggestion_text(game, found.actions, language),
        "plan": plan,
        "units": units,
        "hexes": hexes,
        "path": path,
    }


# Questions


class Asked(NamedTuple):
    """A question about a position, and who wants to know."""

    game: Game[Any]
    state: Any
    sides: Sequence[int]
    words: Mapping[str, Any]
    language: str
    protocol: int

    def units(self, key: str) -> list[int]:
        words = self.words[key]
        if not isinstance(words, list) or not 0 < len(words) <= 100:
            raise ValueError(key)
        return [self.unit(word) for word in words]

    def unit(self, word: Any) -> int:
        unit = self.game.unit_index(str(word))
        if self.game.hidden_information:
            self._may_know(self.game.sides.index(_owners(self.game)[str(word)]))
        return unit

    def hexes(self, key: str) -> list[int]:
        words = self.words[key]
        if not isinstance(words, list) or not 0 < len(words) <= 20:
            raise ValueError(key)
        return [self.game.board.cell(str(word)) for word in words]

    def extras(self) -> dict[str, int]:
        """What is added to an attack: {"extras": {id: how many}}."""
        words = self.words.get("extras", {})
        if not isinstance(words, dict) or len(words) > 10:
            raise ValueError("extras")
        known = {extra.id for extra in self.game.extras}
        # The first edition named one of them outside of any list.
        found = {id_: int(self.words.get(id_, 0)) for id_ in known}
        return found | {id_: int(number) for id_, number in words.items() if id_ in known}

    def side(self) -> int:
        side = self.game.sides.index(str(self.words["side"]))
        if self.game.hidden_information:
            self._may_know(side)
        return side

    def _may_know(self, side: int) -> None:
        """Where something is hidden, advice is for one's own side: the other's would tell what is there."""
        if side not in self.sides:
            raise _NoAdviceError

    @property
    def adviser(self) -> Adviser:
        if self.game.adviser is None:
            raise _NoAdviceError
        return self.game.adviser


class _NoAdviceError(Exception):
    """The game gives no such advice, or not to this seat."""


@lru_cache(maxsize=16)
def _owners(game: Game[Any]) -> dict[str, str]:
    return {unit: printed["side"] for unit, printed in game.counters("en").items()}


Answer: TypeAlias = dict[str, Any] | Refusal


def answer(
    room: Room, sides: Sequence[int], question: Mapping[str, Any], language: str, protocol: int = 1
) -> Answer:
    """The answer to a question about the position, from what the seat may know."""
    handler = _QUESTIONS.get(str(question.get("ask")))
    if handler is None:
        return refusal("unknown-question", "", word=str(question.get("ask"))[:40])
    if room.shown.state.over:
        return refusal("game-over", "")
    # A copy: questions are answered in threads, and positions keep what they have worked out.
    asked = Asked(room.game, room.shown.state.clone(), sides, question, language, protocol)
    try:
        return handler(asked)
    except _NoAdviceError:
        return refusal("no-advice", "")
    except (KeyError, TypeError, ValueError, OverflowError, UnknownHexError):
        return refusal("malformed", "")


def _why(asked: Asked) -> Answer:
    game = asked.game
    action = game.decode(asked.words.get("action"))
    if isinstance(action, Refusal):
        return action
    side = next((side for side in asked.sides if game.decision_for(asked.state, side, action)), None)
    if side is None:
        side = next((side for side in asked.sides if side in game.must_act(asked.state)), None)
    if side is None:
        return refusal("not-your-decision", "")
    why = game.refuse(asked.state, action, side)
    return {"legal": True} if why is None else {"legal": False, **refused(game, why, asked.language)}


def _reach(asked: Asked) -> Answer:
    game = asked.game
    found = asked.adviser.reach(asked.state, asked.units("units"))
    if isinstance(found, Refusal):
        return found
    if asked.protocol > 1:
        return {"hexes": reach_tree(game, found)}
    return {
        "hexes": {
            game.board.number(cell): {
                "path": [game.board.number(c) for c in way.cells],
                "points_left": game.points.number(way.points_left),
            }
            for cell, way in found.items()
        }
    }


def _forecast(asked: Asked) -> Answer:
    game = asked.game
    extras = asked.extras()
    found = asked.adviser.forecast(asked.state, asked.hexes("targets"), asked.units("units"), extras)
    if isinstance(found, Refusal):
        return found
    return {
        "case": found.case,
        "attack": found.attack,
        "defence": found.defence,
        "columns": found.columns,
        "results": found.results if asked.protocol == 1 else _results(asked, found.results),
        "shifts": [
            {**s._asdict(), "text": game.catalogue.template("shifts", s.code, asked.language)}
            for s in found.shifts
        ],
    }


def _results(asked: Asked, results: Iterable[tuple[str, float]]) -> list[dict[str, Any]]:
    """Results with what they do."""
    lines = []
    for code, chance in results:
        effects = asked.game.effects(code)
        lines.append(
            {
                "code": code,
                "chance": chance,
                "text": asked.game.result_text(code, asked.language),
                "tone": effects.tone,
                "defender": effects.defender._asdict(),
                "attacker": effects.attacker._asdict(),
            }
        )
    return lines


def _supply(asked: Asked) -> Answer:
    game = asked.game
    found = asked.adviser.supply(asked.state, asked.unit(asked.words["unit"]))
    return {
        "case": found.case,
        "supplied": found.supplied,
        "points": game.points.number(found.points),
        "line": [game.board.number(c) for c in found.line],
        "road": [game.board.number(c) for c in found.road],
    }


def _overlay(asked: Asked) -> Answer:
    cells = asked.game.overlay(asked.state, str(asked.words["ask"]), asked.side())
    return {"hexes": [asked.game.board.number(c) for c in cells]}


def _layer(asked: Asked) -> Answer:
    side = asked.words.get("side")
    wish = Wish(str(asked.words["layer"]), None if side is None else str(side))
    found = layer(asked.game, asked.state, asked.sides, wish)
    return refusal("no-advice", "") if found is None else {"hexes": found}


_QUESTIONS: dict[str, Callable[[Asked], Answer]] = {
    "why": _why,
    "reach": _reach,
    "forecast": _forecast,
    "supply": _supply,
    "layer": _layer,
    "zones": _overlay,
    "supplied": _overlay,
}


# The past


def moment(room: Room, sides: Sequence[int], number: int, protocol: int = 1) -> dict[str, Any]:
    """The table as it stood after a number of answers."""
    game = room.game
    state = _position(room, number)
    eyes = sides[0] if sides else None
    if protocol > 1:
        return {
            "table": room.row.id,
            "game": game.id,
            "moment": number,
            "turn": game.turn(state),
            "phase": views.phase(game, state),
            "must_act": [game.sides[side] for side in views.asked_sides(game, state, eyes)],
            "view": views.view(game, state, eyes),
        }
    view = game.view(state, eyes)
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
    for side, action in room.shown.journal[: room.shown.moments[number]]:
        room.game.apply(state, action, side)
    return state


def moments(room: Room) -> dict[str, Any]:
    """Where turns and phases begin among the moments of a game, for a slider."""
    game, journal = room.game, room.shown.journal
    state = game.start(room.row.scenario, room.row.options)
    marks: list[dict[str, Any]] = []
    last: tuple[int, str] | None = None
    before = 0
    for number, length in enumerate(room.shown.moments):
        for side, action in journal[before:length]:
            game.apply(state, action, side)
        before = length
        phase = game.phase(state)
        if phase is None:
            continue
        here = (game.turn(state), phase)
        if here != last:
            marks.append({"n": number, "turn": here[0], "phase": here[1]})
            last = here
    return {"length": len(room.shown.moments) - 1, "marks": marks}


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
