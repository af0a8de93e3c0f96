"""4 The sequence of play, with a window at every moment where the other side may act. Those of the air and
the sea have nothing in them yet: their rules are to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.second_front.rules.attacking import (
    Advance,
    Attack,
    BuildAttack,
    ChooseTarget,
    FallBack,
    RetreatBeforeCombat,
    RollCombat,
    RollSurprise,
    SlipThrough,
    SurpriseAttack,
    TakeLosses,
    announce,
    apply_losses,
    begin_combat,
    next_attack,
    prepare,
)
from grognard.games.second_front.rules.building import BeginWork, finish_works
from grognard.games.second_front.rules.dividing import Assemble
from grognard.games.second_front.rules.flooding import CallOff, Flood, RollFlood, drain
from grognard.games.second_front.rules.garrisons import Alarm, Muster, MusterAtOnce, check_duties
from grognard.games.second_front.rules.governments import RollCapture, SeatGovernment
from grognard.games.second_front.rules.losses import ATTACKER, DEFENDER
from grognard.games.second_front.rules.marching import PickUnit, begin_phase, end_phase
from grognard.games.second_front.rules.overruns import Charge, FollowCharge, GatherCharge, resolve_charge
from grognard.games.second_front.rules.pools import receive
from grognard.games.second_front.rules.rebuilding import Rebuild, Withdraw, convert
from grognard.games.second_front.rules.stepping import Move, MoveUnit, Sneak
from grognard.games.second_front.rules.trains import Detrain, Freight, SendFreight
from grognard.games.second_front.rules.upkeep import (
    PlaceArrival,
    RollAttrition,
    RollSea,
    RollWeather,
    check_isolation,
    check_supply,
    expire_stores,
    receive_supply,
)
from grognard.games.second_front.state import DECIDED, FrontState
from grognard.games.second_front.units import ALLIED, AXIS
from grognard.kernel import (
    RETURN,
    Action,
    Flow,
    Refusal,
    Role,
    Verb,
    Window,
    ask,
    call,
    do,
    procedure,
    refusal,
    step,
)
from grognard.mechanics.tabletop import by_name

if TYPE_CHECKING:
    from grognard.games.second_front.game import SecondFront


class ToCome(Window["SecondFront", FrontState]):
    """A moment that belongs to rules still to come: nobody has anything to do in it."""

    verbs = {"pass": Verb((), Role.PASS)}

    def __init__(self, occasion: str, case: str, phasing: bool = False) -> None:
        self.name, self.case, self.phasing = f"window-{occasion}", case, phasing
        self.occasion = occasion  # type: ignore[misc]

    def actor(self, game: SecondFront, state: FrontState) -> int:
        return state.active if self.phasing else 1 - state.active

    @property
    def prompts(self) -> tuple[str, ...]:
        return ("to-come",)

    def could(self, game: SecondFront, state: FrontState, side: int) -> bool:
        return False

    def reactions(self, game: SecondFront, state: FrontState, side: int) -> list[Action]:
        return []

    def why_not(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Refusal | None:
        return refusal("nothing-to-do", self.case)

    def react(self, game: SecondFront, state: FrontState, side: int, action: Action) -> Flow:
        raise AssertionError("there are no reactions yet")


def next_turn(game: SecondFront, state: FrontState) -> Flow:
    if state.turn >= game.scenarios[state.scenario].last:
        # What counts is who is isolated then, not at the last check (the scenarios' own).
        check_isolation(game, state)
        state.ending = DECIDED
        return RETURN
    state.turn += 1
    return "turn"


def begin_turn(game: SecondFront, state: FrontState) -> Flow:
    state.emit("turn", "4", turn=state.turn)
    return None


def player_turn(side: int) -> object:
    def begin(game: SecondFront, state: FrontState) -> None:
        state.active = side
        state.emit("player-turn", "4B", word_side=game.sides[side])

    return begin


GAME = procedure(
    "game",
    "4",
    step("turn", call("game-turn"), "4"),
    step("next", do(next_turn), "4"),
)

GAME_TURN = procedure(
    "game-turn",
    "4",
    step("begin", do(begin_turn), "4"),
    step("weather", ask(RollWeather()), "36B"),
    step("sea", ask(RollSea()), "36C"),
    step("axis", call("player-turn", player_turn(AXIS)), "4"),  # type: ignore[arg-type]
    step("allied", call("player-turn", player_turn(ALLIED)), "4"),  # type: ignore[arg-type]
)

PLAYER_TURN = procedure(
    "player-turn",
    "4A",
    step("initial", call("initial-phase"), "4A1"),
    step("movement", call("movement-phase"), "4A2"),
    step("combat", call("combat-phase"), "4A3"),
    step("exploitation", call("exploitation-phase"), "4A4"),
    step("water", do(drain), "37A4"),
    step("patrols-land", ask(ToCome("return-of-patrols", "20E")), "20E"),
)

INITIAL = procedure(
    "initial-phase",
    "4A1",
    step("isolation", do(check_isolation), "3G"),
    step("deliveries", do(receive_supply), "12C3a"),
    step("supply", do(check_supply), "12B"),
    step("attrition", ask(RollAttrition()), "12D"),
    step("garrisons", ask(Muster()), "37E"),
    step("duties", do(check_duties), "37E1"),
    step("governments", ask(SeatGovernment()), "37G1"),
    step("finished-works", do(finish_works), "14A1"),
    step("production", do(receive), "40B1"),
    step("withdrawals", ask(Withdraw()), "40A1"),
    step("conversions", do(convert), "40A1"),
    step("arrivals", ask(PlaceArrival()), "40A2"),
    step("replacements", ask(Rebuild()), "40B"),
    step("works", ask(BeginWork()), "14A1"),
    step("stores", do(expire_stores), "12C3a"),
    step("crowded-bases", ask(ToCome("crowded-bases", "16C1")), "16C1"),
    step("air-patrol", ask(ToCome("combat-air-patrol", "20E")), "20E"),
    step("harassment", ask(ToCome("harassment", "20G2d")), "20G2d"),
    step("naval-patrol", ask(ToCome("naval-patrol", "20G2h")), "20G2h"),
    values=int,
)

MOVEMENT = procedure(
    "movement-phase",
    "4A2",
    step("naval-reaction", ask(ToCome("naval-reaction", "28A")), "27C"),
    step("landing-reaction", ask(ToCome("landing-reaction", "32D")), "32D"),
    step("begin", do(begin_phase), "6"),
    step("units", ask(PickUnit()), "6"),
    step("assemble", ask(Assemble()), "15A"),
    step("air-operations", ask(ToCome("air-operations", "16C2")), "16C2"),
    step("government", ask(RollCapture()), "37G2"),
    step("end", do(end_phase), "6B"),
)

EXPLOITATION = procedure(
    "exploitation-phase",
    "4A4",
    step("naval-reaction", ask(ToCome("naval-reaction", "28A")), "27C"),
    step("begin", do(begin_phase), "6"),
    step("units", ask(PickUnit()), "6"),
    step("assemble", ask(Assemble()), "15A"),
    step("air-operations", ask(ToCome("air-operations", "16C4")), "16C4"),
    step("government", ask(RollCapture()), "37G2"),
    step("end", do(end_phase), "6B"),
)

ALARM = procedure("alarm", "37E", step("muster", ask(MusterAtOnce()), "37E"), values=Alarm)

TRAIN = procedure("train", "7A2", step("ride", ask(Detrain()), "7A2"), values=Move)

FREIGHT = procedure("freight", "12E", step("send", ask(SendFreight()), "12E"), values=Freight)

MOVE = procedure(
    "move",
    "6",
    step("steps", ask(MoveUnit()), "6"),
    step("sneak", ask(Sneak()), "14H1"),
    values=Move,
)

OVERRUN = procedure(
    "overrun",
    "13",
    step("gather", ask(GatherCharge()), "13"),
    step("slip-away", ask(RetreatBeforeCombat("slip-away-from-overrun", "13")), "13"),
    step("resolve", do(resolve_charge), "13"),
    step("follow", ask(FollowCharge()), "13"),
    step("escape", ask(ToCome("air-escape", "17B")), "17B"),
    values=Charge,
)

COMBAT = procedure(
    "combat-phase",
    "4A3",
    step("isolation", do(check_isolation), "3G"),
    step("begin", do(begin_combat), "9"),
    step("defensive-air-support", ask(ToCome("defensive-air-support", "20G2c")), "20G2c"),
    step("ground-support", ask(ToCome("ground-support", "20G2b", phasing=True)), "20G2b"),
    step("defensive-gunfire", ask(ToCome("defensive-gunfire", "33A")), "33A"),
    step("target", ask(ChooseTarget()), "9A"),
    step("attackers", ask(BuildAttack()), "9A"),
    step("announce", do(announce), "9A"),
    step("flooding", ask(Flood()), "37A3"),
    step("flood-die", ask(RollFlood()), "37A3"),
    step("flooded", ask(CallOff()), "37A3"),
    step("slip-away", ask(RetreatBeforeCombat("slip-away-from-attack", "9I")), "9I"),
    step("antiaircraft", ask(ToCome("antiaircraft", "22B", phasing=True)), "22B"),
    step("prepare", do(prepare), "9A"),
    step("surprise", ask(SurpriseAttack()), "14H3"),
    step("surprise-die", ask(RollSurprise()), "14H3"),
    step("roll", ask(RollCombat()), "9A"),
    step("losses", ask(TakeLosses(DEFENDER)), "9C"),
    step("attacker-losses", ask(TakeLosses(ATTACKER)), "9C"),
    step("apply", do(apply_losses), "9C"),
    step("retreats", ask(FallBack()), "9F1"),
    step("slip-through", ask(SlipThrough()), "14H1"),
    step("advance", ask(Advance()), "9F2"),
    step("port", ask(ToCome("port-demolition", "30A3")), "30A3"),
    step("escape", ask(ToCome("air-escape", "17B")), "17B"),
    step("government", ask(RollCapture()), "37G2"),
    step("next", do(next_attack), "9A"),
    values=Attack,
)

PROCEDURES = by_name(
    *(GAME, GAME_TURN, PLAYER_TURN, INITIAL, MOVEMENT, COMBAT, EXPLOITATION),
    *(ALARM, TRAIN, FREIGHT, MOVE, OVERRUN),
)
