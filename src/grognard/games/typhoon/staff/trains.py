"""7.6 Trains, before a plan is made: points of supply to those who attack, units from the rear to where they
are needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from grognard.board.board import each
from grognard.games.typhoon.rules.entry import ways_in
from grognard.games.typhoon.rules.hand import mode_of
from grognard.games.typhoon.rules.movement import (
    rail_hexes,
    rail_weight,
    why_not_entrain,
    why_not_rail_in,
    why_not_train,
)
from grognard.games.typhoon.rules.reach import ORDINARY
from grognard.games.typhoon.rules.setup import units_to_come
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.rules.strength import attack_of
from grognard.games.typhoon.staff.outlook import Outlook
from grognard.kernel import Action
from grognard.kernel.doctrine import Plan
from grognard.mechanics.pieces import members

NOBODY = -1
HALVES = 8
"""Hexes beyond the reach of a counter that halve what it is worth to somebody."""


class Trains:
    """What trains could do for a side."""

    def __init__(self, view: Outlook) -> None:
        self.view, self.game, self.state = view, view.game, view.state
        self._lines: dict[int, int] = {}
        self._served: dict[tuple[int, int], float] = {}
        game, state, near = self.game, self.state, view.foes
        for _ in range(int(view.common["service_reach"])):
            near |= game.board.spread(near)
        self._front = near & state.occupied[view.side]

    def best(self) -> Plan | None:
        """The train that brings most for what it takes of the rail capacity."""
        found: Plan | None = None
        if mode_of(self.state) != ORDINARY or self.state.rail_left[self.view.side] <= 0:
            return None
        for unit, start, first in self._ready():
            gain, cell = max((self._gain(unit, start, c), -c) for c in (start, *self._stops(unit, start)))
            gain /= rail_weight(self.game, self.state, unit)
            if gain > self.view.common["train"] and (found is None or gain > found.gain):
                found = Plan(gain, (first, ("detrain", -cell)), (unit,))
        return found

    def _ready(self) -> Iterator[tuple[int, int, Action]]:
        """Units that could go by train, from where, and the answer by which they get on."""
        game, state, side = self.game, self.state, self.view.side
        for unit in self.view.ours():
            cell = state.where[unit]
            if not game.on_rail >> cell & 1 or game.trains >> unit & 1:
                continue
            if (why_not_train(game, state, unit) or why_not_entrain(game, state, unit)) is None:
                yield unit, cell, ("entrain", unit)
        for unit in units_to_come(game, state, side):
            for cell in ways_in(game, state, unit):
                if game.on_rail >> cell & 1 and why_not_rail_in(game, state, unit, cell) is None:
                    yield unit, cell, ("rail-in", unit, cell)
                    break

    def _stops(self, unit: int, start: int) -> list[int]:
        """7.6.2 Where a unit could get off; it does not make a crowd (3.2.2)."""
        if start not in self._lines:
            self._lines[start] = rail_hexes(self.game, self.state, unit, start)
        game, state, side = self.game, self.state, self.view.side
        found = each(self._lines[start])
        return [c for c in found if not excess([game.units[u] for u in (*members(state.own(side, c)), unit)])]

    def _gain(self, unit: int, start: int, cell: int) -> float:
        """How much better a unit is placed after a ride: supply by whom it serves, others by how near they
        are to a place that matters."""
        if cell == start:
            return 0.0
        if self.game.supplies >> unit & 1:
            return self.state.steps[unit] * (self.served(cell, unit) - self.served(start, unit))
        counter = self.game.units[unit]
        weight = max(counter.attack, counter.support) + counter.defence
        nearer = self.view.goal(start) - self.view.goal(cell) - self.view.common["train_least"]
        return nearer * weight * self.view.numbers["goal"] if nearer > 0 else 0.0

    @cached_property
    def _strengths(self) -> list[tuple[int, float, float]]:
        """The hexes near the enemy: our strength there, and the points of supply that serve it."""
        game, state, found = self.game, self.state, []
        for cell in each(self._front):
            units = members(state.fighters(self.view.side, cell))
            strength = sum(attack_of(game, state, unit) for unit in units)
            points = sum(state.steps[u] * self._help(state.where[u], cell) for u in self.view.stores)
            if strength:
                found.append((cell, self.view.common["service"] * strength, points))
        return found

    def _help(self, here: int, cell: int) -> float:
        """6.5.5 How much a counter on a hex serves units on another: less, the farther beyond its line."""
        beyond = self.game.board.distance(here, cell) - int(self.view.common["service_line"])
        return 1.0 if beyond <= 0 else 0.5 ** (beyond / HALVES)

    def served(self, cell: int, own: int = NOBODY) -> float:
        """What a point of supply on a hex is worth for attacks: the less, the more other points serve the
        same."""
        if self.view.landing >> cell & 1:
            return 0.0
        key = cell, self.state.where[own] if own >= 0 else NOBODY
        found = self._served.get(key)
        if found is None:
            found = 0.0
            for here, strength, points in self._strengths:
                mine = self.state.steps[own] * self._help(key[1], here) if own >= 0 and key[1] >= 0 else 0.0
                found += strength * self._help(cell, here) / (1 + points - mine)
            self._served[key] = found
        return found

    def forward(self, cells: int, unit: int) -> dict[int, float]:
        """What a point of supply that comes on each hex could serve, by rail if there is one."""
        worth = {cell: self.served(cell) for cell in each(cells)}
        if self.state.rail_left[self.view.side] > 0:
            for cell in each(cells & self.game.on_rail):
                line = rail_hexes(self.game, self.state, unit, cell) & ~self.view.zones
                worth[cell] = max((self.served(c) for c in each(line)), default=worth[cell])
        return worth


def place_supply(view: Outlook, cells: int, unit: int) -> int:
    """6.5.1 The hex where supply comes: from where trains take it to those who attack, while there is room on
    them; else as near to the front as it can."""
    state, game, trains = view.state, view.game, Trains(view)
    waiting = sum(game.west >> state.where[u] & 1 for u in view.stores)
    if waiting < state.rail_left[view.side]:
        worth = trains.forward(cells, unit)
    else:
        worth = {cell: trains.served(cell) for cell in each(cells)}
    return max(each(cells), key=lambda c: (worth[c], -view.goal(c), -c))
