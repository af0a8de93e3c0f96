"""What a side can take back: marks in the journal, and a copy of the position at every 64th answer or so. The
rest is given again from the nearest copy."""

from __future__ import annotations

from typing import Any, NamedTuple

EVERY = 64
"""Answers between two copies."""


class Mark(NamedTuple):
    """Where a match stood before an answer."""

    journal: int
    log: int
    phase: Any


class Trail:
    """The answers of one side since a die, a reveal or another side's answer."""

    def __init__(self) -> None:
        self.side: int | None = None
        self.marks: list[Mark] = []
        self.copies: list[tuple[int, Any]] = []
        """Positions by the length of the journal, in its order."""

    def copy(self) -> Trail:
        other = Trail()
        other.side, other.marks, other.copies = self.side, self.marks.copy(), self.copies.copy()
        return other

    def begin(self, side: int | None) -> None:
        """Forget the marks; what comes is this side's. None: nothing up to here can be taken back."""
        self.side = side
        self.marks.clear()
        del self.copies[: len(self.copies) if side is None else -1]

    def visit(self, length: int, state: Any) -> None:
        """Keep a copy of a position, unless one lies near enough behind."""
        if not self.copies or not 0 <= length - self.copies[-1][0] < EVERY:
            self.copies.append((length, state.clone()))

    def nearest(self, length: int) -> tuple[int, Any]:
        """The last copy at or before a length of the journal; those after it are dropped."""
        while self.copies[-1][0] > length:
            self.copies.pop()
        return self.copies[-1][0], self.copies[-1][1].clone()
