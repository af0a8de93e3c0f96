"""15 Divisions that break down into parts, and Panther battalions that come and go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.games.second_front.units import Face, Piece, Unit

PANTHER = 4
"""What a division loses when it detaches a battalion (15E)."""
PANTHER_FACE, PANZER_IV_FACE = Face(4, 2, 10), Face(2, 1, 10)
DETACHES_FROM = 15


class Parts(NamedTuple):
    """What a division may become."""

    faces: tuple[Face, ...]
    supported: bool
    headquarters: bool


def ways(faces: Sequence[Face], battalions: Sequence[bool]) -> tuple[Parts, Parts]:
    """15B: supported parts, or a headquarters with the same parts unsupported. Battalions are never
    supported."""
    return (
        Parts(tuple(faces), not any(battalions), False),
        Parts(tuple(faces), False, True),
    )


def assembled_hunger(parts: Sequence[int]) -> int:
    """15A: the assembled unit is as hungry as the hungriest of its parts: player turns without supply."""
    return max(parts)


ASSEMBLED = {Face(5, 3, 10): (Face(2, 1, 10),) * 3}
"""15D: units that are put together from others in play, and what they are made of: US armoured brigades."""


def assembles(parts: Sequence[Face]) -> Face | None:
    """15D: what some units become together, if anything."""
    made = (whole for whole, needed in ASSEMBLED.items() if sorted(needed) == sorted(parts))
    return next(made, None)


def free_set(sets: Sequence[str], used: Sequence[str], named: str = "") -> str | None:
    """15C1, 15C2: a set of counters for one more division: its own, if it has one, or a lettered one that no
    other division uses."""
    if named:
        return None if named in used else named
    return next((letter for letter in sets if letter not in used), None)


# 15E


def may_detach(unit: Unit, detached: bool) -> bool:
    """German Army panzer divisions of 15-10 and more, one battalion each."""
    army = unit.german and unit.type == "panzer_division" and unit.size == "XX"
    return army and unit.face.attack >= DETACHES_FROM and not detached


def without_panther(face: Face) -> Face:
    """The division, or its cadre, after detaching: it counts as panzer-grenadiers."""
    return Face(max(face.attack - PANTHER, 0), max(face.defence - PANTHER, 0), face.movement)


def with_battalion(face: Face, battalion: Face) -> Face:
    """A division with a battalion attached: one strength, for losses too; the battalion neither stacks nor
    counts as RE."""
    return Face(face.attack + battalion.attack, face.defence + battalion.attack, face.movement)


def may_attach(piece: Piece, attached: int) -> bool:
    """To German panzer divisions, one each; not to panzer-grenadiers."""
    return (
        piece.unit.german
        and piece.unit.type == "panzer_division"
        and piece.unit.size == "XX"
        and not attached
    )
