"""What a plan of Leningrad is worth: places, hexes held, attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grognard.board.board import each
from grognard.games.leningrad.rules.untried import known_armour
from grognard.games.leningrad.staff.outlook import FAR, Foe, Outlook
from grognard.games.leningrad.state import GERMAN, SOVIET
from grognard.kernel.doctrine import Intent
from grognard.staff.cuts import severed_units
from grognard.staff.guesses import GuessPlan
from grognard.staff.intents import about_a_goal
from grognard.staff.plan import Target
from grognard.staff.terms import Once, Term, watch


class LeningradPlan(GuessPlan):
    """Units move alone, but for a panzer corps, which fights best whole (12.1)."""

    view: Outlook

    def arm(self) -> None:
        game, state = self.game, self.state
        self.corps = [units in game.corps for units in self.stacks]
        self.armour = [any(known_armour(game, state, u) for u in units) for units in self.stacks]
        if game.soviets_surprised(state, self.view.side):  # 17.2 who can go towards a German must
            self.driven = self.view.numbers["driven"]

    def face(self, cell: int) -> Foe:
        return Foe(self.view, cell)

    def escape(self) -> int:
        return int(self.game.data.land) & ~self.view.foes

    # Supply

    def further_terms(self) -> list[Term]:
        return [self._cuts(), self._watch()] if self.view.side == GERMAN else [self._cuts()]

    def _cuts(self) -> Once:
        """18.1 On the last turn it matters, too, which hexes of Leningrad are cut off."""
        view, at = self.view, self.state.at
        decisive = self.game.victory(self.state).objectives if view.last and view.side == SOVIET else ()
        places = {cell: view.important[cell] for cell in decisive}
        return severed_units(self, view.lines, view.foes, lambda cell: each(at[cell]), places=places)

    def _watch(self) -> Once:
        view, numbers = self.view, self.view.numbers
        rings = ((2, numbers["near_strays"]), (5, numbers["strays"]))
        return watch(self, view.strays(), rings, self.game.sources[view.side], numbers["base"])

    # Places

    def fits(self, stack: int, cell: int, there: int) -> bool:
        here, origin = self._place[stack], self._start[stack]
        if cell == here:
            return True
        if here == origin >= 0 and self.view.zones >> here & 1 and not self.at[here] & self.state.at[here]:
            return False  # 6.3 somebody who was there stays
        return self.has_room(stack, there)

    def worth_there(self, kind: str, cell: int) -> float:
        view, numbers, game = self.view, self.view.numbers, self.game
        goal, near = numbers["goal"][kind], numbers["near"][kind]
        # `alive` keeps the value of a living unit above that of a lost one, wherever it stands.
        found = numbers["alive"] + goal * min(0.0, near - view.way.get(cell, FAR) / 2)
        rough = game.rough_ground | game.soviet_cities | self.state.forts
        found += numbers["ground"] if view.side == SOVIET and rough >> cell & 1 else 0.0
        return float(found if view.fed >> cell & 1 else found - numbers["supply"])

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
        goal = self.game.victory(self.state).goals[0]
        return about_a_goal(self, self.view.side == GERMAN, goal, self.game.leningrad)
