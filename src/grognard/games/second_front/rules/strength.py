"""9A, 9G, 9H, 11, 12D, 14A3, 14B What units count for in a battle, unit by unit and side by side, in exact
fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from grognard.board import Board
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.ground import (
    COLD_ZONES,
    COLDEST_ZONE,
    FREEZE_IN_COLD,
    legs,
    may_cross,
    weather_of,
)
from grognard.games.second_front.rules.special import carrier_bonus
from grognard.games.second_front.rules.weather import CLEAR, COLD, SNOW, Sky, condition, zone_of
from grognard.games.second_front.units import (
    ARTILLERY,
    ASSAULT_ENGINEERS,
    CM,
    COMBAT_ENGINEERS,
    HALF,
    NO_UNITS,
    SIEGE,
    SPECIAL_ARMOUR,
    Piece,
)

HALVED_FROM = 2
"""The turn without supply from which attack and defence are halved, isolated or not (12D)."""
EXCESS_ARTILLERY = Fraction(1)
"""14B: what all artillery beyond the limit counts for, together."""
MAJOR_CITY = frozenset({"major_city_full", "major_city_partial"})
CITIES = ("major_city_full", "major_city_partial", "dot_city")
SIDES = ("river", "major_river", "canal", "strait", "mountain_hexside", "high_mountain", "fortified_hexside")
SIDE_LINES = {"mountain_side": "mountain_hexside", "fortified": "fortified_hexside"}
"""Features of sides whose lines in the combat chart have another name."""
WORKS = "fortified_hexside"
DOUBLE = Fraction(2)


class Fortification(NamedTuple):
    """A line of the chart of fortifications."""

    kind: str
    state: str

    @property
    def improved_fortress(self) -> bool:
        return self in (("fortress", "improved"), ("port_fortification", "improved"))


FORT = Fortification("fort", "-")


class Target(NamedTuple):
    """The hex attacked, as the table shows it."""

    board: Board
    cell: int
    sky: Sky
    fortification: Fortification | None = None
    flooded: bool = False
    """It is a swamp for now, or for good (37A3, 37A4)."""

    @property
    def weather(self) -> str:
        return condition(self.board, self.cell, self.sky)

    @property
    def features(self) -> frozenset[str]:
        return self.board.info[self.cell].features

    @property
    def major_city(self) -> bool:
        return bool(self.features & MAJOR_CITY)

    @property
    def doubles_assault(self) -> bool:
        """14A3: where assault engineers are twice as strong."""
        return self.major_city or bool(self.fortification and self.fortification.improved_fortress)

    @property
    def for_engineers(self) -> bool:
        """14A2: a major city, or a fortification that hinders the attack."""
        return self.major_city or fortification_die(self.fortification) < 0


class Attacker(NamedTuple):
    """A unit and the hex from which it attacks."""

    piece: Piece
    cell: int


class Share(NamedTuple):
    """What one unit counts for, and each thing that makes it so, with its case."""

    piece: Piece
    strength: Fraction
    reasons: tuple[tuple[str, Fraction], ...] = ()


# The chart


def hex_lines(target: Target) -> list[str]:
    """The lines of the combat chart that hold in a hex: its terrain, and a city in it."""
    terrain = "swamp" if target.flooded else target.board.info[target.cell].terrain
    zone = zone_of(target.board, target.cell, target.sky)
    if terrain in FREEZE_IN_COLD and target.weather in COLD and zone in COLD_ZONES:
        terrain = "woods"
    return [terrain, *(city for city in CITIES if city in target.features)]


def side_lines(target: Target, cell: int) -> list[str]:
    """The lines for a side that is attacked across. A frozen river is no obstacle; a causeway is a major
    river (37A1)."""
    a, b = min(cell, target.cell), max(cell, target.cell)
    features = target.board.sides.get((a, b), {}).keys()
    zone = zone_of(target.board, target.cell, target.sky)
    if "causeway" in features:
        return ["major_river"]
    found = []
    for feature in features:
        line = SIDE_LINES.get(feature, feature)
        if line == "lake" and target.weather == SNOW and zone == COLDEST_ZONE:
            found.append("lake_frozen")
        elif line in SIDES:
            frozen = line in FREEZE_IN_COLD and target.weather in COLD
            if not frozen or weather_of(line, zone, target.weather) == CLEAR:
                found.append(line)
    return sorted(found)


def _column(piece: Piece) -> str:
    """The column of the charts for a unit: by what it is first, then by its class."""
    type_ = piece.unit.type
    if type_.startswith("heavy_aa"):
        return "heavy_aa_factor"
    if type_.endswith("engineer") or type_ in COMBAT_ENGINEERS:
        return "engineer_factor"
    if legs(piece).mountain:
        return "mountain_factor"
    return {CM: "cm_factor", ARTILLERY: "artillery_factor"}.get(piece.unit.klass, "infantry_factor")


@cache
def _factor(chart: str, key: tuple[str, ...], column: str) -> Fraction | None:
    """A cell of a chart; None where an attack is not possible."""
    said = str(charts()[chart].find(*key)[column])
    return None if said == "no" else Fraction(said)


def terrain_factor(piece: Piece, line: str) -> Fraction | None:
    return _factor("terrain_combat", (line,), _column(piece))


def fortification_factor(piece: Piece, fortification: Fortification) -> Fraction:
    """37B. Specialised armour counts as engineers here (14C), siege artillery has a column of its own
    (14B1)."""
    column = _column(piece)
    if piece.unit.type in SIEGE:
        column = "siege_artillery_factor"
    elif piece.unit.type in SPECIAL_ARMOUR:
        column = "engineer_factor"
    elif column == "mountain_factor":
        column = "infantry_factor"
    found = _factor("fortifications", (fortification.kind, fortification.state), column)
    assert found is not None
    return found


def fortification_die(fortification: Fortification | None) -> int:
    if fortification is None:
        return 0
    found = charts()["fortifications"].find(fortification.kind, fortification.state)["die_modifier"]
    assert isinstance(found, int)
    return found


def may_attack_across(target: Target, attacker: Attacker) -> bool:
    """9B: not into or across what is prohibited to the unit."""
    walker = legs(attacker.piece)
    if not may_cross(target.board, walker, target.sky, attacker.cell, target.cell):
        return False
    return all(terrain_factor(attacker.piece, line) is not None for line in side_lines(target, attacker.cell))


# Shares


def attack_shares(target: Target, attackers: Sequence[Attacker], naval: bool = False) -> list[Share]:
    """Every attacker's modified strength (9A). With naval gunfire everybody is supported (33A)."""
    supported = {a.cell for a in attackers if a.piece.supports}
    walled = all_across_works(target, attackers)
    shares = []
    for attacker in attackers:
        piece = attacker.piece
        if piece.unit.type in NO_UNITS:
            continue
        factors: list[tuple[str, Fraction]] = []
        if not piece.supported and attacker.cell not in supported and not naval:
            factors.append(("11", HALF))
        if piece.hungry >= HALVED_FROM or (piece.hungry == 1 and piece.isolated):
            factors.append(("12D", HALF))
        factors += _terrain(target, attacker)
        if not walled and across_works(target, attacker.cell):
            factors.append(("37B3", HALF))
        if piece.disheartened:
            factors.append(("37G3", HALF))
        if target.doubles_assault and piece.unit.type in ASSAULT_ENGINEERS:
            factors.append(("14A3", DOUBLE))
        if piece.unit.type in SIEGE and target.fortification is None and (target.major_city or walled):
            factors.append(("14B1", DOUBLE))
        shares.append(_share(piece, piece.face.attack + carrier_bonus(piece), factors))
    return limit_artillery(shares)


def all_across_works(target: Target, attackers: Sequence[Attacker]) -> bool:
    """37B3: whether every attacker crosses a fortified side; if not, those who do are halved."""
    return bool(attackers) and all(across_works(target, attacker.cell) for attacker in attackers)


def across_works(target: Target, cell: int) -> bool:
    """37B3: whether who attacks from a hex has a fortified side before him. A gun two hexes away fires across
    the side that it sees, or across the angle of two, of which one is enough (14B2, a published answer)."""
    beside = target.board.adjacent[target.cell]
    near = [cell] if cell in beside else [n for n in target.board.adjacent[cell] if n in beside]
    return any(WORKS in side_lines(target, n) for n in near)


def _terrain(target: Target, attacker: Attacker) -> list[tuple[str, Fraction]]:
    lines = [*hex_lines(target), *side_lines(target, attacker.cell)]
    found = [("9H", terrain_factor(attacker.piece, line) or Fraction(0)) for line in lines]
    if target.fortification is not None:
        found.append(("37B", fortification_factor(attacker.piece, target.fortification)))
    return [(case, factor) for case, factor in found if factor != 1]


def defence_shares(target: Target, defenders: Iterable[Piece], naval: bool = False) -> list[Share]:
    """Every defender's modified strength. Those who retreated into the hex in this phase are left out by the
    caller: they add nothing (9F1)."""
    pieces = [piece for piece in defenders if piece.unit.type not in NO_UNITS]
    supported = naval or any(piece.supports for piece in pieces)
    shares = []
    for piece in pieces:
        factors: list[tuple[str, Fraction]] = []
        own = piece.supported or piece.unit.type == "port_fortification"
        if not own and not supported:
            factors.append(("11", HALF))
        if piece.hungry >= HALVED_FROM:
            factors.append(("12D", HALF))
        if piece.disheartened:
            factors.append(("37G3", HALF))
        if target.doubles_assault and piece.unit.type in ASSAULT_ENGINEERS:
            factors.append(("14A3", DOUBLE))
        shares.append(_share(piece, piece.face.defence, factors))
    return limit_artillery(shares)


def _share(piece: Piece, printed: int, factors: Sequence[tuple[str, Fraction]]) -> Share:
    """3C1, 3C2: every factor counts, and fractions are kept."""
    strength = Fraction(printed)
    for _, factor in factors:
        strength *= factor
    return Share(piece, strength, tuple(factors))


def limit_artillery(shares: Sequence[Share]) -> list[Share]:
    """14B: as many RE of artillery at full strength as there are RE of others, the strongest that fit; all
    the rest together count 1 at most."""
    guns = [number for number, share in enumerate(shares) if share.piece.unit.gunners]
    if not guns:
        return list(shares)
    room = sum((share.piece.re for share in shares if not share.piece.unit.gunners), Fraction(0))
    if sum((shares[gun].piece.re for gun in guns), Fraction(0)) <= room:
        return list(shares)
    kept = _strongest(shares, guns, room)
    left = EXCESS_ARTILLERY
    found = []
    for number, share in enumerate(shares):
        if number in guns and number not in kept:
            counted = min(left, share.strength)
            left -= counted
            share = Share(share.piece, counted, (*share.reasons, ("14B", Fraction(0))))
        found.append(share)
    return found


def _strongest(shares: Sequence[Share], guns: Sequence[int], room: Fraction) -> frozenset[int]:
    """The guns of the greatest strength together whose size does not exceed the room."""
    best: dict[Fraction, tuple[Fraction, int, tuple[int, ...]]] = {Fraction(0): (Fraction(0), 0, ())}
    """For each size that fits: less than no strength, number and guns of the best choice."""
    for gun in guns:
        for size, (weakness, count, some) in list(best.items()):
            larger = size + shares[gun].piece.re
            if larger <= room:
                chosen = weakness - shares[gun].strength, count + 1, (*some, gun)
                best[larger] = min(chosen, best.get(larger, chosen))
    return frozenset(min(best.values())[2])


def total(shares: Iterable[Share]) -> Fraction:
    return sum((share.strength for share in shares), Fraction(0))


# 9G


def may_attack(pieces: Iterable[Piece]) -> bool:
    """A unit without attack strength may join others, and not attack alone."""
    return any(piece.face.attack > 0 for piece in pieces)


def helpless(pieces: Iterable[Piece]) -> bool:
    """Units without defence strength, alone in a hex, are eliminated when attacked."""
    return all(piece.face.defence == 0 for piece in pieces)


# 14A2, 14C


def engineer_share(target: Target, attackers: Iterable[Piece]) -> Fraction:
    """Engineers among the RE that attack, artillery left out; assault engineers count double where they are
    doubled."""
    engineers = others = Fraction(0)
    for piece in attackers:
        if piece.unit.gunners or piece.unit.type in NO_UNITS:
            continue
        size = piece.re
        if piece.unit.type in ASSAULT_ENGINEERS and target.doubles_assault:
            size *= 2
        if is_combat_engineer(piece):
            engineers += size
        else:
            others += size
    return engineers / (engineers + others) if engineers else Fraction(0)


def is_combat_engineer(piece: Piece) -> bool:
    return piece.unit.type in COMBAT_ENGINEERS | ASSAULT_ENGINEERS | SPECIAL_ARMOUR
