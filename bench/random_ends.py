"""Random games of every scenario of a game: all end by themselves, and one worker or two give the same.

python -m bench.random_ends stalingrad_roads --games 500
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from time import process_time

from grognard.kernel.registry import load_game
from grognard.lab import play_game

game = cache(load_game)


def play(job: tuple[str, str, int]) -> tuple[str, str, int, float]:
    """The hash of the end of a game, how it ended, how many decisions it took and how long."""
    id_, scenario, number = job
    began = process_time()
    found = play_game(game(id_), f"ends-{number}", ["random"] * len(game(id_).sides), scenario=scenario)
    return found.hash, found.level, found.decisions, process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the number of the first: games in several goes")
    parser.add_argument("--twice", type=int, default=20, help="games that are played again in one process")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scenario", action="append")
    asked = parser.parse_args()
    for scenario in asked.scenario or game(asked.game).scenarios:
        jobs = [(asked.game, scenario, number) for number in range(asked.first, asked.first + asked.games)]
        with ProcessPoolExecutor(asked.workers) as pool:
            found = list(pool.map(play, jobs, chunksize=1))
        again = [play(job)[0] for job in jobs[: asked.twice]]
        assert again == [line[0] for line in found[: asked.twice]], (
            "workers give other games than one process"
        )
        decisions, seconds = sum(line[2] for line in found), sum(line[3] for line in found)
        print(
            f"{scenario}: {len(found)} games from {asked.first} on ended, "
            f"{decisions // len(found)} decisions each, {decisions / seconds:.0f} a second; "
            f"{dict(Counter(line[1] for line in found))}"
        )


if __name__ == "__main__":
    main()
