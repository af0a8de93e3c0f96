"""6.4 Soviet surrender: units without supply, in enemy zones and cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.data import charts
from grognard.games.typhoon.rules.command import commanded
from grognard.games.typhoon.rules.ground import allowed, intact_forts, routes, sources, zone
from grognard.games.typhoon.rules.losses import remove
from grognard.games.typhoon.state import AXIS, ELIMINATED, SOVIET, TyphoonState
from grognard.kernel import RETURN, Action, Flow, Verb
from grognard.mechanics.dice import D10, Throw
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def linked(game: Typhoon, state: TyphoonState) -> int:
    """6.4.1c The hexes from which a line of any length leads to a Soviet source."""
    open_ = allowed(game, state, SOVIET) & ~intact_forts(game, state, AXIS)
    return routes(game, state, SOVIET).linked(sources(game, state, SOVIET), open_)


def cut_off(game: Typhoon, state: TyphoonState, starving: int) -> list[int]:
    """6.4.1, 6.4.2 The hexes of some units for which a die would be thrown were they in an enemy zone."""
    cells = bits(state.where[u] for u in members(starving)) & ~(game.cities | game.major_cities)
    if not cells:
        return []
    immune = game.guards | game.nkvd
    return [cell for cell in each(cells & ~linked(game, state)) if not state.own(SOVIET, cell) & immune]


def in_danger(game: Typhoon, state: TyphoonState) -> list[int]:
    """6.4.1, 6.4.2 The hexes for which a die is thrown."""
    starving = state.unsupplied & game.units_of[SOVIET]
    if not starving:
        return []
    shut = zone(game, state, AXIS)
    return cut_off(game, state, bits(u for u in members(starving) if shut >> state.where[u] & 1))


def gives_up(die: int, led: bool) -> bool:
    """6.4.3, 6.4.4 What a die brings, within the radius of a headquarters or not."""
    return str(charts()["surrender"].find(die + led)["result"]) == "surrender"


def begin_surrender(game: Typhoon, state: TyphoonState) -> Flow:
    found = in_danger(game, state)
    if not found:
        return RETURN
    state.local = tuple(found)
    return None


class RollSurrender(Throw["Typhoon", TyphoonState]):
    """6.4.3, 6.4.4 A die for each hex; one more within the radius of a headquarters."""

    name = "roll-surrender"
    case = "6.4.3"
    verbs = {"capitulate": Verb(("number",))}
    dice = D10

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        cell, *rest = state.local
        state.local = tuple(rest)
        surrenders = gives_up(action[1], bool(commanded(game, state) >> cell & 1))
        state.emit("surrendered" if surrenders else "holds-out", "6.4.3", die=action[1], hex=cell)
        if surrenders:
            for unit in members(state.own(SOVIET, cell) & state.unsupplied):
                remove(game, state, unit, ELIMINATED, "6.4.3")
        return "roll" if rest else RETURN
