"""Battles in which strengths are added up and columns shifted, against enemies who may turn out stronger or
weaker than they look: what an attack brings on the average over all that they may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grognard.board.board import bits, each
from grognard.mechanics.odds import CombatTable, whole_odds
from grognard.staff.assaults import Attack
from grognard.staff.battles import Force, clearing, endured, expected
from grognard.staff.memory import Remembered
from grognard.staff.outlook import Lore
from grognard.staff.plan import PlacementPlan, Target
from grognard.staff.terms import Term

Odds = tuple[int, int, bool]
"""Attack strength, shifts but for those of untried defenders, and whether every way back is shut."""
SECOND_HEX = 1.6
"""What two hexes of retreat bring, against one."""
SECOND_LOSS = 1.8
"""What two losses cost an attacker, against one."""


class GuessLore(Lore):
    """Of a game whose data have a combat table of whole odds, `crt`, and by name what `shifts` its column."""

    def __init__(self, game: Any, numbers: Mapping[str, Any]) -> None:
        super().__init__(game, numbers)
        self.suffered: Remembered[tuple[int, int, int], tuple[float, float, float]] = Remembered(
            lambda *battle: self.shares[self.column(*battle), False]
        )
        """How likely a defender is to suffer one, two, everything, by strengths and shifts."""

    def columns(self, times: Mapping[str, int]) -> int:
        """What some shifts move, by how often each applies."""
        return sum(int(self.game.data.shifts[name][0]) * count for name, count in times.items())

    def column(self, attack: int, defence: int, shift: int) -> int:
        """The column of a battle; of one without attackers the first, of one without defenders the last."""
        table: CombatTable = self.game.data.crt
        if attack <= 0:
            return table.columns[0]
        return table.columns[-1] if defence <= 0 else table.column(whole_odds(attack, defence) + shift)


class Guess:
    """An enemy stack as an attacker sees it."""

    def __init__(
        self, units: int, steps: int, worth: float, spread: Sequence[tuple[int, int, float]], shift: int
    ) -> None:
        """`spread` are the strengths that it may have, the columns that each moves besides `shift`, and how
        likely each is. One step is worth as much as another."""
        self.spread, self.shift = spread, shift
        self.expected = sum(value * chance for value, _, chance in spread)
        self.force = Force(units, self.expected, tuple(k * worth / steps for k in range(steps + 1)))


class GuessPlan(PlacementPlan):
    """A game's plan is a subclass that answers the questions below. Its outlook is one of garrisons; its lore
    is a GuessLore; its doctrine has `push`, `give`, `timid`, `fall_back`, `caution`, `breach`, `eager`,
    `stormed`, `foreseen`, `crowd`, `absent`, `detour`."""

    crowding = True
    enough = 8.0

    def __init__(
        self,
        view: Any,
        stacks: Sequence[tuple[int, ...]],
        places: Sequence[Sequence[int]],
        targets: int,
        lines: bool = False,
    ) -> None:
        """`places` are those of each stack, the first where it stands, `targets` the hexes that may be
        attacked; with `lines` those of supply are looked at, too."""
        self.view, self.state, self.game = view, view.state, view.game
        game, state, side = view.game, view.state, view.side
        ours = {cell: state.at[cell] for cell in each(state.occupied[side])}
        fighters, starts, weights = game.units_of[side], [row[0] for row in places], view.weights
        super().__init__(game.board, view.lore.contact, ours, fighters, stacks, starts, weights)
        self.attack: list[float] = [sum(view.strength(u, True) for u in units) for units in stacks]
        self.price = [view.worth(units) for units in stacks]
        self.cheapest = [min(view.step(u) for u in units) for units in stacks]
        self.stormed: float = view.numbers["stormed"]
        """How likely the enemy is to bring all he could against a hex."""
        self.alert: float = view.alert
        """How much more than usual is feared."""
        self._standing: Remembered[tuple[str, int], float] = Remembered(self.worth_there)
        self._holding: Remembered[tuple[int, int], float] = Remembered(
            lambda cell, members: self.keep(cell, members, view)
        )
        self._room: int = game.stacking
        self.driven = 0.0
        """What it costs a stack to stay where it is that could go."""
        self.arm()
        faces = {cell: self.face(cell) for cell in each(targets)}
        further = self.further_terms if lines else ()
        self.open(places, faces, self.escape(), bits(view.important), further)

    # What a game supplies

    view: Any

    def arm(self) -> None:
        """Make ready what attacks are worked out from."""

    def face(self, cell: int) -> Guess:
        """The enemies on a hex."""
        raise NotImplementedError

    def escape(self) -> int:
        """The hexes to which enemies could retreat if nobody of ours were there."""
        raise NotImplementedError

    def further_terms(self) -> list[Term]:
        """Terms besides places, hexes held and attacks."""
        return []

    def shifts(self, target: Target, cells: int, attackers: Sequence[int]) -> int:
        """The columns that these stacks bring from their hexes, support apart."""
        raise NotImplementedError

    def overrunning(self, target: Target, units: Sequence[int], cells: int) -> int:
        """The columns if units overrun a target from one of some hexes."""
        raise NotImplementedError

    def worth_there(self, kind: str, cell: int) -> float:
        """How well a unit of a kind stands on a hex, whoever else is about."""
        raise NotImplementedError

    def aid(self, target: Target) -> int:
        """The columns that support counted on moves, as things stand."""
        return 0

    # Places

    def has_room(self, stack: int, there: int) -> bool:
        return there.bit_count() + len(self.stacks[stack]) <= self._room

    def standing(self, unit: int, cell: int) -> float:
        """How well a unit stands on a hex, whoever else is about."""
        return self._standing[self.game.units[unit].kind, cell]

    def standing_of(self, units: Sequence[int], cell: int) -> float:
        return sum(self.standing(unit, cell) for unit in units)

    def stand(self, stack: int, cell: int) -> float:
        if cell < 0:
            return float(self.view.numbers["absent"]) * len(self.stacks[stack])
        value = self.standing_of(self.stacks[stack], cell)
        if self.driven and cell == self._start[stack] and len(self._places[stack]) > 1:
            value -= self.driven
        return value

    def keep(self, cell: int, members: int, then: Any) -> float:
        """What a hex and those on it are worth, given what the enemy may do to them. `then` is who knows the
        units as they are."""
        view, numbers = self.view, self.view.numbers
        important, danger, shift = view.exposure[cell]
        if not members:
            return float(important) if view.keeps_empty and not danger else 0.0
        crew = then.crew[members]
        # Who is too many is lost.
        value = important + crew.whole - numbers["crowd"] * max(0, crew.units - self._room)
        if not danger:
            return float(value)
        suffered = view.lore.suffered[int(danger), crew.defence, shift]
        lost, cleared = endured(suffered, crew.steps, self.alert * crew.fear, numbers["give"])
        return float(value - important * self.stormed * cleared - lost)

    def hold(self, cell: int, members: int) -> float:
        return self._holding[cell, members]

    def fear(self, stormed: float, alert: float) -> None:
        """See it with other fears."""
        self.stormed, self.alert = stormed, alert
        self._holding.clear()
        self.hold_anew()

    def simplify(self) -> None:
        """See it as a beginner does: the enemy brings all he could against everybody, so what he could storm
        is not held; and there are no further terms."""
        self.terms, self.view.fears = [], self.view.numbers["timid"]
        self.view.crew.clear()
        self.fear(1.0, self.alert)

    def look_ahead(self) -> None:
        """Whoever works out what the enemy will do fears less of what he could do."""
        self.fear(self.stormed, self.alert * self.view.numbers["foreseen"])

    # Attacks

    def spoils(self, target: Target) -> float:
        """What it is worth that the defenders leave their hex."""
        numbers = self.view.numbers
        return float(numbers["breach"] + numbers["eager"] * self.view.important.get(target.cell, 0.0))

    def left_open(self, attackers: Sequence[int]) -> float:
        """What the hexes are worth that stand open if all these are lost."""
        important, found = self.view.important, 0.0
        for stack in attackers:
            cell = self._place[stack]
            if cell in important:
                share = len(self.stacks[stack]) / max(1, self.at[cell].bit_count())
                found += important[cell] * min(1.0, share)
        return found

    def odds(self, target: Target, attackers: Sequence[int]) -> tuple[int, int]:
        """Attack strength and shifts, but for those of the defenders who are still untried."""
        attack, cells = 0.0, 0
        for stack in attackers:
            attack += self.attack[stack]
            cells |= 1 << self._place[stack]
        shift: int = target.face.shift + self.shifts(target, cells, attackers) + self.aid(target)
        return int(attack + 1e-6), shift

    def bears(self, stack: int, cell: int, target: Target) -> float:
        return self.attack[stack]

    def defence(self, target: Target) -> float:
        foe: Guess = target.face
        return max(1.0, foe.expected)

    def columns(self, target: Target, attack: int, shift: int) -> list[tuple[int, float]]:
        """The columns of an attack and their chances, over all that the defenders may turn out to be."""
        column = self.view.lore.column
        return [(column(attack, value, shift + more), chance) for value, more, chance in target.face.spread]

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        attack, shift = self.odds(target, attackers)
        cheapest = min([self.cheapest[s] for s in attackers])
        everything = sum([self.price[s] for s in attackers])
        ground = self.left_open(attackers)
        return max(0.0, self.promise(target, (attack, shift, not exits), cheapest, everything, ground))

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
        cost = one * back + two * SECOND_LOSS * back + all_ * everything
        return float(gain - self.view.numbers["caution"] * cost - open_ground * all_)

    def _battle(
        self, target: Target, attack: int, shift: int, shut: bool
    ) -> tuple[float, float, float, float]:
        lore, push, ground = self.view.lore, self.view.numbers["push"], self.spoils(target)
        driven = (0.0, push, SECOND_HEX * push)
        shut = shut and bool(target.ways)
        total = [0.0] * 4
        for column, chance in self.columns(target, attack, shift):
            gain = expected(lore.fates[column], target.face.force, shut, ground, driven)
            for n, share in enumerate((gain, *lore.shares[column, True])):
                total[n] += chance * share
        return total[0], total[1], total[2], total[3]

    def clears(self, target: Target) -> float:
        columns = self.columns(target, *self.odds(target, target.attackers))
        return float(sum(chance * clearing(self.view.lore.fates[column]) for column, chance in columns))

    def columns_worth(self, target: Target, attack: int, shift: int, columns: int) -> float:
        """What so many columns more would add to an attack."""
        before, after = (self._battle(target, attack, s, False)[0] for s in (shift, shift + columns))
        return after - before

    def lifted_at(self, foe: Guess, cell: int, units: Sequence[int], shift: int, columns: int) -> float:
        """What so many columns would add to an attack that is being made."""
        attack = int(sum(self.view.strength(u, True) for u in units))
        return self.columns_worth(Target(-1, cell, foe, ()), attack, foe.shift + shift, columns)

    def lifted(self, planned: Attack, columns: int) -> float:
        """What so many columns would add to a planned attack that has no support yet."""
        (target,) = (t for t in self.targets if t.cell == planned.cell)
        attack, shift = self.odds(target, planned.stacks)
        return self.columns_worth(target, attack, shift - self.aid(target), columns)

    def overruns(
        self, units: Sequence[int], reached: int, least: float
    ) -> Iterator[tuple[Target, int, float]]:
        """The targets that units could overrun with `least` times the defence from hexes that they reach,
        those hexes, and what that promises."""
        view, numbers = self.view, self.view.numbers
        attack = int(sum(view.strength(u, True) for u in units))
        worth, cheapest = view.worth(units), min(view.step(u) for u in units)
        farthest = max((self.standing_of(units, cell) for cell in each(reached)), default=0.0)
        for target in self.targets:
            cells = bits(self.contact[target.cell]) & reached
            if not cells or attack < least * target.face.expected:
                continue
            shift = target.face.shift + self.overrunning(target, units, cells)
            odds = attack, shift, not target.exits
            # Who succeeds pays with steps, and does not march on.
            gain = self.promise(target, odds, cheapest, worth, fall_back=cheapest)
            missed = max(0.0, farthest - self.standing_of(units, target.cell))
            # Nor does he get away from what the enemy may do to him there.
            risk = view.important.get(target.cell, 0.0) - self.hold(target.cell, bits(units))
            yield target, cells, gain - max(0.0, risk) - numbers["detour"] * missed
