"""8.8.3, 8.13 Advance after combat."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.games.stalingrad_roads.rules.ground import enter_hex, water
from grognard.games.stalingrad_roads.rules.pocket import enclose
from grognard.games.stalingrad_roads.rules.stacking import has_room
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.kernel import AGAIN, RETURN, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import Choose

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class Advance(NamedTuple):
    """Victorious units and the hexes open to them."""

    units: tuple[int, ...]
    cells: tuple[int, ...]
    dry: bool = False
    """After combat in exploitation nobody crosses an open great river (9.3.2)."""


def why_not_advance(
    game: StalingradRoads, state: RoadsState, advance: Advance, unit: int, cell: int
) -> Refusal | None:
    data = game.data
    if unit not in advance.units:
        return refusal("did-not-win", "8.13", unit=unit)
    here = state.where[unit]
    if game.plan(state).pocket >> here & 1:
        return refusal("pocket-stays", "S1.4", unit=unit)
    if cell not in advance.cells or cell not in game.board.adjacent[here]:
        return refusal("not-vacated", "8.13", hex=cell)
    if not data.passable[data.direction[cell - here]] >> here & 1:
        return refusal("impassable", "1.8.4", hex=cell)
    if not has_room(game, state, unit, cell):
        return refusal("no-room", "1.11.3", unit=unit, hex=cell)
    if advance.dry and data.barrier(here, cell, water(state)):
        return refusal("river-no-advance", "9.3.2", unit=unit, hex=cell)
    if state.side(unit) == AXIS and data.edge_row >> cell & 1:
        return refusal("edge-row", "7.1.11", hex=cell)
    guarded = data.bank >> here & 1 and state.occupied[AXIS] & data.stalingrad
    if state.side(unit) == SOVIET and guarded:
        return refusal("holds-the-bank", "S2.14", unit=unit)
    return None


class AdvanceUnit(Choose["StalingradRoads", RoadsState]):
    """8.13 The winner advances, unit by unit, or holds."""

    name = "advance-unit"
    case = "8.13.2"
    verbs = {"advance": Verb(("unit", "hex"), Role.PLACE), "hold": Verb((), Role.PASS)}

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        advance: Advance = state.local
        return state.side(advance.units[0])

    def able(self, game: StalingradRoads, state: RoadsState) -> list[tuple[int, int]]:
        advance: Advance | None = state.local
        if advance is None:
            return []
        return [
            (unit, cell)
            for unit in advance.units
            if state.where[unit] >= 0
            for cell in advance.cells
            if why_not_advance(game, state, advance, unit, cell) is None
        ]

    def why_not(self, game: StalingradRoads, state: RoadsState, thing: tuple[int, int]) -> Refusal | None:
        return why_not_advance(game, state, state.local, *thing)

    def decline(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def take(self, game: StalingradRoads, state: RoadsState, thing: tuple[int, int]) -> Flow:
        advance: Advance = state.local
        unit, cell = thing
        here = state.where[unit]
        state.local = advance._replace(units=tuple(u for u in advance.units if u != unit))
        enter_hex(game, state, unit, cell)
        state.emit("advanced", "8.13", unit=unit, hex_from=here, hex=cell)
        enclose(game, state, 1 << unit)
        return AGAIN if len(advance.units) > 1 else RETURN
