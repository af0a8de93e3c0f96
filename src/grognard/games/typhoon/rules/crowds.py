"""3.2.2 What is too much in a hex at the end of a phase is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.typhoon.rules.declaring import drop_void
from grognard.games.typhoon.rules.losses import remove
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.state import AXIS, ELIMINATED, SOVIET, TyphoonState
from grognard.kernel import AGAIN, Flow, Refusal, Verb, refusal
from grognard.mechanics.choices import Choose
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def crowded(game: Typhoon, state: TyphoonState) -> list[tuple[int, int]]:
    """The sides and hexes where too many stand, the Axis' first."""
    found = []
    for cell, units in state.at.items():
        if cell < 0 or units.bit_count() < 3:
            continue
        for side in (AXIS, SOVIET):
            own = units & game.units_of[side]
            if own and excess([game.units[unit] for unit in members(own)]):
                found.append((side, cell))
    return sorted(found)


class LoseExcess(Choose["Typhoon", TyphoonState]):
    """3.2.2 Their owner eliminates the excess, who take no part in attacks that they had declared."""

    name = "lose-excess"
    case = "3.2.2"
    verbs = {"discard": Verb(("unit",))}

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return bool(crowded(game, state))

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return crowded(game, state)[0][0]

    def able(self, game: Typhoon, state: TyphoonState) -> list[int]:
        side, cell = crowded(game, state)[0]
        return [u for u in members(state.own(side, cell)) if game.units[u].stacking]

    def why_not(self, game: Typhoon, state: TyphoonState, unit: int) -> Refusal:
        return refusal("not-in-crowd", "3.2.2", unit=unit, hex=crowded(game, state)[0][1])

    def take(self, game: Typhoon, state: TyphoonState, unit: int) -> Flow:
        remove(game, state, unit, ELIMINATED, "3.2.2")
        drop_void(state)
        return AGAIN
