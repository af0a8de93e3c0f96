"""Composite orders: a whole move, attack or arrival, spelled out in the small actions of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from grognard.games.a_victory_lost.state import IN_BOX, VictoryState
from grognard.kernel import Action, IllegalActionError, refusal
from grognard.mechanics.orders import read_hexes, read_units

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def expand_order(game: AVictoryLost, state: VictoryState, order: Mapping[str, Any]) -> Iterator[Action]:
    """{"order": "move", "units": [...], "path": [...], "march": true}: units go along a path, one after the
    other (8.1.1), by strategic movement if so ordered.
    {"order": "attack", "targets": [one hex], "units": [...]}: declare an attack and fight it.
    {"order": "arrive", "units": [one unit], "path": [one hex]}: place a reinforcement."""
    kind = order.get("order")
    units = read_units(game, order)
    if kind == "move":
        yield from _move(state, units, read_hexes(game, order, "path"), bool(order.get("march")))
    elif kind == "attack":
        targets = read_hexes(game, order, "targets")
        if len(targets) > 1:
            raise IllegalActionError(refusal("one-target", "9.1.3", hexes=tuple(targets)))
        yield ("target", targets[0])
        for unit in units:
            yield ("join", unit)
        yield ("fight",)
    elif kind == "arrive":
        yield ("arrive", units[0])
        yield ("detrain", read_hexes(game, order, "path")[-1])
    else:
        raise IllegalActionError(refusal("unknown-order", "", word=str(kind)[:40]))


def _move(state: VictoryState, units: list[int], path: list[int], march: bool) -> Iterator[Action]:
    for unit in units:
        way = path
        if state.where[unit] == IN_BOX:
            yield ("march-in" if march else "enter", unit, path[0])
            way = path[1:]
        else:
            yield ("march" if march else "pick", unit)
        for cell in way:
            yield ("step", cell)
        # A unit that cannot go on has been set down already.
        if state.doing("move"):
            yield ("halt",)
