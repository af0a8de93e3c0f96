"""A Victory Lost as computer players are taught it. The numbers are in doctrine.toml."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from grognard.board.board import each
from grognard.games.a_victory_lost.advice import VictoryAdviser
from grognard.games.a_victory_lost.rules.advance import second_hexes
from grognard.games.a_victory_lost.rules.command import (
    can_be_activated,
    led_area,
    under_command,
    written_chits,
)
from grognard.games.a_victory_lost.rules.odds import attack_strength
from grognard.games.a_victory_lost.rules.reach import Move, way_to
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.staff.outlook import Lore, Outlook
from grognard.games.a_victory_lost.staff.plan import VictoryPlan
from grognard.games.a_victory_lost.state import AXIS, IN_BOX, VictoryState
from grognard.kernel import Action
from grognard.staff.answers import best_place, drawn, if_worth, most
from grognard.staff.doctrine import StaffDoctrine, seasoned
from grognard.staff.outlook import on_map
from grognard.staff.plan import PlacementPlan

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class VictoryDoctrine(StaffDoctrine):
    """See grognard.kernel.doctrine.Doctrine."""

    game: AVictoryLost
    outlook = Outlook
    plans, taking = VictoryPlan, ("pick", "pick")

    def __init__(self, game: AVictoryLost, numbers: dict[str, Any]) -> None:
        super().__init__(game, Lore(game, numbers))
        if "veteran" in numbers:
            self.seasoned = VictoryDoctrine(game, seasoned(numbers))
        self.adviser = VictoryAdviser(game)
        choice = self.numbers["plan"]["choice"]
        self.answers = {
            "take": drawn("take", [game.chit_index(name) for name in choice["five"]], choice["preferred"]),
            "select": self._select_chit,
            "plan": self._select_chit,
            "assault": if_worth("assault", self._assault),
            "play": most(lambda view, play: self._use_of_chit(view, play[1], 0)),
            # Manstein goes where most can be done.
            "lead": most(lambda view, lead: self._use_of_hq(view, lead[1], 0)),
            "lose": most(lambda view, lose: -view.step(lose[1])),
            # The strongest first, HQs when their units are there.
            "arrive": most(lambda view, arrive: attack_strength(game, view.state, arrive[1])),
            "fall-back": best_place(lambda view, back: (back[1], back[2:]), self.gains),
            "advance": best_place(self._advances, self.gains),
            "on": best_place(lambda view, on: (view.state.local.walker, on[1:]), self.gains),
            "bring": best_place(self._follows, self.gains),
            "reposition": best_place(lambda view, to: (view.state.displaced[0][0], to[1:]), self.gains),
            "detrain": best_place(lambda view, to: (view.state.local.unit, to[1:]), self.gains),
        }

    # Plans

    def plan_movement(self, state: VictoryState, side: int, crowded: bool = False) -> VictoryPlan | None:
        move = state.top(Move)
        if move is not None:
            places = [state.where[move.unit], *self.ways(state, ())]
            return VictoryPlan(self.view(state, side), [move.unit], [places])
        ready = each(state.activated & ~state.moved)
        movers = [u for u in ready if state.where[u] >= 0 or state.where[u] == IN_BOX]
        done = on_map(state, each(state.activated & state.moved & ~state.hqs))
        return VictoryPlan(self.view(state, side), movers, done=done, crowded=crowded) if movers else None

    def plan_combat(self, state: VictoryState, side: int) -> PlacementPlan:
        ready = on_map(state, each(state.activated & ~state.fought & ~state.hqs))
        return self.fight(self.view(state, side), ready, state.attacked)

    def plan_reply(self, state: VictoryState, side: int) -> VictoryPlan | None:
        """Those under command who stand near the enemy may all act before he does again."""
        near = led_area(self.game, state, side) & self.game.board.within(each(state.fighters[1 - side]), 3)
        movers = [u for cell in each(near & state.fighters[side]) for u in each(state.fighters_at(cell))]
        return VictoryPlan(self.view(state, side), movers) if movers else None

    def material(self, state: VictoryState, side: int) -> float:
        return float(state.points[side] + self.view(state, side).worth(each(self.game.units_of[side])))

    def march(self, state: VictoryState, units: tuple[int, ...], cell: int) -> tuple[Action, ...] | None:
        (unit,) = units
        if state.top(Move) is not None:
            ways = self.ways(state, ())
            return self.go(units, ways[cell].cells, in_hand=True) if cell in ways else None
        return way_to(self.game, state, unit, cell) if has_room(self.game, state, unit, cell) else None

    # Chits

    def _select_chit(self, view: Outlook, options: list[Action], _: Random | None) -> Action:
        """The chit that sets most in motion besides those selected already."""
        covered, picked = 0, written_chits(view.state.written(view.side), options[0][0])
        for chit in each(view.state.chosen[view.side] | picked):
            hq = self.game.chits[chit].hq
            if hq >= 0 and can_be_activated(view.state, hq):
                covered |= under_command(self.game, view.state, hq)
        return max(options, key=lambda option: self._use_of_chit(view, option[1], covered))

    def _use_of_chit(self, view: Outlook, chit: int, covered: int) -> float:
        game, state = self.game, view.state
        if game.manstein >> chit & 1:
            hqs = [hq for hq in each(state.hqs & game.units_of[AXIS]) if can_be_activated(state, hq)]
            return max((self._use_of_hq(view, hq, covered) for hq in hqs), default=0.0) + 0.5
        hq = game.chits[chit].hq
        return self._use_of_hq(view, hq, covered) if can_be_activated(state, hq) else 0.0

    def _use_of_hq(self, view: Outlook, hq: int, covered: int) -> float:
        """The strength that an HQ sets in motion, most of it near the enemy."""
        game, state, common = self.game, view.state, view.common
        total = 0.0
        for unit in each(under_command(game, state, hq)):
            value = attack_strength(game, state, unit) + 1.0
            cell = state.where[unit]
            if cell >= 0:
                near = game.board.within((cell,), max(2, game.movement[unit] // 3))
                if not near & view.foes and view.goal(cell) < common["marching"]:
                    value *= common["distant"]
            total += value * (common["twice"] if covered >> unit & 1 else 1.0)
        return total

    def _assault(self, view: Outlook, lead: Action) -> float:
        """What the attacks promise that an HQ can order."""
        ready = each(under_command(self.game, view.state, lead[1]) & ~view.state.hqs)
        plan = self.fight(view, on_map(view.state, ready))
        return sum(attack.value for attack in self.attacks(plan, view.side))

    # After combat

    def _advances(self, view: Outlook, advance: Action) -> tuple[int, tuple[int, ...]]:
        """9.6 Into the hex set free, or one hex on."""
        target, unit = view.state.local.target, advance[1]
        onward = second_hexes(self.game, view.state, unit, view.state.where[unit], target)
        return unit, (target, *onward)

    def _follows(self, view: Outlook, bring: Action) -> tuple[int, tuple[int, ...]]:
        """12.4 To where the unit has gone that it was stacked with."""
        return bring[1], (view.state.where[view.state.local.walker],)
