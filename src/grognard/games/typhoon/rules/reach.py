"""7.2, 7.3 What a step costs a unit now, and whether it may be made at all."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from grognard.board import Board
from grognard.games.typhoon.rules.costs import POINT, Prices, cost_of, costs, river_crossings
from grognard.games.typhoon.rules.ground import armed, intact_forts, zone
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import TyphoonState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.movement import Ground, reach

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

ORDINARY, STRATEGIC, MOTORISED, REACTION = range(4)


class Step(NamedTuple):
    """What a step takes."""

    price: int
    """In sixths of a point."""
    ends: bool = False
    """It ends the move: into an enemy zone, or with all that the unit has."""
    all: bool = False
    """It takes the whole movement (7.2.3, 7.3.3, 7.3.9)."""


def mover_of(game: Typhoon, unit: int) -> tuple[str, bool]:
    """Whose prices a unit pays, and whether it is artillery (7.3.4, 7.3.9)."""
    counter = game.units[unit]
    return counter.mover, counter.kind == "artillery"


@cache
def _bridged(board: Board, mover: str, sky: Sky, artillery: bool, a: int, b: int) -> int | None:
    """13.2.1 What a step takes where a pontoon leads over the side."""
    prices = Prices(board, mover, sky, artillery)
    ways = board.sides.get((min(a, b), max(a, b)), {}).keys()
    if board.info[b].terrain == "lake":
        return None
    found = prices.entering(b, ways)
    return None if found is None else max(found, 1)


def base_price(game: Typhoon, state: TyphoonState, unit: int, a: int, b: int) -> int:
    """7.3 The terrain and the side alone; 0 if it cannot be done."""
    mover, artillery = mover_of(game, unit)
    found = costs(game.board, mover, state.sky, artillery).step(a, b)
    side = state.side(unit)
    for pontoon in state.pontoons:
        if pontoon.side == side and {pontoon.cell, pontoon.towards} == {a, b}:
            over = _bridged(game.board, mover, state.sky, artillery, a, b)
            found = min(found or over or 0, over or found or 0)
    siege = game.units[unit].special == "siege"
    if siege and found and found < POINT:
        return POINT
    return found


def extra_price(game: Typhoon, state: TyphoonState, unit: int, there: int, mode: int) -> int:
    """7.2.1, 7.5.3, 12.1.7 What an enemy zone and an enemy strongpoint add."""
    mover, _ = mover_of(game, unit)
    side, weather = state.side(unit), state.sky.weather
    found = 0
    if state.forts[1 - side] >> there & 1:
        found += cost_of("enemy_strongpoint", mover, weather)[1]
    if mode != REACTION and zone(game, state, 1 - side) >> there & 1:
        found += cost_of("enemy_zone", mover, weather)[1]
    return found


def why_not_infiltrate(
    game: Typhoon, state: TyphoonState, unit: int, here: int, there: int, mode: int, fresh: bool
) -> Refusal | None:
    """7.2.2, 7.2.3 From one enemy zone straight into another."""
    counter, board = game.units[unit], game.board
    if mode != ORDINARY or not fresh:
        return refusal("zone-to-zone", "7.2.2", unit=unit, hex=there)
    towns = game.cities | game.major_cities
    able = (
        (counter.motorised and counter.movement >= game.numbers["infiltration_movement"])
        or (counter.kind == "ski" and state.sky.weather in ("snow", "arctic"))
        or (counter.kind != "artillery" and (towns >> here & 1 or towns >> there & 1))
    )
    if not able:
        return refusal("zone-to-zone", "7.2.3", unit=unit, hex=there)
    side = state.side(unit)
    if intact_forts(game, state, 1 - side) >> there & 1:
        return refusal("infiltrates-no-fort", "7.2.3", unit=unit, hex=there)
    if board.side_has(here, there, "fortified") and not state.broken_lines >> there & 1:
        return refusal("infiltrates-no-fort", "7.2.3", unit=unit, hex=there)
    if board.side_has(here, there, "major_river"):
        return refusal("infiltrates-no-river", "7.2.3", unit=unit, hex=there)
    return None


def price_of_step(
    game: Typhoon, state: TyphoonState, unit: int, here: int, there: int, left: int, mode: int, fresh: bool
) -> Step | Refusal:
    """7.1 to 7.3 What one step takes a unit that has some movement left; why it cannot be made if not."""
    side = state.side(unit)
    if there not in game.board.adjacent[here]:
        return refusal("not-adjacent", "7.1.1", unit=unit, hex=there)
    if not game.outline(state).area >> there & 1:
        return refusal("off-the-map", "7.1.6", unit=unit, hex=there)
    if state.fighters(1 - side, there):
        return refusal("enemy-there", "7.1.5", unit=unit, hex=there)
    counter = game.units[unit]
    if counter.kind == "armoured_train":
        return refusal("train-on-rails", "13.3.1", unit=unit)
    enemy_zone = zone(game, state, 1 - side)
    into = bool(enemy_zone >> there & 1)
    reason = _zone_reason(game, state, unit, here, there, mode, fresh, into)
    if reason is not None:
        return reason
    infiltrates = into and bool(enemy_zone >> here & 1)
    base = base_price(game, state, unit, here, there)
    if not base:
        crossing = river_crossings(game.board, *_args(game, state, unit)).step(here, there)
        if not crossing:
            return refusal("forbidden-terrain", "7.3.1", unit=unit, hex=there)
        if mode != ORDINARY or not fresh:
            return refusal("river-first", "7.3.9", unit=unit, hex=there)
        return Step(left, True, True)
    price = base + extra_price(game, state, unit, there, mode)
    if infiltrates:
        return Step(left, True, True)
    if price <= left:
        return Step(price, into)
    minimal = fresh and left > 0 and mode != STRATEGIC
    if minimal and mode in (MOTORISED, REACTION):
        minimal = counter.motorised and not state.unsupplied >> unit & 1
    if minimal and mode == REACTION and into:
        minimal = False
    if not minimal:
        return refusal("too-far", "7.3.2", unit=unit, hex=there, points=price, points_left=left)
    return Step(left, True, True)


def _args(game: Typhoon, state: TyphoonState, unit: int) -> tuple[str, Sky, bool]:
    mover, artillery = mover_of(game, unit)
    return mover, state.sky, artillery


def _zone_reason(
    game: Typhoon, state: TyphoonState, unit: int, here: int, there: int, mode: int, fresh: bool, into: bool
) -> Refusal | None:
    """7.2, 7.5.3, 6.5.3 What the zones of the enemy forbid."""
    side = state.side(unit)
    if not into and mode != REACTION:
        return None
    friends = state.fighters(side, there)
    if game.supplies >> unit & 1 and into and not friends:
        return refusal("supply-no-zone", "6.5.3", unit=unit, hex=there)
    if mode == REACTION:
        near = into or bool(game.contacts[there] & armed(state, 1 - side))
        if near and not friends:
            return refusal("reaction-no-zone", "7.5.3", unit=unit, hex=there)
    if into and zone(game, state, 1 - side) >> here & 1:
        return why_not_infiltrate(game, state, unit, here, there, mode, fresh)
    return None


def within_reach(game: Typhoon, state: TyphoonState, unit: int, budget: int) -> int:
    """The hexes that a unit could reach with some points, as a set, by whatever side's turn it is;
    infiltration, pontoons and the first hex that anybody may enter (7.3.2) are left out."""
    start, side = state.where[unit], state.side(unit)
    mover, artillery = mover_of(game, unit)
    if mover == "rail":
        return 0
    board, weather, shut = game.board, state.sky.weather, zone(game, state, 1 - side)
    barred = [0] * 6
    if shut >> start & 1:
        for direction, there in enumerate(board.neighbours[start]):
            barred[direction] = 1 << start if there >= 0 and shut >> there & 1 else 0
    ground = Ground(
        costs(board, mover, state.sky, artillery),
        game.outline(state).area & ~armed(state, 1 - side),
        stop=shut,
        plus_in=(
            (shut, cost_of("enemy_zone", mover, weather)[1]),
            (state.forts[1 - side], cost_of("enemy_strongpoint", mover, weather)[1]),
        ),
        first_only=river_crossings(board, mover, state.sky, artillery),
        shut=barred if any(barred) else (),
    )
    found = reach(ground, {start: 0}, budget).cells
    if game.supplies >> unit & 1:
        found &= ~shut | armed(state, side)
    return found & ~(1 << start)
