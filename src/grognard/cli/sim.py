"""`grognard sim`: games between players of the machine, one line of JSON each."""

from __future__ import annotations

import argparse
import json
from time import perf_counter
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grognard.cli.arguments import add_json, add_overrides, command
from grognard.cli.console import errors, output
from grognard.cli.words import Words, usual_language
from grognard.lab import Result, play_batch, totals


def register(commands: Any, words: Words) -> None:
    parser = command(commands, "sim", words, run)
    parser.add_argument("--games", type=_positive, default=1, help=words("options", "games"))
    parser.add_argument("--seed", default="0", help=words("options", "seed"))
    parser.add_argument("--players", default="random,random", help=words("options", "players"))
    parser.add_argument("--workers", type=_positive, default=1, help=words("options", "workers"))
    add_overrides(parser, words)
    add_json(parser, words)


def run(options: argparse.Namespace) -> int:
    words = Words(usual_language())
    players = options.players.split(",")
    began = perf_counter()
    results: list[Result] = []
    games = play_batch(options.game, options.games, options.seed, players, options.workers, options.overrides)
    # The bar goes to stderr, so that the lines can be piped into something else.
    console = errors()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words("sim", "playing", game=options.game), total=options.games)
        for result in games:
            results.append(result)
            bar.advance(task)
            if options.json:
                print(json.dumps(result._asdict()), flush=console.is_terminal)
    summary = {"game": options.game, "seed": options.seed, "players": players}
    summary |= totals(results, perf_counter() - began, options.workers)
    if options.json:
        print(json.dumps(summary))
    else:
        for key, value in summary.items():
            output().print(f"{key}: {_plain(value)}")
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
