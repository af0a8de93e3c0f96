"""`grognard atlas`: the maker's tool, if what it needs is installed."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from grognard.cli.words import TerminalWords, usual_language


def register(commands: Any, words: TerminalWords) -> None:
    parser = commands.add_parser(
        "atlas", help=words("help", "atlas"), description=words("help", "atlas"), add_help=False
    )
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    try:
        from grognard.atlas.__main__ import main
    except ModuleNotFoundError as error:
        print(TerminalWords(usual_language())("errors", "no-atlas", module=error.name), file=sys.stderr)
        return 1
    return main(options.arguments)
