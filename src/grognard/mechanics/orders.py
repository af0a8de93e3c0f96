"""Reading composite orders: what any of them is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.hexes import UnknownHexError
from grognard.kernel import Game, IllegalActionError, refusal


def read_words(order: Mapping[str, Any], key: str) -> list[str]:
    """A list of names in an order; anything else is refused."""
    words = order.get(key)
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        raise IllegalActionError(refusal("malformed", "", verb=key))
    return words


def read_units(game: Game[Any], order: Mapping[str, Any]) -> list[int]:
    found = []
    for word in read_words(order, "units"):
        try:
            found.append(game.unit_index(word))
        except KeyError:
            raise IllegalActionError(refusal("unknown-unit", "", word=word[:40])) from None
    return found


def read_hexes(game: Game[Any], order: Mapping[str, Any], key: str) -> list[int]:
    found = []
    for word in read_words(order, key):
        try:
            found.append(game.board.cell(word))
        except UnknownHexError:
            raise IllegalActionError(refusal("unknown-hex", "", word=word[:40])) from None
    return found
