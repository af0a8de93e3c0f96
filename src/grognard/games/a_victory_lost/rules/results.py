"""9.4 Losses: steps, shared out by their owner as he likes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.games.a_victory_lost.rules.combat import Battle
from grognard.games.a_victory_lost.rules.victory import eliminate
from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import AGAIN, RETURN, Flow, Refusal, Verb, refusal
from grognard.mechanics.choices import OwnersChoice

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Losses(NamedTuple):
    """Steps that some units owe between them."""

    units: tuple[int, ...]
    owed: int


def losses_of(game: AVictoryLost, state: VictoryState, defending: bool) -> Losses:
    battle: Battle = state.local
    if defending:
        return Losses(battle.defenders, battle.outcome.defender)
    return Losses(battle.attackers, battle.outcome.attacker)


def lose_step(game: AVictoryLost, state: VictoryState, unit: int, case: str) -> None:
    """9.4.2 A full unit is turned over; a reduced one, or one without a reduced side, is eliminated."""
    if state.steps[unit] > 1:
        state.steps[unit] -= 1
        state.emit("reduced", case, unit=unit, hex=state.where[unit])
    else:
        eliminate(game, state, unit, case)


def lose_all(game: AVictoryLost, state: VictoryState) -> Flow:
    """9.4.2 A lone unit, or a debt as large as all that there is, leaves nothing to choose."""
    losses: Losses = state.local
    if not losses.owed:
        return RETURN
    if len(losses.units) == 1:
        for _ in range(min(losses.owed, state.steps[losses.units[0]])):
            lose_step(game, state, losses.units[0], "9.4.2")
        return RETURN
    if losses.owed >= sum(state.steps[u] for u in losses.units):
        for unit in losses.units:
            eliminate(game, state, unit, "9.4.2")
        return RETURN
    return None


class LoseStep(OwnersChoice["AVictoryLost", VictoryState]):
    """9.4.2 The owner takes the steps one by one from whichever of his units he likes."""

    name = "lose-step"
    case = "9.4.2"
    verbs = {"lose": Verb(("unit",))}
    always = True

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return [u for u in state.local.units if state.on_map(u)]

    def why_not(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal:
        return refusal("not-affected", "9.4.2", unit=unit)

    def take(self, game: AVictoryLost, state: VictoryState, unit: int) -> Flow:
        losses: Losses = state.local
        lose_step(game, state, unit, "9.4.2")
        state.local = losses._replace(owed=losses.owed - 1)
        return AGAIN if losses.owed > 1 else None
