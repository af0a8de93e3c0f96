"""11.0 Reinforcements: by rail behind one's own lines, by two entry boxes; idle HQs are withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.command import can_be_activated, receive_manstein, under_command
from grognard.games.a_victory_lost.rules.headquarters import never_arrives, remove_hq
from grognard.games.a_victory_lost.rules.pocket import ground_for_lines, usable_ground
from grognard.games.a_victory_lost.rules.setup import option, turn_due
from grognard.games.a_victory_lost.rules.stacking import has_room, why_no_room
from grognard.games.a_victory_lost.rules.supply import rail_net
from grognard.games.a_victory_lost.rules.victory import enter_hex
from grognard.games.a_victory_lost.state import AXIS, IN_BOX, SOVIET, VictoryState
from grognard.kernel import RETURN, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.arrivals import waiting as waiting_units
from grognard.mechanics.choices import Choose
from grognard.mechanics.control import in_enemy_zone, zone
from grognard.mechanics.pieces import NOBODY

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


class Arrival(NamedTuple):
    """The arrivals of one side, and the unit whose hex is being chosen."""

    side: int
    unit: int = NOBODY


def due(game: AVictoryLost, state: VictoryState, side: int, later: int = 0) -> list[int]:
    """11.0 The units of this turn, or of a later one, that are not on the map yet."""
    return waiting_units(game.arrivals[side], state.where, state.due, state.turn + later, held_back=False)


def receive_axis(game: AVictoryLost, state: VictoryState) -> None:
    """11.1.2, 11.2.1 The chits of arriving Axis HQs and Manstein's join the pool; an army with a box goes
    there."""
    for unit in due(game, state, AXIS):
        if game.units[unit].hq and not state.pool[AXIS] >> game.chit_of[unit] & 1:
            state.pool[AXIS] |= 1 << game.chit_of[unit]
            state.emit("chit-received", "11.1.2", chit=game.chit_of[unit])
    if not option(state, "early_manstein"):
        receive_manstein(game, state, "11.1.2")
    _to_the_box(game, state, AXIS)


def receive_soviet(game: AVictoryLost, state: VictoryState) -> None:
    """11.1.2 The Soviets get no chits; 11.2.1 the 28th Army goes to its box."""
    _to_the_box(game, state, SOVIET)


def _to_the_box(game: AVictoryLost, state: VictoryState, side: int) -> None:
    # An HQ that could not be repositioned (12.7) comes back by rail, even if it first came by the box.
    boxed = [
        u
        for u in due(game, state, side)
        if game.box_units >> u & 1 and state.due[u] == turn_due(game, state, u)
    ]
    for unit in boxed:
        state.place(unit, IN_BOX)
    if boxed:
        state.emit("in-box", "11.2.1", units=tuple(boxed))


def railheads(game: AVictoryLost, state: VictoryState, side: int) -> int:
    """11.1.1 Hexes joined to a friendly source by rail, free of enemies and their zones all the way. Friends
    do not cancel a zone here."""
    enemy = 1 - side
    clear = ground_for_lines(game, state) & ~state.occupied[enemy] & ~zone(game, state, enemy)
    return rail_net(game, side, clear) & game.on_rail & usable_ground(game, state)


def arrival_hexes(game: AVictoryLost, state: VictoryState, unit: int) -> list[int]:
    """11.1.1, 5.0.4 The railheads with room for a unit."""
    return [c for c in each(railheads(game, state, game.side(unit))) if has_room(game, state, unit, c)]


def able_to_arrive(game: AVictoryLost, state: VictoryState, side: int) -> list[int]:
    """11.1.1 The units of this turn for which some railhead has room."""
    heads, waiting = railheads(game, state, side), due(game, state, side)
    if heads & ~state.occupied[side]:
        return waiting  # nobody is there, so that anybody has room
    cells = each(heads)
    return [u for u in waiting if any(has_room(game, state, u, c) for c in cells)]


def lose_the_stranded(game: AVictoryLost, state: VictoryState) -> Flow:
    """11.1.3 When none of those due can enter, they are lost."""
    arrival: Arrival = state.local
    if able_to_arrive(game, state, arrival.side):
        return None
    for unit in due(game, state, arrival.side):
        never_arrives(game, state, unit)
    return RETURN


class ChooseArrival(Choose["AVictoryLost", VictoryState]):
    """11.1.1 The owner takes his reinforcements in the order he likes; all that can enter must."""

    name = "choose-arrival"
    case = "11.1.1"
    verbs = {"arrive": Verb(("unit",), Role.GATHER)}
    always = True

    def actor(self, game: AVictoryLost, state: VictoryState) -> int:
        arrival: Arrival = state.local
        return arrival.side

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return able_to_arrive(game, state, state.local.side)

    def why_not(self, game: AVictoryLost, state: VictoryState, unit: int) -> Refusal:
        if unit not in due(game, state, state.local.side):
            return refusal("not-due", "11.0", unit=unit)
        return refusal("no-railhead", "11.1.1", unit=unit)

    def take(self, game: AVictoryLost, state: VictoryState, unit: int) -> None:
        state.local = state.local._replace(unit=unit)


class PlaceArrival(Choose["AVictoryLost", VictoryState]):
    """11.1.1 Where the reinforcement leaves its trains."""

    name = "place-arrival"
    case = "11.1.1"
    verbs = {"detrain": Verb(("hex",), Role.PLACE)}
    always = True

    def actor(self, game: AVictoryLost, state: VictoryState) -> int:
        arrival: Arrival = state.local
        return arrival.side

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return arrival_hexes(game, state, state.local.unit)

    def why_not(self, game: AVictoryLost, state: VictoryState, cell: int) -> Refusal | None:
        arrival: Arrival = state.local
        if not game.on_rail >> cell & 1:
            return refusal("not-on-rail", "11.1.1", hex=cell)
        if in_enemy_zone(game, state, arrival.side, cell):
            return refusal("arrival-in-zone", "11.1.1", hex=cell)
        if not railheads(game, state, arrival.side) >> cell & 1:
            return refusal("rail-cut", "11.1.1", hex=cell)
        return why_no_room(game, state, arrival.unit, cell)

    def take(self, game: AVictoryLost, state: VictoryState, cell: int) -> Flow:
        arrival: Arrival = state.local
        enter_hex(game, state, arrival.unit, cell)
        state.emit("arrived", "11.1.1", unit=arrival.unit, hex=cell)
        state.local = arrival._replace(unit=NOBODY)
        return "stranded"


def withdraw_hqs(game: AVictoryLost, state: VictoryState) -> None:
    """11.3, 12.6 HQs that command nobody leave the game with their chits; 12.7 not those that have been
    repositioned since the arrivals of the turn before."""
    for hq in each(state.hqs & ~state.repositioned):
        if can_be_activated(state, hq) and not under_command(game, state, hq):
            state.emit("hq-withdrawn", "11.3", unit=hq)
            remove_hq(game, state, hq)
    state.repositioned = 0
