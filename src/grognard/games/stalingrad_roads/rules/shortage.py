"""12 Loss of momentum: shortage markers, and the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.ground import near
from grognard.games.stalingrad_roads.rules.pocket import mark_unsupplied
from grognard.games.stalingrad_roads.state import AXIS, SOVIET, RoadsState
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


def in_play(game: StalingradRoads, state: RoadsState, kind: int) -> int:
    """How many markers of a sort are in the pool, the boxes and among the played."""
    size = len(game.supports)
    return state.pool[kind] + state.played[kind] + sum(state.held[kind::size])


def note_hq_move(game: StalingradRoads, state: RoadsState) -> None:
    """12.1 A Soviet HQ has moved: a shortage marker comes into the pool, the test first."""
    if "12" in game.plan(state).left_out:
        return
    test, shortage = game.support_index["s-shortage-test"], game.support_index["s-shortage"]
    kind = shortage if in_play(game, state, test) else test
    if in_play(game, state, kind) < game.supports[kind].copies:
        state.pool[kind] += 1
        state.emit("shortage", "12.1", support=kind)


class Testing(NamedTuple):
    """The test of shortage in a box."""

    box: int
    owed: int
    """Real markers still to be given back."""
    starving: int = 0
    """Stacks that the Axis may still mark."""


def begin_test(game: StalingradRoads, state: RoadsState, box: int) -> Testing:
    """12.3 Steps 1 to 3: the box is revealed; for every shortage a real marker goes."""
    test, shortage = game.support_index["s-shortage-test"], game.support_index["s-shortage"]
    game.hold(state, test, box, -1)
    state.pool[test] += 1
    for kind in range(len(game.supports)):
        if game.held(state, kind, box):
            state.emit("revealed", "12.3", support=kind, n=game.held(state, kind, box))
    shortages = game.held(state, shortage, box)
    real = len_real(game, state, box)
    game.hold(state, shortage, box, -shortages)
    state.pool[shortage] += shortages
    return Testing(box, min(real, shortages), max(0, shortages - real))


def len_real(game: StalingradRoads, state: RoadsState, box: int) -> int:
    return sum(game.held(state, kind, box) for kind in real_kinds(game, state, box))


def real_kinds(game: StalingradRoads, state: RoadsState, box: int) -> list[int]:
    return [
        kind
        for kind, support in enumerate(game.supports)
        if support.sort != "shortage" and game.held(state, kind, box)
    ]


class Forfeit(Decision["StalingradRoads", RoadsState]):
    """12.3 step 3: the Soviets say which markers go."""

    name = "forfeit"
    case = "12.3"
    verbs = {"forfeit": Verb(("support",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        testing: Testing = state.local
        return testing.owed > 0

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        testing: Testing = state.local
        return [("forfeit", kind) for kind in real_kinds(game, state, testing.box)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-available", "12.3", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        testing: Testing = state.local
        game.hold(state, action[1], testing.box, -1)
        state.pool[action[1]] += 1
        state.local = testing._replace(owed=testing.owed - 1)
        state.emit("paid", "12.3", support=action[1])
        return AGAIN


class Starve(Decision["StalingradRoads", RoadsState]):
    """12.3 step 4: for every shortage left the Axis may mark a Soviet stack next to one of its units."""

    name = "starve"
    case = "12.3"
    verbs = {"starve": Verb(("hex",), Role.PLACE), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def _stacks(self, game: StalingradRoads, state: RoadsState) -> int:
        cells = state.occupied[SOVIET] & near(game, state, AXIS)
        return bits(c for c in each(cells) if state.fighters_at(c) & ~state.unsupplied)

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        testing: Testing = state.local
        return testing.starving > 0 and bool(self._stacks(game, state))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("starve", cell) for cell in each(self._stacks(game, state))), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-to-starve", "12.3", hex=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return RETURN
        testing: Testing = state.local
        state.local = testing._replace(starving=testing.starving - 1)
        for unit in each(state.fighters_at(action[1])):
            mark_unsupplied(game, state, unit, "12.3")
        return AGAIN
