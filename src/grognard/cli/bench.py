"""`grognard bench`: how fast and how small. Numbers of one run compare with one another, machines do not."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

from grognard.board import Board, load_board
from grognard.board.board import bits, each
from grognard.cli.arguments import add_json, command
from grognard.cli.console import output
from grognard.cli.words import TerminalWords
from grognard.games.listing import game_folder, listed_games
from grognard.kernel import Game
from grognard.kernel.registry import game_ids, load_game
from grognard.lab import play_game
from grognard.mechanics.movement import Costs, Ground, connected, reach, within_cost
from grognard.players import seat
from grognard.server.exhibits import Exhibit

SCRIPTS = 8
"""Games that are given again to measure how fast answers are carried out."""
POSITIONS = 200
CLONES = 1000
FIRST = 3000
"""Decisions of the longest scenario that are played to measure how fast it goes."""
STARTS = 50
"""Hexes from which a map is flooded."""
RANGE = 16
"""How far, in halves of a point: eight hexes of the commonest terrain."""


def register(commands: Any, words: TerminalWords) -> None:
    parser = command(commands, "bench", words, run, game=False)
    parser.add_argument("--quick", action="store_true", help=words("options", "quick"))
    parser.add_argument(
        "--only",
        action="append",
        choices=game_ids(),
        metavar=words("help", "game"),
        help=words("options", "only"),
    )
    add_json(parser, words)


def run(options: argparse.Namespace) -> int:
    report = bench(0.1 if options.quick else 1.0, options.only or [])
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)
    return 0


def show(report: dict[str, Any], depth: int = 0) -> None:
    """One figure a line, what belongs together indented."""
    for key, value in report.items():
        if isinstance(value, dict):
            output().print(f"{'  ' * depth}{key}:")
            show(value, depth + 1)
        else:
            figure = f"{value:,}" if isinstance(value, int) else value
            output().print(f"{'  ' * depth}{key}: {figure}")


def bench(budget: float, only: list[str]) -> dict[str, Any]:
    """Each measure takes about `budget` seconds of processor time, which other programs disturb less than the
    clock on the wall, and keeps the best of five rounds. Everything is measured, or some games alone."""
    report: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "games": {id_: bench_game(load_game(id_), budget) for id_ in only or game_ids()},
    }
    if only:
        return report
    report["maps"] = {id_: bench_map(id_, budget) for id_ in maps_without_rules()}
    return report


def bench_game(game: Game[Any], budget: float) -> dict[str, Any]:
    """What every game is measured by."""
    positions = sample(game, POSITIONS)
    return {
        "clones_per_second": rate(budget, len(positions), lambda: [s.clone() for s in positions]),
        "option_lists_per_second": rate(budget, len(positions), lambda: [game.options(s) for s in positions]),
        "fingerprints_per_second": rate(budget, len(positions), lambda: [s.fingerprint() for s in positions]),
        "actions_per_second": actions_per_second(game, budget),
        **whole_games(game, budget),
        **commander_turns(game, budget),
        **environment(game, budget),
        **floods(game.board, list(game.board.cells[:: max(1, len(game.board.cells) // STARTS)]), budget),
        "bytes_per_position": bytes_per_position(positions),
        **longest_scenario(game, budget),
    }


def longest_scenario(game: Game[Any], budget: float) -> dict[str, Any]:
    """The same of the longest scenario, where a game has several: the first answers of a random game."""
    scenario = max(game.scenarios.values(), key=lambda found: found.last - found.first)
    if len(game.scenarios) < 2:
        return {}
    positions = sample(game, max(2, round(12 * budget)), scenario.id)
    return {
        "longest": {
            "scenario": scenario.id,
            "clones_per_second": rate(budget, len(positions), lambda: [s.clone() for s in positions]),
            "option_lists_per_second": rate(
                budget, len(positions), lambda: [game.options(s) for s in positions]
            ),
            "random_decisions_per_second": first_decisions(game, scenario.id, budget),
            "bytes_per_position": bytes_per_position(positions),
        }
    }


def first_decisions(game: Game[Any], scenario: str, budget: float) -> int:
    """How fast the first answers of a random game are chosen and carried out."""
    count = max(20, round(FIRST * budget))

    def play() -> None:
        state, player = game.start(scenario), seat("random", "bench")
        game.settle(state, "bench")
        for _ in range(count):
            side = game.actor(state)
            if side is None:
                return
            game.apply(state, player.choose(game, state, side))
            game.settle(state, "bench")

    return rate(budget, count, play)


def maps_without_rules() -> list[str]:
    """Games that have a board and books, and rules to come."""
    found = [entry.id for entry in listed_games() if entry.id not in game_ids()]
    return [id_ for id_ in found if (game_folder(id_).base / "map" / "map.toml").is_file()]


def bench_map(id_: str, budget: float) -> dict[str, Any]:
    """The yardstick for rules to come: what a board of that size costs to load, to keep and to flood, with
    the counters of its last set-up on it."""
    folder = game_folder(id_)
    began = process_time()
    board = load_board(folder.sub("map"))
    spent = process_time() - began
    tracemalloc.start()
    kept = load_board(folder.sub("map"))
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    exhibit = Exhibit(id_, folder, kept, "en")
    setups = [setup["id"] for setup in exhibit.summary()["setups"]]
    placed = exhibit.setup(setups[-1]) if setups else None
    hexes = [board.cell(unit["hex"]) for unit in placed["units"]] if placed else list(board.cells[::30])
    found: dict[str, Any] = {
        "hexes": len(board.cells),
        "counters_on_map": len(hexes),
        "load_seconds": round(spent, 2),
        "bytes_of_board": memory,
        "zones_per_second": rate(budget, 1, lambda: board.spread(bits(hexes))),
        **floods(board, hexes[:STARTS], budget),
    }
    if setups:
        view = json.dumps(exhibit.setup(setups[-1]), separators=(",", ":"))
        found["bytes_of_view"] = len(view)
        found["views_per_second"] = rate(budget, 1, lambda: json.dumps(exhibit.setup(setups[-1])))
    return found


def rate(budget: float, work: int, job: Callable[[], object]) -> int:
    """Pieces of work done in a second."""
    best = float("inf")
    for _ in range(5):
        rounds, began = 0, process_time()
        while (spent := process_time() - began) < budget / 5 or not rounds:
            job()
            rounds += 1
        best = min(best, spent / rounds)
    return round(work / best)


def sample(game: Game[Any], count: int, scenario: str = "") -> list[Any]:
    """Positions spread evenly over some random games, of the first scenario if none is named."""
    found: list[Any] = []
    number = 0
    while len(found) < count:
        seed = f"bench-{number}"
        state = game.start(scenario or next(iter(game.scenarios)))
        game.settle(state, seed)
        player = seat("random", seed)
        decisions = 0
        while (side := game.actor(state)) is not None and len(found) < count:
            if decisions % 37 == 0:
                found.append(state.clone())
            game.apply(state, player.choose(game, state, side))
            game.settle(state, seed)
            decisions += 1
        number += 1
    return found


def actions_per_second(game: Game[Any], budget: float) -> int:
    """How fast answers known to be legal are carried out: finished games given again, without choosing.
    Several of them, because one has more battles than another."""
    scenario = next(iter(game.scenarios))
    count = max(1, round(SCRIPTS * budget))
    scripts = [_script(game, scenario, f"bench-actions-{number}") for number in range(count)]

    def again() -> None:
        for script in scripts:
            state = game.start(scenario)
            for action in script:
                game.apply(state, action)

    return rate(budget, sum(map(len, scripts)), again)


def _script(game: Game[Any], scenario: str, seed: str) -> list[Any]:
    """Every answer of a random game, those of chance included."""
    state = game.start(scenario)
    script: list[Any] = [*game.settle(state, seed)]
    player = seat("random", seed)
    while (side := game.actor(state)) is not None:
        action = player.choose(game, state, side)
        game.apply(state, action)
        script += [action, *game.settle(state, seed)]
    return script


def whole_games(game: Game[Any], budget: float) -> dict[str, Any]:
    """Random games from set-up to verdict. Games differ in length, so all rounds play the same ones."""
    count = max(1, round(8 * budget))
    best, decisions = float("inf"), 0
    for _ in range(5):
        began = process_time()
        results = [play_game(game, f"bench-{n}", ["random"] * len(game.sides)) for n in range(count)]
        best = min(best, process_time() - began)
        decisions = sum(result.decisions for result in results)
    return {
        "random_games_per_second": round(count / best, 2),
        "random_decisions_per_second": round(decisions / best),
        "decisions_per_random_game": round(decisions / count),
    }


def commander_turns(game: Game[Any], budget: float) -> dict[str, Any]:
    """How long the planning player thinks about a turn of the game, on both sides: a whole game, or its first
    turns when time is short."""
    scenario = next(iter(game.scenarios.values()))
    last = scenario.last if budget >= 1 else scenario.first + 1
    state = game.start(scenario.id)
    game.settle(state, "bench")
    seats = [seat("commander", f"bench/{side}") for side in game.sides]
    random = Random("bench/imagine")
    spent: dict[tuple[int, int], float] = {}
    while (side := game.actor(state)) is not None and (turn := game.turn(state)) <= last:
        shown = game.imagine(state, side, random)
        began = process_time()
        answer = seats[side].choose(game, shown, side)
        spent[side, turn] = spent.get((side, turn), 0.0) + process_time() - began
        game.apply(state, answer)
        game.settle(state, "bench")
    return {
        "commander_turn_seconds": round(sum(spent.values()) / len(spent), 3),
        "commander_slowest_turn_seconds": round(max(spent.values()), 3),
    }


def bytes_per_position(positions: list[Any]) -> int:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    copies = [positions[n % len(positions)].clone() for n in range(CLONES)]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return round((after - before) / len(copies))


def environment(game: Game[Any], budget: float) -> dict[str, Any]:
    """Steps of the research environment in random play, arrays and all; nothing without the extra."""
    if any(find_spec(name) is None for name in ("pettingzoo", "gymnasium", "numpy")):
        return {}
    from grognard.envs import env

    table = env(game.id, seed="bench")
    choose = Random("bench").choice
    steps = 100

    def walk() -> None:
        for _ in range(steps):
            seen, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.reset()
            else:
                table.step(choose(seen["action_mask"].nonzero()[0].tolist()))

    table.reset()
    return {"env_steps_per_second": rate(budget, steps, walk)}


# Floods of movement and supply over a map, against plain algorithms that do the same work hex by hex.


def floods(board: Board, starts: list[int], budget: float) -> dict[str, Any]:
    """No rule of any game: a step along a road or railway costs one, into the commonest terrain two, into any
    other four; the sea and lakes are shut; lines run along roads and railways and then over land."""
    land = board.everywhere & ~board.with_terrain("sea", "lake")
    drawn = {feature: str(about.get("draw")) for feature, about in board.settings["features"].items()}
    ways = [feature for feature, kind in drawn.items() if kind in ("rail", "road")]
    open_ground = Counter(board.info[cell].terrain for cell in each(land)).most_common(1)[0][0]

    def price(a: int, b: int) -> int | None:
        if not land >> b & 1:
            return None
        if any(board.side_has(a, b, way) for way in ways):
            return 1
        return 2 if board.info[b].terrain == open_ground else 4

    costs, links = Costs(board, price), board.side_masks(*ways)
    starts = [start for start in starts if land >> start & 1]
    # The start that hangs on the largest net.
    source = max((1 << start for start in starts), key=lambda s: connected(board, links, s, land).bit_count())
    ground = Ground(costs, land)
    jobs: dict[str, tuple[int, Callable[[], object], Callable[[], object]]] = {
        "movement": (
            len(starts),
            lambda: [reach(ground, {start: 0}, RANGE) for start in starts],
            lambda: [cheapest(board, costs, [start], land, RANGE) for start in starts],
        ),
        "supply": (
            1,
            lambda: within_cost(costs, connected(board, links, source, land), RANGE, land),
            lambda: cheapest(board, costs, linked(board, ways, source, land), land, RANGE),
        ),
    }
    found: dict[str, Any] = {}
    for name, (work, fast, plain) in jobs.items():
        quick, slow = rate(budget, work, fast), rate(budget, work, plain)
        found[f"{name}_floods_per_second"] = quick
        found[f"{name}_plain_per_second"] = slow
        found[f"{name}_gain"] = round(quick / slow, 1)
    return found


def cheapest(board: Board, costs: Costs, starts: list[int], free: int, budget: int) -> dict[int, int]:
    """Dijkstra's algorithm, hex by hex, as one would write it first."""
    best = dict.fromkeys(starts, 0)
    queue = [(0, start) for start in starts]
    while queue:
        spent, here = heappop(queue)
        if spent > best[here]:
            continue
        for there in board.adjacent[here]:
            price = costs.step(here, there)
            total = spent + price
            if price and total <= budget and free >> there & 1 and total < best.get(there, sys.maxsize):
                best[there] = total
                heappush(queue, (total, there))
    return best


def linked(board: Board, ways: list[str], sources: int, free: int) -> list[int]:
    """The net of ways that hangs on the sources, hex by hex."""
    seen = set(each(sources & free))
    queue = list(seen)
    while queue:
        here = queue.pop()
        for there in board.adjacent[here]:
            if there in seen or not free >> there & 1:
                continue
            if any(board.side_has(here, there, way) for way in ways):
                seen.add(there)
                queue.append(there)
    return list(seen)
