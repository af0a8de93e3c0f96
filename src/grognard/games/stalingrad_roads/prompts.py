"""What the questions of Stalingrad Roads speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.games.stalingrad_roads.rules.combat import Attack, Battle
from grognard.games.stalingrad_roads.rules.losses import Fallen, Losses, alive
from grognard.games.stalingrad_roads.rules.movement import Move
from grognard.games.stalingrad_roads.rules.reinforcements import Rebuilding
from grognard.games.stalingrad_roads.rules.retreat import Retreat
from grognard.games.stalingrad_roads.rules.stavka import Release
from grognard.games.stalingrad_roads.rules.supports import Placing
from grognard.games.stalingrad_roads.rules.weather import CLOUDS, WATER
from grognard.games.stalingrad_roads.state import AXIS, BOX_NAMES, SOVIET, RoadsState

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

EFFECTS = ("panzers-to-the-rescue", "human-waves", "overwhelming-attack", "rout")
OFFENSIVES = ("major", "minor-a", "minor-b")
SKY = ("snow", "mud", *CLOUDS.values(), *WATER.values())


def prompt_facts(game: StalingradRoads, state: RoadsState, side: int | None) -> dict[str, Any]:
    """Who is asked about what. What a side holds in secret is told to that side only."""
    facts: dict[str, Any] = {"turn": state.turn, "word_side": game.sides[state.active]}
    local = state.local if not state.over else None
    actor = game.actor(state) if side is None else side
    if isinstance(local, Move):
        facts |= {"units": local.units, "hex": state.where[local.units[0]], "points_left": local.left}
    elif isinstance(local, Attack | Battle):
        facts |= {"hex": local.target, "units": local.attackers}
        if isinstance(local, Battle):
            facts["n"] = (2 * local.exploitation - local.marked + 1) // 2
    elif isinstance(local, Losses):
        facts |= {"n": local.owed, "units": tuple(alive(state, local.units))}
    elif isinstance(local, Retreat):
        going = (local.walker,) if local.walker >= 0 else local.to_go
        facts |= {"units": going, "n": local.left or local.hexes}
    elif isinstance(local, Fallen):
        facts |= {"unit": local.unit, "hex": local.cell}
    elif isinstance(local, Release | Rebuilding):
        facts["n"] = local.left
    elif isinstance(local, Placing) and actor == state.active:
        facts["support"] = local.kind
    if actor in (AXIS, SOVIET):
        facts["chosen"] = len(state.written(actor))
    return facts


def name_of(game: StalingradRoads, name: str, value: int, language: str) -> str | None:
    """What a fact of a sentence is called that is neither a unit, a hex nor a number; None if it is none of
    this game's own."""
    if name == "support":
        return str(game.supports[value].names[language])
    if name == "plane":
        return str(game.planes[value].names[language])
    words = {
        "effect": ("", EFFECTS),
        "box": ("box-", BOX_NAMES),
        "offensive": ("offensive-", OFFENSIVES),
        "weather": ("", SKY),
    }
    if name not in words:
        return None
    before, listed = words[name]
    return game.catalogue.template("words", f"{before}{listed[value]}", language)
