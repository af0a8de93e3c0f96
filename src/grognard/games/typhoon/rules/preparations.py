"""What a movement phase begins and ends with, besides moves: replacements named (15.2.1), pontoons (13.2),
air transport (11.6), regiments detached from divisions and joined to them again (15.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.air import has_airfield, may_be_flown
from grognard.games.typhoon.rules.command import commanded
from grognard.games.typhoon.rules.eligible import home, interdicted, why_not_at
from grognard.games.typhoon.rules.ground import armed, enter, supplied_hexes, zone
from grognard.games.typhoon.rules.pontoons import banks, crossings_from, full_sheets, sheet_of, why_not_place
from grognard.games.typhoon.rules.replacements import can_refit, why_not_refit
from grognard.games.typhoon.rules.setup import is_due
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.state import AXIS, SOVIET, SUBSTITUTES, TO_COME, Pontoon, TyphoonState
from grognard.kernel import (
    AGAIN,
    Action,
    Decision,
    Flow,
    Refusal,
    Role,
    Verb,
    ask,
    do,
    procedure,
    refusal,
    step,
)
from grognard.mechanics.pieces import members

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

PONTOON_CASES = {
    "no-river": "13.2.1",
    "pontoon-unsupplied": "13.2.2",
    "pontoon-no-hq": "13.2.2",
    "pontoons-used": "13.2.3",
}


class Preparing(NamedTuple):
    """The pontoons that lay there when the phase began: only they may be taken up (13.2.2)."""

    old: tuple[Pontoon, ...] = ()


def begin_preparations(game: Typhoon, state: TyphoonState) -> Flow:
    state.local = Preparing(tuple(p for p in state.pontoons if p.side == state.active))
    return None


# 13.2 Pontoons


def why_not_bridge(game: Typhoon, state: TyphoonState, side: int, cell: int, there: int) -> Refusal | None:
    reached = side == AXIS or bool(commanded(game, state) >> cell & 1)
    supplied = bool(supplied_hexes(game, state, side) & ~state.occupied[1 - side] & 1 << cell)
    mine = [p.cell for p in state.pontoons if p.side == side]
    reason = why_not_place(game.board, cell, there, supplied, reached, mine)
    if reason is not None:
        return refusal(reason, PONTOON_CASES[reason], hex=cell)
    if any(p.side == side and {p.cell, p.towards} == {cell, there} for p in state.pontoons):
        return refusal("pontoons-used", "13.2.3", hex=cell)
    return None


def bridge_sites(game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
    """13.2.2 Every side that a pontoon could bridge now."""
    cells = supplied_hexes(game, state, side) & ~state.occupied[1 - side] & game.outline(state).area
    if side == SOVIET:
        cells &= commanded(game, state)
    mine = [p for p in state.pontoons if p.side == side]
    full = full_sheets(game.board, [p.cell for p in mine])
    laid = {frozenset((p.cell, p.towards)) for p in mine}
    over = crossings_from(game.board)
    return [
        ("lay-pontoon", cell, there)
        for cell in each(cells & banks(game.board))
        if sheet_of(game.board, cell) not in full
        for there in over[cell]
        if frozenset((cell, there)) not in laid
    ]


# 11.6 Air transport


def why_not_load(game: Typhoon, state: TyphoonState, side: int, unit: int) -> Refusal | None:
    """11.6.1 to 11.6.4 Why a unit may not be taken up by aircraft, or None."""
    if state.side(unit) != side or not may_be_flown(game.units[unit]):
        return refusal("not-by-air", "11.6.1", unit=unit)
    if game.supplies >> unit & 1 and state.steps[unit] != 1:
        return refusal("not-by-air", "11.6.1", unit=unit)
    if not state.transports[side]:
        return refusal("no-transports", "11.6.3", unit=unit)
    if state.held >> unit & 1:
        return refusal("held", "18.0", unit=unit)
    place = state.where[unit]
    if is_due(game, state, unit):
        return None
    if place < 0 or state.moved >> unit & 1:
        return refusal("not-by-air", "11.6.2", unit=unit)
    if not _airfield(game, state, side, place):
        return refusal("no-airfield", "11.6.2", hex=place)
    return None


def _airfield(game: Typhoon, state: TyphoonState, side: int, cell: int) -> bool:
    engineer = bool(state.own(side, cell) & game.engineers)
    return has_airfield(game.board, cell, state.sky, engineer)


def airfields(game: Typhoon, state: TyphoonState, side: int) -> int:
    """11.6.2, 11.6.4 The hexes where aircraft of a side may land: friendly places without enemies."""
    places = (game.villages | game.cities | game.major_cities) & game.outline(state).area
    places &= state.soviet_hexes if side == SOVIET else ~state.soviet_hexes
    return bits(c for c in each(places & ~state.occupied[1 - side]) if _airfield(game, state, side, c))


def shut_to_aircraft(game: Typhoon, state: TyphoonState, side: int) -> int:
    """11.6.4 Hexes in an enemy zone of interdiction: only the Axis interdicts (11.4)."""
    return interdicted(game, state) if side == SOVIET else 0


def why_not_land(game: Typhoon, state: TyphoonState, side: int, unit: int, cell: int) -> Refusal | None:
    """11.6.2, 11.6.4 Why it may not be set down there, or None."""
    if cell == state.where[unit] or not airfields(game, state, side) >> cell & 1:
        return refusal("no-airfield", "11.6.2", hex=cell)
    if shut_to_aircraft(game, state, side) >> cell & 1:
        return refusal("landing-interdicted", "11.6.4", hex=cell)
    if game.supplies >> unit & 1 and lonely(game, state, side) >> cell & 1:
        return refusal("supply-in-zone", "6.5.3", hex=cell)
    if not _fits(game, state, side, unit, cell):
        return refusal("no-room", "3.2.1", unit=unit, hex=cell)
    return why_not_at(game, state, unit, cell)


def lonely(game: Typhoon, state: TyphoonState, side: int) -> int:
    """6.5.3 Hexes in an enemy zone without a combat unit of one's own: supply does not go there."""
    return zone(game, state, 1 - side) & ~armed(state, side)


def _fits(game: Typhoon, state: TyphoonState, side: int, unit: int, cell: int) -> bool:
    if not game.units[unit].stacking:
        return True
    here = [game.units[u] for u in members(state.own(side, cell))]
    return not excess([*here, game.units[unit]])


def flights(game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
    if not state.transports[side]:
        return []
    units = [u for u in members(game.units_of[side]) if may_be_flown(game.units[u])]
    units = [u for u in units if why_not_load(game, state, side, u) is None]
    if not units:
        return []
    fields = airfields(game, state, side) & ~shut_to_aircraft(game, state, side)
    for_supply = fields & ~lonely(game, state, side)
    return [
        ("airlift", unit, cell)
        for unit in units
        for cell in each((for_supply if game.supplies >> unit & 1 else fields) & home(game, state, unit))
        if cell != state.where[unit] and _fits(game, state, side, unit, cell)
    ]


# 15.3 Substitute regiments


def why_not_detach(game: Typhoon, state: TyphoonState, side: int, unit: int) -> Refusal | None:
    """15.3.1, 15.3.2, 15.3.4 Why a division may not detach a regiment, or None."""
    counter = game.units[unit]
    if side != AXIS or state.side(unit) != AXIS or not counter.division or counter.kind != "infantry":
        return refusal("detaches-nothing", "15.3.1", unit=unit)
    if state.where[unit] < 0:
        return refusal("detaches-nothing", "15.3.1", unit=unit)
    if state.steps[unit] < 2:
        return refusal("last-step-stays", "15.3.2", unit=unit)
    if not state.at.get(SUBSTITUTES, 0):
        return refusal("no-regiments-left", "15.3.4", unit=unit)
    return None


def detach(game: Typhoon, state: TyphoonState, unit: int) -> None:
    """15.3.1 A regiment stands beside its division, in the same state of supply."""
    regiment = members(state.at[SUBSTITUTES])[0]
    state.set_steps(unit, state.steps[unit] - 1)
    state.place(regiment, state.where[unit])
    state.set_steps(regiment, 1)
    for name in ("emergency", "unsupplied"):
        marked = getattr(state, name)
        alike = marked | 1 << regiment if marked >> unit & 1 else marked & ~(1 << regiment)
        setattr(state, name, alike)
    state.emit("detached", "15.3.1", unit=regiment, hex=state.where[unit])


def why_not_rejoin(game: Typhoon, state: TyphoonState, regiment: int, unit: int) -> Refusal | None:
    """15.3.3 Why a regiment may not join a division, or None."""
    counter = game.units[unit]
    if not game.substitutes >> regiment & 1 or state.where[regiment] < 0:
        return refusal("no-substitute", "15.3.3", unit=regiment)
    if not counter.division or counter.kind != "infantry" or state.where[unit] != state.where[regiment]:
        return refusal("no-division-for-it", "15.3.3", unit=regiment)
    if state.steps[unit] >= counter.steps:
        return refusal("full-strength", "15.3.3", unit=unit)
    return None


def rejoin(game: Typhoon, state: TyphoonState, regiment: int, unit: int) -> None:
    """15.3.3 The division gains a step, and the worst state of supply of the two."""
    if state.unsupplied >> regiment & 1:
        state.unsupplied |= 1 << unit
        state.emergency &= ~(1 << unit)
    elif state.emergency >> regiment & 1 and not state.unsupplied >> unit & 1:
        state.emergency |= 1 << unit
    state.set_steps(unit, state.steps[unit] + 1)
    state.place(regiment, SUBSTITUTES)
    for name in ("unsupplied", "emergency", "moved"):
        setattr(state, name, getattr(state, name) & ~(1 << regiment))
    state.emit("rejoined", "15.3.3", unit=unit)


class Prepare(Decision["Typhoon", TyphoonState]):
    """What is done before units move, in any order."""

    name = "prepare"
    case = "7.0"
    verbs = {
        "refit": Verb(("unit",)),
        "lay-pontoon": Verb(("hex", "hex"), Role.PLACE),
        "lift": Verb(("hex",), Role.PLACE),
        "airlift": Verb(("unit", "hex"), Role.PLACE),
        "detach": Verb(("unit",)),
        "end": Verb((), Role.END),
    }

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return state.active

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return len(self.options(game, state, state.active)) > 1

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        preparing: Preparing = state.local
        found: list[Action] = [("refit", unit) for unit in can_refit(game, state)]
        found += bridge_sites(game, state, side)
        found += [("lift", cell) for cell in sorted({p.cell for p in preparing.old if p in state.pontoons})]
        found += flights(game, state, side)
        if side == AXIS:
            infantry = members(game.divisions & game.units_of[AXIS])
            found += [("detach", u) for u in infantry if why_not_detach(game, state, side, u) is None]
        return [*found, ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        verb = action[0]
        if verb == "refit":
            return why_not_refit(game, state, action[1])
        if verb == "lay-pontoon":
            if action[2] not in game.board.adjacent[action[1]]:
                return refusal("no-river", "13.2.1", hex=action[1])
            return why_not_bridge(game, state, side, action[1], action[2])
        if verb == "lift":
            preparing: Preparing = state.local
            if any(p.cell == action[1] and p in state.pontoons for p in preparing.old):
                return None
            return refusal("no-pontoon", "13.2.2", hex=action[1])
        if verb == "airlift":
            reason = why_not_load(game, state, side, action[1])
            return reason or why_not_land(game, state, side, action[1], action[2])
        return None if verb == "end" else why_not_detach(game, state, side, action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        verb = action[0]
        if verb == "end":
            return None
        if verb == "refit":
            state.refitting |= 1 << action[1]
            state.emit("named-for-refit", "15.2.1", unit=action[1])
        elif verb == "lay-pontoon":
            state.pontoons = tuple(sorted((*state.pontoons, Pontoon(side, action[1], action[2]))))
            state.emit("bridged", "13.2.2", hex=action[1], hex_to=action[2])
        elif verb == "lift":
            preparing: Preparing = state.local
            taken = [p for p in preparing.old if p.cell == action[1]]
            state.pontoons = tuple(p for p in state.pontoons if p not in taken)
        elif verb == "airlift":
            self._fly(game, state, side, action[1], action[2])
        else:
            detach(game, state, action[1])
        return AGAIN

    def _fly(self, game: Typhoon, state: TyphoonState, side: int, unit: int, cell: int) -> None:
        state.transports[side] -= 1
        if state.where[unit] == TO_COME:
            state.arrived |= 1 << unit
        enter(game, state, unit, cell)
        state.moved |= 1 << unit
        state.marched |= 1 << unit
        state.emit("airlifted", "11.6.2", unit=unit, hex=cell)


class Rejoin(Decision["Typhoon", TyphoonState]):
    """15.3.3 At the end of a movement phase regiments may join divisions in their hex."""

    name = "rejoin"
    case = "15.3.3"
    verbs = {"rejoin": Verb(("unit", "unit")), "end": Verb((), Role.END)}

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return AXIS

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.active == AXIS and len(self.options(game, state, AXIS)) > 1

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        found: list[Action] = []
        for regiment in members(game.substitutes):
            if state.where[regiment] >= 0:
                here = members(state.own(AXIS, state.where[regiment]) & game.divisions)
                found += [
                    ("rejoin", regiment, u) for u in here if why_not_rejoin(game, state, regiment, u) is None
                ]
        return [*found, ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        return None if action[0] == "end" else why_not_rejoin(game, state, action[1], action[2])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        rejoin(game, state, action[1], action[2])
        return AGAIN


PREPARATIONS = procedure(
    "preparations",
    "7.0",
    step("begin", do(begin_preparations), "13.2.2"),
    step("prepare", ask(Prepare()), "7.0"),
    values=Preparing,
)
"""What a movement phase begins with, after withdrawals."""

REGROUPING = procedure("regrouping", "15.3.3", step("rejoin", ask(Rejoin()), "15.3.3"))
"""What a movement phase ends with."""
