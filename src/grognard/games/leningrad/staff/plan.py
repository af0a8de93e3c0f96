"""What a plan of Leningrad is worth: places, hexes held, attacks."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.board.board import bits, each
from grognard.games.leningrad.rules.untried import known_armour
from grognard.games.leningrad.staff.outlook import FAR, Foe, Outlook
from grognard.games.leningrad.state import GERMAN, SOVIET
from grognard.kernel.doctrine import Intent
from grognard.staff.battles import clearing, expected
from grognard.staff.cuts import severed
from grognard.staff.memory import Remembered
from grognard.staff.plan import PlacementPlan, Target
from grognard.staff.terms import Once, Term

Odds = tuple[int, int, bool]
"""Attack strength, shifts but for those of untried defenders, and whether every way back is shut."""


class LeningradPlan(PlacementPlan):
    """Units move alone, but for a panzer corps, which fights best whole (12.1)."""

    crowding = True
    enough = 8.0

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
        self.attack = [sum(view.strength(u, True) for u in units) for units in stacks]
        self.price = [view.worth(units) for units in stacks]
        self.cheapest = [min(view.step(u) for u in units) for units in stacks]
        self.corps = [units in game.corps for units in stacks]
        self.armour = [any(known_armour(game, state, u) for u in units) for units in stacks]
        self._driven = game.soviets_surprised(state, side)
        """17.2 Whoever can go towards a German must."""
        self._standing: Remembered[tuple[str, int], float] = Remembered(self._worth_there)
        self._holding: Remembered[tuple[int, int], float] = Remembered(
            lambda cell, members: self.keep(cell, members, view)
        )
        self._hungry = view.lore.columns({"attacker-unsupplied": 1})
        self._stormed: float = view.numbers["stormed"]
        self._alert: float = view.alert
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
                return view.important[objectives[thing - units]]
            return float(view.numbers["sever"] * view.weight(thing, state.steps[thing]))

        return severed("cut", self, view.lines, view.foes, things, worth)

    def _watch(self) -> Once:
        """Enemies left behind, whom somebody has to watch, and be near to strike. While there are any,
        somebody stays where supply comes from."""
        view, board = self.view, self.game.board
        found: dict[int, list[int]] = {}
        worth: list[float] = []
        for cell in each(view.foes):
            share = view.behind(cell)
            if share < 0.5:
                continue
            area = 1 << cell
            for rings, value in ((2, "near_strays"), (3, "strays")):
                for _ in range(rings):
                    area = board.spread(area)
                for near in each(area):
                    found.setdefault(near, []).append(len(worth))
                worth.append(share * view.numbers[value])
        for source in each(self.game.sources[view.side]) if worth else ():
            found.setdefault(source, []).append(len(worth))
        worth.append(view.numbers["base"])
        return Once("watch", found, worth, each(self.state.occupied[view.side]), far=True)

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

    def hold(self, cell: int, members: int) -> float:
        return self._holding[cell, members]

    def keep(self, cell: int, members: int, then: Outlook) -> float:
        """What a hex and those on it are worth, given what the enemy may do to them. `then` is who knows the
        units as they are."""
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
        steps, fear = crew.steps, self._alert * crew.fear
        one, two, all_ = view.lore.suffered[int(danger), crew.defence, shift]
        lost = fear / steps * (one * numbers["give"] + two * min(2, steps) * 0.8) + fear * all_
        cleared = all_ + two * (1.0 if steps <= 2 else 0.5) + one * (1.0 if steps == 1 else 0.25)
        return float(value - important * self._stormed * cleared - lost)

    def simplify(self) -> None:
        """See it as a beginner does: the enemy brings all he could against everybody, so what he could storm
        is not held; and nobody thinks of roads."""
        self.terms, self.view.fears = [], self.view.numbers["timid"]
        self.view.crew.clear()
        self._fear(1.0, self._alert)

    def look_ahead(self) -> None:
        """Whoever works out what the enemy will do fears less of what he could do."""
        self._fear(self._stormed, self._alert * self.view.numbers["foreseen"])

    def _fear(self, stormed: float, alert: float) -> None:
        self._stormed, self._alert = stormed, alert
        self._holding.clear()
        self.hold_anew()

    # Attacks

    def bears(self, stack: int, cell: int, target: Target) -> float:
        return self.attack[stack]

    def defence(self, target: Target) -> float:
        return max(1.0, float(target.face.expected))

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        return max(0.0, self._assault(target, attackers, exits))

    def _assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        attack, shift = self.odds(target, attackers)
        cheapest = min([self.cheapest[s] for s in attackers])
        everything = sum([self.price[s] for s in attackers])
        important, open_ground = self.view.important, 0.0
        for stack in attackers:
            cell = self._place[stack]
            if cell in important:
                share = len(self.stacks[stack]) / max(1, self.at[cell].bit_count())
                open_ground += important[cell] * min(1.0, share)
        return self.promise(target, (attack, shift, not exits), cheapest, everything, open_ground)

    def odds(self, target: Target, attackers: Sequence[int]) -> tuple[int, int]:
        """Attack strength and shifts, but for those of the defenders who are still untried."""
        attack, cells, corps, armour = 0.0, 0, 0, False
        for stack in attackers:
            attack += self.attack[stack]
            cells |= 1 << self._place[stack]
            corps += self.corps[stack]
            armour = armour or self.armour[stack]
        shift = target.face.shift + self.push(target, cells, corps, armour)
        if cells & ~self.view.fed:
            shift += self._hungry
        return int(attack + 1e-6), shift + self.aircraft(target)

    def push(self, target: Target, cells: int, corps: int, armour: bool, overrun: bool = False) -> int:
        """9.6 The columns that attackers from some hexes bring, supply and aircraft apart."""
        foe = target.face
        times = {"river": not cells & ~foe.rivers, "attacker-armour": foe.open and armour}
        return int(self.view.lore.columns(times | {"attacker-corps": corps, "overrun": overrun}))

    def aircraft(self, target: Target) -> int:
        """The aircraft go where it matters."""
        return self.view.air if self.game.leningrad_set >> target.cell & 1 else 0

    def promise(
        self,
        target: Target,
        odds: Odds,
        cheapest: float,
        everything: float,
        open_ground: float = 0.0,
        fall_back: float | None = None,
    ) -> float:
        """What an attack brings on the average: what it costs the enemy, less what it costs us and the ground
        that would stand open if it failed."""
        found = target.memo.get(odds)
        if found is None:
            found = target.memo[odds] = self._battle(target, *odds)
        gain, one, two, all_ = found
        back = min(cheapest, self.view.numbers["fall_back"] if fall_back is None else fall_back)
        cost = one * back + two * 1.8 * back + all_ * everything
        return float(gain - self.view.numbers["caution"] * cost - open_ground * all_)

    def _battle(
        self, target: Target, attack: int, shift: int, shut: bool
    ) -> tuple[float, float, float, float]:
        numbers, lore, cell = self.view.numbers, self.view.lore, target.cell
        ground = numbers["breach"] + numbers["eager"] * self.view.important.get(cell, 0.0)
        driven = (0.0, numbers["push"], 1.6 * numbers["push"])
        shut = shut and bool(target.ways)
        total = [0.0] * 4
        for column, chance in target.face.columns(attack, shift):
            gain = expected(lore.fates[column], target.face.force, shut, ground, driven)
            for n, share in enumerate((gain, *lore.shares[column, True])):
                total[n] += chance * share
        return total[0], total[1], total[2], total[3]

    def clears(self, target: Target) -> float:
        attack, shift = self.odds(target, target.attackers)
        columns = target.face.columns(attack, shift)
        return float(sum(chance * clearing(self.view.lore.fates[column]) for column, chance in columns))

    def columns_worth(self, target: Target, attack: int, shift: int, columns: int) -> float:
        """What so many columns more would add to an attack."""
        before, after = (self._battle(target, attack, s, False)[0] for s in (shift, shift + columns))
        return after - before

    def lifted(self, target: Target, attackers: Sequence[int], columns: int) -> float:
        """What the aircraft would add to a planned attack."""
        attack, shift = self.odds(target, attackers)
        return self.columns_worth(target, attack, shift - self.aircraft(target), columns)

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
