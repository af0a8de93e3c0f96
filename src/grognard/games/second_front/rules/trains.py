"""7A, 12E Trains: where they take units and resource points, and what they use of the networks."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.games.second_front.rules.building import spent
from grognard.games.second_front.rules.phases import (
    EXPLOITATION,
    phase_of,
    why_not_take,
)
from grognard.games.second_front.rules.position import (
    has_room,
    move_to,
    piece,
    track,
)
from grognard.games.second_front.rules.rail import (
    Ride,
    Used,
    charge,
    rail_lines,
    rate,
    rides,
    within,
)
from grognard.games.second_front.rules.stocks import (
    add_points,
    extra_of,
    points_at,
)
from grognard.games.second_front.state import FrontState
from grognard.kernel import RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


QUARTERS = 4


class Freight(NamedTuple):
    """A resource point that goes by train (12E)."""

    cell: int


def trains(
    game: SecondFront, state: FrontState, unit: int, most: int, march: bool = False
) -> dict[int, Ride]:
    """7A: where trains take a unit, within the capacity of the networks: by the way that uses least of it. In
    administrative movement it keeps away from enemies on the train too (6B)."""
    here = piece(game, state, unit)
    if not here.face.movement and not here.unit.by_rail_only:
        return {}
    found = {}
    capacity, used = rail_capacity(state), rail_ledger(state)
    carried: dict[tuple[bool, frozenset[str]], bool] = {}
    lines = track(game, state, state.active)
    if march:
        lines = lines._replace(owned=lines.owned & ~game.board.spread(state.occupied[1 - state.active]))
    for cell, ways in rides(lines, state.where[unit], most).items():
        for ride in sorted(ways, key=lambda way: (way.low, way.hexes)):
            key = ride.low, ride.networks
            if key not in carried:
                carried[key] = within(charge(used, unit, here, ride), capacity)
            if ride.hexes and carried[key]:
                found[cell] = ride
                break
    return found


def rail_capacity(state: FrontState) -> dict[str, int]:
    """7A4, 7A4a: with what has been bought for the player turn."""
    return {name: both[state.active] + extra_of(state, name) for name, *both in state.capacity}


def rail_ledger(state: FrontState) -> tuple[Used, ...]:
    return tuple(Used(name, unit, Fraction(size, QUARTERS)) for name, unit, size in state.rail_used)


def pay_for_train(game: SecondFront, state: FrontState, unit: int, ride: Ride) -> None:
    entries = charge(rail_ledger(state), unit, piece(game, state, unit), ride)
    state.rail_used = tuple((each_.network, each_.unit, int(each_.re * QUARTERS)) for each_ in entries)


def why_not_entrain(game: SecondFront, state: FrontState, unit: int, usable: int) -> Refusal | None:
    """7A2: strategic movement begins on a railway that trains can use, and is all that a unit does."""
    reason = why_not_take(game, state, unit)
    if reason is not None and reason.code != "rails-only":
        return reason
    if phase_of(state) == EXPLOITATION or not state.steady >> unit & 1 or spent(game, state, unit):
        return refusal("rail-alone", "7A2", unit=unit)
    here = state.where[unit]
    if here not in rail_lines(game.board) or not usable >> here & 1:
        return refusal("no-train-here", "7A", unit=unit, hex=here)
    return None


# 12E


def why_not_ship(game: SecondFront, state: FrontState, cell: int, usable: int) -> Refusal | None:
    """12E: a resource point goes by train alone, like a unit of 1 RE."""
    if phase_of(state) == EXPLOITATION:
        return refusal("trains-in-movement", "12E")
    if not points_at(state, state.active, cell):
        return refusal("no-points", "12E", n_points=1)
    if cell not in rail_lines(game.board) or not usable >> cell & 1:
        return refusal("no-freight", "7A", hex=cell)
    return None


def freight_ends(game: SecondFront, state: FrontState, cell: int) -> dict[int, Ride]:
    found, capacity, used = {}, rail_capacity(state), rail_ledger(state)
    for there, ways in rides(track(game, state, state.active), cell, rate("strategic")).items():
        for ride in sorted(ways, key=lambda way: (way.low, way.hexes)):
            if ride.hexes and within((*used, *freight_charge(state, ride)), capacity):
                found[there] = ride
                break
    return found


def freight_charge(state: FrontState, ride: Ride) -> tuple[Used, ...]:
    """Every point is a train of its own: the entries get numbers below those of units."""
    number = min((unit for _, unit, _ in state.rail_used), default=0)
    size = Fraction(2 if ride.low else 1)
    return tuple(Used(network, min(number, 0) - 1, size) for network in sorted(ride.networks))


class SendFreight(Decision["SecondFront", FrontState]):
    """12E: where a resource point goes by train."""

    name = "send-freight"
    case = "12E"
    verbs = {"send": Verb(("hex",), Role.PLACE), "cancel": Verb(())}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        ends = freight_ends(game, state, state.local.cell)
        return [*(("send", cell) for cell in ends), ("cancel",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "cancel" or action[1] in freight_ends(game, state, state.local.cell):
            return None
        return refusal("no-freight-train", "12E", hex=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "send":
            start, end = state.local.cell, action[1]
            entries = freight_charge(state, freight_ends(game, state, start)[end])
            state.rail_used += tuple((e.network, e.unit, int(e.re * QUARTERS)) for e in entries)
            add_points(state, side, start, -1)
            add_points(state, side, end, 1)
            state.emit("freight", "12E", hex_from=start, hex=end)
        return RETURN


class Detrain(Decision["SecondFront", FrontState]):
    """7A2: where a strategic move ends."""

    name = "detrain"
    case = "7A2"
    verbs = {"detrain": Verb(("hex",), Role.PLACE), "cancel": Verb(())}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _ends(self, game: SecondFront, state: FrontState) -> dict[int, Ride]:
        unit = state.local.unit
        ends = trains(game, state, unit, rate("strategic"))
        return {cell: ride for cell, ride in ends.items() if has_room(game, state, unit, cell)}

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return [*(("detrain", cell) for cell in self._ends(game, state)), ("cancel",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "cancel" or action[1] in self._ends(game, state):
            return None
        return refusal("no-train", "7A2", unit=state.local.unit, hex=action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "detrain":
            unit, cell = state.local.unit, action[1]
            here = state.where[unit]
            pay_for_train(game, state, unit, self._ends(game, state)[cell])
            state.moved |= 1 << unit
            state.entrained |= 1 << unit
            state.steady &= ~(1 << unit)
            state.left[unit] = 0
            move_to(game, state, unit, cell)
            state.emit("rail", "7A2", unit=unit, hex_from=here, hex=cell)
        return RETURN
