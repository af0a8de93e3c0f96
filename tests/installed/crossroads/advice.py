"""What a player of Crossroads may ask: how far, and with what odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from crossroads.rules import Storm, Walk, may_storm, odds_of, room
from crossroads.state import CrossroadsState
from grognard.board.board import each
from grognard.kernel import Refusal, refusal
from grognard.kernel.advice import Forecast, Share, ShiftChance, Supply, Way
from grognard.mechanics.dice import TWO_D6
from grognard.mechanics.movement import Ground, reach, ways
from grognard.mechanics.odds import odds_name
from grognard.mechanics.supposing import approach

if TYPE_CHECKING:
    from crossroads.game import Crossroads


class CrossroadsAdviser:
    """See grognard.kernel.advice.Adviser."""

    def __init__(self, game: Crossroads) -> None:
        self.game = game

    def reach(self, state: CrossroadsState, units: Sequence[int]) -> dict[int, Way] | Refusal:
        game, walk = self.game, state.top(Walk)
        if walk is None:
            reason = game.refuse(state, ("lift", units[0])) if units else refusal("not-on-map", "3.0")
            if reason is not None:
                return reason
        unit = walk.unit if walk is not None else units[0]
        here, left = state.where[unit], state.left[unit]
        foes = state.occupied[1 - game.side(unit)]
        free = sum(1 << c for c in game.board.cells if c == here or room(state, c)) & ~foes
        found = ways(ground := Ground(game.costs, free), reach(ground, {here: 0}, left))
        return {c: Way(cells[1:], left - spent) for c, (spent, cells) in found.items() if c != here}

    def forecast(
        self,
        state: CrossroadsState,
        targets: Sequence[int],
        units: Sequence[int],
        options: Mapping[str, int],
    ) -> Forecast | Refusal:
        game = self.game
        if len(targets) != 1 or not units:
            return refusal("nobody-there", "4.0", hex=targets[0] if targets else 0)
        side = game.side(units[0])
        for unit in units:
            if unit not in may_storm(game, state, side, targets[0]):
                return refusal("cannot-join", "4.0", unit=unit)
        return self._promise(state, targets, units)

    def _promise(
        self, state: CrossroadsState, targets: Sequence[int], units: Sequence[int]
    ) -> Forecast | Refusal:
        game = self.game
        storm = Storm(targets[0], tuple(units))
        odds = odds_of(game, state, storm)
        if odds < game.crt.columns[0]:
            return refusal("too-weak", "4.1", hex=targets[0])
        chances: dict[str, float] = {}
        for total, count in TWO_D6.ways().items():
            result = game.crt.result(odds, total)
            chances[result] = chances.get(result, 0.0) + count / 36
        dug_in = state.redoubts >> targets[0] & 1
        return Forecast(
            case="4.1",
            attack=((sum(game.attack(state, u) for u in units), 1.0),),
            defence=((sum(game.defence(state, u) for u in state.stack(targets[0])), 1.0),),
            shifts=(ShiftChance("redoubt", -1, "5.0", 1.0),) if dug_in else (),
            columns=((odds_name(game.crt.column(odds)), 1.0),),
            results=tuple(sorted(chances.items(), key=lambda r: (-r[1], r[0]))),
            attackers=tuple(Share((u,), game.attack(state, u), game.attack(state, u)) for u in units),
            defenders=tuple(
                Share((u,), game.defence(state, u), game.defence(state, u)) for u in state.stack(targets[0])
            ),
        )

    def approaches(self, state: CrossroadsState, target: int) -> dict[int, int]:
        """4.0 Who could come next to a hex, the strongest first."""
        game = self.game
        side = next((s for s in (0, 1) if state.occupied[1 - s] >> target & 1), None)
        if side is None:
            return {}
        fit = [u for u in each(state.side_units[side]) if state.where[u] >= 0 and game.attack(state, u)]
        units = sorted(fit, key=lambda u: (-game.attack(state, u), u))
        foes = state.occupied[1 - side]
        ground = Ground(game.costs, game.board.everywhere & ~foes)
        points = {u: game.units[u].movement for u in units}
        moves = {u: reach(ground, {state.where[u]: 0}, points[u]).cells for u in units}
        doors = sum(1 << c for c in game.board.adjacent[target]) & ~foes
        return approach(game.board, doors, target, units, state.where, moves, lambda cell: 2)

    def what_if(
        self, state: CrossroadsState, target: int, units: Sequence[int], options: Mapping[str, int]
    ) -> Forecast | Refusal:
        places = self.approaches(state, target)
        supposed = state.clone()
        for unit in units:
            if unit not in places:
                return refusal("cannot-join", "4.0", unit=unit)
            supposed.place(unit, places[unit])
        return (
            self._promise(supposed, (target,), units) if units else refusal("nobody-there", "4.0", hex=target)
        )

    def strengths(self, state: CrossroadsState, unit: int) -> tuple[Share, Share]:
        """1.0 Shaken units count as their other side says."""
        counter, game = self.game.units[unit], self.game
        why = (("shaken", "1.0"),) if 0 < state.steps[unit] < counter.steps else ()
        return (
            Share((unit,), counter.attack, game.attack(state, unit), why),
            Share((unit,), counter.defence, game.defence(state, unit), why),
        )

    def supply(self, state: CrossroadsState, unit: int) -> Supply:
        """Nobody starves in a morning."""
        return Supply("1.0", True)
