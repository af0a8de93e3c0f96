"""10.0 Supply: a line of any length to a source, judged once a turn; out of supply first, then isolated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.headquarters import displace
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.tracing import supplied_hexes
from grognard.games.a_victory_lost.state import AXIS, ISOLATED, SOVIET, SUPPLIED, UNSUPPLIED, VictoryState
from grognard.kernel import Flow
from grognard.mechanics.supply import half_allowance

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost

__all__ = ["allowance", "judge_supply", "lift_unsupplied_hqs", "supplied_hexes", "usable_ground"]


def judge_supply(game: AVictoryLost, state: VictoryState) -> Flow:
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
    return None


def lift_unsupplied_hqs(game: AVictoryLost, state: VictoryState) -> Flow:
    """10.3, 12.5 Every HQ without supply is taken up, to be repositioned: the Axis first, as for
    reinforcements."""
    for hq in each(state.hqs):
        if state.on_map(hq) and state.supply[hq] != SUPPLIED:
            displace(game, state, hq, "12.5")
    return None


def allowance(game: AVictoryLost, state: VictoryState, unit: int) -> int:
    """8.1.2, 10.2.3 Movement points in halves: isolated units have half of theirs, rounded down (1.3)."""
    full = game.movement[unit]
    return half_allowance(full, game.points.parts) if state.supply[unit] == ISOLATED else full
