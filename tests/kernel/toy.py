"""A game small enough to see through: take counters from a pile, walk a token, roll a die, hand over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grognard.board import Board
from grognard.kernel import (
    AGAIN,
    Action,
    ChanceDecision,
    Decision,
    Flow,
    Game,
    IllegalActionError,
    Option,
    Outcome,
    Refusal,
    Role,
    Scenario,
    State,
    Verb,
    ask,
    call,
    do,
    procedure,
    refusal,
    step,
)
from grognard.kernel.table import Count, Markers, PartKind, Table
from grognard.kernel.text import Catalogue
from tests.mechanics.boards import small_board

PILE = 30


class ToyState(State):
    __slots__ = ("pile", "scores", "side", "token", "turn_number")

    def __init__(self, pile: int, token: int) -> None:
        super().__init__()
        self.pile = pile
        self.scores = [0, 0]
        self.side = 0
        self.token = token
        self.turn_number = 1

    def clone(self) -> ToyState:
        copy = super().clone()
        copy.pile = self.pile
        copy.scores = self.scores.copy()
        copy.side = self.side
        copy.token = self.token
        copy.turn_number = self.turn_number
        return copy

    def plain(self) -> tuple[Any, ...]:
        return (*super().plain(), self.pile, tuple(self.scores), self.side, self.token, self.turn_number)


class Act(Decision["Toy", ToyState]):
    name = "act"
    case = "1.1"
    verbs = {"take": Verb(("number",)), "walk": Verb(("hex",)), "roll": Verb(()), "end": Verb((), Role.END)}

    def actor(self, game: Toy, state: ToyState) -> int:
        return state.side

    def options(self, game: Toy, state: ToyState, side: int) -> list[Action]:
        return [
            *(("take", n) for n in range(1, min(3, state.pile) + 1)),
            *(("walk", c) for c in sorted(game.board.adjacent[state.token])),
            ("roll",),
            ("end",),
        ]

    def refuse(self, game: Toy, state: ToyState, side: int, action: Action) -> Refusal | None:
        if action[0] == "take" and not 1 <= action[1] <= min(3, state.pile):
            return refusal("too-many", "1.2", count=action[1])
        if action[0] == "walk" and action[1] not in game.board.adjacent[state.token]:
            return refusal("too-far", "1.3", hex=action[1])
        return None

    def apply(self, game: Toy, state: ToyState, side: int, action: Action) -> Flow:
        if action[0] == "take":
            state.pile -= action[1]
            state.scores[state.side] += action[1]
            state.emit("taken", "1.2", count=action[1])
            return AGAIN
        if action[0] == "walk":
            state.token = action[1]
            return AGAIN
        return None if action[0] == "roll" else "after"


class Die(ChanceDecision["Toy", ToyState]):
    name = "die"
    case = "1.4"
    verbs = {"die": Verb(("number",))}

    def weights(self, game: Toy, state: ToyState) -> list[tuple[Action, int]]:
        return [(("die", n), 1) for n in range(1, 7)]

    def apply(self, game: Toy, state: ToyState, side: int, action: Action) -> Flow:
        state.scores[state.side] += action[1]
        state.emit("rolled", "1.4", die=action[1])
        return "act"


def begin(game: Toy, state: ToyState) -> Flow:
    state.emit("turn", "1.0", turn=state.turn_number)
    return None


def after(game: Toy, state: ToyState) -> Flow:
    state.side = 1 - state.side
    state.turn_number += 1
    return None


GAME = procedure(
    "game",
    "1.0",
    step("turn", call("turn"), "1.0"),
    step("next", do(lambda game, state: "turn" if state.turn_number < 7 else None), "1.0"),
)
TURN = procedure(
    "turn",
    "1.0",
    step("begin", do(begin), "1.0"),
    step("act", ask(Act()), "1.1"),
    step("die", ask(Die()), "1.4"),
    step("after", do(after), "1.5"),
)


class Toy(Game[ToyState]):
    id = "toy"
    rules_version = "1"
    sides = ("red", "blue")
    procedures = {p.name: p for p in (GAME, TURN)}

    def __init__(self) -> None:
        super().__init__()
        self.board: Board = small_board(3, 3)
        self.catalogue = Catalogue()
        self.data_digest = "toy"
        options = {"pile": Option({}, "", PILE), "quick": Option({}, "", False)}
        self.scenarios = {"short": Scenario("short", {"en": "Short"}, options)}

    parts = (PartKind(Count, "pile"), PartKind(Markers, "token"))

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> ToyState:
        return ToyState(options["pile"], self.board.cell("0101"))

    def outcome(self, state: ToyState) -> Outcome | None:
        if state.frames:
            return None
        red, blue = state.scores
        return Outcome(None if red == blue else int(blue > red), "win", {"red": red, "blue": blue})

    def turn(self, state: ToyState) -> int:
        return state.turn_number

    def table(self, state: ToyState, side: int | None) -> Table:
        token = Markers("token", [self.board.number(state.token)])
        scores = dict(zip(self.sides, state.scores, strict=True))
        return Table([], scores, (Count("pile", state.pile), token))

    def expand(self, state: ToyState, order: Mapping[str, Any]) -> Iterator[Action]:
        """{"order": [...written actions...]}: one after the other."""
        for words in order["order"]:
            action = self.decode(words)
            if isinstance(action, Refusal):
                raise IllegalActionError(action)
            yield action

    def unit_count(self) -> int:
        return 0

    def unit_index(self, id_: str) -> int:
        raise KeyError(id_)
