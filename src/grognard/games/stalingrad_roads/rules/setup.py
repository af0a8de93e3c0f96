"""The position in which a scenario begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits
from grognard.games.stalingrad_roads.derived import OPTIONS
from grognard.games.stalingrad_roads.rules.supports import hand_out
from grognard.games.stalingrad_roads.state import (
    ALARM_BOX,
    ALL_FOUR,
    DEAD,
    KG_BOX,
    WITHDRAWN,
    RoadsState,
)

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


def set_up(game: StalingradRoads, scenario: str, options: Mapping[str, Any]) -> RoadsState:
    plan = game.plans[scenario]
    state = RoadsState(game.axis_units, len(game.units), game.hqs, len(game.supports), len(game.planes))
    state.scenario = scenario
    state.options = bits(i for i, name in enumerate(OPTIONS) if options.get(name))
    state.soviet_hexes = plan.soviet_hexes
    state.superiority = plan.superiority
    state.approval, state.manstein = plan.approval, plan.manstein
    state.retired = (0,) * len(plan.withdrawals)
    for number, unit in enumerate(game.units):
        state.due[number] = plan.due.get(number, 0)
        if unit.kampfgruppe:
            state.place(number, KG_BOX)
        elif unit.kind == "alarm":
            state.place(number, ALARM_BOX)
    for entry in plan.setup:
        state.steps[entry.unit] = entry.steps
        state.place(entry.unit, entry.cell)
        _claim(game, state, entry.unit, entry.cell)
    for kind, support in enumerate(game.supports):
        state.pool[kind] = support.start.get(scenario, support.copies)
    state.offensives = list(plan.offensives)
    for unit_number, rebuilt in plan.gone:
        state.steps[unit_number] = 0
        state.place(unit_number, DEAD if rebuilt else WITHDRAWN)
    held = state.soviet_hexes & game.data.city
    if plan.keeps_supports:
        hand_out(game, state)
    if not plan.opening:
        state.taken_cities = held
        state.lost_major = held & game.data.major_cities | game.data.stalingrad
    if not plan.opening and plan.superiority:
        # The Soviets choose which effects are left (S4, S5).
        state.successes = 4 - plan.superiority.bit_count()
        state.superiority = ALL_FOUR
    return state


def _claim(game: StalingradRoads, state: RoadsState, unit: int, cell: int) -> None:
    if unit >= game.axis_units:
        state.soviet_hexes |= 1 << cell
    else:
        state.soviet_hexes &= ~(1 << cell)
