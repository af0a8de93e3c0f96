"""What is offered to the side that is asked, in the shapes that doors show: groups of answers, the one that
moves the game on, and what an attack could be made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grognard.kernel.actions import Action
from grognard.kernel.game import Game
from grognard.kernel.verbs import Role

ONWARD = (Role.COMMIT, Role.HALT, Role.END, Role.PASS)
"""Roles of answers that move the game on, the most telling first."""


def groups(game: Game[Any], options: Sequence[Action]) -> list[list[Any]]:
    """Answers in their order; neighbours that differ in the last argument only are one group:
    [verb, fixed arguments ..., [what the last one may be]]."""
    found: list[list[Any]] = []
    last: list[str] | None = None
    for action in options:
        *fixed, argument = words = game.encode(action)
        if len(words) == 1:
            found.append(words)
            last = None
        elif fixed == last:
            found[-1][-1].append(argument)
        else:
            found.append([*fixed, [argument]])
            last = fixed
    return found


def main_answer(game: Game[Any], options: Sequence[Action]) -> Action | None:
    """The answer that moves the game on; the only one, if there is but one."""
    for role in ONWARD:
        for action in options:
            if game.role(action) == role:
                return action
    return options[0] if len(options) == 1 else None


class Aim(NamedTuple):
    """What an attack could be made of: units that may join it, hexes that it may be widened to."""

    may_join: list[int]
    may_widen: list[int]


def widest(game: Game[Any], options: Sequence[Action]) -> Aim:
    """Who may join the attack being put together, and what it may be widened to."""
    return Aim(
        [action[1] for action in options if game.role(action) == Role.JOIN],
        [action[1] for action in options if game.role(action) == Role.WIDEN],
    )


def aims(game: Game[Any], state: Any, side: int, options: Sequence[Action]) -> dict[int, Aim]:
    """For every hex that may be aimed at now, what the attack could be made of."""
    found: dict[int, Aim] = {}
    for action in options:
        if game.role(action) == Role.AIM:
            after = state.clone()
            game.apply(after, action)
            found[action[1]] = widest(game, game.options(after))
    return found
