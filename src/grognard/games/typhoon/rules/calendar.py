"""What dates bring: units that wait, garrisons released (13.6.2e), Axis replacements (15.1.2); and at the end
of a turn, attacks owed that become points (16.2.2) and the parade on Red Square."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.stavka import converts_to_points
from grognard.games.typhoon.state import AXIS, PLAN_NAMES, TyphoonState
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

FIRST_TO_MOVE = ("PzGr 2", "Bryansk Front", "supply")
"""T1_GUDERIAN: who may act on turn 1."""
RELEASED = {"line_garrison": 3, "mozhaisk_garrison": 6}
"""13.6.2e: garrisons that a date releases."""
NORTH_WAITS = 6
"""S5_16TH_ARMY: until this turn Army Group North and the North-West Front stay where they are."""
PARADE, PARADE_QUIET = 20, 6
"""RED_SQUARE: the turn of the parade, and how far the Axis must be for a quiet one."""


def open_turn(game: Typhoon, state: TyphoonState) -> None:
    """What the date of a turn changes before anything is played."""
    outline = game.outline(state)
    state.dawn = victory_hexes(game, state) & state.soviet_hexes
    state.held = waiting(game, state)
    due = {game.unit_index(p.unit) for p in outline.setup if RELEASED.get(p.status) == state.turn}
    freed = bits(due) & state.garrison
    if freed:
        state.garrison &= ~freed
        state.emit("garrison-released", "13.6.2", units=tuple(members(freed)))
    points, first = outline.replacements
    if points and state.turn >= first:
        state.replacements[AXIS] += points


def waiting(game: Typhoon, state: TyphoonState) -> int:
    """Units that a special rule of the scenario keeps from acting on a turn, as a set."""
    outline = game.outline(state)
    found = 0
    if "T1_GUDERIAN" in outline.special and state.turn == 1:
        found |= bits(
            n
            for n, unit in enumerate(game.units)
            if not any(name in unit.formation for name in FIRST_TO_MOVE)
        )
    if "S5_16TH_ARMY" in outline.special and state.turn < NORTH_WAITS:
        # Who was attacked is free for good (see `free_attacked`).
        found |= outline.north & ~state.stirred
    return found


def free_attacked(state: TyphoonState, units: int) -> None:
    """S5_16TH_ARMY: who is attacked waits no longer."""
    state.stirred |= units
    state.held &= ~units


def victory_hexes(game: Typhoon, state: TyphoonState) -> int:
    """16.2.2: cities, major cities and red stars."""
    stars = game.board.with_feature("strategic")
    return (game.cities | game.major_cities | stars) & game.outline(state).area


def close_turn(game: Typhoon, state: TyphoonState) -> None:
    """What the end of a turn counts."""
    outline = game.outline(state)
    if state.obligatory:
        taken = state.dawn & ~state.soviet_hexes
        present = any(state.fighters(AXIS, cell) for cell in each(taken))
        if converts_to_points(bool(taken), present):
            worth = outline.event("obligatory_attack", PLAN_NAMES[state.plan]) * state.obligatory
            state.points += worth
            state.emit("attacks-forfeited", "16.2.2", n=state.obligatory, score=worth)
            state.obligatory = 0
    if "RED_SQUARE" in outline.special and state.turn == PARADE:
        _parade(game, state)


def _parade(game: Typhoon, state: TyphoonState) -> None:
    """RED_SQUARE: a parade in a city that is whole, better still with nobody near."""
    if game.moscow & ~state.soviet_hexes:
        return
    plan, outline = PLAN_NAMES[state.plan], game.outline(state)
    worth = outline.event("parade", plan)
    near = game.board.within(each(game.moscow), PARADE_QUIET)
    if not any(state.fighters(AXIS, cell) for cell in each(near & state.occupied[AXIS])):
        worth += outline.event("parade_quiet", plan)
    state.points += worth
    state.emit("parade", "18.0", score=worth)
