"""Battles in which strengths are added up and columns shifted, against enemies who may turn out stronger or
weaker than they look: what an attack brings on the average over all that they may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.staff.assaults import Attack
from grognard.staff.battles import Force, clearing, expected
from grognard.staff.memory import Remembered
from grognard.staff.plan import PlacementPlan, Target

Odds = tuple[int, int, bool]
"""Attack strength, shifts but for those of untried defenders, and whether every way back is shut."""
SECOND_HEX = 1.6
"""What two hexes of retreat bring, against one."""
SECOND_LOSS = 1.8
"""What two losses cost an attacker, against one."""


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
    """A game's plan is a subclass that says what attackers bring (`odds`) and a target's hex is worth
    (`spoils`). What a target's face is to it is a Guess. Its lore has `fates`, `shares` and `column`; its
    doctrine `push`, `fall_back`, `caution`, `stormed`, `foreseen`."""

    enough = 8.0

    def prepare(self, alert: float) -> None:
        """Make ready what attacks and fears are worked out from; `alert` is how much more than usual is
        feared."""
        view = self.view
        self.attack = [sum(view.strength(u, True) for u in units) for units in self.stacks]
        self.price = [view.worth(units) for units in self.stacks]
        self.cheapest = [min(view.step(u) for u in units) for units in self.stacks]
        self.stormed: float = view.numbers["stormed"]
        """How likely the enemy is to bring all he could against a hex."""
        self.alert = alert
        self._holding: Remembered[tuple[int, int], float] = Remembered(
            lambda cell, members: self.keep(cell, members, view)
        )

    # What a game supplies

    view: Any

    def odds(self, target: Target, attackers: Sequence[int]) -> tuple[int, int]:
        """Attack strength and shifts, but for those of the defenders who are still untried."""
        raise NotImplementedError

    def spoils(self, target: Target) -> float:
        """What it is worth that the defenders leave their hex."""
        raise NotImplementedError

    def aid(self, target: Target) -> int:
        """The columns that support counted on moves, as things stand."""
        return 0

    def left_open(self, attackers: Sequence[int]) -> float:
        """What the hexes are worth that stand open if all these are lost."""
        return 0.0

    def keep(self, cell: int, members: int, then: Any) -> float:
        """What a hex and those on it are worth, given what the enemy may do to them. `then` is who knows the
        units as they are."""
        raise NotImplementedError

    # What follows

    def hold(self, cell: int, members: int) -> float:
        value: float = self._holding[cell, members]
        return value

    def fear(self, stormed: float, alert: float) -> None:
        """See it with other fears."""
        self.stormed, self.alert = stormed, alert
        self._holding.clear()
        self.hold_anew()

    def look_ahead(self) -> None:
        """Whoever works out what the enemy will do fears less of what he could do."""
        self.fear(self.stormed, self.alert * self.view.numbers["foreseen"])

    def bears(self, stack: int, cell: int, target: Target) -> float:
        return self.attack[stack]

    def defence(self, target: Target) -> float:
        expected: float = target.face.expected
        return max(1.0, expected)

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

    def lifted(self, planned: Attack, columns: int) -> float:
        """What so many columns would add to a planned attack that has no support yet."""
        (target,) = (t for t in self.targets if t.cell == planned.cell)
        attack, shift = self.odds(target, planned.stacks)
        return self.columns_worth(target, attack, shift - self.aid(target), columns)
