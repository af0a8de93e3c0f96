"""`grognard play`: a game at the terminal."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path
from typing import Any

from grognard.cli.arguments import add_language, add_overrides, command
from grognard.cli.console import output
from grognard.cli.terminal.session import Session
from grognard.cli.words import TerminalWords
from grognard.games.listing import game_folder, listed_games
from grognard.kernel import Match
from grognard.kernel.registry import game_ids, load_game
from grognard.players import player_names, seat


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "play", words, run)
    parser.add_argument("--side", default=None, help=words("options", "side"))
    parser.add_argument(
        "--opponent", choices=player_names(), default="regular", help=words("options", "opponent")
    )
    parser.add_argument("--teacher", action="store_true", help=words("options", "teacher"))
    parser.add_argument("--scenario", help=words("options", "scenario"))
    parser.add_argument("--seed", default=None, help=words("options", "seed"))
    for name in ("save", "load"):
        parser.add_argument(
            f"--{name}", type=Path, metavar=words("help", "file"), help=words("options", name)
        )
    add_overrides(parser, words)
    add_language(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    if options.game not in game_ids() and options.game in {entry.id for entry in listed_games()}:
        print(words("play", "not-playable", game=options.game), file=sys.stderr)
        return 1
    game = load_game(options.game, options.overrides)
    side = options.side or game.sides[0]
    if side not in (*game.sides, "both"):
        print(words("play", "no-side", side=side, sides=", ".join(game.sides)), file=sys.stderr)
        return 2
    scenario = options.scenario or next(iter(game.scenarios))
    if scenario not in game.scenarios:
        known = ", ".join(f"{each.id} ({each.names[options.lang]})" for each in game.scenarios.values())
        print(words("play", "no-scenario", scenario=scenario, scenarios=known), file=sys.stderr)
        return 2
    if options.load is not None:
        match = Match.load(game, options.load.read_text(encoding="utf-8"))
    else:
        seed = options.seed or secrets.token_hex(8)
        match = Match(game, scenario, seed=seed)
    # An opponent who returns to a saved game goes on with other choices, not with the same ones again.
    opponents = {
        number: seat(options.opponent, f"{match.seed}/{name}/{len(match.journal)}")
        for number, name in enumerate(game.sides)
        if side not in ("both", name)
    }
    console = output()
    folder = game_folder(options.game, options.overrides)
    session = Session(match, folder, opponents, words, console, ask_line, options.save or options.load)
    session.teacher = options.teacher
    session.run()
    console.print(words("play", "goodbye", seed=match.seed))
    return 0


def ask_line(prompt: str) -> str | None:
    """The next line: edited with the arrow keys at a terminal, shown after its prompt when it is piped."""
    if sys.stdin.isatty():
        import readline  # noqa: F401 (its import is what gives input() its history)

        try:
            return input(prompt)
        except EOFError:
            return None
    line = sys.stdin.readline()
    if not line:
        return None
    print(prompt + line.rstrip("\n"))
    return line
