"""`grognard check`: a game's files, every line of them, and its map as a whole."""

from __future__ import annotations

import argparse
from typing import Any

from grognard.board.checks import check_map
from grognard.cli.arguments import add_language, add_overrides, command
from grognard.cli.words import TerminalWords
from grognard.files import DataError, Folder
from grognard.files.rulebook import Rulebook
from grognard.files.schema import check_tables, declared_folders
from grognard.games.listing import game_folder
from grognard.kernel.registry import game_ids, load_game
from grognard.kernel.text import LANGUAGES


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "check", words, run)
    add_overrides(parser, words)
    add_language(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    folder = game_folder(options.game, options.overrides)
    if not (folder.base / "map").is_dir():
        print(words("check", "no-files", game=options.game))
        return 1
    problems: list[DataError] = check_map(folder.sub("map"))
    for tables in declared_folders(folder):
        problems += check_tables(tables)
    if options.game in game_ids() and not any(p.line is None for p in problems):
        try:
            load_game(options.game, options.overrides)
            problems += _rulebook_problems(folder)
        except DataError as error:
            if str(error) not in map(str, problems):
                problems.append(error)
    for problem in problems:
        print(problem)
    if not problems:
        print(words("check", "sound", game=options.game))
    return 1 if problems else 0


def _rulebook_problems(folder: Folder) -> list[DataError]:
    """Cases told in one language only, rulings without a mark and marks without a ruling. A game whose book
    is not written yet has none."""
    if not any((folder.base / f"text/rules.{language}.md").is_file() for language in LANGUAGES):
        return []
    books = [Rulebook(folder, language) for language in LANGUAGES]
    one, other = (set(book.articles) for book in books)
    return [
        *(
            DataError(folder.label("text"), None, f"case {case} is told in one language only")
            for case in sorted(one ^ other)
        ),
        *(
            DataError(folder.label(f"text/rules.{book.language}.md"), None, problem)
            for book in books
            for problem in book.unpaired()
        ),
    ]
