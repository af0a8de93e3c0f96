"""The `grognard` command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from grognard import __version__
from grognard.cli import (
    atlas,
    bench,
    check,
    conformance,
    games,
    lab,
    map_,
    play,
    provenance,
    replay,
    rules,
    serve,
    server,
    sim,
)
from grognard.cli.words import TerminalWords, usual_language
from grognard.files import DataError
from grognard.kernel import SaveError
from grognard.kernel.registry import UnknownGameError
from grognard.lab import BatchError

COMMANDS = (
    *(games, serve, server, play, sim, lab, replay),
    *(check, conformance, provenance, rules, map_, atlas, bench),
)


def parser(words: TerminalWords) -> argparse.ArgumentParser:
    main_parser = argparse.ArgumentParser(prog="grognard", description=words("help", "grognard"))
    main_parser.add_argument(
        "--version", action="version", version=f"grognard {__version__}", help=words("options", "version")
    )
    commands = main_parser.add_subparsers(dest="command", required=True, metavar=words("help", "command"))
    for module in COMMANDS:
        module.register(commands, words)
    return main_parser


def main(arguments: Sequence[str] | None = None) -> int:
    words = TerminalWords(usual_language())
    options = parser(words).parse_args(arguments)
    try:
        return int(options.run(options))
    except (DataError, SaveError, UnknownGameError, BatchError) as error:
        print(f"grognard: {error}", file=sys.stderr)
        return 1
    except FileNotFoundError as error:
        words = TerminalWords(getattr(options, "lang", words.language))
        print(f"grognard: {error.filename}: {words('errors', 'no-file')}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has seen enough. What is still buffered must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
