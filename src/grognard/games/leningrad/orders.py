"""Composite orders: a whole move or a whole attack, spelled out in the small actions of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from grognard.games.leningrad.state import LeningradState
from grognard.kernel import Action, IllegalActionError, refusal
from grognard.mechanics.orders import read_hexes, read_units

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def expand_order(game: Leningrad, state: LeningradState, order: Mapping[str, Any]) -> Iterator[Action]:
    """{"order": "move", "units": [...], "path": [...]}: pick up a stack, walk it along, set it down.
    {"order": "attack", "targets": [...], "units": [...]}: announce an attack and fight it."""
    kind = order.get("order")
    units = read_units(game, order)
    if kind == "move":
        yield from _move(game, state, units, read_hexes(game, order, "path"))
    elif kind == "attack":
        yield from _attack(units, read_hexes(game, order, "targets"))
    else:
        raise IllegalActionError(refusal("unknown-order", "", word=str(kind)[:40]))


def _move(game: Leningrad, state: LeningradState, units: list[int], path: list[int]) -> Iterator[Action]:
    if state.where[units[0]] < 0:
        yield ("enter", units[0], path[0])
        path = path[1:]
    else:
        yield ("pick", units[0])
    for unit in units[1:]:
        yield ("add", unit)
    for cell in path:
        yield ("step", cell)
    # A stack that cannot go on has been set down already.
    if state.doing("move"):
        yield ("halt",)


def _attack(units: list[int], targets: list[int]) -> Iterator[Action]:
    yield ("target", targets[0])
    for unit in units:
        yield ("join", unit)
    for cell in targets[1:]:
        yield ("also", cell)
    yield ("fight",)
