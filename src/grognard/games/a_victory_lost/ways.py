"""How far units get, as sets of hexes: what a planner asks hundreds of times before a move. The rules of
movement (8.0) in the form of floods; what they find is always legal, and the paths are the cheapest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.supply import allowance
from grognard.games.a_victory_lost.rules.zones import zone
from grognard.games.a_victory_lost.state import VictoryState
from grognard.kernel import Action

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

Layers = list[int]
"""Element n is the set of hexes that cost exactly n points."""


class Sides:
    """The sides of the map by what crossing them takes, in whole points and by direction."""

    def __init__(self, game: AVictoryLost) -> None:
        data, board = game.data, game.board
        bridges = [0] * 6
        direction = {step: d for d, step in enumerate(board.steps)}
        for (a, b), bridged in data.major.items():
            if bridged:
                bridges[direction[b - a]] |= 1 << a
        self.plain: list[tuple[int, list[tuple[int, int, int]]]] = []
        """For each price: step, hexes it may be made from, and those of them where no major river is
        crossed (8.2.2)."""
        for price, masks in data.costs.masks:
            rows = [
                (step, mask & ~ford, mask & ~ford & ~bridge)
                for step, mask, ford, bridge in zip(board.steps, masks, data.fords, bridges, strict=True)
            ]
            self.plain.append((price // 2, rows))
        self.roads = [
            (step, road & open_)
            for step, road, open_ in zip(board.steps, data.roads, data.passable, strict=True)
        ]
        """8.3 A road across a major river is a bridge."""


class Reach(NamedTuple):
    """Where one unit can go."""

    layers: Layers
    """By ordinary movement."""
    fords: dict[int, int]
    """Hexes across a major river without a bridge, with their prices: the unit stops there (8.1.3)."""
    roads: Layers
    """By strategic movement, one layer a hex of road; empty if it may not begin one."""

    @property
    def cells(self) -> int:
        total = 0
        for layer in self.layers:
            total |= layer
        for layer in self.roads:
            total |= layer
        for cell in self.fords:
            total |= 1 << cell
        return total


def flood(sides: Sides, layers: Layers, allowed: int, zones: int, dear: int) -> Layers:
    """Spread the first layers over allowed ground; entering a zone costs `dear` points more, and so does
    leaving one (8.2.1)."""
    budget = len(layers) - 1
    reached = layers[0]
    free = ~zones
    for spent in range(budget):
        moving = layers[spent]
        if moving:
            held = moving & zones
            loose = moving & free
            for price, rows in sides.plain:
                total = spent + price
                if total > budget:
                    break
                if loose:
                    found = 0
                    for step, mask, _ in rows:
                        going = loose & mask
                        if going:
                            found |= going << step if step > 0 else going >> -step
                    if found:
                        found &= allowed
                        layers[total] |= found & free
                        if total + dear <= budget:
                            layers[total + dear] |= found & zones
                if held and total + dear <= budget:
                    found = within = 0
                    for step, mask, dry in rows:
                        going = held & mask
                        if going:
                            found |= going << step if step > 0 else going >> -step
                            going &= dry
                            within |= going << step if step > 0 else going >> -step
                    layers[total + dear] |= found & allowed & free
                    if total + 2 * dear <= budget:
                        layers[total + 2 * dear] |= within & allowed & zones
        layers[spent + 1] &= ~reached
        reached |= layers[spent + 1]
    return layers


def along_roads(sides: Sides, start: int, hexes: int, allowed: int) -> Layers:
    """8.3.1 Every step on the road."""
    layers = [start]
    reached = start
    for _ in range(hexes):
        edge, found = layers[-1], 0
        for step, mask in sides.roads:
            going = edge & mask
            if going:
                found |= going << step if step > 0 else going >> -step
        found &= allowed & ~reached
        if not found:
            break
        reached |= found
        layers.append(found)
    return layers


def open_ground(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """Hexes that a unit may enter at all: free of enemies, lone HQs apart, which only combat units overrun
    (12.1)."""
    side = game.side(unit)
    foes = state.occupied[1 - side] if state.hqs >> unit & 1 else state.fighters[1 - side]
    return usable_ground(game, state) & ~foes


def reach_of(game: AVictoryLost, sides: Sides, state: VictoryState, unit: int) -> Reach:
    """Everything a unit can reach from where it stands, or from its entry box (11.2.2)."""
    side, cell = game.side(unit), state.where[unit]
    zones = zone(game, state, 1 - side)
    allowed = open_ground(game, state, unit)
    halves = allowance(game, state, unit)
    points, dear = halves // 2, game.zone_in // 2
    layers = [0] * (points + 1)
    fords: dict[int, int] = {}
    if cell < 0:
        gates = game.data.boxes[side] & allowed
        for gate in each(gates):
            price = game.data.plain_cost[gate] // 2 + (dear if zones >> gate & 1 else 0)
            if price <= points:
                layers[price] |= 1 << gate
        begin = gates & game.data.on_road & ~zones
        hexes = halves // game.data.road_cost - 1
    else:
        layers[0] = 1 << cell
        inside = zones >> cell & 1
        for step, mask in zip(game.board.steps, game.data.fords, strict=True):
            there = cell + step
            if mask >> cell & 1 and allowed >> there & 1:
                entering = zones >> there & 1
                price = game.data.costs.step(cell, there) // 2 + dear * (inside + entering)
                if price <= points and not (inside and entering):
                    fords[there] = price
        begin = layers[0] & game.data.on_road & ~zones
        hexes = halves // game.data.road_cost
    flood(sides, layers, allowed, zones, dear)
    roads = along_roads(sides, begin, hexes, allowed & ~zones) if begin else []
    return Reach(layers, fords, roads)


def way_to(
    game: AVictoryLost, sides: Sides, state: VictoryState, unit: int, cell: int
) -> tuple[Action, ...] | None:
    """The answers that bring a unit to a hex; None if it cannot get there."""
    reach = reach_of(game, sides, state, unit)
    start = state.where[unit]
    zones = zone(game, state, 1 - game.side(unit))
    if cell in reach.fords:
        return ("pick", unit), ("step", cell), ("halt",)
    level = next((n for n, layer in enumerate(reach.layers) if layer >> cell & 1), -1)
    if level >= 0:
        path, march = _walk_back(game, reach.layers, zones, start, cell, level), False
    else:
        level = next((n for n, layer in enumerate(reach.roads) if layer >> cell & 1), -1)
        if level < 0:
            return None
        path, march = _drive_back(game, reach.roads, cell, level), True
    if start < 0:
        first: Action = ("march-in" if march else "enter", unit, path[0])
    else:
        first = ("march" if march else "pick", unit)
    return first, *(("step", there) for there in path[1:]), ("halt",)


def _walk_back(
    game: AVictoryLost, layers: Sequence[int], zones: int, start: int, cell: int, level: int
) -> list[int]:
    """The cheapest way, first hex first, the start included."""
    data, dear = game.data, game.zone_in // 2
    path = [cell]
    while cell != start and level > 0:
        entering = zones >> cell & 1
        for there in game.board.adjacent[cell]:
            price = data.costs.step(there, cell) // 2
            if not price:
                continue
            leaving = zones >> there & 1
            bridged = data.major.get((there, cell))
            if bridged is False or (bridged and leaving and entering):
                continue
            before = level - price - dear * (entering + leaving)
            if before >= 0 and layers[before] >> there & 1:
                cell, level = there, before
                path.append(cell)
                break
        else:
            break  # the gate of an entry box
    path.reverse()
    return path


def _drive_back(game: AVictoryLost, layers: Sequence[int], cell: int, level: int) -> list[int]:
    path = [cell]
    while level > 0:
        level -= 1
        for there in game.board.adjacent[cell]:
            if layers[level] >> there & 1 and game.board.side_has(there, cell, "road"):
                cell = there
                break
        path.append(cell)
    path.reverse()
    return path
