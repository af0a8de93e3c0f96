"""14 German superiority: which effects are active, and who changes that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.stalingrad_roads.state import ALL_FOUR, AXIS, SOVIET, RoadsState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class ChooseEffect(Decision["StalingradRoads", RoadsState]):
    """14.2.2, 14.2.3 After a major success the Soviets end an effect; the Axis restores one with a major city
    retaken."""

    name = "choose-effect"
    case = "14.2.2"
    verbs = {"suppress": Verb(("effect",)), "reactivate": Verb(("effect",))}

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        if state.superiority == 0:
            state.successes = 0
        if state.superiority == ALL_FOUR:
            state.recoveries = 0
        return bool(state.successes or state.recoveries)

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET if state.successes else AXIS

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        if side == SOVIET:
            return [("suppress", n) for n in range(4) if state.superiority >> n & 1]
        return [("reactivate", n) for n in range(4) if not state.superiority >> n & 1]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("effect-is-so", "14.2.2", effect=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        state.superiority ^= 1 << action[1]
        if side == SOVIET:
            state.successes -= 1
            state.emit("effect-ended", "14.2.2", effect=action[1])
        else:
            state.recoveries -= 1
            state.emit("effect-restored", "14.2.3", effect=action[1])
        return AGAIN
