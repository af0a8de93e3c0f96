"""Advice on a position of Typhoon!: reach, odds, lines of supply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.typhoon.rules.costs import POINT
from grognard.games.typhoon.rules.declaring import Attack, can_reach, why_not_join
from grognard.games.typhoon.rules.eligible import allowance
from grognard.games.typhoon.rules.ground import allowed, armed, routes
from grognard.games.typhoon.rules.hand import Move, mode_of
from grognard.games.typhoon.rules.movement import stepped, steps_at, take_up
from grognard.games.typhoon.rules.odds import (
    UNDER,
    Clash,
    column_name,
    defenders,
    reckon,
    result_of,
)
from grognard.games.typhoon.rules.reach import ORDINARY, REACTION, within_reach
from grognard.games.typhoon.rules.stacking import excess
from grognard.games.typhoon.rules.strength import attack_of, defence_of, support_of
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.kernel import Refusal, refusal
from grognard.kernel.advice import Forecast, Share, ShiftChance, Supply, Way
from grognard.mechanics.dice import D10
from grognard.mechanics.movement import line_to
from grognard.mechanics.supposing import approach

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


NOWHERE = -1
CHEAPEST = POINT // 3
"""No hex costs less (7.3.5: vehicles on a motorway)."""
FARTHEST = 30
"""Hexes beyond which nobody comes in one move."""


class TyphoonAdviser:
    """See grognard.kernel.advice.Adviser."""

    def __init__(self, game: Typhoon) -> None:
        self.game = game

    def reach(self, state: TyphoonState, units: Sequence[int]) -> dict[int, Way] | Refusal:
        """7.1 The reach of those in hand or, before any are taken up, of these units together."""
        move = state.top(Move)
        if move is None:
            found = self._taken_up(state, units)
            if isinstance(found, Refusal):
                return found
            move = found
        return self._flood(state, move)

    def _taken_up(self, state: TyphoonState, units: Sequence[int]) -> Move | Refusal:
        game = self.game
        if not units:
            return refusal("nothing-in-hand", "7.1")
        word = "react" if state.within("reaction-phase") else "pick"
        reason = game.refuse(state, (word, units[0]))
        if reason is not None:
            return reason
        mode = REACTION if word == "react" else mode_of(state)
        for unit in units[1:]:
            if state.where[unit] != state.where[units[0]]:
                return refusal("not-same-start", "7.1.3", unit=unit)
        lefts = tuple(allowance(game, state, unit, mode) for unit in units)
        return take_up(game, state, units[0], mode)._replace(units=tuple(units), lefts=lefts)

    def way_to(self, state: TyphoonState, units: Sequence[int], goal: int) -> Way | None:
        """The cheapest way of units to one hex, or of those in hand."""
        move = state.top(Move) or self._taken_up(state, units)
        return None if isinstance(move, Refusal) else self._flood(state, move, goal).get(goal)

    def _flood(self, state: TyphoonState, move: Move, goal: int = NOWHERE) -> dict[int, Way]:
        """The cheapest ways: the one who has least left when he arrives decides. With a `goal`, no more than
        is needed to get there."""
        game, start = self.game, state.where[move.units[0]]
        far = game.board.distance
        best = {start: move}
        paths: dict[int, tuple[int, ...]] = {start: ()}
        queue = [(-move.left, start)]
        while queue:
            left, here = heappop(queue)
            at = best[here]
            if here == goal:
                break
            if -left < at.left or at.stopped:
                continue
            for there in game.board.adjacent[here]:
                if goal >= 0 and far(there, goal) * CHEAPEST > at.left:
                    continue
                steps = steps_at(game, state, at, here, there)
                if isinstance(steps, Refusal):
                    continue
                then = stepped(at, steps)
                if there in best and best[there].left >= then.left:
                    continue
                best[there] = then
                paths[there] = (*paths[here], there)
                heappush(queue, (-then.left, there))
        return {cell: Way(paths[cell], found.left) for cell, found in best.items() if cell != start}

    def forecast(
        self, state: TyphoonState, targets: Sequence[int], units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """8.4 With attack supply and without guns or aircraft: they are added when the combat comes."""
        game = self.game
        if not units or not targets:
            return refusal("no-attackers", "8.1.3", hex=targets[0] if targets else 0)
        side = state.side(units[0])
        for target in targets:
            if not state.fighters(1 - side, target):
                return refusal("nobody-to-attack", "8.1.2", hex=target)
        attack = Attack(tuple(targets))
        for unit in units:
            if side == state.active and state.within("movement-phase", "motorised-phase"):
                reason = why_not_join(game, state, attack, unit)
                if reason is not None:
                    return reason
            cell = state.where[unit]
            near = cell >= 0 and all(game.contacts[t] >> cell & 1 for t in targets)
            if not near or not all(can_reach(game, state, unit, t) for t in targets):
                return refusal("not-next-to-target", "8.1.3", unit=unit, hex=targets[0])
        return self._promise(state, targets, units)

    def _promise(
        self, state: TyphoonState, targets: Sequence[int], units: Sequence[int]
    ) -> Forecast | Refusal:
        """8.4 What an attack promises by units next to some hexes."""
        game, side = self.game, state.side(units[0])
        found = reckon(game, state, Clash(tuple(targets), tuple(units)))
        if found.column == UNDER:
            return refusal("odds-too-low", "8.4.3", hex=targets[0])
        results: dict[str, float] = {}
        for die in D10.totals:
            result = result_of(found.column, die + found.total)
            results[result] = results.get(result, 0.0) + 1 / len(D10.totals)
        return Forecast(
            case="8.4",
            attack=((int(found.attack), 1.0),),
            defence=((int(found.defence), 1.0),),
            shifts=tuple(ShiftChance(m.code, m.value, m.case, 1.0) for m in found.modifiers),
            columns=((column_name(found.column), 1.0),),
            results=tuple(sorted(results.items(), key=lambda r: (-r[1], r[0]))),
            attackers=tuple(Share((u,), attack_of(game, state, u), attack_of(game, state, u)) for u in units),
            defenders=tuple(
                Share((u,), defence_of(game, state, u), defence_of(game, state, u))
                for u in defenders(game, state, targets, 1 - side)
            ),
        )

    def approaches(self, state: TyphoonState, target: int) -> dict[int, int]:
        """8.1.2, 8.1.3 Which units could come next to a hex in a movement phase of their own, the strongest
        first where there is little room (3.2.1)."""
        game = self.game
        side = next((s for s in (AXIS, SOVIET) if state.fighters(1 - s, target)), None)
        if side is None:
            return {}
        troops = game.units_of[side] & ~game.guns & ~game.supplies & ~state.garrison
        units = [u for u in each(troops) if state.where[u] >= 0 and attack_of(game, state, u)]
        units = [u for u in units if not game.trains >> u & 1]
        units.sort(key=lambda unit: (-attack_of(game, state, unit), unit))
        doors = game.contacts[target] & game.outline(state).area & ~armed(state, 1 - side)
        near = [u for u in units if game.board.distance(state.where[u], target) <= FARTHEST]
        reach = {u: within_reach(game, state, u, allowance(game, state, u, ORDINARY)) for u in near}
        found = approach(game.board, doors, target, near, state.where, reach, lambda cell: len(near))
        there = {cell: state.own(side, cell) for cell in found.values()}
        kept = {}
        for unit, cell in found.items():
            together = there[cell] | 1 << unit
            if state.where[unit] == cell or not excess([game.units[u] for u in each(together)]):
                kept[unit], there[cell] = cell, together
        return kept

    def what_if(
        self, state: TyphoonState, target: int, units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """8.4 An attack that nobody can make yet; supply and weather are as they are now."""
        game, places, supposed = self.game, self.approaches(state, target), state.clone()
        for unit in units:
            if unit not in places:
                return refusal("not-next-to-target", "8.1.3", unit=unit, hex=target)
            supposed.place(unit, places[unit])
            if not can_reach(game, supposed, unit, target):
                return refusal("target-forbidden", "8.3.5", unit=unit, hex=target)
        if not units:
            return refusal("no-attackers", "8.1.3", hex=target)
        return self._promise(supposed, (target,), units)

    def strengths(self, state: TyphoonState, unit: int) -> tuple[Share, Share]:
        """2.4, 8.5.3 As printed, and what steps lost leave of it; of guns their support."""
        game, counter = self.game, self.game.units[unit]
        guns = bool(game.guns >> unit & 1)
        printed = counter.support if guns else counter.attack
        if state.where[unit] < 0:
            return Share((unit,), printed, printed), Share((unit,), counter.defence, counter.defence)
        counted = (support_of if guns else attack_of)(game, state, unit)
        return (
            Share((unit,), printed, counted),
            Share((unit,), counter.defence, defence_of(game, state, unit)),
        )

    def supply(self, state: TyphoonState, unit: int) -> Supply:
        """6.1 The line of a unit to a road, a railway or a source, as things stand."""
        game, side, start = self.game, state.side(unit), state.where[unit]
        known = routes(game, state, side)
        if start < 0 or not known.supplied >> start & 1:
            return Supply("6.3.2", False)
        goals = known.rail_net | known.road_net
        line = line_to(
            game.board, known.bound(known.sides()), start, goals, allowed(game, state, side) | goals
        )
        return Supply("6.1.1", True, line or ())
