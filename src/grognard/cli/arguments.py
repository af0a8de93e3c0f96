"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grognard.cli.words import TerminalWords, usual_language
from grognard.kernel.text import LANGUAGES

Run = Callable[[argparse.Namespace], int]


def command(
    commands: Any, name: str, words: TerminalWords, run: Run, game: bool = True
) -> argparse.ArgumentParser:
    """A command of this name, with its line of help and, mostly, a game as its first argument."""
    made: argparse.ArgumentParser = commands.add_parser(
        name, help=words("help", name), description=words("help", name)
    )
    made.set_defaults(run=run)
    if game:
        made.add_argument("game", metavar=words("help", "game"))
    return made


def add_language(parser: argparse.ArgumentParser, words: TerminalWords) -> None:
    parser.add_argument("--lang", choices=LANGUAGES, default=usual_language(), help=words("options", "lang"))


def add_overrides(parser: argparse.ArgumentParser, words: TerminalWords) -> None:
    parser.add_argument(
        "--overrides", type=Path, metavar=words("help", "folder"), help=words("options", "overrides")
    )


def add_json(parser: argparse.ArgumentParser, words: TerminalWords) -> None:
    parser.add_argument("--json", action="store_true", help=words("options", "json"))
