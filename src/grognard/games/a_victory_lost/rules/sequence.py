"""4.0 The sequence of play: up to nine turns of command, supply and arrivals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.rules import (
    advance,
    combat,
    command,
    headquarters,
    movement,
    reach,
    reinforcements,
    results,
    retreat,
    supply,
    victory,
)
from grognard.games.a_victory_lost.state import AXIS, GOING_ON, SOVIET, VictoryState
from grognard.kernel import Flow, ask, call, do, procedure, step
from grognard.mechanics.attacks import attacks
from grognard.mechanics.tabletop import by_name

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def begin_turn(game: AVictoryLost, state: VictoryState) -> None:
    """4.3 step 3: the turn marker moves on."""
    state.turn += 1
    state.emit("turn", "4.0", turn=state.turn)
    if state.turn == game.data.numbers["pocket_turns"] + 1:
        state.emit("pocket-open", "13.0")


def next_turn(game: AVictoryLost, state: VictoryState) -> Flow:
    """4.0, 14.0.2 Another turn, unless somebody has a lead of thirty or turn 9 is over."""
    if state.ending == GOING_ON:
        if game.turns_left(state):
            return "turn"
        victory.final_count(game, state)
    result = victory.verdict(game, state)
    state.emit("verdict", "14.0.2", word_level=result.level, **result.points)
    return None


GAME = procedure(
    "game",
    "4.0",
    step("chits", ask(command.ChooseFive()), "3.0"),
    step("turn", call("game-turn"), "4.0"),
    step("next", do(next_turn), "4.3"),
)

GAME_TURN = procedure(
    "game-turn",
    "4.0",
    step("begin", do(begin_turn), "4.0"),
    step("command", call("command-phase"), "4.1"),
    step("supply", call("supply-phase"), "4.2"),
    step("end-of-turn", call("end-phase"), "4.3"),
)

COMMAND_PHASE = procedure(
    "command-phase",
    "4.1",
    step("gather", do(command.gather_chits), "7.1.1"),
    step("first-chit", call("first-chit"), "15.0.2"),
    step("no-choice", do(command.select_without_choice), "7.1.2"),
    step("selection", ask(command.SelectChits()), "7.1.2"),
    step("cup", do(command.fill_cup), "7.1.2"),
    step("special-combat", ask(command.SpecialCombat(before_selection=False)), "4.1.2"),
    step("special-activation", call("activation", command.special_activation), "4.1.2"),
    step("left", do(command.anything_left), "4.1.2"),
    step("draw", ask(command.DrawChit()), "7.2.1"),
    step("manstein", ask(command.PlayManstein()), "7.2.2"),
    step("activation", call("activation", command.activate_by_chit), "7.3"),
    step("again", do(command.after_activation), "4.1.2"),
    values=(command.Activation, str),
)

FIRST_CHIT = procedure(
    "first-chit",
    "15.0.2",
    step("due", do(command.first_chit_due), "15.0.2"),
    step("special-combat", ask(command.SpecialCombat(before_selection=True)), "4.1.2"),
    step("special-activation", call("activation", command.special_activation), "4.1.2"),
    step("play", ask(command.PlayFirstChit()), "15.0.2"),
    step("named", do(command.first_chit_named), "15.0.2"),
    step("manstein", ask(command.PlayManstein()), "7.2.2"),
    step("activation", call("activation", command.activate_by_chit), "7.3"),
    step("then", do(command.after_first_chit), "15.0.2"),
)

ACTIVATION = procedure(
    "activation",
    "4.1.2",
    step("activate", do(command.activate), "7.3"),
    step("movement", call("movement"), "8.0"),
    step("combat", call("combat"), "9.0"),
    values=command.Activation,
)

MOVEMENT = procedure(
    "movement",
    "8.0",
    step("pick", ask(movement.PickUnit()), "8.1.1"),
    step("stragglers", do(movement.lose_stragglers), "11.2.2"),
)

MOVE = procedure(
    "move",
    "8.1",
    step("hand", ask(movement.MoveUnit()), "8.1.2"),
    step("overrun", call("reposition"), "8.1.4"),
    step("go-on", do(lambda game, state: "hand"), "8.1.4"),
    values=reach.Move,
)

COMBAT = attacks(
    combat.begin_combat,
    combat.ChooseTarget(),
    combat.BuildAttack(),
    combat.announce_attack,
    combat.Attack,
    cases=("9.0", "9.1", "9.2", "9.2"),
    gathering="build",
)

BATTLE = procedure(
    "battle",
    "9.2",
    step("odds", do(combat.settle_odds), "9.3"),
    step("die", ask(combat.RollDie()), "9.4.1"),
    step("attacker-losses", call("losses", partial(results.losses_of, defending=False)), "9.4.2"),
    step("attacking-hqs", do(headquarters.displace_bereft), "12.2"),
    step("attacking-hqs-go", call("reposition"), "12.2"),
    step("defender-losses", call("losses", partial(results.losses_of, defending=True)), "9.4.2"),
    step("retreat", call("retreat", retreat.begin_retreat), "9.5"),
    step("advance", call("advance", advance.begin_advance), "9.6"),
    values=combat.Battle,
)

LOSSES = procedure(
    "losses",
    "9.4",
    step("all", do(results.lose_all), "9.4.2"),
    step("lose", ask(results.LoseStep()), "9.4.2"),
    values=results.Losses,
)

RETREAT = procedure(
    "retreat",
    "9.5",
    step("trapped", do(retreat.lose_the_trapped), "9.5.8"),
    step("fall-back", ask(retreat.FallBack()), "9.5.2"),
    step("overrun", call("reposition"), "9.5.7"),
    step("go-on", do(lambda game, state: "trapped"), "9.5.4"),
    step("hq", do(retreat.leave_hqs), "12.2"),
    step("go-with", ask(retreat.HqGoesWith()), "12.3"),
    step("scattered", call("reposition"), "12.2"),
    values=retreat.Retreat,
)

ADVANCE = procedure(
    "advance",
    "9.6",
    step("left", do(advance.anyone_left), "9.6.1"),
    step("unit", ask(advance.AdvanceUnit()), "9.6.2"),
    step("entered", call("reposition"), "9.6.4"),
    step("on", ask(advance.AdvanceOn()), "9.6.3"),
    step("overrun", call("reposition"), "9.6.4"),
    step("hq", ask(advance.BringHq()), "12.4"),
    step("again", do(lambda game, state: "left"), "9.6.2"),
    values=advance.Advance,
)

REPOSITION = procedure(
    "reposition",
    "12.7",
    step("stranded", do(headquarters.send_back), "12.7"),
    step("choose", ask(headquarters.Reposition()), "12.7"),
)

SUPPLY_PHASE = procedure(
    "supply-phase",
    "4.2",
    step("judge", do(supply.judge_supply), "10.1"),
    step("hqs", do(headquarters.lift_unsupplied_hqs), "10.3"),
    step("reposition", call("reposition"), "12.7"),
)

END_PHASE = procedure(
    "end-phase",
    "4.3",
    step("axis", do(reinforcements.receive_axis), "11.1.2"),
    step("axis-arrivals", call("arrivals", lambda game, state: reinforcements.Arrival(AXIS)), "11.1.1"),
    step("soviet", do(reinforcements.receive_soviet), "11.2.1"),
    step("soviet-arrivals", call("arrivals", lambda game, state: reinforcements.Arrival(SOVIET)), "11.1.1"),
    step("withdrawal", do(reinforcements.withdraw_hqs), "11.3"),
    step("sudden-death", do(victory.sudden_death), "14.0.2"),
)

ARRIVALS = procedure(
    "arrivals",
    "11.1",
    step("stranded", do(reinforcements.lose_the_stranded), "11.1.3"),
    step("unit", ask(reinforcements.ChooseArrival()), "11.1.1"),
    step("hex", ask(reinforcements.PlaceArrival()), "11.1.1"),
    values=reinforcements.Arrival,
)

PROCEDURES = by_name(
    *(GAME, GAME_TURN, COMMAND_PHASE, FIRST_CHIT, ACTIVATION, MOVEMENT, MOVE, COMBAT, BATTLE, LOSSES),
    *(RETREAT, ADVANCE, REPOSITION, SUPPLY_PHASE, END_PHASE, ARRIVALS),
)
