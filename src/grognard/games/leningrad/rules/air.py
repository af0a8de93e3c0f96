"""13.0 Air power: two German air units, each used once a turn, in battle or against movement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grognard.games.leningrad.state import GERMAN, LeningradState
from grognard.kernel import AGAIN, Action, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import Choose

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad
    from grognard.games.leningrad.rules.battle import Battle


class CommitAir(Choose["Leningrad", LeningradState]):
    """13.1, 13.2 Before anything untried is revealed, the German player adds air units to a battle."""

    name = "commit-air"
    case = "13.2"
    verbs = {"commit": Verb(("number",))}
    asked = GERMAN

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return state.air_ready > 0

    def able(self, game: Leningrad, state: LeningradState) -> range:
        return range(state.air_ready + 1)

    def why_not(self, game: Leningrad, state: LeningradState, count: int) -> Refusal:
        return refusal("air-used", "13.5", count=state.air_ready)

    def take(self, game: Leningrad, state: LeningradState, count: int) -> None:
        battle: Battle = state.local
        if count:
            state.air_ready -= count
            state.local = battle._replace(air=count)
            state.emit("air-support", "13.1", count=count)


class Interdict(Choose["Leningrad", LeningradState]):
    """13.3 Air units not used in battle may make a hex dearer for Soviet units and supply."""

    name = "interdict"
    case = "13.3"
    verbs = {"interdict": Verb(("hex",), Role.PLACE), "end": Verb((), Role.END)}
    asked = GERMAN

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return state.air_ready > 0

    def able(self, game: Leningrad, state: LeningradState) -> Sequence[int]:
        return game.land_cells

    def options(self, game: Leningrad, state: LeningradState, side: int) -> list[Action]:
        return game.interdiction_options

    def why_not(self, game: Leningrad, state: LeningradState, cell: int) -> Refusal:
        return refusal("interdict-water", "13.3", hex=cell)

    def take(self, game: Leningrad, state: LeningradState, cell: int) -> Flow:
        state.air_ready -= 1
        state.interdicted = (*state.interdicted, cell)
        state.emit("interdicted", "13.3", hex=cell)
        return AGAIN if state.air_ready else None
