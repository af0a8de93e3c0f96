"""15.0 Soviet forts near Leningrad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.leningrad.rules.supply import open_to_lines, supplied_hexes
from grognard.games.leningrad.state import SOVIET, LeningradState
from grognard.kernel import AGAIN, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import Choose

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class Fortify(Choose["Leningrad", LeningradState]):
    """15.0 Place forts near Leningrad where a line reaches the city; 15.4 or keep them for later."""

    name = "fortify"
    case = "15.0"
    verbs = {"fortify": Verb(("hex",), Role.PLACE), "end": Verb((), Role.END)}
    asked = SOVIET

    def pending(self, game: Leningrad, state: LeningradState) -> bool:
        return state.forts_ready > 0 and state.forts_laid < game.data.numbers["forts_per_turn"]

    def able(self, game: Leningrad, state: LeningradState) -> list[int]:
        return each(game.fort_area & fed_by_leningrad(game, state) & ~state.forts)

    def why_not(self, game: Leningrad, state: LeningradState, cell: int) -> Refusal:
        if not game.fort_area >> cell & 1:
            return refusal("fort-too-far", "15.0", hex=cell)
        if state.forts >> cell & 1:
            return refusal("fort-already", "15.5", hex=cell)
        return refusal("fort-unsupplied", "15.0", hex=cell)

    def take(self, game: Leningrad, state: LeningradState, cell: int) -> Flow:
        state.forts |= 1 << cell
        state.forts_ready -= 1
        state.forts_laid += 1
        state.emit("fort-built", "15.0", hex=cell)
        return AGAIN if self.pending(game, state) else None


def fed_by_leningrad(game: Leningrad, state: LeningradState) -> int:
    """Hexes that are part of a valid line to a hex of Leningrad."""
    reached = supplied_hexes(game, state, SOVIET, sources=game.leningrad_set)
    return reached & open_to_lines(game, state, SOVIET)
