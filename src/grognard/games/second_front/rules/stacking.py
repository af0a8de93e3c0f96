"""8 Stacking: so many units of any kind, so many smaller ones, so much artillery."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from grognard.games.second_front.books import charts
from grognard.games.second_front.units import ARTILLERY, CARRIERS, Piece

NOT_COUNTED = frozenset({"positional_aa", "port_fortification", "pipeline", *CARRIERS})
"""8A, 14J, 22A2, 37B2: they stack without limit."""


class Limit(NamedTuple):
    """How much may stack in a hex, or attack a hex from each side (8A, 8B)."""

    units: int
    others: int
    """RE of units that are not divisional."""
    artillery: int
    """RE of artillery."""
    artillery_division: bool
    """One divisional unit of artillery may take the place of that (8A1)."""


def limit(terrain: str) -> Limit:
    """8A1, 8A2."""
    return _limit(terrain == "mountain")


@cache
def _limit(mountain: bool) -> Limit:
    row = charts()["stacking"].find("mountain" if mountain else "regular")
    units, others, artillery = (
        int(str(row[column])) for column in ("units_any", "re_non_divisional", "re_artillery")
    )
    return Limit(units, others, artillery, not mountain)


def fits(terrain: str, pieces: Iterable[Piece]) -> bool:
    """Whether units of one side may all stand in a hex of that terrain, or attack one from the same hex."""
    most = limit(terrain)
    counted = [piece for piece in pieces if piece.unit.type not in NOT_COUNTED]
    if len(counted) <= most.units:
        return True
    guns = [piece for piece in counted if piece.unit.klass == ARTILLERY]
    others = [piece for piece in counted if piece.unit.klass != ARTILLERY]
    divisions = [piece for piece in guns if piece.divisional]
    if divisions and most.artillery_division and _rest_fits(most, [*others, *_without(guns, divisions[0])]):
        return True
    room = Fraction(most.artillery)
    left: list[Piece] = []
    for piece in sorted(guns, key=lambda gun: gun.re, reverse=True):
        if not piece.divisional and piece.re <= room:
            room -= piece.re
        else:
            left.append(piece)
    return _rest_fits(most, [*others, *left])


def _without(pieces: list[Piece], one: Piece) -> list[Piece]:
    found = list(pieces)
    found.remove(one)
    return found


def _rest_fits(most: Limit, pieces: list[Piece]) -> bool:
    """The largest take the room for units of any kind."""
    ranked = sorted(pieces, key=lambda piece: (piece.divisional, piece.re), reverse=True)
    rest = ranked[most.units :]
    return not any(piece.divisional for piece in rest) and sum(piece.re for piece in rest) <= most.others
