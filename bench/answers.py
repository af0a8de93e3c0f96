"""How many answers a second of a core is good for: this program, two of its processes, another version.

    python -m bench.answers --rounds 3
    python -m bench.answers --rounds 3 --database postgresql --old ../grognard-before

Each round is one server, the same asked with every answer how far what is in hand gets, then two behind one
address with twice as many games, then the other version's one, so that a busy machine disturbs all of them
alike. What counts is the processor time of the servers: it says
what a core can do even where others use the machine as well. `--old` is a checkout whose own bench/load.py is
run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def measured(tree: Path, *options: str) -> dict[str, Any]:
    """What bench/load.py of a checkout says; of an older one the same figures by their older names."""
    paths = (tree / "src", tree / "tests" / "installed", tree)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-m", "bench.load", "--listeners", "2", *options]
    told = subprocess.run(
        command, cwd=tree, env=environment, check=True, text=True, stdout=subprocess.PIPE
    ).stdout
    found: dict[str, Any] = json.loads(told.splitlines()[-1])
    busy = found.get("server_cpu_ms_per_answer") or found["server_cpu_ms_per_action"]
    return {
        "answers": found.get("answers") or found["actions"],
        "per_second": found.get("answers_per_second") or found["actions_per_second"],
        "ms_each": busy,
        "p99_ms": found["p99_ms"],
        "errors": found["errors"],
        "load_average": round(found["load_average"], 1),
    }


def summary(rounds: list[dict[str, dict[str, Any]]]) -> dict[str, Any]:
    """Medians, with the least and the most."""

    def spread(values: list[float], digits: int = 2) -> list[float]:
        return [round(value, digits) for value in (statistics.median(values), min(values), max(values))]

    found: dict[str, Any] = {
        f"answers_a_second_of_a_core_{name}": spread([1000 / r[name]["ms_each"] for r in rounds], 0)
        for name in rounds[0]
    }
    # Two processes have two cores: twice the answers if each costs no more than with one.
    found["two_processes"] = spread([2 * r["one"]["ms_each"] / r["two"]["ms_each"] for r in rounds])
    if "old" in rounds[0]:
        found["times_the_old"] = spread([r["old"]["ms_each"] / r["one"]["ms_each"] for r in rounds])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=60, help="for each process")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--old", type=Path, help="a checkout of another version")
    asked = parser.parse_args()
    usual = ("--seconds", str(asked.seconds), "--database", asked.database)
    rounds = []
    for _ in range(asked.rounds):
        found = {
            "one": measured(ROOT, *usual, "--games", str(asked.games)),
            "reach": measured(ROOT, *usual, "--games", str(asked.games), "--reach"),
            "two": measured(ROOT, *usual, "--games", str(2 * asked.games), "--workers", "2"),
        }
        if asked.old:
            found["old"] = measured(asked.old.resolve(), *usual, "--games", str(asked.games))
        rounds.append(found)
        print(json.dumps(found), flush=True)
    print(json.dumps(summary(rounds)))


if __name__ == "__main__":
    main()
