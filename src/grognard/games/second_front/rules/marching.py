"""6, 6B, 13 The movement and exploitation phases: units are taken up one by one, or overrun together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.second_front.rules.building import spent, work_takes
from grognard.games.second_front.rules.dividing import (
    detach,
    divide,
    why_not_detach,
    why_not_divide,
)
from grognard.games.second_front.rules.overruns import Charge, hunting_parties
from grognard.games.second_front.rules.phases import (
    EXPLOITATION,
    MOVEMENT,
    nobody_has_moved,
    phase_of,
    ready_to_move,
    why_not_take,
)
from grognard.games.second_front.rules.position import (
    on_map,
    overfull,
    remove,
    settle_ownership,
    stack,
    track,
)
from grognard.games.second_front.rules.stacking import fits
from grognard.games.second_front.rules.stepping import Move, MoveUnit
from grognard.games.second_front.rules.stocks import (
    buy_trains,
    stocked,
    why_not_more_trains,
)
from grognard.games.second_front.rules.trains import (
    Freight,
    why_not_entrain,
    why_not_ship,
)
from grognard.games.second_front.state import FrontState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


END: Action = ("end",)


def begin_phase(game: SecondFront, state: FrontState) -> Flow:
    state.moved = state.marched = 0
    state.forget_zones()
    state.steady = state.side_units[state.active]
    if phase_of(state) == MOVEMENT:
        state.rail_used, state.rail_extra, state.entrained = (), (), 0
        own = state.side_units[state.active]
        state.mounted = tuple(pair for pair in state.mounted if not own >> pair[0] & 1)
    for unit in on_map(state, state.active):
        ready_to_move(game, state, unit)
        if state.works:
            state.left[unit] = max(state.left[unit] - work_takes(game, state, unit), 0)
    return None


def end_phase(game: SecondFront, state: FrontState) -> Flow:
    """Zones that were lost for the phase come back (6B). Who cannot leave a hex that is too full is
    eliminated, the last of the list first (8B)."""
    for cell in overfull(game, state, state.active):
        while not fits(game.board.info[cell].terrain, stack(game, state, cell)):
            remove(game, state, state.stack(cell)[-1], "8B")
    state.marched = 0
    state.forget_zones()
    settle_ownership(game, state)
    return None


def why_not_march(game: SecondFront, state: FrontState, unit: int) -> Refusal | None:
    return why_not_take(game, state, unit) or _why_not_march(game, state, unit, near_enemies(game, state))


def near_enemies(game: SecondFront, state: FrontState) -> int:
    """6B: the hexes next to enemy units, as a set: nobody begins a march there."""
    return game.board.spread(state.occupied[1 - state.active])


def _why_not_march(game: SecondFront, state: FrontState, unit: int, near: int) -> Refusal | None:
    """Of a unit that may move."""
    if phase_of(state) == EXPLOITATION:
        return refusal("march-in-movement", "6B", unit=unit)
    if spent(game, state, unit):
        return refusal("march-alone", "6B", unit=unit)
    if near >> state.where[unit] & 1:
        return refusal("march-near-enemy", "6B", unit=unit)
    return None


class PickUnit(Decision["SecondFront", FrontState]):
    """The phasing side moves its units in any order."""

    name = "pick-unit"
    case = "6"
    verbs = {
        "move": Verb(("unit",), Role.TAKE),
        "march": Verb(("unit",), Role.TAKE),
        "entrain": Verb(("unit",), Role.TAKE),
        "overrun": Verb(("hex",), Role.AIM),
        "divide": Verb(("unit",)),
        "divide-led": Verb(("unit",)),
        "detach": Verb(("unit",)),
        "more-trains": Verb(("network",)),
        "ship": Verb(("hex",)),
        "end": Verb((), Role.END),
    }

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active

    def options(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        found: list[Action] = []
        rails, near = track(game, state, side).usable, near_enemies(game, state)
        for unit in on_map(state, side):
            if why_not_take(game, state, unit) is not None:
                if game.units[unit].by_rail_only and why_not_entrain(game, state, unit, rails) is None:
                    found.append(("entrain", unit))
                continue
            found.append(("move", unit))
            if _why_not_march(game, state, unit, near) is None:
                found.append(("march", unit))
            if why_not_entrain(game, state, unit, rails) is None:
                found.append(("entrain", unit))
        if nobody_has_moved(state):
            found += [
                (verb, unit)
                for unit in on_map(state, side)
                for verb in ("divide", "divide-led", "detach")
                if self._why_not_break(game, state, verb, unit) is None
            ]
        found += [
            ("more-trains", number)
            for number, network in enumerate(game.networks)
            if state.resources and self._why_not_rail(game, state, network) is None
        ]
        found += [
            ("ship", cell)
            for cell in each(stocked(state, side))
            if why_not_ship(game, state, cell, rails) is None
        ]
        found += [("overrun", cell) for cell in self._prey(game, state)]
        return found if self._why_not_end(game, state) is not None else [*found, END]

    def _why_not_end(self, game: SecondFront, state: FrontState) -> Refusal | None:
        """8B: not while somebody can leave a hex that is too full."""
        for cell in overfull(game, state, state.active):
            for unit in state.stack(cell):
                if why_not_take(game, state, unit) is None and MoveUnit().ways(game, state, Move(unit)):
                    return refusal("too-full", "8B", hex=cell)
        return None

    def _why_not_rail(self, game: SecondFront, state: FrontState, network: str) -> Refusal | None:
        """7A4a: trains run in the movement phase."""
        if phase_of(state) == EXPLOITATION:
            return refusal("trains-in-movement", "7A4a")
        return why_not_more_trains(game, state, network)

    def _why_not_break(self, game: SecondFront, state: FrontState, verb: str, unit: int) -> Refusal | None:
        """15A, 15E: at the beginning of the phase, before anybody has moved."""
        if not nobody_has_moved(state):
            return refusal("too-late-to-divide", "15A", unit=unit)
        if verb == "detach":
            return why_not_detach(game, state, unit)
        return why_not_divide(game, state, unit, verb == "divide-led")

    def _break(self, game: SecondFront, state: FrontState, verb: str, unit: int) -> None:
        here = state.where[unit]
        if verb == "detach":
            detach(game, state, unit)
            state.emit("detached", "15E", unit=unit, hex=here)
        else:
            divide(game, state, unit, verb == "divide-led")
            state.emit("divided", "15A", unit=unit, hex=here, units=tuple(state.stack(here)))

    def _prey(self, game: SecondFront, state: FrontState) -> list[int]:
        """13: hexes that some single hex's units might overrun."""
        near = game.board.spread(state.occupied[state.active]) & state.occupied[1 - state.active]
        return [cell for cell in each(near) if hunting_parties(game, state, cell)]

    def refuse(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        if action == END:
            return self._why_not_end(game, state)
        if action[0] == "overrun":
            weak = action[1] not in self._prey(game, state)
            return refusal("no-overrun", "13", hex=action[1]) if weak else None
        if action[0] == "march":
            return why_not_march(game, state, action[1])
        if action[0] == "entrain":
            return why_not_entrain(game, state, action[1], track(game, state, side).usable)
        if action[0] in ("divide", "divide-led", "detach"):
            return self._why_not_break(game, state, action[0], action[1])
        if action[0] == "more-trains":
            return self._why_not_rail(game, state, game.networks[action[1]])
        if action[0] == "ship":
            return why_not_ship(game, state, action[1], track(game, state, side).usable)
        return why_not_take(game, state, action[1])

    def apply(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        if action == END:
            return None
        if action[0] == "overrun":
            state.push("overrun", Charge(action[1]))
        elif action[0] in ("divide", "divide-led", "detach"):
            self._break(game, state, action[0], action[1])
        elif action[0] == "more-trains":
            buy_trains(game, state, game.networks[action[1]])
        elif action[0] == "ship":
            state.push("freight", Freight(action[1]))
        elif action[0] == "entrain":
            state.push("train", Move(action[1]))
        else:
            march = action[0] == "march"
            if march:
                state.marched |= 1 << action[1]
                state.forget_zones()
                settle_ownership(game, state)
            state.push("move", Move(action[1], march))
        return AGAIN
