"""3.0 Set-up: who begins where, who comes when, and the first chits; 15.0 help for the side that needs it:
options of the scenario, all of them off by default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.a_victory_lost.data import Unit
from grognard.games.a_victory_lost.state import AXIS, DEAD, SOVIET, VictoryState
from grognard.mechanics.pieces import NOBODY, NOWHERE

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


OPTIONS = (
    "panzer_points",
    "administrative_movement",
    "late_first_panzer_army",
    "early_manstein",
    "soviets_plan_ahead",
    "axis_first_chit",
)


def option(state: VictoryState, name: str) -> bool:
    """Whether a balance option is in force."""
    return bool(state.options >> OPTIONS.index(name) & 1)


def set_up(game: AVictoryLost, scenario: str, options: Mapping[str, Any]) -> VictoryState:
    """3.0 The position before the first question: who stands where, who comes, which chits there are."""
    chosen = bits(i for i, name in enumerate(OPTIONS) if options.get(name))
    state = VictoryState(game.axis_units, len(game.units), game.hqs, chosen)
    state.scenario = scenario
    victory = game.victory(state)
    for index, unit in enumerate(game.units):
        state.steps[index] = unit.steps
        state.due[index] = turn_due(game, state, index)
        if not takes_part(game, state, unit):
            state.steps[index] = 0
            state.place(index, DEAD)
        elif not unit.turn:
            state.place(index, unit.setup)
    here = bits(chit for hq, chit in game.chit_of.items() if state.on_map(hq))
    present = chits_present(game, state, SOVIET)
    state.pool[SOVIET] = game.stavka | (present if present != game.soviet_hq_chits else 0)
    state.pool[AXIS] = here & game.chits_of[AXIS]
    state.points[AXIS] = victory.lines["city"] * victory.cities.bit_count()
    return state


def takes_part(game: AVictoryLost, state: VictoryState, unit: Unit) -> bool:
    """Whether a unit is in a scenario: in the campaign everybody, in an area those who begin there,
    without those whom the scenario leaves out."""
    scenario = game.scenario(state)
    assert scenario.settings is not None  # every scenario of this game is a file
    if "area" not in scenario.settings.data:
        return True
    if unit.id in scenario.settings.get("without", list, []):
        return False
    return unit.setup != NOWHERE and bool(game.victory(state).area >> unit.setup & 1)


def chits_present(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """The chits of the HQs that are in the game, as a set."""
    with_hq = ((chit, game.chits[chit].hq) for chit in each(game.chits_of[side]))
    return bits(chit for chit, hq in with_hq if hq != NOBODY and state.where[hq] != DEAD)


def turn_due(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """The turn when a unit is due; 15.0.1 the 1st Panzer Army may come later."""
    counter = game.units[unit]
    if counter.box and counter.axis and option(state, "late_first_panzer_army"):
        return game.data.numbers["late_first_panzer_army"]
    return counter.turn
