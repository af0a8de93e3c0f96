"""How scenarios are won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import supplied_units
from grognard.games.stalingrad_roads.rules.fortress import supplied_in_stalingrad
from grognard.games.stalingrad_roads.rules.ground import held_by
from grognard.games.stalingrad_roads.rules.pocket import pocket_closed
from grognard.games.stalingrad_roads.state import AXIS, ON_POINTS, SOVIET, STAVKA, SUDDEN, RoadsState
from grognard.kernel import Flow, Outcome

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

SMALL_PLACES = ("1333", "1433", "1129", "1624")
LARGE_PLACES = ("1125", "1023", "0729")


def score_soviet_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.17 The pocket not closed at the end of a Soviet turn."""
    if game.plan(state).short and not pocket_closed(game, state):
        _score(game, state, "pocket-open")
    return None


def score_axis_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.17 Nobody supplied in Stalingrad at the end of an Axis turn, and the pocket closed."""
    if game.plan(state).short and not supplied_in_stalingrad(game, state) and pocket_closed(game, state):
        _score(game, state, "pocket-closed")
    return None


def _score(game: StalingradRoads, state: RoadsState, line: str) -> None:
    points = game.scenario(state).points[line]
    state.points += points
    state.emit("scored", "S2.17", score=points, word_line=line)


def held_hexes(game: StalingradRoads, state: RoadsState, side: int) -> tuple[int, int]:
    """The hexes with units of a side, and those where one of them is supplied."""
    units = game.units_of[side] & ~game.hqs
    fed = supplied_units(game, state, side, units)
    everywhere = bits(state.where[u] for u in each(units) if state.where[u] >= 0)
    return everywhere, bits(state.where[u] for u in each(fed) if state.where[u] >= 0)


def final_lines(game: StalingradRoads, state: RoadsState) -> list[tuple[str, int]]:
    """S2.17 The points of the last position, line by line."""
    worth = game.scenario(state).points
    there, fed = held_hexes(game, state, SOVIET)
    _, axis_fed = held_hexes(game, state, AXIS)
    found: list[tuple[str, int]] = []
    places = 0
    for name, numbers in (("small-place", SMALL_PLACES), ("large-place", LARGE_PLACES)):
        for number in numbers:
            cell = game.board.cell(number)
            places |= 1 << cell
            if fed >> cell & 1:
                found.append((name, worth[name]))
            elif there >> cell & 1:
                found.append((f"{name}-unsupplied", worth[f"{name}-unsupplied"]))
    beyond = game.board.with_feature("beyond_chir") & ~places
    between = game.board.with_feature("between_chir_and_don") & ~places
    found.append(("beyond-chir", worth["beyond-chir"] * (fed & beyond).bit_count()))
    found.append(("between-soviet", worth["between-soviet"] * (fed & between).bit_count()))
    found.append(("between-axis", worth["between-axis"] * (axis_fed & between).bit_count()))
    level = state.level if state.fortress >= 0 else 0
    found.append(("fortress-level", worth["fortress-level"] * level))
    left = sum(game.held(state, kind, STAVKA) for kind in range(len(game.supports)))
    found.append(("support", min(worth["support"] * left, worth["support-most"])))
    return [(name, points) for name, points in found if points]


def final_count(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.16, S2.17 The end: an Axis decisive victory, or the points."""
    if state.ending == SUDDEN:
        return None
    city = held_by(game, state, AXIS, game.data.stalingrad) == game.data.stalingrad
    if not state.declared and city and supplied_in_stalingrad(game, state):
        state.ending, state.winner = SUDDEN, AXIS
        return None
    state.ending = ON_POINTS
    for line, points in final_lines(game, state):
        state.points += points
        state.emit("scored", "S2.17", score=points, word_line=line)
    return None


def verdict(game: StalingradRoads, state: RoadsState) -> Outcome:
    points = {game.sides[SOVIET]: state.points}
    if state.ending == SUDDEN:
        return Outcome(state.winner, f"{game.sides[state.winner]}-decisive", points)
    worth = game.scenario(state).points
    if state.points >= worth["minor"]:
        level = "soviet-major" if state.points >= worth["major"] else "soviet-minor"
        return Outcome(SOVIET, level, points)
    if state.points >= worth["draw"]:
        return Outcome(None, "draw", points)
    level = "axis-minor" if state.points >= worth["axis-minor"] else "axis-major"
    return Outcome(AXIS, level, points)
