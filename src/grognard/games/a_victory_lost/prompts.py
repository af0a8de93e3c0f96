"""What A Victory Lost's questions speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grognard.games.a_victory_lost.rules.advance import Advance
from grognard.games.a_victory_lost.rules.combat import Attack, Battle
from grognard.games.a_victory_lost.rules.command import still_to_plan, still_to_select
from grognard.games.a_victory_lost.rules.reach import Move
from grognard.games.a_victory_lost.rules.reinforcements import Arrival
from grognard.games.a_victory_lost.rules.results import Losses
from grognard.games.a_victory_lost.rules.retreat import Retreat
from grognard.games.a_victory_lost.state import AXIS, SOVIET, VictoryState

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def prompt_facts(game: AVictoryLost, state: VictoryState, side: int | None) -> dict[str, Any]:
    """Who is asked about what: the chits wanted, the unit in hand, the battle in progress."""
    facts: dict[str, Any] = {"turn": state.turn, "word_side": game.sides[state.active]}
    local = state.local if not state.over else None
    actor = game.actor(state) if side is None else side
    if isinstance(local, Move):
        facts |= {"unit": local.unit, "hex": state.where[local.unit], "points_left": local.left}
    elif isinstance(local, Attack | Battle):
        facts |= {"hex": local.target, "units": local.attackers}
    elif isinstance(local, Losses):
        facts |= {"owed": local.owed, "units": tuple(u for u in local.units if state.on_map(u))}
    elif isinstance(local, Retreat):
        going, hexes = ((local.walker,), local.left) if local.walker >= 0 else (local.to_go, local.hexes)
        facts |= {"units": going, "number": hexes}
        if local.hq >= 0:
            facts["unit"] = local.hq
    elif isinstance(local, Advance):
        facts |= {"hex": local.target, "units": local.units}
        if local.walker >= 0:
            facts |= {"unit": local.walker, "hex": state.where[local.walker]}
    elif isinstance(local, Arrival):
        facts |= {"unit": local.unit} if local.unit >= 0 else {}
    if state.displaced:
        facts |= {"unit": state.displaced[0][0], "hex": state.displaced[0][1]}
    if actor in (AXIS, SOVIET):
        written = state.written(actor)
        five = game.data.numbers["soviet_pool"] - len(written)
        facts["left"] = still_to_select(game, state, actor, written) if state.turn else five
        facts["planned"] = still_to_plan(game, state, actor, written)
    return facts
