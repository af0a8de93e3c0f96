"""Plans carried out, to compare what they hold to be so with what the rules make of it."""

from __future__ import annotations

from random import Random
from typing import Any


def marches(game: Any, doctrine: Any, state: Any, side: int, plan: Any, stack: int, random: Random) -> int:
    """Send a stack of one unit to a few of the places that a plan sees for it, each from the same position:
    every answer must be legal, and it must arrive. How often it marched."""
    unit, places, marched = plan.units[stack], plan.places(stack), 0
    for cell in random.sample(list(places[1:]), min(3, len(places) - 1)):
        fits = plan.fits(stack, cell, plan.at[cell])
        script = doctrine.march(state, (unit,), cell) if fits else ()
        assert script is not None
        trial = state.clone()
        for action in script:
            if action[0] == "halt" and trial.where[unit] == cell:
                break  # whoever has no points left has halted
            assert game.refuse(trial, action, side) is None
            game.apply(trial, action, side)
        marched += bool(script)
        assert not script or trial.where[unit] == cell
    return marched


def as_planned(state: Any, plan: Any) -> Any:
    """The position with everybody where a plan of single units has him."""
    then = state.clone()
    for unit, place in zip(plan.units, map(plan.place, range(len(plan.units))), strict=True):
        if place >= 0:
            then.place(unit, place)
    return then
