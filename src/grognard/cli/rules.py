"""`grognard rules`: the in-app rulebook."""

from __future__ import annotations

import argparse
from typing import Any

from rich.markdown import Markdown

from grognard.cli.arguments import add_language, command
from grognard.cli.console import output
from grognard.cli.words import TerminalWords
from grognard.files.rulebook import Rulebook, Ruling
from grognard.games.listing import game_folder


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "rules", words, run)
    parser.add_argument("case", nargs="?", metavar=words("help", "case"))
    parser.add_argument("--search", metavar=words("help", "word"), help=words("options", "search"))
    add_language(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    folder = game_folder(options.game)
    if not (folder.base / "text").is_dir():
        print(words("rules", "no-book", game=options.game))
        return 1
    book = Rulebook(folder, options.lang)
    console = output()
    if options.case is None:
        found = book.search(options.search) if options.search else list(book.articles.values())
        for article in found:
            console.print(f"{article.case:>5}  {article.title}")
        if not found:
            print(words("rules", "not-found", word=options.search))
        return 0 if found else 1
    if options.case not in book.articles:
        print(words("rules", "no-case", case=options.case))
        return 1
    article = book.articles[options.case]
    console.print(f"{article.case}  {article.title}\n", style="bold")
    console.print(Markdown(article.body))
    for ruling in book.rulings_of(options.case):
        console.print(Markdown(ruling_text(ruling, words)))
    return 0


def ruling_text(ruling: Ruling, words: TerminalWords) -> str:
    """A ruling as the terminal shows it, under its case."""
    paragraphs = [
        f"**{words('rules', 'ruling')} ({', '.join(ruling.cases)})** {ruling.title}",
        ruling.question,
        f"**{words('rules', 'decided')}** {ruling.ruling}",
        f"*{words('rules', 'reason')}* {ruling.reason}",
    ]
    return "\n>\n".join(f"> {paragraph}" for paragraph in paragraphs)
