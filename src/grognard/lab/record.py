"""One game played and written down: what the lab keeps of it.

Everything is taken from what a game shows to anybody: its events, by their families, and what a spectator
sees of the table. A game whose battles are announced with `units` and `units_target` before their odds and
results, and that says how units come to hexes, needs nothing more to be studied here.

A record is plain JSON, so that it travels between machines and through a file without surprises.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from operator import itemgetter
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from grognard.board import Board
from grognard.board.board import bits, union
from grognard.board.loading import WATER
from grognard.kernel import Event, Game
from grognard.kernel.table import DEAD, ON_MAP, Table
from grognard.lab.batch import play_out, seated
from grognard.lab.history import DateWatch, History, comings
from grognard.mechanics.battles import battles_of, sides_of_units

Record: TypeAlias = dict[str, Any]
NOBODY = "."
"""The holder of a hex that nobody holds, in the strings of a record."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Seating(NamedTuple):
    """What all games of a batch have in common."""

    scenario: str
    options: tuple[str, ...]
    """Switches of the scenario that are turned on."""
    players: tuple[str, ...]
    seed: str
    swap: bool = False


class _Snapshot(NamedTuple):
    turn: int
    table: Table
    zones: tuple[int, ...]


def _look(game: Game[Any], state: Any, turn: int) -> _Snapshot:
    zones = tuple(bits(game.controlled(state, side)) for side in range(len(game.sides)))
    return _Snapshot(turn, game.table(state, None), zones)


def record_game(game: Game[Any], history: History, seating: Seating, number: int) -> Record:
    """Play game number so-and-so of a batch. All but the seconds follows from the arguments."""
    began = perf_counter()
    log: list[Event] = []
    state = game.start(seating.scenario, dict.fromkeys(seating.options, True), log)
    snapshots = [_look(game, state, game.scenario(state).first - 1)]
    state.turn_ended = lambda: snapshots.append(_look(game, state, game.turn(state)))
    seed = f"{seating.seed}-{number}"
    players = seated(seating.players, number, seating.swap)
    course = play_out(game, state, seed, players)
    # What happens after the last turn (a final count) belongs to it.
    if snapshots[-1].turn == game.turn(state):
        snapshots.pop()
    snapshots.append(_look(game, state, game.turn(state)))
    outcome = game.outcome(state)
    assert outcome is not None
    seconds = round(perf_counter() - began, 4)
    side_of = sides_of_units(game)
    arrivals = list(comings(game, log))
    return {
        "number": number,
        "data": game.digest(seating.scenario),
        "rules": game.rules_version,
        "game": {
            "seed": seed,
            "players": list(players),
            "winner": None if outcome.winner is None else game.sides[outcome.winner],
            "level": outcome.level,
            "points": [outcome.points.get(side) for side in game.sides],
            "turns": game.turn(state),
            "decisions": course.decisions,
            "hash": state.fingerprint(),
            "seconds": seconds,
            "longest": [value for longest in course.longest for value in longest],
        },
        "turns": [line for snapshot in snapshots for line in _turn_lines(game, snapshot)],
        "combats": [_combat(game, *fought, side_of) for fought in battles_of(game, log)],
        "units": _fates(game, snapshots, arrivals),
        "front": list(_front(game, snapshots)),
        "events": _dated(game, history, seating.scenario, snapshots, arrivals, side_of),
    }


def pack(record: Record) -> bytes:
    return zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 6)


def unpack(data: bytes) -> Record:
    """ValueError or zlib.error if it is not whole."""
    record: Record = json.loads(zlib.decompress(data))
    return record


# Turns


def _turn_lines(game: Game[Any], snapshot: _Snapshot) -> Iterator[list[Any]]:
    """turn, side, points, on the map, alive, dead, steps, attack, defence, strengths nobody knows."""
    points = snapshot.table.scores
    for side in game.sides:
        units = [unit for unit in snapshot.table.units if unit["side"] == side]
        here = [unit for unit in units if unit["status"] == ON_MAP]
        dead = sum(unit["status"] == DEAD for unit in units)
        steps = [unit["steps"] for unit in here if "steps" in unit]
        yield [
            snapshot.turn,
            side,
            points.get(side),
            len(here),
            len(units) - dead,
            dead,
            sum(steps) if steps else None,
            sum(unit.get("attack", 0) for unit in here),
            sum(unit.get("defence", 0) for unit in here),
            sum("defence" not in unit for unit in here),
        ]


# Combats


def _combat(
    game: Game[Any],
    turn: int,
    attack: Event,
    odds: Mapping[str, Any],
    result: Event,
    side_of: Mapping[int, int],
) -> list[Any]:
    """turn, attacker, kind, hex, attackers, defenders, strengths, initial odds, shift, shifts, column, dice
    added up, result; the table it was looked up in with its heading and row, and the sides of the dice."""

    def name(value: Any) -> str | None:
        return None if value is None else game.render_fact("odds", value, "en")

    shifts, dice = odds.get("shifts", ()), game.dice(result)
    table, column, row, _ = game.roll_of(result) or (None,) * 4
    units, targets = attack.facts["units"], attack.facts["units_target"]
    cell = attack.facts["hexes"][0] if "hexes" in attack.facts else attack.facts["hex"]
    return [
        turn,
        game.sides[side_of[units[0]]],
        attack.kind,
        game.board.number(cell),
        len(units),
        len(targets),
        odds.get("attack"),
        odds.get("defence"),
        name(odds.get("odds_initial")),
        sum(columns for _, columns, _ in shifts),
        " ".join(f"{code}{columns:+d}" for code, columns, _ in shifts),
        name(result.facts["odds"]),
        sum(die.value for die in dice),
        result.facts["result"],
        table,
        column,
        row,
        " ".join(str(die.sides) for die in dice),
    ]


# Units


def _fates(
    game: Game[Any], snapshots: Sequence[_Snapshot], arrivals: Sequence[tuple[int, tuple[int, ...], int]]
) -> list[list[Any]]:
    """unit, side, turn of arrival (0: there from the start; none: never), turn of death (none: alive)."""
    came: dict[str, int] = {}
    died: dict[str, int] = {}
    for turn, units, _ in arrivals:
        for unit in units:
            came.setdefault(game.unit_id(unit), turn)
    for snapshot in snapshots:
        for shown in snapshot.table.units:
            id_ = shown["id"]
            if shown["status"] == DEAD:
                died.setdefault(id_, snapshot.turn)
            else:
                died.pop(id_, None)  # back from the dead, where the rules allow it
            if shown["status"] == ON_MAP:
                came[id_] = min(came.get(id_, snapshot.turn), snapshot.turn)
    # Some come into being in the course of a game: parts of divisions, say.
    seen = {unit["id"]: unit["side"] for snapshot in snapshots for unit in snapshot.table.units}
    return [[id_, side, came.get(id_), died.get(id_)] for id_, side in seen.items()]


# The front


def ground(board: Board) -> list[int]:
    """The hexes of which the lab says who holds them: all but open water, in the order of their numbers."""
    return [cell for cell in board.cells if board.info[cell].terrain not in WATER]


def _front(game: Game[Any], snapshots: Sequence[_Snapshot]) -> Iterator[list[str | int]]:
    """turn, who holds each hex, how many units stand in each.

    A hex is held by who stands in it; an empty one by the only side whose zone covers it; else by who held
    it before. When the game begins, empty ground belongs to the nearest units.
    """
    board = game.board
    cells = ground(board)
    place = {cell: n for n, cell in enumerate(cells)}
    held: list[int] = []
    for snapshot in snapshots:
        heights = [0] * len(cells)
        there = [0] * len(game.sides)
        for unit in snapshot.table.units:
            if unit["status"] == ON_MAP and unit["hex"] is not None:
                cell = board.cell(unit["hex"])
                there[game.sides.index(unit["side"])] |= 1 << cell
                if cell in place:
                    heights[place[cell]] += 1
        if not held:
            held = _nearest(board, bits(cells), there)
        held = _taken(held, there, snapshot.zones)
        stacks = "".join([DIGITS[min(height, len(DIGITS) - 1)] for height in heights])
        yield [snapshot.turn, _holders(held, cells, board.size), stacks]


def _holders(held: Sequence[int], cells: Sequence[int], size: int) -> str:
    """A letter for each cell. Whole sets are turned into digits at once: hex by hex would take as long as the
    game itself."""
    pick = itemgetter(*cells)
    digits = [pick(f"{hexes:0{size}b}"[::-1]) for hexes in held]
    letters: dict[tuple[str, ...], str] = {}
    for side in reversed(range(len(held))):
        for others in product("01", repeat=len(held) - 1):
            letters[(*others[:side], "1", *others[side:])] = DIGITS[side]
    letters[("0",) * len(held)] = NOBODY
    return "".join(map(letters.__getitem__, zip(*digits, strict=True)))


def _nearest(board: Board, land: int, there: Sequence[int]) -> list[int]:
    """The ground nearer to a side's units than to anybody else's, over land."""
    held = list(there)
    edges = list(there)
    seen = 0
    for one in there:
        seen |= one
    while any(edges):
        steps = [board.spread(edge) & land & ~seen for edge in edges]
        for side, step in enumerate(steps):
            others = 0
            for rival, other in enumerate(steps):
                others |= other if rival != side else 0
            edges[side] = step & ~others
            held[side] |= edges[side]
        for step in steps:
            seen |= step
    return held


def _taken(held: Sequence[int], there: Sequence[int], zones: Sequence[int]) -> list[int]:
    occupied = 0
    for one in there:
        occupied |= one
    gained = []
    for side, zone in enumerate(zones):
        rivals = 0
        for rival, other in enumerate(zones):
            rivals |= other if rival != side else 0
        gained.append(there[side] | (zone & ~rivals & ~occupied))
    return [
        (hexes & ~union(gained[:side] + gained[side + 1 :])) | gained[side] for side, hexes in enumerate(held)
    ]


# Dated events


def _standing(game: Game[Any], snapshot: _Snapshot) -> list[tuple[int, int]]:
    """(side, cell) of everybody on the map."""
    places = [(unit["side"], unit["hex"]) for unit in snapshot.table.units]
    return [(game.sides.index(side), game.board.cell(place)) for side, place in places if place]


def _dated(
    game: Game[Any],
    history: History,
    scenario: str,
    snapshots: Sequence[_Snapshot],
    arrivals: Sequence[tuple[int, tuple[int, ...], int]],
    side_of: Mapping[int, int],
) -> list[list[Any]]:
    """event, turn when it happened (0: so from the start; none: never)."""
    first, *ends = snapshots
    watch = DateWatch(history, _standing(game, first), scenario)
    for turn, units, cell in arrivals:
        watch.came(turn, side_of[units[0]], cell)
    for snapshot in ends:
        watch.turn_over(snapshot.turn, _standing(game, snapshot))
    return [[event.id, watch.turns.get(event.id)] for event in history.events]
