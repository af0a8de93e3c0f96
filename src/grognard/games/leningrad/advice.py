"""Advice on a position of Leningrad: reach, odds before they are known, lines of supply."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

from grognard.games.leningrad.rules.battle import (
    Battle,
    attack_strength,
    column_shifts,
    defence_strength,
    engage,
    odds_from,
)
from grognard.games.leningrad.rules.combat import Attack, why_not_join
from grognard.games.leningrad.rules.movement import MovingStack, open_steps, prices_paid, take_step
from grognard.games.leningrad.rules.reach import whole_moves
from grognard.games.leningrad.rules.supply import dearer_hexes, in_supply, open_to_lines
from grognard.games.leningrad.rules.surprise import course
from grognard.games.leningrad.rules.untried import draws, expected_strength, untried
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState, members
from grognard.kernel import Refusal, refusal
from grognard.kernel.advice import Forecast, Share, ShiftChance, Supply, Way
from grognard.mechanics.control import in_contact
from grognard.mechanics.movement import connected, costs_to, line_to
from grognard.mechanics.odds import Shift, odds_name
from grognard.mechanics.supposing import approach

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

Spread = dict[int, float]


class LeningradAdviser:
    """See grognard.kernel.advice.Adviser."""

    def __init__(self, game: Leningrad) -> None:
        self.game = game

    # Movement

    def reach(self, state: LeningradState, units: Sequence[int]) -> dict[int, Way] | Refusal:
        """Walk copies of the position, cheapest first: every rule of movement has its say, the common ones
        (terrain, zones) and the rare ones (forts, interdiction, the forced march of turn 1)."""
        game = self.game
        position = state.clone()
        if not state.doing("move"):
            reason = self._take_up(position, units)
            if reason is not None:
                return reason
        stack: MovingStack = position.local
        moving = stack.units
        if not moving:
            return refusal("nothing-in-hand", "4.5")
        start = position.where[moving[0]]
        budget = sum(position.left[u] for u in moving)
        found: dict[int, Way] = {}
        better: dict[int, list[tuple[int, ...]]] = {}
        """For each hex, the points left to each unit by the ways that lead there. Several matter: what is
        cheap for one unit of a stack may be dear for another, and the march of turn 1 wants points spent by
        those who cannot come into contact."""
        spending = game.soviets_surprised(position, game.side(moving[0])) and not all(
            course(game, position, unit, start).within_reach for unit in moving
        )

        def superfluous(cell: int, left: tuple[int, ...]) -> bool:
            known = better.get(cell, ())
            return left in known if spending else any(_no_less(other, left) for other in known)

        order = count()
        all_left = tuple(position.left[u] for u in moving)
        # By what they cost: where a way leads, the points left there, the position one step before, the way.
        paths: list[tuple[int, int, int, tuple[int, ...], LeningradState, tuple[int, ...]]] = [
            (0, next(order), start, all_left, position, ())
        ]
        while paths:
            spent, _, here, left, position, cells = heapq.heappop(paths)
            if superfluous(here, left):
                continue
            better.setdefault(here, []).append(left)
            if here not in found or min(left) > found[here].points_left:
                found[here] = Way(cells, min(left))
            if cells:
                # Most ways turn out to be superfluous: the last step is taken when one is not.
                before, position = position, position.clone()
                prices = tuple(before.left[u] - points for u, points in zip(moving, left, strict=True))
                take_step(game, position, position.local, here, prices)
            for there in sorted(open_steps(game, position, moving), key=game.board.adjacent[here].index):
                prices = prices_paid(game, position, moving, there)
                rest = tuple(points - price for points, price in zip(left, prices, strict=True))
                if not superfluous(there, rest):
                    cost = max(budget - sum(rest), spent)
                    heapq.heappush(paths, (cost, next(order), there, rest, position, (*cells, there)))
        del found[start]
        return found

    def _take_up(self, state: LeningradState, units: Sequence[int]) -> Refusal | None:
        verb = "pick"
        for unit in units:
            action = (verb, unit)
            reason = self.game.refuse(state, action)
            if reason is not None:
                return reason
            self.game.apply(state, action)
            verb = "add"
        return None

    # Odds

    def forecast(
        self, state: LeningradState, targets: Sequence[int], units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        overrun = state.within("movement", "move")
        reason = self._why_no_battle(state, targets, units, overrun)
        if reason is not None:
            return reason
        there = 0
        for cell in targets:
            there |= state.at.get(cell, 0)
        known_fallen_back = 0 if overrun else state.attacked
        defenders = members(there & ~known_fallen_back)
        battle = engage(state, sorted(units), tuple(targets), defenders, overrun=overrun)
        return self._spread_out(state, battle._replace(air=min(options.get("air", 0), state.air_ready)))

    def approaches(self, state: LeningradState, target: int) -> dict[int, int]:
        """8.1 Who could come into contact with a hex, the strongest first if there is little room (4.6)."""
        game = self.game
        side = next((s for s in (GERMAN, SOVIET) if state.occupied[1 - s] >> target & 1), None)
        if side is None:
            return {}
        units = [u for u in members(game.units_of[side]) if state.where[u] >= 0]
        units.sort(key=lambda u: (-expected_strength(game, state, u, attacking=True), u))
        doors = game.contact[target] & ~state.occupied[1 - side]
        reach = whole_moves(game, state, side)
        return approach(game.board, doors, target, units, state.where, reach, lambda cell: game.stacking)

    def what_if(
        self, state: LeningradState, target: int, units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """9.0 An attack that nobody can make yet, as if it were the attackers' combat phase."""
        places = self.approaches(state, target)
        supposed = state.clone()
        for unit in units:
            if unit not in places:
                return refusal("not-next-to-target", "8.1", unit=unit, hex=target)
            supposed.place(unit, places[unit])
        if not units:
            return refusal("no-attackers", "9.1")
        german = self.game.side(units[0]) == GERMAN
        battle = engage(supposed, sorted(units), (target,), members(state.at[target]))
        air = min(options.get("air", 0), state.air_ready) if german else 0
        return self._spread_out(supposed, battle._replace(air=air))

    def strengths(self, state: LeningradState, unit: int) -> tuple[Share, Share]:
        """10.5 A reduced German unit counts as its other side says; 14.1 an untried one's strength is not
        known."""
        counter = self.game.units[unit]
        if not counter.german:
            attack, defence = (self._share(state, unit, attacking) for attacking in (True, False))
            return attack, defence
        reduced = state.steps[unit] < 2
        counted = counter.reduced if reduced else counter.strength
        reasons = (("reduced", "10.5"),) if reduced else ()
        share = Share((unit,), counter.strength, counted, reasons)
        return share, share

    def _why_no_battle(
        self, state: LeningradState, targets: Sequence[int], units: Sequence[int], overrun: bool
    ) -> Refusal | None:
        game = self.game
        if not units or not targets:
            return refusal("no-attackers", "9.1")
        side = game.side(units[0])
        for cell in targets:
            if not state.occupied[1 - side] >> cell & 1:
                return refusal("nobody-to-attack", "8.0", hex=cell)
            if not overrun and not state.at[cell] & ~state.attacked:
                return refusal("attacked-already", "8.2", hex=cell)
        for unit in units:
            if state.where[unit] < 0:
                return refusal("not-on-map", "8.0", unit=unit)
            if not overrun and side == state.active:
                reason = why_not_join(game, state, Attack(tuple(targets)), unit)
                if reason is not None:
                    return reason
            for cell in targets:
                if not in_contact(game, state.where[unit], cell):
                    return refusal("not-next-to-target", "8.1", unit=unit, hex=cell)
        return None

    def _spread_out(self, state: LeningradState, battle: Battle) -> Forecast:
        """Every way in which the untried units of the battle may turn out, with its chance."""
        game = self.game
        soviets_attack = game.side(battle.attackers[0]) == SOVIET
        soviets = battle.attackers if soviets_attack else battle.defenders
        unknown = [u for u in soviets if untried(state, u)]
        revealed = [u for u in soviets if not untried(state, u)]
        germans = battle.defenders if soviets_attack else battle.attackers
        german = sum(attack_strength(game, state, u) for u in germans)
        strength = attack_strength if soviets_attack else defence_strength
        shown = sum(strength(game, state, u) for u in revealed)
        attack: Spread = {}
        defence: Spread = {}
        columns: Spread = {}
        results: dict[str, float] = {}
        shifts: dict[tuple[str, int, str], float] = {}
        by_armour = {flag: self._shifts(state, battle, unknown, flag) for flag in (False, True)}
        for (drawn, armour), chance in draws(game, state, unknown, soviets_attack).items():
            applied = by_armour[armour]
            soviet = shown + drawn
            odds = (
                odds_from(game, soviet, german, applied)
                if soviets_attack
                else odds_from(game, german, soviet, applied)
            )
            _add(attack, odds.attack, chance)
            _add(defence, odds.defence, chance)
            for shift in applied:
                key = (shift.code, shift.columns, shift.case)
                shifts[key] = shifts.get(key, 0.0) + chance
            column = game.data.crt.column(odds.final)
            _add(columns, column, chance)
            for result, share in game.data.crt.chances(odds.final).items():
                results[result] = results.get(result, 0.0) + chance * share
        listed = list(game.data.shifts)
        return Forecast(
            case="7.1" if battle.overrun else "9.0",
            attack=tuple(sorted(attack.items())),
            defence=tuple(sorted(defence.items())),
            shifts=tuple(
                ShiftChance(code, moved, case, chance)
                for (code, moved, case), chance in sorted(shifts.items(), key=lambda s: listed.index(s[0][0]))
            ),
            columns=tuple((odds_name(c), chance) for c, chance in sorted(columns.items())),
            results=tuple(sorted(results.items(), key=lambda r: (-r[1], r[0]))),
            attackers=tuple(self._share(state, unit, soviets_attack) for unit in battle.attackers),
            defenders=tuple(self._share(state, unit, soviets_attack) for unit in battle.defenders),
        )

    def _share(self, state: LeningradState, unit: int, soviets_attack: bool) -> Share:
        """9.6 A unit's strength as it counts in the battle; an untried one's is not known before."""
        if untried(state, unit):
            return Share((unit,), None, None, (("untried", "9.6"),))
        strength = (attack_strength if soviets_attack else defence_strength)(self.game, state, unit)
        return Share((unit,), strength, strength)

    def _shifts(
        self, state: LeningradState, battle: Battle, unknown: list[int], armour: bool
    ) -> tuple[Shift, ...]:
        """9.6 The shifts if some untried unit turns out to be armoured, or none. Of a strength that is not
        known, the shifts depend on nothing else."""
        supposed = state.clone()
        lines = self.game.data.untried
        for unit in unknown:
            pool = [i for i, s in enumerate(lines) if s.pool == self.game.units[unit].kind]
            fitting = [i for i in pool if (lines[i].kind == "armour") == armour]
            supposed.rating[unit] = (fitting or pool)[0] + 1
        return tuple(column_shifts(self.game, supposed, battle))

    # Supply

    def supply(self, state: LeningradState, unit: int) -> Supply:
        game = self.game
        side, here = game.side(unit), state.where[unit]
        if here < 0 or not in_supply(game, state, side, here):
            return Supply("11.0", False)
        may_pass = open_to_lines(game, state, side)
        dearer = dearer_hexes(game, state, side)
        chain = connected(game.board, game.data.roads, game.sources[side], may_pass)
        costs = costs_to(game.mobile_costs, chain & may_pass, may_pass, dearer)
        line: list[int] = []
        cell = here
        while not chain >> cell & 1:
            cell = next(
                there
                for there in game.board.adjacent[cell]
                if (price := game.mobile_costs.step(cell, there))
                and (may_pass >> there & 1)
                and there in costs
                and costs[there] + price * _factor(dearer, there) == costs[cell]
            )
            line.append(cell)
        road = line_to(game.board, game.data.roads, cell, game.sources[side], may_pass) or ()
        return Supply("11.0", True, tuple(line), costs[here], road)


def _no_less(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether no unit has fewer points."""
    return all(a >= b for a, b in zip(one, other, strict=True))


def _add(spread: Spread, value: int, chance: float) -> None:
    spread[value] = spread.get(value, 0.0) + chance


def _factor(dearer: Sequence[tuple[int, int]], cell: int) -> int:
    return next((factor for cells, factor in dearer if cells >> cell & 1), 1)
