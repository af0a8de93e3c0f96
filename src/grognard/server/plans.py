"""The computer's plans, and its advice, as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.kernel import Game, Role
from grognard.kernel.doctrine import Intent
from grognard.players.advice import AdviceWords, Suggestion, plan_text, suggestion_text
from grognard.server.journal import PlanRow
from grognard.server.present import mentioned
from grognard.server.room import HUMAN, WATCH, Room

SIMPLE = ("random", "greedy")
"""Players who do not think in plans."""


def plans(room: Room, language: str) -> dict[str, Any]:
    """What each of the computer's sides is trying to do now, and what it was trying to do before."""
    told = [line for plan in room.plans[: room.shown.plans] if (line := _plan(room.game, plan, language))]
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
