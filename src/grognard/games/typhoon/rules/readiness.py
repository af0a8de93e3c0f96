"""11.1.3 The air readiness phase: a die for each air unit that has flown or is damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grognard.games.typhoon.rules.air import before_readiness, readied, rolls_for_readiness
from grognard.games.typhoon.state import (
    AIR_DAMAGED,
    AIR_DESTROYED,
    AIR_FLOWN,
    AIR_GONE,
    AIR_NAMES,
    AIR_READY,
    AIR_TO_COME,
    SOVIET,
    TyphoonState,
)
from grognard.kernel import (
    AGAIN,
    Action,
    Decision,
    Flow,
    Refusal,
    Role,
    Verb,
    ask,
    do,
    procedure,
    refusal,
    step,
)
from grognard.mechanics.dice import D10, Throw

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


class Readying(NamedTuple):
    """The units that still roll, those that have flown first (11.1.3)."""

    waiting: tuple[int, ...] = ()


def begin_readiness(game: Typhoon, state: TyphoonState) -> Flow:
    """11.1.4 A storm grounds who was ready. Who is damaged and goes up to Flown does not roll twice."""
    for n, place in enumerate(state.air):
        state.air[n] = before_readiness(place, state.sky)
    waiting = [
        n
        for place in (AIR_FLOWN, AIR_DAMAGED)
        for n, flyer in enumerate(game.flyers)
        if state.air[n] == place and rolls_for_readiness(flyer, place)
    ]
    state.local = Readying(tuple(waiting))
    return None


class RollReadiness(Throw["Typhoon", TyphoonState]):
    """11.1.3 The die of the next unit."""

    name = "roll-readiness"
    case = "11.1.3"
    verbs = {"maintain": Verb(("number",))}
    dice = D10

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        readying: Readying = state.local
        return bool(readying.waiting)

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        readying: Readying = state.local
        n, rest = readying.waiting[0], readying.waiting[1:]
        state.air[n] = readied(game.flyers[n].side, state.air[n], action[1], state.sky)
        state.emit("maintained", "11.1.3", flyer=n, die=action[1], word_box=f"air-{AIR_NAMES[state.air[n]]}")
        state.local = Readying(rest)
        return AGAIN


class RebuildFlyer(Decision["Typhoon", TyphoonState]):
    """15.1.5 A point of type V brings a destroyed Soviet air unit back, ready."""

    name = "rebuild-flyer"
    case = "15.1.5"
    verbs = {"rebuild": Verb(("flyer",)), "end": Verb((), Role.END)}

    def actor(self, game: Typhoon, state: TyphoonState) -> int:
        return SOVIET

    def _lost(self, game: Typhoon, state: TyphoonState) -> list[int]:
        return [n for n, f in enumerate(game.flyers) if f.side == SOVIET and state.air[n] == AIR_DESTROYED]

    def pending(self, game: Typhoon, state: TyphoonState) -> bool:
        return state.air_steps > 0 and bool(self._lost(game, state))

    def options(self, game: Typhoon, state: TyphoonState, side: int) -> list[Action]:
        return [*(("rebuild", n) for n in self._lost(game, state)), ("end",)]

    def refuse(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Refusal | None:
        if action[0] == "end" or action[1] in self._lost(game, state):
            return None
        return refusal("flyer-not-destroyed", "15.1.5", flyer=action[1])

    def apply(self, game: Typhoon, state: TyphoonState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        state.air[action[1]] = AIR_READY
        state.air_steps -= 1
        state.emit("flyer-rebuilt", "15.1.5", flyer=action[1])
        return AGAIN


def end_readiness(game: Typhoon, state: TyphoonState) -> Flow:
    """11.1.3 Decoys are ready; 15.1.5 points of type V are not saved."""
    for n, flyer in enumerate(game.flyers):
        if flyer.kind == "decoy" and state.air[n] not in (AIR_GONE, AIR_TO_COME):
            state.air[n] = AIR_READY
    state.air_steps = 0
    return None


READINESS_PHASE = procedure(
    "readiness-phase",
    "11.1.3",
    step("begin", do(begin_readiness), "11.1.4"),
    step("roll", ask(RollReadiness()), "11.1.3"),
    step("rebuild", ask(RebuildFlyer()), "15.1.5"),
    step("end", do(end_readiness), "11.1.3"),
    values=Readying,
)
