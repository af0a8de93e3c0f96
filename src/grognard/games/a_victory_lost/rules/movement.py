"""8.0 Movement: activated units, one after the other, hex by hex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.board.board import each
from grognard.games.a_victory_lost.rules.command import why_not_active
from grognard.games.a_victory_lost.rules.headquarters import never_arrives, overrun_hq
from grognard.games.a_victory_lost.rules.pocket import usable_ground
from grognard.games.a_victory_lost.rules.reach import Move, branches, take_up
from grognard.games.a_victory_lost.rules.stacking import has_room, why_no_room
from grognard.games.a_victory_lost.rules.victory import enter_hex
from grognard.games.a_victory_lost.state import IN_BOX, VictoryState
from grognard.kernel import AGAIN, RETURN, Action, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import TurnDecision
from grognard.mechanics.control import in_enemy_zone, zone

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def price_of_step(
    game: AVictoryLost, state: VictoryState, move: Move, here: int, there: int
) -> int | Refusal:
    """8.1, 8.2, 8.3 What the unit in hand pays to go from a hex to its neighbour, or why it may not. It need
    not stand there yet."""
    data, unit = game.data, move.unit
    side = 0 if unit < state.axis_units else 1
    price = data.costs.step(here, there)
    if not price:
        if there not in game.board.adjacent[here]:
            return refusal("not-adjacent", "8.1.2", hex=there)
        return refusal("impassable", "8.1.5", hex=there)
    if not usable_ground(game, state) >> there & 1:
        return refusal("pocket", "13.0", hex=there)
    if state.occupied[1 - side] >> there & 1:
        if state.fighters[1 - side] >> there & 1:
            return refusal("enemy-there", "5.0.2", hex=there)
        if game.units[unit].hq:
            return refusal("hq-cannot-overrun", "12.1", unit=unit, hex=there)
    if move.halted:
        return refusal("river-crossed", "8.1.3", unit=unit)
    enemy_zone = zone(game, state, 1 - side)
    leaving, entering = enemy_zone >> here & 1, enemy_zone >> there & 1
    bridged = data.major.get((here, there))
    if bridged is not None:
        if leaving and entering:
            return refusal("river-zone-to-zone", "8.2.2", hex=there)
        if not bridged and not move.fresh:
            return refusal("river-not-first", "8.1.3", unit=unit, hex=there)
    if move.march:
        if not game.board.side_has(here, there, "road"):
            return refusal("off-road", "8.3.1", hex=there)
        if entering:
            return refusal("march-into-zone", "8.3.1", hex=there)
        price = data.road_cost
    else:
        price += game.zone_out * leaving + game.zone_in * entering
    return price if (dear := too_dear(move, price, bool(entering))) is None else dear


def points_of_step(game: AVictoryLost, state: VictoryState, move: Move, here: int, there: int) -> int:
    """8.1.2, 8.2.1, 8.3.1 What a step costs that may be made."""
    if move.march:
        return game.data.road_cost
    enemy_zone = zone(game, state, 1 if move.unit < state.axis_units else 0)
    price = game.data.costs.step(here, there)
    return price + game.zone_out * (enemy_zone >> here & 1) + game.zone_in * (enemy_zone >> there & 1)


def too_dear(move: Move, price: int, entering: bool) -> Refusal | None:
    """8.1.2 Whether the points left do not pay for a step. 15.0.1 The administrative point does not help to
    enter an enemy zone."""
    left = move.left - (move.bonus if entering else 0)
    if price <= left:
        return None
    code, case = ("bonus-lost", "15.0.1") if price <= move.left else ("too-dear", "8.1.2")
    return refusal(code, case, unit=move.unit, points_needed=price, points_left=max(0, left))


def after_step(
    game: AVictoryLost, state: VictoryState, move: Move, here: int, there: int, price: int
) -> Move:
    """What the unit in hand may still do after a step."""
    left, bonus = move.left - price, move.bonus
    if bonus and in_enemy_zone(game, state, game.side(move.unit), there):
        left, bonus = left - bonus, 0
    return Move(move.unit, left, move.march, False, game.data.major.get((here, there)) is False, bonus)


def finds_room_beyond(game: AVictoryLost, state: VictoryState, move: Move, cell: int) -> bool:
    """5.0.4 Whether a unit can pass a hex where it finds no room and end its move farther on."""
    # Most often the next hex will do, and the flood is not needed.
    for there in game.board.adjacent[cell]:
        if has_room(game, state, move.unit, there) and not isinstance(
            price_of_step(game, state, move, cell, there), Refusal
        ):
            return True
    return any(
        has_room(game, state, move.unit, there)
        for branch in branches(game, state, move, {cell: 0})
        for there in each(branch.reach.cells)
    )


def why_not_step(game: AVictoryLost, state: VictoryState, move: Move, there: int) -> int | Refusal:
    """The price of a step, or why it cannot be made: too dear, forbidden, or to a hex where the unit could
    neither stay nor go on."""
    here = state.where[move.unit]
    price = price_of_step(game, state, move, here, there)
    if (
        isinstance(price, Refusal)
        or has_room(game, state, move.unit, there)
        or finds_room_beyond(game, state, after_step(game, state, move, here, there, price), there)
    ):
        return price
    reason = why_no_room(game, state, move.unit, there)
    assert reason is not None
    return reason


# Entry boxes (11.2)


def price_of_entry(game: AVictoryLost, state: VictoryState, move: Move, cell: int) -> int | Refusal:
    """11.2.2 What a unit pays to enter the map from its box."""
    side = game.side(move.unit)
    if not game.data.boxes[side] >> cell & 1:
        return refusal("not-by-the-box", "11.2.2", unit=move.unit, hex=cell)
    if state.fighters[1 - side] >> cell & 1:
        return refusal("enemy-there", "5.0.2", hex=cell)
    if game.units[move.unit].hq and state.occupied[1 - side] >> cell & 1:
        return refusal("hq-cannot-overrun", "12.1", unit=move.unit, hex=cell)
    entering = in_enemy_zone(game, state, side, cell)
    if move.march:
        if not game.data.on_road >> cell & 1:
            return refusal("off-road", "8.3.1", hex=cell)
        if entering:
            return refusal("march-into-zone", "8.3.1", hex=cell)
        price = game.data.road_cost
    else:
        price = game.data.plain_cost[cell] + game.zone_in * entering
    return price if (dear := too_dear(move, price, entering)) is None else dear


def why_not_enter(
    game: AVictoryLost, state: VictoryState, unit: int, cell: int, march: bool
) -> tuple[Move, int] | Refusal:
    """The move of a unit that enters the map from its box, and its price, or why it may not."""
    move = take_up(game, state, unit, march)
    price = price_of_entry(game, state, move, cell)
    if isinstance(price, Refusal):
        return price
    onward = after_step(game, state, move, cell, cell, price)
    if has_room(game, state, unit, cell) or finds_room_beyond(game, state, onward, cell):
        return onward, price
    reason = why_no_room(game, state, unit, cell)
    assert reason is not None
    return reason


def entries(game: AVictoryLost, state: VictoryState, unit: int) -> list[Action]:
    found: list[Action] = []
    for verb, march in (("enter", False), ("march-in", True)):
        for cell in each(game.data.boxes[game.side(unit)]):
            if not isinstance(why_not_enter(game, state, unit, cell, march), Refusal):
                found.append((verb, unit, cell))
    return found


def waiting_in_box(game: AVictoryLost, state: VictoryState) -> list[int]:
    """11.2.2 Activated units that have to leave their box in this sequence."""
    return [u for u in each(state.activated & game.box_units) if state.where[u] == IN_BOX]


class PickUnit(TurnDecision["AVictoryLost", VictoryState]):
    """8.0, 8.1.1 The active player takes up an activated unit, or ends the movement sequence."""

    name = "pick-unit"
    case = "8.0"
    verbs = {
        "pick": Verb(("unit",), Role.TAKE),
        "march": Verb(("unit",), Role.TAKE),
        "enter": Verb(("unit", "hex"), Role.ENTER),
        "march-in": Verb(("unit", "hex"), Role.ENTER),
        "end": Verb((), Role.END),
    }

    def options(self, game: AVictoryLost, state: VictoryState, side: int) -> list[Action]:
        found: list[Action] = []
        enemy_zone = zone(game, state, 1 - state.active)
        roads = game.data.on_road & ~enemy_zone
        for unit in each(state.activated & ~state.moved):
            if state.on_map(unit):
                found.append(("pick", unit))
                if roads >> state.where[unit] & 1:
                    found.append(("march", unit))
        entering = [way for unit in waiting_in_box(game, state) for way in entries(game, state, unit)]
        return found + (entering or [("end",)])

    def refuse(self, game: AVictoryLost, state: VictoryState, side: int, action: Action) -> Refusal | None:
        verb = action[0]
        if verb == "end":
            for unit in waiting_in_box(game, state):
                if entries(game, state, unit):
                    return refusal("must-enter", "11.2.2", unit=unit)
            return None
        unit = action[1]
        if game.side(unit) != state.active:
            return refusal("not-yours", "8.0", unit=unit)
        if not state.activated >> unit & 1:
            return why_not_active(game, state, unit, "7.0")
        cell = state.where[unit]
        if verb in ("enter", "march-in"):
            if cell != IN_BOX:
                return refusal("not-in-box", "11.2.2", unit=unit)
            found = why_not_enter(game, state, unit, action[2], verb == "march-in")
            return found if isinstance(found, Refusal) else None
        if not state.on_map(unit):
            return refusal("not-on-map", "8.0", unit=unit)
        if state.moved >> unit & 1:
            return refusal("moved-already", "8.1.1", unit=unit)
        if verb == "march":
            if not game.data.on_road >> cell & 1:
                return refusal("no-road-here", "8.3.1", unit=unit, hex=cell)
            if in_enemy_zone(game, state, state.active, cell):
                return refusal("march-from-zone", "8.3.1", unit=unit, hex=cell)
        return None

    def apply(self, game: AVictoryLost, state: VictoryState, side: int, action: Action) -> Flow:
        verb = action[0]
        if verb == "end":
            return None
        unit = action[1]
        state.moved |= 1 << unit
        if verb in ("enter", "march-in"):
            found = why_not_enter(game, state, unit, action[2], verb == "march-in")
            assert not isinstance(found, Refusal)
            state.emit("entered", "11.2.2", unit=unit, hex=action[2])
            overran = overrun_hq(game, state, unit, action[2])
            enter_hex(game, state, unit, action[2])
            state.push("move", found[0], at="overrun" if overran else "hand")
        else:
            state.push("move", take_up(game, state, unit, verb == "march"))
        return AGAIN


class MoveUnit(TurnDecision["AVictoryLost", VictoryState]):
    """8.1.2 The unit in hand: one hex more, or the end of its move."""

    name = "move-unit"
    case = "8.1.2"
    verbs = {"step": Verb(("hex",), Role.STEP), "halt": Verb((), Role.HALT)}
    prompts = ("move-unit", "move-unit-full")

    def prompt(self, game: AVictoryLost, state: VictoryState, side: int) -> str:
        """5.0.4 Nobody ends a move where there is no room."""
        move: Move = state.local
        room = has_room(game, state, move.unit, state.where[move.unit])
        return self.name if room else "move-unit-full"

    def options(self, game: AVictoryLost, state: VictoryState, side: int) -> list[Action]:
        move: Move = state.local
        here = state.where[move.unit]
        # The hexes that nobody may enter are left out at once.
        shut = state.fighters[1 - side]
        found: list[Action] = [
            ("step", there)
            for there in game.steps_from[here]
            if not shut >> there & 1 and not isinstance(why_not_step(game, state, move, there), Refusal)
        ]
        if has_room(game, state, move.unit, here):
            found.append(("halt",))
        return found

    def refuse(self, game: AVictoryLost, state: VictoryState, side: int, action: Action) -> Refusal | None:
        move: Move = state.local
        if action[0] == "halt":
            return why_no_room(game, state, move.unit, state.where[move.unit])
        price = why_not_step(game, state, move, action[1])
        return price if isinstance(price, Refusal) else None

    def apply(self, game: AVictoryLost, state: VictoryState, side: int, action: Action) -> Flow:
        move: Move = state.local
        if action[0] == "halt":
            return RETURN
        here, there = state.where[move.unit], action[1]
        price = points_of_step(game, state, move, here, there)
        overran = overrun_hq(game, state, move.unit, there)
        enter_hex(game, state, move.unit, there)
        move = after_step(game, state, move, here, there, price)
        state.local = move
        state.emit("moved", "8.1", unit=move.unit, hex_from=here, hex=there)
        if overran:
            return "overrun"
        # With nothing left for the cheapest hex, the halt goes without saying.
        if move.halted or move.left < (game.data.road_cost if move.march else game.cheapest_hex):
            return RETURN
        return AGAIN


def lose_stragglers(game: AVictoryLost, state: VictoryState) -> None:
    """11.2.2, 11.1.3 Who had to leave the box and found no way is lost, as a reinforcement that cannot
    enter."""
    for unit in waiting_in_box(game, state):
        never_arrives(game, state, unit)
