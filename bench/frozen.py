"""A player as it was at some commit, to be measured against.

The old program runs in a process of its own, from a worktree of that commit, with the data of today: it
keeps the position by itself from the answers that are given. Whenever it answers, where everybody stands and
with how many steps is compared, so that rules which have come apart are noticed. A copy of the old program
inside this one would have to be kept in step with every change of the rules; an old program that replays
answers needs only what the corpus promises.

    git worktree add --detach ../frozen 6055ad9
    python -m bench.strength a_victory_lost --players regular,frozen --frozen ../frozen ...

6055ad9 is the last commit before the players were changed; they judge as they did at c3296bc. From c3296bc
itself no game can be replayed: secret decisions have another shape since.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import copy, copytree
from tempfile import TemporaryDirectory
from typing import Any

import grognard.games

WORKER = """
import json, sys
from random import Random
from grognard.kernel.registry import load_game
from grognard.players import seat
game, state = None, None
for line in sys.stdin:
    asked = json.loads(line)
    if asked[0] == "new":
        _, id_, scenario, seed, side, name = asked
        game = load_game(id_)
        player = seat(name, f"{seed}/{game.sides[side]}")
        random = Random(f"{seed}/imagine") if game.hidden_information else None
        state = game.start(scenario)
        game.settle(state, seed)
    elif asked[0] == "answer":
        game.apply(state, tuple(asked[1]), asked[2])
        game.settle(state, seed)
        continue
    else:
        shown = state.clone() if random is None else game.imagine(state, side, random)
        known = [list(state.where), list(state.steps), state.draws]
        print(json.dumps([known, player.choose(game, shown, side)]), flush=True)
"""


class Frozen:
    """The other program. One game at a time."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._process: subprocess.Popen[str] | None = None

    def begin(
        self, game: str, overrides: Path | None, scenario: str, seed: str, side: int, name: str
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": _with_data_of_today(self._tree, game, overrides).name},
        )
        self._tell("new", game, scenario, seed, side, name)

    def told(self, action: tuple[Any, ...], side: int) -> None:
        self._tell("answer", action, side)

    def choose(self, state: Any) -> tuple[Any, ...]:
        self._tell("choose")
        assert self._process is not None and self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the frozen player has died: see above")
        known, action = json.loads(line)
        if known != [list(state.where), list(state.steps), state.draws]:
            raise RuntimeError("the frozen player's rules lead to another position than ours")
        return tuple(action)

    def close(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()

    def _tell(self, *words: Any) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()


@cache
def _with_data_of_today(tree: Path, game: str, overrides: Path | None) -> TemporaryDirectory[str]:
    """A copy of the old program in which the tables of a game, then beside its rules, are those of today,
    with whatever is laid over them. Today's as values laid over the old ones would leave old values where a
    cell is empty today."""
    copied = TemporaryDirectory(prefix="frozen-")
    package = Path(copied.name) / "grognard"
    copytree(tree / "src" / "grognard", package)
    old, tables = package / "games" / game, Path(grognard.games.__path__[0]) / game / "tables"
    for path in sorted(tables.glob("*.csv")):
        if (old / path.name).exists():
            copy(path, old / path.name)
    for path in sorted((overrides / game / "tables").glob("*.csv")) if overrides else ():
        if (old / path.name).exists():
            _lay_over(old / path.name, path)
    return copied


def _lay_over(table: Path, own: Path) -> None:
    """Put the cells of a folder of own values into a whole table; the first column names the row."""
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    key = next(iter(rows[0]))
    with own.open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            for row in rows:
                if row[key] == line[key]:
                    row.update(line)
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
