"""40 Replacements: what units cost, how many of a kind may be replaced, what losses give back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from grognard.games.second_front.units import (
    ALLIED,
    ARTILLERY,
    ASSAULT_ENGINEERS,
    CARRIERS,
    CM,
    COMBAT_ENGINEERS,
    COMMANDOS,
    HALF,
    SPECIAL_ARMOUR,
    Piece,
    Unit,
)

HALF_POINT = HALF
ARMOUR_SHARES: Mapping[str, Fraction] = {
    "panzer_division": Fraction(5, 8),
    "mechanised_infantry": Fraction(3, 8),
    "motorised_infantry": Fraction(1, 4),
}
AIRBORNE = frozenset({"parachute", "glider", "para_commando", "hq_airborne"})
MONTH, QUARTER = 2, 6
"""Turns for which a limit holds (40B2, 40B3)."""
GERMAN_SHARE, OTHER_SHARE = 4, 5


class Cost(NamedTuple):
    """Replacement points."""

    armour: Fraction
    infantry: Fraction

    @property
    def total(self) -> Fraction:
        return self.armour + self.infantry


def points(unit: Unit, strength: int, defence: int) -> Fraction:
    """40B1a: a point for each point of attack; by defence if there is none; one for a unit without
    strength."""
    return Fraction(strength or defence or 1)


def split(unit: Unit, total: Fraction) -> Cost:
    """40B1a: c/m units take armour points, and those that the chart lists infantry points too; all others
    infantry points. Half a point is the smallest, armour rounded up."""
    if unit.headquarters:
        share = HALF if unit.klass == CM else Fraction(0)
    elif unit.type == "mixed":
        share = Fraction(1, 3)
    elif unit.klass != CM:
        share = Fraction(0)
    elif unit.type in ARMOUR_SHARES:
        share = ARMOUR_SHARES[unit.type]
    elif unit.type == "tank" and unit.size in ("X", "III") and unit.side != ALLIED:
        share = Fraction(5, 6)
    elif unit.wheels or unit.type.endswith("_mot"):
        share = Fraction(1, 4)
    else:
        share = Fraction(1)
    armour = -(-total * share * 2 // 1) / Fraction(2)
    return Cost(Fraction(armour), total - Fraction(armour))


def cost(unit: Unit) -> Cost:
    """The whole unit out of the replacement box."""
    if unit.type in CARRIERS:
        return Cost(Fraction(unit.re * 2 if unit.re < 1 else 3), Fraction(0))
    if unit.type == "positional_aa":
        return Cost(Fraction(0), unit.re)
    return split(unit, points(unit, unit.face.attack, unit.face.defence))


def cadre_cost(unit: Unit) -> Cost:
    """Only its cadre."""
    assert unit.cadre is not None
    return split(unit, points(unit, unit.cadre.attack, unit.cadre.defence))


def rebuild_cost(unit: Unit) -> Cost:
    """A cadre on the map back to full strength."""
    assert unit.cadre is not None
    return split(unit, Fraction(unit.face.attack - unit.cadre.attack))


def may_rebuild(city: bool, regular_supply: bool, isolated: bool, enemy_zone: bool) -> bool:
    """40B1a: in a city, in regular supply from a source that is not isolated, out of enemy zones."""
    return city and regular_supply and not isolated and not enemy_zone


# 40B2, 40B3


def limits(piece: Piece) -> dict[str, int]:
    """The kinds that a unit belongs to, and for how many turns 1 RE of each is all that may be replaced."""
    unit = piece.unit
    found = {}
    if unit.type in COMBAT_ENGINEERS | ASSAULT_ENGINEERS and unit.type not in SPECIAL_ARMOUR:
        found["engineer"] = MONTH
    if unit.type in SPECIAL_ARMOUR:
        found["specialised armour"] = MONTH
    if unit.side != ALLIED and unit.klass == ARTILLERY:
        found["artillery"] = MONTH
    if unit.side == ALLIED and unit.type in ("amphibious_tank", "lvt"):
        found["amphibious"] = MONTH
    if unit.type in AIRBORNE:
        found["airborne"] = QUARTER
    if unit.type in COMMANDOS:
        found["commando"] = QUARTER
    if unit.type == "political_police":
        found["political police"] = MONTH
    if unit.headquarters:
        found["headquarters"] = MONTH
    return found


def never_replaced(unit: Unit) -> bool:
    """40B2, 40B3."""
    american = unit.nation == "American" and unit.type in COMMANDOS and unit.type != "oss"
    return unit.type in ("port_fortification", "high_mountain") or american


def within_limits(piece: Piece, used: Mapping[str, Fraction]) -> bool:
    """Whether a unit may still be replaced: it counts in every kind that it belongs to. A division of a
    limited kind has to wait until enough of its limit has gathered, and is left to its parts."""
    return all(used.get(kind, Fraction(0)) + piece.re <= 1 for kind in limits(piece))


# 40B1, 40B4, 40D1


def production(normal: Fraction, cities: int, lost: int) -> Fraction:
    """40B1: half a point less for each city that is isolated or the enemy's; nothing without any city."""
    return Fraction(0) if lost >= cities else max(normal - HALF_POINT * lost, Fraction(0))


def special(losses: Iterable[tuple[Unit, bool, bool]]) -> dict[str, Fraction]:
    """40B4: infantry points by nation for units that combat has eliminated or reduced: (unit, reduced to its
    cadre, isolated). Isolated units give nothing; attack strength counts; a quarter for Germans, a fifth for
    others."""
    found: dict[str, Fraction] = {}
    for unit, to_cadre, isolated in losses:
        if isolated:
            continue
        lost = unit.face.attack - (unit.cadre.attack if to_cadre and unit.cadre else 0)
        if unit.type == "port_fortification" and not lost:
            lost = unit.face.defence // 2
        share = GERMAN_SHARE if unit.german else OTHER_SHARE
        found[unit.nation] = found.get(unit.nation, Fraction(0)) + Fraction(lost, share)
    return found


def disbanded(piece: Piece) -> Cost:
    """40D1: what a unit costs; British units without motors, headquarters left out, give a point of infantry
    more for each RE."""
    unit = piece.unit
    whole = cadre_cost(unit) if piece.reduced else cost(unit)
    if unit.nation == "British" and unit.klass != CM and not unit.headquarters:
        return Cost(whole.armour, whole.infantry + piece.re)
    return whole
