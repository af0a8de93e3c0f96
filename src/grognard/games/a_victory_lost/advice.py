"""Advice on a position of A Victory Lost: reach, odds, lines of supply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.rules.combat import Attack, why_not_join
from grognard.games.a_victory_lost.rules.odds import (
    StrengthShare,
    attack_shares,
    attack_strength,
    defence_shares,
    defence_strength,
    why_too_low,
    work_out_odds,
)
from grognard.games.a_victory_lost.rules.reach import Move, branches, take_up, whole_moves
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.rules.supply import open_to_lines, supplied_hexes
from grognard.games.a_victory_lost.state import AXIS, ISOLATED, SOVIET, SUPPLIED, VictoryState
from grognard.kernel import Refusal, refusal
from grognard.kernel.advice import Forecast, Share, ShiftChance, Supply, Way
from grognard.mechanics.movement import line_to, ways
from grognard.mechanics.odds import halved_odds_name
from grognard.mechanics.supposing import approach

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class VictoryAdviser:
    """See grognard.kernel.advice.Adviser."""

    def __init__(self, game: AVictoryLost) -> None:
        self.game = game

    def reach(self, state: VictoryState, units: Sequence[int]) -> dict[int, Way] | Refusal:
        """8.1.1 Units move alone: the reach of the unit in hand or, before one is taken up, where those named
        can all get one after the other. Hexes where they could not stay (5.0.4) are passed, not offered."""
        if state.top(Move) is None and len(units) > 1:
            return self._reach_of_all(state, units)
        game = self.game
        move = state.top(Move)
        if move is None:
            if not units:
                return refusal("nothing-in-hand", "8.1.1")
            reason = game.refuse(state, ("pick", units[0]))
            if reason is not None:
                return reason
            move = take_up(game, state, units[0], march=False)
        start = state.where[move.unit]
        found: dict[int, Way] = {}
        for branch in branches(game, state, move, {start: 0}):
            for cell, (spent, cells) in ways(branch.ground, branch.reach).items():
                left = branch.points - spent
                if cell not in found or left > found[cell].points_left:
                    found[cell] = Way(cells[1:], left)
        return {c: way for c, way in found.items() if c != start and has_room(game, state, move.unit, c)}

    def _reach_of_all(self, state: VictoryState, units: Sequence[int]) -> dict[int, Way] | Refusal:
        """Where units can go one after the other by the same way: as far as the slowest gets, and where there
        is room for all of them."""
        game = self.game
        common: dict[int, Way] = {}
        for number, unit in enumerate(units):
            found = self.reach(state, (unit,))
            if isinstance(found, Refusal):
                return found
            if not number:
                common = found
            kept = {c: way for c, way in common.items() if c in found and _room_for(game, state, units, c)}
            common = {c: min(way, found[c], key=lambda w: w.points_left) for c, way in kept.items()}
        return common

    def forecast(
        self, state: VictoryState, targets: Sequence[int], units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """9.3, 9.4 Nothing about the strengths is hidden: only the die is open."""
        game = self.game
        if not units or not targets:
            return refusal("no-attackers", "9.2")
        if len(targets) > 1:
            return refusal("one-target", "9.1.3", hexes=tuple(targets))
        target = targets[0]
        side = game.side(units[0])
        if not state.fighters[1 - side] >> target & 1:
            return refusal("nobody-to-attack", "9.0", hex=target)
        for unit in units:
            if state.within("combat"):
                reason = why_not_join(game, state, Attack(target), unit)
                if reason is not None:
                    return reason
            elif not state.on_map(unit) or not game.contact[target] >> state.where[unit] & 1:
                return refusal("not-next-to-target", "9.0", unit=unit, hex=target)
        return self._promise(state, target, units)

    def _promise(self, state: VictoryState, target: int, units: Sequence[int]) -> Forecast | Refusal:
        """9.3, 9.4 What an attack by units in contact with a hex promises."""
        game = self.game
        odds = work_out_odds(game, state, units, target)
        if (too_low := why_too_low(odds, target)) is not None:
            return too_low
        results = game.data.crt.chances(odds.final)
        return Forecast(
            case="9.3",
            attack=((odds.attack, 1.0),),
            defence=((odds.defence, 1.0),),
            shifts=tuple(ShiftChance(s.code, s.columns, s.case, 1.0) for s in odds.shifts),
            columns=((halved_odds_name(odds.final), 1.0),),
            results=tuple(sorted(results.items(), key=lambda r: (-r[1], r[0]))),
            attackers=_shares(attack_shares(game, state, units, target)),
            defenders=_shares(defence_shares(game, state, target)),
        )

    def approaches(self, state: VictoryState, target: int) -> dict[int, int]:
        """9.0 Which combat units could come into contact with a hex were they activated, the strongest first
        where there is little room (5.0.1)."""
        game = self.game
        side = next((s for s in (AXIS, SOVIET) if state.fighters[1 - s] >> target & 1), None)
        if side is None:
            return {}
        reach = whole_moves(game, state, side)
        units = [unit for unit in reach if not game.units[unit].hq]
        units.sort(key=lambda unit: (-attack_strength(game, state, unit), unit))
        doors = game.contact[target] & ~state.fighters[1 - side]
        return approach(game.board, doors, target, units, state.where, reach, lambda cell: game.stacking)

    def what_if(
        self, state: VictoryState, target: int, units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """9.3 An attack that nobody can make yet. Supply stays as the markers say (10.1.4)."""
        places = self.approaches(state, target)
        supposed = state.clone()
        for unit in units:
            if unit not in places:
                return refusal("not-next-to-target", "9.0", unit=unit, hex=target)
            supposed.place(unit, places[unit])
        return self._promise(supposed, target, units) if units else refusal("no-attackers", "9.2")

    def strengths(self, state: VictoryState, unit: int) -> tuple[Share, Share]:
        """2.2.3, 9.3.1 The full side, and what is left of it: the reduced side counts, attackers without
        supply and isolated defenders are halved, fractions are dropped (1.3)."""
        counter = self.game.units[unit]
        reduced = (("reduced", "2.2.3"),) if 0 < state.steps[unit] < counter.steps else ()
        hungry = (("halved-unsupplied", "9.3.1"),) if state.supply[unit] != SUPPLIED else ()
        alone = (("halved-isolated", "9.3.1"),) if state.supply[unit] == ISOLATED else ()
        attack = attack_strength(self.game, state, unit)
        defence = defence_strength(self.game, state, unit)
        return (
            _counted(unit, counter.attack, attack, reduced + hungry, len(hungry)),
            _counted(unit, counter.defence, defence, reduced + alone, len(alone)),
        )

    def supply(self, state: VictoryState, unit: int) -> Supply:
        """10.1.2 The shortest line as things stand now; the marker that counts was given in the last supply
        phase (10.1.4)."""
        game = self.game
        side, start = game.side(unit), state.where[unit]
        if start < 0 or not supplied_hexes(game, state, side) >> start & 1:
            return Supply("10.1.2", False)
        may_pass, sources = open_to_lines(game, state, side), game.data.sources[side]
        line = line_to(game.board, game.data.dry, start, sources, may_pass)
        return Supply("10.1.2", True, line) if line is not None else Supply("10.1.2", False)


def _counted(
    unit: int, printed: int, shown: int, reasons: tuple[tuple[str, str], ...], halvings: int
) -> Share:
    """1.3 A unit by itself: what its face shows, halved and rounded down."""
    counted = shown >> halvings
    rounded = (("rounded-down", "1.3"),) if counted << halvings != shown else ()
    return Share((unit,), printed, counted, reasons + rounded)


def _shares(stacks: Sequence[StrengthShare]) -> tuple[Share, ...]:
    """1.3, 9.3.1 What is halved and what is rounded down, with the cases that say so."""
    found = []
    for stack in stacks:
        reasons = [(f"halved-{why}", "9.3.1") for why in stack.halved_by]
        if stack.counted << len(stack.halved_by) != stack.printed:
            reasons.append(("rounded-down", "1.3"))
        found.append(Share(stack.units, stack.printed, stack.counted, tuple(reasons)))
    return tuple(found)


def _room_for(game: AVictoryLost, state: VictoryState, units: Sequence[int], cell: int) -> bool:
    """5.0.1 Whether all of these units may end their moves on a hex."""
    coming = sum(not game.units[unit].hq for unit in units)
    here = state.at.get(cell, 0) & ~state.hqs
    crowd = (here & ~sum(1 << unit for unit in units)).bit_count() + coming
    return crowd <= game.stacking and coming + 1 >= len(units)
