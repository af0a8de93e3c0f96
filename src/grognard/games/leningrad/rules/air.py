"""13.0 Air power: two German air units, each used once a turn, in battle or against movement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.state import GERMAN, LeningradState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad
    from grognard.games.leningrad.rules.battle import Battle


class CommitAir(Decision["Leningrad", LeningradState]):
    """13.1, 13.2 Before anything untried is revealed, the German player adds air units to a battle."""

    name = "commit-air"
    case = "13.2"
    verbs = {"commit": Verb(("number",))}

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return state.air_ready > 0

    def actor(self, game: Leningrad, state: LeningradState) -> int:
        return GERMAN

    def options(self, game: Leningrad, state: LeningradState, side: int) -> list[Action]:
        return [("commit", n) for n in range(state.air_ready + 1)]

    def refuse(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Refusal | None:
        if action[1] > state.air_ready:
            return refusal("air-used", "13.5", count=state.air_ready)
        return None

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Flow:
        battle: Battle = state.local
        if action[1]:
            state.air_ready -= action[1]
            state.local = battle._replace(air=action[1])
            state.emit("air-support", "13.1", count=action[1])
        return None


class Interdict(Decision["Leningrad", LeningradState]):
    """13.3 Air units not used in battle may make a hex dearer for Soviet units and supply."""

    name = "interdict"
    case = "13.3"
    verbs = {"interdict": Verb(("hex",), Role.PLACE), "end": Verb((), Role.END)}

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return state.air_ready > 0

    def actor(self, game: Leningrad, state: LeningradState) -> int:
        return GERMAN

    def options(self, game: Leningrad, state: LeningradState, side: int) -> list[Action]:
        return game.interdiction_options

    def refuse(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Refusal | None:
        if action[0] == "interdict" and not game.data.land >> action[1] & 1:
            return refusal("interdict-water", "13.3", hex=action[1])
        return None

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        state.air_ready -= 1
        state.interdicted = (*state.interdicted, action[1])
        state.emit("interdicted", "13.3", hex=action[1])
        return AGAIN if state.air_ready else None
