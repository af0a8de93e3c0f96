"""17.0 Surprise: the Soviets on turn 1, perhaps the Germans on turn 7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.leningrad.rules.supply import dearer_hexes
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.control import zone
from grognard.mechanics.movement import costs_to

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

UNREACHABLE = 1 << 20


def frozen_hexes(game: Leningrad, state: LeningradState, side: int) -> int:
    """17.2 The garrisons of 0205 and 2204 do not move on turn 1."""
    return game.frozen if game.soviets_surprised(state, side) else 0


def costs_to_contact(game: Leningrad, state: LeningradState, unit: int) -> dict[int, int]:
    """What it costs a unit, from each hex, to come next to the nearest German (in its own points).

    Hexes that are full cannot be entered, and a German zone is the end of any way.
    """
    free = game.data.land & ~state.full & ~state.occupied[GERMAN]
    contact = zone(game, state, GERMAN)
    mobile = game.costs[unit] is game.mobile_costs
    key = (free, contact, mobile, state.interdicted)
    found = game.contact_cache.get(key)
    if found is None:
        found = costs_to(game.costs[unit], free & contact, free & ~contact, dearer_hexes(game, state, SOVIET))
        # Bounded: the same few situations return while one side moves, others never do.
        if len(game.contact_cache) > 64:
            game.contact_cache.clear()
        game.contact_cache[key] = found
    return found


class Course(NamedTuple):
    """17.2 What binds a unit on its way, wherever it goes next."""

    unit: int
    here: int
    ways: dict[int, int]
    """What contact costs from each hex."""
    now: int
    """What it costs from here."""
    within_reach: bool


def course(game: Leningrad, state: LeningradState, unit: int, here: int) -> Course:
    ways = costs_to_contact(game, state, unit)
    now, left = ways.get(here, UNREACHABLE), state.left[unit]
    if state.departed >> unit & 1:
        return Course(unit, here, ways, now, now <= left)
    if here in state.interdicted:
        now = _from_interdicted_hex(game, state, unit, here, ways)
    # 4.3 one hex is always possible: contact next door can be reached whatever it costs
    next_door = any(ways.get(c) == 0 for c, _ in game.ways_out[here])
    return Course(unit, here, ways, now, now <= left or next_door)


def why_off_course(
    game: Leningrad, state: LeningradState, courses: Sequence[Course], there: int, prices: Sequence[int]
) -> Refusal | None:
    """17.2 Whether a step would keep a unit from contact it can reach or, failing that, not bring it
    nearer."""
    for (unit, here, ways, now, within_reach), price in zip(courses, prices, strict=True):
        then, left = ways.get(there, UNREACHABLE), state.left[unit]
        if within_reach:
            if then > left - price:
                return refusal("must-reach-contact", "17.2", unit=unit, hex=there)
        elif then >= now:
            return refusal("must-approach", "17.2", unit=unit, hex=there)
        elif _unspent(game, state, unit, there, left - price, ways, then) > _unspent(
            game, state, unit, here, left, ways, now
        ):
            return refusal("must-spend-all", "17.2", unit=unit, hex=there)
    return None


def _unspent(
    game: Leningrad, state: LeningradState, unit: int, here: int, left: int, ways: dict[int, int], now: int
) -> int:
    """17.2 The fewest points that a unit which cannot reach a German is left with if it goes on towards one.
    `now` is what contact costs from here."""
    first = here == state.where[unit] and not state.departed >> unit & 1
    least = left
    shut = state.occupied[GERMAN] | state.full
    for there, bit in game.ways_out[here]:
        then = ways.get(there, UNREACHABLE)
        if then >= now or shut & bit:
            continue
        price = game.costs[unit].step(here, there)
        if state.interdicted:
            times = state.interdicted.count(there) + (state.interdicted.count(here) if first else 0)
            price *= game.data.numbers["interdiction_factor"] ** times
        if price <= left:
            least = min(least, _unspent(game, state, unit, there, left - price, ways, then))
        elif first:
            least = 0  # 4.3
        if not least:
            break
    return least


def _from_interdicted_hex(
    game: Leningrad, state: LeningradState, unit: int, here: int, ways: dict[int, int]
) -> int:
    """13.4 The cost of the cheapest way to contact whose first hex is dearer."""
    air, factor = state.interdicted, game.data.numbers["interdiction_factor"]
    return min(
        (
            game.costs[unit].step(here, c) * factor ** (air.count(here) + air.count(c)) + ways[c]
            for c, bit in game.ways_out[here]
            if c in ways and not (state.occupied[GERMAN] | state.full) & bit
        ),
        default=UNREACHABLE,
    )


def why_stranding(
    game: Leningrad, state: LeningradState, attacked: int, attackers: Sequence[int]
) -> Refusal | None:
    """17.3 Whether attacks on these hexes by these units would leave a Soviet unit next to Germans with
    nothing left to attack."""
    left = state.occupied[GERMAN] & ~attacked
    for unit in each(game.units_of[SOVIET] & ~state.fought & ~bits(attackers)):
        cell = state.where[unit]
        if (
            state.on_map(unit)
            and attackable(state, game.contact[cell])
            and not attackable(state, game.contact[cell] & left)
        ):
            return refusal("must-attack", "17.3", unit=unit, hex=cell)
    return None


def attackable(state: LeningradState, cells: int) -> bool:
    """Whether there are Germans on some hexes who have not been attacked in this phase."""
    return any(state.at[cell] & ~state.attacked for cell in each(cells & state.occupied[GERMAN]))


def why_not_end_combat(game: Leningrad, state: LeningradState) -> Refusal | None:
    """17.3 Every Soviet unit next to Germans attacks on turn 1: the end leaves nothing to attack."""
    return why_stranding(game, state, state.occupied[GERMAN], ())
