"""13.0 The Stalingrad pocket: no unit, line or reinforcement uses its hexes until turn 4 is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.state import VictoryState

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def pocket_closed(game: AVictoryLost, state: VictoryState) -> bool:
    return state.turn <= game.pocket_turns


def usable_ground(game: AVictoryLost, state: VictoryState) -> int:
    """The hexes that units may use now: those that lines may use, in the area of the scenario."""
    closed = pocket_closed(game, state)
    found = game.usable_ground.get((state.scenario, closed))
    if found is None:
        found = ground_for_lines(game, state) & game.victory(state).area
        game.usable_ground[state.scenario, closed] = found
    return found


def ground_for_lines(game: AVictoryLost, state: VictoryState) -> int:
    """The hexes that supply lines and trains may use now: dry land, without the pocket while it is closed.
    Command radii alone may cross the pocket (7.3.4)."""
    return game.data.land & ~game.data.pocket if pocket_closed(game, state) else game.data.land
