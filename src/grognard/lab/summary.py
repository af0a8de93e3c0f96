"""A batch in numbers: what the report shows and what a program may read."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from operator import itemgetter
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from grognard.board.board import each
from grognard.files import Folder
from grognard.games.listing import game_folder
from grognard.kernel import Game
from grognard.kernel.registry import load_game
from grognard.lab.batch import BatchError, LongTurn
from grognard.lab.history import DatedEvent, History
from grognard.lab.run import Batch
from grognard.lab.standings import GameLine, Standings, standings
from grognard.lab.statistics import (
    ChiSquare,
    Interval,
    Rate,
    chi_square,
    chi_square_tail,
    mean,
    quantile,
    rate,
)
from grognard.lab.tables import read
from grognard.mechanics.battles import ResultTables, totals

ENOUGH = 5
"""The least count that a cell of a chi-square must be expected to hold."""


class Band(NamedTuple):
    """How a number is spread over the games."""

    mean: float
    low: float
    median: float
    high: float


class Fate(NamedTuple):
    unit: str
    side: str
    survived: Rate
    died: float | None
    """The median turn of death, where there is one."""
    never_came: int


class Column(NamedTuple):
    """The combats of one column of the table."""

    odds: str
    results: Mapping[str, tuple[int, float | None]]
    """Result: how often it came, and the chance that the table gives it."""
    number: int
    test: ChiSquare | None


class Combats(NamedTuple):
    number: int
    columns: Sequence[Column]
    table: ChiSquare | None
    dice: ChiSquare | None
    faces: Mapping[int, int]
    """How often the dice, of the kind most rolled, added up to each number."""
    by_side: Mapping[str, int]


class Dated(NamedTuple):
    event: DatedEvent
    happened: Rate
    turns: Mapping[int, int]
    """Turn: games in which it happened then."""
    median: float | None
    half: Interval | None
    """Between which turns the middle half of them lies."""


class Summary(NamedTuple):
    games: int
    wins: Mapping[str, Rate]
    standings: Standings
    levels: Mapping[str, Rate]
    points: Mapping[str, Band]
    balance: Mapping[str, Sequence[int]]
    """Winner: the balance of points of each game that he won."""
    length: Band
    decisions: float
    seconds: float
    turns: Mapping[str, Mapping[str, Sequence[tuple[int, Band]]]]
    """Measure, side: a band for each turn."""
    fates: Sequence[Fate]
    combats: Combats
    dated: Sequence[Dated]


NOBODY = "nobody"
MEASURES = ("points", "units_lost", "units_on_map", "defence")


def summarise(batch: Batch, game: Game[Any], history: History) -> Summary:
    games = read(batch.folder, "games").to_pylist()
    if not games:
        raise BatchError(f"{batch.folder} holds no games")
    number = len(games)
    wins = Counter(game_["winner"] or NOBODY for game_ in games)
    levels = Counter(game_["level"] for game_ in games)
    names = [*game.sides, *([NOBODY] if wins[NOBODY] else [])]
    return Summary(
        games=number,
        wins={side: rate(wins[side], number) for side in names},
        standings=standings_of(games, game.sides),
        levels={level: rate(hits, number) for level, hits in sorted(levels.items())},
        points={
            side: _band([g[f"points_{side}"] for g in games])
            for side in game.sides
            if games[0][f"points_{side}"] is not None
        },
        balance={
            name: [balance(line, game.sides) for line in games if (line["winner"] or NOBODY) == name]
            for name in names
        },
        length=_band([g["turns"] for g in games]),
        decisions=mean([g["decisions"] for g in games]),
        seconds=mean([g["seconds"] for g in games]),
        turns=_turns(batch, game),
        fates=_fates(batch),
        combats=_combats(batch, game_folder(game.id, batch.own)),
        dated=_dated(batch, history, number),
    )


def standings_of(games: Sequence[Mapping[str, Any]], sides: Sequence[str]) -> Standings:
    """Players and sides by the lines of the table `games`."""
    return standings(
        (
            GameLine(
                line["game"],
                [line[f"player_{side}"] for side in sides],
                line["winner"],
                [LongTurn(line[f"longest_turn_{side}"], line[f"longest_seconds_{side}"]) for side in sides],
            )
            for line in games
        ),
        sides,
    )


def balance(line: Mapping[str, Any], sides: Sequence[str]) -> int:
    """The points of the first side less those of the second."""
    return int(line[f"points_{sides[0]}"] or 0) - int(line[f"points_{sides[1]}"] or 0)


def _band(values: Sequence[float]) -> Band:
    return Band(mean(values), quantile(values, 0.1), quantile(values, 0.5), quantile(values, 0.9))


def _turns(batch: Batch, game: Game[Any]) -> dict[str, dict[str, list[tuple[int, Band]]]]:
    lines = read(batch.folder, "turns", ["turn", "side", *MEASURES]).to_pylist()
    found: dict[str, dict[str, list[tuple[int, Band]]]] = {}
    for measure in MEASURES:
        heaps: dict[tuple[str, int], list[float]] = defaultdict(list)
        for line in lines:
            if line[measure] is not None:
                heaps[line["side"], line["turn"]].append(line[measure])
        found[measure] = {
            side: [(turn, _band(heaps[side, turn])) for of, turn in sorted(heaps) if of == side]
            for side in game.sides
        }
    return found


def _fates(batch: Batch) -> list[Fate]:
    lines = read(batch.folder, "units").to_pylist()
    survived: Counter[str] = Counter()
    number: Counter[str] = Counter()
    never: Counter[str] = Counter()
    died: dict[str, list[int]] = defaultdict(list)
    side: dict[str, str] = {}
    for line in lines:
        unit = line["unit"]
        side[unit] = line["side"]
        number[unit] += 1
        survived[unit] += line["survived"]
        never[unit] += line["arrival"] is None
        if line["died"] is not None:
            died[unit].append(line["died"])
    return [
        Fate(
            unit,
            side[unit],
            rate(survived[unit], number[unit]),
            quantile(died[unit], 0.5) if died[unit] else None,
            never[unit],
        )
        for unit in number
    ]


def _combats(batch: Batch, folder: Folder) -> Combats:
    lines = read(batch.folder, "combats").to_pylist()
    tables = ResultTables(folder)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    looked_up: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    modified: set[str] = set()
    faces: dict[str, Counter[int]] = defaultdict(Counter)
    sides: Counter[str] = Counter()
    for line in lines:
        counts[line["odds"]][line["result"]] += 1
        faces[line["dice"]][line["die"]] += 1
        sides[line["attacker"]] += 1
        if line["table"] is None or line["row"] != str(line["die"]):
            modified.add(line["odds"])
        else:
            looked_up[line["odds"]].add((line["table"], line["column"], line["dice"]))
    columns = []
    for odds, found in counts.items():
        used = list(looked_up[odds])
        # Only the dice speak where nothing modifies them and one column is meant.
        known = used[0] if len(used) == 1 and odds not in modified else None
        chances = None if known is None else tables.chances(known[0], known[1], _sides(known[2]))
        place = tables.headings(known[0]).index(known[1]) if known is not None else sys.maxsize
        columns.append((place, odds, _column(odds, found, chances)))
    tests = [column.test for _, _, column in columns if column.test is not None]
    overall = None
    if tests:
        value, freedom = sum(t.value for t in tests), sum(t.freedom for t in tests)
        overall = ChiSquare(value, freedom, chi_square_tail(value, freedom))
    most = max(faces, key=lambda dice: faces[dice].total(), default=None)
    expected = totals(_sides(most)) if most else {}
    rolled = {total: faces[most][total] for total in expected} if most else {}
    fair = None
    number = sum(rolled.values())
    if rolled and number * min(expected.values()) >= ENOUGH:
        fair = chi_square(list(rolled.values()), list(expected.values()))
    return Combats(len(lines), [column for _, _, column in sorted(columns)], overall, fair, rolled, sides)


def _sides(dice: str) -> list[int]:
    return [int(sides) for sides in dice.split()]


def _column(odds: str, found: Mapping[str, int], chances: Mapping[str, float] | None) -> Column:
    number = sum(found.values())
    names = list(dict.fromkeys([*(chances or {}), *found]))
    results = {
        name: (found.get(name, 0), None if chances is None else chances.get(name, 0.0)) for name in names
    }
    test = None
    # A result that the table does not have would be a fault of the rules, not of the dice.
    known = chances is not None and all(name in chances for name in found)
    if known and chances is not None and len(chances) > 1 and number * min(chances.values()) >= ENOUGH:
        test = chi_square([found.get(name, 0) for name in chances], list(chances.values()))
    return Column(odds, results, number, test)


def _dated(batch: Batch, history: History, games: int) -> list[Dated]:
    turns: dict[str, Counter[int]] = defaultdict(Counter)
    for line in read(batch.folder, "events").to_pylist():
        if line["turn"] is not None:
            turns[line["event"]][line["turn"]] += 1
    found = []
    for event in history.events:
        counted = turns[event.id]
        hits = sum(counted.values())
        each_ = list(counted.elements())
        median = quantile(each_, 0.5) if hits else None
        half = Interval(quantile(each_, 0.25), quantile(each_, 0.75)) if hits else None
        found.append(Dated(event, rate(hits, games), dict(sorted(counted.items())), median, half))
    return found


class Front(NamedTuple):
    """Where the front ran at the end of a turn."""

    turn: int
    games: int
    held: Mapping[str, Mapping[str, float]]
    """Side, hex: in which share of the games the side held the hex."""
    line: Mapping[str, float]
    """Hex: in which share of the games the front ran through it, an enemy's hex next to it."""


def fronts(batch: Batch, game: Game[Any]) -> list[Front]:
    """The front of every turn, over all games that lasted so long."""
    table = read(batch.folder, "front", ["game", "turn", "hex", "holder"])
    found = []
    for turn in sorted(pc.unique(table["turn"]).to_pylist()):
        part = table.filter(pc.equal(table["turn"], turn))
        games = len(pc.unique(part["game"]))
        held: dict[str, dict[str, float]] = {side: {} for side in game.sides}
        for line in part.group_by(["hex", "holder"]).aggregate([([], "count_all")]).to_pylist():
            if line["holder"] is not None:
                held[line["holder"]][line["hex"]] = line["count_all"] / games
        found.append(Front(turn, games, held, _line(game, part, games)))
    return found


def _line(game: Game[Any], part: Any, games: int) -> dict[str, float]:
    """How often the front ran through each hex. There are millions of lines: a game and turn is a string of
    digits, a set of hexes an integer, and the front a few shifts."""
    board = game.board
    number = part.num_rows // games
    hexes = part["hex"].slice(0, number).to_pylist()
    if number * games != part.num_rows or len(set(hexes)) != number:
        raise BatchError("the table `front` is not as the lab wrote it")
    place = {board.cell(hex_): n for n, hex_ in enumerate(hexes)}
    # Where the digit of each cell stands; those of no hex take the nought put at the end.
    scatter = itemgetter(*(place.get(cell, number) for cell in reversed(range(board.size))))
    digits = [_digits(part["holder"], side) for side in game.sides]
    hits: Counter[int] = Counter()
    for start in range(0, part.num_rows, number):
        sets = [int(bytes(scatter(one[start : start + number] + b"0")), 2) for one in digits]
        for one, other in permutations(sets, 2):
            hits.update(each(one & board.spread(other)))
    return {board.number(cell): count / games for cell, count in sorted(hits.items())}


def _digits(holders: Any, side: str) -> bytes:
    """1 where a side holds the hex, else 0."""
    held = pc.fill_null(pc.equal(holders.cast("string"), side), False).cast("int8")
    code = pc.add(held, pa.scalar(ord("0"), pa.int8())).combine_chunks()
    return bytes(memoryview(code.buffers()[1])[code.offset : code.offset + len(code)])


def open_for_reading(batch: Batch) -> tuple[Game[Any], History]:
    """The game of a batch as it is now, with the player's own values of then. The tables stay what they were;
    names and map are today's."""
    if not (batch.folder / "games.parquet").is_file():
        raise BatchError(
            f"{batch.folder} is not finished: {len(batch.numbers())} of {batch.games} games have ended. "
            "Run the same command again to go on"
        )
    game = load_game(batch.spec.game, batch.own)
    return game, History(game, game_folder(game.id, batch.own))
