"""1.11 Stacking: three divisions a hex, judged at the end of every phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.state import AXIS, RoadsState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


def height(game: StalingradRoads, units: int) -> int:
    """1.11.3 to 1.11.5 Stacking points of some units: HQs none, the elements of a division one together."""
    divisions = set()
    points = 0
    for unit in each(units & ~game.hqs):
        division = game.units[unit].division
        if not division:
            points += 1
        divisions.add(division)
    return points + len(divisions - {""})


def too_many(game: StalingradRoads, units: int) -> bool:
    """Whether some units may not share a hex at the end of a phase."""
    hqs = units & game.hqs
    if hqs & (hqs - 1):
        return True
    troops = units ^ hqs
    if troops.bit_count() > game.stacking and (
        not troops & game.divided or height(game, troops) > game.stacking
    ):
        return True
    one, other = game.apart
    return bool(units & one) and bool(units & other)


def has_room(game: StalingradRoads, state: RoadsState, unit: int, cell: int) -> bool:
    """Whether a unit can join those on a hex."""
    return not too_many(game, state.at.get(cell, 0) | 1 << unit)


def crowded(game: StalingradRoads, state: RoadsState) -> list[int]:
    """The hexes where too many stand, the Axis' first."""
    # Whoever stands alone is not too many.
    found = [
        cell for cell, units in state.at.items() if units & units - 1 and cell >= 0 and too_many(game, units)
    ]
    return sorted(found, key=lambda cell: (state.occupied[AXIS] >> cell & 1 == 0, cell))


def helps(game: StalingradRoads, state: RoadsState, unit: int) -> bool:
    """1.11.2 Whether a unit is one of those that make its stack too large."""
    stack = state.at.get(state.where[unit], 0)
    if not too_many(game, stack):
        return False
    rest = stack & ~(1 << unit)
    if game.hqs >> unit & 1:
        return (stack & game.hqs).bit_count() > 1 or not too_many(game, rest)
    if height(game, stack) > game.data.numbers["stacking"]:
        return True
    nations = {game.units[other].nation for other in each(stack)}
    return {"hungarian", "romanian"} <= nations and game.units[unit].nation in ("hungarian", "romanian")


class LoseExcess(Decision["StalingradRoads", RoadsState]):
    """1.11.2 The owner eliminates units until the stack is legal."""

    name = "lose-excess"
    case = "1.11.2"
    verbs = {"discard": Verb(("unit",))}

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(crowded(game, state))

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.side(each(state.at[crowded(game, state)[0]])[0])

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        cell = crowded(game, state)[0]
        return [("discard", unit) for unit in each(state.at[cell]) if helps(game, state, unit)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        cell = crowded(game, state)[0]
        if state.where[action[1]] != cell:
            return refusal("not-in-crowd", "1.11.2", unit=action[1], hex=cell)
        if not helps(game, state, action[1]):
            return refusal("not-excess", "1.11.2", unit=action[1])
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        from grognard.games.stalingrad_roads.rules.losses import eliminate

        eliminate(game, state, action[1], "1.11.2")
        return AGAIN
