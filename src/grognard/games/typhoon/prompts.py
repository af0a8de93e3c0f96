"""What the questions of Typhoon! speak of, and what its own facts are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grognard.games.typhoon.data import WEATHERS
from grognard.games.typhoon.rules.declaring import unmet
from grognard.games.typhoon.rules.odds import column_name
from grognard.games.typhoon.rules.stavka import reserve_names
from grognard.games.typhoon.rules.withdrawals import Leaving, leaver
from grognard.games.typhoon.state import PLAN_NAMES, TyphoonState

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


PURSES = ("axis", "soviet", "moscow")
"""Whose supply points wait to be placed, in the order of the position."""


def words(game: Typhoon, kind: str) -> Sequence[str] | None:
    """The names of a kind of argument that is this game's own."""
    if kind == "flyer":
        return list(game.flyer_index)
    return {"plan": PLAN_NAMES, "weather": WEATHERS, "reserve": reserve_names()}.get(kind)


def prompt_facts(game: Typhoon, state: TyphoonState, side: int | None) -> dict[str, Any]:
    """Who is asked about what. What a side holds in secret is told to that side only."""
    facts = {"turn": state.turn, "word_side": game.sides[state.active]}
    facts |= {f"n_{purse}": n for purse, n in zip(PURSES, state.supply_due, strict=True)}
    decision = game.decision(state)
    if decision is not None and decision.name == "pick-unit" and (owed := unmet(game, state)):
        facts["hexes"] = tuple(owed)
    leaving = state.top(Leaving)
    if leaving is not None and leaving.waiting:
        facts["leaver"] = leaver(game, leaving.waiting[0])
    return facts


def name_of(game: Typhoon, name: str, value: Any, language: str) -> str | None:
    """What a fact of a sentence is called that is neither a unit, a hex nor a number."""
    if name in ("flyer", "flyer_target"):
        return str(game.flyers[value].names[language])
    if name == "flyers":
        return ", ".join(game.flyers[n].names[language] for n in value)
    if name == "leaver":
        land = len(game.units)
        return str((game.units[value] if value < land else game.flyers[value - land]).names[language])
    if name == "odds":
        return column_name(value)
    if name in ("plan", "weather", "reserve"):
        listed = words(game, name)
        assert listed is not None
        return game.catalogue.template("words", f"{name}-{listed[value]}", language)
    return None
