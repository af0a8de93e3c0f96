"""`grognard replay`: the story of a saved game, told again from its answers and checked against its hash and,
if one is named, against the promise that was published of its dice."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from grognard.cli.arguments import add_json, add_language, add_overrides, command
from grognard.cli.console import output
from grognard.cli.terminal.story import outcome_line, story
from grognard.cli.words import TerminalWords
from grognard.files.saves import read_save
from grognard.kernel import CHANCE, Match, commitment
from grognard.kernel.registry import load_game


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "replay", words, run, game=False)
    parser.add_argument("file", type=Path, metavar=words("help", "file"))
    parser.add_argument("--promise", metavar=words("options", "hash"), help=words("options", "promise"))
    add_overrides(parser, words)
    add_language(parser, words)
    add_json(parser, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    text = options.file.read_text(encoding="utf-8")
    head = read_save(text)
    game = load_game(head["game"], options.overrides)
    match = Match.load(game, text)
    console = output()
    if options.json:
        for event in match.log:
            print(json.dumps([event.kind, event.case, game.tell(event, options.lang)], ensure_ascii=False))
    else:
        for line in story(game, match.log, options.lang):
            console.print(line, soft_wrap=True)
        if match.over:
            console.print(outcome_line(game, match.state, words))
        console.print(words("replay", "verified", answers=len(match.journal), hash=head["hash"]))
    if options.promise is None:
        return 0
    kept = options.promise.lower() == commitment(match.seed)
    rolls = sum(answer.side == CHANCE for answer in match.journal)
    if not options.json or not kept:
        console.print(words("replay", "kept" if kept else "broken", rolls=rolls))
    return 0 if kept else 1
