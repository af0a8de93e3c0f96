"""10.0 Supply: a line of any length to a source, judged once a turn; out of supply first, then isolated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.rules.pocket import ground_for_lines
from grognard.games.a_victory_lost.state import AXIS, ISOLATED, SOVIET, SUPPLIED, UNSUPPLIED, VictoryState
from grognard.mechanics import zones
from grognard.mechanics.control import zone
from grognard.mechanics.movement import connected
from grognard.mechanics.supply import half_allowance, open_ground, remembered

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

MANY = 2_000
"""How many nets of lines are remembered."""


def open_to_lines(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """Hexes a line may pass: no enemy there, and no enemy zone unless a friend (an HQ too) stands there."""
    return _open(game, state, side, state.occupied[1 - side], zone(game, state, 1 - side))


def _open(game: AVictoryLost, state: VictoryState, side: int, enemies: int, enemy_zone: int) -> int:
    return open_ground(ground_for_lines(game, state), enemies, enemy_zone, state.occupied[side])


def supplied_hexes(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """The hexes joined to a source by a line: over no impassable side and no major river but by a bridge."""
    may_pass = open_to_lines(game, state, side)
    return remembered(state.supply_cache, side, may_pass, lambda: _joined(game, side, may_pass, False))


def supplied_if(game: AVictoryLost, state: VictoryState, side: int, enemies: int, enemy_zone: int) -> int:
    """The same, if the enemy stood on these hexes and had this zone."""
    return _joined(game, side, _open(game, state, side, enemies, enemy_zone), False)


def rail_net(game: AVictoryLost, side: int, clear: int) -> int:
    """11.1.1 The hexes joined to a source by rail, over clear hexes."""
    return _joined(game, side, clear, True)


def _joined(game: AVictoryLost, side: int, allowed: int, rails: bool) -> int:
    key = side, allowed, rails
    found = game.net_cache.get(key)
    if found is None:
        if len(game.net_cache) >= MANY:
            game.net_cache.clear()
        links = game.data.rails if rails else game.data.dry
        found = game.net_cache[key] = connected(game.board, links, game.data.sources[side], allowed)
    return found


def fed_hexes(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """The hexes where one more unit would be in supply: whoever stands in an enemy zone opens his own hex to
    lines, so that one hex beyond the lines is within them for him."""
    lines = supplied_hexes(game, state, side)
    beyond = zones.zone(game.board, game.data.dry, lines) | game.data.sources[side]
    return lines | beyond & ground_for_lines(game, state) & ~state.occupied[1 - side]


def source_distance(game: AVictoryLost, state: VictoryState, side: int) -> list[int]:
    """9.5.2, 12.7 How far every hex is from a side's nearest supply source, over ground open to units. A
    source that is closed to lines (10.1.2) does not count, unless all of them are."""
    printed = game.data.sources[side]
    sources = printed & open_to_lines(game, state, side) or printed
    ground = ground_for_lines(game, state)
    found = game.distance_cache.get((sources, ground))
    if found is None:
        found = game.distance_cache[sources, ground] = game.distance_to(sources, ground)
    return found


def judge_supply(game: AVictoryLost, state: VictoryState) -> None:
    """10.1 Both sides at once: a line cut for the first time leaves a unit out of supply, the second time
    isolated; a line found again lifts the marker."""
    supplied = [supplied_hexes(game, state, side) for side in (AXIS, SOVIET)]
    changed: dict[tuple[int, int], list[int]] = {}
    for unit, cell in enumerate(state.where):
        if not state.on_map(unit):
            continue
        before = state.supply[unit]
        if supplied[game.side(unit)] >> cell & 1:
            after = SUPPLIED
        else:
            after = UNSUPPLIED if before == SUPPLIED else ISOLATED
        if after != before:
            state.supply[unit] = after
            changed.setdefault((game.side(unit), after), []).append(unit)
    for (_, status), units in sorted(changed.items()):
        state.emit(("supplied", "unsupplied", "isolated")[status], "10.1.3", units=tuple(units))


def allowance(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """8.1.2, 10.2.3 Movement points in halves: isolated units have half of theirs, rounded down (1.3)."""
    full = game.movement[unit]
    return half_allowance(full, game.points.parts) if state.supply[unit] == ISOLATED else full
