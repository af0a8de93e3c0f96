"""What a plan of A Victory Lost is worth: places, hexes held, attacks, command, enemies cut off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
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
from grognard.staff.cuts import cut_off
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
    _simple = False

    def leads(self, unit: int) -> bool:
        return bool(self.state.hqs >> unit & 1)

    def combatants(self) -> int:
        return self.game.units_of[self.view.side] & ~self.state.hqs

    def arm(self) -> None:
        self.strength = [attack_strength(self.game, self.state, u) for u in self.units]
        self.hungry = [2 if self.state.supply[u] != SUPPLIED else 1 for u in self.units]
        self._threat = self.view.threats.total
        self._holding: dict[tuple[int, int, float], float] = {}

    def reach(self, unit: int, crowded: bool) -> int:
        found = within_reach(self.game, self.state, unit)
        if crowded:
            found = sum(1 << c for c in each(found) if has_room(self.game, self.state, unit, c))
        return found

    def faces(self, cells: int) -> Mapping[int, int]:
        return {cell: self.state.fighters_at(cell) for cell in each(cells)}

    def escape(self) -> int:
        return self.view.ground

    def valued(self) -> int:
        return self.view.cities

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

    def hold(self, cell: int, members: int) -> float:
        """What the hex and those on it risk: what the enemy's next attack would cost."""
        open_sides, at, fighters = 0.0, self.at, self.fighters
        if members and self._threat[cell]:
            for n, width in self.view.fronts(cell):
                if not at[n] or not at[n] & fighters:
                    open_sides += width
        key = (cell, members, open_sides)
        found = self._holding.get(key)
        if found is None:
            found = self._holding[key] = self._risk(*key)
        return found

    def _risk(self, cell: int, members: int, open_sides: float) -> float:
        view, numbers = self.view, self.view.numbers
        fighters = members & self.fighters
        city = view.cities >> cell & 1
        value = 0.0
        if city and not view.mine >> cell & 1:
            value = view.swing if members else 0.0  # an HQ takes it, too
        elif city and not fighters:
            value = view.empty(cell)
        if not fighters:
            alone = members and view.landing >> cell & 1
            return value - view.common["hq_alone"] if alone else value
        threat = self._threat[cell]
        if not threat:
            return value
        # Who has few friends about him and many enemies may find every way back barred.
        ringed = numbers["ringed"] * min(1.0, threat / (6 * view.crowd)) * open_sides / 6
        force, lore = view.force(fighters), view.lore
        attack = int(min(threat, open_sides * view.crowd))
        column = lore.column(attack, int(force.strength), lore.shift[cell])
        if column < 0:
            return value
        ground = numbers["keep"] * view.swing if city else 0.0
        shut = not self.game.contact[cell] & view.ground & ~view.zones & ~view.foes  # 9.5.3
        loss = view.battle(fighters, column, shut, ground, numbers["yield"])
        if ringed and not shut:
            loss += ringed * (view.battle(fighters, column, True, ground, numbers["yield"]) - loss)
        return float(value - numbers["care"] * loss)

    # Attacks

    def simplify(self) -> None:
        """See it as a beginner does: nobody thinks of the radius of HQs, of lines of supply, of trains, or of
        where a beaten enemy could go."""
        self.terms, self._simple = [], True

    def _battle(self, target: Target, column: int, exits: int) -> float:
        return super()._battle(target, column, 2 if self._simple else exits)

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

    def _cut_off(
        self, links: Sequence[int], theirs: int, cells: set[int], net: Callable[[int, int], int]
    ) -> dict[int, int]:
        """By hex, what of theirs one more unit of ours would take from their net, those who move left out:
        `net` works it out by the hexes where we would stand and our zone."""
        game, state, side = self.game, self.state, self.view.side
        still = bits(c for c in each(state.fighters[side]) if state.fighters_at(c) & ~self.moving)

        def supplied(there: int, zone: int) -> tuple[int, int]:
            found = net(there, zone)
            return found, found

        data, places = game.data, sorted(cells - {*each(still)}) if theirs else ()
        sources, contact = data.sources[1 - side], game.contact
        return cut_off(game.board, links, sources, contact, data.passable, theirs, still, places, supplied)

    def _reached(self) -> set[int]:
        return {c for n, row in enumerate(self._places) if not self.hq[n] for c in row if c >= 0}

    def _cuts(self) -> Once:
        """Which enemies would lose their lines to one more zone of ours."""
        view, game, state, foe = self.view, self.game, self.state, self.view.foe
        ours = each(state.fighters[view.side])
        lines = partial(supplied_if, game, state, foe)
        cuts = self._cut_off(game.data.dry, state.occupied[foe], {*self._reached(), *ours}, lines)
        found = {
            cell: [u for c in each(prey) for u in each(state.fighters_at(c))] for cell, prey in cuts.items()
        }
        worth, weight = [0.0] * len(game.units), view.weights.get("cut", 1.0)
        for unit in {u for units in found.values() for u in units}:
            if view.last:  # 14.0.1 he counts as lost
                worth[unit] = weight * points_for(game, state, unit) * view.numbers["sever_last"]
            else:
                worth[unit] = weight * view.weight(unit, state.steps[unit]) * view.numbers["sever"]
        return Once("cut", found, worth, ours, far=True)

    def _rails(self) -> Once:
        """11.1.1 Which of our cities one more unit would keep from enemy trains: in it, next to it, or where
        it closes the line."""
        view, game, foe = self.view, self.game, self.view.foe
        ground, ours = ground_for_lines(game, self.state), self.state.fighters[view.side]

        def net(there: int, zone: int) -> int:
            return rail_net(game, foe, ground & ~(there | zone))

        cities = view.cities & view.mine
        saved = self._cut_off(game.data.rails, cities, self._reached(), net)
        worth = [view.trains * view.weights.get("rails", 1.0)] * game.board.size
        return Once("rails", {c: each(kept) for c, kept in saved.items()}, worth, each(ours), far=True)

    def _command(self) -> Command:
        """7.3 It matters more that the strong are under command than that the weak are."""
        game, state, side = self.game, self.state, self.view.side

        def office(hq: int) -> float:
            return 1.0 if state.pool[side] >> game.chit_of[hq] & 1 else 0.4

        def head(unit: int) -> float:
            return 0.5 + (game.units[unit].attack + game.units[unit].defence) / 16

        hqs = on_map(state, each(state.hqs & game.units_of[side]))
        return Command(
            self,
            self.view.numbers["command"] * self.view.weights.get("command", 1.0),
            head,
            {n: office(u) for n, u in enumerate(self.units) if self.hq[n]},
            lambda stack, cell: command_area(game, self.units[stack], cell),
            [(office(hq), command_area(game, hq, state.where[hq])) for hq in hqs],
        )

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
