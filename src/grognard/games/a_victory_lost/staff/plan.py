"""What a plan of A Victory Lost is worth: places, hexes held, attacks, command, enemies cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.a_victory_lost.rules import command, odds, pocket, reach, stacking, supply, victory
from grognard.games.a_victory_lost.staff.outlook import Outlook
from grognard.games.a_victory_lost.state import SUPPLIED, VictoryState
from grognard.staff.cuts import Lines, in_the_net, severed, severed_units
from grognard.staff.front import FrontPlan
from grognard.staff.outlook import on_map
from grognard.staff.plan import Target
from grognard.staff.terms import Command, Once, Term

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class VictoryPlan(FrontPlan):
    """Units move alone (8.1.1)."""

    game: AVictoryLost
    state: VictoryState
    view: Outlook
    hqs_take = True
    ahead = ("cover", "advance")
    back = ("fall-back", None)

    def leaders(self) -> int:
        return self.state.hqs

    def arm(self) -> None:
        self.strength = [odds.attack_strength(self.game, self.state, u) for u in self.units]
        self.hungry = [2 if self.state.supply[u] != SUPPLIED else 1 for u in self.units]

    def reach(self, unit: int, crowded: bool) -> int:
        found = reach.within_reach(self.game, self.state, unit)
        if crowded:
            found = sum(1 << c for c in each(found) if stacking.has_room(self.game, self.state, unit, c))
        return found

    def further_terms(self, places: Sequence[Sequence[int]]) -> list[Term]:
        found: list[Term] = [self._command()]
        if self.view.trains:
            found.append(self._rails())
        return [*found, self._cuts()] if places else found

    # Places

    def has_room(self, stack: int, there: int) -> bool:
        """5.0.1, 5.0.3"""
        fighters = (there & self.fighters).bit_count()
        full = there & self.state.hqs if self.hq[stack] else fighters >= self.game.stacking
        return not full and not there & self.game.barred[self.units[stack]]

    def mobile(self, unit: int) -> bool:
        return self.game.units[unit].mechanised

    def unfed(self, unit: int, cell: int) -> float:
        """10.1.2; 14.0.1 on the last turn it counts as lost"""
        view = self.view
        if view.fed >> cell & 1:
            return 0.0
        lost = victory.worth(self.game, self.state, unit) * view.common["counted_lost"] if view.last else 0.0
        return float(view.numbers["unsupplied"] + lost)

    def cornered(self, cell: int) -> bool:
        """9.5.3"""
        view = self.view
        return not self.game.contact[cell] & view.ground & ~view.zones & ~view.foes

    # Attacks

    def simplify(self) -> None:
        """See it as a beginner does: nobody thinks of the radius of HQs, of lines of supply, of trains, or of
        where a beaten enemy could go."""
        self.terms, self.simple = [], True

    def divisor(self, stack: int, cell: int, target: Target) -> int:
        """9.3.1"""
        across = (cell, target.cell) in self.game.data.rivers
        return 2 * self.hungry[stack] if across else self.hungry[stack]

    def defence(self, target: Target) -> float:
        return max(1.0, self.view.force(target.face).strength) * (1 - self.view.lore.shift[target.cell] / 4)

    # Supply of the enemy, command of ours

    def _lines(self, links: Sequence[int], net: Callable[[int, int], int]) -> Lines:
        game, data, sources = self.game, self.game.data, self.game.data.sources[self.view.foe]
        return Lines(game.board, links, sources, game.contact, data.passable, in_the_net(net))

    def _cuts(self) -> Once:
        """Which enemies would lose their lines to one more zone of ours."""
        view, game, state = self.view, self.game, self.state

        def worth(unit: int) -> float:
            if view.last:  # 14.0.1 he counts as lost
                return victory.worth(game, state, unit) * float(view.numbers["sever_last"])
            return view.weight(unit, state.steps[unit]) * float(view.numbers["sever"])

        lines = self._lines(game.data.dry, partial(supply.supplied_if, game, state, view.foe))
        theirs = state.occupied[view.foe]
        return severed_units(self, lines, theirs, lambda c: each(state.fighters_at(c)), worth)

    def _rails(self) -> Once:
        """11.1.1 Which of our cities one more unit would keep from enemy trains: in it, next to it, or where
        it closes the line."""
        view, game, ground = self.view, self.game, pocket.ground_for_lines(self.game, self.state)
        lines = self._lines(
            game.data.rails, lambda there, zone: supply.rail_net(game, view.foe, ground & ~(there | zone))
        )
        cities = view.cities & view.mine
        return severed("rails", self, lines, cities, lambda city: (city,), lambda city: view.trains)

    def _command(self) -> Command:
        """7.3 It matters more that the strong are under command than that the weak are."""
        game, state, side = self.game, self.state, self.view.side

        def head(unit: int) -> float:
            return 0.5 + (game.units[unit].attack + game.units[unit].defence) / 16

        def office(unit: int) -> float:
            if not state.hqs >> unit & 1:
                return 0.0
            return 1.0 if state.pool[side] >> game.chit_of[unit] & 1 else 0.4

        hqs = on_map(state, each(state.hqs & game.units_of[side]))
        worth, area = self.view.numbers["command"], partial(command.command_area, game)
        return Command.of_hqs(self, worth, head, office, hqs, area)
