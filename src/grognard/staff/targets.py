"""What plans attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Target:
    """An enemy stack and the attack planned against it."""

    __slots__ = ("attackers", "cell", "exits", "face", "memo", "number", "sure", "ways", "zone")

    def __init__(self, number: int, cell: int, face: Any, ways: Sequence[int], sure: int = 0) -> None:
        self.number, self.cell = number, cell
        self.face = face
        """What the game knows of it."""
        self.ways = ways
        """Hexes where it could retreat as long as nobody of ours covers them."""
        self.sure = sure
        """How many more there are that nobody can cover."""
        self.zone: tuple[int, ...] = ()
        """Hexes from which it can be attacked or its ways back be covered."""
        self.exits = 0
        """How many of them are open: 0, 1 or 2 for more."""
        self.attackers: list[int] = []
        self.memo: dict[Any, Any] = {}
