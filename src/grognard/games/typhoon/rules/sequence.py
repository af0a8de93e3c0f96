"""4.0 The sequence of play: strategic segment, Axis segment, Soviet segment, surrender."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grognard.games.typhoon.rules.dogfight import AIR_MISSION, INTERDICTION_PHASE
from grognard.games.typhoon.rules.engineers import ENGINEER_PHASE
from grognard.games.typhoon.rules.missions import LAY_SUPPORT
from grognard.games.typhoon.rules.readiness import READINESS_PHASE
from grognard.games.typhoon.rules.table_phase import TABLE_PHASE
from grognard.games.typhoon.rules.victory import final_count, verdict
from grognard.games.typhoon.rules.weather_phase import RollWeather, begin_weather
from grognard.games.typhoon.rules.withdrawals import WITHDRAWALS
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.kernel import Flow, Procedure, ask, call, do, procedure, step

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def begin_turn(game: Typhoon, state: TyphoonState) -> Flow:
    state.turn = state.turn + 1 if state.turn else game.scenario(state).first
    outline = game.outline(state)
    state.rail_left = [outline.rail_capacity(side, state.turn) for side in (AXIS, SOVIET)]
    state.conversion = outline.conversion
    state.marched = state.arrived = state.fed = 0
    state.emit("turn", "4.0", turn=state.turn)
    return None


def next_turn(game: Typhoon, state: TyphoonState) -> Flow:
    if game.turns_left(state):
        return "turn"
    final_count(game, state)
    result = verdict(game, state)
    state.emit("verdict", "17.1", word_level=result.level, score=state.points)
    return None


def phase_of(side: int, *, first: bool = False) -> Callable[[Typhoon, TyphoonState], None]:
    """Whose segment a phase belongs to; at the first phase of it, what lasts for a segment is put away."""

    def prepare(game: Typhoon, state: TyphoonState) -> None:
        state.active = side
        state.moved = 0
        state.commanded = ()
        if first:
            state.activated = state.fought = state.stormed = state.refitting = 0
            state.attacks = ()
            state.clear_overrun()

    return prepare


def end_turn(game: Typhoon, state: TyphoonState) -> Flow:
    """The interphase between turns. 11.4.5 Interdiction ends; 12.4.4 railheads may be moved again."""
    state.interdicted = ()
    state.moscow_flies = False
    state.armour_steps = state.air_steps = state.guard_steps = state.strongpoints = 0
    state.clear_overrun()
    state.heads = tuple(head._replace(spent=0) for head in state.heads)
    return None


def to_come(name: str, case: str) -> Procedure:
    """A phase whose rules are not there yet: nothing happens in it."""
    return procedure(name, case, step("nothing", do(lambda game, state: None), case))


GAME = procedure(
    "game",
    "4.0",
    step("turn", call("game-turn"), "4.0"),
    step("next", do(next_turn), "4.0"),
)

GAME_TURN = procedure(
    "game-turn",
    "4.0",
    step("begin", do(begin_turn), "4.0"),
    step("weather", call("weather-phase", phase_of(AXIS)), "5.1"),
    step("supply", call("supply-phase", phase_of(AXIS)), "6.3"),
    step("soviet-table", call("table-phase", phase_of(SOVIET)), "14.3"),
    step("readiness", call("readiness-phase", phase_of(AXIS)), "11.1.3"),
    step("axis-movement", call("movement-phase", phase_of(AXIS, first=True)), "7.0"),
    step("interdiction", call("interdiction-phase", phase_of(AXIS)), "11.4"),
    step("soviet-reaction", call("reaction-phase", phase_of(AXIS)), "7.5.2"),
    step("axis-combat", call("combat-phase", phase_of(AXIS)), "8.0"),
    step("axis-motorised", call("motorised-phase", phase_of(AXIS)), "7.5.1"),
    step("axis-engineers", call("engineer-phase", phase_of(AXIS)), "12.0"),
    step("soviet-motorised", call("motorised-phase", phase_of(SOVIET, first=True)), "7.5.1"),
    step("axis-reaction", call("reaction-phase", phase_of(SOVIET)), "7.5.2"),
    step("soviet-combat", call("combat-phase", phase_of(SOVIET)), "8.0"),
    step("soviet-movement", call("movement-phase", phase_of(SOVIET)), "7.0"),
    step("soviet-engineers", call("engineer-phase", phase_of(SOVIET)), "12.0"),
    step("surrender", call("surrender-phase", phase_of(SOVIET)), "6.4"),
    step("end", call("end-phase", phase_of(AXIS)), "4.0"),
)

WEATHER_PHASE = procedure(
    "weather-phase",
    "5.1",
    step("given", do(begin_weather), "5.1.2"),
    step("roll", ask(RollWeather()), "5.1.2"),
)

END_PHASE = procedure("end-phase", "4.0", step("end", do(end_turn), "11.4.5"))

PROCEDURES = {
    p.name: p
    for p in (
        GAME,
        GAME_TURN,
        WEATHER_PHASE,
        to_come("supply-phase", "6.3"),
        TABLE_PHASE,
        WITHDRAWALS,
        READINESS_PHASE,
        to_come("movement-phase", "7.0"),
        INTERDICTION_PHASE,
        AIR_MISSION,
        LAY_SUPPORT,
        to_come("reaction-phase", "7.5.2"),
        to_come("combat-phase", "8.0"),
        to_come("motorised-phase", "7.5.1"),
        ENGINEER_PHASE,
        to_come("surrender-phase", "6.4"),
        END_PHASE,
    )
}
