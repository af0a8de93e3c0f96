"""3.0 The sequence of play: twelve turns of two player turns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from grognard.games.leningrad.rules import (
    air,
    battle,
    combat,
    forts,
    movement,
    reinforcements,
    results,
    untried,
    victory,
)
from grognard.games.leningrad.state import GERMAN, SOVIET, LeningradState
from grognard.kernel import Flow, ask, call, do, procedure, step
from grognard.mechanics.attacks import attacks
from grognard.mechanics.tabletop import by_name

if TYPE_CHECKING:
    from grognard.games.leningrad.game import Leningrad


def begin_turn(game: Leningrad, state: LeningradState) -> None:
    """The turn's forts (15.4) and air units (13.5) become available; Germans are on the move."""
    state.turn += 1
    state.active = GERMAN
    markers = game.data.markers
    state.forts_ready += markers.get(("fort", state.turn), 0)
    state.forts_laid = 0
    state.air_ready = sum(n for (kind, turn), n in markers.items() if kind == "air" and turn <= state.turn)
    state.emit("turn", "3.0", turn=state.turn)


def soviet_player_turn(game: Leningrad, state: LeningradState) -> None:
    state.active = SOVIET


def begin_interdiction(game: Leningrad, state: LeningradState) -> None:
    """3.0 step 4: passed over when every air unit has been used."""
    if state.air_ready:
        state.emit("phase", "13.3", word_phase=game.phase(state).id)


def begin_fortification(game: Leningrad, state: LeningradState) -> None:
    if state.forts_ready:
        state.emit("phase", "15.0", word_phase=game.phase(state).id)


def end_turn(game: Leningrad, state: LeningradState) -> None:
    """3.0 step 8: interdiction is lifted, the turn is over."""
    state.interdicted = ()
    state.surprise = False


def next_turn(game: Leningrad, state: LeningradState) -> Flow:
    if game.turns_left(state):
        return "turn"
    result = victory.verdict(game, state)
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
    step("begin", do(reinforcements.begin_regeneration), "16.8"),
    step("regenerate", ask(reinforcements.Regenerate()), "16.6"),
    values=int,
)

MOVEMENT = procedure(
    "movement",
    "4.0",
    step("begin", do(movement.begin_movement), "4.1"),
    step("pick", ask(movement.PickUnit()), "4.0"),
    step("excess", ask(movement.DestroyExcess()), "4.6"),
)

MOVE = procedure(
    "move",
    "4.5",
    step("hand", ask(movement.MoveStack()), "4.5"),
    step("overrun", call("battle", movement.announce_overrun), "7.0"),
    step("regroup", do(movement.regroup), "7.4"),
    values=movement.MovingStack,
)

COMBAT = attacks(
    combat.begin_combat,
    combat.ChooseTarget(),
    combat.BuildAttack(),
    combat.announce_attack,
    combat.Attack,
    cases=("8.0", "8.2", "9.0", "9.1"),
    gathering="build",
)

BATTLE = procedure(
    "battle",
    "9.0",
    step("air", ask(air.CommitAir()), "13.2"),
    step("reveal", ask(untried.Reveal()), "14.1"),
    step("odds", do(battle.settle_odds), "9.1"),
    step("die", ask(battle.RollDie()), "9.0"),
    step("defender", call("suffered", partial(results.share, defending=True), results.take_report), "10.3"),
    step("bystanders", do(results.lose_the_bystanders), "8.4"),
    step("attacker", call("suffered", partial(results.share, defending=False), results.take_report), "10.3"),
    step("advance", ask(results.Advance()), "10.9"),
    values=battle.Battle,
)

ORDEAL = procedure(
    "suffered",
    "10.0",
    step("choice", ask(results.LoseOrRetreat()), "10.1"),
    step("trapped", do(results.lose_the_trapped), "10.7"),
    step("retreat", ask(results.FallBack()), "10.6"),
    step("report", do(results.report), "10.3"),
    values=results.SufferedResult,
)

INTERDICTION = procedure(
    "interdiction",
    "13.3",
    step("begin", do(begin_interdiction), "3.0"),
    step("interdict", ask(air.Interdict()), "13.3"),
)

FORTIFICATION = procedure(
    "fortification",
    "15.0",
    step("begin", do(begin_fortification), "15.4"),
    step("fortify", ask(forts.Fortify()), "15.0"),
)

PROCEDURES = by_name(
    GAME, GAME_TURN, REGENERATION, MOVEMENT, MOVE, COMBAT, BATTLE, ORDEAL, INTERDICTION, FORTIFICATION
)
