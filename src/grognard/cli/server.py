"""`grognard server`: looking after the games of a server: backup, restore, upgrade."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grognard.cli.arguments import add_json, add_language, command
from grognard.cli.words import TerminalWords


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "server", words, lambda options: 2, game=False)
    below = parser.add_subparsers(dest="task", required=True, metavar=words("help", "command"))
    upgrade = command(below, "upgrade", words, _with_server(_upgrade), game=False)
    upgrade.add_argument("--dry-run", action="store_true", help=words("options", "dry-run"))
    _add_common(upgrade, words)
    add_json(upgrade, words)
    for name, run in {"backup": _backup, "restore": _restore}.items():
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


def _upgrade(options: argparse.Namespace, words: TerminalWords, database: str) -> int:
    """Bring a database up to this release; in a dry run a copy of it, to see what that would do."""
    from grognard.server.backup import back_up
    from grognard.server.settings import settings_from_environment

    if not options.dry_run:
        return _surveyed(options, words, database)
    with tempfile.TemporaryDirectory(dir=settings_from_environment().cache.parent) as folder:
        copy = Path(folder) / "copy.sqlite"
        back_up(database, copy)
        return _surveyed(options, words, f"sqlite:///{copy}")


def _surveyed(options: argparse.Namespace, words: TerminalWords, database: str) -> int:
    from grognard.kernel.registry import game_ids, load_game
    from grognard.server.releases import Releases, survey
    from grognard.server.settings import settings_from_environment
    from grognard.server.store import Store

    overrides = settings_from_environment().overrides
    store = Store(database)
    try:
        releases = Releases(store, {id_: load_game(id_, overrides) for id_ in game_ids()}, overrides)
        releases.keep_current()
        found = survey(store, releases)
    finally:
        store.close()
    if options.json:
        print(json.dumps(found))
    else:
        for name, number in found.items():
            print(words("server", f"upgrade-{name}", number=number))
    return 0
