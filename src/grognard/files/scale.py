"""Points of movement and supply, counted in whole numbers of a fraction: halves, quarters, twelfths."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

_SIGNS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
}


class Scale(NamedTuple):
    """How many parts a point has. Positions, costs and facts named `points_*` count parts; people read
    points."""

    parts: int = 1

    def text(self, amount: int) -> str:
        """Points as players write them: 2, 1½, ⅔, 5/12."""
        return _text(amount, self.parts)

    def number(self, amount: int) -> float:
        """Points as a number for programs to draw with; whole ones stay whole."""
        return amount // self.parts if amount % self.parts == 0 else amount / self.parts

    def read(self, text: str) -> int:
        """Parts from what a data file says: 2, 1/2, 1 1/2. ValueError if it is no number of parts."""
        found = re.fullmatch(r"(?:([0-9]{1,9})(?:\s+|$))?(?:([0-9]{1,3})/([1-9][0-9]{0,2}))?", text.strip())
        if found is None or not any(found.groups()):
            raise ValueError(f"{text!r} is not points such as 2 or 1/2")
        share = Fraction(int(found[2]), int(found[3])) if found[3] else Fraction(0)
        if share >= 1:
            raise ValueError(f"{text!r} is not points: a fraction is less than 1")
        parts = (int(found[1] or 0) + share) * self.parts
        if parts.denominator != 1:
            raise ValueError(f"{text!r} is not a whole number of 1/{self.parts} points")
        return parts.numerator


@lru_cache(4096)
def _text(amount: int, parts: int) -> str:
    sign = "-" if amount < 0 else ""
    whole, rest = divmod(abs(amount), parts)
    if not rest:
        return f"{sign}{whole}"
    share = Fraction(rest, parts)
    written = _SIGNS.get(share)
    if written is not None:
        return f"{sign}{whole}{written}" if whole else f"{sign}{written}"
    return f"{sign}{whole} {share}" if whole else f"{sign}{share}"


WHOLE = Scale(1)
HALVES = Scale(2)
