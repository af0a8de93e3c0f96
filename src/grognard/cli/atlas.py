"""`grognard atlas`: the maker's tool, if what it needs is installed."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from grognard.cli.words import Words, usual_language


def register(commands: Any, words: Words) -> None:
    parser = commands.add_parser(
        "atlas", help=words("help", "atlas"), description=words("help", "atlas"), add_help=False
    )
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    try:
        from grognard.atlas.__main__ import main
    except ModuleNotFoundError as error:
        print(Words(usual_language())("errors", "no-atlas", module=error.name), file=sys.stderr)
        return 1
    return main(options.arguments)
