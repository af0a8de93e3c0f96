"""9A, 9B The odds of a battle and its die."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from grognard.games.second_front.books import charts
from grognard.games.second_front.rules import armour
from grognard.games.second_front.rules.ground import legs
from grognard.games.second_front.rules.strength import (
    WORKS,
    Attacker,
    Fortification,
    Share,
    Target,
    all_across_works,
    attack_shares,
    defence_shares,
    engineer_share,
    fortification_die,
    hex_lines,
    side_lines,
    total,
)
from grognard.games.second_front.rules.weather import die_modifier
from grognard.games.second_front.units import Piece
from grognard.mechanics.odds import rung

COLUMNS = ("1:4", "1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1")
LADDER = tuple(Fraction(*map(int, column.split(":"))) for column in COLUMNS)
TOO_LOW = -1
"""Below 1:4: the attackers are eliminated without a die (9B)."""
ENGINEERS = Fraction(1, 7)
LOWEST, HIGHEST = -6, 10
"""Of the table's dice."""


class Modifier(NamedTuple):
    """A change of the die, with its case."""

    value: int
    case: str
    code: str


class Battle(NamedTuple):
    """Everything that decides a battle but the die."""

    attack: tuple[Share, ...]
    defence: tuple[Share, ...]
    attack_total: Fraction
    defence_total: Fraction
    column: int
    """Of `COLUMNS`; TOO_LOW below them."""
    modifiers: tuple[Modifier, ...]
    armour: armour.Effects
    engineers: bool
    """Engineers help the attack, and bear half of its losses (14A2)."""

    @property
    def modifier(self) -> int:
        """3C2: all of them together."""
        return sum(each.value for each in self.modifiers)


def column(attack: Fraction, defence: Fraction) -> int:
    """9A, 9B: rounded for the defender to a column of the table; more than 9:1 is 9:1."""
    return rung(attack, defence, LADDER)


def fight(
    target: Target,
    attackers: Sequence[Attacker],
    defenders: Sequence[Piece],
    turn: str,
    support: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0)),
    naval: tuple[bool, bool] = (False, False),
) -> Battle:
    """The odds and the modifiers of an attack. `support`: strength from aircraft and ships for the attacker
    and the defender (9A); `naval`: whether ships support the units of each (33A)."""
    attack = attack_shares(target, attackers, naval[0])
    defence = defence_shares(target, defenders, naval[1])
    strengths = total(attack) + support[0], total(defence) + support[1]
    pieces = [attacker.piece for attacker in attackers]
    tanks = armour.effects(target, attackers, defenders, turn)
    engineers = target.for_engineers and engineer_share(target, pieces) >= ENGINEERS
    found = [
        Modifier(terrain_die(target, attackers), "9H", "terrain"),
        Modifier(fortification_die(target.fortification), "37B", "fortification"),
        Modifier(_works_die(target, attackers), "37B3", "works"),
        Modifier(die_modifier(target.weather), "36B", "weather"),
        Modifier(tanks.attack, "10C1", "armour"),
        Modifier(tanks.defence, ("", "10C2", "10C3")[tanks.defence_category], "antitank"),
        Modifier(_engineer_die() if engineers else 0, "14A2", "engineers"),
    ]
    return Battle(
        tuple(attack),
        tuple(defence),
        strengths[0],
        strengths[1],
        column(*strengths) if strengths[1] else len(COLUMNS) - 1,
        tuple(each for each in found if each.value),
        tanks,
        engineers,
    )


def terrain_die(target: Target, attackers: Sequence[Attacker]) -> int:
    """9H: of the hex, and of sides if any attacker crosses them. Mountains are no hindrance if half of the RE
    that attack, artillery left out, are mountain troops."""
    chart = charts()["terrain_combat"]
    value = 0
    for line in hex_lines(target):
        if line == "mountain" and _mountaineers(attackers):
            continue
        value += _whole(chart.find(line)["die_modifier"])
    lines = {line for attacker in attackers for line in side_lines(target, attacker.cell)}
    return value + sum(_whole(chart.find(line)["die_modifier"]) for line in lines)


def _works_die(target: Target, attackers: Sequence[Attacker]) -> int:
    """37B3: of fortified sides, if every attacker crosses one."""
    if not all_across_works(target, attackers):
        return 0
    return fortification_die(Fortification(WORKS, "unimproved"))


def _mountaineers(attackers: Sequence[Attacker]) -> bool:
    pieces = [attacker.piece for attacker in attackers if not attacker.piece.unit.gunners]
    climbing = sum((piece.re for piece in pieces if legs(piece).mountain), Fraction(0))
    return bool(pieces) and 2 * climbing >= sum((piece.re for piece in pieces), Fraction(0))


def _engineer_die() -> int:
    return _whole(charts()["ground_crt_modifiers"].find("combat_engineers")["value"])


def result(column_: int, die: int) -> str:
    """What a modified die gives; below 1:4 always AE (9B)."""
    if column_ == TOO_LOW:
        return "AE"
    row = charts()["ground_crt"].find(COLUMNS[column_], max(LOWEST, min(HIGHEST, die)))
    return str(row["result"])


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value
