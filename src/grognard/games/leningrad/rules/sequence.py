"""3.0 The sequence of play: twelve turns of two player turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.leningrad.rules.air import CommitAir, Interdict
from grognard.games.leningrad.rules.battle import Battle, RollDie, settle_odds
from grognard.games.leningrad.rules.combat import (
    Attack,
    BuildAttack,
    ChooseTarget,
    announce_attack,
    begin_combat,
)
from grognard.games.leningrad.rules.forts import Fortify
from grognard.games.leningrad.rules.movement import (
    DestroyExcess,
    MoveStack,
    MovingStack,
    PickUnit,
    begin_movement,
    regroup,
)
from grognard.games.leningrad.rules.overrun import announce_overrun
from grognard.games.leningrad.rules.reinforcements import Regenerate, begin_regeneration
from grognard.games.leningrad.rules.results import (
    Advance,
    FallBack,
    LoseOrRetreat,
    SufferedResult,
    attacker_share,
    defender_share,
    lose_the_bystanders,
    lose_the_trapped,
    report,
    take_report,
)
from grognard.games.leningrad.rules.untried import Reveal
from grognard.games.leningrad.rules.victory import verdict
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.kernel import Flow, Procedure, ask, call, do, procedure, step

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def begin_turn(game: Leningrad, state: LeningradState) -> Flow:
    """The turn's forts (15.4) and air units (13.5) become available; Germans are on the move."""
    state.turn += 1
    state.active = GERMAN
    markers = game.data.markers
    state.forts_ready += markers.get(("fort", state.turn), 0)
    state.forts_laid = 0
    state.air_ready = sum(n for (kind, turn), n in markers.items() if kind == "air" and turn <= state.turn)
    state.emit("turn", "3.0", turn=state.turn)
    return None


def soviet_player_turn(game: Leningrad, state: LeningradState) -> Flow:
    state.active = SOVIET
    return None


def begin_interdiction(game: Leningrad, state: LeningradState) -> Flow:
    """3.0 step 4: passed over when every air unit has been used."""
    if state.air_ready:
        state.emit("phase", "13.3", word_phase=game.phase(state).id)
    return None


def begin_fortification(game: Leningrad, state: LeningradState) -> Flow:
    if state.forts_ready:
        state.emit("phase", "15.0", word_phase=game.phase(state).id)
    return None


def end_turn(game: Leningrad, state: LeningradState) -> Flow:
    """3.0 step 8: interdiction is lifted, the turn is over."""
    state.interdicted = ()
    state.surprise = False
    return None


def next_turn(game: Leningrad, state: LeningradState) -> Flow:
    if game.turns_left(state):
        return "turn"
    result = verdict(game, state)
    state.emit(
        "verdict",
        "18.3",
        word_level=result.level,
        german=result.points["german"],
        soviet=result.points["soviet"],
    )
    return None


GAME = procedure(
    "game",
    "3.0",
    step("turn", call("game-turn"), "3.0"),
    step("next", do(next_turn), "3.0"),
)

GAME_TURN = procedure(
    "game-turn",
    "3.0",
    step("begin", do(begin_turn), "3.0"),
    step("german-regeneration", call("regeneration"), "16.6"),
    step("german-movement", call("movement"), "4.0"),
    step("german-combat", call("combat"), "8.0"),
    step("german-air-interdiction", call("interdiction"), "13.3"),
    step("soviets", do(soviet_player_turn), "3.0"),
    step("soviet-fortification", call("fortification"), "15.0"),
    step("soviet-movement", call("movement"), "4.0"),
    step("soviet-combat", call("combat"), "8.0"),
    step("turn-end", do(end_turn), "3.0"),
)

REGENERATION = procedure(
    "regeneration",
    "16.6",
    step("begin", do(begin_regeneration), "16.8"),
    step("regenerate", ask(Regenerate()), "16.6"),
    values=int,
)

MOVEMENT = procedure(
    "movement",
    "4.0",
    step("begin", do(begin_movement), "4.1"),
    step("pick", ask(PickUnit()), "4.0"),
    step("excess", ask(DestroyExcess()), "4.6"),
)

MOVE = procedure(
    "move",
    "4.5",
    step("hand", ask(MoveStack()), "4.5"),
    step("overrun", call("battle", announce_overrun), "7.0"),
    step("regroup", do(regroup), "7.4"),
    values=MovingStack,
)

COMBAT = procedure(
    "combat",
    "8.0",
    step("begin", do(begin_combat), "8.2"),
    step("target", ask(ChooseTarget()), "8.0"),
    step("build", ask(BuildAttack()), "8.3"),
    step("battle", call("battle", announce_attack), "9.0"),
    step("again", do(lambda game, state: "target"), "9.1"),
    values=Attack,
)

BATTLE = procedure(
    "battle",
    "9.0",
    step("air", ask(CommitAir()), "13.2"),
    step("reveal", ask(Reveal()), "14.1"),
    step("odds", do(settle_odds), "9.1"),
    step("die", ask(RollDie()), "9.0"),
    step("defender", call("suffered", defender_share, take_report), "10.3"),
    step("bystanders", do(lose_the_bystanders), "8.4"),
    step("attacker", call("suffered", attacker_share, take_report), "10.3"),
    step("advance", ask(Advance()), "10.9"),
    values=Battle,
)

ORDEAL = procedure(
    "suffered",
    "10.0",
    step("choice", ask(LoseOrRetreat()), "10.1"),
    step("trapped", do(lose_the_trapped), "10.7"),
    step("retreat", ask(FallBack()), "10.6"),
    step("report", do(report), "10.3"),
    values=SufferedResult,
)

INTERDICTION = procedure(
    "interdiction",
    "13.3",
    step("begin", do(begin_interdiction), "3.0"),
    step("interdict", ask(Interdict()), "13.3"),
)

FORTIFICATION = procedure(
    "fortification",
    "15.0",
    step("begin", do(begin_fortification), "15.4"),
    step("fortify", ask(Fortify()), "15.0"),
)

PROCEDURES: dict[str, Procedure] = {
    p.name: p
    for p in (
        *(GAME, GAME_TURN, REGENERATION, MOVEMENT, MOVE, COMBAT, BATTLE, ORDEAL),
        *(INTERDICTION, FORTIFICATION),
    )
}
