"""12E Resource points on the map, and the railway capacity that they buy (7A4a, 7A4b)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from grognard.board.board import bits
from grognard.games.second_front.rules.position import situation, track
from grognard.games.second_front.rules.rail import (
    PERMANENT_COST,
    PERMANENT_MOST,
    can_improve,
    is_yard,
    network_of,
    permanent_gain,
    temporary_cost,
    temporary_limit,
)
from grognard.games.second_front.rules.supply import traced
from grognard.games.second_front.state import FrontState
from grognard.kernel import Refusal, refusal

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

TEN = 10
"""RE for one resource point (7A4a)."""


def points_at(state: FrontState, side: int, cell: int) -> int:
    return sum(points for where, owner, points in state.resources if where == cell and owner == side)


def add_points(state: FrontState, side: int, cell: int, points: int) -> None:
    """Put points on a hex, or take some away."""
    total = points_at(state, side, cell) + points
    others = [entry for entry in state.resources if entry[:2] != (cell, side)]
    state.resources = tuple(sorted([*others, *([(cell, side, total)] if total else [])]))


def stocked(state: FrontState, side: int) -> int:
    """The hexes where a side has points, as a set."""
    return bits(cell for cell, owner, _ in state.resources if owner == side)


def store_for(game: SecondFront, state: FrontState, side: int, cell: int, needed: int) -> int | None:
    """14A1: a hex with the points from which a line of supply leads to a hex; the same hex before others."""
    if points_at(state, side, cell) >= needed:
        return cell
    at = situation(game, state, side)
    for number, owner, points in state.resources:
        if owner == side and points >= needed and traced(at, 1 << number) >> cell & 1:
            return number
    return None


# 7A4


def yards_with_points(game: SecondFront, state: FrontState, side: int, network: str) -> list[int]:
    """7A4a, 7A4b: yards of one's own on the network that have resource points and are not isolated."""
    return [
        cell
        for cell, owner, _ in state.resources
        if owner == side
        and is_yard(game.board, cell)
        and network_of(game.board, cell) == network
        and state.open_land[side] >> cell & 1
    ]


def why_not_invest(
    game: SecondFront, state: FrontState, network: str, case: str, needed: int
) -> Refusal | None:
    """Two connected yards that are not isolated, and the points in one of them."""
    side = state.active
    closed = game.board.everywhere & ~state.open_land[side]
    if not can_improve(track(game, state, side), network, closed):
        return refusal("no-yards", case, word_network=network)
    stores = yards_with_points(game, state, side, network)
    if not any(points_at(state, side, cell) >= needed for cell in stores):
        return refusal("no-points", case, n_points=needed)
    return None


def capacity_of(state: FrontState, side: int, network: str) -> int:
    """What a network carries for a side without what was bought for the turn."""
    return next((both[side] for name, *both in state.capacity if name == network), 0)


def extra_of(state: FrontState, network: str) -> int:
    return next((re for name, re in state.rail_extra if name == network), 0)


def more_for_a_turn(state: FrontState, network: str) -> tuple[int, int]:
    """7A4a: RE that one more purchase adds, 10 or what the limit leaves, and its price in points."""
    current, extra = capacity_of(state, state.active, network), extra_of(state, network)
    most = int(min(Fraction(extra + TEN), temporary_limit(current)))
    return most - extra, temporary_cost(Fraction(most)) - temporary_cost(Fraction(extra))


def why_not_more_trains(game: SecondFront, state: FrontState, network: str) -> Refusal | None:
    gained, price = more_for_a_turn(state, network)
    if gained <= 0:
        return refusal("rail-limit", "7A4a", word_network=network)
    return why_not_invest(game, state, network, "7A4a", price)


def spend_in_yard(game: SecondFront, state: FrontState, network: str, points: int) -> None:
    stores = yards_with_points(game, state, state.active, network)
    store = next(cell for cell in stores if points_at(state, state.active, cell) >= points)
    add_points(state, state.active, store, -points)


def buy_trains(game: SecondFront, state: FrontState, network: str) -> None:
    gained, price = more_for_a_turn(state, network)
    spend_in_yard(game, state, network, price)
    known = dict(state.rail_extra)
    known[network] = known.get(network, 0) + gained
    state.rail_extra = tuple(sorted(known.items()))
    state.emit("more-trains", "7A4a", word_network=network, n_re=gained)


def why_not_improve(game: SecondFront, state: FrontState, network: str) -> Refusal | None:
    """7A4b: in an initial phase, no more than 12 points for each network."""
    spent = dict(state.rail_spent).get(network, 0)
    if spent + PERMANENT_COST > PERMANENT_MOST:
        return refusal("rail-limit", "7A4b", word_network=network)
    return why_not_invest(game, state, network, "7A4b", PERMANENT_COST)


def improve_rail(game: SecondFront, state: FrontState, network: str) -> None:
    """The Allies may begin with nothing."""
    spend_in_yard(game, state, network, PERMANENT_COST)
    spent = dict(state.rail_spent)
    spent[network] = spent.get(network, 0) + PERMANENT_COST
    state.rail_spent = tuple(sorted(spent.items()))
    gain, side = permanent_gain(PERMANENT_COST), state.active
    grown = []
    for name, *both in state.capacity:
        both[side] += gain if name == network else 0
        grown.append((name, both[0], both[1]))
    state.capacity = tuple(grown)
    state.emit("rail-improved", "7A4b", word_network=network, n_re=gain)
