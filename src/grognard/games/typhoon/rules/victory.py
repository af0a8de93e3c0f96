"""17 Victory: points for places, for losses and for what was done, and the level of victory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.rules.plans import steps_for_a_point
from grognard.games.typhoon.state import AXIS, LOST, PLAN_NAMES, SOVIET, TyphoonState
from grognard.kernel import Outcome

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

AXIS_LEVELS = ("axis_decisive", "axis_substantial", "axis_marginal")
SOVIET_LEVELS = ("soviet_decisive", "soviet_substantial")


def lost_steps(game: Typhoon, state: TyphoonState, units: int) -> int:
    """17.2.2 Steps lost by units on the map, and all those of units in the cadre and eliminated boxes."""
    found = 0
    for unit in each(units):
        place = state.where[unit]
        if place >= 0:
            found += game.units[unit].steps - state.steps[unit]
        elif place in LOST:
            found += game.units[unit].steps
    return found


def place_points(game: Typhoon, state: TyphoonState) -> int:
    """17.2.1 A place counts for a land unit of the Axis in it; some count for one of the Soviets."""
    plan = PLAN_NAMES[state.plan]
    return sum(
        points
        for cell, when, holder, points in game.outline(state).places
        if when in ("all", plan) and state.fighters(holder, cell)
    )


def loss_points(game: Typhoon, state: TyphoonState) -> int:
    """17.2.2, and the lines of the small scenarios."""
    outline, plan = game.outline(state), PLAN_NAMES[state.plan]
    heavy = game.armour | game.guns
    # 17.4.2 by ruling: Army Group North has its own accounts.
    ours = game.units_of[AXIS] & ~(outline.north & ~game.substitutes)
    soviet = lost_steps(game, state, heavy & game.units_of[SOVIET])
    axis = lost_steps(game, state, heavy & ours)
    total = outline.event("soviet_hq", plan) * state.hqs_lost
    total += outline.event("eight_soviet_steps", plan) * -(-soviet // game.numbers["soviet_steps"])
    total += outline.event("five_axis_steps", plan) * -(-axis // steps_for_a_point(state.plan))
    total += outline.event("division_lost", plan) * _divisions_lost(game, state)
    total += outline.event("soviet_tank_step", plan) * lost_steps(
        game, state, game.armour & game.units_of[SOVIET]
    )
    total += outline.event("panzer_step", plan) * lost_steps(game, state, game.armour & ours)
    rifles = sum(state.where[u] in LOST for u in each(game.divisions & game.units_of[SOVIET]))
    return total + outline.event("six_soviet_divisions", plan) * (rifles // 6)


def _divisions_lost(game: Typhoon, state: TyphoonState) -> int:
    """17.2.2 Panzer and motorised divisions of which nothing is left."""
    north = game.outline(state).north
    return sum(
        all(state.where[u] in LOST for u in elements)
        for elements in game.elements.values()
        if not north >> elements[0] & 1
    )


def final_count(game: Typhoon, state: TyphoonState) -> None:
    """17.2 What counts at the end of the scenario is added to what was gained on the way."""
    places, losses = place_points(game, state), loss_points(game, state)
    state.points += places + losses
    state.emit("counted", "17.2", n_places=places, n_losses=losses, n=state.points)


def verdict(game: Typhoon, state: TyphoonState) -> Outcome:
    """17.1 The Axis wins at a level if it has its points; if at none, the Soviets do."""
    levels, points = game.outline(state).levels, {"axis": state.points}
    for name in AXIS_LEVELS:
        if name in levels and state.points >= levels[name]:
            return Outcome(AXIS, name.removeprefix("axis_"), points)
    for name in SOVIET_LEVELS:
        line = levels.get(f"{name}_below")
        if line is not None and state.points < line:
            return Outcome(SOVIET, name.removeprefix("soviet_"), points)
    return Outcome(SOVIET, "marginal", points)
