"""`grognard server`: looking after the games of a server: backup, restore, upgrade."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grognard.cli.arguments import add_language, command
from grognard.cli.words import TerminalWords


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "server", words, lambda options: 2, game=False)
    below = parser.add_subparsers(dest="task", required=True, metavar=words("help", "command"))
    for name, run in (("backup", _backup), ("restore", _restore)):
        task = command(below, name, words, _with_server(run), game=False)
        task.add_argument("file", type=Path, metavar=words("help", "file"))
        _add_common(task, words)


def _add_common(task: argparse.ArgumentParser, words: TerminalWords) -> None:
    task.add_argument("--database", metavar="URL", help=words("options", "database"))
    add_language(task, words)


def _with_server(
    run: Callable[[argparse.Namespace, TerminalWords, str], int],
) -> Callable[[argparse.Namespace], int]:
    """A task that needs the server's packages, and a database; what hinders it is said, not thrown."""

    def task(options: argparse.Namespace) -> int:
        words = TerminalWords(options.lang)
        try:
            from grognard.server.backup import BackupError
            from grognard.server.settings import settings_from_environment
            from grognard.server.store import NewerDatabaseError
        except ModuleNotFoundError as error:
            print(words("errors", "no-server", module=error.name))
            return 1
        if options.database:
            os.environ["GROGNARD_DATABASE"] = options.database
        try:
            return run(options, words, settings_from_environment().database)
        except BackupError as error:
            print(words("server", error.code, **error.facts))
        except NewerDatabaseError:
            print(words("errors", "newer-database"))
        return 1

    return task


def _backup(options: argparse.Namespace, words: TerminalWords, database: str) -> int:
    from grognard.server.backup import back_up

    found = back_up(database, options.file)
    print(words("server", "backed-up", file=options.file, **found._asdict()))
    return 0


def _restore(options: argparse.Namespace, words: TerminalWords, database: str) -> int:
    from grognard.server.backup import restore

    found = restore(options.file, database)
    print(words("server", "restored", **found._asdict()))
    return 0
