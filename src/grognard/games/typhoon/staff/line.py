"""The line between the armies as planners see it: hexes on the ways by which a side could be struck where it
hurts, what it is worth to bar them, and which of the places ahead each unit goes for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.costs import POINT, costs
from grognard.games.typhoon.rules.ground import armed, sources
from grognard.games.typhoon.rules.strength import attack_of, defence_of
from grognard.games.typhoon.rules.weather import Sky
from grognard.games.typhoon.state import AXIS, SOVIET
from grognard.mechanics.movement import costs_to
from grognard.staff.terms import Once

if TYPE_CHECKING:
    from grognard.games.typhoon.staff.outlook import Outlook

FAR = 99.0
LEAST = 0.05
"""What is worth less to bar is not looked at."""


class Barred(Once):
    """Hexes that one of our zones bars, each of them once."""

    def __init__(
        self,
        name: str,
        brings: Mapping[int, Sequence[int]],
        worth: Sequence[float],
        held: Iterable[int],
        contact: Sequence[Sequence[int]],
    ) -> None:
        super().__init__(name, brings, worth, held)
        self._contact = contact

    def beyond(self, stack: int, cell: int) -> Iterable[int]:
        """Who stands two hexes away bars some of the same hexes."""
        if cell not in self.brings:
            return ()
        return {there for near in self._contact[cell] for there in (near, *self._contact[near])}


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

    def term(self, held: int, worth: float) -> Barred:
        """What a plan gains by barring hexes, from those that are held."""
        contact, weights = self.view.lore.contact, self.weights
        cells = sorted(weights)
        number = {cell: n for n, cell in enumerate(cells)}
        around = {near for cell in cells for near in (cell, *contact[cell])}
        brings = {cell: [number[c] for c in (cell, *contact[cell]) if c in number] for cell in sorted(around)}
        return Barred("front", brings, [worth * weights[c] for c in cells], each(held), contact)

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


def errands(view: Outlook) -> dict[int, int]:
    """The place for which each of our combat units goes: those where much is to be had for little, first,
    each by as many of the nearest as its defenders call for, or by nobody. Of the Axis everybody else goes
    for the nearest as it counts; the Soviets have a front to keep."""
    game, state = view.game, view.state
    places = {cell: value for cell, value in view.prizes.items() if not view.mine >> cell & 1}
    if not places:
        return {}
    idle = game.hqs | game.supplies | game.guns
    left = {}
    for unit in view.ours():
        strength = 0 if idle >> unit & 1 else attack_of(game, state, unit)
        if strength:
            left[unit] = strength

    def march(unit: int, place: int) -> float:
        way = view.lore.drive(place) if game.motorised >> unit & 1 else view.lore.way(place)
        return way[state.where[unit]] / max(1, game.units[unit].movement)

    reach, found = view.numbers["errand_reach"], dict[int, int]()
    needs = {place: _need(view, place) for place in places}
    nearest = {place: min((march(u, place) for u in left), default=FAR) for place in places}
    for place in sorted(places, key=lambda p: (-places[p] / (needs[p] * (1.0 + nearest[p])), p)):
        need, going = needs[place], list[int]()
        for unit in sorted(left, key=lambda u: (march(u, place), u)):
            if need <= 0 or march(unit, place) > reach:
                break
            going.append(unit)
            need -= left[unit]
        if view.side == AXIS or need <= 0:
            for unit in going:
                found[unit] = place
                del left[unit]
    if view.side == AXIS:
        for unit in left:
            found[unit] = min(places, key=lambda p: (march(unit, p) / places[p], p))
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
