"""Stalingrad Roads as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from random import Random
from typing import TYPE_CHECKING

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.combat import Attack, why_not_join
from grognard.games.stalingrad_roads.rules.movement import Move, begin_movement
from grognard.games.stalingrad_roads.rules.odds import callable_markers, why_too_low, work_out_odds
from grognard.games.stalingrad_roads.rules.reach import flood, resting, way_to, within_reach
from grognard.games.stalingrad_roads.rules.stacking import has_room
from grognard.games.stalingrad_roads.rules.supports import Surprise
from grognard.games.stalingrad_roads.staff.answers import answers
from grognard.games.stalingrad_roads.staff.arms import arms
from grognard.games.stalingrad_roads.staff.lore import Lore
from grognard.games.stalingrad_roads.staff.outlook import Outlook
from grognard.games.stalingrad_roads.staff.plan import ALONE, FIGHT, RoadsPlan
from grognard.games.stalingrad_roads.state import RoadsState
from grognard.kernel import Action
from grognard.kernel.doctrine import Plan
from grognard.staff.doctrine import StaffDoctrine

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

REMEMBERED = 4
"""How many outlooks and prospects are remembered."""


class RoadsDoctrine(StaffDoctrine):
    """See grognard.kernel.doctrine.Doctrine."""

    simple: RoadsDoctrine
    """What a beginner knows, who thinks neither of lines of supply nor of the ring nor of the end, and lays
    markers for attacks that could be made from where everybody stands."""

    def __init__(self, game: StalingradRoads, lore: Lore, plain: bool = False) -> None:
        super().__init__(game, lore)
        self.game: StalingradRoads = game
        self.plain = plain
        if not plain:
            self.simple = RoadsDoctrine(game, lore, plain=True)
        self.answers = {**answers(self), **arms(self)}
        self._views: dict[Hashable, Outlook] = {}
        self._prospects: dict[Hashable, RoadsPlan] = {}

    def _position(self, state: RoadsState, side: int) -> tuple[Hashable, ...]:
        """What an outlook depends on, markers apart."""
        weather = (state.mud, state.rivers, state.clouds, state.pontoons)
        supply = (state.unsupplied, state.enclosed, state.level, state.full_power, state.retreated)
        places = (tuple(state.where), bytes(state.steps), state.soviet_hexes)
        return (side, state.scenario, state.turn, weather, supply, places)

    def view(self, state: RoadsState, side: int) -> Outlook:
        """Positions that are alike in what matters share an outlook."""
        key = (*self._position(state, side), state.markers)
        found = self._views.get(key)
        if found is None:
            if len(self._views) >= REMEMBERED:
                del self._views[next(iter(self._views))]
            found = self._views[key] = Outlook(self.lore, state, side, self.plain)
        found.state = state
        return found

    # Plans

    def plan_movement(self, state: RoadsState, side: int, crowded: bool = False) -> RoadsPlan | None:
        game, decision = self.game, self.game.decision(state)
        move = state.top(Move)
        if move is not None:
            if decision is None or decision.name != "move-units":
                return None
            cells = resting(game, state, move, flood(game, state, move).cells)
            free = [c for c in each(cells) if all(has_room(game, state, u, c) for u in move.units)]
            start = state.where[move.units[0]]
            return RoadsPlan(self.view(state, side), [move.units[0]], [[start, *free]])
        if decision is None or decision.name not in ("pick-unit", "pick-exploiter"):
            return None
        return self.plan_all(state, side, crowded)

    def plan_all(
        self, state: RoadsState, side: int, crowded: bool = False, view: Outlook | None = None
    ) -> RoadsPlan | None:
        """Everybody of a side who can move."""
        game = self.game
        own = game.units_of[side]
        exploiting = state.within("exploitation")
        ready = own & ~state.moved & (state.exploiting if exploiting else -1)
        movers = [u for u in each(ready) if state.where[u] >= 0 and within_reach(game, state, u)]
        if not movers:
            return None
        still = own & ~game.hqs & ~bits(movers) & (state.exploiting if exploiting else -1)
        done = [u for u in each(still) if state.where[u] >= 0]
        return RoadsPlan(view or self.view(state, side), movers, done=done, crowded=crowded)

    def prospect(self, state: RoadsState, side: int) -> RoadsPlan | None:
        """A quick plan of the movement that is to come, with the markers that now lie on the map. It is made
        without markers, so that it depends on the position alone."""
        if self.plain:
            return self.plan_still(state, side)
        then = state.clone()
        then.markers = ()
        key = self._position(then, side)
        plan = self._prospects.get(key)
        if plan is None:
            begin_movement(self.game, then)
            made = self.plan_all(then, side, view=Outlook(self.lore, then, side))
            if made is None:
                return None
            made.climb(2)
            if len(self._prospects) >= REMEMBERED:
                del self._prospects[next(iter(self._prospects))]
            plan = self._prospects[key] = made
        plan.arm(state)
        return plan

    def plan_combat(self, state: RoadsState, side: int) -> RoadsPlan:
        game, surprise = self.game, state.top(Surprise)
        units = game.units_of[side] & ~game.hqs & ~state.fought
        barred = state.attacked
        if surprise is not None:
            units, barred = state.fighters_at(surprise.cell) & state.surprised, 0
        elif state.within("exploitation"):
            units &= state.exploiting
        if state.sorties:
            units &= ~state.enclosed | state.sorties
        ready = [u for u in each(units) if state.where[u] >= 0]
        return RoadsPlan(self.view(state, side), (), (), done=ready, barred=barred, scope=FIGHT)

    def plan_still(self, state: RoadsState, side: int) -> RoadsPlan:
        units = [u for u in each(self.game.units_of[side] & ~self.game.hqs) if state.where[u] >= 0]
        return RoadsPlan(self.view(state, side), (), (), done=units)

    def plan_reply(self, state: RoadsState, side: int) -> RoadsPlan | None:
        """Those who stand near the enemy."""
        then = state.clone()
        then.active = side
        begin_movement(self.game, then)
        near = self.game.board.within(each(then.occupied[1 - side]), 4)
        able = [u for u in each(self.game.units_of[side]) if then.where[u] >= 0 and near >> then.where[u] & 1]
        movers = [u for u in able if within_reach(self.game, then, u)]
        return RoadsPlan(Outlook(self.lore, then, side, self.plain), movers) if movers else None

    def material(self, state: RoadsState, side: int) -> float:
        view = self.view(state, side)
        alive = [u for u in each(self.game.units_of[side]) if state.where[u] >= 0]
        return sum(view.weight(u, state.steps[u]) for u in alive)

    # Answers

    def march(self, state: RoadsState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        (unit,) = units
        game, move = self.game, state.top(Move)
        if not has_room(game, state, unit, cell):
            return None
        if move is None:
            return way_to(game, state, unit, cell)
        found = flood(game, state, move)
        if not found.cells >> cell & 1:
            return None
        return *(("step", there) for there in found.ways()[cell][1]), ("halt",)

    def plan_attack(self, state: RoadsState, side: int) -> Plan | None:
        """The most promising attack that the rules allow, with a marker of a hex that helps (5.5.2)."""
        game, plan = self.game, self.plan_combat(state, side)
        surprise = state.top(Surprise)
        start = -1 if surprise is None else surprise.cell
        for value, cell, stacks in self.attacks(plan, side):
            attack = Attack(cell, cell=start)
            for stack in sorted(stacks, key=lambda s: (-plan.strength[s], s)):
                if why_not_join(game, state, attack, plan.units[stack]) is None:
                    attack = attack._replace(attackers=(*attack.attackers, plan.units[stack]))
            air = callable_markers(game, state, side, cell, "attack", ())
            called = [i for i in air if game.supports[state.markers[i].kind].attack][:1]
            if not attack.attackers or game.refuse(state, ("target", cell), side) is not None:
                continue
            if why_too_low(work_out_odds(game, state, attack.attackers, cell, called), cell) is None:
                actions = list(self.announce(cell, attack.attackers))
                actions[-1:-1] = [("call-in", state.markers[i].kind) for i in called]
                return Plan(value, tuple(actions), tuple(sorted(attack.attackers)))
        return None

    def gains(self, view: Outlook, unit: int, cells: Iterable[int]) -> dict[int, float]:
        """How much better a unit stands on each hex than where it is."""
        cells, here = list(cells), max(-1, view.state.where[unit])
        plan = RoadsPlan(view, [unit], [[here, *cells]], scope=ALONE)
        fed = view.fed_hexes(unit)
        need = view.numbers["supply"] * view.weight(unit, view.state.steps[unit]) / 2
        now = fed >> here & 1 if here >= 0 else 0
        return {cell: plan.gain(0, cell) + need * ((fed >> cell & 1) - now) for cell in cells}

    def weigh(self, state: RoadsState, side: int, random: Random | None = None) -> Action | None:
        if state.top(Attack) is not None:
            options = self.game.options(state, side)
            return ("fight",) if ("fight",) in options else ("cancel",)
        return super().weigh(state, side, random)
