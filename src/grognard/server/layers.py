"""Sets of hexes that are shown on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grognard.kernel import Game
from grognard.server.room import Room

MOST = 12
"""How many layers a client may have shown at a time."""


class Wish(NamedTuple):
    """A layer that somebody wants to see, of a side or of nobody."""

    layer: str
    side: str | None


def read_wishes(words: Any) -> list[Wish]:
    """What a client wants to see: [[layer, side], ...]. ValueError if it is nothing of the kind."""
    if not isinstance(words, list) or len(words) > MOST:
        raise ValueError
    found = []
    for pair in words:
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
            raise ValueError
        if pair[1] is not None and not isinstance(pair[1], str):
            raise ValueError
        found.append(Wish(*pair))
    return found


def layers(room: Room, sides: Sequence[int], wishes: Sequence[Wish]) -> dict[str, list[str]]:
    """The hexes of each layer wished for; what there is not, or may not be seen, is left out."""
    if not wishes or room.shown.state.over:
        return {}
    # A copy: this is called in threads, and positions keep what they have worked out.
    state = room.shown.state.clone()
    found = {}
    for wish in wishes:
        hexes = layer(room.game, state, sides, wish)
        if hexes is not None:
            found[wish.layer if wish.side is None else f"{wish.layer}:{wish.side}"] = hexes
    return found


def layer(game: Game[Any], state: Any, sides: Sequence[int], wish: Wish) -> list[str] | None:
    """The hexes of a layer; None if there is no such layer or this seat may not see it."""
    kind = next((kind for kind in game.layers if kind.id == wish.layer), None)
    if kind is None or kind.sided != (wish.side is not None):
        return None
    if wish.side is not None and wish.side not in game.sides:
        return None
    side = None if wish.side is None else game.sides.index(wish.side)
    if not kind.open and side not in sides:
        return None
    return [game.board.number(cell) for cell in game.layer(state, kind.id, side)]
