"""The planning table of A Victory Lost: everybody's place weighed as one plan.

What a plan is worth is a sum of small terms: how each unit stands by itself, what each hex it holds risks,
what each attack it makes possible promises, and whom the HQs command. A move changes few of them, so a look
at the table costs little; and a look is not repeated while nothing near it has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.command import command_area
from grognard.games.a_victory_lost.rules.odds import attack_strength
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.rules.victory import worth as points_for
from grognard.games.a_victory_lost.staff.outlook import Outlook
from grognard.games.a_victory_lost.staff.ways import within_reach
from grognard.games.a_victory_lost.state import AXIS, SUPPLIED
from grognard.kernel.doctrine import NEVER, Intent, Joint
from grognard.mechanics import zones
from grognard.mechanics.movement import connected

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.staff.outlook import Lore

NOBODY = 1e9
"""What it costs the attackers to lose a step when there are none."""


class Target:
    """An enemy stack and the attack being planned against it."""

    __slots__ = (
        "attackers",
        "base",
        "cell",
        "defence",
        "exits",
        "ground",
        "members",
        "memo",
        "shift",
        "slots",
        "sums",
        "total",
        "ways",
        "worth",
    )

    def __init__(self, view: Outlook, cell: int) -> None:
        game, lore = view.game, view.lore
        self.cell = cell
        self.members = view.state.fighters_at(cell)
        self.defence = view.stack(self.members).defence
        self.shift = lore.shift[cell]
        self.ground = view.prize(cell)
        self.ways = tuple(n for n in lore.contact[cell] if view.ground >> n & 1)
        """Hexes where the stack could retreat."""
        self.slots: dict[int, tuple[int, int]] = {}
        """For each hex next to it: which sum its attackers add to, and by what it is divided (1.3)."""
        for number, n in enumerate(lore.contact[cell]):
            self.slots[n] = (2 * number, 2 if (n, cell) in game.data.rivers else 1)
        self.sums = [0] * (2 * len(lore.contact[cell]))
        self.total = 0
        self.attackers: list[int] = []
        self.exits = 0
        self.base = view.battle(self.members, 3, False, self.ground, view.numbers["driven"])
        self.memo: dict[tuple[int, float, int], float] = {}
        self.worth = 0.0

    def with_one(self, unit: int, cell: int, strength: int, hungry: bool) -> int:
        """9.3.1 The attack strength with a unit more from a hex."""
        slot, divisor = self.slots[cell]
        if hungry:
            slot, divisor = slot + 1, 2 * divisor
        before = self.sums[slot]
        return self.total - before // divisor + (before + strength) // divisor

    def add(self, unit: int, cell: int, strength: int, hungry: bool, sign: int) -> None:
        slot, divisor = self.slots[cell]
        if hungry:
            slot, divisor = slot + 1, 2 * divisor
        before = self.sums[slot]
        self.sums[slot] = before + sign * strength
        self.total += self.sums[slot] // divisor - before // divisor
        if sign > 0:
            self.attackers.append(unit)
        else:
            self.attackers.remove(unit)


class VictoryPlan:
    """See grognard.kernel.doctrine.MovementPlan. Units move alone (8.1.1): a stack is one unit."""

    def __init__(
        self,
        view: Outlook,
        movers: Sequence[int],
        choices: Sequence[Sequence[int]] | None = None,
        done: Sequence[int] = (),
        armed: bool = True,
        crowded: bool = False,
    ) -> None:
        """`choices`, if given, are the hexes between which each mover chooses, the first where it stands.
        Those who are `done` stay, but can still attack; if they are not `armed`, nobody attacks. `crowded`
        keeps to hexes that have room as things are."""
        self.view = view
        self.lore: Lore = view.lore
        game, state, side = view.game, view.state, view.side
        self.game, self.state, self.side = game, state, side
        movers = [*movers, *done]
        free = len(movers) - len(done)
        if choices is not None:
            choices = [*choices, *([state.where[u]] for u in done)]
        self.stacks: list[tuple[int, ...]] = [(u,) for u in movers]
        self._units = list(movers)
        size = game.board.size
        self._at = [0] * size
        for cell in each(state.occupied[side]):
            self._at[cell] = state.at[cell]
        self._fighters = self._strip(~state.hqs)
        self._hold = bytearray(size)
        """Hexes with combat units of ours."""
        self._zoc = bytearray(size)
        for cell in each(state.fighters[side]):
            self._hold[cell] = 1
            for n in self.lore.contact[cell]:
                self._zoc[n] += 1
        self._standing = state.fighters[side]
        self._hq = [bool(state.hqs >> u & 1) for u in movers]
        self._strength = [attack_strength(game, state, u) if armed else 0 for u in movers]
        self._hungry = [state.supply[u] != SUPPLIED for u in movers]
        self._price = [
            view.weight(u, state.steps[u]) - view.weight(u, max(0, state.steps[u] - 1)) for u in movers
        ]
        self._head = [view.need_of_orders(u) for u in movers]
        self._stack_heads: dict[int, float] = {}
        self._cover = self._command()
        self._place = [max(-1, state.where[u]) for u in movers]
        self._start = list(self._place)
        self._aim = [-1] * len(movers)
        self._version = [0] * size
        self._clock = 0
        self._seen: list[dict[int, tuple[int, float, int]]] = [{} for _ in movers]
        self._lifted = -1
        self._leaving = 0.0
        self._wide: dict[int, tuple[int, ...]] = {}

        reaches = (
            [within_reach(game, state, u) if n < free else 0 for n, u in enumerate(movers)]
            if choices is None
            else None
        )
        near = 0
        if reaches is not None:
            for cells in reaches:
                near |= cells
        else:
            for row in choices or ():
                for cell in row:
                    if cell >= 0:
                        near |= 1 << cell
        for cell in self._place:
            if cell >= 0:
                near |= 1 << cell
        self._targets = [Target(view, c) for c in each(view.foes & game.board.spread(near))]
        self._facing: dict[int, list[int]] = {}
        """Targets that units on a hex could attack."""
        self._watching: dict[int, list[int]] = {}
        """Targets whose ways back a unit on a hex could bar."""
        for number, target in enumerate(self._targets):
            for n in target.slots:
                self._facing.setdefault(n, []).append(number)
            barred: set[int] = set()
            for way in target.ways:
                barred.add(way)
                barred.update(self.lore.contact[way])
            for n in sorted(barred):
                self._watching.setdefault(n, []).append(number)
            target.exits = self._exits(target)
        self._merit: list[dict[int, float]] = [{} for _ in movers]
        self._risk = [0.0] * size
        self._total = 0.0
        for cell in each(self._standing | state.occupied[side] | self.view.cities):
            self._risk[cell] = self._stand(cell, self._at[cell])
            self._total += self._risk[cell]
        self._crowded = crowded
        self._cuts: dict[int, int] = {}
        """Enemy units that a combat unit on a hex would cut off from supply, as sets."""
        self._cut_by: dict[int, int] = {}
        """How many of our hexes cut each of them off."""
        self._places: list[Sequence[int]] = []
        for number in range(len(movers)):
            if reaches is not None:
                self._places.append(self._sift(number, reaches[number]))
            elif choices is not None:
                self._places.append(list(choices[number]))
        if choices is None:
            self._find_cuts()
            for cell in each(self._standing):
                self._cut(cell, 1)
        for number, cell in enumerate(self._place):
            self._total += self._stay(number, cell)
        for cell in each(self._standing):
            if self._at[cell] & ~self._movers_mask():
                self._total += (
                    self._led(self._cover[cell])
                    * (self._at[cell] & ~self._movers_mask() & ~state.hqs).bit_count()
                )
        for number in range(len(movers)):
            if not self._hq[number]:
                # Whoever can attack from where he stands is counted on.
                self._take_aim(number)
        for seen in self._seen:
            seen.clear()  # what was seen while others had not aimed yet

    # The contract

    def places(self, stack: int) -> Sequence[int]:
        return self._places[stack]

    def place(self, stack: int) -> int:
        return self._place[stack]

    def worth(self) -> float:
        self._settle()
        return self._total

    def gain(self, stack: int, cell: int) -> float:
        if self._lifted != stack:
            self._settle()
            before = self._total
            self._lift(stack)
            self._leaving = self._total - before
        return self._leaving + self._arrival(stack, cell)[0]

    def put(self, stack: int, cell: int, target: int | None = None) -> None:
        if self._lifted != stack:
            self._settle()
            self._lift(stack)
        aim = -1
        if target is not None and not self._hq[stack]:
            aim = next((n for n in self._facing.get(cell, ()) if self._targets[n].cell == target), -1)
        if aim < 0:
            _, aim = self._arrival(stack, cell)
        self._move(stack, cell, aim)

    def save(self) -> tuple[tuple[int, int], ...]:
        return tuple(zip(self._place, self._aim, strict=True))

    def restore(self, saved: tuple[tuple[int, int], ...]) -> None:
        self._settle()
        for stack, (cell, aim) in enumerate(saved):
            if (self._place[stack], self._aim[stack]) != (cell, aim):
                self._lift(stack)
                self._move(stack, cell, aim)

    def _move(self, stack: int, cell: int, aim: int) -> None:
        """Set the lifted unit down for good."""
        old = self._place[stack]
        self._lifted = -1
        self._drop(stack, cell, aim)
        self._place[stack] = cell
        self._clock += 1
        self._touch(stack, old)
        self._touch(stack, cell)

    # Lifting a unit and setting it down

    def _settle(self) -> None:
        """Put back whoever has been lifted to look at other places for him."""
        if self._lifted >= 0:
            stack, self._lifted = self._lifted, -1
            self._drop(stack, self._place[stack], self._aim[stack])

    def _touch(self, stack: int, cell: int) -> None:
        if cell < 0:
            return
        clock, version = self._clock, self._version
        if self._hq[stack]:
            for n in each(command_area(self.game, self._units[stack], cell)):
                version[n] = clock
        wide = self._wide.get(cell)
        if wide is None:
            wide = self._wide[cell] = tuple(each(self.game.board.within((cell,), 4)))
        for n in wide:
            version[n] = clock
        if cell in self._cuts:
            for n in self._cuts:
                version[n] = clock

    def _lift(self, stack: int) -> None:
        self._lifted = stack
        cell = self._place[stack]
        self._total -= self._stay(stack, cell)
        if cell < 0:
            return
        bit = 1 << self._units[stack]
        if self._hq[stack]:
            self._at[cell] ^= bit
            self._spread_command(stack, cell, -1)
            self._look_at(cell)
            return
        aim = self._aim[stack]
        if aim >= 0:
            self._targets[aim].add(stack, cell, self._strength[stack], self._hungry[stack], -1)
            self._reckon(aim)
        self._at[cell] ^= bit
        if not self._at[cell] & self._fighters:
            self._hold[cell] = 0
            self._standing ^= 1 << cell
            for n in self.lore.contact[cell]:
                self._zoc[n] -= 1
            if cell in self._cuts:
                self._cut(cell, -1)
            self._look_round(cell)
        self._look_at(cell)

    def _drop(self, stack: int, cell: int, aim: int) -> None:
        self._aim[stack] = aim
        self._total += self._stay(stack, cell)
        if cell < 0:
            return
        bit = 1 << self._units[stack]
        if self._hq[stack]:
            self._at[cell] |= bit
            self._spread_command(stack, cell, 1)
            self._look_at(cell)
            return
        self._at[cell] |= bit
        if not self._hold[cell]:
            self._hold[cell] = 1
            self._standing |= 1 << cell
            for n in self.lore.contact[cell]:
                self._zoc[n] += 1
            if cell in self._cuts:
                self._cut(cell, 1)
            self._look_round(cell)
        self._look_at(cell)
        if aim >= 0:
            self._targets[aim].add(stack, cell, self._strength[stack], self._hungry[stack], 1)
            self._reckon(aim)

    def _look_at(self, cell: int) -> None:
        value = self._stand(cell, self._at[cell])
        self._total += value - self._risk[cell]
        self._risk[cell] = value

    def _look_round(self, cell: int) -> None:
        """What changes for others when a hex is held, or no longer."""
        for n in self.lore.contact[cell]:
            if self._hold[n]:
                self._look_at(n)
        for number in self._watching.get(cell, ()):
            self._targets[number].exits = self._exits(self._targets[number])
            self._reckon(number)

    def _reckon(self, number: int) -> None:
        target = self._targets[number]
        value = self._promise(target, target.total, self._cheapest(target), target.exits)
        self._total += value - target.worth
        target.worth = value

    def _take_aim(self, stack: int) -> None:
        self._settle()
        self._lift(stack)
        _, aim = self._arrival(stack, self._place[stack])
        self._lifted = -1
        self._drop(stack, self._place[stack], aim)

    # The terms

    def _arrival(self, stack: int, cell: int) -> tuple[float, int]:
        """What the lifted unit adds on a hex, and what it attacks from there."""
        if cell < 0:
            return self._stay(stack, cell), -1
        seen = self._seen[stack]
        known = seen.get(cell)
        if known is not None and known[0] >= self._version[cell]:
            return known[1], known[2]
        value, aim = self._hq_arrives(stack, cell) if self._hq[stack] else self._fighter_arrives(stack, cell)
        if not self._hq[stack]:
            seen[cell] = (self._clock, value, aim)
        return value, aim

    def _hq_arrives(self, stack: int, cell: int) -> tuple[float, int]:
        unit = self._units[stack]
        here = self._at[cell]
        if here & (self.state.hqs | self.game.barred[unit]):
            return NEVER, -1
        value = self._stay(stack, cell) + self._stand(cell, here | 1 << unit) - self._risk[cell]
        weight = self._office(unit)
        for n in each(command_area(self.game, unit, cell) & self._standing):
            before = self._cover[n]
            value += self._heads(self._at[n]) * (self._led(before + weight) - self._led(before))
        return value, -1

    def _fighter_arrives(self, stack: int, cell: int) -> tuple[float, int]:
        unit = self._units[stack]
        here = self._at[cell]
        company = here & self._fighters
        if here & self.game.barred[unit] or company.bit_count() >= self.game.stacking:
            return NEVER, -1
        value = self._stay(stack, cell)
        hold = self._hold
        watching = self._watching.get(cell)
        if company:
            value += self._stand(cell, here | 1 << unit) - self._risk[cell]
            watching = None
        else:
            hold[cell] = 1
            value += self._stand(cell, here | 1 << unit) - self._risk[cell]
            contact = self.lore.contact[cell]
            for n in contact:
                if hold[n]:
                    value += self._stand(n, self._at[n]) - self._risk[n]
            if watching:
                zoc = self._zoc
                for n in contact:
                    zoc[n] += 1
            if cell in self._cuts:
                for enemy in each(self._cuts[cell]):
                    if not self._cut_by.get(enemy):
                        value += self.view.severed(enemy)
        aim, best = -1, 0.0
        facing = self._facing.get(cell)
        if watching:
            for number in watching:
                target = self._targets[number]
                exits = self._exits(target)
                if exits != target.exits:
                    value += self._promise(target, target.total, self._cheapest(target), exits) - target.worth
        if facing:
            strength, hungry, price = self._strength[stack], self._hungry[stack], self._price[stack]
            for number in facing:
                target = self._targets[number]
                exits = target.exits if company else self._exits(target)
                total = target.with_one(stack, cell, strength, hungry)
                cheapest = self._cheapest(target)
                without = (
                    target.worth
                    if exits == target.exits
                    else self._promise(target, target.total, cheapest, exits)
                )
                extra = self._promise(target, total, min(price, cheapest), exits) - without
                if extra > best:
                    aim, best = number, extra
        if not company:
            hold[cell] = 0
            if watching:
                for n in contact:
                    zoc[n] -= 1
        return value + best, aim

    def _cheapest(self, target: Target) -> float:
        least = NOBODY
        for stack in target.attackers:
            if self._price[stack] < least:
                least = self._price[stack]
        return least

    def _exits(self, target: Target) -> int:
        """How many ways back are open: 0, 1 or 2 for more."""
        zoc, hold = self._zoc, self._hold
        count = 0
        for n in target.ways:
            if not zoc[n] and not hold[n]:
                count += 1
                if count == 2:
                    break
        return count

    def _promise(self, target: Target, total: int, cheapest: float, exits: int) -> float:
        """What an attack is expected to bring; a little even while too few are there for one."""
        if not total:
            return 0.0
        key = (total, cheapest, exits)
        found = target.memo.get(key)
        if found is not None:
            return found
        view = self.view
        numbers = view.numbers
        defence = target.defence
        share = min(1.0, total / (3 * defence)) if defence else 0.0
        found = numbers["build_up"] * target.base * share
        column = self.lore.column(total, defence, target.shift)
        if column >= 0:
            driven = numbers["driven"]
            value = view.battle(target.members, column, exits == 0, target.ground, driven)
            if exits == 1:
                trapped = view.battle(target.members, column, True, target.ground, driven)
                value += view.common["nearly_shut"] * (trapped - value)
            value = numbers["attack"] * value - view.toll(column) * cheapest
            if value > found:
                found = value
        target.memo[key] = found
        return found

    def _stand(self, cell: int, members: int) -> float:
        """What a hex risks with these units of ours on it: what the enemy's next attack would cost."""
        view = self.view
        fighters = members & self._fighters
        city = view.cities >> cell & 1
        value = 0.0
        if city:
            if not fighters:
                value = view.empty_city(cell, bool(members))
            elif view.hostile_city(cell):
                value = view.swing
        if not fighters:
            if members and view.landing >> cell & 1:
                value -= view.common["hq_alone"]
            return value
        threat = view.threat[cell]
        if not threat:
            return value
        hold = self._hold
        sides = 0.0
        for n, width in view.fronts(cell):
            if not hold[n]:
                sides += width
        cap = sides * view.crowd
        # Who has few friends about him and many enemies may find every way back barred.
        ringed = view.numbers["ringed"] * min(1.0, threat / (6 * view.crowd)) * sides / 6
        if cap < threat:
            threat = cap
        stack = view.stack(fighters)
        column = self.lore.column(int(threat), stack.defence, self.lore.shift[cell])
        if column < 0:
            return value
        ground = view.numbers["keep"] * view.swing if city else 0.0
        yielding = view.numbers["yield"]
        shut = not view.has_exit(cell)
        loss = view.battle(fighters, column, shut, ground, yielding)
        if ringed and not shut:
            loss += ringed * (view.battle(fighters, column, True, ground, yielding) - loss)
        return value - view.numbers["care"] * loss

    def _stay(self, stack: int, cell: int) -> float:
        """How a unit stands by itself, whoever else is about; the command it is under included."""
        merit = self._merit[stack]
        value = merit.get(cell)
        if value is None:
            value = merit[cell] = self._judge(stack, cell)
        if cell >= 0 and not self._hq[stack]:
            value += self._led(self._cover[cell]) * self._head[stack]
        return value

    def _judge(self, stack: int, cell: int) -> float:
        view, unit = self.view, self._units[stack]
        if cell < 0:
            return -100.0
        numbers = view.numbers
        depth = view.depth[cell] / view.common["deepest"]
        last = view.turns_left <= 0
        if self._hq[stack]:
            value = -numbers["hq_goal"] * view.goal[cell] - numbers["hq_depth"] * depth
            if view.zones >> cell & 1:
                value -= view.common["hq_exposed"]
            return value
        goal = max(0.0, view.goal[cell] - numbers["close"])
        mobile = self.game.units[unit].mechanised
        value = 0.0 if last else -numbers["goal_mobile" if mobile else "goal"] * goal
        value -= numbers["depth"] * view.weight(unit, self.state.steps[unit]) * depth * depth
        if not view.fed >> cell & 1:
            value -= numbers["unsupplied"]
            if last:
                value -= points_for(self.game, self.state, unit) * view.common["counted_lost"]
        if view.threat[cell]:
            value -= numbers["shelter"] * self.lore.shift[cell]
        return value

    def _led(self, cover: float) -> float:
        return self.view.numbers["command"] * cover / (0.7 + cover)

    # Supply of the enemy

    def _find_cuts(self) -> None:
        """Which enemies would lose their lines to one more zone of ours, those who move left out."""
        view, game, state = self.view, self.game, self.state
        foe = view.foe
        still = 0
        movers = self._movers_mask()
        for cell in each(state.fighters[self.side]):
            if state.fighters_at(cell) & ~movers:
                still |= 1 << cell
        theirs = state.occupied[foe]
        ours = zones.zone(game.board, game.data.passable, still)
        sources = game.data.sources[foe]

        def supplied(zone_: int, held: int) -> int:
            may_pass = view.ground & ~held & ~(zone_ & ~theirs)
            return connected(game.board, game.data.dry, sources, may_pass)

        before = supplied(ours, still)
        lines = before & ~theirs
        candidates = still
        for number, places in enumerate(self._places):
            if not self._hq[number]:
                for cell in places:
                    if cell >= 0:
                        candidates |= 1 << cell
        fed = [cell for cell in each(view.foes) if before >> cell & 1]
        for cell in each(candidates & ~still):
            zone_ = game.contact[cell]
            if not (zone_ & ~ours | 1 << cell) & lines:
                continue
            after = supplied(ours | zone_, still | 1 << cell)
            if after == before & ~(zone_ & ~theirs) & ~(1 << cell):
                continue
            cut = 0
            for there in fed:
                if not after >> there & 1:
                    cut |= state.fighters_at(there)
            if cut:
                self._cuts[cell] = cut

    def _cut(self, cell: int, sign: int) -> None:
        for enemy in each(self._cuts.get(cell, 0)):
            before = self._cut_by.get(enemy, 0)
            self._cut_by[enemy] = before + sign
            if not before or not before + sign:
                self._total += sign * self.view.severed(enemy)

    # HQs

    def _office(self, hq: int) -> float:
        """How much an HQ's command counts: more if its chit can be drawn."""
        return 1.0 if self.state.pool[self.side] >> self.game.chit_of[hq] & 1 else 0.4

    def _heads(self, members: int) -> float:
        """How much it matters that the units of a stack are under command: the strong more than the weak."""
        found = self._stack_heads.get(members)
        if found is None:
            found = sum(self.view.need_of_orders(u) for u in each(members & self._fighters))
            self._stack_heads[members] = found
        return found

    def _command(self) -> list[float]:
        """How much command reaches every hex. Who obeys whom (7.3.5) is left out."""
        cover = [0.0] * self.game.board.size
        game, state = self.game, self.state
        for hq in each(state.hqs & game.units_of[self.side]):
            if state.where[hq] >= 0:
                for cell in each(command_area(game, hq, state.where[hq])):
                    cover[cell] += self._office(hq)
        return cover

    def _spread_command(self, stack: int, cell: int, sign: int) -> None:
        unit = self._units[stack]
        weight = sign * self._office(unit)
        for n in each(command_area(self.game, unit, cell)):
            before = self._cover[n]
            after = self._cover[n] = before + weight
            if self._hold[n]:
                self._total += self._heads(self._at[n]) * (self._led(after) - self._led(before))

    # Where a unit might go

    def _strip(self, mask: int) -> int:
        return self.game.units_of[self.side] & mask

    def _movers_mask(self) -> int:
        total = 0
        for unit in self._units:
            total |= 1 << unit
        return total

    def _sift(self, stack: int, cells: int) -> list[int]:
        """The places worth looking at: those that are good by themselves or promise an attack."""
        start = self._place[stack]
        view = self.view
        hq = self._hq[stack]
        scored: list[tuple[float, int]] = []
        for cell in each(cells):
            if cell == start or (
                self._crowded and not has_room(view.game, self.state, self._units[stack], cell)
            ):
                continue
            score = self._stay(stack, cell) if not hq else self._hq_arrives(stack, cell)[0]
            if not hq:
                for number in self._facing.get(cell, ()):
                    target = self._targets[number]
                    hint = target.base * min(1.0, self._strength[stack] / max(1, target.defence))
                    score += view.common["hint"] * hint
                if view.cities >> cell & 1:
                    score += view.swing
            scored.append((-score, cell))
        scored.sort()
        width = int(view.common["width_hq" if hq else "width"])
        found = [cell for _, cell in scored[:width]]
        # Nobody who could come to an attack is overlooked.
        facing = [cell for _, cell in scored[width:] if cell in self._facing]
        return [start, *found, *facing[: int(view.common["width_attack"])]]

    def concentrations(self) -> Sequence[Joint]:
        """For each enemy stack the strongest who can come together against it."""
        self._settle()
        coming: dict[int, list[tuple[int, int]]] = {}
        for stack, places in enumerate(self._places):
            if self._hq[stack]:
                continue
            for cell in places:
                for number in self._facing.get(cell, ()):
                    coming.setdefault(number, []).append((stack, cell))
        found: list[tuple[float, int, Joint]] = []
        for number, ways in sorted(coming.items()):
            joint, total = self._gather(number, ways)
            target = self._targets[number]
            column = self.lore.column(total, target.defence, target.shift)
            if column < 1 or len(joint) < 2:
                continue
            driven = self.view.numbers["driven"]
            value = self.view.battle(target.members, column, target.exits == 0, target.ground, driven)
            found.append((target.worth - value, number, Joint(target.cell, tuple(joint))))
        found.sort(key=lambda item: item[:2])
        return [joint for _, _, joint in found]

    def _gather(self, number: int, ways: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], int]:
        target = self._targets[number]
        strength = self._strength
        ways = sorted(ways, key=lambda w: (-(strength[w[0]] // target.slots[w[1]][1]), self._price[w[0]], w))
        enough = (4 - target.shift) * max(1, target.defence)
        room: dict[int, int] = {}
        used: set[int] = set()
        joint: list[tuple[int, int]] = []
        total = 0
        for stack, cell in ways:
            if stack in used:
                continue
            if cell not in room:
                others = self._at[cell] & self._fighters
                for mate in ways:
                    if self._place[mate[0]] == cell:
                        others &= ~(1 << self._units[mate[0]])
                room[cell] = self.game.stacking - others.bit_count()
            if room[cell] <= 0:
                continue
            room[cell] -= 1
            used.add(stack)
            joint.append((stack, cell))
            total += strength[stack] // target.slots[cell][1]
            if total >= enough:
                break
        return joint, total

    # What it is about

    def attacks(self) -> list[Target]:
        """The attacks planned, the most promising first."""
        self._settle()
        good = [
            t
            for t in self._targets
            if t.attackers and self.lore.column(t.total, t.defence, t.shift) >= 0 and t.worth > 0
        ]
        return sorted(good, key=lambda t: (-t.worth, t.cell))

    def intent(self) -> Intent:
        attacks = self.attacks()
        view = self.view
        for city in each(view.cities):
            if view.hostile_city(city):
                if self._at[city]:
                    return Intent("take-city", {"hex": city, "number": len(attacks)})
                if any(t.cell == city for t in attacks):
                    return Intent("assault-city", {"hex": city, "number": len(attacks)})
        if attacks:
            best = attacks[0]
            code = "cut-off" if best.exits == 0 else "attack"
            return Intent(
                code, {"hex": best.cell, "number": len(attacks), "units": tuple(each(best.members))}
            )
        moved = [s for s in range(len(self.stacks)) if self._place[s] != self._start[s] and not self._hq[s]]
        goal = self._nearest_goal(moved)
        if not moved:
            return Intent("hold-line", {"number": len(self.stacks)})
        back = sum(
            view.depth[self._place[s]] - view.depth[self._start[s]] for s in moved if self._start[s] >= 0
        )
        if self.side == AXIS:
            return Intent("fall-back" if back < 0 else "cover", {"hex": goal, "number": len(moved)})
        return Intent("advance", {"hex": goal, "number": len(moved)})

    def _nearest_goal(self, moved: Sequence[int]) -> int:
        """The city that most of those who move are nearest to."""
        votes: dict[int, int] = {}
        cities = self.view.wanted
        for stack in moved:
            cell = self._place[stack]
            city = min(each(cities), key=lambda c: (self.lore.way[c][cell], c))
            votes[city] = votes.get(city, 0) + 1
        return max(sorted(votes), key=lambda c: votes[c]) if votes else min(each(cities))
