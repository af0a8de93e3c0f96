"""6 The supply phase: points arrive, some are spent as sources, and everybody's supply is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.attack_supply import counters, line_area
from grognard.games.typhoon.rules.eligible import status
from grognard.games.typhoon.rules.entry import hexes_of_code
from grognard.games.typhoon.rules.ground import armed, release, spend_point, supplied_hexes, zone
from grognard.games.typhoon.rules.plans import supply_bonus
from grognard.games.typhoon.rules.supply import EMERGENCY, GENERAL, UNSUPPLIED, status_after
from grognard.games.typhoon.state import AXIS, SOVIET, SUPPLY_POOL, TyphoonState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


MOSCOW = 2
"""The purse of the point that Moscow sends (6.5.1), besides those of the sides."""


def receive_points(game: Typhoon, state: TyphoonState) -> Flow:
    """6.5.1 Points of the turn; 17.3.6, 17.3.7 some plans give one more. The point of Moscow comes besides,
    if a Soviet combat unit holds a hex of the city."""
    outline = game.outline(state)
    for side in (AXIS, SOVIET):
        points = outline.supply_points(side, state.turn, state.sky.weather)
        if side == AXIS and outline.id == "campaign":
            points += supply_bonus(state.plan, state.sky)
        state.supply_due[side] = points
    moscow = game.moscow & outline.area
    # 14.3.2 In a panic Moscow sends nothing.
    held = any(state.fighters(SOVIET, cell) for cell in each(moscow))
    state.supply_due[MOSCOW] = int(held and not state.panic)
    return None


def entry_of_supply(game: Typhoon, state: TyphoonState, purse: int) -> int:
    """14.1.3d, 14.1.4f Where supply units come: the Axis by the west edge and Lgov, the Soviets with code ec,
    the point of Moscow in the city. Where the scenario names its own sources, there."""
    outline = game.outline(state)
    if purse == MOSCOW:
        return hexes_of_code(game, state, SOVIET, "M")
    side = purse
    found = hexes_of_code(game, state, side, "w" if side == AXIS else "ec")
    edge = game.west if side == AXIS else game.east | game.major_cities
    if not outline.area & edge or not found:
        found = outline.sources[side] & ~state.occupied[1 - side]
    if side == AXIS and outline.lgov >= 0 and state.turn >= game.numbers["lgov_turn"]:
        found |= 1 << outline.lgov & ~state.soviet_hexes & ~state.occupied[SOVIET]
    # 6.5.3 Not into an enemy zone, unless somebody is there.
    return found & ~(zone(game, state, 1 - side) & ~armed(state, side))


class PlaceSupply(Decision["Typhoon", TyphoonState]):
    """6.5.1, 6.5.2 Points come as counters of one point, or of two by a railway; what is left is lost."""

    name = "place-supply"
    case = "6.5.1"
    verbs = {
        "bring": Verb(("unit", "hex"), Role.PLACE),
        "bring-two": Verb(("unit", "hex"), Role.PLACE),
        "stock": Verb(("unit",)),
        "forgo": Verb((), Role.END),
    }

    def __init__(self, purse: int) -> None:
        self.purse, self.side = purse, AXIS if purse == AXIS else SOVIET
        self.name = f"place-supply-{('axis', 'soviet', 'moscow')[purse]}"

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.supply_due[self.purse] > 0 and len(self.options(game, state, self.side)) > 1

    def skip(self, game: Typhoon, state: TyphoonState) -> Flow:
        state.supply_due[self.purse] = 0
        return None

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return self.side

    def _fresh(self, game: Typhoon, state: TyphoonState) -> list[int]:
        """The first counter of each sort that is free: the others are like it."""
        pool = members(state.at.get(SUPPLY_POOL, 0) & game.units_of[self.side])
        kinds = {game.units[u].kind: u for u in reversed(pool)}
        return sorted(kinds.values())

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        cells = each(entry_of_supply(game, state, self.purse))
        found: list[Action] = []
        for unit in self._fresh(game, state):
            found += [("bring", unit, cell) for cell in cells]
            if state.supply_due[self.purse] > 1:
                found += [("bring-two", unit, cell) for cell in cells if game.on_rail >> cell & 1]
        found += [
            ("stock", unit)
            for unit in counters(game, state, side)
            if self.refuse(game, state, side, ("stock", unit)) is None
        ]
        return [*found, ("forgo",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action[0] == "forgo":
            return None
        unit = action[1]
        if action[0] == "stock":
            there = unit in counters(game, state, side) and self.purse == MOSCOW
            here = there and entry_of_supply(game, state, MOSCOW) >> state.where[unit] & 1
            if not here or state.steps[unit] > 1:
                return refusal("no-stock", "6.5.1", unit=unit)
            return None
        if unit not in self._fresh(game, state):
            return refusal("counter-used", "6.5.1", unit=unit)
        if not entry_of_supply(game, state, self.purse) >> action[2] & 1:
            return refusal("supply-enters-not", "14.1.3" if side == AXIS else "14.1.4", hex=action[2])
        if action[0] == "bring-two" and (
            state.supply_due[self.purse] < 2 or not game.on_rail >> action[2] & 1
        ):
            return refusal("depot-by-rail", "6.5.1", hex=action[2])
        return None

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "forgo":
            state.supply_due[self.purse] = 0
            return None
        unit, points = action[1], 2 if action[0] == "bring-two" else 1
        if action[0] == "stock":
            state.steps[unit] = 2
        else:
            state.place(unit, action[2])
            state.steps[unit] = points
        state.supply_due[self.purse] -= points
        state.emit("supply-arrived", "6.5.1", unit=unit, hex=state.where[unit], n=points)
        return AGAIN


class SpendSource(Decision["Typhoon", TyphoonState]):
    """6.2.3 A point may be spent as a source for the turn, for units within five hexes."""

    case = "6.2.3"
    verbs = {"sustain": Verb(("unit",)), "pass": Verb((), Role.PASS)}

    def __init__(self, side: int) -> None:
        self.side = side
        self.name = f"spend-source-{('axis', 'soviet')[side]}"

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return self.side

    def _needy(self, game: Typhoon, state: TyphoonState) -> list[int]:
        """The counters near units that have no route."""
        hungry = bits(
            state.where[u]
            for u in members(game.units_of[self.side] & ~game.supplies)
            if state.where[u] >= 0 and needs_route(game, state, u)
        ) & ~supplied_hexes(game, state, self.side)
        hungry &= ~fed_area(game, state, self.side)
        return [
            u
            for u in counters(game, state, self.side)
            if game.disc(state.where[u], game.numbers["supply_point_radius"]) & hungry
        ]

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return bool(self._needy(game, state))

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [*(("sustain", unit) for unit in self._needy(game, state)), ("pass",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action[0] == "pass" or action[1] in self._needy(game, state):
            return None
        return refusal("feeds-nobody", "6.2.3", unit=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return None
        state.fed |= 1 << state.where[action[1]]
        state.emit("source-fed", "6.2.3", unit=action[1], hex=state.where[action[1]])
        spend_point(state, action[1])
        return AGAIN


EVENTS = {GENERAL: "supplied", EMERGENCY: "emergency", UNSUPPLIED: "unsupplied"}
"""What is told of a unit whose state changes."""


def needs_route(game: Typhoon, state: TyphoonState, unit: int) -> bool:
    """13.3.2, 14.1.8 Armoured trains need no supply, and those who have just come have theirs."""
    return not game.trains >> unit & 1 and not state.arrived >> unit & 1


def fed_area(game: Typhoon, state: TyphoonState, side: int) -> int:
    """6.2.3 The hexes that temporary sources feed: within five, with a line."""
    found = 0
    for cell in each(state.fed):
        line = line_area(game, state, side, 1 << cell)
        found |= line & game.disc(cell, game.numbers["supply_point_radius"])
    return found


def judge_supply(game: Typhoon, state: TyphoonState) -> Flow:
    """6.3.1 to 6.3.3, 13.6.2b Both sides are judged once, for the whole turn; 14.1.4c a unit in a major city
    of its own is supplied."""
    for side in (AXIS, SOVIET):
        good = supplied_hexes(game, state, side) | fed_area(game, state, side)
        if side == SOVIET:
            good |= game.major_cities & state.soviet_hexes
        for unit in members(game.units_of[side] & ~game.supplies):
            if state.where[unit] >= 0:
                _judge(game, state, unit, bool(good >> state.where[unit] & 1))
        _judge_forts(game, state, side, good)
    if state.garrison & state.unsupplied:
        lost = members(state.garrison & state.unsupplied)
        release(game, state, bits(state.where[u] for u in lost))
    return None


def _judge(game: Typhoon, state: TyphoonState, unit: int, good: bool) -> None:
    bit, before = 1 << unit, status(state, unit)
    after = status_after(before, good or not needs_route(game, state, unit))
    state.emergency = state.emergency & ~bit | (bit if after == EMERGENCY else 0)
    state.unsupplied = state.unsupplied & ~bit | (bit if after == UNSUPPLIED else 0)
    if after != before:
        state.emit(EVENTS[after], "6.3.3", unit=unit, hex=state.where[unit])


def _judge_forts(game: Typhoon, state: TyphoonState, side: int, good: int) -> None:
    """6.3.6 Strongpoints that nobody holds or stands beside and that are not supplied decay in two turns."""
    own = armed(state, side)
    alone = state.forts[side] & ~own & ~game.board.spread(own) & ~good
    lost = alone & state.weak[side]
    state.forts[side] &= ~lost
    state.weak[side] = alone & ~lost
    for cell in each(lost):
        state.emit("fort-decayed", "6.3.6", hex=cell)
