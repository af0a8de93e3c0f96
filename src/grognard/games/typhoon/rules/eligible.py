"""7.1, 7.5, 13 Who may move in a phase, how far, and why others may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, union
from grognard.games.typhoon.rules.command import GUARDS, able, ordered
from grognard.games.typhoon.rules.costs import POINT
from grognard.games.typhoon.rules.ground import armed, zone
from grognard.games.typhoon.rules.phases import HALF, NONE, in_motorised_phase, in_reaction
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


def depots(game: Typhoon, state: TyphoonState, units: int) -> int:
    """Those of some units that are."""
    return bits(u for u in members(units & game.supplies) if state.steps[u] > 1)


def declared_units(state: TyphoonState) -> int:
    """8.1.1 Who takes part in an attack that is declared."""
    return union(bits(attack.attackers) for attack in state.attacks)


class Bar(NamedTuple):
    """A reason for which some units may not do something. It need name only such as are asked about."""

    units: int
    code: str
    case: str
    of_hex: bool = False
    """It lies in the hex where they stand, which is told."""


Bars = Callable[["Typhoon", TyphoonState, int], Iterator[Bar]]
"""All reasons in their order, for whoever of some units has none before."""


def why_barred(game: Typhoon, state: TyphoonState, bars: Bars, unit: int) -> Refusal | None:
    """The first reason for which a unit may not."""
    found = next((bar for bar in bars(game, state, 1 << unit) if bar.units >> unit & 1), None)
    if found is None:
        return None
    where = {"hex": state.where[unit]} if found.of_hex else {}
    return refusal(found.code, found.case, unit=unit, **where)


def unbarred(game: Typhoon, state: TyphoonState, bars: Bars, units: int) -> int:
    """Those of some units who have no reason."""
    for bar in bars(game, state, units) if units else ():
        units &= ~bar.units
        if not units:
            break
    return units


def standing(state: TyphoonState, units: int, cells: int) -> int:
    """Those of some units that stand in some hexes."""
    table = cells.to_bytes((cells.bit_length() + 7) // 8, "little")
    end, where = 8 * len(table), state.where
    return bits(u for u in members(units) if 0 <= (c := where[u]) < end and table[c >> 3] >> (c & 7) & 1)


def held_bars(game: Typhoon, state: TyphoonState, units: int) -> Iterator[Bar]:
    """What keeps units where they are, whatever the phase."""
    yield Bar(game.immobile, "no-movement", "2.4")
    yield Bar(state.refitting, "refitting", "15.2.1")
    yield Bar(state.held, "held", "18.0")
    yield Bar(_shut_in(game, state, units), "strongpoint-held", "17.3.5")
    yield Bar(state.garrison & ~game.outline(state).moscow_garrison, "garrison-stays", "13.6.1")


def _shut_in(game: Typhoon, state: TyphoonState, units: int) -> int:
    """17.3.5 Those of some units who may not go anywhere from their strongpoint."""
    if state.scenario != "campaign" or not state.forts[AXIS]:
        return 0
    inside = standing(state, units & game.units_of[AXIS], state.forts[AXIS])
    return bits(
        u
        for u in members(inside)
        if all(
            bound_to_fort(game, state, state.where[u], there) for there in game.board.adjacent[state.where[u]]
        )
    )


def bound_to_fort(game: Typhoon, state: TyphoonState, here: int, there: int) -> bool:
    """17.3.5 Under Hitler's plan Axis units go from a strongpoint only into the next (ruling)."""
    forts = state.forts[AXIS]
    if state.scenario != "campaign" or not forts >> here & 1:
        return False
    stack = [game.units[u] for u in members(state.own(AXIS, here))]
    return not may_leave(state.plan, True, bool(excess(stack)), bool(forts >> there & 1))


def home(game: Typhoon, state: TyphoonState, unit: int) -> int:
    """13.6.4 The hexes where a unit may be at all: the garrison of Moscow stays in the city or beside it;
    17.4.2 those of the north stay there until the 16th Army attacks (ruling)."""
    outline = game.outline(state)
    found = game.near_moscow if state.garrison >> unit & 1 else game.board.everywhere
    if NORTH in outline.special and not state.launched and outline.north & ~game.substitutes & 1 << unit:
        found &= game.north_rows
    return found


def why_not_at(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> Refusal | None:
    """Why a unit may not be in a hex."""
    if home(game, state, unit) >> cell & 1:
        return None
    if not state.garrison >> unit & 1 or game.near_moscow >> cell & 1:
        return refusal("north-stays", "18.0", unit=unit, hex=cell)
    if game.outline(state).moscow_garrison >> unit & 1:
        return refusal("moscow-garrison", "13.6.4", unit=unit, hex=cell)
    return refusal("garrison-stays", "13.6.1", unit=unit)


def _not_theirs(game: Typhoon, state: TyphoonState) -> Bar:
    """7.0 The phasing side moves, with what is on the map."""
    return Bar(~(game.units_of[state.active] & state.present), "not-yours", "7.0")


def move_bars(game: Typhoon, state: TyphoonState, units: int) -> Iterator[Bar]:
    """7.1.4, 13.1.2a What keeps units of the phasing side from moving in the movement phase."""
    yield _not_theirs(game, state)
    yield Bar(state.moved, "moved-already", "7.1.4")
    yield Bar(state.activated, "activated-already", "13.1.2")
    yield Bar(declared_units(state), "attack-declared", "8.1.1")
    yield Bar(depots(game, state, units), "depot-stays", "6.5.2")
    yield Bar(game.trains, "train-on-rails", "13.3.1")
    yield from held_bars(game, state, units)


def why_not_move(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """Whether a unit may move in the movement phase."""
    return why_barred(game, state, move_bars, unit)


def motor_bars(game: Typhoon, state: TyphoonState, units: int) -> Iterator[Bar]:
    """7.5.1, 13.1.2a, 13.5.1 What keeps them in the motorised phase: they move by their kind, or activated by
    an HQ."""
    for bar in move_bars(game, state, units):
        units &= ~bar.units
        yield bar
    yield Bar(game.not_motorised, "not-motorised", "7.5.1")
    waiting = units & game.by_hq
    called = standing(state, waiting, ordered(game, state))
    called |= standing(state, waiting & game.guards, ordered(game, state, GUARDS))
    yield Bar(waiting & ~called, "no-hq", "13.1.2")


def why_not_motor(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """Whether a unit may move in the motorised phase."""
    return why_barred(game, state, motor_bars, unit)


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
    return why_barred(game, state, held_bars, unit)


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
