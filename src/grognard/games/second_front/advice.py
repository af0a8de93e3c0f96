"""Advice on a position of Second Front: reach, odds unit by unit, lines of supply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from grognard.games.second_front.rules import armour
from grognard.games.second_front.rules import strength as counting
from grognard.games.second_front.rules.attacking import candidates, defending
from grognard.games.second_front.rules.battle import COLUMNS, TOO_LOW, Battle, fight, result
from grognard.games.second_front.rules.ground import crossings
from grognard.games.second_front.rules.movement import allowance, reachable
from grognard.games.second_front.rules.overruns import charge_of
from grognard.games.second_front.rules.phases import why_not_take
from grognard.games.second_front.rules.position import (
    on_map,
    piece,
    pieces,
    side_of,
    situation,
    target,
    terrain,
)
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.stepping import Move, MoveUnit, Paths
from grognard.games.second_front.rules.strength import Attacker, helpless, may_attack, may_attack_across
from grognard.games.second_front.rules.supply import FOOT, traced
from grognard.games.second_front.rules.upkeep import full_by_plan
from grognard.games.second_front.state import FrontState
from grognard.games.second_front.units import CATEGORIES, NO_UNITS, Piece
from grognard.kernel import Refusal, refusal
from grognard.kernel.advice import Forecast, Share, ShiftChance, Supply, Way
from grognard.mechanics.dice import D6
from grognard.mechanics.movement import line_to, reach, ways
from grognard.mechanics.supposing import approach

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront

MOVES = ("movement-phase", "exploitation-phase")
REASONS = {
    "11": "unsupported",
    "12D": "hungry",
    "9H": "terrain",
    "37B": "works",
    "37B3": "works-side",
    "37G3": "disheartened",
    "14A3": "assault",
    "14B1": "siege",
    "14B": "guns-in-excess",
}
"""What changes the strength of a unit, by its case."""
RATED = {Fraction(1): "full", Fraction(1, 2): "half", Fraction(1, 3): "third", Fraction(1, 6): "sixth"}


class FrontAdviser:
    """See grognard.kernel.advice.Adviser."""

    def __init__(self, game: SecondFront) -> None:
        self.game = game

    # Movement

    def reach(self, state: FrontState, units: Sequence[int]) -> dict[int, Way] | Refusal:
        """6 Units move alone: the reach of the unit in hand or, before one is taken up, where those named can
        all get one after the other."""
        move = state.top(Move)
        if move is not None:
            return self._flood(state, move)
        if not units:
            return refusal("nothing-in-hand", "6")
        common: dict[int, Way] = {}
        for number, unit in enumerate(units):
            reason = self.game.refuse(state, ("move", unit)) or why_not_take(self.game, state, unit)
            if reason is not None:
                return reason
            found = self._flood(state, Move(unit))
            if number:
                slower = {
                    c: min(w, found[c], key=lambda w: w.points_left) for c, w in common.items() if c in found
                }
                found = {c: w for c, w in slower.items() if self._room_for(state, units[: number + 1], c)}
            common = found
        return common

    def _room_for(self, state: FrontState, units: Sequence[int], cell: int) -> bool:
        there = [*(u for u in state.stack(cell) if u not in units), *units]
        return fits(self.game.board.info[cell].terrain, pieces(self.game, state, there))

    def _flood(self, state: FrontState, move: Move) -> dict[int, Way]:
        """Cheapest ways to hexes where it may stay; one hex at any price, with all its points (6)."""
        game, start, left = self.game, state.where[move.unit], state.left[move.unit]
        steps = MoveUnit()
        paths: Paths = steps.paths(game, state, move)
        if move.stopped:
            return {}
        found = {
            cell: Way(cells[1:], left - spent)
            for cell, (spent, cells) in ways(paths.ground, reach(paths.ground, {start: 0}, left)).items()
            if cell != start
        }
        if move.fresh and not move.march:
            for there in game.board.adjacent[start]:
                if there not in found and isinstance(steps.step(game, state, move, there, paths), int):
                    found[there] = Way((there,), 0)
        room = (move.unit, *move.cargo)
        return {cell: way for cell, way in found.items() if self._room_for(state, room, cell)}

    # Battles

    def forecast(
        self, state: FrontState, targets: Sequence[int], units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """9A: one hex at a time; 13 an overrun, while units move."""
        game = self.game
        if not units or not targets:
            return refusal("no-attackers", "9A")
        if len(targets) > 1:
            return refusal("one-hex", "9A", hexes=tuple(targets))
        cell = targets[0]
        if not state.occupied[1 - side_of(state, units[0])] >> cell & 1:
            return refusal("nobody-there", "9A", hex=cell)
        for unit in units:
            if state.where[unit] not in game.board.adjacent[cell] and unit not in candidates(
                game, state, cell
            ):
                return refusal("cannot-join", "9B", unit=unit)
        if state.within(*MOVES):
            return self._overrun(state, cell, units)
        if not may_attack(pieces(game, state, units)):
            return refusal("no-strength", "9G", hex=cell)
        return self._promise(state, cell, units)

    def _overrun(self, state: FrontState, cell: int, units: Sequence[int]) -> Forecast | Refusal:
        """13: all or nothing, without a die."""
        game = self.game
        if len({state.where[unit] for unit in units}) > 1:
            return refusal("charge-apart", "13", hex=cell)
        plan = charge_of(game, state, cell, list(units))
        if plan is None or any(p > state.left[u] for u, p in zip(units, plan.costs, strict=True)):
            return refusal("charge-too-weak", "13", hex=cell)
        forecast = self._promise(state, cell, units)
        if isinstance(forecast, Refusal):
            return forecast
        return forecast._replace(
            case="13", columns=((f"{plan.odds}:1", 1.0),), results=(("DE", 1.0),), shifts=()
        )

    def _promise(self, state: FrontState, cell: int, units: Sequence[int]) -> Forecast | Refusal:
        game = self.game
        placed = [Attacker(piece(game, state, unit), state.where[unit]) for unit in units]
        standing = defending(state, cell)
        defenders = pieces(game, state, standing)
        if helpless(defenders):
            return Forecast("9G", (), (), (), (("9:1", 1.0),), (("DE", 1.0),))
        battle = fight(target(game, state, cell), placed, defenders, game.turn_name(state))
        results: dict[str, float] = {}
        for die in D6.totals:
            found = result(battle.column, die + battle.modifier)
            results[found] = results.get(found, 0.0) + 1 / len(D6.totals)
        fighting = [u for u in units if game.units[u].type not in NO_UNITS]
        defending_ = [u for u in standing if game.units[u].type not in NO_UNITS]
        category = battle.armour.defence_category
        return Forecast(
            case="9A",
            attack=((plain(battle.attack_total), 1.0),),
            defence=((plain(battle.defence_total), 1.0),),
            shifts=tuple(_shifts(battle)),
            columns=((COLUMNS[battle.column] if battle.column != TOO_LOW else "<1:4", 1.0),),
            results=tuple(sorted(results.items(), key=lambda r: (-r[1], r[0]))),
            attackers=self._shares(state, fighting, battle.attack, armour.AECA),
            defenders=self._shares(state, defending_, battle.defence, category),
        )

    def _shares(
        self, state: FrontState, units: Sequence[int], shares: Iterable[counting.Share], category: int
    ) -> tuple[Share, ...]:
        """9A: what each unit counts for, and why; 10B: what it counts for among armour."""
        turn = self.game.turn_name(state)
        found = []
        for unit, share in zip(units, shares, strict=True):
            rated = armour.rating(share.piece, category, turn)
            reasons = [(REASONS[case], case) for case, _ in share.reasons]
            word = "neutral" if rated.neutral else RATED.get(rated.share)
            if word is not None:
                reasons.append((f"{CATEGORIES[category]}-{word}", "10B"))
            face = share.piece.face
            printed = face.attack if category == armour.AECA else face.defence
            found.append(Share((unit,), printed, plain(share.strength), tuple(reasons)))
        return tuple(found)

    # What could be

    def approaches(self, state: FrontState, cell: int) -> dict[int, int]:
        """9A: which units could stand next to a hex after a whole move, the strongest first where there is
        little room (8)."""
        game = self.game
        foe = next((side for side in (0, 1) if state.occupied[side] >> cell & 1), None)
        if foe is None:
            return {}
        side = 1 - foe
        units = [u for u in on_map(state, side) if game.units[u].type not in NO_UNITS]
        units = [u for u in units if piece(game, state, u).face.attack]
        units.sort(key=lambda u: (-piece(game, state, u).face.attack, u))
        around, found = terrain(game, state, side), dict[int, int]()
        for unit in units:
            who = piece(game, state, unit)
            found[unit] = reachable(around, who, state.where[unit], allowance(who)).cells
        doors = 0
        for there in game.board.adjacent[cell]:
            if not state.occupied[foe] >> there & 1:
                doors |= 1 << there
        near = approach(game.board, doors, cell, units, state.where, found, lambda _: len(units))
        at = target(game, state, cell)
        kept: dict[int, int] = {}
        stacks: dict[int, list[Piece]] = {}
        for unit, there in near.items():
            who = piece(game, state, unit)
            stack = [*stacks.get(there, []), who]
            stays = state.where[unit] == there
            if may_attack_across(at, Attacker(who, there)) and (
                stays or fits(game.board.info[there].terrain, stack)
            ):
                kept[unit], stacks[there] = there, stack
        return kept

    def what_if(
        self, state: FrontState, cell: int, units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        """9A An attack that nobody can make yet; supply and weather are as they are now."""
        if not units:
            return refusal("no-attackers", "9A")
        places, supposed = self.approaches(state, cell), state.clone()
        for unit in units:
            if unit not in places:
                return refusal("cannot-join", "9B", unit=unit)
            supposed.place(unit, places[unit])
        return self._promise(supposed, cell, units)

    def strengths(self, state: FrontState, unit: int) -> tuple[Share, Share]:
        """3A: as printed on its full side, and as it counts where it stands, terrain apart."""
        game, counter = self.game, self.game.units[unit]
        if state.where[unit] < 0:
            return (
                Share((unit,), counter.face.attack, counter.face.attack),
                Share((unit,), counter.face.defence, counter.face.defence),
            )
        who, cell = piece(game, state, unit), state.where[unit]
        found = []
        for printed, now in (
            (counter.face.attack, who.face.attack),
            (counter.face.defence, who.face.defence),
        ):
            reasons = [("cadre", "9E")] if who.reduced else []
            strength = Fraction(now)
            friends = pieces(game, state, state.stack(cell))
            if not who.supported and not any(friend.supports for friend in friends):
                strength /= 2
                reasons.append(("unsupported", "11"))
            if who.hungry >= counting.HALVED_FROM:
                strength /= 2
                reasons.append(("hungry", "12D"))
            found.append(Share((unit,), printed, plain(strength), tuple(reasons)))
        return found[0], found[1]

    # Supply

    def supply(self, state: FrontState, unit: int) -> Supply:
        """12B: the land and road part of a unit's line, as things stand now."""
        game, side, start = self.game, side_of(state, unit), state.where[unit]
        at = situation(game, state, side)
        sources = full_by_plan(game, state, side)
        fed = traced(at, sources) if start >= 0 else 0
        if start < 0 or not fed >> start & 1:
            return Supply("12D", False)
        goals = sources & at.owned
        line = line_to(game.board, crossings(game.board, FOOT, at.sky), start, goals, at.open | goals)
        return Supply("12B", True, line or ())


def plain(strength: Fraction) -> int | float:
    """3C1: whole numbers without a point."""
    return int(strength) if strength.denominator == 1 else round(float(strength), 3)


def _shifts(battle: Battle) -> Iterable[ShiftChance]:
    """What changes the die; of armour and antitank weapons with the share that counts (10C)."""
    shares = {"armour": battle.armour.attack_share, "antitank": battle.armour.defence_share}
    for modifier in battle.modifiers:
        share = shares.get(modifier.code)
        code = modifier.code if share is None else f"{modifier.code} {share}"
        yield ShiftChance(code, modifier.value, modifier.case, 1.0)
