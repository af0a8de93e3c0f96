"""A batch of games in a folder: played by processes or by a cluster, and taken up again where it stood.

The folder holds `batch.json` (what is played), `own/` (the player's own data files, if any), `parts/` (one
file for each game that has ended) and, once all have ended, the Parquet tables. A part appears whole or not
at all: a kill, whenever it comes, costs only the games in progress. A game follows from its number alone:
nobody can tell from the tables who played it.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import grognard.players
import grognard.staff
from grognard import __version__
from grognard.files import Folder
from grognard.games.listing import game_folder
from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.lab.batch import BatchError, check_players, check_swap, chosen_scenario
from grognard.lab.history import History
from grognard.lab.own import own_files, own_values, write_files
from grognard.lab.record import Record, Seating, ground, pack, record_game, unpack

FORMAT = 3
MANIFEST = "batch.json"
PARTS = "parts"
OWN = "own"


@dataclass(frozen=True)
class BatchSpec:
    """What a batch is: two batches of the same specification have the same games."""

    game: str
    scenario: str
    options: tuple[str, ...]
    players: tuple[str, ...]
    seed: str
    rules: str
    data: str
    history: str
    doctrine: str
    """A digest of what the players are taught (doctrine.toml)."""
    program: str
    """A digest of the program by which they play: the players', and the game's with its doctrine."""
    swap: bool = False
    """Whether the players change sides in every second game."""
    version: str = __version__
    format: int = FORMAT

    def seating(self) -> Seating:
        return Seating(self.scenario, self.options, self.players, self.seed, self.swap)


Progress = Callable[[int, int], None]
"""Told how many games have ended, of how many."""


class Batch:
    """A folder of games."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            head = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BatchError(f"{folder} holds no batch: there is no {MANIFEST}") from None
        except json.JSONDecodeError:
            raise BatchError(f"{folder / MANIFEST} cannot be read") from None
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BatchError(f"{folder} holds a batch of another format than {FORMAT}")
        self.games = int(head.pop("games"))
        self.overrides: str | None = head.pop("overrides")
        words: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in head.items()
        }
        try:
            self.spec = BatchSpec(**words)
        except TypeError:
            raise BatchError(f"{folder / MANIFEST} cannot be read") from None

    @property
    def own(self) -> Path | None:
        """The player's own data files as the batch was played with them."""
        return self.folder / OWN if (self.folder / OWN).is_dir() else None

    def own_values(self) -> tuple[str, ...]:
        """What those files change."""
        return own_values(game_folder(self.spec.game, self.own))

    def numbers(self) -> set[int]:
        """The games that have ended and are still in parts."""
        return {int(path.stem) for path in (self.folder / PARTS).glob("*.part")}

    def part(self, number: int) -> Path:
        return self.folder / PARTS / f"{number:07d}.part"

    def keep(self, data: bytes, number: int) -> None:
        """Write a part: under another name first, so that a kill leaves no half of one."""
        path = self.part(number)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_bytes(data)
        draft.replace(path)

    def record(self, number: int) -> Record | None:
        """A game that has ended; None if its part is missing or spoilt: then it is played again."""
        try:
            record = unpack(self.part(number).read_bytes())
        except FileNotFoundError:
            return None
        except (zlib.error, ValueError):
            self.part(number).unlink(missing_ok=True)
            return None
        return record


def batch_spec(
    game: Game[Any],
    players: Sequence[str],
    seed: str,
    scenario: str | None = None,
    options: Sequence[str] = (),
    override: Path | None = None,
    swap: bool = False,
) -> BatchSpec:
    check_players(game, players)
    chosen = chosen_scenario(game, scenario)
    for option in options:
        if option not in game.scenarios[chosen].options:
            known = ", ".join(game.scenarios[chosen].options) or "none"
            raise BatchError(f"scenario {chosen} has no option {option!r}; there are: {known}")
    folder = game_folder(game.id, override)
    return BatchSpec(
        game=game.id,
        scenario=chosen,
        options=tuple(sorted(options)),
        players=tuple(players),
        seed=seed,
        rules=game.rules_version,
        data=game.digest(chosen),
        history=History(game, folder).digest,
        doctrine=doctrine_digest(folder),
        program=program(folder),
        swap=swap,
    )


def doctrine_digest(folder: Folder) -> str:
    """A digest of what a game teaches players, with the player's own values."""
    return folder.digest(["doctrine.toml"])


def program(folder: Folder) -> str:
    """A digest of the source by which players choose their answers. A comment counts, too: a
    batch begun anew for nothing costs less than one whose games were played by two programs."""
    total = hashlib.sha256()
    rooms = [Path(str(room.__file__)).parent for room in (grognard.players, grognard.staff)]
    for place in (*rooms, folder.base):
        for path in sorted(place.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            total.update(f"{path.relative_to(place).as_posix()}:{len(text)}:{text}".encode())
    return total.hexdigest()[:16]


def open_batch(folder: Path, spec: BatchSpec, games: int, override: Path | None = None) -> Batch:
    """The batch of a folder, begun now or before. It may be asked for more games than before or for fewer
    (what is in the tables stays), never for others."""
    (folder / PARTS).mkdir(parents=True, exist_ok=True)
    if (folder / MANIFEST).is_file():
        batch = Batch(folder)
        if batch.spec != spec:
            old, new = asdict(batch.spec), asdict(spec)
            what = ", ".join(f"{key} {old[key]!r}, not {new[key]!r}" for key in old if old[key] != new[key])
            raise BatchError(f"{folder} holds another batch: {what}. Choose another folder with --out")
        games = max(games, _games_in_tables(batch))
    shutil.rmtree(folder / OWN, ignore_errors=True)
    write_files(folder / OWN, spec.game, own_files(override, spec.game))
    head = asdict(spec) | {"games": games, "overrides": None if override is None else str(override)}
    draft = folder / f"{MANIFEST}.new"
    draft.write_text(json.dumps(head, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    draft.replace(folder / MANIFEST)
    return Batch(folder)


def run_batch(
    folder: Path,
    game_id: str,
    games: int,
    players: Sequence[str],
    seed: str,
    *,
    workers: int = 1,
    cluster: str | None = None,
    scenario: str | None = None,
    options: Sequence[str] = (),
    override: Path | None = None,
    swap: bool = False,
    progress: Progress = lambda done, total: None,
) -> Batch:
    """Play what is still to be played of a batch, and write its tables."""
    game = load_game(game_id, override)
    spec = batch_spec(game, players, seed, scenario, options, override, swap)
    if swap:
        check_swap(games)
    batch = open_batch(folder, spec, games, override)
    kept = _games_in_tables(batch)
    to_play = [n for n in range(kept, batch.games) if batch.record(n) is None]
    done = batch.games - len(to_play)
    progress(done, batch.games)
    for number, data in _results(game, spec, to_play, workers, cluster, override):
        batch.keep(data, number)
        done += 1
        progress(done, batch.games)
    if kept < batch.games:
        _gather(batch, game, kept)
    return batch


def _results(
    game: Game[Any],
    spec: BatchSpec,
    numbers: Sequence[int],
    workers: int,
    cluster: str | None,
    override: Path | None,
) -> Iterator[tuple[int, bytes]]:
    if not numbers:
        return iter(())
    if cluster is not None:
        from grognard.lab.cluster import play_on_cluster

        return play_on_cluster(spec, numbers, cluster, override)
    if workers <= 1:
        history = History(game, game_folder(game.id, override))
        return ((n, pack(record_game(game, history, spec.seating(), n))) for n in numbers)
    return _by_processes(spec, numbers, workers, override)


# Processes


class Worker:
    """What a worker keeps between games: loading a game costs more than playing a quick one."""

    def __init__(self, spec: BatchSpec, override: Path | None) -> None:
        self.spec = spec
        self.game = load_game(spec.game, override)
        folder = game_folder(spec.game, override)
        self.history = History(self.game, folder)
        data = self.game.digest(spec.scenario)
        here = (self.game.rules_version, data, doctrine_digest(folder), program(folder))
        if here != (spec.rules, spec.data, spec.doctrine, spec.program):
            raise BatchError("a worker has other rules, data or players than the batch")

    def play(self, number: int) -> tuple[int, bytes]:
        return number, pack(record_game(self.game, self.history, self.spec.seating(), number))


_worker: Worker | None = None


def _sit_down(spec: BatchSpec, override: Path | None) -> None:
    global _worker
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave() -> None:
        parent.join()
        os._exit(1)

    # When the lab is killed outright nobody dismisses its workers: each sees for itself.
    threading.Thread(target=leave, daemon=True).start()
    _worker = Worker(spec, override)


def _play(number: int) -> tuple[int, bytes]:
    assert _worker is not None
    return _worker.play(number)


def _by_processes(
    spec: BatchSpec, numbers: Sequence[int], workers: int, override: Path | None
) -> Iterator[tuple[int, bytes]]:
    # A fresh interpreter for each worker: the same on every system, and nothing inherited by accident.
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(workers, len(numbers)), _sit_down, (spec, override)) as pool:
        yield from pool.imap_unordered(_play, numbers)


# From parts to tables


def _games_in_tables(batch: Batch) -> int:
    """How many games the tables hold already: the first so many."""
    if not (batch.folder / "games.parquet").is_file():
        return 0
    from grognard.lab.tables import read

    return int(read(batch.folder, "games", ["game"]).num_rows)


def _gather(batch: Batch, game: Game[Any], kept: int) -> None:
    """Put the parts into the tables, behind the games that are there already, and clear them away."""
    from grognard.lab.tables import Layout, write_tables

    def records() -> Iterator[Record]:
        for number in range(kept, batch.games):
            record = batch.record(number)
            if record is None:
                raise BatchError(f"game {number} was lost after it had been played; run the batch again")
            yield record

    hexes = [game.board.number(cell) for cell in ground(game.board)]
    layout = Layout(game.sides, hexes)
    write_tables(batch.folder, layout, records(), keep=kept)
    for number in range(batch.games):
        batch.part(number).unlink(missing_ok=True)
