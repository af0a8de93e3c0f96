"""What the words of a map stand for.

A map.toml declares its own features. The usual ones are known by their names; any other says with `draw`
which of the kinds below it is, and with `rank` how big: a major river before a river, a city before a
village.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HEX_KINDS: dict[str, tuple[str, int]] = {
    "village": ("town", 1),
    "town": ("town", 2),
    "city": ("town", 3),
    "victory_city": ("town", 3),
    "soviet_city": ("town", 4),
    "major_city": ("town", 4),
    "east_prussia": ("area", 0),
}
SIDE_KINDS: dict[str, tuple[str, int]] = {
    "river": ("river", 1),
    "major_river": ("river", 2),
    "road": ("road", 1),
    "main_road": ("road", 2),
    "rail": ("rail", 1),
    "ferry": ("ferry", 0),
    "bridge": ("bridge", 0),
    "sea": ("water", 0),
    "lake": ("water", 0),
    "impassable": ("barrier", 0),
    "border": ("barrier", 0),
    "fortified": ("rampart", 0),
}
ONE_OF_A_KIND = frozenset({"river", "canal", "rail", "ridge"})
"""Kinds of which a side has one feature at most."""
OPEN_WATER = frozenset({"water", "strait"})
"""Kinds of side that a land way cannot cross; a ferry may."""


def kind(settings: Mapping[str, Any], feature: str) -> str:
    """What kind of thing a feature is, by its declaration or by its name; nothing if it has no kind."""
    said = settings.get("features", {}).get(feature, {})
    known = HEX_KINDS if said.get("kind") == "hex" else SIDE_KINDS
    return str(said.get("draw") or known.get(feature, ("", 0))[0])


def rank(settings: Mapping[str, Any], feature: str) -> int:
    """How big it is among those of its kind."""
    said = settings.get("features", {}).get(feature, {})
    known = HEX_KINDS if said.get("kind") == "hex" else SIDE_KINDS
    return int(said.get("rank", known.get(feature, ("", 0))[1]))


def camp(settings: Mapping[str, Any], feature: str) -> str:
    """Whose mark a feature is: the first or the second camp's (`camp` in map.toml), or nobody's."""
    said = settings.get("features", {}).get(feature, {})
    return str(said.get("camp", "neutral"))


def of_kind(settings: Mapping[str, Any], *kinds: str) -> tuple[str, ...]:
    """The map's features of these kinds, in the order in which it declares them."""
    return tuple(word for word in settings.get("features", {}) if kind(settings, word) in kinds)


def groups(settings: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The zonings of a map: each is a list of features of which a hex has one at most."""
    found: dict[str, list[str]] = {}
    for word, said in settings.get("features", {}).items():
        if "group" in said:
            found.setdefault(str(said["group"]), []).append(word)
    return {name: tuple(words) for name, words in found.items()}
