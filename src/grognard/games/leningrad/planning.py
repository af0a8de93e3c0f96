"""Leningrad on the planning table: a whole movement phase, weighed by what the combat table promises.

A plan is worth the places of its units, what its attacks promise, less what the enemy may do to it: every
share of a result is taken with its chance, never a single roll. The numbers are in doctrine.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.board.board import bits, each
from grognard.games.leningrad.rules import reinforcements
from grognard.games.leningrad.rules.armour import corps_involved
from grognard.games.leningrad.rules.battle import Battle
from grognard.games.leningrad.rules.disengagement import disengagement_cost
from grognard.games.leningrad.rules.movement import Stack
from grognard.games.leningrad.rules.results import Ordeal, safe_hexes
from grognard.games.leningrad.rules.supply import allowance, dearer_hexes, in_supply, supplied_hexes, trace
from grognard.games.leningrad.rules.zones import zone
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState, members
from grognard.kernel import Action
from grognard.kernel.doctrine import Intent, Joint, Plan
from grognard.mechanics import zones
from grognard.mechanics.movement import reach, way_back
from grognard.mechanics.odds import CombatTable, whole_odds

if TYPE_CHECKING:
    from grognard.games.leningrad.doctrine import LeningradDoctrine
    from grognard.games.leningrad.game import Leningrad

NEVER = float("-inf")
OFF_MAP = -1
MOST_ATTACKERS = 9
"""Three hexes of three: more seldom find room against one hex."""


class Shares(NamedTuple):
    """How likely each share of a result is: one, two, everything; the defender's, then the attacker's."""

    one: float
    two: float
    all: float
    back_one: float
    back_two: float
    back_all: float


EMPTY = (0.0, 0, 0, 0.0)


def shares_of_table(table: CombatTable) -> dict[int, Shares]:
    """The shares of each column."""
    found = {}
    chance = 1 / len(table.rows)
    for column in table.columns:
        results = [table.result(column, die).split("/") for die in table.rows]
        counts = [
            chance * sum(result[half] == share for result in results)
            for half in (0, 1)
            for share in ("1", "2", "E")
        ]
        found[column] = Shares(*counts)
    return found


class Target:
    """An enemy stack as an attacker sees it."""

    def __init__(
        self, staff: Staff, state: LeningradState, side: int, cell: int, units: Sequence[int] = ()
    ) -> None:
        game = staff.game
        self.cell = cell
        # 8.4 who fell back here in this phase does not fight
        self.units = list(units) or members(state.at[cell] & ~state.attacked) or members(state.at[cell])
        self.count = len(self.units)
        self.worth = sum(staff.value_of(state, u) for u in self.units)
        self.steps = sum(state.steps[u] for u in self.units)
        self.defence = staff.defence_spread(state, self.units)
        self.expected = sum(value * chance for value, _, chance in self.defence)
        self.rivers = bits(c for c in game.board.adjacent[cell] if game.board.side_has(cell, c, "river"))
        self.open = bool(game.open_ground & ~state.forts & 1 << cell)
        shifts = game.data.shifts
        base = 0
        if game.rough_ground >> cell & 1:
            base += shifts["defender-terrain"][0]
        if side == GERMAN:
            if state.forts >> cell & 1:
                base += shifts["fort"][0]
            if game.soviet_cities >> cell & 1:
                base += shifts["soviet-city"][0]
        elif state.surprise:
            base += shifts["surprise"][0]
        if not in_supply(game, state, 1 - side, cell):
            base += shifts["defender-unsupplied"][0]
        self.shelters_armour = not (side == SOVIET and game.soviet_cities >> cell & 1)
        if side == SOVIET and self.shelters_armour:
            for corps in game.corps:
                if all(u in self.units for u in corps):
                    base += shifts["defender-corps"][0]
        self.base = base
        self._known: dict[tuple[int, int], Shares] = {}
        self._staff = staff

    def shares(self, attack: int, shift: int) -> Shares:
        """What an attack of so much strength promises, over all that the untried may turn out to be."""
        key = (attack, shift)
        found = self._known.get(key)
        if found is None:
            total = [0.0] * 6
            table, armour_shift = self._staff.shares, self._staff.armour_shift
            for value, armour, chance in self.defence:
                column = self._staff.column(
                    attack, value, shift + (armour_shift if armour and self.shelters_armour else 0)
                )
                for n, share in enumerate(table[column]):
                    total[n] += chance * share
            found = self._known[key] = Shares(*total)
        return found


class Staff:
    """What a game of Leningrad can be asked again and again while plans are made."""

    def __init__(self, game: Leningrad, doctrine: LeningradDoctrine) -> None:
        self.game = game
        self.doctrine = doctrine
        self.numbers: dict[str, Any] = doctrine.numbers["plan"]
        self.shares = shares_of_table(game.data.crt)
        self.armour_shift = game.data.shifts["defender-armour"][0]
        lines = game.data.untried
        self.means = {
            pool: tuple(
                sum(s.number * value for s, value in pairs) / max(1, sum(s.number for s, _ in pairs))
                for pairs in (
                    [(s, s.attack) for s in lines if s.pool == pool],
                    [(s, s.defence) for s in lines if s.pool == pool],
                )
            )
            for pool in ("infantry", "armour")
        }
        self.column = lru_cache(maxsize=None)(self._column)
        self.open_neighbours = {cell: game.contact[cell].bit_count() for cell in game.contact}
        self.sectors = (bits(game.victory_hexes), game.leningrad_set)

    def _column(self, attack: int, defence: int, shift: int) -> int:
        table = self.game.data.crt
        if attack <= 0:
            return table.columns[0]
        if defence <= 0:
            return table.columns[-1]
        return table.column(whole_odds(attack, defence) + shift)

    # Units

    def worth_of(self, state: LeningradState, unit: int) -> float:
        """A step of a unit to its owner; a German's last one is dearer."""
        worth = self.numbers["worth"]
        if unit >= state.germans:
            rated = state.rating[unit]
            if not rated:
                return float(worth["soviet"])
            drawn = self.game.data.untried[rated - 1]
            return float(worth["soviet"]) * (0.6 + 0.15 * drawn.defence)
        kind = self.game.units[unit].kind
        return float(worth[kind] if state.steps[unit] == 2 else worth[f"{kind}_last"])

    def value_of(self, state: LeningradState, unit: int) -> float:
        """All that is left of a unit, to its owner."""
        if unit >= state.germans:
            return self.worth_of(state, unit)
        worth, kind = self.numbers["worth"], self.game.units[unit].kind
        last = float(worth[f"{kind}_last"])
        return last + (float(worth[kind]) if state.steps[unit] == 2 else 0.0)

    def attack_of(self, state: LeningradState, unit: int) -> float:
        counter = self.game.units[unit]
        if unit < state.germans:
            return counter.strength if state.steps[unit] == 2 else counter.reduced
        rated = state.rating[unit]
        return self.game.data.untried[rated - 1].attack if rated else self.means[counter.kind][0]

    def defence_of(self, state: LeningradState, unit: int) -> float:
        if unit < state.germans:
            return self.attack_of(state, unit)
        rated = state.rating[unit]
        return (
            self.game.data.untried[rated - 1].defence if rated else self.means[self.game.units[unit].kind][1]
        )

    def defence_spread(self, state: LeningradState, units: list[int]) -> list[tuple[int, bool, float]]:
        """(total strength, armour among it, chance) of a stack that defends."""
        game = self.game
        known, armour, untried = 0, False, []
        for unit in units:
            if unit < state.germans:
                known += int(self.attack_of(state, unit))
                armour |= game.units[unit].kind == "armour"
            elif state.rating[unit]:
                drawn = game.data.untried[state.rating[unit] - 1]
                known += drawn.defence
                armour |= drawn.kind == "armour"
            else:
                untried.append(unit)
        if not untried:
            return [(known, armour, 1.0)]
        return [
            (known + more, armour or also, chance)
            for (more, also), chance in sorted(
                self.doctrine.adviser.draws(state, untried, attacking=False).items()
            )
        ]

    # Movement

    def budget(self, state: LeningradState, units: tuple[int, ...]) -> int:
        return min(state.left[u] if state.moved >> u & 1 else allowance(self.game, state, u) for u in units)

    def flood(
        self, state: LeningradState, units: tuple[int, ...], blocked: int
    ) -> Iterator[tuple[int, list[int]]]:
        """Floods that together hold every hex in reach of a stack on the map: (first hex, layers). The first
        hex is the stack's own or, out of an enemy zone, the one where it has disengaged to (6.0)."""
        game = self.game
        side = game.side(units[0])
        here = state.where[units[0]]
        costs = game.costs[units[0]]
        enemy_zone = zone(game, state, 1 - side)
        allowed = game.data.land & ~state.occupied[1 - side] & ~blocked
        budget = self.budget(state, units)
        dearer = dearer_hexes(game, state, side)
        if not enemy_zone >> here & 1:
            yield here, reach(costs, here, budget, allowed, enemy_zone, dearer)
            return
        if len(units) > game.data.numbers["disengage_stack"]:
            return
        if any(not game.disengages_freely[u] and state.departed >> u & 1 for u in units):
            return
        extra = max(disengagement_cost(game, u) for u in units)
        for there in each(game.contact[here] & allowed & ~enemy_zone):
            factor = next((f for cells, f in dearer if cells >> there & 1), 1)
            left = budget - costs.step(here, there) * factor - extra
            if left >= 0:
                yield there, reach(costs, there, left, allowed, enemy_zone, dearer)
            elif not any(state.moved >> u & 1 for u in units):
                yield there, [1 << there]  # 4.3

    def full_hexes(self, state: LeningradState, units: tuple[int, ...]) -> int:
        """4.6 Hexes without room for a stack."""
        here = state.where[units[0]]
        room = self.game.stacking - len(units)
        return bits(c for c, there in state.at.items() if there.bit_count() > room and c != here)

    def within_reach(self, state: LeningradState, units: tuple[int, ...], full: int) -> int:
        """Every hex where a stack could end its move, full ones left out."""
        game = self.game
        found = 0
        for _, layers in self.flood(state, units, full):
            for layer in layers:
                found |= layer
        here = state.where[units[0]]
        if not any(state.moved >> u & 1 for u in units):
            side = game.side(units[0])
            if not zone(game, state, 1 - side) >> here & 1:
                found |= game.contact[here] & ~state.occupied[1 - side] & ~full  # 4.3
        return found & ~(1 << here)

    def way(self, state: LeningradState, units: tuple[int, ...], goal: int) -> tuple[int, ...] | None:
        """How a stack gets to a hex now, by the cheapest way; None if it does not."""
        game = self.game
        side = game.side(units[0])
        here = state.where[units[0]]
        full = self.full_hexes(state, units)
        dearer = dearer_hexes(game, state, side)
        enemy_zone = zone(game, state, 1 - side)
        best: tuple[int, ...] | None = None
        least = 1 << 20
        for first, layers in self.flood(state, units, full):
            for spent, layer in enumerate(layers):
                if layer >> goal & 1:
                    if spent < least:
                        least = spent
                        way = way_back(game.costs[units[0]], layers, goal, enemy_zone, dearer)
                        best = way if first == here else (first, *way)
                    break
        if best is None and game.contact[here] >> goal & 1:
            return (goal,)
        return best

    def supplied_without(self, state: LeningradState, side: int, cell: int) -> int:
        """Where a side would be in supply if an enemy hex were empty."""
        game = self.game
        rest = state.occupied[1 - side] & ~(1 << cell)
        shut = rest | zones.zone(game.board, game.data.crossing, rest) & ~state.occupied[side]
        return trace(game, game.sources[side], game.data.land & ~shut, dearer_hexes(game, state, side))

    def threats(self, state: LeningradState, side: int) -> list[tuple[int, float]]:
        """For each unit of a side: the hexes that it could attack on its next turn, and its strength."""
        game = self.game
        found = []
        seen: dict[tuple[int, int, bool], int] = {}
        for unit in members(game.units_of[side]):
            here = state.where[unit]
            if here < 0:
                continue
            # Out of supply it gets half as far.
            points = game.movement[unit]
            if not in_supply(game, state, side, here):
                points = points // 4 * 2
            mobile = game.costs[unit] is game.mobile_costs
            key = (here, points, mobile)
            area = seen.get(key)
            if area is None:
                allowed = game.data.land & ~state.occupied[1 - side]
                area = 0
                for layer in reach(game.costs[unit], here, points, allowed):
                    area |= layer
                area = seen[key] = game.board.spread(area) | area
            found.append((area, self.attack_of(state, unit)))
        return found


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
        self.air = state.air_ready if side == GERMAN else 0
        self.way = staff.doctrine.way
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
        self.targets = {cell: Target(staff, state, side, cell) for cell in each(state.occupied[1 - side])}
        self.enemy_hexes = state.occupied[1 - side]
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
        local = state.frames[-1][2]
        if isinstance(local, Stack) and local.units:
            self._add(local.units, state.where[local.units[0]])
            return
        taken: set[int] = set()
        ready = [u for u in members(game.units_of[side] & ~state.done) if state.where[u] >= 0]
        sign = 1 if side == GERMAN else -1
        way = staff.doctrine.way
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
        late = 1.0 + self.numbers["late"] * self.state.turn / game.data.numbers["turns"]
        numbers = {name: self.numbers[name] * late for name in ("approach", "suburb", "heart")}
        found: dict[int, float] = {}
        heart = bits(game.victory_hexes)
        for cell in each(game.board.spread(heart) & game.data.land):
            found[cell] = numbers["approach"]
        for cell in game.leningrad:
            found[cell] = numbers["suburb"]
        for cell in game.victory_hexes:
            found[cell] = numbers["heart"]
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
        # Nobody is better off dead than far away.
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
        if not self.supplied >> cell & 1:
            shift += shifts["defender-unsupplied"][0]
        return shift

    # Attacks

    def _targets_near(self, cell: int) -> tuple[int, ...]:
        found = self._near.get(cell)
        if found is None:
            near = self.game.contact[cell] & self.enemy_hexes if cell >= 0 else 0
            found = self._near[cell] = tuple(each(near))
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
        return self.promise(target, shares, cheapest, everything, origins)

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
        """How many of our hexes have each hex in their zone."""
        found: dict[int, int] = {}
        for cell in {*self.fixed, *self.here}:
            for there in each(self.game.contact[cell]):
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
            total += self._pull_out(here, len(old) > 1)
        if cell >= 0:
            total += self._holding(cell, stack, 1) - self._holding(cell)
            total += self._move_in(cell, bool(new))
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

    def _pull_out(self, cell: int, rest: bool) -> float:
        """What covering the corridor loses when a stack leaves a hex."""
        if not self._corridor or rest or cell in self.fixed:
            return 0.0
        lost = 0.0
        for there in each(self.game.contact[cell] | 1 << cell):
            if self._covered.get(there, 0) == 1:
                lost += self._corridor.get(there, 0.0)
        return -lost

    def _move_in(self, cell: int, there: bool) -> float:
        if not self._corridor or there or cell in self.fixed:
            return 0.0
        gained = 0.0
        for near in each(self.game.contact[cell] | 1 << cell):
            if not self._covered.get(near, 0):
                gained += self._corridor.get(near, 0.0)
        return gained

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
                        self._uncover(here, -1)
            if cell >= 0:
                self._change_sum(cell, stack, 1)
                if cell not in self.here and cell not in self.fixed:
                    self._uncover(cell, 1)
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

    def _uncover(self, cell: int, change: int) -> None:
        for there in each(self.game.contact[cell]):
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
                return Intent("drive", {"hexes": names, "hex_goal": self.game.victory_hexes[0]})
            return Intent("march", {"hex_goal": self.game.victory_hexes[0]})
        if names:
            return Intent("counterattack", {"hexes": names})
        posts = sorted(self.here, key=lambda c: (-self._importance.get(c, self._corridor.get(c, 0.0)), c))
        return Intent("hold", {"hexes": tuple(posts[:3])})


def best_joint_attack(staff: Staff, state: LeningradState, side: int) -> Plan | None:
    """All attacks seen together: the best one takes whom it needs, the next one of those left, and so on;
    then everybody asks where he does most. The attack to make first is the one that promises most."""
    plan = LeningradPlan(staff, state, side, combat=True)
    plan.share_out()
    attacks = sorted(plan.attacks(), key=lambda a: (-a[0], a[1]))
    if not attacks or attacks[0][0] < plan.numbers["floor"]:
        return None
    gain, cell, on = attacks[0]
    units = tuple(sorted(u for s in on for u in plan.stacks[s]))
    return Plan(gain, (("target", cell), *(("join", u) for u in units), ("fight",)), units)


def best_overrun(staff: Staff, state: LeningradState, side: int) -> Plan | None:
    """7.0 The overrun that promises most, by a panzer corps or a few units from one hex."""
    game = staff.game
    price = 2 * game.data.numbers["overrun_cost"]
    plan = LeningradPlan(staff, state, side, combat=True)
    shifts = game.data.shifts
    best: Plan | None = None
    for cell in each(state.occupied[side]):
        ready = tuple(
            u for u in members(state.at[cell] & ~state.done & ~state.moved) if game.movement[u] >= price
        )
        for units in _overrunners(game, ready):
            reached = _with_points_left(staff, state, units, price)
            attack = int(sum(staff.attack_of(state, u) for u in units))
            value = sum(staff.value_of(state, u) for u in units)
            cheapest = min(staff.worth_of(state, u) for u in units)
            armour = plan.any_armour(units)
            corps = units in game.corps
            for target in plan.targets.values():
                jump_off = game.contact[target.cell] & reached
                if not jump_off or attack < 3 * target.expected:
                    continue
                dry = jump_off & ~target.rivers
                shift = target.base + shifts["overrun"][0]
                shift += 0 if dry else shifts["river"][0]
                shift += shifts["attacker-corps"][0] if corps else 0
                shift += shifts["attacker-armour"][0] if armour and target.open else 0
                shares = target.shares(attack, shift)
                spot = next(each(dry or jump_off))
                gain = plan.promise(target, shares, cheapest, value, 1 << spot)
                if gain < plan.numbers["overrun"] or (best is not None and gain <= best.gain):
                    continue
                script = _pick_and_walk(staff, state, units, spot)
                if script is not None:
                    best = Plan(gain, (*script, ("overrun", target.cell)), units)
    return best


def _overrunners(game: Leningrad, ready: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Who of a hex might overrun together: a whole corps, or the mobile units there."""
    for corps in game.corps:
        if len(corps) > 1 and all(u in ready for u in corps):
            yield corps
    mobile = tuple(u for u in ready if game.costs[u] is game.mobile_costs)
    if 1 < len(mobile) <= game.stacking and mobile not in game.corps:
        yield mobile


def _with_points_left(staff: Staff, state: LeningradState, units: tuple[int, ...], price: int) -> int:
    """The hexes that a stack reaches with so many points to spare, its own included."""
    budget = staff.budget(state, units)
    here = state.where[units[0]]
    if budget < price:
        return 0
    found = 1 << here
    if zone(staff.game, state, 1 - staff.game.side(units[0])) >> here & 1:
        return found
    for _, layers in staff.flood(state, units, staff.full_hexes(state, units)):
        for layer in layers[: budget - price + 1]:
            found |= layer
    return found


def _pick_and_walk(
    staff: Staff, state: LeningradState, units: tuple[int, ...], cell: int
) -> tuple[Action, ...] | None:
    way: tuple[int, ...] | None = ()
    if state.where[units[0]] != cell:
        way = staff.way(state, units, cell)
    if way is None:
        return None
    return (
        ("pick", units[0]),
        *(("add", u) for u in units[1:]),
        *(("step", c) for c in way),
    )


def small_decision(staff: Staff, state: LeningradState, side: int) -> Action | None:
    """Forts, aircraft and interdiction by rule of thumb; the rest is worth trying out."""
    game = staff.game
    decision = game.decision(state)
    assert decision is not None
    if decision.name == "fortify":
        sites = [action[1] for action in decision.options(game, state) if action[0] == "fortify"]
        if not sites:
            return ("end",)
        return ("fortify", max(sites, key=lambda c: (_fort_value(staff, state, c), -c)))
    if decision.name == "interdict":
        return ("end",)
    if decision.name == "commit-air":
        return ("commit", _air_to_commit(staff, state, side))
    if decision.name in ("lose-or-retreat", "fall-back", "advance"):
        return _try_out(staff, state, side, decision.options(game, state))
    return None


def _air_to_commit(staff: Staff, state: LeningradState, side: int) -> int:
    """13.1 All or nothing: the aircraft go to the battle where they change most."""
    battle: Battle = state.local
    if staff.game.side(battle.attackers[0]) != side or battle.overrun:
        return state.air_ready if not battle.overrun else 0
    plan = LeningradPlan(staff, state, side, combat=True)
    plan.share_out()
    elsewhere = max((plan.lifted(cell, on) for _, cell, on in plan.attacks()), default=0.0)
    target = Target(staff, state, side, battle.targets[0], battle.defenders)
    attack = int(sum(staff.attack_of(state, u) for u in battle.attackers))
    shift = target.base + corps_involved(staff.game, state, battle.attackers)
    here = plan.columns_worth(target, attack, shift, state.air_ready)
    return state.air_ready if here >= elsewhere else 0


def _try_out(staff: Staff, state: LeningradState, side: int, options: list[Action]) -> Action:
    """Follow each answer through to where the dust has settled."""
    plan = LeningradPlan(staff, state, side, combat=True)
    scores = [plan.appraise(_follow_through(staff, plan, state, side, option)) for option in options]
    return options[scores.index(max(scores))]


def _follow_through(
    staff: Staff, plan: LeningradPlan, state: LeningradState, side: int, option: Action
) -> LeningradState:
    """The position once the result of a battle has been suffered, our side answering by what looks best at
    once, the other not at all."""
    game = staff.game
    trial = state.clone()
    game.apply(trial, option)
    while True:
        decision = game.decision(trial)
        if decision is None or decision.name not in ("lose-or-retreat", "fall-back"):
            return trial
        if decision.actor(game, trial) != side:
            return trial
        answers = decision.options(game, trial)
        if decision.name == "lose-or-retreat":
            # Whoever began to lose steps goes on doing so: the cheapest first.
            losses = [a for a in answers if a[0] == "lose"]
            answer = min(losses, key=lambda a: (staff.worth_of(trial, a[1]), a[1]))
        else:
            answer = max(answers, key=lambda a: (_refuge(plan, trial, a), a))
        game.apply(trial, answer)


def _refuge(plan: LeningradPlan, state: LeningradState, action: Action) -> float:
    """How good a hex is to fall back to: one that leads on, in supply, towards where we want to be."""
    game = plan.game
    unit, cell = action[1], action[2]
    ordeal: Ordeal = state.local
    value = plan.stand(unit, cell)
    if ordeal.hexes > ordeal.walked + 1:
        trial = state.clone()
        trial.place(unit, cell)
        if not safe_hexes(game, trial, unit, ordeal.foes):
            value -= 50.0
    return value


def _fort_value(staff: Staff, state: LeningradState, cell: int) -> float:
    game = staff.game
    value = -float(staff.doctrine.way.get(cell, 400))
    if cell in game.victory_hexes:
        value += 40
    elif game.leningrad_set >> cell & 1:
        value += 30
    if state.occupied[SOVIET] >> cell & 1:
        value += 4
    return value + 2 * (game.contact[cell] & game.leningrad_set).bit_count()


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
    if state.frames[-1][0] != "move":
        first = [("pick", units[0]), *(("add", u) for u in units[1:])]
    return (*first, *(("step", c) for c in way), ("halt",))
