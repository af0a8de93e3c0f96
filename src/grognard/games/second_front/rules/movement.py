"""6 How far a unit gets, 6B administrative movement, 12E what it carries, 13 what an overrun takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.board import Board
from grognard.games.second_front.books import charts
from grognard.games.second_front.rules.ground import (
    POINT,
    administrative_costs,
    costs,
    flood_price,
    legs,
)
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.strength import (
    Attacker,
    Target,
    attack_shares,
    defence_shares,
    helpless,
    total,
)
from grognard.games.second_front.rules.weather import Sky
from grognard.games.second_front.rules.zones import Zones, tolls
from grognard.games.second_front.units import CM, Piece
from grognard.mechanics.movement import Ground, Reach, reach

OVERRUN_ODDS = 10
BEST_ODDS = 12
"""The last line of the chart; units without defence count as this (13)."""


class Terrain(NamedTuple):
    """The map as a side's units find it when they move."""

    board: Board
    sky: Sky
    enemies: int
    """Hexes with enemy units."""
    enemy_zones: Zones
    owned: int
    """Hexes of one's own."""
    area: int
    """The hexes that the scenario plays on, and that are not prohibited by a treaty (37C)."""
    flooded: int = 0
    """Hexes that are swamps now (37A3, 37A4)."""


# Allowance


def load_penalty(piece: Piece, points: int) -> int | None:
    """12E: movement points that carrying resource points takes; None if they are too many."""
    if points > 2 * piece.re:
        return None
    if not points:
        return 0
    return 1 if points <= piece.re else 2


def allowance(piece: Piece, carried: int = 0) -> int:
    """6, 12D, 12E: halves of a movement point in a phase. What is carried is taken off before halving."""
    penalty = load_penalty(piece, carried)
    if penalty is None:
        raise ValueError(f"{carried} resource points are more than {piece.unit.id} carries")
    points = max(piece.face.movement - penalty, 0) * POINT
    halved = piece.hungry >= 2 or (piece.hungry == 1 and piece.unit.klass == CM)
    return points // 2 if halved else points


def may_exploit(piece: Piece) -> bool:
    """4A4, 6: c/m units alone."""
    return piece.unit.klass == CM


# Steps


def ground(terrain: Terrain, piece: Piece) -> Ground:
    """6, 6A: not into enemy units; leaving a hex in an enemy zone has its price."""
    allowed = terrain.area & ~terrain.enemies & terrain.board.everywhere
    wet: list[tuple[int, int]] = []
    if terrain.flooded:
        more = flood_price(terrain.board, legs(piece), terrain.sky, terrain.flooded)
        if more is None:
            allowed &= ~terrain.flooded
        else:
            wet = [(terrain.flooded, more)]
    return Ground(
        costs(terrain.board, legs(piece), terrain.sky),
        allowed,
        plus_in=wet,
        plus_out=tolls(terrain.board, piece, terrain.enemy_zones, terrain.sky),
    )


def administrative_ground(terrain: Terrain, piece: Piece) -> Ground:
    """6B: in hexes of one's own that no enemy unit is next to."""
    near = terrain.board.spread(terrain.enemies)
    allowed = terrain.area & terrain.owned & ~near & ~terrain.enemies
    return Ground(administrative_costs(terrain.board, legs(piece), terrain.sky), allowed)


def reachable(terrain: Terrain, piece: Piece, here: int, points: int) -> Reach:
    return reach(ground(terrain, piece), {here: 0}, points)


# 13


class Overrun(NamedTuple):
    """Whether some units may overrun a hex, and what it costs each of them besides the entry."""

    odds: int
    """To one, rounded down; at least 10."""
    costs: tuple[int, ...]
    """Halves of a point for each unit: terrain, zones of others, overrun."""


def overrun_cost(piece: Piece, odds: int) -> int:
    """The chart by class and odds, in halves of a point."""
    line = "12:1 or more" if odds >= BEST_ODDS else f"{odds}:1"
    found = charts()["overrun_costs"].find(line)["cm_cost" if piece.unit.klass == CM else "other_cost"]
    assert isinstance(found, int)
    return found * POINT


def overrun_odds(target: Target, attackers: Sequence[Attacker], defenders: Sequence[Piece]) -> int | None:
    """13: computed as in combat; None if they are less than 10:1. Units without defence strength count as
    12:1 against any attack strength."""
    if not any(attacker.piece.face.attack for attacker in attackers):
        return None
    if helpless(defenders):
        return BEST_ODDS
    odds = int(total(attack_shares(target, attackers)) // total(defence_shares(target, defenders)))
    return odds if odds >= OVERRUN_ODDS else None


def overrun(
    terrain: Terrain,
    others: Zones,
    target: Target,
    here: int,
    pieces: Sequence[Piece],
    defenders: Sequence[Piece],
) -> Overrun | None:
    """What an overrun out of one hex takes. `others`: the zones of the enemies that are not overrun, whose
    zone is lost at once."""
    if not fits(target.board.info[target.cell].terrain, pieces):
        return None
    odds = overrun_odds(target, [Attacker(piece, here) for piece in pieces], defenders)
    if odds is None:
        return None
    prices = []
    for piece in pieces:
        free = terrain._replace(enemies=terrain.enemies & ~(1 << target.cell), enemy_zones=others)
        entry = ground(free, piece).price(here, target.cell)
        if not entry:
            return None
        prices.append(entry + overrun_cost(piece, odds))
    return Overrun(odds, tuple(prices))
