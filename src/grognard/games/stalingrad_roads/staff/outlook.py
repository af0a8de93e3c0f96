"""What a planner of Stalingrad Roads knows of a position before anybody moves: what units and places are
worth, how far the enemy reaches, where the ring round Stalingrad runs. One outlook serves one phase of one
side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from grognard.board.board import bits, each, union
from grognard.games.stalingrad_roads.rules.command import (
    area_within,
    hqs_on_map,
    led_areas,
    lines,
    source_area,
    sources,
)
from grognard.games.stalingrad_roads.rules.foresight import fed_hexes, led_from, strangers
from grognard.games.stalingrad_roads.rules.ground import crossing, near, water
from grognard.games.stalingrad_roads.rules.movement import ORDINARY, allowance
from grognard.games.stalingrad_roads.rules.odds import (
    attached_markers,
    attack_factor,
    defence_strength,
)
from grognard.games.stalingrad_roads.rules.pocket import zone_about
from grognard.games.stalingrad_roads.rules.reach import threat_reach, within_reach
from grognard.games.stalingrad_roads.rules.victory import LARGE_PLACES, SMALL_PLACES, WEST_EDGE
from grognard.games.stalingrad_roads.staff.lore import FAR, Lore
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.staff import outlook as room
from grognard.staff.battles import expected
from grognard.staff.lines import cheapest_line
from grognard.staff.threats import Threats, massed, reaches

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

Ways = list[tuple[list[float], float]]
POCKET_FIELDS = ("1333", "1433")
"""The airfields without which the fortress starves (10.4.2)."""


class Outlook(room.Outlook):
    """One side's knowledge of one position."""

    lore: Lore
    game: StalingradRoads
    state: RoadsState

    def __init__(self, lore: Lore, state: RoadsState, side: int, plain: bool = False) -> None:
        """`plain`: as a beginner sees it, who thinks neither of the ring round Stalingrad nor of the end."""
        super().__init__(lore, state, side)
        game, plan = lore.game, lore.game.plan(state)
        self.plain, self.last = plain, not plain and game.turns_left(state) <= 0
        self.over = self.last and side == AXIS
        """Whether the enemy moves no more: the Axis moves last."""
        self.numbers = lore.numbers_for(side, plan.victory, self.last)
        self.wet = water(state)
        self.ground = plan.area & ~(game.data.zone_28 if plan.zone_28 else 0)
        self.foes, self.zones = state.occupied[self.foe], near(game, state, self.foe)
        self.mine = state.soviet_hexes if side == SOVIET else ~state.soviet_hexes
        """Hexes that are ours (1.10)."""
        self.kind, self.shelter = lore.terrain(state)
        self._battles_at: dict[tuple[int, str, int, bool, float, float, bool], float] = {}
        self._driven_out: dict[int, float] = {}

    # Places

    @cached_property
    def prizes(self) -> dict[int, float]:
        """What it is worth to hold a hex, in points of victory; one side gains what the other loses."""
        game, data, plan = self.game, self.game.data, self.game.plan(self.state)
        worth, lost = self.lore.numbers["prizes"][plan.victory], self.state.soviet_hexes
        kinds = {
            "star": data.stars,
            "city": data.city & ~data.major_cities,
            "airfield": data.airfields,
            "major": data.major_cities & ~data.stalingrad,
            "stalingrad": data.stalingrad,
            "field": bits(map(game.board.cell, POCKET_FIELDS)) if data.stalingrad & ~lost else 0,
            "small": bits(map(game.board.cell, SMALL_PLACES)),
            "large": bits(map(game.board.cell, LARGE_PLACES)),
            "relief": game.board.spread(plan.pocket) & ~plan.pocket,
            # The Axis is drawn to the pocket, which lies behind it.
            "goal": plan.goal & ~plan.pocket if self.side == SOVIET else 0,
        }
        found: dict[int, float] = {}
        for name, cells in kinds.items():
            for cell in each(cells & self.ground) if worth.get(name) else ():
                found[cell] = max(found.get(cell, 0.0), worth[name])
        return found

    @cached_property
    def stakes(self) -> dict[int, float]:
        """What is lost with a hex of ours that nobody holds any more."""
        if self.over:
            return {}
        found = {c: self.dear(c) for c in self.prizes if self.mine >> c & 1}
        for cell in each(self.ring) if self.side == SOVIET else ():
            found[cell] = found.get(cell, 0.0) + self.numbers["ring"]
        return found

    def dear(self, cell: int) -> float:
        """What is feared for a place of ours."""
        city = self.numbers["city"] if self.game.data.stalingrad >> cell & 1 and not self.plain else 1.0
        return float(self.numbers["keep"] * self.prizes.get(cell, 0.0) * city)

    @cached_property
    def stations(self) -> dict[int, float]:
        """Hexes where a supplied unit is worth something by itself at the end (S2.17, S3.18)."""
        return self._stations_of(self.side)

    @cached_property
    def denied(self) -> dict[int, float]:
        """Hexes where one of the enemy's is worth something to him."""
        return self._stations_of(self.foe)

    def _stations_of(self, side: int) -> dict[int, float]:
        board, plan = self.game.board, self.game.plan(self.state)
        worth = self.lore.numbers["prizes"][plan.victory].get("station", 0.0) * (1.0 if self.last else 0.3)
        cells = 0
        if plan.victory == "uranus":
            cells = board.with_feature("between_chir_and_don")
            if side == SOVIET:
                cells |= board.with_feature("beyond_chir")
            if side == self.side:
                cells &= self.fed
        elif plan.victory == "campaign" and side == SOVIET:
            cells = bits(map(board.cell, WEST_EDGE))
        return dict.fromkeys(each(cells & self.ground), worth) if worth else {}

    @cached_property
    def ring(self) -> int:
        """The line of hexes that would shut the pocket (10.2.5) with the least trouble: from the edge of the
        map north of Stalingrad to that south of it, where Soviets stand already if possible."""
        game, state, common = self.game, self.state, self.common
        city = game.data.stalingrad
        if self.plain or self.ground & city != city or state.soviet_hexes & city == city:
            return 0
        barred = city | game.data.bank | game.board.spread(city) & state.occupied[AXIS]
        ground = self.game.data.land & self.game.plan(state).area & ~barred
        first, last = self.lore.shores
        price = [common["ring_open"]] * game.board.size
        if state.within("exploitation") and self.side == SOVIET:
            # Nobody comes after those who move now.
            movers = [u for u in each(state.exploiting & ~state.moved) if state.where[u] >= 0]
            reach = union(within_reach(game, state, u) for u in movers)
            for cell in each(ground & ~reach & ~state.occupied[SOVIET]):
                price[cell] += common["ring_far"]
        for cell in each(state.occupied[SOVIET]):
            price[cell] = common["ring_held"]
        for cell in each(state.occupied[AXIS]):
            strength = self.force(state.at[cell]).strength
            price[cell] += common["ring_enemy"] + common["ring_strength"] * strength
        return bits(cheapest_line(self.lore.contact, price, first & ground, last, ground))

    def prize(self, cell: int) -> float:
        """What it is worth to drive the enemy out of a hex."""
        found = self._driven_out.get(cell)
        if found is None:
            found = self.prizes.get(cell, 0.0) + self.numbers["hex"] + self.denied.get(cell, 0.0)
            if self.numbers["approach"]:
                found += self.numbers["approach"] * self._opens(cell)
            found += self.numbers["ring"] if self.ring >> cell & 1 else 0.0
            self._driven_out[cell] = found
        return found

    def _opens(self, cell: int) -> float:
        """The worth of the enemy's place to which a hex opens the way, the more the nearer it is."""
        halved = self.common["approached"]
        taken = ((c, v) for c, v in self.prizes.items() if not self.mine >> c & 1 and c != cell)
        return max((v * 2 ** (-self.lore.way(self.wet, c)[cell] / halved) for c, v in taken), default=0.0)

    def empty(self, cell: int) -> float:
        """What a place of ours without a garrison risks."""
        # More than what a garrison in danger fears for it: nobody leaves a place because he may lose it.
        feared = self.common["open_door"] * self.numbers["care"] * self.dear(cell)
        value = max(self.prizes.get(cell, 0.0), feared)
        if not self.mine >> cell & 1:
            return 0.0
        if self.over:
            # Whoever is driven back may still come through Stalingrad, and takes it (1.10.1).
            return -value if self.game.data.stalingrad >> cell & 1 else 0.0
        alarm = min((self.lore.way(self.wet, cell)[c] for c in each(self.foes)), default=FAR)
        return self.unguarded(cell, value, self.landing, alarm)

    # What units are worth

    def worth_of(self, unit: int, steps: int) -> float:
        """In points of victory."""
        u = self.game.units[unit]
        if u.hq:
            return float(self.common["hq"])
        full = steps == u.steps
        strength = u.attack + u.defence if full else u.reduced_attack + u.reduced_defence
        power: float = self.numbers["power_axis" if u.axis else "power_soviet"]
        return power * strength / 2 * (self.common["ally"] if u.allied else 1.0)

    def defence_of(self, units: Sequence[int]) -> float:
        """With their markers (8.5.2)."""
        game, state = self.game, self.state
        shield = attached_markers(game, state, units, "defence") if state.markers else []
        markers = sum(game.supports[state.markers[i].kind].defence for i in shield)
        return defence_strength(game, state, units) + markers

    def battle_at(
        self,
        members: int,
        cell: int,
        column: int,
        shut: bool,
        ground: float,
        driven: float,
        stormed: bool = False,
    ) -> float:
        """What an attack on a stack is expected to cost its owner; `stormed` if an elite unit leads it."""
        kind = self.kind[cell]
        key = (members, kind, column, shut, ground, driven, stormed)
        found = self._battles_at.get(key)
        if found is None:
            lore, enclosed = self.lore, bool(members & self.state.enclosed)
            results = (lore.stormed[enclosed] if stormed else lore.fates[kind, enclosed])[column]
            found = expected(
                results, self.force(members), shut, ground, (0.0, driven, 2 * driven, 3 * driven)
            )
            self._battles_at[key] = found
        return found

    def stormed(self, cell: int) -> bool:
        """Whether an elite unit is reckoned with that takes a step more (8.10.3)."""
        return not self.plain and self.kind[cell] == "major_city"

    # The enemy's next move

    @cached_property
    def enemy(self) -> tuple[Threats, int]:
        game, state = self.game, self.state
        foes = 0 if self.over else self.foes
        units = [u for cell in each(foes) for u in each(state.fighters_at(cell))]

        def key(unit: int) -> tuple[int, int, bool]:
            hungry = bool((state.unsupplied | state.enclosed) >> unit & 1)
            return state.where[unit], 2 * allowance(game, state, unit, ORDINARY), hungry

        def strength(unit: int) -> float:
            hungry = (state.unsupplied | state.enclosed) >> unit & 1
            return attack_factor(game, state, unit) / (2 if hungry else 1)

        coming = reaches(units, key, lambda unit, key: threat_reach(game, state, unit, key[1]))
        threats, landing = massed(game.board, coming, strength), union(coming.values())
        return threats, landing | game.board.spread(landing) & state.occupied[self.side]

    @cached_property
    def depth(self) -> list[float]:
        """How far every hex is from where lines hold whatever the enemy does next."""
        game, state, side = self.game, self.state, self.side
        links, start = crossing(game, state, side), sources(game, state, side) & ~self.foes
        return self.depths(links, start, game.data.land, game.data.land & ~self.foes)

    def led_from(self, hq: int, cell: int) -> int:
        return led_from(self.game, self.state, hq, cell)

    @cached_property
    def fed(self) -> int:
        """The hexes that our HQs and sources lead; before the last turn those that they would if no enemy
        were in the way."""
        game, state = self.game, self.state
        known, land = lines(game, state, self.side), game.data.land
        found = known.source_area()
        for hq in hqs_on_map(game, state, self.side):
            here = state.where[hq]
            if self.last:
                found |= self.led_from(hq, here)
            else:
                found |= area_within(game, known.links, known.tag, land, here, game.units[hq].radius, False)
        return found

    def fed_hexes(self, unit: int) -> int:
        return fed_hexes(self.game, self.state, unit, self._strangers)

    @cached_property
    def _refuge(self) -> tuple[int, int]:
        """10.2.3 The hexes on which the enclosed do not die in their next supply phase if nobody moves, and
        if the enemy comes between: those of the fortress and those that HQs lead."""
        game, state = self.game, self.state
        if self.plain or self.over or self.side == SOVIET or state.fortress < 0:
            return -1, -1
        led = source_area(game, state, self.side)
        for _, area in led_areas(game, state, self.side):
            led |= area
        shut = self.landing & ~state.occupied[self.side]
        now, surely = (zone_about(game, state, state.fortress, barred) for barred in (0, shut))
        return led | now, led | surely

    def astray(self, cell: int) -> float:
        """How likely an enclosed unit is to die on a hex for want of the fortress."""
        now, surely = self._refuge
        return 0.0 if surely >> cell & 1 else float(self.common["cut_in"]) if now >> cell & 1 else 1.0

    @cached_property
    def _strangers(self) -> list[int]:
        return strangers(self.game, self.state, self.side)

    # Where to go

    @cached_property
    def _ways(self) -> tuple[Ways, Ways]:
        """The marches to the places that matter, each with how much farther it counts than it is: for all,
        and for mobile units, who leave those to others that need none (S2.14)."""
        numbers, lore = self.numbers, self.lore
        goals: dict[int, float] = {}
        most = max(self.prizes.values(), default=0.0)
        for cell, value in self.prizes.items():
            away = numbers["far"] * (most - value)
            if self.mine >> cell & 1:
                if self.side == SOVIET:
                    continue
                alarm = min((lore.way(self.wet, cell)[c] for c in each(self.foes)), default=FAR)
                away += numbers["calm"] * min(alarm, 40.0)
            elif self.side == AXIS:
                away += numbers["regain"]
            goals[cell] = away
        fast = dict(goals)
        if self.side == SOVIET and self.ring:
            slow = self.game.data.stalingrad | bits(map(self.game.board.cell, POCKET_FIELDS))
            places = {c: v for c, v in self.prizes.items() if c in goals and not slow >> c & 1}
            most = max(places.values(), default=0.0)
            fast = {c: numbers["far"] * (most - v) for c, v in places.items()}
            gaps = dict.fromkeys(each(self.ring & ~self.state.occupied[SOVIET]), numbers["ring_first"])
            goals.update(gaps)
            fast.update(gaps)
            goals.update({c: numbers["siege"] for c in each(slow) if c in goals})
            for cell in self.stations:
                goals.setdefault(cell, numbers["outposts"])
        return self._marches(goals), self._marches(fast)

    def _marches(self, goals: Mapping[int, float]) -> Ways:
        return [(self.lore.way(self.wet, cell), away) for cell, away in sorted(goals.items())]

    def goal(self, cell: int, mobile: bool = False) -> float:
        """The points of march from a hex to the place that matters, the nearer ones first."""
        key = cell + mobile * self.game.board.size
        found = self._goals.get(key)
        if found is None:
            found = min((way[cell] + away for way, away in self._ways[mobile]), default=0.0)
            self._goals[key] = found
        return found

    def post(self, hq: int, cell: int) -> float:
        """The points of march from a hex to the first place of an HQ's way that is not ours yet; of one that
        has no way of its own, to the place that matters."""
        wanted = next((c for c in self._fronts.get(hq, ()) if not self.mine >> c & 1), None)
        return self.goal(cell) if wanted is None else self.lore.way(self.wet, wanted)[cell]

    @cached_property
    def _fronts(self) -> dict[int, list[int]]:
        game = self.game
        known = self.lore.numbers["fronts"].get(game.plan(self.state).victory, {})
        return {game.unit_index(hq): [game.board.cell(n) for n in places] for hq, places in known.items()}
