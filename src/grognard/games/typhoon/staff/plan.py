"""What a plan of Typhoon! is worth: places, hexes held, attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from grognard.board.board import bits, each
from grognard.games.typhoon.rules.declaring import can_reach, exposed
from grognard.games.typhoon.rules.entry import entry_hexes
from grognard.games.typhoon.rules.hand import mode_of
from grognard.games.typhoon.rules.odds import COMPANIONS, HUNTERS, effect, integrity
from grognard.games.typhoon.rules.strength import attack_of
from grognard.games.typhoon.rules.supply import SHORT
from grognard.games.typhoon.staff.line import ring, yielding
from grognard.games.typhoon.staff.outlook import Outlook, code_of
from grognard.games.typhoon.state import AXIS
from grognard.kernel.doctrine import Intent
from grognard.staff.front import FrontPlan
from grognard.staff.intents import attack_or_march, place_taken
from grognard.staff.plan import Target
from grognard.staff.terms import Command, Term


class TyphoonPlan(FrontPlan):
    """Units are planned one by one. Headquarters, guns and supply counters go behind the others."""

    view: Outlook
    enough = 9.0

    def leaders(self) -> int:
        game = self.game
        return int(game.hqs | game.supplies | game.guns)

    def arm(self) -> None:
        game, state = self.game, self.state
        self.company = 0.0 if self.view.plain else self.view.numbers["company"]
        """What it is worth to stand with another part of one's division."""
        self.strength = [
            0 if hq else attack_of(game, state, u) for u, hq in zip(self.units, self.hq, strict=True)
        ]
        self.tanks = [bool(game.armour >> u & 1) for u in self.units]
        self.foot = [game.units[u].kind in COMPANIONS for u in self.units]
        self._halved: dict[tuple[int, int, int], float] = {}
        self._exposed: dict[int, int] = {}
        self._holdings: dict[tuple[int, int], float] = {}

    def reach(self, unit: int, crowded: bool) -> int:
        game, state, view = self.game, self.state, self.view
        if state.where[unit] < 0:
            return int(entry_hexes(game, state, unit) & ~view.foes)
        cells = view.reach(unit, mode_of(state))
        if crowded:
            side, room = view.side, game.numbers["stacking"]
            full = [c for c in each(cells & state.occupied[side]) if self._load(state.own(side, c)) >= room]
            cells &= ~bits(full)
        return cells

    def faces(self, cells: int) -> Mapping[int, int]:
        return {cell: self.state.fighters(self.view.foe, cell) for cell in each(cells)}

    def escape(self) -> int:
        return int(self.game.outline(self.state).area)

    def stand(self, stack: int, cell: int) -> float:
        """Supply counters are drawn to those whom they serve (`_service`), not to places; combat units to the
        place for which they go, or to the front."""
        if cell < 0:
            return super().stand(stack, cell)
        view, unit = self.view, self.units[stack]
        if self.game.supplies >> unit & 1:
            alone = view.zones >> cell & 1
            return float(
                -view.numbers["hq_depth"] * view.depth[cell] - (view.common["hq_exposed"] if alone else 0.0)
            )
        value = super().stand(stack, cell)
        if self.hq[stack] or view.plain or view.last:
            return value
        rate = view.numbers["goal_mobile" if self.mobile(unit) else "goal"]
        usual = max(0.0, view.goal(cell) - view.numbers["close"])
        return float(value + rate * (usual - self._march(unit, cell, usual)))

    def _march(self, unit: int, cell: int, usual: float) -> float:
        """The points of a march from a hex to where a unit is wanted."""
        view = self.view
        place = view.errands.get(unit)
        if place is not None:
            return float(max(0.0, view.lore.way(place)[cell] - view.numbers["close"]))
        return usual if view.side == AXIS else min(usual, view.our_line.muster[cell])

    def sift(self, stack: int, cells: int, width: int, more: int, lure: float) -> list[int]:
        """A supply counter looks at places apart from each other, those first that serve most."""
        if not self.game.supplies >> self.units[stack] & 1:
            return super().sift(stack, cells, width, more, lure)
        board, start, line = self.game.board, self._start[stack], int(self.view.common["service_line"])
        front = self._front & self.state.occupied[self.view.side]
        scored = sorted(
            (-(self.game.disc(cell, line) & front).bit_count() - self.stand(stack, cell), cell)
            for cell in each(cells)
            if cell != start
        )
        found = [start]
        for _, cell in scored:
            if len(found) > width:
                break
            if all(board.distance(cell, other) > 1 for other in found):
                found.append(cell)
        return found

    @cached_property
    def _front(self) -> int:
        """Where attacks may be supplied from: whatever is near the enemy."""
        near: int = self.view.foes
        for _ in range(int(self.view.common["service_reach"])):
            near |= self.game.board.spread(near)
        return near

    def further_terms(self, places: Sequence[Sequence[int]]) -> list[Term]:
        view, found = self.view, list[Term]()
        if view.plain:
            return found
        if view.stores and places:
            found.append(self._service(places))
        if places and not view.last:
            found.append(view.our_line.term(self, view.numbers["front"]))
            if view.numbers["sever"]:
                found.append(ring(self, bits(self.units[: len(places)])))
            if view.side == AXIS:
                found.append(yielding(self))
        return found

    def _service(self, places: Sequence[Sequence[int]]) -> Command:
        """6.5.5 Attackers in reach of a supply counter, each point more counting less."""
        game, view, near = self.game, self.view, self._front
        strength = {unit: attack_of(game, self.state, unit) for unit in view.ours()}
        areas: dict[int, int] = {}

        def area(stack: int, cell: int) -> int:
            if cell < 0:
                return 0
            if cell not in areas:
                areas[cell] = view.served_from(cell) & near
            return areas[cell]

        movers = {self.units[n]: n for n in range(len(places))}
        steps = self.state.steps
        return Command(
            self,
            view.common["service"],
            lambda unit: strength.get(unit, 0),
            {movers[unit]: float(steps[unit]) for unit in view.stores if unit in movers},
            area,
            [(float(steps[unit]), area(0, self.state.where[unit])) for unit in view.stores],
        )

    def mobile(self, unit: int) -> bool:
        return bool(self.game.motorised >> unit & 1)

    # Room (3.2)

    def _load(self, units: int) -> int:
        return sum(self.game.units[u].stacking for u in each(units))

    def has_room(self, stack: int, there: int) -> bool:
        return bool(self._load(there | self.masks[stack]) <= self.game.numbers["stacking"])

    # Hexes

    def hold(self, cell: int, members: int) -> float:
        """What the hex brings, and what those on it risk."""
        found = self._holdings.get((cell, members))
        if found is None:
            found = self._holdings[cell, members] = self._held(cell, members)
        return found

    def _held(self, cell: int, members: int) -> float:
        view, numbers = self.view, self.view.numbers
        prize = view.prizes.get(cell, 0.0)
        fighters = members & self.fighters
        if not fighters:
            empty = view.empty(cell) if prize and view.mine >> cell & 1 else 0.0
            alone = members and view.landing >> cell & 1
            return empty - view.common["hq_alone"] if alone else empty
        value: float = prize if prize and not view.mine >> cell & 1 else 0.0
        value += self.company * self._together(fighters) if self.company else 0.0
        threat = view.threats.total[cell]
        if not threat:
            return value
        sides = ((view.landing | view.foes) & self.game.contacts[cell]).bit_count()
        attack = min(threat, sides * view.common["crowd"])
        total = view.lore.ground[cell] + (self.state.forts[view.side] >> cell & 1)
        code = code_of(view.lore.column(attack, view.force(members).strength), total)
        if code < 0:
            return value
        ground = numbers["keep"] * prize
        loss = view.suffered(members, 1 << cell, code, False, ground, numbers["yield"])
        return float(value - numbers["care"] * loss)

    def _together(self, members: int) -> int:
        """9.2 How many regiments and battalions stand with others of their division."""
        counters = [self.game.units[u] for u in each(members & self.game.motorised)]
        divisions = [counter.formation for counter in counters if not counter.division]
        return len(divisions) - len(set(divisions))

    # Attacks

    def bears(self, stack: int, cell: int, target: Target) -> float:
        """8.3.2, 9.1.3 The attack of a stack across a side; armour is halved against cities."""
        found = self._halved.get((stack, cell, target.cell))
        if found is None:
            board = self.game.board
            wet = any(board.side_has(cell, target.cell, water) for water in ("major_river", "lake"))
            town = (self.game.cities | self.game.major_cities) >> target.cell & 1
            half = wet or (self.tanks[stack] and town)
            found = self._halved[stack, cell, target.cell] = self.strength[stack] / (2 if half else 1)
        return found

    def defence(self, target: Target) -> float:
        return self.view.force(target.face).strength

    def mass(self, target: Target, attackers: Sequence[int]) -> int:
        return int(sum(self.bears(s, self._place[s], target) for s in attackers))

    def column(self, target: Target, attackers: Sequence[int], owed: int = 0) -> int:
        """8.4.1, 8.4.4 As the rules reckon it, with attack supply while there is any. `owed` are hexes
        attacked in the same combat (8.2.2)."""
        view, game, state = self.view, self.game, self.state
        attack = sum(self.bears(s, self._place[s], target) for s in attackers)
        if not attack:
            return -1
        total = max(view.lore.ground[cell] for cell in (target.cell, *each(owed)))
        if state.forts[view.foe] >> target.cell & 1:
            total += effect("fortified")
        if all(game.board.side_has(self._place[s], target.cell, "river") for s in attackers):
            total += effect("river")
        fed = view.points > 0 and all(view.fed >> self._place[s] & 1 for s in attackers)
        if fed:
            attack += min(attack, view.gunfire(target.cell))
        else:
            total += effect("no_attack_supply")
        total += view.flown(target.cell)
        face = self._faces(target, owed)
        if face & state.unsupplied:
            total += effect("unsupplied_defender")
        if self._combined(target, attackers):
            total += effect("combined_arms")
        if view.side == AXIS:
            total += effect("integrity") * integrity(game, state, [self.units[s] for s in attackers])
        return code_of(view.lore.column(attack, view.force(face).strength), total, fed)

    def _faces(self, target: Target, owed: int) -> int:
        face: int = target.face
        for cell in each(owed):
            face |= self.state.fighters(self.view.foe, cell)
        return face

    def _exposing(self, cell: int) -> int:
        """8.1.2 The enemy hexes that somebody must attack if those on a hex attack."""
        if cell not in self._exposed:
            self._exposed[cell] = exposed(self.game, self.state, [cell])
        return self._exposed[cell]

    def _exits(self, target: Target) -> int:
        """8.6.2 As for everybody, but our zones do not close a hex where enemies stand."""
        count, friends = 0, self.view.foes
        for way in target.ways:
            if friends >> way & 1 or not self.cover[way]:
                count += 1
                if count == 2:
                    break
        return count

    def _combined(self, target: Target, attackers: Sequence[int]) -> bool:
        """9.1.1, 9.1.2 Armour and infantry together, in the open and in fair weather."""
        if not any(self.tanks[s] for s in attackers) or not any(self.foot[s] for s in attackers):
            return False
        if self.view.lore.ground[target.cell] or self.state.sky.weather in SHORT:
            return False
        return not any(self.game.units[u].kind in HUNTERS for u in each(target.face))

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        """As for every front, but what counts besides strength is who attacks and from where."""
        able = [s for s in attackers if self.strength[s]]
        if not able:
            return 0.0
        key = (tuple(sorted((s, self._place[s]) for s in able)), exits)
        found: float | None = target.memo.get(key)
        if found is None:
            share = min(1.0, self.mass(target, able) / (3 * self.defence(target)))
            building = self.view.numbers["build_up"] * self._battle(target, 3, 2) * share
            found = target.memo[key] = max(0.0, building, self._attack(target, able, exits))
        return found

    def _battle(self, target: Target, column: int, exits: int, owed: int = 0) -> float:
        """8.6.3 Who has no way back but through our zones gets through by the die, and not all our units have
        a zone: what their loss would bring is believed in part."""
        view, driven = self.view, self.view.numbers["driven"]
        face, ground = self._faces(target, owed), self.prize(target) + sum(view.prize(c) for c in each(owed))
        cells = 1 << target.cell | owed
        value: float = view.suffered(face, cells, column, False, ground, driven)
        if exits < 2:
            trapped = view.suffered(face, cells, column, True, ground, driven)
            value += view.common["nearly_shut" if exits else "shut"] * (trapped - value)
        return value

    def _attack(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        """8.1.2 To whom the attackers are exposed must be attacked too: in the same combat, or by others,
        which costs something."""
        owed = 0
        for stack in attackers:
            owed |= self._exposing(self._place[stack])
        owed &= 0 if self.view.plain else ~(1 << target.cell)
        apart = self._combat(target, attackers, exits, 0)
        if not owed:
            return apart
        apart -= self.view.common["owed"] * owed.bit_count()
        return max(0.0, apart, self._combat(target, attackers, 2, owed))

    def _combat(self, target: Target, attackers: Sequence[int], exits: int, owed: int) -> float:
        """As for every front, but armour wears out on armour (9.3.1)."""
        view, code = self.view, self.column(target, attackers, owed)
        if code < 0:
            return 0.0
        units, face = [self.units[s] for s in attackers], self._faces(target, owed)
        worn = view.wear(units, face, view.lore.tolls[code], view.lore.bites[code])
        return float(view.numbers["attack"] * self._battle(target, code, exits, owed) - worn)

    def blow(self, target: Target, attackers: Sequence[int]) -> float:
        """An attack made now: those without an attack are not of it."""
        game, state = self.game, self.state
        able = [s for s in attackers if self.strength[s]]
        able = [s for s in able if can_reach(game, state, self.units[s], target.cell)]
        return self._attack(target, able, target.exits) if able else 0.0

    # What it is about

    def intent(self) -> Intent:
        view = self.view
        attacks = [target for _, target in self.attacks()]
        ahead = "advance" if view.side == AXIS else "cover"
        return place_taken(self, view.prizes, view.mine, len(attacks)) or attack_or_march(
            self, attacks, view.prizes, view.lore.way, ahead
        )
