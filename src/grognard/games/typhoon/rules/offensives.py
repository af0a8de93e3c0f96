"""7.1.6 Divisions that leave the map: with the offensive of the 16th Army to the north (17.4.2) and towards
Voronezh (17.4.3). What those cases say is lost and ours by ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.rules.eligible import NORTH
from grognard.games.typhoon.rules.ground import zone
from grognard.games.typhoon.rules.withdrawals import whole
from grognard.games.typhoon.state import AXIS, GONE, PLAN_NAMES, TO_COME, Away, TyphoonState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

VORONEZH = "S5_VORONEZH"
"""17.4.3 The special rule of a scenario by which divisions leave to the south-east."""
INFANTRY_STEPS = 2
"""What an infantry division must have left to go."""


def elements_of(game: Typhoon, unit: int) -> tuple[int, ...]:
    """The units of the division that a unit is or belongs to; nothing if it is of none."""
    for elements in game.elements.values():
        if unit in elements:
            return elements
    return (unit,) if game.divisions >> unit & 1 and unit < game.axis_units else ()


def why_not_launch(game: Typhoon, state: TyphoonState) -> Refusal | None:
    """17.4.2 The offensive is declared once, in its time."""
    first, last = game.numbers["north_first_turn"], game.numbers["north_last_turn"]
    if NORTH not in game.outline(state).special or state.launched or not first <= state.turn <= last:
        return refusal("no-offensive", "7.1.6")
    return None


def gates(game: Typhoon, state: TyphoonState) -> int:
    """The hexes by which divisions may leave the map now, as a set."""
    special, numbers, found = game.outline(state).special, game.numbers, 0
    north_open = state.launched and state.turn <= numbers["north_last_turn"]
    if NORTH in special and north_open and state.gone_north < numbers["north_most"]:
        found |= game.north_gates
    voronezh_open = numbers["voronezh_first_turn"] <= state.turn <= numbers["voronezh_last_turn"]
    if VORONEZH in special and voronezh_open and state.gone_south < numbers["voronezh_most"]:
        found |= game.south_gates
    return found


def why_not_leave(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """Why the division of a unit may not leave the map: all of it that is on the map stands on one hex of the
    edge, outside zones of the enemy; a mobile division must be able to claim integrity (9.2), one of infantry
    have two steps."""
    elements = elements_of(game, unit)
    cells = {state.where[u] for u in elements if state.where[u] >= 0}
    if not elements or len(cells) != 1 or not gates(game, state) >> min(cells) & 1:
        return refusal("no-gate", "7.1.6", unit=unit)
    (cell,) = cells
    north = bool(game.north_gates >> cell & 1)
    if zone(game, state, 1 - AXIS) >> cell & 1 or any(state.held >> u & 1 for u in elements):
        return refusal("no-gate", "7.1.6", unit=unit)
    if len(elements) == 1:
        fit = not north and state.steps[unit] >= INFANTRY_STEPS and not state.unsupplied >> unit & 1
    else:
        name = next(name for name, found in game.elements.items() if found == elements)
        fit = whole(game, state, name)
    return None if fit else refusal("not-fit-to-leave", "7.1.6", unit=unit)


def leave(game: Typhoon, state: TyphoonState, unit: int) -> None:
    elements = tuple(u for u in elements_of(game, unit) if state.where[u] >= 0)
    cell = state.where[elements[0]]
    north = bool(game.north_gates >> cell & 1)
    for other in elements:
        state.place(other, GONE)
        for name in ("emergency", "refitting"):
            setattr(state, name, getattr(state, name) & ~(1 << other))
    if north:
        state.gone_north += 1
    else:
        state.gone_south += 1
        state.away = (*state.away, Away(elements, cell))
    worth = game.outline(state).event("exit_north" if north else "exit_voronezh", PLAN_NAMES[state.plan])
    state.points += worth
    state.emit("left-the-map", "7.1.6", units=elements, hex=cell, n=worth)


def why_not_recall(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """17.4.3 From some turn on divisions come back by the hex through which they left."""
    gone = any(away.units[0] == unit and not away.back for away in state.away)
    if not gone or state.turn < game.numbers["voronezh_return_turn"]:
        return refusal("no-recall", "7.1.6", unit=unit)
    return None


def recall(game: Typhoon, state: TyphoonState, unit: int) -> None:
    found = next(away for away in state.away if away.units[0] == unit)
    state.away = tuple(away._replace(back=True) if away is found else away for away in state.away)
    for other in found.units:
        state.place(other, TO_COME)
        state.due[other] = state.turn
    state.points -= 1
    state.emit("called-back", "7.1.6", units=found.units, hex=found.cell, n=1)


class Offensives(Decision["Typhoon", TyphoonState]):
    """The Axis declares the offensive of the 16th Army, sends divisions off the map instead of moving them,
    and calls them back."""

    name = "offensives"
    case = "7.1.6"
    verbs = {
        "launch": Verb(()),
        "leave": Verb(("unit",)),
        "recall": Verb(("unit",)),
        "end": Verb((), Role.END),
    }

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.active == AXIS and len(self.options(game, state, AXIS)) > 1

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return AXIS

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        found: list[Action] = [("launch",)] if why_not_launch(game, state) is None else []
        open_now = gates(game, state) & state.occupied[AXIS]
        there = [u for cell in each(open_now) for u in members(state.own(AXIS, cell))]
        leads = {elements_of(game, unit)[:1] for unit in there}
        found += [
            ("leave", u) for (u,) in sorted(filter(None, leads)) if why_not_leave(game, state, u) is None
        ]
        found += [
            ("recall", away.units[0])
            for away in state.away
            if why_not_recall(game, state, away.units[0]) is None
        ]
        return [*found, ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        if action[0] == "launch":
            return why_not_launch(game, state)
        why = why_not_recall if action[0] == "recall" else why_not_leave
        return why(game, state, action[1]) or refusal("no-gate", "7.1.6", unit=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        if action[0] == "launch":
            state.launched = state.turn
            state.emit("offensive-declared", "7.1.6")
        elif action[0] == "leave":
            leave(game, state, action[1])
        else:
            recall(game, state, action[1])
        return AGAIN
