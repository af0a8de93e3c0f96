"""`grognard sim`: games between players of the machine, and who won."""

from __future__ import annotations

import argparse
import json
from time import perf_counter
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grognard.cli.arguments import add_json, add_overrides, command
from grognard.cli.console import errors, output
from grognard.cli.words import TerminalWords, usual_language
from grognard.kernel.registry import load_game
from grognard.lab import Played, play_batch, totals
from grognard.lab import words as lab_words
from grognard.lab.standings import GameLine, standings, told


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "sim", words, run)
    parser.add_argument("--games", type=_positive, default=1, help=words("options", "games"))
    parser.add_argument("--scenario", help=words("options", "scenario"))
    parser.add_argument("--seed", default="0", help=words("options", "seed"))
    parser.add_argument("--players", default="random,random", help=words("options", "players"))
    parser.add_argument("--swap", action="store_true", help=words("options", "swap"))
    parser.add_argument("--workers", type=_positive, default=1, help=words("options", "workers"))
    add_overrides(parser, words)
    add_json(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(usual_language())
    players = options.players.split(",")
    began = perf_counter()
    played: list[Played] = []
    games = play_batch(
        options.game,
        options.games,
        options.seed,
        players,
        options.workers,
        options.overrides,
        options.swap,
        options.scenario,
    )
    # The bar goes to stderr, so that the lines can be piped into something else.
    console = errors()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words("sim", "playing", game=options.game), total=options.games)
        for one in games:
            played.append(one)
            bar.advance(task)
            if options.json:
                seats = {"players": one.players} if options.swap else {}
                print(json.dumps(one.result._asdict() | seats), flush=console.is_terminal)
    summary = {"game": options.game, "seed": options.seed, "players": players, "swap": options.swap}
    summary |= totals((one.result for one in played), perf_counter() - began, options.workers)
    game = load_game(options.game, options.overrides)
    found = standings((GameLine(o.number, o.players, o.result.winner, o.longest) for o in played), game.sides)
    if options.json:
        print(json.dumps(summary | {"standings": found.as_json()}))
        return 0
    for key, value in summary.items():
        output().print(f"{key}: {_plain(value)}")
    language = usual_language()
    names = {side: str(name[language]) for side, name in game.settings.get("sides", dict).items()}
    # Not through the console: it would wrap the lines of a table at the width of the terminal.
    print(f"\n{told(found, names, lab_words.LabWords(language))}")
    return 0


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(text)
    return number
