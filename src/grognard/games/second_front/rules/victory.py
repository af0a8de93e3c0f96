"""42 What the Allies count: places that they hold, less what they have lost and cannot replace."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from grognard.games.second_front.rules.pools import EMPIRE, PARTS, infantry_force
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED
from grognard.mechanics.pieces import DEAD

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

LOSS = 10
"""Points of net loss, or part, that cost a victory point."""


def held(game: SecondFront, state: FrontState) -> int:
    """42: places that the Allies own and that are not isolated."""
    safe = state.owned[ALLIED] & state.open_land[ALLIED]
    return sum(points for cell, points in game.plan(state).places.items() if safe >> cell & 1)


def penalties(game: SecondFront, state: FrontState) -> dict[str, int]:
    """42: by force, attack strength in the replacement box and missing from cadres, less the infantry points
    in hand: a point for each ten or part above nothing. Cadres at the start are no losses."""
    lost: dict[str, int] = {}
    started = {placed.unit for placed in game.plan(state).setup if placed.reduced}
    first = state.side_units[0].bit_length()
    for unit in range(first, len(game.units)):
        counter = game.units[unit]
        if state.where[unit] == DEAD:
            strength = counter.face.attack
        elif state.reduced >> unit & 1 and unit not in started and counter.cadre is not None:
            strength = counter.face.attack - counter.cadre.attack
        else:
            continue
        force = force_of(infantry_force(counter))
        lost[force] = lost.get(force, 0) + strength
    for pool in state.pools:
        if force_of(pool.force) in lost:
            lost[force_of(pool.force)] -= pool.infantry // PARTS
    return {force: ceil(points / LOSS) for force, points in lost.items() if points > 0}


def force_of(name: str) -> str:
    """The forces of loss accounting: the Empire is one, the French are one."""
    return "British" if name in EMPIRE else "French" if name.startswith("French") else name
