"""18 Withdrawals and upgrades, and the free division after Stalingrad (17.2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.board.board import each
from grognard.games.stalingrad_roads.plans import Withdrawal
from grognard.games.stalingrad_roads.rules.command import supplied_units
from grognard.games.stalingrad_roads.rules.losses import return_markers
from grognard.games.stalingrad_roads.state import (
    SOVIET,
    STAVKA_RESERVE,
    TO_COME,
    WITHDRAWN,
    RoadsState,
)
from grognard.kernel import AGAIN, Action, Decision, Flow, Refusal, Verb, refusal

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


class Leaving(NamedTuple):
    """Withdrawals of the phase that are not complete: numbers of the list."""

    numbers: tuple[int, ...]


def due(game: StalingradRoads, state: RoadsState, number: int) -> bool:
    """18.1.1, S3.15 Whether a withdrawal of the calendar is wanted now."""
    wanted = game.plan(state).withdrawals[number]
    if wanted.side != state.active or state.retired[number] >= wanted.divisions:
        return False
    if wanted.after_stalingrad:
        city = game.data.stalingrad
        return state.turn >= wanted.turn and state.soviet_hexes & city == city
    return state.turn == wanted.turn


def fits(game: StalingradRoads, state: RoadsState, wanted: Withdrawal, unit: int) -> bool:
    """18.1.1 Kind and attack factor of a unit that may leave."""
    counter = game.units[unit]
    kind, _, detail = wanted.unit_type.partition(" ")
    if kind == "headquarters":
        return counter.hq and counter.nation == detail
    if counter.hq or counter.attack < wanted.minimum_attack:
        return False
    if kind == "infantry":
        face = f"{counter.attack}-{counter.defence}-{counter.movement}"
        return counter.kind == "infantry" and face == detail
    return counter.armoured if kind == "armoured" else counter.kind == kind


def candidates(game: StalingradRoads, state: RoadsState, number: int) -> list[int]:
    """18.1.2 Supplied units, reduced or not; the Soviets' also from the reserve."""
    wanted = game.plan(state).withdrawals[number]
    own = [u for u in each(game.units_of[wanted.side]) if fits(game, state, wanted, u)]
    on_map = sum(1 << u for u in own if state.where[u] >= 0)
    fed = supplied_units(game, state, wanted.side, on_map & ~game.hqs) | on_map & game.hqs
    fed &= ~(state.unsupplied | state.enclosed)
    return [u for u in own if fed >> u & 1 or state.where[u] == STAVKA_RESERVE]


def begin_withdrawals(game: StalingradRoads, state: RoadsState) -> Flow:
    plan = game.plan(state)
    state.local = Leaving(tuple(n for n in range(len(plan.withdrawals)) if due(game, state, n)))
    return None


class Retire(Decision["StalingradRoads", RoadsState]):
    """18.1.1 The player takes the units of the calendar out of the game."""

    name = "retire"
    case = "18.1.1"
    verbs = {"retire": Verb(("unit",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        leaving: Leaving = state.local
        return bool(leaving.numbers) and bool(candidates(game, state, leaving.numbers[0]))

    def skip(self, game: StalingradRoads, state: RoadsState) -> Flow:
        leaving: Leaving = state.local
        if not leaving.numbers:
            return None
        number, *rest = leaving.numbers
        wanted = game.plan(state).withdrawals[number]
        if not wanted.unit_type.startswith("headquarters") and not wanted.after_stalingrad:
            # 18.1.2 who cannot give them up gets no more replacements
            state.lost_replacements |= 1 << state.active
            state.emit("replacements-lost", "18.1.2", word_side=game.sides[state.active])
        state.local = Leaving(tuple(rest))
        return AGAIN

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        leaving: Leaving = state.local
        return [("retire", unit) for unit in candidates(game, state, leaving.numbers[0])]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action in self.options(game, state, side):
            return None
        return refusal("not-to-retire", "18.1.1", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        leaving: Leaving = state.local
        number, unit = leaving.numbers[0], action[1]
        division = game.units[unit].division
        for member in game.elements[division] if division else [unit]:
            if state.where[member] >= 0 or state.where[member] == STAVKA_RESERVE:
                leave(game, state, member)
        done = list(state.retired)
        done[number] += 1
        state.retired = tuple(done)
        if done[number] >= game.plan(state).withdrawals[number].divisions:
            state.local = Leaving(leaving.numbers[1:])
        return AGAIN


def leave(game: StalingradRoads, state: RoadsState, unit: int) -> None:
    return_markers(game, state, unit)
    state.place(unit, WITHDRAWN)
    for name in ("unsupplied", "enclosed", "exploiting"):
        setattr(state, name, getattr(state, name) & ~(1 << unit))
    state.emit("retired", "18.1.1", unit=unit)


class Promoting(NamedTuple):
    """Guards divisions of the calendar whose rifle divisions are still to be named."""

    units: tuple[int, ...]


def due_upgrades(game: StalingradRoads, state: RoadsState) -> list[tuple[int, int]]:
    """18.2.1 The upgrades of the turn: the old unit and the new one."""
    return [
        (old, new)
        for turn, old, new in game.plan(state).upgrades
        if turn == state.turn and state.side(new) == state.active and state.where[new] == TO_COME
    ]


def upgrade_units(game: StalingradRoads, state: RoadsState) -> Flow:
    """18.2.1 Corps are replaced by their better selves; the player says which divisions become Guards."""
    for old, new in due_upgrades(game, state):
        if game.units[new].kind != "infantry" and state.where[old] not in (WITHDRAWN, TO_COME):
            upgrade(game, state, old, new)
    return None


def begin_promotions(game: StalingradRoads, state: RoadsState) -> Promoting:
    return Promoting(tuple(new for _, new in due_upgrades(game, state) if game.units[new].kind == "infantry"))


def upgrade(game: StalingradRoads, state: RoadsState, old: int, new: int) -> None:
    """18.2.1 A unit takes the place of another, wherever that is; of a reduced one it stays reduced."""
    place, steps = state.where[old], state.steps[old]
    return_markers(game, state, old)
    state.place(old, WITHDRAWN)
    state.steps[new] = min(steps, game.units[new].steps)
    state.place(new, place)
    for name in ("unsupplied", "enclosed"):
        marked = getattr(state, name)
        if marked >> old & 1:
            setattr(state, name, marked & ~(1 << old) | 1 << new)
    state.emit("upgraded", "18.2.1", unit_old=old, unit=new)


class Promote(Decision["StalingradRoads", RoadsState]):
    """18.2.1 Which rifle division becomes the Guards division of the calendar: any, whatever its number."""

    name = "promote"
    case = "18.2.1"
    verbs = {"promote": Verb(("unit",))}

    def actor(self, game: StalingradRoads, state: RoadsState) -> int:
        return state.active

    def _able(self, game: StalingradRoads, state: RoadsState) -> list[int]:
        return [
            unit
            for unit in each(game.units_of[state.active])
            if game.units[unit].kind == "infantry"
            and not game.units[unit].elite
            and state.where[unit] not in (WITHDRAWN, TO_COME)
        ]

    def pending(self, game: StalingradRoads, state: RoadsState) -> bool:
        promoting: Promoting = state.local
        return bool(promoting.units) and bool(self._able(game, state))

    def options(self, game: StalingradRoads, state: RoadsState, side: int) -> list[Action]:
        return [("promote", unit) for unit in self._able(game, state)]

    def refuse(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Refusal | None:
        if action[1] in self._able(game, state):
            return None
        return refusal("not-to-promote", "18.2.1", unit=action[1])

    def apply(self, game: StalingradRoads, state: RoadsState, side: int, action: Action) -> Flow:
        promoting: Promoting = state.local
        new, *rest = promoting.units
        state.local = Promoting(tuple(rest))
        upgrade(game, state, action[1], new)
        return AGAIN


def late_withdrawals(game: StalingradRoads, state: RoadsState) -> int:
    """S3.15 Divisions that should have left after Stalingrad and have not, on a turn after FEB II."""
    city = game.data.stalingrad
    if state.turn <= game.data.turn_of["FEB II"] or state.soviet_hexes & city != city:
        return 0
    plan = game.plan(state)
    return sum(
        wanted.divisions - state.retired[n]
        for n, wanted in enumerate(plan.withdrawals)
        if wanted.after_stalingrad and wanted.side == SOVIET
    )
