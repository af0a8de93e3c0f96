"""15.0 Soviet forts near Leningrad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.leningrad.rules.supply import open_to_lines, supplied_hexes
from grognard.games.leningrad.state import SOVIET, LeningradState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class Fortify(Decision["Leningrad", LeningradState]):
    """15.0 Place forts near Leningrad where a line reaches the city; 15.4 or keep them for later."""

    name = "fortify"
    case = "15.0"
    verbs = {"fortify": Verb(("hex",), Role.PLACE), "end": Verb((), Role.END)}

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return state.forts_ready > 0 and state.forts_laid < game.data.numbers["forts_per_turn"]

    def actor(self, game: Leningrad, state: LeningradState) -> int:
        return SOVIET

    def options(self, game: Leningrad, state: LeningradState, side: int) -> list[Action]:
        sites = game.fort_area & fed_by_leningrad(game, state) & ~state.forts
        return [*(("fortify", cell) for cell in each(sites)), ("end",)]

    def refuse(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            return None
        cell = action[1]
        if not game.fort_area >> cell & 1:
            return refusal("fort-too-far", "15.0", hex=cell)
        if state.forts >> cell & 1:
            return refusal("fort-already", "15.5", hex=cell)
        if not fed_by_leningrad(game, state) >> cell & 1:
            return refusal("fort-unsupplied", "15.0", hex=cell)
        return None

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        state.forts |= 1 << action[1]
        state.forts_ready -= 1
        state.forts_laid += 1
        state.emit("fort-built", "15.0", hex=action[1])
        return AGAIN if self.pending(game, state) else None


def fed_by_leningrad(game: Leningrad, state: LeningradState) -> int:
    """Hexes that are part of a valid line to a hex of Leningrad."""
    reached = supplied_hexes(game, state, SOVIET, sources=game.leningrad_set)
    return reached & open_to_lines(game, state, SOVIET)
