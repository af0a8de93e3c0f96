"""What the questions of Second Front speak of, and what its own facts are called."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from grognard.games.second_front.data import slug
from grognard.games.second_front.rules.attacking import Attack
from grognard.games.second_front.rules.battle import COLUMNS
from grognard.games.second_front.rules.building import WORKS
from grognard.games.second_front.rules.overruns import Charge
from grognard.games.second_front.rules.stepping import Move
from grognard.games.second_front.rules.trains import Freight
from grognard.games.second_front.rules.weather import CONDITIONS
from grognard.games.second_front.state import FrontState

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

SEA_STATES = ("calm", "rough", "storm")


def words(game: SecondFront) -> dict[str, Sequence[str]]:
    """The names of the kinds of arguments, or of things shown, that are this game's own."""
    return {
        "work": WORKS,
        "force": [slug(name) for name in game.forces],
        "network": [slug(name) for name in game.networks],
        "weather": (*CONDITIONS, *SEA_STATES),
    }


def prompt_facts(game: SecondFront, state: FrontState) -> dict[str, Any]:
    """Who moves, what is attacked, who retreats: what the question on the table is about."""
    facts: dict[str, Any] = {"word_side": game.sides[state.active]}
    if (move := state.top(Move)) is not None:
        facts |= {"unit": move.unit, "points_left": state.left[move.unit]}
    if (charge := state.top(Charge)) is not None:
        facts["hex"] = charge.cell
    if (freight := state.top(Freight)) is not None:
        facts["hex"] = freight.cell
    if (attack := state.top(Attack)) is not None:
        facts |= {"hex": attack.cell, "word_result": attack.result}
        if attack.falling_back:
            facts["unit"] = attack.falling_back[0]
    return facts


def name_of(game: SecondFront, name: str, value: Any, language: str) -> str | None:
    """What a fact of a sentence is called that is neither a unit, a hex nor a number."""
    if name == "odds":
        return COLUMNS[value]
    if name == "result":
        return game.catalogue.template("results", value, language)
    if name == "weather":
        return game.catalogue.template("words", (*CONDITIONS, *SEA_STATES)[value], language)
    if name in ("word_result", "word_side"):
        section = "results" if name == "word_result" else "words"
        return game.catalogue.template(section, str(value), language)
    if name in ("text_attack", "text_defence"):
        return strength_text(Fraction(value), language)
    if name.startswith("word_") and game.catalogue.has("words", slug(str(value))):
        return game.catalogue.template("words", slug(str(value)), language)
    return None


def strength_text(strength: Fraction, language: str) -> str:
    """3C1: halves and quarters as a person writes them."""
    if strength.denominator not in (1, 2, 4, 8):
        return str(strength)
    written = f"{float(strength):g}"
    return written.replace(".", ",") if language == "fr" else written
