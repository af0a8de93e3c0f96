"""Leningrad as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from grognard.board.board import bits, each
from grognard.games.leningrad.advice import LeningradAdviser
from grognard.games.leningrad.rules import combat, reach, reinforcements
from grognard.games.leningrad.rules.battle import Battle, corps_involved
from grognard.games.leningrad.rules.movement import MovingStack
from grognard.games.leningrad.staff.outlook import FAR, Foe, Lore, Outlook
from grognard.games.leningrad.staff.plan import LeningradPlan
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState, members
from grognard.kernel import Action
from grognard.kernel.doctrine import Plan
from grognard.staff.answers import most
from grognard.staff.doctrine import StaffDoctrine

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


LEAST = 3
"""With fewer times the defence nobody overruns."""


class LeningradDoctrine(StaffDoctrine):
    """See grognard.kernel.doctrine.Doctrine."""

    game: Leningrad
    lore: Lore
    outlook = Outlook
    traits = ("where", "steps", "rating")
    taking, losing = ("pick", "add"), "lose"

    def __init__(self, game: Leningrad, numbers: Mapping[str, Any]) -> None:
        super().__init__(game, Lore(game, numbers))
        self.adviser = LeningradAdviser(game)
        self.answers = {
            "fortify": most(lambda view, fort: self._fort_value(view.state, fort[1])),
            "interdict": lambda view, options, random: ("end",),
            # 17.3 who has to attack does so against the weakest, all together
            "choose-target": most(lambda view, aim: -Foe(view, aim[1]).expected),
            "build-attack": most(lambda view, join: 0.0),
            "regenerate": most(lambda view, back: view.weight(back[1], 2) - view.step(back[1])),
            "commit": self._commit_air,
            **dict.fromkeys(("lose", "retreat", "fall-back", "advance"), self.try_out),
        }
        self.goes_on = {"lose-or-retreat": self.lose_cheapest, "fall-back": self.stand_best}

    # Plans

    def plan_movement(self, state: LeningradState, side: int, crowded: bool = False) -> LeningradPlan | None:
        view, in_hand = self.view(state, side), state.top(MovingStack)
        if in_hand is not None and in_hand.units:
            stacks = [in_hand.units]
        else:
            # The foremost Germans first, the rearmost Soviets.
            sign = 1 if side == GERMAN else -1
            ready = [u for u in view.troops(side) if not state.done >> u & 1]
            ready.sort(key=lambda u: (sign * view.way.get(state.where[u], FAR), u))
            free = bits(u for u in ready if not view.zones >> state.where[u] & 1 and not crowded)
            whole = {u: corps for corps in self._corps(state, free) for u in corps}
            stacks = list(dict.fromkeys(whole.get(u, (u,)) for u in ready))
        places = [self._places(state, units, crowded) for units in stacks]
        for unit in reinforcements.due(self.game, state, side) if in_hand is None else ():
            entries = reinforcements.entry_hexes(self.game, state, unit)
            if entries:
                stacks.append((unit,))
                places.append([-1, *entries])
        return LeningradPlan(view, stacks, places, view.foes, lines=True) if stacks else None

    def _corps(self, state: LeningradState, units: int) -> list[tuple[int, ...]]:
        """The panzer corps that stand together, all of them among some units."""
        found = [corps for corps in self.game.corps if not bits(corps) & ~units]
        return [corps for corps in found if len({state.where[u] for u in corps}) == 1]

    def _places(self, state: LeningradState, units: tuple[int, ...], crowded: bool) -> list[int]:
        here = state.where[units[0]]
        if self.game.soviets_surprised(state, self.game.side(units[0])):
            return [here, *self._forced(state, units)]
        full = reach.full_hexes(self.game, state, units) if crowded else 0
        return [here, *each(reach.within_reach(self.game, state, units, full))]

    def _forced(self, state: LeningradState, units: tuple[int, ...]) -> list[int]:
        """17.2 Where the surprised may halt: next to a German or, if they reach none, as far as they get."""
        ways = self.ways(state, () if state.doing("move") else units)
        least = min((way.points_left for way in ways.values()), default=0)
        zones = self.view(state, SOVIET).zones
        contact = [cell for cell in ways if zones >> cell & 1]
        return contact or [cell for cell, way in ways.items() if way.points_left == least]

    def march(self, state: LeningradState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        game = self.game
        if state.where[units[0]] < 0:
            refused = reinforcements.why_not_enter(game, state, units[0], cell)
            return None if refused is not None else (("enter", units[0], cell), ("halt",))
        in_hand = state.doing("move")
        way: Sequence[int] | None = reach.way_to(game, state, units, cell)
        if game.soviets_surprised(state, game.side(units[0])):
            ways = self.ways(state, () if in_hand else units)
            way = ways[cell].cells if cell in ways else None
        return None if way is None else self.go(units, way, in_hand)

    def plan_combat(self, state: LeningradState, side: int) -> LeningradPlan:
        view = self.view(state, side)
        able = 0
        for cell in each(state.occupied[side] & view.zones):
            able |= state.at[cell] & ~state.fought
        whole = self._corps(state, able)
        alone = able & ~bits(u for corps in whole for u in corps)
        stacks = [*whole, *((unit,) for unit in members(alone))]
        targets = bits(cell for cell in each(view.foes) if combat.may_be_attacked(state, cell))
        return LeningradPlan(view, stacks, [[state.where[units[0]]] for units in stacks], targets)

    def plan_still(self, state: LeningradState, side: int) -> LeningradPlan:
        return self.plan_reply(state, side, still=True)

    def plan_reply(self, state: LeningradState, side: int, still: bool = False) -> LeningradPlan:
        view = self.view(state, side)
        stacks = [(u,) for u in view.troops(side)]
        cells = [0 if still else reach.within_reach(self.game, state, units, 0) for units in stacks]
        places = [[state.where[u], *each(there)] for (u,), there in zip(stacks, cells, strict=True)]
        return LeningradPlan(view, stacks, places, view.foes)

    # Overruns

    def strikes(self, state: LeningradState, side: int) -> Iterator[Plan]:
        """7.0 By a panzer corps or the mobile units of one hex."""
        game, price = self.game, 2 * self.game.data.numbers["overrun_cost"]
        plan = self.plan_combat(state, side)
        for units in self._overrunners(state, side, price):
            here, reached = state.where[units[0]], reach.with_points_left(game, state, units, price)
            for target, cells, gain in plan.overruns(units, reached, LEAST):
                spot = each(cells & ~target.face.rivers or cells)[0]
                way = () if here == spot else reach.way_to(game, state, units, spot)
                if way is not None and gain >= plan.view.numbers["overrun"]:
                    yield Plan(gain, (*self.go(units, way)[:-1], ("overrun", target.cell)), units)

    def _overrunners(self, state: LeningradState, side: int, price: int) -> Iterator[tuple[int, ...]]:
        game, able = self.game, ~state.done & ~state.moved
        for cell in each(state.occupied[side]) if not game.soviets_surprised(state, side) else ():
            ready = [u for u in members(state.at[cell] & able) if game.movement[u] >= price]
            yield from (c for c in game.corps if len(c) > 1 and all(u in ready for u in c))
            mobile = tuple(u for u in ready if game.costs[u] is game.mobile_costs)
            if 1 < len(mobile) <= game.stacking and mobile not in game.corps:
                yield mobile

    # Small decisions

    def _fort_value(self, state: LeningradState, cell: int) -> float:
        """15.0 The heart of the city first, then the rest of it, held and near other parts of it."""
        game = self.game
        city = 40 if cell in game.victory(state).objectives else 30 * (game.leningrad_set >> cell & 1)
        near = 2 * (game.contact[cell] & game.leningrad_set).bit_count()
        held, away = state.occupied[SOVIET] >> cell & 1, self.lore.ways[state.scenario].get(cell, FAR)
        return city + near + 4 * held - away

    def _commit_air(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        """13.1 All or nothing: the aircraft go to the battle where they change most."""
        battle: Battle = view.state.local
        if battle.overrun or self.game.side(battle.attackers[0]) != view.side:
            return ("commit", 0 if battle.overrun else view.state.air_ready)
        plan = self.plan_combat(view.state, view.side)
        others = [plan.lifted(attack, view.state.air_ready) for attack in self.attacks(plan, view.side)]
        foe = Foe(plan.view, battle.targets[0], battle.defenders)
        corps = corps_involved(self.game, view.state, battle.attackers)
        gain = plan.lifted_at(foe, battle.targets[0], battle.attackers, corps, view.state.air_ready)
        return ("commit", view.state.air_ready if gain >= max(others, default=0.0) else 0)

    def nobody(self, view: Outlook) -> LeningradPlan:
        return LeningradPlan(view, (), (), 0)
