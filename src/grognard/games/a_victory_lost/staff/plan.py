"""What a plan of A Victory Lost is worth: places, hexes held, attacks, command, enemies cut off."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.command import command_area
from grognard.games.a_victory_lost.rules.odds import attack_strength
from grognard.games.a_victory_lost.rules.reach import within_reach
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.rules.victory import worth as points_for
from grognard.games.a_victory_lost.staff.outlook import Outlook
from grognard.games.a_victory_lost.state import AXIS, SUPPLIED
from grognard.kernel.doctrine import Intent
from grognard.mechanics import zones
from grognard.mechanics.movement import connected
from grognard.staff.battles import clearing
from grognard.staff.plan import PlacementPlan, Target
from grognard.staff.terms import Command, Once, Term


class VictoryPlan(PlacementPlan):
    """Units move alone (8.1.1): a stack is one unit."""

    friendly = True

    def __init__(
        self,
        view: Outlook,
        movers: Sequence[int],
        choices: Sequence[Sequence[int]] | None = None,
        done: Sequence[int] = (),
        armed: bool = True,
        crowded: bool = False,
        barred: int = 0,
    ) -> None:
        """`choices`, if given, are the hexes between which each mover chooses, the first where it stands.
        Those who are `done` stay, but can still attack; if they are not `armed`, nobody attacks. `crowded`
        keeps to hexes that have room as things are; hexes that are `barred` are not attacked."""
        self.view, self.state, self.game = view, view.state, view.game
        game, state, side = view.game, view.state, view.side
        self.units = [*movers, *done]
        self.hq = [bool(state.hqs >> u & 1) for u in self.units]
        self.strength = [attack_strength(game, state, u) for u in self.units]
        self.hungry = [2 if state.supply[u] != SUPPLIED else 1 for u in self.units]
        self.price = [view.step(u) for u in self.units]
        self._heads: dict[int, float] = {}
        starts = [max(-1, state.where[u]) for u in self.units]
        ours = {cell: state.at[cell] for cell in each(state.occupied[side])}
        fighters = game.units_of[side] & ~state.hqs
        stacks = [(u,) for u in self.units]
        super().__init__(game.board, view.lore.contact, ours, fighters, stacks, starts, view.weights)
        stay = [[state.where[u]] for u in done]
        reach = [self._reach(u, crowded) if choices is None else 0 for u in movers]
        near = sum(1 << c for c in {*starts, *(c for row in choices or () for c in row)} if c >= 0)
        for cells in reach:
            near |= cells
        prey = view.foes & game.board.spread(near) & ~barred if armed else 0
        self.find_targets({cell: state.fighters_at(cell) for cell in each(prey)}, view.ground)
        wide, more = int(view.common["width"]), int(view.common["width_attack"])
        places = choices or [
            self.sift(n, r, int(view.common["width_hq"]) if self.hq[n] else wide, more, view.common["hint"])
            for n, r in enumerate(reach)
        ]
        terms: list[Term] = [self._command()]
        if choices is None and movers:
            terms.append(self._cuts(places))
        self.open([*places, *stay], {}, 0, view.cities, terms)

    def _reach(self, unit: int, crowded: bool) -> int:
        """Every hex that a unit can reach, by whatever movement."""
        found = within_reach(self.game, self.state, unit)
        if crowded:
            found = sum(1 << c for c in each(found) if has_room(self.game, self.state, unit, c))
        return found

    # Places

    def has_room(self, stack: int, there: int) -> bool:
        """5.0.1, 5.0.3"""
        full = there & self.state.hqs if self.hq[stack] else self._full(there)
        return not full and not there & self.game.barred[self.units[stack]]

    def _full(self, there: int) -> bool:
        return (there & self.fighters).bit_count() >= self.game.stacking

    def fits(self, stack: int, cell: int, there: int) -> bool:
        return self.has_room(stack, there)

    def stand(self, stack: int, cell: int) -> float:
        if cell < 0:
            return -100.0
        view, unit = self.view, self.units[stack]
        numbers, depth = view.numbers, view.depth[cell]
        if self.hq[stack]:
            value = -numbers["hq_goal"] * view.goal(cell) - numbers["hq_depth"] * depth
            return float(value - (view.common["hq_exposed"] if view.zones >> cell & 1 else 0.0))
        goal = max(0.0, view.goal(cell) - numbers["close"])
        mobile = self.game.units[unit].mechanised
        value = 0.0 if view.last else -numbers["goal_mobile" if mobile else "goal"] * goal
        value -= numbers["depth"] * view.weight(unit, self.state.steps[unit]) * depth * depth
        if not view.fed >> cell & 1:
            lost = points_for(self.game, self.state, unit) * view.common["counted_lost"] if view.last else 0.0
            value -= numbers["unsupplied"] + lost
        if view.threats.total[cell]:
            value -= numbers["shelter"] * view.lore.shift[cell]
        return float(value)

    def hold(self, cell: int, members: int) -> float:
        """What the hex and those on it risk: what the enemy's next attack would cost."""
        view, numbers = self.view, self.view.numbers
        fighters = members & self.fighters
        city = view.cities >> cell & 1
        value = 0.0
        if city and not fighters:
            value = view.empty_city(cell, bool(members))
        elif city and view.hostile_city(cell):
            value = view.swing
        if not fighters:
            alone = members and view.landing >> cell & 1
            return value - view.common["hq_alone"] if alone else value
        threat = view.threats.total[cell]
        if not threat:
            return value
        sides = 0.0
        for n, width in view.fronts(cell):
            if not self.at[n] & self.fighters:
                sides += width
        # Who has few friends about him and many enemies may find every way back barred.
        ringed = numbers["ringed"] * min(1.0, threat / (6 * view.crowd)) * sides / 6
        force, lore = view.force(fighters), view.lore
        column = lore.column(int(min(threat, sides * view.crowd)), int(force.strength), lore.shift[cell])
        if column < 0:
            return value
        ground = numbers["keep"] * view.swing if city else 0.0
        shut = not self.game.contact[cell] & view.ground & ~view.zones & ~view.foes  # 9.5.3
        loss = view.battle(fighters, column, shut, ground, numbers["yield"])
        if ringed and not shut:
            loss += ringed * (view.battle(fighters, column, True, ground, numbers["yield"]) - loss)
        return float(value - numbers["care"] * loss)

    # Attacks

    def bears(self, stack: int, cell: int, target: Target) -> float:
        across = 2 if (cell, target.cell) in self.game.data.rivers else 1
        return 0.0 if self.hq[stack] else self.strength[stack] / (across * self.hungry[stack])

    def defence(self, target: Target) -> float:
        return max(1.0, self.view.force(target.face).strength) * (1 - self.view.lore.shift[target.cell] / 4)

    def bait(self, stack: int, target: Target) -> float:
        base = self._battle(target, 3, 2)
        return base * min(1.0, self.strength[stack] / self.defence(target)) if not self.hq[stack] else 0.0

    def _battle(self, target: Target, column: int, exits: int) -> float:
        view, ground = self.view, self.view.prize(target.cell)
        driven = view.numbers["driven"]
        value = view.battle(target.face, column, not exits, ground, driven)
        if exits == 1:
            trapped = view.battle(target.face, column, True, ground, driven)
            value += view.common["nearly_shut"] * (trapped - value)
        return value

    def total_of(self, target: Target, attackers: Sequence[int]) -> int:
        """9.3.1 What shares a hex and a divisor is added up before it is divided."""
        rivers, cell = self.game.data.rivers, target.cell
        sums: dict[tuple[int, int], int] = {}
        for stack in attackers:
            here = self._place[stack]
            key = (here, 2 * self.hungry[stack] if (here, cell) in rivers else self.hungry[stack])
            sums[key] = sums.get(key, 0) + self.strength[stack]
        return sum(total // divisor for (_, divisor), total in sums.items())

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        """A little even while too few are there."""
        total, cheapest = self.total_of(target, attackers), min(self.price[s] for s in attackers)
        key = (total, cheapest, exits)
        found: float | None = target.memo.get(key)
        if found is None:
            numbers, defence = self.view.numbers, self.view.force(target.face).strength
            share = min(1.0, total / (3 * defence)) if defence else 0.0
            building = numbers["build_up"] * self._battle(target, 3, 2) * share
            found = target.memo[key] = max(0.0, building, self._attack(target, total, cheapest, exits))
        return found

    def _attack(self, target: Target, total: int, cheapest: float, exits: int) -> float:
        view = self.view
        column = view.lore.column(total, int(view.force(target.face).strength), view.lore.shift[target.cell])
        if column < 0 or not total:
            return 0.0
        value = view.numbers["attack"] * self._battle(target, column, exits)
        return float(value - view.lore.tolls[column] * cheapest)

    def clears(self, target: Target) -> float:
        defence = int(self.view.force(target.face).strength)
        attack, shift = self.total_of(target, target.attackers), self.view.lore.shift[target.cell]
        column = self.view.lore.column(attack, defence, shift)
        return clearing(self.view.lore.fates[column]) if column >= 0 else 0.0

    def blow(self, target: Target, attackers: Sequence[int]) -> float:
        cheapest = min(self.price[s] for s in attackers)
        return self._attack(target, self.total_of(target, attackers), cheapest, target.exits)

    # Supply of the enemy, command of ours

    def _cuts(self, places: Sequence[Sequence[int]]) -> Once:
        """Which enemies would lose their lines to one more zone of ours, those who move left out."""
        view, game, state, foe = self.view, self.game, self.state, self.view.foe
        theirs, ours = state.occupied[foe], state.fighters[view.side]
        still = sum(1 << c for c in each(ours) if state.fighters_at(c) & ~self.moving)
        covered = zones.zone(game.board, game.data.passable, still)

        def supplied(zone: int, held: int) -> int:
            may_pass = view.ground & ~held & ~(zone & ~theirs)
            return connected(game.board, game.data.dry, game.data.sources[foe], may_pass)

        before = supplied(covered, still)
        lines = before & ~theirs
        found: dict[int, list[int]] = {}
        reached = {c for n, row in enumerate(places) if not self.hq[n] for c in row if c >= 0}
        for cell in sorted({*reached, *each(ours)} - {*each(still)}):
            zone = game.contact[cell]
            if (zone & ~covered | 1 << cell) & lines:
                after = supplied(covered | zone, still | 1 << cell)
                cut = view.foes & before & ~after
                if cut:
                    found[cell] = [u for c in each(cut) for u in each(state.fighters_at(c))]
        worth, weight = [0.0] * len(game.units), view.weights.get("cut", 1.0)
        for unit in {u for units in found.values() for u in units}:
            if view.last:  # 14.0.1 he counts as lost
                worth[unit] = weight * points_for(game, state, unit) * view.numbers["sever_last"]
            else:
                worth[unit] = weight * view.weight(unit, state.steps[unit]) * view.numbers["sever"]
        return Once("cut", found, worth, each(ours), far=True)

    def _command(self) -> Command:
        game, state, side = self.game, self.state, self.view.side
        pool, hqs = (
            state.pool[side],
            [u for u in each(state.hqs & game.units_of[side]) if state.where[u] >= 0],
        )

        def office(hq: int) -> float:
            return 1.0 if pool >> game.chit_of[hq] & 1 else 0.4

        return Command(
            game.board.size,
            self.view.numbers["command"] * self.view.weights.get("command", 1.0),
            self.heads,
            {n: office(u) for n, u in enumerate(self.units) if self.hq[n]},
            lambda stack, cell: command_area(game, self.units[stack], cell),
            [(office(hq), command_area(game, hq, state.where[hq])) for hq in hqs],
            self.at.__getitem__,
            state.fighters[side],
        )

    def heads(self, members: int) -> float:
        """How much it matters that units are under command: the strong more than the weak."""
        found = self._heads.get(members)
        if found is None:
            units = [self.game.units[u] for u in each(members & self.fighters)]
            found = self._heads[members] = sum(0.5 + (u.attack + u.defence) / 16 for u in units)
        return found

    # What it is about

    def intent(self) -> Intent:
        view = self.view
        attacks = [target for _, target in self.attacks() if self.blow(target, target.attackers) > 0]
        for city in each(view.cities):
            if view.hostile_city(city):
                if self.at[city]:
                    return Intent("take-city", {"hex": city, "number": len(attacks)})
                if any(t.cell == city for t in attacks):
                    return Intent("assault-city", {"hex": city, "number": len(attacks)})
        if attacks:
            best = attacks[0]
            facts = {"hex": best.cell, "number": len(attacks), "units": tuple(each(best.face))}
            return Intent("attack" if best.exits else "cut-off", facts)
        moved = [n for n, start in enumerate(self._start) if self._place[n] != start and not self.hq[n]]
        if not moved:
            return Intent("hold-line", {"number": len(self.stacks)})
        votes = [min(each(view.wanted), key=lambda c: (view.lore.way[c][self._place[n]], c)) for n in moved]
        facts = {"hex": max(sorted(votes), key=votes.count), "number": len(moved)}
        back = sum(
            view.depth[self._place[n]] - view.depth[self._start[n]] for n in moved if self._start[n] >= 0
        )
        if view.side == AXIS:
            return Intent("fall-back" if back < 0 else "cover", facts)
        return Intent("advance", facts)
