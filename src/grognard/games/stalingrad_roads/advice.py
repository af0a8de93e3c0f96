"""Advice on a position of Stalingrad Roads: reach, odds, lines of supply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.combat import Attack, contact, why_not_join, why_not_with
from grognard.games.stalingrad_roads.rules.command import (
    commanded_by_own,
    led_areas,
    lines,
    source_area,
    supplied_units,
)
from grognard.games.stalingrad_roads.rules.movement import Move, take_up
from grognard.games.stalingrad_roads.rules.odds import (
    attack_factor,
    attack_reasons,
    attack_strength,
    defence_factor,
    defence_reasons,
    defence_strength,
    ground_reasons,
    why_too_low,
    work_out_odds,
)
from grognard.games.stalingrad_roads.rules.reach import flood, moves_of, resting, whole_moves
from grognard.games.stalingrad_roads.rules.stacking import too_many
from grognard.games.stalingrad_roads.rules.tactics import changed_cell, reasons_of_change
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.kernel import Refusal, refusal
from grognard.kernel.advice import Forecast, Share, ShiftChance, Supply, Way
from grognard.mechanics.dice import TWO_D6
from grognard.mechanics.movement import line_to
from grognard.mechanics.odds import odds_name
from grognard.mechanics.supposing import approach

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class RoadsAdviser:
    """See grognard.kernel.advice.Adviser."""

    def __init__(self, game: StalingradRoads) -> None:
        self.game = game

    def reach(self, state: RoadsState, units: Sequence[int]) -> dict[int, Way] | Refusal:
        """7.1.1 The reach of those in hand or, before any are taken up, of these units together."""
        game, move = self.game, state.top(Move)
        if move is None:
            if not units:
                return refusal("nothing-in-hand", "7.1.1")
            reason = game.refuse(state, ("pick", units[0]))
            if reason is not None:
                return reason
            for unit in units[1:]:
                if state.where[unit] != state.where[units[0]]:
                    return refusal("not-same-start", "7.1.1", unit=unit)
            mode = moves_of(game, state, units[0])[0].mode
            hands = [take_up(game, state, unit, mode) for unit in units]
            move = hands[0]._replace(units=tuple(units), left=min(hand.left for hand in hands))
        found = flood(game, state, move)
        rest = resting(game, state, move, found.cells)
        return {c: Way(cells, left) for c, (left, cells) in found.ways().items() if rest >> c & 1}

    def forecast(
        self, state: RoadsState, targets: Sequence[int], units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """8.5, 8.7 Markers on the map count; what the defender may still call or declare does not."""
        game = self.game
        if not units or not targets:
            return refusal("no-attackers", "8.3.1")
        if len(targets) > 1:
            return refusal("attacked-already", "8.1.8", hex=targets[1])
        target, side = targets[0], state.side(units[0])
        if not state.occupied[1 - side] >> target & 1:
            return refusal("nobody-to-attack", "8.1.1", hex=target)
        attack = state.top(Attack) or Attack(target)
        for unit in units:
            if state.within("combats", "placing"):
                reason = why_not_join(game, state, attack._replace(target=target, attackers=()), unit)
                if reason is not None:
                    return reason
            elif state.where[unit] < 0 or not contact(game, target) >> state.where[unit] & 1:
                return refusal("not-next-to-target", "8.1.1", unit=unit, hex=target)
        return self._promise(state, target, units, attack.called if attack.target == target else ())

    def _promise(
        self, state: RoadsState, target: int, units: Sequence[int], called: Sequence[int]
    ) -> Forecast | Refusal:
        """8.5, 8.7 What an attack by units in contact with a hex promises."""
        game = self.game
        odds = work_out_odds(game, state, units, target, called)
        if (too_low := why_too_low(odds, target)) is not None:
            return too_low
        crt, ways = game.data.crt, TWO_D6.ways()
        results: dict[str, float] = {}
        for roll, count in ways.items():
            result = changed_cell(game, state, target, crt.result(odds.final, roll))
            results[result] = results.get(result, 0.0) + count / sum(ways.values())
        notes = ground_reasons(game, state, units, target) + reasons_of_change(game, state, units, target)
        return Forecast(
            case="8.5",
            attack=((odds.attack, 1.0),),
            defence=((odds.defence, 1.0),),
            shifts=(
                *(ShiftChance(s.code, s.columns, s.case, 1.0) for s in odds.shifts),
                *(ShiftChance(code, 0, case, 1.0) for code, case in notes),
            ),
            columns=((odds_name(odds.final), 1.0),),
            results=tuple(sorted(results.items(), key=lambda r: (-r[1], r[0]))),
            attackers=tuple(
                Share(
                    (u,),
                    attack_factor(game, state, u),
                    attack_strength(game, state, (u,), target),
                    attack_reasons(game, state, u, target),
                )
                for u in units
            ),
            defenders=tuple(
                Share(
                    (u,),
                    defence_factor(game, state, u),
                    defence_strength(game, state, (u,)),
                    defence_reasons(game, state, u),
                )
                for u in each(state.at[target])
            ),
        )

    def approaches(self, state: RoadsState, target: int) -> dict[int, int]:
        """8.1.1 Which units could come next to a hex in a movement phase of their own, the strongest first
        where there is little room (1.11). Nobody attacks a pocket, and it does not attack (S1.4)."""
        game, pocket = self.game, self.game.plan(state).pocket
        side = next((s for s in (AXIS, SOVIET) if state.occupied[1 - s] >> target & 1), None)
        if side is None or pocket >> target & 1:
            return {}
        reach = whole_moves(game, state, side)
        units = [unit for unit in reach if not pocket >> state.where[unit] & 1]
        units.sort(key=lambda unit: (-attack_factor(game, state, unit), unit))
        doors = contact(game, target) & ~state.occupied[1 - side]
        found = approach(game.board, doors, target, units, state.where, reach, lambda cell: game.stacking)
        there = {cell: state.at.get(cell, 0) for cell in found.values()}
        kept = {}
        for unit, cell in found.items():
            together = there[cell] | 1 << unit
            if state.where[unit] == cell or not too_many(game, together):
                kept[unit], there[cell] = cell, together
        return kept

    def what_if(
        self, state: RoadsState, target: int, units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """8.5 An attack that nobody can make yet. Markers stay with their units; supply is as it is now."""
        game, places, supposed = self.game, self.approaches(state, target), state.clone()
        attack = Attack(target)
        for unit in units:
            if unit not in places:
                return refusal("not-next-to-target", "8.1.1", unit=unit, hex=target)
            supposed.place(unit, places[unit])
            if (reason := why_not_with(game, supposed, attack, unit)) is not None:
                return reason
            attack = attack._replace(attackers=(*attack.attackers, unit))
        return self._promise(supposed, target, units, ()) if units else refusal("no-attackers", "8.3.1")

    def strengths(self, state: RoadsState, unit: int) -> tuple[Share, Share]:
        """1.3.1, 8.5 The full side, and what counts of it now, ground and rivers apart."""
        game, counter, here = self.game, self.game.units[unit], state.where[unit]
        if here < 0:
            attack, defence = attack_factor(game, state, unit), defence_factor(game, state, unit)
            return Share((unit,), counter.attack, attack), Share((unit,), counter.defence, defence)
        attack, defence = attack_strength(game, state, (unit,), here), defence_strength(game, state, (unit,))
        return (
            Share((unit,), counter.attack, attack, attack_reasons(game, state, unit, here)),
            Share((unit,), counter.defence, defence, defence_reasons(game, state, unit)),
        )

    def supply(self, state: RoadsState, unit: int) -> Supply:
        """4.1, 4.3 An HQ's way to a source; a unit's to the HQ or the source that supplies it."""
        game, side, start = self.game, state.side(unit), state.where[unit]
        known = lines(game, state, side)
        if start < 0:
            return Supply("4.3.1", False)
        if game.hqs >> unit & 1:
            road = line_to(game.board, game.data.ways, start, known.start, known.ground | 1 << start)
            return Supply("4.1.1", road is not None, road=road or ())
        if not supplied_units(game, state, side, 1 << unit):
            return Supply("4.3.1", False)
        led = led_areas(game, state, side)
        areas = [a for a in led if commanded_by_own(game, [a], unit, start)]
        goals = sum({1 << state.where[hq] for hq, _ in areas})
        if not goals:
            goals = known.start if source_area(game, state, side) >> start & 1 else 0
        goals = goals or sum({1 << state.where[hq] for hq, _ in led})
        line = line_to(game.board, known.links, start, goals, known.ground | goals)
        return Supply("4.3.1", True, line or ())
