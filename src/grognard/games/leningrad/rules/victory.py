"""18.0 Victory: points for German losses against the heart of Leningrad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.rules.supply import in_supply
from grognard.games.leningrad.state import DEAD, GERMAN, SOVIET, LeningradState
from grognard.kernel import Outcome

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def soviet_points(game: Leningrad, state: LeningradState) -> int:
    """18.1 German armoured and mechanised units reduced or eliminated when the game ends."""
    total = 0
    for unit in range(state.germans):
        kind = game.units[unit].kind
        if kind == "infantry":
            continue
        if state.where[unit] == DEAD:
            total += game.data.victory[f"{kind}-eliminated"].points
        elif state.steps[unit] == 1:
            total += game.data.victory[f"{kind}-reduced"].points
    return total


def german_points(game: Leningrad, state: LeningradState) -> int:
    """18.2 Each of the two hexes held by a German unit in supply."""
    held = [
        cell
        for cell in game.victory_hexes
        if state.occupied[GERMAN] >> cell & 1 and in_supply(game, state, GERMAN, cell)
    ]
    return game.data.victory["leningrad-hex"].points * len(held)


def verdict(game: Leningrad, state: LeningradState) -> Outcome:
    """18.3 The difference, read on the scale."""
    german, soviet = german_points(game, state), soviet_points(game, state)
    balance = german - soviet
    points = {"german": german, "soviet": soviet, "balance": balance}
    for level in ("german-strategic", "german-tactical"):
        if balance >= game.data.victory[level].points:
            return Outcome(GERMAN, level, points)
    if balance >= game.data.victory["soviet-tactical"].points:
        return Outcome(SOVIET, "soviet-tactical", points)
    return Outcome(SOVIET, "soviet-strategic", points)
