"""18.0 Victory: points for German losses against the heart of Leningrad, or what else a scenario names."""

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
    lines = game.victory(state).lines
    for unit in range(state.germans):
        kind = game.units[unit].kind
        if kind == "infantry":
            continue
        if state.where[unit] == DEAD:
            total += lines[f"{kind}-eliminated"]
        elif state.steps[unit] == 1:
            total += lines[f"{kind}-reduced"]
    return total


def german_points(game: Leningrad, state: LeningradState) -> int:
    """18.2 Each of the two hexes of the campaign, or of a scenario's own, held by a German unit in supply."""
    return sum(
        points
        for cell, points in game.victory(state).objectives.items()
        if state.occupied[GERMAN] >> cell & 1 and in_supply(game, state, GERMAN, cell)
    )


def verdict(game: Leningrad, state: LeningradState) -> Outcome:
    """18.3 The difference, read on the scale."""
    german, soviet = german_points(game, state), soviet_points(game, state)
    balance = german - soviet
    points = {"german": german, "soviet": soviet, "balance": balance}
    lines = game.victory(state).lines
    for level in ("german-strategic", "german-tactical"):
        if balance >= lines[level]:
            return Outcome(GERMAN, level, points)
    if balance >= lines["soviet-tactical"]:
        return Outcome(SOVIET, "soviet-tactical", points)
    return Outcome(SOVIET, "soviet-strategic", points)
