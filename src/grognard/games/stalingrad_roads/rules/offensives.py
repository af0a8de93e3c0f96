"""11 Soviet offensives: where the markers lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.stalingrad_roads.rules.command import supplied_units
from grognard.games.stalingrad_roads.rules.ground import held_by, stalingrad_units
from grognard.games.stalingrad_roads.rules.major import begin_major
from grognard.games.stalingrad_roads.state import (
    AXIS,
    BOX_NAMES,
    IN_ITS_BOX,
    MAJOR,
    MINOR_A,
    MINOR_B,
    RETURNING,
    SOVIET,
    STAVKA,
    RoadsState,
)
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.board import Board
    from grognard.games.stalingrad_roads.data import RoadsData
    from grognard.games.stalingrad_roads.game import StalingradRoads

BOX_OF_MARKER = (MAJOR, MINOR_A, MINOR_B)


def near_stalingrad(game: StalingradRoads) -> int:
    """11.1.2 The hexes of Stalingrad and those next to them."""
    return game.data.stalingrad | game.board.spread(game.data.stalingrad) & game.data.land


def worth_an_offensive(data: RoadsData, board: Board, cell: int) -> bool:
    """11.1.2 A town where railways or a railway and a road meet, a crossing of a great river, or a ferry."""
    rails = sum(data.rails[d] >> cell & 1 for d in range(6))
    roads = sum(data.roads[d] >> cell & 1 for d in range(6))
    built = not board.info[cell].features.isdisjoint(("village", "city", "major_city"))
    if built and (rails >= 3 or (rails and roads)):
        return True
    for there in board.adjacent[cell]:
        side = (cell, there)
        if side in data.ferries:
            return True
        if data.water_side.get(side) == "major_river" and data.ways[data.direction[there - cell]] >> cell & 1:
            return True
    return False


def stalingrad_open(game: StalingradRoads, state: RoadsState) -> bool:
    """Whether the Axis holds a hex of the city."""
    return bool(held_by(game, state, AXIS, game.data.stalingrad))


def stalingrad_supplied(game: StalingradRoads, state: RoadsState) -> bool:
    units = sum(1 << u for u in stalingrad_units(game, state, AXIS) if not game.hqs >> u & 1)
    return bool(supplied_units(game, state, AXIS, units))


def one_at_stalingrad(game: StalingradRoads, state: RoadsState) -> bool:
    near = near_stalingrad(game)
    return any(cell >= 0 and near >> cell & 1 for cell in state.offensives)


def supports_in_stavka(game: StalingradRoads, state: RoadsState) -> int:
    """11.4.1 Markers in the STAVKA box that count for a major offensive: shortages do not."""
    return sum(
        game.held(state, kind, STAVKA)
        for kind, support in enumerate(game.supports)
        if support.sort != "shortage"
    )


def may_begin_major(game: StalingradRoads, state: RoadsState) -> bool:
    """11.4.1"""
    wanted = game.data.numbers["major_offensive_supports"]
    return state.offensives[0] == IN_ITS_BOX and supports_in_stavka(game, state) >= wanted


def begin_offensives(game: StalingradRoads, state: RoadsState) -> Flow:
    state.major_begun = False
    state.stage = 0
    for number, turn in game.plan(state).offensive_turns:
        if turn == state.turn:
            state.offensives[number] = IN_ITS_BOX
            state.emit("offensive-received", "11.1.1", word_box=BOX_NAMES[BOX_OF_MARKER[number]])
    return None


def hexes_for(game: StalingradRoads, state: RoadsState, number: int) -> list[int]:
    """11.1.2 Where a marker may be placed now."""
    if stalingrad_open(game, state) and not one_at_stalingrad(game, state):
        return each(near_stalingrad(game))
    area = game.plan(state).area & held_by(game, state, AXIS, game.data.land)
    return each(area & game.offensive_hexes)


class PlaceOffensives(Decision["StalingradRoads", RoadsState]):
    """11.1, 11.2 The Soviets take offensive markers up and lay them down. The major one is laid by 11.4
    only."""

    name = "place-offensives"
    case = "11.1.2"
    verbs = {
        "recall": Verb(("offensive",)),
        "open": Verb(("offensive", "hex"), Role.PLACE),
        "launch": Verb(("hex",), Role.PLACE),
        "end": Verb((), Role.END),
    }

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return len(self.options(game, state, SOVIET)) > 1 or not self._may_end(game, state)

    def _recallable(self, game: StalingradRoads, state: RoadsState, number: int) -> bool:
        """11.2.1 At the beginning of the phase, before any is laid."""
        return state.offensives[number] >= 0 and not state.stage

    def _must_launch(self, game: StalingradRoads, state: RoadsState) -> bool:
        """11.1.2, 11.4.2 While a supplied Axis unit is in Stalingrad the major offensive has to begin, there,
        if it can."""
        return may_begin_major(game, state) and stalingrad_supplied(game, state)

    def _launches(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        if not may_begin_major(game, state):
            return []
        if self._must_launch(game, state):
            return each(near_stalingrad(game))
        plan = game.plan(state)
        west = game.data.west_of_donets if plan.major_west and state.turn == plan.first else game.data.land
        return [cell for cell in hexes_for(game, state, 0) if west >> cell & 1]

    def _must_place(self, game: StalingradRoads, state: RoadsState) -> bool:
        """11.1.2 While the Axis holds a hex of Stalingrad, one marker has to be there."""
        free = any(state.offensives[n] == IN_ITS_BOX for n in (1, 2))
        return free and stalingrad_open(game, state) and not one_at_stalingrad(game, state)

    def _may_end(self, game: StalingradRoads, state: RoadsState) -> bool:
        return not self._must_place(game, state) and not self._must_launch(game, state)

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        found: list[Action] = [("recall", n) for n in range(3) if self._recallable(game, state, n)]
        for n in (1, 2):
            if state.offensives[n] == IN_ITS_BOX:
                found += [("open", n, cell) for cell in hexes_for(game, state, n)]
        found += [("launch", cell) for cell in self._launches(game, state)]
        if self._may_end(game, state):
            found.append(("end",))
        return found

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        if action[0] == "end":
            return refusal("stalingrad-first", "11.1.2")
        if action[0] == "launch":
            if not may_begin_major(game, state):
                return refusal("no-major", "11.4.1")
            return refusal("no-offensive-there", "11.1.2", hex=action[1])
        if action[0] == "recall":
            return refusal("not-on-map-offensive", "11.2.1")
        if action[1] == 0 or state.offensives[action[1]] != IN_ITS_BOX:
            return refusal("offensive-not-free", "11.1.1")
        if self._must_place(game, state):
            return refusal("stalingrad-first", "11.1.2")
        return refusal("no-offensive-there", "11.1.2", hex=action[2])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        if action[0] == "launch":
            state.stage = 1
            face = stalingrad_open(game, state) and near_stalingrad(game) >> action[1] & 1
            state.stalingrad_face |= int(bool(face))
            begin_major(game, state, action[1])
            return AGAIN
        number = action[1]
        box = BOX_OF_MARKER[number]
        if action[0] == "recall":
            cell = state.offensives[number]
            # 11.2.2 from a hex with Axis units it comes back at the end of the turn only
            state.offensives[number] = RETURNING if state.occupied[AXIS] >> cell & 1 else IN_ITS_BOX
            state.stalingrad_face &= ~(1 << number)
            for kind in range(len(game.supports)):
                count = game.held(state, kind, box)
                game.hold(state, kind, box, -count)
                state.pool[kind] += count
            state.emit("offensive-recalled", "11.2.3", word_box=BOX_NAMES[box], hex=cell)
            return AGAIN
        face = stalingrad_open(game, state) and near_stalingrad(game) >> action[2] & 1
        state.stage = 1
        state.offensives[number] = action[2]
        state.stalingrad_face |= int(bool(face)) << number
        state.emit("offensive-opened", "11.1.2", word_box=BOX_NAMES[box], hex=action[2])
        return AGAIN


def return_offensives(game: StalingradRoads, state: RoadsState) -> Flow:
    """11.2.2 Markers taken from hexes with Axis units are received at the end of the Soviet turn."""
    for number in range(3):
        if state.offensives[number] == RETURNING:
            state.offensives[number] = IN_ITS_BOX
    return None
