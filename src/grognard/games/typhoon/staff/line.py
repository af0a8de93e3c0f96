"""The line between the armies as planners see it: hexes on the ways by which a side could be struck where it
hurts, what it is worth to bar them, and which of the places ahead each unit goes for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.command import commanded
from grognard.games.typhoon.rules.costs import POINT, costs
from grognard.games.typhoon.rules.ground import armed, sources, supplied_hexes, zone_without
from grognard.games.typhoon.rules.strength import attack_of, defence_of
from grognard.games.typhoon.rules.surrender import cut_off, gives_up
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AXIS, SOVIET
from grognard.mechanics.dice import D10
from grognard.mechanics.movement import costs_to
from grognard.staff.terms import Changes, Once

if TYPE_CHECKING:
    from grognard.games.typhoon.staff.outlook import Outlook
    from grognard.games.typhoon.staff.plan import TyphoonPlan

FAR = 99.0
LEAST = 0.05
"""What is worth less to bar is not looked at."""


class Barred(Once):
    """Things that a zone of ours brings, each of them once: who has no zone brings nothing (3.3.1)."""

    def __init__(
        self, plan: TyphoonPlan, name: str, brings: Mapping[int, Sequence[int]], worth: Sequence[float]
    ) -> None:
        view = plan.view
        self._bears = [bool(mask & view.zoned) for mask in plan.masks]
        here = each(plan.state.occupied[view.side])
        self._posts = {cell: (plan.state.at[cell] & view.zoned).bit_count() for cell in here}
        """How many of ours on each hex have a zone."""
        super().__init__(name, brings, worth, (cell for cell, posts in self._posts.items() if posts))
        self._sharing: list[list[int]] = [[] for _ in worth]
        for cell, things in brings.items():
            for thing in things:
                self._sharing[thing].append(cell)

    def _flips(self, stack: int, cell: int, sign: int) -> bool:
        return self._bears[stack] and self._posts.get(cell, 0) == (0 if sign > 0 else 1)

    def shift(self, stack: int, cell: int, sign: int, flips: bool, members: int, changes: Changes) -> float:
        return super().shift(stack, cell, sign, self._flips(stack, cell, sign), members, changes)

    def commit(self, stack: int, cell: int, sign: int, flips: bool) -> None:
        super().commit(stack, cell, sign, self._flips(stack, cell, sign))
        if self._bears[stack]:
            self._posts[cell] = self._posts.get(cell, 0) + sign

    def beyond(self, stack: int, cell: int) -> Iterable[int]:
        return {there for thing in self.brings.get(cell, ()) for there in self._sharing[thing]}


class Line:
    """The ways by which one side, the striker, gets at the places that the other holds."""

    def __init__(self, view: Outlook, holder: int) -> None:
        self.view, self.holder, self.striker = view, holder, 1 - holder
        state, game = view.state, view.game
        self.walls = armed(state, holder)
        """Where the holder's combat units stand."""
        self._area = game.outline(state).area
        self._start = armed(state, self.striker)

    @cached_property
    def _away(self) -> dict[int, float]:
        """The points of a drive from the nearest unit of the striker."""
        game = self.view.game
        priced = costs_to(costs(game.board, "motor", Sky("dry")), self._start, self._area)
        return {cell: spent / POINT for cell, spent in priced.items()}

    @cached_property
    def weights(self) -> dict[int, float]:
        """How much it matters that a hex is barred, 1 at most: as much as the place to which a way leads
        through it, less the longer the way round is and the farther the striker is."""
        view, found = self.view, dict[int, float]()
        most = max(view.prizes.values(), default=0.0)
        if not self._start or not most:
            return found
        common, lore = view.common, view.lore
        left = view.game.turns_left(view.state) / common["lifeline_turns"]
        places = self._places(common["lifeline"] * min(1.0, left) * most)
        band, slack = common["band"], common["detour"]
        near = {cell: away for cell, away in self._away.items() if away <= 2 * band}
        for place, value in places.items():
            way = lore.drive(place)
            least = min(away + way[cell] for cell, away in self._away.items() if away == 0.0)
            share = value / most
            for cell, away in near.items():
                longer = away + way[cell] - least
                if longer < 5 * slack:
                    weight = share * 2.0 ** (-max(0.0, longer) / slack)
                    if weight > found.get(cell, LEAST):
                        found[cell] = weight
        for cell in found:
            beyond = self._away[cell] - band
            found[cell] *= 2.0 ** (-beyond / slack) if beyond > 0 else 1.0
        return found

    def _places(self, lifeline: float) -> dict[int, float]:
        """What the holder has to lose: places, and behind the Axis the roads and railways from home, without
        which all starve."""
        state, game = self.view.state, self.view.game
        held = state.soviet_hexes if self.holder == SOVIET else ~state.soviet_hexes
        found = {cell: value for cell, value in self.view.prizes.items() if held >> cell & 1}
        if self.holder == AXIS:
            for cell in each(sources(game, state, AXIS) & held & self._area):
                found[cell] = max(lifeline, found.get(cell, 0.0))
        return found

    @cached_property
    def holes(self) -> dict[int, float]:
        """What opens if the holder's units on a hex go: the hexes that they bar, each shared with all who
        bar it."""
        contacts, weights = self.view.game.contacts, self.weights
        barring: dict[int, int] = {}
        for wall in each(self.walls):
            for cell in (wall, *each(contacts.get(wall, 0))):
                barring[cell] = barring.get(cell, 0) + 1
        return {
            wall: sum(weights.get(cell, 0.0) / barring[cell] for cell in (wall, *each(contacts.get(wall, 0))))
            for wall in each(self.walls)
        }

    def term(self, plan: TyphoonPlan, worth: float) -> Barred:
        """What a plan gains by barring hexes."""
        contact, weights = self.view.lore.contact, self.weights
        number = {cell: n for n, cell in enumerate(sorted(weights))}
        around = {near for cell in number for near in (cell, *contact[cell])}
        brings = {cell: [number[c] for c in (cell, *contact[cell]) if c in number] for cell in sorted(around)}
        return Barred(plan, "front", brings, [worth * weights[c] for c in number])

    @cached_property
    def muster(self) -> list[float]:
        """The points of a march from every hex to where something is to be barred."""
        view = self.view
        goals = bits(cell for cell, weight in self.weights.items() if weight >= view.common["muster"])
        found = [FAR] * view.game.board.size
        if goals:
            priced = costs_to(costs(view.game.board, "foot", Sky("dry")), goals, self._area)
            for cell, spent in priced.items():
                found[cell] = spent / POINT
        return found


def ring(plan: TyphoonPlan, movers: int) -> Barred:
    """Enemies whose ways home our zones bar, each way of each enemy once: the one that they would have if
    those who move were not there, the one that is still open, and those that remain when that is shut; of
    those who have none, the edge of their pocket. 6.1.5 A zone bars nothing where they have one themselves, a
    unit its own hex."""
    view, state, game = plan.view, plan.state, plan.game
    contact, area = view.lore.contact, game.outline(state).area
    homes, prices = sources(game, state, view.foe), costs(game.board, "motor", Sky("dry"))
    brings: dict[int, list[int]] = {}
    worth: list[float] = []
    free = ~view.foes & ~view.zones
    shut = zone_without(game, state, view.side, 0) & free | bits(state.where[u] for u in view.ours())
    still = zone_without(game, state, view.side, movers) & free

    def lead_home(closed: int) -> tuple[int, int]:
        """Who has a way past some hexes; what it takes to bar the ways."""
        homeward, corridor = 0, 0
        priced = costs_to(prices, homes, area & ~closed)
        for wall in each(view.foes):
            near, cell = set[int](), wall
            for _ in range(int(view.common["homeward"]) if wall in priced else 0):
                cell = min(game.board.adjacent[cell], key=lambda c: (priced.get(c, FAR * POINT), c))
                near.add(cell)
                if free >> cell & 1:
                    near.update(contact[cell])
                    corridor |= 1 << cell
            for cell in near:
                brings.setdefault(cell, []).append(len(worth))
            homeward |= (1 << wall) if near else 0
            worth.append(view.numbers["sever"] * view.worth(each(state.fighters(view.foe, wall))))
        return homeward, corridor

    lead_home(still)
    homeward, corridor = lead_home(shut)
    for _ in range(int(view.common["ways"])):
        corridor |= lead_home(shut | corridor & ~homes)[1]
    pocket = view.foes & ~homeward
    caught = view.worth(u for u in each(view.enemies) if pocket >> state.where[u] & 1)
    grown = pocket
    while grown:
        grown = game.board.spread(pocket) & area & ~shut & ~pocket
        pocket |= grown
    for cell in each(game.board.spread(pocket) & area & ~pocket):
        for beside in (cell, *contact[cell]):
            brings.setdefault(beside, []).append(len(worth))
        worth.append(view.common["wall"] * view.numbers["sever"] * caught)
    return Barred(plan, "ring", brings, worth)


def yielding(plan: TyphoonPlan) -> Barred:
    """6.4 Enemies cut off from home who may give up if a zone of ours reaches them: at the end of this turn,
    or of a later one if they still have stocks."""
    view, state, game = plan.view, plan.state, plan.game
    contact, brings, worth = view.lore.contact, dict[int, list[int]](), list[float]()
    fed, led = supplied_hexes(game, state, SOVIET), commanded(game, state)
    starving = bits(u for u in each(view.enemies) if not fed >> state.where[u] & 1)
    for prey in cut_off(game, state, starving):
        units = each(state.fighters(SOVIET, prey))
        now = bits(units) & state.unsupplied
        likely = sum(gives_up(die, bool(led >> prey & 1)) for die in D10.totals) / len(D10.totals)
        share = likely if now else view.common["stocks"] * likely
        for cell in (prey, *contact[prey]):
            brings.setdefault(cell, []).append(len(worth))
        worth.append(share * view.worth(units))
    return Barred(plan, "yielding", brings, worth)


def errands(view: Outlook) -> dict[int, int]:
    """The place for which each of our combat units goes, divisions as a whole: those where much is to be had
    for little, first, each by as many of the nearest as its defenders call for, or by nobody. Of the Axis
    everybody else goes for the nearest as it counts; the Soviets have a front to keep."""
    game, state = view.game, view.state
    places = {cell: value for cell, value in view.prizes.items() if not view.mine >> cell & 1}
    if not places:
        return {}
    idle = game.hqs | game.supplies | game.guns
    groups: dict[str, list[int]] = {}
    for unit in view.ours():
        if not idle >> unit & 1 and attack_of(game, state, unit):
            counter = game.units[unit]
            groups.setdefault(counter.id if counter.division else counter.formation, []).append(unit)
    left = {units[0]: units for units in groups.values()}
    strength = {head: sum(attack_of(game, state, u) for u in units) for head, units in left.items()}

    def march(head: int, place: int) -> float:
        return max(turns(unit, place) for unit in left[head])

    def turns(unit: int, place: int) -> float:
        return view.lore.way(place)[state.where[unit]] / max(1, game.units[unit].movement)

    reach, found = view.numbers["errand_reach"], dict[int, int]()
    needs = {place: _need(view, place) for place in places}
    nearest = {place: min((march(u, place) for u in left), default=FAR) for place in places}
    for place in sorted(places, key=lambda p: (-places[p] / (needs[p] * (1.0 + nearest[p])), p)):
        need, going = needs[place], list[int]()
        for head in sorted(left, key=lambda u: (march(u, place), u)):
            if need <= 0 or march(head, place) > reach:
                break
            going.append(head)
            need -= strength[head]
        if view.side == AXIS or need <= 0:
            for head in going:
                found.update(dict.fromkeys(left.pop(head), place))
    if view.side == AXIS:
        for head, units in left.items():
            place = min(places, key=lambda p: (march(head, p), p))
            found.update(dict.fromkeys(units, place))
    return found


def _need(view: Outlook, place: int) -> float:
    """The attack strength that goes for a place."""
    game, state, common = view.game, view.state, view.common
    against = sum(
        defence_of(game, state, foe)
        for cell in each(game.disc(place, 2) & view.foes)
        for foe in each(state.fighters(view.foe, cell))
    )
    return max(common["errand"], common["errand_odds"] * against)
