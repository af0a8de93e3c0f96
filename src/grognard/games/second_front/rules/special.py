"""14B2, 14F to 14J, 37D Units with abilities of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from grognard.board import Board
from grognard.games.second_front.books import charts
from grognard.games.second_front.units import (
    ALLIED,
    ARTILLERY,
    COMMANDOS,
    HALF_CAPABLE,
    NEUTRAL,
    NON_MOTORISED,
    Piece,
    Rating,
)

LONG_RANGE = 2
POLICE = "political_police"
KINDS = {
    "commando": "commando",
    "marine_commando": "marine commando",
    "para_commando": "para commando",
    "mechanised_commando": "mechanised commando",
    "mountain_commando": "mountain commando",
}
MARINES_OF_THE_ALLIES = "marine commando and Ranger"


def succeeds(use: str, die: int, modifier: int = 0) -> bool:
    """The success table: a high number is the better one."""
    needed = charts()["success_table"].find(use)["success_on_modified_die_at_least"]
    assert isinstance(needed, int)
    return die + modifier >= needed


# 14B2


def fires_far(board: Board, piece: Piece, cell: int, target: int) -> bool:
    """Whether a long-range siege gun attacks a hex two hexes away. It is then out of reach of the result."""
    return piece.unit.type == "long_range_siege" and board.distance(cell, target) == LONG_RANGE


def may_fire_far(board: Board, attackers: Iterable[tuple[Piece, int]], target: int) -> bool:
    """Never alone: somebody attacks from next to the hex."""
    return any(board.distance(cell, target) == 1 for _, cell in attackers)


# 14G


def with_police(pieces: Iterable[Piece]) -> bool:
    """Whether German political police is among the units of a hex, where it was when the phase began."""
    return any(piece.unit.german and piece.unit.type == POLICE for piece in pieces)


def stiffened(result: str, attacking: bool) -> str:
    """What a result is for Axis units with political police: AR is AS; in defence DR is EX."""
    if attacking:
        return "AS" if result == "AR" else result
    return "EX" if result == "DR" else result


def ignores_retreat(result: str, attacking: bool) -> bool:
    """Survivors stay, except after DE."""
    return result == "AH" if attacking else result == "DH"


# 14H, 37D


def _row(piece: Piece, column: str) -> str:
    unit = piece.unit
    chart = charts()["special_forces"]
    if unit.side == ALLIED:
        kind = MARINES_OF_THE_ALLIES if unit.type == "marine_commando" else KINDS[unit.type]
        return str(chart.find("Allied", kind)[column])
    side = "German" if unit.german else "Italian"
    return str(chart.find(side, KINDS[unit.type])[column])


def slips_through_zones(piece: Piece) -> bool:
    """14H1: all commandos but those of the Allied marines, and Rangers (ruling)."""
    return piece.unit.type in KINDS and _row(piece, "zoc_trick") == "Y"


def retreats_before_combat(piece: Piece) -> bool:
    """14H2."""
    return piece.unit.type in COMMANDOS


def may_surprise(piece: Piece) -> bool:
    """14H3: German commandos with a printed attack of 1 or more."""
    return piece.unit.type in KINDS and _row(piece, "surprise") == "attack 1+" and piece.face.attack >= 1


def agents_row(id_: str) -> str:
    """37D: against whom an agent of the OSS works: it is printed on the counter."""
    return {"_Ger": "vs Germans", "_It": "vs Italians"}.get("_" + id_.rpartition("_")[2], "")


def agents_surprise(row: str, defenders: Iterable[Piece]) -> bool:
    """37D: agents of the OSS, by their line of the chart (vs Germans, vs Italians), where there is one of
    those they work against."""
    nation = {"vs Germans": "German", "vs Italians": "Italian"}.get(row)
    return any(piece.unit.nation == nation for piece in defenders)


def surprise(die: int) -> tuple[int, bool]:
    """14H3: what a surprise attack adds to the die, and whether the commando is lost."""
    if succeeds("surprise_attack", die):
        added = charts()["ground_crt_modifiers"].find("commando_surprise")["value"]
        assert isinstance(added, int)
        return added, False
    return 0, die <= 1


# 14J


def carries(counter: Piece, cargo: Sequence[Piece], capacity: int, phase: str) -> bool:
    """What a movement counter may carry, and when: trucks not in combat (14J1), LVT and APC only units
    without heavy equipment (14J2 by ruling, 14J3)."""
    kind = counter.unit.type
    if sum((piece.re for piece in cargo), Fraction(0)) > capacity:
        return False
    if kind == "truck":
        classes: tuple[str, ...] = (NON_MOTORISED, ARTILLERY)
        if phase == "combat":
            return False
    else:
        classes = (NON_MOTORISED,)
        if any(piece.heavy for piece in cargo):
            return False
    return all(piece.unit.klass in classes for piece in cargo)


def cargo_rating(piece: Piece, own: Rating) -> Rating:
    """14J2, 14J3: in combat cargo of an LVT counts as motorised, that of an APC as mechanised."""
    return {"lvt": NEUTRAL, "apc": HALF_CAPABLE}.get(piece.mount, own)


def carrier_bonus(piece: Piece) -> int:
    """14J3: an APC whose cargo attacks adds 1 to its strength; none in defence, and no loss."""
    return int(piece.mount == "apc")


def capacity(counter: Piece) -> int:
    """14J: the RE that a movement counter carries, printed in place of its size."""
    return int(counter.unit.size.split()[-1])
