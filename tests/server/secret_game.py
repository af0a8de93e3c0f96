"""A game with real secrets, small enough to see through: both sides write down a number that the other may
not know, a die is rolled, and the numbers are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
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
from grognard.kernel.events import EventKind, Family
from grognard.kernel.table import Count, Layer, PartKind, Table
from grognard.kernel.text import Catalogue
from tests.mechanics.boards import small_board

ROUNDS = 3
UNITS = ("red-1", "blue-1")


class SecretState(State):
    __slots__ = ("chosen", "doubts", "rounds", "scores", "side")

    def __init__(self) -> None:
        super().__init__()
        self.rounds = 1
        self.side = 0
        self.chosen = [0, 0]
        self.doubts = [0, 0]
        """How often a side changed its mind: as secret as the number."""
        self.scores = [0, 0]

    def clone(self) -> SecretState:
        copy = super().clone()
        copy.rounds = self.rounds
        copy.side = self.side
        copy.chosen = self.chosen.copy()
        copy.doubts = self.doubts.copy()
        copy.scores = self.scores.copy()
        return copy

    def plain(self) -> tuple[Any, ...]:
        secrets = (tuple(self.chosen), tuple(self.doubts))
        return (*super().plain(), self.rounds, self.side, secrets, tuple(self.scores))


class Choose(Decision["SecretGame", SecretState]):
    name = "choose"
    case = "1.1"
    verbs = {"choose": Verb(("number",)), "commit": Verb(())}

    def actor(self, game: SecretGame, state: SecretState) -> int:
        return state.side

    def options(self, game: SecretGame, state: SecretState, side: int) -> list[Action]:
        numbers: list[Action] = [("choose", n) for n in range(1, 1000)]
        return [*numbers, ("commit",)] if state.chosen[state.side] else numbers

    def refuse(self, game: SecretGame, state: SecretState, side: int, action: Action) -> Refusal | None:
        if action[0] == "commit" and not state.chosen[state.side]:
            return refusal("nothing-chosen", "1.2")
        if action[0] == "choose" and not action[1]:
            return refusal("nothing-chosen", "1.2")
        return None

    def apply(self, game: SecretGame, state: SecretState, side: int, action: Action) -> Flow:
        side = state.side
        if action[0] == "choose":
            state.chosen[side] = action[1]
            state.doubts[side] += 1
            state.emit("chosen", "1.1", audience=side, count=action[1])
            return AGAIN
        state.emit("committed", "1.2", word_side=game.sides[side])
        state.side = 1 - side
        return "choose" if not side else None


class Die(ChanceDecision["SecretGame", SecretState]):
    name = "die"
    case = "1.3"
    verbs = {"die": Verb(("number",))}

    def weights(self, game: SecretGame, state: SecretState) -> list[tuple[Action, int]]:
        return [(("die", n), 1) for n in range(1, 7)]

    def apply(self, game: SecretGame, state: SecretState, side: int, action: Action) -> Flow:
        for side in (0, 1):
            state.scores[side] += state.chosen[side] % action[1]
        state.emit("shown", "1.4", die=action[1], red=state.chosen[0], blue=state.chosen[1])
        state.chosen = [0, 0]
        state.doubts = [0, 0]
        return None


def begin(game: SecretGame, state: SecretState) -> Flow:
    state.emit("turn", "1.0", turn=state.rounds)
    return None


def after(game: SecretGame, state: SecretState) -> Flow:
    state.rounds += 1
    return None


GAME = procedure(
    "game",
    "1.0",
    step("turn", call("round"), "1.0"),
    step("next", do(lambda game, state: "turn" if state.rounds <= ROUNDS else None), "1.0"),
)
ROUND = procedure(
    "round",
    "1.0",
    step("begin", do(begin), "1.0"),
    step("choose", ask(Choose()), "1.1"),
    step("die", ask(Die()), "1.3"),
    step("after", do(after), "1.4"),
)


class SecretGame(Game[SecretState]):
    id = "secrets"
    rules_version = "1"
    sides = ("red", "blue")
    procedures = {p.name: p for p in (GAME, ROUND)}

    def __init__(self) -> None:
        super().__init__()
        self.board: Board = small_board(40, 30)
        self.catalogue = Catalogue()
        self.data_digest = "secrets"
        options = {"quick": Option({"en": "Quick", "fr": "Rapide"}, "", False)}
        self.scenarios = {"short": Scenario("short", {"en": "Short", "fr": "Court"}, options)}

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> SecretState:
        return SecretState()

    def outcome(self, state: SecretState) -> Outcome | None:
        if state.frames:
            return None
        red, blue = state.scores
        return Outcome(None if red == blue else int(blue > red), "win", {"red": red, "blue": blue})

    def turn(self, state: SecretState) -> int:
        return state.rounds

    events = {
        "turn": EventKind(Family.TURN),
        "chosen": EventKind(Family.OTHER),
        "committed": EventKind(Family.OTHER),
        "shown": EventKind(Family.CHANCE, dice=(6,)),
    }
    parts = (PartKind(Count, "chosen"), PartKind(Count, "doubts"))
    layers = (Layer("chosen", "fill", open=False),)

    def table(self, state: SecretState, side: int | None) -> Table:
        mine = (
            () if side is None else (Count("chosen", state.chosen[side]), Count("doubts", state.doubts[side]))
        )
        return Table([], dict(zip(self.sides, state.scores, strict=True)), mine)

    def guess(self, copy: SecretState, side: int, random: Random) -> None:
        if copy.chosen[1 - side]:
            copy.chosen[1 - side] = 1 + int(random.random() * 999)
            copy.doubts[1 - side] = 1

    def expand(self, state: SecretState, order: Mapping[str, Any]) -> Iterator[Action]:
        words = order.get("order")
        if not isinstance(words, list):
            raise IllegalActionError(refusal("malformed", ""))
        for written in words:
            action = self.decode(written)
            if isinstance(action, Refusal):
                raise IllegalActionError(action)
            yield action

    def layer(self, state: SecretState, id_: str, side: int | None) -> list[int]:
        """The hex whose number is the one chosen: a layer that tells everything."""
        assert side is not None
        return [self.board.cells[state.chosen[side]]]

    def counters(self, language: str) -> dict[str, dict[str, Any]]:
        return {unit: {"side": unit.split("-")[0]} for unit in UNITS}

    def unit_count(self) -> int:
        return len(UNITS)

    def unit_id(self, unit: int) -> str:
        return UNITS[unit]

    def unit_index(self, id_: str) -> int:
        if id_ not in UNITS:
            raise KeyError(id_)
        return UNITS.index(id_)

    def unit_name(self, unit: int, language: str) -> str:
        return UNITS[unit]
