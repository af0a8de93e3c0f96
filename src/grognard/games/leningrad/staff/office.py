"""What the staff knows at any time: the worth of units, how far they get, what the enemy could reach."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.leningrad.rules.disengagement import disengagement_cost, held, why_not_leave
from grognard.games.leningrad.rules.supply import allowance, dearer_hexes, in_supply, trace
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.staff.promise import shares_of_table
from grognard.games.leningrad.state import LeningradState, members
from grognard.mechanics import zones
from grognard.mechanics.movement import Ground, Reach, reach, way
from grognard.mechanics.odds import whole_odds

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad
    from grognard.games.leningrad.staff.doctrine import LeningradDoctrine


class Staff:
    """What a game of Leningrad can be asked again and again while plans are made."""

    def __init__(self, game: Leningrad, doctrine: LeningradDoctrine) -> None:
        self.game = game
        self.doctrine = doctrine
        self.numbers: dict[str, Any] = doctrine.numbers["plan"]
        self.shares = shares_of_table(game.data.crt)
        self.armour_shift = game.data.shifts["defender-armour"][0]
        lines = game.data.untried
        self.means = {
            pool: tuple(
                sum(s.number * value for s, value in pairs) / max(1, sum(s.number for s, _ in pairs))
                for pairs in (
                    [(s, s.attack) for s in lines if s.pool == pool],
                    [(s, s.defence) for s in lines if s.pool == pool],
                )
            )
            for pool in ("infantry", "armour")
        }
        self.column = lru_cache(maxsize=None)(self._column)
        self.open_neighbours = {cell: game.contact[cell].bit_count() for cell in game.contact}

    def _column(self, attack: int, defence: int, shift: int) -> int:
        table = self.game.data.crt
        if attack <= 0:
            return table.columns[0]
        if defence <= 0:
            return table.columns[-1]
        return table.column(whole_odds(attack, defence) + shift)

    # Units

    def worth_of(self, state: LeningradState, unit: int) -> float:
        """A step of a unit to its owner; a German's last one is dearer."""
        worth = self.numbers["worth"]
        if unit >= state.germans:
            rated = state.rating[unit]
            if not rated:
                return float(worth["soviet"])
            drawn = self.game.data.untried[rated - 1]
            return float(worth["soviet"]) * (0.6 + 0.15 * drawn.defence)
        kind = self.game.units[unit].kind
        return float(worth[kind] if state.steps[unit] == 2 else worth[f"{kind}_last"])

    def value_of(self, state: LeningradState, unit: int) -> float:
        """All that is left of a unit, to its owner."""
        if unit >= state.germans:
            return self.worth_of(state, unit)
        worth, kind = self.numbers["worth"], self.game.units[unit].kind
        last = float(worth[f"{kind}_last"])
        return last + (float(worth[kind]) if state.steps[unit] == 2 else 0.0)

    def attack_of(self, state: LeningradState, unit: int) -> float:
        counter = self.game.units[unit]
        if unit < state.germans:
            return counter.strength if state.steps[unit] == 2 else counter.reduced
        rated = state.rating[unit]
        return self.game.data.untried[rated - 1].attack if rated else self.means[counter.kind][0]

    def defence_of(self, state: LeningradState, unit: int) -> float:
        if unit < state.germans:
            return self.attack_of(state, unit)
        rated = state.rating[unit]
        return (
            self.game.data.untried[rated - 1].defence if rated else self.means[self.game.units[unit].kind][1]
        )

    def defence_spread(self, state: LeningradState, units: list[int]) -> list[tuple[int, bool, float]]:
        """(total strength, armour among it, chance) of a stack that defends."""
        game = self.game
        known, armour, untried = 0, False, []
        for unit in units:
            if unit < state.germans:
                known += int(self.attack_of(state, unit))
                armour |= game.units[unit].kind == "armour"
            elif state.rating[unit]:
                drawn = game.data.untried[state.rating[unit] - 1]
                known += drawn.defence
                armour |= drawn.kind == "armour"
            else:
                untried.append(unit)
        if not untried:
            return [(known, armour, 1.0)]
        return [
            (known + more, armour or also, chance)
            for (more, also), chance in sorted(
                self.doctrine.adviser.draws(state, untried, attacking=False).items()
            )
        ]

    # Movement

    def budget(self, state: LeningradState, units: tuple[int, ...]) -> int:
        return min(state.left[u] if state.moved >> u & 1 else allowance(self.game, state, u) for u in units)

    def flood(
        self, state: LeningradState, units: tuple[int, ...], blocked: int
    ) -> Iterator[tuple[int, int, list[int]]]:
        """Floods that together hold every hex in reach of a stack on the map: (first hex, its price, layers).
        The first hex is the stack's own or, where the first step has a price of its own, each one that it can
        take: out of an enemy zone (6.0) or out of a hex under interdiction (13.4)."""
        game = self.game
        side = game.side(units[0])
        here = state.where[units[0]]
        costs = game.costs[units[0]]
        enemy_zone = zone(game, state, 1 - side)
        allowed = game.data.land & ~state.occupied[1 - side] & ~blocked
        budget = self.budget(state, units)
        dearer = dearer_hexes(game, state, side)
        ground = Ground(costs, allowed, enemy_zone, dearer)
        engaged = bool(held(game, state, units, here))
        leaving = max(self._leaving_factor(state, u) for u in units)
        if not engaged and leaving == 1:
            yield here, 0, reach(ground, {here: 0}, budget).layers
            return
        first, extra = game.contact[here] & allowed, 0
        if engaged:
            if len(units) > game.data.numbers["disengage_stack"]:
                return
            if any(not game.disengages_freely[u] and state.departed >> u & 1 for u in units):
                return
            first &= ~enemy_zone
            extra = max(disengagement_cost(game, u) for u in units)
        for there in each(first):
            factor = leaving * next((f for cells, f in dearer if cells >> there & 1), 1)
            price = costs.step(here, there) * factor + extra
            if price > budget:
                if not any(state.moved >> u & 1 for u in units):
                    yield there, budget, [1 << there]  # 4.3
            elif enemy_zone >> there & 1:
                yield there, price, [1 << there]
            else:
                yield there, price, reach(ground, {there: 0}, budget - price).layers

    def _leaving_factor(self, state: LeningradState, unit: int) -> int:
        """13.4 How much dearer the first step is for a unit that starts under interdiction."""
        if unit < state.germans or state.departed >> unit & 1:
            return 1
        times = state.interdicted.count(state.where[unit])
        return int(self.game.data.numbers["interdiction_factor"] ** times)

    def full_hexes(self, state: LeningradState, units: tuple[int, ...]) -> int:
        """4.6 Hexes without room for a stack."""
        here = state.where[units[0]]
        room = self.game.stacking - len(units)
        return bits(c for c, there in state.at.items() if there.bit_count() > room and c != here)

    def within_reach(self, state: LeningradState, units: tuple[int, ...], full: int) -> int:
        """Every hex where a stack could end its move, full ones left out. Whether somebody stays behind in an
        enemy zone (6.3) is not asked: that depends on the others."""
        found = self._next_door(state, units, full)
        for _, _, layers in self.flood(state, units, full):
            for layer in layers:
                found |= layer
        return found & ~(1 << state.where[units[0]])

    def _next_door(self, state: LeningradState, units: tuple[int, ...], full: int) -> int:
        """4.3 The hexes that a stack may enter whatever they cost."""
        here = state.where[units[0]]
        side = self.game.side(units[0])
        if any(state.moved >> u & 1 for u in units) or held(self.game, state, units, here):
            return 0
        return self.game.contact[here] & ~state.occupied[1 - side] & ~full

    def way(self, state: LeningradState, units: tuple[int, ...], goal: int) -> tuple[int, ...] | None:
        """How a stack gets to a hex now, by the cheapest way; None if it does not."""
        game = self.game
        side = game.side(units[0])
        here = state.where[units[0]]
        full = self.full_hexes(state, units)
        dearer = dearer_hexes(game, state, side)
        enemy_zone = zone(game, state, 1 - side)
        ground = Ground(game.costs[units[0]], game.data.land, enemy_zone, dearer)
        if held(game, state, units, here) and why_not_leave(game, state, units, here) is not None:
            return None
        best: tuple[int, ...] | None = None
        least = 1 << 20
        for first, price, layers in self.flood(state, units, full):
            for spent, layer in enumerate(layers, price):
                if layer >> goal & 1:
                    if spent < least:
                        least = spent
                        cells = way(ground, Reach({first: 0}, True, layers, {}), goal)
                        best = cells[1:] if first == here else cells
                    break
        if best is None and self._next_door(state, units, full) >> goal & 1:
            return (goal,)
        return best

    def supplied_without(self, state: LeningradState, side: int, cell: int) -> int:
        """Where a side would be in supply if an enemy hex were empty."""
        game = self.game
        rest = state.occupied[1 - side] & ~(1 << cell)
        shut = rest | zones.zone(game.board, game.data.crossing, rest) & ~state.occupied[side]
        return trace(game, game.sources[side], game.data.land & ~shut, dearer_hexes(game, state, side))

    def threats(self, state: LeningradState, side: int) -> list[tuple[int, float]]:
        """For each unit of a side: the hexes that it could attack on its next turn, and its strength."""
        game = self.game
        found = []
        seen: dict[tuple[int, int, bool], int] = {}
        for unit in members(game.units_of[side]):
            here = state.where[unit]
            if here < 0:
                continue
            # Out of supply it gets half as far.
            points = game.movement[unit]
            if not in_supply(game, state, side, here):
                points = points // 4 * 2
            mobile = game.costs[unit] is game.mobile_costs
            key = (here, points, mobile)
            area = seen.get(key)
            if area is None:
                allowed = game.data.land & ~state.occupied[1 - side]
                area = reach(Ground(game.costs[unit], allowed), {here: 0}, points).cells
                area = seen[key] = game.board.spread(area) | area
            found.append((area, self.attack_of(state, unit)))
        return found
