"""7.1, 7.5, 13 Who may move in a phase, how far, and why others may not."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from grognard.games.typhoon.data import Unit, charts
from grognard.games.typhoon.rules.command import able, guards_left
from grognard.games.typhoon.rules.costs import POINT
from grognard.games.typhoon.rules.ground import armed, zone
from grognard.games.typhoon.rules.plans import may_leave
from grognard.games.typhoon.rules.reach import MOTORISED, REACTION, STRATEGIC
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.rules.supply import EMERGENCY, GENERAL, UNSUPPLIED, movement
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.kernel import Refusal, refusal
from grognard.mechanics.pieces import members
from grognard.mechanics.supply import half_allowance

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

NORTH = "S5_16TH_ARMY"
"""17.4.2 The special rule of the north of the map."""
FULL, HALF, BY_HQ, BY_RAIL, NONE = "full", "half", "by_hq", "rail", "none"


@cache
def _line(side: str, kind: str, motorised: bool) -> tuple[str, str]:
    """7.5.1 The line of the chart of movement: what a kind does in the motorised phase, and in reaction.
    Supply wagons are read as trucks (6.5.4)."""
    chart = charts()["movement_phases"].by_key
    kind = "supply_truck" if kind == "supply_wagon" else kind
    for sort in ("any", "motorised" if motorised else "foot"):
        record = chart.get((side, kind, sort))
        if record is not None:
            return str(record["motorised_phase"]), str(record["reaction_phase"])
    return NONE, NONE


def in_motorised_phase(unit: Unit) -> str:
    return _line(unit.side, unit.kind, unit.motorised)[0]


def in_reaction(unit: Unit) -> str:
    return _line(unit.side, unit.kind, unit.motorised)[1]


def status(state: TyphoonState, unit: int) -> str:
    """6.3"""
    if state.unsupplied >> unit & 1:
        return UNSUPPLIED
    return EMERGENCY if state.emergency >> unit & 1 else GENERAL


def allowance(game: Typhoon, state: TyphoonState, unit: int, mode: int) -> int:
    """6.3.5a, 7.5, 7.7.2 What a unit may spend in a phase, in sixths of a point; fractions are lost."""
    counter = game.units[unit]
    points = movement(counter, status(state, unit)) * POINT
    if mode == STRATEGIC:
        return points * 3 // (2 * POINT) * POINT
    if mode == REACTION or (mode == MOTORISED and in_motorised_phase(counter) == HALF):
        return half_allowance(points, POINT)
    return points


def is_depot(game: Typhoon, state: TyphoonState, unit: int) -> bool:
    """6.5.2 A supply counter on its side of two points."""
    return bool(game.supplies >> unit & 1) and state.steps[unit] > 1


def declared(state: TyphoonState, unit: int) -> bool:
    return any(unit in attack.attackers for attack in state.attacks)


def why_held(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """What keeps a unit where it is, whatever the phase."""
    if not game.units[unit].movement:
        return refusal("no-movement", "2.4", unit=unit)
    if state.refitting >> unit & 1:
        return refusal("refitting", "15.2.1", unit=unit)
    if state.held >> unit & 1:
        return refusal("held", "18.0", unit=unit)
    if state.side(unit) == AXIS and state.where[unit] >= 0:
        here = state.where[unit]
        if all(bound_to_fort(game, state, here, there) for there in game.board.adjacent[here]):
            return refusal("strongpoint-held", "17.3.5", unit=unit)
    if state.garrison >> unit & 1 and not game.outline(state).moscow_garrison >> unit & 1:
        return refusal("garrison-stays", "13.6.1", unit=unit)
    return None


def bound_to_fort(game: Typhoon, state: TyphoonState, here: int, there: int) -> bool:
    """17.3.5 Under Hitler's plan Axis units go from a strongpoint only into the next (ruling)."""
    forts = state.forts[AXIS]
    if state.scenario != "campaign" or not forts >> here & 1:
        return False
    stack = [game.units[u] for u in members(state.own(AXIS, here))]
    return not may_leave(state.plan, True, bool(excess(stack)), bool(forts >> there & 1))


def why_not_at(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> Refusal | None:
    """13.6.4 The garrison of Moscow stays in the city or beside it; 17.4.2 those of the north stay there
    until the 16th Army attacks (ruling)."""
    if state.garrison >> unit & 1 and not game.near_moscow >> cell & 1:
        if game.outline(state).moscow_garrison >> unit & 1:
            return refusal("moscow-garrison", "13.6.4", unit=unit, hex=cell)
        return refusal("garrison-stays", "13.6.1", unit=unit)
    outline = game.outline(state)
    bound = outline.north & ~game.substitutes
    if not bound >> unit & 1 or state.launched or game.north_rows >> cell & 1:
        return None
    return refusal("north-stays", "18.0", unit=unit, hex=cell) if NORTH in outline.special else None


def why_not_move(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """7.1.4, 13.1.2a Whether a unit of the phasing side may move in the movement phase."""
    if state.side(unit) != state.active or state.where[unit] < 0:
        return refusal("not-yours", "7.0", unit=unit)
    if state.moved >> unit & 1:
        return refusal("moved-already", "7.1.4", unit=unit)
    if state.activated >> unit & 1:
        return refusal("activated-already", "13.1.2", unit=unit)
    if declared(state, unit):
        return refusal("attack-declared", "8.1.1", unit=unit)
    if is_depot(game, state, unit):
        return refusal("depot-stays", "6.5.2", unit=unit)
    if game.trains >> unit & 1:
        return refusal("train-on-rails", "13.3.1", unit=unit)
    return why_held(game, state, unit)


def why_not_motor(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """7.5.1, 13.1.2a, 13.5.1 Whether it may in the motorised phase: by its kind, or activated by an HQ."""
    reason = why_not_move(game, state, unit)
    if reason is not None:
        return reason
    how, cell = in_motorised_phase(game.units[unit]), state.where[unit]
    if how == NONE:
        return refusal("not-motorised", "7.5.1", unit=unit)
    guards = game.guards >> unit & 1 and guards_left(game, state, cell)
    if how == BY_HQ and not guards and not able(game, state, cell):
        return refusal("no-hq", "13.1.2", unit=unit)
    return None


def why_not_react(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """7.5.2 Whether a unit of the other side may react."""
    side, counter = state.side(unit), game.units[unit]
    cell = state.where[unit]
    if side == state.active or cell < 0:
        return refusal("not-yours", "7.5.2", unit=unit)
    if state.moved >> unit & 1:
        return refusal("moved-already", "7.1.4", unit=unit)
    if not counter.motorised or in_reaction(counter) == NONE:
        return refusal("reacts-not", "7.5.2", unit=unit)
    if state.unsupplied >> unit & 1:
        return refusal("reacts-unsupplied", "6.3.5", unit=unit)
    if state.activated >> unit & 1:
        return refusal("activated-already", "13.1.2", unit=unit)
    if state.overrun >> unit & 1:
        return refusal("reacts-overrun", "7.8.4", unit=unit)
    if zone(game, state, 1 - side) >> cell & 1:
        return refusal("reacts-in-zone", "7.5.2", unit=unit)
    if not near_combat(game, state) >> cell & 1:
        return refusal("reacts-too-far", "7.5.2", unit=unit)
    if side == SOVIET and not able(game, state, cell):
        return refusal("no-hq", "13.1.2", unit=unit)
    return why_held(game, state, unit)


def near_combat(game: Typhoon, state: TyphoonState) -> int:
    """7.5.2 The hexes within three of a declared combat."""
    cells = [cell for attack in state.attacks if not attack.fought for cell in attack.targets]
    return game.board.within(cells, game.numbers["reaction_radius"]) if cells else 0


def far_from_enemy(game: Typhoon, state: TyphoonState, side: int, distance: int, quiet: int = 0) -> int:
    """7.6.1, 7.7.1 The hexes at least so far from combat units of the enemy; `quiet` hexes do not count."""
    foes = armed(state, 1 - side) & ~quiet
    known = state.traced.get(("far", distance, foes))
    if isinstance(known, int):
        return known
    near = foes
    for _ in range(distance - 1):
        near |= game.board.spread(near)
    found = state.traced["far", distance, foes] = game.board.everywhere & ~near
    return found


def interdicted(game: Typhoon, state: TyphoonState) -> int:
    """11.4.2 The hexes in a zone of interdiction."""
    found = 0
    for cell in state.interdicted:
        found |= game.disc(cell, 1)
    return found
