"""What an attack promises: every share of a result with its chance, never a single roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits
from grognard.games.leningrad.rules.supply import in_supply
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState, members
from grognard.mechanics.odds import CombatTable

if TYPE_CHECKING:
    from grognard.games.leningrad.staff.office import Staff


class Shares(NamedTuple):
    """How likely each share of a result is: one, two, everything; the defender's, then the attacker's."""

    one: float
    two: float
    all: float
    back_one: float
    back_two: float
    back_all: float


def shares_of_table(table: CombatTable) -> dict[int, Shares]:
    """The shares of each column."""
    found = {}
    chance = 1 / len(table.rows)
    for column in table.columns:
        results = [table.result(column, die).split("/") for die in table.rows]
        counts = [
            chance * sum(result[half] == share for result in results)
            for half in (0, 1)
            for share in ("1", "2", "E")
        ]
        found[column] = Shares(*counts)
    return found


class Target:
    """An enemy stack as an attacker sees it."""

    def __init__(
        self, staff: Staff, state: LeningradState, side: int, cell: int, units: Sequence[int] = ()
    ) -> None:
        game = staff.game
        self.cell = cell
        # 8.4 who fell back here in this phase does not fight
        self.units = list(units) or members(state.at[cell] & ~state.attacked) or members(state.at[cell])
        self.count = len(self.units)
        self.worth = sum(staff.value_of(state, u) for u in self.units)
        self.steps = sum(state.steps[u] for u in self.units)
        self.defence = staff.defence_spread(state, self.units)
        self.expected = sum(value * chance for value, _, chance in self.defence)
        self.rivers = bits(c for c in game.board.adjacent[cell] if game.board.side_has(cell, c, "river"))
        self.open = bool(game.open_ground & ~state.forts & 1 << cell)
        shifts = game.data.shifts
        base = 0
        if game.rough_ground >> cell & 1:
            base += shifts["defender-terrain"][0]
        if side == GERMAN:
            if state.forts >> cell & 1:
                base += shifts["fort"][0]
            if game.soviet_cities >> cell & 1:
                base += shifts["soviet-city"][0]
        elif state.surprise:
            base += shifts["surprise"][0]
        if not in_supply(game, state, 1 - side, cell):
            base += shifts["defender-unsupplied"][0]
        self.shelters_armour = not (side == SOVIET and game.soviet_cities >> cell & 1)
        if side == SOVIET and self.shelters_armour:
            for corps in game.corps:
                if all(u in self.units for u in corps):
                    base += shifts["defender-corps"][0]
        self.base = base
        self._known: dict[tuple[int, int], Shares] = {}
        self._staff = staff

    def shares(self, attack: int, shift: int) -> Shares:
        """What an attack of so much strength promises, over all that the untried may turn out to be."""
        key = (attack, shift)
        found = self._known.get(key)
        if found is None:
            total = [0.0] * 6
            table, armour_shift = self._staff.shares, self._staff.armour_shift
            for value, armour, chance in self.defence:
                column = self._staff.column(
                    attack, value, shift + (armour_shift if armour and self.shelters_armour else 0)
                )
                for n, share in enumerate(table[column]):
                    total[n] += chance * share
            found = self._known[key] = Shares(*total)
        return found
