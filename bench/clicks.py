"""What a click of a person costs at a table of a real server: units are taken up, walk and halt, with the
state for a seat that has both sides and the push to it. Processor time of one core: the half, the 95th and
the 99th of 100, and the most.

    python -m bench.clicks GAME SCENARIO [--clicks 200]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import secrets
import tempfile
import time
import tracemalloc
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from grognard.kernel import Action, Game, Match, Role
from grognard.kernel.registry import load_game
from grognard.server import present, views
from grognard.server.chain import Chain
from grognard.server.changes import changes
from grognard.server.room import HUMAN, hash_token
from grognard.server.rooms import Rooms
from grognard.server.serving import collect_seldom
from grognard.server.store import SeatRow, Store, TableRow
from grognard.server.workbench import Premises
from grognard.server.workshop import Workshop

SEED = "april"
HALTS = 0.4
"""How often a unit on the move halts where it may."""


def write(store: Store, game: Game[Any], scenario: str) -> str:
    """A table at its beginning: the first dice have been thrown."""
    table, now, chain = secrets.token_urlsafe(9), time.time(), Chain()
    match: Match[Any] = Match(game, scenario, {}, SEED)
    words = match.written()
    chain.grow(0, words)
    seats = [SeatRow(table, side, hash_token(side), HUMAN, side, True) for side in game.sides]
    row = TableRow(
        *(table, game.id, game.rules_version, game.digest(scenario), scenario, {}, SEED, "", False, True),
        *("", now, now),
        chain=chain.last,
    )
    store.create(row, seats, words)
    return table


def next_click(game: Game[Any], options: list[Action], random: Random) -> tuple[Action, bool]:
    """What is answered, and whether it is part of a march; other questions are answered with the last that is
    offered."""
    steps, takes = game.with_role(options, Role.STEP), game.with_role(options, Role.TAKE)
    halts = game.with_role(options, Role.HALT)
    if halts and (not steps or random.random() < HALTS):
        return halts[0], True
    wanted = steps or takes
    if not wanted:
        return options[-1], False
    return wanted[int(random.random() * len(wanted))], True


async def at_the_table(game: Game[Any], scenario: str, folder: Path, most: int) -> dict[str, Any]:
    url = f"sqlite:///{folder}/games.sqlite"
    store, games = Store(url), {game.id: game}
    table = write(store, game, scenario)
    rooms = Rooms(store, games, Workshop(Premises(url, folder, None), 0, games))
    gc.collect()
    tracemalloc.start()
    room = await rooms.room(table)
    before = views.seen(room, [0, 1], "en")
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    costs: list[tuple[float, int]] = []
    random = Random("clicks")
    while len(costs) < most:
        state = room.match.state
        side = min(game.must_act(state))
        action, marching = next_click(game, game.options(state, side), random)
        began = process_time()
        words = game.encode(action)
        assert await rooms.act(room, [0, 1], room.version([0, 1]), words, game.sides[side]) is None
        now = views.seen(room, [0, 1], "en")
        lines = views.told(game, room.book, [0, 1], before["log_length"], "en")
        push = present.written({"type": "changes", **changes(before, now), "log": lines})
        if marching:
            costs.append((process_time() - began, len(push)))
        before = now
    await rooms.close()
    store.close()
    times, sizes = sorted(cost for cost, _ in costs), sorted(size for _, size in costs)
    places = [len(costs) * share // 100 for share in (50, 95, 99)] + [-1]
    return {
        "memory_of_a_table_mb": round(memory / 1e6, 1),
        "click_cpu_ms": [round(1000 * times[n], 2) for n in places],
        "click_bytes": [sizes[n] for n in places],
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("scenario")
    parser.add_argument("--clicks", type=int, default=200)
    asked = parser.parse_args()
    game = load_game(asked.game)
    collect_seldom()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(at_the_table(game, asked.scenario, Path(folder), asked.clicks))))


if __name__ == "__main__":
    main()
