"""A movement phase on the planning table, weighed as a whole.

A plan is worth the places of its units and what its attacks promise, less what the enemy may do to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from grognard.board.board import bits, each
from grognard.games.leningrad.rules import reinforcements
from grognard.games.leningrad.rules.combat import may_be_attacked
from grognard.games.leningrad.rules.movement import Stack
from grognard.games.leningrad.rules.supply import supplied_hexes
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.staff.office import Staff
from grognard.games.leningrad.staff.promise import Shares, Target
from grognard.games.leningrad.state import GERMAN, SOVIET, TO_COME, LeningradState, members
from grognard.kernel import Action
from grognard.kernel.doctrine import NEVER, Intent, Joint

OFF_MAP = -1
MOST_ATTACKERS = 9
"""Three hexes of three: more seldom find room against one hex."""
EMPTY = (0.0, 0, 0, 0.0)


class LeningradPlan:
    """See grognard.kernel.doctrine.MovementPlan."""

    def __init__(
        self,
        staff: Staff,
        state: LeningradState,
        side: int,
        combat: bool = False,
        crowded: bool = False,
    ) -> None:
        """With `combat`, nobody moves any more: the table is for who attacks what. With `crowded`, hexes are
        as full as they are now; else everybody is thought to make room for everybody."""
        self.staff, self.state, self.side, self.combat, self.crowded = staff, state, side, combat, crowded
        self.game = game = staff.game
        self.numbers: dict[str, Any] = staff.numbers[game.sides[side]]
        self.enemy_zone = zone(game, state, 1 - side)
        self.supplied = supplied_hexes(game, state, side)
        self.stacks: list[tuple[int, ...]] = []
        self._places: list[list[int]] = []
        self._gather()
        self._place = [places[0] for places in self._places]
        self._mission = [OFF_MAP] * len(self.stacks)
        """The enemy hex that each stack is to attack."""
        moving = bits(u for units in self.stacks for u in units)
        self.size = [len(units) for units in self.stacks]
        self.attack = [sum(staff.attack_of(state, u) for u in units) for units in self.stacks]
        self.defence = [sum(staff.defence_of(state, u) for u in units) for units in self.stacks]
        self.price = [sum(staff.value_of(state, u) for u in units) for units in self.stacks]
        self.steps = [sum(state.steps[u] for u in units) for units in self.stacks]
        self.cheapest = [min(staff.worth_of(state, u) for u in units) for units in self.stacks]
        self.corps = [units in game.corps for units in self.stacks]
        corps_of = {u: n for n, corps in enumerate(game.corps) for u in corps}
        self._mates = [
            [
                other
                for other, others in enumerate(self.stacks)
                if other != stack and units[0] in corps_of and corps_of[units[0]] == corps_of.get(others[0])
            ]
            for stack, units in enumerate(self.stacks)
        ]
        """Stacks of the same panzer corps, which fights best whole (12.1)."""
        self.armour = [self.any_armour(units) for units in self.stacks]
        # 17.4 everybody knows on which turn the Soviets may come with surprise.
        self._surprise_ahead = (
            side == GERMAN
            and state.turn == game.data.numbers["surprise_turn"]
            and all(state.where[u] == TO_COME for u in game.surprise_force)
        )
        self.air = state.air_ready if side == GERMAN else 0
        self.way = staff.doctrine.way(state)
        self._sums = self._add_up()
        self._held_before: dict[tuple[int, float, int, int, float], float] = {}
        self._tired = [
            sum(staff.worth_of(state, u) / 2 for u in units if side == GERMAN and state.steps[u] == 1)
            for units in self.stacks
        ]
        self._kind = [unit.kind for unit in game.units]
        self._stands: dict[tuple[str, int], float] = {}
        # Everybody of ours by hex: who stays whatever happens, and who is planned there.
        self.fixed: dict[int, list[int]] = {}
        for cell in each(state.occupied[side]):
            rest = members(state.at[cell] & ~moving)
            if rest:
                self.fixed[cell] = rest
        self.here: dict[int, list[int]] = {}
        for stack, cell in enumerate(self._place):
            if cell >= 0:
                self.here.setdefault(cell, []).append(stack)
        self.origin_needs = self._origins_to_hold()
        self.enemy_hexes = state.occupied[1 - side]
        self.targets = {
            cell: Target(staff, state, side, cell)
            for cell in each(self.enemy_hexes)
            if not combat or may_be_attacked(state, cell)
        }
        self._near: dict[int, tuple[int, ...]] = {}
        self._on: dict[int, list[int]] = {}
        """Stacks by the hex that they are to attack."""
        self._danger: dict[int, float] = {}
        self._threats = staff.threats(state, 1 - side)
        self._importance = self._important_hexes()
        self._corridor = self._corridor_hexes()
        self._relief = self._blockers()
        self._value = [self._place_value(s, c) for s, c in enumerate(self._place)]
        self._covered = self._cover()

    # Who can go where

    def _gather(self) -> None:
        game, state, side, staff = self.game, self.state, self.side, self.staff
        if self.combat:
            self._gather_fighters()
            return
        stack = state.top(Stack)
        if stack is not None and stack.units:
            self._add(stack.units, state.where[stack.units[0]])
            return
        taken: set[int] = set()
        ready = [u for u in members(game.units_of[side] & ~state.done) if state.where[u] >= 0]
        sign = 1 if side == GERMAN else -1
        way = staff.doctrine.way(state)
        ready.sort(key=lambda u: (sign * way.get(state.where[u], 400), u))
        for unit in ready:
            if unit in taken:
                continue
            units: tuple[int, ...] = (unit,)
            corps = next((c for c in game.corps if unit in c), ())
            if (
                len(corps) > 1
                and all(u in ready and state.where[u] == state.where[unit] for u in corps)
                and not self.enemy_zone >> state.where[unit] & 1
                and not self.crowded
            ):
                units = corps
            taken.update(units)
            self._add(units, state.where[unit])
        for unit in reinforcements.due(game, state, side):
            entries = reinforcements.entry_hexes(game, state, unit)
            if entries:
                self.stacks.append((unit,))
                self._places.append([OFF_MAP, *entries])

    def _gather_fighters(self) -> None:
        game, state = self.game, self.state
        able = 0
        for cell in each(state.occupied[self.side] & zone(game, state, 1 - self.side)):
            able |= state.at[cell] & ~state.fought
        for corps in game.corps:
            whole = bits(corps)
            if not whole & ~able and len({state.where[u] for u in corps}) == 1:
                self.stacks.append(corps)
                able &= ~whole
        self.stacks += [(unit,) for unit in members(able)]
        self._places = [[state.where[units[0]]] for units in self.stacks]

    def _add(self, units: tuple[int, ...], here: int) -> None:
        full = self.staff.full_hexes(self.state, units) if self.crowded else 0
        self.stacks.append(units)
        self._places.append([here, *each(self.staff.within_reach(self.state, units, full))])

    def any_armour(self, units: Iterable[int]) -> bool:
        game, state = self.game, self.state
        return any(
            game.units[u].kind == "armour"
            if u < state.germans
            else bool(state.rating[u]) and game.data.untried[state.rating[u] - 1].kind == "armour"
            for u in units
        )

    def _origins_to_hold(self) -> dict[int, int]:
        """6.3 Hexes in enemy zones, which somebody must stay on, and how many units stand there."""
        return {cell: self.state.height(cell) for cell in self.here if self.enemy_zone >> cell & 1}

    # What ground is worth

    def _important_hexes(self) -> dict[int, float]:
        """Hexes worth holding for themselves, and how much."""
        game = self.game
        # What counts at the end counts more and more.
        late = 1.0 + self.numbers["late"] * self.state.turn / game.scenario(self.state).last
        numbers = {name: self.numbers[name] * late for name in ("approach", "suburb", "heart")}
        found: dict[int, float] = {}
        objectives = game.victory(self.state).objectives
        heart = bits(objectives)
        for cell in each(game.board.spread(heart) & game.data.land):
            found[cell] = numbers["approach"]
        for cell in game.leningrad:
            found[cell] = numbers["suburb"]
        for cell, points in objectives.items():
            found[cell] = numbers["heart"] * points / game.data.victory["leningrad-hex"].points
        return found

    def _corridor_hexes(self) -> dict[int, float]:
        """For the Soviets: the hexes by which the Germans could come, worth covering."""
        if self.side == GERMAN:
            return {}
        game, numbers = self.game, self.numbers
        way = self.way
        found: dict[int, float] = {}
        fronts = sorted((way.get(c, 400), c) for c in each(self.state.occupied[GERMAN]))
        if not fronts:
            return {}
        nearest = fronts[0][0]
        depth = numbers["corridor_depth"]
        for cell in each(game.data.land):
            far = way.get(cell)
            if far is None or far >= nearest + 4:
                continue
            ahead = (nearest - far) / 2
            found[cell] = numbers["corridor"] / (1.0 + abs(ahead - depth) / depth)
        return found

    def _blockers(self) -> dict[int, float]:
        """Enemy hexes that cut our supply, by what their end would bring; those near our roads might."""
        game, numbers = self.game, self.numbers
        mine = self.state.occupied[self.side]
        cut = mine & ~self.supplied
        roads = game.board.spread(game.board.spread(game.on_road & self.supplied & ~self.enemy_zone))
        found: dict[int, float] = {}
        for cell in self.targets:
            value = 0.0
            if cut:
                again = self.staff.supplied_without(self.state, self.side, cell) & cut
                relieved = sum(self.state.height(c) for c in each(again))
                value = min(numbers["most_relief"], numbers["relief"] * relieved)
            if roads >> cell & 1:
                value += numbers["road"]
            if value:
                found[cell] = value
        return found

    def _place_value(self, stack: int, cell: int) -> float:
        if cell < 0:
            return float(self.numbers["absent"]) * self.size[stack]
        value = sum(self.stand(unit, cell) for unit in self.stacks[stack])
        return value + self._rest(stack, cell) if self._tired[stack] else value

    def _rest(self, stack: int, cell: int) -> float:
        """16.6 Reduced German units come back to strength where they are left alone for a whole turn."""
        if not self.game.regeneration_hexes & self.supplied & ~self.enemy_zone & 1 << cell:
            return 0.0
        sooner = 1.0 if cell == self._places[stack][0] else 0.6
        return float(self.numbers["rest"] * self._tired[stack] * sooner)

    def stand(self, unit: int, cell: int) -> float:
        """How well a unit stands on a hex, whoever else is about."""
        key = (self._kind[unit], cell)
        found = self._stands.get(key)
        if found is None:
            found = self._stands[key] = self._stand(*key)
        return found

    def _stand(self, kind: str, cell: int) -> float:
        numbers, game = self.numbers, self.game
        total = 0.0
        far = self.way.get(cell, 400) / 2
        if self.side == GERMAN:
            total += numbers["goal"][kind] * min(0.0, numbers["near"] - far)
        else:
            total += numbers["goal"] * min(0.0, numbers["near"] - far)
            rough = game.rough_ground | game.soviet_cities | self.state.forts
            if rough >> cell & 1:
                total += numbers["ground"]
        if not self.supplied >> cell & 1:
            total -= numbers["supply"]
        # `alive` keeps the value of a living unit above that of a lost one, wherever it stands.
        return float(numbers["alive"] + total)

    def _danger_at(self, cell: int) -> float:
        """The strength that the enemy could bring against a hex on his next turn."""
        found = self._danger.get(cell)
        if found is None:
            strengths = sorted((s for area, s in self._threats if area >> cell & 1), reverse=True)
            room = min(MOST_ATTACKERS, 3 * max(1, self.staff.open_neighbours.get(cell, 6) // 2))
            found = self._danger[cell] = sum(strengths[:room])
        return found

    def _holding(self, cell: int, stack: int = OFF_MAP, sign: int = 0) -> float:
        """What a hex and those planned on it are worth to us, given what the enemy may do to them; with one
        stack more (or less) than the plan has there."""
        defence, count, steps, worth = self._sums.get(cell, EMPTY)
        if sign:
            defence += sign * self.defence[stack]
            count += sign * self.size[stack]
            steps += sign * self.steps[stack]
            worth += sign * self.price[stack]
        # Rounded, so that adding and taking away comes back to the same key.
        key = (cell, round(defence, 3), count, steps, round(worth, 3))
        found = self._held_before.get(key)
        if found is None:
            found = self._held_before[key] = self._held(*key)
        return found

    def _add_up(self) -> dict[int, tuple[float, int, int, float]]:
        """Strength, units, steps and worth on each of our hexes."""
        staff, state = self.staff, self.state
        found: dict[int, tuple[float, int, int, float]] = {}
        for cell in each(state.occupied[self.side]):
            units = members(state.at[cell])
            found[cell] = (
                sum(staff.defence_of(state, u) for u in units),
                len(units),
                sum(state.steps[u] for u in units),
                sum(staff.value_of(state, u) for u in units),
            )
        return found

    def _change_sum(self, cell: int, stack: int, sign: int) -> None:
        defence, count, steps, worth = self._sums.get(cell, EMPTY)
        self._sums[cell] = (
            defence + sign * self.defence[stack],
            count + sign * self.size[stack],
            steps + sign * self.steps[stack],
            worth + sign * self.price[stack],
        )

    def _held(self, cell: int, defence: float, count: int, steps: int, worth: float) -> float:
        important = self._importance.get(cell, 0.0)
        danger = self._danger_at(cell)
        if not count:
            # What no enemy can reach is held by nobody at all, if it was ours.
            return important if self.side == SOVIET and not danger else 0.0
        crowd = self.numbers["crowd"] * max(0, count - self.game.stacking)  # 4.6 who is too many is lost
        if not danger:
            return float(important - crowd)
        shift = self._shelter(cell)
        staff = self.staff
        column = staff.column(int(danger), max(1, int(defence)), shift)
        shares = staff.shares[column]
        a_step = worth / steps
        lost = a_step * (shares.one * self.numbers["give"] + shares.two * min(2, steps) * 0.8)
        lost += worth * shares.all
        cleared = (
            shares.all
            + shares.two * (1.0 if steps <= 2 else 0.5)
            + shares.one * (1.0 if steps == 1 else 0.25)
        )
        return float(important * (1.0 - cleared) - self.numbers["alert"] * lost - crowd)

    def appraise(self, state: LeningradState) -> float:
        """What another position, not far from this one, is worth to our side: who is left, where our units
        stand, what may be done to them."""
        staff, game = self.staff, self.game
        total = 0.0
        for unit in members(game.units_of[self.side]):
            cell = state.where[unit]
            if cell >= 0:
                total += self.stand(unit, cell) + staff.value_of(state, unit)
        for unit in members(game.units_of[1 - self.side]):
            if state.where[unit] >= 0:
                total -= staff.value_of(state, unit)
        for cell in each(state.occupied[self.side] | bits(self._importance)):
            units = state.stack(cell) if state.occupied[self.side] >> cell & 1 else []
            total += self._held(
                cell,
                sum(staff.defence_of(state, u) for u in units),
                len(units),
                sum(state.steps[u] for u in units),
                sum(staff.value_of(state, u) for u in units),
            )
        return total

    def _shelter(self, cell: int) -> int:
        game, shifts = self.game, self.game.data.shifts
        shift = 0
        if game.rough_ground >> cell & 1:
            shift += shifts["defender-terrain"][0]
        if self.side == SOVIET:
            if self.state.forts >> cell & 1:
                shift += shifts["fort"][0]
            if game.soviet_cities >> cell & 1:
                shift += shifts["soviet-city"][0]
        elif self._surprise_ahead:
            shift += shifts["surprise"][0]
        if not self.supplied >> cell & 1:
            shift += shifts["defender-unsupplied"][0]
        return shift

    # Attacks

    def _targets_near(self, cell: int) -> tuple[int, ...]:
        found = self._near.get(cell)
        if found is None:
            near = self.game.contact[cell] & self.enemy_hexes if cell >= 0 else 0
            found = self._near[cell] = tuple(c for c in each(near) if c in self.targets)
        return found

    def _assault(self, cell: int, on: Sequence[int], places: Sequence[int]) -> float:
        """What an attack on a hex by these stacks, from these places, promises."""
        if not on:
            return 0.0
        target = self.targets[cell]
        attack = 0.0
        shift = target.base
        origins = 0
        cheapest, everything, units = 1000.0, 0.0, 0
        armour = unsupplied = False
        shifts = self.game.data.shifts
        for stack in on:
            attack += self.attack[stack]
            origins |= 1 << places[stack]
            everything += self.price[stack]
            units += self.size[stack]
            if self.cheapest[stack] < cheapest:
                cheapest = self.cheapest[stack]
            armour = armour or self.armour[stack]
            unsupplied = unsupplied or not self.supplied >> places[stack] & 1
            if self.corps[stack]:
                shift += shifts["attacker-corps"][0]
        if not origins & ~target.rivers:
            shift += shifts["river"][0]
        if armour and target.open:
            shift += shifts["attacker-armour"][0]
        if unsupplied:
            shift += shifts["attacker-unsupplied"][0]
        if self.game.leningrad_set >> cell & 1:
            shift += self.air  # the aircraft go where it matters
        shares = target.shares(int(attack), shift)
        promise = self.promise(target, shares, cheapest, everything, origins)
        return promise - self._stripped(on, places) * (shares.back_all + 0.3 * shares.back_two)

    def _stripped(self, on: Sequence[int], places: Sequence[int]) -> float:
        """What the ground is worth that would stand open if these attackers came to grief."""
        total = 0.0
        for stack in on:
            cell = places[stack]
            important = self._importance.get(cell)
            if important:
                there = self._sums.get(cell, EMPTY)[1] or 1
                total += important * min(1.0, self.size[stack] / there)
        return total

    def promise(
        self, target: Target, shares: Shares, cheapest: float, everything: float, origins: int
    ) -> float:
        numbers = self.numbers
        worth = target.worth
        one = worth / target.steps
        ground = self._ground(target.cell)
        # Whoever can choose between steps and ground gives what hurts him less.
        lose_one = one + (ground if target.steps <= 1 else 0.0)
        lose_two = one * min(2, target.steps) + (ground if target.steps <= 2 else 0.0)
        if not self._retreat_shut(target.cell, origins):
            lose_one = min(lose_one, numbers["push"] + ground)
            lose_two = min(lose_two, 1.6 * numbers["push"] + ground)
        gain = shares.one * lose_one + shares.two * lose_two + shares.all * (worth + ground)
        back = min(cheapest, numbers["fall_back"])
        cost = shares.back_one * back + shares.back_two * 1.8 * back + shares.back_all * everything
        return float(gain - cost * self.numbers["caution"])

    def _ground(self, cell: int) -> float:
        """What taking a hex is worth by itself."""
        numbers = self.numbers
        return float(
            numbers["breach"]
            + numbers["eager"] * self._importance.get(cell, 0.0)
            + self._relief.get(cell, 0.0)
        )

    def _retreat_shut(self, cell: int, origins: int) -> bool:
        """10.7 Whether defenders would find no hex to fall back to: all next to an attacker's hex, in our
        zones, taken or water."""
        game = self.game
        near = game.contact[cell] & ~self.enemy_hexes
        if not near:
            return False
        for origin in each(origins):
            near &= ~(game.contact[origin] | 1 << origin)
        if not near:
            return True
        for there in each(near):
            if there in self.fixed or there in self.here:
                continue
            if not self._covered.get(there, 0):
                return False
        return True

    def _cover(self) -> dict[int, int]:
        """How many of our hexes hold each hex: with their units or in their zone."""
        found: dict[int, int] = {}
        for cell in {*self.fixed, *self.here}:
            for there in each(self.game.contact[cell] | 1 << cell):
                found[there] = found.get(there, 0) + 1
        return found

    # The planning table

    def places(self, stack: int) -> Sequence[int]:
        return self._places[stack]

    def place(self, stack: int) -> int:
        return self._place[stack]

    def _fits(self, stack: int, cell: int) -> bool:
        if cell < 0:
            return True
        units = sum(self.size[s] for s in self.here.get(cell, ()) if s != stack)
        if units + self.size[stack] + len(self.fixed.get(cell, ())) > self.game.stacking:
            return False
        here = self._place[stack]
        origin = self._places[stack][0]
        if here == origin and cell != origin and origin in self.origin_needs:
            staying = len(self.fixed.get(origin, ())) + sum(
                self.size[s] for s in self.here.get(origin, ()) if s != stack and self._places[s][0] == origin
            )
            return staying > 0
        return True

    def gain(self, stack: int, cell: int) -> float:
        if cell == self._place[stack]:
            return self._best_mission(stack, cell)[0] if cell >= 0 else 0.0
        if not self._fits(stack, cell):
            return NEVER
        return self._shifted(stack, cell)[0]

    def _best_mission(self, stack: int, cell: int) -> tuple[float, int]:
        """The hex that a stack in its place had best attack."""
        mine = self._mission[stack]
        without = self._on.get(mine, [])
        rest = [s for s in without if s != stack]
        lost = 0.0
        if mine >= 0:
            lost = max(0.0, self._assault(mine, without, self._place)) - max(
                0.0, self._assault(mine, rest, self._place)
            )
        best, target = 0.0, OFF_MAP
        for there in self._targets_near(cell):
            on = rest if there == mine else self._on.get(there, [])
            more = max(0.0, self._assault(there, [*on, stack], self._place)) - max(
                0.0, self._assault(there, on, self._place)
            )
            if more > best:
                best, target = more, there
        return best - lost, target

    def _shifted(self, stack: int, cell: int) -> tuple[float, int]:
        """What it changes to put a stack on another hex, and which hex it had best attack from there."""
        here = self._place[stack]
        total = self._place_value(stack, cell) - self._value[stack]
        mates = self._mates[stack]
        if mates:
            for mate in mates:
                there = self._place[mate]
                total += self.numbers["corps"] * ((there == cell) - (there == here))
        around = self.here
        old = around.get(here, [])
        new = around.get(cell, [])
        if here >= 0:
            total += self._holding(here, stack, -1) - self._holding(here)
        if cell >= 0:
            total += self._holding(cell, stack, 1) - self._holding(cell)
        if self._corridor:
            total += self._corridor_change(here if len(old) == 1 else OFF_MAP, OFF_MAP if new else cell)
        mine = self._mission[stack]
        on = self._on.get(mine, [])
        rest = [s for s in on if s != stack]
        if mine >= 0:
            total += max(0.0, self._assault(mine, rest, self._place)) - max(
                0.0, self._assault(mine, on, self._place)
            )
        places = self._place.copy()
        places[stack] = cell
        best, target = 0.0, OFF_MAP
        for there in self._targets_near(cell):
            others = rest if there == mine else self._on.get(there, [])
            more = max(0.0, self._assault(there, [*others, stack], places)) - max(
                0.0, self._assault(there, others, places)
            )
            if more > best:
                best, target = more, there
        return total + best, target

    def _corridor_change(self, left: int, taken: int) -> float:
        """What covering the corridor gains when one hex is left empty and another, empty so far, is taken."""
        gone, come = (
            self.game.contact[c] | 1 << c if c >= 0 and c not in self.fixed else 0 for c in (left, taken)
        )
        covered, corridor = self._covered, self._corridor
        lost = sum(corridor.get(c, 0.0) for c in each(gone & ~come) if covered[c] == 1)
        return sum(corridor.get(c, 0.0) for c in each(come & ~gone) if not covered.get(c, 0)) - lost

    def put(self, stack: int, cell: int, target: int | None = None) -> None:
        here = self._place[stack]
        mine = self._mission[stack]
        if target is None:
            target = self._shifted(stack, cell)[1] if cell != here else self._best_mission(stack, cell)[1]
        if mine >= 0:
            self._on[mine].remove(stack)
        if cell != here:
            if here >= 0:
                self._change_sum(here, stack, -1)
                self.here[here].remove(stack)
                if not self.here[here]:
                    del self.here[here]
                    if here not in self.fixed:
                        self._change_cover(here, -1)
            if cell >= 0:
                self._change_sum(cell, stack, 1)
                if cell not in self.here and cell not in self.fixed:
                    self._change_cover(cell, 1)
                self.here.setdefault(cell, []).append(stack)
            self._place[stack] = cell
            self._value[stack] = self._place_value(stack, cell)
        self._mission[stack] = target
        if target >= 0:
            self._on.setdefault(target, []).append(stack)

    def save(self) -> tuple[list[int], list[int]]:
        return self._place.copy(), self._mission.copy()

    def restore(self, saved: tuple[list[int], list[int]]) -> None:
        for stack, (cell, target) in enumerate(zip(*saved, strict=True)):
            if self._place[stack] != cell or self._mission[stack] != target:
                self.put(stack, cell, target)

    def _change_cover(self, cell: int, change: int) -> None:
        for there in each(self.game.contact[cell] | 1 << cell):
            self._covered[there] = self._covered.get(there, 0) + change

    def worth(self) -> float:
        total = sum(self._value)
        for cell in {*self.here, *self.fixed, *self._importance}:
            total += self._holding(cell)
        for stack, mates in enumerate(self._mates):
            together = sum(m > stack and self._place[m] == self._place[stack] for m in mates)
            total += self.numbers["corps"] * together
        for cell, on in self._on.items():
            total += max(0.0, self._assault(cell, on, self._place))
        for cell, value in self._corridor.items():
            if self._covered.get(cell, 0):
                total += value
        return total

    def concentrations(self) -> Sequence[Joint]:
        """For each enemy hex in reach: everybody who could come, the strongest first, as far as there is
        room."""
        found: list[tuple[float, Joint]] = []
        reaching: dict[int, list[int]] = {}
        for stack, places in enumerate(self._places):
            for cell in places:
                if cell >= 0:
                    reaching.setdefault(cell, []).append(stack)
        for cell, target in self.targets.items():
            room = {
                c: self.game.stacking - len(self.fixed.get(c, ()))
                for c in each(self.game.contact[cell] & ~self.enemy_hexes)
            }
            chosen: list[tuple[int, int]] = []
            strength = 0.0
            candidates = sorted(
                {s for c in room for s in reaching.get(c, ())}, key=lambda s: (-self.attack[s], s)
            )
            for stack in candidates:
                open_cells = [c for c in room if room[c] >= self.size[stack] and stack in reaching.get(c, ())]
                if not open_cells:
                    continue
                best = max(open_cells, key=lambda c: (self._place_value(stack, c), room[c], -c))
                room[best] -= self.size[stack]
                chosen.append((stack, best))
                strength += self.attack[stack]
                if strength >= 8 * target.expected:
                    break
            if len(chosen) > 1:
                promise = target.worth * min(1.0, strength / (6 * max(1.0, target.expected)))
                found.append((promise + self._ground(cell), Joint(cell, tuple(chosen))))
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        return [joint for _, joint in found]

    def columns_worth(self, target: Target, attack: int, shift: int, columns: int) -> float:
        """What so many columns more would add to an attack."""
        before, after = (
            self.promise(target, target.shares(attack, s), 0.0, 0.0, 0) for s in (shift, shift + columns)
        )
        return after - before

    def lifted(self, cell: int, on: Sequence[int]) -> float:
        """What the aircraft would add to a planned attack."""
        attack = int(sum(self.attack[s] for s in on))
        target = self.targets[cell]
        return self.columns_worth(target, attack, target.base + sum(self.corps[s] for s in on), self.air)

    # Attacks seen together

    def share_out(self) -> None:
        """Give every stack next to the enemy the hex where it does most."""
        free = set(range(len(self.stacks)))
        while True:
            best: tuple[float, int, list[int]] | None = None
            for cell in self.targets:
                if cell in self._on:
                    continue
                able = [s for s in sorted(free) if self.game.contact[cell] >> self._place[s] & 1]
                if not able:
                    continue
                gain, on = self._pruned(cell, able)
                if gain > 0 and (best is None or gain > best[0]):
                    best = (gain, cell, on)
            if best is None:
                break
            _, cell, on = best
            for stack in on:
                self._mission[stack] = cell
                free.discard(stack)
            self._on[cell] = on
        for _ in range(3):
            changed = False
            for stack in range(len(self.stacks)):
                gain, target = self._best_mission(stack, self._place[stack])
                if gain > 1e-6 and target != self._mission[stack]:
                    self.put(stack, self._place[stack])
                    changed = True
            if not changed:
                break

    def _pruned(self, cell: int, on: list[int]) -> tuple[float, list[int]]:
        """The attack without those who add nothing to it."""
        gain = self._assault(cell, on, self._place)
        keep = sorted(on, key=lambda s: (self.attack[s], s))
        for stack in keep:
            rest = [s for s in on if s != stack]
            if not rest:
                break
            without = self._assault(cell, rest, self._place)
            if without >= gain - self.numbers["spare"] * self.size[stack]:
                on, gain = rest, without
        return gain, on

    def attacks(self) -> list[tuple[float, int, list[int]]]:
        """(promise, hex, stacks) of every attack planned."""
        return [(self._assault(cell, on, self._place), cell, on) for cell, on in self._on.items() if on]

    def intent(self) -> Intent:
        attacks = sorted((a for a in self.attacks() if a[0] > 0), key=lambda a: (-a[0], a[1]))
        names = tuple(cell for _, cell, _ in attacks[:3])
        if self.side == GERMAN:
            if any(cell in self.game.leningrad for cell in names):
                return Intent("storm", {"hexes": names})
            if names:
                return Intent("drive", {"hexes": names, "hex_goal": self.game.victory(self.state).goals[0]})
            return Intent("march", {"hex_goal": self.game.victory(self.state).goals[0]})
        if names:
            return Intent("counterattack", {"hexes": names})
        posts = sorted(self.here, key=lambda c: (-self._importance.get(c, self._corridor.get(c, 0.0)), c))
        return Intent("hold", {"hexes": tuple(posts[:3])})


def march(
    staff: Staff, state: LeningradState, units: tuple[int, ...], cell: int
) -> tuple[Action, ...] | None:
    """See grognard.kernel.doctrine.Doctrine."""
    game = staff.game
    if state.where[units[0]] < 0:
        if reinforcements.why_not_enter(game, state, units[0], cell) is not None:
            return None
        return (("enter", units[0], cell), ("halt",))
    way = staff.way(state, units, cell)
    if way is None:
        return None
    first: list[Action] = []
    if not state.doing("move"):
        first = [("pick", units[0]), *(("add", u) for u in units[1:])]
    return (*first, *(("step", c) for c in way), ("halt",))
