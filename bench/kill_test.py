"""kill -9 at random moments: does anything acknowledged get lost?

    python -m bench.kill_test --database sqlite --kills 20
    python -m bench.kill_test --store ../kills.jsonl --until 1000 --workers 2 --computers --seconds 3000

Scripted games are played over HTTP, on this machine only, while the server is killed and started again. Each
game compares what the server has with what the server had acknowledged, every time it comes back and at the
end. The first difference stops everything. With --workers several servers are behind one address, and one of
them is killed now and then instead of all; with --computers every other game is played against a recruit or
one that plays at random, somebody looks at the map, processes that think, look back and draw are killed too,
and a computer that does not go on stops everything as well.

With several games, ordeals are of each in turn: of one without hidden facts, say, and of one in which sides
write in secret at the same time, whose saves are sealed while it is played against the computer.

With --store each ordeal becomes a line of a file, with its seed and a digest of the program. Another run adds
ordeals with seeds that this program has not had yet, on both databases in turn, until there are so many
kills on each, the time is up or it is told to end (SIGTERM): so a thousand kills can be collected whenever
a machine is free.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from tests.server.killing import LostError, Ordeal, StuckError
from tests.server.postgres import PostgresServer

import grognard.kernel
import grognard.server

INSTALLED = Path(__file__).resolve().parents[1] / "tests" / "installed"
"""Where Crossroads is, the small game of the tests."""
DATABASES = ("sqlite", "postgresql")


@cache
def program() -> str:
    """A digest of the sources that write journals and read them."""
    total = hashlib.sha256()
    for package in (grognard.kernel, grognard.server):
        place = Path(str(package.__file__)).parent
        for path in sorted(place.rglob("*.py")):
            total.update(f"{path.relative_to(place).as_posix()}\n".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def one(asked: argparse.Namespace, database: str, seed: int, seconds: float) -> dict[str, Any]:
    """One ordeal: what was done, and what was lost."""
    postgres = PostgresServer() if database == "postgresql" else None
    game = asked.game[seed % len(asked.game)]
    line: dict[str, Any] = {
        "program": program(),
        "game": game,
        "database": database,
        "workers": asked.workers,
        "computers": asked.computers,
        "seed": seed,
    }
    try:
        with tempfile.TemporaryDirectory() as folder:
            url = postgres.new_database() if postgres else f"sqlite:///{folder}/games.sqlite"
            ordeal = Ordeal(url, Path(folder), seed, game, asked.workers, asked.computers)
            how_many = (asked.games, asked.answers, asked.together, asked.kills - 1)
            try:
                told = asyncio.run(ordeal.run(*how_many, (asked.between[0], asked.between[1]), seconds))
                asked.seconds = 0.0 if ordeal.told_to_end else asked.seconds
                return {**line, "lost": 0, **told}
            except (LostError, StuckError) as error:
                return {**line, "lost": 1, "why": str(error), "kills": ordeal.kills.total()}
            finally:
                ordeal.server.stop()
    finally:
        if postgres:
            postgres.stop()


def read(store: Path | None) -> list[dict[str, Any]]:
    if store is None or not store.exists():
        return []
    return [json.loads(line) for line in store.read_text(encoding="utf-8").splitlines()]


def kills(lines: list[dict[str, Any]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for line in lines:
        found[line["database"]] += line["kills"]
    return found


def summary(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Of this program, and of all that are in the file."""
    now = [line for line in lines if line["program"] == program()]
    kinds: Counter[str] = Counter()
    for line in lines:
        kinds.update({key: number for key, number in line.items() if key.startswith("kills_of")})
    return {
        "kills": dict(kills(lines)),
        "kills_of_this_program": dict(kills(now)),
        **kinds,
        "answers": sum(line.get("answers", 0) for line in lines),
        "lost": sum(line["lost"] for line in lines),
        "ordeals": len(lines),
        "programs": len({line["program"] for line in lines}),
        "load_average": os.getloadavg()[0],
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", choices=DATABASES, help="this one only")
    parser.add_argument("--game", nargs="+", default=["leningrad", "crossroads"], help="in turn")
    parser.add_argument("--games", type=int, default=40, help="in an ordeal")
    parser.add_argument("--answers", type=int, default=30, help="answers in each game")
    parser.add_argument("--together", type=int, default=8, help="games played at the same time")
    parser.add_argument("--kills", type=int, default=60, help="kills in an ordeal, at most")
    parser.add_argument("--between", type=int, nargs=2, default=(3, 15), help="answers between kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after so long no more is begun")
    parser.add_argument("--workers", type=int, default=1, help="servers behind one address")
    parser.add_argument("--computers", action="store_true", help="every other game against the computer")
    parser.add_argument("--store", type=Path, help="a file to which ordeals are added")
    parser.add_argument("--until", type=int, default=0, help="so many kills on each database")
    asked = parser.parse_args()
    sys.path.append(str(INSTALLED))
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([*filter(None, paths), str(INSTALLED)])
    end = time.monotonic() + asked.seconds
    databases = [asked.database] if asked.database else list(DATABASES)
    lines = read(asked.store)
    while True:
        had = {(line["database"], line["seed"]) for line in lines if line["program"] == program()}
        done = kills(lines)
        database = min(databases, key=lambda name: done[name])
        seed = next(n for n in range(asked.seed, 10**9) if (database, n) not in had)
        line = one(asked, database, seed, end - time.monotonic())
        lines.append(line)
        print(json.dumps(line), flush=True)
        if asked.store:
            with asked.store.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        least = min(kills(lines)[name] for name in databases)
        if line["lost"] or not asked.seconds or time.monotonic() >= end or least >= asked.until:
            break
    print(json.dumps(summary(lines)))
    return 1 if lines[-1]["lost"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
