"""The planning table of any game: everybody's place and every attack weighed as one plan.

A plan is worth a sum: how each stack stands by itself, what each hex of ours is worth with those on it, what
each attack promises, and the terms that a game adds. A stack that comes or goes changes a few parts of that
sum. `_effects` works out which, and what they become: a look adds the differences up, a move writes them
down. So what a look says is what the move does. A look is not repeated while nothing that it depends on has
changed: who is on the hex and next to it, the targets attacked or watched from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grognard.board import Board
from grognard.board.board import bits, each
from grognard.kernel.doctrine import NEVER, Intent, Joint
from grognard.staff.sectors import sectors
from grognard.staff.targets import Target as Target
from grognard.staff.terms import Changes, Term

NOWHERE = -1
ANY = -2
"""Whatever had best be attacked."""
ENOUGH = 1e-6
"""A place is better if it is better by more than rounding."""


class PlacementPlan:
    """See grognard.kernel.doctrine.MovementPlan. A game's plan is a subclass that says what things are
    worth: `fits`, `stand`, `hold`, `assault`, `bears`, `intent`."""

    friendly = False
    """Whether what a hex is worth depends on which hexes next to it are held."""
    crowding = False
    """Whether what an attack promises depends on who else stands with the attackers."""
    zones = True
    """Whether those who hold a hex bar the hexes next to it to retreats."""
    enough = 6.0
    """With so many times the defence there is no need of more attackers."""

    def __init__(
        self,
        board: Board,
        contact: Sequence[Sequence[int]],
        at: Mapping[int, int],
        fighters: int,
        stacks: Sequence[tuple[int, ...]],
        starts: Sequence[int],
        weights: Mapping[str, float],
    ) -> None:
        """`contact` lists the hexes that units on a hex can attack and cover, `at` our units by hex (sets),
        `fighters` those of them who hold hexes. `weights` is how much each kind of term counts."""
        self.board, self.contact, self.fighters = board, contact, fighters
        self.stacks = list(stacks)
        self.masks = [sum(1 << unit for unit in units) for units in stacks]
        self.moving = 0
        for mask in self.masks:
            self.moving |= mask
        self._single = {0, *(mask & fighters for mask in self.masks)}
        self.weights = weights
        self._believed, self._kept = weights.get("battles", 1.0), weights.get("ground", 1.0)
        self._valued = 0
        self._known = set(at)
        self.at = [0] * board.size
        self.cover = [0] * board.size
        """How many hexes of ours hold each hex: it is one of them or next to one."""
        self.ours = 0
        """The hexes that we hold before anybody moves."""
        for cell, members in at.items():
            self.at[cell] = members
            if members & fighters:
                self.ours |= 1 << cell
                self._cover(cell, 1)
        self._place = list(starts)
        self._start = list(starts)
        self._aim = [NOWHERE] * len(stacks)
        self._places: list[Sequence[int]] = [[start] for start in starts]
        self._merit: list[dict[int, float]] = [{} for _ in stacks]
        self._terms: list[Term] = []
        self._to_come: Callable[[], Sequence[Term]] | None = None
        self.targets: list[Target] = []
        self._facing: dict[int, list[Target]] = {}
        self._watching: dict[int, list[Target]] = {}
        self.held = [0.0] * board.size
        self.stood = [0.0] * len(stacks)
        self.promised: list[float] = []
        self.total = 0.0
        self._begun = False
        self._lifted = NOWHERE
        self._leaving = 0.0
        self._undo: tuple[float, Changes] = (0.0, [])
        self._clock = 0
        self._version = [0] * board.size
        self._seen: list[dict[int, tuple[int, float, int]]] = [{} for _ in stacks]
        self._quiet = [NOWHERE] * len(stacks)
        """When each stack last found that it stands best where it is."""
        self._affected: dict[tuple[int, bool], tuple[int, ...]] = {}

    # What a game supplies

    def fits(self, stack: int, cell: int, there: int) -> bool:
        """Whether a stack may end its move on a hex with these units; it has been lifted from its place."""
        raise NotImplementedError

    def stand(self, stack: int, cell: int) -> float:
        """How a stack stands on a hex (-1: not on the map yet), whoever else is about."""
        raise NotImplementedError

    def hold(self, cell: int, members: int) -> float:
        """What a hex is worth with these units of ours on it, given what the enemy may do to them."""
        raise NotImplementedError

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        """What an attack promises, by these stacks from where they are; not less than 0."""
        raise NotImplementedError

    def blow(self, target: Target, attackers: Sequence[int]) -> float:
        """What an attack promises that is to be made now."""
        return self.assault(target, attackers, target.exits)

    def clears(self, target: Target) -> float:
        """How likely the planned attack on a target is to drive everybody out of its hex."""
        return 0.0

    def bears(self, stack: int, cell: int, target: Target) -> float:
        """The strength that a stack brings to bear from a hex."""
        raise NotImplementedError

    def intent(self) -> Intent:
        raise NotImplementedError

    # Made ready

    def open(
        self,
        places: Sequence[Sequence[int]],
        targets: Mapping[int, Any],
        escape: int,
        valued: int,
        terms: Sequence[Term] | Callable[[], Sequence[Term]] = (),
    ) -> None:
        """Where each stack could go; the enemy hexes and what the game knows of each; the hexes to which
        enemies could retreat if nobody of ours were there; hexes worth something without anybody on them;
        further terms, or what makes them when the plan is first weighed."""
        self._places = list(places)
        self.find_targets(targets, escape)
        self.terms, self._to_come = ([], terms) if callable(terms) else (list(terms), None)
        self._valued = valued

    @property
    def terms(self) -> list[Term]:
        """What the plan is worth besides places, hexes held and attacks."""
        if self._to_come is not None:
            self.terms = list(self._to_come())
        return self._terms

    @terms.setter
    def terms(self, terms: list[Term]) -> None:
        self._terms, self._to_come = terms, None

    def _begin(self) -> None:
        """Work out what the plan is worth as everybody stands, not before that is asked: it is not where
        attacks are chosen or a single place is judged."""
        self._begun = True
        self._terms = self.terms
        for stack, cell in enumerate(self._place):
            self.stood[stack] = self._stay(stack, cell)
        self.hold_anew()
        for stack, cell in enumerate(self._place):
            # Whoever can attack from where he stands is counted on.
            if self._facing.get(cell):
                self.put(stack, cell)
        self._forget()

    def hold_anew(self) -> None:
        """Work out again what the hexes held are worth."""
        self._settle()
        for cell in each(self._valued | self._occupied()):
            self.held[cell] = self._worth_of(cell, self.at[cell])
        self.total = self._sum()
        self._forget()

    def find_targets(self, targets: Mapping[int, Any], escape: int) -> None:
        for cell, face in targets.items():
            target = Target(len(self.targets), cell, face, *self.ways_back(cell, face, escape))
            ways = target.ways
            target.exits = self._exits(target)
            self.targets.append(target)
            self.promised.append(0.0)
            for n in self.contact[cell]:
                self._facing.setdefault(n, []).append(target)
            watched = {n for way in ways for n in ((way, *self.contact[way]) if self.zones else (way,))}
            for n in sorted(watched):
                self._watching.setdefault(n, []).append(target)
            target.zone = tuple({*watched, *self.contact[cell]})

    def ways_back(self, cell: int, face: Any, escape: int) -> tuple[Sequence[int], int]:
        """Where enemies on a hex could retreat as long as nobody of ours covers it, and how many more ways
        they have that cannot be covered."""
        return [n for n in self.contact[cell] if escape >> n & 1], 0

    def sift(self, stack: int, cells: int, width: int, more: int, lure: float) -> list[int]:
        """The places worth looking at: those that are good by themselves, and some more next to enemies.
        `lure` is how much of what an enemy hex is worth counts for a place next to it."""
        scored = []
        for cell in each(cells & ~(1 << self._start[stack]) if self._start[stack] >= 0 else cells):
            score = self._stay(stack, cell)
            for target in self._facing.get(cell, ()):
                score += lure * self.bait(stack, target)
            scored.append((-score, cell))
        scored.sort()
        found = [cell for _, cell in scored[:width]]
        facing = [cell for _, cell in scored[width:] if cell in self._facing]
        return [self._start[stack], *found, *facing[:more]]

    def bait(self, stack: int, target: Target) -> float:
        """What a target promises at best to a stack that comes to it."""
        return 0.0

    # The contract

    def places(self, stack: int) -> Sequence[int]:
        return self._places[stack]

    def place(self, stack: int) -> int:
        return self._place[stack]

    def worth(self) -> float:
        self._settle()
        return self.total

    def parts(self) -> dict[str, float]:
        """What each kind of term adds, as it counts."""
        self._settle()
        found = {"places": sum(self.stood), "ground": sum(self.held), "battles": sum(self.promised)}
        for term in self._terms:
            found[term.name] = sum(term.values)
        return found

    def afresh(self) -> float:
        """The worth worked out from nothing: what the running sum must be."""
        self._settle()
        total = sum(self._stay(stack, cell) for stack, cell in enumerate(self._place))
        total += sum(self._worth_of(cell, self.at[cell]) for cell in each(self._valued | self._occupied()))
        total += sum(self._promise(target, target.attackers, self._exits(target)) for target in self.targets)
        return total + sum(term.afresh() for term in self._terms)

    def sectors(self) -> Sequence[Sequence[int]]:
        return sectors(self.board, self._start)

    def gain(self, stack: int, cell: int) -> float:
        self._lift(stack)
        return self._leaving + self._arrival(stack, cell)[0]

    def put(self, stack: int, cell: int, target: int | None = None) -> None:
        self._lift(stack)
        aim = NOWHERE if cell < 0 else ANY
        if target is not None:
            aim = next((t.number for t in self._facing.get(cell, ()) if t.cell == target), NOWHERE)
        elif aim == ANY:
            _, aim = self._arrival(stack, cell)
        self._set_down(stack, cell, aim)

    def save(self) -> tuple[tuple[int, int], ...]:
        self._settle()
        return tuple(zip(self._place, self._aim, strict=True))

    def restore(self, saved: tuple[tuple[int, int], ...]) -> None:
        self._settle()
        for stack, (cell, aim) in enumerate(saved):
            if (self._place[stack], self._aim[stack]) != (cell, aim):
                self._lift(stack)
                self._set_down(stack, cell, aim)

    def concentrations(self) -> Sequence[Joint]:
        """For each enemy stack the strongest who can come together against it, as far as there is room if
        everybody else makes room."""
        self._settle()
        coming: dict[int, dict[int, list[int]]] = {}
        for stack, places in enumerate(self._places):
            for cell in places:
                for target in self._facing.get(cell, ()):
                    coming.setdefault(target.number, {}).setdefault(stack, []).append(cell)
        found: list[tuple[float, int, Joint]] = []
        for number, ways in sorted(coming.items()):
            target = self.targets[number]
            joint = self._gather(target, ways)
            if len(joint) > 1:
                value = self._imagined(target, joint) - self.promised[number]
                found.append((-value, number, Joint(target.cell, tuple(joint))))
        found.sort(key=lambda item: item[:2])
        return [joint for _, _, joint in found]

    def _gather(self, target: Target, ways: Mapping[int, Sequence[int]]) -> list[tuple[int, int]]:
        bears = {(s, c): self.bears(s, c, target) for s, cells in ways.items() for c in cells}
        room = {cell: self.at[cell] & ~self.moving for _, cell in bears}
        joint: list[tuple[int, int]] = []
        total = 0.0
        for stack in sorted(ways, key=lambda s: (-max(bears[s, c] for c in ways[s]), s)):
            able = [c for c in ways[stack] if bears[stack, c] > 0 and self.has_room(stack, room[c])]
            if not able:
                continue
            cell = max(able, key=lambda c: (bears[stack, c], self._stay(stack, c), -c))
            room[cell] |= self.masks[stack]
            joint.append((stack, cell))
            total += bears[stack, cell]
            if total >= self.enough * self.defence(target):
                break
        return joint

    def has_room(self, stack: int, there: int) -> bool:
        """Whether a stack has room beside some units."""
        raise NotImplementedError

    def defence(self, target: Target) -> float:
        """What an attacker has to reckon with; more where the ground helps."""
        raise NotImplementedError

    def _imagined(self, target: Target, joint: Sequence[tuple[int, int]]) -> float:
        before = [self._place[stack] for stack, _ in joint]
        for stack, cell in joint:
            self._place[stack] = cell
        value = self._promise(target, [stack for stack, _ in joint], target.exits)
        for (stack, _), cell in zip(joint, before, strict=True):
            self._place[stack] = cell
        return value

    def blows(self) -> list[int]:
        return [target.cell for _, target in self.attacks()]

    def attacks(self) -> list[tuple[float, Target]]:
        """The attacks planned, the most promising first."""
        self._settle()
        found = [(self.promised[t.number], t) for t in self.targets if t.attackers]
        return sorted(((v, t) for v, t in found if v > 0), key=lambda item: (-item[0], item[1].cell))

    def best(self, stack: int, first: int = 0) -> tuple[float, int]:
        """The place where a stack serves the plan best, and how much better than now; (0, -1) if it stands
        best where it is. Of places as good as each other, the next one from the `first`."""
        places, version, quiet = self._places[stack], self._version, self._quiet[stack]
        if quiet >= 0 and max(map(version.__getitem__, places)) <= quiet:
            return 0.0, NOWHERE
        self._lift(stack)
        leaving, at, seen = self._leaving, self.at, self._seen[stack]
        most, found = ENOUGH, NOWHERE
        for cell in (*places[first:], *places[:first]):
            known = seen.get(cell)
            if known is None or known[0] < version[cell] or not self.fits(stack, cell, at[cell]):
                gain = leaving + self._arrival(stack, cell)[0]
            else:
                gain = leaving + known[1]
            if gain > most:
                most, found = gain, cell
        if found != NOWHERE:
            return most, found
        if self.masks[stack] & self.fighters and places[0] >= 0:
            self._quiet[stack] = self._clock
        return 0.0, NOWHERE

    def climb(self, rounds: int) -> None:
        """Put everybody where he does best, one after the other, so many times: a quick plan."""
        for _ in range(rounds):
            better = False
            for stack in range(len(self.stacks)):
                gain, cell = self.best(stack)
                if gain > 0:
                    self.put(stack, cell)
                    better = True
            if not better:
                break

    # Stacks lifted and set down

    def _lift(self, stack: int) -> None:
        if self._lifted == stack:
            return
        self._settle()
        before = self.total
        cell, aim = self._place[stack], self._aim[stack]
        changes: Changes = []
        self._leaving = self._effects(stack, cell, -1, aim, changes)[0]
        old: Changes = [(store, index, store[index]) for store, index, _ in changes]
        old.reverse()
        self._commit(stack, cell, -1, aim, changes)
        self.total = before + self._leaving
        self._undo = (before, old)
        self._lifted = stack

    def _settle(self) -> None:
        """Put back whoever has been lifted to look at other places for him."""
        if not self._begun:
            self._begin()
        stack = self._lifted
        if stack < 0:
            return
        self._lifted = NOWHERE
        total, old = self._undo
        self._commit(stack, self._place[stack], 1, self._aim[stack], old)
        self.total = total

    def _set_down(self, stack: int, cell: int, aim: int) -> None:
        """Set the lifted stack down for good."""
        changes: Changes = []
        gain, _ = self._effects(stack, cell, 1, aim, changes)
        was = self._place[stack]
        self._clock += 1
        self._touch(stack, was)
        self._touch(stack, cell)
        self._lifted = NOWHERE
        self._place[stack], self._aim[stack] = cell, aim
        self._commit(stack, cell, 1, aim, changes)
        self.total += gain

    def _touch(self, stack: int, cell: int) -> None:
        """The lifted stack has left a hex or comes to it: what was seen of hexes that this affects is seen no
        longer."""
        if cell < 0:
            return
        # Also if somebody else's stack is all that is left there: whoever looks has lifted himself.
        flips = bool(self.masks[stack] & self.fighters) and self.at[cell] & self.fighters in self._single
        clock, version = self._clock, self._version
        for n in self._affected.get((cell, flips)) or self._affects(cell, flips):
            version[n] = clock
        for term in self._terms:
            for n in term.beyond(stack, cell):
                version[n] = clock

    def _affects(self, cell: int, flips: bool) -> tuple[int, ...]:
        """The hexes where a look depends on who is on a hex; `flips` if it depends on whether it is held."""
        found = {cell}
        if self.friendly:
            found.update(self.contact[cell])
            for n in self.contact[cell] if flips else ():
                found.update(self.contact[n])
        for target in (*self._facing.get(cell, ()), *(self._watching.get(cell, ()) if flips else ())):
            found.update(target.zone)
        self._affected[cell, flips] = tuple(found)
        return self._affected[cell, flips]

    def _forget(self) -> None:
        for seen in self._seen:
            seen.clear()
        self._quiet = [NOWHERE] * len(self.stacks)

    def _arrival(self, stack: int, cell: int) -> tuple[float, int]:
        """What the lifted stack adds on a hex, and what it attacks from there."""
        if cell < 0:
            return self._stay(stack, cell), NOWHERE
        if not self.fits(stack, cell, self.at[cell]):
            return NEVER, NOWHERE
        known = self._seen[stack].get(cell)
        if known is not None and known[0] >= self._version[cell]:
            return known[1], known[2]
        value, aim = self._effects(stack, cell, 1, ANY, [])
        if self.masks[stack] & self.fighters:
            # Whoever holds no hex matters to others far away: what is seen for him does not last.
            self._seen[stack][cell] = (self._clock, value, aim)
        return value, aim

    def _effects(self, stack: int, cell: int, sign: int, aim: int, changes: Changes) -> tuple[float, int]:
        """How the sum changes when a stack comes to a hex or leaves it; what it attacks (or attacked). Leaves
        everything as it is."""
        value = self._stay(stack, cell) if sign > 0 else 0.0
        total = value - self.stood[stack]
        changes.append((self.stood, stack, value))
        if cell < 0:
            return total, NOWHERE
        at, held, fighters = self.at, self.held, self.fighters
        before = at[cell]
        after = before | self.masks[stack] if sign > 0 else before & ~self.masks[stack]
        flips = (not before & fighters) != (not after & fighters)
        at[cell] = after
        value = self._worth_of(cell, after)
        total += value - held[cell]
        changes.append((held, cell, value))
        if flips and self.friendly:
            for n in self.contact[cell]:
                if at[n] & fighters:
                    value = self._worth_of(n, at[n])
                    total += value - held[n]
                    changes.append((held, n, value))
        for term in self._terms:
            total += term.shift(stack, cell, sign, flips, after, changes)
        watching = self._watching.get(cell) if flips else None
        if watching or cell in self._facing:
            if watching:
                self._cover(cell, sign)
            more, aim = self._attacks_change(stack, cell, sign, watching or (), aim, changes)
            total += more
            if watching:
                self._cover(cell, -sign)
        else:
            aim = NOWHERE
        at[cell] = before
        return total, aim

    def _attacks_change(
        self, stack: int, cell: int, sign: int, watching: Sequence[Target], aim: int, changes: Changes
    ) -> tuple[float, int]:
        """`watching` are those whose ways back may be covered from now on, or no longer."""
        promised = self.promised
        fresh: dict[int, tuple[int, float]] = {}
        """Ways back and worth of the attacks that change whatever the stack does."""
        for target in watching:
            exits = self._exits(target)
            if exits != target.exits:
                fresh[target.number] = (exits, 0.0)
        if self.crowding:
            for target in self._facing.get(cell, ()):
                if target.attackers and target.number not in fresh:
                    fresh[target.number] = (target.exits, 0.0)
        was = self._place[stack]
        self._place[stack] = cell
        total = 0.0
        for number, (exits, _) in fresh.items():
            target = self.targets[number]
            others = target.attackers
            if sign < 0 and number == aim:
                others = [s for s in others if s != stack]
            value = self._promise(target, others, exits)
            fresh[number] = (exits, value)
            total += value - promised[number]
            changes.append((promised, number, value))
        if sign < 0:
            if aim >= 0 and aim not in fresh:
                target = self.targets[aim]
                value = self._promise(target, [s for s in target.attackers if s != stack], target.exits)
                total += value - promised[aim]
                changes.append((promised, aim, value))
        else:
            best, aim, value = self._best_aim(stack, cell, aim, fresh)
            if aim >= 0:
                total += best
                changes.append((promised, aim, value))
        self._place[stack] = was
        return total, aim

    def _best_aim(
        self, stack: int, cell: int, aim: int, fresh: Mapping[int, tuple[int, float]]
    ) -> tuple[float, int, float]:
        """What a stack on a hex adds to the attack where it adds most, or to the one it is meant for."""
        best, found, worth = 0.0, NOWHERE, 0.0
        for target in self._facing.get(cell, ()) if aim != NOWHERE else ():
            number = target.number
            if aim not in (ANY, number):
                continue
            exits, without = fresh.get(number, (target.exits, self.promised[number]))
            value = self._promise(target, [*target.attackers, stack], exits)
            if value - without > best or aim == number:
                best, found, worth = value - without, number, value
        return best, found, worth

    def _commit(self, stack: int, cell: int, sign: int, aim: int, changes: Changes) -> None:
        """Do what was worked out."""
        for store, index, value in changes:
            store[index] = value
        if cell < 0:
            return
        before = self.at[cell]
        self.at[cell] = before | self.masks[stack] if sign > 0 else before & ~self.masks[stack]
        flips = (not before & self.fighters) != (not self.at[cell] & self.fighters)
        if flips:
            self._cover(cell, sign)
            for target in self._watching.get(cell, ()):
                target.exits = self._exits(target)
        for term in self._terms:
            term.commit(stack, cell, sign, flips)
        if aim >= 0:
            attackers = self.targets[aim].attackers
            if sign > 0:
                attackers.append(stack)
            else:
                attackers.remove(stack)

    # Parts of the sum

    def _stay(self, stack: int, cell: int) -> float:
        merit = self._merit[stack]
        value = merit.get(cell)
        if value is None:
            value = merit[cell] = self.weights.get("places", 1.0) * self.stand(stack, cell)
        return value

    def _worth_of(self, cell: int, members: int) -> float:
        return self._kept * self.hold(cell, members)

    def _promise(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        return self._believed * self.assault(target, attackers, exits) if attackers else 0.0

    def _occupied(self) -> int:
        return bits(cell for cell in self._known.union(self._place) if cell >= 0 and self.at[cell])

    def _sum(self) -> float:
        terms = sum(sum(term.values) for term in self._terms)
        return sum(self.stood) + sum(self.held) + sum(self.promised) + terms

    def _cover(self, cell: int, sign: int) -> None:
        cover = self.cover
        cover[cell] += sign
        for n in self.contact[cell] if self.zones else ():
            cover[n] += sign

    def _exits(self, target: Target) -> int:
        count = target.sure
        for way in target.ways if count < 2 else ():
            if not self.cover[way]:
                count += 1
                if count == 2:
                    break
        return min(count, 2)
