"""Result R: the defender moves a unit from behind the front (8.10, 14.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.ground import near
from grognard.games.stalingrad_roads.rules.movement import REACTION, Move, allowance
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.kernel import RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class Reaction(NamedTuple):
    """An R result for a hex."""

    target: int
    panzers: bool = False
    """Panzers to the rescue: German armour only (14.1)."""


def why_not_react(game: StalingradRoads, state: RoadsState, reaction: Reaction, unit: int) -> Refusal | None:
    side, cell = 1 - state.active, state.where[unit]
    counter = game.units[unit]
    if state.side(unit) != side or cell < 0:
        return refusal("not-yours", "8.10", unit=unit)
    if reaction.panzers and (counter.nation != "german" or counter.kind != "panzer"):
        return refusal("panzers-only", "14.1", unit=unit)
    if game.board.distance(cell, reaction.target) > game.data.numbers["reaction_distance"]:
        return refusal("too-far-to-react", "8.10", unit=unit, hex=reaction.target)
    if near(game, state, 1 - side) >> cell & 1:
        return refusal("reacts-next-to-enemy", "8.10", unit=unit)
    plan = game.plan(state)
    if plan.pocket >> cell & 1:
        return refusal("pocket-stays", "S1.4", unit=unit)
    if not allowance(game, state, unit, REACTION) or plan.frozen_hqs >> unit & 1:
        return refusal("cannot-react", "8.10", unit=unit)
    if plan.zone_28 and game.data.zone_28 >> cell & 1:
        return refusal("zone-28", "S2.13", unit=unit)
    if side == SOVIET and game.data.bank >> cell & 1 and state.occupied[AXIS] & game.data.stalingrad:
        return refusal("holds-the-bank", "S2.14", unit=unit)
    return None


class ReactWith(Decision["StalingradRoads", RoadsState]):
    """The defender may move one unit by half its points."""

    name = "react-with"
    case = "8.10"
    verbs = {"react": Verb(("unit",), Role.TAKE), "pass": Verb((), Role.PASS)}

    def _able(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        reaction: Reaction = state.local
        radius = game.data.numbers["reaction_distance"]
        cells = game.board.within((reaction.target,), radius) & state.occupied[1 - state.active]
        return [
            unit
            for cell in each(cells)
            for unit in each(state.at[cell])
            if why_not_react(game, state, reaction, unit) is None
        ]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return state.local is not None and bool(self._able(game, state))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return 1 - state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("react", unit) for unit in self._able(game, state)), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None if action[0] == "pass" else why_not_react(game, state, state.local, action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "react":
            reaction: Reaction = state.local
            left = 2 * allowance(game, state, action[1], REACTION)
            state.push("move", Move((action[1],), left, REACTION, barred=reaction.target))
        return RETURN
