"""4.0 Movement: one unit or stack after the other, hex by hex; 7.0 overruns in the course of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.leningrad.rules import reinforcements, surprise
from grognard.games.leningrad.rules.battle import Battle, engage
from grognard.games.leningrad.rules.disengagement import (
    disengagement_cost,
    held,
    note_stop,
    why_not_disengage,
    why_not_leave,
)
from grognard.games.leningrad.rules.supply import allowance
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState, members
from grognard.kernel import AGAIN, RETURN, Action, Flow, Refusal, Role, Verb, refusal
from grognard.mechanics.choices import Choose, TurnDecision
from grognard.mechanics.control import in_contact, in_enemy_zone, zone
from grognard.mechanics.pieces import NOWHERE

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


class MovingStack(NamedTuple):
    """The units in hand. They began the phase in the same hex (4.5), or enter the map together (16.1)."""

    units: tuple[int, ...]
    gathering: bool
    """Nobody has left the first hex yet: more units may join."""
    arriving: bool
    """They have entered the map in this phase (16.1)."""
    aside: tuple[int, ...] = ()
    """Units of this move that have moved and been set down: they may still go on, alone or together."""
    set_down: tuple[int, ...] = ()
    """Units set down since the stack came to this hex: it leaves before it takes them along again."""
    target: int = NOWHERE
    """The hex being overrun."""


class PickUnit(TurnDecision["Leningrad", LeningradState]):
    """4.0 The phasing player takes up a unit on the map or one that arrives, or ends the phase."""

    name = "pick-unit"
    case = "4.0"
    verbs = {
        "pick": Verb(("unit",), Role.TAKE),
        "enter": Verb(("unit", "hex"), Role.ENTER),
        "end": Verb((), Role.END),
    }
    prompts = ("pick-unit", "pick-unit-bound", "pick-unit-bound-done")

    def prompt(self, game: Leningrad, state: LeningradState, side: int) -> str:
        """17.2 Before the surprised have gone as far as they must, the phase cannot be ended."""
        if not game.soviets_surprised(state, side):
            return self.name
        done = why_not_end(game, state) is None
        return "pick-unit-bound-done" if done else "pick-unit-bound"

    def options(self, game: Leningrad, state: LeningradState, side: int) -> list[Action]:
        ready = game.units_of[side] & ~state.done
        frozen = surprise.frozen_hexes(game, state, side)
        where = state.where
        found: list[Action] = [
            ("pick", u) for u in each(ready) if where[u] >= 0 and not frozen >> where[u] & 1
        ]
        for unit in reinforcements.due(game, state, side):
            found += [("enter", unit, cell) for cell in reinforcements.entry_hexes(game, state, unit)]
        if why_not_end(game, state) is None:
            found.append(("end",))
        return found

    def refuse(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end":
            return why_not_end(game, state)
        unit = action[1]
        if game.side(unit) != side:
            return refusal("not-yours", "4.0", unit=unit)
        if action[0] == "enter":
            return reinforcements.why_not_enter(game, state, unit, action[2])
        if not state.on_map(unit):
            return refusal("not-on-map", "4.0", unit=unit)
        if state.done >> unit & 1:
            return refusal("moved-already", "4.5", unit=unit)
        if surprise.frozen_hexes(game, state, side) >> state.where[unit] & 1:
            return refusal("frozen", "17.2", unit=unit, hex=state.where[unit])
        return None

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        unit = action[1]
        if action[0] == "enter":
            reinforcements.enter(game, state, unit, action[2])
            stack = MovingStack((unit,), gathering=True, arriving=True)
        else:
            state.left[unit] = allowance(game, state, unit)
            stack = MovingStack((unit,), gathering=True, arriving=False)
        state.push("move", stack)
        return AGAIN


class MoveStack(TurnDecision["Leningrad", LeningradState]):
    """4.5 The stack in hand: another hex, an overrun, a unit more or less, or done."""

    name = "move-stack"
    case = "4.5"
    verbs = {
        "step": Verb(("hex",), Role.STEP),
        "overrun": Verb(("hex",), Role.STRIKE),
        "add": Verb(("unit",), Role.GATHER),
        "drop": Verb(("unit",), Role.RELEASE),
        "take": Verb(("unit",), Role.GATHER),
        "halt": Verb((), Role.HALT),
    }
    prompts = ("move-stack", "move-stack-bound")

    def prompt(self, game: Leningrad, state: LeningradState, side: int) -> str:
        """17.2 The surprised may not halt while they can go on."""
        return self.name if why_not_halt(game, state, state.local) is None else "move-stack-bound"

    def options(self, game: Leningrad, state: LeningradState, side: int) -> list[Action]:
        stack: MovingStack = state.local
        found: list[Action] = []
        if stack.units:
            found += [("step", cell) for cell in open_steps(game, state, stack.units)]
            here, enemies = state.where[stack.units[0]], state.occupied[1 - side]
            if game.contact[here] & enemies:
                found += [
                    ("overrun", there)
                    for there, bit in game.ways_out[here]
                    if bit & enemies and why_not_overrun(game, state, stack, there) is None
                ]
            found += [
                ("add", u)
                for u in self._candidates(game, state, stack)
                if self._why_not_add(game, state, stack, u) is None
            ]
            if len(stack.units) > 1:
                found += [("drop", u) for u in stack.units]
        else:
            found += [("take", u) for u in stack.aside]
        if why_not_halt(game, state, stack) is None:
            found.append(("halt",))
        return found

    def _candidates(self, game: Leningrad, state: LeningradState, stack: MovingStack) -> list[int]:
        if not stack.gathering:
            return list(stack.aside)
        if stack.arriving:
            return reinforcements.due(game, state, game.side(stack.units[0]))
        return state.stack(state.where[stack.units[0]])

    def refuse(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Refusal | None:
        stack: MovingStack = state.local
        verb = action[0]
        if verb == "halt":
            return why_not_halt(game, state, stack)
        if verb == "take":
            if action[1] not in stack.aside:
                return refusal("not-set-aside", "4.5", unit=action[1])
            return refusal("hand-first", "4.5", unit=action[1]) if stack.units else None
        if not stack.units:
            return refusal("nothing-in-hand", "4.5")
        if verb == "step":
            prices = step_prices(game, state, stack.units, action[1])
            return prices if isinstance(prices, Refusal) else None
        if verb == "overrun":
            return why_not_overrun(game, state, stack, action[1])
        if verb == "add":
            return self._why_not_add(game, state, stack, action[1])
        if action[1] not in stack.units:
            return refusal("not-in-hand", "4.5", unit=action[1])
        if len(stack.units) < 2:
            return refusal("nothing-to-drop", "4.5", unit=action[1])
        return None

    def _why_not_add(
        self, game: Leningrad, state: LeningradState, stack: MovingStack, unit: int
    ) -> Refusal | None:
        here = state.where[stack.units[0]]
        again = unit in stack.aside and state.where[unit] == here
        if (
            not (stack.gathering or again)
            or unit in stack.units
            or game.side(unit) != game.side(stack.units[0])
        ):
            return refusal("cannot-join", "4.5", unit=unit)
        if unit in stack.set_down:
            return refusal("just-set-down", "4.5", unit=unit)
        if len(stack.units) >= game.data.numbers["stacking"]:
            return refusal("stack-of-three", "4.5", unit=unit)
        if again:
            return None
        if stack.arriving:
            return reinforcements.why_not_enter(game, state, unit, here)
        if state.where[unit] != here or (state.done | state.moved) >> unit & 1:
            return refusal("cannot-join", "4.5", unit=unit)
        return None

    def apply(self, game: Leningrad, state: LeningradState, side: int, action: Action) -> Flow:
        stack: MovingStack = state.local
        verb = action[0]
        if verb == "step":
            take_step(game, state, stack, action[1], prices_paid(game, state, stack.units, action[1]))
            return self._unless_spent(game, state)
        if verb == "overrun":
            state.local = stack._replace(gathering=False, target=action[1])
            return "overrun"
        if verb == "halt":
            state.done |= bits(stack.units)
            if not stack.units or not stack.aside:
                state.done |= bits(stack.aside)
                return RETURN
            state.local = stack._replace(units=(), gathering=False)
            return AGAIN
        unit = action[1]
        aside = tuple(u for u in stack.aside if u != unit)
        if verb == "add":
            if unit in stack.aside:
                pass  # 4.5 it goes on with what is left of its own points
            elif stack.arriving:
                reinforcements.enter(game, state, unit, state.where[stack.units[0]])
            else:
                state.left[unit] = allowance(game, state, unit)
            state.local = stack._replace(units=(*stack.units, unit), aside=aside)
        elif verb == "drop":
            rest = tuple(u for u in stack.units if u != unit)
            if state.moved >> unit & 1:
                aside = (*aside, unit)
            # 11.0 who has not moved has not begun its move: it is picked up, and its supply judged, later
            state.local = stack._replace(units=rest, aside=aside, set_down=(*stack.set_down, unit))
        else:  # take
            state.local = stack._replace(units=(unit,), aside=aside, set_down=())
        return AGAIN

    def _unless_spent(self, game: Leningrad, state: LeningradState) -> Flow:
        """Ask again, unless nobody in hand can possibly go on: then the halt goes without saying."""
        stack: MovingStack = state.local
        if stack.aside or len(stack.units) > 1:
            return AGAIN
        unit = stack.units[0]
        side = game.side(unit)
        enough = game.cheapest_exit[side] if in_enemy_zone(game, state, side, state.where[unit]) else 1
        if state.left[unit] >= enough:
            return AGAIN
        state.done |= bits(stack.units)
        return RETURN


def step_prices(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], there: int
) -> tuple[int, ...] | Refusal:
    """What each unit of a stack pays to enter a neighbouring hex together, or why they may not."""
    here = state.where[units[0]]
    side = GERMAN if units[0] < state.germans else SOVIET
    if game.infantry_costs.step(here, there) == 0:
        if there not in game.board.adjacent[here]:
            return refusal("not-adjacent", "4.0", hex=there)
        return refusal("water-side", "4.9", hex=there)
    if state.occupied[1 - side] >> there & 1:
        return refusal("enemy-there", "4.4", hex=there)
    if state.height(there) + len(units) > game.stacking:
        return refusal("stacking", "4.6", hex=there)
    leaving = held(game, state, units, here)
    if leaving:
        why = why_not_disengage(game, state, units, here, there)
        if why is not None:
            return why
    prices = _points(game, state, units, leaving, here, there)
    if not isinstance(prices, Refusal) and game.soviets_surprised(state, side):
        courses = [surprise.course(game, state, unit, here) for unit in units]
        why = surprise.why_off_course(game, state, courses, there, prices)
        if why is not None:
            return why
    return prices


def _points(
    game: Leningrad,
    state: LeningradState,
    units: tuple[int, ...],
    leaving: tuple[int, ...],
    here: int,
    there: int,
) -> tuple[int, ...] | Refusal:
    """The prices of a step, as far as the points of the units allow it."""
    prices = []
    for unit in units:
        price, left = _price(game, state, unit, unit in leaving, here, there), state.left[unit]
        if price > left:
            # 4.3 one hex is always possible for all of a unit's points, from where it starts the phase
            if state.moved >> unit & 1:
                return refusal("too-dear", "4.1", unit=unit, points_needed=price, points_left=left)
            price = left
        prices.append(price)
    return tuple(prices)


def _price(
    game: Leningrad, state: LeningradState, unit: int, disengaging: bool, here: int, there: int
) -> int:
    """What the step costs a unit, whether it has the points or not."""
    price = game.costs[unit].step(here, there)
    if state.forts if unit < state.germans else state.interdicted:
        price *= entry_factor(game, state, unit, here, there)
    return price + disengagement_cost(game, unit) if disengaging else price


def open_steps(game: Leningrad, state: LeningradState, units: tuple[int, ...]) -> list[int]:
    """The hexes that a stack may enter next. What the whole stack is refused is asked once, not hex by
    hex."""
    here, side = state.where[units[0]], game.side(units[0])
    leaving = held(game, state, units, here)
    cells = _open_hexes(game, state, units, leaving)
    if game.soviets_surprised(state, side):
        courses = [surprise.course(game, state, unit, here) for unit in units]
        return [
            cell
            for cell in cells
            if not isinstance(prices := _points(game, state, units, leaving, here, cell), Refusal)
            and surprise.why_off_course(game, state, courses, cell, prices) is None
        ]
    # 4.3 Who has not spent a point can pay for any one hex.
    for unit in units:
        if state.moved >> unit & 1:
            left, held_here = state.left[unit], unit in leaving
            cells = [c for c in cells if _price(game, state, unit, held_here, here, c) <= left]
    return cells


def _open_hexes(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], leaving: tuple[int, ...]
) -> list[int]:
    """The hexes next door that enemies, zones and stacking leave open to a stack, whatever they cost."""
    here, side = state.where[units[0]], game.side(units[0])
    near = game.contact[here] & ~state.occupied[1 - side]
    if leaving:
        near &= ~zone(game, state, 1 - side)
        if why_not_leave(game, state, units, here) is not None:
            return []
    near &= ~state.full
    cells = [cell for cell, bit in game.ways_out[here] if near & bit]
    if len(units) > 1:
        room = game.stacking - len(units)
        cells = [cell for cell in cells if state.height(cell) <= room]
    return cells


def owes_movement(game: Leningrad, state: LeningradState, unit: int) -> bool:
    """17.2 Not next to a German, and able by itself to go on towards one."""
    free = not in_enemy_zone(game, state, SOVIET, state.where[unit])
    return free and bool(open_steps(game, state, (unit,)))


def why_not_end(game: Leningrad, state: LeningradState) -> Refusal | None:
    """16.5, 17.1 On turn 1 every Soviet unit due has entered; 17.2 everybody who can is next to a German."""
    if not game.soviets_surprised(state, state.active):
        return None
    for unit in reinforcements.due(game, state, SOVIET):
        if reinforcements.entry_hexes(game, state, unit):
            return refusal("cannot-delay", "16.5", unit=unit)
    for unit in each(game.units_of[SOVIET] & ~state.done):
        cell = state.where[unit]
        if not state.on_map(unit) or game.frozen >> cell & 1:
            continue
        # 4.3 Whoever has not moved has the points for a hex nearer a German, if there is one.
        if owes_movement(game, state, unit):
            return refusal("owes-movement", "17.2", unit=unit, hex=cell)
    return None


def why_not_halt(game: Leningrad, state: LeningradState, stack: MovingStack) -> Refusal | None:
    """17.2 The surprised may not halt while they can go on."""
    if game.soviets_surprised(state, state.active):
        ending = stack.units or stack.aside  # with nobody in hand, those set down on the way are done
        for unit in ending:
            if owes_movement(game, state, unit):
                return refusal("must-go-on", "17.2", unit=unit)
    return None


def entry_factor(game: Leningrad, state: LeningradState, unit: int, here: int, there: int) -> int:
    """How forts (15.2) and interdiction (13.3, 13.4) multiply the cost of a hex without enemies."""
    if unit < state.germans:
        return game.data.numbers["fort_factor"] if state.forts >> there & 1 else 1
    factor = 1
    for cell in state.interdicted:
        if cell == there or (cell == here and not state.departed >> unit & 1):
            factor *= game.data.numbers["interdiction_factor"]
    return factor


def prices_paid(
    game: Leningrad, state: LeningradState, units: tuple[int, ...], there: int
) -> tuple[int, ...]:
    """What each unit of a stack pays for a step that may be made."""
    here = state.where[units[0]]
    prices = _points(game, state, units, held(game, state, units, here), here, there)
    assert not isinstance(prices, Refusal)
    return prices


def take_step(
    game: Leningrad, state: LeningradState, stack: MovingStack, there: int, prices: tuple[int, ...]
) -> None:
    """A step whose prices are known."""
    here = state.where[stack.units[0]]
    for unit, price in zip(stack.units, prices, strict=True):
        state.left[unit] -= price
        state.place(unit, there)
    state.moved |= bits(stack.units)
    note_stop(game, state, stack.units)
    case = "17.2" if game.soviets_surprised(state, game.side(stack.units[0])) else "4.0"
    state.emit("moved", case, units=stack.units, hex_from=here, hex=there)
    if stack.gathering or stack.set_down:
        state.local = MovingStack(stack.units, gathering=False, arriving=stack.arriving, aside=stack.aside)


# 7.0 Overrun: an attack inside the movement phase, for three points and two columns to the left


def why_not_overrun(game: Leningrad, state: LeningradState, stack: MovingStack, there: int) -> Refusal | None:
    """Whether the stack in hand may overrun a neighbouring hex."""
    units = stack.units
    side = game.side(units[0])
    if not in_contact(game, state.where[units[0]], there):
        return refusal("not-in-contact", "7.0", hex=there)
    if not state.occupied[1 - side] >> there & 1:
        return refusal("nobody-to-overrun", "7.0", hex=there)
    if game.soviets_surprised(state, side):
        return refusal("surprised-overrun", "17.1")
    if stack.arriving and len(units) > 1:
        return refusal("overrun-together", "7.4", units=units)
    price = 2 * game.data.numbers["overrun_cost"]
    for unit in units:
        if state.left[unit] < price:
            return refusal(
                "overrun-points", "7.3", unit=unit, points_needed=price, points_left=state.left[unit]
            )
    return None


def announce_overrun(game: Leningrad, state: LeningradState) -> Battle:
    """7.3 Three points each, whatever the terrain; then 7.5 against everybody in the hex."""
    stack: MovingStack = state.local
    for unit in stack.units:
        state.left[unit] -= 2 * game.data.numbers["overrun_cost"]
        state.moved |= 1 << unit
    defenders = tuple(state.stack(stack.target))
    state.emit("overrun", "7.0", units=stack.units, hex=stack.target, units_target=defenders)
    return engage(state, stack.units, (stack.target,), defenders, overrun=True)


def regroup(game: Leningrad, state: LeningradState) -> Flow:
    """7.4, 7.7 After an overrun: who retreated is done; the others go on, in the order the player likes.
    Those who stand together may do so as a stack (4.5)."""
    stack: MovingStack = state.local
    able = tuple(u for u in stack.units if state.on_map(u) and not state.done >> u & 1)
    if not able and not stack.aside:
        return RETURN
    note_stop(game, state, able)  # 4.7 an overrun that succeeded frees those who made it
    if len({state.where[u] for u in able}) > 1:
        state.local = stack._replace(units=(), aside=(*stack.aside, *able), set_down=(), target=NOWHERE)
    else:
        state.local = stack._replace(units=able, set_down=(), target=NOWHERE)
    return "hand"


def begin_movement(game: Leningrad, state: LeningradState) -> None:
    state.emit("phase", "4.0", word_phase=game.phase(state).id)
    if game.soviets_surprised(state, state.active):
        state.emit("bound-to-march", "17.2")
    state.moved = state.departed = state.stopped = state.done = 0
    state.left = bytearray(len(state.left))


class DestroyExcess(Choose["Leningrad", LeningradState]):
    """4.6 What is still over the limit after the German set-up has moved: the Soviet player destroys it."""

    name = "destroy-excess"
    case = "4.6"
    verbs = {"destroy": Verb(("unit",))}
    asked = SOVIET

    def able(self, game: Leningrad, state: LeningradState) -> list[int]:
        moving = members(game.units_of[state.active])
        return [u for u in moving if state.height(state.where[u]) > game.stacking]

    def why_not(self, game: Leningrad, state: LeningradState, unit: int) -> Refusal:
        return refusal("not-overstacked", "4.6", unit=unit)

    def take(self, game: Leningrad, state: LeningradState, unit: int) -> Flow:
        state.emit("excess-destroyed", "4.6", unit=unit, hex=state.where[unit])
        state.kill(unit)
        return AGAIN if self.pending(game, state) else None
