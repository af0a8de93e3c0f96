"""What a worker has at hand, and what it can be asked to do with it.

A workbench is in a process of its own, or in the server's where there are no others; the errands are the
same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from grognard.board.tiles import Tile
from grognard.games.listing import game_folder
from grognard.kernel import Answer, Game, Match
from grognard.kernel.registry import game_ids, load_game
from grognard.players import Player, seat
from grognard.players.advice import Suggester, Suggestion
from grognard.server.archive import Opened, open_table
from grognard.server.computer import Reply, Watch, think
from grognard.server.kit import kit
from grognard.server.pictures import Maps, Pictures
from grognard.server.present import written
from grognard.server.releases import Releases
from grognard.server.store import Store, TableRow

SEATED = 200
"""How many tables' computers and advisers a worker keeps in mind."""


class Premises(NamedTuple):
    """What a process needs to know to set up a workbench."""

    database: str
    cache: Path
    overrides: Path | None
    guests: tuple[tuple[str, type[Game[Any]]], ...] = ()
    """Games that are not in the registry, by id."""


class Workbench:
    """Games, the database and the pictures, each loaded when it is first needed."""

    def __init__(self, premises: Premises, games: Mapping[str, Game[Any]] | None = None) -> None:
        self.premises = premises
        self._given = games
        self._loaded: dict[str, Game[Any]] = {}
        self.computers: OrderedDict[str, Computer] = OrderedDict()
        self.advisers: OrderedDict[tuple[str, int], Suggester] = OrderedDict()

    def game(self, id_: str) -> Game[Any]:
        if self._given is not None:
            return self._given[id_]
        if id_ not in self._loaded:
            guests = dict(self.premises.guests)
            self._loaded[id_] = guests[id_]() if id_ in guests else load_game(id_, self.premises.overrides)
        return self._loaded[id_]

    @cached_property
    def store(self) -> Store:
        return Store(self.premises.database, revision=None)

    @cached_property
    def releases(self) -> Releases:
        return Releases(self.store, _Games(self), self.premises.overrides)

    @cached_property
    def pictures(self) -> Pictures:
        return Pictures(self.premises.cache, Maps(self._given or {}, self.premises.overrides))


class Computer(NamedTuple):
    """The computer's sides of a table, as long as they remember what they are doing."""

    sitting: int
    players: Mapping[int, Player]
    chance: Random


class Seating(NamedTuple):
    """Which computers play at a table. They are seated afresh with every sitting."""

    table: str
    game: str
    sitting: int
    seed: str
    kinds: Mapping[int, str]


def guests(games: Mapping[str, Game[Any]]) -> tuple[tuple[str, type[Game[Any]]], ...]:
    known = set(game_ids())
    return tuple((id_, type(game)) for id_, game in games.items() if id_ not in known)


# Errands: each is given the workbench, what it needs, and whom to tell how far it has come.


def play(workbench: Workbench, watch: Watch, seating: Seating, state: Any) -> list[Reply]:
    """The next answers of the computer's sides of a table."""
    game = workbench.game(seating.game)
    found = workbench.computers.get(seating.table)
    if found is None or found.sitting != seating.sitting:
        players = {n: seat(kind, f"{seating.seed}/{game.sides[n]}") for n, kind in seating.kinds.items()}
        found = workbench.computers[seating.table] = Computer(seating.sitting, players, Random(seating.seed))
    workbench.computers.move_to_end(seating.table)
    while len(workbench.computers) > SEATED:
        workbench.computers.popitem(last=False)
    return think(game, state, seating.seed, found.players, found.chance, watch)


def play_here(
    workbench: Workbench | None,
    watch: Watch,
    game: Game[Any],
    state: Any,
    seed: str,
    players: Mapping[int, Player],
    chance: Random,
) -> list[Reply]:
    """The same with players who are at hand: in the server's own process."""
    return think(game, state, seed, players, chance, watch)


def advise(
    workbench: Workbench,
    watch: Watch,
    table: str,
    game: str,
    side: int,
    state: Any,
    journal: Sequence[Answer],
) -> Suggestion:
    """What the computer would answer for a side."""
    key = (table, side)
    if key not in workbench.advisers:
        workbench.advisers[key] = Suggester(workbench.game(game), side, table)
    workbench.advisers.move_to_end(key)
    while len(workbench.advisers) > SEATED:
        workbench.advisers.popitem(last=False)
    return workbench.advisers[key].suggest(state, journal, watch)


def look(
    workbench: Workbench, watch: Watch, question: Callable[..., Any], row: TableRow, *asked: Any
) -> bytes:
    """Something of a table's past, as JSON."""
    game = workbench.releases.game_for(row) or workbench.game(row.game)
    return written(question(workbench.store, game, row, *asked))


def enter(workbench: Workbench, watch: Watch, table: str) -> Opened:
    """A table opened, without its game: that is not carried from process to process."""
    games = _Games(workbench)
    opened = open_table(workbench.store, games, table)
    return opened if workbench._given is not None else without_game(opened)


class _Games(dict[str, Any]):
    """The games of a workbench, loaded when they are asked for."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self.workbench = workbench

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self[key]
        except LookupError:
            return default

    def __missing__(self, key: str) -> Any:
        return self.workbench.game(key)


def without_game(opened: Opened) -> Opened:
    opened.match.game = opened.book.game = None  # type: ignore[assignment]
    return opened._replace(game=None)  # type: ignore[arg-type]


def with_game(opened: Opened, game: Game[Any]) -> Opened:
    opened.match.game = opened.book.game = game
    return opened._replace(game=game)


def restore(workbench: Workbench, watch: Watch, game: str, text: str) -> Match[Any]:
    """The match in a save, without its game."""
    match = Match.load(workbench.game(game), text)
    if workbench._given is None:
        match.game = None  # type: ignore[assignment]
    return match


def make_kit(workbench: Workbench, watch: Watch, game: str, language: str) -> bytes:
    """What a page needs of a game, as JSON."""
    folder = game_folder(game, workbench.premises.overrides)
    return written(kit(workbench.game(game), folder, language, workbench.pictures))


def draw(workbench: Workbench, watch: Watch, game: str, language: str, tile: Tile | None) -> None:
    """Have a tile of a map, or the whole as SVG, in the folder of pictures."""
    if tile is None:
        workbench.pictures.svg(game, language)
    else:
        workbench.pictures.tile(game, language, tile)
