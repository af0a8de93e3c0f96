"""37 Flooding, the Westwall, neutrals, garrisons, governments: what they do to the land war."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import ceil, floor

from grognard.board import Board
from grognard.board.board import each
from grognard.games.second_front.rules.special import succeeds
from grognard.games.second_front.units import Piece

NEUTRAL = ("country_andorra", "country_spain", "country_switzerland")
FLOOD_AID, MASSIVE_AID = 3, 7
"""Resource points that the Allies spend on relief (37A3, 37A4)."""
GOVERNMENT_FLEES = 2
"""The highest die with which a government escapes (37G2)."""
RE_PER_POINT = 3


# 37A3, 37A4


def may_flood(board: Board, cell: int) -> bool:
    """37A3: a hex of canals."""
    return board.info[cell].terrain == "intensive_canal"


def may_flood_massively(board: Board, cell: int, allied_attack: bool) -> bool:
    """37A4: the Axis alone, in the Netherlands, by the sea, a river or a canal."""
    if not allied_attack or not may_flood(board, cell):
        return False
    info = board.info[cell]
    if "country_netherlands" not in info.features:
        return False
    wet = ("river", "major_river", "canal")
    sides = any(board.side_has(cell, there, side) for there in board.adjacent[cell] for side in wet)
    return "coastal" in info.features or sides


def floods(die: int, dutch: bool, massive: bool) -> bool:
    """The success table; Dutch locks are ready."""
    return succeeds("flood_massive" if massive else "flood_partial", die, int(dutch and not massive))


def relief(board: Board, cell: int, massive: bool) -> int:
    """37A3, 37A4: what a flood costs the Allies at once, whoever made it."""
    if massive:
        return MASSIVE_AID
    cities = {"dot_city", "major_city_full", "major_city_partial"}
    here = board.info[cell].features
    near = [board.info[there].features for there in board.adjacent[cell]]
    dutch = "country_netherlands" in here
    return FLOOD_AID if "dot_city" in here or (dutch and any(f & cities for f in near)) else 0


# 37B5


def westwall_ignores(result: str) -> bool:
    """37B5: in an improved hex of the Westwall nobody retreats, except after DE."""
    return result in ("DR", "DH")


# 37C


def neutral(board: Board, cell: int) -> bool:
    """3B3, 37C: nobody enters."""
    return not board.info[cell].features.isdisjoint(NEUTRAL)


# 37E


def at_once(garrison: Iterable[Piece]) -> int:
    """37E: how many RE of a garrison come into play when the enemy enters its district: half, rounded down.
    The rest comes in the next initial phase."""
    return floor(sum((piece.re for piece in garrison), Fraction(0)) / 2)


def may_activate(board: Board, districts: Sequence[str], enemies: int, initial: bool) -> bool:
    """37E: an enemy unit in a district of the garrison; in an initial phase one in an adjacent district is
    enough."""
    own = _featured(board, tuple(f"district_{name}" for name in districts))
    if enemies & own:
        return True
    if not initial:
        return False
    near = board.spread(own) & ~own
    beside = {f for cell in each(near) for f in board.info[cell].features if f.startswith("district_")}
    return bool(beside) and bool(enemies & _featured(board, tuple(sorted(beside))))


@cache
def _featured(board: Board, features: tuple[str, ...]) -> int:
    return board.with_feature(*features)


def penalty(required: Fraction, own: Fraction, others: Fraction) -> int:
    """37E1: infantry replacement points for a garrison that is too small: one for each 3 RE or part that is
    missing. Units of other nationalities count half."""
    missing = required - own - others / 2
    return ceil(missing / RE_PER_POINT) if missing > 0 else 0


# 37G


def government_escapes(die: int) -> bool:
    """37G2."""
    return die <= GOVERNMENT_FLEES


def morale(captured: int, restored: int, turn: int) -> Fraction:
    """37G3: half strength in the turn of the capture and in that of the return; 0 is no turn."""
    return Fraction(1, 2) if turn in (captured, restored) else Fraction(1)
