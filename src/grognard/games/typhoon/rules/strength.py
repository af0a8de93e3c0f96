"""8.5.3, 10 What units are worth: attack, defence and support, with steps lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.typhoon.rules.ground import marked, reduced
from grognard.games.typhoon.state import TyphoonState

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def _left(game: Typhoon, state: TyphoonState, unit: int, full: int, back: int) -> int:
    """8.5.3 A strength of the face that lies up; a step-loss marker takes two, and leaves one (ruling)."""
    printed = back if reduced(game, state, unit) else full
    if not marked(game, state, unit) or not printed:
        return printed
    return max(1, printed + game.numbers["step_loss_marker"])


def attack_of(game: Typhoon, state: TyphoonState, unit: int) -> int:
    counter = game.units[unit]
    return _left(game, state, unit, counter.attack, counter.reduced_attack)


def defence_of(game: Typhoon, state: TyphoonState, unit: int) -> int:
    counter = game.units[unit]
    return _left(game, state, unit, counter.defence, counter.reduced_defence)


def support_of(game: Typhoon, state: TyphoonState, unit: int) -> int:
    counter = game.units[unit]
    return _left(game, state, unit, counter.support, counter.reduced_support)
