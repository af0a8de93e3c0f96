"""10 Armour and antitank effects: which share of a force can use tanks, or stop them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from grognard.games.second_front.books import charts, turns
from grognard.games.second_front.rules.special import cargo_rating
from grognard.games.second_front.rules.strength import Attacker, Target, hex_lines, side_lines
from grognard.games.second_front.rules.weather import FULL_AEC, NO_AEC, REDUCED_AEC, armour_effects
from grognard.games.second_front.units import (
    ALLIED,
    CATEGORIES,
    HALF_CAPABLE,
    NEUTRAL,
    NO_UNITS,
    NONE,
    Piece,
    Rating,
)

AECA, AECD, ATEC = range(3)
"""Armour in attack, armour in defence, antitank weapons (10A)."""
INCAPABLE_FROM = 2
"""The turn without supply from which a unit has no capability (12D)."""
MOST = Fraction(1, 2)
"""The share from which the attacker's armour calls for antitank weapons (10C2) and losses are mandatory
(10H)."""
LEVELS = {"full": FULL_AEC, "reduced": REDUCED_AEC, "none": NO_AEC, "other terrain": FULL_AEC}


class Counted(NamedTuple):
    """Some RE in a category."""

    rating: Rating
    re: Fraction


class Effects(NamedTuple):
    """What armour and antitank weapons do to the die of a battle."""

    attack: int
    defence: int
    attack_share: Fraction
    defence_share: Fraction
    defence_category: int
    attacker_pays: bool
    """10H: half of the attacker's losses are his armour's."""
    defender_pays: bool

    @property
    def net(self) -> int:
        """10D."""
        return self.attack + self.defence


def infantry_weapons(piece: Piece, turn: str) -> bool:
    """10I: from when units without antitank capability are neutral. Italians and others of the Axis never."""
    rules = charts()["aec_atec_rules"]
    if piece.unit.side == ALLIED:
        since = rules.find("allied_none_to_neutral")["value"]
    elif piece.unit.german:
        since = rules.find("german_none_to_neutral")["value"]
    else:
        return False
    number = turns()
    return number[turn] >= number[f"{since}"]


def rating(piece: Piece, category: int, turn: str) -> Rating:
    """10B, 10I, 12D."""
    if piece.hungry >= INCAPABLE_FROM:
        return NONE
    found = cargo_rating(piece, piece.unit.ratings[category])
    if category == ATEC and found == NONE and infantry_weapons(piece, turn):
        return NEUTRAL
    return found


def at_least_half(piece: Piece, category: int, turn: str) -> bool:
    """10H: whose losses are mandatory."""
    return rating(piece, category, turn).share >= MOST


def share(counted: Iterable[Counted]) -> Fraction:
    """10C, 10F: the capable RE among those that are not neutral. Neutrals beyond twice the RE of full and
    half capable units count as not capable."""
    capable = total = able = neutral = Fraction(0)
    for each in counted:
        if each.rating.neutral:
            neutral += each.re
        else:
            total += each.re
            capable += each.re * each.rating.share
            if each.rating.share:
                able += each.re
    total += max(neutral - 2 * able, Fraction(0))
    return capable / total if total else Fraction(0)


def best_share(counted: Sequence[Counted]) -> Fraction:
    """10E: half capable units may count as neutral, and do where that makes the share larger. A side may not
    make it smaller on purpose (ruling)."""
    return _best_share(tuple(sorted(counted)))


@lru_cache(maxsize=10_000)
def _best_share(counted: tuple[Counted, ...]) -> Fraction:
    halves = [each for each in counted if each.rating == HALF_CAPABLE]
    fixed = [each for each in counted if each.rating != HALF_CAPABLE]
    sizes = sorted({each.re for each in halves})
    number = [sum(each.re == size for each in halves) for size in sizes]
    best = Fraction(0)
    for chosen in product(*(range(most + 1) for most in number)):
        entries = list(fixed)
        for size, most, neutral in zip(sizes, number, chosen, strict=True):
            entries += [Counted(NEUTRAL, size)] * neutral + [Counted(HALF_CAPABLE, size)] * (most - neutral)
        best = max(best, share(entries))
    return best


def counted(pieces: Iterable[Piece], category: int, turn: str) -> list[Counted]:
    return [Counted(rating(p, category, turn), p.re) for p in pieces if p.unit.type not in NO_UNITS]


def modifier(category: int, found: Fraction, level: int = FULL_AEC) -> int:
    """10C1 to 10C3. `level` says how far armour effects are reduced; antitank effects never are."""
    if category != ATEC and level == NO_AEC:
        return 0
    reduced = category != ATEC and level == REDUCED_AEC
    for row in charts()["aec_atec"].records:
        low, high = row["fraction_min"], row["fraction_below"]
        assert isinstance(low, int | Fraction)
        below = high is None or (isinstance(high, int | Fraction) and found < high)
        if row["category"] == CATEGORIES[category].upper() and low <= found and below:
            value = row["reduced" if reduced else "normal"]
            assert isinstance(value, int)
            return value
    raise AssertionError("the bands of the chart cover every share")


def _level(lines: Iterable[str]) -> int:
    chart = charts()["terrain_combat"]
    return max((LEVELS[str(chart.find(line)["aec"])] for line in lines), default=FULL_AEC)


def hex_level(target: Target) -> int:
    """10G: the terrain of the hex and the weather."""
    level = max(_level(hex_lines(target)), armour_effects(target.weather))
    if target.fortification is not None:
        row = charts()["fortifications"].find(target.fortification.kind, target.fortification.state)
        level = max(level, LEVELS[str(row["aec"])])
    return level


def effects(target: Target, attackers: Sequence[Attacker], defenders: Sequence[Piece], turn: str) -> Effects:
    """The modifiers of a battle, each side with the largest share that it can have."""
    able = best_share(counted([a.piece for a in attackers], AECA, turn))
    level = hex_level(target)
    entries, sides = [], []
    for attacker in attackers:
        if attacker.piece.unit.type in NO_UNITS:
            continue
        side = _level(side_lines(target, attacker.cell))
        sides.append(side)
        found = rating(attacker.piece, AECA, turn)
        if side == NO_AEC:
            # 10G, 37B3: across such a side nobody uses armour; artillery stays neutral.
            found = NEUTRAL if attacker.piece.unit.gunners else NONE
        entries.append(Counted(found, attacker.piece.re))
    used = best_share(entries)
    if sides and min(sides) >= REDUCED_AEC:
        level = max(level, REDUCED_AEC)
    attack = modifier(AECA, used, level)
    category = ATEC if able >= MOST else AECD
    against = best_share(counted(defenders, category, turn))
    defence = modifier(category, against, FULL_AEC if category == ATEC else hex_level(target))
    return Effects(
        attack,
        defence,
        used if level != NO_AEC else Fraction(0),
        against,
        category,
        attack > 0 and used >= MOST,
        defence < 0 and against >= MOST,
    )
