"""14.1 Reinforcements: where they enter, what the first hex costs, and why they may not."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.games.typhoon.rules.costs import ROADS, Prices
from grognard.games.typhoon.rules.ground import open_cities
from grognard.games.typhoon.rules.hand import mode_of
from grognard.games.typhoon.rules.phases import NONE, in_motorised_phase
from grognard.games.typhoon.rules.reach import MOTORISED, mover_of
from grognard.games.typhoon.rules.setup import is_due
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import ACTIVE, AXIS, SOVIET, TyphoonState
from grognard.kernel import Refusal, refusal

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

RETURNING = "back"
"""17.4.3 The code of those who come back to the map where they left it."""
SOUTH_GATES = ("P1733", "P2333")
"""14.1.3b The hexes of code s for the Axis."""


def code_of(game: Typhoon, state: TyphoonState, unit: int) -> tuple[str, int]:
    """14.1.2 The code of a unit and the hex that its sheet names, or -1. Who was restored (15.2.2) enters
    with the code of supply units."""
    if state.away:
        back = [away.cell for away in state.away if away.back and unit in away.units]
        if back:
            return RETURNING, back[0]
    due = game.outline(state).due.get(unit)
    if due is None or state.where[unit] == ACTIVE:
        return ("w" if state.side(unit) == AXIS else "ec"), -1
    return due.code, due.cell


def entry_hexes(game: Typhoon, state: TyphoonState, unit: int) -> int:
    """14.1.3, 14.1.4 The hexes by which a unit may come."""
    code, cell = code_of(game, state, unit)
    return hexes_of_code(game, state, state.side(unit), code, cell)


def hexes_of_code(game: Typhoon, state: TyphoonState, side: int, code: str, cell: int = -1) -> int:
    area = game.outline(state).area
    if code == RETURNING:
        return 1 << cell & ~state.occupied[1 - side]
    if cell >= 0 and code not in ("c", "M", "MG"):
        return (1 << cell | game.contacts[cell]) & area & ~state.occupied[1 - side]
    found = 0
    if "w" in code:
        found |= game.west
    if "s" in code and side == SOVIET:
        found |= game.south
    if "s" in code and side == AXIS:
        found |= bits(game.board.cell(number) for number in SOUTH_GATES)
    if "e" in code:
        found |= game.east
    if "c" in code:
        found |= _cities(game, state, side)
    # 14.3.2 In the first panic no garrison comes to Moscow.
    if "M" in code and not (code == "MG" and state.panic == 1):
        found |= game.moscow & state.soviet_hexes
    return found & area & ~state.occupied[1 - side]


def _cities(game: Typhoon, state: TyphoonState, side: int) -> int:
    """14.1.3c, 14.1.4c Friendly cities; for the Soviets major ones that are not encircled, Moscow always."""
    if side == AXIS:
        return (game.cities | game.major_cities) & ~state.soviet_hexes
    return open_cities(game, state) | game.moscow & state.soviet_hexes


def is_inside(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> bool:
    """Whether a unit is placed there, not marched in from an edge."""
    code, named = code_of(game, state, unit)
    inside = game.cities | game.major_cities
    return any(letter in code for letter in "cM") and named < 0 and bool(inside >> cell & 1)


@cache
def _first_hex(board: Board, mover: str, sky: Sky, artillery: bool, cell: int) -> int | None:
    """14.1.7 The first hex costs its terrain, or its best road."""
    roads = set[str]()
    for there in board.adjacent[cell]:
        roads |= board.sides.get((min(cell, there), max(cell, there)), {}).keys() & set(ROADS)
    prices = [Prices(board, mover, sky, artillery).entering(cell, {road}) for road in sorted(roads)]
    prices.append(Prices(board, mover, sky, artillery).entering(cell, set()))
    known = [price for price in prices if price is not None]
    return max(min(known), 1) if known else None


def entry_price(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> int:
    """14.1.7 What the first hex costs; nothing for who is placed in a city."""
    if is_inside(game, state, unit, cell):
        return 0
    mover, artillery = mover_of(game, unit)
    mover = "foot" if mover == "rail" else mover
    return _first_hex(game.board, mover, state.sky, artillery, cell) or 0


def why_not_come(game: Typhoon, state: TyphoonState, unit: int) -> Refusal | None:
    """14.1.1 Whether a unit may come in this phase, by whatever hex."""
    if state.side(unit) != state.active:
        return refusal("not-yours", "14.1", unit=unit)
    if not is_due(game, state, unit) and state.where[unit] != ACTIVE:
        return refusal("not-due", "14.1.1", unit=unit)
    if code_of(game, state, unit)[0] == "air":
        return refusal("by-air-only", "11.6.2", unit=unit)
    if mode_of(state) == MOTORISED:
        counter = game.units[unit]
        if not counter.motorised or in_motorised_phase(counter) == NONE:
            return refusal("enters-later", "14.1.1", unit=unit)
    return None


def _why_not_by(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> Refusal | None:
    """Why a unit cannot come by one of its hexes."""
    if game.board.info[cell].terrain == "lake":
        return refusal("forbidden-terrain", "7.3.1", unit=unit, hex=cell)
    if game.trains >> unit & 1 and not game.on_rail >> cell & 1:
        return refusal("train-on-rails", "13.3.1", unit=unit)
    mover, artillery = mover_of(game, unit)
    inside = is_inside(game, state, unit, cell)
    if not inside and mover != "rail" and _first_hex(game.board, mover, state.sky, artillery, cell) is None:
        return refusal("forbidden-terrain", "7.3.1", unit=unit, hex=cell)
    return None


def why_not_enter(game: Typhoon, state: TyphoonState, unit: int, cell: int) -> Refusal | None:
    """14.1.1, 14.1.2"""
    reason = why_not_come(game, state, unit)
    if reason is not None:
        return reason
    if not entry_hexes(game, state, unit) >> cell & 1:
        return refusal("not-an-entry", "14.1.2", unit=unit, hex=cell)
    return _why_not_by(game, state, unit, cell)


def ways_in(game: Typhoon, state: TyphoonState, unit: int) -> list[int]:
    """14.1.2 The hexes by which a unit may come now."""
    if why_not_come(game, state, unit) is not None:
        return []
    cells = each(entry_hexes(game, state, unit))
    return [cell for cell in cells if _why_not_by(game, state, unit, cell) is None]
