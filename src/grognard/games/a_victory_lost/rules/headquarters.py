"""12.0 What is peculiar to HQs: overrun, repositioned, withdrawn, never killed in battle."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.stacking import has_room
from grognard.games.a_victory_lost.rules.supply import source_distance, supplied_hexes
from grognard.games.a_victory_lost.rules.victory import eliminate, take_city
from grognard.games.a_victory_lost.state import DEAD, LIFTED, SUPPLIED, TO_COME, VictoryState
from grognard.kernel import RETURN, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import Choose
from grognard.mechanics.control import zone
from grognard.mechanics.movement import outward

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def displace(game: AVictoryLost, state: VictoryState, hq: int, case: str) -> None:
    """12.7 An HQ is to be repositioned. It is taken from its hex and its owner puts it back at once; if
    others come first, it stands where it is until its turn."""
    cell = state.where[hq]
    state.emit("hq-displaced", case, unit=hq, hex=cell)
    state.supply[hq] = SUPPLIED
    state.displaced = (*state.displaced, (hq, cell))
    state.companions = tuple(entry for entry in state.companions if entry[0] != hq)
    state.place(state.displaced[0][0], LIFTED)


def next_displaced(state: VictoryState) -> None:
    """12.7 One HQ has been seen to: the next is taken from its hex."""
    state.displaced = state.displaced[1:]
    if state.displaced:
        state.place(state.displaced[0][0], LIFTED)


def overrun_hq(game: AVictoryLost, state: VictoryState, unit: int, cell: int) -> bool:
    """12.1 A combat unit about to enter a hex scatters an enemy HQ there. It stands alone: nobody enters the
    hex of an enemy combat unit (5.0.2)."""
    if not state.occupied[1 - game.side(unit)] >> cell & 1:
        return False
    hq = state.hq_at(cell)
    state.emit("hq-overrun", "12.1", unit=unit, unit_hq=hq, hex=cell)
    displace(game, state, hq, "12.1")
    return True


def lift_unsupplied_hqs(game: AVictoryLost, state: VictoryState) -> None:
    """10.3, 12.5 Every HQ without supply is taken up, to be repositioned: the Axis first, as for
    reinforcements."""
    for hq in each(state.hqs):
        if state.on_map(hq) and state.supply[hq] != SUPPLIED:
            displace(game, state, hq, "12.5")


def reposition_hexes(game: AVictoryLost, state: VictoryState, hq: int, origin: int) -> list[int]:
    """12.7 The nearest hexes, four or more away, closer to a source, out of enemy zones and in supply."""
    side = game.side(hq)
    distance = source_distance(game, state, side)
    fit = supplied_hexes(game, state, side) & usable_ground(game, state) & ~zone(game, state, 1 - side)
    for ring in islice(outward(game.board, 1 << origin), game.data.numbers["reposition_distance"] - 1, None):
        nearer = (cell for cell in each(ring & fit) if distance[cell] < distance[origin])
        if found := [cell for cell in nearer if has_room(game, state, hq, cell)]:
            return found
    return []


def send_back(game: AVictoryLost, state: VictoryState) -> Flow:
    """12.7 An HQ with nowhere to go comes back as a reinforcement of the next turn; with one hex only, there
    is nothing to choose."""
    while state.displaced:
        hq, origin = state.displaced[0]
        found = reposition_hexes(game, state, hq, origin)
        if len(found) > 1:
            return None
        if found:
            reposition(game, state, found[0])
            continue
        next_displaced(state)
        state.place(hq, TO_COME)
        state.due[hq] = state.turn + 1
        state.emit("hq-sent-back", "12.7", unit=hq, turn=state.turn + 1)
    return RETURN


def reposition(game: AVictoryLost, state: VictoryState, cell: int) -> None:
    hq, _ = state.displaced[0]
    next_displaced(state)
    state.place(hq, cell)
    state.repositioned |= 1 << hq
    state.emit("hq-repositioned", "12.7", unit=hq, hex=cell)
    take_city(game, state, game.side(hq), cell)


class Reposition(Choose["AVictoryLost", VictoryState]):
    """12.7 The owner of a displaced HQ picks one of the nearest fit hexes."""

    name = "reposition-hq"
    case = "12.7"
    verbs = {"reposition": Verb(("hex",), Role.PLACE)}
    always = True

    def actor(self, game: AVictoryLost, state: VictoryState) -> int:
        return game.side(state.displaced[0][0])

    def able(self, game: AVictoryLost, state: VictoryState) -> list[int]:
        return reposition_hexes(game, state, *state.displaced[0])

    def why_not(self, game: AVictoryLost, state: VictoryState, cell: int) -> Refusal:
        hq, origin = state.displaced[0]
        return refusal("not-a-rear-hex", "12.7", unit=hq, hex=cell, hex_from=origin)

    def take(self, game: AVictoryLost, state: VictoryState, cell: int) -> Flow:
        reposition(game, state, cell)
        return "stranded"


def remove_hq(game: AVictoryLost, state: VictoryState, hq: int) -> None:
    """12.6 An HQ leaves the game for good, and its chit with it, wherever that lies: an army lost at its box
    (11.2.2) may have it in the cup."""
    side, chit = game.side(hq), 1 << game.chit_of[hq]
    state.place(hq, DEAD)
    state.pool[side] &= ~chit
    state.chosen[side] &= ~chit
    state.cup &= ~chit
    state.planned &= ~chit


def never_arrives(game: AVictoryLost, state: VictoryState, unit: int) -> None:
    """11.1.3 A unit that cannot enter the map when it has to is lost."""
    if game.units[unit].hq:
        remove_hq(game, state, unit)
        state.emit("never-arrived", "11.1.3", unit=unit, score=0)
    else:
        eliminate(game, state, unit, "11.1.3")


def note_companions(game: AVictoryLost, state: VictoryState) -> None:
    """12.2 to 12.4 Who is stacked with whom at the beginning of a combat sequence."""
    where, fighters = state.where, ~state.hqs
    state.companions = tuple(
        (hq, mates) for hq in game.hq_numbers if where[hq] >= 0 and (mates := state.at[where[hq]] & fighters)
    )


def companions(state: VictoryState, hq: int) -> int:
    """The units that were stacked with an HQ at the beginning of the combat sequence, as a set; nobody, once
    it has been repositioned."""
    return dict(state.companions).get(hq, 0)


def displace_bereft(game: AVictoryLost, state: VictoryState) -> None:
    """12.2 An HQ all of whose companions have died, attacking or attacked, is repositioned."""
    for hq, mates in state.companions:
        if not any(state.on_map(unit) for unit in each(mates)):
            displace(game, state, hq, "12.2")
