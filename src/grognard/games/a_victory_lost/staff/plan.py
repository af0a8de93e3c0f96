"""What a plan of A Victory Lost is worth: places, hexes held, attacks, command, enemies cut off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.command import command_area
from grognard.games.a_victory_lost.rules.odds import attack_strength
from grognard.games.a_victory_lost.rules.pocket import ground_for_lines
from grognard.games.a_victory_lost.rules.reach import within_reach
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.rules.tracing import rail_net, supplied_if
from grognard.games.a_victory_lost.rules.victory import worth as points_for
from grognard.games.a_victory_lost.staff.outlook import Outlook
from grognard.games.a_victory_lost.state import AXIS, SUPPLIED, VictoryState
from grognard.kernel.doctrine import Intent
from grognard.staff.cuts import Lines, severed
from grognard.staff.front import FrontPlan
from grognard.staff.intents import attack_or_march
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

    def leads(self, unit: int) -> bool:
        return bool(self.state.hqs >> unit & 1)

    def combatants(self) -> int:
        return self.game.units_of[self.view.side] & ~self.state.hqs

    def arm(self) -> None:
        self.strength = [attack_strength(self.game, self.state, u) for u in self.units]
        self.hungry = [2 if self.state.supply[u] != SUPPLIED else 1 for u in self.units]
        self._threat = self.view.threats.total

    def reach(self, unit: int, crowded: bool) -> int:
        found = within_reach(self.game, self.state, unit)
        if crowded:
            found = sum(1 << c for c in each(found) if has_room(self.game, self.state, unit, c))
        return found

    def faces(self, cells: int) -> Mapping[int, int]:
        return {cell: self.state.fighters_at(cell) for cell in each(cells)}

    def escape(self) -> int:
        return self.view.ground

    def further_terms(self, places: Sequence[Sequence[int]]) -> list[Term]:
        found: list[Term] = [self._command()]
        if self.view.trains:
            found.append(self._rails())
        return [*found, self._cuts()] if places else found

    # Places

    def has_room(self, stack: int, there: int) -> bool:
        """5.0.1, 5.0.3"""
        full = there & self.state.hqs if self.hq[stack] else self._full(there)
        return not full and not there & self.game.barred[self.units[stack]]

    def _full(self, there: int) -> bool:
        return (there & self.fighters).bit_count() >= self.game.stacking

    def mobile(self, unit: int) -> bool:
        return self.game.units[unit].mechanised

    def unfed(self, unit: int, cell: int) -> float:
        """10.1.2; 14.0.1 on the last turn it counts as lost"""
        view = self.view
        if view.fed >> cell & 1:
            return 0.0
        lost = points_for(self.game, self.state, unit) * view.common["counted_lost"] if view.last else 0.0
        return float(view.numbers["unsupplied"] + lost)

    def open_sides(self, cell: int, members: int) -> float:
        """Those where no friends stand; what comes across a river counts half."""
        found, at, fighters = 0.0, self.at, self.fighters
        if members and self._threat[cell]:
            for n, width in self.view.fronts(cell):
                if not at[n] or not at[n] & fighters:
                    found += width
        return found

    def struck(self, cell: int, members: int, attack: float) -> int:
        lore = self.view.lore
        return lore.column(int(attack), int(self.view.force(members).strength), lore.shift[cell])

    def cornered(self, cell: int) -> bool:
        """9.5.3"""
        view = self.view
        return not self.game.contact[cell] & view.ground & ~view.zones & ~view.foes

    # Attacks

    def simplify(self) -> None:
        """See it as a beginner does: nobody thinks of the radius of HQs, of lines of supply, of trains, or of
        where a beaten enemy could go."""
        self.terms, self.simple = [], True

    def bears(self, stack: int, cell: int, target: Target) -> float:
        across = 2 if (cell, target.cell) in self.game.data.rivers else 1
        return 0.0 if self.hq[stack] else self.strength[stack] / (across * self.hungry[stack])

    def defence(self, target: Target) -> float:
        return max(1.0, self.view.force(target.face).strength) * (1 - self.view.lore.shift[target.cell] / 4)

    def prize(self, target: Target) -> float:
        return self.view.prize(target.cell)

    def mass(self, target: Target, attackers: Sequence[int]) -> int:
        """9.3.1 What shares a hex and a divisor is added up before it is divided."""
        rivers, cell = self.game.data.rivers, target.cell
        sums: dict[tuple[int, int], int] = {}
        for stack in attackers:
            here = self._place[stack]
            key = (here, 2 * self.hungry[stack] if (here, cell) in rivers else self.hungry[stack])
            sums[key] = sums.get(key, 0) + self.strength[stack]
        return sum(total // divisor for (_, divisor), total in sums.items())

    def column(self, target: Target, attackers: Sequence[int]) -> int:
        lore, attack = self.view.lore, self.mass(target, attackers)
        defence = int(self.view.force(target.face).strength)
        return lore.column(attack, defence, lore.shift[target.cell]) if attack else -1

    # Supply of the enemy, command of ours

    def _lines(self, links: Sequence[int], supplied: Callable[[int, int], tuple[int, int]]) -> Lines:
        game, data = self.game, self.game.data
        return Lines(game.board, links, data.sources[self.view.foe], game.contact, data.passable, supplied)

    def _cuts(self) -> Once:
        """Which enemies would lose their lines to one more zone of ours."""
        view, game, state = self.view, self.game, self.state

        def supplied(there: int, zone: int) -> tuple[int, int]:
            found = supplied_if(game, state, view.foe, there, zone)
            return found, found

        def worth(unit: int) -> float:
            if view.last:  # 14.0.1 he counts as lost
                return points_for(game, state, unit) * float(view.numbers["sever_last"])
            return view.weight(unit, state.steps[unit]) * float(view.numbers["sever"])

        lines, theirs = self._lines(game.data.dry, supplied), state.occupied[view.foe]
        units = len(game.units)
        return severed("cut", self, lines, theirs, lambda c: each(state.fighters_at(c)), worth, units)

    def _rails(self) -> Once:
        """11.1.1 Which of our cities one more unit would keep from enemy trains: in it, next to it, or where
        it closes the line."""
        view, game = self.view, self.game
        ground, cities = ground_for_lines(game, self.state), each(view.cities & view.mine)

        def supplied(there: int, zone: int) -> tuple[int, int]:
            found = rail_net(game, view.foe, ground & ~(there | zone))
            return found, found

        lines, theirs = self._lines(game.data.rails, supplied), view.cities & view.mine
        number = {city: n for n, city in enumerate(cities)}
        return severed(
            "rails", self, lines, theirs, lambda c: (number[c],), lambda city: view.trains, len(cities)
        )

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
        area = partial(command_area, game)
        return Command.of_hqs(self, self.view.numbers["command"], head, office, hqs, area)

    # What it is about

    def intent(self) -> Intent:
        view = self.view
        attacks = [target for _, target in self.attacks() if self.blow(target, target.attackers) > 0]
        for city in each(view.cities & ~view.mine):
            if self.at[city]:
                return Intent("take-city", {"hex": city, "number": len(attacks)})
            if any(t.cell == city for t in attacks):
                return Intent("assault-city", {"hex": city, "number": len(attacks)})
        ahead, back = ("cover", "fall-back") if view.side == AXIS else ("advance", None)
        return attack_or_march(self, attacks, view.aims, view.lore.way, ahead, back)
