"""What a player of Crossroads may ask: how far, and with what odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from crossroads.rules import Storm, Walk, may_storm, odds_of, room
from crossroads.state import CrossroadsState
from grognard.kernel import Refusal, refusal
from grognard.kernel.advice import Forecast, Share, ShiftChance, Supply, Way
from grognard.mechanics.dice import TWO_D6
from grognard.mechanics.movement import Ground, reach, ways
from grognard.mechanics.odds import odds_name

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

    def supply(self, state: CrossroadsState, unit: int) -> Supply:
        """Nobody starves in a morning."""
        return Supply("1.0", True)
