"""4 The supply phase: HQs first, then their pontoons, then units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.approval import prestige
from grognard.games.stalingrad_roads.rules.command import line_net, supplied_units
from grognard.games.stalingrad_roads.rules.ground import pontoon_sides
from grognard.games.stalingrad_roads.rules.losses import eliminate
from grognard.games.stalingrad_roads.rules.pocket import mark_unsupplied, zone_of_fortress
from grognard.games.stalingrad_roads.state import AXIS, HQ_BOX, RoadsState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class StrikePontoon(Decision["StalingradRoads", RoadsState]):
    """4.1.4 At the beginning of the phase an HQ may be turned back to its front."""

    name = "strike-pontoon"
    case = "4.1.4"
    verbs = {"strike": Verb(("unit",)), "end": Verb((), Role.END)}

    def _own(self, state: RoadsState) -> list[int]:
        return [hq for hq, _ in state.pontoons if state.side(hq) == state.active and state.where[hq] >= 0]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._own(state))

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("strike", hq) for hq in self._own(state)), ("end",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end" or action[1] in self._own(state):
            return None
        return refusal("no-pontoon", "4.1.4", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        drop_pontoon(state, action[1])
        state.emit("pontoon-struck", "4.1.4", unit=action[1])
        return AGAIN


def drop_pontoon(state: RoadsState, hq: int) -> None:
    state.pontoons = tuple(entry for entry in state.pontoons if entry[0] != hq)


def judge_hqs(game: StalingradRoads, state: RoadsState) -> Flow:
    """4.1.1, 4.1.2 HQs without a line leave the map; they come back in the same turn."""
    net = line_net(game, state, state.active)
    for hq in each(state.hqs & game.units_of[state.active]):
        cell = state.where[hq]
        if cell >= 0 and not net >> cell & 1:
            drop_pontoon(state, hq)
            state.place(hq, HQ_BOX)
            state.emit("hq-removed", "4.1.2", unit=hq, hex=cell)
    return None


def bridgeable(game: StalingradRoads, state: RoadsState, hq: int) -> list[int]:
    """4.1.3 The hexes to which an HQ could lay its pontoon."""
    here = state.where[hq]
    if here < 0 or state.pontoon(hq) >= 0:
        return []
    return [there for there in game.board.adjacent[here] if (here, there) in game.data.water_side]


class LayPontoon(Decision["StalingradRoads", RoadsState]):
    """4.1.3 A supplied HQ next to water may be turned to its pontoon side, the arrow towards a side."""

    name = "lay-pontoon"
    case = "4.1.3"
    verbs = {"pontoon": Verb(("unit", "hex"), Role.PLACE), "end": Verb((), Role.END)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return "4.1.3" not in game.plan(state).left_out and bool(self._bridges(game, state))

    def _bridges(self, game: StalingradRoads, state: RoadsState) -> list[Action]:
        spanned = pontoon_sides(game, state, state.active)
        return [
            ("pontoon", hq, there)
            for hq in each(state.hqs & game.units_of[state.active])
            for there in bridgeable(game, state, hq)
            if (state.where[hq], there) not in spanned
        ]

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*self._bridges(game, state), ("end",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end" or action in self._bridges(game, state):
            return None
        if action[1] not in each(state.hqs & game.units_of[side]) or state.where[action[1]] < 0:
            return refusal("not-an-hq", "4.1.3", unit=action[1])
        if state.pontoon(action[1]) >= 0:
            return refusal("is-pontoon", "4.1.3", unit=action[1])
        return refusal("no-water-side", "4.1.3", unit=action[1], hex=action[2])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        state.pontoons = tuple(sorted((*state.pontoons, (action[1], action[2]))))
        state.emit("pontoon-laid", "4.1.3", unit=action[1], hex=action[2])
        return AGAIN


def lose_outside_fortress(game: StalingradRoads, state: RoadsState) -> Flow:
    """10.2.3 At the beginning of the Axis supply phase: who carries the fortress' marker outside its zone
    dies, unless he can be supplied otherwise. 10.1.4 With a supplied German in Stalingrad the marker goes."""
    if state.active != AXIS or not (state.enclosed or state.fortress >= 0):
        return None
    zone = zone_of_fortress(game, state)
    fed = supplied_units(game, state, AXIS, state.enclosed)
    for unit in each(state.enclosed):
        cell = state.where[unit]
        if fed >> unit & 1:
            state.enclosed &= ~(1 << unit)
            state.emit("supplied", "10.2.3", unit=unit, hex=cell)
        elif not zone >> cell & 1:
            eliminate(game, state, unit, "10.2.3")
    in_city = [u for c in each(game.data.stalingrad) for u in each(state.at.get(c, 0) & game.units_of[AXIS])]
    germans = [u for u in in_city if game.units[u].nation == "german" and not game.hqs >> u & 1]
    if state.fortress >= 0 and supplied_units(game, state, AXIS, sum(1 << u for u in germans)):
        state.emit("fortress-relieved", "10.1.4", hex=state.fortress)
        prestige(game, state, 1, "16.2.3")
        state.fortress = -1
        state.unsupplied |= state.enclosed
        state.enclosed = 0
    return None


def judge_units(game: StalingradRoads, state: RoadsState) -> Flow:
    """4.3, 4.4.1 Units that no HQ and no source supplies are marked; the others lose the marker."""
    side = state.active
    units = game.units_of[side] & ~state.hqs
    for cell in each(game.plan(state).pocket & state.occupied[side]):
        units &= ~state.at[cell]  # S1.4 the pocket is fed by air
    fed = supplied_units(game, state, side, units)
    for unit in each(units):
        cell = state.where[unit]
        if cell < 0:
            continue
        if fed >> unit & 1:
            if (state.unsupplied | state.enclosed) >> unit & 1:
                state.emit("supplied", "4.4.1", unit=unit, hex=cell)
            state.unsupplied &= ~(1 << unit)
            state.enclosed &= ~(1 << unit)
        else:
            mark_unsupplied(game, state, unit, "4.3.2")
    return None
