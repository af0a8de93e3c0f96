"""`grognard map`: a game's map as a picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from grognard.board import load_board
from grognard.board.svg import render_png, render_svg
from grognard.cli.arguments import add_language, add_overrides, command
from grognard.cli.words import TerminalWords
from grognard.games.listing import game_folder


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "map", words, run)
    parser.add_argument("--svg", type=Path, metavar=words("help", "file"), help=words("options", "svg"))
    parser.add_argument("--png", type=Path, metavar=words("help", "file"), help=words("options", "png"))
    parser.add_argument("--width", type=int, default=3000, help=words("options", "width"))
    add_overrides(parser, words)
    add_language(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    folder = game_folder(options.game, options.overrides)
    if not (folder.base / "map").is_dir():
        print(words("check", "no-files", game=options.game))
        return 1
    if options.svg is None and options.png is None:
        print(words("map", "which"))
        return 2
    board = load_board(folder.sub("map"))
    if options.svg is not None:
        options.svg.parent.mkdir(parents=True, exist_ok=True)
        options.svg.write_text(render_svg(board, options.lang), encoding="utf-8")
        print(words("map", "wrote", file=options.svg))
    if options.png is not None:
        try:
            picture = render_png(board, options.lang, options.width)
        except ModuleNotFoundError:
            print(words("map", "no-renderer"))
            return 1
        options.png.parent.mkdir(parents=True, exist_ok=True)
        options.png.write_bytes(picture)
        print(words("map", "wrote", file=options.png))
    return 0
