"""17 Reinforcements and replacements, and HQs that come back (4.1.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import (
    led_areas,
    line_net,
    supplied_units,
)
from grognard.games.stalingrad_roads.rules.ground import enter_hex, held_by, near
from grognard.games.stalingrad_roads.rules.movement import RAIL, Move, hq_supplied_at, why_not_entrain
from grognard.games.stalingrad_roads.rules.stacking import has_room
from grognard.games.stalingrad_roads.rules.stavka import to_reserve
from grognard.games.stalingrad_roads.state import (
    AVAILABLE,
    AXIS,
    DEAD,
    HQ_BOX,
    SOVIET,
    TO_COME,
    RoadsState,
)
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


# HQs that come back (4.1.2)


def hq_hexes(game: StalingradRoads, state: RoadsState, hq: int) -> list[int]:
    """Where an HQ may come back: on a line of supply, on ground of its side, away from enemies, no other HQ
    there."""
    side = state.side(hq)
    shut = near(game, state, 1 - side) | state.occupied[1 - side]
    cells = line_net(game, state, side) & held_by(game, state, side, game.plan(state).area) & ~shut
    if side == AXIS:
        cells &= ~game.data.edge_row
    return [cell for cell in each(cells & game.data.land) if state.hq_at(cell) < 0]


class ReturnHq(Decision["StalingradRoads", RoadsState]):
    """4.1.2 An HQ that lost its line comes back in the reinforcement phase of the same turn."""

    name = "return-hq"
    case = "4.1.2"
    verbs = {"return": Verb(("unit", "hex"), Role.PLACE)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _returns(self, game: StalingradRoads, state: RoadsState) -> list[Action]:
        waiting = each(state.at.get(HQ_BOX, 0) & game.units_of[state.active])
        return [("return", hq, cell) for hq in waiting[:1] for cell in hq_hexes(game, state, hq)]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._returns(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return self._returns(game, state)

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self._returns(game, state):
            return None
        return refusal("hq-not-there", "4.1.2", unit=action[1], hex=action[2])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        enter_hex(game, state, action[1], action[2])
        state.emit("hq-returned", "4.1.2", unit=action[1], hex=action[2])
        return AGAIN


# Arrivals (17.1, 17.2)


def due_units(game: StalingradRoads, state: RoadsState) -> list[int]:
    return [
        unit
        for unit in each(game.units_of[state.active])
        if state.where[unit] == TO_COME and 0 < state.due[unit] <= state.turn
    ]


def city_hexes(game: StalingradRoads, state: RoadsState, unit: int) -> list[int]:
    """17.1 The hexes of major cities that the Soviets hold whole, without an enemy next to the city."""
    data, enemies = game.data, near(game, state, AXIS) | state.occupied[AXIS]
    majors = data.major_cities & ~data.stalingrad & game.plan(state).area
    cities = [data.stalingrad & game.plan(state).area, *(1 << cell for cell in each(majors))]
    return [
        cell
        for city in cities
        if state.soviet_hexes & city == city and not enemies & city
        for cell in each(city)
        if has_room(game, state, unit, cell)
    ]


class PlaceInCity(Decision["StalingradRoads", RoadsState]):
    """17.1 One Soviet unit bound for the reserve may be placed in a major city instead."""

    name = "place-in-city"
    case = "17.1"
    verbs = {"arrive": Verb(("unit", "hex"), Role.PLACE), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def _due(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        # Those of Operation Mars always go to the reserve.
        elsewhere = {unit for box in game.data.mars.values() for unit, _ in box.units}
        elsewhere.update(game.plan(state).entries)
        return [u for u in due_units(game, state) if u not in elsewhere and not game.hqs >> u & 1]

    def _arrivals(self, game: StalingradRoads, state: RoadsState) -> list[Action]:
        if state.active != SOVIET:
            return []
        due = self._due(game, state)
        return [("arrive", unit, cell) for unit in due for cell in city_hexes(game, state, unit)]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._arrivals(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*self._arrivals(game, state), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action in self._arrivals(game, state):
            return None
        if action[1] not in due_units(game, state):
            return refusal("not-due", "17.1", unit=action[1])
        if action[1] not in self._due(game, state):
            return refusal("not-for-city", "17.1", unit=action[1])
        return refusal("not-entry", "17.1", unit=action[1], hex=action[2])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "arrive":
            state.steps[action[1]] = game.units[action[1]].steps
            enter_hex(game, state, action[1], action[2])
            state.emit("arrived", "17.1", unit=action[1], hex=action[2])
        return None


def receive_reserves(game: StalingradRoads, state: RoadsState) -> Flow:
    """17.1 Soviet reinforcements for the STAVKA reserve; supports that come by date (17)."""
    state.moved = 0
    for kind, support in enumerate(game.supports):
        if support.side == state.active:
            more = sum(n for turn, n in support.arrivals if turn == state.turn)
            if more and state.scenario in game.dated_supports:
                state.pool[kind] += more
                state.emit("support-received", "17", support=kind, n=more)
    if state.active == SOVIET:
        plan = game.plan(state)
        for unit in due_units(game, state):
            barred = unit in plan.cautious and not arrival_hexes(game, state, unit)
            if not plan.entries.get(unit) or barred:
                to_reserve(game, state, unit, "17.1")
    return None


def hurry(game: StalingradRoads, state: RoadsState) -> Flow:
    """17.2.1 At the end of a Soviet turn: an army falling back comes on the next turn if Soviet units stand
    behind it, in the north of the map."""
    plan = game.plan(state)
    if plan.retreating and state.occupied[SOVIET] & game.data.behind_the_don:
        for unit in plan.retreating:
            if state.where[unit] == TO_COME:
                state.due[unit] = min(state.due[unit], state.turn + 1)
    return None


def arrival_hexes(game: StalingradRoads, state: RoadsState, unit: int) -> list[int]:
    """17.2.1 The hexes of a unit's entry that are free of enemies and not crowded."""
    side, plan = state.side(unit), game.plan(state)
    cells = plan.entries.get(unit, 0) & ~state.occupied[1 - side]
    if unit in plan.cautious:
        cells &= ~near(game, state, 1 - side)
    if unit in plan.held_entries:
        cells &= state.soviet_hexes
    if unit in plan.retreating and not cells:
        cells = game.data.north_west & ~state.occupied[1 - side]
    if side == AXIS and unit not in plan.entries:
        # Flown out of the fortress (10.4.3): it comes back as a rebuilt unit does.
        return rebuild_hexes(game, state, unit)
    if not game.units[unit].hq:
        return [cell for cell in each(cells) if has_room(game, state, unit, cell)]
    return [
        cell
        for cell in each(cells)
        if has_room(game, state, unit, cell) and hq_supplied_at(game, state, unit, cell)
    ]


class PlaceArrival(Decision["StalingradRoads", RoadsState]):
    """17.1, 17.2 Units that are due enter on their hexes; those that find none wait for the next turn."""

    name = "place-arrival"
    case = "17.2.1"
    verbs = {"arrive": Verb(("unit", "hex"), Role.PLACE)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _arrivals(self, game: StalingradRoads, state: RoadsState) -> list[Action]:
        return [
            ("arrive", unit, cell)
            for unit in due_units(game, state)
            for cell in arrival_hexes(game, state, unit)
        ]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._arrivals(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return self._arrivals(game, state)

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self._arrivals(game, state):
            return None
        if action[1] not in due_units(game, state):
            return refusal("not-due", "17.2.1", unit=action[1])
        return refusal("not-entry", "17.2.1", unit=action[1], hex=action[2])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        unit = action[1]
        if not state.steps[unit]:
            late = unit in game.plan(state).retreating and state.turn >= game.data.turn_of["JAN IV"]
            state.steps[unit] = 1 if late else game.units[unit].steps
        state.moved |= 1 << unit
        enter_hex(game, state, unit, action[2])
        state.emit("arrived", "17.2.1", unit=unit, hex=action[2])
        return AGAIN


def free_divisions(game: StalingradRoads, state: RoadsState) -> list[int]:
    """17.2.3 While both hexes of Stalingrad are Soviet: the ordinary infantry divisions among the eliminated
    units of the Axis."""
    city = game.data.stalingrad
    if state.active != AXIS or state.soviet_hexes & city != city or "17.2.3" in game.plan(state).left_out:
        return []
    return [
        unit
        for unit in each(game.units_of[AXIS])
        if state.where[unit] == DEAD and game.units[unit].kind == "infantry" and not game.units[unit].elite
    ]


class PlaceFreeDivision(Decision["StalingradRoads", RoadsState]):
    """17.2.3 One of them comes back, reduced, where a rebuilt unit would (17.3.13)."""

    name = "place-free-division"
    case = "17.2.3"
    verbs = {"arrive": Verb(("unit", "hex"), Role.PLACE)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self.options(game, state, AXIS))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        units = free_divisions(game, state)
        return [("arrive", unit, cell) for unit in units for cell in rebuild_hexes(game, state, unit)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[1] not in free_divisions(game, state):
            return refusal("not-free-division", "17.2.3", unit=action[1])
        if action[2] not in rebuild_hexes(game, state, action[1]):
            return refusal("not-entry", "17.3.13", unit=action[1], hex=action[2])
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        unit = action[1]
        state.steps[unit] = 1
        state.moved |= 1 << unit
        enter_hex(game, state, unit, action[2])
        state.emit("arrived", "17.2.3", unit=unit, hex=action[2])
        return None


class RailArrivals(Decision["StalingradRoads", RoadsState]):
    """17.2.2, 7.3.5 Axis reinforcements may go on by rail in the same phase."""

    name = "rail-arrivals"
    case = "17.2.2"
    verbs = {"entrain": Verb(("unit",), Role.TAKE), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def _able(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        if state.active != AXIS or not state.rail:
            return []
        return [u for u in each(state.moved & game.units_of[AXIS]) if why_not_entrain(game, state, u) is None]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._able(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("entrain", unit) for unit in self._able(game, state)), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action[1] in self._able(game, state):
            return None
        if not state.moved >> action[1] & 1:
            return refusal("not-arrived", "17.2.2", unit=action[1])
        return why_not_entrain(game, state, action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return None
        state.rail -= 1
        state.moved &= ~(1 << action[1])
        state.push("train", Move((action[1],), 0, RAIL))
        return AGAIN


# Replacements (17.3)


class Rebuilding(NamedTuple):
    """Replacement points of the phase."""

    left: int
    allied: int = 0
    """Of these, how many allies may still have (17.3.3)."""
    unit: int = -1
    """A unit to be put on the map again."""
    steps: int = 0


def begin_replacements(game: StalingradRoads, state: RoadsState) -> Flow:
    points = game.replacement_points(state, state.active)
    if not points:
        return RETURN
    state.local = Rebuilding(points, points // 2)
    return None


def can_receive(game: StalingradRoads, state: RoadsState, unit: int) -> bool:
    """17.3.14 On the map, supplied, in the radius of an HQ, not next to the enemy."""
    side, cell = state.side(unit), state.where[unit]
    if cell < 0 or near(game, state, 1 - side) >> cell & 1 or (state.unsupplied | state.enclosed) >> unit & 1:
        return False
    in_radius = any(area >> cell & 1 for _, area in led_areas(game, state, side))
    return in_radius and bool(supplied_units(game, state, side, 1 << unit))


def rebuild_hexes(game: StalingradRoads, state: RoadsState, unit: int) -> list[int]:
    """17.3.13 On or next to a supplied HQ of the nationality, not next to the enemy."""
    nation = game.units[unit].nation
    led = led_areas(game, state, AXIS)
    hqs = bits(state.where[hq] for hq, _ in led if game.units[hq].nation == nation)
    cells = (hqs | game.board.spread(hqs)) & game.data.land & game.plan(state).area
    cells &= ~near(game, state, SOVIET) & ~state.occupied[SOVIET] & ~game.data.edge_row
    return [cell for cell in each(cells) if has_room(game, state, unit, cell)]


def why_not_rebuild(
    game: StalingradRoads, state: RoadsState, rebuilding: Rebuilding, unit: int, paid: bool = False
) -> Refusal | None:
    """17.3 Whether a point can be spent on a unit; `paid`: what armour costs besides is not asked."""
    counter, side = game.units[unit], state.active
    if state.side(unit) != side:
        return refusal("not-yours", "17.3", unit=unit)
    if rebuilding.left < 1:
        return refusal("no-replacements", "17.3.4", unit=unit)
    if counter.allied and rebuilding.allied < 1:
        return refusal("allied-half", "17.3.3", unit=unit)
    if counter.kampfgruppe or counter.kind == "alarm":
        return refusal("never-rebuilt", "8.15.8", unit=unit)
    dead = state.where[unit] == DEAD
    if dead and game.plan(state).replacements:
        return refusal("restores-only", "S1.3", unit=unit)
    if not dead and state.where[unit] < 0:
        return refusal("never-rebuilt", "1.3.4", unit=unit)
    if not dead and state.steps[unit] >= counter.steps:
        return refusal("at-full-strength", "17.3", unit=unit)
    if not dead and not can_receive(game, state, unit):
        return refusal("cannot-receive", "17.3.14", unit=unit)
    if counter.armoured and not paid and not game.armour_payers(state):
        return refusal("no-support-for-armour", "17.3.7", unit=unit)
    if dead and side == AXIS and not counter.hq and not rebuild_hexes(game, state, unit):
        return refusal("nowhere-to-rebuild", "17.3.13", unit=unit)
    if dead and counter.hq and not hq_hexes(game, state, unit):
        return refusal("nowhere-to-rebuild", "17.3.5", unit=unit)
    return None


class SpendReplacements(Decision["StalingradRoads", RoadsState]):
    """17.3 Points are spent one by one; they do not keep (17.3.4)."""

    name = "spend-replacements"
    case = "17.3"
    verbs = {"rebuild": Verb(("unit",)), "end": Verb((), Role.END)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _able(self, game: StalingradRoads, state: RoadsState, paid: bool = False) -> list[int]:
        rebuilding: Rebuilding = state.local
        return [
            unit
            for unit in each(game.units_of[state.active])
            if (state.where[unit] >= 0 and state.steps[unit] < game.units[unit].steps)
            or state.where[unit] == DEAD
            if why_not_rebuild(game, state, rebuilding, unit, paid) is None
        ]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        # On what everybody sees: a box of shortages looks as if it could pay (5.1.3).
        boxes = (AVAILABLE,) if state.active == AXIS else range(AVAILABLE)
        return bool(self._able(game, state, any(game.in_box(state, box) for box in boxes)))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("rebuild", unit) for unit in self._able(game, state)), ("end",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            return None
        return why_not_rebuild(game, state, state.local, action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return RETURN
        rebuilding: Rebuilding = state.local
        unit = action[1]
        counter = game.units[unit]
        state.local = rebuilding._replace(
            left=rebuilding.left - 1, allied=rebuilding.allied - counter.allied, unit=unit
        )
        return "pay" if counter.armoured else "place"


class PayForArmour(Decision["StalingradRoads", RoadsState]):
    """17.3.7, 17.3.10, 17.3.12 A step of armour costs a support too; 17.3.11 or an armoured Kampfgruppe."""

    name = "pay-for-armour"
    case = "17.3.7"
    verbs = {"spend": Verb(("support", "box")), "absorb": Verb(("unit",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return game.armour_payers(state)

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in game.armour_payers(state):
            return None
        if action[0] == "absorb":
            return refusal("no-kampfgruppe", "17.3.11", unit=action[1])
        return refusal("not-spendable", "17.3.7", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        from grognard.games.stalingrad_roads.rules.losses import eliminate

        if action[0] == "absorb":
            eliminate(game, state, action[1], "17.3.11")
        else:
            game.spend(state, action[1], action[2])
            state.emit("paid", "17.3.7", support=action[1])
        return None


def restore(game: StalingradRoads, state: RoadsState) -> Flow:
    """17.3.6 to 17.3.9, 17.3.12, 17.3.13 The point takes effect: a step on the map, a Soviet division back in
    the reserve at full strength, or an Axis unit back on the map with one step."""
    rebuilding: Rebuilding = state.local
    unit = rebuilding.unit
    counter = game.units[unit]
    if state.where[unit] >= 0:
        state.steps[unit] += 1
        state.emit("restored", "17.3.6", unit=unit, hex=state.where[unit])
        return "spend"
    if state.side(unit) == SOVIET and not counter.hq:
        to_reserve(game, state, unit, "17.3.13")
        return "spend"
    return None


class PlaceRebuilt(Decision["StalingradRoads", RoadsState]):
    """17.3.13 A rebuilt unit of the Axis, or an HQ, returns to the map."""

    name = "place-rebuilt"
    case = "17.3.13"
    verbs = {"arrive": Verb(("unit", "hex"), Role.PLACE)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        rebuilding: Rebuilding = state.local
        unit = rebuilding.unit
        cells = hq_hexes(game, state, unit) if game.units[unit].hq else rebuild_hexes(game, state, unit)
        return [("arrive", unit, cell) for cell in cells]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-entry", "17.3.13", unit=action[1], hex=action[2])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        unit = action[1]
        state.steps[unit] = 1
        enter_hex(game, state, unit, action[2])
        state.emit("arrived", "17.3.13", unit=unit, hex=action[2])
        return "spend"
