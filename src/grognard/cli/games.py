"""`grognard games`: what can be played, and how far the others have come."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rich.table import Table

from grognard.cli.arguments import add_json, add_language, command
from grognard.cli.console import output
from grognard.cli.words import TerminalWords
from grognard.games.listing import listed_games


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "games", words, run, game=False)
    add_language(parser, words)
    add_json(parser, words)


def run(options: argparse.Namespace) -> int:
    entries = listed_games()
    if options.json:
        for entry in entries:
            print(
                json.dumps(
                    {"id": entry.id, "title": entry.title[options.lang], "state": entry.state},
                    ensure_ascii=False,
                )
            )
        return 0
    words = TerminalWords(options.lang)
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "title", "state", "about"):
        table.add_column(words("games", heading))
    for entry in entries:
        title = entry.title[options.lang] + (f" ({entry.publisher})" if entry.publisher else "")
        table.add_row(entry.id, title, words("games", entry.state), entry.about[options.lang])
    output().print(table)
    output().print(words("games", "unaffiliated"))
    return 0
