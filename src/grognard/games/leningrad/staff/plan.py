"""What a plan of Leningrad is worth: places, hexes held, attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.leningrad.rules.untried import known_armour
from grognard.games.leningrad.staff.outlook import FAR, Foe, Outlook
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.kernel.doctrine import Intent
from grognard.staff.cuts import severed_units
from grognard.staff.guesses import GuessPlan
from grognard.staff.intents import about_a_goal
from grognard.staff.plan import Target
from grognard.staff.terms import Once, Term, watch

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad

LEFT_BEHIND = 0.5
"""An enemy is left behind if so much of our army is nearer to Leningrad."""


class LeningradPlan(GuessPlan):
    """Units move alone, but for a panzer corps, which fights best whole (12.1)."""

    game: Leningrad
    state: LeningradState
    view: Outlook

    def arm(self) -> None:
        game, state = self.game, self.state
        self.corps = [units in game.corps for units in self.stacks]
        self.armour = [any(known_armour(game, state, u) for u in units) for units in self.stacks]
        self._driven = game.soviets_surprised(state, self.view.side)
        """17.2 Whoever can go towards a German must."""

    def face(self, cell: int) -> Foe:
        return Foe(self.view, cell)

    def escape(self) -> int:
        return self.game.data.land & ~self.view.foes

    # Supply

    def further_terms(self) -> list[Term]:
        return [self._cuts(), self._watch()] if self.view.side == GERMAN else [self._cuts()]

    def _cuts(self) -> Once:
        """18.1 On the last turn it matters, too, which hexes of Leningrad are cut off."""
        view, state = self.view, self.state
        decisive = self.game.victory(state).objectives if view.last and view.side == SOVIET else ()

        def worth(unit: int) -> float:
            return float(view.numbers["sever"] * view.weight(unit, state.steps[unit]))

        places = {cell: view.important[cell] for cell in decisive}
        return severed_units(self, view.lines, view.foes, lambda c: each(state.at[c]), worth, places)

    def _watch(self) -> Once:
        view, numbers = self.view, self.view.numbers
        strays = {cell: share for cell in each(view.foes) if (share := view.behind(cell)) >= LEFT_BEHIND}
        rings = ((2, numbers["near_strays"]), (5, numbers["strays"]))
        return watch(self, strays, rings, self.game.sources[view.side], numbers["base"])

    # Places

    def fits(self, stack: int, cell: int, there: int) -> bool:
        here, origin = self._place[stack], self._start[stack]
        if cell == here:
            return True
        if here == origin >= 0 and self.view.zones >> here & 1 and not self.at[here] & self.state.at[here]:
            return False  # 6.3 somebody who was there stays
        return self.has_room(stack, there)

    def stand(self, stack: int, cell: int) -> float:
        value = super().stand(stack, cell)
        stays = cell == self._start[stack] and cell >= 0 and len(self._places[stack]) > 1
        return value - self.view.numbers["driven"] if self._driven and stays else value

    def worth_there(self, kind: str, cell: int) -> float:
        view, numbers, game = self.view, self.view.numbers, self.game
        goal, near = numbers["goal"][kind], numbers["near"][kind]
        # `alive` keeps the value of a living unit above that of a lost one, wherever it stands.
        found = numbers["alive"] + goal * min(0.0, near - view.way.get(cell, FAR) / 2)
        rough = game.rough_ground | game.soviet_cities | self.state.forts
        found += numbers["ground"] if view.side == SOVIET and rough >> cell & 1 else 0.0
        return float(found if view.fed >> cell & 1 else found - numbers["supply"])

    def simplify(self) -> None:
        """See it as a beginner does: the enemy brings all he could against everybody, so what he could storm
        is not held; and nobody thinks of roads."""
        self.terms, self.view.fears = [], self.view.numbers["timid"]
        self.view.crew.clear()
        self.fear(1.0, self.alert)

    # Attacks

    def _push(self, target: Target, cells: int, times: Mapping[str, int], armour: bool) -> int:
        """9.6 The columns that attackers from some hexes bring, those of `times` and aircraft apart."""
        foe = target.face
        ground: dict[str, int] = {"river": not cells & ~foe.rivers, "attacker-armour": foe.open and armour}
        return self.view.lore.columns({**ground, **times})

    def shifts(self, target: Target, cells: int, attackers: Sequence[int]) -> int:
        corps, armour = sum([self.corps[s] for s in attackers]), any(map(self.armour.__getitem__, attackers))
        times = {"attacker-corps": corps, "attacker-unsupplied": bool(cells & ~self.view.fed)}
        return self._push(target, cells, times, armour)

    def overrunning(self, target: Target, units: Sequence[int], cells: int) -> int:
        tanks = any(known_armour(self.game, self.state, u) for u in units)
        times = {"attacker-corps": tuple(units) in self.game.corps, "overrun": True}
        return self._push(target, cells, times, tanks)

    def aid(self, target: Target) -> int:
        """The aircraft go where it matters."""
        return self.view.air if self.game.leningrad_set >> target.cell & 1 else 0

    # What it is about

    def intent(self) -> Intent:
        game = self.game
        goal = game.victory(self.state).goals[0]
        return about_a_goal(self, self.view.side == GERMAN, goal, game.leningrad)
