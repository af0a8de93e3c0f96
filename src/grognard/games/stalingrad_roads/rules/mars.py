"""6 Operation Mars, on a track of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.stalingrad_roads.rules.approval import approve
from grognard.games.stalingrad_roads.state import AVAILABLE, SOVIET, STAVKA, RoadsState
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.dice import TWO_D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

MOST_SPENT = 2


def mars_goes_on(game: StalingradRoads, state: RoadsState) -> Flow:
    """6.1.1, 6.1.2, 6.1.3 From NOV IV to DEC III, unless it has collapsed or broken through."""
    turns = game.data.turn_of
    if "6" in game.plan(state).left_out or state.mars_over:
        return RETURN
    if not turns["NOV IV"] <= state.turn <= turns["DEC III"]:
        return RETURN
    state.local = 0
    return None


class SpendOnMars(Decision["StalingradRoads", RoadsState]):
    """6.1.1 Markers of the STAVKA box given back, two at most, each add one to the roll."""

    name = "spend-on-mars"
    case = "6.1.1"
    verbs = {"spend": Verb(("support", "box")), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        # On what everybody sees: a box of shortages looks like any other (5.1.3).
        return state.local < MOST_SPENT and game.in_box(state, STAVKA) > 0

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("spend", kind, STAVKA) for kind in game.spendable(state, STAVKA)), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-spendable", "6.1.1", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return None
        game.hold(state, action[1], STAVKA, -1)
        state.pool[action[1]] += 1
        state.local += 1
        state.emit("paid", "6.1.1", support=action[1])
        return AGAIN


class RollMars(Throw["StalingradRoads", RoadsState]):
    """6.1.1 Two dice move the marker."""

    name = "roll-mars"
    case = "6.1.1"
    verbs = {"roll-mars": Verb(("number", "number"))}
    dice = TWO_D6

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        spent: int = state.local
        total = min(12, action[1] + action[2] + spent)
        state.mars = max(-3, min(3, state.mars + game.data.mars_rolls[total]))
        state.local = None
        box = game.data.mars[state.mars]
        state.emit("mars-rolled", "6.1.1", dice=(action[1], action[2]), word_mars=f"mars-{box.key}")
        if box.effect in ("approval_up", "approval_down"):
            state.mars_over = True
            approve(game, state, 1 if box.effect == "approval_up" else -1, "6.1.2")
        elif box.effect == "soviet_support":
            lose_one(game, state, STAVKA)
        elif box.effect == "axis_support":
            lose_one(game, state, AVAILABLE)
        if state.mars_over or state.turn == game.data.turn_of["DEC III"]:
            for unit, turn in box.units:
                state.due[unit] = turn
        return None


def lose_one(game: StalingradRoads, state: RoadsState, box: int) -> None:
    """One marker of a box goes back to the pool: the first in the order of the list."""
    kinds = game.spendable(state, box)
    if kinds:
        game.hold(state, kinds[0], box, -1)
        state.pool[kinds[0]] += 1
        state.emit("paid", "6.1.1", support=kinds[0])
