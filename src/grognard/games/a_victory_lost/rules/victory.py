"""14.0 Victory: points for five cities and for the dead, a lead of thirty, and the count after turn 9."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.rules.setup import option
from grognard.games.a_victory_lost.state import (
    AXIS,
    DEAD,
    ON_POINTS,
    SOVIET,
    SUDDEN_DEATH,
    SUPPLIED,
    VictoryState,
)
from grognard.kernel import Outcome

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


ENDINGS = {SUDDEN_DEATH: "sudden-death", ON_POINTS: "points"}


def take_city(game: AVictoryLost, state: VictoryState, side: int, cell: int) -> None:
    """14.0.1 A victory city goes to the side whose unit enters it: one gains the points, the other loses
    them."""
    bit = 1 << cell
    if not game.cities(state) & bit:
        return
    holder = SOVIET if state.soviet_cities & bit else AXIS
    if holder == side:
        return
    state.soviet_cities ^= bit
    points = game.victory(state).lines["city"]
    state.points[side] += points
    state.points[holder] -= points
    state.emit(
        "city-taken",
        "14.0.1",
        hex=cell,
        word_side=game.sides[side],
        axis=state.points[AXIS],
        soviet=state.points[SOVIET],
    )


def enter_hex(game: AVictoryLost, state: VictoryState, unit: int, cell: int) -> None:
    """Put a unit on a hex of the map, with what follows for a victory city there."""
    state.place(unit, cell)
    take_city(game, state, game.side(unit), cell)


def worth(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """14.0.1 What the enemy scores for an eliminated combat unit. The minor allies are worth nothing."""
    counter = game.units[unit]
    points = game.victory(state).lines
    if counter.nation == "german":
        if not counter.mechanised:
            return points["german-other"]
        return points["german-mechanised-aid" if option(state, "panzer_points") else "german-mechanised"]
    return points["soviet-mechanised"] if counter.nation == "soviet" and counter.mechanised else 0


def eliminate(game: AVictoryLost, state: VictoryState, unit: int, case: str) -> None:
    """9.4.2, 14.0.1 Remove a combat unit from the game; the enemy scores it."""
    arrived, cell, points = state.on_map(unit), state.where[unit], worth(game, state, unit)
    state.steps[unit] = 0
    state.supply[unit] = SUPPLIED
    state.place(unit, DEAD)
    state.points[1 - game.side(unit)] += points
    if arrived:
        state.emit("eliminated", case, unit=unit, hex=cell, score=points)
    else:
        state.emit("never-arrived", case, unit=unit, score=points)


def sudden_death(game: AVictoryLost, state: VictoryState) -> None:
    """14.0.2 A lead of thirty points ends the game at the end of any turn."""
    lead = state.points[AXIS] - state.points[SOVIET]
    if abs(lead) >= game.victory(state).lines["sudden-death"]:
        state.ending = SUDDEN_DEATH
        leader = AXIS if lead > 0 else SOVIET
        state.emit("sudden-death", "14.0.2", word_side=game.sides[leader], lead=abs(lead))


def final_count(game: AVictoryLost, state: VictoryState) -> None:
    """14.0.1 After the last turn, units without supply count as eliminated. HQs without it have been
    repositioned (12.5)."""
    for unit, cell in enumerate(state.where):
        if state.supply[unit] != SUPPLIED:
            points = worth(game, state, unit)
            state.points[1 - game.side(unit)] += points
            state.emit("counted-lost", "14.0.1", unit=unit, hex=cell, score=points)
    state.ending = ON_POINTS


def verdict(game: AVictoryLost, state: VictoryState) -> Outcome:
    """14.0.2 Who has more points has won; equal points are a draw. A scenario may set the lead that the
    Soviets need; then there is no draw."""
    axis, soviet = state.points
    winner = None if axis == soviet else AXIS if axis > soviet else SOVIET
    needed = game.victory(state).lines.get("soviet-lead")
    if needed is not None:
        winner = SOVIET if soviet - axis >= needed else AXIS
    level = "draw" if winner is None else f"{game.sides[winner]}-{ENDINGS[state.ending]}"
    return Outcome(winner, level, {"axis": axis, "soviet": soviet})
