"""2 The sequence of play: weather, the Soviet half of a turn, the Axis half."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from grognard.games.stalingrad_roads.rules.advance import Advance, AdvanceUnit
from grognard.games.stalingrad_roads.rules.approval import (
    RollCrisis,
    dismiss,
    fall_of_approval,
    settle_demand,
)
from grognard.games.stalingrad_roads.rules.combat import (
    Attack,
    Battle,
    BuildAttack,
    ChooseTarget,
    DeclareAttack,
    DeclareDefence,
    DefendWith,
    PickDefensive,
    PickTactical,
    RollCombat,
    RollRats,
    announce_attack,
    begin_combat,
    check_defender,
    settle_odds,
)
from grognard.games.stalingrad_roads.rules.exploitation import (
    PickExploiter,
    begin_exploitation,
    end_exploitation,
)
from grognard.games.stalingrad_roads.rules.fortress import (
    Airlift,
    DeclareFortress,
    DrawPlane,
    FlyEvents,
    Flying,
    GiveUp,
    RollAirlift,
    StationPlanes,
    Surrendering,
    begin_airlift,
    begin_surrender,
    call_back_planes,
    end_axis_turn,
    end_soviet_turn,
    reduce_the_strong,
)
from grognard.games.stalingrad_roads.rules.losses import (
    DrawKampfgruppe,
    Fallen,
    LoseStep,
    Losses,
    RaiseKampfgruppe,
    settle_losses,
)
from grognard.games.stalingrad_roads.rules.major import (
    Masking,
    Maskirovka,
    Muster,
    Mustering,
    ShiftMarkers,
)
from grognard.games.stalingrad_roads.rules.manstein import (
    ChooseMarkers,
    Choosing,
    LaunchBackhand,
    LaunchStorm,
    settle_backhand,
    settle_storm,
)
from grognard.games.stalingrad_roads.rules.mars import RollMars, SpendOnMars, mars_goes_on
from grognard.games.stalingrad_roads.rules.movement import (
    BuyStrategicMovement,
    Detrain,
    Move,
    MoveUnits,
    PickUnit,
    begin_movement,
)
from grognard.games.stalingrad_roads.rules.offensives import (
    PlaceOffensives,
    begin_offensives,
    return_offensives,
)
from grognard.games.stalingrad_roads.rules.reaction import Reaction, ReactWith
from grognard.games.stalingrad_roads.rules.reinforcements import (
    PayForArmour,
    PlaceArrival,
    PlaceFreeDivision,
    PlaceInCity,
    PlaceRebuilt,
    RailArrivals,
    Rebuilding,
    ReturnHq,
    SpendReplacements,
    begin_replacements,
    hurry,
    receive_reserves,
    restore,
)
from grognard.games.stalingrad_roads.rules.retreat import FallBack, Retreat, begin_retreat, lose_the_trapped
from grognard.games.stalingrad_roads.rules.shortage import Forfeit, Starve, Testing
from grognard.games.stalingrad_roads.rules.stacking import LoseExcess
from grognard.games.stalingrad_roads.rules.stavka import (
    ChooseFront,
    Entry,
    PlaceReleased,
    Release,
    RollRelease,
    SpendOnRelease,
    TakeBack,
    begin_entry,
    begin_release,
)
from grognard.games.stalingrad_roads.rules.superiority import ChooseEffect
from grognard.games.stalingrad_roads.rules.supply import (
    LayPontoon,
    StrikePontoon,
    judge_hqs,
    judge_units,
    lose_outside_fortress,
)
from grognard.games.stalingrad_roads.rules.supports import (
    Acquiring,
    Approach,
    CallReserve,
    ChooseSupports,
    DeployMarkers,
    DrawSupport,
    PayMarker,
    PlaceMarker,
    Placing,
    Reserve,
    RollAcquisition,
    RollPolitics,
    RollRaid,
    Surprise,
    begin_draws,
    draw_for_owner,
    plan_acquisition,
    play_forced,
    return_played,
)
from grognard.games.stalingrad_roads.rules.surprise import SurpriseTarget
from grognard.games.stalingrad_roads.rules.tactics import (
    HoldOrRetreat,
    MarkExploiters,
    RiverOrHex,
    RollEngaged,
    StandOrRetreat,
    advance_after,
    advance_if_empty,
    attacker_attrition,
    attackers_retreat,
    clean_up,
    counterattack,
    defender_attrition,
    defenders_retreat,
    engaged_attackers,
    engaged_defenders,
    extra_loss,
    holding_loss,
    reaction,
    reckon,
    rescue,
    standing_losses,
)
from grognard.games.stalingrad_roads.rules.victory import (
    decide_in_december,
    final_count,
    score_axis_turn,
    score_soviet_turn,
    verdict,
)
from grognard.games.stalingrad_roads.rules.weather import RollWeather
from grognard.games.stalingrad_roads.rules.withdrawals import (
    Leaving,
    Promote,
    Promoting,
    Retire,
    begin_promotions,
    begin_withdrawals,
    upgrade_units,
)
from grognard.games.stalingrad_roads.state import AXIS, GOING_ON, SOVIET, RoadsState
from grognard.kernel import RETURN, Flow, ask, call, do, procedure, step
from grognard.mechanics.tabletop import by_name

if TYPE_CHECKING:
    from grognard.games.stalingrad_roads.game import StalingradRoads


def begin_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    state.turn = state.turn + 1 if state.turn else game.scenario(state).first
    state.emit("turn", "2", turn=state.turn)
    return None


def which_half(game: StalingradRoads, state: RoadsState) -> Flow:
    """S4.1 A scenario may begin with the Axis half of its first turn."""
    plan = game.plan(state)
    return "backhand" if plan.past_half and state.turn == plan.first else None


def next_turn(game: StalingradRoads, state: RoadsState) -> Flow:
    if state.ending == GOING_ON:
        if game.turns_left(state):
            return "turn"
        final_count(game, state)
    result = verdict(game, state)
    state.emit("verdict", "S2.18", word_level=result.level, score=state.points)
    return None


def half_of(side: int, *, first: bool = False) -> Callable[[StalingradRoads, RoadsState], None]:
    """The phasing side of a phase; at the first phase of its half, what lasts for half a turn is put away."""

    def prepare(game: StalingradRoads, state: RoadsState) -> None:
        state.active = side
        if first and side == AXIS:
            state.ring_broken = False
            state.rail = game.rail_points(state)

    return prepare


def unless_over(game: StalingradRoads, state: RoadsState) -> Flow:
    """A decisive victory ends the game at once."""
    return None if state.ending == GOING_ON else RETURN


def reinforcements_come(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.12 On NOV III only HQs come back (4.1.2)."""
    return RETURN if state.turn in game.plan(state).no_reinforcements else None


def stavka_meets(game: StalingradRoads, state: RoadsState) -> Flow:
    """S2.12, S1.3"""
    plan = game.plan(state)
    return RETURN if state.turn in plan.no_stavka or "13" in plan.left_out else None


GAME = procedure(
    "game",
    "2",
    step("axis-supports", ask(ChooseSupports(AXIS)), "S2.7"),
    step("superiority", ask(ChooseEffect()), "14.2.2"),
    step("soviet-supports", ask(ChooseSupports(SOVIET, before=True)), "S5.4"),
    step("draws", do(begin_draws), "S5.4"),
    step("turn", call("game-turn"), "2"),
    step("next", do(next_turn), "2"),
)

GAME_TURN = procedure(
    "game-turn",
    "2",
    step("begin", do(begin_turn), "2"),
    step("weather", ask(RollWeather()), "3.1"),
    step("half", do(which_half), "S4.1"),
    step("soviet-supply", call("supply-phase", half_of(SOVIET, first=True)), "4"),
    step("offensives", call("offensive-phase", half_of(SOVIET)), "11"),
    step("soviet-supports", call("support-phase", half_of(SOVIET)), "5"),
    step("over-1", do(unless_over), "2"),
    step("mars", call("mars", half_of(SOVIET)), "6"),
    step("stavka-reserve", call("stavka-phase", half_of(SOVIET)), "13"),
    step("soviet-movement", call("movement-phase", half_of(SOVIET)), "7"),
    step("over-2", do(unless_over), "2"),
    step("soviet-combat", call("combat-phase", half_of(SOVIET)), "8"),
    step("over-3", do(unless_over), "2"),
    step("soviet-exploitation", call("exploitation", half_of(SOVIET)), "9"),
    step("over-4", do(unless_over), "2"),
    step("soviet-reinforcements", call("reinforcement-phase", half_of(SOVIET)), "17"),
    step("soviet-end", call("soviet-end"), "10.3.3"),
    step("backhand", ask(LaunchBackhand()), "16.3.2"),
    step("axis-supply", call("supply-phase", half_of(AXIS, first=True)), "4"),
    step("fortress", call("fortress-phase", half_of(AXIS)), "10"),
    step("axis-supports", call("support-phase", half_of(AXIS)), "5"),
    step("axis-movement", call("movement-phase", half_of(AXIS)), "7"),
    step("axis-combat", call("combat-phase", half_of(AXIS)), "8"),
    step("axis-exploitation", call("exploitation", half_of(AXIS)), "9"),
    step("axis-reinforcements", call("reinforcement-phase", half_of(AXIS)), "17"),
    step("axis-end", call("axis-end"), "10.3.3"),
)

SOVIET_END = procedure(
    "soviet-end",
    "10.3.3",
    step("offensives", do(return_offensives), "11.2.2"),
    step("fortress", do(end_soviet_turn), "10.3.3"),
    step("hurry", do(hurry), "17.2.1"),
    step("score", do(score_soviet_turn), "S2.17"),
)

AXIS_END = procedure(
    "axis-end",
    "10.3.3",
    step("fortress", do(end_axis_turn), "10.3.3"),
    step("storm", do(settle_storm), "16.3.1"),
    step("manstein", do(dismiss), "16.2.4"),
    step("score", do(score_axis_turn), "S2.17"),
    step("december", do(decide_in_december), "S3.17"),
)

SUPPLY_PHASE = procedure(
    "supply-phase",
    "4",
    step("strike", ask(StrikePontoon()), "4.1.4"),
    step("fortress", do(lose_outside_fortress), "10.2.3"),
    step("hqs", do(judge_hqs), "4.1"),
    step("pontoons", ask(LayPontoon()), "4.1.3"),
    step("units", do(judge_units), "4.3"),
    step("approval", do(fall_of_approval), "15.2.1"),
    step("crisis", ask(RollCrisis()), "15.3"),
    step("stacking", ask(LoseExcess()), "1.11.2"),
)

OFFENSIVE_PHASE = procedure(
    "offensive-phase",
    "11",
    step("begin", do(begin_offensives), "11.1.1"),
    step("maskirovka", ask(Maskirovka()), "5.5.6"),
    step("place", ask(PlaceOffensives()), "11.1.2"),
)

MARS = procedure(
    "mars",
    "6",
    step("goes-on", do(mars_goes_on), "6.1.1"),
    step("spend", ask(SpendOnMars()), "6.1.1"),
    step("roll", ask(RollMars()), "6.1.1"),
    step("crisis", ask(RollCrisis()), "15.3"),
    values=int,
)

SHORTAGE_TEST = procedure(
    "shortage-test",
    "12.3",
    step("forfeit", ask(Forfeit()), "12.3"),
    step("starve", ask(Starve()), "12.3"),
    values=Testing,
)

CHOOSING = procedure("choosing", "16.3", step("choose", ask(ChooseMarkers()), "16.3"), values=Choosing)

WITHDRAWALS = procedure(
    "withdrawals",
    "18.1",
    step("begin", do(begin_withdrawals), "18.1.1"),
    step("retire", ask(Retire()), "18.1.1"),
    values=Leaving,
)

GUARDS = procedure("guards", "18.2.1", step("promote", ask(Promote()), "18.2.1"), values=Promoting)

MASKING = procedure("masking", "5.5.6", step("shift", ask(ShiftMarkers()), "5.5.6"), values=Masking)

MUSTERING = procedure("mustering", "11.4", step("muster", ask(Muster()), "11.4.2"), values=Mustering)

SUPPORT_PHASE = procedure(
    "support-phase",
    "5",
    step("return", do(return_played), "5.2.1"),
    step("wintergewitter", ask(LaunchStorm()), "16.3.1"),
    step("acquire", call("acquisition", plan_acquisition), "5.3"),
    step("opening", ask(ChooseSupports(SOVIET)), "S2.3"),
    step("forced", do(play_forced), "1.5.3"),
    step("politics", ask(RollPolitics()), "5.5.7"),
    step("crisis", ask(RollCrisis()), "15.3"),
    step("deploy", ask(DeployMarkers()), "5.5"),
)

DRAWS_OF_BOX = procedure(
    "draws-of-box",
    "S5.4",
    step("owner", do(draw_for_owner), "S5.4"),
    step("draw", ask(DrawSupport()), "S5.4"),
    values=Acquiring,
)

ACQUISITION = procedure(
    "acquisition",
    "5.3",
    step("roll", ask(RollAcquisition()), "5.3.2"),
    step("draw", ask(DrawSupport()), "5.1.2"),
    values=Acquiring,
)

PLACING = procedure(
    "placing",
    "5.5",
    step("place", ask(PlaceMarker()), "5.5.3"),
    step("pay", ask(PayMarker()), "4.5.2"),
    step("reserve", ask(CallReserve()), "5.5.1"),
    step("raid", ask(RollRaid()), "10.4"),
    step("surprise", ask(Approach()), "5.5.7"),
    step("surprise-target", ask(SurpriseTarget()), "5.5.7"),
    step("build", ask(BuildAttack()), "8.3.1"),
    step("battle", call("battle", announce_attack), "8.2"),
    step("cancelled", do(lambda game, state: RETURN), "8.1.3"),
    values=(Placing, Reserve, Surprise, Attack),
)

STAVKA_PHASE = procedure(
    "stavka-phase",
    "13",
    step("meets", do(stavka_meets), "S2.12"),
    step("begin", do(begin_release), "13.1"),
    step("front", ask(ChooseFront()), "13.1.1"),
    step("spend", ask(SpendOnRelease()), "13.1.1"),
    step("roll", ask(RollRelease()), "13.1.1"),
    step("place", ask(PlaceReleased()), "13.1.1"),
    step("entry", do(begin_entry), "13.1.3"),
    step("take-back", ask(TakeBack()), "13.1.3"),
    values=(Release, Entry),
)

MOVEMENT_PHASE = procedure(
    "movement-phase",
    "7",
    step("begin", do(begin_movement), "7.1"),
    step("planes", ask(FlyEvents(moving=True)), "10.4.3"),
    step("buy", ask(BuyStrategicMovement()), "7.2.2"),
    step("pick", ask(PickUnit()), "7.1.1"),
    step("stacking", ask(LoseExcess()), "1.11.2"),
    values=Flying,
)

MOVE = procedure(
    "move",
    "7.1",
    step("hand", ask(MoveUnits()), "7.1.2"),
    step("success", ask(ChooseEffect()), "14.2.2"),
    step("crisis", ask(RollCrisis()), "15.3"),
    values=Move,
)

TRAIN = procedure("train", "7.3", step("detrain", ask(Detrain()), "7.3.4"), values=Move)

COMBAT_PHASE = procedure(
    "combat-phase",
    "8",
    step("planes", ask(FlyEvents(moving=False)), "10.4.3"),
    step("combats", call("combats"), "8.2"),
    step("stacking", ask(LoseExcess()), "1.11.2"),
    values=Flying,
)

COMBATS = procedure(
    "combats",
    "8.2",
    step("begin", do(begin_combat), "8.1"),
    step("target", ask(ChooseTarget()), "8.3.1"),
    step("build", ask(BuildAttack()), "8.3.1"),
    step("battle", call("battle", announce_attack), "8.2"),
    step("cancelled", do(lambda game, state: "target"), "8.1.7"),
    step("over", do(lambda game, state: None), "8.1.3"),
    values=Attack,
)

BATTLE = procedure(
    "battle",
    "8.2",
    step("supply", do(check_defender), "8.4"),
    step("defend", ask(DefendWith()), "8.5.2"),
    step("odds", do(settle_odds), "8.5"),
    step("declare", ask(DeclareAttack()), "8.6.2"),
    step("answer", ask(DeclareDefence()), "8.6.2"),
    step("roll", ask(RollCombat()), "8.7"),
    step("rats", ask(RollRats()), "10.4.3"),
    step("tactical", ask(PickTactical()), "8.10.3"),
    step("defensive", ask(PickDefensive()), "8.10.3"),
    step("river", ask(RiverOrHex()), "8.10.4"),
    step("reckon", do(reckon), "8.9"),
    step("attrition", call("losses", attacker_attrition), "8.8"),
    step("attrition-defender", call("losses", defender_attrition), "8.8"),
    step("emptied", call("advance", advance_if_empty), "8.8.3"),
    step("attacker-result", ask(StandOrRetreat()), "8.10.1"),
    step("stand-losses", call("losses", standing_losses, lambda game, state, value: "d1"), "8.10.1"),
    step("fall-back", call("retreat", attackers_retreat), "8.12"),
    step("d1", call("losses", extra_loss), "8.10.1"),
    step("engaged", ask(RollEngaged(defensive=False)), "8.10.1"),
    step("engaged-attacker", call("losses", engaged_attackers), "8.10.1"),
    step("engaged-defender", call("losses", engaged_defenders), "8.10.1"),
    step("defender-result", ask(HoldOrRetreat()), "8.10.1"),
    step("hold-losses", call("losses", holding_loss), "8.10.1"),
    step("retreat", call("retreat", defenders_retreat), "8.12"),
    step("engaged-again", ask(RollEngaged(defensive=True)), "8.10.1"),
    step("again-attacker", call("losses", engaged_attackers), "8.10.1"),
    step("again-defender", call("losses", engaged_defenders), "8.10.1"),
    step("reaction", call("reaction", reaction), "8.10.1"),
    step("rescue", call("reaction", rescue), "14.1"),
    step("counter-attack", call("reaction", counterattack), "8.10.1"),
    step("advance", call("advance", advance_after), "8.13"),
    step("success", ask(ChooseEffect()), "14.2.2"),
    step("crisis", ask(RollCrisis()), "15.3"),
    step("exploiters", ask(MarkExploiters()), "8.14"),
    step("after", do(clean_up), "5.5.4"),
    values=Battle,
)

LOSSES = procedure(
    "losses",
    "8.8",
    step("settle", do(settle_losses), "8.8.2"),
    step("lose", ask(LoseStep()), "8.8.2"),
    values=Losses,
)

KAMPFGRUPPE = procedure(
    "kampfgruppe",
    "8.15",
    step("offer", ask(RaiseKampfgruppe()), "8.15.1"),
    step("draw", ask(DrawKampfgruppe()), "8.15.1"),
    values=Fallen,
)

RETREAT = procedure(
    "retreat",
    "8.12",
    step("begin", do(begin_retreat), "8.12.1"),
    step("trapped", do(lose_the_trapped), "8.12.5"),
    step("fall-back", ask(FallBack()), "8.12.5"),
    values=Retreat,
)

ADVANCE = procedure("advance", "8.13", step("advance", ask(AdvanceUnit()), "8.13.2"), values=Advance)

REACTION = procedure("reaction", "8.10", step("react", ask(ReactWith()), "8.10"), values=Reaction)

EXPLOITATION = procedure(
    "exploitation",
    "9",
    step("begin", do(begin_exploitation), "9.1"),
    step("pick", ask(PickExploiter()), "9.2.1"),
    step("stacking", ask(LoseExcess()), "1.11.2"),
    step("combats", call("combats"), "9.3"),
    step("end", do(end_exploitation), "9.3.3"),
    step("stacking-again", ask(LoseExcess()), "1.11.2"),
)

FORTRESS_PHASE = procedure(
    "fortress-phase",
    "10",
    step("planes-back", do(call_back_planes), "10.4.3"),
    step("declare", ask(DeclareFortress()), "10.1.1"),
    step("success", ask(ChooseEffect()), "14.2.2"),
    step("crisis", ask(RollCrisis()), "15.3"),
    step("begin-airlift", do(begin_airlift), "10.4.1"),
    step("roll", ask(RollAirlift()), "10.4.2"),
    step("draw", ask(DrawPlane()), "10.4.2"),
    step("station", ask(StationPlanes()), "10.4.3"),
    step("surrender", do(begin_surrender), "10.3.5"),
    step("give-up", ask(GiveUp()), "10.3.5"),
    step("reduce", do(reduce_the_strong), "10.3.5"),
    values=(Airlift, Surrendering),
)

REINFORCEMENT_PHASE = procedure(
    "reinforcement-phase",
    "17",
    step("hqs", ask(ReturnHq()), "4.1.2"),
    step("demand", do(settle_demand), "15.3"),
    step("backhand", do(settle_backhand), "16.3.2"),
    step("come", do(reinforcements_come), "S2.12"),
    step("city", ask(PlaceInCity()), "17.1"),
    step("receive", do(receive_reserves), "17.1"),
    step("arrivals", ask(PlaceArrival()), "17.2.1"),
    step("free-division", ask(PlaceFreeDivision()), "17.2.3"),
    step("rail", ask(RailArrivals()), "17.2.2"),
    step("replacements", call("replacements"), "17.3"),
    step("upgrades", do(upgrade_units), "18.2.1"),
    step("guards", call("guards", begin_promotions), "18.2.1"),
    step("withdrawals", call("withdrawals"), "18.1"),
    step("stacking", ask(LoseExcess()), "1.11.2"),
)

REPLACEMENTS = procedure(
    "replacements",
    "17.3",
    step("begin", do(begin_replacements), "17.3"),
    step("spend", ask(SpendReplacements()), "17.3"),
    step("pay", ask(PayForArmour()), "17.3.7"),
    step("place", do(restore), "17.3.6"),
    step("rebuilt", ask(PlaceRebuilt()), "17.3.13"),
    values=Rebuilding,
)

PROCEDURES = by_name(
    *(GAME, GAME_TURN, SOVIET_END, AXIS_END, SUPPLY_PHASE, OFFENSIVE_PHASE, SUPPORT_PHASE, ACQUISITION),
    *(PLACING, STAVKA_PHASE, MOVEMENT_PHASE, MOVE, TRAIN, COMBAT_PHASE, COMBATS, BATTLE, LOSSES),
    *(KAMPFGRUPPE, RETREAT, ADVANCE, REACTION, EXPLOITATION, FORTRESS_PHASE, REINFORCEMENT_PHASE),
    *(REPLACEMENTS, MASKING, MUSTERING, MARS, SHORTAGE_TEST, DRAWS_OF_BOX, CHOOSING, WITHDRAWALS, GUARDS),
)
