"""3.1 The position in which a scenario begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.outlines import GARRISONS
from grognard.games.typhoon.state import (
    ACTIVE,
    AIR_GONE,
    AXIS,
    GONE,
    SOVIET,
    SUBSTITUTES,
    SUPPLY_POOL,
    TO_COME,
    Head,
    TyphoonState,
)

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

VORONEZH_FELT = 2
"""17.4.3 by ruling: so many divisions on the way to Voronezh are felt."""
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


def is_due(game: Typhoon, state: TyphoonState, unit: int) -> bool:
    """14.1.1 Whether the turn of a unit has come. 17.4.3 With two divisions towards Voronezh, those who come
    from the south are a turn late (ruling)."""
    if state.where[unit] != TO_COME or not state.due[unit]:
        return False
    late = 0
    if len(state.away) >= VORONEZH_FELT and state.side(unit) == SOVIET:
        due = game.outline(state).due.get(unit)
        late = int(due is not None and due.code == "s")
    return state.due[unit] + late <= state.turn


def units_to_come(game: Typhoon, state: TyphoonState, side: int) -> list[int]:
    """14.1.1 Those whose turn has come and who are not on the map."""
    due, turn = state.due, state.turn
    near = [unit for unit in each(game.units_of[side]) if 0 < due[unit] <= turn]
    found = [unit for unit in near if is_due(game, state, unit)]
    return found + each(state.at.get(ACTIVE, 0) & game.units_of[side])
