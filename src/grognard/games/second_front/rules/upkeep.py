"""4A1 The initial phase: isolation, supply, attrition, arrivals; 36B the weather of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.second_front.rules.position import (
    fortification,
    on_map,
    piece,
    remove,
    settle_ownership,
    side_of,
    situation,
    sky_of,
)
from grognard.games.second_front.rules.rebuilding import appear
from grognard.games.second_front.rules.supply import (
    Delivered,
    Situation,
    after_initial_phase,
    by_sea,
    counted,
    fed_by_stores,
    full_sources,
    limited_sources,
    overland,
    perishing,
    share_ports,
    survives,
    traced,
)
from grognard.games.second_front.rules.weather import sea_state, throw
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import Throw
from grognard.mechanics.pieces import TO_COME, members

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


ITALIANS = frozenset({"Italian", "RSI"})
"""12C1b: who may also be supplied from two connected major cities in Italy."""
MOST_COUNTED = 250
"""Player turns without supply, of which a byte keeps count."""


class RollWeather(Throw["SecondFront", FrontState]):
    """36B."""

    name = "roll-weather"
    case = "36B"
    verbs = {"weather": Verb(("number",))}

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        month = game.turn_name(state)[:-3]
        state.sky = throw(month, action[1], sky_of(state))
        state.forget_zones()
        state.emit("weather", "36B", die=action[1], word_zone=state.sky[2])
        return None


class RollSea(Throw["SecondFront", FrontState]):
    """36C: a die for each sea of the area."""

    name = "roll-sea"
    case = "36C"
    verbs = {"sea-die": Verb(("number",))}

    def _next(self, game: SecondFront, state: FrontState) -> str | None:
        known = dict(state.seas)
        return next((sea for sea in game.plan(state).seas if known.get(sea, ("", 0))[1] != state.turn), None)

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return self._next(game, state) is not None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        sea = self._next(game, state)
        assert sea is not None
        found = sea_state(game.turn_name(state)[:-3], sea, action[1])
        state.seas = tuple(sorted({**dict(state.seas), sea: (found, state.turn)}.items()))
        state.emit("sea-state", "36C", die=action[1], word_sea=sea, word_state=found)
        return AGAIN


# 3G, 12


def check_isolation(game: SecondFront, state: FrontState) -> Flow:
    """3G: at the beginning of initial and combat phases, for both sides."""
    state.isolated = 0
    lands = []
    for side in (AXIS, ALLIED):
        at = situation(game, state, side)
        sources = regular_sources(game, state, side)
        land = overland(at, sources)
        lands.append(land)
        for cell in each(state.occupied[side] & ~land):
            state.isolated |= state.at[cell]
    state.open_land = lands[AXIS], lands[ALLIED]
    return None


def full_by_plan(game: SecondFront, state: FrontState, side: int) -> int:
    """12C1: hexes beyond the area, ports that a ferry joins to them, as long as they operate, and large ports
    that ships join to a source beyond the map (12B4)."""
    return _full_by_plan(game, state, situation(game, state, side))


def _full_by_plan(game: SecondFront, state: FrontState, at: Situation) -> int:
    plan = game.plan(state)
    ferries = plan.ferries[at.side] & at.owned & ~state.wrecked
    return plan.sources[at.side] | ferries | full_sources(at) | by_sea(at, 1)


def regular_sources(game: SecondFront, state: FrontState, side: int) -> int:
    """Full sources and limited ones (12C)."""
    return _regular_sources(game, state, situation(game, state, side))


def _regular_sources(game: SecondFront, state: FrontState, at: Situation) -> int:
    return _full_by_plan(game, state, at) | bits(limited_sources(at))


def reached_on_arrival(game: SecondFront, state: FrontState, side: int, cell: int) -> bool:
    """12A: whether a line leads from a hex to a regular source as soon as a unit of this side stands there,
    which owns the hex and opens it to lines, whoever's zone it is in."""
    at, here = situation(game, state, side), 1 << cell
    then = at._replace(owned=at.owned | here, friends=at.friends | here)
    return bool(traced(then, _regular_sources(game, state, then)) >> cell & 1)


def check_supply(game: SecondFront, state: FrontState) -> Flow:
    """12B: in every initial phase, for both sides; the status holds for the player turn."""
    state.fed = 0
    for side in (AXIS, ALLIED):
        regular = supplied(game, state, side)
        special = in_port_fortification(game, state, side) | from_stores(game, state, side, regular)
        for unit in on_map(state, side):
            fed = bool(regular >> unit & 1)
            state.hunger[unit] = min(counted(state.hunger[unit], fed), MOST_COUNTED)
            if fed or special >> unit & 1:
                state.fed |= 1 << unit
    state.forget_zones()
    return None


def supplied(game: SecondFront, state: FrontState, side: int) -> int:
    """The units in regular supply: from full sources without limit, from small ports as far as they reach."""
    at = situation(game, state, side)
    full = traced(at, full_by_plan(game, state, side))
    for_italians = full_sources(at, italian=True) if side == AXIS else 0
    italian = traced(at, for_italians) | full if for_italians else full
    found, needs = 0, {}
    ports = limited_sources(at)
    reach = {port: traced(at._replace(at_sea=False), 1 << port) for port in ports}
    for cell in each(state.occupied[side]):
        for unit in members(state.at[cell] & state.side_units[side]):
            mine = italian if game.units[unit].nation in ITALIANS else full
            if mine >> cell & 1:
                found |= 1 << unit
            elif near := [port for port in ports if reach[port] >> cell & 1]:
                needs[unit] = piece(game, state, unit).re, near
    for unit in share_ports(needs, ports):
        found |= 1 << unit
    return found


def from_stores(game: SecondFront, state: FrontState, side: int, regular: int) -> int:
    """12C3a: who lives on supply that aircraft or ships have brought."""
    stores = [Delivered(*entry[1:]) for entry in state.stores if entry[0] == side]
    if not stores:
        return 0
    hungry = {
        unit: (piece(game, state, unit).re, state.where[unit])
        for unit in on_map(state, side)
        if not regular >> unit & 1
    }
    return bits(fed_by_stores(situation(game, state, side), stores, hungry))


def deliver(game: SecondFront, state: FrontState, side: int) -> None:
    """12C3a: the supply that ships bring a side."""
    state.stores = (
        *state.stores,
        *(
            (side, *Delivered(cell, points))
            for owner, cell, points in game.plan(state).deliveries
            if owner == side and state.owned[side] >> cell & 1
        ),
    )


def receive_supply(game: SecondFront, state: FrontState) -> Flow:
    deliver(game, state, state.active)
    return None


def expire_stores(game: SecondFront, state: FrontState) -> Flow:
    """12C3a: at the end of the second initial phase what is left is gone."""
    left = []
    for side in (AXIS, ALLIED):
        stores = [Delivered(*entry[1:]) for entry in state.stores if entry[0] == side]
        left += [(side, *store) for store in after_initial_phase(stores)]
    state.stores = tuple(left)
    return None


def in_port_fortification(game: SecondFront, state: FrontState, side: int) -> int:
    """12C3b: Axis units in the hex of a port fortification."""
    found = 0
    for unit in on_map(state, AXIS) if side == AXIS else ():
        if game.units[unit].type == "port_fortification":
            found |= state.at[state.where[unit]]
    return found


class RollAttrition(Throw["SecondFront", FrontState]):
    """12D: one die for each unit that may perish, in the order of the units."""

    name = "roll-attrition"
    case = "12D"
    verbs = {"starve": Verb(("number",))}

    def _next(self, game: SecondFront, state: FrontState) -> int | None:
        done = state.local or 0
        found = [
            (unit, piece(game, state, unit))
            for unit in members(state.isolated & ~state.fed)
            if unit >= done and state.where[unit] >= 0
        ]
        return next(perishing(found), None)

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return self._next(game, state) is not None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        unit = self._next(game, state)
        assert unit is not None
        cell = state.where[unit]
        works = fortification(game, state, cell)
        strong = works is not None and works.improved_fortress
        lives = survives(game.board, cell, sky_of(state), action[1], strong)
        state.emit("attrition", "12D", unit=unit, die=action[1])
        if not lives:
            remove(game, state, unit, "12D")
            settle_ownership(game, state)
        state.local = unit + 1
        return AGAIN


# 40A2


class PlaceArrival(Decision["SecondFront", FrontState]):
    """40A2: units that are due are placed at once, or held back. They may exceed the stacking limit until the
    end of the movement phase (8B)."""

    name = "place-arrival"
    case = "40A2"
    verbs = {"arrive": Verb(("unit", "hex"), Role.PLACE), "end": Verb((), Role.END)}

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def _due(self, game: SecondFront, state: FrontState) -> dict[int, int]:
        """The units that may arrive, and where."""
        return {
            arrival.unit: arrival.cells & state.owned[state.active] & ~self._shut(game, state)
            for arrival in game.plan(state).arrivals
            if state.where[arrival.unit] == TO_COME
            and arrival.turn <= state.turn
            and side_of(state, arrival.unit) == state.active
        }

    def _shut(self, game: SecondFront, state: FrontState) -> int:
        """40A3: ports that do not operate take no Allied arrivals."""
        return (state.wrecked | state.ruined) if state.active == ALLIED else 0

    def pending(self, game: SecondFront, state: FrontState) -> bool:
        return len(self.options(game, state, state.active)) > 1

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = [
            ("arrive", unit, cell) for unit, cells in self._due(game, state).items() for cell in each(cells)
        ]
        return [*found, ("end",)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            return None
        unit, cell = action[1:]
        due = self._due(game, state)
        if unit not in due:
            return refusal("not-due", "40A2", unit=unit)
        if not due[unit] >> cell & 1:
            case = "40A3" if side == ALLIED else "40A2"
            return refusal("not-its-place", case, unit=unit, hex=cell)
        return None

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        appear(game, state, action[1], action[2])
        state.emit("arrival", "40A2", unit=action[1], hex=action[2])
        return AGAIN
