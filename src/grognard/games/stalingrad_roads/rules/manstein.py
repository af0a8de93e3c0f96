"""16.3 Manstein's two offensives."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits
from grognard.games.stalingrad_roads.rules.approval import in_force, prestige
from grognard.games.stalingrad_roads.rules.pocket import pocket_closed
from grognard.games.stalingrad_roads.state import AVAILABLE, AXIS, RoadsState
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads

STORM_MARKERS, BACKHAND_MARKERS = 2, 3
STORM_DIVISIONS = 2
BACKHAND_APPROVAL = 7
FAILED_APPROVAL = 2
BACKHAND_TURNS = 2
OVER = -1
"""The backhand blow has been struck and counted."""


def armoured_divisions_by_hqs(game: StalingradRoads, state: RoadsState) -> int:
    """16.3.1 Armoured divisions of the Axis, of whatever nation (1.7.2), at full strength, complete, with or
    next to a German HQ."""
    hqs = bits(
        state.where[hq]
        for hq in game.hqs_of[AXIS]
        if state.where[hq] >= 0 and game.units[hq].nation == "german"
    )
    ground = hqs | game.board.spread(hqs)
    count = 0
    for number, unit in enumerate(game.units[: game.axis_units]):
        if unit.kind != "panzer" or state.where[number] < 0:
            continue
        members = game.elements[unit.division] if unit.division else [number]
        if members[0] == number and all(
            state.where[m] >= 0 and ground >> state.where[m] & 1 and state.steps[m] == game.units[m].steps
            for m in members
        ):
            count += 1
    return count


def may_storm(game: StalingradRoads, state: RoadsState) -> bool:
    """16.3.1 Up to DEC IV, once, with two such divisions and two markers."""
    return (
        in_force(game, state)
        and not state.dismissed
        and state.active == AXIS
        and not state.storm
        and state.turn <= game.data.turn_of["DEC IV"]
        and len_generic(game, state) >= STORM_MARKERS
        and armoured_divisions_by_hqs(game, state) >= STORM_DIVISIONS
    )


def len_generic(game: StalingradRoads, state: RoadsState) -> int:
    return sum(game.held(state, kind, AVAILABLE) for kind in game.spendable(state, AVAILABLE))


class Choosing(NamedTuple):
    """Markers to hand in, then markers to choose from the pool."""

    give: int
    take: int


class LaunchStorm(Decision["StalingradRoads", RoadsState]):
    """16.3.1 At the beginning of the support phase: Wintergewitter."""

    name = "launch-wintergewitter"
    case = "16.3.1"
    verbs = {"storm": Verb(()), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return may_storm(game, state)

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("storm",), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "storm":
            state.storm, state.no_draw = 1, True
            state.emit("storm", "16.3.1")
            state.push("choosing", Choosing(STORM_MARKERS, STORM_MARKERS))
        return None


class LaunchBackhand(Decision["StalingradRoads", RoadsState]):
    """16.3.2 At the beginning of an Axis turn from JAN I on, once: the backhand blow."""

    name = "launch-backhand"
    case = "16.3.2"
    verbs = {"backhand": Verb(()), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        late = state.turn >= game.data.turn_of["JAN I"]
        return in_force(game, state) and late and not state.backhand and not state.dismissed

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        plan = game.plan(state)
        if plan.must_backhand and state.turn == plan.first:
            return [("backhand",)]
        return [("backhand",), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("backhand-first", "S4.5")

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "backhand":
            state.backhand, state.backhand_score = state.turn, 0
            state.manstein, state.approval, state.no_draw = 0, BACKHAND_APPROVAL, True
            state.emit("backhand", "16.3.2")
            state.emit("approval", "16.3.2", n=state.approval)
            state.push("choosing", Choosing(0, BACKHAND_MARKERS))
        return None


class ChooseMarkers(Decision["StalingradRoads", RoadsState]):
    """16.3 Markers are handed in and others chosen from the pool, unseen by the other side."""

    name = "choose-markers"
    case = "16.3"
    verbs = {"hand-in": Verb(("support",)), "pick-out": Verb(("support",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        choosing: Choosing = state.local
        if choosing.give:
            return [("hand-in", kind) for kind in game.spendable(state, AVAILABLE)]
        return [
            ("pick-out", kind)
            for kind, support in enumerate(game.supports)
            if support.side == AXIS and support.generic and state.pool[kind]
        ]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        choosing: Choosing = state.local
        return bool(choosing.give or choosing.take) and bool(self.options(game, state, AXIS))

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-available", "16.3", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        choosing: Choosing = state.local
        out = action[0] == "hand-in"
        game.hold(state, action[1], AVAILABLE, -1 if out else 1)
        state.pool[action[1]] += 1 if out else -1
        state.local = Choosing(choosing.give - out, choosing.take - (not out))
        if not out:
            state.owed = tuple(sorted((*state.owed, action[1])))
        return AGAIN


def settle_storm(game: StalingradRoads, state: RoadsState) -> Flow:
    """16.3.1 Manstein gains once if the pocket is open at the end of an Axis turn before JAN I; 16.3 markers
    that could not be used go back to the pool."""
    state.no_draw = False
    if state.owed:
        state.emit("unused", "16.3", n=len(state.owed))
        for kind in state.owed:
            game.hold(state, kind, AVAILABLE, -1)
            state.pool[kind] += 1
        state.owed = ()
    open_ = state.fortress >= 0 and not pocket_closed(game, state)
    if state.storm == 1 and state.turn < game.data.turn_of["JAN I"] and open_:
        state.storm = 2
        prestige(game, state, 1, "16.3.1")
    return None


def settle_backhand(game: StalingradRoads, state: RoadsState) -> Flow:
    """16.3.2 Two turns later, in the reinforcement phase: what the blow has brought. If nothing, Manstein is
    out of the game."""
    if state.active != AXIS or state.backhand <= 0 or state.turn < state.backhand + BACKHAND_TURNS:
        return None
    for kind in range(len(game.supports)):
        count = game.held(state, kind, AVAILABLE)
        game.hold(state, kind, AVAILABLE, -count)
        state.pool[kind] += count
    if state.backhand_score >= 1:
        state.approval = state.manstein = 7 if state.backhand_score >= 2 else 5
    else:
        state.approval, state.manstein, state.dismissed = FAILED_APPROVAL, 0, True
    state.backhand = OVER
    state.emit("backhand-counted", "16.3.2", n=state.backhand_score)
    state.emit("approval", "16.3.2", n=state.approval)
    state.emit("manstein", "16.3.2", n=state.manstein)
    if state.dismissed:
        state.emit("dismissed", "16.3.2")
    return None


def note_major_city(state: RoadsState, side: int) -> None:
    """16.3.2 A hex of a major city changes hands while the blow lasts."""
    if state.backhand > 0:
        state.backhand_score += 1 if side == AXIS else -1
