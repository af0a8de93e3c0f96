"""16.0 Reinforcements and regeneration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.leningrad.rules.disengagement import note_stop
from grognard.games.leningrad.rules.supply import in_supply
from grognard.games.leningrad.state import GERMAN, TO_COME, LeningradState, members
from grognard.kernel import AGAIN, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.arrivals import waiting
from grognard.mechanics.choices import Choose
from grognard.mechanics.control import in_enemy_zone
from grognard.mechanics.movement import outward

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def due(game: Leningrad, state: LeningradState, side: int) -> list[int]:
    """16.0, 16.3 Units that may enter now: those of this turn and those held back before."""
    return waiting(game.arrivals[side], state.where, game.arrival, state.turn, held_back=True)


def listed_entries(game: Leningrad, state: LeningradState, unit: int) -> tuple[int, ...]:
    """The hexes where the tables let a unit enter on this turn."""
    counter = game.units[unit]
    if counter.surprise and state.turn > counter.turn:
        # 17.4 held back, the six enter by 2908 on the next turn and by 2906 later
        return (game.late_entry,) if state.turn == counter.turn + 1 else (game.latest_entry,)
    if game.enters_leningrad[unit] and all(state.occupied[GERMAN] >> c & 1 for c in game.leningrad):
        return game.northern_edge  # 16.4
    return counter.entries


def entry_hexes(game: Leningrad, state: LeningradState, unit: int) -> list[int]:
    """16.2 Where a unit can enter now: its listed hexes or, if all are shut, the nearest ones that are
    not."""
    shut = state.occupied[1 - game.side(unit)] | state.full
    listed = listed_entries(game, state, unit)
    open_ones = [c for c in listed if not shut >> c & 1]
    if open_ones:
        return open_ones
    rings = (each(ring & game.data.land & ~shut) for ring in outward(game.board, bits(listed)))
    return next(filter(None, rings), [])


def why_not_enter(game: Leningrad, state: LeningradState, unit: int, cell: int) -> Refusal | None:
    """Whether a unit of the side that moves may enter here."""
    if state.where[unit] != TO_COME:
        return refusal("not-to-come", "16.0", unit=unit)
    if game.arrival[unit] > state.turn:
        return refusal("not-due", "16.0", unit=unit, turn=game.arrival[unit])
    if cell not in entry_hexes(game, state, unit):
        if state.occupied[1 - game.side(unit)] >> cell & 1:
            return refusal("entry-enemy", "16.2", unit=unit, hex=cell)
        return refusal("not-an-entry", "16.2", unit=unit, hex=cell)
    return None


def enter(game: Leningrad, state: LeningradState, unit: int, cell: int) -> None:
    """16.1 Pay for the entry hex alone, as if first and in supply."""
    price = game.plain_cost[unit][cell]
    if game.side(unit) == GERMAN:
        if state.forts >> cell & 1:
            price *= game.data.numbers["fort_factor"]
    else:
        price *= game.data.numbers["interdiction_factor"] ** state.interdicted.count(cell)
    state.left[unit] = max(0, game.movement[unit] - price)
    state.moved |= 1 << unit
    state.place(unit, cell)
    note_stop(game, state, (unit,))
    state.emit("entered", "16.1", unit=unit, hex=cell)
    if game.units[unit].surprise and state.turn == game.data.numbers["surprise_turn"]:
        _check_surprise(game, state)


def _check_surprise(game: Leningrad, state: LeningradState) -> None:
    """17.4 In force once all six are on the map on the turn they are due."""
    if all(state.where[u] != TO_COME for u in game.surprise_force):
        state.surprise = True
        state.emit("surprise", "17.4")


class Regenerate(Choose["Leningrad", LeningradState]):
    """16.6-16.9 Reduced German units that have stayed a whole turn come back to full strength."""

    name = "regenerate"
    case = "16.6"
    verbs = {"regenerate": Verb(("unit",)), "end": Verb((), Role.END)}
    asked = GERMAN

    def able(self, game: Leningrad, state: LeningradState) -> list[int]:
        return [u for u in members(game.units_of[GERMAN]) if self.why_not(game, state, u) is None]

    def why_not(self, game: Leningrad, state: LeningradState, unit: int) -> Refusal | None:
        cell = state.where[unit]
        if game.side(unit) != GERMAN:
            return refusal("not-german", "16.6", unit=unit)
        if not state.on_map(unit) or state.steps[unit] != 1:
            return refusal("not-reduced", "16.6", unit=unit)
        if not game.regeneration_hexes >> cell & 1:
            return refusal("no-depot", "16.6", unit=unit, hex=cell)
        if state.stay[unit] > state.turn - 2:
            return refusal("not-a-whole-turn", "16.6", unit=unit)
        if in_enemy_zone(game, state, GERMAN, cell):
            return refusal("zone-at-depot", "16.7", unit=unit, hex=cell)
        if not in_supply(game, state, GERMAN, cell):
            return refusal("depot-unsupplied", "16.6", unit=unit, hex=cell)
        if state.local >= game.data.numbers["regenerations"]:
            return refusal("regenerated-enough", "16.8", unit=unit)
        return None

    def take(self, game: Leningrad, state: LeningradState, unit: int) -> Flow:
        state.steps[unit] = 2
        state.local += 1
        state.emit("regenerated", "16.6", unit=unit, hex=state.where[unit])
        return AGAIN if self.pending(game, state) else None


def begin_regeneration(game: Leningrad, state: LeningradState) -> None:
    """16.8 Count the regenerations of this turn from nought."""
    state.local = 0
