"""5.5.7, example 4 The attack of a stack under a surprise marker, within the support phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.combat import SURPRISE, Attack, able_to_join, contact
from grognard.games.stalingrad_roads.rules.odds import attack_strength
from grognard.games.stalingrad_roads.rules.supports import Surprise
from grognard.games.stalingrad_roads.state import RoadsState
from grognard.kernel import RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class SurpriseTarget(Decision["StalingradRoads", RoadsState]):
    """The stack attacks an adjacent hex at once, or not at all."""

    name = "surprise-target"
    case = "5.5.7"
    verbs = {"target": Verb(("hex",), Role.AIM), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _targets(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        surprise: Surprise = state.local
        cell = surprise.cell
        found = []
        for target in each(state.occupied[1 - state.active] & bits(game.board.adjacent[cell])):
            if not contact(game, target) >> cell & 1:
                continue
            able = able_to_join(game, state, Attack(target, mode=SURPRISE, cell=cell))
            if able and attack_strength(game, state, able, target):
                found.append(target)
        return found

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._targets(game, state))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("target", cell) for cell in self._targets(game, state)), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action[1] in self._targets(game, state):
            return None
        return refusal("nobody-to-attack", "5.5.7", hex=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return RETURN
        surprise: Surprise = state.local
        state.local = Attack(action[1], mode=SURPRISE, cell=surprise.cell)
        return None
