"""A plan for games in which units move one by one, led by headquarters, towards places on the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from grognard.board.board import bits, each
from grognard.kernel.doctrine import Intent
from grognard.staff.battles import clearing
from grognard.staff.intents import attack_or_march, place_taken
from grognard.staff.memory import Remembered
from grognard.staff.plan import PlacementPlan, Target
from grognard.staff.terms import Term


class FrontPlan(PlacementPlan):
    """A stack is one unit. A game's plan is a subclass that answers the questions below. Its outlook has
    `zones`, `foes`, `depth`, `threats`, `last` besides what every outlook has, its lore `shift` and `tolls`;
    its doctrine has for each side `goal`, `goal_mobile`, `close`, `depth`, `shelter`, `hq_goal`, `hq_depth`,
    `driven`, `build_up`, `attack`, and in common `width`, `width_attack`, `width_hq`, `hint`, `hq_exposed`,
    `nearly_shut`."""

    friendly = True
    strength: Sequence[int]
    """Of each stack, for attacks."""
    hqs_take = False
    """Whether an HQ takes a place that it enters, too."""
    simple = False
    """Whether nobody thinks of where a beaten enemy could go."""
    ahead: Sequence[str]
    back: Sequence[str | None] = (None, None)
    """The codes of what each side does that goes to the places that matter, or back."""

    def __init__(
        self,
        view: Any,
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
        self.hq = [self.leads(u) for u in self.units]
        self._holding: dict[tuple[int, int, float], float] = {}
        self._fronts: Remembered[int, tuple[tuple[int, float], ...]] = Remembered(
            lambda cell: view.fronts(cell)
        )
        self._deep: Remembered[int, float] = Remembered(
            lambda unit: view.numbers["depth"] * view.weight(unit, view.steps_of(unit))
        )
        """What it costs a unit to be cut off for good."""
        self.price = [view.step(u) for u in self.units]
        self.arm()
        starts = [max(-1, state.where[u]) for u in self.units]
        near = bits(c for c in {*starts, *(c for row in choices or () for c in row)} if c >= 0)
        held = state.occupied[side]
        if not armed and not any(self.hq):
            # How a unit stands concerns nobody farther away than the neighbours of its neighbours.
            held &= game.board.within(each(near), 2)
        ours = {cell: state.at[cell] for cell in each(held)}
        stacks = [(u,) for u in self.units]
        fighters = self.combatants()
        super().__init__(game.board, view.lore.contact, ours, fighters, stacks, starts, view.weights)
        reach = [self.reach(u, crowded) if choices is None else 0 for u in movers]
        for cells in reach:
            near |= cells
        prey = view.foes & game.board.spread(near) & ~barred if armed else 0
        self.find_targets(self.faces(prey), self.escape())
        common = view.common
        wide, more, hint = int(common["width"]), int(common["width_attack"]), common["hint"]
        places = choices or [
            self.sift(n, cells, int(common["width_hq"]) if self.hq[n] else wide, more, hint)
            for n, cells in enumerate(reach)
        ]
        self._places = [*places, *([state.where[u]] for u in done)]
        moving = places if choices is None and movers else ()
        self.open(self._places, {}, 0, self.valued(), partial(self.further_terms, moving))

    # What a game supplies

    def leaders(self) -> int:
        """The units of both sides that hold no hex and attack nobody: HQs."""
        raise NotImplementedError

    def arm(self) -> None:
        """Make ready what attacks are worked out from, for `units`."""
        raise NotImplementedError

    def reach(self, unit: int, crowded: bool) -> int:
        """Every hex that a unit can reach, by whatever movement."""
        raise NotImplementedError

    def further_terms(self, places: Sequence[Sequence[int]]) -> list[Term]:
        """Terms besides places, hexes held and attacks. `places` are those of who moves, if anybody does."""
        return []

    def mobile(self, unit: int) -> bool:
        raise NotImplementedError

    def unfed(self, unit: int, cell: int) -> float:
        """What it costs a unit to stand where it would be out of supply."""
        return 0.0

    def cornered(self, cell: int) -> bool:
        """Whether there is no way back for whoever is beaten on a hex."""
        return False

    def divisor(self, stack: int, cell: int, target: Target) -> int:
        """What the strength of a stack is divided by that attacks a target from a hex."""
        raise NotImplementedError

    # What follows, but for games that know better

    def leads(self, unit: int) -> bool:
        """Whether it is an HQ."""
        return bool(self.leaders() >> unit & 1)

    def combatants(self) -> int:
        """Our units but for HQs, as a set."""
        return int(self.game.units_of[self.view.side]) & ~self.leaders()

    def faces(self, cells: int) -> Mapping[int, int]:
        """The enemies who could be attacked on some hexes, as sets."""
        return {cell: self.state.fighters_at(cell) for cell in each(cells)}

    def escape(self) -> int:
        """The hexes to which enemies could retreat if nobody of ours were there."""
        return int(self.view.ground)

    def prize(self, target: Target) -> float:
        """What it is worth to drive a target out of its hex."""
        return float(self.view.prize(target.cell))

    def bears(self, stack: int, cell: int, target: Target) -> float:
        return 0.0 if self.hq[stack] else self.strength[stack] / self.divisor(stack, cell, target)

    def mass(self, target: Target, attackers: Sequence[int]) -> int:
        """The strength of these stacks against a target, from where they are: what shares a hex and a divisor
        is added up before it is divided."""
        sums: dict[tuple[int, int], int] = {}
        for stack in attackers:
            here = self._place[stack]
            key = (here, self.divisor(stack, here, target))
            sums[key] = sums.get(key, 0) + self.strength[stack]
        return sum(total // divisor for (_, divisor), total in sums.items())

    def odds(self, attack: float, defenders: int, cell: int) -> int:
        """The column of an attack of this strength on some units on a hex; -1 if it cannot be made."""
        lore: Any = self.view.lore
        column: int = lore.column(int(attack), int(self.view.force(defenders).strength), lore.shift[cell])
        return column

    def column(self, target: Target, attackers: Sequence[int]) -> int:
        """The column of an attack by these stacks from where they are; -1 if it cannot be made."""
        attack = self.mass(target, attackers)
        return self.odds(attack, target.face, target.cell) if attack else -1

    @cached_property
    def _threat(self) -> Sequence[float]:
        found: Sequence[float] = self.view.threats.total
        return found

    def open_sides(self, cell: int, members: int) -> float:
        """From how many sides enemies could strike at a hex with these units: where no friends stand."""
        found, at, fighters = 0.0, self.at, self.fighters
        if members and self._threat[cell]:
            for n, width in self._fronts[cell]:
                if not at[n] or not at[n] & fighters:
                    found += width
        return found

    def valued(self) -> int:
        """Hexes worth something without anybody on them: places of ours."""
        return bits(self.view.prizes) & int(self.view.mine)

    def goal(self, stack: int, cell: int) -> float:
        """The points of march from a hex to the place that matters to a stack."""
        found: float = self.view.goal(cell)
        return found

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
        goal = max(0.0, self.goal(stack, cell) - numbers["close"])
        value = 0.0 if view.last else -numbers["goal_mobile" if self.mobile(unit) else "goal"] * goal
        value -= self._deep[unit] * depth * depth
        value -= self.unfed(unit, cell)
        if self._threat[cell]:
            value -= numbers["shelter"] * view.lore.shift[cell]
        return float(value)

    def hold(self, cell: int, members: int) -> float:
        """What a hex brings, and what those on it risk."""
        key = (cell, members, self.open_sides(cell, members))
        found = self._holding.get(key)
        if found is None:
            found = self._holding[key] = self._risked(*key)
        return found

    def _risked(self, cell: int, members: int, sides: float) -> float:
        view, fighters = self.view, members & self.fighters
        prize, mine = view.prizes.get(cell, 0.0), view.mine >> cell & 1
        if not fighters:
            value = view.empty(cell) if prize and mine else prize if members and self.hqs_take else 0.0
            alone = members and view.landing >> cell & 1
            return float(value - view.common["hq_alone"] if alone else value)
        value = 0.0 if mine else prize
        threat = view.threats.total[cell]
        if threat:
            value -= view.numbers["care"] * self.feared(cell, fighters, sides, threat)
        return float(value)

    def feared(self, cell: int, fighters: int, sides: float, threat: float) -> float:
        """What the enemy's next attack would cost. Who has few friends about him and many enemies may find
        every way back barred."""
        view, numbers, crowd = self.view, self.view.numbers, self.view.crowd
        column = self.odds(min(threat, sides * crowd), fighters, cell)
        if column < 0:
            return 0.0
        ringed = numbers["ringed"] * min(1.0, threat / (6 * crowd)) * sides / 6
        ground, shut = numbers["keep"] * view.prizes.get(cell, 0.0), self.cornered(cell)
        loss: float = view.battle(fighters, column, shut, ground, numbers["yield"])
        if ringed and not shut:
            loss += ringed * (view.battle(fighters, column, True, ground, numbers["yield"]) - loss)
        return loss

    def bait(self, stack: int, target: Target) -> float:
        if self.hq[stack]:
            return 0.0
        return self._battle(target, 3, 2) * min(1.0, self.strength[stack] / self.defence(target))

    def _battle(self, target: Target, column: int, exits: int) -> float:
        view, ground, driven = self.view, self.prize(target), self.view.numbers["driven"]
        exits = 2 if self.simple else exits
        value: float = view.battle(target.face, column, not exits, ground, driven)
        if exits == 1:
            trapped = view.battle(target.face, column, True, ground, driven)
            value += view.common["nearly_shut"] * (trapped - value)
        return value

    def assault(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        """A little even while too few are there."""
        mass, cheapest = self.mass(target, attackers), min(self.price[s] for s in attackers)
        key = (mass, cheapest, exits)
        found: float | None = target.memo.get(key)
        if found is None:
            numbers, defence = self.view.numbers, self.view.force(target.face).strength
            share = min(1.0, mass / (3 * defence)) if defence else 0.0
            building = numbers["build_up"] * self._battle(target, 3, 2) * share
            found = target.memo[key] = max(0.0, building, self._attack(target, attackers, exits))
        return found

    def _attack(self, target: Target, attackers: Sequence[int], exits: int) -> float:
        view, column = self.view, self.column(target, attackers)
        if column < 0:
            return 0.0
        value = view.numbers["attack"] * self._battle(target, column, exits)
        return float(value - view.lore.tolls[column] * min(self.price[s] for s in attackers))

    def blow(self, target: Target, attackers: Sequence[int]) -> float:
        return self._attack(target, attackers, target.exits)

    def clears(self, target: Target) -> float:
        column = self.column(target, target.attackers)
        return clearing(self.view.lore.fates[column]) if column >= 0 else 0.0

    def intent(self) -> Intent:
        """A place that is taken or attacked, else an attack, else where most of those who move are going."""
        view, prizes = self.view, self.view.prizes
        attacks = [target for _, target in self.attacks() if self.blow(target, target.attackers) > 0]
        takers = self.leaders() if self.hqs_take else 0
        ahead, back = self.ahead[view.side], self.back[view.side]
        taken = place_taken(self, prizes, view.mine, len(attacks), attacks, takers)
        return taken or attack_or_march(self, attacks, view.aims, view.lore.way, ahead, back)
