"""15.1, 15.2 Replacements: points that give units their steps back, on the map and in the boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.data import Unit
from grognard.games.typhoon.rules.ground import open_cities, supplied_hexes, zone
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.state import ACTIVE, CADRE, ELIMINATED, SOVIET, TyphoonState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

INFANTRY = (
    *("cavalry", "hq", "infantry", "motorised", "motorcycle", "ski", "security", "engineer"),
    *("airborne", "recon"),
)
"""15.1.3: who gets infantry points. Airborne and reconnaissance units are infantry (ruling)."""
HEAVY = ("armour", "artillery", "antitank", "assault_gun", "antiaircraft")
"""15.1.4: who gets points of type A. Assault guns are armour, anti-aircraft guns artillery (ruling)."""
DEAR = ("hq", "motorised", "engineer")
"""15.1.3: kinds that cost two points to come out of the cadre box."""


def kind_of_points(unit: Unit) -> str:
    """15.1.3, 15.1.4 What a unit is restored with: infantry points, type A, or nothing at all."""
    return "infantry" if unit.kind in INFANTRY else "armour" if unit.kind in HEAVY else ""


def step_cost(unit: Unit, place: int) -> int:
    """15.1.3, 15.2 What the next step of a unit costs where it is."""
    return 2 if place == CADRE and unit.kind in DEAR else 1


def purse(game: Typhoon, state: TyphoonState, unit: int) -> str:
    """From which points a unit could be paid now: those of its kind, or the step of event N (14.3.6). Nothing
    if there are too few."""
    side, counter = state.side(unit), game.units[unit]
    cost = step_cost(counter, state.where[unit])
    kind = kind_of_points(counter)
    if kind == "infantry" and state.replacements[side] >= cost:
        return "infantry"
    if kind == "armour" and side == SOVIET and state.armour_steps >= cost:
        return "armour"
    return "guard" if side == SOVIET and state.guard_steps and _for_guards(game, state, unit) else ""


def _for_guards(game: Typhoon, state: TyphoonState, unit: int) -> bool:
    """14.3.6 The step is for the NKVD; if none of them lacks any, for the Guards, rockets apart."""
    if game.nkvd >> unit & 1:
        return True
    wanting = any(_lacks(game, state, u) for u in members(game.nkvd))
    guards = game.guards >> unit & 1 and game.units[unit].special != "rocket"
    return bool(guards) and not wanting


def _lacks(game: Typhoon, state: TyphoonState, unit: int) -> bool:
    place = state.where[unit]
    return place in (CADRE, ELIMINATED) or (place >= 0 and state.steps[unit] < game.units[unit].steps)


def pay(game: Typhoon, state: TyphoonState, unit: int) -> None:
    """Spend what the next step of a unit costs."""
    source, cost = purse(game, state, unit), step_cost(game.units[unit], state.where[unit])
    if source == "infantry":
        state.replacements[state.side(unit)] -= cost
    elif source == "armour":
        state.armour_steps -= cost
    else:
        state.guard_steps = 0


def why_not_refit(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """15.2.1 Why a unit on the map may not be named to receive a step, or None."""
    side, bit, cell = state.side(unit), 1 << unit, state.where[unit]
    if side != state.active or cell < 0 or not game.units[unit].steps:
        return refusal("cannot-refit", "15.2.1", unit=unit)
    if state.steps[unit] >= game.units[unit].steps:
        return refusal("full-strength", "15.2.1", unit=unit)
    if (state.unsupplied | state.emergency) & bit:
        return refusal("refit-unsupplied", "15.2.1", unit=unit)
    if zone(game, state, 1 - side) >> cell & 1:
        return refusal("refit-in-zone", "15.2.1", unit=unit)
    if (state.moved | state.fought | state.activated | state.marched | state.arrived) & bit:
        return refusal("refit-busy", "15.2.1", unit=unit)
    if state.refitting & bit:
        return refusal("refitting-already", "15.2.1", unit=unit)
    return None if purse(game, state, unit) else refusal("no-replacements", "15.1.1", unit=unit)


def can_refit(game: Typhoon, state: TyphoonState) -> list[int]:
    """15.2.1b The units that may be named in a movement phase."""
    side = state.active
    wanting = [u for u in members(game.units_of[side] & ~state.refitting) if state.where[u] >= 0]
    reduced = [u for u in wanting if state.steps[u] < game.units[u].steps]
    return [u for u in reduced if why_not_refit(game, state, u) is None]


class SpendReplacements(Decision["Typhoon", TyphoonState]):
    """15.2 In the engineer phase: a step for units named before, for cadres and for units eliminated."""

    name = "spend-replacements"
    case = "15.2"
    verbs = {
        "restore": Verb(("unit",)),
        "rally": Verb(("unit",)),
        "raise": Verb(("unit", "hex"), Role.PLACE),
        "rescue": Verb(("unit",)),
        "end": Verb((), Role.END),
    }

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return len(self.options(game, state, state.active)) > 1

    def _places(self, game: Typhoon, state: TyphoonState) -> list[int]:
        """15.2.2 For the Soviets: friendly cities in general supply, one unit each a turn; 14.1.4c major ones
        that are not encircled; Moscow not in a panic."""
        raised: int = state.local.raised
        cities = game.cities & state.soviet_hexes & supplied_hexes(game, state, SOVIET)
        cities |= open_cities(game, state)
        if state.panic == 1:
            cities &= ~game.moscow
        return each(cities & ~raised)

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        found: list[Action] = [
            ("restore", u)
            for u in members(state.refitting)
            if purse(game, state, u) and self._ready(game, state, u)
        ]
        mine = game.units_of[side]
        # 15.2.3 Who became a cadre this turn waits.
        cadres = [u for u in members(state.at.get(CADRE, 0) & mine & ~state.marched) if purse(game, state, u)]
        found += [("rally", u) for u in cadres]
        if side == SOVIET:
            places = self._places(game, state)
            found += [
                ("raise", u, cell) for u in cadres for cell in places if self._fits(game, state, u, cell)
            ]
        found += [("rescue", u) for u in members(state.at.get(ELIMINATED, 0) & mine) if purse(game, state, u)]
        return [*found, ("end",)]

    def _fits(self, game: Typhoon, state: TyphoonState, unit: int, cell: int) -> bool:
        """3.2.1"""
        here = [game.units[u] for u in members(state.own(SOVIET, cell))]
        return not excess([*here, game.units[unit]])

    def _ready(self, game: Typhoon, state: TyphoonState, unit: int) -> bool:
        """15.2.1a Neither the enemy has come to a unit that was named, nor it to him."""
        cell = state.where[unit]
        shut = zone(game, state, 1 - state.side(unit))
        return cell >= 0 and not state.fought >> unit & 1 and not shut >> cell & 1

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        unit, verb = action[1], action[0]
        place = state.where[unit]
        wanted = {"restore": bool(state.refitting >> unit & 1), "rescue": place == ELIMINATED}
        if state.side(unit) != side or not wanted.get(verb, place == CADRE):
            case = {"restore": "15.2.1", "rescue": "15.2.3"}.get(verb, "15.2.2")
            return refusal("cannot-replace", case, unit=unit)
        if not purse(game, state, unit):
            return refusal("no-replacements", "15.1.1", unit=unit)
        if verb == "restore":
            fought = state.fought >> unit & 1
            return refusal("refit-busy" if fought else "refit-in-zone", "15.2.1", unit=unit)
        return refusal("not-raised-there", "15.2.2", unit=unit, hex=action[2] if verb == "raise" else place)

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        unit = action[1]
        pay(game, state, unit)
        if action[0] == "restore":
            state.refitting &= ~(1 << unit)
            state.set_steps(unit, state.steps[unit] + 1)
            state.emit("step-restored", "15.2.1", unit=unit)
        elif action[0] == "rescue":
            state.place(unit, CADRE)
            state.emit("cadre-saved", "15.2.3", unit=unit)
            state.marched |= 1 << unit
        else:
            state.steps[unit] = 1
            state.place(unit, ACTIVE if action[0] == "rally" else action[2])
            state.arrived |= 1 << unit
            if action[0] == "raise":
                state.local = state.local._replace(raised=state.local.raised | 1 << action[2])
            state.emit("cadre-raised", "15.2.2", unit=unit)
        return AGAIN
