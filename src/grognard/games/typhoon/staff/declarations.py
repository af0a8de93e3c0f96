"""8.1 The attacks of a phase chosen together, so that everybody is attacked who must be (8.1.2): which enemy
hexes are attacked, several of them in one combat where that is better (8.2.2), and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.attack_supply import counters, needs_supply, served
from grognard.games.typhoon.rules.declaring import Attack, can_reach, exposed, why_not_attack
from grognard.games.typhoon.rules.guns import why_not_support_attack
from grognard.games.typhoon.rules.odds import UNDER, Clash, defenders, effect, reckon
from grognard.games.typhoon.rules.retreat import Retreat, Ways
from grognard.games.typhoon.staff.outlook import Outlook
from grognard.games.typhoon.state import AXIS, TyphoonState
from grognard.kernel import Action
from grognard.mechanics.pieces import members
from grognard.staff.battles import expected, toll

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon

FORBIDDEN = -1000.0
"""What an attack that may not be made is worth while others are looked for."""
ENOUGH = 1e-6
ROUNDS = 4
"""How often everybody near a new attack is asked whether he had better attack elsewhere."""

Targets = tuple[int, ...]
Choice = dict[Targets, frozenset[int]]
"""Who attacks what."""


class Worth(NamedTuple):
    """What an attack is expected to bring, with a point of supply and without."""

    fed: float
    unfed: float
    sources: tuple[int, ...]
    """The counters from which such a point can come."""


def supplied(wishes: Sequence[tuple[float, Sequence[int]]], left: Mapping[int, int]) -> dict[int, int]:
    """6.5.5 Which counter each attack draws a point from, by the gain of each and the counters that reach it,
    each with so many points `left`: what gains most is served first, and others change to counters that reach
    them as well."""
    drawn: dict[int, int] = {}

    def serve(wish: int, asked: set[int]) -> bool:
        for counter in wishes[wish][1]:
            if counter not in asked:
                asked.add(counter)
                others = [other for other, source in drawn.items() if source == counter]
                if len(others) < left.get(counter, 0) or any(serve(other, asked) for other in others):
                    drawn[wish] = counter
                    return True
        return False

    for wish in sorted(range(len(wishes)), key=lambda n: (-wishes[n][0], n)):
        if wishes[wish][0] > 0:
            serve(wish, set())
    return drawn


def guns_for(game: Typhoon, state: TyphoonState, side: int, targets: Sequence[int]) -> tuple[int, ...]:
    """10.1 The guns that can support an attack together, in the order in which they are offered."""
    found: list[int] = []
    for gun in members(game.guns & game.units_of[side]):
        if state.where[gun] >= 0 and why_not_support_attack(game, state, gun, targets, found) is None:
            found.append(gun)
    return tuple(found)


def caught_in(view: Outlook, cell: int) -> float:
    """8.6 How likely enemies are lost who must leave a hex: certainly without a way out, by the die if all
    lead through a zone of ours."""
    found = view.caught.get(cell)
    if found is None:
        game, state = view.game, view.state
        group = tuple(members(state.fighters(view.foe, cell)))
        ways = Ways(game, state, Retreat(group, 2, view.foe), group)
        paths = ways.good()
        hot = [any(ways.hot >> c & 1 for c in path) for path in paths]
        own = "retreat_die_axis" if view.foe == AXIS else "retreat_die_soviet"
        through = 1 - game.numbers[own] / 10
        found = view.caught[cell] = 1.0 if not paths else through if all(hot) else 0.0
    return found


def promise(view: Outlook, attack: Attack, guns: Sequence[int], fed: bool) -> float:
    """8.4 What an attack is expected to bring; FORBIDDEN if it may not be declared (8.4.3)."""
    game, state = view.game, view.state
    targets, units = attack.targets, attack.attackers
    if reckon(game, state, Clash(targets, units)).column == UNDER:
        return FORBIDDEN
    found = reckon(game, state, Clash(targets, units, tuple(guns) if fed else (), supplied=fed))
    fort = any(m.code == "fortified" for m in found.modifiers)
    column, total = max(0, found.column), found.total + min(view.flown(cell) for cell in targets)
    results = view.lore.results(column, max(-3, total), int(not fed) + int(fort))
    ground = sum(view.prize(cell) for cell in targets)
    driven = view.numbers["driven"]
    foes = bits(defenders(game, state, targets, view.foe))
    force, (may, must, extra) = view.force(foes), view.stance(foes, bits(targets))
    free = expected(results, force, False, ground, (0.0, driven, 2 * driven))
    shut = expected(results, force, True, ground, (0.0, driven, 2 * driven))
    caught = min(caught_in(view, cell) for cell in targets)
    gain = caught * shut + (1 - caught) * free
    if may:
        fast = view.lore.results(column, max(-3, min(3, total + effect("no_retreat"))))
        stood = view.stood(fast, force, extra, ground)
        gain = stood if must else min(gain, stood)
    worn = view.wear(units, foes, toll(results), view.lore.bite(column, max(-3, total)))
    lost = sum(fate.chance for fate in results if fate.attacker.all)
    everything = sum(view.weight(u, state.steps[u]) for u in units)
    return float(view.numbers["attack"] * gain - worn - lost * everything)


class Declarations:
    """The attacks that a side could make from where its units stand."""

    def __init__(self, view: Outlook) -> None:
        self.view, self.game, self.state = view, view.game, view.state
        game, state, side = self.game, self.state, view.side
        self._able: dict[int, int] = {}
        """For each enemy hex, who could attack it."""
        self._prey: dict[int, int] = {}
        """For each of our units, the enemy hexes that it could attack."""
        self._owed: dict[int, int] = {}
        """8.1.2 For each unit, the enemy hexes that somebody must attack if it attacks."""
        near = state.occupied[side] & game.board.spread(view.foes)
        for cell in each(near):
            units = [u for u in members(state.fighters(side, cell)) if why_not_attack(game, state, u) is None]
            if not units:
                continue
            owed, prey = exposed(game, state, [cell]), each(game.contacts[cell] & view.foes)
            for unit in units:
                reached = bits(c for c in prey if can_reach(game, state, unit, c))
                if reached:
                    self._prey[unit], self._owed[unit] = reached, owed
                for target in each(reached):
                    self._able[target] = self._able.get(target, 0) | 1 << unit
        self._counters = counters(game, state, side)
        self._points = {counter: state.steps[counter] for counter in self._counters}
        self._sources: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._guns: dict[Targets, tuple[int, ...]] = {}
        self._worths: dict[tuple[Targets, frozenset[int]], Worth] = {}
        self._tried: dict[Any, tuple[float, Choice, Choice]] = {}

    # What attacks are worth

    def worth(self, targets: Targets, units: frozenset[int]) -> Worth:
        found = self._worths.get((targets, units))
        if found is None:
            found = self._worths[targets, units] = self._weighed(targets, units)
        return found

    def _weighed(self, targets: Targets, units: frozenset[int]) -> Worth:
        if not units:
            return Worth(FORBIDDEN, FORBIDDEN, ())
        attack = Attack(targets, tuple(sorted(units)))
        spare = self.view.numbers["spare"] * len(units)
        unfed = promise(self.view, attack, (), False) - spare
        fed, sources = unfed, self._reaching(units)
        if sources:
            if targets not in self._guns:
                guns = guns_for(self.game, self.state, self.view.side, targets)
                self._guns[targets] = () if self.view.plain else guns
            fed = promise(self.view, attack, self._guns[targets], True) - spare - self.view.common["spend"]
        return Worth(max(fed, unfed), unfed, sources)

    def _reaching(self, units: Iterable[int]) -> tuple[int, ...]:
        cells = tuple(sorted({self.state.where[unit] for unit in units if needs_supply(self.game, unit)}))
        if cells not in self._sources:
            alone = [c for c in self._counters if served(self.game, self.state, (c,), units)]
            self._sources[cells] = tuple(alone)
        return self._sources[cells]

    def _drawn(self, choice: Choice, left: Mapping[int, int]) -> tuple[float, Mapping[int, int]]:
        """What attacks bring together, and the points that are left."""
        worths = [self.worth(*attack) for attack in choice.items()]
        gains = [(w.fed - w.unfed, w.sources) for w in worths]
        drawn, rest = supplied(gains, left), dict(left)
        for counter in drawn.values():
            rest[counter] -= 1
        return sum(w.unfed for w in worths) + sum(gains[n][0] for n in drawn), rest

    def total(self, choice: Choice, left: Mapping[int, int]) -> float:
        """What attacks bring together; 6.5.5 the points of supply go where they help most."""
        return self._drawn(choice, left)[0]

    # The choice

    def choose(self, floor: float) -> tuple[float, list[Attack]]:
        """The best set of attacks found and its worth, the most promising first. Each step to it, an attack
        with all that must be attacked besides, brings so much at least."""
        choice = Choice()
        while True:
            best: tuple[float, Choice, Choice] | None = None
            for more in self._additions(choice):
                gain, was, then = self._widened(choice, more)
                if gain > floor and (best is None or gain > best[0] + ENOUGH):
                    best = gain, was, then
            if best is None:
                break
            for targets in best[1]:
                del choice[targets]
            choice.update(best[2])
        attacks = sorted(choice.items(), key=lambda attack: (-self.worth(*attack).fed, attack[0]))
        found = [Attack(targets, tuple(sorted(units))) for targets, units in attacks]
        return self.total(choice, self._points), found

    def _additions(self, choice: Choice) -> Iterator[int]:
        """Sets of enemy hexes to be attacked besides: one, with all to whom those who attack it would be
        exposed. It may be attacked from one hex, from two, or from all."""
        attacked = bits(cell for targets in choice for cell in targets)
        seen = {0}
        for target, able in sorted(self._able.items()):
            rows = sorted({self._owed[u] for u in each(able)})
            everything = 0
            for row in rows:
                everything |= row
            for some in (*rows, *(a | b for a, b in combinations(rows, 2)), everything):
                more = (some | 1 << target) & ~attacked
                if more not in seen and all(cell in self._able for cell in each(more)):
                    seen.add(more)
                    yield more

    def _widened(self, choice: Choice, more: int) -> tuple[float, Choice, Choice]:
        """What attacks on some further hexes bring, by whoever is then free to make them; the attacks of all
        who may have a part in it, as they are and as they would be."""
        attacked = more | bits(cell for targets in choice for cell in targets)
        near = 0
        for cell in each(more):
            near |= self._able[cell]
        free = tuple(u for u in each(near) if not self._owed[u] & ~attacked)
        reached = more
        for unit in free:
            reached |= self._prey[unit]
        was = {t: units for t, units in choice.items() if bits(t) & reached}
        left = self._drawn({t: units for t, units in choice.items() if t not in was}, self._points)[1]
        key = more, free, frozenset(was.items()), tuple(left.items())
        found = self._tried.get(key)
        if found is None:
            then = self._attacked(was, more, free, left)
            found = self._tried[key] = self.total(then, left) - self.total(was, left), was, then
        return found

    def _attacked(self, choice: Choice, more: int, free: Sequence[int], left: Mapping[int, int]) -> Choice:
        """The attacks with those on further hexes."""
        found = dict(choice)
        for cell in each(more):
            found[cell,] = frozenset()
        busy = {u for units in found.values() for u in units}
        for unit in free:
            if unit not in busy:
                here = each(self._prey[unit] & more)
                aim = max(here, key=lambda c: (self.view.prize(c), -self._able[c].bit_count(), c))
                found[aim,] = found[aim,] | {unit}
        self._improve(found, free, left)
        for first, second in combinations(sorted(found), 2):
            if first in found and second in found and bits((*first, *second)) & more:
                self._merge(found, first, second, free, left)
        return found

    def _improve(self, choice: Choice, units: Sequence[int], left: Mapping[int, int]) -> None:
        """Let single units attack elsewhere, or not at all, while that helps."""
        for _ in range(0 if self.view.plain else ROUNDS):
            better = False
            for unit in units:
                now = next((t for t, some in choice.items() if unit in some), None)
                value, best = self.total(choice, left), None
                for then in (None, *(t for t in choice if not bits(t) & ~self._prey[unit])):
                    if then != now:
                        trial = self._moved(choice, unit, now, then)
                        worth = self.total(trial, left)
                        if worth > value + ENOUGH:
                            value, best = worth, trial
                if best is not None:
                    choice.update(best)
                    better = True
            if not better:
                break

    @staticmethod
    def _moved(choice: Choice, unit: int, now: Targets | None, then: Targets | None) -> Choice:
        found = dict(choice)
        if now is not None:
            found[now] = found[now] - {unit}
        if then is not None:
            found[then] = found[then] | {unit}
        return found

    def _merge(
        self, choice: Choice, first: Targets, second: Targets, free: Sequence[int], left: Mapping[int, int]
    ) -> None:
        """8.2.2 Both in one combat, if that is better: by those next to all of them."""
        targets = tuple(sorted((*first, *second)))
        aims = bits(targets)
        here = frozenset(u for t in (first, second) for u in choice[t] if not aims & ~self._prey[u])
        if not here:
            return
        trial = {t: units for t, units in choice.items() if t not in (first, second)}
        trial[targets] = here
        self._improve(trial, free, left)
        if self.total(trial, left) > self.total(choice, left) + ENOUGH:
            choice.clear()
            choice.update(trial)


def announced(attack: Attack) -> tuple[Action, ...]:
    """The answers by which an attack is declared."""
    first, *others = attack.targets
    joined = [("join", unit) for unit in attack.attackers]
    return ("target", first), *joined, *(("widen", cell) for cell in others), ("declare",)
