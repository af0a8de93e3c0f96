"""37G Governments: where they sit, how they are lost and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.second_front.rules.ground import marked
from grognard.games.second_front.rules.supply import CITIES
from grognard.games.second_front.rules.works import government_escapes
from grognard.games.second_front.state import CAPTURED, ESCAPED, FALLING, FrontState, Government
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import Throw

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


def seats(game: SecondFront, state: FrontState, side: int) -> int:
    """37G1: the cities of a side in the area, as a set."""
    return marked(game.board, *CITIES, "point_city") & state.owned[side] & game.plan(state).area


def homeless(government: Government) -> bool:
    return government.cell in (CAPTURED, ESCAPED)


class SeatGovernment(Decision["SecondFront", FrontState]):
    """37G1: a government may move; one that has lost its hex must be placed again if it can be."""

    name = "seat-government"
    case = "37G1"
    verbs = {"install": Verb(("number", "hex"), Role.PLACE), "end": Verb((), Role.END)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _mine(self, state: FrontState) -> dict[int, Government]:
        return {n: each_ for n, each_ in enumerate(state.governments) if each_.side == state.active}

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        done = state.local or 0
        mine = {n: g for n, g in self._mine(state).items() if not done >> n & 1}
        return bool(mine) and bool(seats(game, state, state.active))

    def _must(self, state: FrontState) -> list[int]:
        done = state.local or 0
        return [n for n, each_ in self._mine(state).items() if homeless(each_) and not done >> n & 1]

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        done = state.local or 0
        found: list[Action] = [
            ("install", number, cell)
            for number, government in self._mine(state).items()
            if not done >> number & 1
            for cell in each(seats(game, state, side))
            if cell != government.cell
        ]
        return found if self._must(state) else [*found, ("end",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            must = self._must(state)
            return refusal("government-homeless", "37G2") if must else None
        if action in self.options(game, state, side):
            return None
        return refusal("no-seat", "37G1", hex=action[2])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            state.local = None
            return None
        number, cell = action[1:]
        before = state.governments[number]
        restored = state.turn if homeless(before) else before.restored
        after = before._replace(cell=cell, restored=restored)
        state.governments = (*state.governments[:number], after, *state.governments[number + 1 :])
        state.emit("government-seated", "37G1", text_nation=before.nation, hex=cell)
        state.local = (state.local or 0) | 1 << number
        return AGAIN

    def skip(self, game: SecondFront, state: FrontState) -> Flow:
        state.local = None
        return None


class RollCapture(Throw["SecondFront", FrontState]):
    """37G2: when the enemy takes its hex, a government escapes or is captured."""

    name = "roll-capture"
    case = "37G2"
    verbs = {"seize": Verb(("number",))}

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return any(each_.cell == FALLING for each_ in state.governments)

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        number = next(n for n, each_ in enumerate(state.governments) if each_.cell == FALLING)
        before = state.governments[number]
        escaped = government_escapes(action[1])
        after = before._replace(cell=ESCAPED if escaped else CAPTURED)
        state.governments = (*state.governments[:number], after, *state.governments[number + 1 :])
        kind = "government-escapes" if escaped else "government-captured"
        state.emit(kind, "37G2", text_nation=before.nation, die=action[1])
        return AGAIN
