"""What is in hand, for the seat that is asked: units on the move, an attack being put together and who may
join it.

How far units get is a question of its own (questions.py): to work it out takes longer than all the rest of a
click, and whoever looks on never asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.kernel import Action, Game, Role
from grognard.kernel.advice import Way
from grognard.server.offers import Aim, aims, widest


def hand(
    game: Game[Any], state: Any, side: int, options: Sequence[Action], language: str
) -> dict[str, Any] | None:
    held = game.hand(state)
    roles = {game.role(action) for action in options}
    if held is None and Role.AIM not in roles:
        return None
    units = held.units if held is not None else ()
    found: dict[str, Any] = {
        "units": [game.unit_id(unit) for unit in units],
        "points_left": None
        if held is None or held.points_left is None
        else game.points.number(held.points_left),
        "attack": None,
        "aims": {},
        "extras": [],
    }
    if held is not None and held.attack is not None:
        found["attack"] = {
            "targets": [game.board.number(cell) for cell in held.attack.targets],
            "units": [game.unit_id(unit) for unit in held.attack.units],
            **_aim(game, widest(game, options)),
        }
    if Role.AIM in roles:
        found["aims"] = {
            game.board.number(cell): _aim(game, aim) for cell, aim in aims(game, state, side, options).items()
        }
    if roles & {Role.AIM, Role.JOIN, Role.COMMIT, Role.STRIKE}:
        found["extras"] = extras_in_hand(game, state, side, language)
    return found


def extras_in_hand(game: Game[Any], state: Any, side: int, language: str) -> list[dict[str, Any]]:
    """What a side may add to an attack now, and how much of it."""
    limits = game.extra_limits(state, side)
    return [
        {"id": id_, "name": game.catalogue.template("extras", id_, language), "max": limits[id_]}
        for id_ in (extra.id for extra in game.extras)
        if id_ in limits
    ]


def _aim(game: Game[Any], aim: Aim) -> dict[str, list[str]]:
    return {
        "may_join": [game.unit_id(unit) for unit in aim.may_join],
        "may_widen": [game.board.number(cell) for cell in aim.may_widen],
    }


def reach_tree(game: Game[Any], ways: Mapping[int, Way]) -> dict[str, list[Any]]:
    """Ways as a tree: every hex with the one before it (None: where the units stand) and the points left
    there (None: one may pass but not stay). The cheapest ways share their beginnings, so that none is told
    twice."""
    number = game.board.number
    hexes: dict[str, list[Any]] = {}
    for cell, way in ways.items():
        hexes[number(cell)] = [
            number(way.cells[-2]) if len(way.cells) > 1 else None,
            game.points.number(way.points_left),
        ]
    for way in ways.values():
        for before, cell in zip((None, *way.cells), way.cells, strict=False):
            hexes.setdefault(number(cell), [None if before is None else number(before), None])
    return hexes
