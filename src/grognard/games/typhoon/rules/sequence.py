"""4.0 The sequence of play: strategic segment, Axis segment, Soviet segment, surrender."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grognard.games.typhoon.rules.calendar import close_turn, open_turn
from grognard.games.typhoon.rules.combat import (
    Battle,
    ChooseCombat,
    PrepareAttack,
    RollCombat,
    announce,
    begin_combat,
    end_battle,
    end_combats,
    note_support,
    send_flight,
    settle_odds,
)
from grognard.games.typhoon.rules.crowds import LoseExcess
from grognard.games.typhoon.rules.declaring import Attack, BuildAttack, drop_void
from grognard.games.typhoon.rules.dogfight import AIR_MISSION, INTERDICTION_PHASE
from grognard.games.typhoon.rules.engineers import ENGINEER_PHASE
from grognard.games.typhoon.rules.hand import Move
from grognard.games.typhoon.rules.losses import LoseStep, Losses, settle_losses
from grognard.games.typhoon.rules.missions import LAY_SUPPORT
from grognard.games.typhoon.rules.movement import Detrain, MoveUnits, PickUnit
from grognard.games.typhoon.rules.offensives import Offensives
from grognard.games.typhoon.rules.outcome import (
    Advance,
    AdvanceUnits,
    after_combat,
    attacker_losses,
    attacker_retreat,
    defender_losses,
    defender_retreat,
    reckon_result,
)
from grognard.games.typhoon.rules.overrun import (
    Overrun,
    RollOverrun,
    after_overrun,
    begin_overrun,
    end_overrun,
    overrun_losses,
    overrun_retreat,
)
from grognard.games.typhoon.rules.preparations import PREPARATIONS, REGROUPING
from grognard.games.typhoon.rules.reaction import React, begin_reaction
from grognard.games.typhoon.rules.readiness import READINESS_PHASE
from grognard.games.typhoon.rules.retreat import FallBack, Retreat, RollRetreat, arrive, next_group
from grognard.games.typhoon.rules.supply_phase import (
    MOSCOW,
    PlaceSupply,
    SpendSource,
    judge_supply,
    receive_points,
)
from grognard.games.typhoon.rules.surrender import RollSurrender, begin_surrender
from grognard.games.typhoon.rules.table_phase import TABLE_PHASE
from grognard.games.typhoon.rules.victory import final_count, verdict
from grognard.games.typhoon.rules.weather_phase import RollWeather, begin_weather
from grognard.games.typhoon.rules.withdrawals import WITHDRAWALS
from grognard.games.typhoon.state import AXIS, SOVIET, TyphoonState
from grognard.kernel import RETURN, Flow, ask, call, do, procedure, step
from grognard.mechanics.tabletop import by_name

if TYPE_CHECKING:
    from grognard.games.typhoon.game import Typhoon


def begin_turn(game: Typhoon, state: TyphoonState) -> Flow:
    state.turn = state.turn + 1 if state.turn else game.scenario(state).first
    outline = game.outline(state)
    state.rail_left = [outline.rail_capacity(side, state.turn) for side in (AXIS, SOVIET)]
    state.conversion = outline.conversion
    state.marched = state.arrived = state.fed = 0
    state.emit("turn", "4.0", turn=state.turn)
    open_turn(game, state)
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
    close_turn(game, state)
    state.interdicted = ()
    state.moscow_flies = False
    state.armour_steps = state.air_steps = state.guard_steps = state.strongpoints = 0
    state.clear_overrun()
    state.heads = tuple(head._replace(spent=0) for head in state.heads)
    return None


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

SUPPLY_PHASE = procedure(
    "supply-phase",
    "6.3",
    step("receive", do(receive_points), "6.5.1"),
    step("axis-points", ask(PlaceSupply(AXIS)), "6.5.1"),
    step("soviet-points", ask(PlaceSupply(SOVIET)), "6.5.1"),
    step("moscow-point", ask(PlaceSupply(MOSCOW)), "6.5.1"),
    step("axis-sources", ask(SpendSource(AXIS)), "6.2.3"),
    step("soviet-sources", ask(SpendSource(SOVIET)), "6.2.3"),
    step("judge", do(judge_supply), "6.3.1"),
)

MOVEMENT_PHASE = procedure(
    "movement-phase",
    "7.0",
    step("withdrawals", call("withdrawals"), "14.2"),
    step("preparations", call("preparations"), "13.2.2"),
    step("offensives", ask(Offensives()), "7.1.6"),
    step("pick", ask(PickUnit()), "7.0"),
    step("regrouping", call("regrouping"), "15.3.3"),
    step("void", do(lambda game, state: drop_void(state)), "8.1.1"),
    step("stacking", ask(LoseExcess()), "3.2.2"),
)

MOTORISED_PHASE = procedure(
    "motorised-phase",
    "7.5.1",
    step("pick", ask(PickUnit()), "7.5.1"),
    step("void", do(lambda game, state: drop_void(state)), "8.1.1"),
    step("stacking", ask(LoseExcess()), "3.2.2"),
)

MOVE = procedure(
    "move",
    "7.1",
    step("hand", ask(MoveUnits()), "7.1"),
    step("over", do(lambda game, state: RETURN), "7.1"),
    step("overrun", call("overrun", begin_overrun, after_overrun), "7.8"),
    values=Move,
)

TRAIN = procedure("train", "7.6", step("detrain", ask(Detrain()), "7.6.2"), values=Move)

OVERRUN = procedure(
    "overrun",
    "7.8",
    step("roll", ask(RollOverrun()), "7.8.3"),
    step("losses", call("losses", overrun_losses), "7.8.3"),
    step("retreat", call("retreat", overrun_retreat), "7.8.3"),
    step("end", do(end_overrun), "7.8.3"),
    values=Overrun,
)

DECLARING = procedure("declaring", "8.1.1", step("build", ask(BuildAttack()), "8.2"), values=Attack)

REACTION_PHASE = procedure(
    "reaction-phase",
    "7.5.2",
    step("begin", do(begin_reaction), "8.8.1"),
    step("react", ask(React()), "7.5.2"),
    step("stacking", ask(LoseExcess()), "3.2.2"),
)

COMBAT_PHASE = procedure(
    "combat-phase",
    "8.0",
    step("begin", do(begin_combat), "8.1.1"),
    step("lay", call("lay-support"), "11.5.4"),
    step("choose", ask(ChooseCombat()), "8.4.1"),
    step("battle", call("battle", announce), "8.4"),
    step("again", do(lambda game, state: "choose"), "8.4.1"),
    step("over", do(end_combats), "8.4.1"),
    step("stacking", ask(LoseExcess()), "3.2.2"),
    values=Battle,
)

BATTLE = procedure(
    "battle",
    "8.4",
    step("prepare", ask(PrepareAttack()), "8.4.1"),
    step("air", call("air-mission", send_flight, note_support), "11.5.4"),
    step("odds", do(settle_odds), "8.4.1"),
    step("roll", ask(RollCombat()), "8.4.1"),
    step("reckoned", do(reckon_result), "8.4.2"),
    step("defender-losses", call("losses", defender_losses), "8.5"),
    step("attacker-losses", call("losses", attacker_losses), "8.5"),
    step("defender-retreat", call("retreat", defender_retreat), "8.6"),
    step("attacker-retreat", call("retreat", attacker_retreat), "8.6"),
    step("advance", call("advance", after_combat), "8.9"),
    step("end", do(end_battle), "8.1.5"),
    values=Battle,
)

LOSSES = procedure(
    "losses",
    "8.5",
    step("settle", do(settle_losses), "8.5.1"),
    step("lose", ask(LoseStep()), "8.5.1"),
    values=Losses,
)

RETREAT = procedure(
    "retreat",
    "8.6",
    step("next", do(next_group), "8.6"),
    step("ask", ask(FallBack()), "8.6"),
    step("arrive", do(arrive), "8.6.3"),
    step("roll", ask(RollRetreat()), "8.6.3"),
    values=Retreat,
)

ADVANCE = procedure("advance", "8.9", step("advance", ask(AdvanceUnits()), "8.9"), values=Advance)

SURRENDER_PHASE = procedure(
    "surrender-phase",
    "6.4",
    step("begin", do(begin_surrender), "6.4.1"),
    step("roll", ask(RollSurrender()), "6.4.3"),
    values=tuple,
)

PROCEDURES = by_name(
    GAME,
    GAME_TURN,
    WEATHER_PHASE,
    SUPPLY_PHASE,
    TABLE_PHASE,
    WITHDRAWALS,
    PREPARATIONS,
    REGROUPING,
    READINESS_PHASE,
    MOVEMENT_PHASE,
    MOVE,
    TRAIN,
    OVERRUN,
    DECLARING,
    INTERDICTION_PHASE,
    AIR_MISSION,
    LAY_SUPPORT,
    REACTION_PHASE,
    COMBAT_PHASE,
    BATTLE,
    LOSSES,
    RETREAT,
    ADVANCE,
    MOTORISED_PHASE,
    ENGINEER_PHASE,
    SURRENDER_PHASE,
    END_PHASE,
)
