"""A game that goes deep: a march leads to a landing, that to a naval step with a sealed bid, that to an air
operation that the other side may intercept, that to a patrol's attack from which it may escape. Meanwhile
either side may fly, and pass in advance on what it would be asked. Seven frames, and no hex matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from grognard.board import Board
from grognard.files import Folder
from grognard.kernel import (
    AGAIN,
    Action,
    ChanceDecision,
    Decision,
    Flow,
    Game,
    Outcome,
    Refusal,
    Return,
    Role,
    Scenario,
    Sealed,
    SetWaivers,
    StandingDecision,
    State,
    Verb,
    Window,
    ask,
    call,
    do,
    procedure,
    refusal,
    step,
)
from grognard.kernel.fields import names, row, value
from grognard.kernel.text import Catalogue
from tests.mechanics.boards import small_board

TURNS = 4
HIGHEST = 3
FIELDS = (row("scores"), row("planes"), value("active"), value("flown"), value("turn"))


class DepthsState(State, fields=FIELDS):
    __slots__ = names(FIELDS)

    def __init__(self) -> None:
        super().__init__()
        self.scores = [0, 0]
        self.planes = [2, 2]
        self.active = 0
        self.flown = 0
        """The sides that have flown on their own this turn, as a set."""
        self.turn = 0


class Operation(NamedTuple):
    """An air operation of the winner of the bid, and the planes sent against it."""

    side: int
    against: int = 0


class Move(Decision["Depths", DepthsState]):
    name = "move"
    case = "2.1"
    verbs = {"march": Verb(()), "end": Verb((), Role.END)}

    def actor(self, game: Depths, state: DepthsState) -> int:
        return state.active

    def options(self, game: Depths, state: DepthsState, side: int) -> list[Action]:
        return [("march",), ("end",)]

    def refuse(self, game: Depths, state: DepthsState, side: int, action: Action) -> Refusal | None:
        return None

    def apply(self, game: Depths, state: DepthsState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return None
        state.push("land-step")
        return AGAIN


class Bid(Sealed["Depths", DepthsState]):
    """3.1 Both write numbers, as many as they like, and close: the last one counts."""

    name = "bid"
    case = "3.1"
    verbs = {"offer": Verb(("number",)), "close": Verb(())}

    def writers(self, game: Depths, state: DepthsState) -> tuple[int, ...]:
        return (0, 1)

    def choices(
        self, game: Depths, state: DepthsState, side: int, written: tuple[Action, ...]
    ) -> list[Action]:
        offers: list[Action] = [("offer", n) for n in range(HIGHEST + 1)] if len(written) < 5 else []
        return [*offers, ("close",)] if written else offers

    def why_not(
        self, game: Depths, state: DepthsState, side: int, written: tuple[Action, ...], action: Action
    ) -> Refusal | None:
        if action[0] == "close":
            return None if written else refusal("nothing-bid", "3.1")
        if action[1] > HIGHEST or len(written) >= 5:
            return refusal("no-bid", "3.1", number=action[1])
        return None

    def finished(self, game: Depths, state: DepthsState, side: int, written: tuple[Action, ...]) -> bool:
        return bool(written) and written[-1] == ("close",)

    def reveal(self, game: Depths, state: DepthsState, answers: Mapping[int, tuple[Action, ...]]) -> Flow:
        red, blue = (answers[side][-2][1] for side in (0, 1))
        state.emit("bids", "3.1", red=red, blue=blue)
        state.local = Operation(0 if red > blue or (red == blue and not state.active) else 1)
        return None


class Intercept(Window["Depths", DepthsState]):
    name = "intercept"
    case = "4.1"
    verbs = {"intercept": Verb(("number",)), "pass": Verb((), Role.PASS)}
    occasion = "interception"

    def actor(self, game: Depths, state: DepthsState) -> int:
        return 1 - operation(state).side

    def could(self, game: Depths, state: DepthsState, side: int) -> bool:
        return state.planes[side] > 0

    def reactions(self, game: Depths, state: DepthsState, side: int) -> list[Action]:
        return [("intercept", n) for n in range(1, state.planes[side] + 1)]

    def why_not(self, game: Depths, state: DepthsState, side: int, action: Action) -> Refusal | None:
        if 1 <= action[1] <= state.planes[side]:
            return None
        return refusal("no-planes", "4.1", number=action[1])

    def react(self, game: Depths, state: DepthsState, side: int, action: Action) -> Flow:
        state.local = operation(state)._replace(against=action[1])
        return None


class Escape(Window["Depths", DepthsState]):
    name = "escape"
    case = "4.3"
    verbs = {"escape": Verb(()), "pass": Verb((), Role.PASS)}
    occasion = "escape"

    def actor(self, game: Depths, state: DepthsState) -> int:
        return 1 - operation(state).side

    def could(self, game: Depths, state: DepthsState, side: int) -> bool:
        return operation(state).against > 0

    def reactions(self, game: Depths, state: DepthsState, side: int) -> list[Action]:
        return [("escape",)]

    def why_not(self, game: Depths, state: DepthsState, side: int, action: Action) -> Refusal | None:
        return None

    def react(self, game: Depths, state: DepthsState, side: int, action: Action) -> Flow:
        return Return(0)

    def decline(self, game: Depths, state: DepthsState, side: int) -> Flow:
        return "losses"


class Die(ChanceDecision["Depths", DepthsState]):
    name = "die"
    case = "4.2"
    verbs = {"die": Verb(("number",))}

    def weights(self, game: Depths, state: DepthsState) -> list[tuple[Action, int]]:
        return [(("die", n), 1) for n in range(1, 7)]

    def apply(self, game: Depths, state: DepthsState, side: int, action: Action) -> Flow:
        state.emit("patrol", "4.2", die=action[1])
        state.scores[operation(state).side] += action[1]
        return None


class Fly(StandingDecision["Depths", DepthsState]):
    """5.1 Once a turn either side may fly, whoever is asked: an air operation in the middle of anything."""

    name = "fly"
    case = "5.1"
    verbs = {"fly": Verb(())}

    def actors(self, game: Depths, state: DepthsState) -> tuple[int, ...]:
        return (0, 1)

    def options(self, game: Depths, state: DepthsState, side: int) -> list[Action]:
        return [] if state.flown >> side & 1 else [("fly",)]

    def refuse(self, game: Depths, state: DepthsState, side: int, action: Action) -> Refusal | None:
        return refusal("flown", "5.1") if state.flown >> side & 1 else None

    def apply(self, game: Depths, state: DepthsState, side: int, action: Action) -> None:
        state.flown |= 1 << side
        state.emit("flight", "5.1")
        state.push("air-operation", Operation(side))


def operation(state: DepthsState) -> Operation:
    found = state.top(Operation)
    assert found is not None
    return found


def begin(game: Depths, state: DepthsState) -> Flow:
    state.turn += 1
    state.active = state.turn % 2
    state.flown = 0
    state.emit("turn", "1.0", turn=state.turn)
    return None


def losses(game: Depths, state: DepthsState) -> Flow:
    return Return(min(1, operation(state).against))


def take_losses(game: Depths, state: DepthsState, lost: int) -> Flow:
    """4.4 The patrol has said how many planes were shot down."""
    state.planes[1 - operation(state).side] -= lost
    return None


PROCEDURES = (
    procedure(
        "game",
        "1.0",
        step("turn", call("game-turn"), "1.0"),
        step("next", do(lambda game, state: "turn" if state.turn < TURNS else None), "1.0"),
    ),
    procedure(
        "game-turn",
        "1.0",
        step("begin", do(begin), "1.0"),
        step("movement", call("movement-phase"), "2.0"),
        standing=(SetWaivers("1.9"),),
    ),
    procedure("movement-phase", "2.0", step("move", ask(Move()), "2.1"), standing=(Fly(),)),
    procedure("land-step", "2.5", step("naval", call("naval-step"), "3.0")),
    procedure(
        "naval-step",
        "3.0",
        step("bid", ask(Bid()), "3.1"),
        step("operation", call("air-operation", lambda game, state: state.local), "4.0"),
        values=Operation,
    ),
    procedure(
        "air-operation",
        "4.0",
        step("intercept", ask(Intercept()), "4.1"),
        step("patrol", call("patrol-attack", lambda game, state: state.local, take_losses), "4.2"),
        values=Operation,
    ),
    procedure(
        "patrol-attack",
        "4.2",
        step("die", ask(Die()), "4.2"),
        step("escape", ask(Escape()), "4.3"),
        step("losses", do(losses), "4.4"),
        values=Operation,
    ),
)


class Depths(Game[DepthsState]):
    id = "depths"
    rules_version = "1"
    sides = ("red", "blue")
    procedures = {p.name: p for p in PROCEDURES}

    def __init__(self) -> None:
        super().__init__()
        self.board: Board = small_board(3, 3)
        self.catalogue = Catalogue((Folder(Path(__file__).parent), "depths.toml"))
        self.data_digest = "depths"
        self.scenarios = {"short": Scenario("short", {"en": "Short", "fr": "Court"}, last=TURNS)}

    def set_up(self, scenario: str, options: Mapping[str, Any]) -> DepthsState:
        return DepthsState()

    def outcome(self, state: DepthsState) -> Outcome | None:
        if not state.over:
            return None
        red, blue = state.scores
        return Outcome(None if red == blue else int(blue > red), "win", {"red": red, "blue": blue})

    def turn(self, state: DepthsState) -> int:
        return state.turn

    def describe(self, state: DepthsState, side: int | None) -> dict[str, Any]:
        waived = [] if side is None else [w[1:] for w in state.waivers if w[0] == side]
        return {
            "phase": self.phase(state).id,
            "scores": list(state.scores),
            "planes": list(state.planes),
            "waived": [list(waiver) for waiver in waived],
        }

    def expand(self, state: DepthsState, order: Mapping[str, Any]) -> Iterator[Action]:
        yield from ()

    def unit_count(self) -> int:
        return 0

    def unit_index(self, id_: str) -> int:
        raise KeyError(id_)
