"""15, 16.2 The Führer's approval, crises at OKH, and Manstein's prestige."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.ground import stalingrad_units
from grognard.games.stalingrad_roads.rules.pocket import pocket_closed
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.kernel import Action, Flow, Verb
from grognard.mechanics.dice import TWO_D6, Throw

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

TOP = 8
AFTER_MANSTEIN = 3


def in_force(game: StalingradRoads, state: RoadsState) -> bool:
    return "15" not in game.plan(state).left_out


def approve(game: StalingradRoads, state: RoadsState, by: int, case: str) -> None:
    """15.2 The approval marker moves; in box 0 there is a crisis (15.3)."""
    if not by or not in_force(game, state) or state.dismissed:
        return
    state.approval = max(0, min(TOP, state.approval + by))
    state.emit("approval", case, n=state.approval)
    if state.approval:
        return
    if state.crisis or state.crisis_rolled:
        # 15.3 the dice are not thrown again before the next supply phase
        prestige(game, state, -1, "15.3")
    else:
        state.crisis = True


def prestige(game: StalingradRoads, state: RoadsState, by: int, case: str) -> None:
    """16.2.3 Manstein's marker moves, unless it lies on the turn track (16.3.2)."""
    if not by or not in_force(game, state) or state.dismissed or state.backhand > 0:
        return
    state.manstein = max(0, min(TOP, state.manstein + by))
    state.emit("manstein", case, n=state.manstein)


class RollCrisis(Throw["StalingradRoads", RoadsState]):
    """15.3 Two dice on the table of crises."""

    name = "roll-crisis"
    case = "15.3"
    verbs = {"crisis": Verb(("number", "number"))}
    dice = TWO_D6

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return state.crisis and not state.dismissed

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        row = game.data.crises[action[1] + action[2]]
        state.crisis, state.crisis_rolled = False, True
        state.emit("crisis", "15.3", dice=(action[1], action[2]))
        prestige(game, state, row.manstein, "15.3")
        state.approval = row.approval
        state.emit("approval", "15.3", n=state.approval)
        state.demand, state.armoured_attacks = (row.attacks, row.reward), 0
        state.crisis_effect = row.effect
        state.crisis_turn = state.turn + (state.active == AXIS)
        return None


def fall_of_approval(game: StalingradRoads, state: RoadsState) -> Flow:
    """15.2.1 What the Axis supply phase costs while Stalingrad is cut off or lost."""
    if state.active != AXIS or not in_force(game, state):
        return None
    state.crisis_rolled = False
    city, held = game.data.stalingrad, state.occupied[SOVIET] & game.data.stalingrad
    turns = game.data.turn_of
    if state.turn <= turns["DEC IV"]:
        if held:
            approve(game, state, -3 if held == city else -2, "15.2.1")
        else:
            units = stalingrad_units(game, state, AXIS)
            cut_off = state.unsupplied | state.enclosed
            both = state.occupied[AXIS] & city == city
            if both and all(cut_off >> u & 1 for u in units if not game.hqs >> u & 1):
                approve(game, state, -int(pocket_closed(game, state)), "15.2.1")
    elif state.turn <= turns["FEB I"] and held == city:
        approve(game, state, -1, "15.2.1")
    return None


def withdrawal_price(game: StalingradRoads, state: RoadsState, hq: int, here: int, there: int) -> int:
    """15.2.1 What an HQ costs that moves away from the fortress marker, up to DEC IV."""
    if not in_force(game, state) or state.fortress < 0 or state.turn > game.data.turn_of["DEC IV"]:
        return 0
    if state.side(hq) != AXIS or state.dismissed:
        return 0
    distance = game.board.distance
    return int(distance(there, state.fortress) > distance(here, state.fortress))


def worth(game: StalingradRoads, cell: int, side: int) -> int:
    """15.2.2 What a strategic hex is worth when a side captures it."""
    data = game.data
    if data.stalingrad >> cell & 1:
        return 0 if side == SOVIET else 1
    if data.major_cities >> cell & 1:
        return 2
    return int((data.city | data.stars) >> cell & 1)


def reward_attack(game: StalingradRoads, state: RoadsState, target: int, lost: int, phase: int) -> None:
    """15.2.2 An armoured attack of the Axis that took its hex: with three Soviet steps lost, or near the
    pocket. Once in the combat phase, once in exploitation."""
    if state.risen & phase or not state.occupied[AXIS] >> target & 1:
        return
    near_pocket = any(
        state.where[u] >= 0 and game.board.distance(target, state.where[u]) <= 4 for u in each(state.enclosed)
    )
    if lost >= 3 or near_pocket:
        state.risen |= phase
        approve(game, state, 1, "15.2.2")


def settle_demand(game: StalingradRoads, state: RoadsState) -> Flow:
    """15.3 In the Axis reinforcement phase it is seen whether the attacks were made."""
    if state.active == AXIS and state.demand[0]:
        wanted, reward = state.demand
        done = state.armoured_attacks >= wanted
        if done == (reward > 0):
            prestige(game, state, reward, "15.3")
        state.demand = (0, 0)
    return None


def dismiss(game: StalingradRoads, state: RoadsState) -> Flow:
    """16.2.4 In box 0 at the end of a turn Manstein goes, and approval stays in box 3. While the backhand
    blow lasts his marker is in no box."""
    if in_force(game, state) and not state.manstein and not state.dismissed and state.backhand <= 0:
        state.dismissed = True
        state.approval = AFTER_MANSTEIN
        state.emit("dismissed", "16.2.4")
    return None
