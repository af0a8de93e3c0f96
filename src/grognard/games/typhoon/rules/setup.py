"""3.1 The position in which a scenario begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.outlines import GARRISONS
from grognard.games.typhoon.state import (
    AIR_GONE,
    AXIS,
    GONE,
    SUBSTITUTES,
    SUPPLY_POOL,
    Head,
    TyphoonState,
)

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

POINTS = {"supply_1": 1, "supply_2": 2}


def set_up(game: Typhoon, scenario: str) -> TyphoonState:
    """3.1.1, 3.1.2 Units in their hexes with their steps, reinforcements to come, everybody else away."""
    outline = game.outlines[scenario]
    state = TyphoonState(game.axis_units, len(game.units), len(game.flyers), game.supplies)
    state.scenario = scenario
    state.soviet_hexes = outline.soviet_hexes
    for unit in range(len(game.units)):
        if unit in outline.due:
            state.due[unit] = 0 if outline.due[unit].group else outline.due[unit].turn
            state.steps[unit] = game.units[unit].steps
        elif game.supplies >> unit & 1:
            state.place(unit, SUPPLY_POOL)
        elif game.substitutes >> unit & 1:
            state.place(unit, SUBSTITUTES)
        else:
            state.place(unit, GONE)
    for placed in outline.setup:
        unit = game.unit_index(placed.unit)
        state.place(unit, placed.cell)
        state.steps[unit] = placed.steps or POINTS.get(placed.status, 0)
        if placed.status in GARRISONS:
            state.garrison |= 1 << unit
    for n in range(len(game.flyers)):
        state.air[n] = outline.air.get(n, AIR_GONE)
    state.axis_rail = outline.axis_rail
    state.heads = tuple(Head(cell, 0) for cell in outline.railheads)
    state.transports = list(outline.transports)
    state.replacements[AXIS] = 0
    return state


def units_to_come(game: Typhoon, state: TyphoonState, side: int) -> list[int]:
    """14.1.1 Those whose turn has come and who are not on the map."""
    from grognard.games.typhoon.state import ACTIVE, TO_COME

    found = [
        unit
        for unit in each(game.units_of[side])
        if state.where[unit] == TO_COME and 0 < state.due[unit] <= state.turn
    ]
    return found + each(state.at.get(ACTIVE, 0) & game.units_of[side])
