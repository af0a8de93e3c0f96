"""Somebody at the terminal, for tests: lines typed, and the page that the answers appear on."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from grognard.cli.terminal.session import Session
from grognard.cli.words import TerminalWords
from grognard.games.listing import game_folder
from grognard.kernel import Game, Match
from grognard.players import Player

NextLine = Callable[[Session], str | None]


class Typist:
    """Somebody who types lines, and the page that the answers appear on."""

    def __init__(
        self,
        game: Game[Any],
        next_line: NextLine,
        language: str = "en",
        opponents: dict[int, Player] | None = None,
        save_to: Path | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.page = io.StringIO()
        console = Console(file=self.page, width=100, highlight=False, markup=False, emoji=False)
        match = Match(game, next(iter(game.scenarios)), seed="typist", options=options or {})
        words, folder = TerminalWords(language), game_folder(game.id)
        self.session = Session(match, folder, opponents or {}, words, console, self.ask, save_to)
        self.next_line = next_line

    def ask(self, prompt: str) -> str | None:
        line = self.next_line(self.session)
        self.page.write(f"{prompt}{line}\n")
        return line

    @property
    def text(self) -> str:
        return self.page.getvalue()


def answer_to(page: str, line: str) -> str:
    """What was shown between a typed line and the next."""
    found = re.search(rf"> {re.escape(line)}\n(.*?)(?=\n> |\Z)", page, re.DOTALL)
    assert found, f"{line!r} was not typed"
    return found[1]
