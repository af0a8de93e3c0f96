"""All counters of April 1944 on the whole map of Second Front, under the rules of the land war: what a copy,
the zones of both sides, a reach, the supply of both sides, a view and a click cost, and what a table needs in
memory. Processor time of one core: the best of several rounds; clicks as in bench.clicks.

    python -m bench.april_1944 [--clicks 120]

Everything that stands on the map in the orders of battle of that date is there; aircraft and ships are not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from time import process_time
from typing import Any

from bench.clicks import at_the_table

from grognard.files import Folder
from grognard.games.second_front.books import GAME
from grognard.games.second_front.game import SecondFront, load
from grognard.games.second_front.rules.movement import allowance, reachable
from grognard.games.second_front.rules.position import on_map, piece, terrain, zones_of
from grognard.games.second_front.rules.upkeep import check_isolation, check_supply
from grognard.games.second_front.state import FrontState
from grognard.server.serving import collect_seldom

SCENARIO = "april"
TOP = """
order = 9
names = { en = "April 1944", fr = "Avril 1944" }
about = { en = "For measuring.", fr = "Pour mesurer." }
from = 19
to = 20
minutes = 1
difficulty = 1
start = "Apr I 44"
setup = "books"
sources = { axis = [], allied = [] }
at_sea = ["Allied"]
seas = ["Mediterranean", "Atlantic"]
theatres = { axis = ["West", "South", "Greater Germany"], allied = ["ETO", "MTO"] }
provenance = "reconstructed"
source = "the orders of battle of this game"
[places]
[needed]
marginal = 1
[victory]
en = "None."
fr = "Aucune."
"""


def whole_map(folder: Path) -> SecondFront:
    """The game with a scenario besides, of all districts and networks."""
    from grognard.games.second_front.books import charts

    board = load().board
    districts = sorted(
        {
            feature.removeprefix("district_")
            for cell in board.cells
            for feature in board.info[cell].features
            if feature.startswith("district_")
        }
    )
    networks = [str(row["network"]) for row in charts()["rail_capacity"].records]
    lists = f"districts = {json.dumps(districts)}\nnetworks = {json.dumps(networks)}\n"
    data = folder / "second_front"
    copytree(GAME, data, ignore=ignore_patterns("*.py", "__pycache__"))
    (data / "scenarios" / f"{SCENARIO}.toml").write_text(lists + TOP)
    (data / "scenarios" / f"{SCENARIO}_arrivals.csv").write_text("unit,turn,hexes,provenance,source\n")
    return SecondFront(Folder(data))


def best(work: Callable[[], object], times: int, rounds: int = 5) -> float:
    """Microseconds of one go."""
    found = []
    for _ in range(rounds):
        began = process_time()
        for _ in range(times):
            work()
        found.append((process_time() - began) / times)
    return round(1e6 * min(found), 1)


def to_movement(game: SecondFront, state: FrontState) -> None:
    """On to the first movement phase: no arrivals, no works."""
    while not state.within("movement-phase"):
        options = game.options(state, state.active)
        game.apply(state, options[-1], state.active)
        game.settle(state, "april")


def rules(game: SecondFront, state: FrontState) -> dict[str, Any]:
    def zones() -> None:
        state.forget_zones()
        for side in (0, 1):
            zones_of(game, state, side)

    movers = [u for u in on_map(state, state.active) if state.left[u]]
    around = terrain(game, state, state.active)
    random = Random("reach")
    some = [movers[int(random.random() * len(movers))] for _ in range(40)]

    def reach() -> None:
        for unit in some:
            who = piece(game, state, unit)
            reachable(around, who, state.where[unit], allowance(who))

    def trial(work: Callable[[SecondFront, FrontState], object]) -> Callable[[], object]:
        return lambda: work(game, state.clone())

    return {
        "units": sum(place >= 0 for place in state.where),
        "clone_us": best(state.clone, 2000),
        "zones_of_both_us": best(zones, 5),
        "reach_us": round(best(reach, 2) / len(some), 1),
        "isolation_of_both_us": best(trial(check_isolation), 3),
        "supply_of_both_us": best(trial(check_supply), 3),
        "options_us": best(lambda: game.options(state, state.active), 1),
        "view_us": best(lambda: game.table(state, None), 2),
        "bytes_of_a_position": weight(state),
    }


def weight(state: FrontState) -> int:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    copies = [state.clone() for _ in range(200)]
    found = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return found // len(copies)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clicks", type=int, default=120)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        game = whole_map(Path(folder))
        collect_seldom()
        state = game.start(SCENARIO)
        game.settle(state, "april")
        to_movement(game, state)
        print(json.dumps(rules(game, state)), flush=True)
        print(json.dumps(asyncio.run(at_the_table(game, SCENARIO, Path(folder), asked.clicks))))


if __name__ == "__main__":
    main()
