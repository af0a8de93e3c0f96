"""`grognard lab`: many games written down, what they say, and whether a change makes a difference."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import monotonic
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from grognard.cli.arguments import add_json, add_language, add_overrides, command
from grognard.cli.console import errors
from grognard.cli.words import TerminalWords, usual_language

EVERY = 30.0
"""Seconds between two lines of progress where there is no terminal for a bar."""


def register(commands: Any, words: TerminalWords) -> None:
    parser = commands.add_parser("lab", help=words("help", "lab"), description=words("help", "lab"))
    tasks = parser.add_subparsers(dest="task", required=True, metavar=words("help", "command"))
    run_ = command(tasks, "run", words, run)
    run_.add_argument("--games", type=_positive, default=100, help=words("options", "games"))
    run_.add_argument("--players", default="random,random", help=words("options", "players"))
    run_.add_argument("--seed", default="0", help=words("options", "seed"))
    run_.add_argument("--swap", action="store_true", help=words("options", "swap"))
    run_.add_argument("--workers", type=_positive, default=1, help=words("options", "workers"))
    run_.add_argument(
        "--cluster", nargs="?", const="auto", metavar="ADDRESS", help=words("options", "cluster")
    )
    run_.add_argument("--scenario", help=words("options", "scenario"))
    run_.add_argument("--option", action="append", default=[], help=words("options", "option"))
    run_.add_argument("--out", type=Path, metavar=words("help", "folder"), help=words("options", "batch"))
    add_overrides(run_, words)
    add_json(run_, words)

    report_ = command(tasks, "report", words, report, game=False)
    report_.add_argument("folder", type=Path, metavar=words("help", "folder"))
    report_.add_argument("--out", type=Path, metavar=words("help", "file"), help=words("options", "page"))
    report_.add_argument("--table", action="store_true", help=words("options", "table"))
    add_language(report_, words)

    tune_ = command(tasks, "tune", words, tune)
    tune_.add_argument("--games", type=_positive, default=100, help=words("options", "games"))
    tune_.add_argument("--seed", default="tune", help=words("options", "seed"))
    tune_.add_argument("--workers", type=_positive, default=1, help=words("options", "workers"))
    tune_.add_argument(
        "--cluster", nargs="?", const="auto", metavar="ADDRESS", help=words("options", "cluster")
    )
    tune_.add_argument("--out", type=Path, metavar=words("help", "folder"), help=words("options", "batch"))
    add_overrides(tune_, words)
    add_language(tune_, words)

    compare_ = command(tasks, "compare", words, compare, game=False)
    compare_.add_argument("a", type=Path, metavar=words("help", "folder"))
    compare_.add_argument("b", type=Path, metavar=words("help", "folder"))
    add_language(compare_, words)
    add_json(compare_, words)


def run(options: argparse.Namespace) -> int:
    words = TerminalWords(usual_language())
    if not _tables(words):
        return 1
    from grognard.lab.batch import totals_of_lines
    from grognard.lab.run import run_batch
    from grognard.lab.standings import told
    from grognard.lab.summary import open_for_reading, standings_of
    from grognard.lab.tables import read
    from grognard.lab.words import LabWords

    players = options.players.split(",")
    folder = options.out or Path("batches") / "-".join(
        [options.game, *players, *(["swap"] if options.swap else []), options.seed]
    )
    with _Bar(words("sim", "playing", game=options.game), words) as bar:
        try:
            batch = run_batch(
                folder,
                options.game,
                options.games,
                players,
                options.seed,
                workers=options.workers,
                cluster=options.cluster,
                scenario=options.scenario,
                options=options.option,
                override=options.overrides,
                swap=options.swap,
                progress=bar.told,
            )
        except KeyboardInterrupt:
            errors().print(words("lab", "stopped"))
            return 130
    lines = read(batch.folder, "games").to_pylist()
    game, _ = open_for_reading(batch)
    found = standings_of(lines, game.sides)
    summary = {"folder": str(folder), "game": options.game, "seed": options.seed, "players": players}
    summary |= {"swap": options.swap, **totals_of_lines(lines), "standings": found.as_json()}
    if options.json:
        print(json.dumps(summary))
    else:
        language = usual_language()
        names = {side: str(name[language]) for side, name in game.settings.get("sides", dict).items()}
        print(words("lab", "done", games=summary["games"], folder=folder))
        print("  " + ", ".join(f"{name} {count}" for name, count in summary["levels"].items()))
        print(f"\n{told(found, names, LabWords(language))}\n")
        print(words("lab", "next", folder=folder))
    return 0


def report(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    if not _tables(words):
        return 1
    from grognard.lab.report import Report, write_report
    from grognard.lab.run import Batch

    if options.table:
        print(Report(Batch(options.folder), options.lang).notes())
        return 0
    path = write_report(Batch(options.folder), options.lang, options.out)
    print(words("map", "wrote", file=path))
    return 0


def compare(options: argparse.Namespace) -> int:
    words = TerminalWords(options.lang)
    if not _tables(words):
        return 1
    from grognard.lab.compare import compare as compare_batches
    from grognard.lab.compare import verdict
    from grognard.lab.run import Batch

    found = compare_batches(Batch(options.a), Batch(options.b))
    if options.json:
        print(json.dumps(found.as_json() | {"sentence": verdict(found, options.lang)}, ensure_ascii=False))
    else:
        print(verdict(found, options.lang))
    return 0


def tune(options: argparse.Namespace) -> int:
    from grognard.kernel.registry import load_game
    from grognard.lab.tune import fit_page
    from grognard.lab.tune import tune as fit

    words = TerminalWords(options.lang)
    folder = options.out or Path("batches") / f"tune-{options.game}-{options.seed}"
    with _Bar(words("sim", "playing", game=options.game), words) as bar:
        try:
            found = fit(
                folder,
                options.game,
                options.games,
                options.seed,
                options.workers,
                options.overrides,
                bar.told,
                options.cluster,
            )
        except KeyboardInterrupt:
            errors().print(words("lab", "stopped"))
            return 130
    page = folder / "fit.html"
    page.write_text(
        fit_page(found, load_game(options.game, options.overrides), options.lang), encoding="utf-8"
    )
    print((folder / "own" / options.game / "doctrine.toml").read_text(encoding="utf-8"))
    print(words("map", "wrote", file=page))
    return 0


def _tables(words: TerminalWords) -> bool:
    """Whether the package that reads and writes tables is there; if not, what to do is said."""
    try:
        import pyarrow  # noqa: F401
    except ModuleNotFoundError as error:
        print(words("errors", "no-lab", module=error.name))
        return False
    return True


class _Bar:
    """Progress with the time left: a bar on a terminal, a line now and then in a file. It goes to stderr."""

    def __init__(self, title: str, words: TerminalWords) -> None:
        self._words = words
        self._console = errors()
        self._began = self._last = monotonic()
        self._first: int | None = None
        columns = (
            *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
            *(TimeElapsedColumn(), TimeRemainingColumn()),
        )
        self._progress = Progress(*columns, console=self._console, disable=not self._console.is_terminal)
        self._task = self._progress.add_task(title, total=None)

    def __enter__(self) -> _Bar:
        self._progress.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._progress.__exit__(*error)

    def told(self, done: int, total: int) -> None:
        if self._first is None:
            self._first = done
            if done:
                self._console.print(self._words("lab", "goes-on", done=done, total=total))
        self._progress.update(self._task, completed=done, total=total)
        now = monotonic()
        if not self._console.is_terminal and now - self._last >= EVERY and done > self._first:
            self._last = now
            left = (now - self._began) / (done - self._first) * (total - done)
            self._console.print(self._words("lab", "so-far", done=done, total=total, left=_span(left)))


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(text)
    return number
