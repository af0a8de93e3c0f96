"""The contract itself: a good game keeps it, and every kind of broken one is caught."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.files import Folder
from grognard.kernel import AGAIN, Action, Flow, Refusal, ask, procedure, step
from grognard.kernel.table import Flag, Table
from grognard.kernel.text import Catalogue
from tests.contract import check_game
from tests.kernel.toy import GAME, TURN, Act, Toy, ToyState

WORDS = """
[refusals.too-many]
en = "{count} is too many."
fr = "{count}, c’est trop."
[refusals.too-far]
en = "{hex} is too far."
fr = "{hex} est trop loin."
[events.turn]
en = "Turn {turn}"
fr = "Tour {turn}"
[events.taken]
en = "{count} taken"
fr = "{count} de pris"
[events.rolled]
en = "A {die}"
fr = "Un {die}"
[prompts.act]
en = "Take, walk, roll or end."
fr = "Prenez, marchez, lancez ou finissez."
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    folder = tmp_path_factory.mktemp("toy")
    (folder / "messages.toml").write_text(WORDS, encoding="utf-8")
    return Catalogue((Folder(folder), "messages.toml"))


def checked(kind: type[Toy], words: Catalogue) -> None:
    game = kind()
    game.catalogue = words
    check_game(game, seeds=range(2), every=3)


def with_act(act: Act) -> type[Toy]:
    """The toy with another decision in the place of its own."""
    steps = [step("act", ask(act), "1.1") if s.label == "act" else s for s in TURN.steps.values()]

    class Broken(Toy):
        procedures = {"game": GAME, "turn": procedure("turn", "1.0", *steps)}

    return Broken


def test_a_good_game_keeps_the_contract(words: Catalogue) -> None:
    checked(Toy, words)


class OffersTooLittle(Act):
    def options(self, game: Toy, state: ToyState, side: int) -> list[Action]:
        return [a for a in super().options(game, state, side) if a != ("take", 2)]


class OffersTooMuch(Act):
    def options(self, game: Toy, state: ToyState, side: int) -> list[Action]:
        return [*super().options(game, state, side), ("take", 4)]


class OffersTwice(Act):
    def options(self, game: Toy, state: ToyState, side: int) -> list[Action]:
        return [*super().options(game, state, side), ("end",)]


class ChangesWhenAsked(Act):
    def options(self, game: Toy, state: ToyState, side: int) -> list[Action]:
        state.pile -= 1
        return super().options(game, state, side)


class ChangesWhenRefusing(Act):
    def refuse(self, game: Toy, state: ToyState, side: int, action: Action) -> Refusal | None:
        state.draws += 1
        return super().refuse(game, state, side, action)


class RefusesWithoutReason(Act):
    def refuse(self, game: Toy, state: ToyState, side: int, action: Action) -> Refusal | None:
        reason = super().refuse(game, state, side, action)
        return reason and reason._replace(case="")


class RefusesWithoutWords(Act):
    def refuse(self, game: Toy, state: ToyState, side: int, action: Action) -> Refusal | None:
        reason = super().refuse(game, state, side, action)
        return reason and reason._replace(code="unsaid")


class RefusesWithoutFacts(Act):
    def refuse(self, game: Toy, state: ToyState, side: int, action: Action) -> Refusal | None:
        reason = super().refuse(game, state, side, action)
        return reason and reason._replace(facts={})


class NeverEnds(Act):
    def apply(self, game: Toy, state: ToyState, side: int, action: Action) -> Flow:
        if action[0] == "end":
            return AGAIN
        return super().apply(game, state, side, action)


class HasDeadEnds(Act):
    def options(self, game: Toy, state: ToyState, side: int) -> list[Action]:
        return [] if state.pile < 25 else super().options(game, state, side)


@pytest.mark.parametrize(
    ("act", "complaint"),
    [
        (OffersTooLittle, "take"),
        (OffersTooMuch, "take|refused"),
        (OffersTwice, "same option twice"),
        (ChangesWhenAsked, "depends on dice not cast"),
        (ChangesWhenRefusing, "question changed"),
        (RefusesWithoutReason, "names no case"),
        (RefusesWithoutWords, "no sentence"),
        (RefusesWithoutFacts, "lacks a fact"),
        (HasDeadEnds, "nobody can answer|without options"),
    ],
)
def test_a_broken_decision_is_caught(words: Catalogue, act: type[Act], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        checked(with_act(act()), words)


def test_an_endless_game_is_caught(words: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.contract.checks.TOO_LONG", 200)
    with pytest.raises(AssertionError, match="has not ended"):
        checked(with_act(NeverEnds()), words)


def broken_state(change: Any) -> type[Toy]:
    class State(ToyState):
        __slots__ = ()

        def clone(self: Any) -> Any:
            copy = ToyState.clone(self)
            change(self, copy)
            return copy

    class Broken(Toy):
        def set_up(self, scenario: str, options: Any) -> ToyState:
            return State(options["pile"], self.board.cell("0101"))

    return Broken


@pytest.mark.parametrize(
    "change",
    [
        lambda state, copy: setattr(copy, "scores", state.scores),
        lambda state, copy: setattr(copy, "frames", state.frames),
        lambda state, copy: setattr(copy, "pile", 30),
        lambda state, copy: setattr(copy, "draws", 0),
        lambda state, copy: setattr(copy, "log", []),
    ],
    ids=["shares scores", "shares the agenda", "forgets the pile", "forgets the draws", "keeps a log"],
)
def test_a_bad_copy_is_caught(words: Catalogue, change: Any) -> None:
    with pytest.raises(AssertionError):
        checked(broken_state(change), words)


class Blabs(Toy):
    """Knows the next die and shows it."""

    def table(self, state: ToyState, side: int | None) -> Table:
        seen = super().table(state, side)
        return seen._replace(parts=(*seen.parts, Flag(self.lucky, True)))

    lucky = ""

    def settle(self, state: ToyState, seed: str) -> list[Action]:
        self.lucky += seed
        return super().settle(state, seed)


class ShowsObjects(Toy):
    def table(self, state: ToyState, side: int | None) -> Table:
        return super().table(state, side)._replace(scores=tuple(state.scores))  # type: ignore[arg-type]


class Misremembers(Toy):
    """A side imagines another position than it sees."""

    def imagine(self, state: ToyState, side: int, random: Any) -> ToyState:
        copy = state.clone()
        copy.pile += 1
        return copy


class Forgets(Toy):
    """Its fingerprint leaves out the token."""

    def set_up(self, scenario: str, options: Any) -> ToyState:
        class State(ToyState):
            __slots__ = ()

            def plain(self) -> tuple[Any, ...]:
                return super().plain()[:-2]

        return State(options["pile"], self.board.cell("0101"))


class Undecided(Toy):
    def outcome(self, state: ToyState) -> None:
        return None


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        (Blabs, "seed"),
        (ShowsObjects, "not plain JSON"),
        (Misremembers, "imagines"),
        (Forgets, "token does not count in the fingerprint"),
        (Undecided, "without a result"),
    ],
)
def test_a_game_that_tells_too_much_or_too_little_is_caught(
    words: Catalogue, kind: type[Toy], complaint: str
) -> None:
    with pytest.raises(AssertionError, match=complaint):
        checked(kind, words)


def test_a_game_without_words_is_caught() -> None:
    with pytest.raises(AssertionError, match=r"sentence|act"):
        checked(Toy, Catalogue())
