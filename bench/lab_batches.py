"""A long batch of the lab, killed and resumed, then played again on a Ray cluster of two nodes.

    python -m bench.lab_batches leningrad --games 200 --folder batches/leningrad

The batch is played by two processes and killed (-9) after a while, resumed, and its games compared one by one
with those that a cluster of two local nodes plays from the same seed. `--cluster-only` compares with a batch
that is already there.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from grognard.lab.run import Batch, run_batch
from grognard.lab.tables import read

NODE = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", default="commander,commander")
    parser.add_argument("--seed", default="lab")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--kill-after", type=float, default=120.0, help="seconds")
    parser.add_argument("--cluster-only", action="store_true")
    options = parser.parse_args()
    report: dict[str, Any] = {"game": options.game, "games": options.games}
    if not options.cluster_only:
        report["games_before_the_kill"] = killed(options)
    began = monotonic()
    players = options.players.split(",")
    batch = run_batch(options.folder, options.game, options.games, players, options.seed, workers=2)
    report["resumed_seconds"] = round(monotonic() - began)
    began = monotonic()
    there = on_two_nodes(options, players)
    report["cluster_seconds"] = round(monotonic() - began)
    mine, theirs = hashes(batch), hashes(there)
    report["equal_games"] = sum(mine[number] == theirs[number] for number in theirs)
    print(json.dumps(report))
    if mine != theirs:
        sys.exit("the games differ")


def killed(options: argparse.Namespace) -> int:
    """Play for a while, then lose all processes at once; how many games were written down."""
    command = [sys.executable, "-m", "grognard.cli.main", "lab", "run", options.game]
    command += ["--games", str(options.games), "--players", options.players, "--seed", options.seed]
    command += ["--workers", "2", "--out", str(options.folder)]
    process = subprocess.Popen(command, start_new_session=True)
    sleep(options.kill_after)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return len(list((options.folder / "parts").iterdir()))


def on_two_nodes(options: argparse.Namespace, players: list[str]) -> Batch:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    try:
        cluster.add_node(**NODE)
        cluster.wait_for_nodes()
        folder = options.folder.with_name(f"{options.folder.name}-cluster")
        return run_batch(folder, options.game, options.games, players, options.seed, cluster=cluster.address)
    finally:
        cluster.shutdown()


def hashes(batch: Batch) -> dict[int, str]:
    games = read(batch.folder, "games", ("game", "hash")).to_pydict()
    return dict(zip(games["game"], games["hash"], strict=True))


if __name__ == "__main__":
    main()
