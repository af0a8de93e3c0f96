"""What a plan of Leningrad is worth: places, hexes held, attacks."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.board.board import bits, each
from grognard.games.leningrad.rules.untried import known_armour
from grognard.games.leningrad.staff.outlook import FAR, Foe, Outlook
from grognard.games.leningrad.state import GERMAN, SOVIET
from grognard.kernel.doctrine import Intent
from grognard.staff.battles import endured
from grognard.staff.cuts import severed
from grognard.staff.guesses import GuessPlan
from grognard.staff.memory import Remembered
from grognard.staff.plan import Target
from grognard.staff.terms import Once, Term, watch

LEFT_BEHIND = 0.5
"""An enemy is left behind if so much of our army is nearer to Leningrad."""


class LeningradPlan(GuessPlan):
    """Units move alone, but for a panzer corps, which fights best whole (12.1)."""

    crowding = True

    def __init__(
        self,
        view: Outlook,
        stacks: Sequence[tuple[int, ...]],
        places: Sequence[Sequence[int]],
        targets: int,
        lines: bool = False,
    ) -> None:
        """`targets` are the hexes that may be attacked; with `lines` those of supply are looked at, too."""
        self.view, self.state, self.game = view, view.state, view.game
        game, state, side = view.game, view.state, view.side
        starts = [row[0] for row in places]
        ours = {cell: state.at[cell] for cell in each(state.occupied[side])}
        weights = view.weights
        super().__init__(game.board, view.lore.contact, ours, game.units_of[side], stacks, starts, weights)
        self.prepare(view.alert)
        self.corps = [units in game.corps for units in stacks]
        self.armour = [any(known_armour(game, state, u) for u in units) for units in stacks]
        self._driven = game.soviets_surprised(state, side)
        """17.2 Whoever can go towards a German must."""
        self._standing: Remembered[tuple[str, int], float] = Remembered(self._worth_there)
        self._hungry = view.lore.columns({"attacker-unsupplied": 1})
        foes = {cell: Foe(view, cell) for cell in each(targets)}
        escape, valued = game.data.land & ~view.foes, bits(view.important)
        self.open(places, foes, escape, valued, self._lines if lines else ())

    # Supply

    def _lines(self) -> list[Term]:
        return [self._cuts(), self._watch()] if self.view.side == GERMAN else [self._cuts()]

    def _cuts(self) -> Once:
        """Which enemies would lose their lines to one more zone of ours; on the last turn also which hexes of
        Leningrad (18.1)."""
        view, game, state = self.view, self.game, self.state
        units, decisive = len(game.units), view.last and view.side == SOVIET
        objectives = list(game.victory(state).objectives) if decisive else []

        def things(cell: int) -> list[int]:
            return [*each(state.at[cell]), *(units + n for n, c in enumerate(objectives) if c == cell)]

        def worth(thing: int) -> float:
            if thing >= units:
                return float(view.important[objectives[thing - units]])
            return float(view.numbers["sever"] * view.weight(thing, state.steps[thing]))

        return severed("cut", self, view.lines, view.foes, things, worth)

    def _watch(self) -> Once:
        view, numbers = self.view, self.view.numbers
        strays = {cell: share for cell in each(view.foes) if (share := view.behind(cell)) >= LEFT_BEHIND}
        rings = ((2, numbers["near_strays"]), (5, numbers["strays"]))
        return watch(self, strays, rings, self.game.sources[view.side], numbers["base"])

    # Places

    def has_room(self, stack: int, there: int) -> bool:
        return there.bit_count() + len(self.stacks[stack]) <= self.game.stacking

    def fits(self, stack: int, cell: int, there: int) -> bool:
        here, origin = self._place[stack], self._start[stack]
        if cell == here:
            return True
        if here == origin >= 0 and self.view.zones >> here & 1 and not self.at[here] & self.state.at[here]:
            return False  # 6.3 somebody who was there stays
        return self.has_room(stack, there)

    def stand(self, stack: int, cell: int) -> float:
        numbers = self.view.numbers
        if cell < 0:
            return float(numbers["absent"]) * len(self.stacks[stack])
        value = self.standing_of(self.stacks[stack], cell)
        if self._driven and cell == self._start[stack] and len(self._places[stack]) > 1:
            value -= numbers["driven"]
        return float(value)

    def standing_of(self, units: Sequence[int], cell: int) -> float:
        return sum(self.standing(unit, cell) for unit in units)

    def standing(self, unit: int, cell: int) -> float:
        """How well a unit stands on a hex, whoever else is about."""
        return self._standing[self.game.units[unit].kind, cell]

    def _worth_there(self, kind: str, cell: int) -> float:
        view, numbers, game = self.view, self.view.numbers, self.game
        goal, near = numbers["goal"][kind], numbers["near"][kind]
        # `alive` keeps the value of a living unit above that of a lost one, wherever it stands.
        found = numbers["alive"] + goal * min(0.0, near - view.way.get(cell, FAR) / 2)
        rough = game.rough_ground | game.soviet_cities | self.state.forts
        found += numbers["ground"] if view.side == SOVIET and rough >> cell & 1 else 0.0
        return float(found if view.fed >> cell & 1 else found - numbers["supply"])

    def keep(self, cell: int, members: int, then: Outlook) -> float:
        view, numbers = self.view, self.view.numbers
        important, danger, shift = view.exposure[cell]
        if not members:
            # What no enemy can reach is held by nobody at all, if it was ours.
            return important if view.side == SOVIET and not danger else 0.0
        crew = then.crew[members]
        # 4.6 who is too many is lost
        value = important + crew.whole - numbers["crowd"] * max(0, crew.units - self.game.stacking)
        if not danger:
            return float(value)
        suffered = view.lore.suffered[int(danger), crew.defence, shift]
        lost, cleared = endured(suffered, crew.steps, self.alert * crew.fear, numbers["give"])
        return float(value - important * self.stormed * cleared - lost)

    def simplify(self) -> None:
        """See it as a beginner does: the enemy brings all he could against everybody, so what he could storm
        is not held; and nobody thinks of roads."""
        self.terms, self.view.fears = [], self.view.numbers["timid"]
        self.view.crew.clear()
        self.fear(1.0, self.alert)

    # Attacks

    def left_open(self, attackers: Sequence[int]) -> float:
        important, found = self.view.important, 0.0
        for stack in attackers:
            cell = self._place[stack]
            if cell in important:
                share = len(self.stacks[stack]) / max(1, self.at[cell].bit_count())
                found += important[cell] * min(1.0, share)
        return found

    def spoils(self, target: Target) -> float:
        numbers = self.view.numbers
        return float(numbers["breach"] + numbers["eager"] * self.view.important.get(target.cell, 0.0))

    def odds(self, target: Target, attackers: Sequence[int]) -> tuple[int, int]:
        attack, cells, corps, armour = 0.0, 0, 0, False
        for stack in attackers:
            attack += self.attack[stack]
            cells |= 1 << self._place[stack]
            corps += self.corps[stack]
            armour = armour or self.armour[stack]
        shift = target.face.shift + self.push(target, cells, corps, armour)
        if cells & ~self.view.fed:
            shift += self._hungry
        return int(attack + 1e-6), shift + self.aid(target)

    def push(self, target: Target, cells: int, corps: int, armour: bool, overrun: bool = False) -> int:
        """9.6 The columns that attackers from some hexes bring, supply and aircraft apart."""
        foe = target.face
        times = {"river": not cells & ~foe.rivers, "attacker-armour": foe.open and armour}
        return int(self.view.lore.columns(times | {"attacker-corps": corps, "overrun": overrun}))

    def aid(self, target: Target) -> int:
        """The aircraft go where it matters."""
        return self.view.air if self.game.leningrad_set >> target.cell & 1 else 0

    # What it is about

    def intent(self) -> Intent:
        hexes = tuple(target.cell for _, target in self.attacks()[:3])
        goal = self.game.victory(self.state).goals[0]
        if self.view.side == GERMAN:
            if any(cell in self.game.leningrad for cell in hexes):
                return Intent("storm", {"hexes": hexes})
            if hexes:
                return Intent("drive", {"hexes": hexes, "hex_goal": goal})
            return Intent("march", {"hex_goal": goal})
        if hexes:
            return Intent("counterattack", {"hexes": hexes})
        posts = sorted(
            {c for c in self._place if c >= 0}, key=lambda c: (-self.view.important.get(c, 0.0), c)
        )
        return Intent("hold", {"hexes": tuple(posts[:3])})
