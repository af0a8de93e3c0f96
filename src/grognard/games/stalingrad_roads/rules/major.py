"""11.4 The major offensive: how it is begun, and what becomes of the markers of the STAVKA box."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.rules.command import supplied_units
from grognard.games.stalingrad_roads.rules.ground import enter_hex
from grognard.games.stalingrad_roads.rules.stacking import has_room
from grognard.games.stalingrad_roads.rules.stavka import weight
from grognard.games.stalingrad_roads.rules.supports import SOVIET_BOXES, offensive_reach
from grognard.games.stalingrad_roads.state import (
    AXIS,
    BOX_NAMES,
    MAJOR,
    SOVIET,
    STAVKA,
    STAVKA_RESERVE,
    RoadsState,
)
from grognard.kernel import AGAIN, RETURN, Action, Decision, Flow, Refusal, Role, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class Masking(NamedTuple):
    """Maskirovka: markers go from one box to another."""

    origin: int
    goal: int


class Maskirovka(Decision["StalingradRoads", RoadsState]):
    """5.5.6, example 11 At the beginning of the phase Maskirovka moves markers between two boxes."""

    name = "play-maskirovka"
    case = "5.5.6"
    verbs = {"mask": Verb(("box", "box")), "pass": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def _lying_in(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        kind = game.support_index["s-maskirovka"]
        return [box for box in SOVIET_BOXES if game.held(state, kind, box)]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        # On what everybody sees: whether markers lie in the boxes, not whether this one does (5.1.4).
        return "11" not in game.plan(state).left_out and any(game.in_box(state, box) for box in SOVIET_BOXES)

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        full = [box for box in SOVIET_BOXES if game.in_box(state, box) and self._lying_in(game, state)]
        return [*(("mask", a, b) for a in full for b in SOVIET_BOXES if a != b), ("pass",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("nothing-to-mask", "5.5.6", box=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "pass":
            return None
        kind = game.support_index["s-maskirovka"]
        game.hold(state, kind, self._lying_in(game, state)[0], -1)
        state.played[kind] += 1
        state.emit("masked", "5.5.6", word_box=BOX_NAMES[action[2]])
        state.push("masking", Masking(action[1], action[2]))
        return None


class ShiftMarkers(Decision["StalingradRoads", RoadsState]):
    """Which markers go."""

    name = "shift-markers"
    case = "5.5.6"
    verbs = {"move-over": Verb(("support",)), "finish": Verb((), Role.PASS)}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def _kinds(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        masking: Masking = state.local
        return [k for k in range(len(game.supports)) if game.held(state, k, masking.origin)]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        return bool(self._kinds(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [*(("move-over", kind) for kind in self._kinds(game, state)), ("finish",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-available", "5.5.6", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        if action[0] == "finish":
            return RETURN
        masking: Masking = state.local
        game.hold(state, action[1], masking.origin, -1)
        game.hold(state, action[1], masking.goal, 1)
        return AGAIN


class Mustering(NamedTuple):
    """The markers of the STAVKA box are being disposed of."""

    exchanges: int = 0
    given: int = 0
    """Markers given towards an exchange."""
    unit: int = -1
    """A unit of the reserve that is being paid for."""
    cell: int = -1
    owed: int = 0


def begin_major(game: StalingradRoads, state: RoadsState, cell: int) -> None:
    """11.4.2 The marker is laid, the box revealed, shortages return to the pool."""
    state.offensives[0] = cell
    state.major_begun = True
    state.gone_west = state.gone_west or bool(game.data.west_of_donets >> cell & 1)
    state.emit("offensive-opened", "11.4.2", word_box=BOX_NAMES[MAJOR], hex=cell)
    for kind, support in enumerate(game.supports):
        count = game.held(state, kind, STAVKA)
        if count:
            state.emit("revealed", "11.4.2", support=kind, n=count)
        if support.sort == "shortage":
            game.hold(state, kind, STAVKA, -count)
            state.pool[kind] += count
    state.push("mustering", Mustering())


def muster_hexes(game: StalingradRoads, state: RoadsState, unit: int) -> list[int]:
    """11.4.2 On or next to a supplied friend, within the radius of the major offensive; enemies may be next
    to it."""
    units = game.units_of[SOVIET] & ~game.hqs
    fed = supplied_units(game, state, SOVIET, units)
    friends = bits(state.where[u] for u in each(fed))
    cells = (friends | game.board.spread(friends)) & offensive_reach(game, state, MAJOR)
    cells &= game.data.land & game.plan(state).area & ~state.occupied[AXIS]
    return [cell for cell in each(cells) if has_room(game, state, unit, cell)]


class Muster(Decision["StalingradRoads", RoadsState]):
    """11.4.2 Each marker is kept for the offensive, exchanged (two for one of one's choice, three times at
    most), or spent on units of the reserve; none stays in the box."""

    name = "muster"
    case = "11.4.2"
    verbs = {
        "keep-for": Verb(("support",)),
        "give": Verb(("support",)),
        "obtain": Verb(("support",)),
        "summon": Verb(("unit", "hex"), Role.PLACE),
        "pay-for": Verb(("support",)),
        "keep-all": Verb((), Role.END),
    }

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return SOVIET

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        mustering: Mustering = state.local
        return bool(game.in_box(state, STAVKA) or mustering.given == 2)

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        mustering: Mustering = state.local
        here = [k for k in range(len(game.supports)) if game.held(state, k, STAVKA)]
        if mustering.owed:
            return [("pay-for", kind) for kind in here]
        if mustering.given == 2:
            return [
                ("obtain", kind)
                for kind, support in enumerate(game.supports)
                if support.side == SOVIET and state.pool[kind] and support.generic
            ]
        if mustering.given == 1:
            return [("give", kind) for kind in here]
        found: list[Action] = [("keep-for", kind) for kind in here]
        left = game.in_box(state, STAVKA)
        if left >= 2 and mustering.exchanges < game.data.numbers["major_offensive_exchanges"]:
            found += [("give", kind) for kind in here]
        for unit in each(state.at.get(STAVKA_RESERVE, 0)):
            if weight(game, unit) <= left:
                found += [("summon", unit, cell) for cell in muster_hexes(game, state, unit)]
        return [*found, ("keep-all",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        if action[0] == "summon":
            return refusal("not-mustered-there", "11.4.2", unit=action[1], hex=action[2])
        if action[0] == "keep-all":
            return refusal("muster-first", "11.4.2")
        return refusal("not-mustered", "11.4.2", support=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        mustering: Mustering = state.local
        verb = action[0]
        if verb == "keep-all":
            for kind in range(len(game.supports)):
                self._keep(game, state, kind, game.held(state, kind, STAVKA))
            return RETURN
        if verb == "keep-for":
            self._keep(game, state, action[1], 1)
        elif verb == "give":
            self._return(game, state, action[1])
            state.local = mustering._replace(given=mustering.given + 1)
        elif verb == "obtain":
            state.pool[action[1]] -= 1
            game.hold(state, action[1], MAJOR, 1)
            state.local = Mustering(mustering.exchanges + 1)
            state.emit("obtained", "11.4.2", audience=SOVIET, support=action[1])
        elif verb == "pay-for":
            self._return(game, state, action[1])
            return self._paid(game, state, mustering._replace(owed=mustering.owed - 1))
        else:
            state.local = mustering._replace(unit=action[1], cell=action[2], owed=weight(game, action[1]))
        return AGAIN

    def _keep(self, game: StalingradRoads, state: RoadsState, kind: int, number: int) -> None:
        game.hold(state, kind, STAVKA, -number)
        game.hold(state, kind, MAJOR, number)

    def _return(self, game: StalingradRoads, state: RoadsState, kind: int) -> None:
        game.hold(state, kind, STAVKA, -1)
        state.pool[kind] += 1

    def _paid(self, game: StalingradRoads, state: RoadsState, mustering: Mustering) -> Flow:
        if mustering.owed:
            state.local = mustering
            return AGAIN
        state.local = Mustering(mustering.exchanges)
        enter_hex(game, state, mustering.unit, mustering.cell)
        state.emit("released", "11.4.2", unit=mustering.unit, hex=mustering.cell)
        return AGAIN
