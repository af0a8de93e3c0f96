"""The computer at the terminal: what it would do in one's place, and what it is trying to do itself."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from grognard.cli.terminal.session import Session
from grognard.cli.words import TerminalWords
from grognard.games.listing import game_folder
from grognard.kernel import Game, Match
from grognard.kernel.doctrine import Intent
from grognard.kernel.registry import load_game
from grognard.players import Player, RandomPlayer, seat


@pytest.fixture(scope="module")
def game() -> Game[Any]:
    return load_game("crossroads")


@pytest.fixture(autouse=True)
def words_for_the_aim(game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = game.catalogue._texts
    aim = {"goal": {"en": "The goal is {hex}.", "fr": "Le but est {hex}."}}
    monkeypatch.setitem(texts, "intents", {**texts.get("intents", {}), **aim})


WAGERS = ("stake amber-3", "stake cobalt-1")
"""Amber goes first. English words serve in any language."""


class Planner(RandomPlayer):
    def choose(self, game: Any, state: Any, side: int) -> Any:
        self.intent = Intent("goal", {"hex": game.board.cell("0302")})
        return super().choose(game, state, side)


class Terminal:
    """A sitting at which some lines are typed."""

    def __init__(self, game: Game[Any], opponents: dict[int, Player], *lines: str, lang: str = "en") -> None:
        self.page = io.StringIO()
        self.lines = list(lines)
        console = Console(file=self.page, width=120, highlight=False, markup=False, emoji=False)
        self.match = Match(game, "morning", seed="counsel")
        folder = game_folder("crossroads")
        self.session = Session(self.match, folder, opponents, TerminalWords(lang), console, self.ask)

    def ask(self, prompt: str) -> str | None:
        return self.lines.pop(0) if self.lines else None

    @property
    def text(self) -> str:
        return self.page.getvalue()


@pytest.mark.parametrize(
    ("lang", "word", "shown"), [("en", "hint", "type in turn"), ("fr", "conseil", "successivement")]
)
def test_a_hint_can_be_typed_as_it_is_shown(game: Game[Any], lang: str, word: str, shown: str) -> None:
    terminal = Terminal(game, {}, *WAGERS, word, lang=lang)
    terminal.session.run()
    assert len(terminal.match.journal) == len(WAGERS), "asking changed something"
    line = next(line for line in terminal.text.splitlines() if shown in line)
    answers = line.partition("\u00a0: " if lang == "fr" else ": ")[2].split(", ")
    assert len(answers) > 1
    again = Terminal(game, {}, *WAGERS, *answers, lang=lang)
    again.session.run()
    assert len(again.match.journal) == len(WAGERS) + len(answers)


def test_a_hint_needs_no_computer_and_works_against_one(game: Game[Any]) -> None:
    terminal = Terminal(game, {1: seat("random", "x")}, "hint", "hint")
    terminal.session.run()
    assert terminal.text.count("Suggestion: ") == 2


def test_plans_are_for_those_who_asked_for_a_teacher(game: Game[Any]) -> None:
    alone = Terminal(game, {}, "plan?")
    alone.session.run()
    assert "No computer is playing here" in alone.text
    secret = Terminal(game, {0: Planner("x")}, "plan?")
    secret.session.run()
    assert "keeps its plans to itself" in secret.text and "The goal is" not in secret.text
    for lang, said in (("en", "The goal is 0302"), ("fr", "Le but est 0302")):
        told = Terminal(game, {0: Planner("x")}, "plan?", lang=lang)
        told.session.teacher = True
        told.session.run()
        assert said in told.text
    dumb = Terminal(game, {0: seat("random", "x")}, "plan?")
    dumb.session.teacher = True
    dumb.session.run()
    assert "no plan to explain" in dumb.text


def test_plans_are_told_when_the_game_is_over(game: Game[Any]) -> None:
    terminal = Terminal(game, {0: Planner("x"), 1: seat("random", "y")})
    terminal.session.sides = [0]
    terminal.session.run()
    after = terminal.text.partition("What the computer was trying to do")[2]
    assert "Turn 1: The goal is 0302" in after and "Turn 3: " in after
