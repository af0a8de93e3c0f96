"""1.3, 8.8, 8.15 Losses: steps, eliminated units, and the Kampfgruppen that remain of elite ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import bits, each
from grognard.games.stalingrad_roads.state import (
    ALARM_BOX,
    AXIS,
    DEAD,
    KG_BOX,
    WITHDRAWN,
    RoadsState,
)
from grognard.kernel import AGAIN, RETURN, Action, ChanceDecision, Decision, Flow, Refusal, Verb, refusal
from grognard.mechanics.choices import Choose

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class Losses(NamedTuple):
    """Steps that some units owe between them."""

    units: tuple[int, ...]
    owed: int
    first: tuple[int, ...] = ()
    """Those who must take the first one (8.8.1)."""
    chooser: int = -1
    """The side that says which of them; -1: the owner."""
    in_turn: bool = True
    """Everybody takes one before anybody takes a second (8.8.2)."""
    hit: int = 0
    """Who has taken one, as a set."""
    case: str = "8.8.2"


class Fallen(NamedTuple):
    """An elite unit that died in combat (8.15)."""

    unit: int
    cell: int
    unsupplied: bool = False
    enclosed: bool = False


def alive(state: RoadsState, units: tuple[int, ...]) -> list[int]:
    """Those of some units that are on the map, with the Kampfgruppen that stand for the dead (8.15)."""
    found = [unit for unit in units if state.where[unit] >= 0]
    found += [kg for old, kg in state.replaced if old in units and kg not in units and state.where[kg] >= 0]
    return found


def return_markers(game: StalingradRoads, state: RoadsState, unit: int) -> None:
    """5.5.3 The markers of a unit that dies go back to the pool."""
    for marker in state.markers:
        if marker.unit == unit:
            state.pool[marker.kind] += 1
    # They keep their place in the list until the combat is over, whose markers are known by their numbers.
    state.markers = tuple(
        marker._replace(unit=-1, cell=-1, spent=True) if marker.unit == unit else marker
        for marker in state.markers
    )


def eliminate(game: StalingradRoads, state: RoadsState, unit: int, case: str) -> None:
    """1.3.3, 1.3.4 A unit leaves the map; Kampfgruppen and the enclosed for good."""
    cell = state.where[unit]
    counter = game.units[unit]
    gone = counter.kampfgruppe or state.enclosed >> unit & 1
    state.steps[unit] = 0
    if counter.kind == "alarm":
        state.place(unit, ALARM_BOX)
        state.pool[game.support_index["a-alarm"]] += 1
    else:
        state.place(unit, WITHDRAWN if gone else DEAD)
    for name in ("unsupplied", "enclosed", "exploiting", "pinned", "full_power", "retreated"):
        setattr(state, name, getattr(state, name) & ~(1 << unit))
    state.pontoons = tuple(entry for entry in state.pontoons if entry[0] != unit)
    return_markers(game, state, unit)
    state.emit("eliminated", case, unit=unit, hex=cell)
    if counter.hq and counter.axis:
        from grognard.games.stalingrad_roads.rules.approval import approve

        approve(game, state, -1, "15.2.1")


def lose_step(game: StalingradRoads, state: RoadsState, unit: int, case: str) -> None:
    """1.3.1 A full unit is turned over; a reduced one, or one without a back, is eliminated. What is pushed
    here comes before the step in progress goes on."""
    if state.steps[unit] > 1:
        state.steps[unit] -= 1
        state.emit("reduced", case, unit=unit, hex=state.where[unit])
        return
    cell, elite = state.where[unit], game.elite(state, unit)
    fallen = Fallen(unit, cell, bool(state.unsupplied >> unit & 1), bool(state.enclosed >> unit & 1))
    eliminate(game, state, unit, case)
    if elite and kampfgruppen(game, state, unit):
        state.push("kampfgruppe", fallen)


def kampfgruppen(game: StalingradRoads, state: RoadsState, unit: int) -> list[int]:
    """8.15 The Kampfgruppen that could stand for a unit that has died: of its kind, and only for the last
    element of a division."""
    counter = game.units[unit]
    if counter.nation != "german" or counter.kampfgruppe:
        return []
    if counter.division and any(
        state.where[other] >= 0
        for other in each(game.units_of[AXIS])
        if game.units[other].division == counter.division
    ):
        return []
    kind = "kg-armour" if counter.armoured else "kg-infantry"
    return [kg for kg in each(state.at.get(KG_BOX, 0)) if game.units[kg].kind == kind]


class RaiseKampfgruppe(Decision["StalingradRoads", RoadsState]):
    """8.15.1, 8.15.5 The Axis may put a Kampfgruppe in the place of an elite unit."""

    name = "raise-kampfgruppe"
    case = "8.15.1"
    verbs = {"raise": Verb(()), "decline": Verb(())}

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        # Of two who die at one stroke the first may have taken the last one.
        fallen: Fallen = state.local
        return bool(kampfgruppen(game, state, fallen.unit))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        return RETURN

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return AXIS

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("raise",), ("decline",)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        return None if action[0] == "raise" else RETURN


class DrawKampfgruppe(ChanceDecision["StalingradRoads", RoadsState]):
    """8.15.1, 8.15.7 An armoured one is drawn at random; those of infantry are all alike."""

    name = "draw-kampfgruppe"
    case = "8.15.1"
    verbs = {"form": Verb(("unit",))}

    def weights(self, game: StalingradRoads, state: RoadsState) -> list[tuple[Action, int]]:
        fallen: Fallen = state.local
        found = kampfgruppen(game, state, fallen.unit)
        if not game.units[fallen.unit].armoured:
            found = found[:1]
        return [(("form", kg), 1) for kg in found]

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        fallen: Fallen = state.local
        kg = action[1]
        state.place(kg, fallen.cell)
        state.steps[kg] = game.units[kg].steps
        state.unsupplied |= fallen.unsupplied << kg
        state.enclosed |= fallen.enclosed << kg
        state.replaced = (*state.replaced, (fallen.unit, kg))
        state.emit("kampfgruppe", "8.15.1", unit=kg, unit_old=fallen.unit, hex=fallen.cell)
        return RETURN


# Who takes the steps


def able_to_lose(game: StalingradRoads, state: RoadsState, losses: Losses) -> list[int]:
    """8.8.1, 8.8.2 Who may take the next step. A Kampfgruppe raised meanwhile is at full strength
    (8.15.1) and takes none of the losses that killed its unit."""
    living = [unit for unit in losses.units if state.where[unit] >= 0]
    if losses.first:
        first = [unit for unit in losses.first if state.where[unit] >= 0]
        if first:
            return first
    troops = [unit for unit in living if not game.hqs >> unit & 1] or living
    if losses.in_turn:
        return [unit for unit in troops if not losses.hit >> unit & 1] or troops
    return troops


def settle_losses(game: StalingradRoads, state: RoadsState) -> Flow:
    """Where there is nothing to choose, nobody is asked."""
    losses: Losses | None = state.local
    if losses is None or losses.owed <= 0:
        return RETURN
    able = able_to_lose(game, state, losses)
    if not able:
        return RETURN
    if losses.in_turn and not losses.first and 1 < len(able) <= losses.owed:
        # Everybody takes one, in whatever order.
        state.local = losses._replace(owed=losses.owed - len(able), hit=losses.hit | bits(able))
        for unit in able:
            lose_step(game, state, unit, losses.case)
        return AGAIN
    if len(able) > 1:
        return None
    state.local = after_loss(losses, able[0])
    lose_step(game, state, able[0], losses.case)
    return AGAIN


def after_loss(losses: Losses, unit: int) -> Losses:
    return losses._replace(owed=losses.owed - 1, first=(), chooser=-1, hit=losses.hit | 1 << unit)


class LoseStep(Choose["StalingradRoads", RoadsState]):
    """8.8 The owner takes the steps; of the first, in an attack both elite and armoured, the other side says
    by whom."""

    name = "lose-step"
    case = "8.8.2"
    verbs = {"lose": Verb(("unit",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        losses: Losses = state.local
        return state.side(losses.units[0]) if losses.chooser < 0 else losses.chooser

    def able(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        return able_to_lose(game, state, state.local)

    def why_not(self, game: StalingradRoads, state: RoadsState, unit: int) -> Refusal:
        losses: Losses = state.local
        if unit not in losses.units or state.where[unit] < 0:
            return refusal("not-affected", "8.8.2", unit=unit)
        if losses.first:
            return refusal("first-loss", "8.8.1", unit=unit)
        return refusal("hq-last" if game.hqs >> unit & 1 else "others-first", "8.8.2", unit=unit)

    def take(self, game: StalingradRoads, state: RoadsState, unit: int) -> Flow:
        losses: Losses = state.local
        state.local = after_loss(losses, unit)
        lose_step(game, state, unit, losses.case)
        return "settle"
