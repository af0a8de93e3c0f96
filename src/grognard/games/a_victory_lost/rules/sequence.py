"""4.0 The sequence of play: up to nine turns of command, supply and arrivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.a_victory_lost.rules.advance import (
    Advance,
    AdvanceOn,
    AdvanceUnit,
    BringHq,
    anyone_left,
    begin_advance,
)
from grognard.games.a_victory_lost.rules.combat import (
    Attack,
    Battle,
    BuildAttack,
    ChooseTarget,
    RollDie,
    announce_attack,
    begin_combat,
    settle_odds,
)
from grognard.games.a_victory_lost.rules.command import (
    Activation,
    ChooseFive,
    DrawChit,
    PlayFirstChit,
    PlayManstein,
    SelectChits,
    SpecialCombat,
    activate,
    activate_by_chit,
    after_activation,
    after_first_chit,
    anything_left,
    fill_cup,
    first_chit_due,
    first_chit_named,
    gather_chits,
    select_without_choice,
    special_activation,
)
from grognard.games.a_victory_lost.rules.headquarters import Reposition, send_back
from grognard.games.a_victory_lost.rules.movement import (
    MoveUnit,
    PickUnit,
    lose_stragglers,
)
from grognard.games.a_victory_lost.rules.reach import Move
from grognard.games.a_victory_lost.rules.reinforcements import (
    Arrival,
    ChooseArrival,
    PlaceArrival,
    axis_arrival,
    lose_the_stranded,
    receive_axis,
    receive_soviet,
    soviet_arrival,
    withdraw_hqs,
)
from grognard.games.a_victory_lost.rules.results import (
    LoseStep,
    Losses,
    attacker_losses,
    defender_losses,
    lose_all,
    scatter_attacking_hqs,
)
from grognard.games.a_victory_lost.rules.retreat import (
    FallBack,
    HqGoesWith,
    Retreat,
    begin_retreat,
    leave_hqs,
    lose_the_trapped,
)
from grognard.games.a_victory_lost.rules.supply import judge_supply, lift_unsupplied_hqs
from grognard.games.a_victory_lost.rules.victory import final_count, sudden_death, verdict
from grognard.games.a_victory_lost.state import GOING_ON, VictoryState
from grognard.kernel import Flow, Procedure, ask, call, do, procedure, step

if TYPE_CHECKING:
    from grognard.games.a_victory_lost.game import AVictoryLost


def begin_turn(game: AVictoryLost, state: VictoryState) -> Flow:
    """4.3 step 3: the turn marker moves on."""
    state.turn += 1
    state.emit("turn", "4.0", turn=state.turn)
    if state.turn == game.data.numbers["pocket_turns"] + 1:
        state.emit("pocket-open", "13.0")
    return None


def next_turn(game: AVictoryLost, state: VictoryState) -> Flow:
    """4.0, 14.0.2 Another turn, unless somebody has a lead of thirty or turn 9 is over."""
    if state.ending == GOING_ON:
        if game.turns_left(state):
            return "turn"
        final_count(game, state)
    result = verdict(game, state)
    state.emit("verdict", "14.0.2", word_level=result.level, **result.points)
    return None


GAME = procedure(
    "game",
    "4.0",
    step("chits", ask(ChooseFive()), "3.0"),
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
    step("gather", do(gather_chits), "7.1.1"),
    step("first-chit", call("first-chit"), "15.0.2"),
    step("no-choice", do(select_without_choice), "7.1.2"),
    step("selection", ask(SelectChits()), "7.1.2"),
    step("cup", do(fill_cup), "7.1.2"),
    step("special-combat", ask(SpecialCombat(before_selection=False)), "4.1.2"),
    step("special-activation", call("activation", special_activation), "4.1.2"),
    step("left", do(anything_left), "4.1.2"),
    step("draw", ask(DrawChit()), "7.2.1"),
    step("manstein", ask(PlayManstein()), "7.2.2"),
    step("activation", call("activation", activate_by_chit), "7.3"),
    step("again", do(after_activation), "4.1.2"),
    values=(Activation, str),
)

FIRST_CHIT = procedure(
    "first-chit",
    "15.0.2",
    step("due", do(first_chit_due), "15.0.2"),
    step("special-combat", ask(SpecialCombat(before_selection=True)), "4.1.2"),
    step("special-activation", call("activation", special_activation), "4.1.2"),
    step("play", ask(PlayFirstChit()), "15.0.2"),
    step("named", do(first_chit_named), "15.0.2"),
    step("manstein", ask(PlayManstein()), "7.2.2"),
    step("activation", call("activation", activate_by_chit), "7.3"),
    step("then", do(after_first_chit), "15.0.2"),
)

ACTIVATION = procedure(
    "activation",
    "4.1.2",
    step("activate", do(activate), "7.3"),
    step("movement", call("movement"), "8.0"),
    step("combat", call("combat"), "9.0"),
    values=Activation,
)

MOVEMENT = procedure(
    "movement",
    "8.0",
    step("pick", ask(PickUnit()), "8.1.1"),
    step("stragglers", do(lose_stragglers), "11.2.2"),
)

MOVE = procedure(
    "move",
    "8.1",
    step("hand", ask(MoveUnit()), "8.1.2"),
    step("overrun", call("reposition"), "8.1.4"),
    step("go-on", do(lambda game, state: "hand"), "8.1.4"),
    values=Move,
)

COMBAT = procedure(
    "combat",
    "9.0",
    step("begin", do(begin_combat), "9.1"),
    step("target", ask(ChooseTarget()), "9.2"),
    step("build", ask(BuildAttack()), "9.1.4"),
    step("battle", call("battle", announce_attack), "9.2"),
    step("again", do(lambda game, state: "target"), "9.2"),
    values=Attack,
)

BATTLE = procedure(
    "battle",
    "9.2",
    step("odds", do(settle_odds), "9.3"),
    step("die", ask(RollDie()), "9.4.1"),
    step("attacker-losses", call("losses", attacker_losses), "9.4.2"),
    step("attacking-hqs", do(scatter_attacking_hqs), "12.2"),
    step("attacking-hqs-go", call("reposition"), "12.2"),
    step("defender-losses", call("losses", defender_losses), "9.4.2"),
    step("retreat", call("retreat", begin_retreat), "9.5"),
    step("advance", call("advance", begin_advance), "9.6"),
    values=Battle,
)

LOSSES = procedure(
    "losses",
    "9.4",
    step("all", do(lose_all), "9.4.2"),
    step("lose", ask(LoseStep()), "9.4.2"),
    values=Losses,
)

RETREAT = procedure(
    "retreat",
    "9.5",
    step("trapped", do(lose_the_trapped), "9.5.8"),
    step("fall-back", ask(FallBack()), "9.5.2"),
    step("overrun", call("reposition"), "9.5.7"),
    step("go-on", do(lambda game, state: "trapped"), "9.5.4"),
    step("hq", do(leave_hqs), "12.2"),
    step("go-with", ask(HqGoesWith()), "12.3"),
    step("scattered", call("reposition"), "12.2"),
    values=Retreat,
)

ADVANCE = procedure(
    "advance",
    "9.6",
    step("left", do(anyone_left), "9.6.1"),
    step("unit", ask(AdvanceUnit()), "9.6.2"),
    step("entered", call("reposition"), "9.6.4"),
    step("on", ask(AdvanceOn()), "9.6.3"),
    step("overrun", call("reposition"), "9.6.4"),
    step("hq", ask(BringHq()), "12.4"),
    step("again", do(lambda game, state: "left"), "9.6.2"),
    values=Advance,
)

REPOSITION = procedure(
    "reposition",
    "12.7",
    step("stranded", do(send_back), "12.7"),
    step("choose", ask(Reposition()), "12.7"),
)

SUPPLY_PHASE = procedure(
    "supply-phase",
    "4.2",
    step("judge", do(judge_supply), "10.1"),
    step("hqs", do(lift_unsupplied_hqs), "10.3"),
    step("reposition", call("reposition"), "12.7"),
)

END_PHASE = procedure(
    "end-phase",
    "4.3",
    step("axis", do(receive_axis), "11.1.2"),
    step("axis-arrivals", call("arrivals", axis_arrival), "11.1.1"),
    step("soviet", do(receive_soviet), "11.2.1"),
    step("soviet-arrivals", call("arrivals", soviet_arrival), "11.1.1"),
    step("withdrawal", do(withdraw_hqs), "11.3"),
    step("sudden-death", do(sudden_death), "14.0.2"),
)

ARRIVALS = procedure(
    "arrivals",
    "11.1",
    step("stranded", do(lose_the_stranded), "11.1.3"),
    step("unit", ask(ChooseArrival()), "11.1.1"),
    step("hex", ask(PlaceArrival()), "11.1.1"),
    values=Arrival,
)

PROCEDURES: dict[str, Procedure] = {
    p.name: p
    for p in (
        *(GAME, GAME_TURN, COMMAND_PHASE, FIRST_CHIT, ACTIVATION, MOVEMENT, MOVE, COMBAT, BATTLE, LOSSES),
        RETREAT,
        *(ADVANCE, REPOSITION, SUPPLY_PHASE, END_PHASE, ARRIVALS),
    )
}
